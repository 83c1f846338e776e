"""The command `paliadin doctor`, and its checks of access, database and daemon.

The checks of the machine itself are in `paliadin.relays.terminal.requirements`; these follow the same rules.
"""

from __future__ import annotations

import os
import stat
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

import click

from paliadin.base.errors import PaliadinError
from paliadin.base.loopback_sockets import listen
from paliadin.base.proxy_socket import check_proxy_socket
from paliadin.base.running_daemon import load_daemon_settings
from paliadin.base.settings import Settings
from paliadin.cli.client import DaemonClient, DaemonUnreachable, ask_daemon
from paliadin.cli.console import print_parts
from paliadin.cli.echo import echo_json
from paliadin.cli.record import is_running
from paliadin.cli.weak_points import check_weak_points
from paliadin.people.access import stored_keys
from paliadin.postgres import binaries
from paliadin.postgres.cluster import Cluster
from paliadin.record import migrate
from paliadin.relays.terminal import requirements
from paliadin.relays.terminal.requirements import Part, fine, unusable, warning

CLAUDES_OWN = frozenset({"claude", "tmux"})
"""The checks of what only a Claude Code needs: with PALIADIN_RELAY=messages they may fail, and are left out then."""


@click.command()
@click.option("--json", "as_json", is_flag=True, help='Print one JSON object: {"ok", "parts": […]}, as `health` does.')
@click.pass_context
def doctor(ctx: click.Context, as_json: bool) -> None:
    """Check this machine, and say how to fix what is wrong or weak. Needs no daemon, and changes nothing.

    Exit code: 1 if something is missing that Paliadin needs, else 0, also with warnings of what is weak.
    """
    parts = examine()
    ok = all(part["ok"] for part in parts)
    if as_json:
        echo_json({"ok": ok, "parts": parts})
    else:
        print_parts(parts)
    ctx.exit(0 if ok else 1)


def examine() -> list[Part]:
    """Check every part of this machine; those that depend on the settings only if the settings are valid."""
    parts = [requirements.check_python(), requirements.check_tmux(), requirements.check_plugin()]
    try:
        settings = load_daemon_settings()
    except PaliadinError as error:
        return [*parts, requirements.failed("configuration", error)]
    parts += [requirements.run_check(name, check, settings) for name, check in CHECKS.items()]
    needless = CLAUDES_OWN if settings.relay == "messages" else frozenset()
    return [part for part in parts if part["ok"] or part["name"] not in needless] + check_weak_points(settings)


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
        body = ask_daemon(DaemonClient.health, settings)
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


CHECKS: Mapping[str, Callable[[Settings], Part]] = {
    "configuration": requirements.check_configuration,
    "claude": requirements.check_claude,
    "storage": requirements.check_storage,
    "hooks": requirements.check_hooks,
    "access": check_access,
    "database": check_database,
    "daemon": check_daemon,
}
