"""From the demo's pages into the example application: a chip is followed, by the owner and by a member."""

from __future__ import annotations

import re
from typing import Any

import httpx2
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from paliadin.demo import office
from tests.browser.helpers.accessibility import serious
from tests.browser.helpers.chat import ask
from tests.worlds.demo import Demo

PEOPLE = {office.OWNER.name: "url", "Dr. Anna Lindner": "member_url"}
QUESTION = "What is the state of demo-project-1?"  # a client of Anna Lindner's


def answered(place: Any, question: str) -> Any:
    """Ask in the page or the drawer; the turn, once it is answered."""
    ask(place, question)
    turn = place.locator(".turn").last
    expect(turn.locator(".turn-foot")).to_be_visible()
    return turn


def address(url: httpx2.URL) -> str:
    return str(url)


def sign_in(demo: Demo, page: Page, person: str, path: str = "/") -> None:
    """Choose who one is in the application, on the way to a page of it."""
    page.goto(f"{demo.example}?to={path}")
    page.locator(f"button[value='{person}']").click()
    expect(page.locator(".user")).to_be_visible()


@pytest.mark.long
@pytest.mark.first(1)
@pytest.mark.parametrize("name", PEOPLE)
def test_a_chip_on_the_chat_page_opens_the_things_page_once_one_has_said_who_one_is(
    demo: Demo, context: BrowserContext, name: str
) -> None:
    page = context.new_page()
    page.goto(address(getattr(demo, PEOPLE[name])))
    turn = answered(page, QUESTION)
    expect(turn).to_contain_text(re.compile(r"\d+ (facts|Angaben): \d+ (found|gefunden)"))
    expect(turn.locator(".claim-unsupported")).to_have_count(0)
    chip = turn.locator("a.chip[href$='/projects/demo-project-1']")
    label = turn.locator("strong").first.inner_text()
    there = opened(page, chip)
    expect(there.get_by_role("heading", name="Sign in")).to_be_visible()
    there.get_by_role("button", name=name).click()
    expect(there).to_have_url(f"http://localhost:{demo.example.port}/projects/demo-project-1")
    expect(there.locator("main h1")).to_have_text(label)
    expect(there.locator(".user")).to_have_text(name)
    there.get_by_role("link", name="Projects").click()
    expect(there.locator("main li").first).to_be_visible()
    assert (there.locator("main li").count() == 30) is (name == office.OWNER.name)


@pytest.mark.long
def test_the_one_mark_in_the_demo_is_on_what_it_says_is_made_up(demo: Demo, context: BrowserContext) -> None:
    page = context.new_page()
    page.goto(demo.paliadin("open", "--print").stdout.strip())
    turn = answered(page, "What does the handover note say?")
    expect(turn.locator(".claim-unsupported")).to_have_text("3 May 2031")
    expect(turn.locator(".claim-differs")).to_have_text("75 %")


def opened(page: Page, chip: Any) -> Page:
    """The page that the chip opens: a tab of its own, or this one."""
    if chip.get_attribute("target") == "_blank":
        with page.context.expect_page() as opening:
            chip.click()
        return opening.value
    chip.click()
    return page


@pytest.mark.long
def test_the_drawer_changes_with_the_person_and_shows_nobody_the_others_conversation(
    demo: Demo, context: BrowserContext
) -> None:
    page = context.new_page()
    reports: list[str] = []
    page.on("console", lambda message: message.type == "error" and reports.append(message.text))
    page.on("pageerror", lambda error: reports.append(str(error)))
    dialog = page.locator("dialog.drawer")
    numbers = {}
    for person in (office.OWNER.id, office.MEMBER):
        sign_in(demo, page, person, "/projects/demo-project-1")
        if person == office.OWNER.id:
            page.locator(".drawer-button").click()
        expect(dialog.locator(".empty h2")).to_be_visible()  # it stays open over pages, and nothing was asked yet
        turn = answered(dialog, "What is the state of this project?")
        expect(turn).to_contain_text("Open deadlines:")
        numbers[person] = re.findall(r"Open deadlines: (\d+)", turn.inner_text())
        turn.locator("a.chip[href*='/deadlines/']").first.click()
        expect(page).to_have_url(re.compile("/deadlines/demo-deadline-"))
        expect(page.locator("main dl")).to_contain_text("Days left")
    assert all(numbers.values())
    sign_in(demo, page, office.OWNER.id)
    expect(dialog.locator(".turn")).to_have_count(1)  # the owner's own is there again
    assert reports == []


@pytest.mark.long
def test_a_glossary_and_a_court_chip_lead_to_their_pages(demo: Demo, context: BrowserContext) -> None:
    page = context.new_page()
    sign_in(demo, page, office.MEMBER)
    expect(page.locator(".drawer-button")).to_be_visible()
    page.locator(".drawer-button").click()
    dialog = page.locator("dialog.drawer")
    for question, chip, title in (
        ("Explain statement of defence", "statement of defence", "statement of defence"),
        ("Which courts are in Düsseldorf?", "Düsseldorf LD", "UPC Local Division Düsseldorf"),
    ):
        answered(dialog, question).locator("a.chip", has_text=chip).click()
        expect(page.locator("main h1")).to_have_text(title)
        expect(dialog.locator(".turn").last).to_be_visible()


PAGES = (
    "/",
    "/projects",
    "/projects/demo-project-7",
    "/deadlines?status=all",
    "/deadlines/demo-deadline-1",
    "/agenda",
    "/inbox",
    "/audit",
    "/courts",
    "/courts/Munich%20LD",
    "/glossary",
    "/glossary/Klageerwiderung",
    "/login",
    "/none",
)


@pytest.mark.long
@pytest.mark.first(1)
@pytest.mark.parametrize(("width", "lang"), [(1280, "en-GB"), (390, "de-DE")])
def test_the_applications_pages_are_accessible_in_both_themes_and_fit_the_window(
    demo: Demo, browser: Browser, width: int, lang: str
) -> None:
    context = browser.new_context(viewport={"width": width, "height": 800}, locale=lang)
    page = context.new_page()
    sign_in(demo, page, office.OWNER.id)
    for path in PAGES:
        page.goto(f"http://localhost:{demo.example.port}{path}")
        expect(page.locator("main h1")).to_be_visible()
        assert serious(page, "main") == [], path
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
    context.close()
