"""Recognise dates, times and numbers in German and English notation, by their value. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from paliadin.evidence.vocabulary import MONTHS, NUMBER_WORDS, PATTERNS, SCALES, UNITS

SPACES = " \u00a0\u202f\u2009"
_MONTH = "(?:" + "|".join(sorted(MONTHS, key=len, reverse=True)) + ")"
_YEAR = r"(?:1[89]|20|21)\d\d"

_ISO_DATE = rf"(?<![\w-])(?P<iy>{_YEAR})-(?P<im>\d\d)-(?P<id>\d\d)(?![\d-])"
_DOTTED_DATE = (
    rf"(?<![\w.,/-])(?P<dd>\d\d?)\.[{SPACES}]?(?P<dm>\d\d?)\."
    rf"(?:[{SPACES}]?(?P<dy>{_YEAR}|(?<!\s)\d\d(?!\d)))?(?!\d|\.\d)"
)
_SHORT_DATE = r"(?<![\w.,/:-])(?P<ed>0[1-9]|[12]\d|3[01])\.(?P<em>0[1-9]|1[0-2])(?![\d.,%]| ?[€$£%])"
_SLASHED_DATE = (
    rf"(?<![\w./-])(?:(?P<sa>\d\d?)/(?P<sb>\d\d?)/(?P<sy>{_YEAR})|"
    rf"(?P<ty>{_YEAR})/(?P<tm>\d\d?)/(?P<td>\d\d?))(?![\w/])"
)
_DAY_MONTH = (
    rf"(?<![\w.,/-])(?P<wd>\d\d?)(?:\.|st|nd|rd|th)?[{SPACES}]{{0,2}}(?:of[{SPACES}])?"
    rf"(?P<wm>{_MONTH})(?!\w)(?:\.?,?[{SPACES}]{{1,2}}(?P<wy>{_YEAR})(?!\w))?"
)
_MONTH_DAY = (
    rf"(?<!\w)(?P<um>{_MONTH})\.?[{SPACES}]{{1,2}}(?:(?P<ud>\d\d?)(?:st|nd|rd|th)?(?!\w|:\d|[.,]\d))"
    rf"(?:(?:,?[{SPACES}]{{1,2}}|[{SPACES}]\d\d:\d\d(?::\d\d)?[{SPACES}])(?P<uy>{_YEAR})(?!\w))?"
)
_ISO_MONTH = rf"(?<![\w.:/-])(?P<yy>{_YEAR})-(?P<ym>0[1-9]|1[0-2])(?![\w-]|[.:/]\d)"
_SLASHED_MONTH = rf"(?<![\w.:/-])(?P<nm>0[1-9]|1[0-2])/(?P<ny>{_YEAR})(?![\w/-]|[.:]\d)"
_MONTH_YEAR = rf"(?<!\w)(?P<mm>{_MONTH})\.?,?[{SPACES}]{{1,2}}(?P<my>{_YEAR})(?![\w-])"
_DATE = re.compile(
    "|".join(
        (
            _ISO_DATE,
            _DOTTED_DATE,
            _SHORT_DATE,
            _SLASHED_DATE,
            _DAY_MONTH,
            _MONTH_DAY,
            _MONTH_YEAR,
            _ISO_MONTH,
            _SLASHED_MONTH,
        )
    ),
    re.IGNORECASE,
)
_BEHIND_A_DAY = re.compile(r"(?:\A|[|( ])\d\d?\.\d\d?\., \Z")
_TIME = re.compile(
    rf"(?<![\w.,:/-])(?:(?P<h>[01]?\d|2[0-4])(?::(?P<m>[0-5]\d)(?::[0-5]\d(?:[.,]\d{{1,9}})?)?"
    rf"|[.](?P<dm>[0-5]\d)(?=[{SPACES}](?:Uhr|Std)\b))?"
    rf"(?P<half>[{SPACES}]?(?:a\.m\.|p\.m\.|am\b|pm\b))?(?P<uhr>[{SPACES}](?:Uhr|o.clock)\b(?(m)|(?(dm)|"
    rf"(?:[{SPACES}](?P<um>[0-5]\d)\b(?![.:,/]\d))?)))?)"
    rf"(?P<zone>Z\b|[{SPACES}]?(?:UTC|GMT)\b|[+-]\d\d:?\d\d)?(?!\w|[:.,]\d)",
    re.IGNORECASE,
)
_BEGIN_OF_HOURS = re.compile(
    rf"(?<![\w.,:/-])(?P<h>[01]?\d|2[0-4])(?=[{SPACES}]?(?:[–-]|bis|to)[{SPACES}]?"
    rf"(?:[01]?\d|2[0-4])(?:[:.][0-5]\d)?[{SPACES}](?:Uhr|o.clock)\b)"
)
_SPOKEN_SHIFTS = {
    ("halb", ""): -30, ("viertel", "nach"): 15, ("viertel", "vor"): -15, ("dreiviertel", ""): -15,
    ("half", "past"): 30, ("quarter", "past"): 15, ("quarter", "to"): -15, ("quarter", "after"): 15,
}  # fmt: skip
_ISO_TIME = re.compile(r"(?<=\d\d-\d\dT)(?P<h>[01]\d|2[0-3]):?(?P<m>[0-5]\d)(?P<zone>[^\s\"',<]{0,24})")
_NUMBER = re.compile(
    r"(?<![\w.,/])(?<!\d[:-])(?P<sign>[-–−+](?=\d))?"
    r"(?P<digits>\d{1,3}(?:[.,'’\u00a0\u202f\u2009]\d{3}){1,4}(?:[.,]\d{1,4})?(?!\d)|\d{1,15}(?:[.,]\d{1,9})?)"
    r"(?![\d]|[.,:/'’-]\d)"
)


@dataclass(frozen=True, slots=True)
class Date:
    """A date; without its year, or without its day (a month), if these were left out."""

    year: int | None
    month: int
    day: int | None

    def matches(self, other: Date) -> bool:
        """True if both may be the same day, or one is the month of the other."""
        if self.month != other.month or (self.year and other.year and self.year != other.year):
            return False
        if self.day is None or other.day is None:
            return self.year == other.year
        return self.day == other.day


@dataclass(frozen=True, slots=True)
class Dated:
    """A date in a text. `values`: `3/4/2031` may be two of them."""

    start: int
    end: int
    values: tuple[Date, ...]


@dataclass(frozen=True, slots=True)
class Timed:
    """A time of day in a text, in minutes since midnight. `is_utc`: the text says that it is UTC.

    `is_half`: it may be the same time in the afternoon as well.
    """

    start: int
    end: int
    minutes: int
    is_utc: bool = False
    is_half: bool = False


@dataclass(frozen=True, slots=True)
class Number:
    """A number in a text. `values`: `1.200` may be two, the likelier one first. `step`: its last digit's worth."""

    start: int
    end: int
    values: tuple[Decimal, ...]
    step: Decimal


def find_dates(text: str, *, strict: bool = True) -> Iterator[Dated]:
    """Yield the dates of a text. `strict`: a day and month in digits need a word before them that dates follow.

    Without `strict`, `09.03` behind such a word is a date as well; in an answer it could be a number.
    """
    for match in _DATE.finditer(text):
        values = tuple(date for date in _dates_of(match) if _is_possible(date))
        if not values:
            continue
        bare = match["dd"] and not match["dy"]
        if bare and strict and not _follows_a_word_for_dates(text, match):
            continue
        if match["ed"] and (
            strict or not PATTERNS["before_a_day"].search(text, max(match.start() - 12, 0), match.start())
        ):
            continue  # as likely a number
        yield Dated(match.start(), match.end(), values)


def _follows_a_word_for_dates(text: str, match: re.Match[str]) -> bool:
    """True if a day and month in digits may be meant: behind `am`, or, with two digits for the month, a comma.

    Or at the beginning of a line, as in a list of dates, and behind another one.
    """
    before_it = text[max(match.start() - 12, 0) : match.start()]
    if not before_it.strip() or _BEHIND_A_DAY.search(before_it):
        return True
    before = PATTERNS["before_a_day"].search(text, max(match.start() - 12, 0), match.start())
    return before is not None and (
        before[0].strip(" ,")[-1:].isalpha() or before[0].strip()[:1] in "(|" or len(match["dm"]) == 2
    )


_PARTS_OF_DATES = (  # the groups of a date's year, month and day; a month by its name stands in the last three
    ("iy", "im", "id"), ("dy", "dm", "dd"), ("", "em", "ed"), ("sy", "sb", "sa"), ("sy", "sa", "sb"),
    ("ty", "tm", "td"), ("yy", "ym", ""), ("ny", "nm", ""), ("wy", "wm", "wd"), ("uy", "um", "ud"), ("my", "mm", ""),
)  # fmt: skip


def _dates_of(match: re.Match[str]) -> Iterator[Date]:
    """What a match may mean: `3/4/2031` is two dates."""
    group = match.groupdict()
    for year, month, day in _PARTS_OF_DATES:
        if written := group[month]:
            number = int(written) if written.isdecimal() else MONTHS.get(written.lower(), 0)  # 0: a look-alike
            yield Date(_year(group.get(year)), number, int(group[day]) if day else None)


def _year(digits: str | None) -> int | None:
    if not digits:
        return None
    return int(digits) if len(digits) == 4 else 2000 + int(digits)


def _is_possible(date: Date) -> bool:
    return 1 <= date.month <= 12 and (date.day is None or 1 <= date.day <= 31)


def find_times(text: str) -> Iterator[Timed]:
    """Yield the times of day in a text: `14:30`, `14.30 Uhr`, `9 bis 14 Uhr`, `2 pm`, and those of ISO timestamps."""
    for match in _TIME.finditer(text):
        minutes = match["m"] or match["dm"] or match["um"]
        half = (match["half"] or "").strip().lower().replace(".", "")
        if minutes is None and not match["uhr"] and not half:
            continue
        hour = int(match["h"])
        if half:
            if hour > 12:
                continue
            hour = hour % 12 + (12 if half == "pm" else 0)
        zone = (match["zone"] or "").strip().upper()
        yield Timed(match.start(), match.end(), hour * 60 + int(minutes or 0), zone in {"Z", "UTC", "GMT"})
    for match in _BEGIN_OF_HOURS.finditer(text):
        yield Timed(match.start(), match.end(), int(match["h"]) * 60)
    for match in PATTERNS["spoken_time"].finditer(text):
        hour = NUMBER_WORDS.get(match["hour"].lower(), 1 if match["hour"].lower() in {"eins", "one"} else 0)
        part, way = match["part"] or match["part2"], match["way"] or match["way2"] or ""
        shift = _SPOKEN_SHIFTS.get((part.lower(), way.lower()))
        if shift is None:
            continue
        yield Timed(match.start(), match.end(), (hour * 60 + shift) % 720, is_half=True)
    for match in _ISO_TIME.finditer(text):
        is_utc = match["zone"].endswith(("Z", "+00:00", "+0000"))
        yield Timed(match.start(), match.end(), int(match["h"]) * 60 + int(match["m"]), is_utc)


def find_numbers(text: str) -> Iterator[Number]:
    """Yield the numbers in digits of a text, also those that are parts of dates."""
    for match in _NUMBER.finditer(text):
        values = read_number(match["digits"])
        if match["sign"] in {"-", "–", "−"}:
            values = tuple(-value for value in values)
        yield Number(match.start(), match.end(), values, _step(values[0]))


def read_number(digits: str) -> tuple[Decimal, ...]:
    """Return what `digits` may be: `4.711,50` and `4,711.50` are one number, `1.200` is one thousand or one."""
    plain = re.sub(r"['’\u00a0\u202f\u2009 ]", "", digits)
    marks = [letter for letter in plain if letter in ".,"]
    if not marks:
        return (Decimal(plain),)
    last = max(plain.rfind("."), plain.rfind(","))
    whole, decimals = re.sub("[.,]", "", plain[:last]), plain[last + 1 :]
    as_decimal = Decimal(f"{whole}.{decimals}")
    as_thousands = Decimal(whole + decimals)
    if len(set(marks)) == 2:
        return (as_decimal,)
    if len(marks) > 1:
        return (as_thousands,)
    if len(decimals) == 3 and not whole.startswith("0") and len(whole) <= 3:
        return (as_thousands, as_decimal)
    return (as_decimal,)


def _step(value: Decimal) -> Decimal:
    """The worth of the last digit that counts: 0.1 of `4,7`, 100 of `4.700`."""
    if value != value.to_integral_value() or not value:
        exponent = value.as_tuple().exponent
        return Decimal(10) ** exponent if isinstance(exponent, int) else Decimal(1)
    plain = str(int(abs(value)))
    return Decimal(10) ** (len(plain) - len(plain.rstrip("0")))


_AFTER_NUMBER = re.compile(rf"[{SPACES}-]?(?P<word>[%€$£¥°]C?|[^\W\d_]{{1,20}}[²2]?(?![\w]))\.?")
_BEFORE_NUMBER = re.compile(rf"(?P<word>[€$£¥]|\b(?:EUR|USD|GBP|CHF|JPY|US\$|ca))[{SPACES}]?[-–−]?\Z")


@dataclass(frozen=True, slots=True)
class Unit:
    """What stands around a number: its unit, the factor of a word such as `Mio.`, and where the whole ends."""

    unit: str | None
    factor: Decimal
    start: int
    end: int


def read_unit(text: str, start: int, end: int) -> Unit:
    """Return the unit of the number at `start` to `end`, before or behind it."""
    factor, behind, unit_start = Decimal(1), end, start
    match = _AFTER_NUMBER.match(text, end)
    if match and match["word"].lower() in SCALES:
        factor, behind = SCALES[match["word"].lower()], match.end()
        match = _AFTER_NUMBER.match(text, behind)
    if match and (unit := unit_of(match["word"])) and not (unit == "m" and text[match.start()] == "-"):
        return Unit(unit, factor, unit_start, match.end() - text[match.start() : match.end()].endswith("."))
    before = _BEFORE_NUMBER.search(text, max(start - 6, 0), start)
    if before and (unit := unit_of(before["word"])):
        return Unit(unit, factor, before.start("word"), behind)
    return Unit(None, factor, unit_start, behind)


def unit_of(word: str) -> str | None:
    """Return the unit that a word stands for."""
    return UNITS.get(word.lower())


_WORD = re.compile(r"(?<![\w-])[^\W\d_]{3,24}(?:-[^\W\d_]{3,5})?(?![\w-])")


def find_number_words(text: str) -> Iterator[Number]:
    """Yield the numbers that are written as words: `drei`, `twenty-one`; not `ein` and `one`."""
    for match in _WORD.finditer(text):
        value = NUMBER_WORDS.get(match[0].lower())
        if value is not None:
            yield Number(match.start(), match.end(), (Decimal(value),), Decimal(1))
