"""Reads and writes the turns' rows in Postgres, by the queries of queries.sql."""

from __future__ import annotations

import logging
import math
import re
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import MISSING, asdict, fields, replace
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import UUID

from psycopg.types.json import Jsonb

from paliadin.base.errors import NotFound, PaliadinError, StoreUnavailable
from paliadin.record.driver import (
    CONNECTION_TIMEOUT,
    QUERY_TIMEOUT,
    ROW_REFUSED,
    Pool,
    answered_within,
    make_pool,
    rows_of,
)
from paliadin.record.row import TurnRow
from paliadin.record.row_loading import configure, turn_row
from paliadin.record.snapshot import Row, Snapshot, open_snapshot
from paliadin.turnlog.ids import check_turn_id, started_at

log = logging.getLogger(__name__)


def parse_queries(text: str) -> dict[str, bytes]:
    """Split an SQL file into its queries: the name in the `-- name: …` line above each → the query."""
    parts = re.split(r"^-- name: (\w+)\n", text, flags=re.MULTILINE)[1:]
    return {name: query.strip().encode() for name, query in zip(parts[::2], parts[1::2], strict=True)}


_KEPT = {"turn_id", "feedback", "feedback_word"}  # columns that the end of a turn does not change
_WRITTEN = ", ".join(f"{field.name} = excluded.{field.name}" for field in fields(TurnRow) if field.name not in _KEPT)
_UNKNOWN: dict[str, Any] = {
    field.name: field.default if field.default is not MISSING else {}  # the only factory is that of `context`
    for field in fields(TurnRow)
    if not field.default is field.default_factory is MISSING
}
"""The fields that a row may lack: what stands there then."""
QUERIES = parse_queries(
    Path(__file__).with_name("queries.sql").read_text("utf-8").replace("{written_columns}", _WRITTEN)
)


class Store:
    """The tables `paliadin.turns` and `paliadin.session_starts`.

    Every method raises StoreUnavailable within about a second when the database is down (five when it hangs), and
    StorageFull when its disk is full; it recovers by itself. Outside of `connected` the database counts as down.
    """

    def __init__(self) -> None:
        self._pool: Pool | None = None

    @asynccontextmanager
    async def connected(self, conninfo: str) -> AsyncIterator[None]:
        """Stay connected during a `with` block, whose beginning does not wait for the database.

        Raises ConfigError when `conninfo` is malformed.
        """
        pool = make_pool(conninfo, "paliadin", 4, configure)
        try:
            await pool.open(wait=False)
            self._pool = pool
            yield
        finally:
            self._pool = None
            await pool.close(timeout=CONNECTION_TIMEOUT)

    async def ping(self) -> None:
        """Check that the database answers."""
        await self._rows("ping", seconds=CONNECTION_TIMEOUT)

    async def insert(self, row: TurnRow) -> None:
        """Insert the row of a turn that begins; a row that exists stays as it is."""
        await self._rows("insert", _record(row))

    async def finish(self, row: TurnRow) -> None:
        """Write the row of an ended turn, over the row that exists, if any; feedback stays.

        A field for which the database refuses the row is left out. Raises PaliadinError `row_refused` if that does not
        help.
        """
        try:
            await self._rows("finish", _record(row))
        except PaliadinError as error:
            if error.code != ROW_REFUSED:
                raise
            await self._finish_by_fields(row)

    async def _finish_by_fields(self, row: TurnRow) -> None:
        """Write what every row has, then add each other field that the database takes: its error names none."""
        written = replace(row, **_UNKNOWN)
        await self._rows("finish", _record(written))
        for name, unknown in _UNKNOWN.items():
            if (value := getattr(row, name)) == unknown:
                continue
            more = replace(written, **{name: value})
            try:
                await self._rows("finish", _record(more))
            except PaliadinError as error:
                if error.code != ROW_REFUSED:
                    raise
                log.error("turn %s: its row lacks %s, which the database refuses", row.turn_id, name)  # noqa: TRY400  # no traceback: it could quote the row
            else:
                written = more

    async def turn(self, turn_id: str) -> TurnRow | None:
        """Return one turn, or None if there is no such row."""
        key = _uuid(turn_id)
        rows = await self._rows("turn", {"turn_id": key}) if key else []
        return turn_row(rows[0]) if rows else None

    async def turns(self, session_id: str | None, before: str | None, limit: int) -> list[TurnRow]:
        """Return the last `limit` turns, newest last, of one session or (None) of all.

        `before`: only turns older than this one, whose row may be gone; a text that is no turn's id gives none.
        """
        try:
            before_at = started_at(check_turn_id(before)) if before is not None else None
        except NotFound:
            return []
        values = {"session_id": _storable(session_id), "before": before, "before_at": before_at, "limit": limit}
        rows = await self._rows("turns", values)
        return [turn_row(row) for row in rows]

    async def delete(self, turn_ids: Sequence[str]) -> int:
        """Delete the turns' rows and all rows that refer to them; return how many turns there were."""
        return len(await self._rows("delete", {"turn_ids": [key for key in map(_uuid, turn_ids) if key]}))

    async def insert_session_starts(self, starts: Sequence[tuple[str, datetime, str]]) -> None:
        """Insert starts of sessions as (session_id, at, source), each once."""
        names, times, sources = ([*column] for column in zip(*starts, strict=True))
        await self._rows("session_starts", {"names": _storable(names), "times": times, "sources": _storable(sources)})

    @asynccontextmanager
    async def snapshot(self) -> AsyncIterator[Snapshot]:
        """Open a consistent view of all rows, for figures and exports."""
        if self._pool is None:
            raise StoreUnavailable("the database is not open yet")
        async with open_snapshot(self._pool) as snapshot:
            yield snapshot

    async def search(self, session_id: str, phrase: str, limit: int) -> list[TurnRow]:
        """Return a session's last `limit` turns whose question or answer contains `phrase` verbatim, newest first."""
        values = {"session_id": _storable(session_id), "pattern": _pattern(phrase), "limit": limit}
        return [turn_row(row) for row in await self._rows("search", values)]

    async def search_sessions(self, session_ids: Sequence[str], phrase: str) -> list[TurnRow]:
        """Return, for each of these sessions that has one, the newest turn that contains `phrase` verbatim."""
        values = {"session_ids": [_storable(each) for each in session_ids], "pattern": _pattern(phrase)}
        return [turn_row(row) for row in await self._rows("search_sessions", values)]

    async def count_question(self, person: str, most: int, most_of_all: int) -> Row:
        """Count a question of this person's in this hour, if there were fewer than `most`, and `most_of_all` by all.

        Returns {"own", "everyone", "all_used", "seconds"}: the counts, None where the question is refused; whether that
        is since everybody's were used up; the seconds of the hour that are left.
        """
        values = {"person": _storable(person), "most": most, "most_of_all": most_of_all}
        return (await self._rows("count_question", values))[0]

    async def questions_asked(self, person: str) -> Row:
        """Return {"own", "everyone", "resets_at"}: the counts of this hour, and its end."""
        return (await self._rows("questions_asked", {"person": _storable(person)}))[0]

    async def own_key(self, person: str) -> Row | None:
        """Return {"sealed", "saved_at"}: this person's own key for the Messages API; None without one."""
        rows = await self._rows("own_key", {"person": _storable(person)})
        return rows[0] if rows else None

    async def save_own_key(self, person: str, sealed: str) -> None:
        """Keep a sealed key in place of an earlier one of this person's."""
        await self._rows("save_own_key", {"person": _storable(person), "sealed": sealed})

    async def remove_own_key(self, person: str) -> bool:
        """Remove this person's key; return whether there was one."""
        return bool(await self._rows("remove_own_key", {"person": _storable(person)}))

    async def tokens_of_month(self, host: str) -> list[Row]:
        """Return the tokens of this month's turns at this host, a row for each model: model, input_tokens, ….

        Turns that people's own keys have paid for are left out. The month is that of the database's time zone.
        """
        return await self._rows("tokens_of_month", {"host": _storable(host)})

    async def turn_ids(self, session_id: str) -> list[str]:
        """Return the ids of all turns of a session."""
        return [str(row["turn_id"]) for row in await self._rows("turn_ids", {"session_id": _storable(session_id)})]

    async def rate(self, turn_id: str, feedback: str | None, word: str | None) -> bool:
        """Set the reader's verdict (up, down or None) and their comment; return False if there is no such turn."""
        key = _uuid(turn_id)
        values = {"turn_id": key, "feedback": feedback, "word": _storable(word)}
        return bool(await self._rows("rate", values)) if key else False

    async def _rows(
        self, name: str, values: Mapping[str, object] | None = None, *, seconds: float = QUERY_TIMEOUT
    ) -> list[Row]:
        return await answered_within(seconds, rows_of(self._pool, QUERIES[name], values or {}))


def _pattern(phrase: str) -> str:
    """The pattern for `ilike` that finds `phrase` verbatim."""
    return "%" + re.sub(r"([\\%_])", r"\\\1", str(_storable(phrase))) + "%"


def _record(row: TurnRow) -> Mapping[str, object]:
    """Return the query parameter `row`: one JSON object, which `jsonb_populate_record` spreads over the columns."""
    return {"row": Jsonb({name: _storable(value) for name, value in asdict(row).items()})}


def _storable(value: object) -> object:
    """Convert to JSON's types, without what Postgres refuses: NUL, lone surrogates, NaN."""
    if isinstance(value, str):
        return re.sub("[\x00\ud800-\udfff]", "\N{REPLACEMENT CHARACTER}", value)
    if isinstance(value, Mapping):
        return {_storable(key): _storable(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_storable(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value.isoformat() if isinstance(value, datetime) else value


def _uuid(text: str) -> UUID | None:
    try:
        return UUID(text)
    except ValueError:
        return None
