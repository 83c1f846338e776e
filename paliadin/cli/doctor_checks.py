"""Checks of `paliadin doctor`: access, database, daemon.

The checks of the machine itself are in `paliadin.relays.terminal.requirements`; these follow the same rules.
"""

from __future__ import annotations

import asyncio
import os
import stat
import tempfile
from pathlib import Path

from paliadin.base.loopback_sockets import listen
from paliadin.base.proxy_socket import check_proxy_socket
from paliadin.base.settings import Settings
from paliadin.cli.client import DaemonUnreachable
from paliadin.cli.commands.health import ask_health
from paliadin.cli.record import is_running
from paliadin.people.access import stored_keys
from paliadin.postgres import binaries
from paliadin.postgres.cluster import Cluster
from paliadin.record import migrate
from paliadin.relays.terminal.requirements import Part, fine, unusable, warning


def check_access(settings: Settings) -> Part:
    """Check that other accounts cannot read who may come in, and that PALIADIN_TOKEN is not set."""
    path = settings.home / "access.json"
    if settings.token:
        message = "PALIADIN_TOKEN is in plain text where Claude can read it; it lets applications and Prometheus in"
        return warning("access", message, "Give each of them a key with `paliadin token add`, then remove the setting.")
    if not path.is_file():
        return fine("access", "will be made at the first start")
    mode = stat.S_IMODE(path.stat().st_mode)
    if mode & 0o077:
        hint = f"Run `chmod 600 {path}`."
        return unusable("access", f"other accounts can read {path} ({mode:o})", hint) | {"state": "exposed"}
    stored_keys(settings.home)
    return fine("access", str(path))


def check_database(settings: Settings) -> Part:
    """Check that the database can be reached or, for the embedded one, that Postgres is installed."""
    return _named_server(settings.database_url) if settings.database_url else _embedded(settings.home)


def _named_server(conninfo: str) -> Part:
    pending = [item.name for item in migrate.status(conninfo) if item.applied_at is None]
    if pending:
        message = f"PALIADIN_DATABASE_URL is reachable; {len(pending)} migrations are not applied yet"
        return warning("database", message, "The next start applies them, as does `paliadin migrate up`.")
    return fine("database", "PALIADIN_DATABASE_URL is reachable")


def _embedded(home: Path) -> Part:
    account = binaries.Account.of(os.geteuid())
    cluster = Cluster(home / "postgres", account)
    if is_running(cluster):
        return fine("database", f"the embedded Postgres {cluster.major} runs")
    with tempfile.TemporaryDirectory() as unused:
        programs = binaries.find(account, Path(unused), cluster.major)
    return fine("database", f"Postgres {programs.major} in {programs.folder}")


def check_daemon(settings: Settings) -> Part:
    """Check the running daemon's health; if none runs, that its port and its socket's path are free."""
    try:
        body = asyncio.run(ask_health(settings))
    except DaemonUnreachable as error:
        return warning("daemon", f"{error.message}; {_check_free(settings)} free", error.hint)
    hosts = [part["name"] for part in body["parts"] if str(part["name"]).startswith("host ")]
    troubles = [part for part in body["parts"] if not part["ok"]]
    if troubles:
        message = f"runs at {settings.base_url}, with trouble: {troubles[0]['name']}: {troubles[0]['message']}"
        return warning("daemon", message, str(troubles[0]["hint"]) or "See `paliadin health`.")
    also = f", connected to {', '.join(name.removeprefix('host ') for name in hosts)}" if hosts else ""
    return fine("daemon", f"runs at {settings.base_url}{also}")


def _check_free(settings: Settings) -> str:
    """Check that a daemon could listen, and say where; raises ConfigError."""
    places = []
    if listeners := listen(settings):
        for listener in listeners:
            listener.close()
        places.append(f"port {settings.port}")
    if settings.socket:
        check_proxy_socket(settings.socket, settings.home)
        places.append(str(settings.socket))
    return " and ".join(places) + (" are" if len(places) > 1 else " is")
