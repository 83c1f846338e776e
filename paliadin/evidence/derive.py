"""What follows from found rows and numbers: by counting, adding, a difference of dates, rounding, a share. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from functools import cached_property
from itertools import combinations

from paliadin.evidence.model import Rule
from paliadin.evidence.notation import Date, find_dates, read_number
from paliadin.evidence.tables import Table
from paliadin.evidence.vocabulary import MONTHS, NEGATIONS, STATUS_WORDS

MAX_FILTERS = 14  # words of a sentence that are tried as a filter of rows
MAX_OPERANDS = 12  # numbers of a sentence that are tried as a sum's
_NUMBER = re.compile(r"[-−]?\d{1,3}(?:[.,'’\u00a0\u202f ]\d{3})+(?:[.,]\d{1,4})?|[-−]?\d{1,15}(?:[.,]\d{1,9})?")
_EMPTY = frozenset({"", "-", "–", "—", "false", "null", "none", "no", "nein", "n/a", "open", "offen"})
_SAME_STATUS = {word: group for group in STATUS_WORDS for word in group}
_CELL_UNIT = re.compile(r"\s*(?:[€$£%]|EUR|USD|GBP|CHF|Euro)\s*\Z")
_CELL_SIGN = re.compile(r"\A\s*(?:[€$£]|EUR|USD|GBP|CHF)\s*")


@dataclass(frozen=True)
class Rows:
    """The rows of one table of a call, ready to be counted."""

    call: int  # the call's number
    table: Table

    @cached_property
    def texts(self) -> list[str]:
        """Each row as one text, in small letters."""
        return [" | ".join(row).casefold() for row in self.table.rows]

    @cached_property
    def dates(self) -> list[list[Date]]:
        """The dates of each row."""
        return [
            [value for dated in find_dates(" | ".join(row), strict=False) for value in dated.values]
            for row in self.table.rows
        ]

    @cached_property
    def numeric_columns(self) -> list[list[tuple[int, Decimal]]]:
        """The columns that hold numbers, as (row, number)."""
        columns = []
        for number in range(min(self.table.width, 30)):
            cells = [
                (i, value)
                for i, row in enumerate(self.table.rows)
                if number < len(row) and (value := cell_number(row[number])) is not None
            ]
            if len(cells) > 1:
                columns.append(cells)
        return columns


def cell_number(cell: str) -> Decimal | None:
    """The number that a cell is; None if it is anything else."""
    plain = _CELL_SIGN.sub("", _CELL_UNIT.sub("", cell)).strip()
    if not plain or len(plain) > 24 or not _NUMBER.fullmatch(plain):
        return None
    value = read_number(plain.lstrip("-−"))[0]
    return -value if plain[0] in "-−" else value


def filters(words: Iterable[str], named: Sequence[Date]) -> list[tuple[str, Callable[[Rows, int], bool]]]:
    """The ways in which a sentence may name some of the rows: a word that they hold, a month, a date before or after."""
    tests: dict[str, Callable[[Rows, int], bool]] = {}
    for word in words:
        plain = word.casefold()
        same = _SAME_STATUS.get(plain)
        stems = tuple(same) if same else (_stem(plain),)
        tests.setdefault(plain, lambda rows, i, stems=stems: _has_word(rows.texts[i], stems))  # type: ignore[misc]
        if plain in MONTHS:
            month = MONTHS[plain]
            tests[plain] = lambda rows, i, month=month: any(each.month == month for each in rows.dates[i])  # type: ignore[misc]
        if plain in NEGATIONS:
            tests[plain] = lambda rows, i: any(cell.strip().casefold() in _EMPTY for cell in rows.table.rows[i])
    for named_date in named:
        if named_date.year and named_date.day:
            bound = (named_date.year, named_date.month, named_date.day)
            tests[f"<{bound}"] = lambda rows, i, bound=bound: any(
                _key(each) < bound for each in rows.dates[i] if each.day
            )  # type: ignore[misc]
            tests[f"<={bound}"] = lambda rows, i, bound=bound: any(
                _key(each) <= bound for each in rows.dates[i] if each.day
            )  # type: ignore[misc]
            tests[f">{bound}"] = lambda rows, i, bound=bound: any(
                _key(each) > bound for each in rows.dates[i] if each.day
            )  # type: ignore[misc]
        tests[f"={named_date}"] = lambda rows, i, named_date=named_date: any(
            named_date.matches(each) for each in rows.dates[i]
        )  # type: ignore[misc]
    return list(tests.items())[:MAX_FILTERS]


def _key(each: Date) -> tuple[int, int, int]:
    return (each.year or 0, each.month, each.day or 0)


def _stem(word: str) -> str:
    """A word without the endings of cases and plurals."""
    return re.sub(r"(?:en|er|es|em|e|n|s)\Z", "", word) if len(word) > 5 else word


def _has_word(text: str, stems: Sequence[str]) -> bool:
    return any(re.search(rf"(?<!\w){re.escape(stem)}", text) for stem in stems)


def counts(rows: Rows, words: Iterable[str], named: Sequence[Date]) -> Iterator[tuple[int, bool]]:
    """Yield (number, is of some rows only) of the rows that a sentence with these words and dates may count."""
    total = len(rows.table.rows)
    yield total, False
    if total > 5_000:
        return
    chosen = []
    for _, test in filters(words, named):
        picked = frozenset(i for i in range(total) if test(rows, i))
        if picked and len(picked) < total:
            chosen.append(picked)
            yield len(picked), True
            yield total - len(picked), True
    for one, other in combinations(chosen, 2):
        if both := one & other:
            yield len(both), True
        yield len(one | other), True


def distinct(rows: Rows) -> Iterator[int]:
    """Yield how many different values each column has."""
    for number in range(min(rows.table.width, 30)):
        values = {cell.casefold() for cell in rows.table.column(number) if cell.strip()}
        if 1 < len(values) < len(rows.table.rows):
            yield len(values)


def column_sums(rows: Rows, words: Iterable[str], named: Sequence[Date]) -> Iterator[Decimal]:
    """Yield the sums of the columns with numbers: of all rows, and of those that a sentence may mean."""
    for column in rows.numeric_columns:
        yield sum((value for _, value in column), Decimal(0))
    if len(rows.table.rows) > 2_000:
        return
    for _, test in filters(words, named):
        picked = {i for i in range(len(rows.table.rows)) if test(rows, i)}
        for column in rows.numeric_columns if picked else ():
            yield sum((value for i, value in column if i in picked), Decimal(0))
            yield sum((value for i, value in column if i not in picked), Decimal(0))


def averages(rows: Rows) -> Iterator[Decimal]:
    """Yield the mean of each column with numbers."""
    for column in rows.numeric_columns:
        yield sum((value for _, value in column), Decimal(0)) / len(column)


def of_operands(target: Decimal, operands: Sequence[Decimal]) -> Rule | None:
    """The rule by which a number follows from others that its sentence names: their sum or their difference."""
    values = list(dict.fromkeys(operands))[:MAX_OPERANDS] if len(operands) > MAX_OPERANDS else list(operands)
    if len(values) > 1 and sum(values) == target:
        return "sum"
    for count in range(2, min(len(values), 4) + 1):
        if any(sum(each) == target for each in combinations(values, count)):
            return "sum"
    if any(abs(one - other) == target for one, other in combinations(values, 2)):
        return "difference"
    return None


def share_of(target: Decimal, step: Decimal, numbers: Iterable[Decimal]) -> bool:
    """True if a percentage is the share of one of these numbers in another, rounded to its last digit."""
    values = sorted({number for number in numbers if number > 0})[:60]
    step = min(step, Decimal(1))
    return any(abs(small * 100 / big - target) <= step / 2 + Decimal("0.001") for small, big in combinations(values, 2))


def days_between(target: int, unit: str, dates: Sequence[date]) -> bool:
    """True if two of these dates are as far apart: `target` days, weeks, months or years."""
    return any(_apart(one, other, unit, target) for one, other in combinations(sorted(set(dates)), 2))


def _apart(one: date, other: date, unit: str, target: int) -> bool:
    days = (other - one).days
    if unit == "day":
        return target in {days, days + 1, days - 1} if days > 1 else target == days
    if unit == "workday":
        worked = sum((one + timedelta(n)).weekday() < 5 for n in range(1, min(days, 4000) + 1))
        return target in {worked, worked + 1}
    if unit == "week":
        return target in {days // 7, round(days / 7)}
    months = (other.year - one.year) * 12 + other.month - one.month
    whole = months - (other.day < one.day)
    if unit == "month":
        return target in {months, whole}
    return unit == "year" and target in {whole // 12, round(months / 12)}


def shifted(dates: Sequence[date], amount: int, unit: str) -> Iterator[date]:
    """Yield what lies that long before and after each of these dates."""
    for each in dates:
        for sign in (1, -1):
            if unit in {"day", "week"} and amount < 40_000:
                yield each + timedelta(days=sign * amount * (7 if unit == "week" else 1))
            elif unit in {"month", "year"} and amount < 1200:
                yield _months_later(each, sign * amount * (12 if unit == "year" else 1))


def _months_later(start: date, months: int) -> date:
    year, month = divmod(start.year * 12 + start.month - 1 + months, 12)
    last = (date(year + (month == 11), (month + 1) % 12 + 1, 1) - timedelta(days=1)).day
    return date(year, month + 1, min(start.day, last))


def is_rounded(target: Decimal, step: Decimal, values: Iterable[Decimal]) -> bool:
    """True if one of these values gives the target when it is rounded, up or down, to the target's last digit."""
    return any(abs(value - target) < step and value != target for value in values)
