"""Live text in a real browser, on the page and in the drawer: the real daemon, pass-through and Claude Code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, expect

from paliadin.demo.scripted_api import ScriptedApi
from tests.browser.conftest import OPTIONS
from tests.browser.helpers.chat import Chat, ask
from tests.browser.helpers.drawer import Drawer, Site, serving
from tests.browser.helpers.emptying import empty
from tests.browser.helpers.tabs import prepare
from tests.integration.conftest import make_world
from tests.worlds.script import PARAGRAPH, play
from tests.worlds.world import eventually

WHOLE = f"{PARAGRAPH} See."
SHOWN = re.compile(r"\sSee\s+Deadline c47bd2.*\.\s*$", re.DOTALL)  # with its chip


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, one_claude: Path) -> Iterator[Site]:
    scripted = ScriptedApi(play)
    with scripted.running() as url:
        for world in make_world(tmp_path_factory.mktemp("live-page"), one_claude, (scripted, url)):
            world.options["LIVE"] = "true"
            with serving(world) as site:
                yield site


@pytest.fixture
def context(browser: Browser, site: Site) -> Iterator[BrowserContext]:
    site.empty()
    empty(site.world)
    errors: list[str] = []
    with prepare(browser.new_context(**OPTIONS)) as context:
        context.on("weberror", lambda error: errors.append(str(error.error)))
        yield context
    assert errors == []


def opened(context: BrowserContext, site: Site) -> Chat:
    page = context.new_page()
    page.goto(site.world.url)
    expect(page.locator(".empty h2:visible, .turn:visible").first).to_be_visible()
    return Chat(page, site.world)


def some_words(prose: Locator, at_least: int = 12) -> str:
    """The text as soon as it has so many words, which is long before its line is confirmed."""
    text = eventually(
        lambda: (seen := prose.all_inner_texts()) and len(seen[-1].split()) >= at_least and seen[-1], 30, "words"
    )
    assert WHOLE.startswith(text)
    assert text != WHOLE
    return str(text)


def shifted(page: Page) -> float:
    """How much jumped that is part of an answer."""
    return float(
        page.evaluate(
            "shifts.filter(({what}) => what.some((name) => /prose|block|turn|parts/.test(name)))"
            ".reduce((sum, {value}) => sum + value, 0)"
        )
    )


def test_words_flow_and_what_confirms_them_moves_nothing(context: BrowserContext, site: Site) -> None:
    chat = opened(context, site)
    chat.page.evaluate("shifts.length = 0")
    ask(chat.page, "scene:paragraph")
    first = some_words(chat.text)
    assert len(some_words(chat.text, len(first.split()) + 8)) > len(first)
    expect(chat.page.locator(".status")).to_contain_text("Writing")
    chat.ends()
    expect(chat.text).to_have_text(SHOWN)
    assert chat.words == WHOLE.split()
    shown = [text for text in chat.shown() if "Word 0" in text]
    assert len(shown) > 20
    assert not any("paliadin-meta" in text or "[#" in text or "---" in text for text in shown)
    assert shifted(chat.page) < 0.001


@pytest.mark.matrix
def test_a_reload_in_mid_word_and_a_second_tab_show_the_same(context: BrowserContext, site: Site) -> None:
    chat, other = opened(context, site), opened(context, site)
    ask(chat.page, "scene:paragraph")
    before = some_words(chat.text)
    chat.page.reload()
    assert some_words(chat.text).startswith(before[:20])
    other.page.reload()  # a tab that is opened only now needs more of the nine seconds that the answer takes
    some_words(other.text)
    for each in (chat, other):
        each.ends()
        expect(each.text).to_have_text(SHOWN)
        assert each.words == WHOLE.split()


@pytest.mark.matrix
def test_the_page_is_free_for_the_next_question_when_the_answer_is_there(context: BrowserContext, site: Site) -> None:
    chat = opened(context, site)
    ask(chat.page, "scene:paragraph quick")
    expect(chat.text).to_have_text(SHOWN)
    assert chat.words == WHOLE.split()
    expect(chat.page.locator(".composer button .icon-send")).to_be_visible()
    ask(chat.page, "Hello")
    expect(chat.text).to_contain_text("You said")
    chat.ends()
    expect(chat.turns).to_have_count(2)
    expect(chat.turns.first.locator(".turn-foot")).to_be_visible()


@pytest.mark.long
def test_stop_leaves_what_the_record_has(context: BrowserContext, site: Site) -> None:
    chat = opened(context, site)
    ask(chat.page, "scene:paragraph")
    some_words(chat.text)
    chat.stop.click()
    expect(chat.page.locator(".composer button .icon-send")).to_be_visible()
    recorded = str(site.world.get("history")["turns"][-1]["response"])
    expect(chat.turn.locator(".parts")).to_have_text(recorded)
    expect(chat.turn).to_contain_text("Stopped")


@pytest.mark.long
def test_in_the_drawer_words_flow_as_well(context: BrowserContext, site: Site) -> None:
    drawer = Drawer(context.new_page(), site, [], [])
    drawer.go("/")
    drawer.open()
    ask(drawer.dialog, "scene:paragraph")
    some_words(drawer.dialog.locator(".prose"))
    expect(drawer.dialog.locator(".turn").last.locator(".turn-foot")).to_be_visible()
    expect(drawer.dialog.locator(".prose").last).to_have_text(SHOWN)
