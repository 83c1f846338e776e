"""A printed conversation is the whole one: in order, in light colours, without controls, with addresses and sources."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from paliadin.demo.scripted_api import ScriptedApi
from tests.browser.helpers.claims import ANSWER, turn
from tests.browser.helpers.drawer import Drawer, Site, serving
from tests.integration.conftest import make_world
from tests.worlds.sample_files import png
from tests.worlds.world import eventually

COUNT = 130  # more than a page of the history, and than are drawn far from the screen
CODE = "\n\n```python\n" + "".join(f"line_{number} = {number}\n" for number in range(60)) + "```\n"
PRINT = """window.printed = [];
window.print = () => {
  dispatchEvent(new Event("beforeprint"));
  top.printed.push(document.body.innerText);
  dispatchEvent(new Event("afterprint"));
};"""
ON_PAPER = (
    "[...document.querySelectorAll('.question-text')].filter(el => el.checkVisibility()).map(el => el.textContent)"
)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, one_claude: Path, api: tuple[ScriptedApi, str]) -> Iterator[Site]:
    for world in make_world(tmp_path_factory.mktemp("printing"), one_claude, api):
        world.scripted = True
        with serving(world) as site:
            yield site


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


def keep(page: Page, origin: str = "*") -> None:
    """Let the history be a long conversation, which is read in pages."""
    turns = conversation()

    def answer(route: Route) -> None:
        query = parse_qs(urlsplit(route.request.url).query)
        end = next((n for n, item in enumerate(turns) if item["turn_id"] == query.get("before", [""])[0]), COUNT)
        start = max(end - int(query["limit"][0]), 0)
        body = {"turns": turns[start:end], "queue": {"held": None, "turns": []}, "running_turn": None, "since": 0}
        headers = {"Access-Control-Allow-Origin": origin, "Content-Type": "application/json"}
        route.fulfill(body=json.dumps(body | {"has_more": start > 0}), headers=headers)

    page.route("**/api/paliadin/history?*", answer)


def test_the_whole_conversation_is_on_paper(site: Site, page: Page) -> None:
    keep(page)
    page.goto(site.world.url)
    last = page.locator(".turn").last
    expect(last.locator(".claim-unsupported")).to_have_count(3)
    page.keyboard.press("Control+p")
    eventually(lambda: page.evaluate("printed.length") == 1, what="it is printed")
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.evaluate(ON_PAPER) == [f"Question {number}" for number in range(COUNT)]
    for hidden in (".composer", ".header", ".conversations", ".turn-actions", ".earlier", ".code-fold"):
        assert not page.locator(hidden).first.is_visible()
    assert page.locator("body").evaluate("el => getComputedStyle(el).backgroundColor") == "rgb(255, 255, 255)"
    after = "el => getComputedStyle(el, '::after').content"
    assert "https://registry.example/" in last.locator(".prose a").evaluate(after)
    notes = last.locator(".print-notes > li")
    expect(notes).to_have_count(10)
    expect(notes.nth(1)).to_have_text("c47bd2: Found in Read deadlines.csv, line 12")
    assert last.locator(".claim", has_text="c47bd2").evaluate(after) == '"2"'
    assert last.locator(".code pre").evaluate("el => el.scrollHeight === el.clientHeight")
    assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    expect(page.locator(".print-notes")).to_have_count(0)


def test_the_browsers_own_menu_prints_a_page_that_nobody_has_touched(site: Site, page: Page) -> None:
    keep(page)
    page.goto(site.world.url)
    expect(page.locator(".turn").last.locator(".claim-unsupported")).to_have_count(3)
    page.wait_for_function("document.querySelector('link[href$=\"print.css\"]')?.sheet")
    page.emulate_media(media="print")
    expect(page.locator(".composer")).to_be_hidden()
    assert page.locator("body").evaluate("el => getComputedStyle(el).backgroundColor") == "rgb(255, 255, 255)"


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
    (text,) = page.evaluate("printed")
    assert [line for line in text.splitlines() if line.startswith("Question ")] == [
        f"Question {number}" for number in range(COUNT)
    ]
    expect(page.locator("iframe")).to_have_count(0)
    page.emulate_media(media="print")  # the application's own page
    assert not drawer.dialog.is_visible()


def test_a_drawer_draws_the_pictures_of_tools_itself(site: Site, page: Page) -> None:
    """Its application may allow no picture of another origin."""
    item = turn("See.")
    item["events"][2]["data"] |= {"name": "mcp__views__look", "pictures": ["a" * 32]}
    body = {"turns": [item], "queue": {"held": None, "turns": []}, "running_turn": None, "since": 0, "has_more": False}
    headers = {"Access-Control-Allow-Origin": site.url}
    page.route("**/api/paliadin/history?*", lambda route: route.fulfill(json=body, headers=headers))
    page.route(
        "**/pictures/*",
        lambda route: route.fulfill(body=png(30, 20), headers=headers | {"Content-Type": "image/png"}),
    )
    drawer = Drawer(page, site, [], [])
    drawer.go("/")
    drawer.open()
    expect(drawer.dialog.locator("canvas.tool-picture")).to_have_attribute("width", "30")
    expect(drawer.dialog.get_by_role("img", name="Picture 1 that")).to_be_visible()
