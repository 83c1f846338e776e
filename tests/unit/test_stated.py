"""Calculations that an answer states: what comes out, what does not add up, and what says nothing."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paliadin.evidence.check import Answer, Call, check
from paliadin.evidence.model import Calculation, Claim
from tests.unit.test_evidence_check import bash, mcp, read

TODAY = date(2026, 3, 12)
CASES = [
    {"id": "M-7", "status": "offen", "sb": "MK", "fee": 120.5, "due": "2026-04-01", "hours": 3, "rate": 40},
    {"id": "M-8", "status": "offen", "sb": "AB", "fee": 79.5, "due": "2026-05-14", "hours": 2, "rate": 15.5},
    {"id": "M-9", "status": "erledigt", "sb": "MK", "fee": 300, "due": "2026-02-20", "hours": 9, "rate": 51},
]
BUDGET = "category,budget,jan_1,feb\nRent,1450,1450,1450\nFood,520,498,562\nFun,150,88,61\nKids,240,205,313\n"
LOG = "09:06 start\n09:51 ok 18.2 GB\n2026-03-01 02:00:01 backup\n13 of 15 passed\nVAT 19 %\nnet 32,00 EUR\n"


def claim(text: str, calculated: str | list[str], *calls: Call, said: str = "", **fields: Any) -> Claim:
    """The claim of an answer whose text is, or begins with, what a line of calculations states."""
    lines = [calculated] if isinstance(calculated, str) else calculated
    fact = said or lines[-1].split(" = ")[0]
    found = check(Answer([("m", text)], calls, today=TODAY, calculated=lines, **fields))
    return next(each for each in found if each.text and (each.text in fact or fact in each.text))


def comes_out(line: str, *calls: Call, **fields: Any) -> Claim:
    """The claim of an answer that says the fact of a line and nothing else, among words that mean nothing."""
    return claim(f"So it is {line.split(' = ', maxsplit=1)[0]}.", line, *calls, **fields)


@pytest.mark.parametrize(
    "line",
    [
        "38,08 € = 32,00 * (1 + 19 %)",
        "38,08 € = 32,00 EUR * 1,19",
        "87 % = 13 / 15",
        "rund 90 % = 13 / 15",
        "45 minutes = 09:51 - 09:06",
        "45 Minuten = 09:51 − 09:06",
        "09:36 = 09:06 + 30 minutes",
        "64 EUR = 32,00 * 2",
        "18.637 MB = 18,2 GB * 1024",
        "11 Tage = heute - 01.03.2026",
        "11 days = today - 2026-03-01",
        "15 March 2026 = 2026-03-01 + 14 days",
        "1 June 2026 = 2026-03-01 + 3 months",
        "Sunday = weekday(2026-03-01)",
        "31.03.2026 = eom(2026-03-01)",
        "5 March = nth(1; Thu; 2026-03)",
        "9 working days = workdays(2026-03-01; today)",
        "2 = 15 - 13",
    ],
)
def test_what_follows_from_numbers_of_a_result_is_calculated(line: str) -> None:
    found = comes_out(line, bash("cat log", LOG))
    assert (found.status, found.calculation and found.calculation.text) == ("calculated", line.split(" = ", 1)[1])


@pytest.mark.parametrize(
    ("line", "shown"),
    [
        ("78 % = 13 / 15", "87 %"),
        ("37,08 € = 32,00 * (1 + 19 %)", "38,08 €"),
        ("12 Tage = heute - 01.03.2026", "11 Tage"),
        ("Monday = weekday(2026-03-01)", "Sunday"),
        ("14.03.2026 = 01.03.2026 + 14 Tage", "15.03.2026"),
        ("44 minutes = 09:51 - 09:06", "45 minutes"),
    ],
)
def test_what_comes_to_something_else_differs_and_says_to_what(line: str, shown: str) -> None:
    found = comes_out(line, bash("cat log", LOG))
    assert (found.status, found.calculation and found.calculation.comes_to) == ("differs", shown)


@pytest.mark.parametrize(
    ("line", "status"),
    [
        ("2 offene = count(status = offen)", "calculated"),
        ("one open = count(status = offen; sb = MK)", "calculated"),
        ("3 offene = count(status = offen)", "differs"),
        ("zwei = count(sb = MK)", "calculated"),
        ("two = count(not sb = AB)", "calculated"),
        ("3 = count(sb = MK|AB)", "calculated"),
        ("2 = count(sb != AB)", "calculated"),
        ("2 = count(due > today)", "calculated"),
        ("2 = count(hours < fee; rate > 20)", "calculated"),
        ('2 = count("offen")', "calculated"),
        ("2 = count(status ~ off)", "calculated"),
        ("200,00 EUR = sum(fee; status = offen)", "calculated"),
        ("500 € = sum(fee)", "calculated"),
        ("501 € = sum(fee)", "differs"),
        ("610,00 € = sum(hours * rate)", "calculated"),
        ("151 € = sum(hours * rate; status = offen)", "calculated"),
        ("166.67 = avg(fee)", "calculated"),
        ("120.50 € = median(fee)", "calculated"),
        ("2 people = distinct(sb)", "calculated"),
        ("20 February 2026 = min(due)", "calculated"),
        ("300 = cell(fee; id = M-9)", "calculated"),
        ("20 days = cell(due; id = M-7) - today", "calculated"),
        ('3 = count("M-7"; "M-8"; "M-9")', "calculated"),
        ("60 % = sum(fee; sb = MK; status = erledigt) / sum(fee)", "calculated"),
    ],
)
def test_rows_are_counted_and_added_up(line: str, status: str) -> None:
    assert comes_out(line, mcp(CASES)).status == status


def test_the_heads_of_a_table_may_have_digits() -> None:
    csv = bash("cat budget.csv", BUDGET)
    assert comes_out("two = count(feb > budget)", csv).status == "calculated"
    assert comes_out("2241 = sum(jan_1)", csv).status == "calculated"


@pytest.mark.parametrize(
    "line",
    [
        "77 = count(colour = red)",  # no such column
        "77 = 40 + 37",  # nothing has these
        "77 = 3 + 74",  # a small number that only fits
        "77 = count(hours > 1.5) + 75",  # the same, added to a count
        "77 = sum(hours * 5.5)",  # a factor that nobody has said
        "77 = 2026-03-01",  # of another kind
        "77 = hours(",
        "77 = ((((((((((((((1))))))))))))))",
        "77 = 1 / 0",
        "77 = " + "9" * 400,
        "77 =",
        "= 77",
        "77",
        "99 = count(status = offen)",  # the answer says no such thing
    ],
)
def test_a_line_that_says_nothing_leaves_the_fact_as_it_is(line: str) -> None:
    calls = [mcp(CASES)]
    [plain] = check(Answer([("m", "There are 77 deadlines.")], calls, today=TODAY))
    [found] = check(Answer([("m", "There are 77 deadlines.")], calls, today=TODAY, calculated=[line]))
    assert found == plain
    assert found.status == "unsupported"


def test_a_small_number_from_two_of_different_lines_is_no_evidence() -> None:
    results = bash("x", "a 13\nb 15\nc 13 of 40\n")
    assert comes_out("28 EUR = 13 + 15", results).status == "unsupported"
    assert comes_out("53 EUR = 13 + 40", results).status == "calculated"
    together = claim("Of 15 there are 13 here, so 28 EUR.", "28 EUR = 13 + 15", results, said="28 EUR")
    assert together.status == "calculated"  # the answer itself puts them side by side


def test_one_fact_may_follow_from_another_one() -> None:
    text = "The period of 3 months ends on 2026-06-01, in 81 days, a Monday."
    lines = ["81 days = 2026-06-01 - today", "Monday = weekday(2026-06-01)", "2026-06-01 = 2026-03-01 + 3 months"]
    found = {
        each.text: each.status
        for each in check(
            Answer([("m", text)], [bash("x", "served 2026-03-01; period: 3 months")], today=TODAY, calculated=lines)
        )
    }
    assert found == {"3 months": "found", "2026-06-01": "calculated", "81 days": "calculated", "Monday": "calculated"}


def test_what_is_only_a_usual_number_is_said_to_be_assumed() -> None:
    found = comes_out("15 March 2026 = 2026-03-01 + 14 days", bash("x", "since 2026-03-01"))
    assert found.calculation == Calculation("2026-03-01 + 14 days", "2026-03-15", ("14 days",))
    assert comes_out("16 March 2026 = 2026-03-01 + 15 days", bash("x", "since 2026-03-01")).status == "unsupported"


def test_a_quotation_proves_what_stands_in_it_and_nothing_else() -> None:
    mail = read("mail.txt", "Ref: FN 12 thank you\nDue on 2026-04-01, 38,08 EUR\n")
    assert comes_out('FN-12 = "FN 12 thank you"', mail).status == "found"
    wrong = comes_out('2 April 2026 = "Due on 2026-04-01"', mail)
    assert (wrong.status, wrong.calculation) == ("differs", Calculation('"Due on 2026-04-01"', ""))
    assert comes_out('39,08 € = "38,08 EUR"', mail).status == "differs"
    assert comes_out('2 April 2026 = "Due on 2026-04-02"', mail).status == "unsupported"


def test_what_claude_wrote_itself_proves_nothing() -> None:
    wrote = Call(
        "w", "Write", {"file_path": "/t/a.csv", "content": "name,n\na,3\nb,4\nc,5"}, {"filePath": "/t/a.csv"}, "ok"
    )
    back = read("/t/a.csv", "name,n\na,3\nb,4\nc,5")
    assert comes_out("12 EUR = sum(n)", wrote, back).status == "unsupported"
    assert comes_out("12 EUR = sum(n)", back).status == "calculated"
    failed = Call("f", "Bash", {}, {"stdout": "name,n\na,3\nb,4\nc,5"}, "failed")
    assert comes_out("12 EUR = sum(n)", failed).status == "unsupported"


def test_rows_that_were_cut_are_no_reason_to_say_that_it_differs() -> None:
    whole = mcp(CASES)
    cut = Call(whole.id, whole.name, whole.input, whole.result, "ok", cut=True)
    assert comes_out("5 Fristen = count(status = offen)", cut).status == "unknown"


def test_two_tables_that_come_to_different_numbers_are_no_reason_either() -> None:
    more = mcp([*CASES, {"id": "M-10", "status": "offen"}], call_id="t2")
    assert comes_out("5 Fristen = count(status = offen)", mcp(CASES), more).status == "unsupported"
    assert comes_out("3 offene = count(status = offen)", mcp(CASES), more).status == "calculated"
    assert comes_out("2 offene = count(#2; status = offen)", mcp(CASES), more).status == "differs"


def test_a_calculation_decides_before_what_merely_stands_somewhere() -> None:
    other = bash("ls", "total 3\n", "t2")
    assert comes_out("3 offene = count(status = offen)", mcp(CASES), other).status == "differs"


def test_the_fact_is_found_whatever_its_markup_and_blanks() -> None:
    text = "| open | **2\u00a0offene** |\n|---|---|\n| sum | `500\u202f€` |\n"
    found = check(
        Answer(
            [("m", text)],
            [mcp(CASES)],
            today=TODAY,
            calculated=["**2 offene** = count(status = offen)", "500 € = sum(fee)"],
        )
    )
    assert [each.status for each in found] == ["calculated", "calculated"]


def test_operands_lead_to_their_lines() -> None:
    found = comes_out("87 % = 13 / 15", bash("x", LOG))
    assert [(source.call, source.line, source.text) for source in found.sources] == [("t1", 4, "13 of 15 passed")]


_TEXT = st.text(
    st.sampled_from('0123456789.,:;=()+-*/%"„“| <>~#€abcountsumdueweekdaynth\u00a0\n') | st.characters(), max_size=300
)


@settings(max_examples=300, deadline=None)
@given(st.lists(_TEXT, max_size=4), st.sampled_from([mcp(CASES), bash("x", LOG), bash("y", BUDGET)]))
def test_no_line_makes_the_check_fail(lines: list[str], call: Call) -> None:
    text = "2 offene, 87 %, 38,08 € am 01.03.2026 um 09:06 in A-1."
    found = check(Answer([("m", text)], [call], today=TODAY, calculated=lines))
    assert len(found) >= 4


def test_pages_of_a_list_are_one_table_and_no_page_alone_makes_a_count_differ() -> None:
    pages = [
        mcp([{"id": f"S-{n}", "status": "new"} for n in numbers], call_id=f"p{numbers[0]}")
        for numbers in ([1, 2, 3], [4, 5])
    ]
    assert comes_out("5 claims = count(status = new)", *pages).status == "calculated"
    assert comes_out("3 claims = count(#1; status = new)", *pages).status == "calculated"
    assert comes_out("4 claims = count(status = new)", *pages).status == "unsupported"


def test_rows_with_a_comma_in_their_text_are_rows() -> None:
    table = "day,kwh,peak,event\n" + "".join(f"2026-03-{n:02},{n},7,\n" for n in range(1, 20))
    table += "2026-03-20,5,7,fuse, then storm\n# checked by Ada\n"
    assert comes_out("20 days = count(kwh > 0)", bash("cat", table)).status == "calculated"
    assert comes_out("19 days = count(kwh > 0)", bash("cat", table)).status == "differs"


@pytest.mark.parametrize(
    ("line", "status"),
    [
        ("15 days = 2026-03-15 - 2026-03-01 + 1", "calculated"),
        ("47.3% = 1 - 32,00 / (51,00 * (1 + 19 %))", "calculated"),
        ("74% = 0.74 * 100 %", "calculated"),
        ("tomorrow = today + 1 day", "calculated"),
        ("yesterday = today + 1 day", "differs"),
        ("Thursday = weekday(2031-05-01)", "calculated"),
        ("1 May 2031 = weekday(2031-05-01)", "unsupported"),
        ("232 thousand = avg(cells)", "calculated"),
        ("233 thousand = avg(cells)", "differs"),
    ],
)
def test_more_that_a_model_states(line: str, status: str) -> None:
    said = bash("x", "2026-03-15 since 2026-03-01; 32,00 and 51,00 EUR, 19 %; 0.74")
    assert comes_out(line, said, mcp([{"cells": 231.9}, {"cells": 232.0}], call_id="t2")).status == status


def test_a_value_that_is_said_again_is_what_it_was_calculated_to_be() -> None:
    text = "It is due on 31 March 2026.\n\nSo until 31 March 2026, not until 30 March 2026, call 12 times."
    calls = [bash("x", "sent 2026-03-01, 14 days")]
    found = check(Answer([("m", text)], calls, today=TODAY, calculated=["31 March 2026 = 2026-03-01 + 30 days"]))
    assert [each.status for each in found][:3] == ["calculated", "calculated", "unsupported"]


@pytest.mark.parametrize("fact", ["dreimal 01.12.", "12 (three)"])
def test_a_fact_with_several_numbers_differs_for_none(fact: str) -> None:
    rows = mcp([{"due": "2026-12-01"}] * 3)
    found = check(Answer([("m", f"It is {fact} days.")], [rows], calculated=[f"{fact} = count(due = 2026-12-01)"]))
    assert "differs" not in {each.status for each in found}


@pytest.mark.parametrize(
    "line",
    [
        "4 May 2031 = weekday(2031-05-01) + 3 days",
        "31 May 2031 = eom(weekday(2031-05-01))",
        "1878 days = weekday(2031-05-01) - today",
    ],
)
def test_a_weekday_lends_no_day_to_a_calculation(line: str) -> None:
    """The day in it need not stand anywhere: else an invented one would prove others."""
    assert comes_out(line, bash("x", "nothing but 3 days")).status == "unsupported"
