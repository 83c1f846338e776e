"""The process of a session's Claude, as the session's file `claude.pid` names it: its id and when it was started.

Claude Code locks no conversation: if two processes run the same one, the turns of one of them are lost. The file
outlives tmux and the daemon, so that a Claude that survives them is ended before another is started.
"""

from __future__ import annotations

import asyncio
import contextlib
from pathlib import Path

from paliadin.base.errors import StorageFull
from paliadin.base.files import write_text
from paliadin.relays.terminal import process_state

FILE = "claude.pid"
END_TIMEOUT = 5.0  # seconds that a Claude may take to end; 0.2 is usual


class ClaudeProcess:
    """The Claude that was started last for the session whose folder is `session`."""

    def __init__(self, session: Path) -> None:
        self.path = session / FILE
        self._pid = 0  # the one that is known to be noted

    @property
    def is_noted(self) -> bool:
        """True from the start of a Claude until it is parked, even if it has ended by itself."""
        return self.path.exists()

    def note(self, pid: int) -> None:
        """Note a Claude that runs."""
        if pid == self._pid or not (started := process_state.start_time(pid)):
            return
        with contextlib.suppress(OSError, StorageFull):  # the next look tries again
            text = f"{pid} {started}"
            if self._read() != text:
                write_text(self.path, text)
            self._pid = pid

    async def end_earlier(self) -> None:
        """Wait until the Claude that is noted has ended; it is killed if that takes too long."""
        pid, _, started = self._read().partition(" ")
        if pid.isdecimal() and process_state.start_time(int(pid)) == started != "":
            await asyncio.to_thread(process_state.wait_or_kill, int(pid), END_TIMEOUT)

    async def end(self, pid: int) -> None:
        """Have a Claude that is idle end by itself; it is killed if that takes too long."""
        process_state.terminate(pid)
        await asyncio.to_thread(process_state.wait_or_kill, pid, END_TIMEOUT)

    def forget(self) -> None:
        """Note that no Claude has to run."""
        self._pid = 0
        self.path.unlink(missing_ok=True)

    def _read(self) -> str:
        try:
            return self.path.read_text("utf-8", "replace").strip()
        except FileNotFoundError:
            return ""
