"""The dashboard's texts about suggestions in a practice, in English and German."""

from __future__ import annotations

from collections.abc import Mapping

SUGGESTION_TEXTS: Mapping[str, tuple[str, str]] = {  # English, German; {0} is the first value
    "suggestions": ("Suggestions", "Vorschläge"),
    "suggestions.note": (
        "Deadlines, appointments and notes that Claude suggested from {0} to {1} in all projects, as they stand now.",
        "Fristen, Termine und Notizen, die Claude vom {0} bis {1} in allen Projekten vorschlug, nach heutigem Stand.",
    ),
    "suggestions.unfiltered": (
        "Of the filter, only the time span applies here.",
        "Vom Filter gilt hier nur der Zeitraum.",
    ),
    "suggestions.made": ("Made", "Gemacht"),
    "suggestions.turns": ("in {0} turns", "in {0} Anfragen"),
    "suggestions.turns.one": ("in {0} turn", "in {0} Anfrage"),
    "suggestions.approved": ("Approved", "Freigegeben"),
    "suggestions.rejected": ("Rejected", "Abgelehnt"),
    "suggestions.pending": ("Pending", "Warten auf Freigabe"),
    "suggestions.time": ("Half decided within", "Hälfte entschieden binnen"),
    "suggestions.overridden": (
        "An owner decided on {0} of them for others.",
        "Über {0} davon entschied ein Besitzer für andere.",
    ),
    "suggestions.none": ("None yet in this time.", "In diesem Zeitraum noch keine."),
    "suggestions.how": (
        "Ask for a deadline in a project: Claude suggests it, and a person approves or rejects it.",
        "Eine Frist in einem Projekt erbitten: Claude schlägt sie vor, und ein Mensch gibt sie frei oder lehnt sie ab.",
    ),
    "suggestions.away": (
        "The practice’s database cannot be read at the moment. Reload the page in a minute.",
        "Die Datenbank der Kanzlei ist im Moment nicht lesbar. Bitte in einer Minute neu laden.",
    ),
    "suggestions.share": ("Share approved", "Anteil freigegeben"),
    "suggestions.share.of": ("of {0} decided", "von {0} entschiedenen"),
    "suggestions.share.few": (
        "too few to tell: {0} of {1} decided",
        "zu wenige für eine Aussage: {0} von {1} entschieden",
    ),
    "suggestions.apart": (
        "No criterion of whether a bigger build is worth it depends on these.",
        "Ob sich ein größerer Ausbau lohnt, hängt davon nicht ab.",
    ),
}
