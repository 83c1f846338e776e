"""An answer's claims on the page: what is marked, where it leads, and that it disturbs nobody.

The history that the page reads is made up, so the claims are what each test needs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import OPTIONS, Watch, lent_tab
from tests.browser.helpers.accessibility import serious
from tests.browser.helpers.chat import ask
from tests.browser.helpers.claims import ANSWER, FILE, new_id, played, show, turn, without_claims
from tests.browser.helpers.drawer import Drawer, Site
from tests.browser.helpers.tabs import Tabs

NOT_FOUND = "Not found in anything Claude looked up. It may be right all the same."
FACTS = (
    "11 facts: 5 found, 1 from your question, 1 derived, 1 could not be checked, "
    "3 not found in anything Claude looked up"
)
BOXES = """() => {
  const all = document.querySelectorAll(".turn :is(.prose, .prose :is(p, li, td, th, code, strong), .turn-foot)");
  return [...all].map((el) => [el.nodeName, JSON.stringify(el.getBoundingClientRect())]);
}"""
SELECTED = """() => {
  const all = document.querySelector(".turn:last-child .prose");
  getSelection().selectAllChildren(all);
  const text = String(getSelection());
  getSelection().removeAllRanges();
  return text;
}"""
STOPS = ".turn:last-child .prose :is(a, button, [tabindex='0'])"
FOCUSED = "() => document.activeElement.textContent"


@pytest.fixture(scope="module")
def site(scripted_site: Site) -> Site:
    return scripted_site


@pytest.fixture
def options() -> dict[str, Any]:
    return {}


@pytest.fixture
def watch(site: Site) -> Iterator[Watch]:
    watching = Watch(f"{site.world.origin}/", ["^request"])  # the application's as well
    yield watching
    assert watching.troubles() == []


@pytest.fixture
def page(tabs: Tabs, watch: Watch, options: dict[str, Any]) -> Iterator[Page]:
    with lent_tab(tabs, watch, OPTIONS | options) as page:
        yield page


def opened(page: Page, site: Site, *turns: dict[str, Any]) -> Locator:
    """The last of these turns, once its claims are marked."""
    show(page, turns)
    page.goto(site.world.url)
    last = page.locator(".turn").last
    expect(last.locator(".turn-foot")).to_be_visible()
    return last


def claim(answer: Locator, words: str) -> Locator:
    return answer.locator(".prose .claim").filter(has_text=re.compile(f"^{re.escape(words)}$")).first


def test_marks_change_no_line_and_no_copied_word(site: Site, page: Page) -> None:
    item = turn(ANSWER)
    opened(page, site, without_claims(item))
    boxes, text = page.evaluate(BOXES), page.evaluate(SELECTED)
    assert page.locator(".claim").count() == 0
    answer = opened(page, site, item)
    expect(answer.locator(".claim-unsupported")).to_have_text(["Room 214", "412.50 €", "14:30"])
    expect(answer.locator(".claim-found")).to_have_text(["31.12.2031", "c47bd2", "31.12.2031", "80 €", "3 copies"])
    assert page.evaluate(BOXES) == boxes
    assert page.evaluate(SELECTED) == text
    lines = "els => els.map(el => getComputedStyle(el).textDecorationLine)"
    assert answer.locator(".claim-unsupported").evaluate_all(lines) == ["underline"] * 3
    assert set(answer.locator(".claim:not(.claim-unsupported)").evaluate_all(lines)) == {"none"}
    assert serious(page) == []


def test_a_sentence_sums_up_and_the_list_says_where_each_comes_from(site: Site, page: Page) -> None:
    answer = opened(page, site, turn(ANSWER))
    expect(answer.locator(".evidence-facts")).to_have_text(FACTS)
    answer.locator(".evidence > summary").click()
    entries = answer.locator(".claim-entry")
    expect(entries).to_have_count(10)
    first = [f"{words}: {NOT_FOUND}" for words in ("Room 214", "412.50 €", "14:30")]
    assert entries.all_text_contents()[:3] == first
    expect(entries.filter(has_text="1,866 days")).to_contain_text("Derived: sum from deadlines.csv")
    expect(entries.filter(has_text="31.12.2031")).to_contain_text("2 times")
    expect(entries.filter(has_text="Harbour Bridge")).to_contain_text("You wrote this")
    assert serious(page) == []
    entries.filter(has_text="80 €").get_by_title("Show in the answer").click()
    expect(answer.locator(".claim-on")).to_have_text("80 €")
    entries.filter(has_text="80 €").get_by_title("Show where it comes from").click()
    expect(answer.locator("mark.source-line")).to_be_focused()


@pytest.mark.long
def test_only_the_line_of_the_last_claim_is_lit(site: Site, page: Page) -> None:
    answer = opened(page, site, turn("Of ⟦counted:13 rows⟧ one costs ⟦found:80 €⟧."))
    claim(answer, "80 €").click()
    expect(answer.locator("mark.source-line")).to_have_count(1)
    claim(answer, "13 rows").click()
    expect(answer.locator(".source-note")).to_contain_text("“13 rows” comes from here")
    expect(answer.locator("mark.source-line")).to_have_count(0)
    expect(answer.locator("pre.step-output")).to_contain_text("c47bd2 defence due 31.12.2031")


def test_what_follows_from_a_fact_that_was_not_found_names_it(site: Site, page: Page) -> None:
    answer = opened(page, site, turn("With ⟦unsupported:412.50 €⟧ it is ⟦unsure:492.50 €⟧."))
    expect(answer.locator(".evidence-facts")).to_have_text(re.compile("1 derived, 1 not found"))
    answer.locator(".evidence > summary").click()
    entry = answer.locator(".claim-entry").filter(has_text="492.50 €")
    expect(entry).to_contain_text("Derived: sum from “412.50 €”, which was not found")


@pytest.mark.long
def test_an_answer_with_nothing_to_check_has_no_sentence(site: Site, page: Page) -> None:
    answer = opened(page, site, turn("Hello from ⟦common:Vienna⟧."))
    answer.locator(".evidence > summary").click()
    expect(answer.locator(".evidence dl")).to_contain_text("Nothing to check.")
    expect(answer.locator(".evidence-facts, .claim, .claim-list:visible")).to_have_count(0)


def test_pointing_shows_the_source_and_a_click_leads_there_and_back(site: Site, page: Page) -> None:
    answer = opened(page, site, turn(ANSWER))
    tip, found = answer.locator(".claim-tip"), claim(answer, "31.12.2031")
    found.hover()
    expect(tip).to_contain_text("Found in deadlines.csv, line 12")
    expect(tip).to_contain_text("c47bd2 defence due 31.12.2031")
    page.keyboard.press("Escape")
    expect(tip).to_be_hidden()
    claim(answer, "Room 214").hover()
    expect(tip).to_contain_text(NOT_FOUND)
    expect(tip.locator("button")).to_be_hidden()
    found.click()
    line = answer.locator(".step-output mark.source-line")
    expect(line).to_have_text("c47bd2 defence due 31.12.2031")
    expect(line).to_be_in_viewport()
    expect(line).to_be_focused()
    assert answer.locator(".step-output").text_content() == FILE
    page.get_by_role("button", name="Back to the answer").click()
    expect(found).to_be_focused()
    expect(tip).to_be_visible()
    claim(answer, "Harbour Bridge").click()
    expect(answer.locator(".question-text")).to_be_focused()


def test_a_line_that_the_page_does_not_have_is_shown_in_the_call(site: Site, page: Page) -> None:
    answer = opened(page, site, turn(ANSWER, output="row 1: nothing\n[… cut …]\nrow 13: nothing\n"))
    claim(answer, "31.12.2031").click()
    expect(answer.locator(".source-note")).to_contain_text("That line is not in the part that is shown below:")
    expect(answer.locator(".source-note .source-line")).to_have_text("c47bd2 defence due 31.12.2031")
    expect(answer.locator(".source-note .source-line")).to_be_focused()


def test_a_source_in_an_earlier_answer_is_led_to_where_the_page_has_it(site: Site, page: Page) -> None:
    first = turn("There are ⟦found:3 copies⟧.", age=100)
    answer = opened(page, site, first, turn(ANSWER, earlier=first["turn_id"]))
    claim(answer, "3 copies").click()
    expect(page.locator(".turn").first.locator("mark.source-line")).to_be_focused()
    answer = opened(page, site, turn(ANSWER, earlier=new_id(100)))
    claim(answer, "3 copies").hover()
    expect(answer.locator(".claim-tip")).to_contain_text("in an earlier answer")
    expect(answer.locator(".claim-tip button")).to_be_hidden()


@pytest.mark.long
def test_a_source_far_above_is_drawn_and_led_to(site: Site, page: Page) -> None:
    first, *others = [turn("There are ⟦found:3 copies⟧.", age=1_000 - number) for number in range(90)]
    answer = opened(page, site, first, *others, turn(ANSWER, earlier=first["turn_id"]))
    expect(page.locator(".turn").first).to_have_class(re.compile("turn-blank"))
    claim(answer, "3 copies").click()
    expect(page.locator(".turn").first.locator("mark.source-line")).to_be_focused()
    expect(page.locator(".turn").first.locator("mark.source-line")).to_be_in_viewport()


def test_a_claim_that_names_a_file_opens_the_file(site: Site, page: Page) -> None:
    answer = opened(page, site, turn("It stands in ⟦found:data.csv:2⟧, see ⟦unsupported:line 7⟧."))
    expect(answer.locator(".claim")).to_have_count(2)
    link = answer.locator(".file-link").filter(has=page.locator(".claim"))
    expect(link).to_have_text("data.csv:2")
    link.locator(".claim").click()
    expect(page.locator(".file-dialog")).to_contain_text("c47bd2,defence")
    expect(answer.locator("mark.source-line")).to_have_count(0)


def test_an_answer_that_has_just_ended_is_marked(site: Site, page: Page) -> None:
    show(page, [])
    page.goto(site.world.url)
    page.evaluate(played(turn(ANSWER)))
    ask(page, "When is the defence due?")
    answer = page.locator(".turn").last
    expect(answer.locator(".claim-unsupported")).to_have_text(["Room 214", "412.50 €", "14:30"])
    expect(answer.locator(".evidence-facts")).to_have_text(FACTS)


def test_what_the_daemon_found_out_is_on_the_page_and_after_a_reload(site: Site, page: Page) -> None:
    page.goto(site.world.url)
    ask(page, f"When is it due? in:{site.world.workdir} scene:facts")
    for _ in range(2):
        answer = page.locator(".turn").last
        expect(answer.locator(".claim-unsupported")).to_have_text(["31.12.2031"])
        expect(answer.locator(".claim-found")).to_have_text(["c47bd2"])
        expect(answer.locator(".evidence-facts")).to_have_text(
            "2 facts: 1 found, 1 not found in anything Claude looked up"
        )
        answer.locator(".claim-found").click()
        expect(answer.locator("mark.source-line")).to_have_text("c47bd2,defence")
        page.reload()


def test_the_keyboard_reaches_what_was_not_found_and_from_the_list_all_else(site: Site, page: Page) -> None:
    answer = opened(page, site, turn(ANSWER))
    expect(answer.locator(".claim-unsupported")).to_have_text(["Room 214", "412.50 €", "14:30"])
    expect(answer.locator(".claim-unsupported").last).to_have_attribute("tabindex", "0")
    stops = page.locator(STOPS).all_inner_texts()
    assert [text for text in stops if "\n" not in text] == ["Room 214", "412.50 €", "the registry", "14:30"]
    unsupported = answer.get_by_role("button", name=f"Room 214, {NOT_FOUND}", exact=True)
    unsupported.focus()
    expect(answer.locator(".claim-tip")).to_be_visible()
    page.keyboard.press("Enter")
    expect(answer.locator(".evidence")).to_have_attribute("open", "")
    assert page.evaluate(FOCUSED) == "Room 214"
    entry = answer.locator(".claim-entry").filter(has_text="80 €").get_by_role("button").first
    entry.press("Enter")
    expect(claim(answer, "80 €")).to_be_focused()
    page.keyboard.press("Enter")
    expect(answer.locator("mark.source-line")).to_be_focused()


@pytest.mark.parametrize(
    "options",
    [{"viewport": {"width": 360, "height": 740}, "locale": "de-DE", "has_touch": True, "is_mobile": True}],
    ids=["phone"],
)
def test_on_a_phone_in_german_a_tap_shows_the_source_before_it_leads_there(site: Site, page: Page) -> None:
    answer = opened(page, site, turn(ANSWER))
    expect(answer.locator(".evidence-facts")).to_contain_text("3 nicht gefunden in dem, was Claude nachgeschlagen hat")
    claim(answer, "80 €").tap()
    tip = answer.locator(".claim-tip")
    expect(tip).to_contain_text("Gefunden in deadlines.csv, Zeile 12")
    expect(tip).to_be_in_viewport(ratio=1)
    expect(answer.locator("mark.source-line")).to_have_count(0)
    tip.get_by_text("Zeigen, woher es stammt").tap()
    expect(answer.locator("mark.source-line")).to_be_in_viewport()
    answer.locator(".evidence > summary").tap()
    expect(answer.locator(".claim-entry")).to_have_count(10)
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert serious(page, themes=("dark",)) == []


def test_hostile_claims_are_text(site: Site, page: Page) -> None:
    evil = "<img src=x onerror=hacked=1>"
    item = turn(f"See `⟦found:{evil}⟧` and ⟦unsupported:a\u202eb⟧.", output=f"{evil}\n")
    for event in item["events"]:
        for each in event["data"].get("claims") or ():
            each["sources"] = [{**source, "line": 1e99, "text": evil} for source in each["sources"]]
            each["rule"] = "__proto__"
    answer = opened(page, site, item)
    claim(answer, evil).click()
    expect(answer.locator("mark.source-line")).to_have_text(evil)
    answer.locator(".evidence > summary").click()
    expect(answer.locator(".claim-entry").first).to_contain_text("a⟨U+202E⟩b")
    assert page.evaluate("window.hacked") is None
    assert answer.locator("img").count() == 0


@pytest.mark.long
def test_a_long_answer_full_of_claims_has_them_all(site: Site, page: Page) -> None:
    claims = (f"{('found', 'unsupported')[number % 2]}:{number % 31}.{number % 9}0 €" for number in range(500))
    rows = "\n".join(f"| some words | ⟦{each}⟧ |" for each in claims)
    answer = opened(page, site, turn(f"| a | b |\n| --- | --- |\n{rows}"))
    expect(answer.locator(".claim")).to_have_count(500)
    assert answer.locator(".claim[tabindex='0']").count() == 20
    answer.locator(".evidence > summary").click()
    expect(answer.locator(".claim-entry")).to_have_count(25)
    answer.get_by_role("button", name="Show 475 more").click()
    expect(answer.locator(".claim-entry")).to_have_count(50)


@pytest.mark.long
def test_the_drawer_has_them_too(site: Site, page: Page) -> None:
    drawer = Drawer(page, site, [], [])
    drawer.go("/projects/harbour-bridge")
    drawer.open()
    drawer.asked("x")
    show(page, [turn(ANSWER)], site.url)
    page.reload()
    answer = drawer.dialog.locator(".turn").last
    expect(answer.locator(".claim-unsupported")).to_have_text(["Room 214", "412.50 €", "14:30"])
    claim(answer, "80 €").hover()
    expect(answer.locator(".claim-tip")).to_be_visible()
    page.keyboard.press("Escape")
    expect(answer.locator(".claim-tip")).to_be_hidden()
    expect(drawer.dialog).to_be_visible()
    claim(answer, "80 €").click()
    expect(answer.locator("mark.source-line")).to_be_in_viewport()
