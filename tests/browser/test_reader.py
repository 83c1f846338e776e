"""What a reader does with an answer: follows it or not, copies it, goes through it by keyboard."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from paliadin.relays.terminal.screen import State, read_screen
from tests.browser.helpers.chat import Chat
from tests.worlds.world import eventually

FOCUSED = "document.activeElement.matches('.turn:last-child .evidence > summary')"
CHIP = "document.activeElement.matches('.turn:last-child a.chip')"


def test_an_answer_and_its_code_are_copied_as_they_were_written(chat: Chat) -> None:
    chat.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    chat.asked("scene:wide")
    chat.turn.get_by_role("button", name="Copy answer").click()
    expect(chat.turn.locator(".turn-actions")).to_contain_text("Copied")
    copied = chat.page.evaluate("navigator.clipboard.readText()")
    assert copied.startswith("# A heading of a good length")
    assert "| column 0 |" in copied
    assert "paliadin-meta" not in copied
    chat.turn.get_by_role("button", name="Copy this code").click()
    expect(chat.turn.locator(".code")).to_contain_text("Copied")
    assert chat.page.evaluate("navigator.clipboard.readText()").startswith("a_long_line_of_code(argument, ")


def test_a_streaming_answer_is_followed_only_while_the_reader_is_at_its_end(opened: Callable[..., Chat]) -> None:
    chat = opened(viewport={"width": 390, "height": 500})
    chat.asked("scene:wide")
    chat.ask("scene:stream")
    expect(chat.text).to_contain_text("Line 3 of many.")
    scroller = chat.page.locator(".scroller")
    scroller.hover()
    chat.page.mouse.wheel(0, -300)
    end = chat.button("To the end")
    expect(end).to_be_visible()
    place = scroller.evaluate("(el) => el.scrollTop")
    chat.ends()
    assert scroller.evaluate("(el) => el.scrollTop") == place
    end.click()
    expect(end).to_be_hidden()
    expect(chat.turn.locator(".turn-foot")).to_be_in_viewport()


@pytest.mark.long
@pytest.mark.real_claude
def test_a_permission_answered_in_the_terminal_goes_from_the_page(chat: Chat) -> None:
    written = chat.world.workdir / "written.txt"
    written.unlink(missing_ok=True)
    chat.ask("scene:permission")
    expect(chat.card).to_be_visible()

    def answered() -> bool:  # a key that comes with the dialog is lost at times
        if read_screen(chat.world.screen()).state is State.PERMISSION:
            chat.world.terminal.press(chat.world.pane, "Enter")
        return chat.card.count() == 0

    eventually(answered, 20)
    chat.ends()
    expect(chat.card).to_have_count(0)
    expect(chat.turn.locator(".notice")).to_contain_text("in the terminal")
    expect(chat.text.last).to_have_text("It was done.")
    assert written.exists()


@pytest.mark.long
def test_a_long_text_that_is_pasted_stays_in_its_place_and_arrives_whole(chat: Chat) -> None:
    pasted = "\n".join(f"line {number} of a long text that somebody pastes" for number in range(120))
    chat.input.focus()
    chat.page.keyboard.insert_text(pasted)
    expect(chat.page.locator(".composer-box")).to_be_in_viewport(ratio=1)
    assert chat.input.evaluate("(el) => el.clientHeight <= innerHeight * 0.4 + 1 && el.scrollHeight > el.clientHeight")
    chat.page.keyboard.press("Enter")
    expect(chat.turn.locator(".question-text")).to_have_text(pasted)
    expect(chat.turn.locator(".turn-foot")).to_be_visible(timeout=30_000)
    chat.page.reload()
    expect(chat.turn.locator(".question-text")).to_have_text(pasted)


def test_with_the_keyboard_alone_one_asks_follows_a_link_and_sees_the_evidence(chat: Chat) -> None:
    keys = chat.page.keyboard
    keys.type(f"scene:chips in:{chat.world.workdir}")
    keys.press("Enter")
    expect(chat.turn.locator("a.chip")).to_be_visible()
    chat.ends()
    for sought in (FOCUSED, CHIP):
        for _ in range(30):
            keys.press("Shift+Tab")
            if chat.page.evaluate(sought):
                break
        assert chat.page.evaluate(sought)
        if sought == FOCUSED:
            keys.press("Enter")
            expect(chat.turn.locator(".evidence dl")).to_be_visible()
    expect(chat.page.locator("a.chip:focus-visible")).to_have_css("outline-style", re.compile("solid|auto"))
