"""What `doctor` looks at. Each check says how one part is, or raises PaliadinError, OSError; none changes anything."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import stat
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from paliadin.cli.client import NoDaemon
from paliadin.cli.database import runs
from paliadin.cli.health import ask_health
from paliadin.config import Settings, resource
from paliadin.daemon import listen
from paliadin.errors import NotLoggedIn, PaliadinError, StorageFull
from paliadin.health import LEAST_FREE
from paliadin.relay.claude import find_claude, logged_in
from paliadin.running import is_running
from paliadin.store import binaries, migrate
from paliadin.store.cluster import Cluster

Part = dict[str, Any]

OLDEST_PYTHON = (3, 11)
OLDEST_TMUX = (3, 2)
PATIENCE = 15  # seconds for a program to tell its version
INSTALL_TMUX = "Install tmux 3.2 or newer: `apt install tmux`, `dnf install tmux`, `brew install tmux`."


def fine(name: str, message: str) -> Part:
    return {"name": name, "ok": True, "state": "ok", "message": message, "hint": ""}


def warning(name: str, message: str, hint: str) -> Part:
    """Paliadin runs all the same."""
    return {"name": name, "ok": True, "state": "warning", "message": message, "hint": hint}


def failed(name: str, error: PaliadinError) -> Part:
    return {"name": name, "ok": False, "state": error.error_code, "message": error.message, "hint": error.hint}


def missing(name: str, message: str, hint: str) -> Part:
    return {"name": name, "ok": False, "state": "missing", "message": message, "hint": hint}


def python() -> Part:
    version = f"{sys.version_info.major}.{sys.version_info.minor}.{sys.version_info.micro}"
    if sys.version_info < OLDEST_PYTHON:
        return missing("python", f"{version} is too old", "Install Python 3.11 or newer.")
    return fine("python", f"{version}, {sys.executable}")


def tmux() -> Part:
    said = _version("tmux", "-V")
    if said is None:
        return missing("tmux", "tmux is not installed, or does not run", INSTALL_TMUX)
    number = re.search(r"(\d+)\.(\d+)", said)
    if number and (int(number[1]), int(number[2])) < OLDEST_TMUX:
        return missing("tmux", f"{said} is too old", INSTALL_TMUX)
    return fine("tmux", said)


def plugin() -> Part:
    folder = resource("skill")
    files = (".claude-plugin/plugin.json", "skills/paliadin/SKILL.md", "hooks/hooks.json", "hooks/record.py")
    lost = [name for name in files if not (folder / name).is_file()]
    if lost:
        return missing("plugin", f"{folder} has no {', '.join(lost)}", "Install Paliadin again.")
    return fine("plugin", str(folder))


def configuration(settings: Settings) -> Part:
    if not settings.enabled:
        return warning("configuration", "PALIADIN_ENABLED is false: no page is served", "Set it to true.")
    return fine("configuration", f"Claude works in {settings.workdir}, permission mode {settings.permission_mode}")


def claude(settings: Settings) -> Part:
    program = find_claude(settings)
    said = _version(program, "--version")
    if said is None:
        return missing("claude", f"{program} does not run", f"Try `{program} --version`; install Claude Code again.")
    if not is_running(settings) and asyncio.run(logged_in(settings, None)) is False:  # else `daemon` tells of it
        return warning("claude", f"{said}, {program}: not logged in", NotLoggedIn.default_hint)
    return fine("claude", f"{said}, {program}")


def storage(settings: Settings) -> Part:
    home = settings.home
    if not home.exists():
        return fine("storage", f"{home} is made at the first start")
    mode = stat.S_IMODE(home.stat().st_mode)
    if not home.is_dir() or not os.access(home, os.W_OK | os.X_OK):
        return missing("storage", f"{home} is not a folder that you can write to", "Set PALIADIN_HOME to one.")
    free = shutil.disk_usage(home).free
    if free < LEAST_FREE:
        return missing("storage", f"{free // 2**20} MB are free for {home}", StorageFull.default_hint)
    if mode & 0o077:
        return warning("storage", f"{home} is open to other accounts ({mode:o})", f"Run `chmod 700 {home}`.")
    return fine("storage", f"{home}, {free / 2**30:.1f} GB free")


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


def _version(program: str, flag: str) -> str | None:
    """The first line of what it says of itself; None when it does not run."""
    try:
        result = subprocess.run(
            [program, flag], capture_output=True, text=True, errors="replace", timeout=PATIENCE,
            stdin=subprocess.DEVNULL, check=False,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired):
        return None
    return next(iter(result.stdout.strip().splitlines()), None) if result.returncode == 0 else None
