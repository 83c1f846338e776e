"""Where the daemon keeps no words, the reader's own browser keeps what was said, and tells it with the next one."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from paliadin.demo.scripted_api import ScriptedApi
from tests.browser.helpers.accessibility import serious
from tests.browser.helpers.chat import Chat
from tests.browser.helpers.conversations import listing
from tests.integration.conftest import make_world
from tests.worlds.turns import folder_of
from tests.worlds.world import World, eventually

Api = tuple[ScriptedApi, str]
QUESTION = "What does the quokka eat?"


@pytest.fixture
def world(tmp_path: Path, one_claude: Path, api: Api) -> Iterator[World]:
    for world in make_world(tmp_path, one_claude, api):
        world.options |= {"RELAY": "messages", "API_KEY": "key-of-the-tests", "API_URL": api[1], "AUDIT": "redacted"}
        world.start()
        world.agree()
        yield world


@pytest.fixture
def pages(browser: Browser, world: World) -> Iterator[list[Page]]:
    """The owner's page in one browser, and a second browser that has not opened it: what it saw, it would keep."""
    contexts = [browser.new_context(locale="en-GB", reduced_motion="reduce") for _ in range(2)]
    pages = [context.new_page() for context in contexts]
    pages[0].goto(world.url)
    yield pages
    for context in contexts:
        context.close()


def forgotten(world: World) -> None:
    """Have the folders of turns that are over go, as they do 30 s after their end."""
    for turn in world.get("history?session_id=main")["turns"]:
        marker = folder_of(world, turn["turn_id"]) / "recorded"
        eventually(marker.exists, what="the row is written")
        os.utime(marker, (0, 0))
        eventually(lambda marker=marker: not marker.parent.exists(), what="the folder is removed")


def said(api: Api) -> list[tuple[str, str]]:
    """(role, text) of all that the model was told in the last request."""
    messages: list[dict[str, Any]] = api[0].bodies[-1]["messages"]
    return [(each["role"], block["text"]) for each in messages for block in each["content"]]


def test_what_was_said_is_in_this_browser_alone_and_goes_with_the_next_question(
    world: World, api: Api, pages: list[Page]
) -> None:
    chat, other = (Chat(page, world) for page in pages)
    chat.asked(QUESTION)
    expect(chat.text).to_contain_text("You said")
    forgotten(world)

    chat.page.reload()
    expect(chat.turn.locator(".question-text")).to_have_text(QUESTION)
    expect(chat.text).to_contain_text("You said")
    expect(listing(chat).current).to_contain_text(QUESTION)
    assert serious(chat.page, "main") == []

    other.page.goto(world.url)
    elsewhere = "Asked in another browser. What was said is kept there alone."
    expect(other.turn.locator(".question-text")).to_have_text(elsewhere)
    expect(other.page.get_by_text("You said")).to_have_count(0)
    assert serious(other.page, "main") == []

    chat.asked("And the wombat?")
    assert said(api)[0] == ("user", QUESTION)
    assert said(api)[1][1].startswith("You said")
    api[0].bodies.clear()
    chat.button("Ask again, in a branch").last.click()
    # Until the branch is there, the page shows the conversation before it, which looks alike: two turns, both over.
    expect(chat.page).to_have_url(re.compile(r"\?session="))
    eventually(lambda: api[0].bodies, what="the model is asked again")
    expect(chat.turns).to_have_count(2)
    expect(chat.turns.first.locator(".question-text")).to_have_text(QUESTION)
    chat.ends()
    assert said(api)[0] == ("user", QUESTION)
    other.look()
    expect(other.turns).to_have_count(2)
    other.asked("Hello")
    assert QUESTION not in str(said(api))
    assert "And the wombat?" in str(said(api)), "its folder is still there"


@pytest.mark.long
def test_no_comment_is_asked_for_that_would_not_be_kept(world: World, pages: list[Page]) -> None:
    chat = Chat(pages[0], world)
    chat.asked(QUESTION)
    verdict = chat.turn.get_by_role("button", name="A good answer", exact=True)
    verdict.click()
    expect(verdict).to_have_attribute("aria-pressed", "true")
    expect(chat.turn.get_by_label("A word on it")).to_be_hidden()


@pytest.mark.long
def test_it_goes_with_the_conversation_and_with_who_signs_out(world: World, pages: list[Page]) -> None:
    page = pages[0]
    chat = Chat(page, world)
    chat.asked(QUESTION)
    expect(chat.text).to_contain_text("You said")
    assert "quokka" in stored(page)
    shown = listing(chat)
    shown.choose(QUESTION, "Delete")
    expect(shown.toast).to_contain_text("Deleted")
    expect(shown.item(QUESTION)).to_have_count(0)
    assert "quokka" not in stored(page)
    shown.toast.get_by_role("button", name="Undo").click()
    expect(shown.item(QUESTION)).to_have_count(1)
    assert "quokka" in stored(page)
    page.get_by_role("button", name="Signed-in browsers").click()
    page.get_by_role("dialog").get_by_role("button", name="Sign out", exact=True).first.click()
    expect(page.locator("main")).to_contain_text("locked")
    assert "quokka" not in stored(page)


def stored(page: Page) -> str:
    return str(page.evaluate("JSON.stringify({...localStorage}) + JSON.stringify({...sessionStorage})"))
