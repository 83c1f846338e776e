"""From a question to an approved deadline in the agenda: the demo's page, its drawer and Paliad, in real browsers."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import UTC, date, datetime
from typing import Any
from uuid import UUID

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, Response, Route, expect

from paliadin.demo import office
from paliadin.postgres.cluster import locate_cluster
from tests.browser.helpers import firefox
from tests.browser.helpers.accessibility import serious, serious_in_firefox
from tests.browser.helpers.chat import ask
from tests.worlds.demo import Demo
from tests.worlds.office import MADE, led, suggest_in, visible
from tests.worlds.world import eventually

TODAY = datetime.now(UTC).date()
MAY = next(day for year in (TODAY.year, TODAY.year + 1) if (day := date(year, 5, 16)) >= TODAY)
ANNA = office.MEMBER
_PROCEEDINGS = [each for each in MADE.projects if each.kind == "proceeding" and each.status == "active"]
_SEEN, _LED = visible(MADE, ANNA), led(MADE, ANNA)
OURS = [each for each in _PROCEEDINGS if each.id in _SEEN]
LED_BY_OTHERS = next(each for each in OURS if each.id not in _LED)
LEAD = next(each.id for each in MADE.people if LED_BY_OTHERS.id in led(MADE, each.id))


@pytest.fixture
def contexts(browser: Browser) -> Iterator[Any]:
    """Makes browsers, each of somebody of their own, and closes them."""
    made: list[BrowserContext] = []

    def make(locale: str = "en-GB", width: int = 1280) -> Page:
        made.append(browser.new_context(viewport={"width": width, "height": 860}, locale=locale))
        return made[-1].new_page()

    yield make
    for context in made:
        context.close()


def paliad(demo: Demo, path: str) -> str:
    return f"http://localhost:{demo.example.port}{path}"


def signed_in(demo: Demo, page: Page, person: str, path: str = "/") -> Page:
    """A browser in which this person is signed in at Paliad."""
    page.goto(paliad(demo, f"/login?to={path}"))
    page.locator(f"button[value='{person}']").click()
    expect(page.locator(".user")).to_be_visible()
    return page


OPENED = """window.opened = [];
new MutationObserver(() => {
  for (const button of document.querySelectorAll(".suggestion-pending .suggestion-buttons button:not(:disabled)"))
    window.opened.push(button.closest(".turn").querySelector(".turn-foot-later") === null);
}).observe(document, { subtree: true, childList: true, attributes: true });"""
"""Writes down, whenever a card may be decided on, whether its answer is complete."""


def suggested(place: Page | Locator, question: str) -> Locator:
    """Ask in the page or the drawer; the card of what is suggested."""
    ask(place, question)
    card = place.locator(".turn").last.locator(".suggestion")
    expect(card).to_be_visible(timeout=60_000)
    expect(place.locator(".turn").last.locator(".turn-foot")).to_be_visible()
    return card


WORDS = {
    "en-GB": ("Enter a deadline for this case: 16 May, Statement of defence", "Statement of defence"),
    "de-DE": ("Lege eine Frist für diese Akte an: 16.05., Klageerwiderung", "Klageerwiderung"),
}
SHOWN: dict[str, dict[str, str]] = {
    "en-GB": {"waits": "waits for approval", "trail": "Trail", "by": "Approved by Dr. Anna Lindner"},
    "de-DE": {"waits": "wartet auf Freigabe", "trail": "Verlauf", "by": "Freigegeben von Dr. Anna Lindner"},
}


@pytest.mark.first(1)
@pytest.mark.parametrize("locale", WORDS)
def test_asked_in_the_drawer_approved_there_and_it_stands_in_the_agenda(demo: Demo, contexts: Any, locale: str) -> None:
    """By the keyboard alone, once the question is typed."""
    (question, title), shown = WORDS[locale], SHOWN[locale]
    project = OURS[list(WORDS).index(locale)]
    page = signed_in(demo, contexts(locale), ANNA, f"/projects/{project.id}")
    reports: list[str] = []
    page.on("console", lambda message: message.type == "error" and reports.append(message.text))
    page.on("pageerror", lambda error: reports.append(str(error)))
    page.locator(".drawer-button").click()
    dialog = page.locator("dialog.drawer")
    expect(dialog.locator("textarea")).to_be_visible()
    card = suggested(dialog, question)
    expect(card).to_contain_text(shown["waits"])
    expect(card).to_contain_text(re.compile(rf"16\.? (May|Mai) {MAY.year}"))
    assert (MAY.weekday() > 4) == (card.locator(".suggestion-warning").count() == 1)
    assert serious(page) == []
    expect(page.locator("main")).not_to_contain_text(title)
    card.locator("button.primary").focus()
    page.keyboard.press("Enter")
    expect(card).to_contain_text(shown["by"])
    assert (MAY.weekday() > 4) == (card.locator(".suggestion-warning").count() == 1)  # it holds, approved or not
    assert not any(button.is_visible() for button in card.locator("button").all())
    expect(page.locator("main")).to_contain_text(title)  # it was told, and reads itself anew
    card.get_by_role("link", name=title).press("Enter")
    expect(page).to_have_url(re.compile(r"/deadlines/deadline-[0-9a-f]{16}$"))
    expect(page.locator("main")).to_contain_text(shown["trail"])
    expect(page.locator("main")).to_contain_text("Dr. Anna Lindner ✨")
    page.goto(paliad(demo, f"/agenda?month={MAY:%Y-%m}"))
    day = page.locator("main")
    expect(day).to_contain_text(re.compile(rf"16\.? (May|Mai) {MAY.year}"))
    expect(day.get_by_role("link", name=title, exact=True).first).to_be_visible()
    page.goto(paliad(demo, f"/projects/{project.id}"))
    expect(page.locator("main")).to_contain_text(title)
    assert reports == []


def suggestion_of(page: Page, question: str) -> dict[str, Any]:
    """Ask at the page; what the daemon says of the suggestion."""
    answers: list[Response] = []
    page.on("response", lambda each: each.url.endswith("/suggestions") and answers.append(each))
    suggested(page, question)
    [suggestion] = answers[-1].json()["suggestions"]  # before it came those of the turns above
    return dict(suggestion)


def with_second(demo: Demo, page: Page, question: str, **content: str) -> Locator:
    """Ask at the page, and let the same turn suggest another thing: its two cards, after a reload."""
    first = suggestion_of(page, question)
    conninfo = locate_cluster(demo.home).conninfo
    kind = "appointment" if "starts_at" in content else "deadline"
    suggest_in(conninfo, ANNA, first["project"]["id"], kind, turn=UUID(first["turn_id"]), **content)
    page.reload()
    cards = page.locator(".turn").last.locator(".suggestion")
    expect(cards).to_have_count(2)
    expect(cards.first.locator("button.primary")).to_be_enabled()
    return cards


@pytest.mark.long
def test_nobody_decides_while_the_answer_goes_on(demo: Demo, contexts: Any) -> None:
    """Until then what stands below it moves, and a button could come below a pointer that is meant for another one."""
    page = contexts()
    page.add_init_script(OPENED)
    page.goto(demo.paliadin("people", "token", ANNA).stdout.strip().splitlines()[-1])
    card = suggested(page, f"Enter a deadline for {OURS[0].reference}: 19 May, Rejoinder")
    expect(card.locator("button.primary")).to_be_enabled()
    assert set(page.evaluate("window.opened")) == {True}


@pytest.mark.long
@pytest.mark.first(1)
@pytest.mark.parametrize("decision", ["primary", "reject"])
def test_a_double_click_decides_on_no_other_card(demo: Demo, contexts: Any, decision: str) -> None:
    """The first card gets shorter with the first click, so that the next one's buttons come nearer."""
    page = contexts()
    page.goto(demo.paliadin("people", "token", ANNA).stdout.strip().splitlines()[-1])
    question = f"Enter a deadline for {OURS[0].reference}: 20 May, Twice {decision}"
    cards = with_second(demo, page, question, title=f"Second {decision}", due_date=f"{MAY.year}-05-21")
    button = cards.first.locator("button.primary" if decision == "primary" else "button:not(.primary)").first
    sent: list[str] = []
    page.on("request", lambda request: request.method == "POST" and sent.append(request.url))
    # As if the second card's button had come below the pointer between the two clicks.
    button.evaluate(
        """(button) => button.addEventListener("click", () => {
          const other = [...document.querySelectorAll(".turn:last-child .suggestion")][1];
          const below = other.querySelector("button.primary");
          const here = button.getBoundingClientRect();
          Object.assign(below.style, { position: "fixed", left: `${here.x}px`, top: `${here.y}px`, zIndex: 9,
            width: `${here.width}px`, height: `${here.height}px` });
          document.body.dataset.moved = "1";
        }, { capture: true, once: true })"""
    )
    button.dblclick()
    assert page.locator("body").get_attribute("data-moved") == "1"
    if decision == "primary":
        expect(cards.first).to_contain_text("Freigegeben von Dr. Anna Lindner")
    page.reload()
    expect(cards.nth(1)).to_contain_text("wartet auf Freigabe")
    assert len([each for each in sent if each.endswith("/decision")]) == (decision == "primary")


@pytest.mark.long
def test_a_card_is_as_wide_as_the_page_whatever_stands_in_it(demo: Demo, contexts: Any) -> None:
    page = contexts(width=390)
    page.goto(demo.paliadin("people", "token", ANNA).stdout.strip().splitlines()[-1])
    content = {"title": "W" * 190, "place": "M" * 190, "starts_at": "2031-05-16T09:30Z", "ends_at": "2031-05-16T10:30Z"}
    cards = with_second(demo, page, f"Enter a deadline for {OURS[0].reference}: 22 May, Long", **content)
    for card in cards.all():
        assert card.evaluate("(card) => card.scrollWidth <= card.clientWidth")
        assert card.evaluate("(card) => card.getBoundingClientRect().right <= innerWidth")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


NOT_HERS: dict[str, tuple[dict[str, bool], set[str], str]] = {
    "second pair": (
        {"may_approve": False},
        {"Ablehnen"},
        "Freigeben muss das jemand anderes; zurückziehen können Sie es.",
    ),
    "others": (
        {"may_approve": False, "may_reject": False},
        set(),
        "Darüber entscheidet, wer das Projekt leitet.",
    ),
    "elsewhere": (
        {"may_approve": False, "may_reject": False, "elsewhere": True},
        set(),
        "Entscheiden Sie darüber im Eingang oder auf der Seite von Paliadin.",
    ),
}
"""What the daemon says of a pending suggestion → the buttons that are shown → the words beside them."""


def answer_with(body: object) -> Callable[[Route], None]:
    """What answers a request with this body."""
    return lambda route: route.fulfill(json=body)


@pytest.mark.long
def test_a_card_says_who_decides_where_she_may_not(demo: Demo, contexts: Any) -> None:
    page = contexts()
    page.goto(demo.paliadin("people", "token", ANNA).stdout.strip().splitlines()[-1])
    suggestion = suggestion_of(page, f"Enter a deadline for {OURS[0].reference}: 23 May, Whose")
    card = page.locator(".turn").last.locator(".suggestion")
    address = f"**/practice/turns/{suggestion['turn_id']}/suggestions"
    for said, buttons, words in NOT_HERS.values():
        page.route(address, answer_with({"suggestions": [suggestion | said]}))
        with page.expect_request(address):
            page.reload()
        expect(card.locator(".suggestion-status")).to_have_text(words)
        assert {button.inner_text() for button in card.locator("button").all() if button.is_visible()} == buttons


def shows_form(page: Page) -> None:
    """Wait until all of the form for a note is in sight, with nothing over it."""
    page.wait_for_function("""[...document.querySelectorAll(".suggestion-note:not([hidden]) > *")].every((part) => {
      const { left, right, top, bottom } = part.getBoundingClientRect();
      return [top + 2, bottom - 2].every((y) => part.contains(document.elementFromPoint((left + right) / 2, y)));
    })""")


@pytest.mark.long
def test_in_a_low_window_all_of_the_form_for_a_note_comes_into_sight(demo: Demo, contexts: Any) -> None:
    page = contexts()
    page.set_viewport_size({"width": 420, "height": 640})
    page.goto(demo.paliadin("people", "token", ANNA).stdout.strip().splitlines()[-1])
    card = suggested(page, f"Enter a deadline for {OURS[0].reference}: 24 May, Low")
    reject = card.get_by_role("button", name="Ablehnen")
    expect(reject).to_be_enabled()
    # Its buttons just above the edge, as where somebody has scrolled to them.
    page.evaluate("""() => {
      const thread = [...document.querySelectorAll("*")].filter((each) => each.scrollHeight > each.clientHeight + 100
        && getComputedStyle(each).overflowY !== "visible" && each.querySelector(".suggestion")).at(-1)
        ?? document.scrollingElement;
      const last = [...document.querySelectorAll(".suggestion-buttons")].at(-1).getBoundingClientRect();
      const edge = document.querySelector(".composer").getBoundingClientRect().top;
      thread.scrollBy({ top: last.bottom - edge + 2, behavior: "instant" });
    }""")
    reject.focus()
    page.keyboard.press("Enter")
    expect(card.get_by_label("Warum?")).to_be_focused()
    shows_form(page)


@pytest.mark.long
def test_rejected_with_a_note_which_the_inbox_and_a_later_visit_show(demo: Demo, contexts: Any) -> None:
    page = contexts()
    page.goto(str(demo.member_url))
    card = suggested(page, f"Enter a deadline for {OURS[0].reference}: 17 May, Reply on <b>costs</b>")
    expect(card.locator(".card-title")).to_have_text("Reply on <b>costs</b>")
    card.get_by_role("button", name="Ablehnen").click()  # her page is in her language
    expect(card.get_by_label("Warum?")).to_be_focused()
    shows_form(page)
    page.keyboard.type("<i>Wrong</i> case")
    page.keyboard.press("Enter")
    expect(card).to_contain_text("Abgelehnt von Dr. Anna Lindner")
    expect(card).to_contain_text("Anmerkung: <i>Wrong</i> case")
    page.reload()
    card = page.locator(".turn").last.locator(".suggestion")
    expect(card).to_contain_text("Anmerkung: <i>Wrong</i> case")
    assert serious(page) == []
    page.set_viewport_size({"width": 390, "height": 800})
    fits = "document.documentElement.scrollWidth <= innerWidth"  # once the list is out of the way
    eventually(lambda: page.evaluate(fits), what="it fits a phone")
    there = signed_in(demo, contexts("de-DE"), ANNA, "/inbox")
    entry = there.locator("article", has_text="Reply on <b>costs</b>")
    expect(entry).to_contain_text("✨ Paliadin (für Dr. Anna Lindner)")
    expect(entry).to_contain_text(f"Enter a deadline for {OURS[0].reference}")  # the question
    expect(entry).to_contain_text("<i>Wrong</i> case")
    there.goto(paliad(demo, "/deadlines?status=all&q=costs"))
    expect(there.locator("main")).not_to_contain_text("Reply on")


@pytest.mark.long
def test_of_two_who_decide_at_the_same_moment_one_is_told(demo: Demo, contexts: Any) -> None:
    """A member who leads the project and the owner, in Paliad's inbox; and the one who asked sees it at their page."""
    page = contexts()
    page.goto(demo.paliadin("people", "token", ANNA).stdout.strip().splitlines()[-1])
    card = suggested(page, f"Enter a deadline for {LED_BY_OTHERS.reference}: 18 May, Translation")
    deciders: list[Page] = []
    for person in (LEAD, office.OWNER.id):
        there = signed_in(demo, contexts(), person, "/inbox")
        entry = there.locator("article", has_text="Translation").filter(has_text="✨ Paliadin (for Dr. Anna Lindner)")
        expect(entry.get_by_role("button", name="Approve")).to_be_visible()
        deciders.append(there)
    click = """([title, value]) => {
      const entry = [...document.querySelectorAll("article")].find((each) => each.innerText.includes(title));
      setTimeout(() => entry.querySelector(`button[value=${value}]`).click(), 200);
    }"""
    for there, value in zip(deciders, ("approve", "reject"), strict=True):
        there.evaluate(click, ["Translation", value])
    for there in deciders:
        there.wait_for_url(re.compile(r"/inbox/[0-9a-f-]{36}$"))
    told = [there.locator("main").inner_text() for there in deciders]
    [lost] = [number for number, text in enumerate(told) if "already" in text]
    won = told[1 - lost]
    state = "approved" if lost == 1 else "rejected"
    assert state in won
    assert state in told[lost]
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")  # she comes back to the page
    expect(card).to_contain_text({"approved": "freigegeben", "rejected": "abgelehnt"}[state])
    assert ("as the owner" in won) == (lost == 0)


@pytest.mark.long
def test_in_firefox_one_is_approved_by_the_keyboard_and_one_rejected(
    demo: Demo, tmp_path_factory: pytest.TempPathFactory
) -> None:
    with firefox.running(tmp_path_factory.mktemp("profile")) as tab:
        tab.go(demo.paliadin("people", "token", ANNA).stdout.strip().splitlines()[-1], ".composer textarea")
        for number, title in enumerate(("Erwiderung", "Replik"), start=1):
            tab.click(".composer textarea")
            tab.type(f"Lege eine Frist für {OURS[0].reference} an: {number}. Dezember 2030, {title}")
            tab.press("Enter")
            card = ".turn:last-child .suggestion"
            tab.shows(f"{card} .card-title", title)
            tab.shows(".turn:last-child .turn-foot:not(.turn-foot-later)", "Belege")
            eventually(
                lambda: not tab.evaluate("document.querySelector('.turn:last-child .suggestion button').disabled")
            )
            button = "button.primary" if number == 1 else "button:not(.primary)"
            tab.evaluate(f"document.querySelector('.turn:last-child .suggestion-buttons {button}').focus()")
            tab.press("Enter")
            if number == 2:
                tab.focuses(".suggestion .reason")
                tab.type("Zu früh")
                tab.press("Enter")
            state = ("Freigegeben von Dr. Anna Lindner", "Abgelehnt von Dr. Anna Lindner")[number - 1]
            tab.shows(f"{card} .suggestion-status", state)
            tab.focuses(".suggestion")
        assert serious_in_firefox(tab) == []


TOO_WIDE = """[...document.querySelectorAll("main p")].filter((each) => each.scrollWidth > each.clientWidth)
    .map((each) => each.innerText)"""
PAGES = ("/inbox", "/audit", f"/agenda?month={MAY:%Y-%m}", f"/projects/{OURS[0].id}", "/login")


@pytest.mark.long
@pytest.mark.first(1)
@pytest.mark.parametrize(("width", "locale"), [(1280, "en-GB"), (390, "de-DE")])
def test_paliads_pages_are_accessible_in_both_themes_and_fit_the_window(
    demo: Demo, contexts: Any, width: int, locale: str
) -> None:
    for _ in range(2):
        twice = {"title": "The same entry twice", "due_date": f"{MAY.year}-05-16"}
        suggest_in(locate_cluster(demo.home).conninfo, ANNA, OURS[0].id, **twice)
    page = signed_in(demo, contexts(locale, width), ANNA)
    request = page.goto(paliad(demo, "/inbox")) and page.locator("article h3 a").first.get_attribute("href")
    for path in (*PAGES, request or ""):
        page.goto(paliad(demo, path))
        expect(page.locator("main h1")).to_be_visible()
        assert serious(page, "main") == [], path
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
        assert page.evaluate(TOO_WIDE) == [], path
