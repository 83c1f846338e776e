"""A simple search for what was planted: it must stand nowhere in what the answer rests on, and follow from none of it.

It is meant to be broader than any check of answers: what it does not find by literal text, by value, by adding, by
counting and by days between dates is taken for invented.
"""

from __future__ import annotations

import datetime
import itertools
import re
from collections import Counter
from collections.abc import Iterator

from tests.evidence.model import CallGiven, Case
from tests.evidence.texts import result_text, supporting_texts, texts_of

_MONTHS = (
    ("jan",), ("feb",), ("mar", "mär"), ("apr",), ("may", "mai"), ("jun",), ("jul",), ("aug",), ("sep",),
    ("oct", "okt"), ("nov",), ("dec", "dez"),
)  # fmt: skip
_MONTH = r"(?P<name>(?:jan|feb|mar|mär|apr|may|mai|jun|jul|aug|sep|oct|okt|nov|dec|dez)[a-zä]*)\.?"
_DATES = (
    r"(?P<y>\d{4})-(?P<m>\d\d)-(?P<d>\d\d)",
    r"(?P<d>\d{1,2})\.\s?(?P<m>\d{1,2})\.\s?(?P<y>\d{4}|\d\d)?",
    r"(?P<d>\d{1,2})(?:\.|st|nd|rd|th)?\s+(?:of\s+)?" + _MONTH + r"(?:\s+(?P<y>\d{4}))?",
    _MONTH + r"\s+(?P<d>\d{1,2})(?:st|nd|rd|th)?\b(?:,?\s+(?P<y>\d{4}))?",
    r"(?P<m>\d\d)/(?P<d>\d\d)/(?P<y>\d{4})",
)
_NUMBER = re.compile(
    r"(?<![\w:/#-])(?<![^\W\d]\.)\d+(?:[.,]\d+)*(?![:/-]?\d)(?!(?!(?:[kmgt]?b|ms|s|h|d|min|%|eur)\b)[^\W\d])",
    re.IGNORECASE,
)  # not a part of an id, date or time
_TIME = re.compile(r"\b(\d{1,2})[:.](\d\d)\b|\b(\d{1,2})\s?(?:uhr|[ap]\.?m\b)")
_WORDS = (
    ("null", "zero"), ("ein", "one"), ("zwei", "two"), ("drei", "three"), ("vier", "four"), ("fünf", "five"),
    ("sechs", "six"), ("sieben", "seven"), ("acht", "eight"), ("neun", "nine"), ("zehn", "ten"), ("elf", "eleven"),
    ("zwölf", "twelve"),
)  # fmt: skip
Day = tuple[int | None, int, int]


def traces(case: Case) -> list[str]:
    """Say where the planted value comes from after all; empty for an invention."""
    planted, kind = case.planted, case.planted_kind
    if planted is None or kind is None:
        raise ValueError(f"{case.name} is honest: nothing was planted in it")
    texts = supporting_texts(case)
    if kind == "own_input":
        return _traces_of_own_input(case, planted)
    if kind == "part_of_id":
        return _traces_of_part(texts, planted)
    found = ["it stands there"] if any(_stands_in(planted, text) for text in texts) else []
    days = dates_in(planted) if kind in ("date", "no_tool", "failed_call") else []
    if days:
        known = [day for text in texts for day in dates_in(text)] + [_day(case.today)]
        return found + [f"the date {known_day}" for day in days for known_day in known if _same(day, known_day)]
    if kind == "time":
        return found + (["the time"] if any(set(_times(planted)) & set(_times(text)) for text in texts) else [])
    if kind in ("number", "amount", "count", "no_tool", "failed_call"):
        found += list(_traces_of_number(case, planted, texts))
    return found


def dates_in(text: str) -> list[Day]:
    """Every day that a text names, in German and English notations, with or without its year."""
    days: list[Day] = []
    for pattern in _DATES:
        for match in re.finditer(r"(?<!\d)" + pattern, text.casefold()):
            parts = match.groupdict()
            month = int(parts["m"]) if parts.get("m") else _month(parts["name"])
            year = int(parts["y"]) if parts.get("y") else None
            if year is not None and year < 100:
                year += 2000
            if 1 <= month <= 12 and 1 <= int(parts["d"]) <= 31:
                days.append((year, month, int(parts["d"])))
    return days


def numbers_in(text: str) -> list[float]:
    """Every number of a text, in each reading that its marks allow: 1.250 is more than a thousand, or 1 ¼."""
    return [value for match in _NUMBER.finditer(text) for value in _readings(match[0])]


def failed_text(case: Case) -> str:
    """What the messages of the failed calls say."""
    return "\n".join(result_text(call) for call in case.calls if call.outcome != "ok")


def holds_value(planted: str, text: str) -> bool:
    """Whether a text holds the planted text, or its date in another notation."""
    known = dates_in(text)
    return planted in text or any(_same(day, known_day) for day in dates_in(planted) for known_day in known)


def _traces_of_own_input(case: Case, planted: str) -> list[str]:
    given = [text for call in case.calls for text in texts_of(dict(call.input))]
    elsewhere = [case.question, "\n".join(texts_of(dict(case.context)))]
    missing = [] if any(holds_value(planted, text) for text in given) else ["no call was given it"]
    return missing + [f"it stands in {text!r}" for text in elsewhere if holds_value(planted, text)]


def _traces_of_part(texts: tuple[str, ...], planted: str) -> list[str]:
    whole = re.compile(r"(?<![\w.-])" + re.escape(planted) + r"(?![\w-])(?!\.\w)")
    missing = [] if any(planted in text for text in texts) else ["it is part of nothing"]
    return missing + ["it stands there as a whole" for text in texts if whole.search(text)]


def _traces_of_number(case: Case, planted: str, texts: tuple[str, ...]) -> Iterator[str]:
    values = numbers_in(planted) or [number for number, words in enumerate(_WORDS) if _is_word(planted, words)]
    known = {value for text in texts for value in numbers_in(text)}
    for value in values:
        if value in known:
            yield f"the number {value:g}"
        yield from _traces_of_sums(value, texts)
        if value in _counts(case):
            yield f"a count of {value:g}"
        if case.planted_kind == "number" and "%" not in planted and value in _day_differences(case, texts):
            yield f"{value:g} days between two dates"
        if "%" in planted and value in _shares(case):
            yield f"a share of {value:g} %"


def _traces_of_sums(value: float, texts: tuple[str, ...]) -> Iterator[str]:
    if value < 100:
        return
    zeros = len(f"{value:.0f}") - len(f"{value:.0f}".rstrip("0")) if value == int(value) else -2
    for text in texts:
        numbers = [number for number in numbers_in(text) if number >= 10][:80]
        runs = [sum(run) for size in (3, 4, 5, 6) for run in itertools.combinations(numbers[:14], size)]
        pairs = [
            result for one, other in itertools.combinations(numbers, 2) for result in (one + other, abs(one - other))
        ]
        if any(abs(made - value) < 0.005 for made in [*pairs, *runs]):
            yield f"a sum or difference that makes {value:g}"
        if zeros >= 2 and any(round(number, -zeros) == value for number in numbers):
            yield f"rounded to {value:g}"


def _counts(case: Case) -> set[int]:
    """How often something could be counted: lines, records, lines that share a cell or a month."""
    counts: set[int] = set()
    for call in case.calls:
        if call.outcome == "ok":
            counts |= _counts_of(call)
    return counts


def _counts_of(call: CallGiven) -> set[int]:
    counts: set[int] = set()
    blocks = call.result if isinstance(call.result, list) else [call.result]
    counts.add(len(blocks))
    for text in (text for text in texts_of(call.result) if "\n" in text or "{" in text):
        lines = [line for line in text.splitlines() if line.strip()]
        cells = [{cell.strip(' "') for cell in re.split(r"[|,;\t{}]|\s{2,}|: ", line)} - {""} for line in lines]
        months = [set(re.findall(r"\d{4}-\d\d", line)) for line in lines]
        counts |= {len(lines), len(lines) - 1, len(lines) - 2, len(lines) - 3}
        counts |= set(Counter(cell for line in cells for cell in line).values())
        counts |= set(Counter(month for line in months for month in line).values())
    return counts


def _day_differences(case: Case, texts: tuple[str, ...]) -> set[float]:
    days = [case.today]
    for year, month, day in (day for text in texts for day in dates_in(text)):
        try:
            days.append(datetime.date(year or case.today.year, month, day))
        except ValueError:  # such as 31 February: two numbers that only look like a date
            continue
    return {float(abs((one - other).days)) for one, other in itertools.combinations(days, 2)}


def _shares(case: Case) -> set[float]:
    counts = _counts(case)
    return {float(round(100 * one / all_)) for one in counts for all_ in counts if all_ > 0 <= one <= all_}


def _stands_in(planted: str, text: str) -> bool:
    needle, hay = (" ".join(part.casefold().split()) for part in (planted, text))
    return re.search(r"(?<![\w.,])" + re.escape(needle) + r"(?!\w)(?![.,]\d)", hay) is not None


def _readings(number: str) -> set[float]:
    plain = re.sub(r"[.,]", "", number)
    readings = {float(plain)} if re.fullmatch(r"\d{1,3}([.,]\d{3})+|\d+", number) else set()
    if match := re.fullmatch(r"([\d.,]*\d)[.,](\d+)", number):
        readings.add(float(re.sub(r"[.,]", "", match[1]) + "." + match[2]))
    return readings


def _times(text: str) -> Iterator[tuple[int, int]]:
    for match in _TIME.finditer(text.casefold()):
        hour = int(match[1] or match[3])
        afternoon = re.match(r"\s?p\.?m", text.casefold()[match.end() :]) or re.search(r"p\.?m", match[0])
        yield (hour + 12 if afternoon and hour < 12 else hour, int(match[2] or 0))


def _month(name: str) -> int:
    return next((number for number, names in enumerate(_MONTHS, 1) if name.startswith(names)), 0)


def _is_word(text: str, words: tuple[str, str]) -> bool:
    first = text.casefold().split()[0]
    return first in words or first in (f"{words[0]}e", f"{words[0]}er", f"{words[0]}en")


def _same(one: Day, other: Day) -> bool:
    return one[1:] == other[1:] and (one[0] is None or other[0] is None or one[0] == other[0])


def _day(date: datetime.date) -> Day:
    return (date.year, date.month, date.day)
