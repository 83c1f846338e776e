"""The page of a session on another host: the real ssh, sshd and Claude Code, and a host that goes away."""

from __future__ import annotations

import os
import re
import shutil
import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, expect

from paliadin.relays.ssh.hosts import remove_remote, save_remote
from tests.browser.conftest import open_page
from tests.browser.helpers.chat import Chat
from tests.browser.helpers.conversations import listing
from tests.browser.test_page import WHOLE
from tests.integration.test_ssh import FAR, ssh_pid, state
from tests.worlds.far import Far
from tests.worlds.world import UNOPTIMIZED, World, eventually

pytestmark = [pytest.mark.timeout(120), pytest.mark.real_claude]  # hosts have one


@pytest.fixture
def far(tmp_path: Path, world: World, one_claude: Path) -> Iterator[Far]:
    """Known to the daemon that all tests of the page share, for as long as a test takes."""
    far = Far(tmp_path / "far", one_claude, world.base_url, variables=UNOPTIMIZED)
    far.start()
    save_remote(world.settings.home, far.remote())
    try:
        eventually(lambda: FAR in [item["name"] for item in world.get("sessions")["sessions"]], 30, "it is known")
        eventually(lambda: state(world)["ok"], 60, "it answers")
        yield far
    finally:
        remove_remote(world.settings.home, "far")
        eventually(lambda: FAR not in [item["name"] for item in world.get("sessions")["sessions"]], 30)
        far.close()
        for folder in world.settings.sessions_dir.glob("*@far"):  # what the next host of this name has never heard of
            shutil.rmtree(folder)


def open_far(new_context: Callable[..., BrowserContext], world: World, **options: object) -> Chat:
    page = new_context(**options).new_page()
    page.goto(world.url)
    page.goto(f"{world.origin}/paliadin?session={FAR}")
    expect(page.locator(".composer textarea")).to_be_visible()
    return Chat(page, world)


def goes_away(world: World, far: Far) -> None:
    far.stop()
    os.kill(ssh_pid(world), signal.SIGKILL)


@pytest.mark.long
def test_the_whole_way_over_ssh(new_context: Callable[..., BrowserContext], world: World, far: Far) -> None:
    chat = open_page(new_context().new_page(), world)
    shown = listing(chat)
    chat.button("New conversation").click()
    chat.page.get_by_role("menuitem", name="far").click()
    expect(chat.page).to_have_url(re.compile(r"session=[a-z0-9]{12}(@|%40)far$"))
    chat.asked("scene:stream")
    expect(shown.current.locator(".item-label")).to_have_text("far")
    assert chat.words == WHOLE.split()
    chat.ask("scene:question")
    chat.card.get_by_role("radio", name="Blue").check()
    chat.card.get_by_role("button", name="Reply", exact=True).click()
    chat.ends()
    expect(chat.text).to_contain_text("Blue")
    chat.ask("scene:stream")
    expect(chat.text).to_contain_text("Line 3 of many.")
    chat.stop.click()
    expect(chat.turn).to_contain_text("Stopped")
    count = chat.turns.count()
    chat.page.reload()
    expect(chat.turns).to_have_count(count)
    expect(chat.text.last).to_contain_text("Line 3 of many.")


@pytest.mark.long
def test_a_host_that_goes_away_in_mid_answer_is_reported_and_the_rest_comes_once(
    new_context: Callable[..., BrowserContext], world: World, far: Far
) -> None:
    chat = open_far(new_context, world)
    german = open_far(new_context, world, viewport={"width": 390, "height": 844}, locale="de-DE", color_scheme="dark")
    chat.ask("scene:stream")
    expect(chat.text).to_contain_text("Line 3 of many.")
    goes_away(world, far)
    eventually(lambda: state(world)["state"] == "unreachable", 20, "the line is gone")
    expected = [
        (chat, "en", "The machine far cannot be reached. Trying again", "Connection lost"),
        (german, "de", "Der Rechner far ist nicht zu erreichen. Neuer", "Verbindung unterbrochen"),
    ]
    for page, lang, sentence, status in expected:
        page.look()
        expect(page.page.locator(".away")).to_contain_text(sentence)
        expect(page.page.locator(".status")).to_have_text(status)
        if folder := os.environ.get("PALIADIN_TEST_PICTURES"):
            page.page.screenshot(path=Path(folder) / f"away-{lang}.png")
    far.start()
    eventually(lambda: state(world)["ok"], 60, "the line is back")
    for page in (chat, german):
        page.look()
        expect(page.page.locator(".away")).to_have_count(0)
        page.ends()
        assert page.words == WHOLE.split()
