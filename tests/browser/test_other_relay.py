"""Page, drawer and command line over relays that know nothing of Claude Code: the Messages API, and the public fake."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from paliadin.demo.scripted_api import ScriptedApi
from tests.browser.helpers.chat import ask
from tests.browser.helpers.drawer import Drawer, Site, serving
from tests.integration.conftest import make_world
from tests.worlds.world import ROOT, World


@pytest.fixture(scope="module", params=[pytest.param("fake", marks=pytest.mark.matrix), "messages"])
def site(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    one_claude: Path,
    api: tuple[ScriptedApi, str],
) -> Iterator[Site]:
    for world in make_world(tmp_path_factory.mktemp("typed"), one_claude, api):
        if request.param == "fake":
            world.scripted = True
        else:
            world.file_tools = True
            world.options |= {"RELAY": "messages", "API_KEY": "key-of-the-tests", "API_URL": api[1]}
        with serving(world) as site:
            if world.file_tools:
                world.agree()
            yield site


def without_claude(world: World) -> bool:
    """No terminal was opened for one."""
    return not world.terminal.panes()


def test_the_page_shows_steps_evidence_a_card_and_a_stop(site: Site, page: Page) -> None:
    world = site.world
    page.goto(world.url)
    ask(page, f"in:{world.workdir} scene:read")
    turn = page.locator(".turn").last
    expect(turn.locator(".turn-foot")).to_be_visible()
    expect(turn.locator(".prose").last).to_contain_text("Found it")
    expect(turn.locator("a.chip")).to_have_attribute("href", "/deadlines/c47bd2")
    expect(turn).to_contain_text("File read")
    ask(page, "scene:question")
    page.get_by_role("radio", name="Blue").check()
    page.get_by_role("button", name="Reply", exact=True).click()
    expect(page.locator(".turn").last.locator(".prose").last).to_contain_text("Blue")
    ask(page, "scene:slow")
    expect(page.locator(".turn").last).to_contain_text("Line 2.")
    page.get_by_role("button", name="Stop").click()
    expect(page.locator(".turn").last.locator(".turn-foot")).to_be_visible()
    page.reload()
    expect(page.locator(".turn")).to_have_count(3)
    expect(page.locator(".turn").first.locator("a.chip")).to_have_attribute("href", "/deadlines/c47bd2")
    assert without_claude(world)


def test_what_claude_code_alone_can_do_is_not_offered(site: Site, page: Page) -> None:
    """Over the Messages API no file can be attached, and there is no permission mode."""
    page.goto(site.world.url)
    hint = page.locator(".composer-hint")
    if site.world.file_tools:
        expect(hint).to_have_text("Enter sends · Shift+Enter for a new line · / for a command")
        expect(page.get_by_role("button", name="Attach")).to_have_count(0)
        page.get_by_role("textbox").last.fill("@")
        expect(page.get_by_role("listbox")).to_have_count(0)
    else:
        expect(hint).to_contain_text("@ for a file")
        expect(page.get_by_role("button", name="Attach")).to_be_visible()
    expect(page.locator(".figures")).to_be_hidden()


def test_the_drawer_asks_and_gets_its_chip(site: Site, page: Page) -> None:
    drawer = Drawer(page, site, [], [])
    drawer.go("/projects/harbour-bridge")
    drawer.open()
    drawer.asked(f"scene:read in:{site.world.workdir}")
    expect(drawer.dialog.locator("a.chip").last).to_have_attribute("href", "/deadlines/c47bd2")
    assert drawer.context()["primary_entity_id"] == "harbour-bridge"


def test_the_command_line_prints_the_answer(site: Site) -> None:
    world = site.world
    environment = {"PATH": os.environ["PATH"], "HOME": str(world.root), "LANG": "C.UTF-8", "PYTHONPATH": str(ROOT)}
    environment["PALIADIN_HOME"] = str(world.settings.home)
    command = [sys.executable, "-m", "paliadin", "ask", f"scene:read in:{world.workdir}"]
    asked = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert asked.returncode == 0, asked.stderr
    assert "Found it" in asked.stdout
    assert "used_tools" not in asked.stdout
