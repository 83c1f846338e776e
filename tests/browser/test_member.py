"""The page of somebody whom the owner has let in: theirs from the start, with nothing on it that would fail."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import BrowserContext, Page, Response, Route, expect

from tests.browser.helpers.accessibility import serious
from tests.browser.helpers.chat import ask
from tests.browser.helpers.page_stream import look
from tests.worlds.somebody import Visitors
from tests.worlds.world import World, eventually


@pytest.fixture
def visitors(scripted_daemon: World) -> Iterator[Visitors]:
    with Visitors(scripted_daemon) as visitors:
        for person in visitors.in_person.get("people").json()["people"]:
            visitors.in_person.delete(f"people/{person['id']}?delete=1")
        yield visitors


def opened(context: BrowserContext, visitors: Visitors, person: str, refused: list[str] | None = None) -> Page:
    """A page at the address that the owner gives this person; what the daemon refuses to it is put into `refused`."""

    def note(response: Response) -> None:
        if response.status >= 400 and refused is not None:
            refused.append(f"{response.status} {response.request.method} {response.url}")

    page = context.new_page()
    page.on("response", note)
    page.goto(visitors.in_person.post(f"people/{person}/tickets", json={}).json()["address"])
    expect(page.locator(".empty, .turn").first).to_be_visible()
    return page


def test_a_member_asks_lists_renames_exports_and_is_refused_nothing(
    context: BrowserContext, visitors: Visitors
) -> None:
    visitors.let_in("ann", name="Ann <b>Example</b> & Co", again=True)
    visitors.world.turn("The owner's own question")
    refused: list[str] = []
    page = opened(context, visitors, "ann", refused)
    expect(page.locator(".header-person")).to_have_text("Ann <b>Example</b> & Co")
    expect(page.locator(".empty")).to_contain_text("without tools or files")
    for theirs_not in (".record", ".figures", ".composer .attach"):
        expect(page.locator(theirs_not).locator("visible=true")).to_have_count(0)
    ask(page, "My question")
    expect(page.locator(".turn-foot")).to_be_visible()
    expect(page.locator("nav, aside").first).not_to_contain_text("The owner's")
    box = page.locator(".composer textarea")
    box.fill("/")
    expect(page.get_by_role("option")).to_have_text(
        [re.compile(each) for each in ("/new", "/compact", "/rename", "/export", "/print")]
    )
    box.fill("/rename Costs of the week")
    box.press("Enter")
    expect(page.locator(".header-title")).to_have_text("Costs of the week")
    with page.expect_download() as download:
        box.fill("/export md")
        box.press("Enter")
    assert "My question" in download.value.path().read_text()
    box.fill("@")
    page.wait_for_timeout(300)
    expect(page.get_by_role("listbox").locator("visible=true")).to_have_count(0)
    box.fill("")
    page.reload()
    expect(page.locator(".turn")).to_have_count(1)
    assert refused == []
    assert serious(page) == []


@pytest.mark.long
def test_a_new_conversation_of_a_members_is_there_after_a_reload_and_nothing_is_refused(
    context: BrowserContext, visitors: Visitors
) -> None:
    visitors.let_in("ben", again=True)
    refused: list[str] = []
    page = opened(context, visitors, "ben", refused)
    ask(page, "First")
    expect(page.locator(".turn-foot")).to_be_visible()
    page.get_by_role("button", name="New conversation").first.click()
    expect(page).to_have_url(re.compile(r"\?session="))
    page.reload()
    expect(page.locator(".empty")).to_be_visible()
    ask(page, "Second")
    expect(page.locator(".turn-foot")).to_be_visible()
    page.go_back()
    expect(page.locator(".turn")).to_contain_text("First")
    assert refused == []


@pytest.mark.long
def test_the_page_has_the_language_of_the_person_until_they_choose_another(
    context: BrowserContext, visitors: Visitors
) -> None:
    visitors.let_in("cleo", language="de", again=True)
    page = opened(context, visitors, "cleo")
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.locator(".empty h2")).to_have_text("Was möchten Sie wissen?")
    held: list[Route] = []
    page.route("**/words.en.js*", lambda route: route.continue_() if held else held.append(route))
    page.get_by_role("button", name="English").click()
    eventually(lambda: page.title() and held, what="its words are on their way")
    page.reload()  # before they have come
    expect(page.locator(".empty h2")).to_have_text("What would you like to know?")


def test_a_member_signs_out_and_reads_how_to_come_back(context: BrowserContext, visitors: Visitors) -> None:
    visitors.let_in("dora", name="Dora Example", again=True)
    page, other = opened(context, visitors, "dora"), context.new_page()
    other.goto(page.url)
    page.get_by_role("button", name="Signed in as Dora Example").click()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("ask the owner")
    assert serious(page, "dialog") == []
    dialog.get_by_role("button", name="Sign out", exact=True).click()
    expect(page.locator("main")).to_contain_text("Ask them for an address")
    look(other)
    expect(other.locator(".empty")).to_contain_text("Ask the owner of this Paliadin")


def test_people_who_share_a_browser_see_nothing_of_each_others_drafts(
    context: BrowserContext, visitors: Visitors
) -> None:
    visitors.let_in("eve", again=True)
    page = context.new_page()
    page.goto(visitors.world.url)
    page.locator(".composer textarea").fill("The owner's draft")
    open_still = context.new_page()
    open_still.goto(page.url)
    expect(open_still.locator(".composer textarea")).to_have_value("The owner's draft")
    page.get_by_role("button", name="Signed-in browsers").click()
    page.get_by_role("dialog").get_by_role("button", name="Sign out", exact=True).first.click()
    expect(page.locator("main")).to_contain_text("locked")
    eves = opened(context, visitors, "eve")
    expect(eves.locator(".composer textarea")).to_have_value("")
    eves.locator(".composer textarea").fill("Eve's draft")

    look(open_still)
    expect(open_still.locator(".header-person")).to_have_text("Eve Example", timeout=45_000)  # it was loaded anew
    expect(open_still.locator(".composer textarea")).to_have_value("Eve's draft")


@pytest.mark.long
def test_the_owner_reads_whose_each_signed_in_browser_is(context: BrowserContext, visitors: Visitors) -> None:
    visitors.let_in("fay", again=True)
    page = context.new_page()
    page.goto(visitors.world.url)
    page.get_by_role("button", name="Signed-in browsers").click()
    expect(page.get_by_role("dialog")).to_contain_text("of fay")
