"""The tools that look reference data up: courts, the glossary, deadline rules with a computed date, case law."""

from __future__ import annotations

from datetime import date
from typing import Any, Literal

from pydantic import Field

from paliadin.practice.dates import Count, Period, Step, StepKind, Unit, end_of
from paliadin.practice.days_off import EPO_PLACES, closed_days, day_off_at, places_of
from paliadin.practice.reading import Row, first, pattern
from paliadin.practice.tools.model import Arguments, Call, Day, Limit, Result, Tool, ToolError, Words

Language = Literal["de", "en"]
NOTHING = "Nothing matches. Try another word, shorter, or in the other language."
CHECK = {
    "de": "Berechnet, nicht geprüft: bitte selbst nachrechnen (check it yourself).",
    "en": "Computed, not verified: check it yourself.",
}


class CourtArguments(Arguments):
    """The arguments of lookup_court."""

    q: Words = Field(description="A court's name, short form or city.")


async def lookup_court(call: Call, arguments: CourtArguments) -> Result:
    """Courts whose name, short form or city holds the words."""
    rows = await call.reading.rows("courts", q=arguments.q, words=pattern(arguments.q))
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
    """Terms of the glossary, the exact one first."""
    rows = await call.reading.rows("terms", q=arguments.q.lower(), words=pattern(arguments.q))
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
    """Rules that match all words; with a trigger date each has its end, step by step."""
    rows = await call.reading.rows("rules", q=arguments.q)
    shown, more = first(rows, 5)
    court = None
    if arguments.court:
        court = await call.reading.row("court", court=arguments.court)
        if court is None:
            raise ToolError(f"there is no court {arguments.court!r}", hint="lookup_court shows courts by words.")
    lang, trigger = arguments.lang, arguments.trigger_date
    found = [_rule(row, lang) | (_computed(row, trigger, court, lang) if trigger else {}) for row in shown]
    return Result(found, more=_more(shown, more))


class CaseLawArguments(Arguments):
    """The arguments of search_case_law."""

    q: Words = Field(description='Words, "phrases in quotation marks", or, -without.')
    division: Words | None = Field(None, description="Words in the name of the court's division.")
    since: Day | None = Field(None, description="Decided on this day or later.")
    limit: Limit = 5


async def search_case_law(call: Call, arguments: CaseLawArguments) -> Result:
    """Judgments ranked by Postgres' full-text search, each with up to three passages."""
    if arguments.limit > 10:
        raise ToolError("limit may be at most 10", hint="Call it again.")
    division = arguments.division and pattern(arguments.division)
    values = {"division": division, "since": arguments.since, "most": arguments.limit + 1}
    shown, more = first(await call.reading.rows("judgments", q=arguments.q, **values), arguments.limit)
    rows = [{**row, "passages": row["passages"].split(" ¶ ")[:3]} for row in shown]
    return Result(rows, more=_more(shown, more))


def _rule(row: Row, lang: str) -> Row:
    return {
        "id": row["id"],
        "concept": row[f"concept_{lang}"],
        "trigger": row[f"trigger_{lang}"],
        "period": _period_text(_count(row), lang),
        "legal_source": row["legal_source"],
        "jurisdiction": row["jurisdiction"],
        "extension": row[f"extendable_{lang}"],
        "note": row[f"note_{lang}"],
        "source": _title(row),
    }


def _computed(row: Row, trigger: date, court: Row | None, lang: str) -> Row:
    """The rule's end after the trigger, with its steps and with what was not taken into account."""
    calendar = row["calendar"]
    places, closed = (places_of(court), closed_days(court, lang)) if court else (_places(calendar), [])
    try:
        end, steps = end_of(_count(row), trigger, day_off_at(places, closed, lang))
    except OverflowError:
        raise ToolError("the end is beyond the calendar", hint="Give a trigger date of this century.") from None
    lines = [_step_text(step, trigger, lang) for step in steps]
    if court is None:
        lines.append(_WITHOUT_COURT[calendar][lang])
    elif court["kind"].startswith("upc"):
        lines.append(_ONLY_NATIONAL[lang])
    elif vacation := next((each for each in court["vacations"] if not each["extends_periods"]), None):
        lines.append(vacation[f"effect_{lang}"])
    return {
        "trigger_date": trigger,
        "computed_date": end,
        "weekday": _WEEKDAYS[lang][end.weekday()],
        "steps": lines,
    } | {"check": CHECK[lang]}


def _places(calendar: str) -> Any:
    return {"epo": EPO_PLACES, "bgb": (("DE", None),)}.get(calendar, ())


def _count(row: Row) -> Count:
    periods = [Period(each["amount"], Unit(each["unit"])) for each in row["period"]]
    return Count(periods, row["whichever"], row["direction"] == "before")


_UNITS = {
    "en": {
        "days": "day",
        "working_days": "working day",
        "weeks": "week",
        "months": "month",
        "month_ends": "month",
        "years": "year",
    },
    "de": {
        "days": "Tag",
        "working_days": "Arbeitstag",
        "weeks": "Woche",
        "months": "Monat",
        "month_ends": "Monat",
        "years": "Jahr",
    },
}
_PLURALS = {"Tag": "Tage", "Arbeitstag": "Arbeitstage", "Woche": "Wochen", "Monat": "Monate", "Jahr": "Jahre"}
_WEEKDAYS = {
    "en": ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"),
    "de": ("Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag", "Sonntag"),
}
_WITHOUT_COURT = {
    "upc": {
        "en": "Holidays are not considered: name the division as `court`, since its member state's holidays count.",
        "de": "Ohne Feiertage: die Kammer als `court` nennen, denn die Feiertage ihres Mitgliedstaats zählen.",
    },
    "epo": {
        "en": "Closed days: the holidays in Munich, Berlin and The Hague. The Official Journal's list decides.",
        "de": "Geschlossen: Feiertage in München, Berlin und Den Haag. Maßgeblich ist die Liste im Amtsblatt.",
    },
    "bgb": {
        "en": "Only holidays of all Germany are considered: name the `court` for those of its state.",
        "de": "Nur bundesweite Feiertage sind berücksichtigt: `court` nennen, damit die seines Landes zählen.",
    },
}


_ONLY_NATIONAL = {
    "en": "Only holidays of the whole member state count here (Rule 301.1); vacations suspend nothing (Rule 300).",
    "de": "Nur Feiertage des ganzen Mitgliedstaats zählen hier (Regel 301.1); Gerichtsferien hemmen nicht (Regel 300).",
}


def _period_text(count: Count, lang: str) -> str:
    texts = [_amount(period, lang) for period in count.periods]
    if len(texts) == 1:
        return texts[0]
    chosen = {
        ("later", "en"): "whichever ends later",
        ("earlier", "en"): "whichever ends earlier",
        ("later", "de"): "je nachdem, was später endet",
        ("earlier", "de"): "je nachdem, was früher endet",
    }[count.whichever or "earlier", lang]
    return f"{' or ' if lang == 'en' else ' oder '}".join(texts) + f", {chosen}"


def _amount(period: Period, lang: str) -> str:
    unit = _UNITS[lang][period.unit]
    if period.amount != 1:
        unit = _PLURALS[unit] if lang == "de" else f"{unit}s"
    return f"{period.amount} {unit}"


def _step_text(step: Step, trigger: date, lang: str) -> str:
    day = f"{_WEEKDAYS[lang][step.date.weekday()]}, {step.date}"
    is_german = lang == "de"
    match step.kind:
        case StepKind.COUNTED if step.period:
            amount = _amount(step.period, lang)
            if step.date < trigger:
                return f"{trigger} minus {amount}: {day}"
            return f"{trigger} plus {amount}: {day}"
        case StepKind.CHOSEN:
            return f"{'Davon gilt' if is_german else 'Of these holds'}: {day}"
        case StepKind.WEEKEND:
            return f"{'Ein Wochenende, also' if is_german else 'A weekend, so'}: {day}"
    return f"{step.reason}, {'also' if is_german else 'so'}: {day}"


def _vacation(vacation: dict[str, Any]) -> Row:
    years = vacation["years"] and f" ({', '.join(map(str, vacation['years']))})"
    days = f"{vacation['from']} to {vacation['to']}{years or ''}"
    return {"name": vacation["name_en"], "days": days, "effect": vacation["effect_en"]}


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
