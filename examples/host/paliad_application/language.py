"""The two languages of the pages: words, days and times."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path

GERMAN: Mapping[str, str] = json.loads(Path(__file__).parents[1].joinpath("german.json").read_text("utf-8"))
MONTHS = {
    "en": (
        "January",
        "February",
        "March",
        "April",
        "May",
        "June",
        "July",
        "August",
        "September",
        "October",
        "November",
        "December",
    ),
    "de": (
        "Januar",
        "Februar",
        "März",
        "April",
        "Mai",
        "Juni",
        "Juli",
        "August",
        "September",
        "Oktober",
        "November",
        "Dezember",
    ),
}
WEEKDAYS = {
    "en": ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
    "de": ("Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag", "Sonntag"),
}


@dataclass(frozen=True)
class Language:
    """One of the languages, `en` or `de`."""

    lang: str

    def t(self, english: str) -> str:
        """The text in this language."""
        return GERMAN.get(english, english) if self.lang == "de" else english

    def quoted(self, words: str) -> str:
        """Words in quotation marks."""
        return f"„{words}“" if self.lang == "de" else f"“{words}”"

    def day(self, day: date | None) -> str:
        """A day as one reads it."""
        if day is None:
            return ""
        return (
            f"{day:%d.%m.}{day.year}"
            if self.lang == "de"
            else f"{day.day} {MONTHS['en'][day.month - 1][:3]} {day.year}"
        )

    def long_day(self, day: date) -> str:
        """A day with its weekday."""
        weekday, month = WEEKDAYS[self.lang][day.weekday()], MONTHS[self.lang][day.month - 1]
        return f"{weekday}, {day.day}{'.' * (self.lang == 'de')} {month} {day.year}"

    def month(self, first: date) -> str:
        """A month, by its first day."""
        return f"{MONTHS[self.lang][first.month - 1]} {first.year}"

    def time(self, at: datetime) -> str:
        """A day and a time at this machine's place."""
        local = at.astimezone()
        return f"{self.day(local)}, {local:%H:%M}"

    def long_time(self, at: datetime) -> str:
        """The same with the weekday."""
        local = at.astimezone()
        return f"{self.long_day(local)}, {local:%H:%M}"
