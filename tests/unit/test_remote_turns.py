"""A turn that is carried elsewhere is handed over once, mirrored to its end, and stopped wherever it is by then."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import cast

import pytest

from paliadin.base.errors import RelayError, StorageFull, StreamBroken
from paliadin.base.settings import Settings
from paliadin.parts.messages.carrier import LocalCarrier
from paliadin.parts.messages.request import Pair
from paliadin.parts.messages.tools import Tools
from paliadin.relays.remote_turns import RemoteTurn, RemoteTurns, TurnMirror
from paliadin.relays.turn import Turn
from paliadin.steps.model import Aborted, Accepted, Failed, Settled, Step, Text
from paliadin.steps.serialised import to_line
from paliadin.turnlog.append import record_bytes
from tests.worlds.logs import followed, made_turn, turn_in

SAID: Sequence[Step] = (Accepted(1), Text(2, "m", "Hello"), Settled(3))
LINES = b"".join(record_bytes(to_line(step)) for step in SAID)


class Elsewhere:
    """In place of the other end: it has the whole log, and does nothing by itself."""

    def __init__(self, turns: Path) -> None:
        self.turns = RemoteTurns(turns, self.stop, self.let_go)
        self.files_sent = asyncio.Event()  # those of the question, which take their time
        self.followed_from: list[int] = []
        self.told: list[str] = []
        self.refuses = False

    async def hand_over(self, remote: RemoteTurn) -> None:
        remote.mirror.connection_lost = False
        await self.files_sent.wait()
        if remote.begin_sending():
            if self.refuses:
                raise RelayError("no")
            remote.there.set()
            self.followed_from.append(remote.mirror.size)

    async def stop(self, remote: RemoteTurn) -> None:
        self.told.append("stop")
        self.say(remote, LINES[: len(record_bytes(to_line(SAID[0])))] + record_bytes(to_line(Aborted(2, "page"))))

    def let_go(self, _remote: RemoteTurn) -> None:
        self.told.append("let go")

    def say(self, remote: RemoteTurn, log: bytes) -> None:
        """Send the log, as far as it is now, from where the mirror ends."""
        remote.mirror.receive(remote.mirror.size, log[remote.mirror.size :])


@asynccontextmanager
async def carried(elsewhere: Elsewhere, turn: Turn, *, is_new: bool = True) -> AsyncIterator[RemoteTurn]:
    """The turn, which has ended at the end of the block."""
    async with followed(turn):
        task = asyncio.create_task(elsewhere.turns.carry(turn, elsewhere.hand_over, is_new=is_new))
        await asyncio.sleep(0.01)
        yield elsewhere.turns.running[turn.id]
        await asyncio.wait_for(task, 5)
        await asyncio.wait_for(turn.progress.ended.wait(), 5)
    assert turn.id not in elsewhere.turns.running
    assert elsewhere.told.count("let go") == 1


@pytest.fixture
def elsewhere(tmp_path: Path) -> Elsewhere:
    return Elsewhere(tmp_path)


@pytest.fixture
def turn(tmp_path: Path) -> Turn:
    return turn_in(made_turn(tmp_path))


async def test_after_each_lost_connection_it_is_handed_over_again_from_the_byte_that_is_missing(
    elsewhere: Elsewhere, turn: Turn
) -> None:
    elsewhere.files_sent.set()
    async with carried(elsewhere, turn) as remote:
        for size in (10, 60):
            elsewhere.say(remote, LINES[:size])
            remote.mirror.lose_connection()
            await asyncio.sleep(0.01)
        elsewhere.say(remote, LINES)
    assert elsewhere.followed_from == [0, 10, 60]
    assert [*turn.log.read()] == [*SAID]


async def test_a_stop_before_the_question_was_sent_ends_it_here_and_at_once(elsewhere: Elsewhere, turn: Turn) -> None:
    async with carried(elsewhere, turn):
        await elsewhere.turns.abort(turn)
        assert isinstance([*turn.log.read()][-1], Aborted)
        elsewhere.files_sent.set()  # before anybody has read that
    assert elsewhere.followed_from == []
    assert elsewhere.told == ["let go"]
    assert len([*turn.log.read()]) == 2


async def test_a_stop_once_the_question_was_sent_goes_to_the_other_end(elsewhere: Elsewhere, turn: Turn) -> None:
    elsewhere.files_sent.set()
    async with carried(elsewhere, turn):
        await elsewhere.turns.abort(turn)
    assert elsewhere.told == ["stop", "let go"]
    assert [*turn.log.read()] == [SAID[0], Aborted(2, "page")]


async def test_a_stop_of_what_an_earlier_process_sent_goes_to_the_other_end(elsewhere: Elsewhere, turn: Turn) -> None:
    async with carried(elsewhere, turn, is_new=False):
        await elsewhere.turns.abort(turn)
        elsewhere.files_sent.set()
    assert elsewhere.told == ["stop", "let go"]


@pytest.mark.parametrize("how", ["elsewhere", "here", "here, a moment later"])
async def test_what_is_stopped_before_it_is_carried_is_not_asked(settings: Settings, how: str) -> None:
    """A stop comes so soon when the turn's row was still being written."""

    async def earlier() -> Sequence[Pair]:
        raise AssertionError

    async def own_key(_person: object) -> str | None:
        raise AssertionError

    elsewhere = Elsewhere(settings.response_dir)
    elsewhere.files_sent.set()
    carrier = LocalCarrier(settings, cast("Tools", None), own_key)
    turn = turn_in(made_turn(settings.response_dir))
    async with followed(turn):
        if how == "elsewhere":
            await elsewhere.turns.abort(turn)
            await asyncio.wait_for(elsewhere.turns.carry(turn, elsewhere.hand_over, is_new=True), 5)
        else:
            if how == "here":
                await carrier.abort(turn)
            else:  # when it is being carried, and its task has not run yet
                asyncio.get_running_loop().call_soon(asyncio.ensure_future, carrier.abort(turn))
            await asyncio.wait_for(asyncio.create_task(carrier.carry(turn, earlier)), 5)
    assert isinstance([*turn.log.read()][-1], Aborted)
    assert elsewhere.followed_from == []


async def test_what_cannot_be_handed_over_ends_with_that_error_once(elsewhere: Elsewhere, turn: Turn) -> None:
    elsewhere.refuses = True
    async with carried(elsewhere, turn):
        elsewhere.files_sent.set()
    [_, failed] = turn.log.read()
    assert isinstance(failed, Failed)


async def test_what_cannot_be_mirrored_ends_with_that_error(elsewhere: Elsewhere, turn: Turn) -> None:
    elsewhere.files_sent.set()
    async with carried(elsewhere, turn) as remote:
        elsewhere.say(remote, LINES[:60])
        remote.mirror.fail(StreamBroken("no more"))
    failed = [*turn.log.read()][-1]
    assert isinstance(failed, Failed)
    assert failed.code == "stream_broken"


async def test_an_error_behind_the_end_changes_nothing(elsewhere: Elsewhere, turn: Turn) -> None:
    elsewhere.files_sent.set()
    async with carried(elsewhere, turn) as remote:
        elsewhere.say(remote, LINES)
        await turn.progress.ended.wait()
        remote.mirror.fail(StreamBroken("no more"))
    assert [*turn.log.read()] == [*SAID]


def test_of_a_turns_log_so_much_is_taken_and_the_turn_is_told(tmp_path: Path) -> None:
    mirror, line = TurnMirror(tmp_path / "events.jsonl", most=1000), b"x" * 99 + b"\n"
    for number in range(20):
        mirror.receive(number * 100, line)
    assert (tmp_path / "events.jsonl").read_bytes() == line * 10  # what came stays
    assert mirror.changed.is_set()
    assert isinstance(mirror.error, StreamBroken)


async def test_a_stop_before_an_earlier_processes_turn_was_taken_up_reaches_the_other_end(
    elsewhere: Elsewhere, turn: Turn
) -> None:
    await elsewhere.turns.abort(turn)
    elsewhere.files_sent.set()
    async with followed(turn):
        await asyncio.wait_for(elsewhere.turns.carry(turn, elsewhere.hand_over, is_new=False), 5)
    assert elsewhere.told == ["stop", "let go"]
    assert isinstance([*turn.log.read()][-1], Aborted)


async def test_a_question_that_was_stopped_is_not_sent_although_a_full_disk_takes_no_end_of_it(
    elsewhere: Elsewhere, turn: Turn, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_log: object, _step: Step) -> None:
        raise StorageFull("no space")

    task = asyncio.create_task(elsewhere.turns.carry(turn, elsewhere.hand_over, is_new=True))
    await asyncio.sleep(0.01)
    monkeypatch.setattr(type(turn.log), "append", full)
    with pytest.raises(StorageFull):
        await elsewhere.turns.abort(turn)
    elsewhere.files_sent.set()
    with pytest.raises(StorageFull):
        await asyncio.wait_for(task, 5)
    assert elsewhere.followed_from == []


async def test_a_turn_whose_stop_failed_with_the_line_is_followed_again_once_the_line_is_back(
    elsewhere: Elsewhere, turn: Turn, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def away(_remote: RemoteTurn) -> None:
        raise RelayError("the line is cut")

    elsewhere.files_sent.set()
    async with carried(elsewhere, turn) as remote:
        monkeypatch.setattr(elsewhere.turns, "_stop", away)
        with pytest.raises(RelayError):
            await elsewhere.turns.abort(turn)
        elsewhere.say(remote, LINES[:10])
        remote.mirror.lose_connection()
        await asyncio.sleep(0.01)
        elsewhere.say(remote, LINES)
    assert elsewhere.followed_from == [0, 10]
