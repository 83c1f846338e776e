"""The row of a turn in the database. It is built from the turn's folder alone, so it can be built again."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from paliadin.events.timeline import CalledTool, JoinedWords, Waited
from paliadin.evidence.model import count_claims
from paliadin.turnlog.description import Description
from paliadin.turnlog.ids import started_at

if TYPE_CHECKING:
    from paliadin.events.reducer import Reducer

ORIGINS = frozenset({"page", "widget", "cli", "api", "terminal", "agent"})


@dataclass(frozen=True, slots=True)
class TurnRow:
    """One row of `paliadin.turns`. Times are aware (UTC), durations in milliseconds; None: not known (yet)."""

    turn_id: str
    session_id: str
    person: str
    host: str
    origin: str  # one of ORIGINS
    started_at: datetime
    user_message: str
    page_origin: str | None = None
    context: dict[str, object] = field(default_factory=dict)
    first_text_at: datetime | None = None
    finished_at: datetime | None = None
    duration_ms: int | None = None
    response: str | None = None
    model: str | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    cache_read_tokens: int | None = None
    cache_write_tokens: int | None = None
    used_tools: tuple[str, ...] = ()  # as the answer's trailer claims
    rows_seen: tuple[int, ...] = ()  # likewise: rows that each of used_tools returned
    observed_tools: tuple[str, ...] = ()  # as the hooks saw
    evidence_agrees: bool | None = None
    chip_count: int = 0
    abandoned: bool | None = None
    error_code: str | None = None
    classifier_tag: str | None = None
    classifier_source: str | None = None  # trailer or fallback
    pane_lines_captured: int | None = None
    own_key: bool | None = False  # the person's own key for the Messages API has paid for it
    limit_lifted: bool | None = False  # one beyond the questions of an hour: the owner has lifted their limit
    redacted: Mapping[str, object] | None = None  # what is kept in the place of words (record/redaction.py)
    feedback: str | None = None  # up or down: the reader's verdict, given after the turn
    feedback_word: str | None = None
    tool_calls: tuple[CalledTool, ...] = ()
    interrupts: tuple[Waited, ...] = ()
    claims: Mapping[str, int] | None = None  # how many of the answer's claims have each status; None: not checked
    unconfirmed_chars: int | None = None  # at the answer's end: shown before a Stop, never reported by Claude Code
    verdict: str | None = None  # supported, differs, unsupported, nothing_to_check or unknown
    joined: tuple[JoinedWords, ...] = ()  # typed in the terminal while the turn ran


def first_row(description: Description) -> TurnRow:
    """Build the row written before the prompt is sent."""
    turn_id, began = description.turn_id, description.began_at
    return TurnRow(
        turn_id=turn_id,
        session_id=description.session_id,
        person=description.person or "owner",
        host=description.host or "",
        origin=description.origin if description.origin in ORIGINS else "api",
        started_at=started_at(turn_id) if began is None else datetime.fromtimestamp(began / 1000, UTC),
        user_message=description.user_message,
        page_origin=description.page_origin,
        context=description.context.as_json(),
        own_key=description.own_key is not None,
        limit_lifted=description.limit_lifted,
    )


def finished_row(reducer: Reducer, *, watched: bool, pane_lines: int) -> TurnRow:
    """Build the row of an ended turn, of which `reducer` has seen every line of the log.

    `watched`: somebody followed the turn when it ended, or came back within a minute; otherwise it is `abandoned`.
    Turns from the terminal or from Claude itself are never abandoned: nobody asked for them on a page.
    """
    usage = reducer.usage or {}
    evidence = reducer.evidence()
    row = first_row(reducer.description)
    return replace(
        row,
        first_text_at=_later(row.started_at, reducer.first_text_ms),
        finished_at=_later(row.started_at, reducer.duration_ms),
        duration_ms=reducer.duration_ms,
        response=reducer.answer_text,
        model=reducer.model,
        input_tokens=usage.get("input_tokens"),
        output_tokens=usage.get("output_tokens"),
        cache_read_tokens=usage.get("cache_read_tokens"),
        cache_write_tokens=usage.get("cache_write_tokens"),
        used_tools=evidence.used_tools,
        rows_seen=evidence.rows_seen,
        observed_tools=evidence.observed_tools,
        evidence_agrees=evidence.agrees,
        chip_count=len(reducer.chips),
        abandoned=not watched if row.origin not in {"terminal", "agent"} else False,
        error_code=reducer.error_code,
        classifier_tag=evidence.classifier_tag,
        classifier_source=evidence.classifier_source,
        pane_lines_captured=pane_lines,
        tool_calls=tuple(reducer.timeline.tool_calls),
        interrupts=tuple(reducer.timeline.interrupts),
        claims=None if evidence.claims is None else dict(count_claims(evidence.claims)),  # asdict spoils a Counter
        verdict=evidence.verdict,
        unconfirmed_chars=reducer.unconfirmed or None,
        joined=tuple(reducer.joined),
    )


def _later(start: datetime, milliseconds: int | None) -> datetime | None:
    return None if milliseconds is None else start + timedelta(milliseconds=milliseconds)
