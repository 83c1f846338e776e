"""The days of holidays, which everybody can look up in a calendar. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta

_FROM_EASTER = {
    "gründonnerstag": -3, "maundy thursday": -3, "karfreitag": -2, "good friday": -2, "karsamstag": -1,
    "ostersonntag": 0, "easter sunday": 0, "ostermontag": 1, "easter monday": 1,
    "himmelfahrt": 39, "ascension": 39, "pfingstsonntag": 49, "whit sunday": 49, "pentecost": 49,
    "pfingstmontag": 50, "whit monday": 50, "fronleichnam": 60, "corpus christi": 60,
    "rosenmontag": -48, "aschermittwoch": -46, "ash wednesday": -46,
}  # fmt: skip
"""Days after Easter Sunday."""
_FIXED = {
    "neujahr": (1, 1), "new year's day": (1, 1), "dreikönig": (1, 6), "epiphany": (1, 6), "tag der arbeit": (5, 1),
    "labour day": (5, 1), "mariä himmelfahrt": (8, 15), "tag der deutschen einheit": (10, 3),
    "reformationstag": (10, 31), "allerheiligen": (11, 1), "all saints": (11, 1), "heiligabend": (12, 24),
    "christmas eve": (12, 24), "1. weihnachtstag": (12, 25), "christmas day": (12, 25), "2. weihnachtstag": (12, 26),
    "boxing day": (12, 26), "silvester": (12, 31), "new year's eve": (12, 31),
}  # fmt: skip
"""Month and day."""
_NAME = re.compile(
    "|".join(map(re.escape, sorted({*_FROM_EASTER, *_FIXED, "ostern", "easter"}, key=len, reverse=True)))
)


def easter(year: int) -> date:
    """Return Easter Sunday of a year in the Gregorian calendar, by the method of Butcher (1876)."""
    golden, century, rest = year % 19, year // 100, year % 100
    leap, shift = century // 4, (century - (century + 8) // 25 + 1) // 3
    moon = (19 * golden + century - leap - shift + 15) % 30
    weekday = (32 + 2 * (century % 4) + 2 * (rest // 4) - moon - rest % 4) % 7
    late = (golden + 11 * moon + 22 * weekday) // 451
    month, day = divmod(moon + weekday - 7 * late + 114, 31)
    return date(year, month, day + 1)


def holidays_in(text: str, year: int) -> Iterator[date]:
    """Yield the days in a year of the holidays that a text names; of Easter, both days."""
    sunday = easter(year)
    for match in _NAME.finditer(text.casefold()):
        if (shift := _FROM_EASTER.get(match[0])) is not None:
            yield sunday + timedelta(days=shift)
        elif day := _FIXED.get(match[0]):
            yield date(year, *day)
        else:
            yield sunday
            yield sunday + timedelta(days=1)
