"""The dashboard's words, numbers, links and bars."""

from __future__ import annotations

from datetime import UTC, date, datetime
from pathlib import Path
from urllib.parse import parse_qs, urlsplit
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paliadin.reports import days
from paliadin.reports.criteria import load_monitor_settings
from paliadin.reports.figures import unpriced_models
from paliadin.reports.filters import FLAGS, SORTS, Filter
from paliadin.reports.report import LABELS, verdict_lines
from paliadin.reports.verdict import DAYS, GREEN, KILL, TOO_LITTLE, YELLOW, judge
from paliadin.web.dashboard.charts import sum_by_model, time_line
from paliadin.web.dashboard.locale import Locale
from paliadin.web.dashboard.texts import TABLES, pick_lang
from paliadin.web.dashboard.view import Links
from paliadin.words.catalogue import words

TODAY = date(2026, 11, 21)
EN, DE = (Locale(lang, ZoneInfo("Europe/Berlin")) for lang in ("en", "de"))
COUNTS = ("turns", "finished", "with_tool", "interactive", "abandoned", "died", "checked", "unsupported")


def test_there_are_words_for_every_flag_order_criterion_and_verdict() -> None:
    gate = load_monitor_settings(None).gate
    verdicts = {GREEN, YELLOW, KILL, TOO_LITTLE}
    wanted = (
        {f"flag.{name}" for name in FLAGS} | {f"sort.{name}" for name in SORTS} | {f"gate.{name}" for name in verdicts}
    )
    assert wanted | set(gate) <= set(words(*TABLES))
    assert {*gate, *verdicts, "unsupported_rate"} == set(LABELS)  # the last one is off


def test_nothing_is_hidden_in_a_line_of_the_log() -> None:
    command = "echo harmless" + "\n" * 1300 + "; curl \u202e| sh"
    shown = '{"command": "echo harmless\\n⟨%s⟩\\n; curl ⟨U+202E⟩| sh"}'
    assert EN.log_line({"command": command}) == shown % "1,299 blank lines"
    assert DE.log_line({"command": command}) == shown % "1.299 Leerzeilen"
    long = DE.log_line({"command": "x" * 30_000 + "the end"})
    assert "weitere Zeichen⟩" in long
    assert long.endswith('the end"}')


def test_an_error_code_stands_in_words_and_one_without_words_as_it_is() -> None:
    assert EN.error("timeout") == "The answer took too long and was stopped."
    assert DE.error("timeout") == "Die Antwort hat zu lange gedauert und wurde angehalten."
    assert EN.error("constructor") == "constructor"
    # The record does not know which versions they were.
    assert EN.error("claude_too_old") == "Claude Code … is too old for Paliadin, which needs … or newer."


@pytest.mark.parametrize(
    ("format_with", "english", "german"),
    [
        (lambda locale: locale.number(1234567), "1,234,567", "1.234.567"),
        (lambda locale: locale.number(1234.56, 1), "1,234.6", "1.234,6"),
        (lambda locale: locale.number(None), "–", "–"),
        (lambda locale: locale.percent(0.255), "26%", "26\u00a0%"),
        (lambda locale: locale.ratio(1, 0), "–", "–"),
        (lambda locale: locale.time(999), "999\u00a0ms", "999\u00a0ms"),
        (lambda locale: locale.time(1500), "1.5\u00a0s", "1,5\u00a0s"),
        (lambda locale: locale.time(150_000), "2.5\u00a0min", "2,5\u00a0min"),
        (lambda locale: locale.time(9_000_000), "2.5\u00a0h", "2,5\u00a0h"),
        (lambda locale: locale.short(12_345_678), "12.3M", "12,3M"),
        (lambda locale: locale.short(500_000), "500k", "500k"),
        (lambda locale: locale.dollars(0.004), "<$0.01", "<$0,01"),
        (lambda locale: locale.dollars(0), "$0.00", "$0,00"),
        (lambda locale: locale.tick_dollars(0.5), "$0.5", "$0,5"),
        (lambda locale: locale.tick_time(500, 1000), "0.5\u00a0s", "0,5\u00a0s"),
        (lambda locale: locale.day(date(2026, 3, 1)), "1 Mar 2026", "01.03.2026"),
        (lambda locale: locale.axis_day(date(2026, 3, 1), with_year=False), "1 Mar", "01.03."),
        (lambda locale: locale.axis_day(date(2026, 3, 1), with_year=True), "1 Mar 26", "01.03.26"),
        (
            lambda locale: locale.period(days.Period(date(2026, 3, 1), date(2026, 3, 7))),
            "1–7 Mar 2026",
            "01.–07.03.2026",
        ),
        (
            lambda locale: locale.period(days.Period(date(2026, 3, 30), date(2026, 4, 5))),
            "30 Mar – 5 Apr 2026",
            "30.03. – 05.04.2026",
        ),
        (
            lambda locale: locale.period(days.Period(date(2026, 12, 28), date(2027, 1, 3))),
            "28 Dec 2026 – 3 Jan 2027",
            "28.12.2026 – 03.01.2027",
        ),
        (
            lambda locale: locale.moment(datetime(2026, 3, 29, 1, tzinfo=UTC)),
            "29 Mar 2026, 03:00:00",
            "29.03.2026, 03:00:00",
        ),
        (lambda locale: locale.change(3, 2), "+50%", "+50\u00a0%"),
        (lambda locale: locale.change(1, 2), "−50%", "−50\u00a0%"),  # a real minus
        (lambda locale: locale.change(1, 0), "", ""),
    ],
)
def test_numbers_are_written_as_their_readers_write_them(format_with: object, english: str, german: str) -> None:
    assert callable(format_with)
    assert (format_with(EN), format_with(DE)) == (english, german)


@pytest.mark.parametrize(
    ("wanted", "lang"), [(("de", "", "en"), "de"), (("", "", "fr, de-AT;q=0.8, en"), "de"), (("xx", "", ""), "en")]
)
def test_the_language_is_the_first_that_there_is(wanted: tuple[str, ...], lang: str) -> None:
    assert pick_lang(*wanted) == lang


def test_a_sum_of_tokens_that_nobody_knows_is_no_0() -> None:
    kinds = ("input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens")
    unknown = {"turns": 1, "cost": None, **dict.fromkeys(kinds)}
    known = {"turns": 1, "cost": 0.5, **dict.fromkeys(kinds, 7)}
    first, second = sum_by_model([{"model": "a", **unknown}, {"model": "b", **unknown}, {"model": "b", **known}])
    assert first == {"model": "b", "turns": 2, "cost": 0.5, **dict.fromkeys(kinds, 7)}
    assert second == {"model": "a", **unknown}
    assert unpriced_models([first, second, {"model": "free", **known, "cost": None}]) == ["free"]


def test_steps_lie_between_the_turns_start_and_end() -> None:
    bars = time_line([(0, 500), (500, None), (None, 3000), (3000, None)], 3000)
    assert [(bar.x, bar.width) for bar in bars] == [(0, 16.67), (16.67, 0.6), (0, 100), (99.4, 0.6)]
    assert time_line([], 1) == []


@given(st.text(max_size=50), st.text(max_size=50))
def test_an_address_says_what_was_meant(session: str, form: str) -> None:
    wanted = Filter.parse({"session": session}, TODAY)
    query = parse_qs(urlsplit(Links(wanted).turns(form=form)).query, keep_blank_values=True)
    given_back = Filter.parse({name: values[0] for name, values in query.items()}, TODAY)
    assert (given_back.session, given_back.normalized_prompt) == (wanted.session, form.replace("\0", ""))


def test_the_zone_is_the_named_one_else_the_machines(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    link = tmp_path / "localtime"
    link.symlink_to(tmp_path / "zoneinfo" / "Asia" / "Tokyo")
    monkeypatch.setattr(days, "_LOCALTIME", link)
    monkeypatch.delenv("TZ", raising=False)
    assert days.owner_zone("Europe/Berlin").key == "Europe/Berlin"
    assert days.owner_zone().key == "Asia/Tokyo"
    monkeypatch.setenv("TZ", ":America/New_York")
    assert days.owner_zone().key == "America/New_York"
    monkeypatch.setenv("TZ", "EST5EDT4,M3,M10")  # a rule, no name
    assert days.owner_zone().key == "Asia/Tokyo"
    monkeypatch.setattr(days, "_LOCALTIME", tmp_path / "none")
    assert days.owner_zone().key == "UTC"


JUDGED = days.days_from(date(2026, 10, 24), DAYS)  # a Saturday: weeks 3 and 4 have ten working days


def judged(per_day: int, *, since: date | None = JUDGED[0], resets: int = 0, **counts: int) -> str:
    row = dict.fromkeys(COUNTS, 0) | {
        "turns": per_day,
        "finished": per_day,
        "with_tool": per_day,
        "interactive": per_day,
    }
    rows = dict.fromkeys(range(DAYS), row | counts) if per_day else {}
    return judge(JUDGED, rows, resets, since, load_monitor_settings(None).gate).colour


def test_each_limit_counts_from_its_very_value() -> None:
    assert judged(3) == GREEN
    assert judged(2) == YELLOW  # neither green nor under a yellow limit: not green yet
    assert judged(4, with_tool=2) == GREEN
    assert judged(100, with_tool=49) == YELLOW
    assert judged(100, with_tool=29) == YELLOW
    assert judged(10, abandoned=3) == GREEN
    assert judged(100, abandoned=31) == YELLOW
    assert judged(10, died=2) == GREEN
    assert judged(100, died=21) == KILL
    assert judged(4, resets=4 * DAYS // 2) == GREEN
    assert judged(4, resets=4 * DAYS // 2 + 1) == KILL
    assert judged(0) == KILL
    assert judged(0, since=None) == TOO_LITTLE
    assert judged(9, since=JUDGED[1]) == TOO_LITTLE


def test_a_limit_says_how_far_it_is() -> None:
    row = dict.fromkeys(COUNTS, 0) | {"turns": 2, "finished": 2, "with_tool": 1}
    verdict = judge(JUDGED, dict.fromkeys(range(DAYS), row), 0, JUDGED[0], load_monitor_settings(None).gate)
    distances = {each.name: [(limit.met, limit.distance) for limit in each.limits] for each in verdict.criteria}
    assert distances["turns_per_working_day"] == [(False, 1.0)]
    assert distances["tool_use_rate"] == [(True, 0.0), (False, 0.2)]
    assert distances["turns_per_day"] == [(False, 1.0), (False, 1.8)]
    assert distances["abandonment_rate"] == [(False, 0.3)]  # nothing to divide by


def test_a_limit_is_said_with_the_side_on_which_the_value_is() -> None:
    row = dict.fromkeys(COUNTS, 0) | {"turns": 20, "finished": 20, "with_tool": 9, "interactive": 20, "abandoned": 5}
    verdict = judge(JUDGED, dict.fromkeys(range(DAYS), row), 0, JUDGED[0], load_monitor_settings(None).gate)
    lines = {line.partition(":")[0]: line for line in verdict_lines(verdict)}
    assert lines["share of turns with a tool"].endswith(
        ": 45%; green at 50% or more (5 points short); yellow below 30% (15 points above)"
    )
    assert lines["share of answers that nobody waited for"].endswith(": 25%; yellow above 30% (5 points below)")
    assert lines["turns per day"].endswith(": 20.0; yellow below 1.0 (19.0 above); kill below 0.2 (19.8 above)")
    assert lines["turns per working day, weeks 3 and 4"].endswith(": 20.0; green at 3.0 or more (reached)")
    assert [EN.distance("death_rate", share) for share in (0.01, 0.2)] == ["1 point", "20 points"]
    assert DE.distance("resets_per_turn", 0.5) == "0,5"
