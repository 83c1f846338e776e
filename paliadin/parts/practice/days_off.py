"""The days off of a court or an office: public holidays of its place, and days on which it is closed.

The holidays are those of the package `holidays`, which `load` imports.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any

from paliadin.parts.practice.dates import DayOff

if TYPE_CHECKING:
    from holidays import HolidayBase

EPO_PLACES = (("DE", "BY"), ("DE", "BE"), ("NL", None))  # its filing offices: Munich, Berlin, The Hague
_DPMA_PLACES = (("DE", "BY"), ("DE", "BE"), ("DE", "TH"))  # § 18a DPMAV: a holiday at any of its offices counts


@dataclass(frozen=True, slots=True)
class Closed:
    """Days of each year, or of some years, on which an office is closed and periods are extended."""

    name: str
    first: tuple[int, int]  # (month, day)
    last: tuple[int, int]  # the same; of the next year if it is before the first
    years: Sequence[int] | None  # in which it begins; None: in every one

    def includes(self, day: date) -> bool:
        """Tell whether the day is one of them."""
        at, begun = (day.month, day.day), day.year
        if self.first <= self.last:
            is_in = self.first <= at <= self.last
        else:
            is_in, begun = at >= self.first or at <= self.last, begun - (at <= self.last)
        return is_in and (self.years is None or begun in self.years)


def places_of(court: Mapping[str, Any]) -> Sequence[tuple[str, str | None]]:
    """Return the places whose holidays count at a court: (country, subdivision) each."""
    by_kind = {"epo": EPO_PLACES, "dpma": _DPMA_PLACES}
    # Rule 301.1 speaks of holidays of the member state; to move a period because of a regional one could miss it.
    subdivision = None if court["kind"].startswith("upc") else court["subdivision"]
    return by_kind.get(court["kind"]) or ((court["country"], subdivision),)


def closed_days(court: Mapping[str, Any], language: str) -> list[Closed]:
    """Return the days on which the court is closed and periods are extended."""
    return [
        Closed(each[f"name_{language}"], _month_day(each["from"]), _month_day(each["to"]), each["years"])
        for each in court["vacations"]
        if each["extends_periods"]
    ]


def day_off_at(places: Sequence[tuple[str, str | None]], closed: Sequence[Closed], language: str) -> DayOff:
    """Return a function that names a day's holiday in any of these places, or the office's closing."""

    def day_off(day: date) -> str | None:
        for place in places:
            if name := _holidays(*place, language).get(day):
                return f"{name} ({'-'.join(filter(None, place))})"
        return next((each.name for each in closed if each.includes(day)), None)

    return day_off


def load() -> None:
    """Import what computes holidays, in a thread: it takes 0.2 s, or 0.7 to 0.9 s where none of it is compiled yet.

    The first call for a date must not wait for that: a call's time is the database's.
    """
    _holidays("DE", None, "de")


@functools.cache
def _holidays(country: str, subdivision: str | None, language: str) -> HolidayBase:
    import holidays  # noqa: PLC0415  # 60 ms and 11 MB, which a daemon without a practice does not need

    supported = holidays.country_holidays(country).supported_languages
    languages = {"de": ("de",), "en": ("en_US", "en_GB", "en")}[language]
    spoken = next((each for each in languages if each in supported), None)
    # The Assumption is a holiday where a commune is mostly Catholic, as in Munich.
    categories = ("public", "catholic") if (country, subdivision) == ("DE", "BY") else None
    return holidays.country_holidays(country, subdiv=subdivision, language=spoken, categories=categories)


def _month_day(text: str) -> tuple[int, int]:
    month, _, day = text.partition("-")
    return int(month), int(day)
