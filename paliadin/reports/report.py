"""Formats the figures: as Markdown for a person, as JSON for a program. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from paliadin.reports.figures import TOKENS, Figures, share, unpriced_models
from paliadin.reports.verdict import Criterion, Limit, Verdict
from paliadin.words.tool_names import tool_name

LABELS: Mapping[str, str] = {
    "green": "green: it earns a bigger build",
    "yellow": "yellow: not convincing yet",
    "kill": "kill: it is not worth going on",
    "too_little_data": "too little data: it takes four whole weeks",
    "turns_per_working_day": "turns per working day, weeks 3 and 4",
    "tool_use_rate": "share of turns with a tool",
    "turns_per_day": "turns per day",
    "abandonment_rate": "share of answers that nobody waited for",
    "death_rate": "share of turns whose session died",
    "resets_per_turn": "new conversations per turn",
    "unsupported_rate": "share of answers with facts not found in anything Claude looked up, or not adding up",
}
SIDES = {"at_least": "at {} or more", "below": "below {}", "above": "above {}"}
AWAY = {"at_least": "short", "below": "above", "above": "below"}  # where a value is that has not reached the limit
MAX_QUESTION = 100  # characters
JSON_NAMES = {"interactive": "watched", "normalized_prompt": "form"}  # column → its older name in the JSON
WORST = ("turn_id", "claims_checked", "claims_unsupported")


def as_json(figures: Figures) -> dict[str, Any]:
    """Return the figures as one object for JSON."""
    cost = sum(row["cost"] or 0 for row in figures.tokens)
    return {
        "from": figures.filter.first.isoformat(),
        "to": figures.filter.last.isoformat(),
        "now": _json_row(figures.now),
        "before": _json_row(figures.before),
        "tokens": {kind: sum(row[kind] or 0 for row in figures.tokens) for kind in TOKENS},
        "estimated_cost_usd": round(cost, 4),
        **{f"by_{part}": [_without(row, "part") for row in rows] for part, rows in figures.parts.items()},
        "worst": [
            {name: str(row[name]) if name == "turn_id" else row[name] for name in WORST} for row in figures.worst
        ],
        "prompts": [_json_row(row) for row in figures.prompts],
        "tools": figures.tools,
        "interrupts": figures.interrupts,
        "gate": verdict_as_json(figures.verdict),
    }


def verdict_as_json(verdict: Verdict) -> dict[str, Any]:
    """Return the verdict as an object for JSON; its fields mean the same as in verdict.py."""
    return {
        "verdict": verdict.colour,
        "from": verdict.first.isoformat(),
        "to": verdict.last.isoformat(),
        "since": verdict.since.isoformat() if verdict.since else None,
        "criteria": [
            {
                "name": each.name,
                "value": each.value,
                "limits": [
                    {
                        "colour": limit.colour,
                        "side": limit.side,
                        "threshold": limit.threshold,
                        "met": limit.met,
                        "distance": limit.distance,
                    }
                    for limit in each.limits
                ],
            }
            for each in verdict.criteria
        ],
    }


def verdict_lines(verdict: Verdict) -> list[str]:
    """Return the verdict, the judged days, then one line for each criterion."""
    lines = [LABELS[verdict.colour], f"judged: {verdict.first} to {verdict.last}"]
    if verdict.colour == "too_little_data":
        lines.append(f"the record begins on {verdict.since}" if verdict.since else "there is no turn on record yet")
    return [*lines, *map(_criterion, verdict.criteria)]


def as_markdown(figures: Figures) -> str:
    """Return the report: the verdict, the figures beside those before, questions, tags, errors and tools."""
    now, before = figures.now, figures.before
    verdict, *details = verdict_lines(figures.verdict)
    rows = [
        ("Turns", now["turns"], before["turns"]),
        ("Duration, median", _time(now["duration_ms"][0]), _time(before["duration_ms"][0])),
        ("Duration, p90", _time(now["duration_ms"][1]), _time(before["duration_ms"][1])),
        ("Waiting for a reply, in all", _time(now["waited_ms"]), _time(before["waited_ms"])),
        ("Time to first text, median", _time(now["first_text_ms"][0]), _time(before["first_text_ms"][0])),
        ("Used a tool", *(_rate(share(each["with_tool"], each["finished"])) for each in (now, before))),
        ("Nobody waited", *(_rate(share(each["abandoned"], each["interactive"])) for each in (now, before))),
        ("Failed", now["errors"], before["errors"]),
        ("Claims other tools or rows than were seen", now["disagrees"], before["disagrees"]),
        (
            "Answers with facts not found in anything Claude looked up, or not adding up",
            *map(_unsupported, (now, before)),
        ),
        ("Thumbs up / down", *(f"{each['up']} / {each['down']}" for each in (now, before))),
    ]
    parts = [
        f"# Paliadin, {figures.filter.first} to {figures.filter.last}, today included",
        f"**Gate: {verdict}**",
        "\n".join(f"- {line}" for line in details),
        _table(("", f"these {figures.filter.days} days", "before"), rows),
        _cost(figures),
        _section("Questions", ("question", "turns", "variants"), [_prompt(row) for row in figures.prompts]),
        _section("Tags", ("tag", "turns"), [(row["name"] or "none", row["turns"]) for row in figures.parts["tag"]]),
        _section(
            "Errors", ("code", "turns"), [(row["name"], row["turns"]) for row in figures.parts["error"] if row["name"]]
        ),
        _section(
            "Tools",
            ("tool", "calls", "failures"),
            [(tool_name(row["name"]), row["calls"], row["failures"]) for row in figures.tools],
        ),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _cost(figures: Figures) -> str:
    """Write what the tokens cost; what has no price is not free."""
    tokens = sum(row[kind] or 0 for row in figures.tokens for kind in TOKENS)
    costs = [row["cost"] for row in figures.tokens if row["cost"] is not None]
    unpriced = ", ".join(_cell(name or "an unknown model") for name in unpriced_models(figures.tokens))
    if unpriced and not costs:
        return f"{tokens:,} tokens; what they cost is not known, as there is no price for {unpriced}."
    return f"{tokens:,} tokens, about ${sum(costs):,.2f} at list prices{f', without {unpriced}' if unpriced else ''}."


def _criterion(each: Criterion) -> str:
    limits = [_limit(each.name, limit, each.value) for limit in each.limits]
    return "; ".join([f"{LABELS[each.name]}: {_value(each.name, each.value)}", *limits])


def _limit(name: str, limit: Limit, value: float | None) -> str:
    away = f"{_distance(name, limit.distance)} {AWAY[limit.side]}"
    outcome = "reached" if limit.met else "-" if value is None else away
    return f"{limit.colour} {SIDES[limit.side].format(_value(name, limit.threshold))} ({outcome})"


def _distance(name: str, distance: float) -> str:
    """Write how far a criterion's value is from a limit: rates are apart by percentage points."""
    if not name.endswith("_rate"):
        return f"{distance:.1f}"
    points = f"{100 * distance:.0f}"
    return "1 point" if points == "1" else f"{points} points"


def _value(name: str, value: float | None) -> str:
    return _rate(value) if name.endswith("_rate") else "-" if value is None else f"{value:.1f}"


def _rate(value: float | None) -> str:
    return "-" if value is None else f"{value:.0%}"


def _unsupported(counts: Mapping[str, Any]) -> str:
    return f"{counts['unsupported']} of {counts['checked']} ({_rate(share(counts['unsupported'], counts['checked']))})"


def _time(milliseconds: float | None) -> str:
    return "-" if milliseconds is None else f"{milliseconds / 1000:.1f} s"


def _prompt(row: Mapping[str, Any]) -> tuple[str, int, int]:
    text = " ".join(str(row["examples"][0]["prompt"]).split())
    return text if len(text) <= MAX_QUESTION else f"{text[:MAX_QUESTION]}…", row["turns"], row["variants"]


def _section(title: str, heads: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    return f"## {title}\n\n{_table(heads, rows)}" if rows else ""


def _table(heads: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join("| " + " | ".join(_cell(cell) for cell in line) + " |" for line in lines)


def _cell(value: object) -> str:
    """Escape a value for a table cell: a user's text must neither end the cell nor become markup."""
    return "".join(f"\\{sign}" if sign in "\\|<>[]`*_" else sign for sign in str(value))


def _json_row(row: Mapping[str, Any]) -> dict[str, Any]:
    return {JSON_NAMES.get(name, name): value for name, value in row.items()}


def _without(row: Mapping[str, Any], key: str) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name != key}
