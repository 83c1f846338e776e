"""A turn's trace as its page shows it: rows on a time axis, what each step was given and returned. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from paliadin.base.visible_text import show
from paliadin.events.timeline import Waited, waited_ms
from paliadin.record.row import TurnRow
from paliadin.reports.listing import FolderContents
from paliadin.reports.trace import TraceStep, trace_of_row
from paliadin.web.dashboard import charts
from paliadin.web.dashboard.charts import Bar
from paliadin.web.dashboard.locale import Locale

MAX_STEPS = 500  # shown of a turn
MAX_BODY = 20_000  # characters shown of what a step was given, or returned
MAX_BODIES = 1_000_000  # characters of all of these together
SHORT_BODY = 500  # characters of each one after that
_WAITS = {"permission": "trace.permission", "question": "trace.question", "text": "trace.question"}  # a kind → its text
_RESULTS = {"failed": "tool_failed"}  # a state of a step → its text, where that has another name


@dataclass(frozen=True, slots=True)
class ShownStep:
    """A row of the trace. `look`: text, tool, bad or wait. `bodies`: (heading, text) pairs."""

    name: str
    look: str
    result: str
    at: str
    took: str
    rows: str
    tool: str  # its own name
    bar: Bar
    bodies: list[tuple[str, str]]
    pictures: list[tuple[str, str]]  # (name, what it is)
    note: str


@dataclass(frozen=True, slots=True)
class ShownTrace:
    """A turn's trace. `ticks`: (how far right, text) of its axis; `more`: steps that are not shown."""

    steps: list[ShownStep]
    ticks: list[tuple[float, str]]
    waited: str
    more: int


def shown_trace(row: TurnRow, folder: FolderContents | None, locale: Locale) -> ShownTrace:
    """Lay out the trace of a turn: of its log, while that is kept and knows no less than the row."""
    steps = _known_steps(row, folder)
    shown_steps = steps[:MAX_STEPS]
    ends = [(step.at_ms or 0) + (step.took_ms or 0) for step in steps]
    whole = max([*ends, row.duration_ms or 0, 1])
    bars = charts.time_line([(step.at_ms, step.took_ms) for step in shown_steps], whole)
    characters_left = MAX_BODIES
    rows = []
    for step, bar in zip(shown_steps, bars, strict=True):
        rows.append(_row(step, bar, MAX_BODY if characters_left > 0 else SHORT_BODY, locale))
        characters_left -= sum(len(text) for _, text in rows[-1].bodies)
    unit = charts.time_unit(whole)
    ticks = [tick for tick in charts.nice_ticks(whole, unit=unit) if tick <= whole]
    return ShownTrace(
        rows,
        [(round(100 * tick / whole, 2), locale.tick_time(tick, unit)) for tick in ticks],
        _waited(steps, row.duration_ms or whole, locale),
        len(steps) - len(shown_steps),
    )


def _known_steps(row: TurnRow, folder: FolderContents | None) -> list[TraceStep]:
    logged = folder.trace if folder else []
    has_all = sum(step.kind != "text" for step in logged) >= len(row.tool_calls) + len(row.interrupts)
    return logged if has_all else trace_of_row(row.tool_calls, row.interrupts)


def _waited(steps: Sequence[TraceStep], whole: int, locale: Locale) -> str:
    """Say for how long the turn waited for a person; "" if it did not."""
    waits = [Waited(step.what, step.name, None, step.at_ms, step.took_ms) for step in steps if step.kind == "wait"]
    return locale.t("trace.waited", locale.time(waited_ms(waits)), locale.time(whole)) if waits else ""


def _row(step: TraceStep, bar: Bar, longest: int, locale: Locale) -> ShownStep:
    result = "" if step.kind == "text" else locale.t(_RESULTS.get(step.state, step.state or "no_result"))
    if step.kind == "wait" and step.by:
        result = locale.t("by", show(step.by))
    notes = [
        locale.t("trace.cut") if step.cut else "",
        "" if all(step.pictures) else locale.t("trace.picture.gone"),
        "" if step.kept else locale.t("trace.gone"),
    ]
    return ShownStep(
        name=_name(step, locale),
        look="bad" if step.state in {"failed", "invalid", "refused"} else step.kind,
        result=result,
        at=locale.time(step.at_ms),
        took="" if step.kind == "text" and not step.took_ms else locale.time(step.took_ms),
        rows="" if step.rows is None else locale.rows(step.name, step.rows),
        tool="" if step.kind == "text" else show(step.name),
        bar=bar,
        bodies=_bodies(step, longest, locale),
        pictures=[
            (name, locale.t("trace.picture", number, locale.tool(step.name)))
            for number, name in enumerate(step.pictures, 1)
            if name
        ],
        note=" ".join(filter(None, notes)),
    )


def _name(step: TraceStep, locale: Locale) -> str:
    if step.kind == "text":
        return locale.t("trace.text")
    if step.kind == "tool":
        return locale.tool(step.name)
    if step.what in _WAITS:
        return locale.t(_WAITS[step.what], locale.tool(step.name))
    return show(f"{step.what}: {step.name}")


def _bodies(step: TraceStep, longest: int, locale: Locale) -> list[tuple[str, str]]:
    heads = {
        "text": ("", "trace.said"),
        "tool": ("trace.input", "trace.output"),
        "wait": ("trace.asked", "trace.reply"),
    }
    pairs = zip(heads[step.kind], (step.input, step.output), strict=True)
    return [(locale.t(head), locale.body(value, longest)) for head, value in pairs if head and value not in (None, "")]
