"""What goes wrong: errors, a daemon that dies, a browser that is not let in, an answer that means harm."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, expect

from paliadin.demo.scripted_api import ScriptedApi
from tests.browser.conftest import Watch
from tests.browser.helpers.accessibility import serious
from tests.browser.helpers.chat import Chat
from tests.browser.helpers.proxy import PREFIX, proxy
from tests.browser.helpers.script import play
from tests.browser.helpers.streams import running_turn
from tests.browser.helpers.tabs import others
from tests.browser.test_page import WHOLE
from tests.integration.conftest import make_world
from tests.worlds.turns import database_is, servers
from tests.worlds.world import World, eventually


@pytest.mark.long
@pytest.mark.real_claude
def test_an_error_of_the_api_says_what_to_do_and_asking_again_works(chat: Chat) -> None:
    chat.ask("scene:flaky one")
    chat.ends()
    problem = chat.turn.locator(".problem")
    expect(problem).to_contain_text("the service stumbled")
    expect(problem).to_contain_text("Ask again in a moment")
    problem.get_by_role("button", name="Ask again", exact=True).click()
    expect(chat.turns).to_have_count(2)
    chat.ends()
    expect(chat.text).to_have_text("This time it worked.")
    chat.page.reload()
    expect(chat.turns.first.locator(".problem")).to_contain_text("the service stumbled")
    expect(chat.text).to_have_text("This time it worked.")


def test_what_draws_turns_is_loaded_again_when_the_connection_breaks(chat: Chat, watch: Watch) -> None:
    watch.allow("ERR_FAILED")
    chat.world.turn("Are you there?")
    chat.page.route("**/js/markdown/block-splitter.js", lambda route: route.abort(), times=1)
    chat.page.reload()
    expect(chat.text).to_contain_text("You said")


@pytest.mark.long
@pytest.mark.real_claude
def test_a_draft_in_the_terminal_is_reported_and_stays_untouched(chat: Chat) -> None:
    banner = chat.page.locator(".banner").filter(has_text="text that was not submitted")
    with chat.world.drafting("half a thought"):
        chat.ask("And mine?")
        expect(chat.turn.locator(".problem")).to_contain_text("paliadin attach")
        expect(banner).to_be_visible()
        assert "half a thought" in chat.world.screen()
    chat.look()
    expect(banner).to_have_count(0)  # what stands below it moves when it comes and goes, also away from under a click
    chat.turn.get_by_role("button", name="Ask again", exact=True).click()
    expect(chat.text).to_contain_text("You said")


@pytest.mark.real_claude
def test_a_daemon_killed_in_mid_turn_is_reported_and_the_rest_comes_once(chat: Chat, watch: Watch) -> None:
    watch.allow("ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE")
    chat.ask("scene:stream")
    expect(chat.text).to_contain_text("Line 3 of many.")
    chat.world.stop(signal.SIGKILL)
    banner = chat.page.get_by_role("alert")
    expect(banner).to_contain_text("The connection to Paliadin is lost.")
    expect(chat.text).to_contain_text("Line 3 of many.")
    expect(chat.page.locator(".status")).to_have_text("Connection lost")
    chat.world.start()
    expect(banner).to_have_count(0)
    chat.ends()
    expect(chat.turns).to_have_count(1)
    assert chat.words == WHOLE.split()
    chat.page.reload()
    chat.ends()
    assert chat.words == WHOLE.split()
    chat.asked("Still there?")
    expect(chat.text).to_contain_text("You said")


@pytest.mark.long
def test_without_a_connection_the_status_claims_nothing_of_claude_and_its_clock_stands(
    opened_alone: Callable[..., Chat], watch: Watch
) -> None:
    watch.allow("ERR_INTERNET_DISCONNECTED")
    chat = opened_alone(locale="de-DE")
    page, status = chat.page, chat.page.locator(".status")
    page.clock.install()
    began = page.evaluate("Date.now()")
    events = [("meta", {"started_at": began}), ("status", {"phase": "answering", "message": "Answering"})]
    with running_turn(page, events):
        page.reload()
        page.clock.run_for(9_000)
        expect(chat.turn).to_contain_text("Much")  # all that draws it is loaded
        expect(status).to_have_text(re.compile(r"^Schreibt\d+ s$"))
        page.context.set_offline(True)
        page.clock.run_for(5_000)
        expect(status).to_have_text("Verbindung unterbrochen")
        page.clock.run_for(5_000)
        expect(status).to_have_text("Verbindung unterbrochen")
        page.context.set_offline(False)
        page.clock.run_for(5_000)
        expect(status).to_have_text(re.compile(r"^Schreibt(19|[2-9]\d) s$"))


@pytest.mark.real_claude
def test_a_card_outlives_the_daemon(chat: Chat, watch: Watch) -> None:
    watch.allow("ERR_CONNECTION_REFUSED|ERR_INCOMPLETE_CHUNKED_ENCODING|ERR_CONNECTION_RESET|ERR_EMPTY_RESPONSE")
    chat.ask("scene:question")
    expect(chat.card).to_be_visible()
    chat.world.stop(signal.SIGKILL)
    expect(chat.page.get_by_role("alert")).to_contain_text("lost")
    chat.world.start()
    expect(chat.page.get_by_role("alert")).to_have_count(0)
    chat.card.get_by_role("radio", name="Blue").check()
    chat.card.get_by_role("button", name="Reply", exact=True).click()
    chat.ends()
    expect(chat.text).to_contain_text('"Which colour?"="Blue"')


# The page's own look, every few seconds, would take the button away before it is clicked.
NOTHING_BEFORE_A_CLICK = """(status) => {
    const fetched = window.fetch;
    let clicked = false;
    addEventListener("click", () => (clicked = true), true);
    const nothing = () => (status ? Promise.resolve(new Response("{}", { status })) : Promise.reject(new TypeError()));
    window.fetch = (...request) => (clicked ? fetched(...request) : nothing());
}"""


def test_a_question_that_cannot_be_sent_comes_back_into_the_input(chat: Chat, watch: Watch) -> None:
    chat.page.evaluate(NOTHING_BEFORE_A_CLICK, 0)
    chat.input.fill("Will it go?")
    chat.input.press("Enter")
    expect(chat.page.get_by_role("alert")).to_contain_text("lost")
    expect(chat.input).to_have_value("Will it go?")
    expect(chat.turns).to_have_count(0)
    chat.button("Try now").click()
    expect(chat.page.get_by_role("alert")).to_have_count(0)
    chat.input.press("Enter")
    expect(chat.turn.locator(".question-text")).to_have_text("Will it go?")
    chat.ends()


@pytest.mark.long
def test_without_the_database_the_search_says_so_and_the_page_goes_on(chat: Chat, watch: Watch) -> None:
    watch.allow("503")
    chat.asked("A needle in the record")
    stopped = servers(chat.world)
    dialog = chat.page.get_by_role("dialog")
    for pid in stopped:
        os.kill(pid, signal.SIGSTOP)
    try:
        chat.button("Search this conversation").click()
        dialog.get_by_role("searchbox").fill("needle")
        expect(dialog).to_contain_text("The search needs the database, and that does not respond.")
        expect(dialog).to_contain_text("paliadin doctor")
        chat.page.keyboard.press("Escape")
        chat.asked("Still there?")
        expect(chat.text).to_contain_text("You said")
        chat.button("Search this conversation").click()
        dialog.get_by_role("searchbox").fill("needle")
        expect(dialog.get_by_role("button", name="Try now")).to_be_visible()
    finally:
        for pid in stopped:
            os.kill(pid, signal.SIGCONT)
    eventually(lambda: database_is(chat.world, up=True), 30, "the database is back")
    dialog.get_by_role("button", name="Try now").click()
    expect(dialog.locator(".found button").filter(has_text="A needle in the record")).to_have_count(1)
    expect(dialog.get_by_role("searchbox")).to_be_focused()


def test_without_the_cookie_the_page_is_locked(
    new_context: Callable[..., BrowserContext], world: World, watch: Watch
) -> None:
    watch.allow("401")
    page = new_context().new_page()
    response = page.goto(f"{world.origin}/paliadin")
    assert response is not None
    assert response.status == 401
    expect(page.get_by_role("heading", name="Paliadin is locked")).to_be_visible()
    expect(page.get_by_role("main")).to_have_css("max-width", "480px")  # its style is let through by its hash
    expect(page.locator("textarea")).to_have_count(0)


@pytest.mark.parametrize(
    "prefix",
    ["", pytest.param(PREFIX, marks=pytest.mark.matrix)],
    ids=["the daemon's own address", "a proxy's path"],
)
def test_the_locked_page_takes_the_address(
    new_context: Callable[..., BrowserContext], world: World, watch: Watch, prefix: str
) -> None:
    watch.allow("401")
    watch.allow("^request: ")  # to the proxy
    with proxy(world.options["PORT"]) as url:
        own = f"{url}{PREFIX}/~{world.label}" if prefix else world.origin
        page = new_context().new_page()
        page.goto(f"{own}/paliadin" if prefix else f"{own}/admin/paliadin/turns?span=7")
        field, wrong = page.get_by_label("Address"), page.get_by_role("alert")
        expect(field).to_be_focused()
        expect(wrong).to_be_hidden()
        assert serious(page) == []
        field.fill("not the address")
        field.press("Enter")
        expect(wrong).to_contain_text("was used already, is too old or not whole")
        expect(field).to_have_accessible_description(re.compile("too old"))
        expect(field).to_have_value("")
        assert serious(page) == []
        field.fill(f" {world.url}\n")
        page.get_by_role("button", name="Unlock").click()
        expect(page).to_have_url(f"{own}/paliadin")
        expect(page.locator(".composer textarea")).to_be_visible()
        assert page.evaluate("document.referrer") == ""


@pytest.mark.long
def test_without_a_login_the_page_names_what_to_do(
    new_context: Callable[..., BrowserContext], tmp_path: Path, one_claude: Path, watch: Watch
) -> None:
    watch.allow("^request: ")  # to that daemon
    scripted = ScriptedApi(play)
    with scripted.running() as url:
        for world in make_world(tmp_path, one_claude, (scripted, url)):
            del world.environment["ANTHROPIC_API_KEY"]
            world.start()
            eventually(lambda world=world: world.get("health")["parts"][0]["state"] == "not_logged_in", 30)
            for locale, words in {"en-GB": "is not logged in", "de-DE": "ist nicht angemeldet"}.items():
                page = new_context(locale=locale).new_page()
                page.goto(world.url)
                banner = page.locator(".banner")
                expect(banner).to_contain_text(words)
                expect(banner).to_contain_text("paliadin attach")
                expect(banner).to_contain_text("/login")


@pytest.mark.long
def test_a_claude_code_that_is_too_old_is_named_with_what_to_do_and_asked_nothing(
    new_context: Callable[..., BrowserContext], tmp_path: Path, watch: Watch
) -> None:
    watch.allow("^request: ")  # to that daemon
    program = tmp_path / "claude"
    program.write_text("#!/bin/sh\n[ $1 = --version ] && echo '2.1.191 (Claude Code)'\n")
    program.chmod(0o755)
    scripted = ScriptedApi(play)
    with scripted.running() as url:
        for world in make_world(tmp_path, program, (scripted, url)):
            world.start()
            contexts = []
            for locale, words in {"en-GB": "is too old for Paliadin", "de-DE": "ist zu alt für Paliadin"}.items():
                contexts.append(new_context(locale=locale))
                page = contexts[-1].new_page()
                page.goto(world.url)
                banner = page.locator(".banner")
                for each in ("Claude Code 2.1.191", words, "2.1.196", "claude update"):
                    expect(banner).to_contain_text(each)
            page.locator(".composer textarea").fill("Guten Tag")
            page.keyboard.press("Enter")
            expect(page.get_by_role("group", name="Antwort")).to_contain_text("ist zu alt für Paliadin")
            assert world.terminal.panes() == {}, "it is not started"
            for context in contexts:  # before their daemon ends
                context.close()


@pytest.mark.long
def test_a_browser_that_is_signed_out_says_how_to_get_in_again(chat: Chat, watch: Watch) -> None:
    watch.allow("401")
    chat.asked("Before")
    chat.page.context.clear_cookies()
    chat.look()
    expect(chat.page.get_by_role("heading", name="This browser is not signed in")).to_be_visible()
    expect(chat.turns).to_have_count(0)
    expect(chat.input).to_be_hidden()
    chat.page.evaluate(NOTHING_BEFORE_A_CLICK, 401)
    again = chat.page.context.new_page()
    again.goto(chat.world.url)
    again.close()
    chat.button("Try again").click()
    expect(chat.text).to_contain_text("You said")


@pytest.mark.long
def test_markup_and_scripts_in_questions_tools_and_answers_do_nothing(chat: Chat, watch: Watch) -> None:
    chat.ask('<img src="x" onerror="window.hacked = 1"> scene:hostile')
    shown = "touch '<img src=x onerror=\"window.hacked = 1\">' # ⟨U+202E⟩txt.exe"
    expect(chat.card.locator(".ask-first")).to_have_text(shown)
    chat.card.get_by_role("button", name="Deny").click()
    chat.ends()
    expect(chat.turn.locator(".step-summary")).to_have_text(shown)
    expect(chat.turn.locator(".question-text")).to_contain_text('<img src="x" onerror')
    expect(chat.text).to_contain_text('<script>window.hacked = "script"</script>')
    harmful = (
        "script, img, iframe, form:not(.feedback), style, object, [onclick], [onerror], [onload], "
        "svg:not(.icon), button:not([type])"
    )
    expect(chat.turn.locator(harmful)).to_have_count(0)
    links = chat.turn.locator("a").evaluate_all("links => links.map((link) => link.href)")
    assert links == ["https://evil.example/pixel.png", "https://example.com/page"]
    for word in ("a link", "another", "data", "split", "raw link", "bold"):
        chat.text.get_by_text(re.compile(rf"\b{word}\b")).first.click()
    for chip in chat.turn.locator(".chip").all():
        chip.click()
    assert chat.page.evaluate("window.hacked ?? null") is None
    assert others(chat.page) == []
