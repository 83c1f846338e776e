"""Both languages: answers with chips; some of their ids were returned by a tool of the turn, some were not."""

from __future__ import annotations

from tests.evidence.results import bash, failed, glob, grep, mcp, read, task, write
from tests.evidence.scene import Scene

SCENES = (
    Scene(
        "chips-schluessel-de",
        "de",
        "json by id",
        "Öffne mir die beiden dringenden Aufgaben.",
        [
            mcp(
                "aufgaben__liste",
                {},
                {
                    "a9f01c": {"titel": "Vollmacht anfordern", "prio": 1},
                    "b7720e": {"titel": "Kosten prüfen", "prio": 3},
                    "c01d44": {"titel": "Zeugen laden", "prio": 1},
                },
            )
        ],
        """Dringend sind zwei Aufgaben:

- „{{quo|Vollmacht anfordern|Vollmacht zurückgeben}}“ [#aufgabe-OPEN:a9f01c]
- „Zeugen laden“ [#aufgabe-OPEN:c01d44]""",
    ),
    Scene(
        "chips-zahl-de",
        "de",
        "mcp json rows",
        "Welche Termine habe ich am Mittwoch?",
        [
            mcp(
                "kalender__tag",
                {"tag": "2026-03-04"},
                {"rows": [{"id": 88120, "um": "11:00", "was": "Mandantengespräch Thoma"}], "more": 0},
            )
        ],
        """Am Mittwoch um {{time|11 Uhr|13 Uhr}} haben Sie das Mandantengespräch Thoma. [#termin-OPEN:88120] Der \
Termin davor \
war am Montag. [#termin-OPEN:88119]""",
        unheld=["88119"],
    ),
    Scene(
        "chips-punkte-de",
        "de",
        "csv",
        "Und das Projekt Isar?",
        [read("/home/ada/projekte.csv", "id;name;leitung\np.2026:isar-1;Isar;Brinkmann\np.2026:amper-2;Amper;Dorn\n")],
        """Das Projekt Isar leitet Brinkmann. [#projekt-OPEN:p.2026:isar-1] Es gibt noch Amper. \
[#projekt-OPEN:p.2026:amper]""",
        unheld=["p.2026:amper"],
    ),
    Scene(
        "chips-frage-de",
        "de",
        "own input",
        "Ist DL-7790 noch offen?",
        [bash("grep DL-7790 fristen.csv || echo 'DL-7790 nicht gefunden'", "DL-7790 nicht gefunden\n")],
        """In der Liste steht diese Frist nicht. [#deadline-OPEN:DL-7790]""",
        unheld=["DL-7790"],
    ),
    Scene(
        "chips-suche-de",
        "de",
        "grep",
        "Zeig mir die Akte zur Marke Fuchs.",
        [grep("Fuchs", "akten.txt:7:c3d4e5 Marke Fuchs, Widerspruch 30 2025 104 882")],
        """Es ist der Widerspruch gegen die Marke {{file|30 2025 104 882|30 2025 104 828}} \
(`{{line|akten.txt:7|akten.txt:70}}`). \
[#akte-OPEN:c3d4e5]""",
    ),
    Scene(
        "chips-write-en",
        "en",
        "write and read",
        "Create a task for the audit.",
        [write("/home/kim/tasks.txt", "task-440 audit\n"), bash("cat tasks.txt", "task-440 audit\n")],
        """I noted the task in `tasks.txt`. [#task-OPEN:task-440]""",
        unheld=["task-440"],
    ),
    Scene(
        "chips-created-en",
        "en",
        "mcp json",
        "Create a task “Audit”, due on 9 March.",
        [
            mcp(
                "tasks__create",
                {"title": "Audit", "due": "2026-03-09"},
                {"created": {"id": "t-90bc", "title": "Audit"}},
            )
        ],
        """I've created the task “Audit” for {{date|9 March|19 March}}. [#task-OPEN:t-90bc] [chip:nav:/tasks]""",
    ),
    Scene(
        "chips-glob-en",
        "en",
        "glob",
        "Open the drawing.",
        [glob("**/*.dwg", "/srv/drawings/DWG-3301.dwg", "/srv/drawings/DWG-3310.dwg")],
        """There are {{cnt|two drawings|seven drawings}}. [#drawing-OPEN:DWG-3301] [#drawing-OPEN:DWG-3310] \
[#drawing-OPEN:DWG-33]""",
        unheld=["DWG-33"],
    ),
    Scene(
        "chips-task-en",
        "en",
        "task",
        "Which deal closes next?",
        [task("Which deal closes next? I guess deal-17.", "deal-58 (Harbour Foods) closes on 2026-03-12, 24,000 EUR.")],
        """The deal with Harbour Foods closes on {{date|March 12|March 21}}, {{amt|€24,000|€42,000}}. \
[#deal-OPEN:deal-58] You had \
guessed another one. [#deal-OPEN:deal-17]""",
        unheld=["deal-17"],
    ),
    Scene(
        "chips-failed-en",
        "en",
        "failed call",
        "Open contract CT-5.",
        [
            failed("mcp__contracts__get", {"id": "CT-5"}, "Not found. Closest match: CT-51"),
            bash("ls contracts", "CT-49.pdf\nCT-50.pdf\n"),
        ],
        """I only see two contracts, 49 and 50. [#contract-OPEN:CT-51]""",
        unheld=["CT-51"],
    ),
)
