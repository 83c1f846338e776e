"""The dashboard's texts about an answer's facts, in English and German.

None of them calls a fact wrong: it was not found in anything that Claude looked up.
"""

from __future__ import annotations

from collections.abc import Mapping

CLAIM_TEXTS: Mapping[str, tuple[str, str]] = {  # English, German; {0} is the first value
    "facts": ("Facts", "Angaben"),
    "unsupported": ("Answers with facts not found", "Antworten mit nicht gefundenen Angaben"),
    "unsupported.of": ("{0} of {1}", "{0} von {1}"),
    "unsupported.title": (
        "Facts not found in anything Claude looked up",
        "Angaben, die in nichts stehen, was Claude nachgeschlagen hat",
    ),
    "unsupported.note": (
        "{0} of {1} answers that had something to check, {2} of {3} facts.",
        "{0} von {1} Antworten mit etwas zu prüfen, {2} von {3} Angaben.",
    ),
    "unsupported.caution": (
        "What was not found may be right all the same: Claude may have known it.",
        "Was nicht gefunden wurde, kann trotzdem stimmen: Claude kann es gewusst haben.",
    ),
    "unsupported.none": ("No answer here had something to check.", "Keine Antwort hier hatte etwas zu prüfen."),
    "unsupported.legend": ("facts not found", "Angaben nicht gefunden"),
    "unsupported.found": ("all found", "alle gefunden"),
    "unsupported.unchecked": ("nothing to check", "nichts zu prüfen"),
    "unsupported.worst": ("Most facts not found", "Meiste nicht gefundene Angaben"),
    "unsupported.some": ("{0} of {1} facts not found", "{0} von {1} Angaben nicht gefunden"),
    "checked": ("Checked", "Geprüft"),
    "not_found.head": ("Not found", "Nicht gefunden"),
    "unsupported_rate": (
        "Share with facts not found in anything Claude looked up",
        "Anteil mit Angaben, die in nichts stehen, was Claude nachgeschlagen hat",
    ),
    "flag.checked": ("had something to check", "mit etwas zu prüfen"),
    "sort.unsupported": ("most facts not found first", "meiste nicht gefundene zuerst"),
    # all facts of an answer in one word
    "verdict": ("Facts", "Angaben"),
    "verdict.supported": ("all found", "alle gefunden"),
    "verdict.unsupported": ("some not found", "nicht alle gefunden"),
    "verdict.nothing_to_check": ("nothing to check", "nichts zu prüfen"),
    "verdict.unknown": ("not all can be checked", "nicht alle prüfbar"),
    "verdict.none": ("not checked", "nicht geprüft"),
    # the facts of one answer
    "counted": ("{0} facts: {1}", "{0} Angaben: {1}"),
    "counted.one": ("{0} fact: {1}", "{0} Angabe: {1}"),
    "count.found": ("{0} found", "{0} gefunden"),
    "count.given": ("{0} from the question or the page", "{0} aus der Frage oder von der Seite"),
    "count.derived": ("{0} derived", "{0} abgeleitet"),
    "count.unsupported": (
        "{0} not found in anything Claude looked up",
        "{0} nicht gefunden in dem, was Claude nachgeschlagen hat",
    ),
    "count.unknown": (
        "{0} that cannot be checked, as a result was cut or is no longer kept",
        "{0} nicht prüfbar, da ein Ergebnis gekürzt wurde oder nicht mehr aufbewahrt wird",
    ),
    "status.found": ("found", "gefunden"),
    "status.given": ("given", "vorgegeben"),
    "status.derived": ("derived", "abgeleitet"),
    "status.unsupported": ("not found", "nicht gefunden"),
    "status.unknown": ("cannot be checked", "nicht prüfbar"),
    "rule.count": ("by counting", "durch Zählen"),
    "rule.sum": ("by adding", "durch Addieren"),
    "rule.difference": ("by subtracting", "als Differenz"),
    "rule.days": ("as days between dates", "als Abstand zweier Tage"),
    "rule.rounded": ("by rounding", "durch Runden"),
    "rule.share": ("as a share", "als Anteil"),
    "rule.searched": ("as how far it was searched", "als Ende der Suche"),
    "source.line": ("line {0}", "Zeile {0}"),
    "source.call": ("a tool", "ein Werkzeug"),
    "source.question": ("the question", "die Frage"),
    "source.context": ("the page", "die Seite"),
    "source.answer": ("not found itself", "selbst nicht gefunden"),
    "source.earlier": ("an earlier turn", "eine frühere Anfrage"),
    "facts.gone": (
        "Which facts these are stood in the turn's folder, which is not here (any more).",
        "Welche Angaben das sind, stand im Ordner der Anfrage, der nicht (mehr) hier ist.",
    ),
    "more": ("and {0} more", "und {0} weitere"),
    # its account of its tools
    "differences": ("Differences", "Unterschiede"),
    "difference.not_run": ("{0}: named, but did not run", "{0}: genannt, lief aber nicht"),
    "difference.not_named": ("{0}: ran, but is not named", "{0}: lief, wird aber nicht genannt"),
    "difference.rows_unclear": (
        "the numbers of rows that are named cannot be matched with the tools",
        "die genannten Zeilenzahlen lassen sich den Werkzeugen nicht zuordnen",
    ),
    "difference.rows": ("{0}: {1} rows named, {2} returned", "{0}: {1} Zeilen genannt, {2} zurückgegeben"),
}
