"""The plain ways in which a statement follows, if Claude does not say how; and what does not follow."""

from __future__ import annotations

import random
from datetime import date
from typing import Any

import pytest

from paliadin.evidence.check import Call
from paliadin.evidence.holidays import easter, holidays_in
from paliadin.evidence.stated import rows as rows_module
from paliadin.evidence.stated.rows import value_of
from tests.unit.test_evidence_check import bash, claims, mcp, statuses

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
    ("weekday", "status"), [("Tuesday", "derived"), ("Monday", "unsupported"), ("Wednesday", "unsupported")]
)
def test_a_day_without_its_year_is_that_of_the_results(weekday: str, status: str) -> None:
    assert statuses(f"{weekday}, 5 January: the appeal.", search())[weekday] == status


def test_a_period_in_the_name_of_a_field_is_found() -> None:
    counts = mcp({"appointments_30_days": 2, "rows": []})
    assert statuses("In the next 30 days there is one.", counts)["30 days"] == "found"
    assert statuses("In the next 40 days there is one.", counts)["40 days"] == "unsupported"
    assert statuses("In the next 30 weeks there is one.", counts)["30 weeks"] == "unsupported"


TABLE = """| Deadline | Due | Days |
| --- | --- | --- |
| Reply | 1 December | 5 |
| Rejoinder | 4 December | 8 |
| Appeal | 5 January 2027 | {} |"""


@pytest.mark.parametrize(("days", "status"), [("40", "derived"), ("41", "unsupported")])
def test_a_column_of_days_is_how_far_the_dates_of_its_rows_are_away(days: str, status: str) -> None:
    rows = [{key: value for key, value in row.items() if key != "days"} for row in CASES]
    assert statuses(TABLE.format(days), mcp(rows))[days] == status


@pytest.mark.parametrize(
    ("text", "day", "status"),
    [
        ("Four deadlines until 31 January.", "31 January", "common"),
        ("Bis zum 31. Januar sind es vier Fristen.", "31. Januar", "common"),
        ("From 28 November to 31 January there are four deadlines.", "28 November", "common"),
        ("I searched up to 31 January.", "31 January", "common"),
        ("Four deadlines until 30 January.", "30 January", "unsupported"),
        ("The reply is due on 31 January.", "31 January", "unsupported"),
    ],
)
def test_how_far_was_searched_claims_nothing(text: str, day: str, status: str) -> None:
    assert statuses(text, search(due_after="2026-11-28", due_before="2027-01-31"))[day] == status


def test_how_far_a_tool_wrote_is_no_search() -> None:
    call = mcp({"rows": CASES}, "mcp__office__move_deadlines", due_before="2027-01-31")
    assert statuses("Four deadlines until 31 January.", call)["31 January"] == "unsupported"


@pytest.mark.parametrize(
    ("text", "number", "status"),
    [
        ("Three deadlines are Anna Vogt's.", "Three", "derived"),
        ("Two deadlines are Anna Vogt's acts.", "Two", "derived"),
        ("There are 17 deadlines of Anna Vogt.", "17", "unsupported"),
        ("Anna Vogt's together take 53 days.", "53 days", "derived"),
        ("All together take 66 days.", "66 days", "derived"),
        ("All together take 67 days.", "67 days", "unsupported"),
        ("Ben Adler has 25 % of them.", "25 %", "derived"),
        ("Ben Adler has 26 % of them.", "26 %", "unsupported"),
        ("From the Duplik to the Klage it is 5 days.", "5 days", "found"),
        ("Die Klage am 9.12. ist 3 Monate nach dem 9.9.", "3 Monate", "unsupported"),
    ],
)
def test_rows_that_a_sentence_speaks_of(text: str, number: str, status: str) -> None:
    assert statuses(text, search())[number] == status


ITEMS = """item,pieces,price,total
tent,3,120.50,361.50
stove,7,61.20,428.40
lamp,11,18.90,207.90
"""


@pytest.mark.parametrize(
    ("text", "number", "status"),
    [
        ("The stove and its 7 pieces come to 489.60 with one more.", "489.60", "derived"),
        ("The tent's total is 241.00 above its price.", "241.00", "derived"),
        ("The tent's total is 242.00 above its price.", "242.00", "unsupported"),
        ("Everything is 997.80.", "997.80", "derived"),
        ("The lamp is 10 apart.", "10", "unsupported"),
    ],
)
def test_figures_of_a_row_and_a_columns_total(text: str, number: str, status: str) -> None:
    assert statuses(text, bash("cat items.csv", ITEMS))[number] == status


def test_a_list_beside_a_count_is_counted_if_each_item_was_found() -> None:
    call = mcp({"text": "Hearings: “Nord” on 3 March, “Süd” on 9 March, “West” on 4 May."})
    text = "- 3 March\n- 9 March\n- 4 May\n\nThat is {} hearings."
    assert statuses(text.format("three"), call)["three"] == "derived"
    assert statuses(text.format("five"), call)["five"] == "unsupported"
    assert statuses(text.format("three").replace("4 May", "5 May"), call)["three"] == "unsupported"


def test_a_quantity_with_more_digits_or_in_another_unit() -> None:
    perf = "    31.08%  Row::normalise\n    12.71%  memmove\n"
    assert statuses("`Row::normalise` takes 31.1%, not 31.3%.", bash("perf report", perf)) == {
        "31.1%": "derived",
        "31.3%": "unsupported",
    }
    log = "took 4,250 ms\nlasted 2 h 20 min\n"
    found = statuses("It took 4.25 s and 140 minutes, not 141 minutes.", bash("log", log))
    assert found == {"4.25 s": "derived", "140 minutes": "derived", "141 minutes": "unsupported"}


def test_however_many_numbers_follow_from_nothing_each_table_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """660 numbers against wide tables took 18 seconds once, as each number read all cells again."""
    chosen = random.Random(5)  # noqa: S311  # the same ones each time
    rows = [{f"c{n}": chosen.randrange(10**6) / 100 for n in range(40)} for _ in range(200)]
    text = "\n".join(f"The sum is {chosen.randrange(10**7) + 10**7} EUR." for _ in range(300))
    read: list[str] = []
    monkeypatch.setattr(rows_module, "value_of", lambda cell, today: read.append(cell) or value_of(cell, today))
    found = claims(text, mcp(rows))
    assert {claim.status for claim in found} == {"unsupported"}
    assert len(found) == 300
    assert 0 < len(read) <= 200 * 40


@pytest.mark.parametrize(
    ("year", "sunday"),
    [(1961, (4, 2)), (2000, (4, 23)), (2024, (3, 31)), (2026, (4, 5)), (2038, (4, 25)), (2285, (3, 22))],
)
def test_easter_is_when_the_calendar_has_it(year: int, sunday: tuple[int, int]) -> None:
    assert easter(year) == date(year, *sunday)


def test_the_days_of_holidays() -> None:
    assert list(holidays_in("Karfreitag, Ostermontag and Boxing Day", 2026)) == [
        date(2026, 4, 3),
        date(2026, 4, 6),
        date(2026, 12, 26),
    ]
    assert statuses("Ostermontag ist der 06.04.2026.", mcp('[{"id": "A-1"}]')) == {"06.04.2026": "derived"}
    assert statuses("Ostermontag ist der 13.04.2026.", mcp('[{"id": "A-1"}]')) == {"13.04.2026": "unsupported"}
