"""Questions that wait for the one before them: kept on disk, each asked once, in their order."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from paliadin.base.errors import NotFound, PaliadinError, StorageFull
from paliadin.turnlog.description import Description
from paliadin.turnlog.ids import new_turn_id
from paliadin.turns import queue
from paliadin.turns.queue import FILE, MOST_QUEUED, HoldReason, Queues


class Home:
    """Sessions' folders, and which turns have begun."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.begun: set[str] = set()

    def queues(self) -> Queues:
        """As a daemon that starts now has them."""
        return Queues(lambda session: self.root / session, self.begun.__contains__)


@pytest.fixture
def home(tmp_path: Path) -> Home:
    (tmp_path / "main").mkdir()
    return Home(tmp_path)


def question(text: str) -> Description:
    return Description(new_turn_id(), "main", text)


def texts(queues: Queues, session: str = "main") -> list[object]:
    return [each.user_message for each in queues.of(session).turns]


def test_questions_wait_in_their_order_also_for_the_next_daemon(home: Home) -> None:
    queues = home.queues()
    for text in "first", "second", "third":
        queues.add("main", question(text))
    assert texts(queues) == texts(home.queues()) == ["first", "second", "third"]
    assert (home.root / "main" / FILE).stat().st_mode & 0o077 == 0
    assert [queues.place(each.turn_id) for each in queues.of("main").turns] == [1, 2, 3]


def test_a_question_can_be_changed_and_withdrawn_while_it_waits(home: Home) -> None:
    queues = home.queues()
    one, two = question("one"), question("two")
    queues.add("main", one)
    queues.add("main", two)
    queues.change(one.turn_id, "changed")
    queues.withdraw(two.turn_id)
    assert texts(queues) == texts(home.queues()) == ["changed"]
    home.begun.add(one.turn_id)
    for wrong in (one.turn_id, two.turn_id, "x"):
        with pytest.raises(NotFound):
            queues.change(wrong, "late")
        with pytest.raises(NotFound):
            queues.withdraw(wrong)


def test_a_question_whose_turn_has_a_folder_is_not_asked_again(home: Home) -> None:
    """A daemon was killed between the folder and the file."""
    queues, one = home.queues(), question("one")
    queues.add("main", one)
    queues.add("main", question("two"))
    home.begun.add(one.turn_id)
    assert texts(home.queues()) == ["two"]


def test_a_queue_that_is_held_goes_on_when_it_may(home: Home) -> None:
    queues = home.queues()
    queues.hold("main", HoldReason.STOPPED)
    assert queues.of("main").held is None  # nothing waits
    queues.add("main", question("one"))
    queues.hold("main", HoldReason.STOPPED)
    assert queues.first("main") is None
    again = home.queues()
    assert (again.of("main").held, again.first("main")) == ("stopped", None)
    again.hold("main", None)
    assert again.first("main") == home.queues().first("main") != None  # noqa: E711  # it compares, and asks for one
    again.withdraw(again.of("main").turns[0].turn_id)
    assert not (home.root / "main" / FILE).exists()


def test_questions_that_are_overtaken_get_later_ids_and_answer_to_the_old_ones(home: Home) -> None:
    queues = home.queues()
    one, two = question("one"), question("two")
    queues.add("main", one)
    queues.add("main", two)
    overtaking = new_turn_id()
    queues.renew("main")
    queues.renew("main")
    ids = [each.turn_id for each in queues.of("main").turns]
    assert overtaking < ids[0] < ids[1]
    assert [queues.present_id(each.turn_id) for each in (one, two)] == ids
    queues.change(one.turn_id, "changed")
    queues.withdraw(two.turn_id)
    assert texts(queues) == texts(home.queues()) == ["changed"]


def test_no_more_than_so_many_wait(home: Home) -> None:
    queues = home.queues()
    for number in range(MOST_QUEUED):
        queues.add("main", question(str(number)))
    with pytest.raises(PaliadinError, match="wait in this conversation already") as refused:
        queues.add("main", question("one more"))
    assert refused.value.code == "queue_full"


@pytest.mark.parametrize(
    "content",
    [
        "",
        "{",
        "[]",
        '{"turns": 3}',
        '{"turns": ["x", null, {"turn_id": "../x", "user_message": "x"}], "held": []}',
        '{"turns": [{"turn_id": 3, "user_message": "x"}, {"turn_id": "x"}], "held": "never"}',
    ],
)
def test_a_damaged_file_is_an_empty_queue(home: Home, content: str) -> None:
    (home.root / "main" / FILE).write_text(content)
    assert texts(home.queues()) == []
    assert home.queues().of("main").held is None


def test_what_else_a_file_holds_is_left_out(home: Home) -> None:
    kept = question("kept")
    (home.root / "main" / FILE).write_text(json.dumps({"turns": [kept.as_json(), {"turn_id": "x"}], "held": "failed"}))
    assert home.queues().of("main").turns == [kept]
    assert home.queues().of("main").held is HoldReason.FAILED


async def test_who_waits_for_a_question_to_begin_is_told_also_at_the_daemons_end(home: Home) -> None:
    queues, one, two = home.queues(), question("one"), question("two")
    queues.add("main", one)
    queues.add("main", two)
    waiting = [asyncio.create_task(queues.wait_until_begun(each.turn_id)) for each in (one, two)]
    await asyncio.sleep(0)
    queues.note_begun("main", one.turn_id)
    async with asyncio.timeout(5):
        await waiting[0]
    assert not waiting[1].done()
    queues.close()
    async with asyncio.timeout(5):
        await waiting[1]
        await queues.wait_until_begun("unknown")


def full_disk(*_arguments: object) -> None:
    raise StorageFull("the disk is full")


def test_a_question_that_has_begun_is_not_asked_again_though_the_file_cannot_be_written(
    home: Home, monkeypatch: pytest.MonkeyPatch
) -> None:
    queues, one, two = home.queues(), question("one"), question("two")
    for each in (one, two):
        queues.add("main", each)
    monkeypatch.setattr(queue, "write_json", full_disk)
    queues.note_begun("main", one.turn_id)
    assert texts(queues) == ["two"]
    home.begun.add(one.turn_id)
    assert texts(home.queues()) == ["two"]


def test_what_cannot_be_written_changes_no_question_that_waits(home: Home, monkeypatch: pytest.MonkeyPatch) -> None:
    queues, one = home.queues(), question("one")
    queues.add("main", one)
    turn_id = one.turn_id
    monkeypatch.setattr(queue, "write_json", full_disk)
    for change in (
        lambda: queues.renew("main"),
        lambda: queues.change(turn_id, "other"),
        lambda: queues.add("main", question("two")),
    ):
        with pytest.raises(StorageFull):
            change()
        assert (texts(queues), queues.present_id(turn_id), queues.place(turn_id)) == (["one"], turn_id, 1)
