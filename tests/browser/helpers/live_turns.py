"""Turns whose events a test sends one by one: for what the real daemon sends at a moment that nobody can choose."""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

from playwright.sync_api import Page

from tests.browser.helpers.interception import EVENTS, HISTORY, Paused, intercept

UNNUMBERED = {"preview", "activity"}


@dataclass
class LiveTurn:
    """Replays its numbered events to whoever connects, and passes on the others to whoever is connected."""

    id: str
    question: str
    changed: threading.Condition
    events: list[tuple[int | None, str]] = field(default_factory=list)
    over: bool = False
    connections: int = 0  # opened so far
    cuts: int = 0

    def send(self, name: str, /, **data: object) -> None:
        with self.changed:
            number = None if name in UNNUMBERED else 1 + sum(1 for each, _ in self.events if each)
            head = f"id: {self.id}:{number or ''}\n"
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


@dataclass
class LiveTurns:
    turns: list[LiveTurn] = field(default_factory=list)
    changed: threading.Condition = field(default_factory=threading.Condition)

    def begin(self, question: str) -> LiveTurn:
        with self.changed:
            turn = LiveTurn(f"0190000{len(self.turns)}-0000-7000-8000-000000000000", question, self.changed)
            self.turns.append(turn)
            self.changed.notify_all()
        return turn

    def read(self, after: dict[str, int]) -> Iterator[bytes]:
        """What a connection is given: of turns that run what it has not, and all of those that begin later."""
        with self.changed:
            cuts, at = self._cuts(), {turn.id: len(turn.events) for turn in self.turns}
            known = [
                text
                for turn in self.turns
                for number, text in turn.events
                if number and number > after.get(turn.id, 0) and (not turn.over or turn.id in after)
            ]
            for turn in self.turns:
                turn.connections += not turn.over
        yield from (text.encode() for text in known)
        while cuts == self._cuts():
            with self.changed:
                for turn in self.turns:
                    turn.connections += turn.id not in at
                fresh = [text for turn in self.turns for _, text in turn.events[at.get(turn.id, 0) :]]
                at = {turn.id: len(turn.events) for turn in self.turns}
                if not fresh:
                    self.changed.wait(1)
            yield from (text.encode() for text in fresh)

    def _cuts(self) -> int:
        return sum(turn.cuts for turn in self.turns)

    def history(self, request: Paused) -> None:
        turns = [
            {"turn_id": turn.id, "user_message": turn.question, "running": not turn.over, "events": []}
            for turn in self.turns
        ]
        running = next((turn.id for turn in self.turns if not turn.over), None)
        request.fulfill(json={"turns": turns, "running_turn": running, "has_more": False, "since": 0})

    def ask(self, request: Paused) -> None:
        turn = self.begin(request.body["user_message"])
        request.fulfill(status=202, json={"turn_id": turn.id, "sse_url": ""})


@contextlib.contextmanager
def live_turns(page: Page) -> Iterator[LiveTurns]:
    """The page finds these turns and asks new ones here; a test sends their events."""
    live = LiveTurns()
    with _serving(live) as address:
        intercept(page, HISTORY, live.history)
        intercept(page, "*/api/paliadin/turn", live.ask)
        intercept(page, EVENTS, lambda request: request.fetch_from(address + request.url.rpartition("/events")[2]))
        yield live


@contextlib.contextmanager
def _serving(live: LiveTurns) -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.end_headers()
            with contextlib.suppress(OSError):
                for piece in live.read(_after(self.path)):
                    self.wfile.write(piece)
                    self.wfile.flush()

        def log_message(self, *_: object) -> None:
            """Quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/"
    finally:
        for turn in live.turns:
            turn.cut()
        server.shutdown()
        server.server_close()


def _after(path: str) -> dict[str, int]:
    named = parse_qs(urlsplit(path).query).get("after", [""])[0]
    return {turn: int(number) for turn, _, number in (each.partition(":") for each in named.split(",") if each)}
