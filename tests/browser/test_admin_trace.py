"""A turn's page as a trace: steps that unfold, the person's waiting apart, and the way to the turns around it."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from paliadin.events.timeline import CalledTool, Waited
from paliadin.record.row import TurnRow
from paliadin.steps.model import Accepted, Interrupted, Replied, Settled, Text, ToolEnded, ToolStarted
from tests.browser.test_admin import (  # noqa: F401  # fixtures
    EVIL,
    OVERFLOW,
    admin,
    new_browser_context,
    reader,
    served,
    today,
    turn,
    url,
    watching,
)
from tests.worlds.logs import made_turn

pytestmark = pytest.mark.usefixtures("today")


def logged(home: Path, number: int, tool: str = "Bash", words: str = "ls") -> TurnRow:
    """A turn whose folder is kept: a text, a permission, a tool, a text."""
    calls = (CalledTool(tool, ok=True, at_ms=1000, duration_ms=400),)
    waits = (Waited("permission", tool, by="page", at_ms=1000, waited_ms=6000),)
    row = turn(number, tool_calls=calls, interrupts=waits, duration_ms=10_000)
    folder = made_turn(home / "turns", row.turn_id, user_message="x")
    for step in (
        Accepted(0),
        Text(500, "m", f"Let me look: {words}."),
        ToolStarted(1000, "t1", tool, {"command": words}),
        Interrupted(1000, "i1", tool, {"command": words}),
        Replied(7000, "i1", "page", "allow"),
        ToolEnded(8000, "t1", tool, "ok", f"found {words}", 400),
        Settled(10_000),
    ):
        folder.log.append(step)
    return row


def test_each_step_unfolds_to_its_input_and_output_and_the_persons_waiting_is_apart(
    admin: Callable[..., Page],  # noqa: F811
    tmp_path: Path,
) -> None:
    row = logged(tmp_path / "home", 1)
    page = admin([row], f"/turns/{row.turn_id}")
    trace = page.get_by_role("region", name="Steps")
    expect(trace).to_contain_text("Waited for the person: 6.0\u00a0s of 10.0\u00a0s")
    expect(trace.locator("li .name")).to_have_text(["Text", "Permission: Command run", "Command run"])
    expect(trace.locator("li .span.wait")).to_have_count(1)
    expect(trace.locator(".lanes")).to_have_count(2)
    tool = trace.locator("li").last
    expect(tool.locator("pre").first).to_be_hidden()
    tool.locator("summary").focus()
    page.keyboard.press("Enter")
    expect(tool.locator("pre")).to_have_text(['{\n  "command": "ls"\n}', "found ls"])
    expect(tool.get_by_role("heading")).to_have_text(["Input", "Output"])
    trace.locator("summary").nth(1).click()
    expect(trace.locator("li").nth(1).locator("pre")).to_have_text([re.compile("ls"), "allow"])
    page.evaluate("document.querySelectorAll('details').forEach((each) => (each.open = true))")
    assert page.evaluate(OVERFLOW) == []
    violations = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
    assert [(rule["id"], [node["html"] for node in rule["nodes"]]) for rule in violations] == []


def test_what_a_trace_shows_is_only_text(admin: Callable[..., Page], tmp_path: Path) -> None:  # noqa: F811
    row = logged(tmp_path / "home", 1, EVIL, EVIL)
    page = admin([row], f"/turns/{row.turn_id}")
    trace = page.get_by_role("region", name="Steps")
    page.evaluate("document.querySelectorAll('details').forEach((each) => (each.open = true))")
    expect(trace.locator("li").last).to_contain_text(f"found {EVIL}")
    assert trace.locator(":is(img, script, a)").count() == 0


def test_a_turn_leads_to_those_around_it_to_its_conversation_and_to_the_chat(admin: Callable[..., Page]) -> None:  # noqa: F811
    failed = {"error_code": "timeout"}
    rows = [
        turn(1, 3, **failed),
        turn(2, 2),
        turn(3, 2, session_id="gone", **failed),
        turn(4, 1, **failed),
        turn(5, 40),
    ]
    page = admin(rows, "/turns?errors=1&span=7")
    question = page.locator("[aria-labelledby=question] .text")
    around = page.get_by_role("navigation", name="Around this turn")
    page.locator(".turns a").nth(1).click()
    expect(question).to_have_text("What is due on 3?")
    expect(around.get_by_role("link", name="Open in the chat")).to_have_count(0)  # its conversation is not here
    expect(around).to_contain_text("In this choice:")
    around.get_by_role("link", name="previous").first.click()
    expect(question).to_have_text("What is due on 1?")
    expect(around.locator("p").nth(1).get_by_role("link")).to_have_count(1)  # nothing before it in this choice
    around.get_by_role("link", name="next").first.click()
    expect(question).to_have_text("What is due on 3?")
    around.get_by_role("link", name="next").first.click()
    expect(question).to_have_text("What is due on 4?")
    around.get_by_role("link", name="previous").last.click()  # in its conversation, whatever was chosen
    expect(question).to_have_text("What is due on 2?")
    expect(around).to_contain_text("On record:")
    link = around.get_by_role("link", name="Open in the chat")
    expect(link).to_have_attribute("href", f"/paliadin#turn={rows[1].turn_id}")
    around.get_by_role("link", name="all its turns").click()
    expect(page.locator("#found")).to_have_text("4 turns")
    expect(page.locator(".chosen")).to_contain_text("Session: main")
