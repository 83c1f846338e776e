"""Finds the turns that no request started: typed in Claude's terminal, or begun there by Claude itself."""

from __future__ import annotations

from collections.abc import Callable

from paliadin.base.files import write_json
from paliadin.base.session_names import SessionNames
from paliadin.base.settings import Settings
from paliadin.conversations.directory import Conversations
from paliadin.events.reducer import CHECKED_AT_END
from paliadin.people.caller import account_name
from paliadin.turnlog.folder import TurnFolder
from paliadin.turnlog.read import LogReader


class TurnsStartedInTerminal:
    """Reads such turns' ids from the session logs, where a hook writes `{"own_turn": turn_id}`."""

    def __init__(self, settings: Settings, conversations: Conversations) -> None:
        self._settings, self._conversations = settings, conversations
        self._logs: dict[str, LogReader] = {}

    def new_ids(self) -> list[str]:
        """Return the turn ids added to the logs since the last call; on the first call, all of them."""
        turn_ids = []
        folders = self._conversations.log_folders()
        if len(self._logs) > len(folders):
            self._logs = {name: self._logs[name] for name in self._logs.keys() & set(folders)}
        for name in folders:
            path = self._settings.sessions_dir / name / "events.jsonl"
            for line in self._logs.setdefault(name, LogReader(path)).read():
                turn_id = line.get("own_turn")
                turn_ids += [turn_id] if isinstance(turn_id, str) else []
        return turn_ids


def complete_description(folder: TurnFolder, names: SessionNames, host: Callable[[str], str]) -> str:
    """Return the turn's session; add what a hook that made the turn did not know."""
    description = folder.describe()
    session = names.full(str(description["session_id"]))
    if "host" not in description:
        additions = {"session_id": session, "person": account_name(), "host": host(session), CHECKED_AT_END: True}
        write_json(folder.path / "turn.json", {**description, **additions})
    return session
