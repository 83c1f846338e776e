"""The reports of Claude's hooks in a session's log: Claude's starts, conversation and model."""

from __future__ import annotations

from pathlib import Path

from paliadin.turnlog.session_log import Branched, Compacting, SessionLog, Started


class SessionReports:
    """The reports in the session's `folder`; `conversation`, `transcript` and `model` are those of its last start."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._log = SessionLog(folder)
        self.conversation: str | None = None  # Claude Code calls it session_id
        self.transcript: str | None = None
        self.model: str | None = None
        self.started_ms = 0  # when Claude Code's process reported its start; in milliseconds since 1970
        self.starts = 0  # SessionStart hooks since Claude was started; `/clear` and compaction have one, too
        self.compactions = 0  # begun between turns
        self._started_in: set[str] = set()  # the folders in which it was started, as its hooks have reported

    @property
    def hooks_seen(self) -> bool:
        """True once a SessionStart hook has reported since Claude was started, or in the log of an earlier daemon."""
        return self.read().starts > 0

    def has_started_in(self, folder: Path) -> bool:
        """True if Claude has run in this folder, which means that the owner has trusted it."""
        self.read()
        return str(folder.resolve()) in self._started_in

    def forget_conversation(self) -> None:
        """Let the next Claude begin a new conversation: this one is being deleted, with its log."""
        self.read()
        self.conversation = self.transcript = None

    def read(self) -> SessionReports:
        """Read the new lines of the session's log: SessionStart, PreCompact, or a branch; returns itself."""
        for entry in self._log.read():
            match entry:
                case Branched():
                    self.conversation, self.transcript = entry.conversation, entry.transcript
                case Compacting():
                    self.compactions += 1
                case Started():
                    self.starts += 1
                    self.conversation, self.transcript = entry.conversation, entry.transcript
                    self.model = entry.model or self.model
                    if entry.is_process:
                        self.started_ms = entry.at or self.started_ms
                        self._started_in.add(entry.cwd)
        return self
