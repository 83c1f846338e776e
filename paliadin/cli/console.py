"""Output that several commands share."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, is_dataclass
from datetime import datetime
from typing import Any, TypeVar

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.text import Text

from paliadin.base.terminal_text import clean, one_line
from paliadin.cli.browser import BY_PATH
from paliadin.cli.echo import echo, echo_json

T = TypeVar("T")
SHORT = 8  # last digits of a turn's id that are shown: the first ones are the time, which turns may share
MINUTE, SECOND = "%Y-%m-%d %H:%M", "%Y-%m-%d %H:%M:%S"  # of a time


class _CleanConsole(Console):
    """A console of which the terminal obeys nothing but what rich itself adds: colours and moves of the cursor.

    Markdown makes control characters of harmless text: `<http://x/%1B]0;…>` is shown decoded.
    """

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterator[Segment]:
        for segment in super().render(renderable, options):
            yield segment if segment.control else Segment(clean(segment.text), segment.style)


def console(*, stderr: bool = False) -> Console:
    """Make a console that prints text literally: rich must not interpret `[red]` or `:smile:` in an answer."""
    return _CleanConsole(stderr=stderr, markup=False, emoji=False, highlight=False)


def print_parts(parts: Iterable[Mapping[str, Any]]) -> None:
    """Print parts of the daemon or of this machine, one a line, each followed by its hint if it has one.

    A part is {"name", "ok", "state", "message", "hint"}.
    """
    rows = [tuple(one_line(str(part.get(key) or "")) for key in ("name", "state", "message", "hint")) for part in parts]
    out = console()
    name_width, state_width = (max((len(row[column]) for row in rows), default=0) for column in (0, 1))
    for part, (name, state, message, hint) in zip(parts, rows, strict=True):
        mark, style = ("✗", "red") if not part.get("ok") else ("!", "yellow") if hint else ("✓", "green")
        line = f" {name:<{name_width}}  {state:<{state_width}}  {message}"
        out.print(Text.assemble((mark, style), line), soft_wrap=True)
        if hint:
            out.print(f"  {'':<{name_width}}  → {hint}", soft_wrap=True, style="dim" if part.get("ok") else "none")


def print_list(items: Collection[T], show: Callable[[Collection[T]], object], *, as_json: bool, if_empty: str) -> None:
    """Print items with `show`, or as JSON one a line; of none say so on stderr, where JSON is not wanted."""
    if as_json:
        for item in items:
            echo_json(asdict(item) if is_dataclass(item) and not isinstance(item, type) else item)
    elif items:
        show(items)
    else:
        echo(if_empty, err=True)


def print_table(
    columns: Sequence[str], rows: Iterable[Sequence[str]], *, spare: Sequence[str] = (), last_width: int | None = None
) -> None:
    """Print a line per row: a table that fits the terminal, or all columns separated by tabs into a pipe.

    A cell is one line, whatever is in it.

    The columns in `spare` make room, the first one first, until the last column has `last_width` characters.
    """
    lines = [columns, *([one_line(cell) for cell in row] for row in rows)]
    if not sys.stdout.isatty():
        for cells in lines:
            echo("\t".join(cells))
        return
    widths = {name: max(map(len, column)) for name, column in zip(columns, zip(*lines, strict=True), strict=True)}
    out, visible, last = console(), list(columns), columns[-1]
    needed = widths | {last: min(widths[last], last_width or widths[last])}
    for name in spare:
        if sum(needed[column] + 2 for column in visible) - 2 > out.width:
            visible.remove(name)
    for number, cells in enumerate(lines):
        cell_of = dict(zip(columns, cells, strict=True))
        line = "  ".join(cell_of[name].ljust(widths[name]) for name in visible)
        out.print(line.rstrip(), style="none" if number else "bold", no_wrap=True, overflow="ellipsis")


def local_time(milliseconds: float | None, form: str = MINUTE) -> str:
    """Return a time since 1970 in the zone of this machine; empty if there is none."""
    return f"{datetime.fromtimestamp(milliseconds / 1000).astimezone():{form}}" if milliseconds else ""


def seconds(milliseconds: float | None) -> str:
    """Return a duration as `1.2 s`; empty if it is not known."""
    return "" if milliseconds is None else f"{milliseconds / 1000:.1f} s"


def announce(url: str, *, headline: str) -> None:
    """Print the address on a line of its own, to be copied; into a pipe nothing else."""
    if not sys.stdout.isatty():
        echo(url)
        return
    out = console()
    out.print(f"{headline} Open this address in your browser:\n")
    out.print(url, style="bold", soft_wrap=True)
    if ".localhost:" in url:
        out.print(f"\n{BY_PATH}", style="dim")
    out.print("\nPress Ctrl-C to end it.", style="dim")
