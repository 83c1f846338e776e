"""A printed conversation is the whole one: in order, in light colours, without controls, with addresses and sources."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.helpers.claims import ANSWER, turn
from tests.browser.helpers.drawer import Drawer, Site
from tests.browser.helpers.interception import HISTORY, Paused, intercept
from tests.worlds.sample_files import png
from tests.worlds.world import eventually

COUNT = 130  # more than a page of the history, and than are drawn far from the screen
CODE = "\n\n```python\n" + "".join(f"line_{number} = {number}\n" for number in range(60)) + "```\n"
PRINT = """window.printed = [];
window.print = () => {
  dispatchEvent(new Event("beforeprint"));
  top.printed.push(document.body.innerText);
  if (top === window) dispatchEvent(new Event("afterprint"));
};"""
PAPER = "Boolean(document.querySelector('link[href$=\"print.css\"]')?.sheet)"
ON_PAPER = (
    "[...document.querySelectorAll('.question-text')].filter(el => el.checkVisibility()).map(el => el.textContent)"
)


@pytest.fixture(scope="module")
def site(scripted_site: Site) -> Site:
    return scripted_site


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(color_scheme="dark", locale="en-GB", reduced_motion="reduce")
    context.add_init_script(PRINT)
    reports: list[str] = []
    context.on("weberror", lambda error: reports.append(str(error.error)))
    yield context.new_page()
    context.close()
    assert reports == []


def conversation() -> list[dict[str, Any]]:
    turns = [turn(f"Answer {number}.", age=COUNT - number) for number in range(COUNT)]
    turns[-1] = turn(ANSWER + CODE, age=0)
    return [{**item, "user_message": f"Question {number}"} for number, item in enumerate(turns)]


def table(columns: int, cell: str) -> str:
    return "\n".join("|".join(["", *[each] * columns, ""]) for each in ("head", "---", cell, cell))


WIDE = "\n\n".join([table(4, "a_word_of_code_" * 9), table(9, "31.12.2031"), table(24, "31.12.2031")])


def keep(page: Page, origin: str = "*", items: list[dict[str, Any]] | None = None) -> None:
    """Let the history be a long conversation, which is read in pages; or these turns."""
    turns = items or conversation()

    def answer(request: Paused) -> None:
        query = parse_qs(urlsplit(request.url).query)
        before = query.get("before", [""])[0]
        end = next((n for n, item in enumerate(turns) if item["turn_id"] == before), len(turns))
        start = max(end - int(query["limit"][0]), 0)
        body = {"turns": turns[start:end], "queue": {"held": None, "turns": []}, "running_turn": None, "since": 0}
        request.fulfill(json=body | {"has_more": start > 0}, headers={"Access-Control-Allow-Origin": origin})

    intercept(page, HISTORY, answer)


def test_the_whole_conversation_is_on_paper(site: Site, page: Page) -> None:
    keep(page)
    page.goto(site.world.url)
    last = page.locator(".turn").last
    expect(last.locator(".claim-unsupported")).to_have_count(3)
    page.keyboard.press("Control+p")
    eventually(lambda: page.evaluate("printed.length") == 1, what="it is printed")
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(page.locator(".list")).to_have_css("display", "block")  # Firefox breaks no page inside of a grid's item
    assert page.evaluate(ON_PAPER) == [f"Question {number}" for number in range(COUNT)]
    for hidden in (".composer", ".header", ".conversations", ".turn-actions", ".earlier", ".code-fold"):
        assert not page.locator(hidden).first.is_visible()
    assert page.locator("body").evaluate("el => getComputedStyle(el).backgroundColor") == "rgb(255, 255, 255)"
    after = "el => getComputedStyle(el, '::after').content"
    assert "https://registry.example/" in last.locator(".prose a").evaluate(after)
    notes = last.locator(".print-notes > li")
    expect(notes).to_have_count(10)
    expect(notes.nth(1)).to_have_text("c47bd2: Found in deadlines.csv, line 12")
    assert last.locator(".claim", has_text="c47bd2").evaluate(after).count("2") == 1
    assert last.locator(".code pre").evaluate("el => el.scrollHeight === el.clientHeight")
    assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    expect(page.locator(".print-notes")).to_have_count(0)


def test_the_browsers_own_menu_prints_a_page_that_nobody_has_touched(site: Site, page: Page) -> None:
    keep(page)
    page.goto(site.world.url)
    expect(page.locator(".turn").last.locator(".claim-unsupported")).to_have_count(3)
    eventually(lambda: page.evaluate(PAPER), what="the style of the printed page is there")
    page.emulate_media(media="print")
    expect(page.locator(".composer")).to_be_hidden()
    assert page.locator("body").evaluate("el => getComputedStyle(el).backgroundColor") == "rgb(255, 255, 255)"


@pytest.mark.long
def test_what_is_folded_in_an_answer_is_on_paper_and_no_table_is_cut_off(site: Site, page: Page) -> None:
    keep(page, items=[turn(f"{WIDE}\n\n<details>\n<summary>More</summary>\n\nHidden words\n\n</details>\n")])
    page.goto(site.world.url)
    hidden = page.get_by_text("Hidden words")
    expect(page.locator(".table")).to_have_count(3)
    expect(hidden).to_be_hidden()
    eventually(lambda: page.evaluate(PAPER), what="the style of the printed page is there")
    page.set_viewport_size({"width": 670, "height": 900})  # of the paper
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(hidden).to_be_visible()
    assert page.locator(".table").evaluate_all("all => all.map(el => el.scrollWidth <= el.clientWidth)") == [True] * 3
    broken = "all => all.filter(el => el.getClientRects().length > 1 || el.clientHeight > 40).map(el => el.textContent)"
    assert page.locator(".table").nth(1).locator(".token").evaluate_all(broken) == []
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    page.emulate_media(media="screen")
    expect(hidden).to_be_hidden()


def test_the_drawers_menu_prints_the_conversation_alone(site: Site, page: Page) -> None:
    drawer = Drawer(page, site, [], [])
    drawer.go("/")
    drawer.open()
    drawer.asked("Question")
    keep(page, site.url)
    page.reload()
    expect(drawer.dialog.locator(".claim-unsupported")).to_have_count(3)
    drawer.dialog.locator(".list-toggle").click()
    drawer.dialog.locator(".item-more").first.click()
    page.get_by_role("menuitem", name="Print", exact=True).click()
    eventually(lambda: page.evaluate("printed.length") == 1, what="it is printed")
    page.emulate_media(media="print")
    assert not drawer.dialog.is_visible()  # in the application's own page
    sheet = page.frames[-1]
    assert sheet.evaluate(ON_PAPER) == [f"Question {number}" for number in range(COUNT)]
    assert "Found in deadlines.csv, line 12" in sheet.locator("body").inner_text()
    page.evaluate("document.querySelector('iframe').contentWindow.dispatchEvent(new Event('afterprint'))")
    expect(page.locator("iframe")).to_have_count(0)


@pytest.mark.long
def test_a_drawer_draws_the_pictures_of_tools_itself(site: Site, page: Page) -> None:
    """Its application may allow no picture of another origin."""
    item = turn("See.")
    item["events"][2]["data"] |= {"name": "mcp__views__look", "pictures": ["a" * 32]}
    body = {"turns": [item], "queue": {"held": None, "turns": []}, "running_turn": None, "since": 0, "has_more": False}
    headers = {"Access-Control-Allow-Origin": site.url}
    intercept(page, HISTORY, lambda request: request.fulfill(json=body, headers=headers))
    page.route(
        "**/pictures/*",
        lambda route: route.fulfill(body=png(30, 20), headers=headers | {"Content-Type": "image/png"}),
    )
    drawer = Drawer(page, site, [], [])
    drawer.go("/")
    drawer.open()
    expect(drawer.dialog.locator("canvas.tool-picture")).to_have_attribute("width", "30")
    expect(drawer.dialog.get_by_role("img", name="Picture 1 of “")).to_be_visible()
