"""Checks of what a relay needs on its machine. `doctor` runs them here, the shim on a remote host.

Each check returns the state of one part, or raises PaliadinError or OSError. None changes anything.
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

from paliadin.base import umask
from paliadin.base.errors import NotLoggedIn, PaliadinError, StorageFull
from paliadin.base.running_daemon import is_running
from paliadin.base.settings import Settings, resource_folder
from paliadin.relays.terminal import sandbox
from paliadin.relays.terminal.claude import check_login, find_claude
from paliadin.relays.terminal.claude_version import parse_version, too_old_error, untested_warning

Part = dict[str, Any]
"""One part of a report: {"name", "ok", "state", "message", "hint"}, as in `GET /health`."""

MIN_PYTHON = (3, 11)
MIN_TMUX = (3, 2)
TIMEOUT = 15  # seconds for a program to print its version
INSTALL_TMUX = "Install tmux 3.2 or newer: `apt install tmux`, `dnf install tmux`, `brew install tmux`."
MIN_FREE_BYTES = 200 * 1024 * 1024  # bytes on the disk that holds PALIADIN_HOME


def fine(name: str, message: str) -> Part:
    """Build the state of a part in order."""
    return {"name": name, "ok": True, "state": "ok", "message": message, "hint": ""}


def warning(name: str, message: str, hint: str) -> Part:
    """Build the state of a part that needs attention, though Paliadin runs without it."""
    return {"name": name, "ok": True, "state": "warning", "message": message, "hint": hint}


def failed(name: str, error: PaliadinError) -> Part:
    """Build the state of a part whose check raised an error: the error's code."""
    return {"name": name, "ok": False, "state": error.code, "message": error.message, "hint": error.hint}


def unusable(name: str, message: str, hint: str) -> Part:
    """Build the state of a part that Paliadin cannot run without, and that is absent or unusable."""
    return {"name": name, "ok": False, "state": "missing", "message": message, "hint": hint}


def check_python() -> Part:
    """Check Python's version."""
    version = f"{sys.version_info.major}.{sys.version_info.minor}.{sys.version_info.micro}"
    if sys.version_info < MIN_PYTHON:
        return unusable("python", f"{version} is too old", "Install Python 3.11 or newer.")
    return fine("python", f"{version}, {sys.executable}")


def check_tmux() -> Part:
    """Check that tmux is installed, and new enough."""
    version = _version("tmux", "-V")
    if version is None:
        return unusable("tmux", "tmux is not installed, or does not run", INSTALL_TMUX)
    number = re.search(r"(\d+)\.(\d+)", version)
    if number and (int(number[1]), int(number[2])) < MIN_TMUX:
        return unusable("tmux", f"{version} is too old", INSTALL_TMUX)
    return fine("tmux", version)


def check_plugin() -> Part:
    """Check that the package holds the files of the plugin that Claude loads."""
    folder = resource_folder("skill")
    files = (".claude-plugin/plugin.json", "skills/paliadin/SKILL.md", "hooks/hooks.json", "hooks/log_event.py")
    absent = [name for name in files if not (folder / name).is_file()]
    if absent:
        return unusable("plugin", f"{folder} has no {', '.join(absent)}", "Install Paliadin again.")
    return fine("plugin", str(folder))


def check_configuration(settings: Settings) -> Part:
    """Report that the settings could be read, and those that matter for Claude."""
    if not settings.enabled:
        return warning("configuration", "PALIADIN_ENABLED is false: no page is served", "Set it to true.")
    sandbox.check(settings)
    inside = ", in its sandbox" if sandbox.is_wanted(settings) else ""
    message = f"Claude works in {settings.workdir}{inside}, permission mode {settings.permission_mode}"
    if settings.sandbox is False and (exposed := sandbox.exposed(settings)):
        hint = (
            f"Name another folder with --workdir, or unset PALIADIN_SANDBOX: it can read {exposed[0]} without asking."
        )
        return warning("configuration", message, hint)
    return fine("configuration", message)


def check_claude(settings: Settings, *, login: bool = False) -> Part:
    """Check that Claude Code runs, is new enough, and has somebody logged in.

    The login is checked when `login` is true, or when no daemon runs: a running daemon's Claude may have another
    environment than this process, and its health reports the login.
    """
    program = find_claude(settings)
    version = _version(program, "--version")
    if version is None:
        return unusable("claude", f"{program} does not run", f"Try `{program} --version`; install Claude Code again.")
    if error := too_old_error(parse_version(version)):
        return failed("claude", error) | {"message": f"{error.message}: {program}"}
    if (login or not is_running(settings)) and asyncio.run(check_login(settings, None)) is False:
        hint = NotLoggedIn.default_hint if is_running(settings) else f"Start `paliadin up`. {NotLoggedIn.default_hint}"
        return warning("claude", f"{version}, {program}: not logged in", hint)
    newer = untested_warning(parse_version(version))
    return fine("claude", f"{version}, {program}{newer and f'; {newer}'}")


def check_storage(settings: Settings) -> Part:
    """Check that PALIADIN_HOME can be written, by this account only, and that its disk has space."""
    home = settings.home
    if not home.exists():
        return fine("storage", f"{home} is made at the first start")
    mode = stat.S_IMODE(home.stat().st_mode)
    if not home.is_dir() or not os.access(home, os.W_OK | os.X_OK):
        return unusable("storage", f"{home} is not a folder that you can write to", "Set PALIADIN_HOME to one.")
    free = shutil.disk_usage(home).free
    if free < MIN_FREE_BYTES:
        return unusable(
            "storage",
            f"only {free // 2**20} MB are free for {home}; {MIN_FREE_BYTES // 2**20} MB are needed",
            StorageFull.default_hint,
        )
    if mode & 0o077:
        return warning("storage", f"{home} is open to other accounts ({mode:o})", f"Run `chmod 700 {home}`.")
    return fine("storage", f"{home}, {free / 2**30:.1f} GB free")


def check_hooks(settings: Settings) -> Part:
    """Check that no hook of a session has noted a failure."""
    logs = [path for path in sorted(settings.sessions_dir.glob("*/hooks.log")) if path.stat().st_size]
    if not logs:
        return fine("hooks", "none has noted a failure")
    last = max(logs, key=lambda path: path.stat().st_mtime)
    hint = f"Read {last}, and delete it when the cause is gone. Steps or texts of turns may be missing."
    return warning("hooks", f"failures are noted in {', '.join(map(str, logs))}", hint)


def run_check(name: str, check: Callable[[Settings], Part], settings: Settings) -> Part:
    """Run one check; an error that it raises becomes a failed part."""
    try:
        return check(settings)
    except PaliadinError as error:
        return failed(name, error)
    except OSError as error:
        return failed(name, PaliadinError(str(error), hint="", code="unreadable"))


def check_terminal_parts(settings: Settings) -> list[Part]:
    """Run the checks of all that Claude's terminal needs; for the verb `check` of the shim."""
    parts: dict[str, Callable[[Settings], Part]] = {
        "configuration": check_configuration,
        "claude": partial(check_claude, login=True),
        "storage": check_storage,
        "hooks": check_hooks,
    }
    return [check_tmux(), *(run_check(name, check, settings) for name, check in parts.items())]


def _version(program: str, flag: str) -> str | None:
    """Return the first line of the program's output; None when it does not run."""
    try:
        result = subprocess.run(
            [program, flag], capture_output=True, text=True, errors="replace", timeout=TIMEOUT,
            stdin=subprocess.DEVNULL, check=False, umask=umask.of_owner(),
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired):
        return None
    return next(iter(result.stdout.strip().splitlines()), None) if result.returncode == 0 else None
