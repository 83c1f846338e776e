"""What follows from many rows alike, from what was not found itself, from a calendar; and tables inside of texts."""

from __future__ import annotations

import random
from datetime import date
from decimal import Decimal

import pytest

from paliadin.evidence.check import Answer, Call, check, holds_id
from paliadin.evidence.conclusions import MAX_ASSUMED, Conclusions
from paliadin.evidence.holidays import easter, holidays_in
from paliadin.evidence.tables import cell_number, tables_of_text
from tests.unit.test_evidence_check import bash, claims, mcp, read, statuses

LEAVE = """staff of the Northgate office

name,team,entitlement,carried,taken,booked
Fenwick,finance,30,5,9,0
Mbeki,it,26,0,1,0
Quist,it,26,0,0,3
Kovar,legal,28,4,11,5
"""
SOUP = "# Soup\n\nFor 4 people\n\n- 250 g lentils\n- 1.2 l stock\n- 40 ml oil\n- 90 g carrots\n"


def test_a_list_follows_if_each_number_is_the_same_calculation_of_its_own_row() -> None:
    listed = "Left:\n\n- Fenwick: 26 days\n- Mbeki: 25 days\n- Quist: 23 days\n- Kovar: 16 days\n"
    assert set(statuses(listed, bash("cat leave.csv", LEAVE)).values()) == {"derived"}
    slipped = statuses(listed.replace("23", "22"), bash("cat leave.csv", LEAVE))
    assert slipped == {"26 days": "derived", "25 days": "derived", "22 days": "unsupported", "16 days": "derived"}


def test_one_such_number_alone_may_be_chance() -> None:
    assert statuses("Fenwick has 26 days left.", bash("cat leave.csv", LEAVE))["26 days"] == "unsupported"


def test_a_recipe_for_more_people_is_all_times_the_same_factor() -> None:
    found = statuses("For 10:\n\n- 625 g lentils\n- 3 l stock\n- 100 ml oil\n- 252 g carrots\n", read("/soup.md", SOUP))
    assert found["625 g"] == found["3 l"] == "derived"
    assert found["252 g"] == "unsupported"


def test_a_total_of_a_number_that_was_not_found_names_it_as_its_source() -> None:
    text = "- Court: 1.240,00 EUR\n- Travel: 318,50 EUR\n- Together: 1.558,50 EUR\n"
    found = claims(text, mcp('[{"id": "K-1", "cost": "1.240,00 EUR"}]'))
    assert [claim.status for claim in found] == ["found", "unsupported", "derived"]
    assert [(source.origin, source.text) for source in found[2].sources] == [("answer", "318,50 EUR")]
    wrong = claims(text.replace("1.558,50", "1.585,50"), mcp('[{"id": "K-1", "cost": "1.240,00 EUR"}]'))
    assert [claim.status for claim in wrong] == ["found", "unsupported", "unsupported"]


def test_a_number_said_twice_supports_itself_no_more_than_once() -> None:
    text = "- Court: 1.240,00 EUR\n- Once more: 1.240,00 EUR\n"
    assert {claim.status for claim in claims(text, mcp('[{"id": "K-1"}]'))} == {"unsupported"}


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


def test_a_table_between_other_lines_is_a_table() -> None:
    text = "== open items, run 0930 ==\nno;supplier;gross;rate\n1;Hanke;238,00;2\n2;Nord;119,90;0\n3;Voss;1.487,50;3\n"
    tables = [table for table in tables_of_text(text) if table.width > 1]
    assert [(table.columns, len(table.rows)) for table in tables] == [(("no", "supplier", "gross", "rate"), 3)]
    assert statuses("Voss: with 3 % off, 44,63 EUR less.", bash("cat op.csv", text))["44,63 EUR"] == "derived"


def test_cells_that_are_numbers() -> None:
    assert cell_number("23.4GB (61%)") == Decimal("23.4")
    assert cell_number("£1,487.50") == Decimal("1487.50")
    assert [cell_number(cell) for cell in ("4 of 5", "1" * 70, "", "v1", "2026-11-26")] == [None] * 5


def test_dates_without_a_second_dot_and_hours_of_opening() -> None:
    plan = "Mon 09.03  10:00  Room 4\nFri 13.03  11:00  Room 9\nSat 9-14\nratio 20.02 of it\n"
    found = statuses("Monday 9 March; open until 14 Uhr, not until 15 Uhr; not on 20 February.", bash("cat p", plan))
    assert found["9 March"] == found["14 Uhr"] == "found"
    assert found["15 Uhr"] == found["20 February"] == "unsupported"


def test_a_quantity_is_rounded_where_the_same_is_spoken_of() -> None:
    perf = "    31.08%  Row::normalise\n    18.62%  memmove\n"
    found = statuses("`Row::normalise` takes 31%.\n\n`memmove` takes 18%.", bash("perf report", perf))
    assert (found["31%"], found["18%"]) == ("derived", "unsupported")


def test_times_with_seconds_and_lengths_in_minutes_and_seconds() -> None:
    log = "08:11:40 stop\n08:13:02 kill\n12 passed in 94.4s\n"
    found = statuses(
        "08:11:40 stopped, killed at 08:13:02, 82 seconds later, not 28 seconds. It took 1:34 minutes.", bash("l", log)
    )
    assert found["82 seconds"] == found["1:34"] == "derived"
    assert found["28 seconds"] == "unsupported"


def test_however_many_numbers_do_not_follow_each_is_tried_a_few_times(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each could be tried with each other one: 40 numbers took ten seconds, as each try made others tried again."""
    chosen = random.Random(5)  # noqa: S311  # the same ones each time
    rows = "\n".join(f"{n};{chosen.random() * 900:.2f};{chosen.random() * 90:.2f};{n % 7}" for n in range(400))
    text = "\n".join(
        f"| row {n} | {chosen.random() * 9_000:.2f} EUR | {chosen.random() * 90:.2f} EUR |" for n in range(90)
    )
    tried: list[int] = []
    derive = Conclusions._derive
    monkeypatch.setattr(Conclusions, "_derive", lambda self, number: (tried.append(number), derive(self, number))[1])
    found = check(Answer((("m", text),), [Call("c", "Bash", {"command": "cat t"}, {"stdout": rows}, "ok")], "?"))
    assert len([claim for claim in found if claim.status == "unsupported"]) > 100
    assert 0 < len(tried) <= 2 * len(found) + MAX_ASSUMED  # each by itself, and once for all that need it


ORDER = '{"po": "PO-7713", "supplier": "Fernhill", "raised": "2026-02-11", "net": 5591.5}'


@pytest.mark.parametrize(
    ("tool", "result", "held"),
    [
        ("mcp__erp__purchase_order", ORDER, True),
        ("mcp__erp__purchase_order", '{"po": "PO-7713"}', False),
        ("mcp__erp__purchase_order", '{"po": "PO-7713", "supplier": "", "raised": "", "net": 0}', False),
        ("mcp__erp__purchase_order", '{"po": "PO-7713", "supplier": "not found", "raised": "2026-02-11"}', False),
        ("mcp__erp__purchase_order", '{"query": "PO-7713", "supplier": "Fernhill", "raised": "2026-02-11"}', False),
        ("mcp__erp__purchase_order", '{"po": "PO-77139", "supplier": "Fernhill", "raised": "2026-02-11"}', False),
        ("mcp__erp__create_order", ORDER, False),
        ("Bash", ORDER, False),
        ("Task", ORDER, False),
    ],
)
def test_an_id_that_a_call_was_given_is_held_by_the_record_that_it_returned(tool: str, result: str, held: bool) -> None:
    response: object = {"stdout": result} if tool == "Bash" else [{"type": "text", "text": result}]
    call = Call("c", tool, {"number": "PO-7713"}, response, "ok")
    answer = Answer((("m", "It is PO-7713."),), (call,))
    assert holds_id(answer, "PO-7713") is held
    assert [claim.status for claim in check(answer)] == ["found" if held else "unsupported"]
