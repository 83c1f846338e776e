"""How it looks and reads: both themes, both languages, small screens, and what a checker of accessibility finds."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.browser.chat import Chat
from tests.browser.conftest import Watch

OVERFLOW = """() => {
  const width = document.documentElement.clientWidth;
  const outside = [...document.querySelectorAll("body *")].filter((el) => {
    const { left, right, width: own } = el.getBoundingClientRect();
    return own > 0 && (left < -0.5 || right > width + 0.5) && !el.closest(".hidden, .code pre *, .table *");
  });
  const scrollers = [document.documentElement, document.querySelector(".scroller")];
  const scrolling = scrollers.filter((el) => el.scrollWidth > el.clientWidth);
  return [...scrolling, ...outside].map((el) => `${el.tagName} ${el.getAttribute("class")}`);
}"""


def states(chat: Chat) -> Iterator[str]:
    """Leads the page from state to state; the words are the same in every language."""
    yield "empty"
    chat.asked("scene:wide")
    chat.turn.locator(".evidence > summary").click()
    yield "a wide answer"
    chat.asked("scene:read")
    chat.turn.locator(".steps > summary").click()
    yield "steps and chips"
    chat.ask("scene:long_permission")
    expect(chat.card).to_be_visible()
    yield "a permission"
    chat.card.get_by_role("button").last.click()
    chat.ends()
    chat.ask("scene:questions")
    expect(chat.card).to_be_visible()
    yield "questions"
    chat.page.locator(".anew").click()
    expect(chat.page.get_by_role("dialog")).to_be_visible()
    yield "a dialog"
    chat.page.get_by_role("dialog").get_by_role("button").last.click()
    chat.stop.click()
    chat.ends()
    chat.asked("scene:failure")
    yield "an error"
    chat.page.route("**/api/**", lambda route: route.abort())
    chat.look()
    expect(chat.page.get_by_role("alert")).to_be_visible()
    yield "no connection"


@pytest.mark.parametrize(
    ("size", "theme", "locale"),
    [((1280, 800), "light", "en-GB"), ((390, 844), "dark", "en-GB"), ((320, 568), "light", "de-DE")],
    ids=["desktop", "phone", "small"],
)
def test_every_state_fits_its_screen_and_axe_finds_nothing_serious(
    opened: Callable[..., Chat], watch: Watch, size: tuple[int, int], theme: str, locale: str
) -> None:
    watch.allow("ERR_FAILED")
    viewport, phone = {"width": size[0], "height": size[1]}, size[0] < 400
    chat = opened(viewport=viewport, is_mobile=phone, has_touch=phone, color_scheme=theme, locale=locale)
    for state in states(chat):
        assert chat.page.evaluate(OVERFLOW) == [], state
        expect(chat.page.locator("dialog, .composer-box").last).to_be_in_viewport(ratio=1)
        found = Axe().run(chat.page, options={"resultTypes": ["violations"]}).response["violations"]
        serious = [rule for rule in found if rule["impact"] in {"serious", "critical"}]
        assert [(rule["id"], [node["html"] for node in rule["nodes"]]) for rule in serious] == [], state


def test_nothing_scrolls_the_page_itself_away(opened: Callable[..., Chat]) -> None:
    chat = opened(viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True)
    for _ in range(3):
        chat.asked("scene:chips")
    chat.turn.locator(".chip .hidden").last.scroll_into_view_if_needed()
    sizes = "[document.documentElement.scrollHeight, document.body.scrollHeight, document.body.scrollTop, scrollY]"
    assert chat.page.evaluate(sizes) == [844, 844, 0, 0]
    expect(chat.page.get_by_role("heading", name="Paliadin")).to_be_in_viewport(ratio=1)


def test_a_screen_reader_hears_words_and_no_markdown(chat: Chat) -> None:
    chat.asked("scene:wide")
    heard = chat.page.locator("[role=status].hidden").inner_text()
    assert heard.startswith("Answer: A heading of a good length")
    assert "column 0, column 1" in heard
    assert not {"|", "#", "`", "**"} & {mark for mark in ("|", "#", "`", "**") if mark in heard}


def test_german_is_spoken_to_a_german_browser(opened: Callable[..., Chat]) -> None:
    chat = opened(locale="de-AT")
    expect(chat.page.locator("html")).to_have_attribute("lang", "de")
    expect(chat.input).to_have_attribute("placeholder", "Fragen Sie Ihr Claude …")
    chat.ask("scene:permission")
    chat.card.get_by_role("button", name="Ablehnen").click()
    chat.ends()
    expect(chat.turn.locator(".notice")).to_contain_text("abgelehnt · im Browser")
    expect(chat.turn.locator(".evidence")).to_contain_text("Belege")
    chat.asked("scene:failure")
    expect(chat.turn.locator(".problem")).to_contain_text("Warten Sie einen Moment und fragen Sie noch einmal.")
    chat.world.terminal.type(chat.world.pane, "half a thought")
    try:
        chat.asked("Und meine?")
        expect(chat.turn.locator(".problem")).to_contain_text("In Claudes Terminal hat jemand zu tippen begonnen.")
        expect(chat.turn.locator(".problem")).not_to_contain_text("terminal:")
        expect(chat.page.locator(".banner")).to_contain_text("In Claudes Terminal ist etwas eingetippt.")
        expect(chat.page.locator(".banner")).not_to_contain_text("something")
    finally:
        chat.world.terminal.press(chat.world.pane, "C-u")
    chat.asked("scene:read")
    expect(chat.turn.locator(".chip-plain")).to_contain_text("nicht bestätigt")


def test_the_language_is_switched_in_mid_turn_and_stays_switched(chat: Chat) -> None:
    chat.ask("scene:stream")
    expect(chat.text).to_contain_text("Line 2 of many.")
    chat.button("DE Deutsch").click()
    expect(chat.page.locator("html")).to_have_attribute("lang", "de")
    expect(chat.text).to_contain_text("Line 2 of many.")
    chat.ends()
    expect(chat.text).to_contain_text("The last line.")
    chat.page.reload()
    expect(chat.input).to_have_attribute("placeholder", "Fragen Sie Ihr Claude …")


def test_the_theme_is_chosen_and_stays_chosen(chat: Chat) -> None:
    background = "getComputedStyle(document.body).backgroundColor"
    light = chat.page.evaluate(background)
    chat.button("Theme: as the system").click()
    chat.button("Theme: light").click()
    expect(chat.page.locator("html")).to_have_attribute("data-theme", "dark")
    chat.page.reload()
    expect(chat.page.locator("html")).to_have_attribute("data-theme", "dark")
    assert chat.page.evaluate(background) != light
