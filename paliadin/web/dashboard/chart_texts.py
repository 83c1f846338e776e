"""The texts of the dashboard's charts, in English and German."""

from __future__ import annotations

from collections.abc import Mapping

CHART_TEXTS: Mapping[str, tuple[str, str]] = {  # English, German; {0} is the first value
    "chart.turns_by.day": ("Questions a day", "Fragen je Tag"),
    "chart.turns_by.week": ("Questions a week", "Fragen je Woche"),
    "chart.cost_by.day": ("Estimated cost a day", "Geschätzte Kosten je Tag"),
    "chart.cost_by.week": ("Estimated cost a week", "Geschätzte Kosten je Woche"),
    "chart.latency_by.day": ("Time to the whole answer, by day", "Zeit bis zur ganzen Antwort, je Tag"),
    "chart.latency_by.week": ("Time to the whole answer, by week", "Zeit bis zur ganzen Antwort, je Woche"),
    "chart.tokens_by.day": ("Tokens a day", "Tokens je Tag"),
    "chart.tokens_by.week": ("Tokens a week", "Tokens je Woche"),
    "chart.highest": ("Highest: {0} ({1}).", "Höchster Wert: {0} ({1})."),
    "chart.lowest": ("Lowest: {0} ({1}).", "Niedrigster: {0} ({1})."),
    "chart.keys": ("Arrow keys, Home and End tell each value.", "Pfeiltasten, Pos1 und Ende nennen jeden Wert."),
    "chart.turns": ("Show these turns", "Diese Anfragen zeigen"),
    "chart.fine": ("without an error", "ohne Fehler"),
    "chart.total": ("All", "Alle"),
    "chart.other_models": ("other models", "andere Modelle"),
    "chart.half": ("half within", "Hälfte binnen"),
    "chart.nine": ("9 of 10 within", "9 von 10 binnen"),
    "week": ("Week", "Woche"),
    "chart.failed": ("failed", "mit Fehler"),
}
