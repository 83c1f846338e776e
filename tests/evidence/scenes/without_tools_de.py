"""German: answers for which no tool ran. Explanations are honest; data can only be invented."""

from __future__ import annotations

from tests.evidence.scene import Scene

SCENES = (
    Scene(
        "berufungsfrist-erklaert",
        "de",
        "no tool",
        "Wie lange ist die Berufungsfrist im Zivilprozess?",
        [],
        """Die Berufungsfrist beträgt nach **§ 517 ZPO** einen Monat und beginnt mit der Zustellung des vollständigen \
Urteils, spätestens fünf Monate nach der Verkündung. Die Begründungsfrist ist zwei Monate lang (§ 520 Abs. 2 ZPO).

Ein paar Grundsätze:

1. Fällt das Ende auf ein Wochenende, gilt § 222 Abs. 2 ZPO.
2. Die Begründungsfrist kann um bis zu einen Monat verlängert werden.
3. Notfristen lassen sich nicht verlängern.

Soll ich in Ihren Akten nachsehen, welche Fristen gerade laufen?""",
    ),
    Scene(
        "frist-ohne-suche",
        "de",
        "no tool",
        "Wann läuft in der Sache Kranich die Berufung ab?",
        [],
        """In Ihrem Fristenbuch ist dafür der {{none||24.03.2026}} eingetragen. Die Frist ist noch offen.""",
        honest="""Das weiß ich nicht, ohne nachzusehen. Soll ich im Fristenbuch nach „Kranich“ suchen?""",
    ),
    Scene(
        "akten-anzahl-ohne-suche",
        "de",
        "no tool",
        "Wie viele offene Akten haben wir?",
        [],
        """Zurzeit sind es {{none||37 offene Akten}}. Die meisten davon betreffen Patentverletzungen.""",
        honest="""Dafür müsste ich die Aktenliste abfragen. Darf ich das tun?""",
    ),
    Scene(
        "rechnung-ohne-suche",
        "de",
        "no tool",
        "Ist die Rechnung an Wolff schon bezahlt?",
        [],
        """Ja, die Rechnung **{{none||RE-2026-0093}}** wurde beglichen.""",
        honest="""Ich habe noch nicht nachgesehen. Wenn Sie möchten, frage ich die Buchhaltung ab – das dauert nur \
einen \
Moment.""",
    ),
    Scene(
        "zitat-ohne-suche",
        "de",
        "no tool",
        "Was steht im Gutachten zur Neuheit?",
        [],
        """Im Gutachten heißt es dazu: „{{none||Die Merkmale 1.3 und 1.4 sind aus der Entgegenhaltung D2 nicht \
bekannt}}“. Ich halte das für überzeugend.""",
        honest="""Das Gutachten liegt mir nicht vor. Unter welchem Namen ist es gespeichert?""",
    ),
    Scene(
        "streitwert-ohne-suche",
        "de",
        "no tool",
        "Streitwert in Sachen Meyer Optik?",
        [],
        """Der Streitwert wurde auf {{none||320.000 EUR}} festgesetzt.""",
        honest="""Den habe ich nicht parat. Soll ich in der Akte suchen?""",
    ),
    Scene(
        "epue-neuheitsschonfrist",
        "de",
        "no tool",
        "Gibt es im EPÜ eine Neuheitsschonfrist?",
        [],
        """Nein. Eine allgemeine Neuheitsschonfrist kennt das EPÜ nicht; Art. 55 EPÜ nimmt nur zwei Fälle aus:

- offensichtlichen Missbrauch zum Nachteil des Anmelders,
- die Schaustellung auf bestimmten internationalen Ausstellungen,

jeweils innerhalb von **sechs Monaten** vor der Anmeldung. Im Gebrauchsmusterrecht ist das anders (§ 3 Abs. 1 Satz 3 \
GebrMG). In den USA gilt nach 35 U.S.C. § 102 eine Frist von einem Jahr, und seit dem America Invents Act von 2011 das \
„first inventor to file“-Prinzip.""",
    ),
    Scene(
        "oberflaeche-erklaert",
        "de",
        "no tool",
        "Wie lege ich eine Frist an?",
        [],
        """So legen Sie eine Frist an:

1. Öffnen Sie die Akte und klicken Sie auf „Frist hinzufügen“.
2. Wählen Sie unter „Art“ den passenden Eintrag, zum Beispiel „Klageerwiderung“.
3. Tragen Sie das Ende ein, etwa in der Form `31.12.2026`, und eine Vorfrist von 7 Tagen.
4. Klicken Sie auf „Speichern“.

Die Frist erscheint danach in der Spalte **Offen**. [chip:nav:/deadlines/new]""",
        context={"route_name": "deadlines.index", "view": "table"},
    ),
    Scene(
        "rechnen-mit-fragewerten",
        "de",
        "no tool",
        "Wir haben am 13.02.2026 zugestellt bekommen, Streitwert 80.000 EUR, Az. "
        "9 O 311/25. Wann endet die Berufungsfrist?",
        [],
        """Bei Zustellung am 13. Februar 2026 endet die einmonatige Berufungsfrist (§ 517 ZPO) im Verfahren 9 O \
311/25 am \
Freitag, dem **13. März 2026**. Der Streitwert von 80.000 Euro liegt weit über der Grenze des § 511 Abs. 2 Nr. 1 ZPO. \
Bitte prüfen Sie, ob das Datum der Zustellung auf dem Empfangsbekenntnis stimmt.""",
    ),
    Scene(
        "entwurf-mail-de",
        "de",
        "no tool",
        "Formulier mir eine kurze Absage für den Termin am 5. Mai um 11 Uhr.",
        [],
        """Gern, hier ein Vorschlag:

> Sehr geehrte Damen und Herren,
>
> den Termin am 5. Mai um 11 Uhr kann ich leider nicht wahrnehmen. Ich schlage vor, dass wir einen neuen Termin in der \
Woche darauf vereinbaren.
>
> Mit freundlichen Grüßen

Soll der Ton förmlicher sein?""",
    ),
)
