"""Many connections that ask nothing, in a process of its own: `python -m tests.load.flood <port> <number> <kind>`.

Each is opened again a second after the daemon has closed it. Prints how often that was, a second, until it is killed.
"""

from __future__ import annotations

import asyncio
import contextlib
import resource
import sys
from collections import Counter

AGAIN = 1.0  # seconds
HALF_A_HEAD = b"GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\nX: "
KINDS = {
    "silent": b"",
    "half a head": HALF_A_HEAD,
    "one byte a second": HALF_A_HEAD,
    "kept alive": b"GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n",
}


async def one(port: int, kind: str, seen: Counter[str]) -> None:
    while True:
        with contextlib.suppress(OSError):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            seen["opened"] += 1
            writer.write(KINDS[kind])
            trickling = asyncio.create_task(trickle(writer)) if kind == "one byte a second" else None
            with contextlib.suppress(OSError):
                while await reader.read(1000):
                    pass
            seen["closed"] += 1
            writer.close()
            if trickling:
                trickling.cancel()
        await asyncio.sleep(AGAIN)


async def trickle(writer: asyncio.StreamWriter) -> None:
    while not writer.is_closing():
        writer.write(b"x")
        await asyncio.sleep(1)


async def main(port: int, number: int, kind: str) -> None:
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    seen: Counter[str] = Counter()
    clients = [asyncio.create_task(one(port, kind, seen)) for _ in range(number)]
    while clients:
        await asyncio.sleep(1)
        sys.stdout.write(f"{seen['opened']} {seen['closed']}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3]))
