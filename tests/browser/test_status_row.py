"""The row under the composer says what is known of this Claude; model and mode are chosen there, and by `/`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Locator, Route, expect

from tests.browser.conftest import Watch
from tests.browser.helpers.accessibility import serious
from tests.browser.helpers.chat import Chat, hold
from tests.browser.helpers.interception import LIST, Paused, intercept
from tests.browser.helpers.page_stream import leave_out
from tests.worlds.world import eventually

pytestmark = pytest.mark.real_claude  # the figures are Claude Code's own


def row(chat: Chat) -> Locator:
    return chat.page.get_by_role("group", name="This conversation’s Claude")


def send(chat: Chat, message: str) -> None:
    chat.input.fill(message)
    chat.page.keyboard.press("Escape")  # no completion
    chat.page.keyboard.press("Enter")


def known(chat: Chat) -> dict[str, Any]:
    items = chat.world.get("conversations")["conversations"]
    return next(item for item in items if item["id"] == "main")


def test_the_row_has_the_figures_and_the_mode_is_changed_by_keyboard(chat: Chat) -> None:
    chat.ask("Hello")
    chat.ends()
    expect(row(chat).get_by_role("button", name="Permission mode: Ask first. Change it")).to_be_visible()
    expect(row(chat)).to_contain_text(known(chat)["model_name"])
    expect(row(chat)).to_contain_text("% of context")
    chat.input.click()
    chat.page.keyboard.type("/mode")
    chat.page.keyboard.press("Enter")
    dialog = chat.page.get_by_role("dialog", name="Permission mode")
    expect(dialog.get_by_role("button", name="Ask first in use")).to_be_focused()
    assert serious(chat.page, "dialog") == []
    for key in ("ArrowUp", "ArrowDown", "ArrowDown", "ArrowDown"):
        chat.page.keyboard.press(key)
    expect(dialog.get_by_role("button", name="Plan only")).to_be_focused()
    chat.page.keyboard.press("Enter")
    expect(dialog).to_have_count(0)
    expect(row(chat).get_by_role("button", name="Permission mode: Plan only. Change it")).to_be_visible()
    assert known(chat)["permission_mode"] == "plan"
    row(chat).get_by_role("button", name="Permission mode").click()
    chat.page.get_by_role("dialog").get_by_role("button", name="Ask first").click()
    expect(dialog).to_have_count(0)
    expect(row(chat)).to_contain_text("Ask first")
    assert serious(chat.page, ".dock") == []


@pytest.mark.long
def test_a_new_conversation_has_the_row_before_its_first_question(chat: Chat) -> None:
    chat.asked("Hello")
    chat.button("New conversation").click()
    expect(chat.turns).to_have_count(0)
    row(chat).get_by_role("button", name="Permission mode: Ask first. Change it").click()
    chat.page.get_by_role("dialog").get_by_role("button", name="Plan only").click()
    expect(row(chat).get_by_role("button", name="Permission mode: Plan only. Change it")).to_be_visible()
    chat.page.reload()  # no list has it yet
    expect(row(chat).get_by_role("button", name="Permission mode: Plan only. Change it")).to_be_visible()


@pytest.mark.long
def test_a_mode_that_is_named_behind_the_command_is_taken_at_once(chat: Chat) -> None:
    chat.asked("Hello")
    dialog = chat.page.get_by_role("dialog")
    send(chat, "/mode PLAN")
    expect(row(chat).get_by_role("button", name="Permission mode: Plan only. Change it")).to_be_visible()
    expect(dialog).to_have_count(0)
    send(chat, "/mode nothing")
    expect(dialog.get_by_role("button", name="Plan only in use")).to_be_focused()
    expect(dialog.get_by_role("status")).to_have_text("“nothing” is none of these. Choose one:")
    dialog.get_by_role("button", name="Ask first").click()
    expect(dialog).to_have_count(0)  # the row says so sooner, while Claude still comes back
    expect(row(chat)).to_contain_text("Ask first")


@pytest.mark.long
def test_a_double_click_opens_one_dialog_however_slow_the_line_is(opened: Callable[..., Chat]) -> None:
    chat = opened()
    chat.asked("Hello")
    held = hold(chat.page, "**/dialogs/chooser.js")
    row(chat).get_by_role("button", name="Permission mode").dblclick()
    eventually(lambda: chat.page.evaluate("true") and held, what="what draws it is asked for")
    for route in held:
        route.continue_()
    expect(chat.page.get_by_role("button", name="Ask first in use").first).to_be_focused()
    expect(chat.page.get_by_role("dialog")).to_have_count(1)


@pytest.mark.long
def test_bypassing_every_question_takes_two_clicks_that_no_double_click_makes(opened: Callable[..., Chat]) -> None:
    """On a low window the dialog opens above the row, with the last choice where the button was."""
    chat = opened(viewport={"width": 390, "height": 844})
    chat.asked("Hello")
    dialog = chat.page.get_by_role("dialog", name="Permission mode")
    expect(row(chat)).to_contain_text("% of context")  # it comes after the answer, and moves the button
    button = row(chat).get_by_role("button", name="Permission mode")
    box = button.bounding_box()
    assert box is not None
    chat.page.mouse.dblclick(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, delay=150)
    expect(dialog.get_by_role("button", name="Ask first in use")).to_be_focused()
    bypass = dialog.get_by_role("button", name="Bypass permissions")
    bypass.dblclick()
    expect(dialog.get_by_role("button", name="Back")).to_be_focused()
    expect(dialog.get_by_role("status")).to_contain_text("Nothing is asked")
    assert serious(chat.page, "dialog") == []
    chat.page.keyboard.press("Enter")
    expect(dialog.get_by_role("button", name="Ask first in use")).to_be_focused()
    assert known(chat)["permission_mode"] == "default"
    chat.page.keyboard.press("Escape")
    send(chat, "/mode bypassPermissions")
    expect(dialog.get_by_role("button", name="Back")).to_be_focused()
    assert known(chat)["permission_mode"] == "default"


def test_a_mode_that_asks_nothing_warns(chat: Chat) -> None:
    def bypass(request: Paused) -> None:
        body = chat.world.get("conversations")
        for item in body["conversations"]:
            item["permission_mode"] = "bypassPermissions"
            item["model_name"] = "<img src=x> \u202eevil"
        request.fulfill(json=body)

    leave_out(chat.page, "list")
    intercept(chat.page, LIST, bypass)
    chat.page.reload()
    mode = row(chat).get_by_role("button", name="Permission mode: Bypass permissions. Change it")
    expect(mode).to_have_class("figure figure-warns")
    expect(row(chat)).to_contain_text("<img src=x> ⟨U+202E⟩evil")
    assert serious(chat.page, ".figures") == []


LONG = {
    "model_name": "us.anthropic.claude-sonnet-4-5-20250929-v1:0[1m]-of-a-cloud",
    "folder": "~/Projekte/Brücken und Häfen/2026/Gutachten/Entwürfe/endgültig/noch endgültiger",
    "context_used": 87,
    "cost": 123.4567,
}
NOTHING = {"model_name": "", "model": None, "folder": None, "context_used": None, "cost": None}
MODES = {
    "default": "Erst fragen",
    "acceptEdits": "Änderungen erlauben",
    "plan": "Nur planen",
    "auto": "Automatisch",
    "dontAsk": "Nicht fragen",
    "bypassPermissions": "Alles ohne Frage",
}


@pytest.mark.long
@pytest.mark.parametrize(
    "lines",
    [
        pytest.param([(LONG, ["acceptEdits", "bypassPermissions"]), (NOTHING, ["default", "auto"])], id="some"),
        pytest.param([(LONG, [*MODES]), (NOTHING, [*MODES])], id="all", marks=pytest.mark.matrix),
    ],
)
def test_on_a_phone_each_mode_and_long_names_fit_and_what_is_unknown_takes_no_room(
    opened: Callable[..., Chat], lines: list[tuple[dict[str, object], list[str]]]
) -> None:
    chat = opened(locale="de-DE", viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True)
    chat.asked("Hello")
    shown = chat.page.locator(".figures > :visible")
    facts: dict[str, object] = {}

    def changed(request: Paused) -> None:
        body = chat.world.get("conversations")
        for item in body["conversations"]:
            item.update(facts)
        request.fulfill(json=body)

    leave_out(chat.page, "list")
    intercept(chat.page, LIST, changed)
    for known_of_it, modes in lines:
        count = 5 if known_of_it is LONG else 2
        for mode in modes:
            facts = {**known_of_it, "permission_mode": mode}
            chat.page.reload()
            expect(shown.nth(1)).to_have_text(MODES[mode])
            expect(shown).to_have_count(count)
            cut = "figures => figures.filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth).length"
            assert shown.evaluate_all(cut) == 0
            assert serious(chat.page, ".dock") == []


ROUTED = "**/api/paliadin/conversations"


@pytest.mark.long
@pytest.mark.first(1)
@pytest.mark.parametrize(
    ("width", "has_row"), [(1280, True), (390, True), (1280, False)], ids=["wide", "phone", "no status line"]
)
def test_nothing_moves_when_the_row_comes_after_the_page(
    opened: Callable[..., Chat], width: int, *, has_row: bool
) -> None:
    """The list of conversations brings it. On a phone it has several lines."""
    chat = opened(viewport={"width": width, "height": 844})

    def answer(route: Route) -> None:
        body = chat.world.get("conversations")
        for item in body["conversations"]:
            item.update(folder="~/projects/office", context_used=7, cost=0.25)
            if not has_row:
                del item["permission_mode"]
        route.fulfill(json=body)

    chat.asked("Hello")
    leave_out(chat.page.context, "list")
    chat.page.route(ROUTED, answer)
    chat.page.reload()
    expect(chat.page.locator(".figures-awaited")).to_have_count(0)
    again = Chat(chat.page.context.new_page(), chat.world)
    held = hold(again.page, ROUTED)
    again.page.goto(chat.page.url)
    expect(again.turns).to_have_count(1)
    expect(row(again)).to_have_count(0)
    box = again.page.locator(".composer-box")
    before = box.bounding_box()
    eventually(lambda: again.page.evaluate("true") and held)
    answer(held[0])
    expect(again.page.locator(".figures-awaited")).to_have_count(0)
    expect(row(again)).to_have_count(int(has_row))
    assert box.bounding_box() == before


def test_models_of_any_name_stay_in_their_boxes(chat: Chat) -> None:
    texts = ("N" * 500, "<img src=x onerror=window.hacked=1>", "\u202eevil" + "\u0316" * 100)
    models = [{"id": f"m{number}", "name": text, "description": text} for number, text in enumerate(texts)]
    chat.page.route("**/offers", lambda route: route.fulfill(json={"models": models, "commands": [], "modes": []}))
    chat.asked("Hello")
    chat.input.click()
    chat.page.keyboard.type("/model")
    chat.page.keyboard.press("Enter")
    rows = chat.page.get_by_role("dialog").locator(".choice-row")
    expect(rows.nth(1)).to_contain_text(texts[1])
    expect(rows.nth(2)).to_contain_text("⟨U+202E⟩evil")
    assert rows.evaluate_all("rows => rows.filter((row) => row.scrollWidth > row.clientWidth).length") == 0
    assert chat.page.evaluate("window.hacked ?? null") is None
    chat.page.keyboard.press("Escape")


@pytest.mark.long
def test_in_mid_turn_the_dialog_says_why_not(chat: Chat, watch: Watch) -> None:
    watch.allow("409")
    chat.ask("scene:slow figures")
    row(chat).get_by_role("button", name="Permission mode").click()
    dialog = chat.page.get_by_role("dialog", name="Permission mode")
    plan = dialog.get_by_role("button", name="Plan only")
    plan.focus()
    chat.page.keyboard.press("Enter")
    expect(dialog.get_by_role("status")).to_contain_text("Another question is still being answered. Wait")
    expect(plan).to_be_focused()
    assert serious(chat.page, "dialog") == []
    chat.page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    assert known(chat)["permission_mode"] == "default"
    send(chat, "/compact")
    expect(chat.page.locator(".dock").get_by_role("alert")).to_contain_text("Another question is still being answered.")
    expect(chat.input).to_have_value("/compact")
    chat.stop.click()
    chat.ends()
