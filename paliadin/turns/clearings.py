"""When a session's Claude last began to know nothing of what was said before."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from paliadin.base.checked_numbers import time_of
from paliadin.conversations.directory import Conversations
from paliadin.turnlog.read import LogReader


@dataclass
class Clearings:
    """Reads the sessions' logs, each as far as it has come."""

    conversations: Conversations
    _starts: dict[str, _Starts] = field(default_factory=dict)  # by session

    def last(self, session: str) -> int:
        """Return when Claude last began to know nothing of what was said: milliseconds since 1970, or 0 for never.

        On a page or by /clear; or because Claude Code had no transcript any more to go on with.
        """
        if session not in self._starts:
            self._starts = {name: self._starts[name] for name in self._starts.keys() & set(self.conversations.names())}
            self._starts[session] = _Starts(LogReader(self.conversations.folder(session) / "events.jsonl"))
        return self._starts[session].cleared_at()

    def started_at(self, session: str) -> int:
        """Return when the process of the session's Claude was started last: milliseconds since 1970, or 0 for never."""
        self.last(session)
        return self._starts[session].started_at


@dataclass
class _Starts:
    """The starts of Claude in one session, by the session's log."""

    log: LogReader
    _claude_session: object = None  # the last one's id
    _cleared_at: int = 0
    started_at: int = 0  # as of the last look

    def cleared_at(self) -> int:
        for line in self.log.read():
            hook, at = line.get("hook"), time_of(line.get("at"))
            if not isinstance(hook, Mapping) or hook.get("hook_event_name") != "SessionStart":
                continue
            if hook.get("source") in {"startup", "resume"} and at is not None:
                self.started_at = at
            before, self._claude_session = self._claude_session, hook.get("session_id")
            is_another = before is not None and before != self._claude_session
            is_new = hook.get("source") == "clear" or (hook.get("source") == "startup" and is_another)
            self._cleared_at = at if is_new and at is not None else self._cleared_at
        return self._cleared_at
