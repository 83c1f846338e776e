"""The version of Claude Code: of the installed program and of a running one, and whether the relay works with it."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import tempfile
from asyncio.subprocess import DEVNULL
from datetime import datetime
from pathlib import Path

from paliadin.base.errors import ClaudeTooOld, PaliadinError
from paliadin.base.processes import run_for
from paliadin.base.settings import Settings
from paliadin.base.strict_json import parse_json
from paliadin.relays.terminal.claude import find_claude, with_environment
from paliadin.relays.terminal.transcript_files import Environment, locate, reading

Version = tuple[int, int, int]

OLDEST: Version = (2, 1, 196)
"""The first version whose hooks name their prompt (`prompt_id`), without which no turn can be followed."""

NEWEST_TESTED: Version = (2, 1, 332)

TIMEOUT = 5.0  # seconds for `claude --version`; 0.1 is usual
_NUMBERS = re.compile(r"v?(\d{1,6})\.(\d{1,6})\.(\d{1,6})(?!\d)")
_LONGEST = 200  # characters that are looked at
_TAIL = 256 * 1024  # bytes at the end of a transcript that are looked through

_Program = tuple[str, int, int]  # path without links, time of its last change in ns, size


def parse_version(text: str) -> Version | None:
    """Parse the version at the beginning of a text such as "2.1.197 (Claude Code)"; None without one."""
    match = _NUMBERS.match(text[:_LONGEST].strip())
    return (int(match[1]), int(match[2]), int(match[3])) if match else None


def too_old_error(version: Version | None) -> ClaudeTooOld | None:
    """Build the error for a version that is too old for the relay; None for a good or unknown one."""
    if version is None or version >= OLDEST:
        return None
    return ClaudeTooOld(f"Claude Code {_words(version)} is too old for Paliadin, which needs {_words(OLDEST)} or newer")


def outdated_error(version: Version | None) -> ClaudeTooOld | None:
    """Build the error for a running Claude that is too old, though its program has been updated since."""
    if (error := too_old_error(version)) is None:
        return None
    hint = "It was started before Claude Code was updated, and has been ended. Ask again: the new one starts."
    return ClaudeTooOld(error.message, code="claude_outdated", hint=hint)


def untested_warning(version: Version | None) -> str:
    """Return a warning about a version that is newer than the tested ones; empty for any other."""
    if version is None or version <= NEWEST_TESTED:
        return ""
    return f"Claude Code {_words(version)} is newer than {_words(NEWEST_TESTED)}, the newest that was tested"


def running_version(path: str, environment: Environment, started_ms: int) -> Version | None:
    """Return the version of the Claude that was started then, from the last entry of its transcript; None without one.

    `path` is the transcript's, as a hook has named it; `environment` is Claude's.
    """
    try:
        with reading(locate(path, environment)) as file:
            file.seek(max(file.seek(0, os.SEEK_END) - _TAIL, 0))
            lines = file.read(_TAIL).decode("utf-8", "replace").split("\n")
    except (PaliadinError, OSError):
        return None
    for line in reversed(lines):
        with contextlib.suppress(ValueError):
            entry = parse_json(line)
            if isinstance(entry, dict) and (version := parse_version(str(entry.get("version")))):
                written = datetime.fromisoformat(str(entry.get("timestamp")))
                return version if written.timestamp() * 1000 >= started_ms else None
    return None


class InstalledVersion:
    """Asks the program that `find_claude` names for its version, and keeps it until the program changes.

    `environment` is Claude's; None: this process's.
    """

    def __init__(self, settings: Settings, environment: Environment) -> None:
        self._settings, self._environment = settings, environment
        self._asking = asyncio.Lock()
        self._known: tuple[_Program, Version | None] | None = None

    async def get(self) -> Version | None:
        """Return the version; None if there is no program, or its output names none. Takes 0.1 s the first time."""
        async with self._asking:
            try:
                path = find_claude(self._settings)
                program = _identify(path)
                if self._known and self._known[0] == program:
                    return self._known[1]
                version = parse_version(await self._ask(path))
            except (PaliadinError, OSError):
                return None
            # One that is too old is asked each time: the program may be a script that starts another one.
            self._known = None if too_old_error(version) else (program, version)
            return version

    async def refusal(self) -> ClaudeTooOld | None:
        """Return the error that keeps every question from the installed Claude Code, if there is one."""
        return too_old_error(await self.get())

    async def _ask(self, path: str) -> str:
        with tempfile.TemporaryFile() as output:
            command = with_environment([path, "--version"], self._environment)
            if not await run_for(TIMEOUT, command, stdout=output, stderr=DEVNULL):
                return ""
            output.seek(0)
            return output.read(_LONGEST).decode("utf-8", "replace")


def _identify(path: str) -> _Program:
    real = Path(path).resolve()
    stat = real.stat()
    return str(real), stat.st_mtime_ns, stat.st_size


def _words(version: Version) -> str:
    return ".".join(map(str, version))
