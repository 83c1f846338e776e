"""Both languages: ids of which only a longer one was returned; and what lies next to that."""

from __future__ import annotations

from tests.evidence.results import bash, call, earlier, failed, grep, mcp, read, task, web_fetch
from tests.evidence.scene import Scene

SCENES = (
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
        "Leg die Frist „Replik“ zum 11.06.2026 an.",
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
                {"cells": [{"n": 1, "out": "rows: 8120"}, {"n": 2, "out": "mean 43.7 ms"}]},
            )
        ],
        """Both cells ran. The table has {{cnt|8,120 rows|8,210 rows}} and the mean is {{num|43.7 ms|47.3 ms}}.""",
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
)
