"""The dashboard's figures once more, in plain Python over the same rows."""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from datetime import date, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from paliadin.events.timeline import waited_ms
from paliadin.record.row import TurnRow
from paliadin.reports.days import Period
from paliadin.reports.filters import Filter

Rows = Sequence[TurnRow]

MONTHS_AND_DAYS = (
    "january|february|march|april|may|june|july|august|september|october|november|december|januar|februar|märz|mai|juni|"
    "juli|oktober|dezember|monday|tuesday|wednesday|thursday|friday|saturday|sunday|montag|dienstag|mittwoch|donnerstag|"
    "freitag|samstag|sonntag"
)


def normalized(message: str) -> str:
    text = re.sub("[0-9]+(st|nd|rd|th)?", "#", message[:1000].lower())
    text = re.sub(r"(?:[^\w#]|_)+", " ", text)
    text = re.sub(rf"\b({MONTHS_AND_DAYS})\b", "#", text)
    return re.sub("#( ?#)*", "#", text).strip()[:120]


def percentile(values: Iterable[float | None], share: float) -> float | None:
    """Between two values in proportion, as spreadsheets do."""
    known = sorted(value for value in values if value is not None)
    if not known:
        return None
    place = share * (len(known) - 1)
    low, high = math.floor(place), math.ceil(place)
    return known[low] + (known[high] - known[low]) * (place - low)


def day_of(row: TurnRow, zone: ZoneInfo) -> date:
    return row.started_at.astimezone(zone).date()


def page_of(row: TurnRow) -> str | None:
    return str(row.context["route_name"]) if "route_name" in row.context else row.page_origin


def is_error(row: TurnRow) -> bool:
    return row.error_code not in {None, "user_aborted"}


def is_interactive(row: TurnRow) -> bool:
    return row.abandoned is not None and row.origin in {"page", "widget", "cli", "api"}


def used_tool(row: TurnRow) -> bool:
    return bool(row.observed_tools) or any(not call.refused for call in row.tool_calls)


def count_checked(row: TurnRow) -> int:
    return sum(count for status, count in (row.claims or {}).items() if status != "common")


def count_unsupported(row: TurnRow) -> int:
    return (row.claims or {}).get("unsupported", 0)


def checked(rows: Rows) -> tuple[int, int]:
    """Answers that had something to check, and those of them with claims that nothing holds."""
    return sum(count_checked(row) > 0 for row in rows), sum(count_unsupported(row) > 0 for row in rows)


def own_time(row: TurnRow) -> int | None:
    """The turn's duration without the time in which it waited for its user."""
    return None if row.duration_ms is None else max(row.duration_ms - waited_ms(row.interrupts), 0)


def first_text(row: TurnRow) -> int | None:
    """The milliseconds before the first text in which the turn did not wait for its user: each is looked at."""
    if row.first_text_at is None:
        return None
    waits = [(wait.at_ms or 0, wait.waited_ms or 0) for wait in row.interrupts]
    before = range(round((row.first_text_at - row.started_at) / timedelta(milliseconds=1)))
    return sum(not any(at <= ms < at + waited for at, waited in waits) for ms in before)


def meant(row: TurnRow, wanted: Filter) -> bool:
    """All that a filter says, but for its days."""
    equal: dict[str, Any] = {
        "session": row.session_id,
        "person": row.person,
        "origin": row.origin,
        "tag": row.classifier_tag,
        "error": row.error_code,
        "normalized_prompt": normalized(row.user_message),
        "prompt": row.user_message[:200],
        "model": row.model,
        "page": page_of(row),
        "verdict": row.verdict,
    }
    flags: dict[str, Callable[[], bool]] = {
        "": lambda: True,
        "finished": lambda: row.finished_at is not None,
        "tool": lambda: used_tool(row) and row.finished_at is not None,
        "abandoned": lambda: is_interactive(row) and bool(row.abandoned),
        "watched": lambda: is_interactive(row),
        "disagrees": lambda: row.evidence_agrees is False,
        "claimed": lambda: row.evidence_agrees is not None,
        "checked": lambda: count_checked(row) > 0,
        "fallback": lambda: row.classifier_source == "fallback",
        "up": lambda: row.feedback == "up",
        "down": lambda: row.feedback == "down",
        "asked": lambda: bool(row.interrupts),
        "tool_failed": lambda: any(call.ok is False for call in row.tool_calls),
        "died": lambda: row.error_code == "pane_died" and row.origin != "agent",
        "person": lambda: row.origin != "agent",
        "nopage": lambda: page_of(row) is None,
        "notag": lambda: row.classifier_tag is None,
        "noform": lambda: normalized(row.user_message) == "",
        "nomodel": lambda: row.model is None,
    }
    return (
        all(getattr(wanted, name) in {"", value} for name, value in equal.items())
        and (not wanted.errors or is_error(row))
        and (not wanted.tool or wanted.tool in [call.name for call in row.tool_calls])
        and flags[wanted.flag]()
    )


def among(rows: Rows, wanted: Filter, zone: ZoneInfo) -> list[TurnRow]:
    return [row for row in rows if wanted.first <= day_of(row, zone) <= wanted.last and meant(row, wanted)]


def headline(rows: Rows) -> dict[str, Any]:
    return {
        "turns": len(rows),
        "finished": sum(row.finished_at is not None for row in rows),
        "errors": sum(map(is_error, rows)),
        "with_tool": sum(used_tool(row) and row.finished_at is not None for row in rows),
        "interactive": sum(map(is_interactive, rows)),
        "abandoned": sum(is_interactive(row) and bool(row.abandoned) for row in rows),
        "claimed": sum(row.evidence_agrees is not None for row in rows),
        "up": sum(row.feedback == "up" for row in rows),
        "down": sum(row.feedback == "down" for row in rows),
        "disagrees": sum(row.evidence_agrees is False for row in rows),
        "checked": checked(rows)[0],
        "unsupported": checked(rows)[1],
        "claims_checked": sum(map(count_checked, rows)),
        "claims_unsupported": sum(map(count_unsupported, rows)),
        "duration_ms": [percentile(map(own_time, rows), share) for share in (0.5, 0.9)],
        "waited_ms": sum(waited_ms(row.interrupts) for row in rows),
        "first_text_ms": [percentile(map(first_text, rows), share) for share in (0.5, 0.9)],
    }


def of_period(rows: Rows, period: Period, zone: ZoneInfo) -> list[TurnRow]:
    return [row for row in rows if period.first <= day_of(row, zone) <= period.last]


def series(rows: Rows, periods: Sequence[Period], zone: ZoneInfo) -> list[dict[str, Any]]:
    names = ("turns", "errors", "checked", "unsupported", "duration_ms")
    wholes = [headline(of_period(rows, period, zone)) for period in periods]
    return [{name: whole[name] for name in names} for whole in wholes]


def slowest(rows: Rows) -> list[tuple[str, int]]:
    """turn_id, duration without waiting"""
    timed = [(own, row.turn_id) for row in rows if (own := own_time(row)) is not None]
    return [(turn_id, own) for own, turn_id in sorted(timed, reverse=True)[:5]]


def worst(rows: Rows) -> list[tuple[str, int, int]]:
    """turn_id, claims that nothing holds, claims that could be checked"""
    some = [row for row in rows if count_unsupported(row)]
    order = sorted(some, key=lambda row: (count_unsupported(row), row.turn_id), reverse=True)
    return [(row.turn_id, count_unsupported(row), count_checked(row)) for row in order[:10]]


def tokens(
    rows: Rows, periods: Sequence[Period], zone: ZoneInfo
) -> list[tuple[date, str, int, int | None, int | None, int | None, int | None]]:
    groups = defaultdict(list)
    for period in periods:
        for row in of_period(rows, period, zone):
            groups[period.first, row.model or ""].append(row)
    kinds = ("input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens")
    return sorted(
        (day, model, len(group), *(known_sum([getattr(row, kind) for row in group]) for kind in kinds))
        for (day, model), group in groups.items()
    )  # type: ignore[return-value]  # a generator's length is not known


def known_sum(counts: list[int | None]) -> int | None:
    known = [count for count in counts if count is not None]
    return sum(known) if known else None


def part(rows: Rows, of: Callable[[TurnRow], str | None]) -> list[tuple[str, int, int, int, int, int]]:
    """name, turns, errors, fallback, checked, unsupported"""
    groups = defaultdict(list)
    for row in rows:
        groups[of(row) or ""].append(row)
    figures = [
        (
            name,
            len(group),
            sum(map(is_error, group)),
            sum(row.classifier_source == "fallback" for row in group),
            *checked(group),
        )
        for name, group in groups.items()
    ]
    return sorted(figures, key=lambda each: (-each[1], each[0].encode()))


def prompts(rows: Rows) -> list[tuple[str, int, int, list[tuple[str, int]]]]:
    groups: dict[str, Counter[str]] = defaultdict(Counter)
    for row in rows:
        groups[normalized(row.user_message)][row.user_message[:200]] += 1
    order = sorted(groups, key=lambda each: (-groups[each].total(), each.encode()))[:10]

    def examples(variants: Counter[str]) -> list[tuple[str, int]]:
        return sorted(variants.items(), key=lambda item: (-item[1], item[0].encode()))[:5]

    return [(each, groups[each].total(), len(groups[each]), examples(groups[each])) for each in order]


def tools(rows: Rows) -> list[tuple[Any, ...]]:
    """name, calls, turns, failures, rows, median_ms, total_ms"""
    calls = defaultdict(list)
    for row in rows:
        for call in row.tool_calls:
            calls[call.name].append((row.turn_id, call))
    figures = []
    for name, group in calls.items():
        times: list[Any] = [call.duration_ms for _, call in group if call.duration_ms is not None]
        counts: list[Any] = [call.rows or 0 for _, call in group]
        failures = sum(call.ok is False for _, call in group)
        turns = len({turn_id for turn_id, _ in group})
        figures.append((name, len(group), turns, failures, sum(counts), percentile(times, 0.5), sum(times)))
    return sorted(figures, key=lambda each: (-each[1], each[0].encode()))[:50]


def interrupts(rows: Rows) -> dict[str, Any]:
    asked = [(row.turn_id, item.waited_ms) for row in rows for item in row.interrupts]
    waits: list[Any] = [wait for _, wait in asked if wait is not None]
    return {
        "asked": len(asked),
        "turns": len({turn_id for turn_id, _ in asked}),
        "waited_ms": [percentile(waits, share) for share in (0.5, 0.9)],
        "total_ms": sum(waits),
        "longest_ms": max(waits, default=None),
    }
