"""Decide whether a value that stands in a result is the one that a statement means. Pure.

A date, an id and a large number are what they are. Of a small number the words around it have to agree: its unit, what
is counted, a table's head.
"""

from __future__ import annotations

import re
from decimal import Decimal

from paliadin.evidence.model import Source
from paliadin.evidence.results import Call
from paliadin.evidence.search import Hit, line_around
from paliadin.evidence.spellings import number_words
from paliadin.evidence.statements import Statement
from paliadin.evidence.vocabulary import CURRENCIES, PERIODS, UNITS

MAX_ROWS = 500  # with a number, in which its noun is looked for
MAX_SOURCE_TEXT = 200  # characters
MAX_RANGES = 50_000  # characters of a result in which ranges of hours are looked for
_COUNTING_WORDS = re.compile(
    r"count|total|anzahl|gesamt|summe|insgesamt|number of|num_|rows|zeilen|found|gefunden|treffer|hits|matches|"
    r"results|ergebnis|entries|einträge|more\b|remaining",
    re.IGNORECASE,
)
_WORD_BEHIND = re.compile(r"[ \u00a0\t]{1,3}([^\W\d_]{3,30})")
_WORD_BEFORE = re.compile(r"([^\W\d_]{3,30})[\"']?[ :=\u00a0\t]{1,3}\Z")
_OUT_OF = re.compile(r"(?:\d[ ]?|[a-zäöü]{3,12} )(?:of|von|/)[ ]?\Z")
_OUT_OF_BEHIND = re.compile(r"[ ]?(?:of|von)[ ]?\d")
_SETTING = re.compile(r"([A-Za-z][\w.-]{1,50})(?:[\"']?[ \t]*[=:][ \t]*[\"']?|\" )\Z")
_NO_QUANTITY = re.compile(
    r"(?:\b|_)(?:id|nr|no|number|page|line|index|version|year|zip|port|code|lines|numlines|startline|totallines)\Z",
    re.IGNORECASE,
)
_KEYS = re.compile(r'\A(?:"\w{1,40}" ?){1,4}')  # of a JSON value that the shown text does not have
_SIZES = frozenset({"kb", "mb", "gb", "tb"})
REPEATS = frozenset({"times", "mal"})
_UNIT_WORDS: dict[str, tuple[str, ...]] = {}
for _word, _unit in UNITS.items():
    _UNIT_WORDS[_unit] = (*_UNIT_WORDS.get(_unit, ()), _word)


def stands_for(statement: Statement, text: str, hit: Hit, sentence: str = "") -> bool:
    """True if the value at this place may be the statement's: of a small number, the words around it decide."""
    if statement.kind in {"date", "time", "id"}:
        return True
    value = abs(statement.numbers[0]) if statement.numbers else Decimal(0)
    if statement.kind == "amount":
        return not _has_another_currency(statement.unit, text, hit)
    if value >= 100 or value != value.to_integral_value():
        return (
            statement.unit not in PERIODS or _has_unit(statement.unit or "", *_around(text, hit)) or _is_set(text, hit)
        )
    start, end = line_around(text, hit.start, hit.end, 80)
    around = text[start:end].casefold()
    if statement.unit:
        return _has_unit(statement.unit, around, text[hit.end : hit.end + 6]) or _is_set(text, hit)
    if statement.kind == "count":
        near = text[max(start, hit.start - 40) : min(end, hit.end + 30)]
        return (
            statement.noun.casefold() in REPEATS
            or _has_stem(statement.noun, around)
            or _COUNTING_WORDS.search(near) is not None
            or _is_next_to(text, hit, sentence)
            or (value >= 10 and _is_set(text, hit))
        )
    return True


def _around(text: str, hit: Hit) -> tuple[str, str]:
    start, end = line_around(text, hit.start, hit.end, 80)
    return text[start:end].casefold(), text[hit.end : hit.end + 6]


def _is_next_to(text: str, hit: Hit, sentence: str) -> bool:
    """True if the word beside a number is one of the sentence's: `145 passed`; or if its line says nothing else."""
    start, end = line_around(text, hit.start, hit.end, 40)
    if text[start:end].strip() == text[hit.start : hit.end]:
        return True
    behind, before = _WORD_BEHIND.match(text, hit.end), _WORD_BEFORE.search(text, start, hit.start)
    if _OUT_OF.search(text, start, hit.start) or _OUT_OF_BEHIND.match(text, hit.end):
        return True
    words = {match[1].casefold() for match in (behind, before) if match}
    return any(re.search(rf"\b{re.escape(word)}", sentence) for word in words if len(word) > 3)


def _is_set(text: str, hit: Hit) -> bool:
    """True if a setting has the number: `timeout = 45`; but for one that is no quantity."""
    setting = _SETTING.search(text, max(hit.start - 60, 0), hit.start)
    return setting is not None and not _NO_QUANTITY.search(setting[1])


def _has_another_currency(unit: str | None, text: str, hit: Hit) -> bool:
    around = (text[max(hit.start - 5, 0) : hit.start], text[hit.end : hit.end + 6])
    words = [word for piece in around for word in re.findall(r"[€$£¥]|\b(?:EUR|USD|GBP|CHF|JPY|Euro)\b", piece)]
    currencies = {UNITS[word.lower()] for word in words} & CURRENCIES
    return bool(currencies) and unit not in currencies


def _has_unit(unit: str, around: str, behind: str) -> bool:
    if unit in _SIZES and re.match(rf"[ \u00a0]?{unit[0]}(?:i?b)?\b", behind, re.IGNORECASE):
        return True
    words = _UNIT_WORDS[unit]
    return any(
        re.search(rf"(?<![^\W\d_]){re.escape(word)}(?![^\W\d_])" if len(word) < 4 else re.escape(word), around)
        for word in words
    )


def _has_stem(noun: str, around: str) -> bool:
    stem = noun.casefold()[:4].rstrip("s")
    return len(stem) > 2 and stem in around


def find_otherwise(call: Call, statement: Statement, sentence: str) -> Source | None:
    """Look a statement up that is written otherwise: a number as a word or in a column, a time in a crontab, a name."""
    text = call.searched
    hit: Hit | None = None
    if statement.kind == "time":
        hit = _find_cron(statement, text) or _find_noon(statement, text) or _find_opening(statement, text)
    elif statement.kind == "name":
        hit = _find_turned_name(statement, text)
    elif statement.kind in {"number", "count"}:
        if _is_in_column(call, statement, sentence) or _is_in_row(call, statement):
            return call.source
        hit = _find_year(statement, text) or _find_in_key(statement, text) or _find_word(call, statement, sentence)
    return source_at(call, text, hit) if hit else None


def _find_word(call: Call, statement: Statement, sentence: str) -> Hit | None:
    """A small number that the result has as a word: `zwei Monate`."""
    if not statement.numbers or not (words := number_words(statement.numbers[0])):
        return None
    text, small = call.searched, call.folded
    for word in words:
        if word in call.input_text.casefold():
            continue
        for match in re.finditer(rf"(?<!\w){word}(?!\w)", text, re.IGNORECASE) if word in small else ():
            hit = Hit(*match.span())
            if (statement.unit or statement.noun) and stands_for(statement, text, hit, sentence):
                return hit
    return None


def _find_in_key(statement: Statement, text: str) -> Hit | None:
    """A number with its unit that a field is called by: `appointments_30_days`."""
    value = statement.numbers[0] if statement.numbers else Decimal("0.5")
    if statement.unit not in PERIODS or value % 1 or f"_{value:f}_" not in text:
        return None
    words = "|".join(map(re.escape, _UNIT_WORDS[statement.unit]))
    match = re.search(rf'"\w{{0,60}}_({value:f})_(?:{words})(?:_\w{{0,60}})?"', text, re.IGNORECASE)
    return Hit(*match.span(1)) if match else None


def _find_noon(statement: Statement, text: str) -> Hit | None:
    """Twelve o'clock, by its names."""
    names = {720: r"noon|mittags?|midday", 0: r"midnight|Mitternacht"}.get(statement.minutes or 0)
    match = re.search(rf"(?<!\w)(?:{names})(?!\w)", text, re.IGNORECASE) if names else None
    return Hit(*match.span()) if match else None


def _find_opening(statement: Statement, text: str) -> Hit | None:
    """A full hour at which a range of hours begins or ends: `Sa 9-14`."""
    hour, minute = divmod(statement.minutes or 0, 60)
    if minute:
        return None
    other = r"\d{1,2}(?:[:.]\d\d)?"
    match = re.search(
        rf"(?<![\d.:,/-]){other} ?(?:-|–|to|bis) ?(?P<end>0?{hour})(?![\d.:/-])"
        rf"|(?<![\d.:,/-])(?P<start>0?{hour}) ?(?:-|–|to|bis) ?{other}(?![\d/-])",
        text[:MAX_RANGES],
    )
    return Hit(*match.span(match.lastgroup or 0)) if match else None


def _find_year(statement: Statement, text: str) -> Hit | None:
    """A year, also as a part of a date."""
    value = statement.numbers[0] if statement.numbers else Decimal(0)
    is_year = not statement.unit and not statement.noun and 1900 <= value < 2100 and value == value.to_integral_value()
    is_year = is_year and str(int(value)) in text
    match = re.search(rf"(?<!\d){int(value)}(?!\d)", text) if is_year else None
    return Hit(*match.span()) if match else None


def _is_in_column(call: Call, statement: Statement, sentence: str) -> bool:
    """True if a table has the number in a column whose head names its unit, or what it counts."""
    unit, noun = statement.unit, statement.noun.casefold()[:4]
    for table in call.tables if statement.numbers else ():
        places = table.numbers.get(statement.numbers[0], ())
        for number in sorted({column for _, column in places if column < len(table.columns)}):
            plain = table.columns[number].casefold()
            words = re.sub(r"[_.]", " ", plain)
            is_named = _has_unit(unit, words, "") if unit else len(noun) > 2 and noun in plain
            is_named = is_named or any(word[:5] in sentence for word in words.split() if len(word) > 4)
            if is_named:
                return True
    return False


def _is_in_row(call: Call, statement: Statement) -> bool:
    """True if a row has the number in one cell, and what is counted in another: `Task chair, grey | 8`."""
    stem = statement.noun.casefold().rstrip("s")[:5]
    if len(stem) < 4 or not statement.numbers:
        return False
    return any(
        any(stem in cell.casefold() for cell in table.rows[row])
        for table in call.tables
        for row, _ in table.numbers.get(statement.numbers[0], ())[:MAX_ROWS]
        if len(table.rows[row]) > 1
    )


def _find_turned_name(statement: Statement, text: str) -> Hit | None:
    """A name of two words that the result has the other way round: `Sato, Kenji`."""
    words = statement.words.split()
    if len(words) != 2 or not all(word[:1].isupper() for word in words):
        return None
    match = re.search(rf"(?<!\w){re.escape(words[1])},? {re.escape(words[0])}(?!\w)", text)
    return Hit(*match.span()) if match else None


def _find_cron(statement: Statement, text: str) -> Hit | None:
    """A time of day in a crontab's fields: `15 2 * * *` is 2:15."""
    hour, minute = divmod(statement.minutes or 0, 60)
    match = re.search(rf"(?<![\d.:-])0?{minute} 0?{hour} (?=[*\d][\d*,/-]{{0,20}} )", text) if "*" in text else None
    return Hit(*match.span()) if match else None


def source_at(call: Call, text: str, hit: Hit) -> Source:
    """The source at a place of what was searched: the line that a person sees it on, and the field and record it is."""
    place = call.layout.place_of(hit.start, text)
    start, end = line_around(text, hit.start, hit.end, MAX_SOURCE_TEXT // 2)
    if place.line is None:
        shown = _KEYS.sub("", text[start:end].strip()[:MAX_SOURCE_TEXT])
        return Source("call", call.id, call.turn_id, None, shown, place.field, place.record)
    line = call.layout.shown[place.line]
    at = line.find(text[hit.start : hit.end])
    first, last = line_around(line, max(at, 0), max(at, 0) + hit.end - hit.start, MAX_SOURCE_TEXT // 2)
    shown = line[first:last].strip()[:MAX_SOURCE_TEXT]
    return Source("call", call.id, call.turn_id, place.line + call.first_line, shown, place.field, place.record)
