"""Stages prepare a turn before the relay gets it, may ask, and run again in the next daemon; annotators come last."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import cast

import pytest

from paliadin.base import errors
from paliadin.base.settings import ensure_home, load_settings
from paliadin.events.reducer import Reducer
from paliadin.people.caller import Caller
from paliadin.record.recorder import Recorder
from paliadin.relays.turn import Turn
from paliadin.steps.model import (
    Aborted,
    Accepted,
    AllText,
    Checked,
    Failed,
    Interrupted,
    Noted,
    Replied,
    Settled,
    Step,
    Stopped,
    Text,
)
from paliadin.turnlog.description import Description
from paliadin.turnlog.folder import TurnFolder
from paliadin.turnlog.ids import new_turn_id, now_ms
from paliadin.turnlog.log import FileTurnLog
from paliadin.turns import stages
from paliadin.turns.lifecycle import Turns
from paliadin.turns.stages import Annotator, Ask, Stage
from tests.unit.test_lifecycle import Relay, Rows, question, relays

CARD = {
    "question": "Which one?",
    "header": "File",
    "multiSelect": False,
    "options": [{"label": "A", "description": ""}, {"label": "B", "description": ""}],
}


class Answering(Relay):
    """Answers with the question that it got."""

    def __init__(self) -> None:
        super().__init__()
        self.got: list[Description] = []

    async def submit(self, turn: Turn) -> None:
        self.got.append(turn.description)
        for step in (
            Accepted(now_ms()),
            Text(now_ms(), "m", turn.message, final=True),
            Stopped(now_ms()),
            AllText(now_ms()),
            Settled(now_ms()),
        ):
            turn.log.append(step)


async def ask_which(turn: Turn, ask: Ask) -> Description:
    replies = await ask([CARD])
    return replace(turn.description, user_message=f"{turn.message}: {replies and replies['Which one?']}")


async def refuse(_turn: Turn, _ask: Ask) -> Description:
    raise errors.RelayError("nothing fits", code="no_document", hint="Name one.")


@dataclass
class Counting:
    """An annotator that counts the characters of the answer."""

    kind: str = "length"
    found: Callable[[Reducer], object] = field(default=lambda turn: {"characters": len(turn.answer_text)})

    async def __call__(self, turn: Reducer) -> object:
        return self.found(turn)


@asynccontextmanager
async def house(
    home: Path, *prepare: Stage, annotators: tuple[Annotator, ...] = (), left: tuple[TurnFolder, ...] = ()
) -> AsyncIterator[Turns]:
    settings = load_settings({"PALIADIN_HOME": str(home)})
    ensure_home(settings)
    turns = Turns(settings, relays(settings, Answering()), cast("Recorder", Rows(*left)), prepare, annotators)
    async with turns.running(), asyncio.timeout(30):
        yield turns


async def until(condition: Callable[[], object]) -> None:
    while not condition():
        await asyncio.sleep(0.005)


def cards(turns: Turns, turn_id: str) -> Mapping[str, Interrupted]:
    return turns.sessions.streams[turn_id].turn.progress.open_interrupts


async def ended(turns: Turns, turn_id: str) -> None:
    async for _ in turns.events(turn_id):
        pass
    await until(lambda: turn_id not in turns.sessions.streams)


async def test_a_stage_asks_with_a_card_and_what_it_makes_of_the_question_is_what_the_relay_gets(
    tmp_path: Path,
) -> None:
    async with house(tmp_path, ask_which) as turns:
        turn_id = await turns.ask(question())
        await until(lambda: cards(turns, turn_id))
        assert turns._folder(turn_id).describe().unprepared
        [card] = cards(turns, turn_id)
        with pytest.raises(errors.InvalidField):
            await turns.reply(turn_id, card, 7, cancel=False, caller=Caller.owner())
        await turns.reply(turn_id, card, "B", cancel=False, caller=Caller.owner())
        await ended(turns, turn_id)
    [got] = cast("Answering", turns.relays.here[0]).got
    kept = turns._folder(turn_id).describe()
    assert (got, got.user_message, got.unprepared) == (kept, "Hello: B", False)
    log = (turns._folder(turn_id).path / "events.jsonl").read_bytes()
    assert b'"replied"' in log[: got.log_head]
    assert b'"text"' not in log[: got.log_head]


async def test_a_turn_is_stopped_while_its_card_is_open_and_the_relay_never_gets_it(tmp_path: Path) -> None:
    async with house(tmp_path, ask_which) as turns:
        turn_id = await turns.ask(question())
        await until(lambda: cards(turns, turn_id))
        assert await turns.abort(turn_id, Caller.owner())
        await ended(turns, turn_id)
        assert turns.sessions.is_free("main")
    steps = [type(step) for step in turns._folder(turn_id).log.read()]
    assert steps == [Accepted, Interrupted, Aborted, Checked]
    assert cast("Answering", turns.relays.here[0]).got == []


async def test_a_stop_that_comes_as_the_last_stage_returns_stops_the_turn(tmp_path: Path) -> None:
    stopping: list[asyncio.Task[bool]] = []

    async def stop_at_the_end(turn: Turn, _ask: Ask) -> Description:
        stopping.append(asyncio.create_task(turns.abort(turn.id, Caller.owner())))
        return turn.description

    async with house(tmp_path, stop_at_the_end) as turns:
        turn_id = await turns.ask(question())
        await ended(turns, turn_id)
        assert await stopping[0]
    assert cast("Answering", turns.relays.here[0]).got == []
    assert any(isinstance(step, Aborted) for step in turns._folder(turn_id).log.read())


async def test_stop_and_the_events_know_the_question_as_the_relay_got_it(tmp_path: Path) -> None:
    class Working(Answering):
        async def submit(self, turn: Turn) -> None:
            self.got.append(turn.description)
            await turn.progress.ended.wait()

        async def abort(self, turn: Turn) -> None:
            self.got.append(turn.description)
            turn.log.append(Aborted(now_ms(), "page"))

    async def complete(turn: Turn, _ask: Ask) -> Description:
        return replace(turn.description, user_message=f"{turn.message}, completed")

    async with house(tmp_path, complete) as turns:
        relay = Working()
        turns.relays.here = [relay]
        turn_id = await turns.ask(question())
        await until(lambda: relay.got)
        reducer = turns.sessions.streams[turn_id].reducer
        assert await turns.abort(turn_id, Caller.owner())
        await ended(turns, turn_id)
    assert [each.user_message for each in relay.got] == ["Hello, completed"] * 2
    assert reducer.description == relay.got[0]


async def test_a_stage_that_refuses_ends_the_turn_with_its_words(tmp_path: Path) -> None:
    async with house(tmp_path, refuse) as turns:
        turn_id = await turns.ask(question())
        await ended(turns, turn_id)
    *_, failed = turns._folder(turn_id).log.read()
    assert isinstance(failed, Failed)
    assert (failed.code, failed.message) == ("no_document", "nothing fits")


async def test_a_turn_that_was_being_prepared_is_prepared_again_and_its_old_card_is_closed(tmp_path: Path) -> None:
    async with house(tmp_path, ask_which) as turns:
        turn_id = await turns.ask(question())
        await until(lambda: cards(turns, turn_id))
        [old] = cards(turns, turn_id)
    async with house(tmp_path, ask_which, left=(turns._folder(turn_id),)) as turns:
        await until(lambda: turn_id in turns.sessions.streams and [*cards(turns, turn_id)] not in ([], [old]))
        [new] = cards(turns, turn_id)
        await turns.reply(turn_id, new, "A", cancel=False, caller=Caller.owner())
        await ended(turns, turn_id)
    replies = [step for step in turns._folder(turn_id).log.read() if isinstance(step, Replied)]
    assert [(each.id, each.by, each.value) for each in replies] == [(old, "cancel", None), (new, "page", "A")]
    assert [each.user_message for each in cast("Answering", turns.relays.here[0]).got] == ["Hello: A"]


async def test_where_a_part_is_off_now_its_turn_goes_to_the_relay_as_it_is(tmp_path: Path) -> None:
    folder = TurnFolder(tmp_path / "turns", new_turn_id())
    folder.create(Description(folder.turn_id, "main", "Hello", "page", host="here", unprepared=True))
    async with house(tmp_path, left=(folder,)) as turns:
        await ended(turns, folder.turn_id)
    assert [each.user_message for each in cast("Answering", turns.relays.here[0]).got] == ["Hello"]


async def test_without_stages_nothing_is_prepared(tmp_path: Path) -> None:
    async with house(tmp_path) as turns:
        turn_id = await turns.ask(question())
        await ended(turns, turn_id)
    [got] = cast("Answering", turns.relays.here[0]).got
    assert (got.unprepared, got.log_head) == (False, 0)
    assert "unprepared" not in got.as_json()


def fail(_turn: Reducer) -> object:
    raise RuntimeError("secret words")


async def test_what_an_annotator_finds_out_stands_behind_the_end_and_one_that_fails_costs_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(stages, "LONGEST_NOTE", 100)
    annotators = (
        Counting(),
        Counting("broken", fail),
        Counting("long", lambda _: "x" * 100),
        Counting("nothing", lambda _: None),
    )
    async with house(tmp_path, annotators=annotators) as turns:
        turn_id = await turns.ask(question())
        folder = turns._folder(turn_id)
        await ended(turns, turn_id)
        await until(lambda: any(isinstance(step, Noted) for step in folder.log.read()))
        await until(lambda: "broken failed: RuntimeError" in caplog.text)
    assert [step for step in folder.log.read() if isinstance(step, Noted)] == [
        Noted(pytest.approx(now_ms(), abs=60_000), "length", {"characters": 5})
    ]
    assert "secret words" not in caplog.text


async def test_on_a_full_disk_an_annotation_is_lost_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    append = FileTurnLog.append

    def full(log: FileTurnLog, step: Step) -> None:
        if isinstance(step, Noted):
            raise errors.StorageFull("the disk is full")
        append(log, step)

    monkeypatch.setattr(FileTurnLog, "append", full)
    async with house(tmp_path, annotators=(Counting(),)) as turns:
        turn_id = await turns.ask(question())
        await ended(turns, turn_id)
        await until(lambda: "the annotation of length cannot be kept" in caplog.text)
        await ended(turns, await turns.ask(question()))
    assert "Traceback" not in caplog.text
