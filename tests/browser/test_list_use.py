"""What stays in sight when something is taken out of the list, what is found, and how its rows stand."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Route, expect

from tests.browser.conftest import Watch, at_rest
from tests.browser.helpers.chat import Chat
from tests.browser.helpers.conversations import Listing, Made, listing
from tests.browser.helpers.streams import TURN, running_turn
from tests.browser.test_conversations import answer_list, item
from tests.worlds.world import World, eventually

LATE_FRAMES = """() => {
  const next = requestAnimationFrame;
  window.requestAnimationFrame = (draw) => setTimeout(() => next(draw), 500);
}"""
LEFT = "(el) => Math.round(el.getBoundingClientRect().left)"


@pytest.fixture
def world(scripted_daemon: World) -> Iterator[World]:
    """Without Claude Code, as in test_list."""
    yield from at_rest(scripted_daemon)


def archive(made: Made, session: str) -> None:
    with made.world.client() as client:
        client.patch(f"/api/paliadin/conversations/{session}", json={"archived": True})


@pytest.mark.long
def test_on_a_phone_the_list_stays_with_its_undo_when_the_open_conversation_goes(
    opened: Callable[..., Chat], made: Made, watch: Watch
) -> None:
    watch.allow("404")  # it is read while it goes
    made("To be kept")
    made("To be deleted")
    chat = opened(viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True)
    shown = listing(chat)
    chat.button("Show the conversations").tap()
    shown.item("To be deleted").locator(".item-link").tap()
    chat.button("Show the conversations").tap()
    shown.item("To be deleted").locator(".item-more").tap()
    chat.page.get_by_role("menuitem", name="Delete").tap()
    expect(shown.current).to_contain_text("To be kept")
    expect(shown.toast).to_contain_text("Deleted")
    shown.toast.get_by_role("button", name="Undo").tap()
    expect(shown.current).to_contain_text("To be deleted")
    expect(chat.page.get_by_role("dialog", name="Conversations")).to_be_visible()


def open_one_of_two(chat: Chat, shown: Listing, made: Made, watch: Watch) -> None:
    """Have two conversations; the one to be deleted is open."""
    watch.allow("404")  # it is read while it goes
    made("To be kept")
    made("To be deleted")
    chat.look()
    shown.open("To be deleted")


def test_the_undo_key_brings_the_open_conversation_back_and_leaves_text_alone(
    chat: Chat, shown: Listing, made: Made, watch: Watch
) -> None:
    open_one_of_two(chat, shown, made, watch)
    shown.choose("To be deleted", "Delete")
    expect(shown.current).to_contain_text("To be kept")
    expect(chat.input).to_be_focused()
    chat.page.keyboard.type("a thought")
    chat.page.keyboard.press("Control+z")
    expect(chat.input).to_have_value("a though")
    expect(shown.toast).to_be_visible()
    chat.page.keyboard.press("Control+a")
    chat.page.keyboard.press("Delete")
    chat.page.reload()
    shown.choose("To be kept", "Delete")
    expect(shown.toast).to_be_visible()
    expect(shown.item("To be kept")).to_have_count(0)
    expect(chat.input).to_be_focused()
    chat.page.keyboard.press("Control+z")
    expect(shown.current).to_contain_text("To be kept")


def test_the_input_keeps_the_focus_when_the_frame_comes_after_the_daemons_answer(
    chat: Chat, shown: Listing, made: Made, watch: Watch
) -> None:
    open_one_of_two(chat, shown, made, watch)
    chat.page.evaluate(LATE_FRAMES)
    shown.choose("To be deleted", "Delete")
    expect(shown.current).to_contain_text("To be kept")
    chat.page.wait_for_timeout(700)
    expect(chat.input).to_be_focused()


@pytest.mark.long
def test_what_is_archived_is_found_with_its_mark_and_has_its_title(chat: Chat, shown: Listing, made: Made) -> None:
    session = made("scene:words")
    second = made("scene:words once more")
    archive(made, session)
    for each in (session, second):  # the search finds an answer in its row, and looks once
        eventually(lambda each=each: made.world.get(f"history?session_id={each}")["turns"][-1]["finished_at"])
    chat.look()
    shown.search.fill("Chapter 1")
    expect(shown.items).to_have_count(2)
    put_away = shown.items.nth(1)
    expect(put_away).to_contain_text("Archived")
    expect(shown.items.nth(0)).not_to_contain_text("Archived")
    put_away.locator(".item-link").click()
    expect(chat.page.locator(".header-title")).to_have_text("scene:words")
    expect(chat.page).to_have_title(re.compile("scene:words · Paliadin$"))
    clear = chat.button("Clear the search")
    clear.click()
    expect(clear).to_be_hidden()
    expect(shown.search).to_be_focused()
    expect(shown.search).to_have_value("")
    expect(shown.items).to_have_count(2)  # `main`, and the other one
    chat.page.reload()
    expect(chat.page.locator(".header-title")).to_have_text("scene:words")


def test_who_writes_keeps_the_focus_when_a_found_turn_comes_into_sight(chat: Chat, shown: Listing, made: Made) -> None:
    session = made("scene:words")
    eventually(lambda: made.world.get(f"history?session_id={session}")["turns"][-1]["finished_at"])
    chat.look()
    held: list[Route] = []
    chat.page.route(f"**/api/paliadin/history?session_id={session}*", lambda route: held.insert(0, route))
    shown.search.fill("Chapter 1")
    expect(shown.items).to_have_count(1)
    shown.items.locator(".item-link").click()
    eventually(lambda: chat.page.title() and held, what="the conversation is read")
    shown.search.click()
    held.pop().continue_()
    expect(chat.turn).to_be_in_viewport()
    chat.page.keyboard.type("0")
    expect(shown.search).to_have_value("Chapter 10")
    chat.page.unroute_all()
    shown.search.press("Enter")
    expect(chat.turn).to_be_focused()


def test_what_was_changed_while_the_daemon_was_away_is_shown_as_it_is(
    chat: Chat, shown: Listing, made: Made, watch: Watch
) -> None:
    watch.allow("ERR_FAILED")
    for title in ("To be kept", "To be deleted"):
        made(title)
    chat.look()
    expect(shown.items).to_have_count(3)
    chat.page.route(re.compile("/api/paliadin/conversations"), lambda route: route.abort())
    shown.choose("To be deleted", "Delete")
    expect(shown.toast).to_contain_text("cannot be reached")
    expect(shown.items).to_have_count(3)
    chat.page.unroute_all()
    with made.world.client() as client:
        client.patch(f"/api/paliadin/conversations/{made.sessions[0]}", json={"title": "Kept"})
    expect(shown.item("Kept")).to_be_visible()
    expect(shown.items).to_have_count(3)


@pytest.mark.long
def test_all_matches_are_marked_and_titles_stand_in_one_line_whatever_the_state(chat: Chat, shown: Listing) -> None:
    match = {"turn_id": TURN, "excerpt": "- tide and Tide | a | b | |---|---| | tide | low |"}
    states = ("parked", "waiting", "failed", "unreachable", "busy")
    answer_list(chat.page, [item(n, state=state, match=match) for n, state in enumerate(states)])
    chat.page.reload()
    expect(shown.items).to_have_count(len(states))
    assert len({title.evaluate(LEFT) for title in shown.titles.all()}) == 1
    shown.search.fill("tide")
    excerpts = chat.page.locator(".item-excerpt:visible")
    expect(excerpts.first.locator("mark")).to_have_text(["tide", "Tide", "tide"])
    expect(excerpts.first).to_have_text(re.compile("^tide and Tide"))
    expect(excerpts.first).not_to_contain_text("--")
    assert len({part.evaluate(LEFT) for part in [*shown.titles.all(), *excerpts.all()]}) == 1
    chat.page.unroute_all()


def test_what_waits_for_a_reply_is_not_said_to_be_at_work(chat: Chat, shown: Listing, made: Made, watch: Watch) -> None:
    watch.allow("409")
    made.world.ask("scene:question", session_id=made("It asks"))
    chat.look()
    expect(shown.item("It asks").locator("[data-kind=waiting]")).to_be_visible()
    shown.choose("It asks", "Delete")
    expect(shown.toast).to_contain_text("Claude is waiting for your reply there.")
    expect(shown.item("It asks")).to_have_count(1)


@pytest.mark.long
def test_what_waits_for_a_place_is_not_said_to_be_at_work(chat: Chat) -> None:
    held = {"phase": "held", "message": "", "held_by": []}
    with running_turn(chat.page, [("meta", {"turn_id": TURN}), ("status", held)]):
        chat.page.reload()
        expect(chat.page.locator(".composer-hint")).to_contain_text("waits for a free place")
        chat.page.unroute_all()


def test_a_question_is_shown_at_once_as_it_will_be(chat: Chat) -> None:
    chat.asked("open \u202etxt.exe\u2069 now")
    expect(chat.turn.locator(".question-text")).to_have_text("open txt.exe now")
    assert not {"\u202e", "\u2069"} & set("".join(chat.shown()))


@pytest.mark.long
def test_a_new_conversation_has_a_key_and_a_missing_one_no_button_beside_the_list(
    chat: Chat, shown: Listing, watch: Watch
) -> None:
    watch.allow("404")
    expect(chat.page.locator(".list-new")).to_have_attribute("title", re.compile(r"^New conversation \(.+O\)$"))
    chat.page.goto(f"{chat.page.url}?session=nowhere")
    expect(chat.page.get_by_role("heading", name="There is no such conversation")).to_be_visible()
    expect(chat.page.locator(".to-list")).to_be_hidden()
    chat.button("Hide the conversations").click()
    expect(chat.page.locator(".to-list")).to_be_visible()
