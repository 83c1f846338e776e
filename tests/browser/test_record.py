"""What is kept and found again: verdicts, search, earlier turns; and the notifications of a hidden page."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.helpers.chat import Chat
from tests.browser.helpers.interception import Paused, intercept
from tests.worlds.world import eventually

HIDE = """() => {
  Object.defineProperty(document, "hidden", { value: true, configurable: true });
  Object.defineProperty(document, "visibilityState", { value: "hidden", configurable: true });
}"""
COLLECT = """
  window.notifications = [];
  window.Notification = class { constructor(title, { body }) { notifications.push([title, body]); } };
  Notification.permission = "granted";
  Notification.requestPermission = async () => "granted";
"""


def test_a_verdict_with_a_word_is_kept_in_the_row_and_can_be_taken_back(chat: Chat) -> None:
    chat.asked("How good is this?")
    down = chat.turn.get_by_role("button", name="Not a good answer")
    down.click()
    expect(down).to_have_attribute("aria-pressed", "true")
    word = chat.turn.get_by_role("textbox", name=re.compile("A word on it"))
    expect(word).to_be_focused()
    chat.page.keyboard.type("too short")
    chat.page.keyboard.press("Enter")
    expect(word).to_be_hidden()
    row = chat.world.get("history?limit=1")["turns"][-1]
    assert (row["feedback"], row["feedback_word"]) == ("down", "too short")
    chat.page.reload()
    chat.ends()
    expect(down).to_have_attribute("aria-pressed", "true")
    chat.turn.get_by_role("button", name="A good answer", exact=True).click()
    expect(down).to_have_attribute("aria-pressed", "false")
    eventually(lambda: chat.world.get("history?limit=1")["turns"][-1]["feedback"] == "up")
    chat.turn.get_by_role("button", name="A good answer", exact=True).click()
    eventually(lambda: chat.world.get("history?limit=1")["turns"][-1]["feedback"] is None)


def test_words_of_questions_and_answers_are_found_and_lead_there(chat: Chat) -> None:
    chat.asked("Where is the 100%_needle?")
    chat.asked("Something else")
    chat.button("Search this conversation").click()
    dialog = chat.page.get_by_role("dialog")
    dialog.get_by_role("searchbox").fill("100%_NEEDLE")
    hits = dialog.locator(".found button")
    expect(hits).to_have_count(1)
    expect(hits.locator("strong mark")).to_have_text("100%_needle")
    dialog.get_by_role("searchbox").fill("100x_needle")
    expect(dialog).to_contain_text("Nothing found.")
    waiting: list[Paused] = []
    intercept(chat.page, "*/api/paliadin/search?*", waiting.append)
    dialog.get_by_role("searchbox").fill("needle")
    expect(dialog).to_contain_text("Searching")
    dialog.get_by_role("searchbox").press("Enter")  # the first hit, also while the search has not found it yet
    eventually(lambda: chat.page.evaluate("0") or waiting, what="it is asked for")
    waiting.pop().go_on()
    expect(dialog).to_have_count(0)
    there = chat.turns.filter(has_text="100%_needle")
    expect(there).to_be_in_viewport()
    expect(there).to_be_focused()


@pytest.mark.long
def test_earlier_turns_come_by_themselves_as_one_scrolls_up(chat: Chat) -> None:
    for _ in range(25):
        chat.world.turn("One of many")
    chat.page.reload()
    expect(chat.turns).to_have_count(20)
    chat.page.locator(".scroller").evaluate("(el) => { el.scrollTop = 0 }")
    expect(chat.turns).to_have_count(25)


def test_a_hidden_page_tells_of_a_question_and_of_the_end_of_a_long_turn(opened_alone: Callable[..., Chat]) -> None:
    chat = opened_alone()
    chat.page.evaluate(COLLECT)
    chat.button("Notifications: tell me when a long answer is done").click()
    expect(chat.button("Notifications: tell me when a long answer is done")).to_have_attribute("aria-pressed", "true")
    chat.page.evaluate(HIDE)
    chat.ask("scene:question")
    expect(chat.card).to_be_visible()
    [[title, body]] = eventually(lambda: chat.page.evaluate("notifications"))
    assert (title, body[:14]) == ("Claude is waiting for your reply", "scene:question")
    chat.page.clock.install()
    chat.page.clock.fast_forward(12_000)
    chat.input.fill("Blue")
    chat.input.press("Enter")
    chat.page.clock.resume()
    eventually(lambda: len(chat.page.evaluate("notifications")) == 2, 20)
    title, body = chat.page.evaluate("notifications[1]")
    assert title == "The answer is ready"
    assert body.startswith("Claude was told:")


@pytest.mark.real_claude
def test_the_terminal_is_shown_to_be_looked_at(chat: Chat) -> None:
    with chat.world.drafting("half a thought"):
        chat.asked("And mine?")
        chat.button("Look at the terminal").click()
        dialog = chat.page.get_by_role("dialog")
        expect(dialog.locator(".terminal")).to_contain_text("half a thought")
        expect(dialog).to_contain_text("paliadin attach")
        chat.page.keyboard.press("Escape")
        expect(dialog).to_have_count(0)
