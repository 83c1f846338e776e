"""German: a law office; titles of deadlines, parts of file numbers, searches without a hit, calls that failed."""

from __future__ import annotations

from tests.evidence.results import bash, failed, glob, grep, mcp, read
from tests.evidence.scene import Scene
from tests.evidence.tables import psql, records

FRISTEN_HEAD = ("id", "titel", "faellig", "akte", "anwalt", "stand", "vorfrist")
FRISTEN = (
    ("DL-3088", "Klageerwiderung Moritz", "2026-02-27", "087/25", "R. Ehlers", "erledigt", "2026-02-20"),
    ("DL-3101", "Berufungsbegründung Tannhof", "2026-03-04", "112/25", "R. Ehlers", "offen", "2026-02-25"),
    ("DL-3104", "Replik Seidl ./. Porta Bau", "2026-03-06", "140/25", "S. Onken", "offen", "2026-02-27"),
    ("DL-3109", "Stellungnahme Kostenfestsetzung", "2026-03-06", "061/24", "S. Onken", "offen", "2026-03-02"),
    ("DL-3112", "Duplik Warnke", "2026-03-11", "133/25", "R. Ehlers", "offen", "2026-03-04"),
    ("DL-3120", "Einspruch Bußgeldbescheid Karl", "2026-03-16", "009/26", "M. Thiede", "offen", "2026-03-09"),
)
AKTEN_HEAD = ("akte", "mandant", "stand", "angelegt", "streitwert", "referat")
AKTEN = (
    ("AZ.12.345", "Dorfner GmbH", "offen", "12.01.2026", "18.400,00", "Bau"),
    ("AZ.12.347.2", "Dorfner GmbH", "ruhend", "03.11.2025", "6.250,00", "Miete"),
    ("AZ.12.351", "Lechner, Ruth", "offen", "29.01.2026", "42.000,00", "Erbrecht"),
    ("AZ.12.360", "Autohaus Brehm", "abgelegt", "14.07.2025", "3.120,00", "Verkehr"),
    ("AZ.13.006.1", "Dorfner GmbH", "offen", "16.02.2026", "9.800,00", "Arbeit"),
    ("AZ.13.010", "Stadtwerke Iffen", "offen", "23.02.2026", "71.300,00", "Energie"),
)
MAILS = {
    "postfach": "kanzlei",
    "mails": [
        {
            "id": "M-8790",
            "von": "Schreinerei Lohse",
            "am": "2026-02-05T08:12:00+01:00",
            "betreff": "2. Abschlagsrechnung Empfang",
            "anhang": ["AR-2-Lohse.pdf"],
            "text": "Anbei die 2. Abschlagsrechnung über 4.165,00 EUR, zahlbar bis 19.02.2026.",
        },
        {
            "id": "M-8841",
            "von": "Schreinerei Lohse",
            "am": "2026-02-24T16:47:00+01:00",
            "betreff": "AW: Restarbeiten Theke",
            "anhang": [],
            "text": "Die Blende kommt in KW 11. Die Schlussrechnung folgt danach, voraussichtlich Mitte März.",
        },
    ],
    "weitere": 0,
}
TERMINE = {
    "tag": "2026-03-05",
    "termine": [
        {"von": "09:00", "bis": "09:30", "titel": "Postrunde", "raum": "Alster", "teilnehmer": 4},
        {"von": "10:15", "bis": "11:45", "titel": "Güteverhandlung Albers", "raum": "LG, Saal 208", "teilnehmer": 2},
        {"von": "13:00", "bis": "13:45", "titel": "Erstgespräch Rauch", "raum": "Elbe", "teilnehmer": 3},
        {"von": "16:00", "bis": "17:00", "titel": "Referendarsrunde", "raum": "Alster", "teilnehmer": 6},
    ],
}
VERTRAG = """# Mietvertrag Lagerhalle Süd

Vertragsnummer: Müller-7
Vermieterin: Grundbesitz Müller KG
Mietbeginn: 01.07.2022
Feste Laufzeit bis: 30.06.2027
Kündigungsfrist: 6 Monate zum Ende der Laufzeit
Grundmiete: 1.840,00 EUR monatlich zzgl. 19 % USt
Nebenkosten: 310,00 EUR monatlich (Vorauszahlung)
Kaution: 5.520,00 EUR

## § 9 Verlängerung
Wird nicht fristgerecht gekündigt, verlängert sich das Mietverhältnis um jeweils zwei Jahre."""

SCENES = (
    Scene(
        "later-special-fristen-woche-de",
        "de",
        "mcp json rows",
        "was läuft diese woche ab?",
        [mcp("frist__liste", {"ab": "2026-02-25"}, {"fristen": records(FRISTEN_HEAD, FRISTEN), "gesamt": 6})],
        """Diese Woche laufen **{{cnt|drei Fristen|neun Fristen}}** ab:

- **Mi, {{date|4. März|5. März}}**: {{name|„Berufungsbegründung Tannhof“|„Berufungserwiderung Tannhof“}}, \
Akte {{file|112/25|121/25}}, Ehlers [#frist-OPEN:DL-3101]
- **Fr, 6. März**: {{name|„Replik Seidl ./. Porta Bau“|„Replik Seidl ./. Nordwerk“}}, Onken [#frist-OPEN:DL-3104]
- **Fr, 6. März**: „Stellungnahme Kostenfestsetzung“, Onken – Vorfrist ist heute [#frist-OPEN:DL-3109]

Die Klageerwiderung Moritz vom 27. Februar ist erledigt. Danach kommt erst am {{date|11. März|12. März}} die Duplik \
Warnke.""",
    ),
    Scene(
        "later-special-dorfner-akten-de",
        "de",
        "psql table",
        "Was haben wir alles für Dorfner?",
        [bash("psql kanzlei -c 'select * from akten order by akte'", psql(AKTEN_HEAD, AKTEN))],
        """Für die Dorfner GmbH gibt es {{cnt|drei Akten|elf Akten}}, zusammen \
{{amt|34.450 €|34.540 €}} Streitwert:

1. {{part|AZ.12.345|AZ.12}} (Bau): offen, 18.400 € [#akte-OPEN:AZ.12.345]
2. AZ.12.347.2 (Miete): ruht, angelegt am {{date|3.11.2025|13.11.2025}} [#akte-OPEN:AZ.12.347]
3. {{part|AZ.13.006.1|AZ.13.006}} (Arbeit): offen, 9.800 € [#akte-OPEN:AZ.13.006.1]""",
        unheld=("AZ.12.347",),
    ),
    Scene(
        "later-special-lohse-schlussrechnung-de",
        "de",
        "mcp json nested",
        "Hat Lohse die Schlussrechnung schon geschickt?",
        [
            mcp(
                "dms__suche",
                {"text": "Lohse Schlussrechnung", "nummer": "SR-2026-014"},
                {"anfrage": {"text": "Lohse Schlussrechnung", "nummer": "SR-2026-014"}, "treffer": [], "gesamt": 0},
            ),
            mcp("mail__suche", {"von": "Lohse"}, MAILS, indent=2),
        ],
        """Ja, die Schlussrechnung {{input||SR-2026-014}} ist in der Ablage. [#beleg-OPEN:SR-2026-014]

Davor kam am {{date|5. Februar|15. Februar}} die 2. Abschlagsrechnung über {{amt|4.165,00 €|4.615,00 €}}. In der Mail \
vom 24.02. schreibt Lohse noch, die Blende komme in {{num|KW 11|KW 17|KW 18}}. [#mail-OPEN:M-8841]""",
        honest="""Nein, noch nicht. In der Ablage ist keine Schlussrechnung von Lohse, und die letzte Mail vom \
24.02.2026 (16:47 Uhr) kündigt sie erst für „voraussichtlich Mitte März“ an, wenn die Blende da ist (KW 11). \
[#mail-OPEN:M-8841]

Bisher liegt nur die 2. Abschlagsrechnung über 4.165,00 € vor. [#mail-OPEN:M-8790]""",
        unheld=("SR-2026-014",),
    ),
    Scene(
        "later-special-donnerstag-termine-de",
        "de",
        "mcp json nested",
        "Donnerstag: was steht an, und wie viele Akten muss ich aus dem Archiv holen lassen?",
        [
            mcp("kalender__tag", {"tag": "2026-03-05"}, TERMINE, indent=2),
            failed(
                "mcp__archiv__bestellungen",
                {"tag": "2026-03-05"},
                "Error: Zeitüberschreitung nach 30000 ms beim Abruf von Magazin 2. Zwischenspeicher veraltet "
                "(Stand 17.02.2026 07:05): 41 Bestellungen, Bote Linie C, Sammelnummer SB-6620",
            ),
        ],
        """Am Donnerstag hast du {{cnt|vier|neun}} Termine. Der wichtigste ist {{name|„Güteverhandlung Albers“|\
„Beweisaufnahme Albers“}} um {{time|10:15|10:45}} Uhr im LG, Saal 208; nach 90 Minuten bist du fertig, \
das Erstgespräch Rauch ist erst um 13 Uhr im Raum {{name|„Elbe“|„Trave“}}.

Aus dem Archiv sind {{failed||41 Bestellungen}} vorgemerkt; die Sammelnummer ist {{failed||SB-6620}}.""",
        honest="""Am Donnerstag, 5. März, sind es vier Termine:

| Zeit | Termin | Ort |
|---|---|---|
| 9:00–9:30 | Postrunde | Alster |
| 10:15–11:45 | Güteverhandlung Albers | LG, Saal 208 |
| 13:00–13:45 | Erstgespräch Rauch | Elbe |
| 16:00–17:00 | Referendarsrunde | Alster |

Zum Archiv kann ich dir nichts sagen: Der Abruf lief in eine Zeitüberschreitung. Soll ich es noch einmal versuchen?""",
    ),
    Scene(
        "later-special-honorar-verjaehrung-de",
        "de",
        "no tool",
        "Unser Honorar gegen Pölz ist im Mai 2023 fällig geworden. Wann verjährt das und was ist noch offen?",
        [],
        """Der Anspruch verjährt mit Ablauf des {{date|31.12.2026|30.11.2026}}: drei Jahre (§ 195 BGB), gerechnet ab \
dem Schluss des Jahres 2023 (§ 199 Abs. 1 BGB). Das sind ab heute noch {{num|304 Tage|340 Tage}}.

Offen sind laut Konto noch {{none||2.180,40 €}}; die letzte Teilzahlung kam am {{none||19.09.2024}}. Die Rechnung hat \
die Nummer {{none||H-23-0588}}.""",
        honest="""Mit Ablauf des 31.12.2026: Es gilt die regelmäßige Frist von drei Jahren (§ 195 BGB), und sie \
beginnt mit dem Schluss des Jahres 2023 (§ 199 Abs. 1 BGB). Ab heute sind das noch 304 Tage.

Was offen ist, weiß ich nicht; das Konto habe ich nicht angesehen. Soll ich nachsehen?""",
    ),
    Scene(
        "later-special-lager-mietvertrag-de",
        "de",
        "file and glob",
        "wo ist der mietvertrag fürs lager und bis wann müssen wir kündigen",
        [
            glob(
                "vertraege/**/*.md",
                "/home/eva/vertraege/miete/Müller-7.md",
                "/home/eva/vertraege/miete/Bürkle-2.md",
                "/home/eva/vertraege/leasing/Öhler-11.md",
                "/home/eva/vertraege/leasing/Kopierer-3.md",
                "/home/eva/vertraege/wartung/Aufzug-1.md",
                "/home/eva/vertraege/wartung/Heizung-4.md",
            ),
            grep(
                "Lager",
                "/home/eva/vertraege/miete/Müller-7.md:1:# Mietvertrag Lagerhalle Süd",
                "/home/eva/vertraege/wartung/Heizung-4.md:12:Umfang: Büro und Lager, 3 Kessel",
            ),
            read("/home/eva/vertraege/miete/Müller-7.md", VERTRAG),
        ],
        """Hier: [{{name|Mietvertrag Lagerhalle Süd|Pachtvertrag Lagerhalle Nord}}](vertraege/miete/Müller-7.md) \
[#vertrag-OPEN:Müller-7]

Die Kündigung muss bis zum **{{date|31.12.2026|30.09.2026}}** zugehen (6 Monate vor dem \
{{date|30.06.2027|31.03.2027}}), sonst verlängert er \
sich um zwei Jahre. Wir zahlen {{amt|2.150 €|2.510 €}} netto im Monat, davon 310 € Nebenkosten.

Die Heizung im Lager hat einen eigenen Wartungsvertrag [#vertrag-OPEN:Heizung-4].""",
    ),
)
