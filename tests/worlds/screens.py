"""Captured screens of the real Claude Code: tests/screens/<version>/<state>.ansi holds those of one state, by name.

Each stands below a line `=== <name>`. Of eight and more of the same character, such as in a rule, one is kept and how
often it is repeated: REP of ECMA-48, which tmux does not write, and which a terminal shows as it was.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from paliadin.relays.terminal.screen import State

SCREENS = Path(__file__).parents[1] / "screens"
_HEAD = re.compile(r"^=== (.+)\n", re.MULTILINE)
_RUN = re.compile(r"(.)\1{7,}")
_REPEATED = re.compile(r"(.)\x1b\[(\d+)b")


@dataclass(frozen=True, slots=True)
class Captured:
    """A screen, and the state that the scene had brought about."""

    version: str
    state: State
    name: str
    text: str

    def __str__(self) -> str:
        """Its place, for messages."""
        return f"{self.version}/{self.state}: {self.name}"


def captured_screens(folder: Path = SCREENS) -> list[Captured]:
    """Every screen, by version, state and name."""
    return [
        Captured(path.parent.name, State(path.stem), name, text)
        for path in sorted(folder.glob("*/*.ansi"))
        for name, text in _read(path).items()
    ]


def keep(folder: Path, state: State, name: str, text: str) -> None:
    """Write a screen into the file of its state, in place of one of the same name."""
    path = folder / f"{state}.ansi"
    screens = (_read(path) if path.exists() else {}) | {name: text}
    path.write_text("".join(_lines(screens.items())), "utf-8")


def _read(path: Path) -> dict[str, str]:
    parts = _HEAD.split(path.read_text("utf-8"))
    return {name: _expanded(text.removesuffix("\n")) for name, text in zip(parts[1::2], parts[2::2], strict=True)}


def _lines(screens: Iterable[tuple[str, str]]) -> Iterable[str]:
    for name, text in sorted(screens):
        yield f"=== {name}\n{_shortened(text)}\n"


def _shortened(text: str) -> str:
    return _RUN.sub(lambda run: f"{run[1]}\x1b[{len(run[0]) - 1}b", text)


def _expanded(text: str) -> str:
    return _REPEATED.sub(lambda run: run[1] * (1 + int(run[2])), text)
