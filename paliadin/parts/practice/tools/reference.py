"""The tools that look reference data up: courts, the glossary, deadline rules with a computed date, case law."""

from __future__ import annotations

import re
from datetime import date
from typing import Any, Literal

from pydantic import Field

from paliadin.parts.practice.tools.computed_dates import compute, period_text
from paliadin.parts.practice.tools.model import Arguments, Call, Day, Limit, Result, Tool, ToolError, Words
from paliadin.parts.practice.transactions import QueryTooSlow, Row, first, pattern

Language = Literal["de", "en"]
NOTHING = "Nothing matches. Try another word, shorter, or in the other language."


class CourtArguments(Arguments):
    """The arguments of lookup_court."""

    q: Words = Field(description="A court's name, short form or city.")


async def lookup_court(call: Call, arguments: CourtArguments) -> Result:
    """Return courts whose name, short form or city holds the words."""
    rows = await call.transaction.rows("courts", q=arguments.q, words=pattern(arguments.q))
    shown, more = first(rows, 10)
    cited = [
        {**row, "source": _title(row), "vacations": [_vacation(each) for each in row["vacations"]]} for row in shown
    ]
    return Result(cited, more=_more(shown, more))


class TermArguments(Arguments):
    """The arguments of lookup_glossary_term."""

    q: Words = Field(description="A term, in German or English.")
    lang: Language | None = Field(None, description="Leave the definition in the other language out.")


async def lookup_glossary_term(call: Call, arguments: TermArguments) -> Result:
    """Return terms of the glossary, the exact one first."""
    rows = await call.transaction.rows("terms", q=arguments.q.lower(), words=pattern(arguments.q))
    shown, more = first(rows, 5)
    other = {"de": "definition_en", "en": "definition_de", None: ""}[arguments.lang]
    cited = [{**row, "source": _title(row), other: None} for row in shown]
    return Result(cited, more=_more(shown, more))


class RuleArguments(Arguments):
    """The arguments of lookup_deadline_rule."""

    q: Words = Field(description="What the deadline is for, such as 'statement of defence', or its provision.")
    lang: Language = "en"
    trigger_date: Day | None = Field(None, description="The day of the event that starts the period: computes the end.")
    court: Words | None = Field(
        None, description="The court or office whose holidays count: its name, short form or id (lookup_court)."
    )


async def lookup_deadline_rule(call: Call, arguments: RuleArguments) -> Result:
    """Return rules that match all words; with a trigger date each has its end, step by step."""
    words = _PROVISION.sub("rule ", arguments.q.lower())
    patterns = [_pattern_of(word) for word in _WORD.findall(words)]
    if not patterns:
        return Result([], more=NOTHING)
    provision = r"(^|[^[:alnum:].])" + _escaped(words) + r"($|[^[:alnum:]])"
    rows = await call.transaction.rows("rules", q=words, patterns=patterns, provision=provision)
    shown, more = first(rows, 5)
    court = None
    if arguments.court:
        court = await call.transaction.row("court", court=arguments.court)
        if court is None:
            raise ToolError(f"there is no court {arguments.court!r}", hint="lookup_court shows courts by words.")
    lang, trigger = arguments.lang, arguments.trigger_date
    rules = [_rule(row, lang) | (compute(row, trigger, court, lang) if trigger else {}) for row in shown]
    return Result(rules, more=_more(shown, more))


class CaseLawArguments(Arguments):
    """The arguments of search_case_law."""

    q: Words = Field(description='Words, "phrases in quotation marks", or, -without.')
    division: Words | None = Field(None, description="Words in the name of the court's division.")
    since: Day | None = Field(None, description="Decided on this day or later.")
    limit: Limit = 5


async def search_case_law(call: Call, arguments: CaseLawArguments) -> Result:
    """Return judgments ranked by Postgres' full-text search, each with up to three passages."""
    if arguments.limit > 10:
        raise ToolError("limit may be at most 10", hint="Call it again.")
    division = arguments.division and pattern(arguments.division)
    values = {"division": division, "since": arguments.since, "most": arguments.limit + 1}
    try:
        judgments = await call.transaction.rows("judgments", q=arguments.q, **values)
    except QueryTooSlow:  # by its words, which are in too many judgments: the database is there for all others
        raise ToolError("the search took too long", hint="Search for fewer or rarer words, or since a day.") from None
    shown, more = first(judgments, arguments.limit)
    rows = [{**row, "passages": row["passages"].split(" ¶ ")[:3]} for row in shown]
    return Result(rows, more=_more(shown, more))


_PROVISION = re.compile(r"^(?:r\.|regel|rule)\s*(?=\d)")
_WORD = re.compile(r"[\w.§()-]*\w[\w.()-]*|§+")


def _pattern_of(word: str) -> str:
    """Return a Postgres regular expression for the word: the whole word if it has a digit, so that 23 is not in 235."""
    has_digit = any(map(str.isdigit, word))
    return rf"(^|[^[:alnum:]]){_escaped(word)}($|[^[:alnum:]])" if has_digit else _escaped(word)


def _escaped(text: str) -> str:
    """Escape the text as a regular expression that matches just it."""
    return re.sub(r"([^\w\s])", r"\\\1", text)


def _rule(row: Row, lang: str) -> Row:
    return {
        "id": row["id"],
        "concept": row[f"concept_{lang}"],
        "trigger": row[f"trigger_{lang}"],
        "period": period_text(row, lang),
        "legal_source": row["legal_source"],
        "jurisdiction": row["jurisdiction"],
        "extension": row[f"extendable_{lang}"],
        "note": row[f"note_{lang}"],
        "source": _title(row),
    }


def _vacation(vacation: dict[str, Any]) -> Row:
    years = vacation["years"] and f" ({', '.join(map(str, vacation['years']))})"
    days = f"{_day_of_year(vacation['from'])} to {_day_of_year(vacation['to'])}{years or ''}"
    return {"name": vacation["name_en"], "days": days, "effect": vacation["effect_en"]}


def _day_of_year(text: str) -> str:
    """Write `12-24` as `24 December`."""
    day = date.fromisoformat(f"2000-{text}")
    return f"{day.day} {day:%B}"


def _title(row: Row) -> str:
    return str(row["source"]["title"])


def _more(shown: list[Row], more: bool) -> str:
    if not shown:
        return NOTHING
    return f"Only the best {len(shown)} are shown." if more else ""


TOOLS = (
    Tool(
        "lookup_court",
        "Look up a court",
        "Courts and offices (UPC divisions, EPO, DPMA, BPatG, BGH, Landgerichte, Oberlandesgerichte) with address, "
        "languages and vacations.",
        CourtArguments,
        lookup_court,
    ),
    Tool(
        "lookup_glossary_term",
        "Look up a term",
        "A term of patent practice in German and English with its definition and category. Use it for 'explain …' and "
        "'what does … mean'.",
        TermArguments,
        lookup_glossary_term,
    ),
    Tool(
        "lookup_deadline_rule",
        "Look up a deadline rule",
        "Rules for periods of the UPC, the EPO and in Germany: trigger, period, legal source. With trigger_date also "
        "the end and each step to it. The end is computed and not verified: tell the reader so.",
        RuleArguments,
        lookup_deadline_rule,
    ),
    Tool(
        "search_case_law",
        "Search case law",
        "Judgments by words, in German and English, the best first, with headnote and passages. Those with `made_up` "
        "are invented, to try things out: say so.",
        CaseLawArguments,
        search_case_law,
    ),
)
