"""What an open page asks for and receives in a minute, idle and with one answer: `python -m tests.bench.page_traffic`.

Real daemon, real Claude Code with a scripted API, real Chromium, which counts the bytes. A benchmark, not a test: it
asserts nothing.
"""

from __future__ import annotations

import tempfile
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect, sync_playwright
from rich.console import Console
from rich.table import Table

from paliadin.demo.api_messages import Conversation, Message, Text
from paliadin.demo.scripted_api import ScriptedApi
from paliadin.postgres.cluster import remove_database
from tests.browser.helpers.chat import Chat
from tests.browser.helpers.chromium import launch_options
from tests.worlds.world import World, binaries

MINUTE = 60_000  # milliseconds
CONVERSATIONS = 20


def script(conversation: Conversation) -> Message:
    """`lines` streams for more than a minute; all else is answered at once."""
    if "lines" in conversation.user_text:
        return Message((Text(tuple(f"Line {number} with **bold** words.\n\n" for number in range(750)), 0.1),))
    return Message((Text(("A short answer.\n",)),))


@dataclass
class Traffic:
    """Counts what the daemon's routes send to a page, heads included."""

    requests: Counter[str] = field(default_factory=Counter)
    sent: int = 0
    received: int = 0

    def watch(self, page: Page) -> None:
        session = page.context.new_cdp_session(page)
        session.send("Network.enable")
        handlers: dict[str, Callable[[Any], None]] = {
            "Network.requestWillBeSent": self._request,
            "Network.requestWillBeSentExtraInfo": self._request_head,
            "Network.responseReceivedExtraInfo": self._response_head,
            "Network.dataReceived": self._data,
        }
        for name, handler in handlers.items():
            session.on(name, handler)

    def clear(self) -> None:
        self.requests.clear()
        self.sent = self.received = 0

    def _request(self, event: Any) -> None:
        path = event["request"]["url"].partition("/api/paliadin/")[2].partition("?")[0]
        self.requests[path.partition("/")[0] or "files of the page"] += 1
        self.sent += len(event["request"].get("postData", ""))

    def _request_head(self, event: Any) -> None:
        self.sent += sum(len(name) + len(value) + 4 for name, value in event["headers"].items())

    def _response_head(self, event: Any) -> None:
        self.received += len(event.get("headersText", ""))

    def _data(self, event: Any) -> None:
        self.received += event["encodedDataLength"] or event["dataLength"]


def main() -> None:
    """Print a table."""
    table = Table("a minute of", "requests", "of them", "KB sent", "KB received")
    scripted = ScriptedApi(script)
    with (
        tempfile.TemporaryDirectory() as folder,
        scripted.running() as url,
        sync_playwright() as playwright,
        playwright.chromium.launch(**launch_options()) as browser,
    ):
        world = World(Path(folder), binaries()["sdk"], scripted, url)
        try:
            world.start()
            expect.set_options(timeout=60_000)
            for number in range(CONVERSATIONS - 1):
                world.post("conversations", {"title": f"Conversation {number}"})
            chat = Chat(browser.new_page(), world)
            chat.page.goto(world.url)
            chat.asked("Hello")
            traffic = Traffic()
            traffic.watch(chat.page)
            for name, begin in (("an idle page", ""), ("a page with one answer", "lines")):
                if begin:
                    chat.ask(begin)
                    expect(chat.text).to_contain_text("Line 3 ", timeout=60_000)
                traffic.clear()
                chat.page.wait_for_timeout(MINUTE)
                by_route = ", ".join(f"{count} {route}" for route, count in traffic.requests.most_common())
                kilobytes = (f"{count / 1000:.1f}" for count in (traffic.sent, traffic.received))
                table.add_row(name, str(traffic.requests.total()), by_route, *kilobytes)
        finally:
            world.close()
            remove_database(Path(folder) / "home")
    Console(width=120).print(table)


if __name__ == "__main__":
    main()
