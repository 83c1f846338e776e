"""Read the tables that a text or a JSON value holds, and count rows: the same way for every tool. Pure."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from itertools import groupby

from paliadin.base.strict_json import parse_json
from paliadin.evidence.notation import read_number, unit_of
from paliadin.evidence.vocabulary import PATTERNS

MAX_ROWS = 20_000  # of one table that are looked at
MAX_LINES = 3_000  # of a text in which tables are looked for between other lines
MAX_CELL = 60  # characters of a cell that may be a number
MOST = 0.8  # of the rows of a table have as many cells as its head
MAX_DEPTH = 12  # of nested JSON

_ROW_KEYS = ("rows", "items", "results", "data", "records", "hits", "entries", "matches", "filenames", "links")
_COUNT_KEYS = ("numMatches", "numLines", "numFiles", "total_count", "count", "total")
_RULE_LINE = re.compile(r"[\s|+:=─┼-]*[-=─]{2,}[\s|+:=─┼-]*\Z")
_HIT = re.compile(r"([^\s:][^:\n]{0,300}):(\d{1,7})[:-](.*)")
_GAPS = re.compile(r"\s{2,}|\t")
_NUMBER = re.compile(r"[-−]?\d{1,3}(?:[.,'’\u00a0\u202f ]\d{3})+(?:[.,]\d{1,4})?|[-−]?\d{1,15}(?:[.,]\d{1,9})?")
_SIMPLE = re.compile(r"-?\d{1,15}(?:\.(?:\d\d?|\d{4,9}))?", re.ASCII)  # with three decimals: maybe thousands
_CELL_UNIT = re.compile(r"(?<=\d)[ \u00a0]?([^\W\d]{1,12}|[€$£%°]|°[CF])\Z")
_CELL_SHARE = re.compile(r" ?\(\d{1,3}(?:[.,]\d{1,2})? ?%\)\Z")  # `23.4GB (61%)`
_CELL_SIGN = re.compile(r"\A\s*(?:[€$£]|EUR|USD|GBP|CHF)\s*")


@dataclass(frozen=True)
class Table:
    """Rows of one kind: `columns` are their names, if they have any, and `rows` the cells as text."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    path: str = ""  # of keys that lead to it in a JSON value

    def column(self, number: int) -> list[str]:
        """The cells of a column; short rows have none."""
        return [row[number] for row in self.rows if number < len(row)]

    @cached_property
    def width(self) -> int:
        """The number of columns."""
        return max((len(row) for row in self.rows), default=0)

    @cached_property
    def numbers(self) -> dict[Decimal, list[tuple[int, int]]]:
        """The cells that are numbers: each value with the places (row, column) that have it."""
        found: dict[Decimal, list[tuple[int, int]]] = {}
        for i, row in enumerate(self.rows):
            for column, cell in enumerate(row):
                if (value := cell_number(cell)) is not None:
                    found.setdefault(value, []).append((i, column))
        return found


def cell_number(cell: str) -> Decimal | None:
    """The number that a cell is; None if it is anything else."""
    if _SIMPLE.fullmatch(cell):
        return Decimal(cell)
    if len(cell) > MAX_CELL or not any(map(str.isdigit, cell)):
        return None
    plain = _CELL_SIGN.sub("", cell).strip()
    plain = _CELL_SHARE.sub("", plain)
    if (unit := _CELL_UNIT.search(plain)) and unit_of(unit[1]):
        plain = plain[: unit.start()]
    if not plain or len(plain) > 24 or not _NUMBER.fullmatch(plain):
        return None
    value = read_number(plain.lstrip("-−"))[0]
    return -value if plain[0] in "-−" else value


def tables_of_json(value: object, path: str = "", depth: int = 0, *, is_row: bool = False) -> Iterator[Table]:
    """Yield the lists and objects of a decoded JSON value as tables, outer ones first."""
    if depth > MAX_DEPTH:
        return
    if isinstance(value, list):
        yield _table_of_list(value, path)
        for item in value[:MAX_ROWS]:
            if isinstance(item, Mapping | list):
                yield from tables_of_json(item, path, depth + 1, is_row=True)
    elif isinstance(value, Mapping):
        plain = {str(key): cell_text(item) for key, item in value.items() if not isinstance(item, Mapping | list)}
        if len(plain) > 1 and not is_row:
            yield Table(tuple(plain), (tuple(plain.values()),), path)
        if len(value) > 1 and all(isinstance(item, Mapping) for item in value.values()):
            yield _table_of_list([{"key": key, **item} for key, item in value.items()], path)
        for key, item in value.items():
            if isinstance(item, Mapping | list):
                yield from tables_of_json(item, f"{path}.{key}" if path else str(key), depth + 1)


def _table_of_list(items: Sequence[object], path: str) -> Table:
    items = [_flat(item) if isinstance(item, Mapping) else item for item in items[:MAX_ROWS]]
    columns = tuple(dict.fromkeys(str(key) for item in items[:200] if isinstance(item, Mapping) for key in item))
    return Table(columns, tuple(_cells(item, columns) for item in items[:MAX_ROWS]), path)


def _flat(item: Mapping[str, object]) -> Mapping[str, object]:
    """An object with the fields of the objects in it as its own: `{"costs": {"month": 3}}` has `costs.month`."""
    flat: dict[str, object] = {}
    for key, value in item.items():
        if isinstance(value, Mapping):
            flat |= {f"{key}.{inner}": inside for inner, inside in value.items()}
        else:
            flat[key] = value
    return flat


def _cells(item: object, columns: Sequence[str]) -> tuple[str, ...]:
    if isinstance(item, Mapping):
        return tuple(cell_text(item.get(column)) for column in columns)
    if isinstance(item, list):
        return tuple(cell_text(cell) for cell in item)
    return (cell_text(item),)


def cell_text(value: object) -> str:
    """A JSON value as the text of a cell; nested ones without their punctuation."""
    if isinstance(value, Mapping):
        return " ".join(cell_text(item) for item in value.values())
    if isinstance(value, list):
        return " ".join(cell_text(item) for item in value)
    if value is None:
        return ""
    return str(value).lower() if isinstance(value, bool) else str(value)


def tables_of_text(text: str) -> Iterator[Table]:
    """Yield the tables of a text: of Markdown, psql, CSV, aligned columns; and all its lines as one of one column."""
    lines = text.splitlines()
    if len(lines) > MAX_ROWS:
        lines = lines[:MAX_ROWS]
    yield from _ruled_tables(lines)
    if table := _hits(lines):
        yield table
    if table := _separated_table(lines):
        yield table
    else:
        yield from _tables_inside(lines[:MAX_LINES])
    for block in _line_blocks(lines):
        yield Table((), tuple((line,) for line in block))


def _ruled_tables(lines: Sequence[str]) -> Iterator[Table]:
    """Tables whose head has a rule below it."""
    at = 1
    while at < len(lines):
        if not _RULE_LINE.match(lines[at]) or not lines[at - 1].strip() or _RULE_LINE.match(lines[at - 1]):
            at += 1
            continue
        bars = "|" in lines[at - 1] or "│" in lines[at - 1]
        columns = _split(lines[at - 1], bars=bars)
        rows, at = [], at + 1
        while at < len(lines) and lines[at].strip() and not PATTERNS["foot"].match(lines[at]):
            if bars and not re.search(r"[|│]", lines[at]) and not _RULE_LINE.match(lines[at]):
                break
            if not _RULE_LINE.match(lines[at]):
                rows.append(_split(lines[at], bars=bars))
            elif at + 1 < len(lines) and PATTERNS["total"].match(lines[at + 1].strip("| ")):
                at += 1
            at += 1
        yield Table(columns, tuple(row for row in rows if not (row and PATTERNS["total"].match(row[0]))))


def _split(line: str, *, bars: bool) -> tuple[str, ...]:
    if bars:
        return tuple(cell.strip() for cell in re.split(r"[|│]", line.strip().strip("|│")))
    return tuple(cell.strip() for cell in _GAPS.split(line.strip()))


def _hits(lines: Sequence[str]) -> Table | None:
    """The hits of a search in files, `path:line:text`, as a table."""
    split = [match.groups() for line in lines if (match := _HIT.match(line))]
    return Table(("file", "line", "text"), tuple(split)) if split and len(split) * 2 > len(lines) else None


def _separated_table(lines: Sequence[str]) -> Table | None:
    """A table whose cells a comma, semicolon, tab or run of blanks separates: all lines have as many."""
    filled = [line for line in lines if line.strip()]
    if len(filled) < 2:
        return None
    for separator in (";", "\t", ","):
        if separator in filled[0] and separator in filled[1]:
            rows = list(csv.reader(filled, delimiter=separator)) if _is_short(filled) else []
            if rows and (table := _of_rows(rows, separator)):
                return table
    width = len(_by_gaps(filled[0]))
    if width > 1 and all(len(_by_gaps(line)) == width for line in filled):
        return _headed(list(map(_by_gaps, filled)))
    return _aligned_table(filled)


def _of_rows(rows: Sequence[Sequence[str]], separator: str) -> Table | None:
    """The table of rows that nearly all have as many cells as the first one.

    A longer row has a separator in the text of its last cell, a shorter one lacks its last cells; a line of one cell is
    a comment or a foot.
    """
    width = len(rows[0])
    fitting = sum(len(row) == width for row in rows)
    if width < 2 or fitting < len(rows) * (1 if width < 4 else MOST):
        return None
    found = []
    for row in rows:
        if len(row) > 1 or fitting == len(rows):
            cells = [*row[: width - 1], separator.join(row[width - 1 :])] if len(row) > width else row
            found.append(tuple(cell.strip() for cell in [*cells, *[""] * (width - len(cells))]))
    return _headed(found)


def _tables_inside(lines: Sequence[str]) -> Iterator[Table]:
    """The tables that stand in a text between other lines: blocks, or at least three lines with as many cells."""
    block: list[str] = []
    for line in (*lines, ""):
        if line.strip() and not _RULE_LINE.match(line):
            block.append(line)
            continue
        if len(block) > 2 and (table := _separated_table(block)):
            yield table
        elif len(block) > 2:
            yield from _runs(block)
        block = []


def _runs(lines: Sequence[str]) -> Iterator[Table]:
    """The runs of at least three lines that one separator divides into as many cells, of which there are three."""
    for split in (_by(";"), _by("\t"), _by(","), _by_gaps):
        cells = [split(line) for line in lines]
        for width, run in groupby(cells, len):
            rows = list(run)
            if width > 2 and len(rows) > 2:
                yield _headed(rows)


def _by(separator: str) -> Callable[[str], tuple[str, ...]]:
    return lambda line: tuple(cell.strip() for cell in line.split(separator))


def _by_gaps(line: str) -> tuple[str, ...]:
    return tuple(_GAPS.split(line.strip()))


def _aligned_table(lines: Sequence[str]) -> Table | None:
    """A table whose cells stand below the words of its head, some of them empty; its last column may hold any text."""
    starts = [match.start() for match in re.finditer(r"(?:(?<=\s\s)|\A)\S", lines[0])]
    if len(starts) < 3 or len(lines) < 3 or any(word[:1].isdigit() for word in _GAPS.split(lines[0])):
        return None
    rows = []
    for line in lines:
        if any(not line[at - 1 : at].isspace() for at in starts[1:] if at <= len(line)):
            return None
        rows.append(tuple(line[at:end].strip() for at, end in zip(starts, [*starts[1:], None], strict=True)))
    return _headed(rows)


def _is_short(lines: Sequence[str]) -> bool:
    """True if no field can be longer than what the csv module accepts."""
    return max(map(len, lines)) < 100_000


def _headed(rows: list[tuple[str, ...]]) -> Table:
    """The table of rows whose first one is a head, unless that looks like the others."""
    head, body = rows[0], rows[1:]
    if body and PATTERNS["total"].match(body[-1][0]):
        body = body[:-1]
    if all(re.match(r"[^\W\d]", cell) for cell in head) and len(set(head)) == len(head) and _is_head(head, body):
        return Table(head, tuple(body))
    return Table((), tuple(rows))


def _is_head(head: Sequence[str], body: Sequence[Sequence[str]]) -> bool:
    """True if a row may be a head: it has no digit, or some column has only values (`soil_1` above 38, 37, 36)."""
    if not any(letter.isdigit() for cell in head for letter in cell):
        return True
    return any(all(row[number][:1].isdigit() for row in body if number < len(row)) for number in range(len(head)))


def _line_blocks(lines: Sequence[str]) -> Iterator[list[str]]:
    """All lines that have text; then, if blank lines divide them, each block; then the lines that are list items."""
    filled = [line for line in lines if line.strip()]
    yield filled
    items = [line for line in filled if re.match(r"\s{0,8}(?:[-*•]|\d{1,4}[.)])\s", line)]
    if items and len(items) != len(filled):
        yield items


def count_rows(value: object) -> int | None:
    """Count the rows, lines or hits of a decoded result that is a list or holds their number; None for any other."""
    if isinstance(value, str):
        return count_text_rows(value)
    if isinstance(value, list):
        return len(value)
    if not isinstance(value, Mapping):
        return None
    for key in _COUNT_KEYS:
        count = value.get(key)
        if isinstance(count, int) and count and not isinstance(count, bool):
            return count
    for key in _ROW_KEYS:
        if isinstance(item := value.get(key), list):
            return len(item)
    if len(value) > 1 and all(isinstance(item, Mapping) for item in value.values()):
        return len(value)
    lists = [item for item in value.values() if isinstance(item, list)]
    return len(lists[0]) if len(lists) == 1 else None


def count_text_rows(text: str) -> int | None:
    """Count the rows of a text: of its JSON, of its one table without head and foot, or else its lines."""
    if not text.strip():
        return 0
    decoded = decode(text)
    if decoded is not None:
        return count_rows(decoded)
    lines = text.splitlines()
    table = next(_ruled_tables(lines[:MAX_ROWS]), None) or _separated_table(lines[:MAX_ROWS])
    if table and table.columns and len(lines) - len(table.rows) <= 4:
        return len(table.rows)
    return len(lines)


def decode(text: str) -> object | None:
    """Return the JSON value that a text is, or the list of those on its lines; None if it is no JSON object or list."""
    stripped = text.strip()
    if not stripped or stripped[0] not in "[{":
        return None
    try:
        value: object = parse_json(stripped)
    except (ValueError, RecursionError):
        return _decode_lines(stripped)
    return value if isinstance(value, list | Mapping) else None


def _decode_lines(text: str) -> list[object] | None:
    lines = [line for line in text.splitlines() if line.strip()]
    if len(lines) < 2 or not all(line.lstrip().startswith("{") for line in lines):
        return None
    try:
        return [parse_json(line) for line in lines]
    except (ValueError, RecursionError):
        return None
