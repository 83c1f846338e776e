"""Loads rows as leniently as logs are read: a value of a wrong shape is empty or unknown, and never an error.

A row may have been edited, or copied from another database, and older versions believed every number.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields
from datetime import UTC, datetime
from functools import cache
from types import UnionType
from typing import Any, get_args, get_type_hints

from psycopg import AsyncConnection
from psycopg.abc import Buffer
from psycopg.adapt import Loader
from psycopg.types.json import set_json_loads

from paliadin.base.checked_numbers import count_of
from paliadin.base.errors import NotFound
from paliadin.base.strict_json import parse_json
from paliadin.events.timeline import CalledTool, JoinedWords, Waited
from paliadin.record.row import TurnRow
from paliadin.turnlog.ids import check_turn_id, started_at

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

Reader = Callable[[Any], Any]
"""Returns a value as the field's type has it, or None if it does not fit."""


async def configure(connection: AsyncConnection[Any]) -> None:
    """Have a connection load what Python cannot hold as None, and sums as whole numbers of any size."""
    connection.adapters.register_loader("timestamptz", _Moment)
    connection.adapters.register_loader("numeric", _Sum)
    set_json_loads(_json, connection)


class _Moment(Loader):
    """Loads a moment; None for infinity, and for a year that is outside of Python's in some time zone."""

    def load(self, data: Buffer) -> datetime | None:
        try:
            moment = datetime.fromisoformat(str(data, "ascii"))
        except ValueError:
            return None
        return moment if 1 < moment.year < 9999 else None


class _Sum(Loader):
    """Loads the sum of whole numbers."""

    def load(self, data: Buffer) -> int:
        return int(str(data, "ascii"))


def _json(data: str | bytes) -> object:
    try:
        return parse_json(data if isinstance(data, str) else data.decode("utf-8", "replace"))
    except ValueError:  # nested too deeply, or a number of thousands of digits
        return None


def turn_row(values: Mapping[str, Any]) -> TurnRow:
    """Build a row from its columns; fields of another version that shares the database are left out."""
    turn_id = str(values["turn_id"])
    columns = {**values, "turn_id": turn_id, "started_at": values["started_at"] or _made_at(turn_id)}
    return TurnRow(**_fitting(TurnRow, columns))


def _made_at(turn_id: str) -> datetime:
    try:
        return started_at(check_turn_id(turn_id))
    except NotFound:  # not an id of ours
        return _EPOCH


def _fitting(kind: type, values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values that fit the fields of a dataclass; None where a field may be unknown."""
    return {
        name: value
        for name, read, may_be_unknown in _readers(kind)
        if (value := read(values.get(name))) is not None or may_be_unknown
    }


@cache
def _readers(kind: type) -> list[tuple[str, Reader, bool]]:
    hints = get_type_hints(kind)
    unions = {name: isinstance(hint, UnionType) for name, hint in hints.items()}  # with None
    types = {name: get_args(hint)[0] if unions[name] else hint for name, hint in hints.items()}
    return [(field.name, _READERS[types[field.name]], unions[field.name]) for field in fields(kind)]


def _if_kind(kind: type) -> Reader:
    return lambda value: value if isinstance(value, kind) else None


def _moment(value: object) -> datetime | None:
    return value.astimezone(UTC) if isinstance(value, datetime) else None


def _counts(value: object) -> dict[str, int] | None:
    return (
        {name: count for name, count in value.items() if count_of(count) is not None}
        if isinstance(value, dict)
        else None
    )


def _list(read: Reader) -> Reader:
    """Read a list: the items that fit."""
    return lambda value: (
        tuple(item for item in map(read, value) if item is not None) if isinstance(value, list) else None
    )


def _entries(kind: type) -> Reader:
    """Read a list of entries of the timeline: those that have every field without a default."""
    required = {field.name for field in fields(kind) if field.default is MISSING}

    def read(value: object) -> object | None:
        entry = _fitting(kind, value) if isinstance(value, dict) else {}
        return kind(**entry) if required <= entry.keys() else None

    return _list(read)


_READERS: Mapping[object, Reader] = {
    str: _if_kind(str),
    bool: _if_kind(bool),
    int: count_of,
    datetime: _moment,
    dict[str, object]: _if_kind(dict),
    Mapping[str, object]: _if_kind(dict),
    Mapping[str, int]: _counts,
    tuple[str, ...]: _list(_if_kind(str)),
    tuple[int, ...]: _list(count_of),
    tuple[CalledTool, ...]: _entries(CalledTool),
    tuple[Waited, ...]: _entries(Waited),
    tuple[JoinedWords, ...]: _entries(JoinedWords),
}
"""A field's type, without None → how it is read."""
