"""Tell whether Paliadin's Stop hook is the only one: then Claude's report that it stops is the end of its answer."""

from __future__ import annotations

import contextlib
from pathlib import Path

from paliadin.relays.terminal.transcript_files import Environment, claude_folder


class StopHooks:
    """The Stop hooks that a session's Claude ran at the end of the turn before. Claude runs in `workdir`."""

    def __init__(self, workdir: Path, environment: Environment) -> None:
        folder = workdir / ".claude"
        own = claude_folder(environment) / "settings.json"
        self._files = (own, folder / "settings.json", folder / "settings.local.json")
        self._alone: tuple[int, tuple[int, ...]] | None = None  # the process and the files' times for which it holds

    def note(self, process: int, count: int | None) -> None:
        """Note how many Stop hooks this process of Claude has run at the end of a turn."""
        self._alone = (process, self._times()) if count == 1 else None

    def is_only(self, process: int) -> bool:
        """True if this process ran none but Paliadin's at the last turn's end, and no settings have changed since."""
        return self._alone is not None and self._alone == (process, self._times())

    def _times(self) -> tuple[int, ...]:
        times = []
        for path in self._files:
            with contextlib.suppress(OSError):
                times.append(path.stat().st_mtime_ns)
        return tuple(times)
