"""Child processes in asyncio: run one for a limited time, and end one.

asyncio's own `terminate`, `kill` and `close` may take the exit status away from its watcher, which then logs "Unknown
child process": https://github.com/python/cpython/issues/127049.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from asyncio.subprocess import DEVNULL, Process
from collections.abc import Sequence
from typing import IO


async def run_for(
    seconds: float, command: Sequence[str], *, stdout: IO[bytes] | None = None, stderr: int | None = None
) -> bool:
    """Run a program and return True; one that takes longer than `seconds` is killed, and the result is False.

    `stdout` is a file, since a pipe may be held by a program that outlives this one, and would be waited for.
    """
    process = await asyncio.create_subprocess_exec(*command, stdin=DEVNULL, stdout=stdout, stderr=stderr)
    try:
        async with asyncio.timeout(seconds):
            await process.wait()
    except TimeoutError:
        return False
    finally:
        await kill(process)
    return True


async def kill(process: Process) -> None:
    """Kill the process if it still runs, close its pipes, and wait until it is gone, also when cancelled."""
    send_signal(process, signal.SIGKILL)
    transport = process._transport  # type: ignore[attr-defined]  # noqa: SLF001  # asyncio has no public way
    for descriptor in range(3):
        if pipe := transport.get_pipe_transport(descriptor):
            pipe.close()
    gone = asyncio.ensure_future(process.wait())
    try:
        await asyncio.shield(gone)
    finally:
        await gone


def send_signal(process: Process, number: signal.Signals) -> None:
    """Send a signal, unless the process has ended."""
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process.pid, number)
