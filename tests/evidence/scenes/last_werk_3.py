"""German: error reports, a backup, a CSV export; meters, a survey, training."""

from __future__ import annotations

from tests.evidence.results import bash, mcp, read
from tests.evidence.scene import Scene
from tests.evidence.tables import csv, records

FEHLER_HEAD = ("id", "title", "culprit", "level", "count", "userCount", "firstSeen", "lastSeen", "release")
FEHLER = (
    (
        "KASSE-4T2",
        "KeyError: 'lieferadresse'",
        "kasse.versand in etikett_drucken",
        "error",
        1843,
        212,
        "2026-02-25T09:12:44Z",
        "2026-03-02T07:58:10Z",
        "kasse@8.14.0",
    ),
    (
        "KASSE-4RN",
        "TimeoutError: PayGate antwortet nicht",
        "kasse.zahlung in autorisieren",
        "error",
        377,
        341,
        "2026-01-14T17:40:02Z",
        "2026-03-01T18:20:05Z",
        "kasse@8.11.3",
    ),
    (
        "KASSE-4SB",
        "UnicodeEncodeError: 'latin-1' codec can't encode character",
        "kasse.bon in drucken",
        "error",
        64,
        3,
        "2026-02-12T10:31:55Z",
        "2026-02-28T15:09:21Z",
        "kasse@8.13.1",
    ),
    (
        "KASSE-3Z9",
        "DeprecationWarning: datetime.utcnow()",
        "kasse.zeit in jetzt",
        "warning",
        5120,
        0,
        "2025-11-03T08:00:11Z",
        "2026-03-02T08:01:47Z",
        "kasse@8.8.0",
    ),
    (
        "KASSE-4TC",
        "IntegrityError: doppelter Schlüssel bon_nr",
        "kasse.bon in speichern",
        "error",
        9,
        9,
        "2026-03-01T11:03:37Z",
        "2026-03-01T11:09:12Z",
        "kasse@8.14.0",
    ),
)
RESTIC = """Mär 02 02:00:03 nas systemd[1]: Starting restic-backup.service - Backup nach s3...
Mär 02 02:00:05 nas restic[7719]: repository 8c1f22a0 opened (version 2, compression level auto)
Mär 02 02:00:09 nas restic[7719]: using parent snapshot 3f0be771
Mär 02 02:14:40 nas restic[7719]: Files:         412 new,   128 changed, 481903 unmodified
Mär 02 02:14:40 nas restic[7719]: Dirs:           36 new,   211 changed, 52844 unmodified
Mär 02 02:14:40 nas restic[7719]: Added to the repository: 3.418 GiB (2.207 GiB stored)
Mär 02 02:14:40 nas restic[7719]: processed 482443 files, 611.720 GiB in 14:33
Mär 02 02:14:40 nas restic[7719]: snapshot 91d4c6ee saved
Mär 02 02:14:41 nas systemd[1]: Finished restic-backup.service - Backup nach s3.
"""
SNAPSHOTS = """ID        Time                 Host        Tags        Paths
--------------------------------------------------------------
a20c77d1  2026-02-24 02:13:58  nas                     /srv
5be9013f  2026-02-25 02:14:20  nas                     /srv
c6d84e02  2026-02-26 02:15:02  nas                     /srv
e19f3b68  2026-02-27 02:14:11  nas                     /srv
3f0be771  2026-02-28 02:14:46  nas                     /srv
91d4c6ee  2026-03-02 02:14:40  nas                     /srv
--------------------------------------------------------------
6 snapshots
"""
TICKETS = """nummer;eingang;bereich;prio;status;minuten_bis_antwort;bearbeiter
T-5801;2026-02-02;Login;hoch;geschlossen;14;Selma
T-5804;2026-02-03;Export;normal;geschlossen;95;Hauke
T-5809;2026-02-04;Login;normal;geschlossen;41;Selma
T-5812;2026-02-05;Rechnung;hoch;geschlossen;22;Hauke
T-5817;2026-02-09;Export;normal;geschlossen;180;Pia
T-5820;2026-02-10;Login;hoch;geschlossen;9;Selma
T-5826;2026-02-11;App;niedrig;offen;610;Pia
T-5831;2026-02-12;Login;normal;geschlossen;33;Selma
T-5833;2026-02-16;Rechnung;normal;offen;75;Hauke
T-5838;2026-02-17;Login;normal;geschlossen;52;Pia
T-5842;2026-02-18;App;normal;geschlossen;118;Pia
T-5847;2026-02-20;Login;hoch;geschlossen;17;Selma
T-5850;2026-02-23;Export;hoch;offen;28;Hauke
T-5855;2026-02-24;Login;normal;geschlossen;46;Selma
T-5859;2026-02-26;Rechnung;niedrig;offen;240;Hauke
T-5861;2026-02-27;Login;hoch;offen;12;Selma
"""
ZAEHLER = (
    ("2025-08-31", 18204, "abgelesen", "Umzug"),
    ("2025-09-30", 18431, "abgelesen", ""),
    ("2025-10-31", 18712, "abgelesen", ""),
    ("2025-11-30", 19077, "abgelesen", "Trockner neu"),
    ("2025-12-31", 19519, "abgelesen", ""),
    ("2026-01-31", 19985, "abgelesen", ""),
    ("2026-02-28", 20374, "abgelesen", ""),
)
TARIF = """# Strom
Anbieter: Lechstrom, Tarif „Fix 24“
Vertragsbeginn 01.09.2025, Preisgarantie bis 31.08.2027
Arbeitspreis 31,85 ct/kWh
Grundpreis 12,90 EUR/Monat
Abschlag 98 EUR, jeweils am 3.
Kündigungsfrist 1 Monat"""
KITA = {
    "umfrage": "Öffnungszeiten ab September",
    "von": "2026-02-09",
    "bis": "2026-02-27",
    "familien": 61,
    "antworten": 46,
    "fragen": [
        {
            "text": "Welche Öffnungszeit brauchen Sie?",
            "optionen": {"7:00-16:00": 9, "7:30-17:00": 24, "8:00-17:00": 8, "egal": 5},
        },
        {"text": "Würden Sie für Zeiten nach 16:30 Uhr mehr zahlen?", "optionen": {"ja": 19, "nein": 21, "k. A.": 6}},
        {"text": "Freitags früher schließen?", "optionen": {"ja": 31, "nein": 12, "k. A.": 3}},
    ],
    "kommentare": [
        {"nr": 27, "text": "Freitags reicht uns 14 Uhr."},
        {"nr": 38, "text": "Mehr Geld nur, wenn dann auch genug Personal da ist."},
    ],
}
LAUF = (
    ("2026-02-02", "8.2", "0:47:10", 148, 64),
    ("2026-02-05", "6.0", "0:33:20", 152, 30),
    ("2026-02-08", "14.5", "1:27:05", 144, 180),
    ("2026-02-11", "7.1", "0:40:12", 149, 41),
    ("2026-02-15", "16.0", "1:36:40", 146, 155),
    ("2026-02-18", "8.0", "0:43:50", 155, 38),
    ("2026-02-22", "18.2", "1:50:15", 147, 210),
    ("2026-02-25", "6.4", "0:35:05", 151, 26),
    ("2026-03-01", "21.1", "2:06:40", 149, 240),
)

SCENES = (
    Scene(
        "last-werk-fehlerberichte-de",
        "de",
        "mcp json rows",
        "Welche Fehler in der Kasse sollten wir zuerst angehen?",
        [mcp("sentry__list_issues", {"project": "kasse"}, records(FEHLER_HEAD, FEHLER), indent=2)],
        """Ganz klar den KeyError beim Etikettendruck, er macht {{num|80 %|87 %}} aller Fehler aus:

1. **KeyError: 'lieferadresse'** – {{cnt|1.843 Mal|1.483 Mal}} bei 212 Benutzern, seit dem \
{{date|25.02.|22.02.}} und damit vermutlich mit {{num|8.14.0|8.12.0}} gekommen. [#issue-OPEN:KASSE-4T2]
2. **PayGate-Timeout** – nur 377 Mal, trifft aber {{cnt|341 Benutzer|314 Benutzer}}, also mehr als der erste. \
[#issue-OPEN:KASSE-4RN]
3. **Doppelte Bonnummer** – bisher 9 Fälle, alle gestern innerhalb von sechs Minuten. Klein, aber bei Bons würde ich \
das nicht liegen lassen. [#issue-OPEN:KASSE-4TC]

Die 5.120 `utcnow()`-Warnungen kann man getrost später aufräumen.""",
    ),
    Scene(
        "last-werk-backup-nacht-de",
        "de",
        "journal",
        "Lief das Backup heute Nacht?",
        [bash("journalctl -u restic-backup --since today", RESTIC), bash("restic snapshots --latest 7", SNAPSHOTS)],
        """Ja, Snapshot `{{id|91d4c6ee|91d6c4ee}}` war um {{time|02:14 Uhr|02:41 Uhr}} fertig: \
{{cnt|540 neue oder geänderte Dateien|450 neue oder geänderte Dateien}}, {{num|2,2 GiB|2,7 GiB}} mehr im Repository.

Aber: Vom gestrigen Sonntag gibt es keinen Snapshot, der letzte davor ist vom {{date|28.02.|22.02.}} Soll ich \
nachsehen, was am 01.03. los war?""",
    ),
    Scene(
        "last-werk-tickets-export-de",
        "de",
        "csv",
        "Fass mir den Ticket-Export vom Februar zusammen",
        [read("/home/selma/Downloads/tickets-2026-02.csv", TICKETS)],
        """**Februar: {{cnt|16 Tickets|19 Tickets}}, 11 geschlossen, 5 offen**

| Bereich | Tickets | davon offen |
| --- | ---: | ---: |
| Login | {{cnt|8|13}} | 1 |
| Export | 3 | 1 |
| Rechnung | 3 | 2 |
| App | 2 | 1 |

- Die Hälfte betrifft den Login.
- Erste Antwort: im Median nach {{num|43,5 Minuten|34,5 Minuten}}, bei hoher Priorität im Schnitt nach 17.
- Ausreißer ist {{id|T-5826|T-5862}} mit {{num|610 Minuten|1.610 Minuten}}, noch immer offen (Pia). \
[#ticket-OPEN:T-5826]""",
    ),
    Scene(
        "last-werk-strom-abschlag-de",
        "de",
        "csv",
        "Reicht unser Stromabschlag?",
        [
            bash("cat haus/strom.csv", csv(("datum", "stand_kwh", "art", "notiz"), ZAEHLER, ";")),
            read("/home/uta/haus/strom.md", TARIF),
        ],
        """Bisher nicht. Seit Vertragsbeginn habt ihr {{num|2.170 kWh|2.710 kWh}} verbraucht:

- Arbeitspreis: 2.170 kWh × 31,85 ct ≈ {{amt|691 €|619 €}}
- Grundpreis: 6 × 12,90 € = {{amt|77,40 €|74,70 €}}
- Zusammen rund 769 €, gezahlt sind {{amt|588 €|558 €}}

Es fehlen also rund 181 €. Allerdings war das das Winterhalbjahr; Januar ({{num|466 kWh|464 kWh}}) lag doppelt so \
hoch wie September (227 kWh). Im Sommer holt ihr einen Teil auf.""",
    ),
    Scene(
        "last-werk-kita-umfrage-de",
        "de",
        "json indented",
        "Was kam bei der Elternumfrage raus?",
        [mcp("forms__ergebnis", {"id": "kita-zeiten"}, KITA, indent=2)],
        """Mitgemacht haben 46 von {{cnt|61 Familien|64 Familien}} (75 %).

- **Zeiten:** Gut die Hälfte ({{cnt|24|34}}) will 7:30–17:00 Uhr. 7:00–16:00 Uhr brauchen 9, 8:00–17:00 Uhr 8, \
fünf ist es egal.
- **Freitags früher zu:** klare Mehrheit mit {{cnt|31|35}} zu 12.
- **Aufpreis nach 16:30 Uhr:** gespalten, 19 ja, 21 nein. Ein Kommentar dazu: \
{{quo|„Mehr Geld nur, wenn dann auch genug Personal da ist.“|„Mehr Geld ja, aber nur für mehr Personal am Nachmittag.“}}

Für den Aushang würde ich die ersten beiden Punkte nehmen.""",
    ),
    Scene(
        "last-werk-lauf-halbmarathon-de",
        "de",
        "csv",
        "Der Halbmarathon ist am 12. April. Bin ich im Plan? Laufdaten liegen in laeufe.csv",
        [bash("tail -9 laeufe.csv", csv(("datum", "km", "dauer", "puls", "hm"), LAUF))],
        """Sieht gut aus. Gestern bist du die Distanz schon gelaufen: 21,1 km in {{time|2:06:40|2:08:40}}, das sind \
ziemlich genau {{time|6:00 min/km|6:20 min/km}}, bei Puls {{num|149|143}}.

Im Februar waren es acht Läufe mit {{num|84,4 km|88,4 km}}; der lange Lauf ist von 14,5 auf 18,2 km gewachsen, ohne \
dass das Tempo gelitten hat. Bis zum Start sind es noch {{num|41 Tage|48 Tage}}, das reicht für drei weitere lange \
Läufe und zwei ruhige Wochen.""",
    ),
)
