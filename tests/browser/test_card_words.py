"""A permission card says in words what is asked, shows first what is to be judged, and says each thing once."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.helpers.accessibility import serious
from tests.browser.helpers.cards import call
from tests.browser.helpers.chat import Chat
from tests.browser.helpers.streams import running_turn

PHONE = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
ASKS, ASKS_GERMAN = "Claude asks for permission: ", "Claude bittet um Erlaubnis: "
PLAN = {
    "id": "i1",
    "kind": "permission",
    "message": "Claude wants to use ExitPlanMode: 1. Look.",
    "options": [{"id": "allow", "label": "Allow"}, {"id": "deny", "label": "Deny"}],
    "tool": "ExitPlanMode",
    "input": {"plan": "# Plan\n\n1. Look."},
}


def deny(chat: Chat) -> None:
    chat.card.locator(".card-buttons > button").last.click()
    chat.ends()


def test_a_file_is_created_or_overwritten_and_named_as_seen_from_the_folder(chat: Chat) -> None:
    note = chat.world.workdir / "note.md"
    note.unlink(missing_ok=True)
    for words, notice in (("Create note.md (3 lines)", "allowed"), ("Overwrite note.md (3 lines)", "denied")):
        chat.ask(call("Write", file_path=str(note), content="# Note\n\nCall the expert.\n"))
        expect(chat.card.locator(".card-title")).to_have_text(ASKS + words)
        expect(chat.card).to_have_accessible_name(ASKS + words)
        expect(chat.card.locator(".card-body > div > * > *").first).to_have_text("# Note\n\nCall the expert.\n")
        expect(chat.card.locator(".ask-rest")).to_have_text(f"file_path{note}")
        name = "Allow" if notice == "allowed" else "Deny"
        chat.card.get_by_role("button", name=name, exact=True).click()
        chat.ends()
        expect(chat.turn.locator(".notice")).to_have_text(f"{words} {notice} · in the browser")
    note.unlink()


def test_a_link_says_which_file_is_really_meant(chat: Chat) -> None:
    link, target = chat.world.workdir / "linked.md", chat.world.workdir.parent / "elsewhere.md"
    target.touch()
    link.symlink_to(target)
    chat.ask(call("Read", file_path=str(link)))
    expect(chat.card.locator(".card-title")).to_have_text(f"{ASKS}Read linked.md")
    expect(chat.card.locator(".ask-link")).to_have_text(f"A link stands in this path. It leads to {target}.")
    deny(chat)
    link.unlink()
    target.unlink()


def test_a_command_comes_first_and_then_its_folder_and_all_else(chat: Chat) -> None:
    command = "python3 -c 'print(1)'"
    chat.ask(call("Bash", description="Print one", command=command, timeout=5000))
    expect(chat.card.locator(".card-title")).to_have_text(f"{ASKS}Run this command")
    expect(chat.card.locator(".input-frame > *").first).to_have_text(command)
    rest = chat.card.locator(".ask-rest")
    for row in ("timeout5000", "descriptionPrint one", f"in the folder{chat.world.workdir}"):
        expect(rest).to_contain_text(row)
    covers = "“For this session” allows exactly this command again, until Claude ends."
    expect(chat.card.locator(".ask-scope")).to_have_text(covers)
    deny(chat)
    expect(chat.turn.locator(".notice")).to_have_text(f"Run this command: {command} denied · in the browser")


@pytest.mark.long
def test_what_the_title_says_whole_is_said_once(chat: Chat) -> None:
    chat.ask(call("Read", file_path="/etc/hostname"))
    expect(chat.card.locator(".card-title")).to_have_text(f"{ASKS}Read /etc/hostname")
    expect(chat.card.locator(".input-frame")).to_have_count(0)
    expect(chat.card.get_by_role("button", name="Allow", exact=True)).to_be_enabled()
    assert chat.turn.locator(".steps").inner_text().split() == ["1", "step", "not", "allowed", "yet:", "File", "read"]
    deny(chat)
    expect(chat.turn.locator(".steps")).to_contain_text("File read · /etc/hostname")


@pytest.mark.long
@pytest.mark.parametrize("options", [pytest.param({}, marks=pytest.mark.matrix), PHONE], ids=["desktop", "phone"])
def test_in_german_what_the_session_covers_is_seen_and_not_only_pointed_at(
    opened: Callable[..., Chat], options: dict[str, object]
) -> None:
    chat = opened(locale="de-DE", **options)
    chat.ask(call("Read", file_path="/etc/hostname"))
    expect(chat.card.locator(".card-title")).to_have_text(f"{ASKS_GERMAN}/etc/hostname lesen")
    scope = chat.card.locator(".ask-scope")
    expect(scope).to_have_text("„Für diese Sitzung“ erlaubt auch später, /etc/hostname zu lesen, bis Claude endet.")
    expect(scope).to_be_in_viewport(ratio=1)
    assert serious(chat.page, ".ask") == []
    deny(chat)


def test_a_plan_is_shown_whole_beside_a_card_of_an_unknown_tool(chat: Chat) -> None:
    option = {"id": "allow_session", "label": "Allow for this session", "description": "Until Claude ends: x"}
    asked = {**PLAN, "id": "i2", "tool": "Juggle", "input": {"balls": 3}, "options": [option], "session_covers": "tool"}
    with running_turn(chat.page, [("interrupt", PLAN), ("interrupt", asked)]):
        chat.page.goto(chat.page.url)
        chat.page.reload()
        plan, other = chat.card.first, chat.card.last
        expect(plan.locator(".card-title")).to_have_text(f"{ASKS}Leave plan mode and begin with this plan")
        expect(plan.locator(".ask-first")).to_have_text("# Plan\n\n1. Look.")
        expect(other.locator(".card-title")).to_have_text(f"{ASKS}Use the tool Juggle")
        expect(other.locator(".ask-rest")).to_have_text("balls3")
        expect(other.locator(".ask-scope")).to_contain_text("until Claude ends")
