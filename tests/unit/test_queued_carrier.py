"""What becomes of a turn that was handed to workers: whatever happens to rows and worker, its log comes to an end."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest

from paliadin.base.errors import InvalidField, NotFound, RelayError, StoreUnavailable
from paliadin.base.settings import Settings
from paliadin.base.strict_json import JsonObject
from paliadin.parts.messages.request import Pair
from paliadin.parts.messages.workers import carrier as carrier_module
from paliadin.parts.messages.workers.carrier import QueuedCarrier
from paliadin.parts.messages.workers.shared_turns import Part, TurnState
from paliadin.people.person_key import PersonKey
from paliadin.relays.turn import Turn
from paliadin.steps.model import Aborted, Accepted, Failed, Interrupted, Settled, Step, Text
from paliadin.steps.serialised import to_line
from paliadin.turnlog.append import record_bytes
from paliadin.turnlog.description import Description
from paliadin.turnlog.folder import TurnFolder
from paliadin.turnlog.ids import new_turn_id

QUESTION = {
    "questions": [
        {"question": "Which?", "header": "h", "multiSelect": False, "options": [{"label": "A"}, {"label": "B"}]}
    ]
}


@dataclass
class Rows:
    """In place of the database, with at most one turn. `parts` are its steps; `lives`: its worker does."""

    asked: JsonObject | None = None
    parts: list[Part] = field(default_factory=list)
    worker: int | None = None
    is_late: bool = False
    is_over: bool = False
    lives: bool = True
    signals: list[JsonObject] = field(default_factory=list)
    abandoned: int = 0
    is_away: bool = False
    reading_takes: float = 0.0  # seconds
    heard: Callable[[Sequence[str]], None] | None = None
    looks: int = 0

    @asynccontextmanager
    async def connected(self) -> AsyncIterator[None]:
        yield

    async def listen(self, _channel: str, heard: Callable[[Sequence[str]], None], began: Callable[[], None]) -> None:
        self.heard = heard
        began()
        await asyncio.Event().wait()

    async def ask(self, turn_id: str, question: JsonObject) -> None:
        self._check()
        self.asked = {"turn_id": turn_id, **question}

    async def read(self, sizes: Mapping[str, int]) -> list[Part]:
        self._check()
        await asyncio.sleep(self.reading_takes)
        return [part for part in self.parts if part.at_byte >= sizes.get(part.turn_id, 10**9)]

    async def states(self, turn_ids: Sequence[str], _seconds: float) -> list[TurnState]:
        self._check()
        self.looks += 1
        known = [each for each in turn_ids if self.asked and each == self.asked["turn_id"]]
        return [TurnState(each, self.worker, self.is_over, self.is_late, self.lives) for each in known]

    async def withdraw(self, _turn_id: str) -> bool:
        self._check()
        taken_back = self.worker is None and not self.is_over
        self.is_over = self.is_over or taken_back
        return taken_back

    async def abandon(self, turn_id: str, _worker: int, lines: bytes) -> None:
        self.abandoned += 1
        if not self.is_over:
            self.is_over = True
            self.add(turn_id, lines)

    async def send_signal(self, _turn_id: str, signal: JsonObject) -> bool:
        self._check()
        self.signals.append(signal)
        return not self.is_over

    async def remove(self, _turn_ids: Sequence[str]) -> None:
        self._check()
        self.asked = None

    async def workers(self) -> int:
        self._check()
        return 1 if self.lives else 0

    def add(self, turn_id: str, lines: bytes) -> None:
        size = sum(len(part.lines) for part in self.parts)
        self.parts.append(Part(turn_id, size, lines))
        assert self.heard
        self.heard([turn_id])

    def _check(self) -> None:
        if self.is_away:
            raise StoreUnavailable("away")


@dataclass
class Carried:
    """A turn that `carrier` carries."""

    carrier: QueuedCarrier
    rows: Rows
    turn: Turn
    task: asyncio.Task[None]

    def say(self, *steps: Step) -> None:
        self.rows.add(self.turn.id, b"".join(record_bytes(to_line(step)) for step in steps))

    async def until(self, condition: Callable[[], object]) -> None:
        async with asyncio.timeout(5):
            while not condition():
                await asyncio.sleep(0.001)

    async def steps(self) -> list[Step]:
        """All steps, once the turn has ended."""
        await asyncio.wait_for(self.turn.progress.ended.wait(), 5)
        return [*self.turn.log.read()]


async def _describe(_person: PersonKey) -> JsonObject:
    return {"id": "ann", "name": "Ann"}


async def _nothing() -> Sequence[Pair]:
    return [Pair("What?", "That.")]


@pytest.fixture
async def carried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Carried]:
    async with carrying(tmp_path, monkeypatch, Rows()) as carried:
        yield carried


@asynccontextmanager
async def carrying(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rows: Rows, *, is_resumed: bool = False
) -> AsyncIterator[Carried]:
    monkeypatch.setattr(carrier_module, "LOOK_EVERY", 0.002)
    monkeypatch.setattr(carrier_module, "GONE_FOR", 10.0)
    monkeypatch.setattr(carrier_module, "monotonic", lambda: float(rows.looks))  # a second from look to look
    monkeypatch.setattr("paliadin.parts.messages.workers.jobs.prepare", lambda _dsn: None)
    settings = Settings(response_dir=tmp_path, home=tmp_path, database_url="postgresql://nowhere.example/x")
    folder = TurnFolder(tmp_path, new_turn_id(), is_ours=True)
    description = {"turn_id": folder.turn_id, "session_id": "main", "user_message": "Hi", "origin": "page"}
    folder.create(Description.parse(description))
    turn = Turn(folder.describe(), "main", folder.log)
    carrier = QueuedCarrier(settings, rows, _describe)  # type: ignore[arg-type]
    async with carrier.running():
        following = asyncio.create_task(turn.follow())
        await asyncio.sleep(0)
        task = asyncio.create_task(carrier.resume(turn) if is_resumed else carrier.carry(turn, _nothing))
        yield Carried(carrier, rows, turn, task)
        for each in (task, following):
            each.cancel()
        await asyncio.gather(task, following, return_exceptions=True)


async def test_a_worker_gets_all_it_needs_and_its_steps_come(carried: Carried) -> None:
    await carried.until(lambda: carried.rows.asked)
    asked = dict(carried.rows.asked or {})
    assert (asked["session"], asked["reads_as"], asked["is_told"]) == ("main", {"id": "ann", "name": "Ann"}, False)
    assert asked["earlier"] == [["What?", "That."]]
    assert asked["turn"]["user_message"] == "Hi"
    said = [Accepted(1, "model"), Text(2, "m", "Hello"), Settled(3)]
    for step in said:
        carried.say(step)
    assert await carried.steps() == said
    await carried.task
    await carried.until(lambda: carried.rows.asked is None)


async def test_what_no_worker_takes_ends(carried: Carried) -> None:
    await carried.until(lambda: carried.rows.asked)
    carried.rows.is_late = True
    [_, failed] = await carried.steps()
    assert isinstance(failed, Failed)
    assert failed.code == "no_worker"


async def test_a_worker_counts_as_dead_once_its_lock_was_free_for_a_while(carried: Carried) -> None:
    await carried.until(lambda: carried.rows.asked)
    carried.rows.worker = 7
    carried.say(Accepted(1), Text(2, "m", "Hel"))
    for lives in (False, True) * 3:  # its connection broke, and is back
        carried.rows.lives, looks = lives, carried.rows.looks
        await carried.until(lambda: carried.rows.looks >= looks + 2)  # noqa: B023  # it is called at once
    assert carried.rows.abandoned == 0
    carried.rows.lives = False
    *shown, failed = await carried.steps()
    assert shown == [Accepted(1), Text(2, "m", "Hel")]
    assert isinstance(failed, Failed)
    assert failed.code == "stream_broken"


async def test_rows_that_say_that_it_is_over_without_an_end_end_it(carried: Carried) -> None:
    await carried.until(lambda: carried.rows.asked)
    carried.rows.worker, carried.rows.is_over = 7, True
    *_, failed = await carried.steps()
    assert isinstance(failed, Failed)
    assert failed.code == "stream_broken"


async def test_a_turn_that_is_over_is_read_to_its_end_however_long_that_takes(carried: Carried) -> None:
    await carried.until(lambda: carried.rows.asked)
    carried.rows.reading_takes = 0.4
    carried.rows.worker, carried.rows.is_over, carried.rows.lives = 7, True, False
    for step in (Accepted(1), Text(2, "m", "Hello"), Settled(3)):
        carried.say(step)
    assert await carried.steps() == [Accepted(1), Text(2, "m", "Hello"), Settled(3)]


async def test_a_turn_of_an_earlier_process_goes_on_where_the_log_here_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with carrying(tmp_path, monkeypatch, Rows(), is_resumed=True) as carried:
        carried.rows.asked = {"turn_id": carried.turn.id}
        carried.rows.worker = 7
        carried.say(Accepted(1))
        carried.say(Settled(2))
        assert await carried.steps() == [Accepted(1), Settled(2)]


async def test_a_turn_that_has_no_rows_any_more_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with carrying(tmp_path, monkeypatch, Rows(), is_resumed=True) as carried:
        [_, failed] = await carried.steps()
    assert isinstance(failed, Failed)
    assert failed.code == "stream_broken"


async def test_a_question_that_cannot_be_asked_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with carrying(tmp_path, monkeypatch, Rows(is_away=True)) as carried:
        [_, failed] = await carried.steps()
        assert isinstance(failed, Failed)
        assert failed.code == "database_unavailable"
        trouble = await carried.carrier.trouble()
        assert isinstance(trouble, RelayError)


async def test_a_database_that_is_away_for_a_while_costs_no_step(carried: Carried) -> None:
    await carried.until(lambda: carried.rows.asked)
    carried.rows.worker = 7
    carried.rows.is_away = True
    carried.say(Accepted(1))
    await asyncio.sleep(0.05)
    carried.rows.is_away = False
    carried.say(Settled(2))
    assert await carried.steps() == [Accepted(1), Settled(2)]


async def test_stop_takes_back_what_no_worker_has(carried: Carried) -> None:
    await carried.until(lambda: carried.rows.asked)
    await asyncio.wait_for(carried.carrier.abort(carried.turn), 5)
    [_, aborted] = await carried.steps()
    assert isinstance(aborted, Aborted)
    assert carried.rows.signals == []


async def test_stop_is_told_to_the_worker(carried: Carried) -> None:
    await carried.until(lambda: carried.rows.asked)
    carried.rows.worker = 7
    stopping = asyncio.create_task(carried.carrier.abort(carried.turn))
    await carried.until(lambda: carried.rows.signals)
    assert carried.rows.signals == [{"stop": True}]
    assert not stopping.done()
    carried.say(Accepted(1), Aborted(2, "page"))
    await asyncio.wait_for(stopping, 5)


async def test_a_stop_before_it_is_there_for_a_worker_keeps_it_from_being_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = Rows()
    async with carrying(tmp_path, monkeypatch, rows, is_resumed=True) as other:  # for its settings and its folder
        reading = asyncio.Event()

        async def slowly() -> Sequence[Pair]:
            await reading.wait()
            return []

        folder = TurnFolder(tmp_path, new_turn_id(), is_ours=True)
        folder.create(
            Description.parse({"turn_id": folder.turn_id, "session_id": "main", "user_message": "Hi", "origin": "page"})
        )
        turn = replace(other.turn, description=folder.describe(), log=folder.log, progress=type(other.turn.progress)())
        tasks = [asyncio.create_task(turn.follow()), asyncio.create_task(other.carrier.carry(turn, slowly))]
        await asyncio.sleep(0.01)
        stopping = asyncio.create_task(other.carrier.abort(turn))
        await asyncio.sleep(0.01)
        reading.set()
        await asyncio.wait_for(stopping, 5)
        await asyncio.gather(*tasks)
    assert rows.asked is None
    assert isinstance([*turn.log.read()][-1], Aborted)


async def test_replies_are_checked_here_and_told_to_the_worker(carried: Carried) -> None:
    await carried.until(lambda: carried.rows.asked)
    carried.rows.worker = 7
    carried.say(Accepted(1), Interrupted(2, "i", "AskUserQuestion", QUESTION))
    await carried.until(lambda: carried.turn.progress.open_interrupts)

    async def reply(interrupt: str, value: Any, *, cancel: bool = False) -> None:
        await carried.carrier.reply(carried.turn, interrupt, value, cancel=cancel)

    with pytest.raises(NotFound):
        await reply("another", "A")
    with pytest.raises(InvalidField):
        await reply("i", {"no": ["such", 1]})
    assert carried.rows.signals == []
    await reply("i", "A")
    await reply("i", None, cancel=True)
    assert carried.rows.signals == [
        {"reply": "i", "value": "A", "cancel": False},
        {"reply": "i", "value": None, "cancel": True},
    ]
    carried.rows.is_over = True
    with pytest.raises(NotFound):
        await reply("i", "A")


async def test_steps_behind_a_gap_keep_no_turn_that_is_over_from_ending(carried: Carried) -> None:
    await carried.until(lambda: carried.rows.asked)
    carried.rows.worker, carried.rows.lives = 7, False
    carried.say(Accepted(1, "model"))
    carried.rows.parts.append(Part(carried.turn.id, 10**6, b"{}\n"))
    carried.rows.is_over = True
    assert isinstance((await carried.steps())[-1], Failed)
