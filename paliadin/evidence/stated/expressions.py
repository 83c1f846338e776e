"""The parts of a calculation that an answer states. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from paliadin.evidence.notation import Date

ROW_FUNCTIONS = frozenset({"count", "sum", "avg", "median", "min", "max", "distinct", "cell"})
"""Over the rows of a result: their arguments are columns and conditions."""
CALENDAR_FUNCTIONS = frozenset({"weekday", "eom", "nth", "years", "months", "workdays", "holiday", "abs"})
"""Their arguments are expressions, and words such as the name of a weekday."""

Operator = Literal["+", "-", "*", "/"]


class Unreadable(ValueError):
    """A line that is not of the language. It is counted, and ignored."""


class Impossible(ValueError):
    """Values that do not go together, such as a date plus a date; or one that is too large, or divided by zero."""


class Ungrounded(ValueError):
    """An operand stands nowhere."""


class Unfit(ValueError):
    """A table that lacks a column, or whose cells are no numbers; or no table fits."""


@dataclass(frozen=True, slots=True)
class Operand:
    """A number, date or time that stands in a line as it would in a result: its text, with all that it may mean."""

    text: str
    numbers: tuple[Decimal, ...] = ()
    unit: str | None = None
    dates: tuple[Date, ...] = ()
    seconds: int | None = None  # since midnight


@dataclass(frozen=True, slots=True)
class Today:
    """`today`, `heute`: the day of the answer."""


@dataclass(frozen=True, slots=True)
class Quotation:
    """`"text"`: it stands in a result as it is."""

    text: str


@dataclass(frozen=True, slots=True)
class Operation:
    """Two expressions with what is done with them."""

    operator: Operator
    left: Expression
    right: Expression


@dataclass(frozen=True, slots=True)
class Negated:
    """An expression with the other sign."""

    operand: Expression


@dataclass(frozen=True, slots=True)
class Share:
    """An expression with a percent sign behind it."""

    operand: Expression


@dataclass(frozen=True, slots=True)
class Function:
    """A function with its arguments as text: which columns they name is known once there are rows."""

    name: str
    arguments: tuple[str, ...]
    call: int | None = None  # `#2`: only the rows of the second call

    @property
    def is_over_rows(self) -> bool:
        """True for what is computed over the rows of a result."""
        return self.name in ROW_FUNCTIONS


Expression = Operand | Today | Quotation | Operation | Negated | Share | Function
