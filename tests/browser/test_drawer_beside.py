"""From 900 px on the drawer stands beside the page; closed, its button tells what happens; starters stay at hand."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.helpers.accessibility import serious
from tests.browser.helpers.chat import ask
from tests.browser.helpers.drawer import Drawer
from tests.worlds.world import eventually

Visit = Callable[..., Drawer]
PAGE_WIDTH = "document.documentElement.getBoundingClientRect().width"
LENGTHEN = "document.body.style.minHeight = '3000px'"


@pytest.fixture
def beside(visit: Visit) -> Drawer:
    """An open one, beside a page."""
    drawer = visit("/projects/mill-street")
    drawer.open()
    return drawer


def attribute(drawer: Drawer, name: str, value: str) -> None:
    drawer.page.locator("paliadin-widget").evaluate("(el, [n, v]) => el.setAttribute(n, v)", [name, value])


def badge(drawer: Drawer) -> Locator:
    return drawer.page.locator(".drawer-badge")


def waiting(folder: Path) -> str:
    """A question during which a command runs until there is a file `go` in the folder."""
    command = f"until test -e {folder}/go; do sleep 0.1; done"
    return f"scene:call Bash {json.dumps({'command': command})} in:{folder}"


@pytest.mark.long
def test_the_page_beside_it_can_be_scrolled_selected_and_followed(beside: Drawer) -> None:
    page = beside.page
    assert beside.dialog.bounding_box() == {"x": 860, "y": 0, "width": 420, "height": 800}
    assert page.evaluate(PAGE_WIDTH) == 860
    page.evaluate(LENGTHEN)
    page.mouse.move(400, 400)
    page.mouse.wheel(0, 300)
    eventually(lambda: page.evaluate("scrollY") > 0)
    page.evaluate("scrollTo(0, 0)")
    here = beside.dialog.locator(".here-brief")
    page.locator("#state").dblclick()
    expect(here).to_contain_text("Selected text")
    word = page.evaluate("String(getSelection()).trim()")
    beside.input.click()
    beside.input.fill("What is this?")
    beside.input.select_text()  # a selection of the drawer's own
    expect(here).to_contain_text("Selected text")
    beside.input.press("Enter")
    expect(beside.dialog.locator(".turn-foot")).to_be_visible()
    assert word
    assert beside.context()["user_selection_text"] == word
    page.locator("main h1").click()
    expect(here).not_to_contain_text("Selected text")
    page.get_by_role("link", name="Agenda").click()
    expect(page).to_have_url(f"{beside.site.url}/agenda")
    expect(beside.dialog).to_be_visible()
    assert page.evaluate(PAGE_WIDTH) == 860


def test_the_page_makes_room_only_where_it_is_to_and_has_it_back(beside: Drawer) -> None:
    page = beside.page
    attribute(beside, "layout", "overlay")
    assert page.evaluate(PAGE_WIDTH) == 1280
    assert beside.dialog.bounding_box() == {"x": 860, "y": 0, "width": 420, "height": 800}
    page.mouse.click(400, 400)
    expect(beside.dialog).to_be_visible()
    attribute(beside, "layout", "push")
    assert page.evaluate(PAGE_WIDTH) == 860
    assert page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--paliadin-width')") == "420px"
    beside.dialog.get_by_role("button", name="Close").click()
    assert page.evaluate(PAGE_WIDTH) == 1280
    beside.open()
    assert page.evaluate(PAGE_WIDTH) == 860
    page.emulate_media(media="print")
    assert page.evaluate(PAGE_WIDTH) == 1280
    expect(beside.dialog).to_be_hidden()
    page.emulate_media(media="screen")
    page.locator("paliadin-widget").evaluate("(el) => el.remove()")
    assert page.evaluate(PAGE_WIDTH) == 1280


def test_escape_and_the_shortcut_act_where_the_focus_is(visit: Visit) -> None:
    drawer = visit()
    page = drawer.page
    link = page.get_by_role("link", name="Agenda")
    expect(drawer.button).to_be_visible()
    link.focus()
    page.keyboard.press("Control+k")
    expect(drawer.input).to_be_focused()
    link.focus()
    page.keyboard.press("Escape")
    page.keyboard.press("Control+k")  # it comes after the Escape
    expect(drawer.input).to_be_focused()
    expect(drawer.dialog).to_be_visible()
    page.keyboard.press("Control+k")
    expect(drawer.dialog).to_be_hidden()
    expect(link).to_be_focused()
    drawer.button.click()
    drawer.dialog.locator("h1").click()  # nothing there takes the focus, and yet it is in the drawer
    page.keyboard.press("Escape")
    expect(drawer.dialog).to_be_hidden()
    expect(link).to_be_focused()  # a click on the button leaves it where it is


def test_the_keyboard_leaves_it_and_its_list_closes_by_itself(beside: Drawer) -> None:
    page = beside.page
    beside.dialog.get_by_role("button", name="Show the conversations").click()
    page.keyboard.press("Escape")
    expect(beside.dialog.locator(".drawer-list")).to_be_hidden()
    expect(beside.dialog).to_be_visible()
    beside.dialog.get_by_role("separator").focus()
    page.keyboard.press("Shift+Tab")
    assert page.evaluate("document.querySelector('main, header').ownerDocument.activeElement.localName") == "a"


def test_crossing_900_pixels_keeps_draft_focus_and_place(beside: Drawer) -> None:
    page = beside.page
    beside.asked("scene:wide")
    beside.input.fill("A draft")
    scroller = beside.dialog.locator(".scroller")
    scroller.evaluate("(el) => { el.scrollTop = 120 }")
    place = "(el) => el.scrollTop"
    for width, modal in ((899, True), (900, False), (700, True), (1280, False)):
        page.set_viewport_size({"width": width, "height": 800})
        expect(page.locator("dialog.drawer:modal")).to_have_count(int(modal))
        expect(beside.dialog).to_be_visible()
        expect(beside.input).to_have_value("A draft")
        expect(beside.input).to_be_focused()
        assert scroller.evaluate(place) == 120
        assert page.evaluate(PAGE_WIDTH) == (width if modal else width - 420)
    page.keyboard.press("Escape")
    expect(beside.dialog).to_be_hidden()
    expect(beside.button).to_be_focused()


def test_a_reply_that_claude_waits_for_takes_no_focus_from_the_page(beside: Drawer) -> None:
    link = beside.page.get_by_role("link", name="Agenda")
    ask(beside.dialog, "scene:question")
    link.focus()
    card = beside.dialog.locator(".ask")
    expect(card).to_be_visible()
    expect(link).to_be_focused()
    ask_last = card.get_by_role("button").last
    ask_last.focus()
    ask_last.press("Enter")
    expect(beside.dialog.locator(".turn-foot")).to_be_visible()
    expect(beside.input).to_be_focused()  # who replied by keyboard writes on


def test_the_closed_button_tells_that_it_works_asks_or_has_finished(
    visit: Visit,
    tmp_path: Path,
) -> None:
    drawer = visit("/projects/mill-street")
    page, said = drawer.page, drawer.page.locator("paliadin-widget aside > [role=status]")

    def told(mark: str, name: str) -> None:
        expect(badge(drawer)).to_have_attribute("data-mark", mark)
        expect(drawer.button).to_have_accessible_name(f"Open the assistant (Ctrl+K). {name}")
        assert serious(page, "paliadin-widget") == []

    drawer.open()
    ask(drawer.dialog, waiting(tmp_path))
    page.keyboard.press("Escape")
    told("working", "It is working")
    drawer.go("/agenda")
    told("working", "It is working")
    (tmp_path / "go").touch()
    told("finished", "It has finished")
    expect(said).to_have_text("Assistant: It has finished")
    drawer.go("/glossary")
    told("finished", "It has finished")
    expect(said).to_have_text("")  # it was said
    drawer.open()
    ask(drawer.dialog, "scene:question")
    page.keyboard.press("Escape")
    told("asks", "It waits for your reply")
    drawer.go("/glossary")
    told("asks", "It waits for your reply")
    drawer.open()
    drawer.dialog.locator(".ask button").last.click()
    expect(drawer.dialog.locator(".turn-foot:visible")).to_have_count(2)
    history = f"history?session_id={drawer.site.session}&limit=1"
    eventually(lambda: drawer.site.world.get(history)["running_turn"] is None)
    with page.expect_response("**/api/paliadin/conversations*"):
        drawer.dialog.get_by_role("button", name="Close").click()
    drawer.go("/agenda")
    with page.expect_response("**/api/paliadin/conversations*"):
        page.reload()
    expect(drawer.button).to_have_accessible_name("Open the assistant (Ctrl+K)")  # what was seen is no news
    expect(badge(drawer)).to_be_hidden()


@pytest.mark.long
def test_starters_stay_at_hand_in_a_conversation_that_has_begun(visit: Visit, tmp_path: Path) -> None:
    drawer = visit("/agenda")
    drawer.open()
    row = drawer.dialog.locator(".starter-row")
    expect(drawer.dialog.locator(".starter")).to_have_count(3)  # in the welcome alone
    ask(drawer.dialog, waiting(tmp_path))
    expect(row).to_be_hidden()
    (tmp_path / "go").touch()
    expect(row.get_by_role("button")).to_have_text(["Sum up today", "Are there clashes?", "Prepare for …"])
    assert row.evaluate("(el) => el.clientHeight") < 48
    drawer.input.fill("a")
    expect(row).to_be_hidden()
    drawer.input.fill("")
    row.get_by_role("button").last.focus()
    drawer.page.keyboard.press("Enter")
    expect(drawer.input).to_have_value("Prepare me for the appointment with ")
    expect(drawer.input).to_be_focused()
    drawer.input.fill("")
    drawer.page.evaluate("history.pushState(null, '', '/projects/mill-street')")
    expect(row.get_by_role("button").first).to_have_text("State of this project")
    row.get_by_role("button").first.click()
    expect(drawer.dialog.locator(".question-text").last).to_have_text("What is the state of this project?")


@pytest.mark.first(1)
@pytest.mark.parametrize("options", [{}, {"viewport": {"width": 390, "height": 844}, "is_mobile": True}])
def test_axe_finds_nothing_in_a_conversation_that_has_begun(visit: Visit, options: dict[str, Any]) -> None:
    drawer = visit("/projects/mill-street", **options)
    drawer.open()
    drawer.asked("scene:differs")
    expect(drawer.dialog.locator(".starter-row")).to_be_visible()
    assert serious(drawer.page) == []
    assert drawer.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
