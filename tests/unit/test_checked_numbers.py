"""Numbers from outside are what they say they are, or nothing."""

from __future__ import annotations

import pytest

from paliadin.base.checked_numbers import MAX_COUNT, MAX_TIME, count_of, number_of, time_of

NO_NUMBERS = [
    None,
    True,
    False,
    "7",
    [],
    {},
    -1,
    -(10**12),
    2**63 - 1,
    10**40,
    10**4000,
    float("nan"),
    float("inf"),
    -0.5,
]


@pytest.mark.parametrize("value", NO_NUMBERS)
def test_what_cannot_be_is_unknown(value: object) -> None:
    assert (count_of(value), number_of(value), time_of(value)) == (None, None, None)


@pytest.mark.parametrize("value", [0, 7, MAX_COUNT])
def test_what_can_be_is_taken_as_it_is(value: int) -> None:
    assert count_of(value) == number_of(value) == time_of(value) == value


def test_only_a_number_has_a_fraction() -> None:
    assert (count_of(1.5), number_of(1.5), number_of(float(MAX_COUNT))) == (None, 1.5, MAX_COUNT)


def test_the_last_time_and_one_more() -> None:
    assert (time_of(MAX_TIME), time_of(MAX_TIME + 1), count_of(MAX_COUNT + 1)) == (MAX_TIME, None, None)
