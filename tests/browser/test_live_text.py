"""Text that is shown before it is confirmed, and answers that are complete before their turn is over.

The events come from a stub: nobody can choose the moment at which the real Claude Code is in the middle of a word.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest
from playwright.sync_api import Route, expect

from tests.browser.conftest import Watch
from tests.browser.helpers.chat import Chat
from tests.browser.helpers.interception import HEALTH, intercept
from tests.browser.helpers.live_turns import LiveTurn, LiveTurns, live_turns
from tests.worlds.world import eventually

WATCH_PARTS = """() => {
  const parts = document.querySelector(".parts");
  window.changes = [];
  window.seen = [...parts.querySelectorAll("*")];
  new MutationObserver((list) => changes.push(...list.map(({ type, target }) => `${type} ${target.className}`)))
    .observe(parts, { subtree: true, childList: true, characterData: true, attributes: true });
  shifts.length = 0;
}"""
SAME_NODES = """() => {
  const now = [...document.querySelectorAll(".parts *")];
  return now.length === seen.length && now.every((el, i) => el === seen[i]);
}"""
DRAWN = """new Promise((resolve) =>
  requestAnimationFrame(() => setTimeout(() => setTimeout(resolve))))"""  # and its code coloured
CODE = ("ls | wc -l", "cat one.txt two.txt | sort -u | head")
TOP = "(el) => el.getBoundingClientRect().top"
RICH = f"""Some **bold words** and `code`, as [a link](https://example.com/a/long/path) shows.

Points:
- one **point** of them
- another

| name | value |
|------|-------|
| a    | 1     |

```sh
{CODE[0]}
{CODE[1]}
```
The end, with 👍 in it.
"""


@pytest.fixture
def live(chat: Chat) -> Iterator[LiveTurns]:
    with live_turns(chat.page) as live:
        turn = live.begin("What?")
        chat.page.reload()
        expect(chat.turns).to_have_count(1)
        wait_for_connection(chat, turn)
        yield live


def wait_for_connection(chat: Chat, turn: LiveTurn, count: int = 1) -> None:
    """Whoever connects later is not given the previews from before."""
    eventually(lambda: chat.page.evaluate("true") and turn.connections == count)


def test_words_are_shown_before_their_line_is_confirmed_and_confirming_draws_nothing(
    chat: Chat, live: LiveTurns
) -> None:
    (turn,) = live.turns
    turn.preview(0, 0, "The first line, with **bold")
    expect(chat.text).to_have_text("The first line, with bold")
    expect(chat.text.locator("strong")).to_have_text("bold")
    turn.preview(0, 27, "** words.\n\n- one\n- two\n\nAnd th")
    expect(chat.text).to_contain_text("And th")
    chat.page.evaluate(WATCH_PARTS)
    turn.confirm("m", "The first line, with **bold** words.\n\n")
    turn.confirm("m", "- one\n- two\n\n")
    turn.send("status", phase="thinking", message="")
    expect(chat.page.locator(".status")).to_contain_text("Thinking")
    assert chat.page.evaluate("changes") == []
    assert chat.page.evaluate(SAME_NODES)
    turn.preview(0, 57, "en.")
    expect(chat.text).to_contain_text("And then.")
    chat.page.evaluate(WATCH_PARTS)
    turn.confirm("m", "And then.")
    turn.send("answered", duration_ms=5)
    expect(chat.page.locator(".composer .icon-send")).to_be_visible()
    assert chat.page.evaluate("changes") == []
    turn.send("end", duration_ms=6)
    expect(chat.turn.locator(".turn-foot")).to_be_visible()
    assert chat.page.evaluate("changes") == []
    assert chat.page.evaluate(SAME_NODES)
    assert chat.page.evaluate("shifts") == []


def test_a_text_that_comes_letter_by_letter_shows_no_marks_and_moves_nothing(chat: Chat, live: LiveTurns) -> None:
    (turn,) = live.turns
    chat.page.evaluate("shifts.length = shown.length = 0")
    lines = RICH.splitlines(keepends=True)
    at = 0
    for line in lines:
        for start in range(0, len(line), 2):
            turn.preview(0, at, line[start : start + 2])
            at += len(line[start : start + 2])
            chat.page.evaluate(DRAWN)
        turn.confirm("m", line)
        if line.startswith("ls"):
            expect(chat.text.locator("code > span").first).to_be_visible()  # the colours are loaded
    expect(chat.text).to_contain_text("The end, with 👍 in it.")
    expect(chat.text.locator("h3, h4, h5, h6, hr")).to_have_count(0)
    shown = chat.shown()
    assert len(shown) > 40
    for text in shown:
        prose, _, code = text.partition("What?")[2].partition("\nsh")
        lines = code.rpartition("\nSave")[0].split("\n")  # the button below it
        assert not re.search(r"\*|`|\]|\||https", "".join([prose, *lines[2:]])), text
        assert all(whole.startswith(line) for whole, line in zip(CODE, lines, strict=False)), text
    assert sum(shift["value"] for shift in chat.page.evaluate("shifts")) < 0.001, chat.page.evaluate("shifts")


def test_a_stop_without_a_connection_is_done_when_there_is_one_again(chat: Chat, live: LiveTurns, watch: Watch) -> None:
    watch.allow("ERR_FAILED")
    (turn,) = live.turns
    turn.confirm("m", "I write.")
    tried, stopped = [0], [0]

    def refuse(route: Route) -> None:
        tried[0] += 1
        route.abort()

    def take(route: Route) -> None:
        stopped[0] += 1
        route.fulfill(json={"aborted": True})

    chat.page.route("**/api/paliadin/stream/*/abort", refuse)
    chat.stop.click()
    eventually(lambda: chat.page.title() and tried[0], what="it is tried")
    chat.page.route("**/api/paliadin/stream/*/abort", take)
    eventually(lambda: chat.page.title() and stopped[0], what="it is stopped")


@pytest.mark.long
def test_that_claude_is_starting_is_said_until_it_has_the_question(opened_alone: Callable[..., Chat]) -> None:
    """Else its going moves the answer that is being written, whenever the page asks again."""
    chat = opened_alone()
    starting = {"name": "claude", "ok": False, "state": "starting", "message": "Claude is starting", "hint": ""}
    parts = [starting]
    page = chat.page
    page.add_init_script("const set = setTimeout; window.setTimeout = (f, ms) => ms === 5000 ? 0 : set(f, ms)")  # polls
    intercept(page, HEALTH, lambda request: request.fulfill(json={"ok": not parts, "parts": parts}))
    with live_turns(page) as live:
        page.reload()
        banner = page.locator(".banner", has_text="Claude is starting")
        expect(banner).to_be_visible()
        chat.ask("What?")
        eventually(lambda: page.evaluate("true") and live.turns, what="the question is asked")
        (turn,) = live.turns
        wait_for_connection(chat, turn)
        parts.clear()
        page.wait_for_timeout(300)
        expect(banner).to_be_visible()
        turn.send("status", phase="thinking", message="")
        expect(banner).to_be_hidden()
        turn.send("end", duration_ms=5)
        chat.ends()


@pytest.mark.long
def test_the_next_question_can_be_asked_when_the_answer_is_there(chat: Chat, live: LiveTurns) -> None:
    (first,) = live.turns
    first.preview(0, 0, "So it is.")
    expect(chat.text).to_have_text("So it is.")
    expect(chat.stop).to_be_visible()
    first.confirm("m", "So it is.")
    first.send("answered", duration_ms=5)
    expect(chat.stop).to_be_hidden()
    expect(chat.page.locator(".status")).to_be_hidden()
    expect(chat.turn.locator(".turn-foot")).to_be_hidden()
    chat.look()  # what the history says of a turn that is over soon changes nothing
    wait_for_connection(chat, first, 2)
    chat.ask("And then?")
    eventually(lambda: chat.page.evaluate("true") and len(live.turns) == 2, what="the question is asked")
    second = live.turns[1]
    second.preview(0, 0, "Then th")
    expect(chat.text).to_have_text("Then th")
    expect(chat.stop).to_be_visible()
    answers = chat.page.locator(".prose")
    tops = [answer.evaluate(TOP) for answer in answers.all()]
    first.send("evidence", used_tools=[], rows_seen=[], observed_tools=[], differences=[])
    first.send("end", duration_ms=2_000)
    expect(chat.turns.first.locator(".turn-foot")).to_be_visible()
    expect(chat.turns.first.locator(".evidence-brief")).to_have_text("2 s")
    assert [answer.evaluate(TOP) for answer in answers.all()] == tops
    expect(chat.stop).to_be_visible()
    second.confirm("m", "Then this.")
    second.send("end", duration_ms=5)
    chat.ends()
    expect(answers).to_have_text(["So it is.", "Then this."])


@pytest.mark.long
def test_the_end_of_a_turn_moves_no_text(chat: Chat, live: LiveTurns) -> None:
    (turn,) = live.turns
    turn.confirm("m", "\n\n".join(f"Paragraph {number}." for number in range(40)))
    turn.send("answered", duration_ms=5)
    expect(chat.text).to_contain_text("Paragraph 39.")
    expect(chat.page.locator(".composer .icon-send")).to_be_visible()
    last = chat.text.locator(".block").last
    expect(last).to_be_in_viewport()
    top = last.evaluate(TOP)
    turn.send("evidence", used_tools=[], rows_seen=[], observed_tools=["Read"], differences=[])
    turn.send("end", duration_ms=5)
    expect(chat.turn.locator(".evidence")).to_be_visible()
    assert last.evaluate(TOP) == top


def test_a_reload_and_a_lost_connection_in_the_middle_of_a_word_show_what_is_there(chat: Chat, live: LiveTurns) -> None:
    (turn,) = live.turns
    turn.confirm("m", "One.\n")
    turn.preview(0, 5, "Two is be")
    expect(chat.text).to_contain_text("Two is be")
    turn.cut()
    wait_for_connection(chat, turn, 2)
    expect(chat.text).to_contain_text("Two is be")
    turn.preview(0, 5, "2 is")
    expect(chat.text).to_have_text(re.compile(r"One\.\s+2 is\s*$"))
    chat.page.reload()
    expect(chat.text).to_have_text("One.")
    turn.preview(0, 5, "2 is better")
    expect(chat.text).to_have_text(re.compile(r"One\.\s+2 is better\s*$"))
    turn.send("end", duration_ms=5, aborted=True)
    chat.ends()
    expect(chat.text).to_have_text("One.")


@pytest.mark.long
def test_a_selection_in_a_list_stays_while_the_list_grows(chat: Chat, live: LiveTurns) -> None:
    (turn,) = live.turns
    turn.preview(0, 0, "- the first\n- the sec")
    first = chat.text.locator("li").first
    expect(first).to_have_text("the first")
    first.evaluate("(el) => getSelection().selectAllChildren(el)")
    turn.preview(0, 21, "ond\n- the third")
    expect(chat.text.locator("li")).to_have_count(3)
    assert chat.page.evaluate("String(getSelection()).trim()") == "the first"


@pytest.mark.long
def test_what_the_reader_has_unfolded_stays_so_while_text_comes(chat: Chat, live: LiveTurns) -> None:
    (turn,) = live.turns
    text = "<details>\n<summary>The reasons</summary>\n\nOne.\n"
    turn.preview(0, 0, text)
    folded = chat.text.locator("details")
    expect(folded).not_to_have_attribute("open", "")
    folded.locator("summary").click()
    expect(folded.get_by_text("One.")).to_be_visible()
    rest = "\nTwo.\n\n</details>\n\nAnd more"
    turn.preview(0, len(text), rest)
    expect(chat.text.last).to_contain_text("And more")
    expect(folded.get_by_text("Two.")).to_be_visible()
    turn.confirm("m1", text + rest + ".\n")
    expect(chat.text.last).to_contain_text("And more.")
    expect(folded.get_by_text("Two.")).to_be_visible()
    folded.locator("summary").click()
    turn.confirm("m1", "\nThe end.\n")
    expect(chat.text.last).to_contain_text("The end.")
    expect(folded.get_by_text("Two.")).to_be_hidden()


def test_the_status_says_what_is_being_generated(chat: Chat, live: LiveTurns) -> None:
    (turn,) = live.turns
    status = chat.page.locator(".status .shimmer")
    for activity, words in (
        ({"phase": "thinking"}, "Thinking"),
        ({"phase": "writing"}, "Writing"),
        ({"phase": "tool", "tool": "Write"}, "Writing a file"),
        ({"phase": "tool", "tool": "Bash"}, "Running a command"),
        ({"phase": "tool", "tool": "mcp__db__query"}, "Searching: Db"),
        ({"phase": ""}, ""),  # the page was loaded anew, and the stream has told of no status yet
    ):
        turn.send("activity", **activity)
        expect(status).to_have_text(words)
    turn.send("activity", phase="thinking")
    expect(status).to_have_text("Thinking")
    turn.send("status", phase="waiting", message="")
    turn.send("interrupt", id="q", kind="text", message="Which?")
    turn.send("activity", phase="writing")
    expect(chat.card).to_be_visible()
    expect(chat.page.locator(".status")).to_be_hidden()
