"""A tmux server that hangs, and goes on later: SIGSTOP holds it, SIGCONT lets it go on."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
import pytest

from paliadin.base.errors import TmuxFailed, TmuxUnresponsive
from paliadin.demo.scripted_api import ScriptedApi
from paliadin.relays.terminal import process_state, tmux
from paliadin.relays.terminal.screen import State, read_screen
from paliadin.relays.terminal.tmux import TmuxServer
from paliadin.relays.terminal.tmux_commands import THREAD
from paliadin.relays.terminal.tmux_control import ControlClient
from tests.worlds.script import HELD, STEADY
from tests.worlds.turns import asked_for, check_whole, watched_until
from tests.worlds.world import Event, World, eventually, text_of

pytestmark = pytest.mark.timeout(180)
Api = tuple[ScriptedApi, str]

PROMPT = 3.0  # seconds: for a response that needs nothing of tmux
BOUND = 15.0  # seconds: for one that does
END = 20.0  # seconds: for the daemon to end


@pytest.fixture
def world(fresh_world: World) -> World:
    fresh_world.start()
    assert fresh_world.turn("Before")[-1].name == "end"
    return fresh_world


@contextmanager
def hung_tmux(world: World) -> Iterator[None]:
    """The world's tmux server stands still."""
    [pid] = world.terminal._run("display-message", "-p", "#{pid}")
    os.kill(int(pid), signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(int(pid), signal.SIGCONT)


def timed(world: World, path: str) -> tuple[float, httpx2.Response]:
    begun = time.monotonic()
    with world.client() as client:
        response = client.get(path)
    return time.monotonic() - begun, response


def claude_part(world: World) -> dict[str, Any]:
    seconds, response = timed(world, "/api/paliadin/health")
    assert seconds < BOUND
    part: dict[str, Any] = response.json()["parts"][0]
    return part


def says_that_tmux_hangs(part: dict[str, Any]) -> bool:
    return part["state"] == "tmux_unresponsive" and "kill -KILL" in part["hint"]


def ready(world: World) -> bool:
    return bool(claude_part(world)["state"] == "ready")


def threads(world: World) -> int:
    assert world.process is not None
    return len(list(Path(f"/proc/{world.process.pid}/task").iterdir()))


def ends_cleanly(world: World) -> None:
    """SIGTERM ends the daemon, and its log holds no trace of trouble."""
    assert world.process is not None
    world.process.send_signal(signal.SIGTERM)
    assert world.process.wait(END) == 0
    world.stop()
    log = (world.root / "daemon.log").read_text()
    assert not [word for word in ("Traceback", "never retrieved", "was destroyed") if word in log], log


@pytest.mark.long
def test_a_tmux_that_hangs_stops_neither_the_daemon_nor_its_end(world: World) -> None:
    before = threads(world)
    with hung_tmux(world), ThreadPoolExecutor(20) as pool:
        pending = [pool.submit(claude_part, world) for _ in range(20)]
        for path in ("/livez", "/api/paliadin/history?session_id=main", "/paliadin"):
            seconds, response = timed(world, path)
            assert (seconds < PROMPT, response.status_code) == (True, 200), path
        assert all(says_that_tmux_hangs(part.result()) for part in pending)
        assert says_that_tmux_hangs(claude_part(world))
        _, response = timed(world, "/api/paliadin/sessions")
        assert response.json()["error"]["code"] == "tmux_unresponsive"
        begun = time.monotonic()
        error = world.turn("Meanwhile")[-1]
        assert (error.name, error.data["code"]) == ("error", "tmux_unresponsive")
        assert error.data["hint"]
        assert time.monotonic() - begun < BOUND
        assert threads(world) <= before + 8
        ends_cleanly(world)


@pytest.mark.long
def test_a_daemon_ends_while_it_finds_out_that_tmux_hangs(world: World) -> None:
    with hung_tmux(world), ThreadPoolExecutor(1) as pool:
        pending = pool.submit(timed, world, "/api/paliadin/health")
        with world.client() as client:
            eventually(lambda: client.get("/livez").status_code == 200)
        ends_cleanly(world)
        assert pending.exception() or pending.result()


@pytest.mark.long
def test_a_turn_that_spans_a_hang_comes_to_its_end_and_nothing_is_typed_twice(world: World, api: Api) -> None:
    turn_id = world.ask("scene:held spanned")
    events: list[Event] = []
    watched_until(world, turn_id, "content_delta", events)
    with hung_tmux(world):
        eventually(lambda: says_that_tmux_hangs(claude_part(world)), 20)
        assert world.post("turn", {"session_id": "main", "user_message": "x"}).status_code == 409
        HELD.enough.set()
    events += world.follow(turn_id, after=len(events))
    check_whole(events)
    assert events[-1].name == "end", events[-1]
    assert text_of(events) == "\n".join(f"Line {number}." for number in range(HELD.said))
    assert asked_for(api, turn_id) == 1
    eventually(lambda: ready(world), 20)
    assert text_of(world.turn("And now?")).startswith("You said")


def test_a_question_that_meets_a_hang_is_never_sent_and_the_next_is_answered(world: World, api: Api) -> None:
    """It hangs while a long question is typed: what was typed of it is taken away later."""
    turn_id = world.ask("word " * 12_000)
    eventually(lambda: read_screen(world.screen()).scrolled, 20, "it is being typed")
    with hung_tmux(world):
        error = list(world.follow(turn_id))[-1]
        assert (error.name, error.data["code"]) == ("error", "tmux_unresponsive")
    eventually(lambda: ready(world), 20, "what is left of it is nobody's draft")
    assert text_of(world.turn("And now?")).startswith("You said")
    assert asked_for(api, turn_id) == 0
    eventually(lambda: read_screen(world.screen()).state is State.READY, 10)


@pytest.mark.long
def test_a_daemon_starts_and_ends_while_tmux_hangs_and_works_once_it_goes_on(world: World, api: Api) -> None:
    turn_id = world.ask("scene:steady restarted")
    events: list[Event] = []
    watched_until(world, turn_id, "content_delta", events)
    world.stop()
    with hung_tmux(world):
        world.start()
        assert says_that_tmux_hangs(claude_part(world))
        seconds, response = timed(world, "/paliadin")
        assert (seconds < PROMPT, response.status_code) == (True, 200)
        ends_cleanly(world)
        world.start()
    events += world.follow(turn_id, after=len(events))
    check_whole(events)
    assert text_of(events) == "\n".join(STEADY)
    assert asked_for(api, turn_id) == 1
    assert text_of(world.turn("And now?")).startswith("You said")
    ends_cleanly(world)


def test_a_server_that_ended_with_its_last_window_and_is_there_again_takes_keys_at_once(tmp_path: Path) -> None:
    """Where all Claudes are parked or deleted it ends; whoever was connected to it connects to the new one."""
    terminal, other = (TmuxServer(f"paliadin-test-{os.getpid()}-ended", "paliad-paliadin") for _ in range(2))
    try:
        terminal.start("first", ["cat"], tmp_path, {})
        terminal.type(terminal.panes()["first"], "to the first")
        other.close_window("first")
        eventually(lambda: not terminal.panes(), what="the server has ended")
        pane = terminal.start("second", ["cat"], tmp_path, {})
        terminal.type(pane, "to the second")
        eventually(lambda: "to the second" in terminal.capture(pane).captured, what="it is typed")
    finally:
        terminal.kill_server()


LAST_WORDS = """
trap 'sleep 0.5; echo the last words > "$0"; exit' HUP
echo ready
while :; do sleep 0.02; done
"""


def test_a_server_is_killed_once_what_runs_in_it_has_ended(tmp_path: Path) -> None:
    """Claude Code writes a log while it ends: into a folder that the demo removes, and left behind, once."""
    terminal = TmuxServer(f"paliadin-test-{os.getpid()}-killed", "paliad-paliadin")
    try:
        pane = terminal.start("one", ["sh", "-c", LAST_WORDS, str(tmp_path / "log")], tmp_path, {})
        eventually(lambda: "ready" in terminal.capture(pane).captured, what="it runs")
    finally:
        terminal.kill_server()
    assert (tmp_path / "log").read_text() == "the last words\n"


def test_who_has_the_id_of_what_died_in_a_window_is_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ended: list[int] = []
    monkeypatch.setattr(process_state, "wait_or_kill", lambda pid, _timeout: ended.append(pid))
    terminal = TmuxServer(f"paliadin-test-{os.getpid()}-died", "paliad-paliadin")
    try:
        died, lives = (terminal.start(name, [command], tmp_path, {}) for name, command in (("a", "true"), ("b", "cat")))
        eventually(lambda: terminal.capture(died).dead, what="the first has ended")
        pids = [terminal.capture(pane).pid for pane in (died, lives)]
    finally:
        terminal.kill_server()
    assert pids[0] not in ended
    assert pids[1] in ended


def test_a_client_that_meets_no_server_starts_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It would have the daemon's umask, and whoever starts Claude at that moment would start it in there."""
    monkeypatch.setenv("TMUX_TMPDIR", str(tmp_path))
    client = ControlClient("paliadin-none", "paliad-paliadin")
    with pytest.raises(TmuxFailed):
        client.run(["list-clients"], seconds=10)
    client.close()
    assert [path for path in tmp_path.rglob("*") if not path.is_dir()] == []


IN_A_TERMINAL = """
from pathlib import Path
from paliadin.relays.terminal.tmux import TmuxServer
server = TmuxServer({socket!r}, "paliad-paliadin")
try:
    assert list(server.panes()) == []
    server.start("one", ["cat"], Path("/"), {{}})
    server.start("two", ["cat"], Path("/"), {{}})
    print(list(server.panes()))
finally:
    server.kill_server()
"""


def test_a_daemon_that_was_started_in_a_terminal_that_tmux_does_not_know_uses_it_all_the_same() -> None:
    outer, inner = os.openpty()
    code = IN_A_TERMINAL.format(socket=f"paliadin-test-{os.getpid()}-terminal")
    environment = {**os.environ, "TERM": "no-such-terminal"}
    try:
        done = subprocess.run(
            [sys.executable, "-c", code], stdin=inner, capture_output=True, text=True, env=environment, check=False
        )
    finally:
        os.close(outer)
        os.close(inner)
    assert done.stdout.strip() == "['one', 'two']", done.stderr


def unresponsive(server: TmuxServer) -> bool:
    try:
        server.panes()
    except TmuxUnresponsive:
        return True
    return False


def test_a_call_that_hangs_is_given_up_when_the_connection_closes_and_only_one_is_left_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tmux, "TIMEOUT", 3600.0)
    server, other = (TmuxServer(f"paliadin-test-{os.getpid()}-closed", "paliad-paliadin") for _ in range(2))
    server.start("one", ["cat"], tmp_path, {})
    [pid] = server._run("display-message", "-p", "#{pid}")
    os.kill(int(pid), signal.SIGSTOP)
    try:
        call = server.thread.submit(server.panes)
        eventually(lambda: server._give_up, what="it asks tmux")
        ThreadPoolExecutor(1).submit(server.close).result(30)
        with pytest.raises(TmuxUnresponsive):
            call.result(30)
        with pytest.raises(TmuxUnresponsive):
            server.panes()
        assert [thread.name for thread in threading.enumerate()].count(THREAD) == 1
        os.kill(int(pid), signal.SIGCONT)
        assert list(eventually(lambda: not unresponsive(server) and server.panes())) == ["one"]
    finally:
        os.kill(int(pid), signal.SIGCONT)
        other.kill_server()  # the one that met the hang waits 0.3 s for the next response
