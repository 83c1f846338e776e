"""A page's stream in a test: left out in part, where a test answers for the daemon, or begun anew."""

from __future__ import annotations

import re

from playwright.sync_api import BrowserContext, Page, Route

EVENTS = "**/api/paliadin/events?*"


def leave_out(browser: Page | BrowserContext, *parts: str) -> None:
    """Let the stream tell nothing of these parts: `list`, `state`, `health`. The test itself answers for them."""

    def without(route: Route) -> None:
        url = route.request.url
        for part in parts:
            url = re.sub(rf"([?&]{part}=)[^&]*", r"\1off", url)
        route.fallback(url=url)

    browser.route(EVENTS, without)


def look(page: Page) -> None:
    """Let the page's stream begin anew and tell of a change in its conversation, so that it reads the history again."""
    body = 'event: conversation\ndata: {"version": "another"}\n\n'

    def changed(route: Route) -> None:
        route.fulfill(body=body, content_type="text/event-stream", headers={"Access-Control-Allow-Origin": "*"})

    page.route(EVENTS, changed, times=1)
    page.evaluate("dispatchEvent(new Event('online'))")
