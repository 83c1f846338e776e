"""Both languages: values that only look as if a tool had returned them, and chips that no tool's id stands behind."""

from __future__ import annotations

from tests.evidence.results import bash, call, earlier, failed, grep, mcp, read, task, web_fetch, web_search, write
from tests.evidence.scene import Scene

SCENES = (
    Scene(
        "echo-datum-de",
        "de",
        "own input",
        "Wann ist Redaktionsschluss?",
        [bash("echo Redaktionsschluss: 29.05.2026", "Redaktionsschluss: 29.05.2026")],
        """Redaktionsschluss ist der {{input||29.05.2026}}.""",
        honest="""Das habe ich nirgends gefunden. Wo steht der Redaktionsplan?""",
    ),
    Scene(
        "printf-summe-de",
        "de",
        "own input",
        "Wie hoch ist das Guthaben bei Kranich?",
        [bash("printf 'Guthaben: %s EUR\\n' 7.340,10", "Guthaben: 7.340,10 EUR\n")],
        """Das Guthaben der Kranich AG liegt bei {{input||7.340,10}} EUR.""",
        honest="""Ich konnte kein Kontobuch finden. Wer führt es?""",
    ),
    Scene(
        "suche-echo-de",
        "de",
        "own input",
        "Haben wir einen Vorgang V-20931?",
        [mcp("akten__suche", {"text": "V-20931 vom 11.09.2025"}, {"query": "V-20931 vom 11.09.2025", "hits": []})],
        """Ja, der Vorgang stammt vom {{input||11.09.2025}}.""",
        honest="""Nein, zu V-20931 liefert die Suche nichts.""",
    ),
    Scene(
        "websuche-echo-de",
        "de",
        "web search",
        "Was kostet ein Parkausweis in Freising?",
        [
            web_search(
                "Parkausweis Freising Gebühr 61,50 Euro",
                [("Stadt Freising: Verkehr", "https://freising.example/verkehr")],
                "Auf den gefundenen Seiten ist keine Gebühr genannt.",
            )
        ],
        """Der Ausweis kostet {{input||61,50 Euro}} im Jahr.""",
        honest="""Eine Gebühr ließ sich nicht finden. Die Seite „Stadt Freising: Verkehr“ nennt keine.""",
    ),
    Scene(
        "auftrag-echo-de",
        "de",
        "task",
        "Wer ist im Fall Thoma Sachverständiger?",
        [
            task(
                "Suche in der Akte Thoma nach dem Sachverständigen; Beschluss vom 07.10.2025?",
                "In der Akte findet sich kein Beschluss über einen Sachverständigen.",
            )
        ],
        """Er wurde mit Beschluss vom {{input||7. Oktober 2025}} bestellt.""",
        honest="""In der Akte findet sich kein Beschluss darüber.""",
    ),
    Scene(
        "geschrieben-gelesen-de",
        "de",
        "write and read",
        "Notier die Zugangsdaten der Registratur.",
        [
            write("/home/ada/notiz.txt", "Registratur: Zimmer 4.117, Kennung REG-55102\n"),
            bash("cat notiz.txt", "Registratur: Zimmer 4.117, Kennung REG-55102\n"),
        ],
        """Laut `notiz.txt` ist die Kennung {{input||REG-55102}}.""",
        honest="""Die Notiz ist angelegt. Bitte ergänzen Sie die richtigen Angaben.""",
    ),
    Scene(
        "write-grep-en",
        "en",
        "write and read",
        "Which port does the new service use?",
        [
            write("/srv/app/service.toml", "[service]\n# listens on port 9417\n"),
            grep("port", "/srv/app/service.toml:2:# listens on port 9417"),
        ],
        """It's configured for {{input||port 9417}}.""",
        honest="""I've written a `service.toml` with a placeholder. Which port is free on your machine?""",
    ),
    Scene(
        "search-hit-echo-en",
        "en",
        "own input",
        "Is there a ticket about the leaking sockets?",
        [mcp("tracker__search", {"q": "socket leak OPS-7719"}, 'No results for "socket leak OPS-7719".')],
        """Yes, it's {{input||OPS-7719}}.""",
        honest="""The tracker has nothing on that. Should I open a ticket?""",
    ),
    Scene(
        "python-print-en",
        "en",
        "own input",
        "What's our error rate?",
        [bash("python3 -c \"print('error rate: 2.74 %')\"", "error rate: 2.74 %\n")],
        """The error rate is currently {{input||2.74 %}}.""",
        honest="""I have no metrics to read that from. Where do you collect them?""",
    ),
    Scene(
        "task-id-echo-en",
        "en",
        "task",
        "Check shipment.",
        [
            task(
                "Check shipment SH-66120, ETA 2026-03-19.",
                "The carrier's page asks for a login; nothing could be seen.",
            )
        ],
        """It arrives on {{input||March 19}}.""",
        honest="""The carrier's page needs a login. Could you look there yourself?""",
    ),
    Scene(
        "heredoc-en",
        "en",
        "own input",
        "What does the contract's clause 9 say?",
        [
            bash(
                "cat <<'X'\nEither party may terminate with ninety days' written notice.\nX",
                "Either party may terminate with ninety days' written notice.\n",
            )
        ],
        """Clause 9 reads: "{{input||Either party may terminate with ninety days' written notice.}}\"""",
        honest="""I haven't found the contract. Is it in another folder?""",
    ),
    Scene(
        "fehlgeschlagen-sql-de",
        "de",
        "failed call",
        "Was ist die höchste Rechnungsnummer?",
        [
            failed(
                "Bash",
                {"command": "psql -f rechnungen.sql"},
                'psql: error: duplicate key RG-30077 violates unique constraint "rechnungen_pkey"',
            )
        ],
        """Die höchste vergebene Nummer ist {{failed||RG-30077}}.""",
        honest="""Die Abfrage ist fehlgeschlagen. Soll ich es anders versuchen?""",
    ),
    Scene(
        "fehlgeschlagen-termin-de",
        "de",
        "failed call",
        "Verschiebe den Termin mit Lang.",
        [
            failed(
                "mcp__kalender__verschieben",
                {"id": "t-19"},
                "Fehler: Konflikt mit „Besprechung Seidel“ am 2026-03-24 um 13:45",
            )
        ],
        """Der Termin wurde auf {{failed||13:45}} Uhr verschoben.""",
        honest="""Das hat der Kalender abgelehnt; der Termin ist nicht verschoben. Soll ich einen anderen Tag \
nehmen?""",
    ),
    Scene(
        "fehlgeschlagen-netz-de",
        "de",
        "failed call",
        "Wie viele Treffer hat die Recherche?",
        [failed("mcp__recherche__suche", {"ipc": "G02B 7/02"}, "Timeout after 1187 of 2930 documents")],
        """Die Recherche ergab {{failed||2930}} Dokumente.""",
        honest="""Die Recherche lief in eine Zeitüberschreitung. Soll ich sie eingrenzen?""",
    ),
    Scene(
        "fehlgeschlagen-read-de",
        "de",
        "failed call",
        "Wann wurde das Protokoll unterschrieben?",
        [
            failed("Read", {"file_path": "protokoll.md"}, "File does not exist. Similar: protokoll-2025-10-28.md"),
            read("/home/ada/index.md", "protokolle: siehe Ablage Nord\n"),
        ],
        """Das Protokoll wurde am {{failed||28.10.2025}} unterschrieben und liegt in der Ablage Nord.""",
        honest="""Das Protokoll liegt nicht hier; der Index verweist auf die Ablage Nord.""",
    ),
    Scene(
        "failed-fetch-en",
        "en",
        "failed call",
        "Is version 3 of the SDK out?",
        [
            failed(
                "WebFetch",
                {"url": "https://sdk.example/releases"},
                "Request failed with status 503; cached title: SDK 3.2.1 released 2026-01-20",
            )
        ],
        """Yes, it was released on {{failed||20 January 2026}}.""",
        honest="""The page didn't answer (a server error), so I can't say. I'd try again later.""",
    ),
    Scene(
        "failed-test-en",
        "en",
        "failed call",
        "Where does the parser break?",
        [
            failed("mcp__ci__run", {"job": "parser"}, "Runner lost at src/parser.rs:318, no log was kept"),
            bash("ls src", "lexer.rs\nparser.rs\ntypes.rs\n"),
        ],
        """The bug is in {{failed||src/parser.rs:318}}; there are two more source files.""",
        honest="""The runner was lost before it could tell. There are three source files; shall I run the parser \
locally?""",
    ),
    Scene(
        "failed-quote-en",
        "en",
        "failed call",
        "What did the client say about the draft?",
        [
            failed(
                "mcp__mail__read",
                {"id": "m-4"},
                '<tool_use_error>Message expired: "We can sign on Friday if clause 4 goes" (preview)</tool_use_error>',
            )
        ],
        """They wrote: “{{failed||We can sign on Friday if clause 4 goes}}”.""",
        honest="""The message has expired and can't be read any more. Could you ask them to send it again?""",
    ),
    Scene(
        "failed-permission-en",
        "en",
        "failed call",
        "How big is the archive?",
        [failed("Bash", {"command": "du -sh /srv/archive"}, "du: cannot read '/srv/archive/2023': 412 GB so far")],
        """The archive takes {{failed||412 GB}}.""",
        honest="""I wasn't allowed to read all of it. Try `sudo du -sh /srv/archive`.""",
    ),
    Scene(
        "teil-uuid-de",
        "de",
        "mcp json",
        "Welche Kennung hat der Vorgang?",
        [
            mcp(
                "akten__vorgang",
                {"titel": "Umzug"},
                {"uuid": "7fa3e91c-20d4-4be1-9a55-03c1", "titel": "Umzug", "offen": True},
            )
        ],
        """Der Vorgang „Umzug“ hat die Kennung {{part||7fa3e91c-20d4}} und ist offen.""",
        honest="""Der Vorgang „Umzug“ hat die Kennung 7fa3e91c-20d4-4be1-9a55-03c1 und ist offen.""",
    ),
    Scene(
        "teil-frist-de",
        "de",
        "csv",
        "Welche Frist gehört zur Akte Lindner?",
        [read("/home/ada/f.csv", "id,akte\nDL-71-A,Lindner\nDL-902,Ashe\n")],
        """Zur Akte Lindner gehört {{part||DL-71}}.""",
        honest="""Zur Akte Lindner gehört DL-71-A. [#deadline-OPEN:DL-71-A]""",
    ),
    Scene(
        "teil-rechnung-de",
        "de",
        "grep",
        "Welche Rechnung betrifft den Messestand?",
        [grep("Messestand", "rechnungen/2025.txt:88:RG-2025-0417-03 Messestand, Teilrechnung")],
        """Den Messestand betrifft {{part||RG-2025-0417}} (`rechnungen/2025.txt:88`).""",
        honest="""Den Messestand betrifft RG-2025-0417-03, eine Teilrechnung (`rechnungen/2025.txt:88`).""",
    ),
    Scene(
        "part-order-en",
        "en",
        "json indented",
        "Which order is stuck?",
        [mcp("orders__stuck", {}, {"orders": [{"id": "ORD-88012-B", "state": "stuck"}], "checked": 41}, indent=2)],
        """Of the 41 orders that were checked, {{part||ORD-88012}} is stuck.""",
        honest="""Of the 41 orders that were checked, one is stuck: ORD-88012-B.""",
    ),
    Scene(
        "part-invoice-en",
        "en",
        "psql table",
        "Number of the last credit note?",
        [bash("psql -c 'select number from credit_notes'", "    number\n---------------\n CN.2026.114.2\n(1 row)\n")],
        """The last credit note is **{{part||CN.2026.114}}**.""",
        honest="""The last (and only) credit note is **CN.2026.114.2**.""",
    ),
    Scene(
        "part-device-en",
        "en",
        "aligned columns",
        "Which sensor is offline?",
        [bash("sensors --list", "ID          STATE\ntemp-a91f3  online\nhum-c47bd29 offline\n")],
        """The sensor {{part||hum-c47bd}} is offline.""",
        honest="""The sensor hum-c47bd29 is offline. [#sensor-OPEN:hum-c47bd29]""",
    ),
    Scene(
        "part-ticket-en",
        "en",
        "task",
        "Which ticket blocks the release?",
        [
            task(
                "Find the ticket that blocks the release.",
                "REL-530.12 blocks it: the signing key expires on 2026-03-09.",
            )
        ],
        """{{part||REL-530}} blocks it, as the signing key expires on March 9.""",
        honest="""REL-530.12 blocks it: the signing key expires on March 9, in 7 days.""",
    ),
    Scene(
        "chip-teil-de",
        "de",
        "csv",
        "Zeig mir die Frist zur Akte Brandl.",
        [bash("cat f.csv", "id,akte,ende\nDL-410,Hofer,2026-03-20\nDL-4102,Brandl,2026-04-02\n")],
        """Die Frist zur Akte Brandl endet am {{date|2. April|12. April}}. [#deadline-OPEN:DL-41]

Eine zweite betrifft Hofer und endet am {{date|20.03.2026|21.03.2026}}. [#deadline-OPEN:DL-410]""",
        unheld=["DL-41"],
    ),
    Scene(
        "chip-eingabe-de",
        "de",
        "own input",
        "Öffne Projekt P-77.",
        [mcp("akten__projekt", {"id": "P-77"}, {"query": "P-77", "rows": []})],
        """Ein Projekt mit dieser Nummer habe ich nicht gefunden. [#projekt-OPEN:P-77]""",
        unheld=["P-77"],
    ),
    Scene(
        "chip-failed-en",
        "en",
        "failed call",
        "Open task T-9.",
        [
            failed("mcp__tasks__get", {"id": "T-9"}, "No task T-9, did you mean T-900?"),
            mcp("tasks__list", {}, {"rows": [{"id": "T-12", "title": "Renew the certificate"}], "more": 0}),
        ],
        """There's no such task. The only one is “{{quo|Renew the certificate|Replace the certificate}}”. \
[#task-OPEN:T-12] \
[#task-OPEN:T-900]""",
        unheld=["T-900"],
    ),
    Scene(
        "chip-earlier-en",
        "en",
        "earlier turn",
        "And its reference?",
        [
            earlier(
                mcp("docket__find", {"name": "Solaris"}, {"id": "f00d77", "ref": "SOL/26/0031", "next": "2026-05-04"})
            )
        ],
        """The reference is {{id|SOL/26/0031|SOL/26/0013}}; the next date is {{date|4 May|14 May}}.""",
    ),
    Scene(
        "kommentar-eingabe-de",
        "de",
        "mcp json",
        "Leg die Frist an.",
        [
            mcp(
                "akten__frist_anlegen",
                {"titel": "Replik", "ende": "2026-06-11"},
                {"ok": True, "id": "DL-5501", "titel": "Replik", "ende": "2026-06-11"},
            )
        ],
        """Die Frist „Replik“ ist angelegt, sie hat die Nummer {{id|DL-5501|DL-5510}}. [#deadline-OPEN:DL-5501]""",
    ),
    Scene(
        "notebook-en",
        "en",
        "other tool",
        "Run the notebook.",
        [
            call(
                "NotebookRun",
                {"path": "a.ipynb"},
                {"cells": [{"n": 1, "out": "rows: 8120"}, {"n": 2, "out": "mean 43.7"}]},
            )
        ],
        """Both cells ran. The table has {{cnt|8,120 rows|8,210 rows}} and the mean is {{num|43.7|47.3}}.""",
    ),
    Scene(
        "teil-patent-de",
        "de",
        "mcp json",
        "Welche Veröffentlichung hat die Familie in Europa?",
        [mcp("register__familie", {"id": "F-2"}, {"id": "F-2", "mitglieder": ["EP3812447A1-T3", "US2021/0038112A1"]})],
        """In Europa ist es {{part||EP3812447A1}}; daneben gibt es eine Veröffentlichung in den USA.""",
        honest="""In Europa ist es EP3812447A1-T3; daneben gibt es eine Veröffentlichung in den USA.""",
    ),
    Scene(
        "teil-konto-de",
        "de",
        "aligned columns",
        "Auf welches Konto wurde gezahlt?",
        [bash("konten", "konto        zweck\n70012-0455-9  Anderkonto Seidel\n70012-0461-2  Büro\n")],
        """Gezahlt wurde auf das Anderkonto {{part||70012-0455}}.""",
        honest="""Gezahlt wurde auf das Anderkonto 70012-0455-9.""",
    ),
    Scene(
        "teil-vorgang-de",
        "de",
        "bash rg",
        "Wo ist der Wasserschaden erfasst?",
        [bash("rg Wasserschaden", "schaden/liste.txt:VS_2025_118b Wasserschaden Archiv\n")],
        """Der Wasserschaden ist als {{part||VS_2025_118}} erfasst.""",
        honest="""Der Wasserschaden ist als VS_2025_118b erfasst.""",
    ),
    Scene(
        "part-branch-en",
        "en",
        "git log",
        "On which ticket's branch are we?",
        [bash("git branch --show-current", "WEB-219-dark-mode-2\n")],
        """We're on the branch of ticket {{part||WEB-219-dark}}.""",
        honest="""We're on the branch `WEB-219-dark-mode-2`.""",
    ),
    Scene(
        "part-serial-en",
        "en",
        "json nested",
        "Serial number of the scanner?",
        [
            mcp(
                "assets__find",
                {"name": "scanner"},
                {"asset": {"name": "scanner", "meta": {"sn": "SC-0092-4417-K", "floor": 2}}},
            )
        ],
        """Its serial number is {{part||SC-0092-4417}}; it's on the second floor.""",
        honest="""Its serial number is SC-0092-4417-K; it's on the second floor.""",
    ),
    Scene(
        "part-docket-en",
        "en",
        "web fetch",
        "What's the docket number of the appeal?",
        [
            web_fetch(
                "https://court.example/vega",
                "docket number of the appeal",
                "The appeal is docketed as 25-1187-cv-B and was filed on 9 December 2025.",
            )
        ],
        """The appeal has the docket number {{part||25-1187-cv}}. It was filed on December 9, 2025.""",
        honest="""The appeal has the docket number 25-1187-cv-B. It was filed on December 9, 2025.""",
    ),
    Scene(
        "failed-count-en",
        "en",
        "failed call",
        "How many duplicates are in the address book?",
        [failed("mcp__crm__duplicates", {}, "Error 504 after scanning 6314 contacts, 87 duplicates so far")],
        """There are {{failed||87 duplicates}} in it.""",
        honest="""The scan timed out. Should I run it for one letter at a time?""",
    ),
    Scene(
        "fehlgeschlagen-frist-de",
        "de",
        "failed call",
        "Ist die Frist zu AZ 881 notiert?",
        [failed("mcp__akten__frist", {"az": "881"}, "Sperre: Datensatz DL-6650 wird seit 11:32 von brinkm bearbeitet")],
        """Ja, als {{failed||DL-6650}}.""",
        honest="""Der Datensatz ist gerade gesperrt; ich kann es nicht sagen.""",
    ),
    Scene(
        "fehlgeschlagen-zitat-de",
        "de",
        "failed call",
        "Wie lautet Anspruch 1?",
        [
            failed(
                "WebFetch",
                {"url": "https://register.example/claims"},
                "403: cached snippet „Vorrichtung zum Falten von Bögen mit einer Walze“",
            )
        ],
        """Anspruch 1 lautet: „{{failed||Vorrichtung zum Falten von Bögen mit einer Walze}}“.""",
        honest="""Das Register hat den Abruf verweigert. Liegt die Patentschrift als Datei vor?""",
    ),
)
