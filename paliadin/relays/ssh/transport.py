"""One ssh process to a remote host: writes lines, reads messages, and keeps the end of its stderr."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from paliadin.base import processes
from paliadin.base.files import check_private
from paliadin.base.read_pace import Pace
from paliadin.base.tasks import Tasks
from paliadin.relays.ssh.hosts import Remote
from paliadin.relays.ssh.wire_protocol import LONGEST_LINE, Message, parse_message

OPTIONS = (
    "BatchMode=yes",  # never ask for a password: nobody would see it
    "ControlMaster=no",  # sharing the owner's own connection would lead to a shell, not to the shim
    "ControlPath=none",
    "RemoteCommand=none",
    "StrictHostKeyChecking=yes",
    "ClearAllForwardings=yes",
    "ForwardAgent=no",
    "ForwardX11=no",
    "PermitLocalCommand=no",
    "RequestTTY=no",
    "ConnectTimeout=10",
    "ServerAliveInterval=5",
    "ServerAliveCountMax=3",
)
STDERR_TIMEOUT = 1.0  # seconds for ssh to end and for the rest of its stderr
STDERR_KEPT = 400  # bytes of its end


class Transport:
    """A running ssh process with the shim at its other end; its stderr is read in one of `tasks`."""

    def __init__(self, process: Process, tasks: Tasks) -> None:
        self._process = process
        self.stderr_tail = ""  # the end of stderr, of ssh or of a login shell on the host; known after `terminate`
        self._reading_stderr = tasks.spawn(self._read_stderr())

    @classmethod
    @asynccontextmanager
    async def connected(cls, remote: Remote) -> AsyncIterator[Transport]:
        """Run ssh during a `with` block, at whose end it is killed; raises OSError when it cannot be run.

        Raises ConfigError when other accounts can use its key, which ssh itself would accept, also through a link.
        """
        if remote.key:
            with contextlib.suppress(FileNotFoundError):  # ssh says so
                check_private(Path(remote.key))
        options = [part for option in OPTIONS for part in ("-o", option)]
        key = ["-i", remote.key, "-o", "IdentitiesOnly=yes"] if remote.key else []
        command = ["ssh", *key, *remote.options, *options, "-T", "--", remote.destination]
        pipes = {"stdin": PIPE, "stdout": PIPE, "stderr": PIPE}
        async with processes.running(command, **pipes, limit=2 * LONGEST_LINE) as process, Tasks() as tasks:
            yield cls(process, tasks)

    def write(self, line: bytes) -> None:
        """Buffer one line for the shim; does not wait until it is sent."""
        assert self._process.stdin is not None  # noqa: S101  # it is a pipe
        self._process.stdin.write(line)

    async def messages(self) -> AsyncIterator[Message]:
        """Yield every message until the process ends; raises ValueError for a line longer than the protocol allows."""
        assert self._process.stdout is not None  # noqa: S101  # it is a pipe
        pace = Pace()
        while raw := await self._process.stdout.readline():
            await pace.take(len(raw))
            if (message := parse_message(raw)) is not None:
                yield message

    async def terminate(self) -> None:
        """Terminate the process and read the end of its stderr, for STDERR_TIMEOUT at most."""
        processes.send_signal(self._process, signal.SIGTERM)
        # A ProxyCommand that outlives ssh keeps the pipe open. `Process.wait()` may wait for that, too (Python 3.11.7).
        await asyncio.wait({self._reading_stderr}, timeout=STDERR_TIMEOUT)

    async def _read_stderr(self) -> None:
        assert self._process.stderr is not None  # noqa: S101  # it is a pipe
        text = b""
        while part := await self._process.stderr.read(4096):
            text = (text + part)[-STDERR_KEPT:]
            self.stderr_tail = " ".join(text.decode("utf-8", "replace").split())
