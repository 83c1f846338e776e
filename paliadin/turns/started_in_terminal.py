"""Finds the turns that no request started: typed in Claude's terminal, or begun there by Claude itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from paliadin.base.errors import NotFound
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
        """Return the turn ids added to the logs since the last call, each once: those of the log's own session.

        A host may name any turn in its log, again and again; one whose row is finished needs nobody any more.
        """
        named = dict.fromkeys(self._named())
        return list(dict.fromkeys(turn_id for session, turn_id in named if self._is_new(session, turn_id)))

    def skip(self) -> None:
        """Leave out the turns that the logs name so far."""
        for _ in self._named():
            pass

    def _named(self) -> Iterator[tuple[str, str]]:
        """Yield (session, turn id) of the lines that were added to the logs since the last call."""
        folders = self._conversations.log_folders()
        if len(self._logs) > len(folders):
            self._logs = {name: self._logs[name] for name in self._logs.keys() & set(folders)}
        for name in folders:
            path = self._settings.sessions_dir / name / "events.jsonl"
            for line in self._logs.setdefault(name, LogReader(path)).read():
                turn_id = line.get("own_turn")
                if isinstance(turn_id, str):
                    yield name, turn_id

    def _is_new(self, session: str, turn_id: str) -> bool:
        folder, full = TurnFolder(self._settings.response_dir, turn_id), self._settings.names.full
        try:
            named = str(folder.describe().get("session_id"))
        except NotFound:
            return False
        return full(named) == full(session) and not folder.recorded.exists()


def complete_description(folder: TurnFolder, names: SessionNames, host: Callable[[str], str]) -> str:
    """Return the turn's session; add what a hook that made the turn did not know."""
    description = folder.describe()
    session = names.full(str(description["session_id"]))
    if "host" not in description:
        additions = {"session_id": session, "person": account_name(), "host": host(session), CHECKED_AT_END: True}
        write_json(folder.path / "turn.json", {**description, **additions})
    return session
