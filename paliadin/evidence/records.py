"""Records in results: whether a call looked one up by its id, or only says again what it was given; its name. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from paliadin.evidence.results import Call, plain_name
from paliadin.evidence.vocabulary import PATTERNS

MAX_NAMED = 20_000  # characters of a result that is looked through for a name
_NAMES = ("title", "label", "name")
_DAYS = ("due_date", "due_on", "due", "date", "day", "starts_at", "starts_on", "start")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}(?=\Z|[T ])")
LEAST_FIELDS = 2  # that say something of the record which the call did not
MIN_LENGTH = 3  # characters of what a field says: `3` or `ok` may be about the search


def only_reads(call: Call) -> bool:
    """True for a tool of an MCP server whose name is none of one that writes."""
    return call.name.startswith("mcp__") and not PATTERNS["writes"].search(plain_name(call.name))


def is_of_a_record(call: Call, value: str, *, is_asked_for: bool = True) -> bool:
    """True if an MCP server's tool that does not write returned an object with this value and more that it had not got.

    `get_order(PO-7)` returns the order with its number, its supplier and its date. Of an order that is not there it
    would return nothing, an error, or the number alone. Without `is_asked_for` the call does not name the record: then
    a field that is called like one of the input's is none of the record's, but what the result says of the search.
    """
    if not only_reads(call):
        return False
    fields = call.input.keys() if isinstance(call.input, Mapping) and not is_asked_for else ()
    time = f"{value}T" if not is_asked_for else None  # of that day
    for table in call.tables:
        for row in table.rows if table.columns else ():
            own = {cell for cell in row if cell == value or (time and cell.startswith(time))}
            keys = [column for column, cell in zip(table.columns, row, strict=False) if cell in own]
            if not any(not PATTERNS["asked"].search(key) and key not in fields for key in keys) or any(
                map(PATTERNS["nothing"].search, row)
            ):
                continue
            more = [cell for cell in row if len(cell) >= MIN_LENGTH and cell not in call.input_text and cell not in own]
            if len(more) >= LEAST_FIELDS:
                return True
    return False


def name_of(calls: Sequence[Call], value: str) -> str:
    """Return how a result names the record with this id; empty if none does.

    It is the record's title, label or name, with its day if it has one: `Appeal · 2027-01-15`. The newest result
    counts. Large ones are not looked through: this is asked while an answer streams.
    """
    for call in reversed(calls):
        if call.outcome != "ok" or len(call.searched) > MAX_NAMED or value not in call.searched:
            continue
        for table in call.tables:
            if "id" not in table.columns:
                continue
            place = table.columns.index("id")
            for row in table.rows:
                if place < len(row) and row[place] == value:
                    return _named(dict(zip(table.columns, row, strict=False)))
    return ""


def _named(record: Mapping[str, str]) -> str:
    name = next((record[each] for each in _NAMES if record.get(each)), "")
    days = (match[0] for each in _DAYS if (match := _DAY.match(record.get(each, ""))))
    day = next(days, "") if name else ""
    return f"{name} · {day}" if day and day not in name else name
