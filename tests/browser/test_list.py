"""What a person does with the list of conversations, and how it looks.

The public fake relay plays the turns: what is tried here is the page, and each conversation would start a Claude.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import at_rest
from tests.browser.helpers.accessibility import Theme, serious
from tests.browser.helpers.chat import Chat
from tests.browser.helpers.conversations import Listing, Made, listing
from tests.browser.test_looks import OVERFLOW
from tests.worlds.world import World, eventually

MATRIX = pytest.mark.matrix
HOSTILE = "<img src=x onerror=alert(1)> \u202etxt.exe\u200b"


@pytest.fixture
def world(scripted_daemon: World) -> Iterator[World]:
    yield from at_rest(scripted_daemon)


def test_a_conversation_is_renamed_and_pinned_and_its_title_is_text(chat: Chat, shown: Listing, made: Made) -> None:
    session = made(HOSTILE)
    chat.look()
    shown.choose("<img src=x", "Rename")
    field = chat.page.get_by_role("textbox", name="New title")
    expect(field).to_be_focused()
    field.press("Escape")
    expect(shown.item("<img src=x")).to_contain_text("<img src=x onerror=alert(1)> txt.exe")
    shown.choose("<img src=x", "Rename")
    field.fill("<b>Tide tables</b>")
    field.press("Enter")
    expect(shown.item("<b>Tide tables</b>").locator(".item-link")).to_be_focused()
    eventually(lambda: made.item(session)["title"] == "<b>Tide tables</b>")
    shown.choose("<b>Tide tables</b>", "Pin")
    expect(chat.page.locator(".group").first).to_contain_text("Pinned")
    expect(chat.page.locator(".group").first.locator(".item-title")).to_have_text("<b>Tide tables</b>")
    eventually(lambda: made.item(session)["pinned"])
    chat.page.reload()
    expect(chat.page.locator(".group").first.locator(".item-title")).to_have_text("<b>Tide tables</b>")
    shown.choose("<b>Tide tables</b>", "Unpin")
    expect(chat.page.locator(".group-title").first).to_have_text("Today")


def test_what_is_archived_is_found_in_the_archive_and_comes_back(chat: Chat, shown: Listing, made: Made) -> None:
    session = made("Put away")
    chat.look()
    shown.choose("Put away", "Archive")
    expect(shown.item("Put away")).to_have_count(0)
    expect(shown.toast).to_contain_text("Archived")
    shown.toast.get_by_role("button", name="Close").click()
    chat.button("Archived").click()
    expect(shown.titles).to_have_text(["Put away"])
    expect(chat.page.get_by_role("heading", name="Archived")).to_be_visible()
    shown.choose("Put away", "Take out of the archive")
    expect(chat.page.get_by_text("Nothing is archived.")).to_be_visible()
    chat.button("Back to the conversations").click()
    expect(shown.item("Put away")).to_have_count(1)
    assert not made.item(session)["archived"]


def test_the_list_is_used_by_keyboard_alone(chat: Chat, shown: Listing, made: Made) -> None:
    for title in ("third", "second", "first"):
        made(title)
    chat.look()
    expect(shown.titles).to_have_count(4)
    keyboard = chat.page.keyboard
    keyboard.press("Control+k")
    expect(shown.search).to_be_focused()
    keyboard.press("ArrowDown")
    keyboard.press("ArrowDown")
    expect(shown.item("second").locator(".item-link")).to_be_focused()
    keyboard.press("F2")
    keyboard.type("renamed")
    keyboard.press("Enter")
    expect(shown.item("renamed").locator(".item-link")).to_be_focused()
    keyboard.press("Shift+F10")
    expect(chat.page.get_by_role("menuitem", name="Rename")).to_be_focused()
    keyboard.press("ArrowDown")
    expect(chat.page.get_by_role("menuitem", name="Pin")).to_be_focused()
    keyboard.press("Escape")
    expect(shown.item("renamed").locator(".item-more")).to_be_focused()
    keyboard.press("Delete")
    expect(shown.item("renamed")).to_have_count(0)
    expect(shown.item("third").locator(".item-link")).to_be_focused()
    keyboard.press("Control+z")
    expect(shown.item("renamed").locator(".item-link")).to_be_focused()
    keyboard.press("Enter")
    expect(shown.current).to_contain_text("renamed")
    expect(chat.input).to_be_focused()
    keyboard.press("Control+Shift+O")
    expect(chat.turns).to_have_count(0)
    expect(chat.input).to_be_focused()


@pytest.mark.long
def test_what_is_undone_before_the_daemon_has_answered_comes_back(chat: Chat, shown: Listing, made: Made) -> None:
    made("kept")
    chat.look()
    # The browser goes on meanwhile: only what leads to the daemon is late.
    chat.page.route("**/api/paliadin/conversations/*", lambda route: (time.sleep(0.7), route.continue_()))
    shown.item("kept").locator(".item-link").focus()
    chat.page.keyboard.press("Delete")
    expect(shown.item("kept")).to_have_count(0)
    chat.page.keyboard.press("Control+z")
    expect(shown.item("kept").locator(".item-link")).to_be_focused()


@pytest.mark.long
def test_on_a_phone_the_list_is_a_drawer_that_closes_once_one_is_chosen(
    opened: Callable[..., Chat], made: Made
) -> None:
    made("From the train")
    chat = opened(viewport={"width": 360, "height": 740}, is_mobile=True, has_touch=True)
    shown = listing(chat)
    toggle = chat.button("Show the conversations")
    toggle.tap()
    drawer = chat.page.get_by_role("dialog", name="Conversations")
    expect(drawer).to_be_visible()
    chat.page.keyboard.press("Escape")
    expect(drawer).to_be_hidden()
    expect(toggle).to_be_focused()
    toggle.tap()
    shown.item("From the train").locator(".item-link").tap()
    expect(drawer).to_be_hidden()
    expect(chat.turn).to_contain_text("From the train")


@pytest.mark.long
def test_the_list_is_hidden_and_stays_hidden(chat: Chat, shown: Listing) -> None:
    expect(shown.search).to_be_visible()
    chat.button("Hide the conversations").click()
    expect(shown.search).to_be_hidden()
    chat.page.reload()
    expect(chat.button("Show the conversations")).to_be_visible()
    expect(shown.search).to_be_hidden()
    chat.page.keyboard.press("Control+k")
    expect(shown.search).to_be_focused()


def test_the_page_opens_with_the_conversation_of_its_address(
    opened: Callable[..., Chat], made: Made, world: World
) -> None:
    session = made("By its address")
    chat = opened()
    chat.page.goto(f"{world.origin}/paliadin?session={session}")
    expect(chat.turn).to_contain_text("By its address")


def states(chat: Chat, shown: Listing, made: Made) -> Iterator[str]:
    """Leads the page from state to state."""
    made("Where do the ferries go on Sundays, and which of them take bicycles?")
    made.world.ask("scene:question", session_id=made("It asks"))
    with made.world.client() as client:
        client.patch(f"/api/paliadin/conversations/{made('A pinned one')}", json={"pinned": True})
    chat.look()
    if shown.search.is_hidden():
        chat.page.locator(".list-toggle").click()
    expect(shown.item("It asks").locator("[data-kind=waiting]")).to_be_visible()
    yield "the list"
    shown.item("Where do").locator(".item-more").click()
    expect(chat.page.get_by_role("menuitem", name="Rename")).to_be_visible()
    yield "the menu"
    chat.page.get_by_role("menuitem", name="Rename").click()
    yield "a new title"
    chat.page.keyboard.press("Escape")
    shown.choose("Where do", "Delete")
    expect(shown.toast).to_be_visible()
    yield "the toast"
    shown.search.fill("ferries")
    expect(chat.page.get_by_text("Nothing found.")).to_be_visible()
    yield "nothing found"
    chat.page.reload()
    chat.ask("scene:slow")
    chat.input.fill("And then?")
    chat.input.press("Enter")
    chat.input.fill("Half a question")
    expect(chat.page.locator(".queued")).to_be_visible()
    yield "a question that waits"
    chat.page.locator(".queued button").first.click()
    yield "a question that waits is changed"
    chat.page.keyboard.press("Escape")
    chat.stop.click()
    expect(chat.page.locator(".queue-held")).to_be_visible()
    yield "stopped"
    chat.turn.hover()
    chat.turn.locator(".edit").click()
    yield "a branch is written"


@pytest.mark.first(1)
@pytest.mark.parametrize(
    ("width", "themes"),
    [
        pytest.param(1280, ("light",), id="desktop, light"),
        pytest.param(360, ("dark",), id="phone, dark"),
        pytest.param(1280, ("dark",), id="desktop, dark", marks=MATRIX),
        pytest.param(640, ("light", "dark"), id="zoomed", marks=MATRIX),
        pytest.param(360, ("light",), id="phone, light", marks=MATRIX),
    ],
)
def test_every_state_fits_its_screen_and_axe_finds_nothing(
    opened: Callable[..., Chat], made: Made, width: int, themes: tuple[Theme, ...]
) -> None:
    chat = opened(viewport={"width": width, "height": 800 if width != 640 else 400})
    shown = listing(chat)
    for state in states(chat, shown, made):
        assert chat.page.evaluate(OVERFLOW) == [], state
        assert serious(chat.page, themes=themes) == [], state
