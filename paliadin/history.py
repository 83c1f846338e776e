"""One turn as the page's history shows it: from its folder while that is there, from its row afterwards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from paliadin.errors import NotFound, StoreUnavailable
from paliadin.record import TurnRow, first_row
from paliadin.reduce import Event, Reducer
from paliadin.turnlog import TurnFolder, check_turn_id
from paliadin.turns import Turns

Item = dict[str, Any]


def from_log(row: TurnRow, reducer: Reducer, events: list[Event], *, running: bool) -> Item:
    return _basics(row) | {
        "response": reducer.response,
        "error_code": "user_aborted" if reducer.aborted else (reducer.error or {}).get("code"),
        "error": reducer.error,
        "aborted": reducer.aborted,
        "tools": tools(events),
        "notices": notices(events),
        "chips": reducer.chips,
        "evidence": reducer.evidence() if reducer.ended else None,
        "usage": reducer.usage,
        "model": reducer.model,
        "duration_ms": reducer.duration_ms,
        "first_text_ms": reducer.first_text_ms,
        "running": running,
        "interrupts": reducer.open_interrupts,
    }


def from_row(row: TurnRow) -> Item:
    """The folder is gone after KEEP_DAYS: no tool steps and no chips then, but what was said and what it cost."""
    return _basics(row) | {
        "response": row.response or "",
        "error_code": row.error_code,
        "error": None,
        "aborted": row.error_code == "user_aborted",
        "tools": [{"name": name} for name in row.observed_tools],
        "notices": [],
        "chips": [],
        "evidence": {
            "used_tools": list(row.used_tools),
            "rows_seen": list(row.rows_seen),
            "classifier_tag": row.classifier_tag,
            "classifier_source": row.classifier_source,
            "observed_tools": list(row.observed_tools),
            "agrees": row.evidence_agrees,
        },
        "usage": {
            "input_tokens": row.input_tokens,
            "output_tokens": row.output_tokens,
            "cache_read_tokens": row.cache_read_tokens,
            "cache_write_tokens": row.cache_write_tokens,
        },
        "model": row.model,
        "duration_ms": row.duration_ms,
        "first_text_ms": _since(row),
        "running": False,
        "interrupts": [],
    }


def tools(events: list[Event]) -> list[Mapping[str, object]]:
    """Each tool step once, a call joined with its result."""
    steps: dict[object, dict[str, object]] = {}
    for event in events:
        if event.name == "tool_call":
            steps[event.data["id"]] = {"input_summary": event.data["summary"], **event.data}
        elif event.name == "tool_result":
            steps.setdefault(event.data["id"], {}).update(event.data)
    return list(steps.values())


def notices(events: list[Event]) -> list[Mapping[str, object]]:
    """What was asked in mid-turn, and what was answered, by whom."""
    asked = {event.data["id"]: event.data for event in events if event.name == "interrupt"}
    return [
        {**asked[event.data["id"]], "by": event.data["by"], "value": event.data["value"]}
        for event in events
        if event.name == "interrupt_resolved" and event.data["id"] in asked
    ]


def _basics(row: TurnRow) -> Item:
    return {
        "turn_id": row.turn_id,
        "session_id": row.session_id,
        "origin": row.origin,
        "started_at": row.started_at.isoformat(),
        "finished_at": row.finished_at.isoformat() if row.finished_at else None,
        "user_message": row.user_message,
        "context": row.context,
    }


def _since(row: TurnRow) -> int | None:
    if row.first_text_at is None:
        return None
    return round((row.first_text_at - row.started_at).total_seconds() * 1000)


class Rows(Protocol):
    """What the history needs of the store."""

    async def turns(self, session_id: str | None, before: str | None, limit: int) -> list[TurnRow]: ...


class History:
    """Turns as the page shows them, newest last. Reads the folders alone when the database is away."""

    def __init__(self, turns: Turns, rows: Rows) -> None:
        self._turns, self._rows = turns, rows

    async def page(self, session: str, before: str | None, limit: int) -> dict[str, Any]:
        """{"turns": [item], "running_turn": turn_id or None, "has_more": bool}: the newest before `before`."""
        if before is not None:
            check_turn_id(before)
        unwritten = self._turns.unwritten()  # asked first: one that is written meanwhile is among the rows
        try:
            rows = await self._rows.turns(session, before, limit + 1)
            missing = set(unwritten) - {row.turn_id for row in rows}
            found = [row for turn_id in missing if (row := self._row_of_folder(turn_id, session, before))]
            rows = sorted([*rows, *found], key=lambda row: row.turn_id)[-limit - 1 :]
        except StoreUnavailable:
            rows = self._rows_of_folders(session, before, limit + 1)
        running = self._turns.running(session)
        return {
            "turns": [self._item(row) for row in rows[-limit:]],
            "running_turn": running,
            "has_more": len(rows) > limit,
        }

    def _item(self, row: TurnRow) -> Item:
        turn = TurnFolder(self._turns.settings.response_dir, row.turn_id)
        try:
            reducer = Reducer(turn.describe(), self._turns.chips)
        except NotFound:
            return from_row(row)
        events = [event for line in turn.lines() for event in reducer.feed(line)]
        return from_log(row, reducer, events, running=self._turns.running(row.session_id) == row.turn_id)

    def _rows_of_folders(self, session: str, before: str | None, limit: int) -> list[TurnRow]:
        rows: list[TurnRow] = []
        for path in sorted(self._turns.settings.response_dir.glob("*/*/turn.json"), reverse=True):
            row = self._row_of_folder(path.parent.name, session, before)
            rows += [row] if row else []
            if len(rows) == limit:
                break
        return rows[::-1]

    def _row_of_folder(self, turn_id: str, session: str, before: str | None) -> TurnRow | None:
        if before is not None and turn_id >= before:
            return None
        try:
            row = first_row(TurnFolder(self._turns.settings.response_dir, turn_id).describe())
        except NotFound:
            return None
        return row if row.session_id == session else None
