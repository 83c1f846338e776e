"""What follows from the rows of results: how many they are, and the sums of their columns. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from decimal import Decimal
from itertools import combinations
from operator import gt, le, lt

from paliadin.evidence.durations import as_date
from paliadin.evidence.notation import Date
from paliadin.evidence.rows import Rows
from paliadin.evidence.vocabulary import MONTHS, NEGATIONS, STATUS_WORDS

_Day = tuple[int, int, int]
MIN_VALUE, MAX_VALUE = 4, 60  # characters of a cell that a sentence may say
MAX_FILTERS = 30  # words of a sentence that are tried as a filter of rows
MAX_MULTIPLIED = 100  # rows of a table whose columns are multiplied
MAX_COUNTED = 5_000  # rows of a table that are counted by words
_REST = frozenset({"übrigen", "restlichen", "anderen", "andere", "rest", "remaining", "others", "other"})
_JOINING = frozenset({"und", "and", "oder", "or", "sowie"})
_WEEK = frozenset({"week", "weeks", "woche", "wochen"})
_QUARTER = re.compile(r"q([1-4])")
_EMPTY = frozenset({"", "-", "–", "—", "false", "null", "none", "no", "nein", "n/a", "open", "offen"})
_SAME_STATUS = {word: group for group in STATUS_WORDS for word in group}


Filter = Callable[[Rows], Iterator[frozenset[int]]]
"""Yields the rows of a table that it lets pass; several such sets, where several columns may be meant."""


def filters(words: Iterable[str], named: Sequence[Date]) -> list[Filter]:
    """The ways in which a sentence may name some rows: a word that they hold, a month, a date before or after."""
    found: dict[str, Filter] = {}
    for word in words:
        found |= _filters_of(word)
    for each in named:
        found[f"={each}"] = _by_dates(each.matches)
        if each.year and each.day:
            bound = _key(each)
            found[f"<{bound}"] = _by_dates(_compared(lt, bound))
            found[f"<={bound}"] = _by_dates(_compared(le, bound))
            found[f">{bound}"] = _by_dates(_compared(gt, bound))
    return list(found.values())[:MAX_FILTERS]


def _filters_of(word: str) -> dict[str, Filter]:
    """The ways in which one word may name some rows, each with a name of its own."""
    plain = word.casefold()
    if plain in MONTHS:
        return {plain: _by_dates(_in_month(MONTHS[plain]))}
    if plain.isdecimal() and len(plain) == 4:
        return {plain: _by_dates(_in_year(int(plain)))}
    if plain in _WEEK:
        return {"week": _by_weeks}
    if plain in NEGATIONS:
        return {plain: _by_empty_cell}
    if quarter := _QUARTER.fullmatch(plain):
        return {plain: _by_dates(_in_quarter(int(quarter[1])))}
    if len(plain) <= 3 and plain == word:
        return {}
    same = _SAME_STATUS.get(plain)
    return {plain: _by_words((_stem(plain),)), **({f"~{plain}": _by_words(same)} if same else {})}


def _by_words(stems: Iterable[str]) -> Filter:
    pattern = re.compile("|".join(rf"(?<!\w){re.escape(stem)}" for stem in sorted(stems)))

    def select(rows: Rows) -> Iterator[frozenset[int]]:
        yield frozenset(i for i, text in enumerate(rows.texts) if pattern.search(text))

    return select


def _by_dates(test: Callable[[Date], bool]) -> Filter:
    def select(rows: Rows) -> Iterator[frozenset[int]]:
        for column in rows.date_columns:
            yield frozenset(i for i, dates in enumerate(column) if any(map(test, dates)))

    return select


def _by_weeks(rows: Rows) -> Iterator[frozenset[int]]:
    for column in rows.date_columns:
        weeks: dict[tuple[int, int], set[int]] = {}
        for i, dates in enumerate(column):
            for day in [day for each in dates if each.year and (day := as_date(each, None))][:1]:
                weeks.setdefault(day.isocalendar()[:2], set()).add(i)
        yield from map(frozenset, weeks.values())


def _by_empty_cell(rows: Rows) -> Iterator[frozenset[int]]:
    for number in range(min(rows.table.width, 30)):
        yield frozenset(
            i
            for i, row in enumerate(rows.table.rows)
            if (row[number] if number < len(row) else "").strip().casefold() in _EMPTY
        )


def selections(rows: Rows, words: Iterable[str], named: Sequence[Date]) -> list[frozenset[int]]:
    """Return the sets of some rows that a sentence may mean, each once."""
    asked = (tuple(words), tuple(named))
    if asked not in rows.chosen:
        rows.chosen[asked] = _selections(rows, *asked)
    return rows.chosen[asked]


def _selections(rows: Rows, words: Iterable[str], named: Sequence[Date]) -> list[frozenset[int]]:
    total = len(rows.table.rows)
    picked = (each for select in filters(words, named) for each in select(rows))
    return list(dict.fromkeys(each for each in picked if each and len(each) < total))


def _in_month(month: int) -> Callable[[Date], bool]:
    return lambda each: each.month == month


def _in_year(year: int) -> Callable[[Date], bool]:
    return lambda each: each.year == year


def _in_quarter(number: int) -> Callable[[Date], bool]:
    return lambda each: (each.month + 2) // 3 == number


def _compared(compare: Callable[[_Day, _Day], bool], bound: _Day) -> Callable[[Date], bool]:
    return lambda each: bool(each.day) and compare(_key(each), bound)


def _key(each: Date) -> _Day:
    return (each.year or 0, each.month, each.day or 0)


def _stem(word: str) -> str:
    """A word without the endings of cases and plurals."""
    word = re.sub(r"['’]s?\Z", "", word)
    return re.sub(r"(?:en|er|es|em|e|n|s)\Z", "", word) if len(word) > 5 else word


def counts(rows: Rows, words: Sequence[str], named: Sequence[Date]) -> Iterator[int]:
    """Yield the numbers of rows that a sentence with these words and dates may count."""
    total = len(rows.table.rows)
    if total < 2:
        if rows.table.path:  # an object inside another one: its fields may be what is counted
            yield len(rows.table.columns)
        return
    yield total
    if total > MAX_COUNTED:
        return
    plain = {word.casefold() for word in words}
    chosen = selections(rows, words, named)
    for picked in chosen:
        yield len(picked)
        if plain & NEGATIONS or plain & _REST:
            yield total - len(picked)
    for one, other in combinations(chosen, 2):
        if both := one & other:
            yield len(both)
        if plain & _JOINING:
            yield len(one | other)


def counts_of_values(rows: Rows, sentence: str) -> Iterator[int]:
    """Yield how many rows have a value in one column, for each value that a sentence says as a whole."""
    said = sentence.casefold()
    for column in rows.values:
        for value, number in column.items():
            if MIN_VALUE <= len(value) <= MAX_VALUE and value in said:
                yield number


def column_sums(rows: Rows, words: Iterable[str], named: Sequence[Date]) -> Iterator[Decimal]:
    """Yield the sums of the columns with numbers: of all rows, and of those that a sentence may mean."""
    yield from rows.totals
    yield from rows.total_across
    if len(rows.table.rows) > MAX_COUNTED:
        return
    for picked in selections(rows, words, named):
        yield from sums_of(rows, picked)


def column_parts(rows: Rows, words: Iterable[str], named: Sequence[Date]) -> Iterator[tuple[Decimal, list[Decimal]]]:
    """Yield the sum of each column with numbers, and its parts: the sums over rows that may be meant."""
    chosen = selections(rows, words, named) if len(rows.table.rows) <= MAX_COUNTED else []
    for column, whole in zip(rows.numeric_columns, rows.totals, strict=True):
        yield whole, [sum((value for i, value in column if i in picked), Decimal(0)) for picked in chosen]


def sums_of(rows: Rows, picked: Collection[int]) -> Iterator[Decimal]:
    """Yield the sum of each column with numbers over these rows."""
    for column in rows.numeric_columns if picked else ():
        yield sum((value for i, value in column if i in picked), Decimal(0))


def averages(rows: Rows) -> Iterator[Decimal]:
    """Yield the mean of each column with numbers."""
    for column, total in zip(rows.numeric_columns, rows.totals, strict=True):
        yield total / len(column)


def sums_of_names(rows: Rows, names: Iterable[str]) -> Iterator[Decimal]:
    """Yield the sums of each column with numbers over the rows that have a cell with one of these names."""
    for name in names if len(rows.table.rows) <= MAX_COUNTED and rows.table.width > 1 else ():
        whole = re.compile(rf"(?:\A|\| ?)[^|]{{0,40}}(?<!\w){re.escape(name)}(?!\w)")
        picked = {i for i, text in enumerate(rows.texts) if name in text and whole.search(text)}
        yield from sums_of(rows, picked) if 1 < len(picked) < len(rows.texts) else ()


def sums_of_products(rows: Rows, words: Iterable[str], named: Sequence[Date]) -> list[Decimal]:
    """The sums of one column times another one: hours and their rates; over all rows, and those that may be meant."""
    if len(rows.table.rows) > MAX_MULTIPLIED:
        return []
    columns = [dict(column) for column in rows.numeric_columns[:5]]
    chosen = [frozenset(range(len(rows.table.rows))), *selections(rows, words, named)]
    return [
        sum((one[i] * other[i] for i in picked if i in one and i in other), Decimal(0))
        for one, other in combinations(columns, 2)
        for picked in chosen
    ]
