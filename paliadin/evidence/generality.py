"""Tell the statements in which there is nothing to check: general numbers, terms, examples, offers. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from paliadin.evidence.identifiers import AT_SIGN, find_legal_sources, is_file_name
from paliadin.evidence.markdown import Line
from paliadin.evidence.notation import find_dates
from paliadin.evidence.reading import Reading
from paliadin.evidence.records import only_reads
from paliadin.evidence.results import WRITES_FILES, Call, plain_name
from paliadin.evidence.statements import Statement
from paliadin.evidence.vocabulary import OWN_DATA, PERIODS, PHRASES, PREDICATES

_BOUND = re.compile(PHRASES["bound"].pattern + r"(?: (?:the|zum|dem|den))? ?\Z", re.IGNORECASE)
_TAX_RATES = frozenset({5, 7, 19, 20, 21})
_CLAUSE = re.compile(r"[;:()] ?|, (?!\d)|[.!?] | [–—] ")
_BEFORE_TERM = re.compile(r"[ :(]*(?:Sie |dann |on |the )?[„“\"»«‚‘]?\Z")
_BEHIND_TERM = re.compile(r"[“”\"«»’‘]?\s*")


def is_general(number: int, reading: Reading, calls: Sequence[Call], *, has_data: bool, claims_data: bool) -> bool:
    """True if a statement that nothing holds claims nothing of the reader's data. `calls`: all of the conversation."""
    statement, line, sentence = reading.statements[number], reading.line_of(number), reading.sentences[number]
    if has_data and _says_what_was_done(statement, line, sentence, calls):
        return True
    if statement.kind in {"name", "quotation"}:
        return _is_term(statement, line, sentence, has_data=has_data, claims_data=claims_data)
    if statement.kind in {"id", "line"}:
        return False
    is_question = sentence.rstrip().endswith("?") or _says("offered", sentence)
    if statement.kind in {"number", "count"} and is_question:
        return True
    if has_data or claims_data:
        return _is_general_beside_data(statement, line, sentence, calls)
    is_loose = _says("general", sentence) or _says("supposed", sentence)
    if statement.kind == "date":
        return bool(statement.words) or is_loose or _says("in_force", sentence)
    if statement.kind in {"amount", "time"}:
        return is_loose
    if statement.kind == "number":
        return is_loose or not _says("of_the_reader", sentence)
    return not _is_own(statement)


@lru_cache(maxsize=512)
def _says(what: str, text: str) -> bool:
    """True if a text has one of these phrases; all statements of a sentence ask for it."""
    return PHRASES[what].search(text) is not None


def _says_what_was_done(statement: Statement, line: Line, sentence: str, calls: Sequence[Call]) -> bool:
    """True if a sentence tells of a search or a command, and the statement is what a call was given for it."""
    before, behind = line.text[max(statement.start - 30, 0) : statement.start], line.text[statement.end :][:12]
    is_bound = statement.kind == "date" and (_BOUND.search(before) or PHRASES["bound"].match(behind.lstrip()))
    words, did = line.text[statement.start : statement.end], _says("did", sentence)
    return any(
        _is_given(statement, words, call)
        for call in calls
        if (did and plain_name(call.name) not in WRITES_FILES) or (is_bound and only_reads(call))
    )


def _is_given(statement: Statement, words: str, call: Call) -> bool:
    """True if a call's input says a statement."""
    if words in call.input_text:
        return True
    given = find_dates(call.input_text, strict=False) if statement.dates else ()
    return any(day.day and day.matches(each) for day in statement.dates for dated in given for each in dated.values)


def _is_general_beside_data(statement: Statement, line: Line, sentence: str, calls: Sequence[Call]) -> bool:
    """The same, of an answer for which tools looked something up."""
    if statement.kind == "number" and statement.unit in PERIODS and _explains_the_law(sentence, calls):
        return True
    if statement.kind in {"date", "time"}:
        return _says("proposed", sentence)
    if statement.kind not in {"number", "count"} or _is_own(statement):
        return False
    is_tax = statement.unit == "%" and _says("tax", sentence) and statement.numbers[0] in _TAX_RATES
    is_loose = _says("general", sentence) or _says("supposed", _clause_of(line, statement))
    return is_tax or (is_loose and _is_round(statement))


def _clause_of(line: Line, statement: Statement) -> str:
    """What stands around a statement up to the next punctuation, and what a dash adds to it."""
    before = _CLAUSE.split(line.text[max(statement.start - 200, 0) : statement.start])[-1]
    behind = line.text[statement.end : statement.end + 200]
    end = _CLAUSE.search(behind)
    if end and end[0].strip() in {"–", "—"}:
        end = _CLAUSE.search(behind, end.end())
    return before + line.text[statement.start : statement.end] + (behind[: end.start()] if end else behind)


def _is_round(statement: Statement) -> bool:
    """True for a number of at most two digits that count: what one supposes is no 45.2."""
    return bool(statement.numbers) and abs(statement.numbers[0]) < 100 * statement.step and statement.step >= 1


def _is_own(statement: Statement) -> bool:
    """True if the statement counts what a reader has: files, deadlines."""
    noun = statement.noun.casefold()
    return noun in OWN_DATA or noun in PREDICATES


def _explains_the_law(sentence: str, calls: Sequence[Call]) -> bool:
    """True if a sentence names a law or rule of which no tool told."""
    numbers = {
        number for start, end in find_legal_sources(sentence) for number in re.findall(r"\d+", sentence[start:end])[:1]
    }
    return bool(numbers) and not any(
        re.search(rf"(?:§|Art|Rule|Regel|R\.)\w{{0,8}}[. ]{{0,2}}{number}\b", call.searched[:200_000])
        for number in numbers
        for call in calls
        if call.outcome == "ok"
    )


def _is_term(statement: Statement, line: Line, sentence: str, *, has_data: bool, claims_data: bool) -> bool:
    words = statement.words.strip()
    if is_file_name(words):
        return (not has_data and not claims_data) or _says("general", sentence)
    if any(start <= statement.start < end for start, end in line.links):
        return (
            (PHRASES["link_to_more"].match(words) is not None and len(words) < 45)
            or (" " not in words and AT_SIGN not in words)
            or (not any(map(str.isupper, words)) and not any(map(str.isdigit, words)))
        )
    before, behind = (
        line.text[max(statement.start - 40, 0) : statement.start],
        line.text[statement.end : statement.end + 20],
    )
    if not has_data and not claims_data:
        return (
            statement.kind == "name"
            or line.block == "quote"
            or _says("general", sentence)
            or _says("offered", sentence)
        )
    if sentence.rstrip().endswith("?") or _says("offered", sentence):
        return True
    said_before = [match.end() for match in PHRASES["term_before"].finditer(before)]
    is_term = any(_BEFORE_TERM.match(before, end) for end in said_before)
    is_term = is_term or PHRASES["term_behind"].match(_BEHIND_TERM.sub("", behind, count=1)) is not None
    return statement.kind == "name" and is_term and not any(map(str.isdigit, words)) and "_" not in words
