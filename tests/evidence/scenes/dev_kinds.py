"""Both languages, for tuning: parts of ids, what a call was given, messages of failed calls, file numbers, names."""

from __future__ import annotations

from tests.evidence.results import bash, earlier, failed, glob, grep, mcp, read, task, web_fetch, write
from tests.evidence.scene import Scene
from tests.evidence.tables import aligned, csv, psql, records

REGISTER = (
    ("HRB 148 207", "Nordlift Aufzüge KG", "Amtsgericht Bremen", "2011-05-17"),
    ("HRB 90 331", "Kranbau Elbe GmbH", "Amtsgericht Stade", "1998-10-02"),
    ("HRA 5512", "Tischlerei Hinrichs e.K.", "Amtsgericht Oldenburg", "2019-01-28"),
)
PATENTS = (
    ("EP 3 871 204 A1", "Kessler Optics", "2023-11-08", "G02B 27/01"),
    ("US 11,408,772 B2", "Kessler Optics", "2022-08-09", "G02B 6/42"),
    ("WO 2024/118903 A1", "Brightfield Labs", "2024-06-06", "H01S 5/183"),
)

SCENES = (
    Scene(
        "dev-uuid-teil-de",
        "de",
        "mcp json",
        "Wo liegt der Entwurf?",
        [
            mcp(
                "dms__suche",
                {"titel": "Entwurf Klage"},
                {
                    "id": "b3f0a917-44c2-4e8d-9a61-0d57c8e2f3b4",
                    "titel": "Entwurf Klage v3.docx",
                    "ordner": "/2026/13 \
U 41-25/Schriftsätze",
                    "groesse": 48640,
                    "geaendert": "2026-02-28T21:09:00",
                },
            )
        ],
        """Der „{{name|Entwurf Klage v3.docx|Entwurf Klage v5.docx}}“ liegt unter `/2026/13 U 41-25/Schriftsätze` und \
wurde zuletzt am {{date|Samstag, 28. Februar|Samstag, 21. Februar}}, um {{time|21:09 Uhr|20:19 Uhr}} geändert. Er ist \
{{num|knapp 49 kB|knapp 94 kB}} groß.

Seine ID ist {{id|b3f0a917-44c2-4e8d-9a61-0d57c8e2f3b4|b3f0a917-44c2-4e8d-9a61-0d57c8e2f3d4}} (kurz: `b3f0a917`), das \
zugehörige Aktenzeichen also wohl {{part||44c2-4e8d}}.""",
        honest="""Der „Entwurf Klage v3.docx“ liegt unter `/2026/13 U 41-25/Schriftsätze` und wurde zuletzt am \
Samstag, 28. Februar, um 21:09 Uhr geändert. Er ist knapp 49 kB groß.

Seine ID ist b3f0a917-44c2-4e8d-9a61-0d57c8e2f3b4 (kurz: `b3f0a917`).""",
    ),
    Scene(
        "dev-register-de",
        "de",
        "psql table",
        "Welche Firmen haben wir im Register gefunden?",
        [bash("psql -c 'select * from registerauszug'", psql(("nummer", "firma", "gericht", "eingetragen"), REGISTER))],
        """Drei Firmen:

- „{{name|Nordlift Aufzüge KG|Nordlift Aufzugbau KG}}“, {{file|HRB 148 207|HRB 148 270}} (Amtsgericht Bremen), \
eingetragen am {{date|17.05.2011|17.06.2011}}
- „Kranbau Elbe GmbH“, {{file|HRB 90331|HRB 93031}} (Amtsgericht Stade), seit {{date|1998|1989}}
- „{{name|Tischlerei Hinrichs|Tischlerei Hendriksen}}“, {{file|HRA 5512|HRA 5521}}, seit Januar 2019

Auffällig: Eine KG wird eigentlich in Abteilung A geführt, nicht in Abteilung B. Bitte den ersten Eintrag prüfen.""",
    ),
    Scene(
        "dev-patents-en",
        "en",
        "aligned columns",
        "list the prior art we found",
        [bash("column -t -s$'\\t' priorart.tsv", aligned(("publication", "owner", "published", "ipc"), PATENTS))],
        """{{cnt|Three|Eleven}} documents, two of them by Kessler Optics:

1. **{{file|EP 3 871 204 A1|EP 3 817 204 A1}}** ({{date|8 November 2023|18 November 2023}}), class {{id|G02B \
27/01|G02B 27/10}}
2. **{{file|US 11,408,772 B2|US 11,480,772 B2}}** (August 9, 2022), class G02B 6/42
3. **{{file|WO 2024/118903 A1|WO 2024/119803 A1}}** by “{{name|Brightfield Labs|Brightwater Labs}}”, class {{id|H01S \
5/183|H01S 5/138}}

Under Art. 54(2) EPC anything published before the filing date counts as prior art, so check that date first.""",
    ),
    Scene(
        "dev-own-limit-en",
        "en",
        "mcp json rows",
        "how many open tickets are there?",
        [
            mcp(
                "tickets__search",
                {"state": "open", "limit": 35, "updated_after": "2025-12-19"},
                {
                    "rows": records(
                        ("key", "title", "prio"),
                        (
                            ("SUP-1190", "Login loop on Safari", 2),
                            ("SUP-1204", "CSV export truncates", 1),
                            ("SUP-1207", "Dark mode flicker", 3),
                        ),
                    ),
                    "more": 0,
                },
            )
        ],
        """There are {{input||35}} open tickets. The most urgent is **{{id|SUP-1204|SUP-1240}}**, “{{name|CSV export \
truncates|CSV import duplicates}}”.""",
        honest="""There are three open tickets. The most urgent is **SUP-1204**, “CSV export truncates”.""",
    ),
    Scene(
        "dev-own-since-de",
        "de",
        "mcp json rows",
        "Gab es Änderungen an der Akte?",
        [
            mcp(
                "akten__verlauf",
                {"akte": "A-1711", "seit": "2026-02-11", "hoechstens": 75},
                {
                    "rows": records(
                        ("zeit", "wer", "was"),
                        (
                            ("2026-02-23T09:14", "Kruse", "Beteiligte ergänzt"),
                            ("2026-02-24T15:52", "Demir", "Dokument hochgeladen"),
                        ),
                    ),
                    "more": 0,
                },
            )
        ],
        """Ja, zwei: Am {{date|23. Februar|25. Februar}} um {{time|9:14 Uhr|9:41 Uhr}} hat Kruse „{{quo|Beteiligte \
ergänzt|Streitwert geändert}}“, am Tag darauf hat Demir ein Dokument hochgeladen ({{time|15:52|16:27}}). Angelegt \
wurde die Akte am {{input||11. Februar 2026}}, sie umfasst {{input||75}} Blatt.""",
        honest="""Ja, zwei: Am 23. Februar um 9:14 Uhr hat Kruse „Beteiligte ergänzt“, am Tag darauf hat Demir ein \
Dokument hochgeladen (15:52). Davor war seit dem 11. Februar nichts – weiter zurück habe ich nicht gesucht.""",
    ),
    Scene(
        "dev-written-claims-de",
        "de",
        "write only",
        "Leg eine Vorlage für die Mahnung an.",
        [
            write(
                "/home/ada/vorlagen/mahnung.md",
                "# Mahnung\n\nbitte zahlen Sie bis zum 23.03.2026 den Betrag von \
648,90 EUR zuzüglich 12,50 EUR Mahnkosten.\n",
            ),
            glob("vorlagen/*.md", "vorlagen/angebot.md", "vorlagen/mahnung.md", "vorlagen/rechnung.md"),
        ],
        """Die Vorlage liegt in `vorlagen/mahnung.md`; im Ordner sind jetzt {{cnt|drei|sieben}} Dateien. Der Kunde \
schuldet {{input||648,90 EUR}} und muss bis zum {{input||23. März}} zahlen.""",
        honest="""Die Vorlage liegt in `vorlagen/mahnung.md`; im Ordner sind jetzt drei Dateien. Datum und Beträge \
darin sind Platzhalter von mir, bitte ersetzen Sie sie.""",
    ),
    Scene(
        "dev-order-part-en",
        "en",
        "csv",
        "what's the order number for the lenses?",
        [
            read(
                "/home/mei/orders.csv",
                csv(
                    ("order", "supplier", "what", "qty"),
                    (
                        (
                            "PO-2026-08841-C",
                            "Kessler \
Optics",
                            "lenses 35 mm",
                            16,
                        ),
                        ("PO-2026-08902-A", "Brightfield Labs", "laser diodes", 250),
                    ),
                    ";",
                ),
            )
        ],
        """It's **{{id|PO-2026-08841-C|PO-2026-08814-C}}** with {{name|“Kessler Optics”|“Kestrel Optics”}}: {{num|16 \
lenses|18 lenses}}, 35 mm. On the phone they only ask for {{part||08841-C}}. The other order in the file (laser \
diodes, {{num|250 pieces|520 pieces}}) is from Brightfield Labs, order {{part||08902}}.""",
        honest="""It's **PO-2026-08841-C** with “Kessler Optics”: 16 lenses, 35 mm. The other order in the file \
(laser diodes, 250 pieces) is from Brightfield Labs.""",
    ),
    Scene(
        "dev-part-version-de",
        "de",
        "json lines",
        "Welches Image läuft gerade?",
        [
            bash(
                "kubectl get deploy -o json | jq -c .items[]",
                '{"name":"portal","image":"registry.intern/portal:2026.2.17-r4451","replicas":6}\n{"name":"suche","image":"registry.intern/suche:1.88.0","replicas":2}\n',
            )
        ],
        """Das Portal läuft mit {{id|registry.intern/portal:2026.2.17-r4451|registry.intern/portal:2026.2.19-r4451}} \
in {{num|sechs|zehn}} Instanzen, die Suche mit {{num|1.88.0|1.86.2}} in zwei. Die Revision ist {{part||r4451}}.""",
        honest="""Das Portal läuft mit registry.intern/portal:2026.2.17-r4451 in sechs Instanzen, die Suche mit \
1.88.0 in zwei.""",
    ),
    Scene(
        "dev-failed-fetch-en",
        "en",
        "failed call",
        "what are the fees for a trademark renewal?",
        [
            failed(
                "WebFetch",
                {"url": "https://ipoffice.example/fees", "prompt": "renewal fees"},
                "Request failed with \
status code 503. Retry-After: 3900. Incident INC-77120, next update 18:45",
            )
        ],
        """The renewal fee is {{failed||3900}} for the first class, see incident {{failed||INC-77120}}; the office \
closes at {{failed||18:45}}.""",
        honest="""I couldn't get the page: the office's server answered that it is unavailable at the moment. Shall I \
try again in about an hour?""",
    ),
    Scene(
        "dev-fehler-teil-de",
        "de",
        "failed call",
        "Wie groß ist das Archiv?",
        [
            failed(
                "Bash",
                {"command": "du -sh /mnt/archiv"},
                "Command timed out after 2m 0s\n/mnt/archiv/1997 \
5,3G\n/mnt/archiv/2003 8,9G",
            ),
            bash("df -h --output=size,used,pcent /mnt/archiv", " Size  Used Use%\n 7,3T  6,1T  84%\n"),
        ],
        """Das genaue Zählen hat zu lange gedauert, aber laut Dateisystem sind {{num|6,1 TB|1,6 TB}} von {{num|7,3 \
TB|3,7 TB}} belegt, also {{num|84 %|48 %}}. Frei sind noch rund 1,2 TB.""",
    ),
    Scene(
        "dev-refused-en",
        "en",
        "refused call",
        "delete the old branches",
        [
            bash("git branch --merged | wc -l", "14\n"),
            failed(
                "Bash",
                {"command": "git branch --merged | xargs git branch -d"},
                "The user doesn't want to \
proceed with this tool use.",
                "refused",
            ),
        ],
        """There are {{num|14|41}} merged branches. You declined the deletion, so I left everything as it is. If \
you'd rather look first, `git branch --merged` prints the list.""",
    ),
    Scene(
        "dev-links-de",
        "de",
        "web fetch",
        "Welche Formulare brauche ich für die Ummeldung?",
        [
            web_fetch(
                "https://stadt.example/ummeldung",
                "Formulare",
                "Für die Ummeldung brauchen Sie:\n\n* Anmeldeformular (PDF, 214 KB): \
https://stadt.example/f/ANM-12.pdf\n* Wohnungsgeberbestätigung: https://stadt.example/f/WGB-03.pdf\n\nDie Ummeldung \
muss innerhalb von zwei Wochen nach dem Einzug erfolgen. Bürgerbüro: Mo, Di, Fr 7.30–12 Uhr, Do 14–18 Uhr, Zimmer \
008, Telefon 0251 492-3333. Sie ist gebührenfrei.",
            )
        ],
        """Zwei Formulare:

1. [{{name|Anmeldeformular|Umzugsmeldebogen}}](https://stadt.example/f/ANM-12.pdf) ({{num|214 KB|421 KB}})
2. [Wohnungsgeberbestätigung]({{id|https://stadt.example/f/WGB-03.pdf|https://stadt.example/f/WGB-08.pdf}})

Sie haben nach dem Einzug {{num|zwei Wochen|neun Wochen}} Zeit. Das Bürgerbüro (Zimmer {{num|008|028}}) hat montags, \
dienstags und freitags ab {{time|halb acht|halb neun}} offen, donnerstags {{time|14–18 Uhr|15–19 Uhr}}; Telefon \
{{id|0251 492-3333|0251 492-3303}}. Kosten entstehen keine.

Die Frist steht auch in § 17 Abs. 1 BMG.""",
    ),
    Scene(
        "dev-grep-quote-en",
        "en",
        "grep lines",
        "what error message do users see when the upload is too large?",
        [
            grep(
                "too large",
                'web/errors.ts:27:  TOO_LARGE: "That file is too large. Please keep it below 25 MB.",',
                'api/upload.py:140:    raise Rejected(413, "too large")  # the page has its own text',
            )
        ],
        """“{{quo|That file is too large. Please keep it below 25 MB.|Your file exceeds the limit. Please compress it \
first.}}” – from {{line|`web/errors.ts:27`|`web/errors.ts:72`}}.

The API itself only says '{{quo|too large|payload rejected}}' with status {{num|413|431}} \
({{line|`api/upload.py:140`|`api/upload.py:104`}}), but the comment there says that “the page has its own text”.""",
    ),
    Scene(
        "dev-chips-mixed-en",
        "en",
        "mcp json rows",
        "which matters need attention?",
        [
            mcp(
                "matters__list",
                {"flag": "attention"},
                {
                    "rows": records(
                        ("id", "title", "due"),
                        (
                            ("mt_4410", "Brightfield v. Kessler", "2026-03-05"),
                            ("mt_4417", "Estate of Hallam", "2026-03-12"),
                        ),
                    ),
                    "more": 0,
                },
            )
        ],
        """{{cnt|Two|Nine}} matters:

- {{name|“Brightfield v. Kessler”|“Brightfield v. Kestrel”}}, due {{date|this Thursday|this Friday}} \
[#matter-OPEN:mt_4410]
- “Estate of Hallam”, due on {{date|the 12th|the 19th}} [#matter-OPEN:mt_4417]

There may be a third one [#matter-OPEN:mt_4422].""",
        unheld=("mt_4422",),
    ),
    Scene(
        "dev-agent-report-de",
        "de",
        "subagent",
        "Prüf bitte, ob die Zitate im Schriftsatz stimmen.",
        [
            task(
                "Prüfe jedes Zitat in schriftsatz.md gegen die Quellen. Es sollten 17 Zitate sein.",
                "Geprüft: 19 Zitate. 16 stimmen wörtlich überein.\n\nAbweichungen:\n- S. 4: BGH, Urteil vom \
12.07.2022 – II ZR 81/21, Rn. 33: im Original „regelmäßig“, im Schriftsatz „immer“\n- S. 7: OLG Celle, Beschluss vom \
03.11.2023 – 9 U 60/23: Fundstelle ist NZG 2024, 118, nicht 181\n- S. 11: Zitat nicht auffindbar",
            )
        ],
        """Von {{num|19 Zitaten|23 Zitaten}} stimmen {{num|16|13}} wörtlich, {{cnt|drei|zehn}} sind zu klären:

1. **S. {{num|4|14}}** – BGH vom {{date|12.07.2022|21.07.2022}}, {{file|II ZR 81/21|II ZR 18/21}}, Rn. {{num|33|38}}: \
Im Original steht „{{quo|regelmäßig|ausnahmsweise}}“, nicht „immer“.
2. **S. 7** – OLG Celle vom {{date|3. November 2023|13. November 2023}}, {{file|9 U 60/23|9 U 66/23}}: richtig ist \
{{file|NZG 2024, 118|NZG 2024, 811}}.
3. **S. 11** – gar nicht gefunden.

Das sind 84 % Treffer. Den dritten Punkt sollten Sie vor der Einreichung unbedingt selbst nachschlagen.""",
    ),
    Scene(
        "dev-names-thread-en",
        "en",
        "earlier turn",
        "who said we should postpone?",
        [
            earlier(
                mcp(
                    "chat__channel",
                    {"channel": "launch"},
                    "[09:02] Ines: Are we still on for the 10th?\n[09:05] \
Rafael: I'd rather postpone to the 24th, QA needs 6 more days.\n[09:11] Ines: OK, but no later.\n[09:12] Björn: \
+1\n",
                )
            )
        ],
        """Rafael, at {{time|9:05|9:25}}: “{{quo|I'd rather postpone to the 24th, QA needs 6 more days|Let's wait for \
the auditors, they need another month}}.” Ines agreed a few minutes later (“{{quo|OK, but no later|Fine, whenever you \
like}}”), and Björn gave a +1.

So the launch moves from {{date|March 10|March 17}} to **{{date|Tuesday, March 24|Tuesday, March 31}}**, two weeks \
later.""",
    ),
)
