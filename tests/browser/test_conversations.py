"""The list of conversations: several go on side by side, and what a person does with them."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import MAIN, Watch
from tests.browser.helpers.chat import Chat, hold
from tests.browser.helpers.conversations import Listing, Made, listing
from tests.browser.helpers.interception import LIST, Paused, intercept
from tests.browser.helpers.page_stream import leave_out, tell
from tests.browser.helpers.streams import TURN, running_turn
from tests.worlds.script import HELD
from tests.worlds.world import eventually

TOP = "document.querySelector('.scroller').scrollTop"


def item(number: int, **fields: Any) -> dict[str, Any]:
    """An item of a list that the daemon did not send."""
    empty = dict.fromkeys(("ended_at", "cleared_at", "first_turn", "branch_of", "running_turn", "origin"))
    return {
        **empty,
        "id": f"conversation{number}",
        "title": f"Question number {number}",
        "person": "ada",
        "host": "here",
        "state": "parked",
        "pinned": False,
        "archived": False,
        "created_at": 1_700_000_000_000,
        "last_at": 1_795_000_000_000 - number * 86_400_000,
        "queued": 0,
        **fields,
    }


def answer_list(page: Page, items: list[dict[str, Any]], hosts: tuple[str, ...] = ("here",)) -> None:
    """Let the page read this list."""

    def fulfill(request: Paused) -> None:
        if request.method == "GET":
            request.fulfill(json={"conversations": items, "hosts": list(hosts), "max_running": 4})
        else:
            request.go_on()

    leave_out(page, "list")
    for pattern in (LIST, f"{LIST}?*"):
        intercept(page, pattern, fulfill)


def wait_for_input(chat: Chat) -> None:
    expect(chat.input).to_be_focused()


@pytest.mark.long
def test_a_new_conversation_leaves_the_old_one_at_work_and_both_answer(chat: Chat, shown: Listing) -> None:
    chat.ask("scene:held")
    expect(chat.text).to_contain_text("Line 2.")
    chat.button("New conversation").click()
    expect(chat.turns).to_have_count(0)
    expect(chat.page).to_have_url(re.compile(r"\?session=[a-z2-9]{12}$"))
    wait_for_input(chat)
    chat.ask("scene:remember")
    expect(shown.item(MAIN).locator(".item-mark")).to_have_text("Claude is working: ")
    HELD.enough.set()
    chat.ends()
    expect(chat.text).to_have_text("I remember 1 prompts.")
    expect(shown.current).to_contain_text("scene:remember")
    expect(shown.item(MAIN).locator(".item-mark")).to_have_text("new answer: ")
    expect(chat.page).to_have_title(re.compile("^✓ "))
    expect(chat.page.locator("link[rel=icon]")).to_have_attribute("href", re.compile("finished"))
    shown.open(MAIN)
    chat.ends()
    expect(chat.text).to_contain_text("Line 2.")
    expect(chat.page).to_have_title(f"{MAIN} · Paliadin")
    expect(chat.page.locator("link[rel=icon]")).to_have_attribute("href", re.compile("favicon.svg"))
    expect(shown.item(MAIN).locator(".item-mark")).to_have_text("")


@pytest.mark.long
def test_a_new_conversation_asks_where_also_before_the_list_is_read(opened: Callable[..., Chat], made: Made) -> None:
    chat = opened()
    leave_out(chat.page, "list")
    held = hold(chat.page, "**/api/paliadin/conversations")
    chat.page.reload()
    chat.button("New conversation").click()
    expect(chat.page.get_by_role("menuitem")).to_have_count(0)
    answer_list(chat.page, [item(1)], ("here", "far"))
    for route in held:
        route.fulfill(json={"conversations": [item(1)], "hosts": ["here", "far"], "max_running": 4})
    expect(chat.page.get_by_role("menuitem", name="far")).to_be_visible()


def test_back_and_forward_lead_through_conversations_and_each_keeps_its_draft_and_place(
    chat: Chat, shown: Listing, made: Made
) -> None:
    chat.asked("scene:wide")
    chat.asked("scene:wide")
    made("The other one")
    chat.look()
    chat.input.fill("a draft of the first")
    chat.page.locator(".scroller").evaluate("(el) => { el.scrollTop = 140 }")
    shown.open("The other one")
    expect(chat.turns).to_have_count(1)
    expect(chat.input).to_have_value("")
    chat.input.fill("a draft of the other")
    chat.page.go_back()
    expect(chat.turns).to_have_count(2)
    expect(chat.input).to_have_value("a draft of the first")
    assert abs(chat.page.evaluate(TOP) - 140) < 2
    chat.page.go_forward()
    expect(chat.input).to_have_value("a draft of the other")
    assert chat.page.evaluate("performance.getEntriesByType('navigation').length") == 1


def test_what_is_deleted_goes_at_once_and_comes_back_when_that_is_undone(
    chat: Chat, shown: Listing, made: Made, watch: Watch
) -> None:
    watch.allow("404")  # its history may be being read when it goes
    made("To be kept")
    session = made("To be deleted")
    chat.look()
    shown.open("To be deleted")
    shown.choose("To be deleted", "Delete")
    expect(shown.item("To be deleted")).to_have_count(0)
    expect(shown.toast).to_contain_text("Deleted")
    expect(shown.current).to_contain_text("To be kept")
    expect(chat.turn).to_contain_text("To be kept")
    shown.toast.get_by_role("button", name="Undo").click()
    expect(shown.current).to_contain_text("To be deleted")
    expect(chat.turn).to_contain_text("To be deleted")
    expect(shown.toast).to_be_hidden()
    assert made.item(session)["title"] == "To be deleted"
    chat.world.ask("scene:slow", session_id=session)
    expect(shown.item("To be deleted").locator(".item-mark")).to_have_text("Claude is working: ")
    watch.allow("409")
    shown.choose("To be deleted", "Delete")
    expect(shown.toast).to_contain_text("Claude is still working there")
    expect(shown.item("To be deleted")).to_have_count(1)


@pytest.mark.long
def test_a_search_finds_words_of_answers_and_leads_to_the_turn(chat: Chat, shown: Listing, made: Made) -> None:
    session = made("scene:words", "Something behind it")
    made("Another one")
    chat.look()
    shown.search.fill("Chapter 51")
    expect(shown.items).to_have_count(1)
    expect(shown.items.locator(".item-excerpt mark")).to_have_text("Chapter 51")
    shown.search.press("Enter")
    expect(chat.page).to_have_url(re.compile(f"session={session}$"))
    expect(chat.turns.filter(has_text="scene:words")).to_be_focused()
    shown.search.fill("nowhere to be found")
    expect(chat.page.get_by_text("Nothing found.")).to_be_visible()
    shown.search.press("Escape")
    expect(shown.items).to_have_count(3)


@pytest.mark.long
def test_a_question_of_another_conversation_is_told_in_list_and_tab(chat: Chat, shown: Listing, made: Made) -> None:
    session = made("Hello")
    chat.look()
    chat.world.ask("scene:question", session_id=session)
    expect(shown.item("Hello").locator(".item-mark")).to_have_text("!Claude is waiting for your reply: ")
    expect(chat.page).to_have_title(re.compile("^● "))
    expect(chat.page.locator("link[rel=icon]")).to_have_attribute("href", re.compile("asks"))
    shown.open("Hello")
    chat.card.get_by_role("radio", name="Blue").check()
    chat.card.get_by_role("button", name="Reply", exact=True).click()
    chat.ends()
    expect(chat.page).to_have_title("Hello · Paliadin")


def test_questions_wait_are_changed_and_withdrawn_and_begin_one_after_the_other(chat: Chat, shown: Listing) -> None:
    chat.ask("scene:held")
    expect(chat.text).to_contain_text("Line 0.")
    queue = chat.page.locator(".queued")
    for question in ("The second", "The third", "The fourth"):
        chat.input.fill(question)
        chat.input.press("Enter")
    expect(queue).to_have_count(3)
    expect(chat.turns).to_have_count(1)
    queue.nth(1).get_by_role("button", name="Withdraw this question").click()
    expect(queue).to_have_text(["The second", "The fourth"])
    queue.nth(1).get_by_role("button", name="Change this question").click()
    chat.page.keyboard.type(", changed")
    chat.page.keyboard.press("Enter")
    expect(queue.nth(1)).to_have_text("The fourth, changed")
    chat.page.reload()
    expect(queue).to_have_text(["The second", "The fourth, changed"])
    chat.input.fill("a draft")
    expect(chat.stop).to_be_visible()
    chat.input.fill("")
    HELD.enough.set()
    expect(queue).to_have_count(0, timeout=40_000)
    chat.ends()
    questions = [turn.locator(".question-text").inner_text() for turn in chat.turns.all()]
    assert questions[1:] == ["The second", "The fourth, changed"]
    expect(chat.text).to_contain_text("You said")


@pytest.mark.long
def test_after_stop_the_questions_wait_until_they_may_go_on(chat: Chat, shown: Listing) -> None:
    chat.ask("scene:slow")
    chat.input.fill("And then?")
    chat.input.press("Enter")
    expect(chat.page.locator(".queued")).to_have_count(1)
    chat.page.keyboard.press("Escape")
    expect(chat.page.locator(".queue-held")).to_contain_text("You stopped Claude. These questions wait.")
    chat.page.reload()
    expect(chat.page.locator(".queue-held")).to_be_visible()
    chat.input.fill("A draft")
    chat.page.locator(".queued").get_by_role("button", name="Change this question").click()
    chat.page.keyboard.type(" This is not sent")
    chat.button("Go on").click()
    expect(chat.page.locator(".queued")).to_have_count(0)
    expect(chat.input).to_have_value("A draft\nAnd then? This is not sent")  # it began while it was being changed
    chat.ends()
    expect(chat.turn.locator(".question-text")).to_have_text("And then?")
    chat.input.fill("")


@pytest.mark.long
def test_a_question_that_waits_for_a_place_says_which_conversations_hold_it(chat: Chat) -> None:
    answer_list(chat.page, [item(1, title="Tide tables")])
    held = {"phase": "held", "message": "", "held_by": ["conversation1", "unknown"]}
    with running_turn(chat.page, [("meta", {"turn_id": TURN}), ("status", held)]):
        chat.page.reload()
        words = "Waiting for a free place: “Tide tables”, another conversation"
        expect(chat.page.locator(".status .shimmer")).to_have_text(words)
        chat.page.unroute_all()


def test_a_conversation_that_is_not_there_says_so_and_leads_to_the_list(
    chat: Chat, shown: Listing, watch: Watch
) -> None:
    watch.allow("404")
    chat.page.goto(f"{chat.page.url}?session=nowhere")
    expect(chat.page.get_by_role("heading", name="There is no such conversation")).to_be_visible()
    expect(chat.input).to_be_hidden()
    chat.button("Hide the conversations").click()
    chat.page.locator("main").get_by_role("button", name="Show the conversations").click()
    expect(shown.search).to_be_focused()


@pytest.mark.long
@pytest.mark.real_claude
def test_what_claude_has_forgotten_stays_and_a_line_says_so_at_once(chat: Chat) -> None:
    chat.asked("Before")
    chat.world.terminal.type(chat.world.pane, "/clear")
    eventually(lambda: "/clear" in chat.world.screen())
    chat.world.terminal.press(chat.world.pane, "Enter")
    divider = chat.page.locator(".divider:visible")
    expect(divider).to_have_text("Claude knows nothing of what is above")
    expect(chat.turns).to_have_count(1)
    chat.asked("scene:remember")
    expect(chat.text).to_have_text("I remember 1 prompts.")
    expect(chat.turns).to_have_count(2)
    expect(divider).to_have_count(1)
    expect(chat.turn.locator(".divider")).to_be_visible()


def test_an_earlier_question_is_changed_or_asked_again_in_a_branch_and_arrows_lead_between_them(
    chat: Chat, shown: Listing
) -> None:
    chat.asked("One")
    chat.asked("Two")
    chat.turns.nth(1).hover()
    chat.turns.nth(1).get_by_role("button", name="Change and ask again, in a branch").click()
    chat.page.keyboard.press("Escape")
    expect(chat.turns.nth(1).get_by_role("button", name="Change and ask again, in a branch")).to_be_focused()
    chat.page.keyboard.press("Enter")
    chat.page.keyboard.type(", scene:remember")
    chat.page.keyboard.press("Enter")
    expect(chat.page).to_have_url(re.compile(r"\?session="))
    expect(chat.turns).to_have_count(2)
    chat.ends()
    expect(chat.text).to_have_text("I remember 2 prompts.")
    expect(shown.current).to_contain_text("Branch")
    siblings = chat.turn.locator(".siblings")
    expect(siblings).to_have_text("2/2")
    siblings.get_by_role("button", name="Previous branch").click()
    expect(chat.page).not_to_have_url(re.compile("session="))
    expect(chat.turn.locator(".question-text")).to_have_text("Two")
    arrows = {name: siblings.get_by_role("button", name=f"{name} branch") for name in ("Previous", "Next")}
    expect(arrows["Next"]).to_be_focused()
    chat.page.keyboard.press("Enter")
    expect(chat.page).to_have_url(re.compile(r"\?session="))
    expect(arrows["Previous"]).to_be_focused()
    chat.page.keyboard.press("Enter")
    expect(chat.turn.locator(".question-text")).to_have_text("Two")
    chat.turn.get_by_role("button", name="Ask again, in a branch", exact=True).click()
    expect(siblings).to_have_text("3/3")
    chat.ends()
    expect(chat.turn.locator(".question-text")).to_have_text("Two")


@pytest.mark.long
def test_a_new_conversation_is_made_on_the_host_that_is_chosen(chat: Chat, shown: Listing, watch: Watch) -> None:
    watch.allow("404|503")
    answer_list(chat.page, [item(1, host="office")], ("here", "office"))
    asked: list[Any] = []
    chat.page.reload()
    expect(shown.items.locator(".item-label")).to_have_text(["office"])

    def refuse(route: Route) -> None:
        asked.append(route.request.post_data_json)
        route.fulfill(status=503, json={"error": {"code": "relay_unreachable", "message": "away", "hint": "Wait."}})

    chat.page.route("**/api/paliadin/conversations", lambda route: route.fallback() if is_get(route) else refuse(route))
    chat.button("New conversation").click()
    chat.page.get_by_role("menuitem", name="office").click()
    eventually(lambda: chat.page.evaluate("1") and asked == [{"host": "office"}])
    expect(shown.toast).to_contain_text("away. Wait.")


def is_get(route: Route) -> bool:
    return route.request.method == "GET"


# How many items are drawn in one go, and which are changed.
WATCH_ITEMS = """
window.pieces = [];
window.touched = new Set();
let count = document.querySelectorAll(".item").length;
const itemOf = (node) => (node instanceof Element ? node : node.parentElement)?.closest(".item");
new MutationObserver((records) => {
  const now = document.querySelectorAll(".item").length;
  pieces.push(now - count);
  count = now;
  for (const { target } of records) if (itemOf(target)) touched.add(itemOf(target).dataset.id);
}).observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
"""


def test_two_hundred_conversations_move_nothing_and_hold_nothing_up(opened: Callable[..., Chat], made: Made) -> None:
    chat = opened()
    items = [item(number) for number in range(200)]
    answer_list(chat.page, items)
    chat.page.evaluate(WATCH_ITEMS)
    tell(chat.page, "list", version="1", since=None, conversations=items, gone=[], hosts=["here"])
    expect(listing(chat).items).to_have_count(200)
    assert 0 < max(chat.page.evaluate("pieces")) <= 60  # more at once would hold up what is typed meanwhile
    items[150] = item(150, running_turn="t", state="busy")
    chat.page.evaluate("shifts.length = 0; touched.clear()")
    tell(chat.page, "list", version="2", since="1", conversations=[items[150]], gone=[], hosts=["here"])
    expect(chat.page.locator("[data-kind=busy]")).to_have_count(1)
    assert chat.page.evaluate("shifts") == []
    assert chat.page.evaluate("[...touched]") == [items[150]["id"]]
