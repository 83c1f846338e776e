"""Claude Code's sandbox, which hides keys and cookies from all commands: when it is used, and whether it can be.

In its working folder Claude Code reads without asking: `grep -r` reads files that a deny rule names, and `grep -R`
also follows links. The sandbox makes the files that are named here invisible, and everything outside of the working
folder read-only. Measured with 2.1.197 and 2.1.330.
"""

from __future__ import annotations

import itertools
import os
import re
import shutil
import subprocess
import sys
from collections import deque
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from paliadin.base.errors import ConfigError
from paliadin.base.settings import Settings

PROGRAMS = {"bwrap": "bubblewrap", "socat": "socat"}  # program → Debian's package
TRY = ("--ro-bind", "/", "/", "--unshare-user", "--unshare-pid", "--unshare-net", "--dev", "/dev", "--proc", "/proc")
TIMEOUT = 10  # seconds for bubblewrap to run `true`
_GLOB = re.compile(r"[*?\[\]{}()!\\]")  # Claude Code 2.1.197 takes such a path for a pattern, and hides nothing

MOST_ENTRIES = 20_000  # of the working folder that are looked at for links; it takes 0.04 s


def options(settings: Settings, environment: Mapping[str, str] | None) -> dict[str, Any]:
    """Build the value of `sandbox` in Claude Code's settings. `environment`: Claude's, by default this process's.

    Claude's transcripts are hidden from commands, too: they hold all conversations of the account.
    """
    environ = os.environ if environment is None else environment
    configuration = environ.get("CLAUDE_CONFIG_DIR") or str(Path(environ.get("HOME") or Path.home()) / ".claude")
    hidden = [path.resolve() for path in (*settings.own_paths, Path(configuration) / "projects")]
    workdir = settings.workdir.resolve()
    # With 2.1.197 a folder above a hidden one could be moved, and the hidden one with it, to where it is not hidden.
    above = [folder for path in hidden for folder in path.parents if workdir in folder.parents]
    read_only = list(map(str, dict.fromkeys([*hidden, *above])))
    return {
        "enabled": True,
        "failIfUnavailable": True,
        "autoAllowBashIfSandboxed": False,
        "allowUnsandboxedCommands": False,
        "network": {"allowedDomains": ["*"]},  # with others, a dialog opens that no hook reports
        "filesystem": {"denyRead": list(map(str, hidden)), "denyWrite": read_only},
    }


def exposed(settings: Settings) -> list[Path]:
    """Return those of Claude's forbidden paths that are in its working folder, or that a link in it leads to."""
    folder = settings.workdir.resolve()
    paths = dict.fromkeys(path.resolve() for path in settings.own_paths)
    if inside := [path for path in paths if path.is_relative_to(folder)]:
        return inside
    for target in _links_in(folder):
        if linked := [path for path in paths if path.is_relative_to(target) or target.is_relative_to(path)]:
            return linked
    return []


def _links_in(folder: Path) -> Iterator[Path]:
    """Yield the targets of the links in a folder and below it, also below targets; upper folders first."""
    waiting, looked_at, entries = deque([str(folder)]), {str(folder)}, 0
    while waiting and entries < MOST_ENTRIES:
        try:
            with os.scandir(waiting.popleft()) as listing:
                for entry in itertools.islice(listing, MOST_ENTRIES - entries):
                    entries += 1
                    path = entry.path
                    if entry.is_symlink():
                        path = os.path.realpath(path)
                        yield Path(path)
                    elif not entry.is_dir(follow_symlinks=False):
                        continue
                    if path not in looked_at:
                        looked_at.add(path)
                        waiting.append(path)
        except OSError:  # it is gone, no folder, or another account's
            continue


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
        f"Claude's working folder {settings.workdir} holds, or has links to, Paliadin's own files or a browser's "
        f"profile ({inside}), which commands could read without asking; and the sandbox that hides them is not to be "
        f"had: {reason}",
        hint="Name another working folder (--workdir, PALIADIN_WORKDIR); or `apt install bubblewrap socat`; or, if "
        "Claude may read them, set PALIADIN_SANDBOX=false (`paliadin up --no-sandbox`).",
    )


def _obstacle(settings: Settings, path: str | None) -> str | None:
    """Return why the sandbox would not work here, as a part of a sentence; None if it works."""
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
