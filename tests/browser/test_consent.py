"""Over the Messages API: first the reader agrees to what is sent where; then a key of their own may pay for it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from paliadin.demo.scripted_api import ScriptedApi
from tests.browser.helpers.accessibility import serious
from tests.browser.helpers.drawer import Drawer, Site, serving
from tests.integration.conftest import make_world


@pytest.fixture
def site(tmp_path: Path, one_claude: Path, api: tuple[ScriptedApi, str]) -> Iterator[Site]:
    for world in make_world(tmp_path, one_claude, api):
        world.options |= {"RELAY": "messages", "API_KEY": "key-of-the-tests", "API_URL": api[1]}
        with serving(world) as site:
            yield site


def test_the_page_asks_once_and_what_was_typed_stays(site: Site, page: Page) -> None:
    page.goto(site.world.url)
    asked = page.get_by_role("region", name="Your questions go to 127.0.0.1.")
    expect(asked).to_contain_text("claude-sonnet-5-5")
    assert serious(page) == []
    typed = page.get_by_role("textbox").last
    typed.fill("Hello")
    typed.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("You have not agreed yet")
    expect(page.locator(".turn")).to_have_count(0)
    expect(page.locator(".chat > [role=status].hidden")).to_have_text("")
    agree = asked.get_by_role("button", name="I agree")
    agree.focus()
    page.keyboard.press("Enter")
    expect(asked).to_have_count(0)
    expect(page.get_by_role("alert")).to_have_count(0)
    expect(typed).to_have_value("Hello")
    expect(typed).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".turn .prose").last).to_contain_text("You said")
    page.reload()
    expect(page.locator(".turn")).to_have_count(1)
    expect(asked).to_have_count(0)


@pytest.mark.long
def test_the_drawer_asks_for_itself(site: Site, page: Page) -> None:
    drawer = Drawer(page, site, [], [])
    drawer.go("/projects/harbour-bridge")
    drawer.open()
    asked = drawer.dialog.get_by_role("region", name="Your questions go to 127.0.0.1.")
    asked.get_by_role("button", name="I agree").click()
    expect(asked).to_have_count(0)
    drawer.asked("Hello")
    expect(drawer.dialog.locator(".prose").last).to_contain_text("You said")


def test_a_person_enters_their_own_key_and_removes_it(site: Site, page: Page) -> None:
    page.goto(site.world.url)
    page.get_by_role("button", name="I agree").click()
    page.get_by_role("button", name="Signed-in browsers").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("heading", name="Your own key for 127.0.0.1")).to_be_visible()
    status, key = dialog.locator(".own-key-state"), dialog.get_by_label("Key")
    expect(status).to_contain_text("at your own expense")
    expect(dialog.get_by_role("button", name="Remove it")).to_have_count(0)
    assert serious(page) == []
    key.fill("sk-ant-my-own-key-0123456789")
    key.press("Enter")
    expect(status).to_contain_text("Your questions are asked with your own key, since")
    expect(key).to_have_value("")
    key.fill("has blanks in it")
    dialog.get_by_role("button", name="Replace").click()
    expect(status).to_contain_text("no blanks")
    dialog.get_by_role("button", name="Remove it").click()
    expect(status).to_contain_text("Your key is removed.")
    expect(key).to_be_focused()
