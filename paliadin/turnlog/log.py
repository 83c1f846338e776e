"""The log of a turn, which holds its steps: the protocol, and its implementation in a file."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from paliadin.steps.claude_code import Translator
from paliadin.steps.model import Step
from paliadin.steps.serialised import to_line
from paliadin.turnlog.append import append
from paliadin.turnlog.follow import follow, wake_followers
from paliadin.turnlog.read import LogReader


class TurnLog(Protocol):
    """Keeps the steps of one turn, in the order in which they were appended."""

    def append(self, step: Step) -> None:
        """Add a step at the end; raises StorageFull, or NotFound when the turn was deleted."""

    def read(self) -> Iterator[Step]:
        """Yield all steps so far."""

    def follow(self) -> AsyncIterator[Step]:
        """Yield all steps so far, then each new one. Endless: the caller stops by closing it."""


@dataclass(frozen=True, slots=True)
class FileTurnLog:
    """A `TurnLog` in a file, to which Claude Code's hooks write as well: a step may be made of several lines."""

    path: Path
    is_ours: bool = False  # this process alone writes it

    def append(self, step: Step) -> None:
        append(self.path, to_line(step))
        wake_followers(self.path)

    def read(self) -> Iterator[Step]:
        translator = Translator()
        for part in LogReader(self.path).parts():
            for line in part:
                yield from translator.feed(line)

    async def follow(self) -> AsyncIterator[Step]:
        translator = Translator()
        async for line in follow(self.path, is_ours=self.is_ours):
            for number, step in enumerate(translator.feed(line)):
                if number:
                    await asyncio.sleep(0)  # a line may hold megabytes of text: others get their turn between its parts
                yield step
