"""Many clients at once, in a process of their own; standard input: {"port", "clients": [[turn_id, …], …], "texts"}.

Each client follows its turns one after another. Prints one JSON object for each turn that was followed.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import sys
import time
from typing import Any

from tests.worlds.world import TOKEN

LONGEST = 64 * 2**20  # bytes of one event


async def follow(port: int, turn_id: str) -> dict[str, Any]:
    """The turn from its first event to its end. HTTP/1.0: no chunks to take apart; the server closes."""
    began = time.monotonic()
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=LONGEST)
    request = f"GET /api/paliadin/stream/{turn_id} HTTP/1.0\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {TOKEN}\r\n\r\n"
    writer.write(request.encode())
    status = await reader.readuntil(b"\r\n\r\n")
    connected = time.monotonic()
    arrived: list[tuple[float, bytes]] = []
    while True:
        try:
            event = await reader.readuntil(b"\n\n")
        except asyncio.IncompleteReadError:
            break
        if not event.startswith(b"event: ping"):
            arrived.append((time.monotonic(), event))
    writer.close()
    return {"turn_id": turn_id, "status": int(status.split()[1]), "began": began, "connected": connected} | seen(
        arrived
    )


def seen(arrived: list[tuple[float, bytes]]) -> dict[str, Any]:
    """What has come: its digest for comparison, when each piece of text did, and whether a number is missing."""
    digest = hashlib.sha256()
    texts: list[tuple[float, str]] = []
    numbers: list[int] = []
    last = ""
    for at, event in arrived:
        digest.update(event)
        fields = dict(line.split(": ", 1) for line in event.decode().splitlines() if ": " in line)
        numbers.append(int(fields["id"]))
        last = fields["event"]
        if last == "content_delta":
            texts.append((at, json.loads(fields["data"])["text"]))
    return {
        "digest": digest.hexdigest(),
        "events": len(arrived),
        "whole": numbers == list(range(1, len(numbers) + 1)) and last == "end",
        "ended": arrived[-1][0] if arrived else time.monotonic(),
        "texts": texts,
    }


async def main(port: int, clients: list[list[str]], *, texts: bool) -> None:
    async def one(turns: list[str]) -> list[dict[str, Any]]:
        return [await follow(port, turn_id) for turn_id in turns]

    for followed in await asyncio.gather(*map(one, clients)):
        for report in followed:
            kept = report if texts else report | {"texts": []}
            sys.stdout.write(json.dumps(kept) + "\n")


if __name__ == "__main__":
    plan = json.loads(sys.stdin.read())
    asyncio.run(main(plan["port"], plan["clients"], texts=plan["texts"]))
