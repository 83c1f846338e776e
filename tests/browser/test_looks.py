"""How it looks and reads: both themes, both languages, small screens, and what a checker of accessibility finds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Watch
from tests.browser.helpers.accessibility import Theme, serious
from tests.browser.helpers.chat import Chat
from tests.browser.helpers.emptying import empty
from tests.browser.helpers.interception import HEALTH, intercept, release
from tests.browser.helpers.page_stream import begin_anew, leave_out
from tests.browser.helpers.streams import TURN, running_turn

STATUS = """async () => {
  const { createStatus } = await import(`${location.origin}/paliadin/static/js/views/status.js`);
  const status = createStatus({ t: (key) => key, lang: "en" });
  window.says = (phase) => {
    status.update({ phase: "running", status: { phase, message: "" }, parts: [], interrupts: [], startedAt: null });
    return status.el.querySelector(".shimmer").textContent;
  };
}"""
OVERFLOW = """() => {
  const width = document.documentElement.clientWidth;
  const outside = [...document.querySelectorAll("body *")].filter((el) => {
    const { left, right, width: own } = el.getBoundingClientRect();
    return own > 0 && (left < -0.5 || right > width + 0.5) && !el.closest(".hidden, .code pre *, .table *");
  });
  const scrollers = [document.documentElement, document.querySelector(".scroller")];
  const scrolling = scrollers.filter((el) => el.scrollWidth > el.clientWidth);
  const ink = document.createElement("canvas").getContext("2d");
  const cut = [...document.querySelectorAll("input[placeholder]")].filter((el) => {
    const { font, paddingLeft, paddingRight } = getComputedStyle(el);
    ink.font = font;
    const room = el.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
    return el.checkVisibility() && ink.measureText(el.placeholder).width > room;
  });
  return [...scrolling, ...outside, ...cut].map((el) => `${el.tagName} ${el.getAttribute("class")}`);
}"""


SIZES = {"desktop": (1280, 800), "tablet": (820, 1180), "phone": (390, 844), "small": (320, 568)}
LANGUAGES = {"desktop": "en-GB", "tablet": "de-DE", "phone": "en-GB", "small": "de-DE"}
UNWELL = {
    "ok": False,
    "parts": [
        {"name": "claude", "ok": False, "state": "dead", "message": "Claude ended. It said: no key", "hint": "Log in."},
        {"name": "database", "ok": False, "state": "database_unavailable", "message": "away", "hint": "Look."},
    ],
    "scripted": True,
    "demo_questions": {"en": ["What is open?", "Why?"], "de": ["Was ist offen?", "Warum?"]},
}
ASKED = {"id": "i", "kind": "text", "message": "Which name?", "options": [], "multi": False, "questions": []}


@dataclass(frozen=True)
class Views:
    """One conversation in a browser of each size; the first one asks."""

    chats: dict[str, Chat]

    @property
    def first(self) -> Chat:
        return next(iter(self.chats.values()))

    def each(self, act: Callable[[Chat], object]) -> None:
        for chat in self.chats.values():
            act(chat)

    def ask(self, question: str) -> None:
        """Ask; all have seen the turn begin."""
        self.first.ask(question)
        count = self.first.turns.count()
        for chat in self.chats.values():
            chat.look()
            expect(chat.turns).to_have_count(count)

    def asked(self, question: str) -> None:
        self.ask(question)
        self.each(lambda chat: chat.ends())

    def ask_back(self, question: str) -> None:
        self.ask(question)
        self.each(lambda chat: expect(chat.card).to_be_visible())

    def cancel(self) -> None:
        self.first.card.get_by_role("button").last.click()
        self.each(lambda chat: chat.ends())

    def begin_anew(self) -> None:
        """An empty conversation. What axe has seen, it need not see again in each state that follows."""
        empty(self.first.world)
        self.each(lambda chat: chat.page.reload())
        self.each(lambda chat: expect(chat.turns).to_have_count(0))

    def press(self, selector: str) -> None:
        self.each(lambda chat: chat.page.locator(selector).last.click())

    def close(self) -> None:
        self.each(lambda chat: chat.page.keyboard.press("Escape"))
        self.each(lambda chat: expect(chat.page.locator("dialog[open]")).to_have_count(0))


def states(views: Views) -> Iterator[str]:
    """Leads all pages from state to state."""
    yield "empty"
    yield from answers(views)
    yield from questions(views)
    yield from dialogs(views)
    yield from troubles(views)


def answers(views: Views) -> Iterator[str]:
    views.asked("scene:wide")
    views.press(".evidence > summary")
    yield "a wide answer"
    views.asked("scene:differs")
    views.press(".evidence > summary")
    views.press(".steps > summary")
    views.press(".step-line")
    yield "steps, and evidence that differs"
    views.asked("scene:chips")
    views.press(".turn-actions [aria-pressed]")
    views.each(lambda chat: expect(chat.turn.locator(".feedback")).to_be_visible())
    yield "chips, and a word on the answer"
    views.ask("scene:slow")
    views.each(lambda chat: expect(chat.text).to_contain_text("Line 2."))
    yield "an answer that streams"
    views.first.stop.click()
    views.each(lambda chat: chat.ends())


def questions(views: Views) -> Iterator[str]:
    views.begin_anew()
    views.ask_back("scene:long_permission")
    yield "a permission"
    views.cancel()
    (views.first.world.workdir / "edit.txt").write_text("first\nkept\nold line\n")
    views.ask_back("scene:edit")
    yield "a permission to edit"
    views.cancel()
    views.ask_back("scene:question")
    yield "a single choice"
    views.cancel()
    views.ask_back("scene:questions")
    yield "several questions, of several choices"
    views.cancel()


def dialogs(views: Views) -> Iterator[str]:
    views.press(".header .search")
    views.each(lambda chat: chat.page.locator("dialog[open] input").fill("scene"))
    views.each(lambda chat: expect(chat.page.locator("dialog[open] .found button").first).to_be_visible())
    yield "found"
    views.close()


def in_the_terminal(views: Views) -> Iterator[str]:
    with views.first.world.drafting("half a thought"):
        views.asked("And mine?")
        views.each(lambda chat: chat.page.reload())
        views.each(lambda chat: expect(chat.page.locator(".banner")).to_be_visible())
        yield "a draft in the terminal"
        views.press(".banner button")
        views.each(lambda chat: expect(chat.page.locator("dialog[open] .terminal")).to_contain_text("half a thought"))
        yield "the terminal"
        views.close()


def troubles(views: Views) -> Iterator[str]:
    views.begin_anew()
    views.asked("And mine?")
    views.each(lambda chat: leave_out(chat.page, "health"))
    views.each(lambda chat: intercept(chat.page, HEALTH, lambda request: request.fulfill(json=UNWELL)))
    views.each(lambda chat: chat.page.reload())
    views.each(lambda chat: expect(chat.page.locator(".banner.demo")).to_be_visible())
    views.press(".banner.demo summary")
    yield "nothing is well, in the demo"
    views.each(lambda chat: chat.page.route("**/api/paliadin/events?*", lambda route: route.abort()))
    views.each(lambda chat: begin_anew(chat.page))
    views.each(lambda chat: expect(chat.page.get_by_role("alert")).to_be_visible())
    yield "no connection"
    views.each(lambda chat: chat.page.unroute_all())
    views.each(lambda chat: release(chat.page))
    views.each(lambda chat: chat.page.context.clear_cookies())
    views.each(lambda chat: chat.look())
    views.each(lambda chat: expect(chat.page.locator(".empty .primary")).to_be_visible())
    yield "signed out"
    views.each(lambda chat: chat.page.reload())
    views.each(lambda chat: expect(chat.page.locator("main h1, main h2").first).to_be_visible())
    yield "locked"


BOTH: tuple[Theme, ...] = ("light", "dark")
# The themes that axe looks at in each size, whose width matters little to it. With all tests it is the smallest window,
# which cuts off the most, and one theme for each state. The list beside the page is looked at in test_list.
LOOKS: dict[str, dict[str, tuple[Theme, ...]]] = {
    "some": {"small": BOTH},
    "large": {"desktop": BOTH, "tablet": ()},
    "small": {"phone": BOTH, "small": ()},
}


SOME = pytest.mark.parametrize(
    "looks",
    [pytest.param(LOOKS[name], id=name, marks=() if name == "some" else pytest.mark.matrix) for name in LOOKS],
)


@pytest.fixture
def views(opened: Callable[..., Chat], watch: Watch, looks: dict[str, tuple[Theme, ...]]) -> Views:
    watch.allow("ERR_FAILED|401")
    chats = {}
    for name in looks:
        width, height = SIZES[name]
        options = {"viewport": {"width": width, "height": height}, "has_touch": width < 1000, "is_mobile": width < 1000}
        chats[name] = opened(locale=LANGUAGES[name], reduced_motion="reduce", **options)
    return Views(chats)


@SOME
@pytest.mark.timeout(300)
def test_every_state_fits_its_screen_and_axe_finds_nothing_serious(
    views: Views, looks: dict[str, tuple[Theme, ...]]
) -> None:
    check_each(states(views), views, looks)


@pytest.mark.long
@SOME
@pytest.mark.real_claude
def test_what_the_page_shows_of_the_terminal_fits_and_axe_finds_nothing_serious(
    views: Views, looks: dict[str, tuple[Theme, ...]]
) -> None:
    check_each(in_the_terminal(views), views, looks)


def check_each(states: Iterator[str], views: Views, looks: dict[str, tuple[Theme, ...]]) -> None:
    for number, state in enumerate(states):
        for name, chat in views.chats.items():
            themes = looks[name] if looks is not LOOKS["some"] else (BOTH[number % 2],)
            check(chat, f"{state} ({name})", themes=themes)


def check(chat: Chat, where: str, themes: tuple[Theme, ...] = BOTH) -> None:
    page = chat.page
    page.bring_to_front()
    if page.locator(".scroller").count():
        assert page.evaluate(OVERFLOW) == [], where
    box = page.locator("dialog[open], .composer-box:visible").last
    if box.count():
        expect(box).to_be_in_viewport(ratio=1)
    if themes:
        assert serious(page, themes=themes) == [], where


@pytest.mark.long
def test_a_question_without_choices_is_answered_where_everything_is_written(chat: Chat) -> None:
    """Claude Code's own questions have choices; other programs' may have none."""
    with running_turn(chat.page, [("meta", {"turn_id": TURN}), ("interrupt", ASKED)]):
        chat.page.route("**/api/paliadin/stream/*/answer", lambda route: route.fulfill(json={"accepted": True}))
        chat.page.reload()
        expect(chat.card).to_contain_text("Which name?")
        expect(chat.card.get_by_role("button", name="Reply", exact=True)).to_be_hidden()
        expect(chat.input).to_have_attribute("placeholder", "Your own reply …")
        check(chat, "free text")
        chat.input.fill("Ada")
        with chat.page.expect_response("**/api/paliadin/stream/*/answer") as replied:
            chat.input.press("Enter")
    assert replied.value.request.post_data_json == {"interrupt_id": "i", "value": "Ada"}


def test_a_status_stays_until_it_can_be_read_and_the_last_one_wins(opened_alone: Callable[..., Chat]) -> None:
    chat = opened_alone()
    chat.page.clock.install(time=0)
    chat.page.clock.pause_at(1000)
    chat.page.evaluate(STATUS)

    def says(phase: str) -> str:
        return str(chat.page.evaluate("(phase) => says(phase)", phase))

    assert says("sent") == "status.sent"
    assert says("thinking") == "status.sent"
    chat.page.clock.run_for(299)
    assert says("answering") == "status.sent"
    chat.page.clock.run_for(1)
    assert says("waiting") == "status.answering"
    chat.page.clock.run_for(300)
    assert says("waiting") == "status.waiting"


def test_the_shimmer_stands_still_for_who_wants_no_motion(chat: Chat) -> None:
    chat.ask("scene:thinking")
    words = chat.page.locator(".status .shimmer")
    expect(words).to_be_visible()
    for motion, animation in (("no-preference", "shimmer"), ("reduce", "none")):
        chat.page.emulate_media(reduced_motion=motion)
        expect(words).to_have_css("animation-name", animation)
    expect(words).not_to_have_css("color", "rgba(0, 0, 0, 0)")
    expect(chat.page.locator(".status-dot")).to_have_css("animation-name", "none")


@pytest.mark.long
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
    status = chat.page.locator(".chat > [role=status].hidden")
    expect(status).to_contain_text("Answer: A heading of a good length")
    heard = status.inner_text()
    assert heard.startswith("Answer: A heading of a good length")
    assert "column 0, column 1" in heard
    assert not {"|", "#", "`", "**"} & {mark for mark in ("|", "#", "`", "**") if mark in heard}


def test_a_heading_of_an_answer_is_no_second_title_of_the_page(chat: Chat) -> None:
    chat.asked("scene:wide")
    expect(chat.page.get_by_role("heading", level=1)).to_have_text("Paliadin")
    heading = chat.page.get_by_role("heading", level=3)
    expect(heading).to_contain_text("A heading of a good length")
    expect(heading).to_have_css("font-size", "22px")


def test_german_is_spoken_to_a_german_browser(opened: Callable[..., Chat]) -> None:
    chat = opened(locale="de-AT")
    expect(chat.page.locator("html")).to_have_attribute("lang", "de")
    expect(chat.input).to_have_attribute("placeholder", "Fragen Sie Claude …")
    chat.ask("scene:permission")
    chat.card.get_by_role("button", name="Ablehnen").click()
    chat.ends()
    expect(chat.turn.locator(".notice")).to_contain_text("abgelehnt · im Browser")
    expect(chat.turn.locator(".evidence")).to_contain_text("Belege")
    chat.asked("scene:failure")
    expect(chat.turn.locator(".problem")).to_contain_text("Warten Sie einen Moment und fragen Sie noch einmal.")
    chat.asked("scene:read")
    expect(chat.turn.locator(".chip-plain")).to_contain_text("nicht bestätigt")


@pytest.mark.long
@pytest.mark.real_claude
def test_german_is_spoken_of_the_terminal_to_a_german_browser(opened: Callable[..., Chat]) -> None:
    chat = opened(locale="de-AT")
    with chat.world.drafting("half a thought"):
        chat.asked("Und meine?")
        expect(chat.turn.locator(".problem")).to_contain_text("In Claudes Terminal hat jemand zu tippen begonnen.")
        expect(chat.turn.locator(".problem")).not_to_contain_text("terminal:")
        expect(chat.page.locator(".banner")).to_contain_text("In Claudes Terminal ist etwas eingetippt.")
        expect(chat.page.locator(".banner")).not_to_contain_text("something")


@pytest.mark.long
def test_the_language_is_switched_in_mid_turn_and_stays_switched(chat: Chat) -> None:
    chat.ask("scene:stream")
    expect(chat.text).to_contain_text("Line 2 of many.")
    chat.button("DE Deutsch").click()
    expect(chat.page.locator("html")).to_have_attribute("lang", "de")
    expect(chat.text).to_contain_text("Line 2 of many.")
    chat.ends()
    expect(chat.text).to_contain_text("The last line.")
    chat.page.reload()
    expect(chat.input).to_have_attribute("placeholder", "Fragen Sie Claude …")


def test_the_theme_is_chosen_and_stays_chosen(chat: Chat) -> None:
    background = "getComputedStyle(document.body).backgroundColor"
    light = chat.page.evaluate(background)
    chat.button("Theme: as the system").click()
    chat.button("Theme: light").click()
    expect(chat.page.locator("html")).to_have_attribute("data-theme", "dark")
    chat.page.reload()
    expect(chat.page.locator("html")).to_have_attribute("data-theme", "dark")
    assert chat.page.evaluate(background) != light


@pytest.mark.long
def test_where_there_is_no_conversation_yet_a_phone_shows_the_beginning(opened: Callable[..., Chat]) -> None:
    chat = opened(viewport={"width": 375, "height": 300}, is_mobile=True, has_touch=True)
    scroller = chat.page.locator(".scroller")
    expect(scroller.get_by_text("What would you like to know?")).to_be_in_viewport(ratio=1)
    assert scroller.evaluate("element => [element.scrollHeight > element.clientHeight, element.scrollTop]") == [True, 0]


def test_the_first_key_skips_to_the_question(chat: Chat) -> None:
    page = chat.page
    skip = page.get_by_role("link", name="Skip to the question")
    first = "document.querySelector('a[href], button, input, textarea, [tabindex]').className"
    assert page.evaluate(first) == "skip"
    assert (skip.bounding_box() or {})["width"] == 1  # seen only by who comes to it by key
    skip.focus()
    assert (skip.bounding_box() or {})["width"] > 100
    assert serious(page, "body > .skip") == []
    address = page.url
    page.keyboard.press("Enter")
    expect(chat.input).to_be_focused()
    assert page.url == address


@pytest.mark.first(1)
@pytest.mark.parametrize("locale", ["en-GB", "de-DE"])
def test_words_stand_beside_the_icons_where_there_is_room(opened: Callable[..., Chat], locale: str) -> None:
    page = opened(locale=locale, viewport={"width": 1200, "height": 800}).page
    page.locator(".header .list-toggle").click()  # then the header has most in it
    words = page.locator(".header .icon-word:visible")
    expect(words).to_have_count(5)
    for word in words.all():
        control = word.locator("..")
        name = control.get_attribute("aria-label") or ""
        assert word.inner_text().lower() in name.lower()  # who speaks what they see finds it
        assert control.evaluate("(el) => el.scrollWidth <= el.clientWidth && el.clientHeight < 40"), name
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.set_viewport_size({"width": 1199, "height": 800})
    expect(words).to_have_count(0)
