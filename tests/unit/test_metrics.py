from __future__ import annotations

import json
import re
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from paliadin.base.errors import TmuxUnresponsive
from paliadin.events.model import Error
from paliadin.events.reducer import Reducer
from paliadin.evidence.model import Claim
from paliadin.operations import metrics
from paliadin.operations.metrics import Metrics
from paliadin.turnlog.description import Description
from paliadin.turns.lifecycle import Turns

DOCS = Path(__file__).parents[2] / "docs" / "monitoring.md"
DASHBOARD = Path(__file__).parents[2] / "contrib" / "grafana-dashboard.json"


@dataclass
class Some:
    """Stands in for `Turns`: it has what the metrics ask for."""

    waiting: list[str] = field(default_factory=list)
    states: tuple[str, ...] = ("idle", "busy", "idle")

    @property
    def sessions(self) -> Any:
        return SimpleNamespace(readers=3)

    @property
    def recorder(self) -> Any:
        return SimpleNamespace(waiting=self.waiting)

    @property
    def conversations(self) -> Any:
        async def states() -> list[Any]:
            if not self.states:
                raise TmuxUnresponsive("tmux hangs")
            return [SimpleNamespace(state=state) for state in self.states]

        return SimpleNamespace(states=states)


async def series_of(seen: Metrics, turns: Some) -> dict[str, float]:
    """Series → value."""
    lines = (await seen.render(cast("Turns", turns))).decode().splitlines()
    pairs = [line.rsplit(" ", 1) for line in lines if not line.startswith("#")]
    return {name: float(value) for name, value in pairs}


def ended(**values: Any) -> Reducer:
    reducer = Reducer(Description.parse({"turn_id": "a"}))
    for name, value in values.items():
        setattr(reducer, name, value)
    return reducer


def checked(statuses: Any, verdict: Any) -> Reducer:
    claims = None if statuses is None else tuple(Claim("m", 0, 1, "7", "count", status) for status in statuses)
    evidence = replace(Reducer(Description.parse({"turn_id": "a"})).evidence(), claims=claims, verdict=verdict)
    return ended(evidence=lambda: evidence)


async def test_turns_are_counted_by_outcome_and_timed() -> None:
    seen = Metrics()
    seen.count_turn("a", ended(duration_ms=1500, first_text_ms=300))
    seen.count_turn("b", ended(duration_ms=400, aborted=True))
    seen.count_turn("c", ended(error=Error("timeout", "", "", True)))
    seen.count_turn("d", ended(error=Error("what a user\nwrote", "", "", True)))
    series = await series_of(seen, Some())
    counts = {name: value for name, value in series.items() if name.startswith("paliadin_turns_total")}
    assert counts == {
        f'paliadin_turns_total{{outcome="{outcome}"}}': 1.0
        for outcome in ("answered", "user_aborted", "timeout", "other")
    }
    assert series["paliadin_turn_duration_seconds_count"] == 2
    assert series["paliadin_turn_duration_seconds_sum"] == 1.9
    assert series['paliadin_turn_duration_seconds_bucket{le="0.5"}'] == 1
    assert series["paliadin_first_text_seconds_sum"] == 0.3


async def test_answers_are_counted_by_verdict_and_their_claims_by_what_is_known_of_them() -> None:
    seen = Metrics()
    for claims, verdict in (
        (("found", "found", "unsupported"), "unsupported"),
        (("found", "common"), "supported"),
        ((), "nothing_to_check"),
        (None, None),
    ):
        seen.count_turn("a", checked(claims, verdict))
    series = await series_of(seen, Some())
    assert {
        name: value for name, value in series.items() if name.startswith(("paliadin_claims_t", "paliadin_answers_t"))
    } == {
        'paliadin_answers_total{verdict="unsupported"}': 1,
        'paliadin_answers_total{verdict="supported"}': 1,
        'paliadin_answers_total{verdict="nothing_to_check"}': 1,
        'paliadin_claims_total{status="found"}': 3,
        'paliadin_claims_total{status="common"}': 1,
        'paliadin_claims_total{status="unsupported"}': 1,
    }


async def test_what_is_now_is_looked_at_now(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = SimpleNamespace(monotonic=lambda: 100.0)
    monkeypatch.setattr(metrics, "time", clock)
    seen, turns = Metrics(), Some(waiting=["a", "b"])
    seen.count_turn("a", ended())
    clock.monotonic = lambda: 107.5
    seen.count_turn("b", ended())
    series = await series_of(seen, turns)
    assert (series["paliadin_rows_waiting"], series["paliadin_database_lag_seconds"]) == (2, 7.5)
    assert series["paliadin_streams_active"] == 3
    assert (series['paliadin_sessions{state="idle"}'], series['paliadin_sessions{state="busy"}']) == (2, 1)
    turns.waiting, turns.states = [], ()
    series = await series_of(seen, turns)
    assert (series["paliadin_rows_waiting"], series["paliadin_database_lag_seconds"]) == (0, 0)
    assert [name for name in series if "sessions" in name] == ['paliadin_sessions{state="tmux_unresponsive"}']


async def test_the_docs_list_every_metric_and_no_other() -> None:
    seen = Metrics()
    seen.count_turn("a", checked(("found",), "supported"))
    there = {
        re.sub(r"_(bucket|count|sum|created|total)$", "", name.partition("{")[0])
        for name in await series_of(seen, Some())
    }
    table = DOCS.read_text("utf-8").partition("| metric |")[2].partition("\n\n")[0]
    listed = {name.removesuffix("_total") for name in names(table)}
    assert listed == {name for name in there if name.startswith("paliadin_")}


async def test_the_dashboard_of_contrib_asks_for_what_there_is() -> None:
    seen = Metrics()
    seen.count_turn("a", checked(("found",), "supported"))
    there = {name.partition("{")[0] for name in await series_of(seen, Some())}
    board = json.loads(DASHBOARD.read_text("utf-8"))
    asked = {name for panel in board["panels"] for target in panel["targets"] for name in names(target["expr"])}
    assert asked <= there
    assert {name.removesuffix("_bucket").removesuffix("_total") for name in asked} == {
        "paliadin_turns",
        "paliadin_answers",
        "paliadin_claims",
        "paliadin_turn_duration_seconds",
        "paliadin_first_text_seconds",
        "paliadin_streams_active",
        "paliadin_rows_waiting",
        "paliadin_database_lag_seconds",
        "paliadin_sessions",
    }


def names(expression: str) -> list[str]:
    return re.findall(r"paliadin_\w+", expression)
