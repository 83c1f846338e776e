import asyncio
import io
from collections.abc import Mapping
from pathlib import Path

import pytest

from paliadin.base.errors import Forbidden, NotFound
from paliadin.files.attachments import Attachments
from paliadin.people.caller import Caller
from paliadin.turnlog.description import Description
from paliadin.turns.attaching import Attaching

ME = Caller.owner()
TURNS = ("01a1fdb6-b627-7948-85e7-ca4dc12d2878", "01a1fdb6-b627-7948-85e7-ca4dc12d2879")


def describe(_turn_id: str, _caller: Caller) -> Mapping[str, object]:
    return {}


def files_in(folder: Path) -> int:
    return len(list(folder.glob("*.json")))


async def test_two_questions_that_name_a_file_at_the_same_moment_get_one_each(tmp_path: Path) -> None:
    attaching = Attaching(tmp_path, describe, set)
    file = await attaching.receive("a.txt", io.BytesIO(b"hello"), ME)
    [first], [second] = await asyncio.gather(attaching.chosen([file.id], ME), attaching.chosen([file.id], ME))
    assert first.id != second.id
    for each, turn in zip((first, second), TURNS, strict=True):
        await attaching.claim(Description(turn, attachments=(each,)))
    owners = {(await attaching.shown(each.id, ME))[0].turn_id for each in (first, second)}
    assert owners == set(TURNS)


async def test_a_file_of_a_question_that_waits_since_an_earlier_daemon_is_not_given_twice(tmp_path: Path) -> None:
    waiting: set[str] = set()
    attaching = Attaching(tmp_path, describe, lambda: waiting)
    file = await attaching.receive("a.txt", io.BytesIO(b"hello"), ME)
    waiting.add(file.id)
    [copied] = await attaching.chosen([file.id], ME)
    assert copied.id != file.id
    await attaching.withdraw(file.id, ME)
    assert files_in(tmp_path) == 2


async def test_a_question_that_is_not_asked_leaves_the_file_and_no_copy(tmp_path: Path) -> None:
    attaching = Attaching(tmp_path, describe, set)
    file = await attaching.receive("a.txt", io.BytesIO(b"hello"), ME)
    chosen = await attaching.chosen([file.id], ME)
    copied = await attaching.chosen([file.id], ME)
    await attaching.release(copied, [file.id])
    assert files_in(tmp_path) == 1
    await attaching.release(chosen, [file.id])
    assert [each.id for each in await attaching.chosen([file.id], ME)] == [file.id]


async def test_a_file_that_is_just_being_asked_with_is_not_taken_away(tmp_path: Path) -> None:
    """Between the request for a turn and the turn's folder it belonged to nobody, and the question then failed."""
    attaching = Attaching(tmp_path, describe, set)
    file = await attaching.receive("a.txt", io.BytesIO(b"hello"), ME)
    [chosen] = await attaching.chosen([file.id], ME)
    await attaching.withdraw(file.id, ME)
    await attaching.claim(Description(TURNS[0], attachments=(chosen,)))
    assert (await attaching.shown(file.id, ME))[0].turn_id == TURNS[0]


async def test_a_file_that_is_just_taken_away_is_given_to_no_question(tmp_path: Path) -> None:
    attaching = Attaching(tmp_path, describe, set)
    file = await attaching.receive("a.txt", io.BytesIO(b"hello"), ME)
    known = await attaching.chosen([file.id], ME)
    await attaching.release(known, [file.id])
    await attaching.withdraw(file.id, ME)
    with pytest.raises(NotFound):
        Attachments(tmp_path).copy(file, ME.person)  # as `chosen` does that has read its entry before
    assert not list(tmp_path.iterdir())


async def test_a_member_attaches_nothing(tmp_path: Path) -> None:
    member = Caller.embedded("ada", "https://app.example", owner="olivia")
    with pytest.raises(Forbidden):
        await Attaching(tmp_path, describe, set).receive("a.txt", io.BytesIO(b"hello"), member)
    assert not files_in(tmp_path)
