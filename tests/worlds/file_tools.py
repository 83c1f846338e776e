"""Tools for the messages relay in the tests: they read files, as Claude Code's own do in the scenes of the script."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from pathlib import Path

from paliadin.parts.messages.question_limits import Admitted
from paliadin.parts.messages.tools import Guard, Reader
from paliadin.people.person_key import PersonKey
from paliadin.toolboxes.toolbox import Returned, ToolSpec

_FILE = {"type": "object", "properties": {"file_path": {"type": "string"}}, "required": ["file_path"]}


class FileTools:
    """Read returns a file's text. Slow waits until the file is there; Write is not offered."""

    guides = ""

    def specs(self) -> Sequence[ToolSpec]:
        return [ToolSpec("Read", "Read a file.", _FILE), ToolSpec("Slow", "Wait for a file.", _FILE)]

    async def call(self, person: PersonKey, name: str, arguments: Mapping[str, object], turn_id: str) -> Returned:
        path = Path(str(arguments["file_path"]))
        while name == "Slow" and not path.exists():
            await asyncio.sleep(0.01)
        try:
            return Returned(path.read_text())
        except OSError as error:
            return Returned(str(error.strerror), is_error=True)

    async def reader(self, person: PersonKey) -> Reader:
        return Reader(person.name or "The owner", "Munich", "de", {"Today": "2026-11-27, Friday"})


async def _admit(_person: PersonKey) -> Admitted:
    return Admitted(30)


async def _no_own_key(_person: PersonKey) -> None:
    """Nobody has one."""


async def _check_budget() -> None:
    """Let it cost what it may."""


UNLIMITED = Guard(lambda _person: True, _admit, _check_budget, _no_own_key)
"""Counts nothing, and takes everybody to have agreed."""
