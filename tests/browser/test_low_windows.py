"""Low windows: a screen at 200 % zoom is 640 by 400. Whatever Claude asks, all of it can be reached."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page, expect

from tests.browser.helpers.chat import Chat, ask
from tests.browser.helpers.drawer import Drawer, Site
from tests.browser.helpers.interception import HEALTH, intercept
from tests.browser.helpers.page_stream import leave_out
from tests.browser.test_looks import OVERFLOW

ZOOMED = {"width": 640, "height": 400}
SMALL = {"width": 320, "height": 512}
MATRIX = pytest.mark.matrix
CASES = {
    "question": (ZOOMED, "scene:question"),
    "permission": (ZOOMED, "scene:long_permission"),
    "small": (SMALL, "scene:question"),
}


def cases(*first: str) -> list[Any]:
    """As parameters; the first ones run with all tests."""
    return [pytest.param(*case, id=name, marks=() if name in first else MATRIX) for name, case in CASES.items()]


# What hangs out of the card, or out of the window below.
CUT = """(chat) => {
  const card = chat.querySelector(".ask").getBoundingClientRect();
  const foot = chat.querySelector(".ask .card-buttons").getBoundingClientRect();
  return [foot.bottom - card.bottom, chat.getBoundingClientRect().bottom - innerHeight].filter((over) => over > 0.5);
}"""


DEMO = {
    "ok": True,
    "parts": [],
    "scripted": True,
    "demo_questions": {"en": ["What is open?", "Why?"], "de": ["Was ist offen?", "Warum?"]},
    "may_allow": True,
}


def show_demo(page: Page) -> None:
    """Let the health be that of a daemon in the demo, whose banner stands above the conversation."""
    leave_out(page, "health")
    intercept(page, HEALTH, lambda request: request.fulfill(json=DEMO, headers={"Access-Control-Allow-Origin": "*"}))


def check_reachable(view: Locator) -> None:
    """The input is in the window, and each button of the card can be scrolled to."""
    card = view.locator(".ask")
    expect(card).to_be_visible()
    expect(view.locator(".composer-box")).to_be_in_viewport(ratio=1)
    expect(view.locator(".composer .icon-stop")).to_be_in_viewport(ratio=1)
    for control in card.locator(".card-buttons > button:visible, input:visible").all():
        control.scroll_into_view_if_needed()
        expect(control).to_be_in_viewport(ratio=0.9)
    assert view.locator(".chat").evaluate(CUT) == []
    expect(view.locator(".composer-box")).to_be_in_viewport(ratio=1)
    card.locator(".card-buttons > button").last.click()
    expect(card).to_have_count(0)


@pytest.mark.first(1)
@pytest.mark.parametrize(("size", "scene"), cases("question", "small"))
def test_on_the_page_a_card_and_the_input_can_be_reached(
    opened: Callable[..., Chat], scene: str, size: dict[str, int]
) -> None:
    chat = opened(viewport=size, locale="de-DE")
    show_demo(chat.page)
    chat.page.reload()
    expect(chat.page.locator(".banner.demo")).to_be_visible()
    chat.ask(scene)
    check_reachable(chat.page.locator("main"))
    assert chat.page.evaluate(OVERFLOW) == []
    assert chat.page.evaluate("[document.documentElement.scrollHeight, scrollY]") == [size["height"], 0]


@pytest.mark.long
@pytest.mark.parametrize(("size", "scene"), cases("permission"))
def test_in_the_drawer_a_card_and_the_input_can_be_reached(
    site: Site, browser: Browser, request: pytest.FixtureRequest, scene: str, size: dict[str, int]
) -> None:
    site.empty()
    context = browser.new_context(viewport=size, locale="de-DE", reduced_motion="reduce")
    request.addfinalizer(context.close)
    page = context.new_page()
    show_demo(page)
    drawer = Drawer(page, site, [], [])
    drawer.go("/projects/harbour-bridge")
    drawer.open()
    ask(drawer.dialog, scene)
    check_reachable(drawer.dialog)


@pytest.mark.long
def test_waiting_questions_and_the_editor_of_one_can_be_reached(opened: Callable[..., Chat]) -> None:
    chat = opened(viewport=ZOOMED)
    show_demo(chat.page)
    chat.page.reload()
    chat.ask("scene:slow")
    for number in range(4):
        chat.input.fill(f"Question {number}")
        chat.input.press("Enter")
    queued = chat.page.locator(".queued")
    expect(queued).to_have_count(4)
    expect(chat.page.locator(".composer-box")).to_be_in_viewport(ratio=1)
    queued.last.get_by_role("button", name="Change this question").click()
    save = chat.button("Save")
    save.scroll_into_view_if_needed()
    expect(save).to_be_in_viewport(ratio=0.9)
    expect(chat.page.locator(".composer-box")).to_be_in_viewport(ratio=1)
    save.click(trial=True)
