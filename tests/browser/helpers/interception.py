"""Answers some requests of a page in the daemon's place, and lets all others be.

Playwright's own `page.route` stops every request of the page, and takes its cache away: each page that is loaded then
costs a second of processor time, as all of its scripts are fetched and compiled anew.
"""

from __future__ import annotations

import base64
import json as _json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

from playwright.sync_api import CDPSession, Page

HISTORY = "*/api/paliadin/history?*"
EVENTS = "*/api/paliadin/events?*"
HEALTH = "*/api/paliadin/health*"
LIST = "*/api/paliadin/conversations"


@dataclass(frozen=True)
class Paused:
    """A request of the page that waits for one of these."""

    session: CDPSession
    event: Mapping[str, Any]

    @property
    def url(self) -> str:
        return str(self.event["request"]["url"])

    @property
    def method(self) -> str:
        return str(self.event["request"]["method"])

    @property
    def body(self) -> Any:
        """What it sends, as JSON."""
        return _json.loads(self.event["request"]["postData"])

    def fulfill(self, *, json: object, status: int = 200, headers: Mapping[str, str] | None = None) -> None:
        all_headers = {"Content-Type": "application/json", **(headers or {})}
        self.session.send(
            "Fetch.fulfillRequest",
            {
                "requestId": self.event["requestId"],
                "responseCode": status,
                "responseHeaders": [{"name": name, "value": value} for name, value in all_headers.items()],
                "body": base64.b64encode(_json.dumps(json).encode()).decode(),
            },
        )

    def go_on(self, url: str | None = None) -> None:
        """Let the daemon answer, at another address of its own if there is one."""
        self.session.send("Fetch.continueRequest", {"requestId": self.event["requestId"], "url": url or self.url})

    def fetch_from(self, url: str) -> None:
        """Let a server of the test's answer; the page does not know."""
        tests_own.add(url.partition("?")[0])
        self.session.send("Fetch.continueRequest", {"requestId": self.event["requestId"], "url": url})


Handler = Callable[[Paused], None]

tests_own: set[str] = (
    set()
)  # addresses of requests that the tests have sent elsewhere: at times they are told of as such
_sessions: WeakKeyDictionary[Page, dict[str, CDPSession]] = WeakKeyDictionary()


def intercept(page: Page, pattern: str, handler: Handler) -> None:
    """Hand this page's requests to the handler; in the pattern `*` stands for any text. A later handler replaces it."""
    release(page, pattern)
    session = page.context.new_cdp_session(page)

    def answer(event: Mapping[str, Any]) -> None:
        asked = {name.lower(): value for name, value in event["request"]["headers"].items()}
        if event["request"]["method"] == "OPTIONS":  # of another origin's page, before the request itself
            allowed = {"origin": asked["origin"], "headers": asked.get("access-control-request-headers", "")}
            headers = {f"Access-Control-Allow-{name}": value for name, value in allowed.items()}
            Paused(session, event).fulfill(json=None, headers=headers)
        else:
            handler(Paused(session, event))

    session.on("Fetch.requestPaused", answer)
    session.send("Fetch.enable", {"patterns": [{"urlPattern": pattern.replace("?", "\\?")}]})
    _sessions.setdefault(page, {})[pattern] = session


def release(page: Page, pattern: str | None = None) -> None:
    """Let the page's requests of this pattern, or of all, be again."""
    sessions = _sessions.get(page, {})
    for each in [pattern] if pattern else list(sessions):
        if session := sessions.pop(each, None):
            session.detach()
