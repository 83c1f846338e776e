"""The order of a turn's effects, with a relay that the test plays."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import pkgutil
import threading
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import pytest

from paliadin.base import errors
from paliadin.base.files import write_json
from paliadin.base.settings import Settings, ensure_home, load_settings
from paliadin.conversations.conversation import Conversation
from paliadin.people.caller import Caller
from paliadin.record.recorder import Recorder
from paliadin.record.row import TurnRow
from paliadin.relays.protocol import CLAUDE_CODE, SessionState
from paliadin.relays.routing import Relays
from paliadin.relays.turn import Turn
from paliadin.steps.model import Aborted, Accepted
from paliadin.turnlog.append import append
from paliadin.turnlog.description import Description
from paliadin.turnlog.folder import TurnFolder
from paliadin.turnlog.ids import new_turn_id, now_ms
from paliadin.turns import carrying, lifecycle
from paliadin.turns.conversation_removal import ConversationRemoval
from paliadin.turns.history import History
from paliadin.turns.lifecycle import Question, Turns
from paliadin.turns.queue import HoldReason
from tests.worlds.logs import made_turn


class Relay:
    """Carries a turn until it is let go, whatever else happens to it."""

    traits, host = replace(CLAUDE_CODE, others_write=True), "here"

    def __init__(self) -> None:
        self.let_go = asyncio.Event()

    def running(self) -> AbstractAsyncContextManager[None]:
        return contextlib.nullcontext()

    async def reset(self, session: str) -> None:
        pass

    async def resume(self, turn: Turn) -> None:
        raise NotImplementedError

    async def abort(self, turn: Turn) -> None:
        raise NotImplementedError

    async def reply(self, turn: Turn, interrupt_id: str, value: object, *, cancel: bool) -> None:
        raise NotImplementedError

    async def state(self, session: str) -> SessionState:
        raise NotImplementedError

    async def alive(self) -> set[str]:
        return set()

    async def discard(self, session: str) -> None:
        raise NotImplementedError

    async def submit(self, turn: Turn) -> None:
        turn.log.append(Accepted(now_ms()))
        while not self.let_go.is_set():
            try:
                await self.let_go.wait()
            except asyncio.CancelledError:
                continue


class Office(Relays):
    """The relay here, and a host with one session that nobody asks anything."""

    def sessions(self) -> list[str]:
        return ["main@office"]


def relays(settings: Settings, relay: Relay | None = None) -> Relays:
    return Office(settings, [relay or Relay()])


class Rows:
    waiting: tuple[str, ...] = ()

    def __init__(self, *left: TurnFolder) -> None:
        self.left = left

    def unrecorded(self) -> Sequence[TurnFolder]:
        return self.left

    async def begin(self, row: object) -> None:
        pass

    def finish(self, turn: TurnFolder, reducer: object, *, watched: bool) -> None:
        pass


@pytest.fixture
async def turns(settings: Settings) -> AsyncIterator[Turns]:
    relay = Relay()
    turns = Turns(settings, relays(settings, relay), cast("Recorder", Rows()))
    async with turns.running():
        yield turns
        relay.let_go.set()


def question(**more: Any) -> Question:
    return Question("main", "Hello", Caller.owner(), **more)


async def test_while_a_turn_runs_no_other_is_taken(turns: Turns) -> None:
    turn_id = await turns.ask(question())
    with pytest.raises(errors.TurnInFlight) as refused:
        await turns.ask(question())
    assert refused.value.turn_id == turn_id
    with pytest.raises(errors.TurnInFlight):
        await turns.reset("main", Caller.owner())


@pytest.mark.parametrize("change", [None, "Another one"])
async def test_a_queued_question_is_asked_as_it_is_when_its_turn_begins_and_not_if_it_was_withdrawn(
    turns: Turns, change: str | None
) -> None:
    async with turns.idle("main"):
        turn_id = await turns.ask(question(may_wait=True))
    if change:  # the turn has the slot, and begins with the next round of the loop
        turns.queues.change(turn_id, change)
        await turns.queues.wait_until_begun(turn_id)
    else:
        turns.queues.withdraw(turn_id)
        await asyncio.sleep(0.05)  # in which it would be asked
    folder = turns._folder(turn_id)
    assert turns.sessions.of("main") == (turn_id if change else None)
    assert folder.path.exists() is bool(change)
    if change:
        assert folder.describe().user_message == change


async def names_of(turns: Turns, turn_id: str) -> list[str]:
    return [event.name async for batch in turns.events(turn_id) for event in batch]


async def test_stop_and_a_reader_wait_for_a_turn_whose_row_is_still_being_written(turns: Turns) -> None:
    written, stopped = asyncio.Event(), asyncio.Event()

    async def begin(_row: object) -> None:
        await written.wait()

    async def abort(turn: Turn) -> None:
        stopped.set()
        turn.log.append(Aborted(now_ms(), "page"))

    turns.recorder.begin = begin  # type: ignore[method-assign]
    turns.relays.abort = abort  # type: ignore[method-assign]
    asking = asyncio.create_task(turns.ask(question()))
    while not (turn_id := turns.sessions.of("main")):
        await asyncio.sleep(0)
    stopping = asyncio.create_task(turns.abort(turn_id, Caller.owner()))
    reading = asyncio.create_task(names_of(turns, turn_id))
    await asyncio.sleep(0.05)
    assert not stopping.done()
    assert not reading.done()
    written.set()
    assert await asking == turn_id
    assert await stopping
    assert stopped.is_set()
    assert (await reading)[-1] == "end"


async def test_a_question_waits_while_claude_is_busy_without_a_turn_and_is_asked_then(turns: Turns) -> None:
    async with turns.idle("main"):
        with pytest.raises(errors.TurnInFlight):
            await turns.ask(question())
        turn_id = await turns.ask(question(may_wait=True))
        assert turns.queues.place(turn_id) == 1
    await turns.queues.wait_until_begun(turn_id)
    assert turns.sessions.of("main") == turn_id


async def test_a_question_asked_during_a_reset_waits_until_it_is_let_go_on(turns: Turns) -> None:
    async def ask() -> None:
        await turns.ask(question(may_wait=True))

    turns.relays.here[0].reset = lambda _: ask()  # type: ignore[method-assign]
    await turns.reset("main", Caller.owner())
    assert turns.queues.of("main").held == "reset"
    assert turns.sessions.of("main") is None


async def test_a_message_is_cleaned_beside_the_event_loop(turns: Turns, monkeypatch: pytest.MonkeyPatch) -> None:
    threads = []

    def check(value: object) -> str:
        threads.append(threading.get_ident())
        return str(value)

    monkeypatch.setattr(lifecycle, "check_message", check)
    await turns.ask(question())
    assert len(threads) == 1
    assert threads[0] != threading.get_ident()


async def test_the_log_of_another_hosts_session_makes_no_session_here_and_tells_when_its_conversation_began(
    turns: Turns,
) -> None:
    history = History(turns, cast("Any", None))
    assert history.cleared_at("main@office") == 0
    mirror = turns.settings.sessions_dir / "main@office"
    mirror.mkdir()
    append(mirror / "events.jsonl", {"at": 7, "hook": {"hook_event_name": "SessionStart", "source": "clear"}})
    assert history.cleared_at("main@office") == 7
    assert turns.conversations.names() == ["main", "main@office"]


async def test_who_has_read_the_end_may_ask_again_though_the_relay_still_tidies_up(turns: Turns) -> None:
    turn_id = await turns.ask(question())
    TurnFolder(turns.settings.response_dir, turn_id).log.append(Aborted(now_ms()))
    async with asyncio.timeout(20):
        assert [event.name async for batch in turns.events(turn_id) for event in batch][-1] == "end"
    assert await turns.ask(question()) != turn_id


@pytest.mark.parametrize("damage", [{"context": "odd"}, {"context": {"route_name": 3}}, {"session_id": 7}])
async def test_a_turn_whose_description_is_damaged_keeps_no_daemon_from_the_others(
    settings: Settings, damage: dict[str, Any]
) -> None:
    folders = [TurnFolder(settings.response_dir, new_turn_id()) for _ in range(2)]
    for folder, more in zip(folders, (damage, {}), strict=True):
        described = Description(folder.turn_id, "main", "x", host="here")
        folder.create(described)
        write_json(folder.path / "turn.json", {**described.as_json(), **more})
    turns = Turns(settings, relays(settings), cast("Recorder", Rows(*folders)))
    async with turns.running():
        assert turns.sessions.of("main") == folders[1].turn_id
    assert not (settings.sessions_dir / "conversation.json").exists()


def failing_once(function: Callable[..., Any]) -> Callable[..., Any]:
    """As it is, but for the first time."""
    failures = [OSError(errno.EMFILE, "Too many open files")]

    def fail(*arguments: Any) -> Any:
        if failures:
            raise failures.pop()
        return function(*arguments)

    return fail


@pytest.mark.parametrize(
    "where",
    [
        "paliadin.conversations.directory.Conversations.log_folders",
        "paliadin.turns.session_logs.SessionLogs._is_new",
        "paliadin.turns.carrying.complete_description",
        "paliadin.turns.carrying.read_turn",
    ],
)
async def test_a_turn_that_began_in_the_terminal_while_no_file_could_be_opened_is_taken_up(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    monkeypatch.setattr(carrying, "OWN_TURNS_INTERVAL", 0.01)
    monkeypatch.setattr(carrying, "TRY_AGAIN_AFTER", 0.01)
    monkeypatch.setattr(Relay, "resume", lambda _self, _turn: asyncio.Event().wait())
    turns = Turns(settings, relays(settings), cast("Recorder", Rows()))
    async with turns.running():
        await asyncio.sleep(0.05)  # it looks again and again by now
        holder, _, name = where.rpartition(".")
        monkeypatch.setattr(where, failing_once(getattr(pkgutil.resolve_name(holder), name)))
        folder = made_turn(settings.response_dir, session_id="main", origin="terminal", user_message="x")
        (settings.sessions_dir / "main").mkdir(exist_ok=True)
        append(settings.sessions_dir / "main" / "events.jsonl", {"own_turn": folder.turn_id})
        async with asyncio.timeout(10):
            while turns.sessions.of("main") != folder.turn_id:
                await asyncio.sleep(0.01)


async def test_where_no_claude_of_a_member_may_run_none_is_asked(tmp_path: Path) -> None:
    settings = load_settings({"PALIADIN_HOME": str(tmp_path), "PALIADIN_MAX_EMBEDDED": "0"})
    ensure_home(settings)
    turns = Turns(settings, relays(settings), cast("Recorder", Rows()))
    async with turns.running():
        with pytest.raises(errors.RelayError) as refused:
            await turns.ask(Question("main", "Let me in", Caller.embedded("cem", "https://app.example", "olivia")))
    assert refused.value.code == "too_many_conversations"


async def test_where_no_claude_of_a_member_may_run_a_reset_starts_none_and_no_question_that_waited_does(
    tmp_path: Path,
) -> None:
    def house(limit: int) -> Turns:
        settings = load_settings({"PALIADIN_HOME": str(tmp_path), "PALIADIN_MAX_EMBEDDED": str(limit)})
        ensure_home(settings)
        return Turns(settings, relays(settings), cast("Recorder", Rows()))

    member = Caller.embedded("cem", "https://app.example", "olivia")
    turns = house(1)
    async with turns.running():
        session = turns.conversations.claim("main", member)
        async with turns.idle(session):
            waiting = await turns.ask(Question("main", "Let me in", member, may_wait=True))
            turns.queues.hold(session, HoldReason.STOPPED)
    turns = house(0)
    async with turns.running():
        for change in (turns.reset, turns.compact):
            with pytest.raises(errors.RelayError) as refused:
                await change("main", member)
            assert refused.value.code == "too_many_conversations"
        assert await turns.go_on("main", member)
        async with asyncio.timeout(20):
            while turns.queues.of(session).held is not HoldReason.FAILED:
                await asyncio.sleep(0.01)
        assert not turns._folder(waiting).path.exists()
        assert turns.sessions.is_free(session)


async def test_a_turn_that_cannot_begin_gives_its_slot_back(turns: Turns, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise errors.StorageFull("full")

    for owner, name in ((turns.conversations, "note_question"), (turns.recorder, "begin"), (turns.attaching, "claim")):
        with monkeypatch.context() as patch:
            patch.setattr(owner, name, full)
            with pytest.raises(errors.StorageFull):
                await turns.ask(question())
        assert turns.sessions.is_free("main"), name
    assert await turns.ask(question())


async def test_what_is_asked_while_the_rest_of_a_deletion_is_removed_is_not_forgotten(turns: Turns) -> None:
    class Store:
        async def turn_ids(self, session: str) -> list[str]:
            asked.append(await turns.ask(question()))
            return []

    asked: list[str] = []
    conversations = turns.conversations
    conversations.put("main", Conversation(emptied=(new_turn_id(),)))
    await ConversationRemoval(turns.settings, turns, cast("Any", Store()), ())._remove("main")
    now = conversations.get("main")
    assert (now.title, [now.first_turn], now.emptied) == ("Hello", asked, ())


class Store:
    """Keeps the rows of finished turns, in the order in which they were written; history is read from the folders."""

    def __init__(self) -> None:
        self.finished: list[TurnRow] = []

    async def insert(self, row: TurnRow) -> None:
        pass

    async def finish(self, row: TurnRow) -> None:
        self.finished.append(row)

    async def turns(self, *_: object) -> list[TurnRow]:
        raise errors.StoreUnavailable("no database")


async def ended_alone(turns: Turns, store: Store) -> str:
    """A turn that nobody follows to its end, with its row."""
    turn_id = await turns.ask(question())
    TurnFolder(turns.settings.response_dir, turn_id).log.append(Aborted(now_ms()))
    async with asyncio.timeout(20):
        while turns.sessions.of("main"):
            await asyncio.sleep(0.01)
        cast("Relay", turns.relays.here[0]).let_go.set()
        while not store.finished:
            await asyncio.sleep(0.01)
    assert store.finished[-1].abandoned is True
    return turn_id


async def after_reading(turns: Turns, store: Store, known: Sequence[str] = ()) -> list[bool | None]:
    """What the rows say of whether the turn was abandoned, once a page has read the history."""
    await History(turns, cast("Any", store)).page("main", None, 10, known)
    await turns.recorder._write_all()
    return [row.abandoned for row in store.finished]


@pytest.fixture
async def recorded(tmp_path: Path) -> AsyncIterator[tuple[Turns, Store]]:
    settings, store = load_settings({"PALIADIN_HOME": str(tmp_path)}), Store()
    ensure_home(settings)
    recorder = Recorder(settings, cast("Any", store))
    turns = Turns(settings, relays(settings), recorder)
    async with recorder.running(), turns.running():
        yield turns, store


async def test_who_reloads_the_page_just_when_the_turn_ends_has_waited_for_it(recorded: tuple[Turns, Store]) -> None:
    turns, store = recorded
    turn_id = await ended_alone(turns, store)
    assert await after_reading(turns, store, [turn_id]) == [True], "a page that has it already is not given it"
    assert (await after_reading(turns, store))[-1] is False


async def test_who_reads_a_turn_that_has_ended_but_is_not_put_away_yet_has_waited_for_it(turns: Turns) -> None:
    turn_id = await turns.ask(question())
    live = turns.sessions.streams[turn_id]
    turns.note_read(turn_id)
    assert not live.watched, "it goes on"
    TurnFolder(turns.settings.response_dir, turn_id).log.append(Aborted(now_ms()))
    async with asyncio.timeout(20):
        while not live.reducer.ended:
            await asyncio.sleep(0.01)
    live.watched = False
    turns.sessions.streams[turn_id] = live  # as it is until its row is being written
    turns.note_read(turn_id)
    assert live.watched
    turns.sessions.streams.pop(turn_id)
