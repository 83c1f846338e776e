"""What is found though it is written otherwise, parts of dates, files, tables inside of texts, and records."""

from __future__ import annotations

import json
from datetime import date
from decimal import Decimal

import pytest

from paliadin.evidence.check import Answer, Call, check, holds_id
from paliadin.evidence.results import tool_rows
from paliadin.evidence.tables import cell_number, tables_of_text
from tests.unit.test_evidence_check import bash, claims, mcp, read, statuses


@pytest.mark.parametrize(
    ("text", "held", "not_held"),
    [
        ("It ends in {}.", "March", "August"),
        ("Es endet Ende {}.", "März", "August"),
        ("It is due on {}.", "the 19th", "the 20th"),
        ("The lease runs since {}.", "2019", "2017"),
        ("It is in {}.", "KW 12", "KW 19"),
    ],
)
def test_parts_of_dates_that_stand_alone(text: str, held: str, not_held: str) -> None:
    lease = mcp([{"begin": "2019-01-01", "end": "2027-03-19"}])
    held = held.replace("KW 12", "KW 11")  # of 19 March 2027
    assert "unsupported" not in statuses(text.format(held), lease).values()
    assert list(statuses(text.format(not_held), lease).values()) == ["unsupported"]


def test_tomorrow_is_a_day() -> None:
    events = mcp([{"start": "2026-11-27T08:30", "what": "Meeting"}], day="2026-11-27")
    assert statuses("Tomorrow (27 November): a meeting.", events, question="what is tomorrow?") == {
        "Tomorrow": "given",
        "27 November": "derived",
    }


def test_a_line_is_that_of_the_file_also_where_a_part_was_read() -> None:
    claim = claims("It is due on 31.12.2031.", read("/a.md", "x\ny\ndue: 2031-12-31\n", start=40))[0]
    assert (claim.sources[0].line, claim.sources[0].text) == (42, "due: 2031-12-31")


def test_the_text_of_another_tool_is_whole_though_it_has_a_file() -> None:
    result = {"file": {"content": "a file of its own"}, "note": "DL-9"}
    assert "DL-9" in Call("t", "mcp__a__read", {}, result, "ok").text


def test_what_a_search_in_one_file_puts_before_a_line_is_no_part_of_an_id() -> None:
    found = Call("t", "Bash", {"command": "grep -n OPEN d.csv"}, {"stdout": "3:9e01fa,harbour\n12:77ab01,pier\n"}, "ok")
    answer = Answer((("m", ""),), (found,))
    assert [holds_id(answer, each) for each in ("9e01fa", "77ab01", "9e01", "12")] == [True, True, False, False]


def test_a_file_that_a_command_has_read() -> None:
    assert statuses("It is in `d.csv`.", bash("grep -n OPEN d.csv", "3:x\n")) == {"d.csv": "found"}
    assert statuses("It is in `d.csv`.", bash("echo d.csv", "d.csv\n")) == {"d.csv": "unsupported"}
    assert statuses("It is in `d.csv`.", bash("grep -n OPEN d.csv", "")) == {"d.csv": "unsupported"}
    assert statuses("It is in `d.csv`.", bash("cat d.csv || echo none", "none\n")) == {"d.csv": "unsupported"}
    missing = {"stdout": "x\n", "stderr": "cat: d.csv: No such file or directory\n"}
    piped = Call("t", "Bash", {"command": "cat e.csv d.csv | head"}, missing, "ok")
    assert statuses("It is in `d.csv`.", piped) == {"d.csv": "unsupported"}


def test_a_lookup_that_found_nothing_holds_no_id() -> None:
    empty = Call("t", "mcp__a__get", {"id": "P-77"}, [{"type": "text", "text": '{"query": "P-77", "rows": []}'}], "ok")
    assert not holds_id(Answer((("m", ""),), (empty,), "Open P-77"), "P-77")


def test_a_file_name_without_its_ending_is_an_id() -> None:
    found = Call("t", "Glob", {}, {"filenames": ["/srv/DWG-3301.dwg", "/srv/AZ.12.345"]}, "ok")
    answer = Answer((("m", ""),), (found,))
    assert [holds_id(answer, each) for each in ("DWG-3301", "DWG-33", "AZ.12")] == [True, False, False]


def test_a_table_whose_cells_may_be_empty() -> None:
    text = "id     who    diet       paid\nR-501  Anouk  vegan      290\nR-502  Bram              290\n"
    table = next(table for table in tables_of_text(text) if table.columns)
    assert table.rows[1] == ("R-502", "Bram", "", "290")


def test_an_object_of_records_has_as_many_rows() -> None:
    assert tool_rows("mcp__a__list", [{"type": "text", "text": '{"A": {"x": 1}, "B": {"x": 2}, "C": {"x": 3}}'}]) == 3


def test_the_table_of_the_page_is_counted() -> None:
    context = {"table": "| id | state |\n| --- | --- |\n| A | open |\n| B | done |\n| C | open |"}
    claim = check(Answer((("m", "Two of them are open."),), (), "", context, date(2026, 11, 26)))[0]
    assert (claim.status, [source.origin for source in claim.sources]) == ("derived", ["context"])


def test_what_one_supposes_is_a_round_number() -> None:
    data = bash("x", "nothing of the kind\n")
    assert statuses("I'd guess 3 hours.", data)["3 hours"] == "common"
    assert statuses("I'd guess 3.27 hours.", data)["3.27 hours"] == "unsupported"
    assert statuses("The limit is 25 MB (it could be larger).", data)["25 MB"] == "unsupported"


def test_a_table_between_other_lines_is_a_table() -> None:
    text = "== open items, run 0930 ==\nno;supplier;gross;rate\n1;Hanke;238,00;2\n2;Nord;119,90;0\n3;Voss;1.487,50;3\n"
    tables = [table for table in tables_of_text(text) if table.width > 1]
    assert [(table.columns, len(table.rows)) for table in tables] == [(("no", "supplier", "gross", "rate"), 3)]


def test_cells_that_are_numbers() -> None:
    assert cell_number("23.4GB (61%)") == Decimal("23.4")
    assert cell_number("£1,487.50") == Decimal("1487.50")
    assert [cell_number(cell) for cell in ("4 of 5", "1" * 70, "", "v1", "2026-11-26")] == [None] * 5


def test_dates_without_a_second_dot_and_hours_of_opening() -> None:
    plan = "Mon 09.03  10:00  Room 4\nFri 13.03  11:00  Room 9\nSat 9-14\nratio 20.02 of it\n"
    found = statuses("Monday 9 March; open until 14 Uhr, not until 15 Uhr; not on 20 February.", bash("cat p", plan))
    assert found["9 March"] == found["14 Uhr"] == "found"
    assert found["15 Uhr"] == found["20 February"] == "unsupported"


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


def test_a_file_number_of_the_boards_of_appeal_is_one_id() -> None:
    known = mcp([{"reference": "T 1308/25-3.2.08"}])
    assert statuses("The number is T 1308/25-3.2.08.", known) == {"T 1308/25-3.2.08": "found"}
    assert statuses("The number is T 1380/25-3.2.08.", known) == {"T 1380/25-3.2.08": "unsupported"}


def test_a_time_behind_a_day_is_no_year() -> None:
    chat = read("/chat.md", "keys: do 5.11. 17:00\n")
    assert statuses("Donnerstag, 5.11., 17:00", chat) == {"Donnerstag": "derived", "5.11.": "found", "17:00": "found"}
    assert statuses("Freitag, 5.11., 17:00", chat)["Freitag"] == "unsupported"
