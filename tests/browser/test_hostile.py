"""Answers, tools and files that mean harm, and pages of other origins: nothing runs, leaves or changes."""

from __future__ import annotations

import http.server
import threading
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, Frame, Page, expect

from paliadin.demo.api_messages import ApiError, Conversation, Message, ToolUse
from tests.browser.conftest import Watch
from tests.browser.helpers.chat import Chat
from tests.browser.helpers.hostile import ANSWERS, ATTACK, EVIL, IMAGE
from tests.browser.helpers.interception import HISTORY, Paused, intercept
from tests.browser.helpers.script import SCENES
from tests.browser.helpers.tabs import others
from tests.worlds.script import answer
from tests.worlds.world import World, eventually

HARMFUL = (
    ".prose form, .prose input:not([type=checkbox]), .prose button:not(.chip, [type=button]), script, img, iframe, "
    "style, link, meta, base, object, embed, video, audio, math:not(.formula > math), template, noscript, "
    "svg:not(.icon), [style]:not(.formula *), "
    "[srcset], [onerror], [onload], [onclick], [onfocus], [ontoggle], [onbegin], [onmouseover], [srcdoc], "
    "[name=attributes]"
)


def corpus(conversation: Conversation) -> Message:
    return answer(ANSWERS[conversation.user_text.rpartition("part:")[2].split()[0]], pace=0)


def tools(conversation: Conversation) -> Message:
    """A tool that there is not, a file with a name and a text that mean harm, and a question that does."""
    if not conversation.results:
        folder = conversation.user_text.rpartition("in:")[2].split()[0]
        return Message((ToolUse(IMAGE, {"file_path": IMAGE}), ToolUse("Read", {"file_path": f"{folder}/{IMAGE}.txt"})))
    if len(conversation.results) == 2:
        options = [{"label": f"{IMAGE}{each}", "description": f"<b onclick={EVIL}>{each}</b>"} for each in "AB"]
        asked = {"question": f"Which one? {IMAGE}", "header": IMAGE[:12], "multiSelect": False, "options": options}
        return Message((ToolUse("AskUserQuestion", {"questions": [asked]}),))
    return answer(f"It said: {IMAGE}", f"Read, {IMAGE}", "1", IMAGE)


SCENES["corpus"] = corpus
SCENES["hostile_tools"] = tools
SCENES["hostile_error"] = lambda _conversation: ApiError(400, "invalid_request_error", f"no: {IMAGE}")


def check_harmless(chat: Chat) -> None:
    """Nothing ran, nothing of it is an element, and the browser is where it was. `watch` sees what is asked for."""
    assert chat.page.evaluate("window.hacked ?? null") is None
    harmful = chat.page.locator(f".turns :is({HARMFUL})")
    assert harmful.evaluate_all("elements => elements.map((element) => element.outerHTML.slice(0, 300))") == []
    for href in chat.page.locator(".turns a").evaluate_all("links => links.map((link) => link.href)"):
        assert href.startswith(("http://", "https://", "mailto:")) or not href, href
    assert others(chat.page) == []
    assert chat.page.url == chat.world.url.partition("?")[0]


def check_usable(chat: Chat) -> None:
    chat.asked("Still there?")
    expect(chat.text).to_contain_text("You said")


@pytest.mark.first(2)
@pytest.mark.parametrize(
    "part", [pytest.param(part, marks=pytest.mark.matrix if part in ("inline", "deep") else ()) for part in ANSWERS]
)
def test_an_answer_that_means_harm_does_nothing_also_after_a_reload(chat: Chat, part: str) -> None:
    chat.asked(f"part:{part} scene:corpus")
    expect(chat.text.last).to_contain_text("The end of it.")
    check_harmless(chat)
    for element in chat.turn.locator(".prose a[href], .chip").all()[:40]:
        element.dispatch_event("mouseover")
        element.dispatch_event("focus")
    check_harmless(chat)
    chat.page.reload()
    chat.ends()
    expect(chat.text.last).to_contain_text("The end of it.")
    check_harmless(chat)
    check_usable(chat)


@pytest.mark.real_claude
def test_tools_files_and_questions_that_mean_harm_do_nothing(chat: Chat) -> None:
    (chat.world.workdir / f"{IMAGE}.txt").write_text(f"{IMAGE}\n<script>{EVIL}</script>\n" * 3)
    chat.ask("scene:hostile_tools")
    expect(chat.card).to_contain_text(f"Which one? {IMAGE}")
    check_harmless(chat)
    chat.card.get_by_role("radio").first.check()
    chat.card.get_by_role("button", name="Reply", exact=True).click()
    chat.ends()
    chat.turn.locator("details.steps summary").first.click()
    expect(chat.turn.locator(".step").filter(has_text=f"{IMAGE}.txt")).to_have_count(1)
    check_harmless(chat)
    chat.page.reload()
    chat.ends()
    check_harmless(chat)
    check_usable(chat)


def test_an_error_that_means_harm_is_only_text(chat: Chat) -> None:
    chat.asked("scene:hostile_error")
    expect(chat.turn.locator(".problem")).to_contain_text(IMAGE)
    check_harmless(chat)
    check_usable(chat)


def test_a_turn_that_cannot_be_drawn_is_shown_as_text_and_keeps_no_other_from_being_drawn(
    chat: Chat, watch: Watch
) -> None:
    for question in ("The first", "The broken", "The last"):
        chat.asked(f"{question} of three")
    watch.allow("Cannot destructure")

    def spoil(request: Paused) -> None:
        """As another version of the daemon may send it: one turn's evidence has another shape."""
        history = chat.world.get(request.url.partition("/api/paliadin/")[2])
        for turn in history["turns"]:
            for event in turn["events"] if "broken" in turn["user_message"] else []:
                if event["event"] == "evidence":
                    event["data"]["differences"] = [None]
        request.fulfill(json=history)

    intercept(chat.page, HISTORY, spoil)
    chat.page.reload()
    expect(chat.turns).to_have_count(3)
    expect(chat.turns.nth(1)).to_contain_text("This turn could not be drawn")
    for number, name in enumerate(("first", "broken", "last")):
        expect(chat.turns.nth(number)).to_contain_text(f"The {name} of three")
        expect(chat.turns.nth(number)).to_contain_text("You said")
    expect(chat.turns.locator(".prose")).to_have_count(2)
    check_usable(chat)


# Pages of other origins, in the browser that is signed in.


@pytest.fixture
def elsewhere() -> Iterator[int]:
    """The port of another web server on this machine; it serves an empty page, and whatever else is asked of it."""

    class Page(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = b"<!doctype html><title>elsewhere</title><link rel=icon href=data:,><p>another page</p>"
            self.send_response(200)
            self.send_header("content-type", "text/html")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_arguments: object) -> None:
            """Says nothing."""

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Page)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    yield server.server_port
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def signed_in(browser: Browser, world: World) -> Iterator[BrowserContext]:
    context = browser.new_context()
    context.new_page().goto(world.url)
    expect(context.pages[0].locator(".composer textarea")).to_be_visible()
    yield context
    context.close()


def neighbour(page: Page, port: int) -> Page | Frame:
    """Another port of the same host: for cookies it is the same site, so they are sent along."""
    page.goto(f"http://127.0.0.1:{port}/")
    return page


def stranger(page: Page, port: int) -> Page | Frame:
    page.goto(f"http://localhost:{port}/")
    return page


def nobody(page: Page, port: int) -> Page | Frame:
    """A sandboxed frame: its origin is null."""
    page.goto(f"http://127.0.0.1:{port}/")
    sandbox = "<iframe sandbox='allow-scripts allow-forms allow-popups' srcdoc='<p>x</p>'></iframe>"
    page.evaluate("html => { document.body.innerHTML = html; }", sandbox)
    frame = page.wait_for_selector("iframe").content_frame()
    assert frame is not None
    return frame


@pytest.mark.first(1)
@pytest.mark.parametrize("attacker", [neighbour, pytest.param(stranger, marks=pytest.mark.matrix), nobody])
def test_a_page_of_another_origin_reads_nothing_and_changes_nothing(
    world: World, signed_in: BrowserContext, elsewhere: int, attacker: Callable[[Page, int], Page | Frame]
) -> None:
    turn_id = world.ask("A secret of mine")
    list(world.follow(turn_id))
    eventually(lambda: all(turn["finished_at"] for turn in world.get("history")["turns"]), what="the rows are finished")
    before = world.get("history")
    page = signed_in.new_page()
    target = f"http://127.0.0.1:{world.options['PORT']}"
    outcome = attacker(page, elsewhere).evaluate(ATTACK, {"target": target, "turn": turn_id})
    assert outcome["read"] == []
    assert len(outcome["tried"]) == 30, outcome
    assert world.get("history") == before
    assert not [path for path in world.settings.response_dir.glob("*/*/turn.json") if "EVIL" in path.read_text()]
    for frame in page.frames[1:]:
        assert "A secret" not in frame.content()
    own = signed_in.pages[0]
    assert own.evaluate("window.hacked ?? null") is None
    own.locator(".composer textarea").fill("Still mine?")
    own.locator(".composer textarea").press("Enter")
    expect(own.locator(".turn:visible .prose").last).to_contain_text("You said")
