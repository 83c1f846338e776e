"""What the dashboard says of an answer's facts, and the gate's criterion about them."""

from __future__ import annotations

import re
import tomllib
from dataclasses import replace
from datetime import UTC, date, datetime
from pathlib import Path
from typing import get_args
from urllib.parse import parse_qs, urlsplit
from zoneinfo import ZoneInfo

import pytest

from paliadin.cli import texts
from paliadin.events.reducer import Reducer
from paliadin.events.timeline import CalledTool
from paliadin.evidence.model import Claim, Disagreement, Origin, Rule, Source, Status
from paliadin.record.row import TurnRow
from paliadin.reports.claims import STATUSES, WORST_FIRST
from paliadin.reports.criteria import load_monitor_settings
from paliadin.reports.days import days_from
from paliadin.reports.filters import VERDICTS, Filter
from paliadin.reports.listing import FolderContents
from paliadin.reports.report import LABELS
from paliadin.reports.verdict import DAYS, GREEN, YELLOW, judge
from paliadin.turnlog.description import Description
from paliadin.web.dashboard.locale import Locale
from paliadin.web.dashboard.shown_claims import ShownSource, shown_evidence
from paliadin.web.dashboard.texts import TABLES
from paliadin.web.dashboard.view import criterion_link
from paliadin.words import catalogue
from paliadin.words.catalogue import words

TODAY = date(2026, 11, 21)
EN, DE = (Locale(lang, ZoneInfo("Europe/Berlin")) for lang in ("en", "de"))
ROW = TurnRow("t", "main", "ada", "desk", "page", datetime(2026, 11, 21, tzinfo=UTC), "Which?")
CLAIMS = (
    Claim("m", 0, 1, "12 May", "date", "found", tuple(Source("call", f"c{n}", None, n, "due\u202e") for n in range(7))),
    Claim("m", 0, 1, "3", "count", "derived", (Source("call", "x", "01a1", 2, "a"), Source("context")), "count"),
    Claim("m", 0, 1, "2026", "number", "common"),
    Claim("m", 0, 1, "7\u200b", "count", "unsupported"),
)


def folder_with(claims: tuple[Claim, ...] | None) -> FolderContents:
    evidence = replace(Reducer(Description.parse({"turn_id": "t"})).evidence(), claims=claims)
    return FolderContents([], "", [], None, evidence, {"c1": "Re\u202ead"})


def test_there_are_words_for_all_that_is_known_of_a_fact_and_none_calls_it_wrong() -> None:
    wanted = {
        "verdict": VERDICTS,
        "status": WORST_FIRST,
        "count": STATUSES,
        "rule": get_args(Rule),
        "source": get_args(Origin),
        "difference": get_args(Disagreement),
    }
    keys = {f"{name}.{value}" for name, values in wanted.items() for value in values}
    assert keys <= set(words(*TABLES))
    assert {key for key in keys if not key.startswith("verdict.")} <= set(words(*texts.TABLES))
    assert {*STATUSES} == {*WORST_FIRST} == {*get_args(Status)} - {"common"}
    told = tomllib.loads((catalogue.PACKAGE / "words" / "facts.toml").read_text("utf-8"))
    assert not re.search("wrong|false|falsch", str([table.values() for table in told.values()]))
    assert "unsupported_rate" in words("dashboard").keys() & LABELS.keys()


@pytest.mark.parametrize(
    ("counts", "english", "german"),
    [
        (None, "", ""),
        ({"common": 2}, "nothing to check", "nichts zu prüfen"),
        ({"found": 1, "common": 9}, "1 fact: 1 found", "1 Angabe: 1 gefunden"),
        (
            {"found": 1000, "derived": 1, "unsupported": 2},
            "1,003 facts: 1,000 found, 1 derived, 2 not found in anything Claude looked up",
            "1.003 Angaben: 1.000 gefunden, 1 abgeleitet, 2 nicht gefunden in dem, was Claude nachgeschlagen hat",
        ),
    ],
)
def test_a_turns_page_counts_its_facts(counts: dict[str, int] | None, english: str, german: str) -> None:
    row = replace(ROW, claims=counts)
    assert [shown_evidence(row, None, locale).sentence for locale in (EN, DE)] == [english, german]
    assert shown_evidence(row, None, EN).claims is None


def test_a_turns_page_shows_each_fact_with_its_sources_the_worst_first_and_nothing_hidden() -> None:
    claims = shown_evidence(ROW, folder_with(CLAIMS), DE).claims
    assert claims is not None
    assert [(claim.text, claim.status, claim.supported, claim.more) for claim in claims] == [
        ("7⟨U+200B⟩", "nicht gefunden", False, 0),
        ("3", "abgeleitet durch Zählen", True, 0),
        ("12 May", "gefunden", True, 2),
    ]
    assert claims[0].sources == []
    assert claims[1].sources == [
        ShownSource("eine frühere Anfrage, Zeile 2", "a", "01a1"),
        ShownSource("die Seite", "", None),
    ]
    assert claims[2].sources[:2] == [
        ShownSource("ein Werkzeug, Zeile 0", "due⟨U+202E⟩", None),
        ShownSource("Re⟨U+202E⟩ad, Zeile 1", "due⟨U+202E⟩", None),
    ]
    assert shown_evidence(ROW, folder_with(None), DE).claims is None
    many = shown_evidence(ROW, folder_with(CLAIMS * 400), DE)
    assert (len(many.claims or ()), many.more) == (500, 700)


def test_a_turns_page_tells_all_differences_between_its_account_of_its_tools_and_what_ran() -> None:
    row = replace(
        ROW,
        used_tools=("sql", "Read"),
        rows_seen=(1, 5),
        observed_tools=("Read", "Bash"),
        tool_calls=(CalledTool("Read", ok=True, rows=1200),),
        evidence_agrees=False,
    )
    assert shown_evidence(row, None, EN).differences == [
        "Sql: named, but did not run",
        "Command run: ran, but is not named",
        "File read: 5 lines named, 1,200 lines returned",
    ]
    assert shown_evidence(replace(row, evidence_agrees=None), None, EN).differences == []


def test_a_verdict_that_there_is_not_is_no_condition() -> None:
    assert Filter.parse({"verdict": "wrong"}, TODAY) == Filter.parse({}, TODAY)
    assert Filter.parse({"verdict": "unsupported"}, TODAY).query()["verdict"] == "unsupported"


def test_a_criterion_without_limits_is_off_until_the_owner_names_it(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text("[gate.unsupported_rate]\nyellow_above = 0.1\n")
    usual, mine = load_monitor_settings(None).gate, load_monitor_settings(file).gate
    assert "unsupported_rate" not in usual
    assert mine == {**usual, "unsupported_rate": {"yellow_above": 0.1}}
    judged = days_from(date(2026, 10, 24), DAYS)
    counts = {"turns": 4, "finished": 4, "with_tool": 4, "checked": 4, "unsupported": 1}
    rows = dict.fromkeys(range(DAYS), counts | {"interactive": 0, "abandoned": 0, "died": 0})
    verdict = judge(judged, rows, 0, judged[0], mine)
    assert (verdict.colour, verdict.criteria[-1].value) == (YELLOW, 0.25)
    assert judge(judged, rows, 0, judged[0], usual).colour == GREEN
    query = parse_qs(urlsplit(criterion_link(verdict, "unsupported_rate")).query)
    assert (query["verdict"], query["flag"]) == (["unsupported"], ["person"])
