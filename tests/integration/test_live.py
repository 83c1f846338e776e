"""Live text with the real Claude Code: each word as it is generated, and the same record as without."""

from __future__ import annotations

import json
import os
import signal
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from paliadin.base.settings import ensure_home
from paliadin.demo.scripted_api import ScriptedApi
from paliadin.relays.ssh.hosts import save_remote
from tests.integration.conftest import make_world
from tests.worlds.far import Far
from tests.worlds.processes import daemon_of, is_running
from tests.worlds.provisional import Client
from tests.worlds.script import PARAGRAPH
from tests.worlds.turns import check_whole, folder_of, kill, row_of
from tests.worlds.world import UNOPTIMIZED, Event, World, eventually, last, text_of

FAR = "main@far"
APP = "https://app.example"
ROWS = "id,title\nc47bd2,Appeal\nd8e1f0,Reply\n"


@pytest.fixture(scope="module")
def live_world(tmp_path_factory: pytest.TempPathFactory, claude: Path, api: tuple[ScriptedApi, str]) -> Iterator[World]:
    for world in make_world(tmp_path_factory.mktemp("live"), claude, api):
        world.options |= {"LIVE": "true", "ALLOWED_ORIGINS": APP}
        world.start()
        (world.workdir / "data.csv").write_text(ROWS)
        world.turn("Hello")  # Claude and the pass-through are there
        yield world


@pytest.fixture
def world(live_world: World) -> World:
    if running := live_world.get("history?limit=1")["running_turn"]:
        live_world.post(f"stream/{running}/abort")
        list(live_world.follow(running))
    return live_world


class Watched:
    """A turn that a client follows from its beginning, as the contract of the stream says."""

    def __init__(self, world: World, turn_id: str) -> None:
        self.client, self.events, self.shown = Client(), list[Event](), list[list[str]]()
        self.phases: list[str] = []
        self.provisional = 0  # how often something was shown early
        self._events = world.follow(turn_id)

    def until(self, name: str) -> Watched:
        """Follow on until an event of this name has come."""
        for event in self._events:
            self.events.append(event)
            self.client.take(event.name, event.data)
            self.shown.append(self.client.shown)
            self.provisional += bool(self.client.provisional)
            self.phases += [self.client.phase] if event.name == "activity" else []
            if event.name == name:
                break
        return self

    def to_end(self) -> Watched:
        return self.until("the end of the stream")

    @property
    def numbered(self) -> list[Event]:
        return [event for event in self.events if event.id is not None]


def ask(world: World, message: str) -> tuple[str, Watched]:
    turn_id = world.ask(message)
    return turn_id, Watched(world, turn_id)


def state_of(world: World, session: str = "main") -> dict[str, Any]:
    state: dict[str, Any] = json.loads((world.settings.home / "sessions" / session / "live" / "state.json").read_text())
    return state


def test_words_are_shown_before_their_line_is_confirmed_and_the_record_is_as_without(world: World) -> None:
    turn_id, seen = ask(world, "scene:paragraph")
    seen.to_end()
    assert seen.provisional > 50
    whole = PARAGRAPH + " See."
    assert all(whole.startswith("".join(shown)) for shown in seen.shown), "only the answer, without chip and trailer"
    assert {"preview", "activity"} <= {event.name for event in seen.events}
    check_whole(seen.numbered)
    assert text_of(seen.numbered) == whole
    assert [chip.data["id"] for chip in seen.numbered if chip.name == "chip"] == ["c47bd2"]
    assert seen.client.shown == [whole]
    assert [event.name for event in seen.numbered][-3:] == ["answered", "evidence", "end"]
    assert row_of(world, turn_id)["response"] == whole
    preview_log = folder_of(world, turn_id) / "live.jsonl"
    eventually(lambda: not preview_log.exists(), what="it is deleted")
    assert [event.name for event in world.follow(turn_id)] == [event.name for event in seen.numbered]


def test_thinking_writing_and_the_name_of_a_tool_are_told_as_they_are_generated(world: World) -> None:
    _, seen = ask(world, f"in:{world.workdir} scene:kinds")
    seen.to_end()
    told = [phase for phase in seen.phases if phase]
    assert told[:3] == ["thinking", "writing", "tool"]
    assert next(event.data["tool"] for event in seen.events if event.data.get("phase") == "tool") == "Read"
    assert text_of(seen.numbered) == "I look into it.\n\nI found it.\nThat is all."
    assert seen.client.shown == ["I look into it.", "I found it.\nThat is all."]


def test_what_a_subagent_writes_is_never_shown(world: World) -> None:
    _, seen = ask(world, "scene:helper")
    seen.to_end()
    assert "helper is done" in text_of(seen.numbered)
    assert not any("own words" in text for shown in seen.shown for text in shown)


def test_a_stream_that_breaks_is_asked_for_again_and_shown_once(world: World) -> None:
    _, seen = ask(world, f"scene:cut_paragraph {time.monotonic()}")
    seen.to_end()
    assert text_of(seen.numbered).count("First line.") == 1
    assert not any("".join(shown).count("The beginning of") > 1 for shown in seen.shown)
    assert seen.client.shown[-1].startswith("First line.\nThe beginning")


def test_an_answer_that_runs_into_the_output_limit_is_shown_as_one(world: World) -> None:
    (world.workdir / "data.csv").write_text("id,what\nc47bd2,defence\n")
    _, seen = ask(world, f"in:{world.workdir} scene:limit 3 tool")
    seen.to_end()
    assert [f"Part {number}, bro" in text_of(seen.numbered) for number in (1, 2, 3)] == [True, True, True]
    assert "content_reset" not in [event.name for event in seen.numbered]
    assert seen.client.shown == text_of(seen.numbered).split("\n\n")


@pytest.mark.parametrize("by", ["page", pytest.param("terminal", marks=pytest.mark.matrix)])
def test_stop_keeps_what_was_shown_and_the_record_says_that_it_is_not_confirmed(world: World, by: str) -> None:
    turn_id, seen = ask(world, "scene:paragraph")
    for _ in range(12):
        seen.until("preview")
    [before] = seen.client.shown
    if by == "page":
        world.post(f"stream/{turn_id}/abort")
    else:
        world.terminal.press(world.pane, "Escape")
    seen.to_end()
    assert last(seen.numbered, "end").data["aborted"] is True
    assert text_of(seen.numbered).startswith(before.rstrip())
    assert "".join(seen.client.shown) == text_of(seen.numbered)
    assert last(seen.numbered, "unconfirmed").data["length"] >= len(before.rstrip())
    row = row_of(world, turn_id)
    assert row["response"].startswith(before.rstrip())
    assert "You said" in text_of(world.turn("Hello"))


@pytest.mark.any_version
def test_who_joins_in_mid_word_gets_all_that_is_provisional(world: World) -> None:
    turn_id, seen = ask(world, "scene:paragraph")
    for _ in range(20):
        seen.until("preview")
    joined = Watched(world, turn_id).until("preview")
    assert joined.client.shown
    assert joined.client.shown[0].startswith(seen.client.shown[0])
    assert seen.to_end().client.shown == joined.to_end().client.shown


def test_the_next_question_may_be_asked_at_answered(world: World) -> None:
    first, seen = ask(world, "scene:paragraph quick")
    seen.until("answered")
    second = world.ask("Hello again")  # refused while a turn runs
    assert "You said" in text_of(list(world.follow(second)))
    assert seen.to_end().events[-1].name == "end"
    assert last(list(world.follow(first)), "end").data["usage"]["output_tokens"] == 20
    assert world.post(f"stream/{first}/abort").json() == {"aborted": False}


@pytest.mark.long
def test_the_daemon_may_die_and_the_answer_goes_on_as_live_as_before(world: World) -> None:
    turn_id, seen = ask(world, "scene:paragraph slowly")  # the next daemon comes before its end
    seen.until("preview")
    kill(world)
    world.start()
    again = Watched(world, turn_id).to_end()
    assert again.provisional > 5
    assert again.client.shown == [PARAGRAPH + " See."]
    assert [event.name for event in again.numbered].count("answered") == 1


@pytest.mark.long
def test_the_pass_through_may_die_and_claude_asks_again(world: World) -> None:
    _, seen = ask(world, "scene:paragraph")
    seen.until("preview").until("preview")
    child, port = state_of(world)["child"], state_of(world)["port"]
    os.kill(child, signal.SIGKILL)
    seen.to_end()
    assert text_of(seen.numbered) == PARAGRAPH + " See."
    assert seen.client.shown == [PARAGRAPH + " See."]
    assert (state_of(world)["port"], state_of(world)["child"] != child) == (port, True)
    _, next_one = ask(world, "scene:paragraph quick")
    assert next_one.to_end().provisional > 5


@pytest.mark.long
@pytest.mark.any_version
def test_a_stream_goes_on_when_the_parent_of_the_pass_through_is_killed(
    world: World, api: tuple[ScriptedApi, str]
) -> None:
    _, seen = ask(world, "scene:paragraph")
    seen.until("preview").until("preview")
    before, requests = state_of(world), len(api[0].requests)
    os.kill(before["pid"], signal.SIGKILL)
    assert text_of(seen.to_end().numbered) == PARAGRAPH + " See."
    assert len(api[0].requests) == requests, "Claude asked again"
    _, next_one = ask(world, "scene:paragraph quick")
    assert next_one.to_end().provisional > 5
    assert (state_of(world)["port"], state_of(world)["pid"] != before["pid"]) == (before["port"], True)


@pytest.mark.any_version
def test_a_pass_through_that_is_gone_altogether_is_started_again_at_its_port(world: World) -> None:
    before = state_of(world)
    os.kill(before["pid"], signal.SIGKILL)
    os.kill(before["child"], signal.SIGKILL)
    _, seen = ask(world, "scene:paragraph quick")
    assert text_of(seen.to_end().numbered) == PARAGRAPH + " See."
    after = eventually(lambda: state_of(world), what="it is there again")
    assert after["port"] == before["port"]
    assert after["pid"] != before["pid"]


@pytest.mark.any_version
def test_its_secret_stands_in_no_argument_list(world: World) -> None:
    folder = world.settings.home / "sessions" / "main" / "live"
    secret = json.loads((folder / "config.json").read_text())["secret"]
    assert all(path.stat().st_mode & 0o077 == 0 for path in [folder, *folder.iterdir()])
    commands = [path.read_bytes() for path in Path("/proc").glob("[0-9]*/cmdline") if _readable(path)]
    assert any(str(folder).encode() in command for command in commands)
    assert not any(secret.encode() in command for command in commands)


def _readable(path: Path) -> bool:
    try:
        path.read_bytes()
    except OSError:
        return False
    return True


@pytest.mark.any_version
def test_the_system_prompt_asks_for_no_sentence_per_line(world: World, api: tuple[ScriptedApi, str]) -> None:
    world.turn("Hello")
    assert "one sentence per line" not in api[0].requests[-1][1].system
    assert "[/paliadin-meta]" in api[0].requests[-1][1].system


@pytest.mark.long
@pytest.mark.any_version
def test_it_costs_no_process_and_no_word_when_it_is_switched_off_again(
    world: World, api: tuple[ScriptedApi, str]
) -> None:
    """Claude comes back with the conversation, and with the system prompt of now."""
    world.stop()
    before = state_of(world)
    world.options["LIVE"] = "false"
    try:
        world.terminal.press(world.pane, "C-c", "C-c")
        eventually(lambda: world.terminal.capture(world.pane).dead, 20, "Claude has ended")
        world.start()
        events = world.turn("scene:remember")
        assert events[-1].name == "end", events[-1]
        assert "preview" not in {event.name for event in events}
        # Not the last request of all: Claude Code asks for more than the answer, when it likes to.
        asked = [each for _, each in api[0].requests if "scene:remember" in each.user_text]
        assert "Write one sentence per line" in asked[-1].system
        assert list(world.terminal.panes()) == ["main"]
        eventually(lambda: not is_running(before["pid"]), 20, "it has ended")
        assert "live" not in [part["name"] for part in world.get("health")["parts"]]
    finally:
        world.stop()
        world.options["LIVE"] = "true"
        world.terminal.press(world.pane, "C-c", "C-c")
        eventually(lambda: world.terminal.capture(world.pane).dead, 20, "Claude has ended")
        world.start()
    assert daemon_of(world)


@pytest.fixture
def near(tmp_path: Path, one_claude: Path, api: tuple[ScriptedApi, str]) -> Iterator[World]:
    """A daemon that knows a host where text is live."""
    far = Far(tmp_path / "far", one_claude, api[1], settings={"live": True}, variables=UNOPTIMIZED)
    try:
        for world in make_world(tmp_path, one_claude, api):
            ensure_home(world.settings)
            far.start()
            save_remote(world.settings.home, far.remote())
            world.start()
            yield world
    finally:
        far.close()


@pytest.mark.long
def test_a_session_on_another_host_is_as_live(near: World, tmp_path: Path) -> None:
    """That host runs a pass-through of its own; what is provisional comes over the same channel."""
    eventually(lambda: _state_there(near) == "ready", 40, "the session there is up")
    turn_id = near.ask("scene:paragraph", session_id=FAR)
    seen = Watched(near, turn_id).to_end()
    assert seen.provisional > 20
    assert text_of(seen.numbered) == PARAGRAPH + " See."
    assert seen.client.shown == [PARAGRAPH + " See."]
    logs = [folder_of(near, turn_id), next(tmp_path.glob(f"far/state/shims/*/turns/*/{turn_id}"))]
    eventually(lambda: not any((folder / "live.jsonl").exists() for folder in logs), what="they are deleted")
    parts = near.get(f"health?session_id={FAR}")["parts"]
    assert next(part["state"] for part in parts if part["name"] == "live") == "on"


def _state_there(world: World) -> str:
    return next((each["state"] for each in world.get("sessions")["sessions"] if each["name"] == FAR), "")


@pytest.mark.long
@pytest.mark.any_version
def test_a_members_answer_is_as_live_as_the_owners(world: World) -> None:
    """Their Claude has no tools, by which the owner's requests for an answer are told from others with 2.1.197."""
    token = world.post("embed-token", {"origin": APP, "person": "ada"}).json()["token"]
    headers = {"Authorization": f"Bearer {token}", "Origin": APP}
    with world.client(headers=headers) as client:
        body = {"user_message": "scene:paragraph quick"}
        turn_id = client.post("/api/paliadin/turn", json=body).json()["turn_id"]
    seen = Watched(world, turn_id).to_end()
    assert seen.provisional > 20
    assert text_of(seen.numbered) == PARAGRAPH + " See."


@pytest.mark.long
@pytest.mark.any_version
def test_a_pass_through_that_could_not_be_started_again_is_tried_again(world: World) -> None:
    """Also when a daemon was killed while it did so, or its port was taken for a while."""
    before = state_of(world)
    state = world.settings.home / "sessions" / "main" / "live" / "state.json"
    os.kill(before["pid"], signal.SIGKILL)
    eventually(lambda: not is_running(before["child"]), 20, "the child has let go")
    with socket.create_server(("127.0.0.1", before["port"]), reuse_port=False):
        eventually(
            lambda: world.get("health") and json.loads(state.read_text())["state"] == "off",
            30,
            "whoever looks starts it again, which fails",
        )
    state.unlink()
    _, seen = ask(world, "scene:paragraph quick")
    assert text_of(seen.to_end().numbered) == PARAGRAPH + " See."
    assert state_of(world)["port"] == before["port"]
