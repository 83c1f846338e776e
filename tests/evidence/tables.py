"""Records in the shapes in which tools print them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

Rows = Sequence[Sequence[Any]]


def markdown(head: Sequence[str], rows: Rows) -> str:
    """A Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)


def psql(head: Sequence[str], rows: Rows) -> str:
    """What psql prints, with its last line."""
    widths = _widths(head, rows)
    lines = [" | ".join(str(cell).ljust(width) for cell, width in zip(line, widths, strict=True)) for line in rows]
    heading = " | ".join(cell.center(width) for cell, width in zip(head, widths, strict=True))
    rule = "-+-".join("-" * width for width in widths)
    foot = f"({len(rows)} {'row' if len(rows) == 1 else 'rows'})"
    return "\n".join([f" {heading} ", f"-{rule}-", *(f" {line}" for line in lines), foot, ""])


def csv(head: Sequence[str], rows: Rows, mark: str = ",") -> str:
    """CSV with a head."""
    return "\n".join(mark.join(map(str, line)) for line in [head, *rows]) + "\n"


def aligned(head: Sequence[str], rows: Rows) -> str:
    """Columns that are kept apart by blanks, such as `column -t` makes them."""
    widths = _widths(head, rows)
    return "\n".join(
        "  ".join(str(cell).ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in [head, *rows]
    )


def records(head: Sequence[str], rows: Rows) -> list[dict[str, Any]]:
    """A list of objects, for JSON."""
    return [dict(zip(head, row, strict=True)) for row in rows]


def by_id(head: Sequence[str], rows: Rows) -> dict[str, dict[str, Any]]:
    """An object whose keys are the first column."""
    return {str(row[0]): dict(zip(head[1:], row[1:], strict=True)) for row in rows}


def _widths(head: Sequence[str], rows: Rows) -> list[int]:
    return [max(len(str(line[column])) for line in [head, *rows]) for column in range(len(head))]


TEXTS: Mapping[str, Callable[[Sequence[str], Rows], str]] = {
    "markdown table": markdown,
    "psql table": psql,
    "csv": csv,
    "aligned columns": aligned,
    "json lines": lambda head, rows: "\n".join(json.dumps(one, ensure_ascii=False) for one in records(head, rows)),
    "json indented": lambda head, rows: json.dumps(records(head, rows), ensure_ascii=False, indent=2),
    "json by id": lambda head, rows: json.dumps(by_id(head, rows), ensure_ascii=False, indent=2),
}
