"""The words and patterns of German and English that statements are made of: vocabulary.toml, patterns.toml."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from pathlib import Path

_LISTS = tomllib.loads(Path(__file__).with_name("vocabulary.toml").read_text("utf-8"))
_PATTERNS = tomllib.loads(Path(__file__).with_name("patterns.toml").read_text("utf-8"))
_GERMAN_ONES = ("ein", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht", "neun")
_GERMAN_TENS = ("zwanzig", "dreißig", "vierzig", "fünfzig", "sechzig", "siebzig", "achtzig", "neunzig")
_GERMAN_TEENS = "zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn"
_ENGLISH_ONES = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_ENGLISH_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_ENGLISH_TEENS = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"


def _by_word(lists: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    return ((word, key) for key, words in lists.items() for word in words.split())


def _number_words() -> Iterator[tuple[str, int]]:
    for ones, teens in ((_GERMAN_ONES, _GERMAN_TEENS), (_ENGLISH_ONES, _ENGLISH_TEENS)):
        yield from ((word, number) for number, word in enumerate(ones[1:], 2))
        yield from ((word, number) for number, word in enumerate(teens.split(), 10))
    for tens, german, english in zip(range(20, 100, 10), _GERMAN_TENS, _ENGLISH_TENS, strict=True):
        yield from ((german, tens), (english, tens))
        yield from ((f"{one}und{german}", tens + number) for number, one in enumerate(_GERMAN_ONES, 1))
        yield from ((f"{english}-{one}", tens + number) for number, one in enumerate(_ENGLISH_ONES, 1))
    yield from (("zwo", 2), ("dreissig", 30), ("hundert", 100), ("einhundert", 100))


MONTHS: Mapping[str, int] = {word: int(number) for word, number in _by_word(_LISTS["months"])}
NUMBER_WORDS: Mapping[str, int] = dict(_number_words())
"""Not `ein` and `one`, which are mostly articles."""

UNITS: Mapping[str, str] = dict(_by_word(_LISTS["units"]))
"""A unit as it is written, in small letters → the unit."""

SCALES: Mapping[str, Decimal] = {word: Decimal(10) ** int(power) for word, power in _by_word(_LISTS["scales"])}
CURRENCIES = frozenset({"EUR", "USD", "GBP", "CHF", "JPY", "ct"})
PERIODS = frozenset({"ms", "s", "min", "h", "day", "workday", "week", "month", "quarter", "year"})

_WORDS: Mapping[str, frozenset[str]] = {name: frozenset(words.split()) for name, words in _LISTS["words"].items()}
ABOUT = _WORDS["about"]
DRAFTING = _WORDS["drafting"]
FRACTIONS = _WORDS["fractions"]
WEEK_WORDS = _WORDS["week_words"]
CENTS = _WORDS["cents"]
READING_COMMANDS = frozenset(_LISTS["commands"]["reading"])
ONES = _WORDS["ones"]
"""Words that are mostly articles, but may say how many."""

LABELS = _WORDS["labels"]
FACTUAL_LABELS = _WORDS["factual_labels"]
PARTS_OF_AN_ANSWER = _WORDS["parts_of_an_answer"]
OWN_DATA = _WORDS["own_data"]
STOP = _WORDS["stop"]
PREDICATES = _WORDS["predicates"]
WEEKDAYS: Mapping[str, int] = {word: int(number) for word, number in _by_word(_LISTS["weekdays"])}
RELATIVE_DAYS: Mapping[str, int] = {word: int(days) for word, days in _by_word(_LISTS["relative_days"])}
SAME_WORDS: Mapping[str, tuple[str, ...]] = {
    word: tuple(each["words"].split()) for each in _LISTS["status"] for word in each["words"].split()
}
"""A word of either language that a row has → all that say the same."""

ENDINGS = tuple(_LISTS["words"]["endings"].split())
"""What a word may end with beside its stem."""


def _pattern(phrases: Sequence[str]) -> re.Pattern[str]:
    """A pattern for any of these phrases as whole words; `*` stands for the rest of a word."""
    alternatives = sorted((re.escape(each).replace(r"\*", r"\w*") for each in phrases), key=len, reverse=True)
    return re.compile(rf"(?<!\w)(?:{'|'.join(alternatives)})(?!\w)", re.IGNORECASE)


PHRASES: Mapping[str, re.Pattern[str]] = {name: _pattern(each) for name, each in _LISTS["phrases"].items()}
"""Patterns for phrases, by what they say of the sentence that has one."""

_MONTH_NAMES = [word.capitalize() for word in MONTHS if len(word) > 3 or word in {"mai", "may"}]
_PIECES: Mapping[str, str] = {
    "months": "|".join(_MONTH_NAMES),
    "weekdays": "|".join(WEEKDAYS),
    "relative days": "|".join(RELATIVE_DAYS),
    "numbers to 20": "|".join(word for word, number in NUMBER_WORDS.items() if number <= 20),
    "numbers to 12": "|".join(word for word, number in NUMBER_WORDS.items() if number < 13),
    **{name: "".join(pieces) for name, pieces in _PATTERNS.items()},
}
_NAMED = re.compile(r"(?<!\?P)<([a-z][a-z 0-9]{3,20})>")  # a part of a pattern


def _filled_in(pattern: str) -> str:
    return _NAMED.sub(lambda match: _PIECES[match[1]], pattern)


PATTERNS: Mapping[str, re.Pattern[str]] = {name: re.compile(_filled_in(_PIECES[name])) for name in _PATTERNS}
"""What language decides, from patterns.toml."""

COUNTING = _WORDS["counting"]
"""Beside a number, these say that it counts something."""

UNIT_WORDS: Mapping[str, tuple[str, ...]] = {unit: tuple(words.split()) for unit, words in _LISTS["units"].items()}

_LONG_WORD = re.compile(r"[^\W\d_]{4,40}")
_STEM = 5  # letters that two forms of a word have in common


def forms(word: str) -> list[str]:
    """A word, its stem, and words that say the same of a row: `offene` is `offen` is `open`."""
    stems = [word.removesuffix(end) for end in ENDINGS if word.endswith(end) and len(word) - len(end) > 2]
    same = [other for each in (word, *stems) for other in (*SAME_WORDS.get(each, ()), *_same_unit(each))]
    return list(dict.fromkeys([word, *stems, *same]))


def _same_unit(word: str) -> tuple[str, ...]:
    return UNIT_WORDS[UNITS[word]] if word in UNITS and len(word) > 2 else ()


def stems(text: str) -> set[str]:
    """The beginnings of the longer words of a text, in small letters; not of those that any sentence may have."""
    return {word[:_STEM] for word in _LONG_WORD.findall(text.casefold()) if word not in STOP}
