"""Cards of what is read before it is decided: a plan, a dialog in Claude's terminal, the previews of options."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.helpers.accessibility import serious
from tests.browser.helpers.cards import call
from tests.browser.helpers.chat import Chat
from tests.browser.helpers.streams import Events, running_turn

PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
OPTIONS = [{"id": "allow", "label": "Allow"}, {"id": "deny", "label": "Keep planning"}]
PLAN = (
    "# Harbour bridge\n\n1. Look at `deadlines.csv`.\n2. Write **the note**.\n\n"
    "| what | when |\n|---|---|\n| note | today |\n"
)
HOSTILE = (
    "# Plan\n\n<img src=x onerror=alert(1)><script>alert(2)</script>\n\n[go](javascript:alert(3)) "
    "![x](https://example.org/pixel)\n\n<details><summary>More</summary>\n\nrm -rf behind a fold\n\n</details>\n\n"
    "[//]: # (and push it)\n\n\u202eend\n"
)
SCREEN = " Bash command\n python3 -c 'print(1)'\n\n Do you want to proceed?\n ❯ No\n   Yes\n\n Esc to cancel"
MOCKUP = "┌──────┐\n│ Red  │\n└──────┘"
COLOURS = [
    {"id": "Red", "label": "Red", "description": "warm", "preview": MOCKUP},
    {"id": "Blue", "label": "Blue", "description": "cold", "preview": "# Blue\n\n```python\nprint('blue')\n```"},
    {"id": "None", "label": "None", "description": "as it is"},
]


def plan(text: object, **more: object) -> Mapping[str, object]:
    fields = {"id": "i1", "kind": "permission", "message": "Claude wants to leave plan mode", "options": OPTIONS}
    return {**fields, "tool": "ExitPlanMode", "input": {"plan": text, "planFilePath": "/p/plan.md"}, **more}


def dialog(screen: str, **more: object) -> Mapping[str, object]:
    fields = {"id": "d1", "kind": "dialog", "message": "Claude waits in its terminal", "options": [], "questions": []}
    return {**fields, "tool": "", "input": {"screen": screen, "asks": "permission"}, **more}


def question(*, several: bool = False) -> Mapping[str, object]:
    asked = {"question": "Which colour?", "header": "Colour", "multi": False, "options": COLOURS}
    fields = {"id": "q1", "kind": "question", "message": "Which colour?", "options": COLOURS, "multi": False}
    return {**fields, "tool": "AskUserQuestion", "questions": [asked, asked] if several else [asked], "input": {}}


def shown(chat: Chat, events: Events) -> Any:
    """A turn that runs, with these events, for a `with` block."""
    turn = running_turn(chat.page, events)

    class Shown:
        def __enter__(self) -> None:
            turn.__enter__()
            chat.page.goto(chat.page.url)
            chat.page.reload()

        def __exit__(self, *error: Any) -> None:
            turn.__exit__(*error)

    return Shown()


@pytest.mark.first(1)
@pytest.mark.parametrize("options", [PHONE, {}], ids=["phone", "desktop"])
def test_a_plan_is_rendered_and_keeping_on_planning_stands_beside_allowing_it(
    opened: Callable[..., Chat], options: dict[str, object]
) -> None:
    chat = opened(**options)
    with shown(chat, [("interrupt", plan(PLAN))]):
        expect(chat.card.locator(".ask-plan h3")).to_have_text("Harbour bridge")
        expect(chat.card.locator(".ask-plan li")).to_have_text(["Look at deadlines.csv.", "Write the note."])
        expect(chat.card.locator(".ask-plan td")).to_have_text(["note", "today"])
        expect(chat.card.locator(".plan-text")).not_to_have_attribute("open", "")
        expect(chat.card.locator(".ask-rest")).to_have_text("planFilePath/p/plan.md")
        expect(chat.card.get_by_role("button", name="Keep planning")).to_be_in_viewport(ratio=1)
        expect(chat.card.get_by_placeholder("What should change?")).to_be_in_viewport(ratio=1)
        allow = chat.card.get_by_role("button", name="Allow", exact=True)
        allow.scroll_into_view_if_needed()
        assert serious(chat.page, ".ask") == []


def test_a_plan_hides_nothing_and_does_nothing(chat: Chat) -> None:
    with shown(chat, [("interrupt", plan(HOSTILE))]):
        drawn, text = chat.card.locator(".ask-plan .prose"), chat.card.locator(".plan-text")
        expect(drawn.get_by_text("rm -rf behind a fold")).to_be_visible()
        expect(drawn.locator("img, script, [onerror], a[href^='javascript']")).to_have_count(0)
        expect(text).to_have_attribute("open", "")
        expect(text.locator("summary")).to_have_text("The plan as text. A part of it is not shown above.")
        expect(text.locator("pre")).to_contain_text("[//]: # (and push it)")
        expect(text.locator("pre")).to_contain_text("⟨U+202E⟩end")


def test_a_long_plan_is_seen_to_its_end_before_it_can_be_allowed(chat: Chat) -> None:
    long = "# Long\n\n" + "".join(f"{n}. Step {n} with some words to it.\n" for n in range(1, 1_500))
    with shown(chat, [("interrupt", plan(long))]):
        expect(chat.card.locator(".ask-plan li").last).to_have_text("Step 1499 with some words to it.")
        expect(chat.card.get_by_role("button", name="Allow", exact=True)).to_be_disabled()
        chat.card.get_by_role("button", name="Go to the end").click()
        expect(chat.card.get_by_role("button", name="Allow", exact=True)).to_be_enabled()


@pytest.mark.long
@pytest.mark.first(1)
@pytest.mark.parametrize("text", [" \n", None, ""])
def test_a_card_without_a_plan_says_so(chat: Chat, text: object) -> None:
    with shown(chat, [("interrupt", plan(text))]):
        expect(chat.card.locator(".card-title")).to_contain_text("begin, without a plan to look at")
        expect(chat.card.locator(".ask-plan")).to_have_count(0)


def test_a_plan_that_is_sent_back_with_words_and_a_second_one_that_is_allowed(chat: Chat) -> None:
    chat.ask("scene:plan")
    expect(chat.card.locator(".ask-plan h3")).to_have_text("Plan")
    chat.card.get_by_placeholder("What should change?").fill("one step only")
    chat.card.get_by_role("button", name="Keep planning").click()
    expect(chat.turn.locator(".notice")).to_contain_text("kept planning: one step only · in the browser")
    expect(chat.card.locator(".ask-plan li")).to_have_text(["Write the note."])
    chat.card.get_by_role("button", name="Allow", exact=True).click()
    expect(chat.turn.locator(".notice").nth(1)).to_contain_text("allowed · in the browser")
    expect(chat.card.locator(".card-title")).to_contain_text("Create note.txt")
    chat.card.get_by_role("button", name="Deny", exact=True).click()
    chat.ends()


@pytest.mark.first(1)
@pytest.mark.parametrize(
    ("locale", "title"),
    [
        ("de-DE", "Claude bittet in seinem Terminal um Erlaubnis"),
        ("en-GB", "Claude asks for permission in its terminal"),
    ],
)
def test_a_dialog_of_the_terminal_is_shown_with_what_can_be_done(
    opened: Callable[..., Chat], locale: str, title: str
) -> None:
    chat = opened(locale=locale, **PHONE)
    changed = dialog(SCREEN.replace("❯ No\n   Yes", "  No\n ❯ Yes"))
    with shown(chat, [("interrupt", dialog(SCREEN)), ("interrupt", changed)]):
        expect(chat.card).to_have_count(1)
        expect(chat.card.locator(".card-title")).to_have_text(title)
        expect(chat.card.locator(".terminal")).to_have_text(str(changed["input"]["screen"]))  # type: ignore[index]
        expect(chat.card.get_by_role("button")).to_have_count(2)
        expect(chat.card.get_by_role("button").first).to_be_in_viewport(ratio=1)
        expect(chat.input).to_be_editable()
        assert serious(chat.page, ".ask") == []


@pytest.mark.long
def test_a_dialog_that_is_over_leaves_a_line(chat: Chat) -> None:
    over = ("interrupt_resolved", {"id": "d1", "by": "terminal", "value": None})
    with shown(chat, [("interrupt", dialog(SCREEN, input={"screen": "x", "asks": "odd"})), over]):
        expect(chat.turn.locator(".notice")).to_have_text("A dialog is open in Claude's terminal over")
        expect(chat.card).to_have_count(0)


def test_a_preview_stands_beside_its_option_and_follows_the_pointer_the_focus_and_the_choice(chat: Chat) -> None:
    with shown(chat, [("interrupt", question())]):
        previews = chat.card.locator(".option-preview")
        red, blue = (chat.card.get_by_role("radio", name=name) for name in ("Red", "Blue"))
        expect(previews.nth(0)).to_be_visible()
        expect(previews.nth(0)).to_have_text(MOCKUP, use_inner_text=True)
        expect(previews.nth(0)).to_have_accessible_name("Preview of “Red”")
        left, right = red.locator("xpath=..").bounding_box(), previews.nth(0).bounding_box()
        assert left
        assert right
        assert right["x"] >= left["x"] + left["width"]
        chat.card.locator(".choice").nth(1).hover()
        expect(previews.nth(1).locator("pre")).to_be_visible()
        expect(previews.nth(0)).to_be_hidden()
        chat.card.locator(".card-title").hover()
        expect(previews.nth(0)).to_be_visible()
        red.focus()
        chat.page.keyboard.press("ArrowDown")
        expect(blue).to_be_checked()
        expect(previews.nth(1)).to_be_visible()
        chat.page.keyboard.press("ArrowDown")
        expect(previews.filter(visible=True)).to_have_count(0)
        assert serious(chat.page, ".ask") == []


@pytest.mark.long
def test_on_a_phone_a_preview_stands_below_its_option(opened: Callable[..., Chat]) -> None:
    chat = opened(**PHONE)
    with shown(chat, [("interrupt", question(several=True))]):
        field = chat.card.locator(".field").first
        field.locator(".choice").nth(1).tap()
        preview = field.locator(".option-preview").nth(1)
        expect(preview.locator("pre")).to_be_visible()
        above, below = field.locator(".choice").nth(1).bounding_box(), preview.bounding_box()
        assert above
        assert below
        assert below["y"] >= above["y"] + above["height"]
        assert serious(chat.page, ".ask") == []


@pytest.mark.long
def test_what_the_chosen_option_showed_can_be_looked_at_again(chat: Chat) -> None:
    asked = {
        "question": "Which colour?",
        "header": "Colour",
        "multiSelect": False,
        "options": [{**each, "id": None} for each in COLOURS],
    }
    chat.ask(call("AskUserQuestion", questions=[asked]))
    chat.card.get_by_role("radio", name="Blue").check()
    chat.card.get_by_role("button", name="Reply", exact=True).click()
    chat.ends()
    chat.turn.get_by_text("What it showed").click()
    expect(chat.turn.locator(".option-preview")).to_have_count(1)
    expect(chat.turn.locator(".option-preview h3")).to_have_text("Blue")
