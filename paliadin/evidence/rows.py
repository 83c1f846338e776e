"""The rows of one table of a result, ready to be counted and added. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from itertools import combinations, islice, pairwise

from paliadin.evidence.notation import Date, find_dates
from paliadin.evidence.tables import Table, cell_number

_WHOLE = frozenset({"stdout", "content", "text", "result"})  # the fields in which tools return a text
_NO_QUANTITY = re.compile(
    r"(?:\A|[_. ])(?:id|nr|no|number|line|page|port|year|jahr|zeile|version|key)\Z", re.IGNORECASE
)
MAX_GROUPED = 300  # rows of a table that are put into groups; each group is added up once for each column
MAX_TOTALS = 300  # lists of sums of one table
MAX_GROUPS = 40  # of one table
MAX_VALUES = 20  # of a column by which rows are put into groups
MAX_COMPUTED = 60  # rows of a table whose cells are calculated with each other
MAX_TOP = 10  # of the numbers of a column that are added as its first or largest ones


@dataclass(frozen=True, eq=False)
class Rows:
    """The rows of one table of a call, ready to be counted."""

    call: int  # the call's number
    table: Table
    chosen: dict[tuple[tuple[str, ...], tuple[Date, ...]], list[frozenset[int]]] = field(default_factory=dict)
    """What `selections` has answered: one sentence asks several times."""

    @cached_property
    def texts(self) -> list[str]:
        """Each row as one text, in small letters; "" for what only holds a whole result."""
        return [""] if self._is_whole_result else [" | ".join(row).casefold() for row in self.table.rows]

    @property
    def _is_whole_result(self) -> bool:
        """True for the object in which a tool returns its text: all words of it would be those of one row."""
        cells = zip(self.table.columns, *self.table.rows, strict=False) if len(self.table.rows) == 1 else ()
        return any(column in _WHOLE and "\n" in cell for column, cell in cells)

    @cached_property
    def dates(self) -> list[list[Date]]:
        """The dates of each row."""
        return [
            [value for dated in find_dates(" | ".join(row), strict=False) for value in dated.values]
            for row in self.table.rows
        ]

    @cached_property
    def date_columns(self) -> list[list[list[Date]]]:
        """The columns that hold dates: of each, the dates of each row."""
        columns = []
        for number in range(min(self.table.width, 30)):
            cells = [row[number] if number < len(row) else "" for row in self.table.rows]
            dates = [[value for dated in find_dates(cell, strict=False) for value in dated.values] for cell in cells]
            if any(dates):
                columns.append(dates)
        return columns[:4]

    @cached_property
    def numeric_columns(self) -> list[list[tuple[int, Decimal]]]:
        """The columns that hold numbers, as (row, number)."""
        columns = []
        for number in range(min(self.table.width, 30)):
            if self.table.columns[number : number + 1] and _NO_QUANTITY.search(self.table.columns[number]):
                continue
            cells = [
                (i, value)
                for i, row in enumerate(self.table.rows)
                if number < len(row) and (value := cell_number(row[number])) is not None
            ]
            if len(cells) > 1:
                columns.append(cells)
        return columns

    @cached_property
    def sorted_numbers(self) -> list[Decimal]:
        """The numbers of those columns, the smallest first."""
        return sorted({value for column in self.numeric_columns for _, value in column})

    @cached_property
    def totals(self) -> list[Decimal]:
        """The sums of those columns."""
        return [sum((value for _, value in column), Decimal(0)) for column in self.numeric_columns]

    @cached_property
    def total_across(self) -> list[Decimal]:
        """The sum of an object that holds nothing but whole numbers: counts by kind."""
        if len(self.table.rows) != 1 or not self.table.path or len(self.table.columns) < 2:
            return []
        values = [value for cell in self.table.rows[0] if (value := cell_number(cell)) is not None and not value % 1]
        return [sum(values, Decimal(0))] if len(values) == len(self.table.rows[0]) else []

    @cached_property
    def column_steps(self) -> list[Decimal]:
        """How far each number of a column is from the one above it: readings of a meter."""
        columns = ([value for _, value in column] for column in self.numeric_columns)
        return [abs(other - one) for column in columns if len(column) <= 60 for one, other in pairwise(column)]

    @cached_property
    def column_differences(self) -> list[Decimal]:
        """The differences between the numbers of a column, of short tables."""
        return [
            abs(one - other)
            for column in (self.numeric_columns if len(self.table.rows) <= 40 else ())
            for (_, one), (_, other) in combinations(column, 2)
        ]

    @cached_property
    def distinct(self) -> set[int]:
        """How many different values each column has that repeats some."""
        columns = range(min(self.table.width, 30)) if self.table.width > 1 else ()
        counts = (len({cell.casefold() for cell in self.table.column(n) if cell.strip()}) for n in columns)
        return {count for count in counts if 1 < count < len(self.table.rows)}

    @cached_property
    def values(self) -> list[dict[str, int]]:
        """The values of each column that repeats some, in small letters, each with how often it has it."""
        columns = range(min(self.table.width, 30)) if 1 < len(self.table.rows) <= MAX_GROUPED else ()
        found = [Counter(cell.casefold() for cell in self.table.column(n) if cell.strip()) for n in columns]
        return [dict(each) for each in found if 1 < len(each) < each.total() and len(each) <= MAX_GROUPS]

    @cached_property
    def partitions(self) -> list[list[frozenset[int]]]:
        """The ways to put the rows into groups: by the values of a column, by the months of its dates."""
        total = len(self.table.rows)
        if not 3 < total <= MAX_GROUPED:
            return []
        found = []
        for number in range(min(self.table.width, 15)):
            by_value: dict[object, set[int]] = {}
            for i, row in enumerate(self.table.rows):
                if number < len(row) and row[number].strip():
                    by_value.setdefault(row[number].casefold(), set()).add(i)
            if 1 < len(by_value) <= min(MAX_VALUES, total // 2):
                found.append(list(map(frozenset, by_value.values())))
        for column in self.date_columns:
            by_month: dict[object, set[int]] = {}
            for i, dates in enumerate(column):
                for each in dates[:1]:
                    by_month.setdefault((each.year, each.month), set()).add(i)
            if 1 < len(by_month) <= MAX_VALUES:
                found.append(list(map(frozenset, by_month.values())))
        return found

    @cached_property
    def groups(self) -> list[frozenset[int]]:
        """The rows that agree in one column, or in two: of a person, of a month, of a person in a month."""
        single = dict.fromkeys(group for groups in self.partitions for group in groups if len(group) > 1)
        if len(single) > MAX_GROUPS:
            return list(single)
        both = (one & other for one, other in combinations(single, 2))
        return list(dict.fromkeys([*single, *(each for each in both if len(each) > 1)]))

    @cached_property
    def group_totals(self) -> list[list[Decimal]]:
        """For each way to put rows into groups: the sums of a column over each group; of all rows, and of one kind."""
        return list(islice(self._group_totals(), MAX_TOTALS))

    def _group_totals(self) -> Iterator[list[Decimal]]:
        for groups in self.partitions:
            kinds = [kind for others in self.partitions if others is not groups for kind in others]
            for picked in (None, *kinds[:MAX_VALUES]):
                parts = [group if picked is None else group & picked for group in groups]
                parts = [part for part in parts if part]
                for column in self.numeric_columns if len(parts) > 1 else ():
                    yield [sum((value for i, value in column if i in part), Decimal(0)) for part in parts]

    @cached_property
    def group_sums(self) -> list[Decimal]:
        """The sums of the numeric columns over each group."""
        return list(
            {
                sum((value for i, value in column if i in group), Decimal(0))
                for group in self.groups
                for column in self.numeric_columns
            }
        )

    @cached_property
    def group_products(self) -> list[Decimal]:
        """The sums of one column times another one over each group: hours and their rates, of a person."""
        columns = [dict(column) for column in self.numeric_columns[:5]]
        return list(
            {
                sum((one[i] * other[i] for i in group if i in one and i in other), Decimal(0))
                for group in self.groups
                for one, other in combinations(columns, 2)
            }
        )

    @cached_property
    def top_sums(self) -> list[Decimal]:
        """The sums of the first two, three, ... numbers of each column, and of the largest ones."""
        sums: list[Decimal] = []
        for column in self.numeric_columns:
            values = [value for _, value in column[:MAX_COMPUTED]]
            for ordered in (values, sorted(values, reverse=True)):
                sums += [sum(ordered[:count], Decimal(0)) for count in range(2, min(len(values), MAX_TOP + 1))]
        return sums

    @cached_property
    def computed(self) -> list[Decimal]:
        """The quotients of the numbers of each row, two at a time: what an hour costs, where a row has both."""
        columns = [dict(column) for column in self.numeric_columns[:5]]
        return [
            max(one[i], other[i]) / min(one[i], other[i])
            for one, other in combinations(columns if len(self.table.rows) <= MAX_COMPUTED else (), 2)
            for i in one
            if i in other and one[i] > 0 and other[i] > 0
        ]
