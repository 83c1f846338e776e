"""The tabs that tests are lent, one after the other, each without a memory of those before.

A browser of its own costs a test up to two seconds of processor time: the page's scripts are loaded and compiled anew.
So there is one browser for each kind (a phone, one that speaks German), with a tab for each daemon: a tab that goes on
to another origin begins anew as well.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from weakref import WeakSet

from playwright.sync_api import Browser, BrowserContext, Page

from tests.browser.helpers.interception import release

HERE = Path(__file__).parent
STAYS = ("add_init_script", "expose_function", "expose_binding")  # Playwright cannot take these back
MOST_TABS = 3  # of one kind that are kept: each origin's pages have a process


_lent: WeakSet[Page] = WeakSet()


def others(page: Page) -> list[Page]:
    """The pages that were opened beside this one."""
    return [each for each in page.context.pages if each is not page and each not in _lent]


class Kind:
    """A browser with certain options, and its tabs by origin."""

    def __init__(self, context: BrowserContext) -> None:
        self.context, self.is_lent = prepare(context), False
        self.tabs: dict[str, Page] = {}
        for owner, names in ((context, STAYS), (context.clock, ["install"])):
            for name in names:
                setattr(owner, name, refuse)

    def tab(self, origin: str) -> Page:
        page = self.tabs.pop(origin, None) or self._new_tab()
        self.tabs[origin] = page
        for other in list(self.tabs)[:-MOST_TABS]:
            self.tabs.pop(other).close()
        return page

    def _new_tab(self) -> Page:
        page = self.context.new_page()
        _lent.add(page)
        for name in STAYS:
            setattr(page, name, refuse)
        return page


class Tabs:
    """All kinds that a test has asked for so far."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._kinds: dict[str, Kind] = {}

    def are_free(self, options: Mapping[str, Any]) -> bool:
        """Tell whether a tab of this kind can be lent: within a test only one is."""
        kind = self._kinds.get(_name(options))
        return kind is None or not kind.is_lent

    @contextlib.contextmanager
    def lend(self, origin: str, options: Mapping[str, Any]) -> Iterator[Page]:
        """Lend a tab of this kind: whoever changes what cannot be taken back needs a browser of their own."""
        if _name(options) not in self._kinds:
            self._kinds[_name(options)] = Kind(self._browser.new_context(**options))
        kind = self._kinds[_name(options)]
        page, kind.is_lent = kind.tab(origin), True
        viewport = options.get("viewport")
        if viewport and page.viewport_size != viewport:
            page.set_viewport_size(viewport)
        forget(page, origin)
        yield page
        for other in others(page):
            other.close()
        release(page)
        page.unroute_all(behavior="ignoreErrors")
        kind.context.unroute_all(behavior="ignoreErrors")
        page.goto("about:blank")
        kind.is_lent = False


def _name(options: Mapping[str, Any]) -> str:
    return json.dumps(options, sort_keys=True)


def prepare(context: BrowserContext) -> BrowserContext:
    for script in ("forget.js", "watch.js"):
        context.add_init_script(path=HERE / script)
    return context


def refuse(*_args: Any, **_options: Any) -> None:
    raise AssertionError("this would stay in a tab that all tests use: take a browser of your own, `new_context`")


def forget(page: Page, origin: str) -> None:
    """No cookie, no permission, the theme of the system again, and no storage when this origin's next page begins."""
    page.context.clear_cookies()
    page.context.clear_permissions()
    page.context.add_cookies([{"name": "forget", "value": "1", "url": origin}])  # forget.js takes it away
    page.emulate_media(color_scheme="light", reduced_motion="reduce")
