"""One turn as the page's history shows it: from its folder while that is there, from its row afterwards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from paliadin.errors import NotFound, StoreUnavailable
from paliadin.evidence import differences
from paliadin.record import TurnRow, first_row
from paliadin.reduce import Event, Reducer
from paliadin.turnlog import LogReader, TurnFolder, check_turn_id
from paliadin.turns import Turns

Item = dict[str, Any]

MOST_FOUND = 30
LONGEST_FOUND = 300  # characters
AROUND = 80  # characters before and after the words


def from_log(row: TurnRow, reducer: Reducer, events: list[Event], *, running: bool) -> Item:
    return _basics(row) | {
        "response": reducer.response,
        "error_code": "user_aborted" if reducer.aborted else (reducer.error or {}).get("code"),
        "error": reducer.error,
        "aborted": reducer.aborted,
        "events": shown(events),
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
        "events": _events_of_row(row),
        "chips": [],
        "evidence": _evidence(row),
        "usage": _usage(row),
        "model": row.model,
        "duration_ms": row.duration_ms,
        "first_text_ms": _since(row),
        "running": False,
        "interrupts": [],
    }


def shown(events: list[Event]) -> list[Item]:
    """The stream once it is over: [{"event", "data"}] in its order, without states that passed; text in one piece.

    Whoever shows a turn plays these like a live stream, so that a reload looks as it looked.
    """
    told: list[Item] = []
    for event in events:
        if event.name == "status":
            continue
        item: Item = {"event": event.name, "data": dict(event.data)}
        last = told[-1] if told else None
        if last and _same_message(last, item):
            last["data"]["text"] += item["data"]["text"]
        else:
            told.append(item)
    return told


def _same_message(one: Item, other: Item) -> bool:
    deltas = one["event"] == other["event"] == "content_delta"
    return deltas and bool(one["data"]["message_id"] == other["data"]["message_id"])


def _events_of_row(row: TurnRow) -> list[Item]:
    started = round(row.started_at.timestamp() * 1000)
    told: list[Item] = [{"event": "meta", "data": {"started_at": started, "model": row.model}}]
    for number, call in enumerate(row.tool_calls):
        step = {"id": f"tool-{number}", "name": call["name"], "summary": ""}
        told.append({"event": "tool_call", "data": step})
        if call["ok"] is not None or call["refused"]:
            facts = {name: call[name] for name in ("ok", "refused", "rows", "duration_ms")}
            told.append({"event": "tool_result", "data": step | facts | {"ok": call["ok"] is True, "output": ""}})
    if row.response:
        told.append({"event": "content_delta", "data": {"message_id": "response", "text": row.response}})
    if row.finished_at is None:
        return told
    aborted = row.error_code == "user_aborted"
    if row.error_code and not aborted:
        return [*told, {"event": "error", "data": {"code": row.error_code, "retryable": True}}]
    end = {"duration_ms": row.duration_ms, "first_text_ms": _since(row), "usage": _usage(row), "aborted": aborted}
    return [*told, {"event": "evidence", "data": _evidence(row)}, {"event": "end", "data": end}]


def _evidence(row: TurnRow) -> Item:
    return {
        "used_tools": list(row.used_tools),
        "rows_seen": list(row.rows_seen),
        "classifier_tag": row.classifier_tag,
        "classifier_source": row.classifier_source,
        "observed_tools": list(row.observed_tools),
        "agrees": row.evidence_agrees,
        "differences": differences(row.used_tools, row.rows_seen, row.observed_tools, row.tool_calls)
        if row.evidence_agrees is not None
        else [],
    }


def _usage(row: TurnRow) -> Item:
    return {
        "input_tokens": row.input_tokens,
        "output_tokens": row.output_tokens,
        "cache_read_tokens": row.cache_read_tokens,
        "cache_write_tokens": row.cache_write_tokens,
    }


def excerpt(text: str, words: str) -> str:
    """The text around the words; its beginning where they are not in it."""
    at = max(text.casefold().find(words.casefold()), 0)
    start, end = max(at - AROUND, 0), at + len(words) + AROUND
    return ("… " if start else "") + " ".join(text[start:end].split()) + (" …" if end < len(text) else "")


def _basics(row: TurnRow) -> Item:
    return {
        "turn_id": row.turn_id,
        "session_id": row.session_id,
        "origin": row.origin,
        "started_at": row.started_at.isoformat(),
        "finished_at": row.finished_at.isoformat() if row.finished_at else None,
        "user_message": row.user_message,
        "context": row.context,
        "feedback": row.feedback,
        "feedback_word": row.feedback_word,
    }


def _since(row: TurnRow) -> int | None:
    if row.first_text_at is None:
        return None
    return round((row.first_text_at - row.started_at).total_seconds() * 1000)


class Rows(Protocol):
    """What the history needs of the store."""

    async def turns(self, session_id: str | None, before: str | None, limit: int) -> list[TurnRow]: ...
    async def search(self, session_id: str, words: str, limit: int) -> list[TurnRow]: ...
    async def rate(self, turn_id: str, feedback: str | None, word: str | None) -> bool: ...


class History:
    """Turns as the page shows them, newest last. Reads the folders alone when the database is away."""

    def __init__(self, turns: Turns, rows: Rows) -> None:
        self._turns, self._rows = turns, rows
        self._sessions: dict[str, LogReader] = {}
        self._began: dict[str, int] = {}

    async def page(self, session: str, before: str | None, limit: int) -> dict[str, Any]:
        """{"turns": [item], "running_turn", "has_more", "since"}: the newest before `before`; see `began`."""
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
            "since": self.began(session),
        }

    async def search(self, session: str, words: str) -> list[Item]:
        """[{"turn_id", "started_at", "user_message", "excerpt"}], newest first."""
        rows = await self._rows.search(session, words, MOST_FOUND)
        return [
            {
                "turn_id": row.turn_id,
                "started_at": row.started_at.isoformat(),
                "user_message": row.user_message[:LONGEST_FOUND],
                "excerpt": excerpt(row.response or "", words),
            }
            for row in rows
        ]

    async def rate(self, turn_id: str, feedback: str | None, word: str | None) -> None:
        check_turn_id(turn_id)
        if not await self._rows.rate(turn_id, feedback, word):
            raise NotFound("there is no row of this turn (yet)", code="unknown_turn", hint="Try again in a moment.")

    def began(self, session: str) -> int:
        """When the conversation began by a /clear, on a page or in the terminal: milliseconds since 1970, else 0."""
        local = self._turns.settings.local_name(session)
        path = self._turns.settings.sessions_dir / (local or session) / "events.jsonl"
        for line in self._sessions.setdefault(session, LogReader(path)).read():
            hook, at = line.get("hook"), line.get("at")
            if isinstance(hook, Mapping) and isinstance(at, int) and hook.get("source") == "clear":
                self._began[session] = at
        return self._began.get(session, 0)

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
