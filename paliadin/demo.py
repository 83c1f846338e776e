"""The main job with no account and no network: everything real, only the model behind Claude Code is a script."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from paliadin.config import PREFIX, Settings, load_settings
from paliadin.daemon import serve
from paliadin.errors import TmuxUnresponsive
from paliadin.relay.tmux import Terminal
from paliadin.scripted import demo as script
from paliadin.scripted.home import private_environment
from paliadin.scripted.server import ScriptedApi
from paliadin.store.cluster import remove_database

PORT = 8724


def run(port: int | None, *, announce: Callable[[str, Path], None]) -> None:
    """Serve the demo until SIGINT or SIGTERM; its state lives in a temporary folder, removed at the end.

    `announce` gets the address with the token, and HOME.
    """
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr, format="%(levelname)s %(name)s: %(message)s")
    claude = {PREFIX + "CLAUDE": os.environ[PREFIX + "CLAUDE"]} if PREFIX + "CLAUDE" in os.environ else {}
    # A short name: the path of a Unix socket below it may have 100 characters.
    folder = Path(tempfile.mkdtemp(prefix="paliadin-"))
    try:
        with contextlib.suppress(asyncio.CancelledError):
            asyncio.run(_serve(folder, PORT if port is None else port, claude, announce))
    finally:
        remove_database(folder / "state")
        shutil.rmtree(folder, ignore_errors=True)


async def _serve(folder: Path, port: int, claude: dict[str, str], announce: Callable[[str, Path], None]) -> None:
    workdir = folder / "office"
    shutil.copytree(script.SAMPLE, workdir)
    name = f"paliadin-demo-{os.getpid()}"
    values = {"HOME": str(folder / "state"), "WORKDIR": str(workdir), "PORT": str(port), "TMUX_SOCKET": name}
    settings = load_settings({PREFIX + key: value for key, value in values.items()} | claude)
    with ScriptedApi(script.play, script.MODEL).running() as base_url:
        environment = private_environment(folder / "home", workdir, base_url)
        try:
            await serve(
                settings,
                announce=lambda url: announce(url, settings.home),
                environment=environment,
                questions=script.QUESTIONS,
            )
        finally:
            _end_terminal(settings)


def _end_terminal(settings: Settings) -> None:
    with contextlib.suppress(TmuxUnresponsive):  # it has ended already
        Terminal(settings.tmux_socket, settings.tmux_session).kill_server()
