"""The log of a session: the lines of hooks and relay that belong to no turn. All its readers use this translation.

A line is `{"at", "hook": …}`, `{"own_turn": turn_id}`, `{"at", "branched": …}` or `{"at", "cleared": true}`; everything
else is skipped.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from paliadin.base.checked_numbers import time_of
from paliadin.turnlog.append import append
from paliadin.turnlog.ids import now_ms
from paliadin.turnlog.read import Line, LogReader

FILE = "events.jsonl"
BEGINNINGS = frozenset({"startup", "resume"})  # sources of a start of Claude Code's process; others are within it


@dataclass(frozen=True, slots=True)
class Started:
    """Claude Code has begun or resumed a conversation: its hook SessionStart. `at`: milliseconds since 1970, if known.

    `source` is its word for the reason: startup, resume, clear, compact. `conversation` is its session_id.
    """

    at: int | None
    source: str
    conversation: str = ""
    transcript: str = ""  # a path
    cwd: str = ""
    model: str = ""

    @property
    def is_process(self) -> bool:
        """True if a process of Claude Code was started."""
        return self.source in BEGINNINGS


@dataclass(frozen=True, slots=True)
class Cleared:
    """A relay without Claude Code has made its model forget the conversation."""

    at: int | None


@dataclass(frozen=True, slots=True)
class Compacting:
    """Claude Code begins to replace the conversation by a summary: its hook PreCompact."""

    at: int | None


@dataclass(frozen=True, slots=True)
class Branched:
    """A transcript was made for the session, before the first start of its Claude."""

    conversation: str
    transcript: str
    copy_of: str = ""

    @classmethod
    def parse(cls, value: object) -> Branched | None:
        """Parse the result of `as_json`; None for anything else."""
        match value:
            case {"session_id": str(conversation), "transcript_path": str(transcript), **rest}:
                return cls(conversation, transcript, str(rest.get("copy_of") or ""))
        return None

    def as_json(self) -> dict[str, str]:
        """Return a JSON object, in which the conversation has Claude Code's name."""
        return {"session_id": self.conversation, "transcript_path": self.transcript, "copy_of": self.copy_of}


@dataclass(frozen=True, slots=True)
class OwnTurn:
    """A turn has begun that no request started: its prompt was typed in the terminal, or Claude began by itself."""

    turn_id: str


Entry = Started | Cleared | Compacting | Branched | OwnTurn


def translate(line: Line) -> Entry | None:
    """Translate a line of the log into its entry; None for any other line."""
    hook, at = line.get("hook"), time_of(line.get("at"))
    if isinstance(hook, Mapping):
        return _of_hook(hook, at)
    if isinstance(line.get("own_turn"), str):
        return OwnTurn(str(line["own_turn"]))
    if line.get("cleared") is True:
        return Cleared(at)
    return Branched.parse(line.get("branched"))


def _of_hook(hook: Mapping[str, object], at: int | None) -> Entry | None:
    match hook.get("hook_event_name"):
        case "SessionStart":
            names = ("source", "session_id", "transcript_path", "cwd", "model")
            return Started(at, *(str(hook.get(name) or "") for name in names))
        case "PreCompact":
            return Compacting(at)
    return None


@dataclass(slots=True)
class SessionLog:
    """Reads the new entries of a session's log, and appends to it."""

    folder: Path
    _reader: LogReader = field(init=False)

    def __post_init__(self) -> None:
        self._reader = LogReader(self.folder / FILE)

    def parts(self) -> Iterator[list[Entry]]:
        """Yield the new entries, 64 KiB of the file at a time. Raises OSError."""
        for lines in self._reader.parts():
            yield [entry for line in lines if (entry := translate(line))]

    def read(self) -> list[Entry]:
        """Return the new entries. Raises OSError."""
        return [entry for part in self.parts() for entry in part]

    def note_cleared(self) -> None:
        """Write that the session's model has forgotten the conversation; raises StorageFull."""
        self._append({"cleared": True})

    def note_branched(self, branched: Branched) -> None:
        """Write that a transcript was made for the session; raises StorageFull."""
        self._append({"branched": branched.as_json()})

    def _append(self, record: Line) -> None:
        self.folder.mkdir(mode=0o700, exist_ok=True)
        append(self.folder / FILE, {"at": now_ms(), **record})


@dataclass(slots=True)
class Memory:
    """The times from which a session's model remembers: in milliseconds since 1970, or 0."""

    cleared_at: int = 0  # it knows nothing of what was said before
    started_at: int = 0  # the process of its Claude was started
    _conversation: str = ""

    def take(self, entry: Entry) -> None:
        """Take the next entry."""
        if isinstance(entry, Cleared):
            self.cleared_at = entry.at or self.cleared_at
        elif isinstance(entry, Started):
            before, self._conversation = self._conversation, entry.conversation
            if entry.is_process:
                self.started_at = entry.at or self.started_at
            # A start with another conversation: Claude Code had no transcript any more to go on with.
            is_another = bool(before) and before != entry.conversation
            if entry.source == "clear" or (entry.source == "startup" and is_another):
                self.cleared_at = entry.at or self.cleared_at
