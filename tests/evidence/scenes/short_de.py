"""German: short questions and short answers with one thing to check, each said in another way."""

from __future__ import annotations

from tests.evidence.model import CallGiven
from tests.evidence.results import bash, earlier, glob, grep, grep_files, mcp, read, task, web_fetch
from tests.evidence.scene import Scene
from tests.evidence.tables import csv, psql


def brief(name: str, shape: str, question: str, made: CallGiven, answer: str) -> Scene:
    """A scene with one call."""
    return Scene(f"kurz-{name}", "de", shape, question, [made], answer)


SCENES = (
    brief(
        "geburtstag",
        "mcp json",
        "Wann hat Frau Ashe Geburtstag?",
        mcp("crm__person", {"name": "Ashe"}, {"name": "Moira Ashe", "geboren": "1974-09-23"}),
        "Am {{date|23. September|29. September}}; sie wird dieses Jahr 52.",
    ),
    brief(
        "oeffnung",
        "web fetch",
        "Bis wann hat das Grundbuchamt auf?",
        web_fetch("https://amt.example/grundbuch", "Öffnungszeiten", "Mo–Do 8:00–12:00 und 13:30–15:45, Fr 8:00–12:00"),
        "Heute, am Montag, schließt es um {{time|15:45 Uhr|16:30 Uhr}}, über Mittag ist zu.",
    ),
    brief(
        "seitenzahl",
        "bash output",
        "Wie lang ist das Gutachten?",
        bash("pdfinfo gutachten.pdf", "Title: Gutachten Dr. Weiß\nPages: 73\nFile size: 4813221 bytes\n"),
        "{{num|73 Seiten|37 Seiten}}, die Datei ist knapp 5 MB groß.",
    ),
    brief(
        "kostenstelle",
        "csv",
        "Unter welcher Kostenstelle läuft die IT?",
        read(
            "/home/ada/kst.csv", csv(("kst", "name"), (("K-4010", "Kanzlei"), ("K-4035", "IT"), ("K-4050", "Archiv")))
        ),
        "Die IT läuft unter {{id|K-4035|K-4053}}.",
    ),
    brief(
        "telefonat-zitat",
        "read file",
        "Was hat der Richter angekündigt?",
        read("/home/ada/n.txt", "VRiLG Dr. Sonn am Telefon: Die Kammer neigt zu einer Beweisaufnahme. Hinweis folgt."),
        "Der Vorsitzende sagte: „{{quo|Die Kammer neigt zu einer Beweisaufnahme.|Die Kammer hält die Klage für "
        "unschlüssig.}}“",
    ),
    brief(
        "zeile-im-skript",
        "grep",
        "Wo wird das Archiv gelöscht?",
        grep("rm -rf", 'scripts/aufraeumen.sh:37:rm -rf "$ARCHIV/alt"'),
        "In {{line|scripts/aufraeumen.sh:37|scripts/aufraeumen.sh:73}}, und zwar nur der Unterordner `alt`.",
    ),
    brief(
        "az-berufung",
        "mcp records",
        "Aktenzeichen der zweiten Instanz?",
        mcp(
            "akten__instanzen",
            {"akte": "2024-031"},
            "1. Instanz: LG Düsseldorf, 4c O 31/24",
            "2. Instanz: OLG Düsseldorf, 2 U 6/26",
        ),
        "Vor dem OLG Düsseldorf läuft es unter {{file|2 U 6/26|2 U 16/26}}.",
    ),
    brief(
        "strafzins",
        "mcp json",
        "Welcher Zinssatz gilt im Vertrag?",
        mcp("vertraege__konditionen", {"nr": "V-8"}, {"nr": "V-8", "verzugszins_prozent": 6.75, "skonto_prozent": 2}),
        "Der Verzugszins beträgt {{num|6,75 %|7,65 %}}, daneben gibt es 2 % Skonto.",
    ),
    brief(
        "anzahl-ordner",
        "glob",
        "Wie viele Jahrgänge liegen im Archiv?",
        glob("archiv/*/index.md", *(f"/srv/archiv/{year}/index.md" for year in range(2014, 2026))),
        "Im Archiv liegen {{cnt|zwölf Jahrgänge|17 Jahrgänge}}, von 2014 bis 2025.",
    ),
    brief(
        "letzter-login",
        "psql table",
        "Wann war Dorn zuletzt angemeldet?",
        bash(
            "psql -f logins.sql",
            psql(("name", "letzter_login"), (("dorn", "2026-02-19 07:12:44"), ("adler", "2026-03-02 06:50:10"))),
        ),
        "Dorn war zuletzt am Donnerstag, {{date|19.2.|12.2.}}, angemeldet.",
    ),
    brief(
        "ticket-titel",
        "mcp json",
        "Worum geht es in Ticket 77?",
        mcp("tickets__holen", {"nr": 77}, {"nr": 77, "titel": "Drucker im 2. OG druckt doppelt", "stand": "neu"}),
        "Das Ticket heißt „{{name|Drucker im 2. OG druckt doppelt|Drucker im 1. OG druckt leere Seiten}}“ und ist neu.",
    ),
    brief(
        "gehaltsband",
        "task",
        "Welches Gehalt nennt die Ausschreibung?",
        task(
            "Lies die Ausschreibung und nenne das Gehalt.",
            "Genannt werden 52.000 bis 58.500 EUR im Jahr, 30 Tage Urlaub.",
        ),
        "Zwischen 52.000 und {{amt|58.500 EUR|85.500 EUR}} im Jahr.",
    ),
    brief(
        "dateien-mit-wort",
        "grep files",
        "In wie vielen Verträgen steht „Exklusivität“?",
        grep_files("Exklusivität", "v/03.md", "v/11.md", "v/12.md", "v/20.md"),
        "In vieren: `v/03.md`, `v/11.md`, `v/12.md` und `{{name|v/20.md|v/22.md}}`.",
    ),
    brief(
        "bestellwert",
        "json lines",
        "Wie teuer war die letzte Bestellung?",
        bash("tail -1 bestellungen.ndjson", '{"nr": "B-5521", "wert": 734.2, "am": "2026-02-24"}\n'),
        "B-5521 vom 24. Februar kostete {{amt|734,20 Euro|743,20 Euro}}.",
    ),
    brief(
        "abflug",
        "earlier turn",
        "Wann geht nochmal der Flug?",
        earlier(
            mcp("reisen__flug", {"id": "r1"}, {"flug": "LH 1802", "ab": "2026-04-14T07:20", "an": "2026-04-14T09:35"})
        ),
        "Am 14. April um {{time|7:20 Uhr|8:20 Uhr}}, Ankunft 9:35 Uhr, Flug LH 1802.",
    ),
    brief(
        "vorgaenger-version",
        "git log",
        "Welche Version lief davor?",
        bash("git tag --sort=-creatordate | head -3", "v3.14.2\nv3.14.1\nv3.13.9\n"),
        "Vor v3.14.2 lief {{id|v3.14.1|v3.14.0}}.",
    ),
    brief(
        "frist-verlaengert",
        "mcp json rows",
        "Um wie viel wurde verlängert?",
        mcp("akten__aenderungen", {"id": "DL-9"}, {"rows": [{"alt": "2026-03-10", "neu": "2026-04-07"}], "more": 0}),
        "Um {{num|28 Tage|35 Tage}}, also vier Wochen: vom 10. März auf den 7. April.",
    ),
    brief(
        "leser",
        "aligned columns",
        "Wer hat die Mail noch nicht geöffnet?",
        bash("mailstat 8821", "EMPFÄNGER  GEÖFFNET\nadler      ja\nbrinkm     nein\ncevik      ja\ndorn       nein\n"),
        "Zwei von {{cnt|vier Empfängern|neun Empfängern}} noch nicht: brinkm und dorn.",
    ),
    brief(
        "miete-quadratmeter",
        "json nested",
        "Wie groß ist das Büro?",
        mcp(
            "objekte__buero",
            {},
            {"objekt": {"adresse": "Hauptstraße 12", "fläche": {"büro": 184, "lager": 37, "einheit": "m²"}}},
        ),
        "Das Büro hat {{num|184 m²|148 m²}}, dazu kommen 37 m² Lager, zusammen 221 m².",
    ),
    brief(
        "sachbearbeiter-zeichen",
        "bash cat",
        "Welches Zeichen hat die Versicherung?",
        bash("cat vers.txt", "Unser Zeichen: SV/26/77-0412\nIhr Zeichen: 2025-047\n"),
        "Die Versicherung führt die Sache unter {{file|SV/26/77-0412|SV/26/77-0421}}.",
    ),
    brief(
        "fehlermeldung",
        "log",
        "Was sagt das Log um 4 Uhr?",
        bash("grep ' 04:' app.log", "2026-03-02 04:00:07 ERROR Verbindung zu ldap-2 verweigert\n"),
        "Um 4:00:07 Uhr: „{{quo|Verbindung zu ldap-2 verweigert|Zertifikat von ldap-2 abgelaufen}}“.",
    ),
    brief(
        "uebergabe",
        "markdown table",
        "Wann ist die Wohnungsübergabe?",
        read(
            "/home/ada/termine.md",
            "| Was | Wann |\n|---|---|\n| Besichtigung | 05.03.2026 |\n| Übergabe | 28.03.2026, 11 Uhr |\n",
        ),
        "Die Übergabe ist am Samstag, dem {{date|28. März|21. März}}, um 11 Uhr.",
    ),
    brief(
        "anspruchszahl",
        "web fetch",
        "Wie viele Ansprüche hat das Patent?",
        web_fetch(
            "https://register.example/ep3014772",
            "Zahl der Ansprüche",
            "EP 3 014 772 B1: 15 claims, 9 figures, 22 pages.",
        ),
        "Es sind {{cnt|15 Ansprüche|13 Ansprüche}} bei 9 Figuren.",
    ),
    brief(
        "quote",
        "psql table",
        "Wie viele Einsprüche hatten Erfolg?",
        bash(
            "psql -f e.sql", psql(("ausgang", "anzahl"), (("Widerruf", 12), ("beschränkt", 18), ("zurückgewiesen", 10)))
        ),
        "12 von 40, also {{num|30 %|35 %}}, führten zum Widerruf; weitere 18 zu einer Beschränkung.",
    ),
)
