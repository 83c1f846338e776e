"""A page's stream in a test: left out in part, where a test answers for the daemon, or begun anew."""

from __future__ import annotations

import json
import re

from playwright.sync_api import BrowserContext, Page, Request, Route

from tests.browser.helpers import interception
from tests.browser.helpers.interception import intercept
from tests.worlds.world import eventually

EVENTS = "**/api/paliadin/events?*"
MOST_TOLD = 5  # times that the same is told


def leave_out(browser: Page | BrowserContext, *parts: str) -> None:
    """Let the stream tell nothing of these parts: `list`, `state`, `health`. The test itself answers for them."""

    def without(url: str) -> str:
        for part in parts:
            url = re.sub(rf"([?&]{part}=)[^&]*", r"\1off", url)
        return url

    if isinstance(browser, Page):
        intercept(browser, interception.EVENTS, lambda request: request.go_on(without(request.url)))
    else:
        browser.route(EVENTS, lambda route: route.fallback(url=without(route.request.url)))


def look(page: Page) -> None:
    """Let the page's stream tell of a change in its conversation, so that it reads the history again."""
    tell(page, "conversation", version="another")


def tell(page: Page, event: str, **data: object) -> None:
    """Let the page's stream tell this, and begin anew after it.

    The page may begin its stream anew at that moment by itself: what was told over the one before, it has not heard.
    """
    asked: list[Request] = []
    ended: dict[Request, bool] = {}

    def told(route: Route) -> None:
        asked.append(route.request)
        body = f"event: {event}\ndata: {json.dumps(data)}\n\n"
        route.fulfill(body=body, content_type="text/event-stream", headers={"Access-Control-Allow-Origin": "*"})

    def finished(request: Request) -> None:
        ended[request] = True

    def failed(request: Request) -> None:
        ended[request] = False

    page.on("requestfinished", finished)
    page.on("requestfailed", failed)
    for _ in range(MOST_TOLD):
        page.route(EVENTS, told, times=1)
        begin_anew(page)
        eventually(lambda: page.title() is not None and asked and asked[-1] in ended, what=f"{event} is told")
        if ended[asked[-1]]:
            break
    page.remove_listener("requestfinished", finished)
    page.remove_listener("requestfailed", failed)


def begin_anew(page: Page) -> None:
    """Let the page open its stream anew."""
    page.evaluate("dispatchEvent(new Event('online'))")
