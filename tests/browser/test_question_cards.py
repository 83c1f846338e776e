"""A card with several questions: none is missed, with a mouse, a finger or the keyboard, in whatever window."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.helpers.accessibility import serious
from tests.browser.helpers.chat import Chat
from tests.browser.helpers.streams import running_turn

PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
SIZES = {"desktop": {}, "phone": PHONE, "low": {"viewport": {"width": 640, "height": 400}}}
REPLY = '"What about the first?"="Choice A"'


@pytest.mark.first(1)
@pytest.mark.parametrize("size", [pytest.param("desktop", marks=pytest.mark.matrix), "phone", "low"])
def test_a_question_below_is_counted_and_led_to(opened: Callable[..., Chat], size: str) -> None:
    chat = opened(**SIZES[size])
    chat.ask("scene:many_questions")
    places, more = chat.card.locator(".field-place"), chat.card.locator(".card-more")
    expect(places).to_have_text(["Question 1 of 3", "Question 2 of 3", "Question 3 of 3"])
    expect(more).to_contain_text("2 more questions below")
    expect(more).to_be_in_viewport(ratio=1)
    expect(places.nth(1)).not_to_be_in_viewport()
    assert serious(chat.page, ".ask") == []
    for left, number in (("1 more question below", 1), ("There is more below.", 2)):
        more.get_by_role("button", name="Next question").click()
        expect(places.nth(number)).to_be_in_viewport(ratio=0.9)
        expect(chat.card.locator(".field").nth(number).locator("input").first).to_be_focused()
        expect(more).to_contain_text(left)
    more.get_by_role("button", name="Go to the end").click()
    expect(more).to_have_text("Nothing more below.", use_inner_text=True)
    expect(more.locator("button")).to_be_hidden()
    assert serious(chat.page, ".ask") == []
    for name in ("first", "second", "third"):
        chat.card.get_by_role("group", name=f"What about the {name}?").get_by_label("Choice A").check()
    reply = chat.card.get_by_role("button", name="Reply", exact=True)
    reply.scroll_into_view_if_needed()
    reply.click()
    chat.ends()
    expect(chat.text).to_contain_text(REPLY)


def test_a_reply_that_is_missing_is_named_and_led_to(opened: Callable[..., Chat]) -> None:
    chat = opened()
    chat.ask("scene:many_questions")
    expect(chat.card).to_be_focused()
    field = chat.card.locator(".field")
    reply = chat.card.get_by_role("button", name="Reply", exact=True)
    state = chat.card.locator(".card-state")
    field.first.get_by_label("Choice A").check()
    expect(reply).to_be_disabled()
    for number, name in ((2, "second"), (3, "third")):
        reply.focus()
        chat.page.keyboard.press("Enter")
        expect(state).to_have_text(f"Question {number} has no reply yet.")
        expect(field.nth(number - 1).locator("input").first).to_be_focused()
        expect(chat.card.get_by_text(f"What about the {name}?")).to_be_in_viewport(ratio=1)
        chat.page.keyboard.press("Space")
        expect(state).to_have_text("")
    expect(reply).to_be_enabled()
    chat.page.keyboard.press("Enter")
    chat.ends()
    expect(chat.text).to_contain_text(REPLY)


@pytest.mark.long
def test_a_single_question_says_that_nothing_is_chosen_and_has_no_count(chat: Chat) -> None:
    chat.ask("scene:question")
    expect(chat.card).to_be_focused()
    expect(chat.card.locator(".field-place")).to_have_count(0)
    expect(chat.card.locator(".card-more")).to_be_hidden()
    expect(chat.card.get_by_role("group", name="Choose one")).to_be_visible()
    chat.card.get_by_role("button", name="Reply", exact=True).click(force=True)
    expect(chat.card.locator(".card-state")).to_have_text("Nothing is chosen yet.")
    expect(chat.card.get_by_role("radio", name="Red")).to_be_focused()
    chat.page.keyboard.press("Space")
    chat.page.keyboard.press("Enter")
    chat.ends()
    expect(chat.text).to_contain_text('"Which colour?"="Red"')


def test_numbers_choose_in_the_first_question_without_a_reply_and_send_nothing(chat: Chat) -> None:
    chat.ask("scene:many_questions")
    expect(chat.card).to_be_focused()
    fields = chat.card.locator(".field")
    chat.page.keyboard.press("2")
    expect(fields.first.get_by_role("radio").nth(1)).to_be_checked()
    chat.page.keyboard.press("1")  # the focus is in that question now
    expect(fields.first.get_by_role("radio").first).to_be_checked()
    chat.card.focus()
    chat.page.keyboard.press("1")
    expect(fields.nth(1).locator("input").first).to_be_checked()
    chat.page.keyboard.press("9")  # there is none
    fields.nth(2).get_by_role("textbox").press("1")
    expect(fields.nth(2).get_by_role("textbox")).to_have_value("1")
    expect(fields.nth(2).locator("input").first).not_to_be_checked()
    expect(chat.card).to_be_visible()
    assert serious(chat.page, ".ask") == []
    chat.card.get_by_role("button", name="Reply", exact=True).click()
    chat.ends()
    expect(chat.text).to_contain_text(REPLY)


@pytest.mark.long
def test_choices_below_are_pointed_at_as_well(chat: Chat) -> None:
    options = [{"id": f"{n}", "label": f"Choice {n}", "description": "A sentence. " * 12} for n in range(12)]
    asked = {"id": "i", "kind": "question", "message": "Which?", "options": options, "multi": False, "questions": []}
    with running_turn(chat.page, [("interrupt", asked)]):
        chat.page.goto(chat.page.url)
        chat.page.reload()
        more = chat.card.locator(".card-more")
        expect(more).to_contain_text("There is more below.")
        more.get_by_role("button").click()
        expect(more).to_have_text("Nothing more below.", use_inner_text=True)
        expect(chat.card.get_by_role("radio", name="Choice 11")).to_be_focused()
