"""Tell the statements in which there is nothing to check: general numbers, terms, examples, offers. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from paliadin.evidence.identifiers import AT_SIGN, find_legal_sources, is_file_name
from paliadin.evidence.markdown import Line
from paliadin.evidence.results import Call
from paliadin.evidence.sentences import sentence_of
from paliadin.evidence.statements import Statement
from paliadin.evidence.vocabulary import OWN_DATA, PERIODS, PREDICATES

_GENERAL = re.compile(
    r"\b(?:in der Regel|grundsätzlich|üblicherweise|normalerweise|meist(?:ens)?|generell|im Allgemeinen|"
    r"typisch(?:erweise)?|usually|generally|typically|"
    r"in general|normally|by default|standardmäßig|as a rule|gilt|beispielsweise|Beispiel:|Example:|zum Beispiel|"
    r"z\. ?B\.|etwa wenn|for example|e\.g\.|for instance|such as|"
    r"Faustregel|rule of thumb|for comparison|zum Vergleich|die meisten|"
    r"most (?:people|providers|teams|sites|users|of the world)|"
    r"many (?:people|teams|sites|providers)|gesetzlich\w*|legally|by law|by statute|easily)(?!\w)",
    re.IGNORECASE,
)
_SUPPOSED = re.compile(
    r"\b(?:angenommen|suppose|assume|assuming|würden?|would|könnten?|could|wenn|falls|if|probably|wahrscheinlich|"
    r"vermutlich|I'd|you'd|guess\w*|estimate[ds]?|Schätzung\w*|geschätzt|at this pace|extrapolat\w*|hochgerechnet|"
    r"recommend\w*|empfehl\w*|empfiehlt|suggest\w*|schlage|sinnvoll\w*|sensible|reasonable|dürften?|"
    r"start with|plan (?=\d)|grob|let's|bräuchten?)(?!\w)",
    re.IGNORECASE,
)
_TAX = re.compile(r"\b(?:USt|MwSt|Umsatzsteuer|Mehrwertsteuer|VAT)\b", re.IGNORECASE)
_TAX_RATES = frozenset({5, 7, 19, 20, 21})
_CLAUSE = re.compile(r"[;:()] ?|, (?!\d)|[.!?] | [–—] ")
_PROPOSED = re.compile(
    r"\b(?:würde ich|ich würde|I'd|I would|mein Vorschlag|schlage|I suggest|I propose|I recommend|ich empfehle)(?!\w)",
    re.IGNORECASE,
)
_OFFER = re.compile(
    r"\b(?:soll ich|möchten Sie|möchtest du|wollen Sie|willst du|kann ich|ich kann|ich könnte|gern(?:e)?|shall I|"
    r"should I|would you like|do you want|I can|I could|let me know|sag|sagen Sie)\b",
    re.IGNORECASE,
)
_TERM_BEFORE = re.compile(
    r"(?:\b(?:Begriff\w*|sogenannte\w*|sog\.|genannt\w*|heißt|bedeutet|bezeichnet|Ausdruck\w*|Wort|Wörter\w*|"
    r"term\w*|called|named|so-called|word|phrase|means?|meaning|known as|"
    r"Button|Schaltfläche|Knopf|Menü\w*|Reiter|Tab|Seite|Bereich|Feld|Spalte|Option|klick\w*|wählen|unter|auf|"
    r"über|menu|field|column|click\w*|press|select|choose|go to|"
    r"open|under|option|section|page|button|z\. ?B\.|e\.g\.|like|such as|wie|etwa|as|als|statt|instead of|"
    r"Suchbegriff|nach|for|Status|status|Filter|filter)\b[ :(]*(?:Sie |dann |on |the )?)[„“\"»«‚‘]?\Z",
    re.IGNORECASE,
)
_TERM_BEHIND = re.compile(
    r"\A[“”\"«»’‘]?\s*(?:bedeutet|heißt|ist|bezeichnet|meint|means|is|refers|denotes|stands for|steht für|"
    r"-?Button|-?Feld|-?Menü)",
    re.IGNORECASE,
)
_IN_FORCE = re.compile(
    r"\b(?:in Kraft|entered into force|came into force|gegründet|founded|unterzeichnet|signed|seit|since|erlassen|"
    r"verabschiedet|introduced|eingeführt)\b",
    re.IGNORECASE,
)
_OF_THE_READER = re.compile(
    r"\b(?:your|our|my|dein\w*|euer\w*|eure\w*|unser\w*|ihre[mnrs]?|mein\w*|laut|according to|"
    r"(?:im|in the|the|der|dem|den|die|das|this|dieser?) (?:contract|lease|invoice|report|file|log|table|database|"
    r"list|Vertrag|Rechnung|Bericht|Datei|Tabelle|Datenbank|Liste|Akte|Protokoll)|"
    r"last (?:month|week|year|night|quarter)|gestern|letzte[nrs]? (?:Monat|Woche|Jahr|Quartal)|yesterday|on CI)\b",
    re.IGNORECASE,
)
_GENERIC_LINK = re.compile(
    r"(?:hier|here|link|quelle|source|docs?|website|webseite|more|mehr|details?|dokumentation|"
    r"documentation)\b.{0,30}",
    re.IGNORECASE,
)


def is_general(
    statement: Statement, lines: Sequence[Line], returned: Sequence[Call], *, has_data: bool, claims_data: bool
) -> bool:
    """True if a statement that nothing holds claims nothing of the reader's data."""
    line = lines[statement.line]
    sentence = sentence_of(line, statement.start)
    if statement.kind in {"name", "quotation"}:
        return _is_term(statement, line, sentence, has_data=has_data, claims_data=claims_data)
    if statement.kind in {"id", "line"}:
        return False
    is_question = sentence.rstrip().endswith("?") or _OFFER.search(sentence) is not None
    if statement.kind in {"number", "count"} and is_question:
        return True
    if has_data or claims_data:
        return _is_general_beside_data(statement, line, sentence, returned)
    is_loose = _GENERAL.search(sentence) is not None or _SUPPOSED.search(sentence) is not None
    if statement.kind == "date":
        return bool(statement.words) or is_loose or _IN_FORCE.search(sentence) is not None
    if statement.kind in {"amount", "time"}:
        return is_loose
    if statement.kind == "number":
        return is_loose or _OF_THE_READER.search(sentence) is None
    return not _is_own(statement)


def _is_general_beside_data(statement: Statement, line: Line, sentence: str, returned: Sequence[Call]) -> bool:
    """The same, of an answer for which tools looked something up."""
    if statement.kind == "number" and statement.unit in PERIODS and _explains_the_law(sentence, returned):
        return True
    if statement.kind in {"date", "time"}:
        return _PROPOSED.search(sentence) is not None
    if statement.kind not in {"number", "count"} or _is_own(statement):
        return False
    is_tax = statement.unit == "%" and _TAX.search(sentence) is not None and statement.numbers[0] in _TAX_RATES
    return (
        is_tax
        or _GENERAL.search(sentence) is not None
        or (_SUPPOSED.search(_clause_of(line, statement)) is not None and _is_round(statement))
    )


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


def _explains_the_law(sentence: str, returned: Sequence[Call]) -> bool:
    """True if a sentence names a law or rule of which no tool told."""
    numbers = {
        number for start, end in find_legal_sources(sentence) for number in re.findall(r"\d+", sentence[start:end])[:1]
    }
    return bool(numbers) and not any(
        re.search(rf"(?:§|Art|Rule|Regel|R\.)\w{{0,8}}[. ]{{0,2}}{number}\b", call.searched[:200_000])
        for number in numbers
        for call in returned
    )


def _is_term(statement: Statement, line: Line, sentence: str, *, has_data: bool, claims_data: bool) -> bool:
    words = statement.words.strip()
    if is_file_name(words):
        return (not has_data and not claims_data) or _GENERAL.search(sentence) is not None
    if any(start <= statement.start < end for start, end in line.links):
        return (
            _GENERIC_LINK.fullmatch(words) is not None
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
            or _GENERAL.search(sentence) is not None
            or _OFFER.search(sentence) is not None
        )
    if sentence.rstrip().endswith("?") or _OFFER.search(sentence):
        return True
    is_term = _TERM_BEFORE.search(before) is not None or _TERM_BEHIND.search(behind) is not None
    return statement.kind == "name" and is_term and not any(map(str.isdigit, words)) and "_" not in words
