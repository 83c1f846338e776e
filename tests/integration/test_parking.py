"""Claudes that nobody needs are parked, come back with their conversation, and never run in greater number than may."""

from __future__ import annotations

import asyncio
import contextlib
import os
import pty
import signal
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

from paliadin.demo.scripted_api import ScriptedApi
from paliadin.relays.protocol import State
from paliadin.relays.terminal import claude_process
from paliadin.relays.turn import Turn
from paliadin.turnlog.folder import TurnFolder
from tests.integration.conftest import make_world
from tests.worlds.logs import followed, logged, made_turn, reduced, turn_in
from tests.worlds.processes import is_running
from tests.worlds.script import HELD
from tests.worlds.terminal import Terminal
from tests.worlds.turns import asked_for, watched_until
from tests.worlds.world import Event, World, eventually, text_of

pytestmark = pytest.mark.timeout(120)
Api = tuple[ScriptedApi, str]


def processes(world: World) -> list[int]:
    """Claude Code, and what it has started: all processes that have this world's HOME."""
    home = f"HOME={world.environment['HOME']}".encode()
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if home in (folder / "environ").read_bytes().split(b"\0"):
                found.append(int(folder.name))
    return found


def claudes(world: World) -> list[int]:
    """Claude Code's own processes, without the copies that it makes of itself to run another program in."""
    parents = {}
    for pid in processes(world):
        with contextlib.suppress(OSError):
            if b"--plugin-dir" in Path(f"/proc/{pid}/cmdline").read_bytes().split(b"\0") and is_running(pid):
                parents[pid] = int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    return [pid for pid, parent in parents.items() if parent not in parents]


def state(world: World, session: str = "main") -> str:
    return str(world.get(f"health?session_id={session}")["parts"][0]["state"])


# With a relay of the test's own.


class ParkedTerminal(Terminal):
    """A terminal whose Claude is parked now and then."""

    def new(self, message: str) -> Turn:
        folder = made_turn(self.world.settings.response_dir, user_message=message, origin="page")
        return turn_in(folder)

    async def carry(self, turn: Turn) -> str:
        """Submit a turn, allow what it asks for, and return its answer. A card keeps its Claude from being parked."""
        async with followed(turn):
            submitting = asyncio.create_task(self.relay.submit(turn))
            while not submitting.done():
                for interrupt in list(turn.progress.open_interrupts):
                    assert not await self.relay.park("main")
                    await self.relay.reply(turn, interrupt, "allow", cancel=False)
                await asyncio.wait({submitting}, timeout=0.05)
            await submitting
        folder = TurnFolder(self.world.settings.response_dir, turn.id)
        return reduced(folder.describe(), logged(folder)).answer_text.strip()

    async def answer(self, message: str) -> str:
        return await self.carry(self.new(message))

    async def parks(self) -> None:
        async with asyncio.timeout(20):
            while not await self.relay.park("main"):
                await asyncio.sleep(0.1)


@contextlib.contextmanager
def attached(world: World) -> Iterator[None]:
    """Somebody looks at the session's window."""
    there, here = pty.openpty()
    settings = world.settings
    command = ["tmux", "-L", settings.tmux_socket, "attach-session", "-t", f"={settings.tmux_session}:=main"]
    process = subprocess.Popen(
        command, stdin=here, stdout=here, stderr=here, env=os.environ | {"TERM": "xterm"}, start_new_session=True
    )
    try:
        eventually(lambda: world.terminal.is_attached(world.pane), what="the terminal is attached")
        yield
    finally:
        os.close(there)
        os.close(here)
        process.kill()
        process.wait(10)
        eventually(lambda: not world.terminal.is_attached(world.pane), what="the terminal is gone")


@pytest.mark.long
async def test_what_somebody_may_still_need_is_not_parked_and_what_nobody_needs_comes_back_whole(
    tmp_path: Path, claude: Path, api: Api
) -> None:
    for world in make_world(tmp_path, claude, api):
        async with ParkedTerminal.running(world) as terminal:
            assert (await terminal.relay.state("main")).state is State.PARKED  # it was never started
            assert await terminal.answer("scene:remember") == "I remember 1 prompts."
            assert await terminal.relay.alive() == {"main"}
            with world.drafting("a draft"):
                assert not await terminal.relay.park("main")
            with attached(world):
                assert not await terminal.relay.park("main")
            assert await terminal.answer("scene:background") == "I wait.\n\nIt goes on."  # with a card
            assert not await terminal.relay.park("main")
        async with ParkedTerminal.running(world) as later:  # as after a restart of the daemon
            assert not await later.relay.park("main")
            (world.workdir / "enough").touch()  # Claude prompts itself now
            await later.parks()
            assert (processes(world), await later.relay.alive()) == ([], set())
            assert (await later.relay.state("main")).state is State.PARKED
            assert await later.relay.park("main")
            await later.answer("Do you know it all?")
            asked = [prompt for prompt in api[0].requests[-1][1].prompts if prompt.startswith("[PALIADIN:")]
            assert [prompt.partition("] ")[2] for prompt in asked] == [
                "scene:remember",
                "scene:background",
                "Do you know it all?",
            ]
            assert len(claudes(world)) == 1


@pytest.mark.long
async def test_of_one_conversation_there_are_never_two_processes(
    tmp_path: Path, one_claude: Path, api: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    """tmux is killed, and Claude, which is stopped, does not end with it."""
    monkeypatch.setattr(claude_process, "END_TIMEOUT", 1.0)
    for world in make_world(tmp_path, one_claude, api):
        async with ParkedTerminal.running(world) as terminal:
            assert await terminal.answer("scene:remember") == "I remember 1 prompts."
            [pid] = claudes(world)
            [server] = world.terminal._run("display-message", "-p", "#{pid}")
            world.terminal.close()
            os.kill(pid, signal.SIGSTOP)
            os.kill(int(server), signal.SIGKILL)
            state = await terminal.relay.state("main")
            assert (state.state, is_running(pid)) == (State.DEAD, True)
            turn = terminal.new("scene:remember")
            asking = asyncio.create_task(terminal.carry(turn))
            while is_running(pid):
                found = claudes(world)
                assert found == [pid] or not is_running(pid)  # it may have ended between the two looks
                await asyncio.sleep(0.1)
            assert await asking == "I remember 2 prompts."
            assert len(claudes(world)) == 1


# With the daemon.


def test_a_quiet_claude_is_parked_and_comes_back_with_its_conversation(fresh_world: World) -> None:
    world = fresh_world
    world.options["PARK_AFTER"] = "1"
    world.start()
    world.turn("scene:remember")
    eventually(lambda: state(world) == "parked", what="it is parked")
    assert processes(world) == []
    assert world.get("health")["ok"]
    assert text_of(world.turn("scene:remember")) == "I remember 2 prompts."


@contextlib.contextmanager
def most_claudes(world: World) -> Iterator[list[int]]:
    """The greatest number of Claudes that were seen to run at once, at the end of the block."""
    over, most = threading.Event(), [0]

    def look() -> None:
        while not over.wait(0.1):
            most[0] = max(most[0], len(claudes(world)))

    looking = threading.Thread(target=look)
    looking.start()
    try:
        yield most
    finally:
        over.set()
        looking.join()


def phases(events: list[Event]) -> list[tuple[str, list[str]]]:
    return [(event.data["phase"], event.data["held_by"]) for event in events if event.name == "status"]


@pytest.mark.long
def test_who_waits_for_a_place_is_told_for_whom_and_gets_it_or_stops(fresh_world: World) -> None:
    world = fresh_world
    world.options["MAX_RUNNING"] = "1"
    world.start()
    for name in ("b", "c"):
        (world.settings.sessions_dir / name).mkdir()
    eventually(lambda: state(world) == "ready", 20, "main is warm")
    with most_claudes(world) as most:
        working = world.ask("scene:held", session_id="b")  # main is idle, and gives way
        watched_until(world, working, "content_delta", [])
        assert (state(world), state(world, "b")) == ("parked", "busy")
        stopped = world.ask("I wait")
        events: list[Event] = []
        watched_until(world, stopped, "status", events, 2)
        assert world.post(f"stream/{stopped}/abort").json() == {"aborted": True}
        events += world.follow(stopped, after=len(events))
        assert (phases(events), events[-1].data["aborted"]) == ([("sent", []), ("held", ["b"])], True)
        waiting = world.ask("scene:remember")
        watched_until(world, waiting, "status", events := [], 2)
        HELD.enough.set()
        events += world.follow(waiting, after=len(events))
        assert phases(events)[:4] == [("sent", []), ("held", ["b"]), ("sent", []), ("thinking", [])]
        assert text_of(events) == "I remember 1 prompts."
        list(world.follow(working))
        at_once = [world.ask("scene:remember", session_id=name) for name in ("b", "c")]
        assert [text_of(list(world.follow(turn_id))) for turn_id in at_once] == [
            "I remember 2 prompts.",
            "I remember 1 prompts.",
        ]
    assert most == [1]


@pytest.mark.long
def test_a_daemon_killed_while_it_parks_leaves_a_conversation_that_comes_back_whole(fresh_world: World) -> None:
    world = fresh_world
    world.start()
    world.turn("scene:remember")
    for number, point in enumerate(["just after Claude was told to end", "before the window is closed"], 2):
        world.stop()
        world.options["PARK_AFTER"] = "0.1"
        with contextlib.suppress(AssertionError, httpx2.TransportError):  # it may die before it serves
            world.start(die=point)
        world.wait_for_death()
        del world.options["PARK_AFTER"]
        world.start()
        assert text_of(world.turn("scene:remember")) == f"I remember {number} prompts."
        assert len(claudes(world)) == 1


@pytest.mark.long
def test_daemon_or_claude_killed_while_it_comes_back_loses_nothing_and_asks_nothing_twice(
    fresh_world: World, api: Api
) -> None:
    world = fresh_world
    world.options["PARK_AFTER"] = "0.5"
    world.start()
    (world.settings.sessions_dir / "b").mkdir()

    def is_parked() -> bool:
        return state(world, "b") == "parked"

    world.turn("scene:remember", session_id="b")
    eventually(is_parked, 20, "it is parked")
    world.restart(die="just after the Claude of b was started")
    unasked = world.ask("never to be sent", session_id="b")
    world.wait_for_death()
    world.start()
    [*_, end] = world.follow(unasked)
    assert (end.name, end.data["code"]) == ("error", "submit_failed")
    second = world.turn("scene:remember", session_id="b")
    assert text_of(second) == "I remember 2 prompts.", second[-1]
    eventually(lambda: is_parked() and not claudes(world), 20, "all are parked")
    turn_id = world.ask("scene:remember", session_id="b")
    os.kill(eventually(lambda: claudes(world), 20, "Claude is started")[0], signal.SIGKILL)
    [*_, end] = world.follow(turn_id)
    assert end.name == "end" or end.data["code"] == "pane_died"
    known = 4 if end.name == "end" else 3
    assert text_of(world.turn("scene:remember", session_id="b")) == f"I remember {known} prompts."
    assert asked_for(api, unasked) == 0
    assert asked_for(api, turn_id) == known - 3
