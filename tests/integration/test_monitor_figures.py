"""Every figure of the dashboard against a plain Python computation over the same rows."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from contextlib import AsyncExitStack
from dataclasses import fields, replace
from datetime import UTC, date, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import psycopg
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from psycopg.conninfo import make_conninfo

from paliadin.events.timeline import CalledTool, JoinedWords, Waited
from paliadin.evidence.model import judge
from paliadin.record.row import TurnRow
from paliadin.record.store import Store
from paliadin.reports.criteria import load_monitor_settings
from paliadin.reports.days import days_from, local_day, periods
from paliadin.reports.figures import Figures, compute_figures, share
from paliadin.reports.filters import FLAGS, VERDICTS, Filter
from paliadin.reports.verdict import DAYS, measure
from tests.worlds import figures_oracle as oracle

DEFAULTS = load_monitor_settings(None)
SETTINGS = replace(
    DEFAULTS, gate=DEFAULTS.gate | {"unsupported_rate": {"yellow_above": 0.1}}
)  # a criterion that is off
ZONES = [
    "UTC",
    "Europe/Berlin",
    "America/New_York",
    "Asia/Kolkata",
    "Africa/Cairo",  # its clock skips midnight
    "America/Havana",  # its midnight comes twice
    "Australia/Lord_Howe",  # half an hour of summer time
    "Pacific/Apia",  # one day was never there
]
TODAYS = [
    date(2026, 3, 29),
    date(2026, 10, 25),
    date(2024, 3, 1),
    date(2023, 4, 29),
    date(2026, 11, 2),
    date(2012, 1, 2),
    date(2025, 1, 3),
]
MESSAGES = [
    "What is due?",
    "what is due",
    "What's due on 3rd May?",
    "whats due on 2026-05-03",
    "Über 12 Fälle",
    "?",
    "",
    "#1",
]
TOOLS = ["Read", "Bash", "read", "mcp__a__b", "Ünder"]
UNKNOWN = st.none()

Figured = Callable[[Sequence[TurnRow], Filter, ZoneInfo, date], Figures]


@pytest.fixture(scope="module")
def figured(database_server: str, database_template: str) -> Iterator[Figured]:
    """Puts the rows into a database of this module's own, and asks it for the figures."""
    with psycopg.connect(database_server, autocommit=True) as connection:
        connection.execute(f"create database figures template {database_template}".encode())
    conninfo, store = make_conninfo(database_server, dbname="figures"), Store()

    async def figure(rows: Sequence[TurnRow], wanted: Filter, zone: ZoneInfo, today: date) -> Figures:
        for row in rows:
            await store.finish(row)
        async with store.snapshot() as snapshot:
            return await compute_figures(snapshot, wanted, SETTINGS, zone, today)

    def run(rows: Sequence[TurnRow], wanted: Filter, zone: ZoneInfo, today: date) -> Figures:
        with psycopg.connect(conninfo, autocommit=True) as connection:
            connection.execute("delete from paliadin.turns")
        return runner.run(figure(rows, wanted, zone, today))

    with asyncio.Runner() as runner:
        opened = AsyncExitStack()
        runner.run(opened.enter_async_context(store.connected(conninfo)))
        yield run
        runner.run(opened.aclose())
    with psycopg.connect(database_server, autocommit=True) as connection:
        connection.execute("drop database figures with (force)")


@st.composite
def turns(draw: st.DrawFn, today: date) -> TurnRow:
    """A turn of the last month or so: often at the very edge of a day somewhere, often equal to another in a figure."""
    edge = datetime.combine(today - timedelta(days=draw(st.integers(-1, 35))), datetime.min.time(), UTC)
    minutes = draw(st.sampled_from([0, 1, 59, 60, 90, 119, 120, 180, 240, 330, 600, 660, 840, 1319, 1320, 1380, 1439]))
    start = edge + timedelta(minutes=minutes, milliseconds=draw(st.sampled_from([0, 0, 1, 999])))
    finished = draw(st.booleans())
    calls = draw(
        st.lists(
            st.builds(
                CalledTool,
                name=st.sampled_from(TOOLS),
                ok=st.sampled_from([True, False, None]),
                rows=UNKNOWN | st.integers(0, 3),
                at_ms=st.just(1),
                duration_ms=UNKNOWN | st.sampled_from([0, 5, 5, 100]),
            ),
            max_size=3,
        )
    )
    wait = st.tuples(st.sampled_from([0, 0, 300, 5_000]), UNKNOWN | st.sampled_from([0, 700, 700, 90_000]))
    waits = draw(st.lists(wait, max_size=2))
    counts = st.dictionaries(
        st.sampled_from(["found", "given", "derived", "common", "unsupported", "unknown"]),
        st.sampled_from([1, 1, 2, 30]),
        max_size=3,
    )
    claims = draw(UNKNOWN | counts)
    count = UNKNOWN | st.integers(0, 9_999_999_999)  # the most that the record believes
    return TurnRow(
        turn_id=str(draw(st.uuids(version=4))),
        session_id=draw(st.sampled_from(["main", "b"])),
        person=draw(st.sampled_from(["ada", "Ada"])),
        host="desk",
        origin=draw(st.sampled_from(["page", "widget", "cli", "api", "terminal", "agent"])),
        started_at=start,
        user_message=draw(st.sampled_from(MESSAGES)),
        page_origin=draw(st.sampled_from([None, "https://a.example"])),
        context=draw(st.sampled_from([{}, {"route_name": "home"}, {"route_name": "case"}])),
        first_text_at=draw(
            UNKNOWN | st.sampled_from([5, 5, 250, 1000]).map(lambda ms: start + timedelta(milliseconds=ms))
        ),
        finished_at=start + timedelta(seconds=1) if finished else None,
        duration_ms=draw(UNKNOWN | st.sampled_from([0, 10, 10, 1000, 60_000])),
        model=draw(st.sampled_from([None, "claude-opus-4-8", "claude-x"])),
        input_tokens=draw(count),
        output_tokens=draw(count),
        cache_read_tokens=draw(count),
        cache_write_tokens=draw(count),
        observed_tools=tuple(dict.fromkeys(call.name for call in calls if call.ok is not None)),
        evidence_agrees=draw(st.sampled_from([None, True, False])),
        abandoned=draw(st.sampled_from([None, True, False])),
        error_code=draw(st.sampled_from([None, None, "timeout", "user_aborted", "pane_died"])),
        classifier_tag=draw(st.sampled_from([None, "data", "meta"])),
        classifier_source=draw(st.sampled_from([None, "trailer", "fallback"])),
        feedback=draw(st.sampled_from([None, None, "up", "down"])),
        tool_calls=tuple(calls),
        claims=claims,
        verdict=None if claims is None else judge(claims),
        interrupts=tuple(Waited("permission", "Bash", by="page", at_ms=at, waited_ms=wait) for at, wait in waits),
    )


@st.composite
def situations(draw: st.DrawFn) -> tuple[list[TurnRow], Filter, ZoneInfo, date]:
    today = draw(st.sampled_from(TODAYS))
    rows = draw(st.lists(turns(today), max_size=12, unique_by=lambda row: row.turn_id))
    choices = {
        "session": ["main", "b"],
        "person": ["ada"],
        "origin": ["page", "agent"],
        "tag": ["data"],
        "errors": ["1"],
        "error": ["timeout", "user_aborted"],
        "tool": TOOLS[:2],
        "form": ["what is due", "what s due on #"],
        "prompt": MESSAGES[:2],
        "model": ["claude-x"],
        "page": ["home", "https://a.example"],
        "verdict": VERDICTS,
        "flag": list(FLAGS),
    }
    names = draw(st.lists(st.sampled_from(sorted(choices)), max_size=2, unique=True))
    query = {name: draw(st.sampled_from(choices[name])) for name in names}
    span = draw(st.sampled_from([{"span": "7"}, {"span": "30"}, {"span": "365"}, {"from": "", "to": ""}]))
    if "from" in span:
        first = today - timedelta(days=draw(st.integers(0, 20)))
        span = {"from": first.isoformat(), "to": (first + timedelta(days=draw(st.integers(0, 5)))).isoformat()}
    return rows, Filter.parse(query | span, today), ZoneInfo(draw(st.sampled_from(ZONES))), today


NOTHING_AT_ALL = ([], Filter.parse({}, TODAYS[0]), ZoneInfo("UTC"), TODAYS[0])


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(situation=situations())
@example(situation=NOTHING_AT_ALL)
@pytest.mark.long
def test_figures_are_what_plain_python_says(figured: Figured, situation: Any) -> None:
    rows, wanted, zone, today = situation
    seen, meant = figured(rows, wanted, zone, today), oracle.among(rows, wanted, zone)
    assert dict(seen.now) == oracle.headline(meant)
    assert dict(seen.before) == oracle.headline(oracle.among(rows, wanted.previous(), zone))
    assert seen.periods == periods(wanted.first, wanted.last)
    assert seen.series == oracle.series(meant, seen.periods, zone)
    kinds = ("model", "turns", "input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens")
    seen_tokens = [(row["period"].first, *(row[kind] for kind in kinds)) for row in seen.tokens]
    assert seen_tokens == oracle.tokens(meant, seen.periods, zone)
    slowest = [(str(row["turn_id"]), row["duration_ms"]) for row in seen.slowest]
    assert slowest == oracle.slowest(meant)
    worst = [(str(row["turn_id"]), row["claims_unsupported"], row["claims_checked"]) for row in seen.worst]
    assert worst == oracle.worst(meant)
    of = {
        "tag": lambda row: row.classifier_tag,
        "error": lambda row: row.error_code,
        "page": oracle.page_of,
        "session": lambda row: row.session_id,
        "origin": lambda row: row.origin,
        "person": lambda row: row.person,
    }
    for name, rows_of in seen.parts.items():
        columns = ("name", "turns", "errors", "fallback", "checked", "unsupported")
        part = [tuple(row[column] for column in columns) for row in rows_of]
        assert part == oracle.part(meant, of[name]), name
    prompts = [
        (
            row["normalized_prompt"],
            row["turns"],
            row["variants"],
            [(each["prompt"], each["turns"]) for each in row["examples"]],
        )
        for row in seen.prompts
    ]
    assert prompts == oracle.prompts(meant)
    columns = ("name", "calls", "turns", "failures", "rows", "median_ms", "total_ms")
    assert [tuple(row[column] for column in columns) for row in seen.tools] == oracle.tools(meant)
    assert seen.interrupts == oracle.interrupts(meant)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(situation=situations())
@example(situation=NOTHING_AT_ALL)
def test_the_gate_judges_what_plain_python_counts(figured: Figured, situation: Any) -> None:
    rows, wanted, zone, today = situation
    verdict = figured(rows, wanted, zone, today).verdict
    days = days_from(today - timedelta(days=DAYS), DAYS)
    judged = [row for row in rows if local_day(row.started_at, zone) in days and row.origin != "agent"]
    late = [row for row in judged if oracle.day_of(row, zone) in days[14:] and oracle.day_of(row, zone).weekday() < 5]
    seen = {criterion.name: criterion.value for criterion in verdict.criteria}
    whole = oracle.headline(judged)
    died = sum(row.error_code in {"pane_died", "tmux_unresponsive", "relay_unreachable"} for row in judged)
    assert seen == {
        "turns_per_working_day": len(late) / 10,
        "turns_per_day": len(judged) / 28,
        "tool_use_rate": share(whole["with_tool"], whole["finished"]),
        "abandonment_rate": share(whole["abandoned"], whole["interactive"]),
        "death_rate": share(died, whole["turns"]),
        "resets_per_turn": share(0, whole["turns"]),
        "unsupported_rate": share(whole["unsupported"], whole["checked"]),
    }
    assert verdict.since == min((oracle.day_of(row, zone) for row in rows), default=None)
    assert measure(days, {}, 0)["tool_use_rate"] is None


@given(situation=situations())
@settings(suppress_health_check=[HealthCheck.too_slow], max_examples=50)
def test_a_filter_is_its_address(situation: Any) -> None:
    _, wanted, _, today = situation
    assert Filter.parse(wanted.query(), today) == wanted


@pytest.mark.long
@given(
    query=st.dictionaries(st.sampled_from([each.name for each in fields(Filter)] + ["from", "to", "form"]), st.text())
)
def test_no_address_is_too_odd(query: dict[str, str]) -> None:
    wanted = Filter.parse(query, TODAYS[0])
    assert wanted.first <= wanted.last
    assert wanted.values(ZoneInfo("Asia/Kolkata"))["start"] < wanted.values(ZoneInfo("Asia/Kolkata"))["end"]


@pytest.mark.parametrize(
    ("words", "sessions"),
    [
        ("deadline", {"a", "b"}),
        ("DEADL", {"a", "b"}),
        ("open deadline", {"a"}),
        ("deadline open", {"a"}),
        ("Fäll", {"b"}),
        ("fällig answ", {"b"}),
        ("_ a_b ___", set()),
        ("case-4711", {"a"}),
        ("'; drop table paliadin.turns; --", set()),
        ("!&|:*<->()'\\", set()),
        ("…", set()),
        ("answered", {"b"}),
        ("beside open", {"b"}),
        ("besi", {"b"}),
    ],
)
async def test_a_search_finds_what_has_all_the_words_or_beginnings_of_them(
    store: Store, words: str, sessions: set[str]
) -> None:
    start = datetime(2026, 3, 28, 12, tzinfo=UTC)
    texts = {"a": ("Which deadlines are open in case-4711?", None), "b": ("Deadline fällig", "It was answered.")}
    for number, (session, (message, response)) in enumerate(texts.items()):
        turn_id = f"01a1fdb6-b627-7948-85e7-ca4dc12d000{number}"
        joined = () if response is None else (JoinedWords("Open it", 0), JoinedWords("and that beside", 3))
        row = TurnRow(turn_id, session, "ada", "desk", "page", start, message, response=response, joined=joined)
        await store.finish(row)
    async with store.snapshot() as snapshot:
        zone = ZoneInfo("UTC")
        seen = await compute_figures(snapshot, Filter.parse({"q": words}, TODAYS[0]), SETTINGS, zone, TODAYS[0])
    assert {row["name"] for row in seen.parts["session"]} == sessions
