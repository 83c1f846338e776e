"""The dashboard over a database of a test's own, served with the real gate before it; no daemon, no Claude."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import uvicorn

from paliadin.base.settings import Settings, load_settings
from paliadin.daemon import listen
from paliadin.operations.metrics import Metrics
from paliadin.people.embed_tokens import EmbedTokens
from paliadin.record.store import Store
from paliadin.web.app import Api, create_app
from paliadin.web.dashboard.routes import Dashboard
from paliadin.web.peer_daemons import Peers

TOKEN = "test-token-0123456789"


@contextlib.contextmanager
def dashboard(conninfo: str, home: Path, **options: str) -> Iterator[str]:
    """The address with the token; the pages are at /admin/paliadin."""
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    values = {"HOME": str(home), "PORT": "0", "TIMEZONE": "Europe/Berlin", **options}
    listener = listen(load_settings({f"PALIADIN_{name}": value for name, value in values.items()}))
    port = listener.getsockname()[1]
    settings = load_settings({f"PALIADIN_{name}": value for name, value in (values | {"PORT": str(port)}).items()})
    ready, stop = threading.Event(), threading.Event()
    thread = threading.Thread(target=lambda: asyncio.run(_serve(settings, conninfo, listener, ready, stop)))
    thread.start()
    assert ready.wait(20)
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        stop.set()
        thread.join(20)
        listener.close()


async def _serve(
    settings: Settings, conninfo: str, listener: socket.socket, ready: threading.Event, stop: threading.Event
) -> None:
    store = Store()
    nothing = cast("Any", None)  # the pages of the record need neither turns nor history
    record = Dashboard.of(settings, store), Metrics(), Peers(settings, TOKEN, store), EmbedTokens(TOKEN)
    api = Api(settings, nothing, nothing, nothing, *record)
    config = uvicorn.Config(create_app(api, TOKEN), access_log=False, log_config=None, lifespan="off")
    server = uvicorn.Server(config)
    async with store.connected(conninfo):
        serving = asyncio.create_task(server.serve([listener]))
        ready.set()
        while not stop.is_set():
            await asyncio.sleep(0.01)
        server.should_exit = True
        await serving
