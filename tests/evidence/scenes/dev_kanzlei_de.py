"""German, for tuning: files, deadlines, letters and fees of a law firm, in many notations."""

from __future__ import annotations

from tests.evidence.results import bash, earlier, grep, mcp, read, task
from tests.evidence.scene import Scene
from tests.evidence.tables import csv, markdown, psql, records

TERMINE = (
    ("T-310", "Landgericht Hamburg, Saal B 335", "2026-03-12", "09:30", "310 O 88/25"),
    ("T-311", "Amtsgericht Altona, Saal 12", "2026-03-13", "11:15", "316 C 204/25"),
    ("T-314", "OLG Celle, Saal 153", "2026-03-24", "10:00", "13 U 41/25"),
    ("T-318", "Landgericht Hamburg, Saal A 120", "2026-04-16", "13:00", "327 O 5/26"),
)
TERMIN_HEAD = ("nr", "ort", "tag", "uhrzeit", "az")
BESCHEID = """Finanzamt Hamburg-Nord
Steuernummer 47/218/03391

Bescheid für 2024 über Einkommensteuer

Festgesetzt werden                     18.422,00 EUR
Ab Steuerabzug vom Lohn                16.905,00 EUR
Verbleibende Steuer                     1.517,00 EUR

Bitte zahlen Sie spätestens am 07.04.2026.
Der Bescheid ergeht nach § 165 Abs. 1 Satz 2 AO teilweise vorläufig.

Datum des Bescheids: 27.02.2026"""

SCENES = (
    Scene(
        "dev-termine-de",
        "de",
        "psql table",
        "Welche Gerichtstermine habe ich demnächst?",
        [bash('psql kanzlei -c "select nr, ort, tag, uhrzeit, az from termine"', psql(TERMIN_HEAD, TERMINE))],
        """Sie haben **{{cnt|vier|neun}} Termine**, davon drei im März:

1. {{date|Donnerstag, 12.03.|Mittwoch, 18.03.}}, **{{time|halb zehn|halb elf}}**: Landgericht Hamburg, Saal B 335 \
({{file|310 O 88/25|310 O 98/25}})
2. Freitag, 13.03., {{time|Viertel nach elf|Viertel vor zwölf}}: Amtsgericht Altona, Saal {{num|12|21}}
3. Dienstag, 24.03., 10 Uhr: OLG Celle, Saal 153 (13 U 41/25)

Der vierte folgt erst am {{date|16. April|23. April}} um 13 Uhr, wieder am Landgericht Hamburg, dann aber in Saal \
{{id|A 120|A 210}}.

> **Hinweis:** Die ersten beiden liegen auf aufeinanderfolgenden Tagen.""",
    ),
    Scene(
        "dev-steuerbescheid-de",
        "de",
        "read text",
        "Muss ich nachzahlen? Und kann ich noch Einspruch einlegen?",
        [read("/home/ada/steuer/bescheid-2024.txt", BESCHEID)],
        """Ja. Festgesetzt wurden {{amt|18.422 €|18.242 €}}, durch Lohnsteuer bezahlt sind {{amt|16.905 €|16.950 €}}; \
es bleiben **{{amt|1.517 €|1.571 €}}**. Zahlbar ist das bis zum {{date|7. April|9. April}}.

**Einspruch:** Der Bescheid ist vom {{date|27. Februar 2026|20. Februar 2026}}. Die Frist beträgt nach § 355 Abs. 1 \
AO einen Monat ab Bekanntgabe; bei Übermittlung durch die Post gilt er nach § 122 Abs. 2 Nr. 1 AO am vierten Tag nach \
der Aufgabe als bekannt gegeben.

Die Steuernummer ist {{file|47/218/03391|47/281/03391}}. Der Bescheid ist „{{quo|teilweise vorläufig|unter dem \
Vorbehalt der Nachprüfung}}“ ergangen.""",
    ),
    Scene(
        "dev-vergleich-de",
        "de",
        "mcp json nested",
        "Was steht in dem Vergleich zu 310 O 88/25?",
        [
            mcp(
                "akten__dokument",
                {"akte": "310 O 88/25", "art": "vergleich"},
                {
                    "dokument": {
                        "art": "Vergleichsvorschlag",
                        "vom": "2026-02-18",
                        "parteien": {"klaegerin": "Hansebau Nord GmbH", "beklagte": "Wiebke Thomsen"},
                        "punkte": [
                            "Die Beklagte zahlt an die Klägerin 24.500 EUR in fünf Raten zu je 4.900 EUR.",
                            "Die erste Rate ist am 01.05.2026 fällig, die weiteren jeweils am Ersten der Folgemonate.",
                            "Kommt die Beklagte mit einer Rate länger als 14 Tage in Rückstand, wird der Rest sofort \
fällig.",
                            "Die Kosten des Rechtsstreits tragen die Klägerin zu 30 % und die Beklagte zu 70 %.",
                        ],
                        "widerruf_bis": "2026-03-18",
                    }
                },
            )
        ],
        """Der Vergleichsvorschlag vom {{date|18.02.2026|16.02.2026}} zwischen der „{{name|Hansebau Nord \
GmbH|Hansebau Süd GmbH}}“ und Wiebke Thomsen hat {{cnt|vier|acht}} Punkte:

- **Zahlung:** {{amt|24.500 EUR|25.400 EUR}} in fünf Raten zu je {{amt|4.900 EUR|4.300 EUR}}
- **Fälligkeit:** erste Rate am 1. Mai, danach monatlich, die letzte also am {{date|1. September|1. November}}
- **Verfall:** bei mehr als {{num|14 Tagen|10 Tagen}} Rückstand
- **Kosten:** Klägerin {{num|30 %|40 %}}, Beklagte 70 %

Widerrufen werden kann er noch bis zum 18. März, also 16 Tage lang.""",
    ),
    Scene(
        "dev-klausel-auslassung-de",
        "de",
        "read text",
        "Wie ist die Kündigung im Mietvertrag geregelt? Bitte wörtlich.",
        [
            read(
                "/home/ada/akten/thomsen/mietvertrag.txt",
                "§ 11 Kündigung\n\n(1) Das Mietverhältnis kann von jeder Partei, auch wenn es erst kurze Zeit \
gedauert\n"
                "hat, mit einer Frist von sechs Monaten zum Ende eines Kalenderhalbjahres gekündigt\nwerden. (2) Die "
                "Kündigung bedarf der Schriftform; sie ist an die Anschrift zu richten,\ndie in der Anlage 3 genannt "
                "ist.\n\n§ 12 Rückgabe\n\nBei Auszug sind alle 7 Schlüssel zu übergeben.",
            )
        ],
        """Geregelt ist das in § 11 des Vertrags:

> (1) {{quo|Das Mietverhältnis kann von jeder Partei […] mit einer Frist von sechs Monaten zum Ende eines \
Kalenderhalbjahres gekündigt werden.|Das Mietverhältnis kann von jeder Partei […] mit einer Frist von drei Monaten \
zum Ende eines Kalendervierteljahres gekündigt werden.}}

Außerdem „{{quo|bedarf [sie] der Schriftform|ist [sie] per Einschreiben zuzustellen}}“, und die Anschrift steht in \
Anlage {{num|3|8}}. Ginge die Kündigung noch im März zu, endete der Vertrag also frühestens zum {{date|31. Dezember \
2026|30. November 2026}}. Nach § 12 sind dann {{num|7 Schlüssel|9 Schlüssel}} abzugeben.""",
    ),
    Scene(
        "dev-rechnungen-offen-de",
        "de",
        "csv",
        "Wer schuldet uns noch was?",
        [
            bash(
                "cat debitoren.tsv",
                csv(
                    ("Rechnung", "Mandant", "Betrag", "bezahlt", "faellig"),
                    (
                        ("2026-0113", "Thomsen", "1.190,00", "0,00", "2026-02-13"),
                        ("2026-0118", "Hansebau Nord GmbH", "3.570,00", "2.000,00", "2026-02-20"),
                        ("2026-0121", "Reederei Voss KG", "892,50", "892,50", "2026-02-27"),
                        ("2026-0125", "Thomsen", "595,00", "0,00", "2026-03-20"),
                    ),
                    "\t",
                ),
            )
        ],
        """Offen sind {{cnt|drei|sechs}} Rechnungen:

| Rechnung | Mandant | noch offen | Stand |
|---|---|---:|---|
| {{id|2026-0113|2026-0131}} | Thomsen | {{amt|1.190,00 €|1.910,00 €}} | seit 17 Tagen überfällig |
| 2026-0118 | Hansebau Nord GmbH | {{amt|1.570,00 €|1.750,00 €}} | überfällig seit {{date|20.02.|18.02.}} |
| 2026-0125 | Thomsen | 595,00 € | fällig am {{date|20.03.|25.03.}} |

Thomsen schuldet damit insgesamt {{amt|1.785 €|1.825 €}}. Die Reederei Voss hat ihre Rechnung vollständig bezahlt.""",
    ),
    Scene(
        "dev-telefonnotiz-de",
        "de",
        "read markdown",
        "Was wollte Herr Petersen nochmal?",
        [
            read(
                "/home/ada/notizen/2026-02-26.md",
                "# Telefonnotiz\n\n- Anruf: Do 26.2., 16:40, Hr. Petersen (Reederei Voss), 040 / 3197-118\n- will die "
                "Frachtpapiere bis Mitte nächster Woche\n- neue Kontonummer: DE12 5001 0517 0648 4898 90\n- „Wir \
können "
                "nicht länger als bis zum 6. März warten.“\n- Rückruf versprochen\n",
            )
        ],
        """Herr Petersen (Reederei Voss) hat am {{date|Donnerstag|Mittwoch}} um {{time|16:40 Uhr|17:20 Uhr}} \
angerufen. Er braucht die Frachtpapiere und sagte wörtlich: «{{quo|Wir können nicht länger als bis zum 6. März \
warten.|Sonst beauftragen wir eine andere Kanzlei mit der Sache.}}»

- Telefon: {{id|040 3197-118|040 3197-181}}
- neue IBAN: `{{id|DE12500105170648489890|DE12500105170648498890}}`

Sie haben ihm einen Rückruf versprochen. Bis zum {{date|6. März|13. März}} sind es noch vier Tage.""",
    ),
    Scene(
        "dev-rvg-de",
        "de",
        "mcp text",
        "Was kostet das nach RVG bei 24.500 Euro?",
        [
            mcp(
                "rechner__rvg",
                {"streitwert": 24500},
                "Streitwert: 24.500,00 EUR\n1,3 Verfahrensgebühr Nr. 3100 VV RVG: 1.211,60 EUR\n1,2 Terminsgebühr "
                "Nr. 3104 VV RVG: 1.118,40 EUR\nAuslagenpauschale Nr. 7002 VV RVG: 20,00 EUR\nZwischensumme: 2.350,00 "
                "EUR\n19 % Umsatzsteuer Nr. 7008 VV RVG: 446,50 EUR\nSumme: 2.796,50 EUR",
            )
        ],
        """Bei einem Streitwert von 24.500 € kommen **{{amt|2.796,50 €|2.976,50 €}}** brutto zusammen:

* 1,3 Verfahrensgebühr (Nr. 3100 VV RVG): {{amt|1.211,60 €|1.261,10 €}}
* {{num|1,2|1,6}} Terminsgebühr (Nr. 3104 VV RVG): 1.118,40 €
* Pauschale (Nr. 7002 VV RVG): 20 €
* Umsatzsteuer (19 %): {{amt|446,50 €|464,50 €}}

Netto sind es 2.350 €. Kommt es zum Vergleich, fällt zusätzlich eine Einigungsgebühr nach Nr. 1003 VV RVG an.""",
    ),
    Scene(
        "dev-akten-ablauf-de",
        "de",
        "mcp json rows",
        "Wie viele Akten hat jeder?",
        [
            mcp(
                "akten__liste",
                {"status": "laufend"},
                {
                    "rows": records(
                        ("akte", "bearbeiter", "angelegt", "wert"),
                        (
                            ("A-1702", "Kruse", "2025-11-04", 18000),
                            ("A-1705", "Demir", "2025-11-19", 7400),
                            ("A-1711", "Kruse", "2026-01-07", 52000),
                            ("A-1716", "Kruse", "2026-01-29", 3100),
                            ("A-1720", "Demir", "2026-02-12", 12500),
                            ("A-1723", "Wolff", "2026-02-25", 9800),
                        ),
                    ),
                    "more": 11,
                },
            )
        ],
        """In den sechs gelieferten Zeilen:

- Kruse: {{cnt|3 Akten|8 Akten}} (A-1702, A-1711, {{id|A-1716|A-1761}})
- Demir: {{cnt|2 Akten|7 Akten}}
- Wolff: 1 Akte ({{id|A-1723|A-1732}})

⚠️ Es gibt noch **elf weitere**, die ich nicht gesehen habe – insgesamt also {{cnt|17|23}}. Die wertvollste der sechs \
ist A-1711 mit {{amt|52.000|58.000}}, angelegt im {{date|Januar|Oktober}}.""",
    ),
    Scene(
        "dev-fundstellen-de",
        "de",
        "grep lines",
        "Wo wird der Gerichtsstand erwähnt?",
        [
            grep(
                "Gerichtsstand",
                "vertraege/voss.md:88:Gerichtsstand ist Hamburg.",
                "vertraege/hansebau.md:142:Ausschließlicher Gerichtsstand ist Bremen, soweit zulässig.",
                "muster/agb.md:17:## 9. Gerichtsstand",
            )
        ],
        """An {{cnt|drei|sieben}} Stellen:

1. `vertraege/voss.md`, {{line|Zeile 88|Zeile 98}}: „{{quo|Gerichtsstand ist Hamburg.|Gerichtsstand ist Lübeck.}}“
2. `{{line|vertraege/hansebau.md:142|vertraege/hansebau.md:124}}`: dort ist es Bremen, aber nur „{{quo|soweit \
zulässig|unter Kaufleuten}}“
3. `muster/agb.md:17`: nur die Überschrift (Nummer 9)

Bei Verbrauchern wäre eine solche Abrede nach § 38 ZPO ohnehin unwirksam.""",
    ),
    Scene(
        "dev-recherche-unteraufgabe-de",
        "de",
        "subagent",
        "Lass bitte mal recherchieren, ob es zu der Dachsanierung schon Gutachten gibt.",
        [
            task(
                "Suche in /home/ada/akten nach Gutachten zur Dachsanierung. Prüfe höchstens 40 Dateien.",
                "Ergebnis:\n\n1. gutachten/2025-06-dach.pdf: Dipl.-Ing. Rainer Holm, 23 Seiten, Schaden 31.800 EUR\n"
                "2. gutachten/2025-09-ergaenzung.pdf: 6 Seiten, Feuchte 18,4 %, Innentemperatur \u22122 bis 4 \
°C\n\nBeide "
                "gehören zur Akte 13 U 41/25.",
            )
        ],
        """Ja, der Unterauftrag hat {{cnt|zwei|fünf}} Gutachten gefunden, beide zur Akte {{file|13 U 41/25|13 U 14/25}}:

- **Juni 2025** – Dipl.-Ing. Rainer Holm, {{num|23 Seiten|32 Seiten}}; der Schaden wird mit {{amt|31.800 €|38.100 €}} \
beziffert
- **September 2025** – Ergänzung auf sechs Seiten: Feuchte {{num|18,4 %|14,8 %}}, innen zwischen {{num|\u22122 und 4 \
°C|\u22127 \
und 11 °C}}

Angesehen hat er {{input||40 Dateien}}.""",
        honest="""Ja, der Unterauftrag hat zwei Gutachten gefunden, beide zur Akte 13 U 41/25: eines vom Juni 2025 \
(23 Seiten, Schaden 31.800 €) und eine Ergänzung vom September (Feuchte 18,4 %, \u22122 bis 4 °C).""",
    ),
    Scene(
        "dev-kalenderwoche-de",
        "de",
        "earlier turn",
        "In welcher Woche liegen die ersten beiden Termine?",
        [earlier(mcp("kalender__termine", {}, markdown(TERMIN_HEAD, TERMINE)))],
        """Beide liegen in **KW {{num|11|14}}**, am Donnerstag und Freitag ({{date|12.–13. März|19.–20. März}}). \
Zwischen dem zweiten und dem Termin in Celle liegen {{num|11 Tage|17 Tage}}.""",
    ),
)
