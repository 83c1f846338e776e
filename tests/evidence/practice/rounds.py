"""Two later rounds of questions to the practice's tools, each written when the check had learned from those before."""

from __future__ import annotations

from collections.abc import Mapping

from tests.evidence.practice.questions import (
    ANNA,
    CLAIRE,
    DANIEL,
    FIRST,
    JONAS,
    MEHMET,
    OWNER,
    PLATE,
    SOPHIE,
    Question,
    appointments,
    court,
    due,
    project,
    rule,
    term,
)

SECOND: Mapping[str, Question] = {
    "gestern-owner-de": Question(OWNER, "Was ist gestern passiert?", [PLATE]),
    "plate-sophie-de": Question(SOPHIE, "Gib mir einen Überblick über die nächsten Tage.", [PLATE]),
    "februar-jonas-de": Question(
        JONAS,
        "Was ist im Februar los, Fristen und Termine?",
        [due(due_after="2027-02-01", due_before="2027-02-28"), appointments("2027-02-01", "2027-02-28")],
    ),
    "gegnerinnen-jonas-de": Question(JONAS, "Wer vertritt die Gegnerinnen in der Beschwerde?", [project(29)]),
    "gerichte-hamburg-de": Question(OWNER, "Welche Gerichte in Hamburg kennen wir?", [court("Hamburg")]),
    "regel-nichtigkeit-de": Question(
        MEHMET,
        "Nichtigkeitsklage am 30. November 2026 beim BPatG zugestellt: welche Fristen laufen?",
        [rule("Nichtigkeitsklage PatG", lang="de", trigger_date="2026-11-30", court="BPatG")],
    ),
    "begriff-replik-de": Question(ANNA, "Unterschied zwischen Replik und Duplik?", [term("Replik"), term("Duplik")]),
    "ostern-anna-de": Question(
        ANNA,
        "Was ist rund um Ostern fällig (22. März bis 2. April)?",
        [due(due_after="2027-03-22", due_before="2027-04-02")],
    ),
    "verteilung-mehmet-de": Question(
        MEHMET,
        "Wie viele Fristen habe ich in den nächsten zwei Wochen je Verfahren?",
        [due(due_after="2026-11-26", due_before="2026-12-10")],
    ),
    "telefonate-owner-de": Question(
        OWNER, "Welche Telefonate stehen bis Jahresende an?", [appointments("2026-11-26", "2026-12-31")]
    ),
    "this-week-daniel-en": Question(
        DANIEL,
        "What's left this week, and what comes on Monday?",
        [PLATE, due(due_after="2026-11-26", due_before="2026-11-30")],
    ),
    "nullity-silvontec-en": Question(DANIEL, "Give me a summary of the Silvontec nullity action.", [project(28)]),
    "longest-claire-en": Question(
        CLAIRE, "Which of my appointments in January is the longest?", [appointments("2027-01-01", "2027-01-31")]
    ),
    "mehmet-march-en": Question(
        MEHMET, "What's due in the first half of March?", [due(due_after="2027-03-01", due_before="2027-03-15")]
    ),
    "rule-coa-en": Question(
        CLAIRE,
        "UPC final decision served on 30 November 2026, Hamburg LD. When are appeal and grounds due?",
        [rule("final decisions", trigger_date="2026-11-30", court="Hamburg LD")],
    ),
    "court-lisbon-en": Question(OWNER, "Tell me about the Lisbon division.", [court("Lisbon")]),
    "term-optout-en": Question(DANIEL, "Explain the opt-out.", [term("opt-out", lang="en")]),
    "responsible-opposition-en": Question(
        SOPHIE, "Who is responsible for what in the Silvontec opposition?", [project(23)]
    ),
    "next-hearings-owner-en": Question(
        OWNER, "How many days until each hearing this winter?", [appointments("2026-12-01", "2027-02-15")]
    ),
    "epo-division-claire-en": Question(
        CLAIRE, "What's due at the EPO before Christmas?", [due(court="EPO", due_before="2026-12-24")]
    ),
}
"""A second round, written when the check had learned from the first one; then it learned from this one, too."""


def _again(name: str, person_asks: str) -> Question:
    """Another question to the person's same calls."""
    asked = _BEFORE[name]
    return Question(asked.person, person_asks, asked.calls)


_BEFORE: Mapping[str, Question] = {**FIRST, **SECOND}
THIRD: Mapping[str, Question] = {
    "mail-anna-de": _again("naechste-woche-anna-de", "Schreib mir zwei, drei Sätze zur nächsten Woche für das Team."),
    "kritisch-jonas-de": _again("beschwerdekammer-jonas-de", "Was ist in der Beschwerde am kritischsten?"),
    "reise-owner-de": _again(
        "verhandlungen-owner-de", "In welche Städte muss in den nächsten drei Monaten jemand reisen?"
    ),
    "alter-owner-de": _again("freigaben-owner-de", "Wie lange liegen die Freigaben schon?"),
    "gewicht-sophie-de": _again("dezember-sophie-de", "In welcher Dezemberwoche habe ich am meisten zu tun?"),
    "abstand-mehmet-de": _again(
        "erste-letzte-mehmet-de", "Wie viel Zeit liegt zwischen der Duplik und dem Antrag auf Simultanübersetzung?"
    ),
    "fruehjahr-jonas-de": _again("termine-jonas-de", "Welche Termine davon sind 2027, und wo?"),
    "doppelt-anna-de": _again("mandantin-lumeoant-de", "An welchen Tagen ist für Lumeoant mehr als eine Frist?"),
    "beklagte-anna-de": _again("pruefe-frist-anna-de", "Gib mir die Eckdaten der Verletzungsklage in Mailand."),
    "grund-jonas-de": _again(
        "regel-berufung-de",
        "Zustellung am 20. November 2026: Erklär mir die Berechnung der Berufungsfrist Schritt für Schritt.",
    ),
    "worst-daniel-en": _again("overdue-daniel-en", "Which overdue deadline worries you most?"),
    "email-claire-en": _again("hamburg-claire-en", "Draft two lines to the client about what is coming in Hamburg."),
    "load-daniel-en": _again("january-daniel-en", "Which proceedings keep me busy in early January?"),
    "busy-owner-en": _again("count-owner-en", "What does the first week of December look like by day?"),
    "travel-daniel-en": _again("appointments-daniel-en", "How many hours of hearings do I have by the end of January?"),
    "gap-claire-en": _again(
        "rule-preliminary-objection-en",
        "Served on 26 November 2026: how many days do we have for the preliminary objection?",
    ),
    "difference-daniel-en": _again(
        "rule-epo-appeal-en", "Notified on 2 November 2026: how far apart are the two EPO dates?"
    ),
    "fees-owner-en": _again("search-renewal-en", "Which matters have two renewal deadlines, and when is the last one?"),
    "silvontec-mail-en": _again("client-silvontec-en", "Summarise Silvontec for a status call, briefly."),
    "decided-claire-en": _again(
        "case-law-security-en", "When was the security decision handed down, and for how much?"
    ),
}
"""A third round, written when the check had learned from the first two; nothing has been learned from this one."""

ROUNDS: Mapping[str, Mapping[str, Question]] = {"first": FIRST, "second": SECOND, "third": THIRD}
QUESTIONS: Mapping[str, Question] = {**FIRST, **SECOND, **THIRD}
