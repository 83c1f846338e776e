"""Claude Code's status line: it gives its figures to a hook of ours, which also runs the owner's own status line.

Ours takes the place of the owner's (2.1.197, 2.1.330), so theirs is looked up when Claude is started, as Claude Code
would: in the user's settings, then in the project's, then in the local ones of the working folder. It runs only where
Claude Code would run it, in a terminal whose owner has trusted the folder.
"""

from __future__ import annotations

import json
import os
import shlex
from collections.abc import Mapping
from pathlib import Path

from paliadin.base.files import read_regular
from paliadin.base.settings import Settings

SCRIPT = "hooks/status.sh"
MAX_SETTINGS = 1024 * 1024  # bytes of a settings file
LONGEST_COMMAND = 10_000  # characters; it becomes an environment variable
# How Claude Code draws and calls it. An infinite number makes `--settings` no JSON, and it ends; for a value of
# another kind it opens a dialog, which says that all of these settings are skipped (2.1.197, 2.1.330).
_NUMBERS = {"padding": (0, 1000), "refreshInterval": (1, 1_000_000)}
_SWITCH = "hideVimModeIndicator"


def setting(plugin: Path, owners: Mapping[str, object]) -> dict[str, object]:
    """Build the setting `statusLine` that runs our hook, with the other fields of the owner's."""
    script = shlex.quote(str(plugin / SCRIPT))
    options = {key: owners[key] for key, bounds in _NUMBERS.items() if _is_within(owners.get(key), bounds)}
    options |= {_SWITCH: owners[_SWITCH]} if isinstance(owners.get(_SWITCH), bool) else {}
    return {"type": "command", "command": f"[ -r {script} ] && command . {script}; exit 0", **options}


def environment(owners: Mapping[str, object], run: int) -> dict[str, str]:
    """Build the variables that the hook reads; `run` tells one process of Claude Code from another."""
    command = owners.get("command")
    return {"PALIADIN_HOOK_RUN": str(run), "PALIADIN_HOOK_STATUS_LINE": command if isinstance(command, str) else ""}


def owners_status_line(settings: Settings, environ: Mapping[str, str] | None) -> Mapping[str, object]:
    """Return the owner's own setting `statusLine`, {"command", …}; empty if there is none. `environ`: Claude's."""
    environ = os.environ if environ is None else environ
    folder = environ.get("CLAUDE_CONFIG_DIR") or str(Path(environ.get("HOME") or Path.home()) / ".claude")
    project = settings.workdir / ".claude"
    files = (Path(folder) / "settings.json", project / "settings.json", project / "settings.local.json")
    merged: dict[str, object] = {}
    are_off = False
    for values in map(_read, files):
        status_line, off = values.get("statusLine"), values.get("disableAllHooks")
        merged |= status_line if isinstance(status_line, dict) else {}
        are_off = off if isinstance(off, bool) else are_off
    command = merged.get("command")
    fits = isinstance(command, str) and 0 < len(command) <= LONGEST_COMMAND and "\0" not in command
    return merged if fits and merged.get("type") == "command" and not are_off else {}


def _is_within(value: object, bounds: tuple[int, int]) -> bool:
    """True for a number within the bounds; false for an infinite one, which a settings file can hold as 1e999."""
    return isinstance(value, int | float) and not isinstance(value, bool) and bounds[0] <= value <= bounds[1]


def _read(path: Path) -> dict[str, object]:
    """Read a settings file; empty for one that is missing, damaged, very large, or no file."""
    try:
        values = json.loads((read_regular(path, MAX_SETTINGS) or b"{}").decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return {}
    return values if isinstance(values, dict) else {}
