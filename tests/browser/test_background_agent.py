"""What an agent in the background asks after its turn's end has its card, beside an input that takes questions."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.helpers.accessibility import serious
from tests.browser.helpers.chat import Chat
from tests.worlds.script import BEHIND


@pytest.mark.long
@pytest.mark.real_claude
def test_the_card_of_an_agent_that_asks_after_its_turns_end_outlives_a_reload_and_allows(
    opened: Callable[..., Chat],
) -> None:
    chat = opened()
    chat.ask("scene:behind")
    chat.ends()
    expect(chat.page.locator(".status")).to_have_text("1 task is running in the background")
    BEHIND.asks.set()
    expect(chat.card).to_contain_text("A subagent asks this (general-purpose).")
    expect(chat.input).to_be_editable()
    expect(chat.page.get_by_role("button", name="Stop")).to_be_hidden()
    assert serious(chat.page, ".chat") == []
    chat.ask("Is there room for a question?")
    expect(chat.turns.nth(2)).to_contain_text("You said")
    chat.page.reload()
    expect(chat.card).to_contain_text("behind.txt")
    chat.card.get_by_role("button", name="Allow", exact=True).click()
    request = chat.turns.filter(has_text="asked by an agent in the background")
    expect(request).to_contain_text("allowed · in the browser")
    report = chat.turns.filter(has_text="started by Claude itself")
    expect(report).to_contain_text("You said")
    expect(report).not_to_contain_text("<task-notification>")
    expect(chat.page.locator(".status")).to_be_hidden()
    assert (chat.world.workdir / "behind.txt").read_text() == "written behind\n"
