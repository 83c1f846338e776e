"""Turns as JSONL, CSV or Parquet, piece by piece: a million turns take no more memory than a page of them."""

from __future__ import annotations

import csv
import importlib.util
import io
import json
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import fields
from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from paliadin.errors import MissingDependency
from paliadin.monitor.figures import query
from paliadin.monitor.filters import Filter
from paliadin.record import TurnRow
from paliadin.store.reading import Reading

AT_ONCE = 500  # rows
COLUMNS = tuple(field.name for field in fields(TurnRow))
FORMULA = ("=", "+", "-", "@", "\t", "\r")  # a spreadsheet would run a cell that begins so

Row = Mapping[str, Any]


def formats() -> list[str]:
    """Parquet needs the extra `parquet`: pyarrow alone is several times as large as all the rest."""
    return ["jsonl", "csv", *(["parquet"] if importlib.util.find_spec("pyarrow") else [])]


async def export(reading: Reading, wanted: Filter, zone: ZoneInfo, name: str) -> AsyncIterator[bytes]:
    """The file's bytes, the newest turn first."""
    pages = reading.stream(query("export", wanted), wanted.values(zone), at_once=AT_ONCE)
    if name == "parquet":
        async for part in _parquet(pages):
            yield part
        return
    encode: Callable[[Sequence[Row]], str] = {"jsonl": _jsonl, "csv": _csv}[name]
    if name == "csv":
        yield _line(COLUMNS).encode()
    async for page in pages:
        yield encode(page).encode()


def _jsonl(rows: Sequence[Row]) -> str:
    return "".join(json.dumps(_plain(row), ensure_ascii=False) + "\n" for row in rows)


def _csv(rows: Sequence[Row]) -> str:
    return "".join(_line([_cell(value) for value in _plain(row).values()]) for row in rows)


def _line(cells: Sequence[object]) -> str:
    text = io.StringIO()
    csv.writer(text).writerow(cells)
    return text.getvalue()


def _plain(row: Row) -> dict[str, Any]:
    """The columns in their order, with values that JSON has."""
    return {name: _value(row[name]) for name in COLUMNS}


def _value(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat()
    return value if value is None or isinstance(value, bool | int | float | str | list | dict) else str(value)


def _cell(value: Any) -> Any:
    if isinstance(value, list | dict):
        return json.dumps(value, ensure_ascii=False)
    return f"'{value}" if isinstance(value, str) and value.startswith(FORMULA) else value


async def _parquet(pages: AsyncIterator[list[dict[str, Any]]]) -> AsyncIterator[bytes]:
    try:
        import pyarrow as pa  # type: ignore[import-untyped]  # noqa: PLC0415  # an extra
        import pyarrow.parquet as pq  # type: ignore[import-untyped]  # noqa: PLC0415
    except ImportError as error:
        raise MissingDependency("pyarrow is not installed", hint="pip install 'paliadin[parquet]'") from error
    types = {"bigint": pa.int64(), "text": pa.string(), "moment": pa.timestamp("us", tz="UTC"), "flag": pa.bool_()}
    schema = pa.schema([(name, types[_KINDS.get(name, "text")]) for name in COLUMNS])
    sink = _Sink()
    with pq.ParquetWriter(pa.PythonFile(sink, mode="w"), schema, compression="zstd") as writer:
        async for page in pages:
            rows = [{name: _parquet_value(name, row[name]) for name in COLUMNS} for row in page]
            writer.write_table(pa.Table.from_pylist(rows, schema))
            yield sink.taken()
    yield sink.taken()


class _Sink(io.RawIOBase):
    """A file that hands on what was written: Parquet is written from front to back."""

    def __init__(self) -> None:
        self._written: list[bytes] = []
        self._place = 0

    def writable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._place

    def write(self, data: Any) -> int:
        self._written.append(bytes(data))
        self._place += len(data)
        return len(data)

    def taken(self) -> bytes:
        written, self._written = self._written, []
        return b"".join(written)


_MOMENTS = dict.fromkeys(("started_at", "first_text_at", "finished_at"), "moment")
_NUMBERS = ("duration_ms", "input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens", "chip_count")
_FLAGS = dict.fromkeys(("evidence_agrees", "abandoned"), "flag")
_KINDS = {**_MOMENTS, **dict.fromkeys((*_NUMBERS, "pane_lines_captured"), "bigint"), **_FLAGS}


def _parquet_value(name: str, value: Any) -> Any:
    if name in _KINDS or value is None:
        return value
    return json.dumps(value, ensure_ascii=False) if isinstance(value, list | dict) else str(value)
