"""Child processes in asyncio: run one for a limited time or during a `with` block, and signal one.

asyncio's own `terminate`, `kill` and `close` may take the exit status away from its watcher, which then logs "Unknown
child process": https://github.com/python/cpython/issues/127049. A start that is cancelled calls `close`.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from asyncio.subprocess import DEVNULL, Process
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import IO, Any

from paliadin.base import umask


async def run_for(
    seconds: float, command: Sequence[str], *, stdout: IO[bytes] | None = None, stderr: int | None = None
) -> bool:
    """Run a program and return True; one that takes longer than `seconds` is killed, and the result is False.

    `stdout` is a file, since a pipe may be held by a program that outlives this one, and would be waited for.
    """
    async with running(command, stdin=DEVNULL, stdout=stdout, stderr=stderr) as process:
        try:
            async with asyncio.timeout(seconds):
                await process.wait()
        except TimeoutError:
            return False
    return True


@asynccontextmanager
async def running(command: Sequence[str], **options: Any) -> AsyncIterator[Process]:
    """Run a program during a `with` block; raises OSError when it cannot be run.

    At the end it is killed, if it still runs, its pipes are closed, and it is waited for, also when that is cancelled.
    `options` are those of asyncio.create_subprocess_exec. The program gets the owner's umask.
    """
    options = {"umask": umask.of_owner(), **options}
    starting = asyncio.ensure_future(asyncio.create_subprocess_exec(*command, **options))
    try:
        process = await asyncio.shield(starting)
    except asyncio.CancelledError:  # a start that is cut short would call `close`
        with contextlib.suppress(OSError):
            await _kill(await starting)
        raise
    try:
        yield process
    finally:
        await _kill(process)


async def _kill(process: Process) -> None:
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
