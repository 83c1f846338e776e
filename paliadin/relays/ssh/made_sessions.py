"""The sessions on a remote host that were made there from here, one for each conversation."""

from __future__ import annotations

from pathlib import Path

from paliadin.base.session_names import MADE_NAME, SessionName


class MadeSessions:
    """Knows them by their folders here, `<name>@<host>` in `folder`: a daemon that starts finds them again.

    `there` are those that the host has. One that it has no more is `here` until its folder is removed, too: its turns
    may be kept for a branch.
    """

    def __init__(self, folder: Path, host: str) -> None:
        self._folder, self._host = folder, host
        names = [SessionName.parse(path.name).session for path in folder.glob(f"*@{host}")]
        self.there = {name for name in names if MADE_NAME.fullmatch(name)}
        self._gone: set[str] = set()

    def here(self) -> list[str]:
        """Those of which something is kept here."""
        self._gone = {name for name in self._gone if (self._folder / str(SessionName(name, self._host))).is_dir()}
        return sorted(self.there | self._gone)

    def add(self, name: str) -> None:
        """Note that the host has it now."""
        self.there.add(name)

    def remove(self, name: str) -> None:
        """Note that the host has it no more; a session of the key stays."""
        if name in self.there:
            self.there.discard(name)
            self._gone.add(name)
