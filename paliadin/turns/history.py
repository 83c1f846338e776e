"""Past turns for the page: built from a turn's folder while it exists, from its row afterwards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from paliadin.base.errors import NotFound, StoreUnavailable
from paliadin.events.reducer import Event, Reducer
from paliadin.evidence.tool_use import find_differences
from paliadin.record.row import TurnRow, first_row
from paliadin.turnlog.folder import TurnFolder
from paliadin.turnlog.ids import check_turn_id
from paliadin.turnlog.read import LogReader
from paliadin.turns.lifecycle import Turns

Item = dict[str, Any]
"""A turn as docs/http.md gives it, or one event of it: {"event", "data"}."""

MAX_RESULTS = 30
MAX_MESSAGE = 300  # characters of a question in a search result
EXCERPT_MARGIN = 80  # characters before and after the words


def item_from_log(row: TurnRow, reducer: Reducer, events: list[Event], *, running: bool) -> Item:
    """Build the item of a turn whose log was read: `reducer` has seen every line, and `events` is all it gave."""
    return _basics(row) | {
        "response": reducer.answer_text,
        "error_code": "user_aborted" if reducer.aborted else (reducer.error or {}).get("code"),
        "error": reducer.error,
        "aborted": reducer.aborted,
        "events": compact(events),
        "chips": reducer.chips,
        "evidence": reducer.evidence() if reducer.ended else None,
        "usage": reducer.usage,
        "model": reducer.model,
        "duration_ms": reducer.duration_ms,
        "first_text_ms": reducer.first_text_ms,
        "running": running,
        "interrupts": reducer.open_interrupts,
    }


def item_from_row(row: TurnRow) -> Item:
    """Build the item of a turn whose folder is gone (after KEEP_DAYS): without tool outputs and chips."""
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
        "first_text_ms": _first_text_ms(row),
        "running": False,
        "interrupts": [],
    }


def compact(events: list[Event]) -> list[Item]:
    """Shorten a turn's events so far to [{"event", "data"}]: drop status events, join the text pieces of one message.

    A client plays these like a live stream, so that a turn looks the same after a reload.
    """
    items: list[Item] = []
    for event in events:
        if event.name == "status":
            continue
        item: Item = {"event": event.name, "data": dict(event.data)}
        last = items[-1] if items else None
        if last and _same_message(last, item):
            last["data"]["text"] += item["data"]["text"]
        else:
            items.append(item)
    return items


def _same_message(one: Item, other: Item) -> bool:
    deltas = one["event"] == other["event"] == "content_delta"
    return deltas and bool(one["data"]["message_id"] == other["data"]["message_id"])


def _events_of_row(row: TurnRow) -> list[Item]:
    started_ms = round(row.started_at.timestamp() * 1000)
    items: list[Item] = [{"event": "meta", "data": {"started_at": started_ms, "model": row.model}}]
    for number, call in enumerate(row.tool_calls):
        step = {"id": f"tool-{number}", "name": call["name"], "summary": ""}
        items.append({"event": "tool_call", "data": step})
        if call["ok"] is not None or call["refused"]:
            outcome = {name: call[name] for name in ("ok", "refused", "rows", "duration_ms")}
            items.append({"event": "tool_result", "data": step | outcome | {"ok": call["ok"] is True, "output": ""}})
    if row.response:
        items.append({"event": "content_delta", "data": {"message_id": "response", "text": row.response}})
    if row.finished_at is None:
        return items
    aborted = row.error_code == "user_aborted"
    if row.error_code and not aborted:
        return [*items, {"event": "error", "data": {"code": row.error_code, "retryable": True}}]
    first_text_ms = _first_text_ms(row)
    end = {"duration_ms": row.duration_ms, "first_text_ms": first_text_ms, "usage": _usage(row), "aborted": aborted}
    return [*items, {"event": "evidence", "data": _evidence(row)}, {"event": "end", "data": end}]


def _evidence(row: TurnRow) -> Item:
    return {
        "used_tools": list(row.used_tools),
        "rows_seen": list(row.rows_seen),
        "classifier_tag": row.classifier_tag,
        "classifier_source": row.classifier_source,
        "observed_tools": list(row.observed_tools),
        "agrees": row.evidence_agrees,
        "differences": find_differences(row.used_tools, row.rows_seen, row.observed_tools, row.tool_calls)
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
    """Return the text around the first match of `words`, or its beginning when there is none."""
    at = max(text.casefold().find(words.casefold()), 0)
    start, end = max(at - EXCERPT_MARGIN, 0), at + len(words) + EXCERPT_MARGIN
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


def _first_text_ms(row: TurnRow) -> int | None:
    if row.first_text_at is None:
        return None
    return round((row.first_text_at - row.started_at).total_seconds() * 1000)


class HistoryStore(Protocol):
    """The store's methods that `History` uses."""

    async def turns(self, session_id: str | None, before: str | None, limit: int) -> list[TurnRow]: ...
    async def search(self, session_id: str, words: str, limit: int) -> list[TurnRow]: ...
    async def rate(self, turn_id: str, feedback: str | None, word: str | None) -> bool: ...


class History:
    """Pages through, searches and rates past turns. Pages come from the folders alone when the database is down."""

    def __init__(self, turns: Turns, store: HistoryStore) -> None:
        self._turns, self._store = turns, store
        self._session_logs: dict[str, LogReader] = {}
        self._cleared_at: dict[str, int] = {}  # session → see `cleared_at`

    async def page(self, session: str, before: str | None, limit: int) -> dict[str, Any]:
        """Return {"turns": [item], "running_turn", "has_more", "since"}; `since` is `cleared_at`.

        The turns are the newest `limit` of the session, of those older than the turn `before`; newest last.
        """
        if before is not None:
            check_turn_id(before)
        unrecorded = self._turns.unrecorded_ids()  # before the query: a turn recorded meanwhile is among the rows
        try:
            rows = await self._store.turns(session, before, limit + 1)
            missing = set(unrecorded) - {row.turn_id for row in rows}
            added = [row for turn_id in missing if (row := self._row_of_folder(turn_id, session, before))]
            rows = sorted([*rows, *added], key=lambda row: row.turn_id)[-limit - 1 :]
        except StoreUnavailable:
            rows = self._rows_of_folders(session, before, limit + 1)
        running = self._turns.running_turn(session)
        return {
            "turns": [self._item(row) for row in rows[-limit:]],
            "running_turn": running,
            "has_more": len(rows) > limit,
            "since": self.cleared_at(session),
        }

    async def search(self, session: str, words: str) -> list[Item]:
        """Return the turns that hold `words`: [{"turn_id", "started_at", "user_message", "excerpt"}], newest first."""
        rows = await self._store.search(session, words, MAX_RESULTS)
        return [
            {
                "turn_id": row.turn_id,
                "started_at": row.started_at.isoformat(),
                "user_message": row.user_message[:MAX_MESSAGE],
                "excerpt": excerpt(row.response or "", words),
            }
            for row in rows
        ]

    async def rate(self, turn_id: str, feedback: str | None, word: str | None) -> None:
        """Keep the reader's verdict (up, down or None) and their comment; raises NotFound when the turn has no row."""
        check_turn_id(turn_id)
        if not await self._store.rate(turn_id, feedback, word):
            raise NotFound("this turn has no row yet", code="unknown_turn", hint="Try again in a moment.")

    def cleared_at(self, session: str) -> int:
        """Return when the session was last cleared, on a page or by /clear: milliseconds since 1970, or 0 for never."""
        local = self._turns.settings.names.short(session)
        path = self._turns.settings.sessions_dir / (local or session) / "events.jsonl"
        for line in self._session_logs.setdefault(session, LogReader(path)).read():
            hook, at = line.get("hook"), line.get("at")
            if isinstance(hook, Mapping) and isinstance(at, int) and hook.get("source") == "clear":
                self._cleared_at[session] = at
        return self._cleared_at.get(session, 0)

    def _item(self, row: TurnRow) -> Item:
        turn = TurnFolder(self._turns.settings.response_dir, row.turn_id)
        try:
            reducer = Reducer(turn.describe(), self._turns.chips)
        except NotFound:
            return item_from_row(row)
        events = [event for line in turn.lines() for event in reducer.feed(line)]
        return item_from_log(row, reducer, events, running=self._turns.running_turn(row.session_id) == row.turn_id)

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
