"""Writes steps that only Claude Code's transcript shows into a turn's log: messages that count, prompts that joined."""

from __future__ import annotations

import asyncio
import contextlib
import time
from dataclasses import dataclass, field

from paliadin.relays.terminal.turn_transcript import TurnTranscript
from paliadin.relays.turn import Turn
from paliadin.steps.model import Joined, Kept, Retracted
from paliadin.turnlog.folder import TurnFolder
from paliadin.turnlog.ids import now_ms
from paliadin.turnlog.read import LogReader

# Both in seconds.
ASKED_AGAIN = 3.0  # a message that the transcript does not have after this long was replaced by the one that follows it
UNREADABLE = 12.0  # without a transcript, one counts after this long: rather shown twice than lost


@dataclass
class TranscriptWitness:
    """Appends each step that one turn's transcript shows to the turn's log, once."""

    turn: Turn
    folder: TurnFolder
    transcript: TurnTranscript
    _joined: int = 0  # prompts of which the log tells
    _doubted_since: dict[str, float] = field(default_factory=dict)  # message id → when its doubt was first seen
    _decided: set[str] = field(default_factory=set)  # ids of messages of which we have told whether they count

    @property
    def in_doubt(self) -> set[str]:
        """Return the ids of messages of which it is not decided yet whether they count."""
        return self.turn.progress.doubted - self._decided

    async def append_new_steps(self, path: str | None) -> None:
        """Read the new entries of the transcript at `path`, and append their steps to the turn's log."""
        with contextlib.suppress(FileNotFoundError):  # the prompt has not arrived
            prompt_id = (self.folder.path / "prompt_id").read_text("ascii")
            await asyncio.to_thread(self.transcript.read, path, prompt_id)
            self.turn.progress.interrupted = self.transcript.interrupted
        if self.turn.progress.ended.is_set():
            return
        self._joined = max(self._joined, self.turn.progress.joined)
        for text, after in self.transcript.joined[self._joined :]:
            self.turn.log.append(Joined(now_ms(), text, after))
            self._joined += 1
        for message_id in self.in_doubt:
            waited = time.monotonic() - self._doubted_since.setdefault(message_id, time.monotonic())
            counts = self._counts(message_id, waited)
            if counts is not None:
                self.turn.log.append(Kept(now_ms(), message_id) if counts else Retracted(now_ms(), message_id))
                self._decided.add(message_id)

    def _counts(self, message_id: str, waited: float) -> bool | None:
        """Tell whether a message counts that another one follows directly; None: that is not known yet.

        The transcript has a message that ended, as at the output limit, and none whose connection broke.
        """
        messages = self.turn.progress.messages
        if message_id not in messages:
            return False
        bare = messages[message_id].bare
        equal = sum(each.final and each.bare == bare for each in messages.values())
        if self.transcript.count(bare) >= max(equal, 1):
            return True
        if self._broke_off(bare) or self.transcript.over or (self.transcript.begun and waited > ASKED_AGAIN):
            return False
        return True if waited > UNREADABLE else None

    def _broke_off(self, bare: str) -> bool:
        """True if live text shows that the connection broke in the middle of this message."""
        pieces: list[str] = []
        for line in LogReader(self.folder.preview_path).read():
            text = line.get("text")
            if "begin" in line:
                pieces = []
            elif isinstance(text, str):
                pieces.append(text)
            elif line.get("end") == "broken" and "".join("".join(pieces).split()) == bare:
                return True
        return False
