"""A conversation that is deleted in one tab, and open in another."""

from __future__ import annotations

from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import Watch
from tests.browser.helpers.chat import Chat

DELETED = {"error": {"code": "conversation_deleted", "message": "deleted", "hint": "Wait.", "retryable": False}}
HISTORY = "**/api/paliadin/history?*"
NOTHING = {"turns": [], "known": [], "running_turn": None, "has_more": False, "since": 0}


def answer_history(page: Page, status: int, body: object) -> None:
    page.unroute_all()
    page.route(HISTORY, lambda route: fulfill(route, status, body))


def fulfill(route: Route, status: int, body: object) -> None:
    route.fulfill(status=status, json=body)


def test_a_conversation_that_begins_anew_elsewhere_does_not_keep_its_old_turns(chat: Chat, watch: Watch) -> None:
    watch.allow("404")
    chat.asked("To be deleted")
    answer_history(chat.page, 404, DELETED)
    chat.look()
    expect(chat.page.get_by_role("heading", name="There is no such conversation")).to_be_visible()
    expect(chat.input).to_be_hidden()
    chat.page.unroute_all()  # the deletion is taken back
    chat.look()
    expect(chat.turn).to_contain_text("To be deleted")
    answer_history(chat.page, 404, DELETED)
    chat.look()
    expect(chat.turns).to_have_count(0)
    answer_history(chat.page, 200, NOTHING)
    chat.look()
    expect(chat.page.get_by_role("heading", name="What would you like to know?")).to_be_visible()
    expect(chat.turns).to_have_count(0)
    expect(chat.input).to_be_visible()


def test_a_tab_that_was_hidden_meanwhile_sees_the_new_beginning_too(chat: Chat) -> None:
    chat.asked("To be deleted")
    answer_history(chat.page, 200, NOTHING)
    chat.look()
    expect(chat.turns).to_have_count(0)
