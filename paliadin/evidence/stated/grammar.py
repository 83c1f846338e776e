"""The language in which an answer states its calculations: `38,08 € = 32,00 * (1 + 19 %)`. Pure.

    line := FACT "=" expr                  FACT: text exactly as in the answer
    expr  := term {(+|-) term}              term := unary {(*|×|·|/|:|÷) unary}         unary := ["-"] atom ["%"]
    atom  := number [unit] | date [time] | time | today | "quotation" | FUNC(args) | (expr)

Numbers, dates and times are written as in a result, in German or English. docs/evidence.md has the whole language.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice

from paliadin.evidence.notation import find_dates, find_times, read_number, read_unit
from paliadin.evidence.stated.expressions import (
    CALENDAR_FUNCTIONS,
    ROW_FUNCTIONS,
    Expression,
    Function,
    Negated,
    Operand,
    Operation,
    Operator,
    Quotation,
    Share,
    Today,
    Unreadable,
)
from paliadin.evidence.vocabulary import WEEKDAYS

MAX_LENGTH = 300  # characters of a line
MAX_DEPTH = 12  # of parentheses and functions in each other
MAX_ARGUMENTS = 40  # of a function
MAX_SIGNS = 6  # `=` of a line, behind which its calculation may begin

_QUOTES = {'"': '"', "„": '“”"', "“": "”“", "«": "»", "»": "«", "'": "'", "‚": "‘’", "‘": "’"}
_OPERATORS: dict[str, Operator] = {
    "+": "+", "-": "-", "−": "-", "–": "-", "*": "*", "×": "*", "·": "*", "/": "/", "÷": "/"
}  # fmt: skip
_FUNCTION = re.compile(r"([A-Za-z_]{2,12})\s*\(")
_TODAY = re.compile(r"(?:today|heute)\b", re.IGNORECASE)
_CLOCK = re.compile(r"[01]?\d:[0-5]\d:([0-5]\d)")
_NUMBER = re.compile(
    r"\d{1,3}(?:[.,'’\u00a0\u202f\u2009]\d{3}){1,4}(?:[.,]\d{1,9})?(?![\d])|\d{1,15}(?:[.,]\d{1,9})?(?!\d)"
)
_SIGN_BEFORE = re.compile(r"(?:[€$£¥]|EUR|USD|GBP|CHF|JPY|US\$)[ \u00a0]?(?=\d)")
_WORDS_BEHIND = re.compile(r"(?:[ \u00a0]?[^\W\d_][\w.²³/'’-]*){1,3}")
_WEEKDAY_BEFORE = re.compile(r"(?:" + "|".join(WEEKDAYS) + r"|[A-Za-z]{2,3})\.?,? (?=\d)", re.IGNORECASE)
_JOINS_A_TIME = re.compile(r"T|,? (?:um |at )?|, ")


def parse_line(text: str) -> Iterator[tuple[str, str, Expression]]:
    """Yield the ways to read a line, as a fact and its calculation, as text and read: a fact may have a `=` of its own.

    What does not follow the language is left out; nothing is yielded where no way does.
    """
    if len(text) > MAX_LENGTH:
        return
    for match in islice(re.finditer("=", text), MAX_SIGNS):
        fact, calculation = text[: match.start()].strip(), text[match.end() :].strip()
        if fact and calculation and (parsed := _try(calculation)):
            yield fact, calculation, parsed


def _try(text: str) -> Expression | None:
    try:
        return _Parser(text).parse()
    except Unreadable:
        return _verbatim(text)


def _verbatim(text: str) -> Quotation | None:
    """A line of a result that was put down as it is: `"total": 7`."""
    return Quotation(text) if text[0] in _QUOTES and "\n" not in text else None


class _Parser:
    """Reads one expression from the left, by recursive descent."""

    def __init__(self, text: str) -> None:
        self._text, self._at, self._depth = text, 0, 0
        self._dates = {each.start: each for each in find_dates(text, strict=False)}
        self._times = {each.start: each for each in find_times(text)}

    def parse(self) -> Expression:
        """Read all of it; a second `=` with what it comes to is left out."""
        parsed = self._expression()
        rest = self._text[self._at :].strip()
        if rest and rest[0] not in "=≈~":
            raise Unreadable(rest)
        return parsed

    def _skip(self) -> None:
        while self._text[self._at : self._at + 1].isspace():
            self._at += 1

    def _take(self, letters: Sequence[str]) -> str:
        """Take the next letter if it is one of these; "" if it is not."""
        self._skip()
        letter = self._text[self._at : self._at + 1]
        if letter and letter in letters:
            self._at += 1
            return letter
        return ""

    def _match(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        if match := pattern.match(self._text, self._at):
            self._at = match.end()
        return match

    def _expression(self) -> Expression:
        self._depth += 1
        if self._depth > MAX_DEPTH:
            raise Unreadable("too deep")
        left = self._term()
        while sign := self._take("+-−–"):
            left = Operation(_OPERATORS[sign], left, self._term())
        self._depth -= 1
        return left

    def _term(self) -> Expression:
        left = self._unary()
        while sign := self._take("*×·/÷"):
            left = Operation(_OPERATORS[sign], left, self._unary())
        return left

    def _unary(self) -> Expression:
        if self._take("-−–"):
            return Negated(self._unary())
        atom = self._atom()
        if self._take("%"):
            return Share(atom)
        return atom

    def _atom(self) -> Expression:
        if self._take("("):
            inner = self._expression()
            if not self._take(")"):
                raise Unreadable("no closing parenthesis")
            return inner
        self._skip()
        if self._text[self._at : self._at + 1] in _QUOTES and self._at < len(self._text):
            return self._quotation()
        if self._match(_TODAY):
            return Today()
        if function := self._match(_FUNCTION):
            return self._function(function[1].casefold())
        return self._operand()

    def _quotation(self) -> Quotation:
        closing = _QUOTES[self._text[self._at]]
        end = min((at for each in closing if (at := self._text.find(each, self._at + 1)) > 0), default=-1)
        if end < 0:
            raise Unreadable("no closing quote")
        text, self._at = self._text[self._at + 1 : end], end + 1
        return Quotation(text)

    def _function(self, name: str) -> Function:
        if name not in ROW_FUNCTIONS | CALENDAR_FUNCTIONS:
            raise Unreadable(name)
        start, end = self._at, _closing(self._text, self._at)
        self._at = end + 1
        arguments = split_arguments(self._text[start:end])
        call = None
        if arguments and (numbered := re.fullmatch(r"#(\d{1,3})", arguments[0])):
            call, arguments = int(numbered[1]), arguments[1:]
        if len(arguments) > MAX_ARGUMENTS:
            raise Unreadable("too many arguments")
        return Function(name, tuple(arguments), call)

    def _operand(self) -> Operand:
        start = self._at
        if (weekday := _WEEKDAY_BEFORE.match(self._text, start)) and weekday.end() in self._dates:
            self._at = weekday.end()
        if dated := self._dates.get(self._at):
            self._at = dated.end
            joined = _JOINS_A_TIME.match(self._text, self._at)
            seconds = self._clock_at(joined.end()) if joined else None
            return Operand(self._text[start : self._at], dates=dated.values, seconds=seconds)
        if (seconds := self._clock_at(self._at)) is not None:
            return Operand(self._text[start : self._at], seconds=seconds)
        return self._number()

    def _clock_at(self, start: int) -> int | None:
        """Take a time of day; returns its seconds since midnight."""
        timed = self._times.get(start)
        if timed is None:
            return None
        clock = _CLOCK.match(self._text, start)
        self._at = timed.end
        return timed.minutes * 60 + (int(clock[1]) if clock else 0)

    def _number(self) -> Operand:
        start = self._at
        self._match(_SIGN_BEFORE)
        number = self._match(_NUMBER)
        if not number:
            raise Unreadable(self._text[start:])
        unit = read_unit(self._text, *number.span())
        self._at = max(unit.end, number.end())
        if unit.unit != "%":
            self._match(_WORDS_BEHIND)  # what is counted, or a unit that nobody knows
        values = tuple(value * unit.factor for value in read_number(number[0]))
        return Operand(self._text[start : self._at].strip(), values, unit.unit)


def _closing(text: str, start: int) -> int:
    """Return where the parenthesis closes that is open at `start`; raises Unreadable."""
    depth, at = 1, start
    while at < len(text):
        letter = text[at]
        if letter == '"':
            at = text.find('"', at + 1)
            if at < 0:
                break
        depth += (letter == "(") - (letter == ")")
        if depth == 0:
            return at
        at += 1
    raise Unreadable("no closing parenthesis")


def split_arguments(text: str) -> list[str]:
    """Divide a function's arguments at `;`, or, where there is none, at a comma with a blank behind it."""
    for separator in (";", ", "):
        parts = _split(text, separator)
        if len(parts) > 1:
            break
    return [part for each in parts if (part := each.strip())]


def _split(text: str, separator: str) -> list[str]:
    parts, depth, begin, quoted = [], 0, 0, False
    for at, letter in enumerate(text):
        quoted ^= letter == '"'
        depth += 0 if quoted else (letter == "(") - (letter == ")")
        if not quoted and depth == 0 and text.startswith(separator, at):
            parts.append(text[begin:at])
            begin = at + len(separator)
    return [*parts, text[begin:]]


def parse_expression(text: str) -> Expression:
    """Read an argument of a calendar function; raises Unreadable."""
    if len(text) > MAX_LENGTH:
        raise Unreadable("too long")
    return _Parser(text).parse()
