"""Finds the turns that no request started: typed in Claude's terminal, or begun there by Claude itself."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from dataclasses import replace

from paliadin.base.errors import NotFound
from paliadin.base.session_names import SessionNames
from paliadin.base.settings import Settings
from paliadin.conversations.directory import Conversations
from paliadin.people.caller import account_name
from paliadin.turnlog.folder import TurnFolder
from paliadin.turnlog.read import LogReader

log = logging.getLogger(__name__)


class TurnsStartedInTerminal:
    """Reads such turns' ids from the session logs, where a hook writes `{"own_turn": turn_id}`."""

    def __init__(self, settings: Settings, conversations: Conversations) -> None:
        self._settings, self._conversations = settings, conversations
        self._logs: dict[str, LogReader] = {}
        self._unreadable: set[str] = set()  # sessions

    def new_ids(self) -> Iterator[list[str]]:
        """Yield the turn ids added to the logs since the last call, 64 KiB of a log at a time: of its own session.

        A host may name any turn in its log, again and again; one whose row is finished needs nobody any more.
        """
        for session, reader in self._readers():
            try:
                for lines in reader.parts():
                    named = dict.fromkeys(each for line in lines if isinstance(each := line.get("own_turn"), str))
                    yield [turn_id for turn_id in named if self._is_new(session, turn_id)]
                self._unreadable.discard(session)
            except OSError as error:  # one log must not hold up the others
                if session not in self._unreadable:
                    log.warning("session %s: turns that begin in its terminal are not found: %s", session, error)
                self._unreadable.add(session)

    def skip(self) -> None:
        """Leave out the turns that the logs name so far."""
        for _, reader in self._readers():
            reader.skip()

    def _readers(self) -> Iterator[tuple[str, LogReader]]:
        folders = self._conversations.log_folders()
        if len(self._logs) > len(folders):
            self._logs = {name: self._logs[name] for name in self._logs.keys() & set(folders)}
        for name in folders:
            path = self._settings.sessions_dir / name / "events.jsonl"
            yield name, self._logs.setdefault(name, LogReader(path))

    def _is_new(self, session: str, turn_id: str) -> bool:
        folder, full = TurnFolder(self._settings.response_dir, turn_id), self._settings.names.full
        try:
            named = folder.describe().session_id
        except NotFound:
            return False
        return full(named) == full(session) and not folder.recorded.exists()


def complete_description(folder: TurnFolder, names: SessionNames, host: Callable[[str], str]) -> str:
    """Return the turn's session; add what a hook that made the turn did not know."""
    description = folder.describe()
    session = names.full(description.session_id)
    if description.host is None:
        whose = replace(description, session_id=session, person=account_name(), host=host(session))
        folder.rewrite(replace(whose, checked_at_end=True))
    return session
