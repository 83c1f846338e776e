"""The end of a deadline rule's period after a date, in words: each step, and the rule's exceptions that it ignores."""

from __future__ import annotations

from datetime import date
from typing import Any

from paliadin.parts.practice.dates import Count, Period, Step, StepKind, Unit, end_of
from paliadin.parts.practice.days_off import EPO_PLACES, closed_days, day_off_at, places_of
from paliadin.parts.practice.tools.model import ToolError
from paliadin.parts.practice.transactions import Row

CHECK = {
    "de": "Berechnet, nicht geprüft: bitte selbst nachrechnen.",
    "en": "Computed, not verified: check it yourself.",
}


def compute(row: Row, trigger: date, court: Row | None, lang: str) -> Row:
    """Return a rule's end after the trigger, with each step to it and the circumstances that were ignored.

    `court` is the period's court; None, or one with another calendar, stands for no particular court.
    Raises ToolError for an end beyond the calendar.
    """
    calendar = row["calendar"]
    court = court if court and _keeps(court["kind"], calendar) else None
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
        "check": CHECK[lang],
    }


def _keeps(kind: str, calendar: str) -> bool:
    """Tell whether a court of this kind computes periods by this calendar."""
    return {"upc": kind.startswith("upc"), "epo": kind == "epo"}.get(calendar, not kind.startswith(("upc", "epo")))


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


def period_text(row: Row, lang: str) -> str:
    """Write a rule's period in words: `31 days or 20 working days, whichever ends later`."""
    count = _count(row)
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
    is_german = lang == "de"
    trigger_day, step_day = (f"{each:%d.%m.%Y}" if is_german else str(each) for each in (trigger, step.date))
    day = f"{_WEEKDAYS[lang][step.date.weekday()]}, {step_day}"
    match step.kind:
        case StepKind.COUNTED if step.period:
            amount = _amount(step.period, lang)
            if step.date < trigger:
                return f"{trigger_day} minus {amount}: {day}"
            return f"{trigger_day} plus {amount}: {day}"
        case StepKind.CHOSEN:
            return f"{'Davon gilt' if is_german else 'Of these holds'}: {day}"
        case StepKind.WEEKEND:
            return f"{'Ein Wochenende, also' if is_german else 'A weekend, so'}: {day}"
    return f"{step.reason}, {'also' if is_german else 'so'}: {day}"
