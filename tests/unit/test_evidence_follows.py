"""What follows from what was found, what is only met by chance, and what is found though it is written otherwise."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

from paliadin.evidence.check import Answer, Call, check, holds_id
from paliadin.evidence.reckoning import is_growth, is_part, reckon
from paliadin.evidence.results import tool_rows
from paliadin.evidence.tables import tables_of_text
from tests.unit.test_evidence_check import bash, claims, mcp, read, statuses

HOURS = """date        who    matter   hours  rate
2026-11-02  vogt   4410-02  1.25   340
2026-11-03  adler  4410-02  3.50   210
2026-11-09  vogt   4410-02  2.00   340
2026-11-12  adler  4388-01  0.75   210
"""


def numbers(*values: str) -> list[Decimal]:
    return [Decimal(value) for value in values]


@pytest.mark.parametrize(
    ("target", "operands"),
    [
        ("1974", ["164.50", "12"]),
        ("87.50", ["1487.50", "1000", "400"]),
        ("11.25", ["135", "12"]),
        ("569.60", ["470", "28", "71.60"]),
        ("4986.10", ["4190", "1.19"]),
    ],
)
def test_a_number_with_many_digits_follows_by_a_simple_calculation(target: str, operands: list[str]) -> None:
    value = Decimal(target)
    step = Decimal("0.01") if "." in target else Decimal(1)
    assert reckon(value, step, numbers(*operands)) is not None
    assert reckon(value + 3, step, numbers(*operands)) is None


def test_a_small_number_is_not_believed_by_chance() -> None:
    operands = numbers("3", "5", "12", "2", "7")
    assert [reckon(Decimal(target), Decimal(1), operands) for target in (17, 8, 36, 60)] == [None] * 4


def test_a_word_for_a_calculation_makes_it_likelier() -> None:
    assert reckon(Decimal(36), Decimal(1), numbers("42", "6")) is None
    assert reckon(Decimal(36), Decimal(1), numbers("42", "6"), is_named=True) == "difference"


def test_a_tiny_part_is_no_part() -> None:
    assert reckon(Decimal(5434), Decimal(1), numbers("5432", "2")) is None


def test_shares_of_a_whole_and_growth() -> None:
    assert is_part(Decimal(90), Decimal(10), Decimal("4.96"), Decimal("5.51"))
    assert not is_part(Decimal(80), Decimal(10), Decimal("4.96"), Decimal("5.51"))
    assert is_growth(Decimal(27), Decimal(1), Decimal("10.99"), Decimal("13.99"))
    assert not is_growth(Decimal(37), Decimal(1), Decimal("10.99"), Decimal("13.99"))


def test_hours_and_rates_are_multiplied_and_added() -> None:
    assert statuses("Vogt has £1,105.00, and Adler has £829.50.", bash("cat hours.txt", HOURS)) == {
        "£1,105.00": "derived",
        "£829.50": "unsupported",
    }


def test_the_readings_of_a_meter() -> None:
    meter = "date        kWh\n2026-09-30  41207.3\n2026-10-31  41689.1\n2026-11-30  42230.6\n"
    found = statuses("October took 481.8 kWh, November 541.5 kWh, not 514.5 kWh.", bash("cat m", meter))
    assert found["481.8 kWh"] == found["541.5 kWh"] == "derived"
    assert found["514.5 kWh"] == "unsupported"


def test_sizes_are_added_whatever_their_units() -> None:
    sizes = "1.5G\t/srv/a\n500M\t/srv/b\n12M\t/srv/c\n".replace("G", " GB").replace("M", " MB")
    found = statuses("Together these are 2 GB, and not 3 GB.", bash("du", sizes))
    assert found == {"2 GB": "derived", "3 GB": "unsupported"}


def test_hours_before_a_moment() -> None:
    mail = read("/mail.txt", "OUTBOUND Wed 18 Mar 2026\n  07:05 London\nCheck-in opens 30 hours before departure.")
    text = "30 hours before departure, so on 17 March at 01:05, not on 16 March at 02:50."
    assert [claim.status for claim in claims(text, mail)] == [
        "found", "derived", "derived", "unsupported", "unsupported",
    ]  # fmt: skip


def test_another_time_zone_only_if_the_sentence_speaks_of_one() -> None:
    log = bash("tail log", "2026-11-25T22:40:00Z deployed\n")
    assert statuses("It was deployed at 23:40 local time.", log)["23:40"] == "derived"
    assert statuses("It was deployed at 23:40.", log) == {"23:40": "unsupported"}


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
