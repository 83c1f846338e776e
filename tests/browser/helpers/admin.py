"""The dashboard over a database of a test's own, served with the real gate before it; no daemon, no Claude."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
from collections.abc import AsyncIterator, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple, cast

import uvicorn
from playwright.sync_api import BrowserContext

from paliadin.base.loopback_sockets import listen
from paliadin.base.settings import load_settings
from paliadin.operations.metrics import Metrics
from paliadin.parts.loading import House, load_parts
from paliadin.people.access import Access
from paliadin.record.database_startup import Tables
from paliadin.record.store import Store
from paliadin.web.app import Api, create_app
from paliadin.web.dashboard.routes import Dashboard
from paliadin.web.peer_daemons import Peers
from paliadin.web.sign_in import COOKIE


class Served(NamedTuple):
    """The page's own address, at which the dashboard is /admin/paliadin, and the cookie of a browser signed in."""

    url: str
    cookie: str

    def sign_in(self, context: BrowserContext) -> None:
        context.add_cookies([{"name": COOKIE, "value": self.cookie, "url": self.url}])


@contextlib.contextmanager
def dashboard(conninfo: str, home: Path, **options: str) -> Iterator[Served]:
    """The dashboard, served while the block runs; with PALIAD="true" that of a practice, without anything in it yet."""
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    access = Access(home)
    values = {"HOME": str(home), "PORT": "0", "TIMEZONE": "Europe/Berlin", **options}
    listeners = listen(load_settings({f"PALIADIN_{name}": value for name, value in values.items()}))
    port = listeners[0].getsockname()[1]
    settings = load_settings({f"PALIADIN_{name}": value for name, value in (values | {"PORT": str(port)}).items()})
    store, nothing = Store(), cast("Any", None)  # the pages of the record need neither turns nor history
    more = load_parts(House(settings, access.people, access.people.id_of, Store()))
    parts = Dashboard.of(settings, store, more.cards), Metrics(), Peers(settings, store), access
    api = Api(settings, nothing, nothing, nothing, *parts, nothing, nothing, nothing)
    ready, stop = threading.Event(), threading.Event()
    tables: list[Tables] = [store, *more.tables]
    serving = _serve(api, _connected(tables, conninfo), listeners, ready, stop)
    thread = threading.Thread(target=lambda: asyncio.run(serving))
    thread.start()
    assert ready.wait(20)
    try:
        cookie = access.sign_in(access.new_ticket(), "the tests")
        assert cookie
        yield Served(f"http://{access.label}.localhost:{port}", cookie)
    finally:
        stop.set()
        thread.join(20)
        for listener in listeners:
            listener.close()


@contextlib.asynccontextmanager
async def _connected(tables: Sequence[Tables], conninfo: str) -> AsyncIterator[None]:
    async with contextlib.AsyncExitStack() as stack:
        for each in tables:
            await stack.enter_async_context(each.connected(conninfo))
        yield


async def _serve(
    api: Api,
    connected: contextlib.AbstractAsyncContextManager[None],
    listeners: list[socket.socket],
    ready: threading.Event,
    stop: threading.Event,
) -> None:
    server = uvicorn.Server(uvicorn.Config(create_app(api), access_log=False, log_config=None, lifespan="off"))
    async with connected:
        serving = asyncio.create_task(server.serve(listeners))
        ready.set()
        while not stop.is_set():
            await asyncio.sleep(0.01)
        server.should_exit = True
        await serving
