"""A past turn as the history gives it (docs/http.md): from its log, or from its row once the folder is gone. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any, cast

from paliadin.events.model import (
    ContentDelta,
    End,
    Error,
    Event,
    EventData,
    Joined,
    Meta,
    Status,
    ToolCall,
    ToolResult,
    Unconfirmed,
    as_json,
)
from paliadin.events.reducer import Reducer
from paliadin.events.timeline import waited_ms
from paliadin.evidence.model import Evidence, Verdict
from paliadin.evidence.tool_use import find_differences
from paliadin.record.row import TurnRow

Item = dict[str, Any]
"""A part of a turn, as docs/http.md gives it, or one event of it: {"event", "data"}."""

EXCERPT_MARGIN = 80  # characters before and after the words


def basics(row: TurnRow) -> Item:
    """Build the fields that the row knows best: who asked what and when, and the reader's verdict."""
    return {
        "turn_id": row.turn_id,
        "session_id": row.session_id,
        "origin": row.origin,
        "started_at": row.started_at.isoformat(),
        "finished_at": row.finished_at.isoformat() if row.finished_at else None,
        "user_message": row.user_message,
        "asked_by": None,
        "context": row.context,
        "feedback": row.feedback,
        "feedback_word": row.feedback_word,
        "is_redacted": row.redacted is not None,
    }


def details_of_log(reducer: Reducer) -> Item:
    """Build the rest of the item of a turn whose log was read."""
    details = {
        "attachments": [each.described for each in reducer.description.attachments],
        "response": reducer.answer_text,
        "joined": reducer.joined,
        "error_code": reducer.error_code,
        "error": reducer.error,
        "aborted": reducer.aborted,
        "events": compact(reducer.events),
        "chips": reducer.chips,
        "evidence": reducer.evidence() if reducer.ended else None,
        "usage": reducer.usage,
        "model": reducer.model,
        "duration_ms": reducer.duration_ms,
        "first_text_ms": reducer.first_text_ms,
        "interrupts": reducer.open_interrupts,
    }
    notes = {"notes": reducer.notes} if reducer.notes else {}
    return {name: as_json(value) for name, value in (details | notes).items()}


def details_of_row(row: TurnRow) -> Item:
    """Build the rest of the item of a turn whose folder is gone (after KEEP_DAYS): without tool outputs and chips."""
    details = {
        "attachments": [],
        "response": row.response or "",
        "joined": row.joined,
        "error_code": row.error_code,
        "error": None,
        "aborted": row.error_code == "user_aborted",
        "events": [_event_item(event) for event in _events_of_row(row)],
        "chips": [],
        "evidence": _evidence(row),
        "usage": _usage(row),
        "model": row.model,
        "duration_ms": row.duration_ms,
        "first_text_ms": _first_text_ms(row),
        "interrupts": [],
    }
    return {name: as_json(value) for name, value in details.items()}


def compact(events: Iterable[Event]) -> list[Item]:
    """Shorten a turn's events so far to [{"event", "data"}]: drop status events, join the text pieces of one message.

    A client plays these like a live stream, so that a turn looks the same after a reload.
    """
    items = []
    for message, run in groupby((event.data for event in events if not isinstance(event.data, Status)), _message):
        if message is None:
            items += [_event_item(data) for data in run]
        else:
            text = "".join(data.text for data in run if isinstance(data, ContentDelta))
            items.append(_event_item(ContentDelta(text, message)))
    return items


def _message(data: EventData) -> str | None:
    """The message that an event adds text to; None for any other event."""
    return data.message_id if isinstance(data, ContentDelta) else None


def _event_item(data: EventData) -> Item:
    return {"event": data.event, "data": as_json(data)}


def _events_of_row(row: TurnRow) -> Iterator[EventData]:
    yield Meta(row.turn_id, row.session_id, round(row.started_at.timestamp() * 1000), row.model, [])
    for number, call in enumerate(row.tool_calls):
        call_id = f"tool-{number}"
        yield ToolCall(call_id, call.name, "", None)
        if call.ok is not None or call.refused:
            ok = call.ok is True
            yield ToolResult(call_id, call.name, ok, "", call.rows, call.duration_ms, "", call.refused)
    yield from _answer_of_row(row)
    if row.finished_at is None:
        return
    aborted = row.error_code == "user_aborted"
    if row.error_code and not aborted:
        yield Error(row.error_code, "", "", retryable=True)
        return
    yield _evidence(row)
    first_text = _first_text_ms(row)
    yield End(
        row.duration_ms, waited_ms(row.interrupts), first_text, _usage(row), row.model, row.chip_count, aborted, []
    )


def _answer_of_row(row: TurnRow) -> Iterator[EventData]:
    """Yield the answer, each part of it between words that joined the turn as a message."""
    parts = split_answer(row.response or "", [(each.text, each.at) for each in row.joined])
    for number, (part, words) in enumerate(parts):
        if part.strip():
            yield ContentDelta(part, f"response-{number}")
        if words is not None:
            yield Joined(words)
    if row.unconfirmed_chars:
        yield Unconfirmed(f"response-{len(row.joined)}", row.unconfirmed_chars)


def split_answer(response: str, joined: Iterable[tuple[str, int]]) -> Iterator[tuple[str, str | None]]:
    """Split an answer where words joined the turn; yield each part, and the words that stand behind it, if any do.

    `joined`: the words, each with the number of characters before them.
    """
    start = 0
    for words, at in joined:
        end = max(at, start)
        yield response[start:end], words
        start = end
    yield response[start:], None


def _evidence(row: TurnRow) -> Evidence:
    """Build the evidence from the row: the verdict, but not the single claims."""
    claims = row.used_tools, row.rows_seen
    return Evidence(
        used_tools=row.used_tools,
        rows_seen=row.rows_seen,
        classifier_tag=row.classifier_tag,
        classifier_source=row.classifier_source,
        observed_tools=row.observed_tools,
        agrees=row.evidence_agrees,
        differences=()
        if row.evidence_agrees is None
        else find_differences(*claims, row.observed_tools, row.tool_calls),
        verdict=cast("Verdict | None", row.verdict),
    )


def _usage(row: TurnRow) -> Item:
    return {
        "input_tokens": row.input_tokens,
        "output_tokens": row.output_tokens,
        "cache_read_tokens": row.cache_read_tokens,
        "cache_write_tokens": row.cache_write_tokens,
    }


def _first_text_ms(row: TurnRow) -> int | None:
    if row.first_text_at is None:
        return None
    return round((row.first_text_at - row.started_at).total_seconds() * 1000)


def text_with(words: str, row: TurnRow, *first: str) -> str:
    """Return the text that holds the words: one of `first`, a prompt that joined the turn, or else its answer."""
    texts = *first, *(each.text for each in row.joined)
    return next((text for text in texts if words.casefold() in text.casefold()), row.response or "")


def excerpt(text: str, words: str, margin: int = EXCERPT_MARGIN) -> str:
    """Return the text around the first match of `words`, or its beginning when there is none.

    `margin` is the number of characters before the match; as many as EXCERPT_MARGIN come behind it.
    """
    at = max(text.casefold().find(words.casefold()), 0)
    start, end = max(at - margin, 0), at + len(words) + EXCERPT_MARGIN
    return ("… " if start else "") + " ".join(text[start:end].split()) + (" …" if end < len(text) else "")
