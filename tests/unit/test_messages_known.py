"""What the model of a conversation over the Messages API knows: read from the logs of its turns."""

from __future__ import annotations

from pathlib import Path

import pytest

from paliadin.parts.messages import known_turns
from paliadin.parts.messages.known_turns import FILE, LONGEST, LONGEST_CACHED, MOST, KnownTurns
from paliadin.parts.messages.request import Pair
from paliadin.steps.model import Step, Text, ToolEnded, ToolStarted
from paliadin.turnlog.folder import TurnFolder
from paliadin.turnlog.ids import new_turn_id
from tests.worlds.logs import made_turn


class Session:
    """A session's folder, and turns in it."""

    def __init__(self, root: Path) -> None:
        self.folder, self.turns = root / "sessions" / "main", root / "turns"
        self.folder.parent.mkdir()
        self.turns.mkdir()
        self.known = KnownTurns(self.folder, self.turns)

    def turn(self, question: str, *steps: Step) -> str:
        turn_id = new_turn_id()
        folder = made_turn(self.turns, turn_id, user_message=question, origin="page")
        for step in steps:
            folder.log.append(step)
        self.known.add(turn_id)
        return turn_id

    def pairs(self) -> list[Pair]:
        return list(self.known.pairs(new_turn_id()))


@pytest.fixture
def session(tmp_path: Path) -> Session:
    return Session(tmp_path)


def test_the_newest_comes_first_as_it_was_sent_and_said(session: Session) -> None:
    first = session.turn("One?", Text(1, "m", "Let me look."), ToolStarted(2, "t", "x"), ToolEnded(3, "t", "x", "ok"))
    TurnFolder(session.turns, first).log.append(Text(4, "n", "\nIt is 1 [#deadline-OPEN:7].\n", final=True))
    second = session.turn("Two?", Text(1, "m", "Tw"), Text(1, "m", "o."))
    assert session.pairs() == [
        Pair(f"[PALIADIN:{second}] Two?", "Two."),
        Pair(f"[PALIADIN:{first}] One?", "Let me look.\n\nIt is 1 [#deadline-OPEN:7]."),
    ]


def test_what_has_no_answer_or_was_deleted_is_not_known(session: Session) -> None:
    session.turn("Without")
    session.turn("Blank", Text(1, "m", " \n"))
    gone = session.turn("Gone", Text(1, "m", "Gone."))
    TurnFolder(session.turns, gone).discard()
    assert session.pairs() == []
    assert len(session.known.ids()) == 3


def test_a_turn_knows_those_before_it_only(session: Session) -> None:
    first = session.turn("One?", Text(1, "m", "One."))
    assert list(session.known.pairs(first)) == []
    session.known.add(first)
    assert session.known.ids() == [first]


def test_no_more_than_so_many_are_kept(session: Session) -> None:
    ids = [new_turn_id() for _ in range(MOST + 5)]
    session.known.replace(ids)
    assert session.known.ids() == ids[5:]
    session.known.remove()
    session.known.remove()
    assert session.known.ids() == []


def test_those_that_are_added_one_by_one_do_not_let_the_file_grow_for_ever(session: Session) -> None:
    ids = [new_turn_id() for _ in range(3 * MOST)]
    sizes = []
    for each in ids:
        session.known.add(each)
        session.known.add(each)
        sizes.append((session.folder / FILE).stat().st_size)
    assert session.known.ids() == ids[-MOST:]
    assert sizes != sorted(sizes)
    assert max(sizes) < LONGEST + 100


@pytest.mark.parametrize("content", ["", "{", "../../etc", "7\n\xff", "\n01a2"])
def test_of_a_damaged_file_what_is_no_id_is_passed_over(session: Session, content: str) -> None:
    session.folder.mkdir()
    (session.folder / FILE).write_text(content, "latin-1")
    assert session.known.ids() == []
    turn_id = new_turn_id()
    session.known.add(turn_id)
    assert session.known.ids() == [turn_id]


def test_a_long_answer_is_known_and_takes_no_memory_between_two_questions(session: Session) -> None:
    known_turns._short_pair.cache_clear()
    texts = ("short", "x" * LONGEST_CACHED)
    turn_ids = [session.turn("Which?", Text(1, "m", text)) for text in texts]
    for _ in range(2):
        assert [pair.answer for pair in map(session.known.read, turn_ids) if pair] == list(texts)
    folders = [TurnFolder(session.turns, turn_id) for turn_id in turn_ids]
    kept = [known_turns._short_pair(folder) for folder in folders]
    assert known_turns._short_pair.cache_info().hits == 4
    assert [pair.answer if pair else pair for pair in kept] == ["short", False]
