"""Find what stands in a result otherwise than it is spelled: lines of files, files, numbers in columns. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from decimal import Decimal

from paliadin.evidence.identifiers import is_file_name
from paliadin.evidence.model import Source
from paliadin.evidence.places import MAX_SOURCE_TEXT, Hit, source_at
from paliadin.evidence.results import Call
from paliadin.evidence.statements import Statement
from paliadin.evidence.vocabulary import PATTERNS, UNIT_WORDS

MAX_ROWS = 500  # with a number, in which its noun is looked for
MAX_RANGES = 50_000  # characters of a result in which ranges of hours are looked for
_ONLY_NUMBERS = re.compile(r"[\d ,–-]{1,200}")


def find_elsewhere(call: Call, statement: Statement, sentence: str) -> Source | None:
    """Return the place of a statement that is written otherwise, or None."""
    hit: Hit | None = None
    match statement.kind:
        case "line":
            return _line_in_file(call, statement)
        case "name" if is_file_name(statement.words):
            return _file(call, statement.words.strip())
        case "name":
            hit = _find_turned_name(statement, call.searched)
        case "time":
            hit = _find_opening(statement, call.searched) or _find_cron(statement, call.searched)
        case "number" | "count" if statement.numbers:
            if _is_in_column(call, statement, sentence.casefold()) or _is_in_row(call, statement):
                return call.source
            hit = _find_year(statement, call.searched)
    return source_at(call, hit) if hit else None


def names_unit(unit: str, words: str) -> bool:
    """True if words in small letters name a unit."""
    return any(
        re.search(rf"(?<![^\W\d_]){re.escape(word)}(?![^\W\d_])", words) if len(word) < 4 else word in words
        for word in UNIT_WORDS[unit]
    )


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


def _find_cron(statement: Statement, text: str) -> Hit | None:
    """A time of day in a crontab's fields: `15 2 * * *` is 2:15."""
    hour, minute = divmod(statement.minutes or 0, 60)
    match = re.search(rf"(?<![\d.:-])0?{minute} 0?{hour} (?=[*\d][\d*,/-]{{0,20}} )", text) if "*" in text else None
    return Hit(*match.span()) if match else None


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
            is_named = names_unit(unit, words) if unit else len(noun) > 2 and noun in plain
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


def _line_in_file(call: Call, statement: Statement) -> Source | None:
    """The place that shows that these lines of the file were read or found by the call."""
    name = statement.path.replace("\\", "/").removeprefix("./")
    first, last = statement.lines
    result, given = call.result, call.input if isinstance(call.input, Mapping) else {}
    file = result.get("file") if call.name == "Read" and isinstance(result, Mapping) else None
    if isinstance(file, Mapping):
        path = str(file.get("filePath", ""))
        return _line_read(call, first, last) if not name or _is_path(path, name) else None
    text = call.searched
    if not name:
        hit = re.search(rf"(?m)(?:^[^\s:]{{1,200}}:|^|\bline |\bZeile |\s){first}(?=[:)\t\s-]|\Z)", text)
        return source_at(call, Hit(*hit.span())) if hit else None
    pattern = rf"(?<![\w.-]){re.escape(name)}(?::|\", line |, line |[(-]){first}(?!\d)"
    if match := re.search(pattern, text):
        return source_at(call, Hit(*match.span()))
    if _is_in_a_row(call, name, first, last):
        return call.source
    command = str(given.get("command", "") or given.get("path", ""))
    if name.rsplit("/", 1)[-1] in command:
        if match := re.search(rf"(?m)^\s*{first}[:\t -]", text):
            return source_at(call, Hit(*match.span()))
        span = re.search(r"sed -n ['\"]?(\d{1,7}),(\d{1,7})p", command)
        if span and int(span[1]) <= first <= last <= int(span[2]):
            return call.source
        if re.match(r"\s*cat ", command) and "|" not in command and last <= len(text.splitlines()):
            return Source("call", call.id, call.turn_id, last)
    return None


def _line_read(call: Call, first: int, last: int) -> Source | None:
    lines, begin = call.text.splitlines(), call.first_line
    if begin <= first <= last < begin + len(lines):
        return Source("call", call.id, call.turn_id, first, lines[first - begin].strip()[:MAX_SOURCE_TEXT])
    return None


def _is_in_a_row(call: Call, name: str, first: int, last: int) -> bool:
    """True if a row has the file in one cell, and the line, or a range that begins or ends there, in another."""
    wanted = {str(first), str(last)}
    for table in call.tables:
        for row in table.rows[:2_000] if table.width > 1 else ():
            if any(_is_path(cell, name) for cell in row):
                cells = (cell for cell in row if _ONLY_NUMBERS.fullmatch(cell))
                numbers = {number for cell in cells for number in re.findall(r"\d{1,7}", cell)}
                if wanted <= numbers:
                    return True
    return False


def _file(call: Call, name: str) -> Source | None:
    """The place that shows that there is a file of this name: a path in a result, or that a call with it succeeded."""
    text, plain = call.searched, name.replace("\\", "/").removeprefix("./")
    is_own = not call.is_echo_free and plain in call.input_text  # `echo` says what it is given
    at = -1 if is_own else text.find(plain)
    while at >= 0:
        before, behind = text[at - 1 : at], text[at + len(plain) : at + len(plain) + 1]
        if not (before.isalnum() or (before in {"_", "-"} and before)) and not (
            behind.isalnum() or (behind in {"_", "-"} and behind)
        ):
            return source_at(call, Hit(at, at + len(plain)))
        at = text.find(plain, at + 1)
    given = call.input if isinstance(call.input, Mapping) else {}
    path = given.get("file_path") or given.get("notebook_path")
    if isinstance(path, str) and _is_path(path, plain):
        return Source("call", call.id, call.turn_id, None, path[:MAX_SOURCE_TEXT])
    command = str(given.get("command", ""))
    if _has_read(call, command) and re.search(rf"(?<![\w.>-]){re.escape(plain)}(?![\w.-])", command):
        return Source("call", call.id, call.turn_id, None, command[:MAX_SOURCE_TEXT])
    return None


def _has_read(call: Call, command: str) -> bool:
    """True if a command that reads files put something out, and complained of nothing."""
    if not isinstance(call.result, Mapping) or not PATTERNS["reads"].match(command) or "||" in command:
        return False
    return bool(str(call.result.get("stdout", "")).strip()) and not str(call.result.get("stderr", "")).strip()


def _is_path(path: str, name: str) -> bool:
    plain = path.replace("\\", "/")
    return plain == name or plain.endswith("/" + name.lstrip("/")) or name.endswith("/" + plain)
