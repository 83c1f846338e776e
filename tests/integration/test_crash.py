"""The daemon, Claude, tmux and Postgres are killed at chosen points of a turn: nothing is lost, nothing comes twice."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from paliadin.demo.scripted_api import ScriptedApi
from paliadin.relays.terminal.screen import State, read_screen
from tests.integration.conftest import make_world
from tests.worlds.script import BEHIND, PLAN, STEADY
from tests.worlds.turns import asked_for, check_whole, database_is, kill, rest_of, row_of, servers, watched_until
from tests.worlds.world import Event, World, eventually, last, text_of

pytestmark = pytest.mark.timeout(180)
MATRIX = pytest.mark.matrix
Api = tuple[ScriptedApi, str]


@pytest.fixture
def world(lent_world: World) -> World:
    return lent_world


def state(world: World) -> State:
    return read_screen(world.screen()).state


def goes_on(world: World, api: Api, question: str = "And now?") -> None:
    """The next question arrives as it is, alone, and is answered."""
    turn_id = world.ask(question)
    assert list(world.follow(turn_id))[-1].name == "end", list(world.follow(turn_id))
    assert api[0].requests[-1][1].user_text == f"[PALIADIN:{turn_id}] {question}"


def began_anew(world: World) -> None:
    assert world.post("reset", {"session_id": "main"}).status_code == 200


# The daemon.


@pytest.mark.parametrize("point", [pytest.param("before typing", marks=MATRIX), "between typing and Enter"])
def test_a_daemon_killed_before_enter_never_sends_the_question(world: World, api: Api, point: str) -> None:
    world.turn("Hello")
    world.restart(die=point)
    turn_id = world.ask("never to be sent")
    world.wait_for_death()
    world.start()
    events = list(world.follow(turn_id))
    check_whole(events)
    assert (events[-1].name, events[-1].data["code"]) == ("error", "submit_failed")
    assert row_of(world, turn_id)["error_code"] == "submit_failed"
    goes_on(world, api)
    assert asked_for(api, turn_id) == 0


def test_a_daemon_killed_just_after_enter_has_sent_the_question_once(world: World, api: Api) -> None:
    world.restart(die="just after Enter")
    turn_id = world.ask("scene:steady entered")
    world.wait_for_death()
    world.start()
    events = rest_of(world, turn_id, [])
    check_whole(events)
    assert text_of(events) == "\n".join(STEADY)
    assert row_of(world, turn_id)["response"] == text_of(events)
    assert asked_for(api, turn_id) == 1
    goes_on(world, api)


@pytest.mark.long
def test_a_question_that_claude_code_reports_only_to_the_next_daemon_is_not_given_up(fresh_world: World) -> None:
    """As one with pictures on a machine that is busy."""
    world = fresh_world
    world.start()
    world.turn("Hello")
    for hook in world.settings.home.glob("plugin/*/hooks/submit.sh"):
        hook.write_text(f"sleep 4\n{hook.read_text()}")
    world.restart(die="just after Enter")
    turn_id = world.ask("scene:steady late")
    world.wait_for_death()
    world.start()
    events = rest_of(world, turn_id, [])
    check_whole(events)
    assert text_of(events) == "\n".join(STEADY), events[-1]
    assert asked_for((world.api, ""), turn_id) == 1


@pytest.mark.first(1)
@pytest.mark.parametrize("point", ["before Escape", "just after Escape"])
def test_a_daemon_killed_while_it_stops_a_turn_leaves_one_that_ends(world: World, api: Api, point: str) -> None:
    world.restart(die=point)
    turn_id = world.ask("scene:steady stopped")
    events: list[Event] = []
    watched_until(world, turn_id, "content_delta", events)
    with pytest.raises(Exception, match=r"(?i)disconnected|reset|closed"):
        world.post(f"stream/{turn_id}/abort")
    world.wait_for_death()
    world.start()
    events += rest_of(world, turn_id, events)
    check_whole(events)
    assert events[-1].name == "end"
    assert events[-1].data["aborted"] is (point == "just after Escape")
    assert row_of(world, turn_id)["response"] == text_of(events).strip()
    goes_on(world, api)


def test_a_daemon_killed_between_stop_and_the_row_writes_the_row_later(world: World, api: Api) -> None:
    world.restart(die="after Stop, before the row")
    turn_id = world.ask("How are you?")
    world.wait_for_death()
    world.start()
    events = list(world.follow(turn_id))
    check_whole(events)
    row = row_of(world, turn_id)
    assert (row["response"], row["usage"]) == (text_of(events), events[-1].data["usage"])
    assert asked_for(api, turn_id) == 1


@pytest.mark.long
def test_a_daemon_killed_while_an_agent_asks_in_the_background_shows_it_again_and_passes_the_reply_on(
    world: World,
) -> None:
    world.turn(f"scene:behind in:{world.workdir}")
    BEHIND.asks.set()
    turn_id = eventually(lambda: asked_by_an_agent(world), 20, "the agent asks")
    kill(world)
    world.start()
    assert world.get("conversations")["conversations"][0]["background_tasks"] == 1
    events: list[Event] = []
    watched_until(world, turn_id, "interrupt", events)
    reply = {"interrupt_id": last(events, "interrupt").data["id"], "value": "allow"}
    assert world.post(f"stream/{turn_id}/answer", reply).status_code == 200
    events += world.follow(turn_id, after=len(events))
    check_whole(events)
    assert (last(events, "interrupt_resolved").data["by"], events[-1].name) == ("page", "end")
    eventually((world.workdir / "behind.txt").exists, 20, "the agent has written its file")
    assert row_of(world, turn_id)["origin"] == "agent"
    eventually(lambda: not world.get("conversations")["conversations"][0]["background_tasks"], 20, "it has reported")


def test_a_daemon_killed_while_a_plan_waits_shows_it_again_as_it_is_now_and_passes_the_reply_on(world: World) -> None:
    began_anew(world)
    turn_id, events = world.ask(f"scene:plan written in:{world.workdir}"), list[Event]()
    shown: list[str] = []
    while not shown:
        watched_until(world, turn_id, "interrupt", events)
        asked = last(events, "interrupt").data
        if "planFilePath" in asked["input"]:
            shown.append(asked["input"]["plan"])
        else:  # 2.1.197 asks for EnterPlanMode
            world.post(f"stream/{turn_id}/answer", {"interrupt_id": asked["id"], "value": "allow"})
    kill(world)
    Path(asked["input"]["planFilePath"]).write_text("# Changed meanwhile")
    world.start()
    for event in world.follow(turn_id, after=len(events)):
        events.append(event)
        if event.name == "interrupt":
            shown.append(event.data["input"].get("plan", ""))
            world.post(f"stream/{turn_id}/answer", {"interrupt_id": event.data["id"], "value": "allow"})
    check_whole(events)
    assert shown[:2] == [PLAN, "# Changed meanwhile"]
    assert (text_of(events), events[-1].name) == ("It is carried out.", "end")


def asked_by_an_agent(world: World) -> str | None:
    """The id of the turn in which an agent asks for something now."""
    turns = world.get("history?session_id=main&limit=5")["turns"]
    return next((turn["turn_id"] for turn in turns if turn["asked_by"] and turn["running"]), None)


# Claude and its terminal.


def claude_pid(world: World) -> int:
    return world.terminal.capture(world.pane).pid


def kill_claude(world: World) -> None:
    os.kill(claude_pid(world), signal.SIGKILL)


def kill_tmux(world: World) -> None:
    listed = world.terminal._run("display-message", "-p", "#{pid}")
    world.terminal.close()
    os.kill(int(listed[0]), signal.SIGKILL)


@pytest.mark.first(1)
@pytest.mark.parametrize("killed", [kill_claude, kill_tmux], ids=["claude", "tmux"])
def test_what_is_killed_under_a_turn_ends_it_soon_and_comes_back_with_its_conversation(
    world: World, api: Api, killed: Callable[[World], None]
) -> None:
    began_anew(world)
    world.turn("scene:remember")
    turn_id = world.ask("scene:steady killed")
    events: list[Event] = []
    watched_until(world, turn_id, "content_delta", events)
    killed(world)
    events += world.follow(turn_id, after=len(events))
    check_whole(events)
    assert (events[-1].name, events[-1].data["code"]) == ("error", "pane_died")
    assert row_of(world, turn_id)["error_code"] == "pane_died"
    assert row_of(world, turn_id)["response"] == text_of(events).strip()
    after = world.turn("scene:remember")
    assert text_of(after) == "I remember 3 prompts.", (after[-1].data, world.screen())
    goes_on(world, api)


@pytest.mark.long
@pytest.mark.parametrize("killed", [kill_claude, pytest.param(kill_tmux, marks=MATRIX)], ids=["claude", "tmux"])
def test_what_is_killed_between_turns_comes_back_with_its_conversation(
    world: World, killed: Callable[[World], None]
) -> None:
    began_anew(world)
    world.turn("Hello")
    killed(world)
    after = world.turn("scene:remember")
    assert text_of(after) == "I remember 2 prompts.", (after[-1].data, world.screen())


@pytest.mark.long
def test_a_conversation_of_which_nothing_was_written_is_begun_anew(tmp_path: Path, claude: Path, api: Api) -> None:
    """A machine that was switched off may leave a transcript without any of it, and --resume then ends at once."""
    for world in make_world(tmp_path, claude, api):
        world.start()
        world.turn("Hello")
        [transcript] = (world.root / "claude" / ".claude" / "projects").glob("*/*.jsonl")
        kill_claude(world)
        transcript.write_text('{"type": "summary"}\n')
        after = world.turn("scene:remember")
        assert text_of(after) == "I remember 1 prompts.", (after[-1].data, world.screen())


@pytest.mark.long
def test_claude_killed_while_a_question_is_typed_gets_it_once_when_it_is_back(world: World, api: Api) -> None:
    """And no shell does: the question would write a file."""
    world.turn("Hello")
    marker = world.root / "a-shell-ran-this"
    body = f"touch {marker}\n" * 200
    turn_id = world.ask(f"x\n{body}")
    eventually(lambda: state(world) is State.DRAFT, what="it types")
    kill_claude(world)
    events = list(world.follow(turn_id))
    check_whole(events)
    assert events[-1].name == "end"
    assert asked_for(api, turn_id) == 1
    assert api[0].requests[-1][1].user_text == f"[PALIADIN:{turn_id}] x\n{body}".strip()
    goes_on(world, api)
    assert not marker.exists()


@pytest.mark.long
def test_a_claude_that_is_stopped_is_woken(world: World) -> None:
    turn_id = world.ask("scene:steady asleep")
    events: list[Event] = []
    watched_until(world, turn_id, "content_delta", events)
    os.kill(claude_pid(world), signal.SIGSTOP)
    events += world.follow(turn_id, after=len(events))
    assert text_of(events) == "\n".join(STEADY)


# The database.


@pytest.mark.long
def test_a_database_that_hangs_for_a_while_stops_no_turn_and_its_rows_follow(world: World) -> None:
    world.turn("before")
    stopped = servers(world)
    for pid in stopped:
        os.kill(pid, signal.SIGSTOP)
    try:
        began = time.monotonic()
        turn_id = world.ask("in between")
        events = list(world.follow(turn_id))
        assert events[-1].name == "end"
        assert time.monotonic() - began < 30
    finally:
        for pid in stopped:
            os.kill(pid, signal.SIGCONT)
    assert row_of(world, turn_id)["response"] == text_of(events)
    eventually(lambda: database_is(world, True), 30, "the database is back")


@pytest.mark.long
def test_connections_to_the_database_that_are_cut_lose_no_row(world: World) -> None:
    turn_id = world.ask("scene:steady cut off")
    events: list[Event] = []
    watched_until(world, turn_id, "content_delta", events)
    for pid in servers(world)[1:]:
        command = subprocess.run(["ps", "-o", "args=", str(pid)], capture_output=True, text=True, check=False).stdout
        if "paliadin" in command:  # a connection's own process
            os.kill(pid, signal.SIGTERM)
    events += world.follow(turn_id, after=len(events))
    check_whole(events)
    row = row_of(world, turn_id)
    assert (row["response"], row["usage"]) == (text_of(events), last(events, "end").data["usage"])


# Clients.


@pytest.mark.long
def test_a_client_that_comes_back_two_hundred_times_has_everything_once(world: World) -> None:
    turn_id = world.ask("scene:steady again and again")
    events: list[Event] = []
    for _ in range(200):
        for event in world.follow(turn_id, after=len(events)):
            events.append(event)
            break
        if events[-1].name in {"end", "error"}:
            break
    events += world.follow(turn_id, after=len(events))
    check_whole(events)
    assert text_of(events) == "\n".join(STEADY)
    assert list(world.follow(turn_id)) == events


@pytest.mark.long
def test_a_log_that_is_cut_by_hand_in_mid_turn_ends_the_turn_all_the_same(world: World, api: Api) -> None:
    turn_id = world.ask("scene:steady cut by hand")
    events: list[Event] = []
    watched_until(world, turn_id, "content_delta", events, 3)
    [folder] = world.settings.response_dir.glob(f"*/{turn_id}")
    (folder / "events.jsonl").write_text("")
    events += rest_of(world, turn_id, events)
    assert events[-1].name == "end"
    assert text_of(events) == "\n".join(STEADY)
    goes_on(world, api)


def test_the_daemon_ends_whatever_happens_to_its_own_parts(world: World) -> None:
    kill(world)
    world.start()
    world.stop()
    eventually(lambda: not (world.settings.home / "postgres" / "data" / "postmaster.pid").exists(), 10)
