"""A page's stream from a stub server: for events that the real daemon cannot be made to send."""

from __future__ import annotations

import contextlib
import json
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from playwright.sync_api import Page

from tests.browser.helpers.interception import EVENTS, HISTORY, intercept

TURN = "01900000-0000-7000-8000-000000000000"

Events = Iterable[tuple[str, Mapping[str, object]]]


@contextlib.contextmanager
def running_turn(page: Page, events: Events, *, pace: float = 0.0) -> Iterator[None]:
    """The page finds one turn that runs, and these events in its stream; the stream stays open."""
    asked: dict[str, Any] = {"turn_id": TURN, "user_message": "Much", "running": True, "events": []}
    history = {"turns": [asked], "running_turn": TURN, "has_more": False, "since": 0}
    with _serving(list(events), pace) as address:
        intercept(page, HISTORY, lambda request: request.fulfill(json=history))
        intercept(page, EVENTS, lambda request: request.fetch_from(address))
        yield
        # A page that is still open tries again at once: there, it would report that the server is gone.
        intercept(page, EVENTS, lambda _: None)


@contextlib.contextmanager
def _serving(events: list[tuple[str, Mapping[str, object]]], pace: float) -> Iterator[str]:
    over = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/event-stream")
            self.end_headers()
            for number, (name, data) in enumerate(events, 1):
                self.wfile.write(f"id: {TURN}:{number}\nevent: {name}\ndata: {json.dumps(data)}\n\n".encode())
                time.sleep(pace)
            over.wait()

        def log_message(self, *_: object) -> None:
            """Quiet."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/"
    finally:
        over.set()
        server.shutdown()
        server.server_close()
