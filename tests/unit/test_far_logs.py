"""Logs that another host writes, mirrored here: what is in them costs that host's own turns at most."""

from __future__ import annotations

import asyncio
import json
import threading
from contextlib import ExitStack
from itertools import chain
from typing import Any, cast

import pytest

from paliadin.base.errors import PaliadinError
from paliadin.base.settings import Settings
from paliadin.relays.routing import Relays
from paliadin.relays.ssh import session_mirror
from paliadin.relays.ssh.session_mirror import SessionMirror
from paliadin.relays.ssh.wire_protocol import parse_message
from paliadin.steps.model import Aborted
from paliadin.turnlog import read
from paliadin.turnlog.append import append
from paliadin.turnlog.folder import TurnFolder
from paliadin.turnlog.ids import new_turn_id, now_ms
from paliadin.turns.lifecycle import Turns
from paliadin.turns.session_logs import SessionLogs
from tests.unit.test_lifecycle import Relay, relays
from tests.worlds.logs import made_turn

FAR = "main@office"


def made(settings: Settings, session: str) -> TurnFolder:
    return made_turn(settings.response_dir, session_id=session, origin="terminal", user_message="x")


class Host:
    """In place of a connection: it names one turn after the other."""

    remote = type("Remote", (), {"name": "office"})
    described = 0

    async def request(self, verb: str, **_fields: object) -> dict[str, Any]:
        self.described += verb == "describe"
        return {"size": 0} if verb == "watch" else {"origin": "terminal", "user_message": "x"}


def named(count: int) -> bytes:
    return b"".join(json.dumps({"own_turn": new_turn_id()}).encode() + b"\n" for _ in range(count))


async def test_a_host_that_names_turns_without_end_has_so_many_that_run(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session_mirror, "MOST_RUNNING", 3)
    host = Host()
    mirror = SessionMirror(settings, cast("Any", host), "main", asyncio.Semaphore(1))
    mirror.receive(0, named(9))
    mirror.connection_lost()
    with pytest.raises(PaliadinError, match="more than 3 turns"):
        await mirror._mirror()
    folders = list(settings.response_dir.glob("*/*"))
    assert (host.described, len(folders)) == (3, 3)


async def test_whether_turns_still_run_is_looked_for_beside_the_event_loop(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A host may write 64 MB for each of them, and the look is made again every ten seconds."""
    monkeypatch.setattr(session_mirror, "MOST_RUNNING", 1)
    threads: list[int] = []
    monkeypatch.setattr(session_mirror, "is_over", lambda _steps: threads.append(threading.get_ident()))
    mirror = SessionMirror(settings, cast("Any", Host()), "main", asyncio.Semaphore(1))
    await mirror._make_folder(new_turn_id())
    with pytest.raises(PaliadinError, match="more than 1 turns"):
        await mirror._make_folder(new_turn_id())
    assert len(threads) == 1
    assert threads != [threading.get_ident()]


async def test_a_log_that_cannot_be_read_holds_up_no_other(
    settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    turns = Turns(settings, relays(settings), cast("Any", None))
    started = SessionLogs(settings, turns.conversations)
    mine = made(settings, "main")
    (settings.sessions_dir / "aaa" / "events.jsonl").mkdir(parents=True)
    (settings.sessions_dir / "main").mkdir(exist_ok=True)
    append(settings.sessions_dir / "main" / "events.jsonl", {"own_turn": mine.turn_id})
    assert [*chain(*started.new_turns())] == [mine.turn_id]
    assert [*chain(*started.new_turns())] == []
    assert caplog.text.count("are not found") == 1
    hook = {"hook_event_name": "SessionStart", "source": "clear"}
    append(settings.sessions_dir / "main" / "events.jsonl", {"at": 7, "hook": hook})
    assert [(session, source) for session, _, source in await started.new_starts()] == [("main", "clear")]


async def test_which_sessions_there_are_is_asked_on_the_event_loop_which_may_connect_to_a_new_host(
    settings: Settings,
) -> None:
    asked: list[int] = []

    class Hosts(Relays):
        def sessions(self) -> list[str]:
            asked.append(threading.get_ident())
            return super().sessions()

    logs = Turns(settings, Hosts(settings, [Relay()]), cast("Any", None)).session_logs
    await logs.earlier_turns()
    await logs.new_starts()
    assert set(asked) == {threading.get_ident()}


async def test_an_honest_host_with_many_turns_has_all_of_them_adopted(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One piece of its log names more than may run at once: those before are adopted, and so end."""
    monkeypatch.setattr(session_mirror, "MOST_RUNNING", 3)
    mirror = SessionMirror(settings, cast("Any", Host()), "main", asyncio.Semaphore(1))
    mirror._path.parent.mkdir()
    turns = Turns(settings, relays(settings), cast("Any", None))
    started, log, adopted = SessionLogs(settings, turns.conversations), named(8), 0
    for most in (3, 6):
        with pytest.raises(PaliadinError, match="more than 3 turns"):
            await mirror._take(log[mirror._size() :])
        for turn_id in chain(*started.new_turns()):
            TurnFolder(settings.response_dir, turn_id).log.append(Aborted(now_ms()))  # as the mirror of its log does
            adopted += 1
        assert adopted == most
    await mirror._take(log[mirror._size() :])
    assert len([*chain(*started.new_turns())]) == 2
    assert mirror._path.read_bytes() == log


async def test_a_folder_that_cannot_be_made_keeps_no_turn_before_it_from_being_adopted(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    mirror = SessionMirror(settings, cast("Any", Host()), "main", asyncio.Semaphore(1))
    mirror._path.parent.mkdir()
    log, make, made_so_far = named(3), mirror._make_folder, list[str]()

    async def make_two(turn_id: str) -> None:
        if len(made_so_far) == 2:
            raise PermissionError(turn_id)
        made_so_far.append(turn_id)
        await make(turn_id)

    monkeypatch.setattr(mirror, "_make_folder", make_two)
    with pytest.raises(PermissionError):
        await mirror._take(log)
    assert mirror._path.read_bytes() == b"".join(log.splitlines(keepends=True)[:2])


def test_names_are_read_in_parts_and_each_once(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> None:
    turns = Turns(settings, relays(settings), cast("Any", None))
    log = settings.sessions_dir / FAR / "events.jsonl"
    log.parent.mkdir()
    log.write_bytes(named(4000))
    seen: list[bytes] = []
    parse = read._parse
    monkeypatch.setattr(read, "_parse", lambda raw: (seen.append(raw), parse(raw))[1])
    assert len(list(SessionLogs(settings, turns.conversations).new_turns())) > 3
    assert len(seen) == 4000
    later = SessionLogs(settings, turns.conversations)
    assert later.cleared_at(FAR) == 0  # who asks that reads on, and names no turn
    mine = made(settings, FAR)
    append(log, {"own_turn": mine.turn_id})
    assert [*chain(*later.new_turns())] == [mine.turn_id]
    assert len(seen) == 8001


async def test_a_log_names_turns_of_its_own_session_and_each_until_it_is_recorded(settings: Settings) -> None:
    turns = Turns(settings, relays(settings), cast("Any", None))
    started = SessionLogs(settings, turns.conversations)
    mine, theirs, recorded = made(settings, FAR), made(settings, "main"), made(settings, FAR)
    recorded.recorded.touch()
    log = settings.sessions_dir / FAR / "events.jsonl"
    log.parent.mkdir()
    for turn_id in (theirs.turn_id, recorded.turn_id, mine.turn_id, mine.turn_id, new_turn_id(), "../../x"):
        append(log, {"own_turn": turn_id})
    assert list(started.new_turns()) == [[mine.turn_id]]
    assert list(started.new_turns()) == []


async def test_what_comes_from_another_host_is_watched_by_nobody(settings: Settings) -> None:
    """A watch takes one of the 128 that the system gives to an account, and a host may name many turns."""
    turns = Turns(settings, relays(settings), cast("Any", None))

    async def carry(_turn: object) -> None:
        await asyncio.Event().wait()

    carrying = turns._carrying
    async with carrying.tasks:
        for session, is_ours in ((FAR, True), ("main", False)):
            folder = made(settings, session)
            carrying._carry(folder, folder.describe(), session, carry, ExitStack())
            live = turns.sessions.streams[folder.turn_id]
            assert live.turn.log.is_ours is is_ours  # type: ignore[attr-defined]
            assert live.preview is not None


@pytest.mark.parametrize(
    ("line", "result"),
    [
        (b'{"id": 1, "result": {"screen": "\\ud800"}}', {"screen": "?"}),
        (b'{"id": 1, "result": "\xff"}', None),
    ],
    ids=["half an emoji", "no text"],
)
def test_a_response_is_one_that_can_be_sent_on(line: bytes, result: object) -> None:
    message = parse_message(line)
    assert (message and message["result"]) == result


def test_bytes_of_a_log_stay_as_they_are() -> None:
    assert parse_message(b'{"log": "main", "at": 0, "data": "\\udcff\\n"}') == {
        "log": "main",
        "at": 0,
        "data": "\udcff\n",
    }
