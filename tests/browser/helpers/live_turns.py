"""Turns whose events a test sends one by one: for what the real daemon sends at a moment that nobody can choose."""

from __future__ import annotations

import contextlib
import functools
import json
import re
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from playwright.sync_api import BrowserContext, Page, Route

UNNUMBERED = {"preview", "activity"}


@dataclass
class LiveTurn:
    """Replays its numbered events to whoever connects, and passes on the others to whoever is connected."""

    id: str
    question: str
    changed: threading.Condition = field(default_factory=threading.Condition)
    events: list[tuple[int | None, str]] = field(default_factory=list)
    over: bool = False
    connections: int = 0  # opened so far
    cuts: int = 0

    def send(self, name: str, /, **data: object) -> None:
        with self.changed:
            number = None if name in UNNUMBERED else 1 + sum(1 for each, _ in self.events if each)
            head = "" if number is None else f"id: {number}\n"
            self.events.append((number, f"{head}event: {name}\ndata: {json.dumps(data)}\n\n"))
            self.over = name in {"end", "error"}
            self.changed.notify_all()

    def preview(self, message: int, offset: int, text: str) -> None:
        self.send("preview", message=message, offset=offset, text=text)

    def confirm(self, message_id: str, text: str) -> None:
        self.send("content_delta", message_id=message_id, text=text)

    def cut(self) -> None:
        """End all connections."""
        with self.changed:
            self.cuts += 1
            self.changed.notify_all()

    def read(self, after: int) -> Iterator[bytes]:
        """What a connection is given that has the events until a number."""
        with self.changed:
            self.connections += 1
            cuts, at = self.cuts, len(self.events)
            known = self.events[:at]
        yield from (text.encode() for number, text in known if number and number > after)
        while cuts == self.cuts:
            with self.changed:
                self.changed.wait_for(functools.partial(self._has_news, at, cuts))
                fresh = self.events[at:]
            at += len(fresh)
            yield from (text.encode() for _, text in fresh)
            if self.over:
                return

    def _has_news(self, at: int, cuts: int) -> bool:
        return len(self.events) > at or self.over or cuts != self.cuts


@dataclass
class LiveTurns:
    turns: list[LiveTurn] = field(default_factory=list)

    def begin(self, question: str) -> LiveTurn:
        turn = LiveTurn(f"0190000{len(self.turns)}-0000-7000-8000-000000000000", question)
        self.turns.append(turn)
        return turn

    def find(self, path: str) -> LiveTurn:
        return next(turn for turn in self.turns if turn.id in path)

    def history(self, route: Route) -> None:
        turns = [
            {"turn_id": turn.id, "user_message": turn.question, "running": not turn.over, "events": []}
            for turn in self.turns
        ]
        running = next((turn.id for turn in self.turns if not turn.over), None)
        route.fulfill(json={"turns": turns, "running_turn": running, "has_more": False, "since": 0})

    def ask(self, route: Route) -> None:
        asked: dict[str, str] = route.request.post_data_json or {}
        turn = self.begin(asked["user_message"])
        route.fulfill(status=202, json={"turn_id": turn.id, "sse_url": ""})


@contextlib.contextmanager
def live_turns(browser: Page | BrowserContext) -> Iterator[LiveTurns]:
    """The page finds these turns and asks new ones here; a test sends their events."""
    live = LiveTurns()
    with _serving(live) as address:
        browser.route("**/api/paliadin/history?*", live.history)
        browser.route("**/api/paliadin/turn", live.ask)
        browser.route(
            re.compile(r"/api/paliadin/stream/[^/]+\?after="),
            lambda route: route.continue_(url=address + route.request.url.rpartition("/stream/")[2]),
        )
        yield live


@contextlib.contextmanager
def _serving(live: LiveTurns) -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.end_headers()
            with contextlib.suppress(OSError):
                for piece in live.find(self.path).read(int(self.path.rpartition("=")[2])):
                    self.wfile.write(piece)

        def log_message(self, *_: object) -> None:
            """Quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/"
    finally:
        for turn in live.turns:
            turn.cut()
        server.shutdown()
        server.server_close()
