"""Asking, watching, answering, stopping: the page from end to end."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from urllib.parse import urljoin

import pytest
from playwright.sync_api import APIResponse, Route, expect

from tests.browser.conftest import Watch
from tests.browser.helpers.chat import Chat, asked_later, hold
from tests.browser.helpers.script import LINES
from tests.browser.helpers.streams import running_turn
from tests.worlds.world import TOKEN, eventually

SECRET = re.compile(r"paliadin|used_tools|rows_seen|classifier|\[#|OPEN|\[chip|---|\[pal|\[/")
WHOLE = "".join(LINES) + "See and and in it.\nThe last line."


def test_the_address_with_the_ticket_signs_the_browser_in_and_the_ticket_leaves_the_url(chat: Chat) -> None:
    expect(chat.page).to_have_url(re.compile(r"/paliadin$"))
    assert TOKEN not in chat.page.evaluate("document.documentElement.outerHTML + JSON.stringify(localStorage)")
    (cookie,) = chat.page.context.cookies()
    assert (cookie["httpOnly"], cookie["sameSite"]) == (True, "Strict")
    assert TOKEN not in cookie["value"]
    expect(chat.input).to_be_focused()


@pytest.mark.real_claude
def test_an_answer_arrives_piece_by_piece_and_no_mark_of_ours_is_ever_seen(chat: Chat) -> None:
    chat.ask("scene:stream")
    expect(chat.text).to_contain_text("Line 2 of many.")
    expect(chat.stop).to_be_visible()
    chat.ends()
    assert chat.words == WHOLE.split()
    shown = chat.shown()
    assert len({text.count("of many") for text in shown}) > 5  # a busy machine draws fewer frames
    assert [text for text in shown if SECRET.search(text.replace(str(chat.world.workdir), ""))] == []
    expect(chat.text.locator("hr, h3, h4")).to_have_count(0)


def test_a_streaming_answer_moves_nothing_that_is_being_read(chat: Chat) -> None:
    chat.asked("Hello")
    chat.page.evaluate("shifts.length = 0")
    chat.asked("scene:read")
    chat.asked("scene:stream")
    shifts = chat.page.evaluate("shifts")
    assert sum(shift["value"] for shift in shifts) < 0.01, shifts


@pytest.mark.real_claude
def test_tools_chips_and_evidence_are_shown_with_the_answer(chat: Chat) -> None:
    chat.asked("scene:chips")
    expect(chat.text).to_have_count(2)
    assert chat.words == ["Let", "me", "look.", "A", "link.", "No", "tool", "saw.", "No", "page", "for."]
    step = chat.turn.locator("details.steps")
    expect(step).not_to_have_attribute("open", re.compile(""))
    step.locator("> summary").click()
    expect(step.locator(".step")).to_contain_text(["File read"])
    expect(step.locator(".step")).to_contain_text("2 lines")
    linked, unverified, seen = chat.text.locator(".chip-place .chip").all()
    expect(chat.turn.locator(".chips .chip")).to_have_count(0)
    expect(linked).to_have_attribute("href", "/deadlines/c47bd2")
    expect(linked).to_have_attribute("target", "_blank")  # the conversation stays open
    expect(linked).to_have_accessible_name(re.compile(r"\(in a new tab\)$"))
    expect(unverified).to_contain_text("not verified")
    expect(seen).to_contain_text("A tool in this answer returned this entry.")
    expect(chat.turn.get_by_role("link")).to_have_count(1)
    chat.turn.locator(".evidence > summary").click()
    facts = chat.turn.locator(".evidence dl")
    expect(chat.turn.locator(".evidence-help")).to_contain_text("where each fact comes from")
    expect(facts).to_contain_text("Tools that ranFile read")
    expect(facts).to_contain_text("Claude's own accountFile read · 2 lines")
    expect(facts).to_contain_text("200 in, 40 out, 6 read from cache, 8 written to cache")
    expect(facts).to_contain_text("Kind of answerdata")


def test_a_path_of_claudes_own_leads_only_where_the_owner_allows_and_is_marked(chat: Chat, watch: Watch) -> None:
    watch.allow("404.*/glossary")  # the page behind the chip is another application's
    chat.asked("scene:paths")
    out, project, due = chat.turn.locator(".chip").all()
    for chip in (out, due):
        expect(chip).not_to_have_attribute("href", re.compile(""))
        expect(chip).to_contain_text("No page is set up for this.")
    expect(project).to_have_attribute("href", "/glossary")
    expect(project).to_have_accessible_name(re.compile("suggested .*no tool in this answer named it"))
    expect(chat.turn.locator(".chip-reasons")).to_have_text(
        "A page that Claude suggests: no tool in this answer named it."
    )
    events = chat.world.get("history")["turns"][-1]["events"]
    assert [event["data"]["verified"] for event in events if event["event"] == "chip"] == [False] * 3
    with chat.page.expect_popup() as popup:
        project.click()
    assert popup.value.url.endswith("/glossary")


@pytest.mark.long
def test_tokens_that_nobody_could_count_are_not_shown_as_0(chat: Chat) -> None:
    shown = {}
    for usage in ({"input_tokens": 0}, {}, dict.fromkeys(("input_tokens", "output_tokens"))):
        events = [("content_delta", {"message_id": "m", "text": "Yes."}), ("end", {"duration_ms": 1, "usage": usage})]
        with running_turn(chat.page, events):
            chat.page.goto(chat.page.url)
            chat.page.reload()
            chat.turn.locator(".evidence > summary").click()
            shown[str(usage)] = chat.turn.locator(".evidence dl").inner_text()
        chat.page.unroute_all()
    known, *unknown = shown.values()
    assert "0 in, – out, – read from cache, – written to cache" in known
    assert [text for text in unknown if "Tokens" in text] == []


@pytest.mark.long
def test_the_time_of_an_answer_is_without_that_in_which_claude_waited_for_a_reply(chat: Chat) -> None:
    end = {"duration_ms": 62_000, "waited_ms": 60_000, "first_text_ms": 61_000}
    with running_turn(chat.page, [("content_delta", {"message_id": "m", "text": "Yes."}), ("end", end)]):
        chat.page.goto(chat.page.url)
        chat.page.reload()
        expect(chat.turn.locator(".evidence-brief")).to_have_text("2 s")
        chat.turn.locator(".evidence > summary").click()
        times = "1 min 2 s, of which 1 min waiting for your reply, first text after 1 min 1 s"
        expect(chat.turn.locator(".evidence dl")).to_contain_text(times)
    chat.page.unroute_all()
    # A question that Claude left open when it stopped is closed a moment later than the duration ends.
    end = {"duration_ms": 900, "waited_ms": 1_200}
    with running_turn(chat.page, [("content_delta", {"message_id": "m", "text": "Yes."}), ("end", end)]):
        chat.page.goto(chat.page.url)
        chat.page.reload()
        expect(chat.turn.locator(".evidence-brief")).to_have_text("0 ms")


@pytest.mark.long
def test_where_claim_and_observation_differ_it_is_said_which_tools_and_which_rows(chat: Chat) -> None:
    chat.asked("scene:read")
    expect(chat.turn.locator(".evidence")).not_to_contain_text("differs")
    chat.asked("scene:differs")
    for _ in ("live", "reloaded"):
        chat.turn.locator(".evidence > summary").click()
        expect(chat.turn.locator(".evidence-flag")).to_have_text("Claude's account differs")
        differences = "“Files searched” is named, but did not run.\n“Command run” ran, but is not named.\n"
        differences += "File read: 5 lines according to Claude, 2 lines seen."
        assert differences in chat.turn.locator(".evidence dl").inner_text()
        chat.page.reload()
        chat.ends()


def test_a_tool_is_shown_while_its_permission_is_asked_for_and_the_card_alone_says_for_what(chat: Chat) -> None:
    (chat.world.workdir / "written.txt").unlink(missing_ok=True)
    chat.ask("scene:permission")
    expect(chat.turn.locator(".step-asks")).to_contain_text("File written")
    expect(chat.card.locator(".card-title")).to_have_text("Claude asks for permission: Create written.txt (1 line)")
    expect(chat.card).to_contain_text(f"{chat.world.workdir}/written.txt")
    for line in (".steps-names", ".step-line"):
        expect(chat.turn.locator(line)).not_to_contain_text("written.txt")
    expect(chat.page.locator(".status")).to_be_hidden()
    expect(chat.page.locator(".chat > [role=status].hidden")).to_have_text("Claude is working.")
    expect(chat.page).to_have_title(re.compile("●"))
    assert not (chat.world.workdir / "written.txt").exists()


@pytest.mark.real_claude
@pytest.mark.parametrize(
    ("button", "outcome", "notice"),
    [("Allow", "done", "allowed"), pytest.param("Deny", "refused", "denied", marks=pytest.mark.matrix)],
)
def test_a_permission_card_is_answered(chat: Chat, button: str, outcome: str, notice: str) -> None:
    written = chat.world.workdir / "written.txt"
    written.unlink(missing_ok=True)
    chat.ask("scene:permission")
    chat.card.get_by_role("button", name=button, exact=True).click()
    chat.ends()
    expect(chat.text.last).to_have_text(f"It was {outcome}.")
    expect(chat.turn.locator(".notice")).to_contain_text(f"{notice} · in the browser")
    expect(chat.card).to_have_count(0)
    expect(chat.input).to_be_focused()
    assert written.exists() == (button == "Allow")


@pytest.mark.long
def test_a_permission_that_was_refused_is_called_refused_and_not_failed(chat: Chat) -> None:
    chat.ask("scene:permission")
    chat.card.get_by_role("button", name="Deny").click()
    chat.ends()
    for _ in ("live", "reloaded"):
        expect(chat.turn.locator(".steps > summary")).to_contain_text("1 step, 1 refused")
        chat.page.reload()
        chat.ends()
    chat.asked("scene:refused")
    expect(chat.turn.locator(".steps > summary")).to_contain_text("1 step, 1 failed")


@pytest.mark.long
def test_the_keyboard_is_in_a_card_that_opens_unless_something_is_being_written(chat: Chat) -> None:
    chat.ask("scene:question")
    expect(chat.card).to_be_focused()
    expect(chat.card).to_have_accessible_name("Claude has a question Which colour?")
    expect(chat.page.locator(".chat > [role=status].hidden")).to_have_text("Claude is working.")
    chat.page.keyboard.press("Tab")
    chat.page.keyboard.press("ArrowDown")
    expect(chat.card.get_by_role("radio", name="Blue")).to_be_checked()
    chat.page.keyboard.press("Enter")
    chat.ends()
    expect(chat.text).to_contain_text('"Which colour?"="Blue"')
    with asked_later(chat, "scene:permission"):
        chat.input.press_sequentially("My next question")
    expect(chat.card).to_be_visible()
    expect(chat.input).to_have_value("My next question")
    expect(chat.input).to_be_focused()
    chat.card.get_by_role("button", name="Deny").click()
    chat.ends()


@pytest.mark.real_claude
def test_allowed_for_the_session_it_is_not_asked_again(chat: Chat) -> None:
    chat.ask("scene:session one")
    always = chat.card.get_by_role("button", name="Allow for this session")
    covers = "“For this session” allows every change of session.txt, until Claude ends."
    expect(chat.card.locator(".ask-scope")).to_have_text(covers)
    expect(always).to_have_accessible_description(covers)
    always.click()
    chat.ends()
    expect(chat.turn.locator(".notice")).to_contain_text("allowed for this session · in the browser")
    chat.asked("scene:read")
    chat.asked("scene:session two")
    expect(chat.turn.locator(".notice")).to_have_count(0)
    expect(chat.text).to_have_text("Written.")
    assert "session two" in (chat.world.workdir / "session.txt").read_text()


def test_an_edit_is_shown_as_what_goes_and_what_comes_and_a_no_has_its_reason(chat: Chat) -> None:
    file = chat.world.workdir / "edit.txt"
    file.write_text("first\nkept\nold line\n")
    chat.ask("scene:edit")
    expect(chat.card.locator(".diff-same")).to_have_text("  kept\n")
    expect(chat.card.locator(".diff-gone")).to_contain_text("- old line")
    expect(chat.card.locator(".diff-new")).to_contain_text("+ new line")
    expect(chat.card.locator(".card-title")).to_contain_text("Change edit.txt")
    expect(chat.card.locator("dd").first).to_have_text(str(file))
    chat.card.get_by_role("textbox", name=re.compile("Why not")).fill("the old one is right")
    chat.page.keyboard.press("Enter")
    chat.ends()
    expect(chat.turn.locator(".notice")).to_contain_text("denied: the old one is right")
    expect(chat.text).to_contain_text("the old one is right")
    assert "old line" in file.read_text()


@pytest.mark.long
def test_a_step_that_waits_for_a_permission_says_so(chat: Chat) -> None:
    chat.ask("scene:permission")
    expect(chat.card).to_be_visible()
    chat.turn.locator(".step-line").click()
    expect(chat.turn.locator(".step-more")).to_contain_text("It has not run")
    chat.card.get_by_role("button", name="Deny", exact=True).click()
    chat.ends()
    expect(chat.turn.locator(".step-more")).not_to_contain_text("It has not run")


@pytest.mark.long
def test_a_step_unfolds_to_what_it_was_given_and_what_came_back(chat: Chat) -> None:
    chat.asked("scene:read")
    chat.turn.locator(".steps > summary").click()
    chat.turn.locator(".step-line").click()
    expect(chat.turn.locator(".step-more")).to_contain_text(f"file_path{chat.world.workdir}/data.csv")
    expect(chat.turn.locator(".step-more")).to_contain_text("c47bd2,defence")
    expect(chat.turn.locator(".step-more")).to_contain_text("Tool: Read")
    expect(chat.turn.locator(".step-facts")).to_contain_text("2 lines")
    expect(chat.turn.locator(".evidence dl")).to_contain_text(
        re.compile(r"Tools that ranFile read · 2 lines · [\d.]+ m?s")
    )


@pytest.mark.long
@pytest.mark.real_claude
def test_two_permissions_at_once_are_two_cards(chat: Chat) -> None:
    chat.ask("scene:two")
    expect(chat.card).to_have_count(2)
    chat.card.last.get_by_role("button", name="Allow", exact=True).click()
    expect(chat.card).to_have_count(1)
    chat.card.get_by_role("button", name="Allow", exact=True).click()
    chat.ends()
    expect(chat.text).to_have_text("Results: 2.")


@pytest.mark.long
def test_several_cards_one_after_another_are_answered_one_by_one(chat: Chat) -> None:
    chat.ask("scene:row")
    for words, choice in (("The first?", "A"), ("/etc/hostname", "Allow"), ("The second?", "B")):
        expect(chat.card).to_have_count(1)
        expect(chat.card).to_contain_text(words)
        if choice == "Allow":
            chat.card.get_by_role("button", name="Allow", exact=True).click()
        else:
            chat.card.get_by_role("radio", name=choice).check()
            chat.card.get_by_role("button", name="Reply", exact=True).click()
    chat.ends()
    expect(chat.card).to_have_count(0)
    expect(chat.text).to_contain_text('"The second?"="B"')
    expect(chat.turn.locator(".notice")).to_have_count(3)


@pytest.mark.long
@pytest.mark.real_claude
def test_a_question_card_takes_a_choice(chat: Chat) -> None:
    chat.ask("scene:question")
    submit = chat.card.get_by_role("button", name="Reply", exact=True)
    expect(submit).to_be_disabled()
    chat.card.get_by_role("radio", name="Blue").check()
    submit.click()
    chat.ends()
    expect(chat.text).to_contain_text('"Which colour?"="Blue"')
    expect(chat.turn.locator(".notice")).to_have_text("Which colour? Blue · in the browser")


@pytest.mark.long
def test_a_question_card_takes_words_of_ones_own_and_no_answer(chat: Chat) -> None:
    chat.ask("scene:question")
    expect(chat.input).to_have_attribute("placeholder", "Your own reply …")
    chat.input.fill("rather green")
    chat.input.press("Enter")
    chat.ends()
    expect(chat.text).to_contain_text("rather green")
    chat.ask("scene:question")
    chat.card.get_by_role("button", name="Go on without a reply").click()
    chat.ends()
    expect(chat.turn.locator(".notice")).to_contain_text("no reply")


@pytest.mark.long
def test_several_questions_in_one_card_are_answered_together(chat: Chat) -> None:
    chat.ask("scene:questions")
    expect(chat.card).to_contain_text("Claude has 2 questions")
    chat.card.get_by_role("radio", name="B second").check()
    chat.card.get_by_role("checkbox", name="A first").check()
    chat.card.get_by_role("checkbox", name="B second").check()
    chat.card.get_by_role("button", name="Reply", exact=True).click()
    chat.ends()
    expect(chat.text).to_contain_text('"Which letter?"="B"')
    expect(chat.text).to_contain_text('"Which letters?"="A, B"')


def test_stop_ends_a_turn_keeps_what_came_and_lets_the_next_one_begin(chat: Chat) -> None:
    chat.ask("scene:slow")
    expect(chat.text).to_contain_text("Line 3.")
    chat.stop.click()
    chat.ends()
    expect(chat.turn).to_contain_text("Stopped.")
    expect(chat.text).to_contain_text("Line 3.")
    expect(chat.text).not_to_contain_text("Line 199.")
    chat.asked("Again")
    expect(chat.text).to_contain_text("You said")


def test_a_reload_asks_for_no_file_that_the_browser_has(chat: Chat) -> None:
    chat.page.reload()
    expect(chat.page.locator(".empty h2")).to_be_visible()
    files = chat.page.evaluate(
        "performance.getEntriesByType('resource').filter(({ name }) => /static/.test(name)).length"
    )
    assert files > 100
    fetched = "performance.getEntriesByType('resource').filter(({ transferSize: size }) => size > 0)"
    names = chat.page.evaluate(f"{fetched}.map(({{ name }}) => name).filter((name) => name.includes('/static/'))")
    assert names == []


@pytest.mark.long
def test_escape_stops_and_shift_enter_begins_a_line(chat: Chat) -> None:
    chat.ask("scene:thinking")
    expect(chat.stop).to_be_visible()
    chat.input.fill("one")
    chat.input.press("Shift+Enter")
    chat.page.keyboard.type("two")
    chat.input.press("Escape")
    chat.ends()
    expect(chat.turn).to_contain_text("Stopped.")
    chat.input.press("Enter")
    expect(chat.turn.locator(".question-text")).to_have_text("one\ntwo")
    chat.ends()


def test_escape_stops_also_a_question_that_is_still_on_its_way(chat: Chat) -> None:
    held = hold(chat.page, "**/api/paliadin/turn")
    chat.ask("scene:thinking")
    chat.page.keyboard.press("Escape")
    expect(chat.page.locator(".status")).to_have_text("Stopping")
    expect(chat.stop).to_be_disabled()
    eventually(lambda: chat.page.evaluate("true") and held)
    held[0].continue_()
    chat.ends()
    expect(chat.turn).to_contain_text("Stopped.")
    expect(chat.turns).to_have_count(1)
    assert chat.world.get("history?limit=1")["turns"][0]["aborted"]


def test_a_reload_in_mid_turn_doubles_nothing_and_loses_nothing(chat: Chat) -> None:
    chat.ask("scene:stream")
    chat.input.fill("a draft")
    expect(chat.text).to_contain_text("Line 5 of many.")
    chat.page.reload()
    expect(chat.text).to_contain_text("Line 5 of many.")
    chat.ends()
    expect(chat.turns).to_have_count(1)
    assert chat.words == WHOLE.split()
    expect(chat.input).to_have_value("a draft")


@pytest.mark.long
def test_a_reload_after_the_turn_shows_it_as_it_was(chat: Chat) -> None:
    chat.ask("scene:permission")
    chat.card.get_by_role("button", name="Deny").click()
    chat.ends()
    chat.asked("scene:read")
    before = chat.turn.locator(".chips, .evidence").all_inner_texts()
    chat.page.reload()
    chat.ends()
    expect(chat.turns).to_have_count(2)
    assert chat.turn.locator(".chips, .evidence").all_inner_texts() == before
    expect(chat.turn.locator(".steps")).to_have_count(1)
    assert chat.words == ["Let", "me", "look.", "Found", "it.", "Not", "this", "one."]
    expect(chat.turns.first).to_contain_text("denied · in the browser")


def test_steps_questions_and_text_stand_in_the_same_order_after_a_reload(chat: Chat) -> None:
    chat.ask("scene:permission")
    chat.card.get_by_role("button", name="Allow", exact=True).click()
    chat.ends()
    answer = chat.turn.locator(".answer")
    live = answer.inner_text().splitlines()
    assert live.index("I would write.") < live.index("1 step") < live.index("It was done.")
    chat.page.reload()
    chat.ends()
    assert answer.inner_text().splitlines() == live


def test_a_card_that_is_open_over_a_reload_is_back_and_works(chat: Chat) -> None:
    chat.ask("scene:question")
    expect(chat.card).to_be_visible()
    chat.page.reload()
    expect(chat.card).to_have_count(1)
    chat.card.get_by_role("radio", name="Red").check()
    chat.card.get_by_role("button", name="Reply", exact=True).click()
    chat.ends()
    expect(chat.text).to_contain_text('"Which colour?"="Red"')


def test_a_turn_that_is_read_before_its_question_is_confirmed_stands_there_once_and_whole(chat: Chat) -> None:
    held: list[tuple[Route, APIResponse]] = []
    plain = f"http://127.0.0.1:{chat.world.options['PORT']}"  # Playwright's own client finds no host of .localhost

    def ask_and_hold(route: Route) -> None:
        address = route.request.url.replace(chat.world.origin, f"{plain}/~{chat.world.label}")
        held.append((route, route.fetch(url=address, headers={**route.request.all_headers(), "origin": plain})))

    chat.page.route("**/api/paliadin/turn", ask_and_hold)
    chat.ask("scene:stream")
    eventually(lambda: chat.page.evaluate("1") and held)
    with chat.page.expect_response("**/api/paliadin/history*"):
        chat.look()
    eventually(lambda: "Line 2" in chat.world.get("history?limit=1")["turns"][0]["response"])
    expect(chat.turns).to_have_count(1)
    route, response = held[0]
    route.fulfill(response=response)
    chat.ends()
    expect(chat.turns).to_have_count(1)
    assert chat.words == WHOLE.split()


def test_two_browsers_see_one_turn_and_a_card_answered_in_one_goes_in_the_other(
    chat: Chat, opened: Callable[..., Chat]
) -> None:
    other = opened(locale="de-DE")
    chat.ask("scene:permission")
    expect(chat.card).to_be_visible()
    other.look()
    expect(other.card).to_contain_text(re.compile(r"written\.txt (anlegen|überschreiben) \(1 Zeile\)"))
    other.card.get_by_role("button", name="Erlauben", exact=True).click()
    expect(chat.card).to_have_count(0)
    for each in (chat, other):
        each.ends()
        expect(each.text).to_have_text(["I would write.", "It was done."])
        expect(each.turns).to_have_count(1)
    expect(other.turn.locator(".notice")).to_contain_text("erlaubt · im Browser")


@pytest.mark.long
def test_a_second_browser_that_comes_late_sees_the_whole_stream(chat: Chat, opened: Callable[..., Chat]) -> None:
    chat.ask("scene:stream")
    expect(chat.text).to_contain_text("Line 5 of many.")
    other = opened()
    expect(other.text).to_contain_text("Line 5 of many.")
    for each in (chat, other):
        each.ends()
        assert each.words == WHOLE.split()


@pytest.mark.long
def test_a_question_of_a_tab_that_does_not_know_that_a_turn_runs_waits_for_it(
    chat: Chat, opened: Callable[..., Chat], watch: Watch
) -> None:
    other = opened()
    chat.ask("scene:stream")
    expect(chat.text).to_contain_text("Line 2 of many.")
    other.page.route("**/api/paliadin/history*", lambda route: route.abort())  # it does not see that one runs
    watch.allow("ERR_FAILED")
    other.input.fill("Mine, too")
    other.input.press("Enter")
    expect(other.page.locator(".queued")).to_have_text("Mine, too")
    other.page.unroute_all()
    other.look()
    for each in (chat, other):
        expect(each.turn.locator(".question-text")).to_have_text("Mine, too")
        each.ends()
        expect(each.turns).to_have_count(2)


def test_while_claude_waits_for_words_the_input_is_the_answer_and_the_draft_comes_back(chat: Chat) -> None:
    with asked_later(chat, "scene:question"):
        chat.input.press_sequentially("My next question")
    expect(chat.card).to_be_visible()
    expect(chat.input).to_have_value("My next question")
    chat.card.get_by_text("Which colour?").first.click()
    expect(chat.input).to_have_value("")
    expect(chat.input).to_have_attribute("placeholder", "Your own reply …")
    chat.input.fill("neither")
    chat.input.press("Enter")
    chat.ends()
    expect(chat.text).to_contain_text('"Which colour?"="neither"')
    expect(chat.input).to_have_value("My next question")


@pytest.mark.long
def test_while_claude_waits_for_a_choice_the_input_is_closed_with_a_hint(chat: Chat) -> None:
    chat.ask("scene:permission")
    expect(chat.card).to_be_visible()
    expect(chat.input).to_have_js_property("readOnly", True)
    expect(chat.input).to_have_attribute("placeholder", "Waiting for your choice above")
    chat.card.get_by_role("button", name="Deny").click()
    chat.ends()
    expect(chat.input).to_have_js_property("readOnly", False)
    chat.asked("And on")


@pytest.mark.long
def test_the_last_question_comes_back_with_the_up_arrow(chat: Chat) -> None:
    chat.asked("The first one")
    chat.asked("The second one")
    chat.input.press("ArrowUp")
    expect(chat.input).to_have_value("The second one")
    chat.input.press("ArrowUp")
    expect(chat.input).to_have_value("The second one")


def test_a_turn_has_an_address_to_come_back_to(chat: Chat) -> None:
    chat.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    chat.asked("The one to find again")
    chat.turn.get_by_role("button", name="Copy the address").click()
    expect(chat.turn).to_contain_text("Copied")
    address = chat.page.evaluate("navigator.clipboard.readText()")
    for number in range(3):
        chat.asked(f"Something else {number}")
    chat.button("New conversation").click()
    expect(chat.turns).to_have_count(0)
    chat.page.goto("about:blank")
    chat.page.goto(address)
    turn = chat.page.locator(f".turn[data-turn='{address.partition('turn=')[2]}']")
    expect(turn).to_contain_text("The one to find again")
    expect(turn).to_be_in_viewport()
    expect(turn).to_be_focused()
    chat.page.goto(address.replace("turn=0", "turn=1"))
    expect(chat.page.get_by_role("alert")).to_contain_text("does not know this question")


def test_what_would_stay_in_the_tab_of_all_tests_is_refused(chat: Chat) -> None:
    for call in (chat.page.add_init_script, chat.page.context.add_init_script):
        with pytest.raises(AssertionError, match="a browser of your own"):
            call("window.setTimeout = () => 0")
    with pytest.raises(AssertionError, match="a browser of your own"):
        chat.page.clock.install()


def test_a_question_asked_elsewhere_appears_by_itself(chat: Chat) -> None:
    chat.world.turn("Asked through the API")
    expect(chat.turn.locator(".question")).to_contain_text("Asked through the APIasked through the API")
    expect(chat.text).to_contain_text("You said")


def test_the_page_can_be_installed(chat: Chat) -> None:
    """Chromium reads the manifest, with its icons, and finds nothing wrong with it."""
    session = chat.page.context.new_cdp_session(chat.page)
    found = session.send("Page.getAppManifest")
    assert found["errors"] == []
    manifest = json.loads(found["data"])
    assert urljoin(found["url"], manifest["start_url"]) == chat.page.url
    for icon in manifest["icons"]:
        look = "async (url) => { const r = await fetch(url); return [r.status, r.headers.get('content-type')]; }"
        loaded = chat.page.evaluate(look, urljoin(found["url"], icon["src"]))
        assert loaded == [200, icon["type"]]
    problems = [error["errorId"] for error in session.send("Page.getInstallabilityErrors")["installabilityErrors"]]
    assert problems in ([], ["in-incognito"])
    session.detach()
