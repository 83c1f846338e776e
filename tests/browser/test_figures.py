"""What the page weighs and costs, measured in the browser. `-s` prints the figures.

No test here fails because of a time: the machine may be slow. What keeps the times small is what is checked.
"""

from __future__ import annotations

import bisect
import gzip
import json
import statistics
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, BrowserContext, Response, Route, expect

from tests.browser.helpers.chat import Chat
from tests.browser.helpers.live_turns import live_turns
from tests.browser.helpers.script import chapter
from tests.browser.helpers.streams import running_turn
from tests.worlds.world import World

MOST_BYTES = 140_000  # of everything the page loads, compressed
TURNS = 2_000
MARK = "document.querySelectorAll('.prose .block').forEach((el) => { el.known = true; })"
KEPT = """() => {
  const blocks = [...document.querySelectorAll(".prose .block")];
  return [blocks.filter((el) => el.known).length, blocks.length];
}"""
SCROLL = """async () => {
  const scroller = document.querySelector(".scroller");
  const times = [];
  let last = await new Promise(requestAnimationFrame);
  for (let step = 0; step < 240; step += 1) {
    scroller.scrollTop -= 200; // 12,000 pixels a second
    const now = await new Promise(requestAnimationFrame);
    times.push(now - last);
    last = now;
  }
  return times;
}"""


def report(words: str) -> None:
    print(words)  # noqa: T201  # figures, for whoever asks with -s


def test_the_page_is_light_and_asks_no_other_host_before_it_paints(
    new_context: Callable[..., BrowserContext], world: World
) -> None:
    page = new_context().new_page()
    loaded: list[Response] = []
    page.on("response", lambda response: "/api/" in response.url or loaded.append(response))
    with page.expect_response("**/api/paliadin/events?*"):  # the last that it asks for
        page.goto(world.url)
    expect(page.locator(".empty h2")).to_be_visible()
    bodies = [response.body() for response in loaded if response.status == 200]
    weight = sum(len(gzip.compress(body)) for body in bodies)
    paint = page.evaluate("performance.getEntriesByName('first-contentful-paint')[0].startTime")
    report(f"{len(bodies)} files, {weight / 1000:.0f} KB compressed, first paint after {paint:.0f} ms")
    assert weight < MOST_BYTES
    assert [response.url.rpartition("/")[2] for response in loaded if "/words." in response.url] == ["words.en.js"]


@pytest.mark.long
def test_nothing_jumps_while_five_thousand_words_stream(chat: Chat) -> None:
    chat.asked("Hello")
    chat.page.evaluate("shifts.length = 0")
    chat.ask("scene:words")
    expect(chat.turn.locator(".turn-foot")).to_be_visible(timeout=60_000)
    words = len(str(chat.text.text_content()).split())
    # A banner (say, because tmux answers late on a busy machine) moves the upper edge of the box, and no text in it.
    shifts = [shift for shift in chat.page.evaluate("shifts") if shift["what"] != ["scroller"]]
    total = sum(shift["value"] for shift in shifts)
    report(f"cumulative layout shift over {words} words: {total:.4f}")
    assert words >= 5_000
    assert total < 0.02, shifts


@pytest.mark.long
def test_a_long_answer_in_thousands_of_pieces_is_drawn_by_the_frame_and_not_by_the_piece(
    chat: Chat, browser: Browser
) -> None:
    """The pieces come from a stub: Claude Code itself gives out an answer of this size in a few large ones."""
    pieces = [line for number in range(345) for part in chapter(number) for line in part.splitlines(keepends=True)]
    size = len("".join(pieces).encode())
    events = [("content_delta", {"message_id": "m", "text": piece}) for piece in pieces]
    with running_turn(chat.page, [*events, ("end", {"duration_ms": 1})], pace=0.001):
        browser.start_tracing(page=chat.page, categories=["devtools.timeline", "toplevel"])
        chat.page.goto(chat.page.url)
        chat.page.evaluate("watching.disconnect()")  # the tests' own, which keeps every text that was ever shown
        expect(chat.turn.locator(".turn-foot")).to_be_visible(timeout=100_000)
    frames = frame_times(json.loads(browser.stop_tracing())["traceEvents"])
    each = sum(frames) / len(pieces)
    report(f"{size / 1000:.0f} KB in {len(pieces)} pieces and {len(frames)} frames: main thread {each:.1f} ms a piece")
    report(f"median of a frame {statistics.median(frames):.1f} ms")
    assert size > 200_000
    assert len(frames) < len(pieces) / 2
    assert str(chat.text.text_content()).count("Chapter") == "".join(pieces).count("Chapter")


@pytest.mark.long
def test_a_line_that_comes_to_a_long_answer_draws_only_its_end(chat: Chat, browser: Browser) -> None:
    whole = "".join(piece for number in range(345) for piece in chapter(number))
    lines = [f"Line {number} that comes by itself.\n" for number in range(120)]
    pieces = [("content_delta", {"message_id": "m", "text": text}) for text in (whole, *lines)]
    with running_turn(chat.page, [*pieces, ("end", {"duration_ms": 1})], pace=0.05):
        browser.start_tracing(page=chat.page, categories=["devtools.timeline", "toplevel"])
        chat.page.goto(chat.page.url)
        chat.page.evaluate("watching.disconnect()")
        expect(chat.text).to_contain_text("Chapter 344")
        chat.page.evaluate(MARK)
        expect(chat.text.locator(".chunk").first).to_have_css("content-visibility", "auto")
        expect(chat.text).to_contain_text("Line 100 that")
        kept, blocks = chat.page.evaluate(KEPT)
        expect(chat.turn.locator(".turn-foot")).to_be_visible(timeout=60_000)
    frames = frame_times(json.loads(browser.stop_tracing())["traceEvents"])
    report(f"{len(whole.encode()) / 1000:.0f} KB there, then a line a frame: median {statistics.median(frames):.1f} ms")
    assert blocks > 1_000
    assert kept >= blocks - 2


@pytest.mark.long
@pytest.mark.parametrize("kind", ["a long table", pytest.param("chapters", marks=pytest.mark.matrix)])
def test_a_word_that_is_shown_before_it_is_confirmed_draws_only_the_end_of_a_long_answer(
    chat: Chat, browser: Browser, kind: str
) -> None:
    whole = "".join(piece for number in range(345) for piece in chapter(number))
    table = "| a | b |\n|---|---|\n" + "| some value | another value |\n" * 200
    text = {"chapters": whole, "a long table": table}[kind]
    with live_turns(chat.page) as live:
        turn = live.begin("Much")
        chat.page.reload()
        chat.page.evaluate("watching.disconnect()")
        turn.confirm("m", text)
        expect(chat.text).to_contain_text("Chapter 344" if text is whole else "another value")
        chat.page.evaluate(MARK)
        browser.start_tracing(page=chat.page, categories=["devtools.timeline", "toplevel"])
        at, line = len(text), ""
        for number in range(200):
            word = f"| word {number} " if text is table else f"word {number} "
            word += "\n" if number % 10 == 9 else ""
            turn.preview(0, at, word)
            at, line = at + len(word), line + word
            if line.endswith("\n"):
                turn.confirm("m", line)
                line = ""
            chat.page.evaluate("new Promise(requestAnimationFrame)")
        expect(chat.text).to_contain_text("word 190" if text is table else "word 199")
        frames = frame_times(json.loads(browser.stop_tracing())["traceEvents"])
        kept, blocks = chat.page.evaluate(KEPT)
        turn.send("end", duration_ms=1)
    report(f"{len(text.encode()) / 1000:.0f} KB of {kind}, then a word a frame: {statistics.median(frames):.1f} ms")
    assert len(frames) > 100
    assert kept >= blocks - 2
    chat.page.unroute_all(behavior="ignoreErrors")


def frame_times(events: list[dict[str, Any]]) -> list[float]:
    """Milliseconds of processor time that the main thread spent on each frame with something new: script to paint."""
    drawn = [event for event in events if event["name"] == "FireAnimationFrame"]
    tasks = [event for event in events if event["name"].endswith("RunTask") and "tdur" in event]
    tasks.sort(key=lambda event: event["ts"])
    starts = [event["ts"] for event in tasks]
    times: dict[int, float] = {}
    for event in drawn:
        for at in range(bisect.bisect_right(starts, event["ts"]) - 1, -1, -1):
            task = tasks[at]
            if task["tid"] == event["tid"] and task["ts"] + task["dur"] >= event["ts"] + event.get("dur", 0):
                times[at] = task["tdur"] / 1000
                break
    return list(times.values())


@pytest.mark.long
def test_of_two_thousand_turns_only_those_near_the_screen_are_drawn(chat: Chat) -> None:
    items = [item(number) for number in range(TURNS)]

    def serve_page(route: Route) -> None:
        query = parse_qs(urlsplit(route.request.url).query)
        before = query.get("before", ["g"])[0]
        older = [each for each in items if each["turn_id"] < before]
        limit = int(query["limit"][0])
        page = {"turns": older[-limit:], "running_turn": None, "has_more": len(older) > limit, "since": 0}
        route.fulfill(json=page)

    chat.page.route("**/api/paliadin/history?*", serve_page)
    chat.page.reload()
    expect(chat.turns.last).to_be_in_viewport()
    chat.page.evaluate("id => { location.hash = `turn=${id}` }", items[0]["turn_id"])
    expect(chat.turns.first).to_be_in_viewport(timeout=30_000)
    expect(chat.turns).to_have_count(TURNS)
    chat.page.locator(".scroller").evaluate("(el) => { el.scrollTop = el.scrollHeight }")
    times = chat.page.evaluate(SCROLL)
    times.sort()
    report(
        f"{TURNS} turns: a frame of scrolling takes {statistics.median(times):.0f} ms, 95 % under {times[228]:.0f} ms"
    )
    drawn = chat.page.locator(".turn table").count()
    report(f"{drawn} of them are drawn")
    assert 0 < drawn < TURNS / 10


def item(number: int) -> dict[str, object]:
    """A turn of the history, with a table, a list and a tool."""
    ident = f"{number:08x}-0000-7000-8000-000000000000"
    table = "| a | b |\n|---|---|\n" + "".join(f"| {row} | value {row} |\n" for row in range(8))
    text = f"## Answer {number}\n\nSome words of it.\n\n{table}\n- one\n- two\n\n`code` and **bold**.\n"
    events = [
        {
            "event": "tool_call",
            "data": {"id": "t", "name": "Read", "summary": "data.csv", "input": {"file_path": "/data.csv"}},
        },
        {
            "event": "tool_result",
            "data": {"id": "t", "name": "Read", "ok": True, "summary": "id", "rows": 2, "output": "id"},
        },
        {"event": "content_delta", "data": {"message_id": "m", "text": text}},
        {"event": "end", "data": {"duration_ms": 1200, "usage": json.loads("null")}},
    ]
    return {
        "turn_id": ident,
        "user_message": f"Question {number}",
        "started_at": "2026-01-01T00:00:00Z",
        "events": events,
    }
