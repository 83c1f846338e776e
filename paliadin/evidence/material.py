"""What the results of a conversation hold of numbers, dates and times, read once for all statements. Pure.

Many statements are tried, and each would read all results again: with 1.4 MB of them that took more than 100 s.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import cached_property

from paliadin.evidence import durations
from paliadin.evidence.notation import Date, find_dates, find_numbers, read_unit
from paliadin.evidence.results import Call
from paliadin.evidence.vocabulary import MONTHS

MAX_SEARCHED = 200_000  # characters of one result
MAX_MATERIAL = 1_000_000  # of all; the last ones count
MAX_OF_TIMES = 20_000  # characters of a result in which times are looked for
_WORD = re.compile(r"[^\W\d_]{2,20}")
_MONTH_OF_YEAR = re.compile(r"(?<![\d/.])(0?[1-9]|1[0-2])/20\d\d(?![\d/])")


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number of a result: `values`, as in `notation.Number`; `size` with its scale (`Mio.`), unsigned; its unit."""

    values: tuple[Decimal, ...]
    size: Decimal
    unit: str | None

    def may_have(self, unit: str | None) -> bool:
        """True if the number has this unit, or none and is a large one; any unit will do for None."""
        return unit is None or self.unit == unit or (self.unit is None and self.size >= 100)


@dataclass(frozen=True, eq=False)
class Material:
    """The results of the calls that succeeded and return data."""

    calls: Sequence[Call]
    today: date | None

    @cached_property
    def texts(self) -> list[tuple[Call, str]]:
        """The beginning of each result, in their order."""
        found: list[tuple[Call, str]] = []
        left = MAX_MATERIAL
        for call in reversed(self.calls):
            text = call.searched[: min(MAX_SEARCHED, left)]
            left -= len(text)
            if text:
                found.append((call, text))
        return found[::-1]

    @cached_property
    def quantities(self) -> list[tuple[Call, list[Quantity]]]:
        """The numbers of each result, the smallest first."""
        return [(call, sorted(_quantities(text), key=lambda each: each.size)) for call, text in self.texts]

    @cached_property
    def values(self) -> list[tuple[Call, set[Decimal]]]:
        """What the numbers of each result may be."""
        return [(call, {value for each in found for value in each.values}) for call, found in self.quantities]

    @cached_property
    def by_kind(self) -> list[tuple[Call, dict[str, list[Decimal]]]]:
        """The quantities of each result by their kinds, in base units: see `durations.by_kind`."""
        return [
            (call, durations.by_kind(durations.lengths_in(text), ((each.size, each.unit) for each in found)))
            for (call, text), (_, found) in zip(self.texts, self.quantities, strict=True)
        ]

    @cached_property
    def dates(self) -> list[Date]:
        """The dates of all results."""
        return [each for _, text in self.texts for dated in find_dates(text, strict=False) for each in dated.values]

    @cached_property
    def years(self) -> dict[tuple[int, int | None], set[int]]:
        """The years in which the results have a day, by its month and number."""
        years: dict[tuple[int, int | None], set[int]] = {}
        for each in self.dates:
            if each.year:
                years.setdefault((each.month, each.day), set()).add(each.year)
        return years

    @cached_property
    def days(self) -> list[date]:
        """The days that the results name."""
        return [day for each in self.dates if (day := durations.as_date(each, self.today))]

    @cached_property
    def months(self) -> set[int]:
        """The months that the results name, by a date or by their names alone."""
        months = {each.month for each in self.dates}
        for _, text in self.texts:
            months |= {MONTHS[word] for word in _WORD.findall(text.casefold()) if word in MONTHS}
            months |= {int(digits) for digits in _MONTH_OF_YEAR.findall(text)}
        return months

    @cached_property
    def moments(self) -> list[durations.Moment]:
        """The times that the results name."""
        texts = (text[:MAX_OF_TIMES] for _, text in self.texts)
        return [moment for text in texts for moment in durations.moments_of(text, self.today)]


def _quantities(text: str) -> Iterator[Quantity]:
    for number in find_numbers(text):
        unit = read_unit(text, number.start, number.end)
        size = abs(number.values[0]) * (unit.factor if unit.unit else 1)
        yield Quantity(number.values, size, unit.unit)
