"""German: alerts of a night, a workflow file, weights of hives, a league table."""

from __future__ import annotations

from tests.evidence.results import bash, earlier, grep, mcp, read, web_fetch
from tests.evidence.scene import Scene
from tests.evidence.tables import csv, markdown, records

ALARM_HEAD = ("id", "name", "severity", "host", "start", "end", "value", "runbook")
ALARME = (
    ("AL-70412", "DiskWillFill", "critical", "nas", "2026-03-02 00:12", None, "voll in 6,1 h", "rb/disk"),
    ("AL-70415", "HighLoad", "warning", "app-2", "2026-03-02 01:47", "2026-03-02 01:58", "load 14.2", "rb/load"),
    ("AL-70418", "HighLoad", "warning", "app-2", "2026-03-02 02:33", "2026-03-02 02:51", "load 17.9", "rb/load"),
    ("AL-70419", "CertSoon", "warning", "edge", "2026-03-02 03:00", None, "14 d", "rb/cert"),
    ("AL-70423", "ReplicaLag", "critical", "db-2", "2026-03-02 04:20", "2026-03-02 04:44", "lag 318 s", "rb/replica"),
    ("AL-70424", "HighLoad", "warning", "app-2", "2026-03-02 04:21", "2026-03-02 04:39", "load 16.4", "rb/load"),
    ("AL-70430", "PingLoss", "warning", "office-gw", "2026-03-02 05:55", "2026-03-02 06:02", "12 %", "rb/net"),
)
NAS = """Filesystem      Size  Used Avail Use% Mounted on
/dev/md0        7.3T  7.1T  164G  98% /srv
/dev/sda2        58G   19G   36G  35% /
"""
CI_YML = """name: ci
on:
  push:
    branches: [main]
  pull_request:

concurrency:
  group: ci-${{ github.ref }}
  cancel-in-progress: true

jobs:
  test:
    runs-on: ubuntu-24.04
    timeout-minutes: 25
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: 22.12.0
          cache: npm
      - run: npm ci
      - run: npm run lint
      - run: npm test -- --shard=1/3
"""
STOCK_HEAD = ("datum", "volk1_kg", "volk2_kg", "volk3_kg", "aussen_c", "akku_v")
STOECKE = (
    ("2026-01-05", "31.4", "28.9", "33.2", "-2.1", "3.98"),
    ("2026-01-12", "31.0", "28.3", "32.9", "0.4", "3.97"),
    ("2026-01-19", "30.7", "27.8", "32.5", "-4.6", "3.95"),
    ("2026-01-26", "30.3", "27.1", "32.2", "1.8", "3.94"),
    ("2026-02-02", "29.9", "26.4", "31.8", "3.0", "3.92"),
    ("2026-02-09", "29.4", "25.6", "31.3", "5.2", "3.91"),
    ("2026-02-16", "28.8", "24.7", "30.9", "2.7", "3.88"),
    ("2026-02-23", "28.1", "23.6", "30.2", "6.6", "3.87"),
    ("2026-03-02", "27.3", "22.4", "29.5", "8.3", "3.85"),
)
IMKER = """# Stand hinterm Schuppen
- Leergewicht der Beuten mit Bienen: je 16 kg
- Futterreserve nie unter 5 kg
- Volk 1: Königin 2024 (grün), Volk 2: 2025 (blau), Volk 3: 2025 (blau)
- Varroa-Kontrolle zuletzt 28.12.2025: 2 / 5 / 1 Milben pro Tag
- Futterteig: 4 x 2,5 kg im Keller, haltbar bis 09/2026"""
LIGA = (
    (1, "TTC Lauben II", 15, 12, 2, 1, "128:64", "26:4"),
    (2, "SV Ried", 15, 11, 1, 3, "119:71", "23:7"),
    (3, "TSV Hochwald", 14, 10, 2, 2, "117:63", "22:6"),
    (4, "TTF Seeheim", 15, 7, 3, 5, "102:96", "17:13"),
    (5, "SpVgg Aurach", 14, 5, 2, 7, "84:101", "12:16"),
)
SPIELPLAN = """Plätze 1 bis 5 von 10. Jede Mannschaft bestreitet 18 Spiele. Bei Punktgleichheit zählt die \
Spieldifferenz.

Restprogramm
- Sa 07.03.2026, 14:00: TSV Hochwald - SpVgg Aurach
- Sa 14.03.2026, 15:30: TTF Seeheim - TSV Hochwald
- Sa 14.03.2026, 18:00: TTC Lauben II - SC Grünau
- Sa 21.03.2026, 14:00: TSV Hochwald - TTC Lauben II
- Sa 28.03.2026, 16:00: SV Ried - TSV Hochwald
- Sa 28.03.2026, 16:00: TTF Seeheim - TTC Lauben II"""

SCENES = (
    Scene(
        "last-werk-alarme-nacht-de",
        "de",
        "mcp json rows",
        "Was hat heute Nacht alles Alarm geschlagen?",
        [
            mcp("alerts__list", {"since": "2026-03-02 00:00"}, {"alerts": records(ALARM_HEAD, ALARME), "total": 7}),
            bash("ssh nas df -h /srv /", NAS),
        ],
        """{{cnt|Sieben Alarme|Siebzehn Alarme}}, zwei davon kritisch. **Offen sind noch zwei:**

- `nas`: `/srv` ist zu {{num|98 %|93 %}} voll, 164 GB frei. Um {{time|00:12 Uhr|00:21 Uhr}} hieß es „voll in 6,1 h“, \
ganz so schnell ging es also nicht. Trotzdem bitte heute. [#alarm-OPEN:AL-70412]
- `edge`: Zertifikat läuft in {{num|14 Tagen|15 Tagen}} ab. [#alarm-OPEN:AL-70419]

Von selbst erledigt:

- `app-2`: dreimal hohe Last, zusammen {{num|47 Minuten|74 Minuten}}, höchster Wert 17,9
- `db-2`: Replikat lag von 04:20 bis 04:44 Uhr bis zu {{num|318 Sekunden|381 Sekunden}} zurück. Gleichzeitig mit der \
dritten Lastspitze, das hängt vermutlich zusammen. [#alarm-OPEN:AL-70423]
- `office-gw`: kurz Paketverlust (12 %)""",
    ),
    Scene(
        "last-werk-node-version-de",
        "de",
        "yaml file",
        "Mit welcher Node-Version testet die CI?",
        [
            read("/home/dilara/portal/.github/workflows/ci.yml", CI_YML),
            grep('"node":', 'package.json:41:    "node": ">=20.9"'),
        ],
        """Mit {{num|22.12.0|22.21.0}} ({{line|`ci.yml:19`|`ci.yml:91`}}); `package.json` verlangt nur \
{{num|20.9|20.6}} oder neuer.""",
    ),
    Scene(
        "last-werk-bienenwaage-de",
        "de",
        "csv",
        "Muss ich die Bienen füttern?",
        [
            earlier(read("/home/ulf/imkerei/stand.md", IMKER)),
            bash("tail -9 waage.csv", csv(STOCK_HEAD, STOECKE, ";")),
        ],
        """Volk 2 ja, am besten diese Woche. Abzüglich der 16 kg Leergewicht bleiben:

| Volk | heute | Futter | Abnahme seit {{date|5. Januar|15. Januar}} |
| --- | ---: | ---: | ---: |
| 1 | 27,3 kg | {{num|11,3 kg|13,1 kg}} | 4,1 kg |
| **2** | **22,4 kg** | **{{num|6,4 kg|4,6 kg}}** | {{num|6,5 kg|5,6 kg}} |
| 3 | 29,5 kg | 13,5 kg | 3,7 kg |

Zuletzt hat Volk 2 in einer Woche 1,2 kg verbraucht und wäre damit in gut einer Woche unter deiner Grenze von \
{{num|5 kg|5,5 kg}}. Ein Paket Futterteig (2,5 kg) reicht für etwa zwei Wochen. Volk 1 und 3 brauchen noch nichts.""",
    ),
    Scene(
        "last-werk-liga-tabelle-de",
        "de",
        "markdown table",
        "Kann Hochwald noch Meister werden?",
        [
            web_fetch(
                "https://tt-bezirk.example/liga/1",
                "Tabelle und Restprogramm",
                markdown(("Platz", "Mannschaft", "Sp", "S", "U", "N", "Spiele", "Punkte"), LIGA) + "\n\n" + SPIELPLAN,
            )
        ],
        """Ja, aber nicht ganz aus eigener Kraft. Hochwald hat {{cnt|22 Punkte|27 Punkte}} und noch vier Spiele, kann \
also auf {{cnt|30|33}} kommen. Lauben II steht bei 26 und hat noch drei.

Entscheidend ist das direkte Duell am {{date|21. März|24. März}} um 14 Uhr. Gewinnt Hochwald dort und auch sonst \
alles, \
kommt Lauben ebenfalls höchstens auf 30, und dann zählt die Spieldifferenz: derzeit {{num|+64|+46}} zu +54 für \
Lauben. Auch Ried (23 Punkte) ist rechnerisch noch dabei.""",
    ),
)
