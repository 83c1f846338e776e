"""The owner's hands in Claude's terminal, while a turn runs and between turns."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping
from typing import Any

import pytest

from paliadin.demo.scripted_api import ScriptedApi
from paliadin.relays.terminal.screen import State, read_screen
from tests.worlds.script import STEADY
from tests.worlds.turns import asked_for, check_whole, rest_of, row_of, watched_until
from tests.worlds.world import Event, World, eventually, text_of

pytestmark = pytest.mark.timeout(180)
MATRIX = pytest.mark.matrix
Api = tuple[ScriptedApi, str]
Hand = Callable[[World], None]


def keys(*pressed: str) -> Hand:
    def press(world: World) -> None:
        for key in pressed:
            world.terminal.press(world.pane, key)
            time.sleep(0.05)

    return press


def drawn(world: World) -> str:
    """The screen's text without the hints that Claude Code shows for some seconds: right above the composer, or in a
    dialog's upper edge ("ctrl+y to paste deleted text" after the test before)."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", world.screen())
    return re.sub(r"^ {60,}\S.*$|(?<=▔)[^\n]+$", "", text, flags=re.MULTILINE)


def at_rest(world: World) -> str:
    """The screen once it has not changed for a while: a dialog fills itself bit by bit."""
    for _ in range(30):
        before = drawn(world)
        time.sleep(0.7)
        if drawn(world) == before:
            return before
    raise AssertionError(f"the screen does not come to rest:\n{before}")


def typed(text: str) -> Hand:
    def press(world: World) -> None:
        world.terminal.type(world.pane, text)
        time.sleep(0.5)
        world.terminal.press(world.pane, "Enter")

    return press


def tmux(*command: str) -> Hand:
    return lambda world: (world.terminal._run(*command, "-t", world.pane), None)[1]


def rebound(world: World) -> None:
    """Keys that mean something else to whoever is attached."""
    for key in ("Enter", "C-j", "C-c", "Escape", "a", "Space"):
        world.terminal._run("bind-key", "-n", key, "kill-pane")


def narrow(world: World) -> None:
    world.terminal._run("resize-window", "-t", world.pane, "-x", "20", "-y", "10")


HARMLESS = {
    "Ctrl-Z": keys("C-z"),
    "copy mode": tmux("copy-mode"),
    "clock mode": tmux("clock-mode"),
    "20 columns": narrow,
    "rebound keys": rebound,
    "a key of the terminal's own": keys("C-t"),
}


def lines_of(matrix: Mapping[str, Any], *first: str) -> list[Any]:
    """Its lines as parameters; the first ones run with all tests."""
    return [pytest.param(value, id=name, marks=() if name in first else MATRIX) for name, value in matrix.items()]


def state(world: World) -> State:
    return read_screen(world.screen()).state


def answered(world: World, api: Api, question: str) -> None:
    """The question arrives as it is and is answered."""
    turn_id = world.ask(question)
    events = list(world.follow(turn_id))
    assert events[-1].name == "end", (events[-1].data, world.screen())
    assert api[0].requests[-1][1].user_text == f"[PALIADIN:{turn_id}] {question}"


@pytest.fixture
def world(lent_world: World) -> World:
    return lent_world


@pytest.mark.first(1)
@pytest.mark.parametrize("hand", lines_of(HARMLESS, "Ctrl-Z", "copy mode", "20 columns"))
def test_what_harms_no_turn(world: World, api: Api, hand: Hand) -> None:
    turn_id = world.ask("scene:steady by hand")
    events: list[Event] = []
    watched_until(world, turn_id, "content_delta", events)
    hand(world)
    events += rest_of(world, turn_id, events)
    check_whole(events)
    assert events[-1].name == "end", events[-1].data
    assert text_of(events) == "\n".join(STEADY)
    answered(world, api, "And now?")
    hand(world)
    answered(world, api, "And between two turns?")


ENDING = {"Ctrl-C": keys("C-c"), "Escape": keys("Escape"), "Escape twice": keys("Escape", "Escape")}


@pytest.mark.first(1)
@pytest.mark.parametrize("hand", lines_of(ENDING, "Ctrl-C", "Escape twice"))
def test_what_ends_a_turn_in_the_terminal_ends_it_as_stopped(world: World, api: Api, hand: Hand) -> None:
    turn_id = world.ask("scene:steady ended by hand")
    events: list[Event] = []
    watched_until(world, turn_id, "content_delta", events, 3)
    hand(world)
    events += world.follow(turn_id, after=len(events))
    check_whole(events)
    assert (events[-1].name, events[-1].data["aborted"]) == ("end", True)
    assert row_of(world, turn_id)["error_code"] == "user_aborted"
    if state(world) is not State.READY:  # the list of old messages: a dialog that the owner opened
        refused = list(world.follow(world.ask("not typed into it")))[-1]
        assert refused.data["code"] == "dialog_open"
        world.terminal.press(world.pane, "Escape")
        eventually(lambda: state(world) is State.READY, 10)
    answered(world, api, "And now?")


@pytest.mark.parametrize("command", [pytest.param("/clear", marks=MATRIX), "/exit"])
def test_a_command_typed_while_a_turn_runs_loses_neither_the_turn_nor_the_session(
    world: World, api: Api, command: str
) -> None:
    turn_id = world.ask("scene:steady with a command")
    events: list[Event] = []
    watched_until(world, turn_id, "content_delta", events, 3)
    typed(command)(world)
    events += world.follow(turn_id, after=len(events))
    check_whole(events)
    assert events[-1].name in {"end", "error"}
    assert row_of(world, turn_id)["response"] == text_of(events).strip()
    answered(world, api, "And now?")


@pytest.mark.first(1)
@pytest.mark.parametrize("command", ["/clear", pytest.param("/exit", marks=MATRIX)])
def test_a_command_typed_between_turns_leaves_a_session_that_answers(world: World, api: Api, command: str) -> None:
    world.turn("Hello")
    typed(command)(world)
    time.sleep(1)
    answered(world, api, "And now?")


@pytest.mark.long
def test_an_own_prompt_between_turns_is_a_turn_of_its_own_and_the_next_question_waits_or_is_answered(
    world: World, api: Api
) -> None:
    world.turn("Hello")
    typed("scene:steady typed by hand")(world)
    own = eventually(lambda: world.get("history")["running_turn"], 10, "the own turn is taken")
    refused = world.post("turn", {"user_message": "me too"})
    assert refused.json()["error"]["turn_id"] == own
    assert text_of(list(world.follow(own))) == "\n".join(STEADY)
    answered(world, api, "And now?")


def test_an_own_prompt_while_a_turn_runs_is_answered_with_it_and_the_next_question_is_alone(
    world: World, api: Api
) -> None:
    turn_id = world.ask("scene:steady and another")
    watched_until(world, turn_id, "content_delta", [], 3)
    typed("typed by hand meanwhile")(world)
    events = list(world.follow(turn_id))
    check_whole(events)
    assert events[-1].name == "end"
    assert text_of(events).startswith("\n".join(STEADY))
    # It joined the turn, or became one of its own, which the daemon takes up half a second after Claude's hook.
    eventually(lambda: is_in_history(world, "typed by hand meanwhile"), 20, "what was typed is in the history")
    eventually(lambda: state(world) is State.READY and world.get("history")["running_turn"] is None, 20)
    answered(world, api, "And now?")
    assert asked_for(api, turn_id) == 1


def is_in_history(world: World, words: str) -> bool:
    """Tell whether the words are a question, or joined a turn."""
    turns = world.get("history")["turns"]
    return any(words in text for turn in turns for text in (turn["user_message"], *(j["text"] for j in turn["joined"])))


DRAFTS = {"one line": "a draft of mine", "a command": "/model", "a shell command": "!ls", "a file": "look at @dat"}


@pytest.mark.first(1)
@pytest.mark.parametrize("draft", lines_of(DRAFTS, "one line", "a shell command"))
def test_a_draft_is_never_sent_changed_or_lost(world: World, api: Api, draft: str) -> None:
    world.turn("Hello")
    world.terminal.type(world.pane, draft)
    eventually(lambda: state(world) in {State.DRAFT, State.DIALOG}, what="the draft is there")
    before, requests = at_rest(world), len(api[0].requests)
    turn_id = world.ask("must wait")
    error = list(world.follow(turn_id))[-1]
    assert error.data["code"] in {"terminal_in_use", "dialog_open"}
    assert error.data["hint"]
    assert drawn(world) == before
    assert len(api[0].requests) == requests
    for key in ("C-u", "BSpace"):  # the second leaves the mode of shell commands
        world.terminal.press(world.pane, key)
    eventually(lambda: state(world) is State.READY, what="the draft is gone")
    answered(world, api, "And now?")


def test_a_dialog_that_nobody_knows_is_never_typed_into_and_is_shown(world: World, api: Api) -> None:
    world.turn("Hello")
    typed("/config")(world)
    eventually(lambda: state(world) is State.DIALOG, what="a dialog is open")
    eventually(lambda: "Thinking mode" in world.screen(), what="the dialog has filled itself")
    before = at_rest(world)
    error = list(world.follow(world.ask("1\n2\n3\nyes")))[-1]
    assert error.data["code"] == "dialog_open"
    assert "paliadin attach" in error.data["hint"]
    assert drawn(world) == before
    [session] = world.get("sessions")["sessions"]
    assert (session["state"], bool(session["screen"])) == ("dialog", True)
    for _ in range(2):  # the first leaves its search field
        world.terminal.press(world.pane, "Escape")
        time.sleep(1)
    answered(world, api, "And now?")
