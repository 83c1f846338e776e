"""What is asked, by whom, and which calls a good model makes for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Calls = Sequence[tuple[str, Mapping[str, Any]]]


@dataclass(frozen=True, slots=True)
class Question:
    """A person's question and its calls (a tool's name, its arguments), in their order."""

    person: str
    text: str
    calls: Calls


ANNA, JONAS, CLAIRE = "anna-lindner", "jonas-ackerbrandt", "claire-whitmere"
MEHMET, SOPHIE, DANIEL, OWNER = "mehmet-aydinsoy", "sophie-kellmark", "daniel-okaforde", "owner"

PLATE = ("whats_on_my_plate", {})
PROJECTS = ("list_my_projects", {})
APPROVALS = ("list_my_pending_approvals", {})


def _due(**given: Any) -> tuple[str, Mapping[str, Any]]:
    return "search_my_deadlines", given


def _project(number: int) -> tuple[str, Mapping[str, Any]]:
    return "get_project_detail", {"project_id": f"demo-project-{number}"}


def _appointments(start: str, end: str, **given: Any) -> tuple[str, Mapping[str, Any]]:
    return "list_my_appointments", {"from": start, "to": end, **given}


def _court(q: str) -> tuple[str, Mapping[str, Any]]:
    return "lookup_court", {"q": q}


def _term(q: str, **given: Any) -> tuple[str, Mapping[str, Any]]:
    return "lookup_glossary_term", {"q": q, **given}


def _rule(q: str, **given: Any) -> tuple[str, Mapping[str, Any]]:
    return "lookup_deadline_rule", {"q": q, **given}


def _cases(q: str, **given: Any) -> tuple[str, Mapping[str, Any]]:
    return "search_case_law", {"q": q, **given}


GERMAN: Mapping[str, Question] = {
    "plate-anna-de": Question(ANNA, "Was liegt bei mir an?", [PLATE]),
    "heute-jonas-de": Question(JONAS, "Was ist heute fällig?", [_due(due_after="2026-11-26", due_before="2026-11-26")]),
    "woche-mehmet-de": Question(
        MEHMET, "Was muss ich diese Woche noch erledigen?", [PLATE, _due(due_before="2026-11-29")]
    ),
    "ueberfaellig-owner-de": Question(OWNER, "Welche Fristen sind überfällig?", [_due(due_before="2026-11-25")]),
    "naechste-woche-anna-de": Question(
        ANNA,
        "Wie sieht die nächste Woche aus?",
        [_due(due_after="2026-11-30", due_before="2026-12-06"), _appointments("2026-11-30", "2026-12-06")],
    ),
    "akten-jonas-de": Question(JONAS, "Welche Akten habe ich gerade?", [PROJECTS]),
    "stand-iskandlyn-de": Question(
        ANNA, "Wie ist der Stand in der Nichtigkeitsklage gegen Iskandlyn?", [PROJECTS, _project(22)]
    ),
    "parteien-helmarora-de": Question(
        MEHMET,
        "Wer steht im Verfahren gegen Helmarora auf der Gegenseite, und welches Aktenzeichen hat es?",
        [_project(19)],
    ),
    "geschlossen-mehmet-de": Question(
        MEHMET,
        "Welche meiner Verfahren sind abgeschlossen?",
        [("list_my_projects", {"status": "closed"}), _project(27)],
    ),
    "beschwerdekammer-jonas-de": Question(
        JONAS,
        "Welche Fristen habe ich bei der Beschwerdekammer bis Weihnachten?",
        [_due(court="EPO BoA", due_before="2026-12-24")],
    ),
    "mannheim-owner-de": Question(
        OWNER, "Was ist bei der Lokalkammer Mannheim als Nächstes fällig?", [_due(court="Mannheim LD", limit=8)]
    ),
    "termine-jonas-de": Question(
        JONAS, "Welche Termine habe ich bis Ende März?", [_appointments("2026-11-26", "2027-03-31")]
    ),
    "januar-anna-de": Question(ANNA, "Termine im Januar?", [_appointments("2027-01-01", "2027-01-31")]),
    "verhandlungen-owner-de": Question(
        OWNER, "Wann sind in den nächsten drei Monaten Verhandlungen?", [_appointments("2026-11-26", "2027-02-26")]
    ),
    "freigaben-owner-de": Question(OWNER, "Was wartet auf Freigabe?", [APPROVALS]),
    "freigaben-jonas-de": Question(JONAS, "Muss ich etwas freigeben?", [APPROVALS]),
    "adresse-mannheim-de": Question(JONAS, "Wie lautet die Adresse der Lokalkammer Mannheim?", [_court("Mannheim LD")]),
    "ferien-epg-de": Question(ANNA, "Wann hat das Berufungsgericht des EPG Gerichtsferien?", [_court("UPC CoA")]),
    "begriff-duplik-de": Question(SOPHIE, "Was ist eine Duplik?", [_term("Duplik", lang="de")]),
    "begriff-notfrist-de": Question(
        JONAS, "Erklär mir, was eine Notfrist ist und wie sie auf Englisch heißt.", [_term("Notfrist")]
    ),
    "regel-klageerwiderung-de": Question(
        ANNA,
        "Die Klage wurde am 3. Dezember 2026 zugestellt, Lokalkammer München. Bis wann muss die Klageerwiderung da sein?",
        [_rule("Klageerwiderung", lang="de", trigger_date="2026-12-03", court="Munich LD")],
    ),
    "regel-berufung-de": Question(
        JONAS,
        "Urteil des LG Düsseldorf am 20. November 2026 zugestellt: wann enden Berufungs- und Begründungsfrist?",
        [_rule("Berufung ZPO", lang="de", trigger_date="2026-11-20", court="OLG Düsseldorf")],
    ),
    "regel-einspruch-epa-de": Question(
        SOPHIE, "Wie lange ist die Einspruchsfrist beim EPA?", [_rule("epo-opposition", lang="de")]
    ),
    "rechtsprechung-dringlichkeit-de": Question(
        ANNA, "Gibt es Entscheidungen zur Dringlichkeit bei einstweiligen Maßnahmen?", [_cases("Dringlichkeit")]
    ),
    "rechtsprechung-aequivalenz-de": Question(
        JONAS, "Was sagt die Rechtsprechung zur Äquivalenz seit 2025?", [_cases("Äquivalenz", since="2025-01-01")]
    ),
    "dezember-sophie-de": Question(
        SOPHIE,
        "Wie viele Fristen habe ich im Dezember, und wie verteilen sie sich?",
        [_due(due_after="2026-12-01", due_before="2026-12-31")],
    ),
    "erste-letzte-mehmet-de": Question(
        MEHMET,
        "Was ist in der Sache Wechselrichter die erste und die letzte offene Frist?",
        [_due(project_id="demo-project-10")],
    ),
    "mandantin-lumeoant-de": Question(
        ANNA,
        "Was steht für Lumeoant bis Mitte Dezember an? Bitte als Tabelle.",
        [_due(project_id="demo-project-1", due_before="2026-12-15")],
    ),
    "erledigt-sophie-de": Question(
        SOPHIE,
        "Was habe ich im November schon erledigt?",
        [_due(status="done", due_after="2026-11-01", due_before="2026-11-30")],
    ),
    "pruefe-frist-anna-de": Question(
        ANNA,
        "Die Klageerwiderung in Lumeoant gegen Kestrevik vor dem EPG: Bis wann, wenn am 12. November 2026 zugestellt wurde? "
        "Und was steht in der Akte?",
        [_project(30), _rule("Klageerwiderung", lang="de", trigger_date="2026-11-12", court="Düsseldorf LD")],
    ),
}

ENGLISH: Mapping[str, Question] = {
    "plate-claire-en": Question(CLAIRE, "What's on my plate?", [PLATE]),
    "today-owner-en": Question(
        OWNER, "What is due today, across the practice?", [PLATE, _due(due_after="2026-11-26", due_before="2026-11-26")]
    ),
    "overdue-daniel-en": Question(DANIEL, "Which of my deadlines are overdue?", [_due(due_before="2026-11-25")]),
    "tomorrow-claire-en": Question(
        CLAIRE, "Anything due tomorrow or on Monday?", [_due(due_after="2026-11-27", due_before="2026-11-30")]
    ),
    "projects-claire-en": Question(CLAIRE, "List my active matters and proceedings.", [PROJECTS]),
    "clients-owner-en": Question(OWNER, "Which clients do we have?", [("list_my_projects", {"kind": "client"})]),
    "opposition-elvestora-en": Question(CLAIRE, "Where do we stand in the Elvestora opposition?", [_project(25)]),
    "units-antibody-en": Question(
        DANIEL, "Who has access to the antibody matter, and what is due there?", [_project(9)]
    ),
    "hamburg-claire-en": Question(
        CLAIRE,
        "What's due in the Hamburg infringement action before the end of the year?",
        [_due(project_id="demo-project-18", due_before="2026-12-31")],
    ),
    "upc-daniel-en": Question(
        DANIEL, "My next five UPC deadlines in Silvontec v Pelagois?", [_due(project_id="demo-project-21", limit=5)]
    ),
    "appointments-daniel-en": Question(
        DANIEL, "Which appointments do I have in the next two months?", [_appointments("2026-11-26", "2027-01-26")]
    ),
    "hearing-mannheim-en": Question(
        OWNER,
        "When is the Mannheim hearing, and how long does it last?",
        [_appointments("2026-12-20", "2027-01-10"), _project(19)],
    ),
    "free-claire-en": Question(
        CLAIRE,
        "Am I free on 7 December, and is anything due that day?",
        [_appointments("2026-12-07", "2026-12-07"), _due(due_after="2026-12-07", due_before="2026-12-07")],
    ),
    "approvals-daniel-en": Question(DANIEL, "Is anything waiting for my approval?", [APPROVALS]),
    "approvals-owner-en": Question(OWNER, "Who asked for approvals, and which one is the oldest?", [APPROVALS]),
    "court-paris-en": Question(CLAIRE, "Address and languages of the Paris local division?", [_court("Paris LD")]),
    "courts-munich-en": Question(DANIEL, "Which courts and offices are in Munich?", [_court("Munich")]),
    "term-equivalence-en": Question(CLAIRE, "What does Äquivalenz mean?", [_term("Äquivalenz", lang="en")]),
    "term-security-en": Question(
        DANIEL, "How do I say 'security for costs' in German, and what is it?", [_term("security for costs")]
    ),
    "rule-preliminary-objection-en": Question(
        CLAIRE,
        "Statement of claim served on 26 November 2026, Hamburg LD. When is the preliminary objection due?",
        [_rule("preliminary objection", trigger_date="2026-11-26", court="Hamburg LD")],
    ),
    "rule-epo-appeal-en": Question(
        DANIEL,
        "Decision of the opposition division notified on 2 November 2026: appeal and grounds due when?",
        [
            _rule("epo-notice-of-appeal", trigger_date="2026-11-02"),
            _rule("epo-grounds-of-appeal", trigger_date="2026-11-02"),
        ],
    ),
    "rule-no-date-en": Question(
        OWNER, "How long do we have for a rejoinder in a UPC revocation action?", [_rule("rejoinder revocation")]
    ),
    "case-law-security-en": Question(CLAIRE, "Any decisions on security for costs?", [_cases("security costs")]),
    "case-law-combined-en": Question(
        DANIEL,
        "What is urgency, and is there case law on it?",
        [_term("provisional measures", lang="en"), _cases("urgency")],
    ),
    "count-owner-en": Question(
        OWNER,
        "How many deadlines fall into the first week of December compared with the second?",
        [_due(due_after="2026-11-30", due_before="2026-12-06"), _due(due_after="2026-12-07", due_before="2026-12-13")],
    ),
    "january-daniel-en": Question(
        DANIEL,
        "What does the first half of January look like? As a table, please.",
        [_due(due_after="2027-01-01", due_before="2027-01-15")],
    ),
    "client-silvontec-en": Question(
        DANIEL,
        "What is coming up for Silvontec this side of 11 December?",
        [_due(project_id="demo-project-6", due_before="2026-12-11")],
    ),
    "done-claire-en": Question(
        CLAIRE,
        "What did we finish in the second half of November?",
        [_due(status="done", due_after="2026-11-16", due_before="2026-11-30")],
    ),
    "search-renewal-en": Question(
        OWNER, "Any renewal fees coming up?", [_due(q="renewal fee"), _due(q="Jahresgebühr")]
    ),
    "check-rule-claire-en": Question(
        CLAIRE,
        "Check our grounds of appeal in the Elvestora opposition if the decision is notified on 4 January 2027.",
        [_due(project_id="demo-project-25", q="appeal"), _rule("epo-grounds-of-appeal", trigger_date="2027-01-04")],
    ),
}

SECOND: Mapping[str, Question] = {
    "gestern-owner-de": Question(OWNER, "Was ist gestern passiert?", [PLATE]),
    "plate-sophie-de": Question(SOPHIE, "Gib mir einen Überblick über die nächsten Tage.", [PLATE]),
    "februar-jonas-de": Question(
        JONAS,
        "Was ist im Februar los, Fristen und Termine?",
        [_due(due_after="2027-02-01", due_before="2027-02-28"), _appointments("2027-02-01", "2027-02-28")],
    ),
    "gegnerinnen-jonas-de": Question(JONAS, "Wer vertritt die Gegnerinnen in der Beschwerde?", [_project(29)]),
    "gerichte-hamburg-de": Question(OWNER, "Welche Gerichte in Hamburg kennen wir?", [_court("Hamburg")]),
    "regel-nichtigkeit-de": Question(
        MEHMET,
        "Nichtigkeitsklage am 30. November 2026 beim BPatG zugestellt: welche Fristen laufen?",
        [_rule("Nichtigkeitsklage PatG", lang="de", trigger_date="2026-11-30", court="BPatG")],
    ),
    "begriff-replik-de": Question(ANNA, "Unterschied zwischen Replik und Duplik?", [_term("Replik"), _term("Duplik")]),
    "ostern-anna-de": Question(
        ANNA,
        "Was ist rund um Ostern fällig (22. März bis 2. April)?",
        [_due(due_after="2027-03-22", due_before="2027-04-02")],
    ),
    "verteilung-mehmet-de": Question(
        MEHMET,
        "Wie viele Fristen habe ich in den nächsten zwei Wochen je Verfahren?",
        [_due(due_after="2026-11-26", due_before="2026-12-10")],
    ),
    "telefonate-owner-de": Question(
        OWNER, "Welche Telefonate stehen bis Jahresende an?", [_appointments("2026-11-26", "2026-12-31")]
    ),
    "this-week-daniel-en": Question(DANIEL, "What's left this week, and what comes on Monday?", [
        PLATE, _due(due_after="2026-11-26", due_before="2026-11-30")]),
    "nullity-silvontec-en": Question(DANIEL, "Give me a summary of the Silvontec nullity action.", [_project(28)]),
    "longest-claire-en": Question(
        CLAIRE, "Which of my appointments in January is the longest?", [_appointments("2027-01-01", "2027-01-31")]
    ),
    "mehmet-march-en": Question(
        MEHMET, "What's due in the first half of March?", [_due(due_after="2027-03-01", due_before="2027-03-15")]
    ),
    "rule-coa-en": Question(
        CLAIRE,
        "UPC final decision served on 30 November 2026, Hamburg LD. When are appeal and grounds due?",
        [_rule("final decisions", trigger_date="2026-11-30", court="Hamburg LD")],
    ),
    "court-lisbon-en": Question(OWNER, "Tell me about the Lisbon division.", [_court("Lisbon")]),
    "term-optout-en": Question(DANIEL, "Explain the opt-out.", [_term("opt-out", lang="en")]),
    "responsible-opposition-en": Question(
        SOPHIE, "Who is responsible for what in the Silvontec opposition?", [_project(23)]
    ),
    "next-hearings-owner-en": Question(
        OWNER, "How many days until each hearing this winter?", [_appointments("2026-12-01", "2027-02-15")]
    ),
    "epo-division-claire-en": Question(
        CLAIRE, "What's due at the EPO before Christmas?", [_due(court="EPO", due_before="2026-12-24")]
    ),
}
"""A second round, written when the check had learned from the first one; then it learned from this one, too."""


def _again(name: str, person_asks: str) -> Question:
    """Another question to the person's same calls."""
    asked = QUESTIONS_BEFORE[name]
    return Question(asked.person, person_asks, asked.calls)


QUESTIONS_BEFORE: Mapping[str, Question] = {**GERMAN, **ENGLISH, **SECOND}
THIRD: Mapping[str, Question] = {
    "mail-anna-de": _again("naechste-woche-anna-de", "Schreib mir zwei, drei Sätze zur nächsten Woche für das Team."),
    "kritisch-jonas-de": _again("beschwerdekammer-jonas-de", "Was ist in der Beschwerde am kritischsten?"),
    "reise-owner-de": _again("verhandlungen-owner-de", "In welche Städte muss in den nächsten drei Monaten jemand reisen?"),
    "alter-owner-de": _again("freigaben-owner-de", "Wie lange liegen die Freigaben schon?"),
    "gewicht-sophie-de": _again("dezember-sophie-de", "In welcher Dezemberwoche habe ich am meisten zu tun?"),
    "abstand-mehmet-de": _again("erste-letzte-mehmet-de", "Wie viel Zeit liegt zwischen der Duplik und dem Antrag auf Simultanübersetzung?"),
    "fruehjahr-jonas-de": _again("termine-jonas-de", "Welche Termine davon sind 2027, und wo?"),
    "doppelt-anna-de": _again("mandantin-lumeoant-de", "An welchen Tagen ist für Lumeoant mehr als eine Frist?"),
    "beklagte-anna-de": _again("pruefe-frist-anna-de", "Gib mir die Eckdaten der Verletzungsklage in Mailand."),
    "grund-jonas-de": _again("regel-berufung-de", "Zustellung am 20. November 2026: Erklär mir die Berechnung der Berufungsfrist Schritt für Schritt."),
    "worst-daniel-en": _again("overdue-daniel-en", "Which overdue deadline worries you most?"),
    "email-claire-en": _again("hamburg-claire-en", "Draft two lines to the client about what is coming in Hamburg."),
    "load-daniel-en": _again("january-daniel-en", "Which proceedings keep me busy in early January?"),
    "busy-owner-en": _again("count-owner-en", "What does the first week of December look like by day?"),
    "travel-daniel-en": _again("appointments-daniel-en", "How many hours of hearings do I have by the end of January?"),
    "gap-claire-en": _again("rule-preliminary-objection-en", "Served on 26 November 2026: how many days do we have for the preliminary objection?"),
    "difference-daniel-en": _again("rule-epo-appeal-en", "Notified on 2 November 2026: how far apart are the two EPO dates?"),
    "fees-owner-en": _again("search-renewal-en", "Which matters have two renewal deadlines, and when is the last one?"),
    "silvontec-mail-en": _again("client-silvontec-en", "Summarise Silvontec for a status call, briefly."),
    "decided-claire-en": _again("case-law-security-en", "When was the security decision handed down, and for how much?"),
}
"""A third round, written when the check had learned from the first two; nothing has been learned from this one."""

QUESTIONS: Mapping[str, Question] = {**QUESTIONS_BEFORE, **THIRD}
