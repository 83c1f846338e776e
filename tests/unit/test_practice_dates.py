"""When a period ends, by the calendars of the UPC, the EPO and German law; examples are worked by hand."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paliadin.parts.practice.dates import Count, Period, StepKind, Unit, end_of
from paliadin.parts.practice.days_off import EPO_PLACES, Closed, closed_days, day_off_at, places_of

NOBODY_OFF = day_off_at((), [], "en")
GERMANY = day_off_at((("DE", None),), [], "en")
MUNICH = day_off_at((("DE", "BY"),), [], "de")
CHRISTMAS = Closed("closed", (12, 24), (1, 1), None)
EPO = day_off_at(EPO_PLACES, [CHRISTMAS], "en")


def ends(amount: int, unit: Unit, event: str, day_off: object = GERMANY, *, backwards: bool = False) -> str:
    count = Count([Period(amount, unit)], backwards=backwards)
    return str(end_of(count, date.fromisoformat(event), day_off)[0])  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("amount", "unit", "event", "expected"),
    [
        (1, Unit.MONTHS, "2026-01-31", "2026-03-02"),  # 28 February is a Saturday
        (3, Unit.MONTHS, "2026-02-03", "2026-05-04"),  # 3 May is a Sunday
        (2, Unit.MONTHS, "2025-12-31", "2026-03-02"),
        (2, Unit.WEEKS, "2026-03-20", "2026-04-07"),  # Good Friday, then Easter Monday
        (1, Unit.YEARS, "2024-02-29", "2025-02-28"),
        (31, Unit.DAYS, "2026-03-16", "2026-04-16"),
        (9, Unit.MONTHS, "2026-03-25", "2026-12-28"),  # Christmas Day is a Friday
        (1, Unit.DAYS, "2026-11-26", "2026-11-27"),
    ],
)
def test_a_period_ends_as_the_statutes_say(amount: int, unit: Unit, event: str, expected: str) -> None:
    assert ends(amount, unit, event) == expected


def test_the_epo_is_closed_at_each_of_its_places_and_between_the_years() -> None:
    assert ends(4, Unit.MONTHS, "2024-01-30", EPO) == "2024-05-31"  # Corpus Christi in Munich
    assert ends(1, Unit.MONTHS, "2026-03-27", EPO) == "2026-04-28"  # King's Day in The Hague
    assert ends(2, Unit.MONTHS, "2026-10-24", EPO) == "2027-01-04"


def test_only_the_holidays_of_the_courts_place_count() -> None:
    assert ends(1, Unit.MONTHS, "2026-12-06", MUNICH) == "2027-01-07"  # Epiphany
    assert ends(1, Unit.MONTHS, "2026-12-06", GERMANY) == "2027-01-06"
    assert ends(1, Unit.MONTHS, "2028-07-15", MUNICH) == "2028-08-16"  # the Assumption


def test_of_two_periods_the_later_one_holds() -> None:
    count = Count([Period(31, Unit.DAYS), Period(20, Unit.WORKING_DAYS)], "later")
    for event, expected in (("2026-03-16", "2026-04-16"), ("2026-11-30", "2026-12-31")):
        end, steps = end_of(count, date.fromisoformat(event), GERMANY)
        assert str(end) == expected
        assert [step.kind for step in steps] == [StepKind.COUNTED, StepKind.COUNTED, StepKind.CHOSEN]


def test_a_period_before_an_event_never_ends_later_than_it_may() -> None:
    assert ends(1, Unit.MONTHS, "2026-07-31", backwards=True) == "2026-06-30"
    assert ends(1, Unit.MONTHS, "2026-06-14", backwards=True) == "2026-05-13"  # Ascension Day: the day before
    assert ends(1, Unit.MONTHS, "2026-07-14", NOBODY_OFF, backwards=True) == "2026-06-12"  # a Sunday: Friday


def test_a_renewal_fee_with_surcharge_runs_from_month_end_to_month_end() -> None:
    assert ends(6, Unit.MONTH_ENDS, "2026-02-28", NOBODY_OFF) == "2026-08-31"
    assert ends(6, Unit.MONTH_ENDS, "2026-06-30", NOBODY_OFF) == "2026-12-31"


def test_an_end_beyond_the_calendar_is_an_error() -> None:
    with pytest.raises(OverflowError):
        ends(1, Unit.YEARS, "9999-06-01")
    with pytest.raises(OverflowError):
        ends(1, Unit.DAYS, "9999-12-31")


@given(
    st.dates(date(1980, 1, 1), date(2060, 1, 1)),
    st.integers(1, 60),
    st.sampled_from([Unit.DAYS, Unit.WEEKS, Unit.MONTHS, Unit.WORKING_DAYS]),
    st.booleans(),
)
def test_the_end_is_a_working_day_on_the_right_side(event: date, amount: int, unit: Unit, backwards: bool) -> None:
    end, steps = end_of(Count([Period(amount, unit)], backwards=backwards), event, GERMANY)
    assert end.weekday() < 5
    assert GERMANY(end) is None
    assert end < event if backwards else end > event
    assert steps[-1].date == end
    raw = steps[0].date
    assert all(GERMANY(day) or day.weekday() > 4 for day in days_between(raw, end))


def days_between(raw: date, end: date) -> list[date]:
    """The days from the raw end up to the one before the end."""
    step = 1 if end >= raw else -1
    return [raw + timedelta(days=step * number) for number in range(abs((end - raw).days))]


def test_closed_days_belong_to_the_year_in_which_they_begin() -> None:
    closed = Closed("closed", (12, 24), (1, 1), [2025])
    assert closed.includes(date(2025, 12, 24))
    assert closed.includes(date(2026, 1, 1))
    assert not closed.includes(date(2026, 12, 24))
    assert not closed.includes(date(2025, 1, 1))
    assert not closed.includes(date(2026, 1, 2))


def test_a_courts_record_says_whose_holidays_count() -> None:
    court = {"kind": "lg", "country": "DE", "subdivision": "NW", "vacations": []}
    assert places_of(court) == (("DE", "NW"),)
    assert places_of(court | {"kind": "upc_local"}) == (("DE", None),)
    assert places_of(court | {"kind": "epo"}) == EPO_PLACES
    vacation = {"name_en": "a", "name_de": "b", "from": "07-01", "to": "08-31", "years": None, "extends_periods": False}
    assert closed_days({"vacations": [vacation]}, "en") == []
    assert closed_days({"vacations": [vacation | {"extends_periods": True}]}, "de")[0].name == "b"
