"""The turns that a session's model knows: their ids, in a file of the session. Their texts are in their logs."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Literal

from paliadin.base.errors import NotFound
from paliadin.base.files import write_text
from paliadin.parts.messages.request import Pair
from paliadin.relays.turn import Turn
from paliadin.steps.model import Text
from paliadin.turnlog.append import append_bytes
from paliadin.turnlog.folder import TurnFolder
from paliadin.turnlog.ids import check_turn_id

FILE = "known_turns.txt"
MOST = 200  # turns; the limit of tokens leaves out all but a few of them
LONGEST = 15_000  # bytes of the file, until those that count no more are left out
MOST_CACHED = 500  # turns
LONGEST_CACHED = 16_000  # characters of one; longer ones hardly fit into a request, and are read again where they do


class KnownTurns:
    """The turns of one session since it was reset, those of the conversation that it branched off included."""

    def __init__(self, session: Path, turns: Path) -> None:
        self._path, self._turns = session / FILE, turns

    def ids(self) -> list[str]:
        """Return the ids, oldest first."""
        try:
            lines = self._path.read_text("utf-8", "replace").split()
        except OSError:
            return []
        return [each for each in lines if _is_turn_id(each)][-MOST:]

    def add(self, turn_id: str) -> None:
        """Note that this turn was asked; raises StorageFull."""
        ids = self.ids()
        if turn_id in ids:
            return
        self._path.parent.mkdir(mode=0o700, exist_ok=True)
        if self._path.exists() and self._path.stat().st_size > LONGEST:
            self.replace([*ids, turn_id])
        else:  # a file that is replaced is written to the disk first, which every question would wait for
            append_bytes(self._path, _line(turn_id))

    def replace(self, ids: Sequence[str]) -> None:
        """Keep these and no others; raises StorageFull."""
        self._path.parent.mkdir(mode=0o700, exist_ok=True)
        write_text(self._path, "".join(_line(each).decode() for each in list(ids)[-MOST:]))

    def remove(self) -> None:
        """Forget all of them."""
        self._path.unlink(missing_ok=True)

    def pairs(self, before: str) -> Iterator[Pair]:
        """Yield the pairs before this turn, newest first, without turns that were deleted or have no answer.

        Each turn's log is read when its pair is asked for, unless it was read before.
        """
        for turn_id in reversed(self.ids()):
            if turn_id < before and (pair := self.read(turn_id)):
                yield pair

    def read(self, turn_id: str, *, remember: bool = True) -> Pair | None:
        """Return the pair of a turn that is over; None if the turn was deleted, or has no answer."""
        folder = TurnFolder(self._turns, turn_id)
        if not folder.path.exists():
            return None
        short = _short_pair(folder) if remember else False
        return _pair(folder) if short is False else short

    def unsent(self, before: str, sent: Collection[str]) -> list[Pair]:
        """Return the pairs before this turn, newest first, that the browser has not `sent` and whose logs are here.

        For the mode in which no words are kept: a question that waits in the queue is sent before the answer to the one
        before it has come.
        """
        ids = [each for each in reversed(self.ids()) if each < before and each not in sent]
        return [pair for each in ids if (pair := self.read(each, remember=False))]


@lru_cache(MOST_CACHED)
def _short_pair(folder: TurnFolder) -> Pair | Literal[False] | None:
    """Return the turn's pair, False if it is too long for the cache. To read a turn's log takes some milliseconds."""
    pair = _pair(folder)
    return False if pair and len(pair.prompt) + len(pair.answer) > LONGEST_CACHED else pair


def _pair(folder: TurnFolder) -> Pair | None:
    """Return the turn's question and answer; None if it was deleted, or has no answer."""
    try:
        prompt = Turn(folder.describe(), "", folder.log).prompt
    except NotFound:
        return None
    answer = answer_of(folder)
    return Pair(prompt, answer) if answer else None


def answer_of(folder: TurnFolder) -> str:
    """Return all text that the model wrote in a turn, also before calls of tools, word for word."""
    texts: dict[str, str] = {}
    for step in folder.log.read():
        if isinstance(step, Text):
            texts[step.message] = texts.get(step.message, "") + step.text
    return "\n\n".join(text.strip() for text in texts.values() if text.strip())


def _line(turn_id: str) -> bytes:
    """Encode a line of the file, which begins anew even after a line that a full disk cut short."""
    return f"\n{turn_id}\n".encode()


def _is_turn_id(value: str) -> bool:
    try:
        return bool(check_turn_id(value))
    except NotFound:
        return False
