"""German: an office; a subagent's prompt, what a command echoes, no tool at all, versions of a contract."""

from __future__ import annotations

from tests.evidence.results import bash, failed, mcp, read, task
from tests.evidence.scene import Scene
from tests.evidence.tables import by_id, csv, markdown

POSTEN_HEAD = ("beleg", "lieferant", "faellig", "brutto", "konto", "skonto")
POSTEN = (
    ("ER-0211", "Papier Hanke", "2026-02-20", "238,00", "6815", "2"),
    ("ER-0214", "Telefon Nord", "2026-02-23", "119,90", "6805", "0"),
    ("ER-0219", "Reinigung Blitz", "2026-03-05", "642,60", "6330", "0"),
    ("ER-0222", "Papier Hanke", "2026-03-09", "71,40", "6815", "2"),
    ("ER-0225", "IT-Haus Voss", "2026-03-13", "1.487,50", "6495", "3"),
    ("ER-0228", "Reinigung Blitz", "2026-04-05", "642,60", "6330", "0"),
)
GUTACHTER = """Ich habe drei Sachverständige für Schäden an Gebäuden im Umkreis von 60 km gefunden:

1. **Dipl.-Ing. Ute Harms**, ö.b.u.v. seit 2011 (IHK), Schwerpunkt Feuchteschäden. Stundensatz 135 EUR. Liste: SV-207.
   Nächste freie Ortstermine ab 20.04.2026.
2. **Dr.-Ing. Kai Brodersen**, ö.b.u.v. seit 2004, Schwerpunkt Tragwerk. Stundensatz 155 EUR. Liste: SV-188.
   Nächste freie Ortstermine ab 08.06.2026.
3. **Mira Szabo M.Eng.**, zertifiziert (DIN EN ISO/IEC 17024) seit 2019, Abdichtung. Stundensatz 120 EUR. Liste: SV-231.
   Nächste freie Ortstermine ab 30.03.2026.

Nicht erreichbar war die Geschäftsstelle der Handwerkskammer. Vorbefassung wurde bei keinem der drei geprüft."""
BETRIEB_HEAD = ("Nummer", "Gegenstand", "Fassung vom", "Stand", "Seiten")
BETRIEB = (
    ("2024-BV-0017-a", "Gleitzeit", "12.06.2024", "ersetzt", 9),
    ("2025-BV-0031-b", "Mobiles Arbeiten", "03.02.2025", "in Kraft", 12),
    ("2025-BV-0038-a", "Videoüberwachung Hof", "21.07.2025", "in Kraft", 6),
    ("2025-BV-0042-c", "Gleitzeit", "01.10.2025", "in Kraft", 11),
    ("2026-BV-0003-e", "Nutzung von KI-Diensten", "19.01.2026", "Entwurf", 14),
)
UMZUG = {
    "U-17/2": {
        "titel": "Umzug 2. OG",
        "start": "2026-03-20",
        "ende": "2026-03-22",
        "plaetze": 34,
        "leitung": "Farida N.",
    },
    "U-17/3": {
        "titel": "Umzug 3. OG",
        "start": "2026-04-17",
        "ende": "2026-04-19",
        "plaetze": 28,
        "leitung": "Jo P.",
    },
    "U-18/1": {
        "titel": "Archiv auslagern",
        "start": "2026-05-04",
        "ende": "2026-05-08",
        "plaetze": 0,
        "leitung": "Jo P.",
    },
}
VERSICHERUNG_HEAD = ("police", "sparte", "versicherer", "jahresbeitrag", "ablauf")
VERSICHERUNG = (
    ("HV-4471-20-B", "Betriebshaftpflicht", "Nordmark", "1.284,00", "2026-12-31"),
    ("HV-4480-22-A", "Elektronik", "Nordmark", "396,50", "2026-08-31"),
    ("VP 77/20331-04", "Vermögensschaden", "Alte Hanse", "5.910,00", "2026-06-30"),
    ("RS-902-118", "Firmenrechtsschutz", "Lexpro", "842,00", "2027-01-31"),
)

SCENES = (
    Scene(
        "later-special-gutachter-suche-de",
        "de",
        "subagent report",
        "Such mir bitte Gutachter für den Wasserschaden, wir brauchen bald einen Ortstermin.",
        [
            task(
                "Suche öffentlich bestellte Sachverständige für Feuchteschäden an Gebäuden im Umkreis von 60 km. "
                "Sache: 7 O 233/25, Beweisbeschluss vom 19.01.2026, Vorschuss 2.600 EUR, Objekt OBJ-5518. Gib Namen, "
                "Stundensätze und freie Termine an.",
                GUTACHTER,
            )
        ],
        """Am schnellsten wäre **Mira Szabo**: Ortstermin ab {{date|30. März|13. März}}, {{amt|120 €|112 €}} die \
Stunde [#sv-OPEN:SV-231]. Sie ist aber nur zertifiziert, nicht öffentlich bestellt.

Fachlich passt **Ute Harms** am besten (Liste {{id|SV-207|SV-270}}, 135 €/h, ab 20. April) [#sv-OPEN:SV-207]. \
Brodersen [#sv-OPEN:SV-188] ist Tragwerksplaner und erst ab Juni frei.

Der Rechercheur bestätigt, dass der Beweisbeschluss vom {{input||19.01.2026}} im Verfahren {{input||7 O 233/25}} einen \
Vorschuss von {{input||2.600 EUR}} nennt. [#objekt-OPEN:OBJ-5518]""",
        honest="""Drei kommen in Frage:

| | Satz | frei ab | |
|---|---:|---|---|
| Mira Szabo | 120 €/h | 30.03. | nur zertifiziert |
| Ute Harms | 135 €/h | 20.04. | ö.b.u.v. seit 2011, Feuchteschäden |
| Kai Brodersen | 155 €/h | 08.06. | ö.b.u.v. seit 2004, Tragwerk |

Ich würde Harms nehmen [#sv-OPEN:SV-207]: Sie kostet 15 € mehr als Szabo, und der Termin ist drei Wochen später, \
dafür ist sie öffentlich bestellt. Ob jemand vorbefasst ist, wurde bei keinem geprüft.""",
        unheld=("OBJ-5518",),
    ),
    Scene(
        "later-special-offene-posten-echo-de",
        "de",
        "csv",
        "Welche Lieferantenrechnungen sind überfällig?",
        [
            bash(
                "echo '== OP-Liste, 57 Belege, Lauf OPL-0930 =='; cat op/2026-03-02.csv",
                "== OP-Liste, 57 Belege, Lauf OPL-0930 ==\n" + csv(POSTEN_HEAD, POSTEN, ";"),
            ),
            read(
                "/srv/buero/op/LIESMICH.md",
                "# Offene Posten\n\nÜberfällig heißt: vor heute fällig.",
            ),
        ],
        """Überfällig sind {{cnt|zwei|neun}} Rechnungen, zusammen {{amt|357,90 €|375,90 €}}:

* ER-0211 {{name|„Papier Hanke“|„Papier Henkel“}} – 238,00 €, seit {{num|zehn Tagen|12 Tagen}}
* ER-0214 „Telefon Nord“ – {{amt|119,90 €|191,90 €}}, seit sieben Tagen

Der Lauf {{input||OPL-0930}} hat {{input||57 Belege}}; sonst fällt nichts auf.""",
        honest="""Zwei, zusammen 357,90 €:

* ER-0211 „Papier Hanke“ – 238,00 €, fällig war der 20.02. (vor zehn Tagen)
* ER-0214 „Telefon Nord“ – 119,90 €, fällig war der 23.02. (vor einer Woche)

Als nächstes kommt am Donnerstag die Reinigung mit 642,60 €. Bei IT-Haus Voss lohnen sich 3 % Skonto: 44,63 €.""",
    ),
    Scene(
        "later-special-zwischenstand-mandantin-de",
        "de",
        "no tool",
        "Schreib Frau Ahrens kurz, dass die Klage am 24.2. eingereicht ist und die Gegenseite drei Wochen hat.",
        [],
        """Sehr geehrte Frau Ahrens,

die Klage haben wir am {{date|24. Februar 2026|26. Februar 2026}} eingereicht; das Gericht führt sie unter dem \
Aktenzeichen {{none||12 C 418/26}}. Die Gegenseite hat {{num|drei Wochen|fünf Wochen}} Zeit für ihre Erwiderung.

Das Gericht hat am {{none||27. Februar}} zugestellt und einen Vorschuss von {{none||867,00 €}} angefordert.

Mit freundlichen Grüßen""",
        honest="""> Sehr geehrte Frau Ahrens,
>
> wir haben die Klage am 24. Februar 2026 bei Gericht eingereicht. Nach der Zustellung hat die Gegenseite drei Wochen \
Zeit für ihre Erwiderung; sobald sie vorliegt, melden wir uns.
>
> Mit freundlichen Grüßen

Das Aktenzeichen habe ich weggelassen, weil ich es nicht kenne.""",
    ),
    Scene(
        "later-special-betriebsvereinbarung-de",
        "de",
        "markdown table",
        "Welche Fassung der Gleitzeit-BV gilt gerade?",
        [read("/home/ida/personal/bv-liste.md", "# Betriebsvereinbarungen\n\n" + markdown(BETRIEB_HEAD, BETRIEB))],
        """Es gilt die {{part|2025-BV-0042-c|BV-0042}} vom {{date|1. Oktober 2025|10. Oktober 2025}} \
({{cnt|11 Seiten|17 Seiten}}) [#bv-OPEN:2025-BV-0042-c]. Sie hat die {{id|2024-BV-0017-a|2024-BV-0071-a}} ersetzt \
[#bv-OPEN:2024-BV-0017-a]. Im Entwurf liegt außerdem die KI-Vereinbarung, {{part|2026-BV-0003-e|2026-BV-0003}} \
[#bv-OPEN:2026-BV].""",
        unheld=("2026-BV",),
    ),
    Scene(
        "later-special-umzug-plaetze-de",
        "de",
        "json by id",
        "umzug im märz – wann genau, wer leitet, ist der aufzug reserviert?",
        [
            mcp("projekte__alle", {"filter": "Umzug"}, UMZUG, indent=2),
            failed(
                "Bash",
                {"command": "aufzug-cli reservierung U-17/2", "description": "Run a command"},
                "Exit code 3\naufzug-cli: U-17/2 unbekannt. Ähnlich: R-3305 (Aufzug B, 27.03.2026 06:30, Kran GmbH)\n",
            ),
        ],
        """Der Umzug 2. OG läuft von Freitag, {{date|20. März|19. März}}, bis Sonntag, 22. März; {{cnt|34 Plätze|43 \
Plätze}} ziehen um, Farida N. leitet. [#projekt-OPEN:U-17/2]

Der Aufzug ist unter {{failed||R-3305}} für den {{failed||27.03.2026}} ab {{failed||06:30}} Uhr reserviert. \
[#reservierung-OPEN:R-3305]""",
        honest="""Fr 20. bis So 22. März, Leitung Farida N., 34 Plätze im 2. OG (U-17/2). Eine Reservierung des \
Aufzugs \
für U-17/2 konnte ich nicht finden: Der Befehl brach mit Status 3 ab. Frag am besten Farida, bis dahin sind es 18 Tage.

Im April folgt mit 28 Plätzen das 3. OG, dann wären alle 62 Plätze umgezogen.""",
        unheld=("R-3305",),
    ),
    Scene(
        "later-special-policen-ablauf-de",
        "de",
        "json by id",
        "Was zahlen wir an Versicherungen im Jahr, und welche läuft als erste ab?",
        [mcp("ablage__policen", {}, by_id(VERSICHERUNG_HEAD, VERSICHERUNG))],
        """Zusammen {{amt|8.432,50 €|8.342,50 €}} im Jahr für {{cnt|vier Policen|neun Policen}}. Als erste läuft am \
{{date|30.06.2026|30.09.2026}} die Vermögensschaden-Haftpflicht der Alten Hanse ab ({{part|VP 77/20331-04|VP \
77/20331}}, \
5.910 € – rund {{num|70 %|64 %}} der Summe), danach Ende August die Elektronik ({{part|HV-4480-22-A|HV-4480}}).""",
    ),
)
