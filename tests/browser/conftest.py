"""The page in the real Chromium, served by the real daemon, which drives the real Claude Code on a scripted model.

All tests share one daemon; each begins with a conversation of its own. Whatever a test looks at, the browser must
report no error, no violation of the content security policy, no dialog and no request to another host.
"""

from __future__ import annotations

import contextlib
import functools
import re
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Error, Page, Request, expect

from paliadin.demo.scripted_api import ScriptedApi
from tests.browser.helpers import chromium, firefox
from tests.browser.helpers.chat import Chat
from tests.browser.helpers.conversations import Listing, Made, listing
from tests.browser.helpers.drawer import Drawer, Site, serving
from tests.browser.helpers.emptying import empty
from tests.browser.helpers.firefox import Firefox
from tests.browser.helpers.interception import tests_own
from tests.browser.helpers.script import play
from tests.browser.helpers.tabs import Tabs, prepare
from tests.conftest import missing, need
from tests.integration.conftest import make_world
from tests.worlds.demo import Demo, running_demo
from tests.worlds.world import World, eventually

HERE = Path(__file__).parent
expect.set_options(timeout=30_000)
OPTIONS: dict[str, Any] = {"viewport": {"width": 1280, "height": 800}, "locale": "en-GB", "reduced_motion": "reduce"}
MAIN = "The one that is always there"  # the title of `main`


@pytest.fixture(scope="session")
def base_url() -> str:
    """In place of pytest-base-url's, which is written in a way that pytest warns about."""
    return ""


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict[str, Any]) -> dict[str, Any]:
    if chromium.find(*chromium.NAMES) is None:
        missing("chromium is not installed; `make test` installs it")
    return browser_type_launch_args | chromium.launch_options()


@pytest.fixture(scope="session")
def page_api() -> Iterator[tuple[ScriptedApi, str]]:
    """The model that plays what the page's tests ask (helpers/script.py)."""
    scripted = ScriptedApi(play)
    with scripted.running() as url:
        yield scripted, url


@pytest.fixture(scope="session")
def daemon(
    tmp_path_factory: pytest.TempPathFactory, one_claude: Path, page_api: tuple[ScriptedApi, str]
) -> Iterator[World]:
    for world in make_world(tmp_path_factory.mktemp("page"), one_claude, page_api):
        world.start()
        (world.workdir / "data.csv").write_text("id,what\nc47bd2,defence\n")
        yield world


@pytest.fixture(scope="module")
def site(
    tmp_path_factory: pytest.TempPathFactory, one_claude: Path, page_api: tuple[ScriptedApi, str]
) -> Iterator[Site]:
    """An application with the drawer in it, and a daemon of its own, which plays its scenes without Claude Code."""
    for world in make_world(tmp_path_factory.mktemp("site"), one_claude, page_api, played=True):
        with serving(world) as site:
            yield site


@pytest.fixture(scope="module")
def scripted_site(
    tmp_path_factory: pytest.TempPathFactory, one_claude: Path, api: tuple[ScriptedApi, str]
) -> Iterator[Site]:
    """One whose daemon is as `scripted_daemon`."""
    for world in make_world(tmp_path_factory.mktemp("site"), one_claude, api):
        world.scripted = True
        with serving(world) as site:
            yield site


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory, one_claude: Path) -> Iterator[Demo]:
    need("tmux")
    with running_demo(tmp_path_factory.mktemp("demo"), one_claude) as demo:
        yield demo


@pytest.fixture(scope="session")
def started(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Firefox]:
    """Firefox, once for all tests: its start takes seconds. Each module's pages are of an origin of its own."""
    with firefox.running(tmp_path_factory.mktemp("profile")) as browser:
        yield browser


@pytest.fixture(scope="session")
def scripted_daemon(
    tmp_path_factory: pytest.TempPathFactory, one_claude: Path, api: tuple[ScriptedApi, str]
) -> Iterator[World]:
    """One whose turns the public fake relay plays (tests/worlds/typed_play.py), for what is the page's own."""
    for world in make_world(tmp_path_factory.mktemp("scripted"), one_claude, api):
        world.scripted = True
        world.start()
        yield world


@pytest.fixture(scope="session")
def played_daemon(
    tmp_path_factory: pytest.TempPathFactory, one_claude: Path, page_api: tuple[ScriptedApi, str]
) -> Iterator[World]:
    """One that plays the same scenes without Claude Code (tests/worlds/played.py)."""
    for world in make_world(tmp_path_factory.mktemp("played"), one_claude, page_api, played=True):
        world.start()
        (world.workdir / "data.csv").write_text("id,what\nc47bd2,defence\n")
        yield world


@pytest.fixture
def world(request: pytest.FixtureRequest) -> Iterator[World]:
    """A daemon; at rest when the test is over. With the mark `real_claude` it drives Claude Code."""
    real = request.node.get_closest_marker("real_claude")
    yield from at_rest(request.getfixturevalue("daemon" if real else "played_daemon"))


def at_rest(daemon: World) -> Iterator[World]:
    """Lend it to a test; then nothing runs in `main`."""
    yield daemon
    if daemon.process is None:
        daemon.start()
    if running := running_turn(daemon):
        daemon.post(f"stream/{running}/abort")
        eventually(lambda: running_turn(daemon) is None, 30, "the turn is stopped")


def running_turn(daemon: World) -> str | None:
    return daemon.get("history?session_id=main&limit=1")["running_turn"]


@dataclass
class Watch:
    """What a browser must not report. A test that provokes something says so with `allow`."""

    origin: str
    allowed: list[str] = field(default_factory=list)
    reports: list[str] = field(default_factory=list)
    asked: dict[Request, str] = field(default_factory=dict)  # of the daemon's routes, with how each ended
    contexts: list[BrowserContext] = field(default_factory=list)

    def allow(self, pattern: str) -> None:
        self.allowed.append(pattern)

    def attach(self, context: BrowserContext) -> None:
        self.contexts.append(context)
        for event, listener in self._listeners.items():
            context.on(event, listener)  # type: ignore[call-overload]  # one overload for each name

    def detach(self, context: BrowserContext) -> None:
        for event, listener in self._listeners.items():
            context.remove_listener(event, listener)

    @functools.cached_property
    def _listeners(self) -> dict[str, Callable[[Any], None]]:
        return {
            "console": self._console,
            "weberror": lambda error: self.reports.append(f"uncaught: {error.error}"),
            "dialog": lambda dialog: self.reports.append(f"dialog: {dialog.message}"),
            "request": self._request,
            "response": lambda response: self._note(response.request, str(response.status)),
            "requestfailed": lambda request: self._note(request, str(request.failure)),
        }

    def troubles(self) -> list[str]:
        return [report for report in self.reports if not any(re.search(each, report) for each in self.allowed)]

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"}:
            self.reports.append(f"console: {message.text} {message.location}")

    def _request(self, request: Request) -> None:
        is_own = request.url.startswith((self.origin, "data:", f"blob:{self.origin}"))
        if not is_own and request.url.partition("?")[0] not in tests_own:
            self.reports.append(f"request: {request.url}")
        if request.url.startswith(f"{self.origin}api/"):
            path = request.url.removeprefix(self.origin)[:160]
            self.asked[request] = f"{time.monotonic():.2f} {request.method} {path} →"

    def _note(self, request: Request, outcome: str) -> None:
        if request in self.asked:
            self.asked[request] += f" {time.monotonic():.2f} {outcome}"

    def evidence(self, name: str) -> list[tuple[str, str]]:
        """(title, text) for a test that failed: what the page asked last, and what never came back."""
        now = f"now {time.monotonic():.2f}"
        requests = "\n".join([*list(self.asked.values())[-40:], now])
        pages = [page for context in self.contexts for page in context.pages]
        return [
            (f"{name}: requests of the page, in seconds", requests),
            (f"{name}: pages, in milliseconds", "\n".join(f"{page.url} {pulse(page)}" for page in pages)),
        ]


def pulse(page: Page) -> str:
    """How a page is: see watch.js."""
    try:
        state = page.wait_for_function("JSON.stringify({ now: performance.now(), ...pulse })", timeout=3_000)
        return str(state.json_value())
    except Error as error:
        return str(error)


@pytest.fixture
def watch(world: World) -> Iterator[Watch]:
    watching = Watch(f"{world.origin}/")
    yield watching
    assert watching.troubles() == []


@pytest.fixture
def new_conversation(world: World) -> None:
    """The test begins with an empty one, under a title that does not depend on what was asked in it before."""
    with world.client() as client:
        client.patch("/api/paliadin/conversations/main", json={"title": MAIN}).raise_for_status()
    empty(world)


@pytest.fixture
def new_context(
    new_context: Callable[..., BrowserContext], new_conversation: None, watch: Watch
) -> Callable[..., BrowserContext]:
    """A browser of its own, watched."""

    def watched(**options: Any) -> BrowserContext:
        context = prepare(new_context(**OPTIONS | options))
        watch.attach(context)
        return context

    return watched


def open_page(page: Page, world: World) -> Chat:
    """Open the address that the daemon printed."""
    page.goto(world.url)
    expect(page.locator(".turn:visible, .empty h2:visible").first).to_be_visible()
    return Chat(page, world)


@pytest.fixture
def opened(
    tabs: Tabs, new_context: Callable[..., BrowserContext], world: World, watch: Watch
) -> Iterator[Callable[..., Chat]]:
    """Opens the page: of each kind of browser first in the tab that all tests use, then in a browser of its own."""
    with contextlib.ExitStack() as until_the_end:

        def open_in(**options: Any) -> Chat:
            kind = OPTIONS | options
            if not tabs.are_free(kind):
                return open_page(new_context(**options).new_page(), world)
            return open_page(until_the_end.enter_context(lent_tab(tabs, watch, kind)), world)

        yield open_in


@pytest.fixture
def opened_alone(new_context: Callable[..., BrowserContext], world: World) -> Callable[..., Chat]:
    """Opens the page in a browser of the test's own, of which it may change what cannot be taken back."""
    return lambda **options: open_page(new_context(**options).new_page(), world)


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A browser of its own that is not watched."""
    context = browser.new_context(**OPTIONS)
    yield context
    context.close()


@pytest.fixture
def page(context: BrowserContext) -> Page:
    """A tab of it."""
    return context.new_page()


@pytest.fixture(scope="session")
def tabs(browser: Browser) -> Tabs:
    return Tabs(browser)


@contextlib.contextmanager
def lent_tab(tabs: Tabs, watch: Watch, options: Mapping[str, Any] = OPTIONS) -> Iterator[Page]:
    """A tab that tests are lent, watched."""
    with tabs.lend(watch.origin, options) as page:
        watch.attach(page.context)
        yield page
        watch.detach(page.context)


@pytest.fixture
def chat(tabs: Tabs, new_conversation: None, world: World, watch: Watch) -> Iterator[Chat]:
    """The page in the tab of all tests. Who changes the clock needs a browser of its own: see `new_context`."""
    with lent_tab(tabs, watch) as page:
        yield open_page(page, world)


@pytest.fixture
def visit(site: Site, browser: Browser, tabs: Tabs) -> Iterator[Callable[..., Drawer]]:
    """A browser on a page of the application, without a memory; it must report no error."""
    reports: list[str] = []
    allowed = ["ERR_INCOMPLETE_CHUNKED_ENCODING"]
    listeners: dict[str, Callable[[Any], None]] = {
        "console": lambda message: reports.append(message.text) if message.type == "error" else None,
        "pageerror": lambda error: reports.append(str(error)),
    }
    site.empty()
    with contextlib.ExitStack() as until_the_end:

        def look(path: str = "/", **options: Any) -> Drawer:
            kind = OPTIONS | options
            if tabs.are_free(kind):
                page = until_the_end.enter_context(tabs.lend(f"{site.url}/", kind))
            else:
                page = until_the_end.enter_context(browser.new_context(**kind)).new_page()
            for event, listener in listeners.items():
                page.on(event, listener)  # type: ignore[call-overload]  # one overload for each name
                until_the_end.callback(page.remove_listener, event, listener)
            drawer = Drawer(page, site, reports, allowed)
            drawer.go(path)
            return drawer

        yield look
    assert [report for report in reports if not any(word in report for word in allowed)] == []


@pytest.fixture
def made(world: World) -> Iterator[Made]:
    """Makes conversations for the test."""
    making = Made(world)
    making.clear()
    yield making
    making.clear()


@pytest.fixture
def shown(made: Made, chat: Chat) -> Listing:
    """The list at the left of the page."""
    return listing(chat)
