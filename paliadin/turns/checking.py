"""Has an ended turn's answer checked, against what tools returned in it and in the conversation's earlier turns."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import lru_cache
from pathlib import Path

from paliadin.base import errors
from paliadin.base.session_names import SessionNames
from paliadin.base.strict_json import JsonObject
from paliadin.conversations.directory import Conversations
from paliadin.conversations.kept import Part
from paliadin.events.known_ids import given_by
from paliadin.events.model import as_json
from paliadin.events.reducer import Reducer
from paliadin.evidence.check import Answer, check, holds_id
from paliadin.evidence.model import Claim
from paliadin.evidence.results import Call
from paliadin.files.attachments import Attachment
from paliadin.record.reading import read_turn
from paliadin.steps.model import Checked
from paliadin.turnlog.folder import TurnFolder
from paliadin.turnlog.ids import now_ms, started_ms
from paliadin.turns.clearings import Clearings

log = logging.getLogger(__name__)

# Of the conversation's earlier turns the last ones are searched: Claude has no room for the results of more.
MAX_EARLIER = 200
MAX_BYTES = 16 * 2**20  # of their logs, altogether
MAX_LOOKED_AT = 3_000  # turns' descriptions that are read to find them
MAX_REMEMBERED = 32 * 1024  # bytes of a turn's log whose calls stay in memory: the next answer searches them again
_MENTIONS_FILE = re.compile(r"(?<!\S)@[\w./~-]")


@dataclass
class Earlier:
    """What came before a turn in its conversation. `is_incomplete`: some of it is not there any more."""

    calls: list[Call]
    questions: list[str]
    is_incomplete: bool = False


@dataclass
class AnswerCheck:
    """Checks answers in a thread: a long one beside long results takes a tenth of a second.

    One at a time: Python runs one thread at a time, and of seven, that which serves everybody had a seventh.
    """

    folders: Path  # the turns' folders
    names: SessionNames
    conversations: Conversations
    clearings: Clearings
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    async def check(self, reducer: Reducer, session: str) -> Checked:
        """Return what was found out about the answer of a turn that is over. Never raises."""
        try:
            parts, cleared_at = self.conversations.parts(session), self.clearings.last(session)
            first = self.conversations.get(session).first_turn
            async with self._turn:
                return await asyncio.to_thread(self._check, reducer, parts, cleared_at, first)
        except Exception as error:  # noqa: BLE001  # a fault of the check must not cost the turn its end
            turn_id = reducer.description.get("turn_id")
            log.error("turn %s: its answer could not be checked: %s", turn_id, type(error).__name__)  # noqa: TRY400  # a traceback could quote the answer
            return Checked(now_ms())

    def _check(self, reducer: Reducer, parts: Sequence[Part], cleared_at: int, first: str | None) -> Checked:
        answer = self._answer(reducer)
        claims = check(answer)
        refused = [chip.id for chip in reducer.chips if chip.id and not chip.verified]
        if any(claim.status == "unsupported" for claim in claims) or refused:
            earlier = self._earlier(str(reducer.description["turn_id"]), parts, cleared_at, first)
            answer = replace(
                answer,
                calls=(*earlier.calls, *answer.calls),
                question="\n".join([*earlier.questions, answer.question]),
                is_incomplete=answer.is_incomplete or earlier.is_incomplete,
            )
            claims = tuple(map(_nearer, claims, check(answer)))
        return Checked(now_ms(), _as_json(claims), [chip_id for chip_id in refused if holds_id(answer, chip_id)])

    def _answer(self, reducer: Reducer) -> Answer:
        description, trailer = reducer.description, reducer.trailer
        replies = [wait.answer for wait in reducer.timeline.interrupts if wait.answer]
        joined = [text for text, _ in reducer.timeline.joined]
        known = given_by(description, reducer.tools.calls)
        turn_id = str(description["turn_id"])
        return replace(
            known,
            messages=tuple(reducer.answer.messages),
            calls=tuple(reducer.tools.calls),
            question="\n".join([known.question, *replies, *joined]),
            today=datetime.fromtimestamp(started_ms(turn_id) / 1000).astimezone().date(),
            is_incomplete=_has_unseen_files(description),
            claims_data=trailer is not None and trailer.classifier_tag == "data",
        )

    def _earlier(self, turn_id: str, parts: Sequence[Part], cleared_at: int, first: str | None) -> Earlier:
        """Collect what earlier turns of the conversation asked and returned, back to when Claude forgot everything."""
        earlier, size = Earlier([], []), 0
        oldest = turn_id
        for folder, description in self._folders_before(turn_id, parts, cleared_at):
            oldest = folder.turn_id
            size += _size(folder.log.path)
            if len(earlier.questions) >= MAX_EARLIER or size > MAX_BYTES:
                return earlier
            earlier.questions.insert(0, str(description.get("user_message", "")))
            earlier.calls[:0] = _calls(folder)
        if first and first < oldest and started_ms(first) > cleared_at:
            earlier.is_incomplete = True  # its folder was removed after KEEP_DAYS
        return earlier

    def _folders_before(
        self, turn_id: str, parts: Sequence[Part], cleared_at: int
    ) -> Iterator[tuple[TurnFolder, JsonObject]]:
        """Yield the conversation's earlier turns, the newest first."""
        days = sorted((day for day in self.folders.iterdir() if day.is_dir()), reverse=True)
        looked_at = 0
        for day in days:
            for path in sorted(day.iterdir(), reverse=True):
                if path.name >= turn_id:
                    continue
                looked_at += 1
                folder = TurnFolder(self.folders, path.name)
                try:
                    session = self.names.full(_session_of(folder))
                    if looked_at > MAX_LOOKED_AT or started_ms(path.name) < cleared_at:
                        return
                    if any(_is_in(part, session, path.name) for part in parts):
                        yield folder, folder.describe()
                except errors.NotFound:
                    continue


def _is_in(part: Part, session: str, turn_id: str) -> bool:
    return part.session == session and part.start <= turn_id and (part.end is None or turn_id < part.end)


@lru_cache(2 * MAX_LOOKED_AT)
def _session_of(folder: TurnFolder) -> str:
    """The session of a turn, which never changes: each answer asks for that of thousands. Raises NotFound."""
    return str(folder.describe().get("session_id", ""))


def _calls(folder: TurnFolder) -> tuple[Call, ...]:
    """The calls of an earlier turn, as long as nothing was added to its log."""
    size = _size(folder.log.path)
    read = _read_calls if size <= MAX_REMEMBERED else _read_calls.__wrapped__
    return read(folder, size)


@lru_cache(500)
def _read_calls(folder: TurnFolder, _size: int) -> tuple[Call, ...]:
    return tuple(replace(call, turn_id=folder.turn_id) for call in read_turn(folder).tools.calls)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _has_unseen_files(description: JsonObject) -> bool:
    """True if the question had a file with it whose content no tool returned: a picture, or one named behind `@`."""
    listed = description.get("attachments")
    for each in listed if isinstance(listed, list) else ():
        try:
            if isinstance(each, dict) and Attachment.parse(each).is_embedded:
                return True
        except errors.InvalidField:
            continue
    return _MENTIONS_FILE.search(str(description.get("user_message", ""))) is not None


def _as_json(claims: Sequence[Claim]) -> list[object]:
    return [as_json(claim) for claim in claims]


def _nearer(alone: Claim, with_earlier: Claim) -> Claim:
    """Of a claim as it was checked without the earlier turns and with them, the one whose source is in its own turn."""
    is_held = alone.status == with_earlier.status and all(source.origin != "answer" for source in alone.sources)
    return alone if is_held else with_earlier
