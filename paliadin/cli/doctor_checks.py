"""What `doctor` looks at beside the machine: token, database, daemon. See `paliadin.machine`."""

from __future__ import annotations

import asyncio
import os
import stat
import tempfile
from pathlib import Path

from paliadin.cli.client import NoDaemon
from paliadin.cli.database import runs
from paliadin.cli.health import ask_health
from paliadin.config import Settings
from paliadin.daemon import listen
from paliadin.machine import Part, fine, missing, warning
from paliadin.store import binaries, migrate
from paliadin.store.cluster import Cluster


def token(settings: Settings) -> Part:
    path = settings.home / "token"
    if settings.token:
        return fine("token", "set by PALIADIN_TOKEN")
    if not path.is_file():
        return fine("token", "made at the first start")
    mode = stat.S_IMODE(path.stat().st_mode)
    if mode & 0o077:
        hint = f"Delete {path}: the next start makes a new one."
        return missing("token", f"other accounts can read {path} ({mode:o})", hint) | {"state": "exposed"}
    return fine("token", str(path))


def database(settings: Settings) -> Part:
    return _named_server(settings.database_url) if settings.database_url else _embedded(settings.home)


def _named_server(conninfo: str) -> Part:
    waiting = [item.name for item in migrate.status(conninfo) if item.applied_at is None]
    if waiting:
        message = f"PALIADIN_DATABASE_URL answers; {len(waiting)} migrations wait"
        return warning("database", message, "The next start applies them, as does `paliadin migrate up`.")
    return fine("database", "PALIADIN_DATABASE_URL answers")


def _embedded(home: Path) -> Part:
    account = binaries.Account.of(os.geteuid())
    place = Cluster(home / "postgres", account)
    if runs(place):
        return fine("database", f"the embedded Postgres {place.major} runs")
    with tempfile.TemporaryDirectory() as unused:
        found = binaries.find(account, Path(unused), place.major)
    return fine("database", f"Postgres {found.major} in {found.folder}")


def daemon(settings: Settings) -> Part:
    """Whether it runs and what it says of itself; else whether it could have its port."""
    try:
        body = asyncio.run(ask_health(settings))
    except NoDaemon as error:
        listen(settings).close()
        return warning("daemon", f"{error.message}; port {settings.port} is free", error.hint)
    hosts = [part["name"] for part in body["parts"] if str(part["name"]).startswith("host ")]
    troubles = [part for part in body["parts"] if not part["ok"]]
    if troubles:
        message = f"runs at {settings.base_url}, with trouble: {troubles[0]['message']}"
        return warning("daemon", message, str(troubles[0]["hint"]) or "See `paliadin health`.")
    also = f", connected to {', '.join(name.removeprefix('host ') for name in hosts)}" if hosts else ""
    return fine("daemon", f"runs at {settings.base_url}{also}")
