"""Claude Code's sandbox, which hides Paliadin's own files from every command: when it is used, and whether it can be.

In its working folder Claude Code reads without asking, with `grep -r` also what a deny rule names. The sandbox makes
what the rules name invisible, and everything outside the working folder read-only. Measured with 2.1.197 and 2.1.330.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from paliadin.base.errors import ConfigError
from paliadin.base.settings import Settings

PROGRAMS = {"bwrap": "bubblewrap", "socat": "socat"}  # program → Debian's package
TRY = ("--ro-bind", "/", "/", "--unshare-user", "--unshare-pid", "--unshare-net", "--dev", "/dev", "--proc", "/proc")
TIMEOUT = 10  # seconds for bubblewrap to run `true`
_GLOB = re.compile(r"[*?\[\]{}()!\\]")  # Claude Code 2.1.197 takes such a path for a pattern, and hides nothing

OPTIONS: Mapping[str, Any] = {
    "enabled": True,
    "failIfUnavailable": True,
    "autoAllowBashIfSandboxed": False,
    "allowUnsandboxedCommands": False,
    "network": {"allowedDomains": ["*"]},  # with others, a dialog opens that no hook reports
}
"""What Claude Code's settings say under `sandbox`."""


def exposed(settings: Settings) -> list[Path]:
    """The paths with Paliadin's own files that are in Claude's working folder, so that its commands could read them."""
    folder = settings.workdir.resolve()
    paths = dict.fromkeys(path.resolve() for path in settings.own_paths)
    return [path for path in paths if path.is_relative_to(folder)]


def is_wanted(settings: Settings) -> bool:
    """True if Claude is to run in the sandbox: as PALIADIN_SANDBOX says or, without it, if something is exposed."""
    return bool(exposed(settings)) if settings.sandbox is None else settings.sandbox


def check(settings: Settings, path: str | None = None) -> None:
    """Raise ConfigError if the sandbox is wanted and cannot be had. `path`: Claude's PATH, or this process's."""
    if not is_wanted(settings) or (reason := _obstacle(settings, path)) is None:
        return
    if settings.sandbox:
        raise ConfigError(
            f"PALIADIN_SANDBOX is set, but {reason}", hint="`apt install bubblewrap socat`, or unset PALIADIN_SANDBOX."
        )
    inside = ", ".join(map(str, exposed(settings)))
    raise ConfigError(
        f"Claude's working folder {settings.workdir} holds Paliadin's own files ({inside}), which commands could read "
        f"without asking; and the sandbox that hides them is not to be had: {reason}",
        hint="Name another working folder (--workdir, PALIADIN_WORKDIR); or `apt install bubblewrap socat`; or, if "
        "Claude may read them, set PALIADIN_SANDBOX=false (`paliadin up --no-sandbox`).",
    )


def _obstacle(settings: Settings, path: str | None) -> str | None:
    """Why the sandbox would not work here, as a part of a sentence; None if it does."""
    odd = next((path for path in settings.own_paths if _GLOB.search(str(path))), None)
    if odd is not None:
        return f"it cannot hide a path with brackets or wildcards: {odd}"
    if sys.platform == "darwin":  # it is a part of macOS
        return None
    path = os.environ.get("PATH") if path is None else path
    missing = [package for program, package in PROGRAMS.items() if shutil.which(program, path=path) is None]
    if missing:
        return f"not installed: {', '.join(missing)}"
    command = [str(shutil.which("bwrap", path=path)), *TRY, "true"]
    try:
        tried = subprocess.run(command, check=False, capture_output=True, text=True, timeout=TIMEOUT)
    except subprocess.TimeoutExpired:
        return "bubblewrap does not respond"
    return None if tried.returncode == 0 else f"bubblewrap says: {tried.stderr.strip()[:200]}"
