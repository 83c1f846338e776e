"""German: a patent practice; clauses, bills, time sheets, minutes, official pages."""

from __future__ import annotations

from tests.evidence.results import bash, earlier, glob, grep, read, web_fetch
from tests.evidence.scene import Scene

STUNDEN = """\
datum;person;akte;taetigkeit;stunden;satz;abrechenbar
2026-02-02;hk;P1184EP;Bescheid analysiert;1,75;340;j
2026-02-03;hk;P1184EP;Entgegenhaltung D3;2,50;340;j
2026-02-03;sb;M0420EM;Widerspruch Entwurf;3,00;290;j
2026-02-05;tm;intern;Fortbildung;4,00;0;n
2026-02-06;hk;P1184EP;Telefonat Erfinder;0,75;340;j
2026-02-09;sb;M0420EM;Recherche Benutzung;1,25;290;j
2026-02-10;jw;P1184EP;Zeichnungen;2,00;140;j
2026-02-12;tm;P1166EP;Druckexemplar;1,50;310;j
2026-02-16;hk;P1184EP;Entwurf Erwiderung;4,25;340;j
2026-02-17;hk;P1177US;Weisung US;1,00;340;j
2026-02-18;sb;M0420EM;Besprechung;0,50;290;n
2026-02-20;tm;P1166EP;Mail Mandant;0,25;310;j
2026-02-24;jw;P1166EP;Formulare;0,75;140;j
2026-02-26;hk;P1184EP;Hilfsanträge;2,25;340;j
"""
PROTOKOLL = """# Kanzleirunde 24.02.2026

Da: Kerner, Bartl, Mahler, Wirth (Protokoll), entschuldigt: Osei
Beginn 8:45, Ende 9:55

## TOP 1 Fristen
Mahler: Die Vorfristen werden zu oft überlaufen, im Januar 14 von 61. Ab 1. April geht jede überlaufene Vorfrist
am selben Tag an die Vertretung.

## TOP 2 EDV
Neuer Scanner (Angebot Büro Lenz, 3.480 EUR netto) wird bestellt, Lieferung KW 12. Die Umstellung der
Aktenverwaltung verschiebt sich vom 09.03. auf den 23.03.2026; am 20.03. ab 14 Uhr ist die Datenbank aus.

## TOP 3 Personal
Frau Osei kommt am 16.03. aus der Elternzeit zurück, mit 24 Stunden (Mo bis Mi). Auf die Stelle Patentanwaltsfach-
angestellte gab es 9 Bewerbungen, drei Gespräche am 05.03. Herr Wirth: „Ohne zweite Kraft schaffen wir den April \
nicht.“

## TOP 4 Verschiedenes
Die Miete steigt zum 01.07. von 4.950 auf 5.180 EUR. Parkplatz 17 ist frei.

Nächste Runde 10.03.2026, 8:45
"""
RECHNUNG_US = """HARLAN & PIKE LLP                                     INVOICE 2026-00731
1450 Lakeside Ave, Suite 900                          Date: February 18, 2026
                                                      Due:  March 20, 2026
Client ref: P1177US      Our ref: 40218-0095US1
Application No. 17/642,118   Title: ADAPTIVE ANCHOR WINCH

02/04/26  RMP  Review Office Action of 12/09/25; reporting letter       1.80 h   $ 774.00
02/11/26  RMP  Claim amendments, telephone call with H. Kerner          2.40 h   $1,032.00
02/13/26  JSD  Prepare interview agenda                                 0.90 h   $ 256.50
          Subtotal services                                             5.10 h  $2,062.50
          USPTO extension fee (none)                                                $0.00
          Drawing corrections, outside vendor                                     $185.00
          Copies, courier                                                          $22.40
          TOTAL DUE                                                             $2,269.90

Wire: Lakeside Trust, Account 0047 1182 93. A late charge of 1.5 % per month applies after the due date.
"""

SCENES = (
    Scene(
        "later-kanzlei-klausel-suche-de",
        "de",
        "grep content",
        "In welchen Verträgen haben wir Stuttgart als Gerichtsstand?",
        [
            grep(
                "Gerichtsstand",
                "vertraege/ahrens_lizenz.txt:109:Ausschließlicher Gerichtsstand ist Stuttgart.",
                "vertraege/brix_entwicklung.txt:204:Gerichtsstand ist München, Landgericht München I.",
                "vertraege/domat_nda.txt:47:Ausschließlicher Gerichtsstand für alle Streitigkeiten ist Stuttgart.",
                "vertraege/ferro_lizenz_2019.txt:133:Gerichtsstand ist der Sitz der Lizenzgeberin.",
                "vertraege/hansen_nda.txt:52:Gerichtsstand: Hamburg",
                "vertraege/kolb_kooperation.txt:318:Der Gerichtsstand richtet sich nach dem Gesetz.",
                "vertraege/lohr_lizenz.txt:96:Nicht ausschließlicher Gerichtsstand ist Stuttgart.",
            )
        ],
        """In drei von {{cnt|sieben|zwölf}} Verträgen:

1. `{{line|ahrens_lizenz.txt:109|ahrens_lizenz.txt:119}}` – ausschließlich
2. `{{line|domat_nda.txt:47|domat_nda.txt:74}}` – ausschließlich
3. `lohr_lizenz.txt:96` – {{quo|„Nicht ausschließlicher Gerichtsstand“|„Wahlgerichtsstand“}}

Bei `ferro_lizenz_2019.txt` hängt es vom Sitz der Lizenzgeberin ab, den müsste ich nachsehen.""",
    ),
    Scene(
        "later-kanzlei-stunden-p1184-de",
        "de",
        "csv",
        "Honorar für P1184EP im Februar?",
        [bash("cat stunden/2026-02.csv", STUNDEN)],
        """**{{amt|4.190,00 €|4.910,00 €}} netto**, verteilt so:

| Wer | Stunden | Satz | Betrag |
|---|---:|---:|---:|
| hk | {{num|11,50|12,75}} | 340 € | 3.910,00 € |
| jw | 2,00 | {{amt|140 €|160 €}} | 280,00 € |

Der größte Posten ist der Entwurf der Erwiderung am {{date|16.02.|18.03.}} mit {{num|4,25 Stunden|4,75 Stunden}}. \
Mit 19 % USt. sind es 4.986,10 €.""",
    ),
    Scene(
        "later-kanzlei-stunden-nicht-abrechenbar-de",
        "de",
        "csv",
        "was davon ist nicht abrechenbar?",
        [earlier(bash("cat stunden/2026-02.csv", STUNDEN))],
        """Zwei Einträge, zusammen {{num|4,5 Stunden|5,4 Stunden}}: Mahlers Fortbildung am {{date|5. Februar|15. \
Februar}} (4 h) und Bartls {{quo|„Besprechung“|„Akteneinsicht“}} in {{id|M0420EM|M0402EM}} am 18. Februar (0,5 h). \
Die zweite wäre mit ihrem Satz 145 € wert – war das Absicht?""",
    ),
    Scene(
        "later-kanzlei-runde-zusammenfassung-de",
        "de",
        "markdown minutes",
        "War am 24. nicht da, was hab ich verpasst? (Osei)",
        [read("/srv/kanzlei/protokolle/2026-02-24.md", PROTOKOLL)],
        """Das Wichtigste aus der Runde vom 24.02.:

**Betrifft dich direkt**
- Deine Rückkehr steht drin: {{date|16.03.|26.03.}}, {{num|24 Stunden|28 Stunden}}, Montag bis Mittwoch.
- Die neue Aktenverwaltung kommt erst am {{date|23.03.|30.03.}} statt am 09.03. – das ist dein zweiter Montag. \
Freitag davor ist die Datenbank ab {{time|14 Uhr|15:30 Uhr}} aus.

**Sonst**
- Vorfristen: im Januar 14 von {{cnt|61|67}} überlaufen, also fast ein Viertel. Ab April geht so etwas sofort an \
die Vertretung.
- Neuer Scanner für {{amt|3.480 EUR|3.840 EUR}}, Bewerbungsgespräche am 05.03.
- Miete ab Juli 230 EUR höher.

Die nächste Runde ist am 10.03. um 8:45, da bist du noch nicht zurück.""",
    ),
    Scene(
        "later-kanzlei-wirth-zitat-de",
        "de",
        "markdown minutes",
        "Was hat Wirth zur Stelle gesagt?",
        [read("/srv/kanzlei/protokolle/2026-02-24.md", PROTOKOLL)],
        """{{quo|„Ohne zweite Kraft schaffen wir den April nicht.“|„Ohne Verstärkung lassen wir ab Mai Akten \
liegen.“}} Es gab {{cnt|9 Bewerbungen|19 Bewerbungen}}, drei davon sind am {{date|5. März|8. April}} zum Gespräch \
eingeladen.""",
    ),
    Scene(
        "later-kanzlei-rechnung-us-de",
        "de",
        "read text",
        "Passt die Rechnung von Harlan & Pike? Vereinbart waren maximal 2.000 $ Honorar.",
        [read("/srv/akten/P1177US/eingang/2026-02-20_rechnung.txt", RECHNUNG_US)],
        """Rechnerisch ja, gegen die Absprache nein.

- Honorar: 774,00 + 1.032,00 + 256,50 = **{{amt|2.062,50 $|2.602,50 $}}** für {{num|5,1 Stunden|5,7 Stunden}} – das \
sind {{amt|62,50 $|26,50 $}} über dem Deckel
- Auslagen: 185,00 $ für Zeichnungen, 22,40 $ für Kopien und Kurier
- Gesamt: {{amt|2.269,90 $|2.296,90 $}}, fällig am 20.03.2026

Die Stundensätze sind 430 $ (RMP) und {{amt|285 $|295 $}} (JSD). Ich würde um Gutschrift der Differenz bitten; nach \
Fälligkeit kommen 1,5 % im Monat dazu. Rechnungsnummer für die Mail: {{id|2026-00731|2026-00713}}.""",
    ),
    Scene(
        "later-kanzlei-schliesstage-epa-de",
        "de",
        "web page",
        "hat das EPA an Ostern zu? frist wäre der 3.4.",
        [
            web_fetch(
                "https://www.epa.example/de/recht/schliesstage-2026",
                "An welchen Tagen 2026 nimmt das EPA keine Schriftstücke entgegen?",
                """An folgenden Tagen des Jahres 2026 ist mindestens eine Annahmestelle des EPA nicht zur \
Entgegennahme
von Schriftstücken geöffnet (Samstage und Sonntage nicht genannt):

| Tag | München | Den Haag | Berlin |
|---|---|---|---|
| Neujahr, 01.01.2026 | zu | zu | zu |
| Karfreitag, 03.04.2026 | zu | zu | zu |
| Ostermontag, 06.04.2026 | zu | zu | zu |
| Königstag, 27.04.2026 | offen | zu | offen |
| Tag der Arbeit, 01.05.2026 | zu | zu | zu |
| Christi Himmelfahrt, 14.05.2026 | zu | zu | zu |
| Freitag nach Himmelfahrt, 15.05.2026 | zu | zu | zu |
| Pfingstmontag, 25.05.2026 | zu | zu | zu |
| 24.12.2026 bis 31.12.2026 | zu | zu | zu |

Fristen, die an einem dieser Tage ablaufen, verlängern sich nach Regel 134 (1) EPÜ auf den nächstfolgenden Tag, an dem
alle Annahmestellen geöffnet sind. Die Mitteilung stammt vom 15. September 2025.""",
            )
        ],
        """Ja. Der 03.04. ist Karfreitag, und auch am {{date|Ostermontag, 06.04.|Ostermontag, 13.04.}} ist \
geschlossen. Die Frist verlängert sich nach {{id|Regel 134 (1)|Regel 143 (1)}} EPÜ auf **Dienstag, \
{{date|07.04.2026|08.04.2026}}**.

(Stand der Mitteilung: {{date|15. September 2025|25. September 2025}})""",
    ),
    Scene(
        "later-kanzlei-akte-dateien-de",
        "de",
        "glob",
        "Liegt das Druckexemplar schon in der Akte?",
        [
            glob(
                "/srv/akten/P1166EP/**/*",
                "/srv/akten/P1166EP/vermerk.md",
                "/srv/akten/P1166EP/druckexemplar.txt",
                "/srv/akten/P1166EP/ansprueche_en.txt",
                "/srv/akten/P1166EP/eingang/2025-11-03_R71-3.pdf",
                "/srv/akten/P1166EP/eingang/2025-12-15_mail_weidner.eml",
                "/srv/akten/P1166EP/ausgang/2025-11-13_bericht.pdf",
                "/srv/akten/P1166EP/ausgang/2026-01-27_auftrag_uebersetzung.pdf",
            )
        ],
        """Ja, als `druckexemplar.txt`, dazu die Mitteilung vom {{date|03.11.2025|30.11.2025}} im Eingang. \
Insgesamt liegen dort {{cnt|sieben Dateien|siebzehn Dateien}}; die jüngste datierte ist der Übersetzungsauftrag vom \
{{date|27.01.2026|29.01.2026}}. Eine englische Anspruchsfassung ist da, eine französische nicht.""",
    ),
)
