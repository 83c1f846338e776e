"""The main job with no account and no network: everything real, only the model behind Claude Code is a script."""

from __future__ import annotations

import asyncio
import contextlib
import importlib.util
import logging
import os
import shutil
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

from paliadin.config import PREFIX, Settings, load_settings, resource
from paliadin.daemon import serve
from paliadin.errors import TmuxUnresponsive
from paliadin.relay.tmux import Terminal
from paliadin.scripted import demo as script
from paliadin.scripted.home import private_environment
from paliadin.scripted.server import ScriptedApi
from paliadin.store.cluster import remove_database

PASSED_ON = ("CLAUDE", "PORT", "ALLOWED_ORIGINS")  # settings of the caller's that count here, too

Announce = Callable[[str, str, Path], None]
"""Gets the address with the token, that of the example application, and HOME."""


def run(port: int | None, *, announce: Announce) -> None:
    """Serve the demo, and the application in `examples/host` that holds the drawer, until SIGINT or SIGTERM.

    Its state lives in a temporary folder, removed at the end.
    """
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr, format="%(levelname)s %(name)s: %(message)s")
    given = {name: os.environ[PREFIX + name] for name in PASSED_ON if PREFIX + name in os.environ}
    given |= {} if port is None else {"PORT": str(port)}
    # A short name: the path of a Unix socket below it may have 100 characters.
    folder = Path(tempfile.mkdtemp(prefix="paliadin-"))
    try:
        with contextlib.suppress(asyncio.CancelledError):
            asyncio.run(_serve(folder, given, announce))
    finally:
        remove_database(folder / "state")
        shutil.rmtree(folder, ignore_errors=True)


async def _serve(folder: Path, given: dict[str, str], announce: Announce) -> None:
    workdir = folder / "office"
    shutil.copytree(script.SAMPLE, workdir)
    name = f"paliadin-demo-{os.getpid()}"
    own = {"HOME": str(folder / "state"), "WORKDIR": str(workdir), "TMUX_SOCKET": name, "CHIPS": script.CHIPS}
    settings = _settings(own | given)
    with ScriptedApi(script.play, script.MODEL).running() as base_url, _example(settings.port) as example:
        origins = ",".join([example.origin, *settings.allowed_origins])
        settings = _settings(own | given | {"ALLOWED_ORIGINS": origins, "APPLICATION": example.origin})

        def ready(url: str) -> None:
            at = urlsplit(url)
            example.paliadin = example.widget = f"{at.scheme}://{at.netloc}"
            example.token = parse_qs(at.query)["token"][0]
            announce(url, example.origin, settings.home)

        environment = private_environment(folder / "home", workdir, base_url)
        try:
            await serve(settings, announce=ready, environment=environment, questions=script.QUESTIONS)
        finally:
            _end_terminal(settings)


def _settings(values: dict[str, str]) -> Settings:
    return load_settings({PREFIX + key: value for key, value in values.items()})


@contextlib.contextmanager
def _example(port: int) -> Iterator[Any]:
    """The example application's server, on the next port, or on any that is free."""
    spec = importlib.util.spec_from_file_location("paliadin_example", resource("examples") / "host" / "app.py")
    assert spec is not None  # noqa: S101  # the path ends in .py
    assert spec.loader is not None  # noqa: S101
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    try:
        server = module.Host(port and port + 1, "", "")
    except (OSError, OverflowError):
        server = module.Host(0, "", "")
    with server:
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        try:
            yield server
        finally:
            server.shutdown()


def _end_terminal(settings: Settings) -> None:
    with contextlib.suppress(TmuxUnresponsive):  # it has ended already
        Terminal(settings.tmux_socket, settings.tmux_session).kill_server()
