"""What a machine has that Claude's terminal needs: looked at by `doctor` here, and by the shim at the far end.

Each check says how one part is, or raises PaliadinError, OSError; none changes anything.
"""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from typing import Any

from paliadin.config import Settings, resource
from paliadin.errors import NotLoggedIn, PaliadinError, StorageFull
from paliadin.relay.claude import find_claude, logged_in
from paliadin.running import is_running

Part = dict[str, Any]

OLDEST_PYTHON = (3, 11)
OLDEST_TMUX = (3, 2)
PATIENCE = 15  # seconds for a program to tell its version
INSTALL_TMUX = "Install tmux 3.2 or newer: `apt install tmux`, `dnf install tmux`, `brew install tmux`."
LEAST_FREE = 200 * 1024 * 1024  # bytes on the disk that holds HOME


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


def claude(settings: Settings, *, login: bool = False) -> Part:
    """`login`: look at it in any case. A daemon that runs tells of its own, which may have another environment."""
    program = find_claude(settings)
    said = _version(program, "--version")
    if said is None:
        return missing("claude", f"{program} does not run", f"Try `{program} --version`; install Claude Code again.")
    if (login or not is_running(settings)) and asyncio.run(logged_in(settings, None)) is False:
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


def tried(name: str, check: Callable[[Settings], Part], settings: Settings) -> Part:
    try:
        return check(settings)
    except PaliadinError as error:
        return failed(name, error)
    except OSError as error:
        return failed(name, PaliadinError(str(error), hint="", code="unreadable"))


def for_claude(settings: Settings) -> list[Part]:
    """What Claude's terminal needs."""
    parts: dict[str, Callable[[Settings], Part]] = {
        "configuration": configuration,
        "claude": partial(claude, login=True),
        "storage": storage,
    }
    return [tmux(), *(tried(name, check, settings) for name, check in parts.items())]


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
