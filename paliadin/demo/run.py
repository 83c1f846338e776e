"""The demo: the whole daemon and the real Claude Code, with a script in place of the model; no account, no network."""

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
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from paliadin.base import logs, umask
from paliadin.base.errors import TmuxUnresponsive
from paliadin.base.settings import PREFIX, Settings, ensure_home, load_settings, resource_folder
from paliadin.base.settings_values import MESSAGES
from paliadin.daemon import serve
from paliadin.demo import office, script
from paliadin.demo.private_home import private_environment
from paliadin.demo.scripted_api import ScriptedApi
from paliadin.people.access import Access, Purpose
from paliadin.postgres.cluster import locate_cluster, remove_database
from paliadin.relays.terminal.tmux import TmuxServer
from paliadin.web.sign_in import page_address

INHERITED = (
    "CLAUDE",
    "PORT",
    "ALLOWED_ORIGINS",
    "LIVE",
    "CAPTURE",
    "RELAY",
)  # settings that the demo takes from the environment

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Addresses:
    """The addresses that the demo prints once it runs. Each of the page's lets one browser in, once."""

    page: str
    member_page: str  # for somebody of the practice, who sees less than the owner
    member: str  # their name
    example: str  # the application with the drawer, in which one chooses who one is
    home: Path  # PALIADIN_HOME


Announce = Callable[[Addresses], None]


def run(port: int | None, *, announce: Announce) -> None:
    """Serve the demo, and the application with the drawer in `examples/host`, until SIGINT or SIGTERM.

    The state is in a temporary folder, which is removed at the end.
    """
    umask.make_private()
    logs.configure(level=logging.WARNING)
    overrides = {name: os.environ[PREFIX + name] for name in INHERITED if PREFIX + name in os.environ}
    overrides |= {} if port is None else {"PORT": str(port)}
    # The name is short because the path of a Unix socket in it may have 100 characters at most.
    folder = Path(tempfile.mkdtemp(prefix="paliadin-"))
    try:
        with contextlib.suppress(asyncio.CancelledError):
            asyncio.run(_serve(folder, overrides, announce))
    finally:
        remove_database(folder / "state")
        try:
            shutil.rmtree(folder)
        except OSError as error:
            log.warning("The folder of the demo is still there: %s. Remove %s.", error, folder)


async def _serve(folder: Path, overrides: dict[str, str], announce: Announce) -> None:
    workdir = folder / "office"
    shutil.copytree(script.SAMPLE, workdir)
    values = _first_values(folder, workdir) | overrides
    settings = _settings(values)
    practice = office.make_office(datetime.now().astimezone().date())
    questions = script.questions(*office.file_numbers(practice, office.MEMBER))
    with ScriptedApi(script.play, script.MODEL).running() as base_url, _example(settings.port or 0) as example:
        origins = ",".join([example.origin, *settings.allowed_origins])
        values |= {"ALLOWED_ORIGINS": origins}
        values |= dict.fromkeys(("APPLICATION", "PEOPLE_ORIGINS", "PERMISSION_ORIGINS"), example.origin)
        if settings.relay == MESSAGES:
            questions = script.without_files(questions)
            values |= {"API_URL": base_url, "API_KEY": "no-key-needed", "API_MODEL": "scripted", "FIRM": office.FIRM}
        settings = _settings(values)

        ensure_home(settings)
        access = Access(settings.home, settings.token)
        example.key = access.add_key("example", Purpose.EMBED)
        office.let_in(practice, access.people)

        def ready(url: str) -> None:
            at = replace(settings, port=urlsplit(url).port)
            database = locate_cluster(settings.home).conninfo
            office.insert(practice, database)
            example.paliadin = example.widget = at.base_url
            example.database = database
            announce(_addresses(url, at, access, example.origin))

        environment = private_environment(folder / "home", workdir, base_url)
        try:
            await serve(settings, announce=ready, environment=environment, demo_questions=questions, access=access)
        finally:
            _end_terminal(settings)


def _first_values(folder: Path, workdir: Path) -> dict[str, str]:
    """Return the values of the settings that are known before anything runs, by their names without the prefix."""
    return {
        "HOME": str(folder / "state"),
        "WORKDIR": str(workdir),
        "TMUX_SOCKET": f"paliadin-demo-{os.getpid()}",
        "CHIPS": script.CHIPS,
        "ROUTES": script.ROUTES,
        "LIVE": "true",
        "PALIAD": "true",
    }


def _addresses(url: str, settings: Settings, access: Access, example: str) -> Addresses:
    member = access.people.known(office.MEMBER)
    member_page = page_address(settings, access, access.new_ticket(member.id))
    return Addresses(url, member_page, member.name, f"{example}/login", settings.home)


def _settings(values: dict[str, str]) -> Settings:
    return load_settings({PREFIX + key: value for key, value in values.items()})


@contextlib.contextmanager
def _example(port: int) -> Iterator[Any]:
    """Run the example application on the next port, or on any free one; yields its server."""
    spec = importlib.util.spec_from_file_location("paliadin_example", resource_folder("examples") / "host" / "app.py")
    assert spec is not None  # noqa: S101  # the path ends in .py
    assert spec.loader is not None  # noqa: S101
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # its dataclasses look there
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
        TmuxServer(settings.tmux_socket, settings.tmux_session).kill_server()
