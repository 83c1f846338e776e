"""What people's own Claude Code does: output limits, hooks of their own, words typed beside. Nothing of it is lost."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from paliadin.demo.scripted_api import ScriptedApi
from paliadin.relays.terminal.screen import State, read_screen
from tests.integration.conftest import make_world
from tests.worlds.turns import check_whole, folder_of, item_of, kill, row_of, watched_until
from tests.worlds.world import Event, World, eventually, last, text_of

pytestmark = [pytest.mark.timeout(180)]
BOTH = pytest.mark.both_versions
MATRIX = pytest.mark.matrix
Api = tuple[ScriptedApi, str]
ONCE = """\
#!/bin/sh
# Runs the line that its test has put into {folder}/$1, once; later lines are for later calls.
file={folder}/$1
[ -s "$file" ] || exit 0
line=$(head -n 1 "$file")
tail -n +2 "$file" >"$file.rest" && mv "$file.rest" "$file"
eval "$line"
"""


class Hooks:
    """The owner's own hooks: each does what its test has said for its next calls."""

    def __init__(self, root: Path) -> None:
        self.folder = root / "hooks"
        self.folder.mkdir()
        script = self.folder / "run.sh"
        script.write_text(ONCE.format(folder=self.folder))
        script.chmod(0o755)
        events = ("Stop", "UserPromptSubmit", "PreToolUse", "PostToolUse")
        hooks = {name: [{"hooks": [{"type": "command", "command": f"{script} {name}"}]}] for name in events}
        (root / "claude/.claude").mkdir(exist_ok=True)
        (root / "claude/.claude/settings.json").write_text(json.dumps({"prefersReducedMotion": True, "hooks": hooks}))

    def will(self, event: str, *lines: str) -> None:
        """Say what the next calls of the hook do, a line of shell each."""
        (self.folder / event).write_text("".join(f"{line}\n" for line in lines))


@pytest.fixture(scope="module")
def hooked(tmp_path_factory: pytest.TempPathFactory, claude: Path, api: Api) -> Iterator[tuple[World, Hooks]]:
    """A world whose owner has hooks of their own."""
    for world in make_world(tmp_path_factory.mktemp("own"), claude, api):
        hooks = Hooks(world.root)
        world.start()
        yield world, hooks


BLOCK = """echo '{"decision": "block", "reason": "Go on, please"}'"""
SLOWLY = "sleep 1.5; echo 'Go on, please' >&2; exit 2"
CONTEXT = """echo '{"hookSpecificOutput": {"hookEventName": "Stop", "additionalContext": "Do more"}}'"""


def names(events: list[Event]) -> list[str]:
    return [event.name for event in events]


# The output limit.


@pytest.mark.parametrize("words", [pytest.param("1", marks=MATRIX), pytest.param("3 tool", marks=BOTH)])
def test_an_answer_that_runs_into_the_output_limit_has_all_its_parts_in_their_order(shared: World, words: str) -> None:
    (shared.workdir / "data.csv").write_text("id,what\nc47bd2,defence\n")
    events = shared.turn(f"Please in:{shared.workdir} scene:limit {words}")
    check_whole(events)
    cuts = int(words[0])
    parts = [f"Part {number}, line one.\nPart {number}, line two.\nPart {number}, bro" for number in range(1, cuts + 1)]
    looked = ["Let me look."] if "tool" in words else []
    whole = "\n\n".join([*looked, *parts, f"ken off.\nPart {cuts + 1} is the last."])
    assert text_of(events) == whole
    assert "content_reset" not in names(events)
    turn_id = events[0].data["turn_id"]
    assert row_of(shared, turn_id)["response"] == whole
    assert (folder_of(shared, turn_id) / "response.md").read_text().strip() == whole


def test_a_limit_that_ends_the_turn_for_good_keeps_what_was_written_and_says_why(shared: World) -> None:
    events = shared.turn("scene:limit 9")
    assert text_of(events).count("line two") == 4
    assert "output token maximum" in last(events, "error").data["message"]


@BOTH
def test_what_was_written_before_a_refusal_stays_when_claude_goes_on(shared: World) -> None:
    """2.1.330 goes on once; 2.1.197 ends the turn."""
    events = shared.turn("scene:refusal")
    assert text_of(events).startswith("I would begin.\nBut")
    if "Something else then." in text_of(events):
        assert last(events, "end").data["aborted"] is False
    else:
        assert "Usage Policy" in last(events, "error").data["message"]


@pytest.mark.long
def test_a_daemon_that_is_killed_at_the_limit_loses_no_part(lent_world: World) -> None:
    turn_id = lent_world.ask("scene:limit 3")
    events: list[Event] = []
    watched_until(lent_world, turn_id, "content_delta", events, 4)
    kill(lent_world)
    lent_world.start()
    whole = list(lent_world.follow(turn_id))
    check_whole(whole)
    assert whole[: len(events)] == events
    assert [f"Part {number}, bro" in text_of(whole) for number in (1, 2, 3)] == [True, True, True]
    assert "content_reset" not in names(whole)


def test_a_turn_that_is_compacted_in_its_middle_is_whole_and_counted(lent_world: World) -> None:
    """2.1.330; 2.1.197 does not compact here."""
    (lent_world.workdir / "data.csv").write_text("id,what\nc47bd2,defence\n")
    events = lent_world.turn(f"in:{lent_world.workdir} scene:fills_up")
    check_whole(events)
    assert text_of(events).startswith("I look.\n\nMuch is known.\n\n")
    log = (folder_of(lent_world, events[0].data["turn_id"]) / "events.jsonl").read_text()
    assert '"PreCompact"' in log
    assert last(events, "end").data["usage"]["input_tokens"] > 990_000


# Stop hooks of the owner's.


@pytest.mark.parametrize(
    ("lines", "rounds"),
    [
        pytest.param([BLOCK], 1, marks=MATRIX),
        ([SLOWLY, BLOCK, BLOCK], 3),
        pytest.param([CONTEXT], 1, marks=MATRIX),
    ],
)
def test_a_turn_ends_when_claude_does_and_not_when_a_stop_hook_makes_it_go_on(
    hooked: tuple[World, Hooks], lines: list[str], rounds: int
) -> None:
    world, hooks = hooked
    hooks.will("Stop", *lines)
    events = world.turn("scene:goes_on")
    check_whole(events)
    if lines != [CONTEXT]:  # its words are no prompt: each round says the same
        assert text_of(events) == "\n\n".join(f"Round {number}.\nI am done." for number in range(rounds + 1))
    assert text_of(events).count("I am done.") == rounds + 1
    texts = [number for number, event in enumerate(events) if event.name == "content_delta"]
    assert names(events).index("answered") > texts[-1]
    assert world.turn("And now?")[-1].name == "end"  # the next question is asked at once


@pytest.mark.long
def test_a_permission_after_a_stop_that_did_not_hold_waits_for_its_reply(hooked: tuple[World, Hooks]) -> None:
    world, hooks = hooked
    hooks.will("Stop", BLOCK)
    turn_id = world.ask(f"in:{world.workdir} ask scene:goes_on ask")
    events: list[Event] = []
    watched_until(world, turn_id, "interrupt", events)
    interrupt = last(events, "interrupt").data["id"]
    assert world.post(f"stream/{turn_id}/answer", {"interrupt_id": interrupt, "value": "allow"}).status_code < 300
    events += list(world.follow(turn_id, after=len(events)))
    assert last(events, "interrupt_resolved").data["by"] == "page"
    assert (world.workdir / "goes_on.txt").read_text() == "done\n"
    assert names(events)[-1] == "end"


def test_a_daemon_killed_while_a_stop_hook_keeps_claude_going_loses_nothing(hooked: tuple[World, Hooks]) -> None:
    world, hooks = hooked
    hooks.will("Stop", "sleep 3; echo 'Go on' >&2; exit 2")
    turn_id = world.ask("scene:goes_on")
    eventually(lambda: "stop_hook_active" in (folder_of(world, turn_id) / "events.jsonl").read_text(), 20, "Stop")
    kill(world)
    world.start()
    events = list(world.follow(turn_id))
    check_whole(events)
    assert text_of(events) == "Round 0.\nI am done.\n\nRound 1.\nI am done."


def test_stop_ends_a_turn_that_a_stop_hook_keeps_going(hooked: tuple[World, Hooks]) -> None:
    world, hooks = hooked
    hooks.will("Stop", "echo 'Go on' >&2; exit 2")
    turn_id = world.ask("scene:held")
    events: list[Event] = []
    watched_until(world, turn_id, "content_delta", events)
    assert world.post(f"stream/{turn_id}/abort").status_code < 300
    events += list(world.follow(turn_id, after=len(events)))
    assert last(events, "end").data["aborted"] is True


def test_stop_while_a_stop_hook_still_runs_ends_the_turn_as_stopped(hooked: tuple[World, Hooks]) -> None:
    world, hooks = hooked
    for _ in range(2):
        hooks.will("Stop", "sleep 20; " + BLOCK)
        turn_id = world.ask("scene:goes_on")
        log = folder_of(world, turn_id) / "events.jsonl"
        eventually(lambda log=log: '"Stop"' in log.read_text(), 20, "Stop")
        assert world.post(f"stream/{turn_id}/abort").json() == {"aborted": True}
        events = list(world.follow(turn_id))
        check_whole(events)
        assert (text_of(events), last(events, "end").data["aborted"]) == ("Round 0.\nI am done.", True)
        assert "answered" not in names(events)


# Hooks that stop something.


@BOTH
def test_a_question_that_an_own_hook_blocks_is_refused_with_the_hooks_words(hooked: tuple[World, Hooks]) -> None:
    world, hooks = hooked
    hooks.will("UserPromptSubmit", "echo 'Not in this house' >&2; exit 2")
    events = world.turn("scene:silent")
    error = last(events, "error").data
    assert error["code"] == "stopped_by_hook"
    assert "Not in this house" in error["message"]
    assert world.turn("scene:silent")[-1].name == "end"


def test_a_question_that_an_own_hook_stops_is_refused_with_the_hooks_words(hooked: tuple[World, Hooks]) -> None:
    world, hooks = hooked
    hooks.will("UserPromptSubmit", """echo '{"continue": false, "stopReason": "Not before noon"}'""")
    error = last(world.turn("scene:silent"), "error").data
    assert (error["code"], error["message"]) == (
        "stopped_by_hook",
        "a hook of your Claude Code stopped this: Not before noon",
    )
    assert world.turn("scene:silent")[-1].name == "end"


@pytest.mark.parametrize("event", ["PostToolUse", pytest.param("PreToolUse", marks=MATRIX)])
def test_a_turn_that_an_own_hook_stops_ends_with_its_words(hooked: tuple[World, Hooks], event: str) -> None:
    world, hooks = hooked
    (world.workdir / "data.csv").write_text("id,what\nc47bd2,defence\n")
    hooks.will(event, """echo '{"continue": false, "stopReason": "Enough for today"}'""")
    events = world.turn(f"in:{world.workdir} scene:read")
    error = last(events, "error").data
    assert (error["code"], "Enough for today" in error["message"]) == ("stopped_by_hook", True)
    assert text_of(events) == "Let me look."


# Typed in the terminal while Claude works.


def type_beside(world: World, text: str) -> None:
    """As a person at the terminal, through a tmux of their own."""
    target = ["tmux", "-L", world.settings.tmux_socket, "send-keys", "-t", f"={world.settings.tmux_session}:main"]
    subprocess.run([*target, "-l", f"{text} "], check=True)
    eventually(lambda: text in read_screen(world.screen()).text, what="it is drawn")
    subprocess.run([*target, "Enter"], check=True)
    eventually(lambda: text not in read_screen(world.screen()).draft, what="Claude has taken it")


def latest(world: World) -> dict[str, Any]:
    turn: dict[str, Any] = world.get("history?session_id=main&limit=1")["turns"][-1]
    return turn


@BOTH
def test_a_question_typed_while_claude_answers_is_a_turn_of_its_own(shared: World) -> None:
    turn_id = shared.ask("scene:steady")
    events: list[Event] = []
    watched_until(shared, turn_id, "content_delta", events)
    type_beside(shared, f"in:{shared.workdir} scene:permission")
    list(shared.follow(turn_id, after=len(events)))
    beside = eventually(lambda: turn if (turn := latest(shared))["turn_id"] != turn_id else None, 20, "its own turn")
    assert (beside["origin"], beside["user_message"]) == ("terminal", f"in:{shared.workdir} scene:permission")
    mine: list[Event] = []
    watched_until(shared, beside["turn_id"], "interrupt", mine)
    interrupt = last(mine, "interrupt").data["id"]
    shared.post(f"stream/{beside['turn_id']}/answer", {"interrupt_id": interrupt, "value": "allow"})
    mine += list(shared.follow(beside["turn_id"], after=len(mine)))
    check_whole(mine)
    assert text_of(mine).endswith("It was done.")
    assert item_of(shared, turn_id)["response"].count("Line") == 40
    eventually(lambda: read_screen(shared.screen()).state is State.READY, what="Claude waits")


@pytest.mark.long
def test_two_questions_typed_while_claude_answers_are_both_recorded(shared: World) -> None:
    """2.1.330 answers them together, 2.1.197 one after the other."""
    turn_id = shared.ask("scene:steady")
    events: list[Event] = []
    watched_until(shared, turn_id, "content_delta", events)
    for text in ("first beside", "second beside"):
        type_beside(shared, text)
    list(shared.follow(turn_id, after=len(events)))

    def recorded_beside() -> bool:
        turns = shared.get("history?session_id=main&limit=3")["turns"]
        asked = "\n\n".join(turn["user_message"] for turn in turns if turn["turn_id"] > turn_id)
        return asked == "first beside\n\nsecond beside" and not any(turn["running"] for turn in turns)

    eventually(recorded_beside, 30, "both are recorded")
    eventually(lambda: read_screen(shared.screen()).state is State.READY, what="Claude waits")


def while_a_tool_runs(world: World) -> tuple[str, list[Event]]:
    """Ask for a tool that waits, and return the turn and its events when it does."""
    turn_id, events = world.ask(f"in:{world.workdir} scene:waits_for_file"), list[Event]()
    watched_until(world, turn_id, "interrupt", events)
    interrupt = last(events, "interrupt").data["id"]
    world.post(f"stream/{turn_id}/answer", {"interrupt_id": interrupt, "value": "allow"})
    eventually((world.workdir / "begun").exists, 20, "the tool runs")
    return turn_id, events


@BOTH
def test_words_typed_while_a_tool_runs_are_shown_in_the_turn_that_they_join(shared: World) -> None:
    turn_id, events = while_a_tool_runs(shared)
    type_beside(shared, "and the other one")
    (shared.workdir / "enough").touch()
    events += list(shared.follow(turn_id, after=len(events)))
    check_whole(events)
    joined = last(events, "joined").data
    assert (joined["text"], joined["after"]) == ("and the other one", last(events, "tool_result").data["id"])
    assert names(events)[-1] == "end"
    assert latest(shared)["turn_id"] == turn_id
    for turn in (item_of(shared, turn_id), row_of(shared, turn_id)):  # also once its folder is gone
        [words] = turn["joined"]
        before, reply = turn["response"][: words["at"]], turn["response"][words["at"] :]
        assert (words["text"], before) == ("and the other one", "I wait.")
        assert reply.strip()
    found = shared.get("conversations?q=and the other")["conversations"]
    assert "and the other one" in found[0]["match"]["excerpt"]
    with shared.client() as client:
        exported = client.get("/api/paliadin/export?session_id=main&format=md").text
    assert "*Typed in the terminal meanwhile:*\n\n> and the other one\n" in exported


@pytest.mark.long
def test_stop_stops_the_turn_and_not_what_was_typed_meanwhile(shared: World) -> None:
    """Claude Code begins that at once, as a turn of its own."""
    turn_id, _ = while_a_tool_runs(shared)
    (shared.workdir / "begun").unlink()
    type_beside(shared, "scene:steady typed meanwhile")
    assert shared.post(f"stream/{turn_id}/abort").json() == {"aborted": True}
    assert last(list(shared.follow(turn_id)), "end").data["aborted"] is True
    beside = eventually(lambda: turn if (turn := latest(shared))["turn_id"] != turn_id else None, 20, "its own turn")
    mine = list(shared.follow(beside["turn_id"]))
    check_whole(mine)
    assert text_of(mine).count("Line") == 40
    end = last(mine, "end").data
    assert (end["aborted"], end["usage"]["output_tokens"] > 0) == (False, True)
    eventually(lambda: read_screen(shared.screen()).state is State.READY, what="Claude waits")


def test_a_typed_question_that_an_own_hook_blocks_ends_with_its_words(hooked: tuple[World, Hooks]) -> None:
    world, hooks = hooked
    before = world.ask("scene:silent")
    list(world.follow(before))
    hooks.will("UserPromptSubmit", "echo 'Not by hand either' >&2; exit 2")
    type_beside(world, "scene:silent typed")
    typed = eventually(lambda: turn if (turn := latest(world))["turn_id"] != before else None, 20, "its own turn")
    error = last(list(world.follow(typed["turn_id"])), "error").data
    assert (error["code"], "Not by hand either" in error["message"]) == ("stopped_by_hook", True)
    assert world.turn("scene:silent")[-1].name == "end"


@pytest.mark.long
def test_what_is_typed_beside_while_the_daemon_is_dead_is_recorded(lent_world: World) -> None:
    turn_id = lent_world.ask("scene:steady")
    events: list[Event] = []
    watched_until(lent_world, turn_id, "content_delta", events)
    kill(lent_world)
    type_beside(lent_world, "typed beside a dead daemon")
    eventually(lambda: "● You said" in read_screen(lent_world.screen()).text, 30, "it is answered")
    lent_world.start()
    beside = eventually(
        lambda: turn if (turn := latest(lent_world))["turn_id"] != turn_id else None, 20, "its own turn"
    )
    assert list(lent_world.follow(beside["turn_id"]))[-1].name == "end"
    assert row_of(lent_world, beside["turn_id"])["user_message"] == "typed beside a dead daemon"
    assert row_of(lent_world, turn_id)["response"].count("Line") == 40


NO_PYTHON = {"PALIADIN_HOOK_PYTHON": "false"}


@pytest.mark.parametrize(
    "settings",
    [
        {"enabledPlugins": {"paliadin@inline": False}, "disableAllHooks": True},
        {"env": dict.fromkeys(("PALIADIN_HOOK_SESSION", "PALIADIN_HOOK_TURNS"), "/nonexistent") | NO_PYTHON},
    ],
    ids=["hooks off", "hooks elsewhere and without their interpreter"],
)
def test_a_projects_settings_keep_no_step_of_a_turn_from_the_record(shared: World, settings: dict[str, Any]) -> None:
    folder = shared.workdir / ".claude"
    folder.mkdir()
    (folder / "settings.json").write_text(json.dumps(settings))
    (shared.workdir / "data.csv").write_text("id\nc47bd2\n")
    session = shared.post("conversations", {}).json()["id"]  # its Claude starts in the project as it is now
    events = shared.turn(f"in:{shared.workdir} scene:read", session_id=session)
    shutil.rmtree(folder)
    assert events[-1].name == "end", events[-1]
    assert last(events, "evidence").data["observed_tools"] == ["Read"]
    with shared.client() as client:
        assert client.delete(f"/api/paliadin/conversations/{session}").status_code == 200
