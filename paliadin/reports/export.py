"""Exports turns as JSONL, CSV or Parquet, in batches: a million turns take no more memory than one batch."""

from __future__ import annotations

import csv
import importlib.util
import io
import json
import re
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import fields
from datetime import datetime
from types import UnionType
from typing import Any, get_args, get_type_hints
from zoneinfo import ZoneInfo

from paliadin.base.errors import MissingDependency
from paliadin.base.visible_text import INVISIBLE
from paliadin.events.model import as_json
from paliadin.record.row import TurnRow
from paliadin.record.row_loading import turn_row
from paliadin.record.snapshot import Row, Snapshot
from paliadin.reports.figures import build_query
from paliadin.reports.filters import Filter

BATCH_SIZE = 500  # rows in memory at a time
COLUMNS = tuple(field.name for field in fields(TurnRow))
# Where a cell begins for some spreadsheet, and what may stand before the sign that makes it a formula.
_FORMULA = re.compile(
    rf'((?:\A|[;|\t\n\r\v\f\x1c-\x1e\x85\u2028\u2029])[\s;|"{INVISIBLE}]*+)([=+\-@⁺⁼₊₌⩵⩶﬩﹢﹣﹦﹫＋－＝＠])?'  # noqa: RUF001
)


def formats() -> list[str]:
    """Return the formats that can be written: Parquet only if its extra is installed, which outweighs all the rest."""
    return ["jsonl", "csv", *(["parquet"] if importlib.util.find_spec("pyarrow") else [])]


async def export_turns(snapshot: Snapshot, turn_filter: Filter, zone: ZoneInfo, name: str) -> AsyncIterator[bytes]:
    """Yield the bytes of the file, newest turn first; `name` is one of `formats()`.

    Raises MissingDependency for Parquet without pyarrow.
    """
    batches = snapshot.stream(build_query("export", turn_filter), turn_filter.values(zone), batch_size=BATCH_SIZE)
    if name == "parquet":
        async for part in _parquet(batches):
            yield part
        return
    encode: Callable[[Sequence[Row]], str] = {"jsonl": _jsonl, "csv": _csv}[name]
    if name == "csv":
        yield _line(COLUMNS).encode()
    async for batch in batches:
        yield encode(batch).encode()


def _jsonl(rows: Sequence[Row]) -> str:
    return "".join(json.dumps(_plain(row), ensure_ascii=False) + "\n" for row in rows)


def _csv(rows: Sequence[Row]) -> str:
    return "".join(_line([_cell(value) for value in _plain(row).values()]) for row in rows)


def _line(cells: Sequence[object]) -> str:
    text = io.StringIO()
    csv.writer(text).writerow(cells)
    return text.getvalue()


def _columns(row: Row) -> dict[str, Any]:
    """Return the columns of TurnRow in order, as they are read everywhere; times are not JSON yet."""
    turn = turn_row(row)
    values = ((name, getattr(turn, name)) for name in COLUMNS)
    return {name: as_json(value) if isinstance(value, tuple) else value for name, value in values}


def _plain(row: Row) -> dict[str, Any]:
    """Return the columns with values that JSON knows."""
    values = _columns(row).items()
    return {name: value.isoformat() if isinstance(value, datetime) else value for name, value in values}


def _cell(value: Any) -> Any:
    if isinstance(value, list | dict):
        value = json.dumps(value, ensure_ascii=False)
    return defuse(value) if isinstance(value, str) else value


def defuse(text: str) -> str:
    """Put an apostrophe before all that a spreadsheet would take for a formula in this text of a CSV file.

    Where another sign than the comma ends a cell, as in a German Excel, cells and rows also begin within the text.
    """
    return _FORMULA.sub(lambda match: f"{match[1]}'{match[2]}" if match[2] else match[0], text)


async def _parquet(batches: AsyncIterator[list[Row]]) -> AsyncIterator[bytes]:
    try:
        import pyarrow as pa  # type: ignore[import-untyped]  # noqa: PLC0415  # an extra
        import pyarrow.parquet as pq  # type: ignore[import-untyped]  # noqa: PLC0415
    except ImportError as error:
        raise MissingDependency(
            "pyarrow is not installed", hint="Run `pip install '.[parquet]'` in Paliadin's folder."
        ) from error
    types: Mapping[object, Any] = {datetime: pa.timestamp("us", tz="UTC"), int: pa.int64(), bool: pa.bool_()}
    schema = pa.schema([(name, types.get(kind, pa.string())) for name, kind in _column_types().items()])
    sink = _Sink()
    with pq.ParquetWriter(pa.PythonFile(sink, mode="w"), schema, compression="zstd") as writer:
        async for batch in batches:
            rows = [{name: _parquet_value(value) for name, value in _columns(row).items()} for row in batch]
            writer.write_table(pa.Table.from_pylist(rows, schema))
            yield sink.drain()
    yield sink.drain()


class _Sink(io.RawIOBase):
    """A write-only file that hands its bytes on, which works because Parquet is written from front to back."""

    def __init__(self) -> None:
        self._written: list[bytes] = []
        self._position = 0

    def writable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._position

    def write(self, data: Any) -> int:
        self._written.append(bytes(data))
        self._position += len(data)
        return len(data)

    def drain(self) -> bytes:
        """Return and forget the bytes written since the last call."""
        written, self._written = self._written, []
        return b"".join(written)


def _column_types() -> dict[str, object]:
    """Map each column to its type in TurnRow, without the None of those that may be unknown."""
    hints = get_type_hints(TurnRow)
    return {name: get_args(kind)[0] if isinstance(kind, UnionType) else kind for name, kind in hints.items()}


def _parquet_value(value: Any) -> Any:
    if value is None or isinstance(value, datetime | int):  # bool is an int
        return value
    return json.dumps(value, ensure_ascii=False) if isinstance(value, list | dict) else str(value)
