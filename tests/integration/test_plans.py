"""A plan is shown and approved, and a dialog of the terminal that no hook reports is seen."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from paliadin.demo.scripted_api import ScriptedApi
from paliadin.relays.terminal.screen import read_screen
from tests.integration.conftest import make_world
from tests.worlds.script import PLAN, SHORTER_PLAN
from tests.worlds.world import Event, World, eventually, last, text_of

pytestmark = pytest.mark.timeout(120)


@pytest.fixture(scope="module")
def planning(tmp_path_factory: pytest.TempPathFactory, claude: Path, api: tuple[ScriptedApi, str]) -> Iterator[World]:
    for world in make_world(tmp_path_factory.mktemp("planning"), claude, api):
        world.start()
        yield world


def new_conversation(world: World) -> None:
    """Claude Code keeps one plan file for a conversation."""
    world.turn("scene:silent")
    assert world.post("reset", {"session_id": "main"}).status_code == 200


def replied(world: World, question: str, *replies: object) -> tuple[list[Event], list[Event]]:
    """Ask, reply to one interrupt after the other, and return the turn's events and its interrupts."""
    turn_id, left = world.ask(f"{question} in:{world.workdir}"), list(replies)
    events, asked = [], []
    for event in world.follow(turn_id):
        events.append(event)
        if event.name == "interrupt":
            enters = event.data["tool"] == "EnterPlanMode"  # 2.1.197 asks for that as well
            asked += [] if enters else [event]
            body = {"interrupt_id": event.data["id"], "value": "allow" if enters else left.pop(0)}
            assert world.post(f"stream/{turn_id}/answer", body).status_code == 200
    return events, asked


@pytest.mark.parametrize(
    "kept", ["", pytest.param("written", marks=pytest.mark.both_versions)], ids=["in the call", "in the plan file"]
)
def test_the_plan_that_is_shown_is_the_one_that_is_approved_and_no_right_is_widened(planning: World, kept: str) -> None:
    note = planning.workdir / "note.txt"
    note.unlink(missing_ok=True)
    new_conversation(planning)
    events, asked = replied(planning, f"scene:plan {kept}", {"deny": "make it shorter"}, "allow", "allow")
    plans = [event.data["input"].get("plan") for event in asked[:2]]
    assert plans == [PLAN, SHORTER_PLAN]
    assert [event.data["tool"] for event in asked] == ["ExitPlanMode", "ExitPlanMode", "Write"]  # it still asks
    results = [event.data for event in events if event.name == "tool_result" and event.data["name"] == "ExitPlanMode"]
    assert [(each["ok"], each["refused"]) for each in results] == [(False, True), (True, False)]
    assert results[0]["output"].endswith("Stay in plan mode. Their words: make it shorter")
    assert text_of(events) == "It is carried out."
    assert note.read_text() == "A note.\n"
    assert not last(events, "end").data["aborted"]


@pytest.mark.long
def test_a_plan_that_is_changed_while_its_card_is_open_is_asked_about_anew(planning: World) -> None:
    """Claude Code reads the plan's file again when it is allowed."""
    new_conversation(planning)
    turn_id = planning.ask(f"scene:plan written in:{planning.workdir}")
    plans, results, ends = [], [], []
    for event in planning.follow(turn_id):
        if event.name == "interrupt":
            asked = event.data["input"]
            plans += [asked["plan"]] if "planFilePath" in asked else []
            if len(plans) == 1 and "planFilePath" in asked:
                Path(asked["planFilePath"]).write_text("# Another\n1. Do this.\n")
            planning.post(f"stream/{turn_id}/answer", {"interrupt_id": event.data["id"], "value": "allow"})
        ends += [event.data["by"]] if event.name == "interrupt_resolved" else []
        results += [event.data] if event.name == "tool_result" and event.data["name"] == "ExitPlanMode" else []
    assert plans == [PLAN, "# Another\n1. Do this.\n"]
    assert "changed" in ends
    assert "# Another" in results[-1]["output"]
    assert PLAN not in results[-1]["output"]


def test_of_two_replies_to_one_card_the_first_counts(planning: World) -> None:
    turn_id, codes = planning.ask(f"scene:permission in:{planning.workdir}"), []
    for event in planning.follow(turn_id):
        if event.name == "interrupt":
            for value in ("deny", "allow"):
                body = {"interrupt_id": event.data["id"], "value": value}
                codes.append(planning.post(f"stream/{turn_id}/answer", body).status_code)
        if event.name == "interrupt_resolved":
            assert event.data["value"] == "deny"
    assert codes == [200, 404]


@pytest.mark.long
def test_a_call_without_a_plan_never_shows_an_older_one(planning: World) -> None:
    new_conversation(planning)
    _, asked = replied(planning, "scene:plan bare", "allow", "deny")
    assert not asked[0].data["input"].get("plan")


def test_a_dialog_that_has_a_hook_is_never_taken_for_one_without(planning: World) -> None:
    turn_id = planning.ask(f"scene:permission in:{planning.workdir}")
    kinds = []
    for event in planning.follow(turn_id):
        if event.name == "interrupt":
            kinds.append(event.data["kind"])
            eventually(lambda: planning.get("sessions")["sessions"][0]["state"] == "permission")
            planning.post(f"stream/{turn_id}/answer", {"interrupt_id": event.data["id"], "value": "allow"})
    assert kinds == ["permission"]


def test_a_permission_that_calls_no_hook_is_seen_and_ends_when_it_is_replied_to(
    tmp_path: Path, one_claude: Path, api: tuple[ScriptedApi, str]
) -> None:
    for world in make_world(tmp_path, one_claude, api):
        world.options["PERMISSION_MODE"] = "plan"
        world.start()
        turn_id = world.ask(f"scene:tool_slow in:{world.workdir}")
        events, texts = [], []
        for event in world.follow(turn_id):
            events.append(event)
            if event.name != "interrupt":
                continue
            assert event.data["kind"] == "dialog"
            texts.append(event.data["input"]["screen"])
            if len(texts) == 1:
                item = world.get("conversations")["conversations"][0]
                assert item["state"] == "waiting"
                assert "paliadin attach" in world.get("sessions")["sessions"][0]["hint"]
                refused = world.post(f"stream/{turn_id}/answer", {"interrupt_id": event.data["id"], "value": "allow"})
                assert refused.status_code == 404
                world.restart()
                assert "❯ No" in texts[0]
                world.terminal.press(world.pane, "Enter")
                break
        rest = list(world.follow(turn_id, after=events[-1].id or 0))
        assert [event.name for event in rest if event.name in {"interrupt", "interrupt_resolved"}] == [
            "interrupt_resolved"
        ]
        assert last(rest, "interrupt_resolved").data["by"] == "terminal"
        assert read_screen(world.screen()).text
