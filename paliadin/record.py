"""The row of a turn: what the store keeps of it. Built from the turn's folder alone, so it can be built again."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime


@dataclass(frozen=True, slots=True)
class TurnRow:
    """One row of `paliadin.turns`. Times are aware (UTC), durations milliseconds; None is "not known (yet)"."""

    turn_id: str
    session_id: str
    person: str
    host: str
    origin: str  # page, widget, cli, api, terminal, agent
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
    used_tools: tuple[str, ...] = ()  # what the trailer claims
    rows_seen: tuple[int, ...] = ()
    observed_tools: tuple[str, ...] = ()  # what the hooks saw
    evidence_agrees: bool | None = None
    chip_count: int = 0
    abandoned: bool | None = None
    error_code: str | None = None
    classifier_tag: str | None = None
    classifier_source: str | None = None  # trailer or fallback
    pane_lines_captured: int | None = None
