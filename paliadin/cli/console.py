"""What several commands print."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping
from typing import Any

import click
from rich.console import Console
from rich.text import Text

from paliadin.cli.text import one_line

Part = Mapping[str, Any]
"""{"name", "ok", "state", "message", "hint"}: one part of the daemon or of this machine."""


def console(*, stderr: bool = False) -> Console:
    """Prints text as it is: an answer's `[red]` and `:smile:` are not for rich."""
    return Console(stderr=stderr, markup=False, emoji=False, highlight=False)


def print_parts(parts: Iterable[Part]) -> None:
    """One line a part, and below it what to do, where there is something to do."""
    rows = [tuple(one_line(str(part.get(key) or "")) for key in ("name", "state", "message", "hint")) for part in parts]
    out = console()
    name_width, state_width = (max((len(row[column]) for row in rows), default=0) for column in (0, 1))
    for part, (name, state, message, hint) in zip(parts, rows, strict=True):
        mark, style = ("✗", "red") if not part.get("ok") else ("!", "yellow") if hint else ("✓", "green")
        line = f" {name:<{name_width}}  {state:<{state_width}}  {message}"
        out.print(Text.assemble((mark, style), line), soft_wrap=True)
        if hint:
            out.print(f"  {'':<{name_width}}  → {hint}", soft_wrap=True, style="dim" if part.get("ok") else "none")


def announce(url: str, *, words: str) -> None:
    """The address on a line of its own, to be copied or piped."""
    if not sys.stdout.isatty():
        click.echo(url)
        return
    out = console()
    out.print(f"{words} Open this address in your browser:\n")
    out.print(url, style="bold", soft_wrap=True)
    out.print("\nCtrl-C ends it.", style="dim")
