"""Many tabs of one browser, each with an answer that runs or a card that waits. It opens six connections to a host.

The public fake relay plays the turns. Headless Chromium shows every tab as visible; in Firefox those behind are hidden.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, expect

from paliadin.demo.scripted_api import ScriptedApi
from tests.browser.helpers import firefox
from tests.browser.helpers.chat import ask
from tests.browser.helpers.conversations import Made
from tests.integration.conftest import make_world
from tests.worlds.world import World, eventually

CONNECTIONS = 6  # of a browser to a host; one tab more is opened beside these
TABS = 12
HIDE = """(hidden) => {
  Object.defineProperty(document, "visibilityState", { value: hidden ? "hidden" : "visible", configurable: true });
  Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory, one_claude: Path, api: tuple[ScriptedApi, str]) -> Iterator[World]:
    for world in make_world(tmp_path_factory.mktemp("tabs"), one_claude, api):
        world.scripted = True
        world.start()
        yield world


@pytest.fixture(params=[pytest.param(CONNECTIONS, id="six"), pytest.param(TABS, id="twelve", marks=pytest.mark.matrix)])
def busy(request: pytest.FixtureRequest, world: World, tmp_path: Path) -> Iterator[list[str]]:
    """Conversations, in every second of which a card waits; in the others an answer runs."""
    made = Made(world)
    sessions = [made() for _ in range(request.param)]
    for number, session in enumerate(sessions):
        folder = tmp_path / str(number)
        folder.mkdir()
        world.ask(f"scene:{'until' if number % 2 else 'permission'} in:{folder}", session_id=session)
    eventually(
        lambda: [made.item(each)["state"] for each in sessions] == ["waiting", "busy"] * (request.param // 2), 30
    )
    yield sessions
    made.clear()


def test_in_chromium_many_visible_tabs_work_and_one_more(
    new_context: Callable[..., BrowserContext], world: World, busy: list[str], tmp_path: Path
) -> None:
    context = new_context()
    first = context.new_page()
    first.goto(world.url)
    tabs = [first, *(context.new_page() for _ in busy[1:])]
    for number, (tab, session) in enumerate(zip(tabs, busy, strict=True)):
        tab.goto(f"{world.origin}/paliadin?session={session}")
        expect(tab.locator(".prose" if number % 2 else ".ask")).to_be_visible()
    more = context.new_page()
    more.goto(f"{world.origin}/paliadin")
    ask(more, "One more")
    expect(more.locator(".prose")).to_contain_text("You said")
    for number in (0, len(tabs) - 2):
        tabs[number].locator(".ask button.primary").click()
        expect(tabs[number].locator(".prose").last).to_contain_text("It was done.")
    for number in (1, len(tabs) - 1):
        tabs[number].locator(".composer [aria-label^=Stop]").click()
        expect(tabs[number].locator(".turn")).to_contain_text("Stopped")
    (tmp_path / "3" / "go").touch()
    expect(tabs[3].locator(".prose").last).to_contain_text("It came.")


def test_a_hidden_tab_has_no_stream_hears_of_the_end_and_goes_on_where_it_was(
    new_context: Callable[..., BrowserContext], world: World, tmp_path: Path
) -> None:
    """That it is hidden is made up: headless Chromium hides none."""
    page = new_context().new_page()
    page.goto(world.url)
    ask(page, f"scene:until in:{tmp_path}")
    expect(page.locator(".prose")).to_contain_text("I wait.")
    expect_streams(world, 1)
    page.evaluate(HIDE, True)
    expect_streams(world, 0)
    (tmp_path / "go").touch()
    eventually(lambda: page.title().startswith("✓"), 30, "the tab tells of the end")
    page.evaluate(HIDE, False)
    expect(page.locator(".prose")).to_have_text(["I wait.", "It came."])
    world.ask("scene:question")
    expect(page.locator(".ask")).to_be_visible()
    page.evaluate(HIDE, True)
    expect_streams(world, 0)
    page.evaluate(HIDE, False)
    expect_streams(world, 1)
    page.locator(".ask button").last.click()
    expect(page.locator(".ask")).to_have_count(0)


def expect_streams(world: World, count: int) -> None:
    with world.client() as client:
        eventually(lambda: f"paliadin_streams_active {count}.0" in client.get("/metrics").text, 30, f"{count} streams")


@pytest.mark.matrix  # Chromium's line runs with all tests
def test_in_firefox_many_tabs_work_and_one_more(
    world: World, busy: list[str], tmp_path_factory: pytest.TempPathFactory, tmp_path: Path
) -> None:
    world.turn("Are you there?")  # what draws it is being loaded when the first page is left, which reports nothing
    with firefox.running(tmp_path_factory.mktemp("profile")) as browser:
        browser.go(world.url, ".composer textarea")
        for number, session in enumerate(busy):
            browser.tab(number)
            browser.go(f"{world.origin}/paliadin?session={session}", ".composer textarea")
            eventually(lambda n=number: browser.texts(".prose" if n % 2 else ".ask"), 30, "it is shown")
        browser.tab(len(busy))
        browser.go(f"{world.origin}/paliadin", ".composer textarea")
        browser.click(".composer textarea")
        browser.type("One more")
        browser.press("Enter")
        browser.shows(".turn:last-child .prose", "You said")
        for number, (click, there, text) in {
            0: (".ask button.primary", ".turn:last-child .prose:last-of-type", "It was done."),
            len(busy) - 1: (".composer [aria-label^=Stop]", ".turn", "Stopped"),
        }.items():
            browser.tab(number)
            browser.click(click)
            eventually(lambda s=there, t=text: t in " ".join(browser.texts(s)), 30, text)
        (tmp_path / "3" / "go").touch()
        browser.tab(3)
        eventually(lambda: "It came." in " ".join(browser.texts(".prose")), 30, "the answer goes on")
        assert browser.do("reports") == []
