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


def due(**given: Any) -> tuple[str, Mapping[str, Any]]:
    """Deadlines that match."""
    return "search_my_deadlines", given


def project(number: int) -> tuple[str, Mapping[str, Any]]:
    """One project."""
    return "get_project_detail", {"project_id": f"demo-project-{number}"}


def appointments(start: str, end: str, **given: Any) -> tuple[str, Mapping[str, Any]]:
    """Appointments from a day to a day."""
    return "list_my_appointments", {"from": start, "to": end, **given}


def court(q: str) -> tuple[str, Mapping[str, Any]]:
    """Courts by words."""
    return "lookup_court", {"q": q}


def term(q: str, **given: Any) -> tuple[str, Mapping[str, Any]]:
    """Terms of the glossary."""
    return "lookup_glossary_term", {"q": q, **given}


def rule(q: str, **given: Any) -> tuple[str, Mapping[str, Any]]:
    """Deadline rules."""
    return "lookup_deadline_rule", {"q": q, **given}


def cases(q: str, **given: Any) -> tuple[str, Mapping[str, Any]]:
    """Judgments."""
    return "search_case_law", {"q": q, **given}


GERMAN: Mapping[str, Question] = {
    "plate-anna-de": Question(ANNA, "Was liegt bei mir an?", [PLATE]),
    "heute-jonas-de": Question(JONAS, "Was ist heute fällig?", [due(due_after="2026-11-26", due_before="2026-11-26")]),
    "woche-mehmet-de": Question(
        MEHMET, "Was muss ich diese Woche noch erledigen?", [PLATE, due(due_before="2026-11-29")]
    ),
    "ueberfaellig-owner-de": Question(OWNER, "Welche Fristen sind überfällig?", [due(due_before="2026-11-25")]),
    "naechste-woche-anna-de": Question(
        ANNA,
        "Wie sieht die nächste Woche aus?",
        [due(due_after="2026-11-30", due_before="2026-12-06"), appointments("2026-11-30", "2026-12-06")],
    ),
    "akten-jonas-de": Question(JONAS, "Welche Akten habe ich gerade?", [PROJECTS]),
    "stand-iskandlyn-de": Question(
        ANNA, "Wie ist der Stand in der Nichtigkeitsklage gegen Iskandlyn?", [PROJECTS, project(22)]
    ),
    "parteien-helmarora-de": Question(
        MEHMET,
        "Wer steht im Verfahren gegen Helmarora auf der Gegenseite, und welches Aktenzeichen hat es?",
        [project(19)],
    ),
    "geschlossen-mehmet-de": Question(
        MEHMET,
        "Welche meiner Verfahren sind abgeschlossen?",
        [("list_my_projects", {"status": "closed"}), project(27)],
    ),
    "beschwerdekammer-jonas-de": Question(
        JONAS,
        "Welche Fristen habe ich bei der Beschwerdekammer bis Weihnachten?",
        [due(court="EPO BoA", due_before="2026-12-24")],
    ),
    "mannheim-owner-de": Question(
        OWNER, "Was ist bei der Lokalkammer Mannheim als Nächstes fällig?", [due(court="Mannheim LD", limit=8)]
    ),
    "termine-jonas-de": Question(
        JONAS, "Welche Termine habe ich bis Ende März?", [appointments("2026-11-26", "2027-03-31")]
    ),
    "januar-anna-de": Question(ANNA, "Termine im Januar?", [appointments("2027-01-01", "2027-01-31")]),
    "verhandlungen-owner-de": Question(
        OWNER, "Wann sind in den nächsten drei Monaten Verhandlungen?", [appointments("2026-11-26", "2027-02-26")]
    ),
    "freigaben-owner-de": Question(OWNER, "Was wartet auf Freigabe?", [APPROVALS]),
    "freigaben-jonas-de": Question(JONAS, "Muss ich etwas freigeben?", [APPROVALS]),
    "adresse-mannheim-de": Question(JONAS, "Wie lautet die Adresse der Lokalkammer Mannheim?", [court("Mannheim LD")]),
    "ferien-epg-de": Question(ANNA, "Wann hat das Berufungsgericht des EPG Gerichtsferien?", [court("UPC CoA")]),
    "begriff-duplik-de": Question(SOPHIE, "Was ist eine Duplik?", [term("Duplik", lang="de")]),
    "begriff-notfrist-de": Question(
        JONAS, "Erklär mir, was eine Notfrist ist und wie sie auf Englisch heißt.", [term("Notfrist")]
    ),
    "regel-klageerwiderung-de": Question(
        ANNA,
        "Die Klage wurde am 3. Dezember 2026 zugestellt, Lokalkammer München. Wann muss die Klageerwiderung da sein?",
        [rule("Klageerwiderung", lang="de", trigger_date="2026-12-03", court="Munich LD")],
    ),
    "regel-berufung-de": Question(
        JONAS,
        "Urteil des LG Düsseldorf am 20. November 2026 zugestellt: wann enden Berufungs- und Begründungsfrist?",
        [rule("Berufung ZPO", lang="de", trigger_date="2026-11-20", court="OLG Düsseldorf")],
    ),
    "regel-einspruch-epa-de": Question(
        SOPHIE, "Wie lange ist die Einspruchsfrist beim EPA?", [rule("epo-opposition", lang="de")]
    ),
    "rechtsprechung-dringlichkeit-de": Question(
        ANNA, "Gibt es Entscheidungen zur Dringlichkeit bei einstweiligen Maßnahmen?", [cases("Dringlichkeit")]
    ),
    "rechtsprechung-aequivalenz-de": Question(
        JONAS, "Was sagt die Rechtsprechung zur Äquivalenz seit 2025?", [cases("Äquivalenz", since="2025-01-01")]
    ),
    "dezember-sophie-de": Question(
        SOPHIE,
        "Wie viele Fristen habe ich im Dezember, und wie verteilen sie sich?",
        [due(due_after="2026-12-01", due_before="2026-12-31")],
    ),
    "erste-letzte-mehmet-de": Question(
        MEHMET,
        "Was ist in der Sache Wechselrichter die erste und die letzte offene Frist?",
        [due(project_id="demo-project-10")],
    ),
    "mandantin-lumeoant-de": Question(
        ANNA,
        "Was steht für Lumeoant bis Mitte Dezember an? Bitte als Tabelle.",
        [due(project_id="demo-project-1", due_before="2026-12-15")],
    ),
    "erledigt-sophie-de": Question(
        SOPHIE,
        "Was habe ich im November schon erledigt?",
        [due(status="done", due_after="2026-11-01", due_before="2026-11-30")],
    ),
    "pruefe-frist-anna-de": Question(
        ANNA,
        "Klageerwiderung Lumeoant gegen Kestrevik vor dem EPG: Bis wann, wenn am 12. November 2026 zugestellt wurde?",
        [project(30), rule("Klageerwiderung", lang="de", trigger_date="2026-11-12", court="Düsseldorf LD")],
    ),
}

ENGLISH: Mapping[str, Question] = {
    "plate-claire-en": Question(CLAIRE, "What's on my plate?", [PLATE]),
    "today-owner-en": Question(
        OWNER, "What is due today, across the practice?", [PLATE, due(due_after="2026-11-26", due_before="2026-11-26")]
    ),
    "overdue-daniel-en": Question(DANIEL, "Which of my deadlines are overdue?", [due(due_before="2026-11-25")]),
    "tomorrow-claire-en": Question(
        CLAIRE, "Anything due tomorrow or on Monday?", [due(due_after="2026-11-27", due_before="2026-11-30")]
    ),
    "projects-claire-en": Question(CLAIRE, "List my active matters and proceedings.", [PROJECTS]),
    "clients-owner-en": Question(OWNER, "Which clients do we have?", [("list_my_projects", {"kind": "client"})]),
    "opposition-elvestora-en": Question(CLAIRE, "Where do we stand in the Elvestora opposition?", [project(25)]),
    "units-antibody-en": Question(
        DANIEL, "Who has access to the antibody matter, and what is due there?", [project(9)]
    ),
    "hamburg-claire-en": Question(
        CLAIRE,
        "What's due in the Hamburg infringement action before the end of the year?",
        [due(project_id="demo-project-18", due_before="2026-12-31")],
    ),
    "upc-daniel-en": Question(
        DANIEL, "My next five UPC deadlines in Silvontec v Pelagois?", [due(project_id="demo-project-21", limit=5)]
    ),
    "appointments-daniel-en": Question(
        DANIEL, "Which appointments do I have in the next two months?", [appointments("2026-11-26", "2027-01-26")]
    ),
    "hearing-mannheim-en": Question(
        OWNER,
        "When is the Mannheim hearing, and how long does it last?",
        [appointments("2026-12-20", "2027-01-10"), project(19)],
    ),
    "free-claire-en": Question(
        CLAIRE,
        "Am I free on 7 December, and is anything due that day?",
        [appointments("2026-12-07", "2026-12-07"), due(due_after="2026-12-07", due_before="2026-12-07")],
    ),
    "approvals-daniel-en": Question(DANIEL, "Is anything waiting for my approval?", [APPROVALS]),
    "approvals-owner-en": Question(OWNER, "Who asked for approvals, and which one is the oldest?", [APPROVALS]),
    "court-paris-en": Question(CLAIRE, "Address and languages of the Paris local division?", [court("Paris LD")]),
    "courts-munich-en": Question(DANIEL, "Which courts and offices are in Munich?", [court("Munich")]),
    "term-equivalence-en": Question(CLAIRE, "What does Äquivalenz mean?", [term("Äquivalenz", lang="en")]),
    "term-security-en": Question(
        DANIEL, "How do I say 'security for costs' in German, and what is it?", [term("security for costs")]
    ),
    "rule-preliminary-objection-en": Question(
        CLAIRE,
        "Statement of claim served on 26 November 2026, Hamburg LD. When is the preliminary objection due?",
        [rule("preliminary objection", trigger_date="2026-11-26", court="Hamburg LD")],
    ),
    "rule-epo-appeal-en": Question(
        DANIEL,
        "Decision of the opposition division notified on 2 November 2026: appeal and grounds due when?",
        [
            rule("epo-notice-of-appeal", trigger_date="2026-11-02"),
            rule("epo-grounds-of-appeal", trigger_date="2026-11-02"),
        ],
    ),
    "rule-no-date-en": Question(
        OWNER, "How long do we have for a rejoinder in a UPC revocation action?", [rule("rejoinder revocation")]
    ),
    "case-law-security-en": Question(CLAIRE, "Any decisions on security for costs?", [cases("security costs")]),
    "case-law-combined-en": Question(
        DANIEL,
        "What is urgency, and is there case law on it?",
        [term("provisional measures", lang="en"), cases("urgency")],
    ),
    "count-owner-en": Question(
        OWNER,
        "How many deadlines fall into the first week of December compared with the second?",
        [due(due_after="2026-11-30", due_before="2026-12-06"), due(due_after="2026-12-07", due_before="2026-12-13")],
    ),
    "january-daniel-en": Question(
        DANIEL,
        "What does the first half of January look like? As a table, please.",
        [due(due_after="2027-01-01", due_before="2027-01-15")],
    ),
    "client-silvontec-en": Question(
        DANIEL,
        "What is coming up for Silvontec this side of 11 December?",
        [due(project_id="demo-project-6", due_before="2026-12-11")],
    ),
    "done-claire-en": Question(
        CLAIRE,
        "What did we finish in the second half of November?",
        [due(status="done", due_after="2026-11-16", due_before="2026-11-30")],
    ),
    "search-renewal-en": Question(OWNER, "Any renewal fees coming up?", [due(q="renewal fee"), due(q="Jahresgebühr")]),
    "check-rule-claire-en": Question(
        CLAIRE,
        "Check our grounds of appeal in the Elvestora opposition if the decision is notified on 4 January 2027.",
        [due(project_id="demo-project-25", q="appeal"), rule("epo-grounds-of-appeal", trigger_date="2027-01-04")],
    ),
}

FIRST: Mapping[str, Question] = {**GERMAN, **ENGLISH}
