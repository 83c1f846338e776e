"""The keys 1, 2 and 3 choose what a permission card offers, and never by mistake."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.helpers.cards import PRESS_AT_ONCE, REPEAT, call, wait_until_grown
from tests.browser.helpers.chat import Chat, ask, asked_later
from tests.browser.helpers.drawer import Drawer, Site

READ = call("Read", file_path="/etc/hostname")
NOTICE = "Read /etc/hostname"


def replies(chat: Chat) -> list[str]:
    """The replies that the page sends from now on."""
    sent: list[str] = []
    chat.page.on("request", lambda request: sent.append(str(request.post_data)) if "/answer" in request.url else None)
    return sent


def is_open(chat: Chat, sent: list[str]) -> None:
    """A frame later, nothing was sent."""
    chat.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50)))")
    assert sent == []
    expect(chat.card).to_be_visible()


def test_the_numbers_on_the_buttons_choose(chat: Chat) -> None:
    for key, outcome in (("1", "allowed"), ("3", "denied"), ("2", "allowed for this session")):
        chat.ask(call("Bash", command="python3 -c 'print(7)'"))
        expect(chat.card).to_be_focused()
        buttons = chat.card.locator(".card-buttons > button")
        assert [button.get_attribute("aria-keyshortcuts") for button in buttons.all()] == ["1", "2", "3"]
        assert buttons.all_inner_texts() == ["1\nAllow", "2\nAllow for this session", "3\nDeny"]
        wait_until_grown(chat.card)
        chat.page.keyboard.press("9")
        chat.page.keyboard.press("Control+1")
        chat.page.keyboard.press(key)
        chat.ends()
        expect(chat.turn.locator(".notice")).to_contain_text(f"{outcome} · in the browser")
        expect(chat.input).to_be_focused()


@pytest.mark.long
def test_they_choose_where_nothing_has_the_focus_and_not_where_text_is_written(chat: Chat) -> None:
    sent = replies(chat)
    chat.ask(READ)
    expect(chat.card).to_be_focused()
    wait_until_grown(chat.card)
    reason = chat.card.locator(".reason")
    reason.press("1")
    expect(reason).to_have_value("1")
    reason.fill("")
    chat.input.focus()
    chat.page.keyboard.press("1")
    chat.page.locator(".list-search input").press("1")
    is_open(chat, sent)
    chat.page.locator(".list-search input").fill("")
    chat.page.evaluate("document.activeElement.blur()")
    chat.page.keyboard.press("1")
    chat.ends()
    expect(chat.turn.locator(".notice")).to_have_text(f"{NOTICE} allowed · in the browser")


@pytest.mark.long
def test_while_a_question_is_written_a_card_takes_no_key_from_it(chat: Chat) -> None:
    with asked_later(chat, "scene:permission"):
        chat.input.press_sequentially("In 2031")
    expect(chat.card).to_be_visible()
    wait_until_grown(chat.card)
    chat.input.press_sequentially(" or 2032")
    expect(chat.input).to_have_value("In 2031 or 2032")
    expect(chat.card).to_be_visible()
    chat.card.get_by_role("button", name="Deny").click()
    chat.ends()


def test_a_key_that_is_pressed_as_the_card_appears_or_is_held_down_chooses_nothing(chat: Chat) -> None:
    sent = replies(chat)
    chat.page.evaluate(PRESS_AT_ONCE)
    chat.ask(READ)
    expect(chat.card).to_be_focused()
    assert chat.page.evaluate("window.pressed") == 1
    is_open(chat, sent)
    wait_until_grown(chat.card)
    chat.card.evaluate(REPEAT)
    is_open(chat, sent)
    chat.page.keyboard.press("1")
    chat.ends()
    assert len(sent) == 1


def test_what_was_not_seen_to_its_end_is_not_allowed_by_a_key(chat: Chat) -> None:
    sent = replies(chat)
    chat.ask("scene:lengthy")
    expect(chat.card).to_be_focused()
    expect(chat.card.locator(".card-more")).to_be_visible()
    wait_until_grown(chat.card)
    for key in ("1", "2", "1"):
        chat.page.keyboard.press(key)
        expect(chat.card.get_by_role("button", name="Go to the end")).to_be_focused()
    is_open(chat, sent)
    chat.page.keyboard.press("Enter")
    expect(chat.card.get_by_role("button", name="Allow", exact=True)).to_be_enabled()
    chat.page.keyboard.press("1")
    chat.ends()
    expect(chat.text).to_have_text("That was it.")


@pytest.mark.real_claude
def test_of_two_cards_the_focused_one_is_meant_and_none_where_none_has_the_focus(chat: Chat) -> None:
    sent = replies(chat)
    chat.ask("scene:two")
    expect(chat.card).to_have_count(2)
    wait_until_grown(chat.card.last)
    chat.page.evaluate("document.activeElement.blur()")
    chat.page.keyboard.press("1")
    chat.page.evaluate("() => new Promise((done) => requestAnimationFrame(() => setTimeout(done, 50)))")
    assert sent == []
    title = chat.card.last.locator(".card-title").inner_text().splitlines()[-1]
    chat.card.last.focus()
    chat.page.keyboard.press("1")
    expect(chat.card).to_have_count(1)
    assert len(sent) == 1
    expect(chat.turn.locator(".notice")).to_have_text(f"{title} allowed · in the browser")
    chat.card.focus()
    chat.page.keyboard.press("3")
    chat.ends()
    expect(chat.turn.locator(".notice").last).to_contain_text("denied")


def test_the_second_click_of_a_double_one_allows_no_other_card(chat: Chat) -> None:
    sent = replies(chat)
    chat.ask(READ)
    allow = chat.card.get_by_role("button", name="Allow", exact=True)
    expect(allow).to_be_enabled()
    allow.dispatch_event("click", {"detail": 2})
    is_open(chat, sent)
    allow.click()
    chat.ends()


@pytest.mark.long
def test_in_the_drawer_they_are_its_own_and_the_applications_keys_stay_the_applications(
    site: Site, browser: Browser, request: pytest.FixtureRequest
) -> None:
    context = browser.new_context(viewport={"width": 1280, "height": 800}, locale="en-GB", reduced_motion="reduce")
    request.addfinalizer(context.close)
    drawer = Drawer(context.new_page(), site, [], [])
    drawer.go("/projects/harbour-bridge")
    drawer.open()
    ask(drawer.dialog, f"{READ} in:{site.world.workdir}")
    card = drawer.dialog.locator(".ask")
    expect(card).to_be_focused()
    wait_until_grown(card)
    drawer.page.evaluate("document.activeElement.blur()")
    drawer.page.locator("body").press("1")
    expect(card).to_be_visible()
    card.focus()
    drawer.page.keyboard.press("1")
    expect(drawer.dialog.locator(".notice")).to_have_text(f"{NOTICE} allowed · in the browser")


@pytest.mark.long
def test_they_choose_over_a_touch_screen_that_has_a_keyboard_and_are_not_shown_there(
    opened: Callable[..., Chat],
) -> None:
    chat = opened(viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True)
    chat.ask(READ)
    expect(chat.card).to_be_visible()
    assert chat.card.locator(".card-buttons > button").all_inner_texts() == ["Allow", "Allow for this session", "Deny"]
    wait_until_grown(chat.card)
    chat.page.keyboard.press("3")
    chat.ends()
    expect(chat.turn.locator(".notice")).to_contain_text("denied")
