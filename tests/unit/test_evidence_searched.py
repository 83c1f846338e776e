"""Days that a search was given, days without their year, and counts that the rows of a result give in other ways."""

from __future__ import annotations

import json
from typing import Any

import pytest

from paliadin.evidence.check import Call
from tests.unit.test_evidence_check import claims, mcp, statuses

CASES = [
    {"id": "reply", "title": "Replik", "due": "2026-12-01", "who": "Anna Vogt", "kind": "step", "days": 5},
    {"id": "rejoinder", "title": "Duplik", "due": "2026-12-04", "who": "Anna Vogt", "kind": "act", "days": 8},
    {"id": "action", "title": "Klage", "due": "2026-12-09", "who": "Ben Adler", "kind": "act", "days": 13},
    {"id": "appeal", "title": "Berufung", "due": "2027-01-05", "who": "Anna Vogt", "kind": "act", "days": 40},
]


def search(**given: Any) -> Call:
    """A search whose result has an object with rows, as the practice's tools return it."""
    return mcp({"today": "2026-11-26", "rows": CASES, "row_count": len(CASES)}, "mcp__office__search", **given)


def test_a_day_that_a_search_was_given_is_found_in_a_record_that_it_returned() -> None:
    assert statuses("Due on 1 December.", search(due_after="2026-12-01")) == {"1 December": "found"}
    assert statuses("Due on 2 December.", search(due_after="2026-12-02")) == {"2 December": "unsupported"}


def test_a_day_that_a_result_only_repeats_proves_nothing() -> None:
    echo = {"due_after": "2026-12-02", "note": "a search by day", "office": "Munich", "rows": []}
    assert statuses("Due on 2 December.", mcp(echo, due_after="2026-12-02")) == {"2 December": "unsupported"}
    written = {"id": "DL-9", "title": "Replik", "due": "2026-12-02"}
    text = statuses("Due on 2 December.", mcp(written, "mcp__office__create_deadline", due="2026-12-02"))
    assert text == {"2 December": "unsupported"}


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("Four deadlines until 31 January.", "31 January"),
        ("Bis zum 31. Januar sind es vier Fristen.", "31. Januar"),
        ("From 28 November to 31 January there are four deadlines.", "28 November"),
        ("Nothing else is due before 31 January.", "31 January"),
        ("Am 12. Dezember ist nichts fällig.", "12. Dezember"),
        ("Between 10 and 12 December four more are due.", "12 December"),
    ],
)
def test_how_far_was_searched_is_derived(text: str, day: str) -> None:
    call = search(due_after="2026-11-28", due_before="2027-01-31")
    [claim] = [each for each in claims(text, call) if each.text == day]
    assert (claim.status, claim.rule, [source.call for source in claim.sources]) == ("derived", "searched", ["t1"])


@pytest.mark.parametrize(
    "text",
    [
        "The reply is due on 31 January.",
        "The reply runs until 31 January.",
        "Four deadlines until 30 January.",
        "Am 12. Februar ist nichts fällig.",
    ],
)
def test_a_day_of_one_thing_and_a_day_outside_are_not(text: str) -> None:
    found = statuses(text, search(due_after="2026-11-28", due_before="2027-01-31"))
    assert [status for day, status in found.items() if "Jan" in day or "Feb" in day] == ["unsupported"]


def test_how_far_a_tool_wrote_is_no_search() -> None:
    call = mcp({"rows": CASES}, "mcp__office__move_deadlines", due_before="2027-01-31")
    assert statuses("Four deadlines until 31 January.", call)["31 January"] == "unsupported"


@pytest.mark.parametrize(
    ("weekday", "status"), [("Tuesday", "derived"), ("Monday", "unsupported"), ("Wednesday", "unsupported")]
)
def test_a_day_without_its_year_is_that_of_the_results(weekday: str, status: str) -> None:
    assert statuses(f"{weekday}, 5 January: the appeal.", search())[weekday] == status


@pytest.mark.parametrize(
    ("text", "number", "status"),
    [
        ("Three deadlines are Anna Vogt's.", "Three", "derived"),
        ("Two deadlines are due next week.", "Two", "derived"),
        ("One of them is in 2027, and 3 deadlines are in 2026.", "3", "derived"),
        ("There are 17 deadlines next week.", "17", "unsupported"),
    ],
)
def test_rows_are_counted_by_a_value_a_week_a_year(text: str, number: str, status: str) -> None:
    assert statuses(text, search())[number] == status


def test_an_object_of_counts_is_added_up() -> None:
    counts = mcp({"open_deadlines": {"overdue": 2, "today": 0, "this_week": 3, "later": 94}, "rows": []})
    assert statuses("99 deadlines are open.", counts) == {"99": "derived"}
    assert statuses("97 deadlines are open.", counts) == {"97": "unsupported"}


def test_a_period_in_the_name_of_a_field_is_found() -> None:
    counts = mcp({"appointments_30_days": 2, "rows": []})
    assert statuses("In the next 30 days there is one.", counts)["30 days"] == "found"
    assert statuses("In the next 40 days there is one.", counts)["40 days"] == "unsupported"
    assert statuses("In the next 30 weeks there is one.", counts)["30 weeks"] == "unsupported"


def test_what_is_left_of_a_count() -> None:
    known = mcp({"appointments": 19, "hearings": 6, "rows": []})
    text = "There are 19 appointments, among them 6 hearings.\n\nThe other {} are calls."
    assert statuses(text.format(13), known)["13"] == "derived"
    assert statuses(text.format(14), known)["14"] == "unsupported"


TABLE = """| Deadline | Due | Days |
| --- | --- | --- |
| Reply | 1 December | 5 |
| Rejoinder | 4 December | 8 |
| Appeal | 5 January 2027 | {} |"""


@pytest.mark.parametrize(("days", "status"), [("40", "derived"), ("41", "unsupported")])
def test_a_column_of_days_is_how_far_the_dates_of_its_rows_are_away(days: str, status: str) -> None:
    rows = [{key: value for key, value in row.items() if key != "days"} for row in CASES]
    assert statuses(TABLE.format(days), mcp(rows))[days] == status


def test_a_list_above_a_count_is_counted() -> None:
    calls = mcp({"text": "Hearings in Mannheim, Munich and Stockholm, with calls in between and one in Paris."})
    text = "- Mannheim\n- Munich\n- Stockholm\n\nThat is {} hearings."
    assert statuses(text.format("three"), calls)["three"] == "derived"
    assert statuses(text.format("five"), calls)["five"] == "unsupported"


def test_a_list_that_tells_a_result_in_other_words_is_counted() -> None:
    text = "There are {} conditions:\n1. it has the same effect,\n2. the skilled person could find it."
    rule = mcp({"definition": "The substitute must have the same effect and be findable by the skilled person."})
    assert statuses(text.format("two"), rule)["two"] == "derived"
    assert statuses(text.format("three"), rule)["three"] == "unsupported"


@pytest.mark.parametrize(
    "text", ["2.4. the reply", "- 2.4.: the reply", "Due on 3.4., 2.4., 5.4.", "1. **2.4.** the reply"]
)
def test_a_day_and_month_open_a_line_or_stand_behind_another_one(text: str) -> None:
    rows = mcp(json.dumps([{"due": f"2026-04-0{day}"} for day in (2, 3, 5)]))
    assert set(statuses(text, rows).values()) == {"found"}


def test_hours_from_to_are_times() -> None:
    meeting = mcp([{"starts_at": "2026-12-01T12:00+01:00", "ends_at": "2026-12-01T14:00+01:00"}])
    assert statuses("Von 12 bis 14 Uhr.", meeting) == {"12": "found", "14 Uhr": "found"}
    assert statuses("Von 11 bis 14 Uhr.", meeting)["11"] == "unsupported"


def test_a_week_from_tomorrow() -> None:
    assert statuses("Due a week from tomorrow.", mcp([{"due": "2026-12-04"}]))["tomorrow"] == "derived"
    assert statuses("Due two weeks from tomorrow.", mcp([{"due": "2026-12-04"}]))["tomorrow"] == "unsupported"


def test_a_file_number_of_the_boards_of_appeal_is_one_id() -> None:
    known = mcp([{"reference": "T 1308/25-3.2.08"}])
    assert statuses("The number is T 1308/25-3.2.08.", known) == {"T 1308/25-3.2.08": "found"}
    assert statuses("The number is T 1380/25-3.2.08.", known) == {"T 1380/25-3.2.08": "unsupported"}
