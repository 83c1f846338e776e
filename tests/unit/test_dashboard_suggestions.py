"""What the dashboard makes of the figures of suggestions."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from paliadin.base.errors import StoreUnavailable
from paliadin.parts.practice.dashboard_card import FEWEST_DECIDED, Suggestions, make, read_values
from paliadin.parts.practice.practice import Practice
from paliadin.people.directory import People
from paliadin.reports.filters import Filter
from paliadin.web.dashboard.locale import Locale

BERLIN = ZoneInfo("Europe/Berlin")
EN, DE = (Locale(lang, BERLIN) for lang in ("en", "de"))
ROW = {"made": 3, "approved": 1, "rejected": 0, "pending": 2, "turns": 2, "median_seconds": 9.5, "overridden": 0}
WEEK = Filter(date(2026, 3, 23), date(2026, 3, 29), None)


def decided(approved: int, rejected: int) -> Suggestions:
    return Suggestions.of(ROW | {"approved": approved, "rejected": rejected})


def test_a_share_needs_enough_decisions_and_those_that_wait_are_none() -> None:
    assert FEWEST_DECIDED == 5
    assert decided(4, 0).approved_share is None
    assert decided(0, 0).approved_share is None
    assert decided(4, 1).approved_share == 0.8
    assert decided(0, 5).approved_share == 0


def test_a_row_may_have_more_than_is_shown_and_not_less() -> None:
    assert Suggestions.of(ROW | {"oldest": 7}) == Suggestions(3, 1, 0, 2, 2, 9.5, 0)
    with pytest.raises(KeyError, match="pending"):
        Suggestions.of({name: value for name, value in ROW.items() if name != "pending"})


@pytest.mark.parametrize(
    ("seconds", "english", "german"),
    [
        (None, "–", "–"),
        (0, "0 s", "0 s"),
        (59.4, "59 s", "59 s"),
        (59.6, "1 min", "1 min"),
        (3599, "1 h", "1 h"),  # not 60 min
        (7800, "2 h 10 min", "2 h 10 min"),
        (86_399, "1 day", "1 Tag"),
        (2 * 86_400 - 60, "2 days", "2 Tage"),  # not 1 day 24 h
        (90_000, "1 day 1 h", "1 Tag 1 h"),
        (1234 * 86_400 + 7200, "1,234 days 2 h", "1.234 Tage 2 h"),
    ],
)
def test_a_time_is_said_in_its_two_largest_units(seconds: float | None, english: str, german: str) -> None:
    assert [each.lasting(seconds).replace("\u00a0", " ") for each in (EN, DE)] == [english, german]


async def test_the_days_are_the_owners_whole_ones() -> None:
    asked: list[tuple[datetime, datetime]] = []

    async def read(since: datetime, until: datetime) -> Mapping[str, Any]:
        asked.append((since, until))
        return ROW

    values = await read_values(read, WEEK, BERLIN)
    assert (values["suggestions"], values["suggestions_error"]) == (Suggestions.of(ROW), None)
    # The clock was changed on the last day.
    assert asked == [(datetime(2026, 3, 22, 23, tzinfo=UTC), datetime(2026, 3, 29, 22, tzinfo=UTC))]


async def test_an_error_is_for_the_page_to_show(tmp_path: Path) -> None:
    """A practice that is not connected says that its database is not open."""
    values = await make(Practice(list), People(tmp_path).id_of).read(WEEK, BERLIN)
    assert values["suggestions"] is None
    assert isinstance(values["suggestions_error"], StoreUnavailable)
