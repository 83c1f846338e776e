"""What 200 conversations with 20,000 turns cost on the page, beside one conversation: `make bench-conversations`.

Real daemon, real Claude Code with a scripted API, real Chromium. Both homes take turns: machines are shared and drift.
A benchmark, not a test: it asserts nothing.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, expect, sync_playwright
from rich.console import Console
from rich.table import Table

from paliadin.demo.api_messages import Conversation, Message, Text
from paliadin.demo.scripted_api import ScriptedApi
from paliadin.postgres.cluster import remove_database
from tests.bench.conversations_home import Seeded, fill
from tests.browser.helpers.chat import Chat
from tests.browser.helpers.chromium import launch_options
from tests.worlds.processes import daemon_of, usage
from tests.worlds.world import World, binaries, eventually

MANY, TURNS = 200, 20_000
ROUNDS, REQUESTS = 20, 100
IDLE = 20.0  # seconds
PAGE = 20  # turns that the page reads of a conversation
SCRIPT = Path(__file__).with_suffix(".js")
SIZES = {"desktop": (1280, 800), "phone": (390, 844)}
WORDS = {"words of many": "deadline", "a name": "Okafor", "words of none": "nowhere to be found"}
TYPED = "Some words that are typed while an answer comes, with a comma now and then. " * 4
BETWEEN_KEYS = 50  # milliseconds


def script(conversation: Conversation) -> Message:
    """`lines` streams for half a minute; all else is answered at once."""
    if "lines" in conversation.user_text:
        lines = [f"Line {number} with `code` and **bold** words.\n" for number in range(400)]
        return Message((Text(tuple(line + "\n" * (n % 5 == 4) for n, line in enumerate(lines)), 0.1),))
    return Message((Text(("A short answer.\n",)),))


@dataclass
class Home:
    """A daemon and what its home was filled with; its pages are signed in."""

    world: World
    conversations: Sequence[Seeded]
    pages: dict[str, Page]

    @property
    def page(self) -> Page:
        return self.pages["desktop"]

    def load(self, size: str) -> tuple[float, float]:
        """Load the page; returns the milliseconds until the first items of its list were painted, and all of them."""
        page = self.pages[size]
        with page.expect_response("**/api/paliadin/events?*"):  # the last that it asks for
            page.goto(f"{self.world.origin}/")
        first, every = page.evaluate("bench.listed")
        expect(page.locator(".empty h2")).to_be_visible()
        return first, every


Samples = dict[str, list[float]]
"""Milliseconds by what was measured."""


def main() -> None:
    root = Path(tempfile.mkdtemp(prefix="paliadin-bench-"))
    api = ScriptedApi(script)
    with contextlib.ExitStack() as stack:
        stack.callback(shutil.rmtree, root, ignore_errors=True)
        url = stack.enter_context(api.running())
        browser = stack.enter_context(sync_playwright()).chromium.launch(**launch_options())
        stack.callback(browser.close)
        homes = {
            name: stack.enter_context(_home(root / f"of{count}", (api, url), browser, count))
            for name, count in ((f"{MANY} conversations", MANY), ("one conversation", 1))
        }
        samples: dict[str, Samples] = {name: {} for name in homes}
        _alternate(homes, samples, _ask_for_list, REQUESTS)
        _alternate(homes, samples, _open_list, ROUNDS)
        _alternate(homes, samples, _search, ROUNDS)
        for home, kept in zip(homes.values(), samples.values(), strict=True):
            _open_conversations(home, kept)
        _print(samples)
        for name, home in homes.items():
            _print_typing(name, home, browser)
        for name, home in homes.items():
            tell(f"{name}: the daemon", f"{usage(daemon_of(home.world)).resident:.0f} MB (RSS)")


@contextlib.contextmanager
def _home(root: Path, api: tuple[ScriptedApi, str], browser: Browser, count: int) -> Iterator[Home]:
    world = World(root, binaries()["sdk"], *api)
    with contextlib.ExitStack() as stack:
        stack.callback(remove_database, root / "home")
        stack.callback(world.close)
        began = time.monotonic()
        filled = fill(world, MANY, TURNS, kept=count)
        tell(
            f"{count} conversations, {sum(len(each.turns) for each in filled):,} turns: filled",
            f"{time.monotonic() - began:.0f} s",
        )
        began = time.monotonic()
        world.start()
        tell(f"{count} conversations: the daemon serves after", f"{time.monotonic() - began:.1f} s")
        began = time.perf_counter()
        world.get("conversations")
        tell(f"{count} conversations: the first list of all", f"{(time.perf_counter() - began) * 1000:.0f} ms")
        eventually(lambda: world.get("health")["ok"], 30, "Claude has started")
        before = usage(daemon_of(world)).cpu
        time.sleep(IDLE)
        spent = usage(daemon_of(world)).cpu - before
        tell(f"{count} conversations: the daemon, while no page is open", f"{spent / IDLE:.1%} of one core")
        script = f"window.conversations = {len(filled) + 1};{SCRIPT.read_text()}"
        yield Home(world, filled, {name: _signed_in(browser, world, name, script) for name in SIZES})


def _signed_in(browser: Browser, world: World, size: str, script: str) -> Page:
    width, height = SIZES[size]
    context = browser.new_context(viewport={"width": width, "height": height}, locale="en-GB")
    context.add_init_script(script)
    page = context.new_page()
    page.goto(world.url)
    expect(page.locator(".empty h2")).to_be_visible()
    return page


def _alternate(homes: dict[str, Home], samples: dict[str, Samples], measure: Any, rounds: int) -> None:
    for number in range(rounds + 1):
        for name, home in homes.items():
            for what, value in measure(home).items():
                if number:  # the first one warms up
                    samples[name].setdefault(what, []).append(value)


def _ask_for_list(home: Home) -> dict[str, float]:
    with home.world.client() as client:
        client.get("/livez")  # opens the connection
        began = time.perf_counter()
        client.get("/api/paliadin/conversations").raise_for_status()
        return {"list: the HTTP response": (time.perf_counter() - began) * 1000}


def _open_list(home: Home) -> dict[str, float]:
    first, every = home.load("desktop")
    asked, answered = home.page.evaluate("bench.asked('/api/paliadin/conversations')")
    phone = home.pages["phone"]
    home.load("phone")
    phone.evaluate("() => { opened = bench.painted(() => document.querySelector('.list-drawer[open]')) }")
    phone.locator(".list-toggle").click()
    return {
        "list: navigation → in sight painted": first,
        "list: asked for → in sight painted": first - asked,
        "list: asked for → all painted": every - asked,
        "list: response in the page": answered - asked,
        "list, phone: button → painted": phone.evaluate("opened.then(at => at - bench.acted)"),
    }


def _search(home: Home) -> dict[str, float]:
    """The page waits 200 ms for the next key before it asks."""
    seen = {}
    box = home.page.get_by_role("searchbox", name="Search all conversations")
    for name, words in WORDS.items():
        with home.world.client() as client:
            client.get("/livez")
            began = time.perf_counter()
            client.get("/api/paliadin/conversations", params={"q": words}).raise_for_status()
            seen[f"search, {name}: the HTTP response"] = (time.perf_counter() - began) * 1000
        home.page.evaluate(FOUND)
        box.fill(words)
        seen[f"search, {name}: key → painted"] = home.page.evaluate("found.then(at => at - bench.acted)")
        box.fill("")
    return seen


FOUND = """() => { found = bench.painted(() => {
    const note = document.querySelector('.list-note').textContent;
    const flat = document.querySelector('.group') && !document.querySelector('.group-title');
    return note.startsWith('Nothing') || (!note && flat);
}) }"""


KINDS: dict[str, Callable[[Seeded], bool]] = {
    "turns with folders": lambda each: each.folders >= PAGE,
    "turns without": lambda each: each.folders == 0,
}


def _open_conversations(home: Home, samples: Samples) -> None:
    """Each conversation for the first time in its page: with the folders of its turns, and from the database alone."""
    of_one = len(home.conversations) == 1
    for name, are_meant in KINDS.items():
        chosen = [each for each in home.conversations if are_meant(each)][-ROUNDS // 2 :]
        for each in chosen * (ROUNDS // 2 if of_one else 1):
            home.load("desktop")
            home.page.evaluate("ids => { drawn = bench.drawn(ids) }", each.turns[-PAGE:])
            home.page.locator(f".item[data-id='{each.session}'] .item-link").click()
            taken = home.page.evaluate("drawn.then(at => at - bench.acted)")
            asked, answered = home.page.evaluate(f"bench.asked('session_id={each.session}&limit={PAGE}')")
            samples.setdefault(f"open, {name}: click → {PAGE} drawn", []).append(taken)
            samples.setdefault(f"open, {name}: the response", []).append(answered - asked)


def _print_typing(name: str, home: Home, browser: Browser) -> None:
    """Type below a conversation in which an answer comes, while another one ends and goes up in the list."""
    session = home.conversations[-1].session
    home.load("desktop")
    home.page.locator(f".item[data-id='{session}'] .item-link").click()
    chat = Chat(home.page, home.world)
    chat.ask("lines")
    expect(chat.text).to_contain_text("Line 10 ", timeout=60_000)
    home.page.evaluate("bench.watch()")
    browser.start_tracing(page=home.page, categories=["devtools.timeline", "toplevel"])
    other = threading.Thread(target=home.world.turn, args=("Hello",))
    other.start()
    chat.input.press_sequentially(TYPED, delay=BETWEEN_KEYS, timeout=120_000)
    other.join()
    tasks = tasks_of(json.loads(browser.stop_tracing())["traceEvents"])
    long, events = home.page.evaluate("[bench.tasks, bench.events]")
    took, spent = (max(task[key] for task in tasks) / 1000 for key in ("dur", "tdur"))
    tell(f"{name}: typing, longest of {len(tasks)} tasks", f"{took:.1f} ms, {spent:.1f} ms of them CPU")
    tell(f"{name}: typing, tasks over 50 ms", f"{len(long)} ({max(long, default=0):.0f} ms)")
    tell(f"{name}: typing, key → painted, at most", f"{max(events, default=0):.0f} ms")
    running = home.world.get(f"history?session_id={session}&limit=1")["running_turn"]
    home.world.post(f"stream/{running}/abort")


def tasks_of(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The tasks of the page's main thread: the one that draws frames."""
    frames = [event["tid"] for event in events if event["name"] == "FireAnimationFrame"]
    main = statistics.mode(frames)
    return [e for e in events if e["name"] == "ThreadControllerImpl::RunTask" and "tdur" in e and e["tid"] == main]


def _print(samples: dict[str, Samples]) -> None:
    many, one = samples.values()
    table = Table(title="milliseconds")
    columns = [f"{name.split()[0]}: {each}" for name in samples for each in ("n", "least", "median", "p90", "max")]
    for column in ("what", *columns, "ratio"):
        table.add_column(column, justify="right")
    for what in many | one:
        cells = []
        for kept in (many, one):
            values = kept.get(what, [])
            cells += _summary(values) if len(values) > 1 else [""] * 5
        both = what in many and what in one
        ratio = f"{statistics.median(many[what]) / statistics.median(one[what]):.2f}" if both else ""
        table.add_row(what, *cells, ratio)
    Console(width=180).print(table)
    tell(
        "load (1, 5, 15 minutes)",
        f"{', '.join(f'{number:.1f}' for number in os.getloadavg())} on {os.cpu_count()} cores",
    )


def _summary(values: Sequence[float]) -> list[str]:
    p90 = statistics.quantiles(values, n=10, method="inclusive")[-1]
    return [str(len(values)), *(f"{value:.1f}" for value in (min(values), statistics.median(values), p90, max(values)))]


def tell(what: str, figure: str) -> None:
    sys.stdout.write(f"{what:<58} {figure}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
