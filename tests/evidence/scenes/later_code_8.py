"""German: jobs, dependencies, reviews, sizes of files; without a tool, a failed call, a call's own input."""

from __future__ import annotations

from tests.evidence.results import bash, earlier, edit, failed, glob, grep, mcp, read
from tests.evidence.scene import Scene

CRONTAB = """\
# m h dom mon dow  befehl
MAILTO=technik@lohse.example
15 2 * * *    /opt/jobs/dump.sh >> /var/log/jobs/dump.log 2>&1
40 2 * * 0    /opt/jobs/vacuum.sh
*/10 * * * *  /opt/jobs/abgleich.sh --quelle erp
5 6 1 * *     /opt/jobs/monatsbericht.py
30 4 * * 1-5  /opt/jobs/import_katalog.sh
#0 5 * * *    /opt/jobs/alt_import.sh
"""
DUMP_LOG = """\
2026-02-26T02:15:01 start dump nach /mnt/nas/dump
2026-02-26T02:38:44 fertig, 18,2 GiB, 1423 s
2026-02-27T02:15:01 start dump nach /mnt/nas/dump
2026-02-27T02:39:20 fertig, 18,3 GiB, 1459 s
2026-02-28T02:15:01 start dump nach /mnt/nas/dump
2026-02-28T02:15:02 pg_dump: error: could not open output file "/mnt/nas/dump/28.dump": Permission denied
2026-02-28T02:15:02 abbruch, code 1
2026-03-01T02:15:01 start dump nach /mnt/nas/dump
2026-03-01T02:15:02 pg_dump: error: could not open output file "/mnt/nas/dump/01.dump": Permission denied
2026-03-01T02:15:02 abbruch, code 1
2026-03-02T02:15:01 start dump nach /mnt/nas/dump
2026-03-02T02:15:02 pg_dump: error: could not open output file "/mnt/nas/dump/02.dump": Permission denied
2026-03-02T02:15:02 abbruch, code 1
"""
MOUNT = "nas.lohse.lan:/volume1/sicherung on /mnt/nas type nfs4 (ro,relatime,vers=4.1,rsize=131072,timeo=600)\n"
PIP = """\
Package            Version   Latest    Type
------------------ --------- --------- -----
celery             5.3.6     5.4.0     wheel
cryptography       42.0.5    44.0.1    wheel
Django             4.2.11    5.1.6     wheel
gunicorn           21.2.0    23.0.0    wheel
Jinja2             3.1.3     3.1.5     wheel
Pillow             10.2.0    11.1.0    wheel
psycopg            3.1.18    3.2.4     wheel
requests           2.31.0    2.32.3    wheel
weasyprint         60.2      64.0      wheel
"""
PIP_AUDIT = """\
Found 4 known vulnerabilities in 3 packages
Name     Version ID                  Fix Versions
-------- ------- ------------------- ------------
django   4.2.11  PYSEC-2024-57       4.2.14,5.0.7
django   4.2.11  GHSA-pv4p-cwwg-4rph 4.2.16
gunicorn 21.2.0  GHSA-hc5x-x2vx-497g 22.0.0
jinja2   3.1.3   GHSA-h75v-3vvj-5mfj 3.1.4
"""
KOMMENTARE = [
    {
        "id": 88120,
        "pfad": "src/termin/serie.ts",
        "zeile": 64,
        "autor": "m.elbers",
        "text": "Bei Sommerzeit rutscht der Termin um eine Stunde.",
        "erledigt": False,
        "am": "2026-02-27T16:02:00+01:00",
    },
    {
        "id": 88121,
        "pfad": "src/termin/serie.ts",
        "zeile": 91,
        "autor": "m.elbers",
        "text": "Magische 366, bitte als Konstante.",
        "erledigt": True,
        "am": "2026-02-27T16:05:00+01:00",
    },
    {
        "id": 88134,
        "pfad": "src/termin/ical.ts",
        "zeile": 18,
        "autor": "h.petri",
        "text": "RFC 5545 verlangt CRLF, hier steht nur LF.",
        "erledigt": False,
        "am": "2026-03-01T21:47:00+01:00",
    },
    {
        "id": 88135,
        "pfad": "test/serie.test.ts",
        "zeile": 140,
        "autor": "h.petri",
        "text": "Test für den 29. Februar fehlt.",
        "erledigt": False,
        "am": "2026-03-01T21:52:00+01:00",
    },
]
WC = """\
   1874 src/legacy/AuftragController.php
   1121 src/legacy/Helper.php
    936 src/Service/PreisService.php
    702 src/Service/LieferService.php
    655 src/Form/AuftragType.php
    418 src/Entity/Auftrag.php
  22840 total
"""
NGINX = """server {
    listen 443 ssl;
    server_name dateien.lohse.example;
    client_max_body_size 20m;
    proxy_read_timeout 60s;
    location / { proxy_pass http://127.0.0.1:9050; }
}
"""

SCENES = (
    Scene(
        "later-dump-cron-de",
        "de",
        "crontab and log",
        "Läuft das nächtliche Backup eigentlich noch?",
        [
            bash("crontab -l", CRONTAB),
            bash("tail -13 /var/log/jobs/dump.log", DUMP_LOG),
            bash("mount | grep nas", MOUNT),
        ],
        """Nein, seit {{cnt|drei Nächten|17 Nächten}} nicht mehr. Der letzte gute Dump ist vom \
{{date|27. Februar|21. Februar}} ({{num|18,3 GiB|13,8 GiB}}, gut 24 Minuten).

Seit dem 28. bricht `dump.sh` um {{time|2:15 Uhr|2:51 Uhr}} sofort ab: {{quo|„Permission denied“|„No space left on \
device“}}. Ursache: `/mnt/nas` ist nur lesend eingehängt (`ro`).

Gemerkt hat es niemand, weil die Ausgabe im Log landet und cron deshalb keine Mail schickt.

```bash
sudo mount -o remount,rw /mnt/nas && /opt/jobs/dump.sh
```

Wenn das NAS selbst auf read-only steht (volle Platte, defektes RAID), \
hilft der Remount nicht; dann bitte dort schauen.""",
    ),
    Scene(
        "later-pip-luecken-de",
        "de",
        "pip output",
        "pip mal prüfen bitte, nur was sicherheitsrelevant ist",
        [bash("pip list --outdated", PIP), bash("pip-audit", PIP_AUDIT)],
        """Vier Lücken in drei Paketen, alle ohne Major-Sprung bei Django zu beheben:

| Paket | Installiert | Mindestens | Lücke |
|---|---|---|---|
| Django | {{num|4.2.11|4.2.17}} | {{num|4.2.16|4.2.18}} | PYSEC-2024-57, \
{{id|GHSA-pv4p-cwwg-4rph|GHSA-pv4p-ccwg-4rph}} |
| gunicorn | 21.2.0 | 22.0.0 | GHSA-hc5x-x2vx-497g |
| Jinja2 | 3.1.3 | {{num|3.1.4|3.1.9}} | GHSA-h75v-3vvj-5mfj |

`pip install 'django~=4.2.16' 'gunicorn>=22' 'jinja2>=3.1.4'` reicht. Insgesamt sind {{cnt|neun Pakete|17 Pakete}} \
veraltet, der Rest kann warten.""",
    ),
    Scene(
        "later-review-offen-de",
        "de",
        "mcp json rows",
        "welche review-kommentare sind noch offen?",
        [mcp("gitea__kommentare", {"pr": 319}, KOMMENTARE)],
        """Drei sind offen, einer ist erledigt:

- `serie.ts`, {{line|Zeile 64|Zeile 46}} (m.elbers): {{quo|„Bei Sommerzeit rutscht der Termin um eine Stunde.“|„Die \
Zeitzone wird hier komplett ignoriert.“}} [#kommentar-OPEN:88120]
- `ical.ts:18` (h.petri): {{id|RFC 5545|RFC 5454}} verlangt CRLF [#kommentar-OPEN:88134]
- `serie.test.ts`: Test für den {{date|29. Februar|28. Februar}} fehlt [#kommentar-OPEN:88135]

Der Sommerzeitfehler ist der einzige echte Bug, die anderen beiden sind in ein paar Minuten gemacht.""",
    ),
    Scene(
        "later-groesste-dateien-de",
        "de",
        "wc output",
        "Größte PHP-Datei?",
        [
            glob("src/**/*Controller.php", "src/legacy/AuftragController.php", "src/Controller/LoginController.php"),
            bash("find src -name '*.php' | xargs wc -l | sort -rn | head -7", WC),
        ],
        """`src/legacy/AuftragController.php` mit {{cnt|1.874 Zeilen|1.847 Zeilen}}, das sind {{num|8 %|13 %}} der \
insgesamt {{cnt|22.840|28.240}} Zeilen.""",
    ),
    Scene(
        "later-upload-grenze-de",
        "de",
        "edit result",
        "Kunden können keine PDFs über 20 MB hochladen, stell das auf 50",
        [
            grep("client_max_body_size", "/etc/nginx/sites/dateien.conf:4:    client_max_body_size 20m;"),
            edit("/etc/nginx/sites/dateien.conf", "client_max_body_size 20m;", "client_max_body_size 50m;", NGINX),
            earlier(
                read("/srv/dateien/upload.ini", "[upload]\nmax_mb = 64\nablage = /srv/dateien/eingang\ntage = 14\n")
            ),
            failed(
                "Bash",
                {"command": "nginx -t && systemctl reload nginx"},
                "nginx: [emerg] bind() to 0.0.0.0:443 failed (13: Permission denied)\n"
                "nginx: configuration file /etc/nginx/nginx.conf test failed",
            ),
        ],
        """Geändert: In {{line|`dateien.conf:4`|`dateien.conf:14`}} steht jetzt `client_max_body_size 50m` (vorher \
{{num|20 MB|25 MB}}). Die Anwendung selbst erlaubt {{num|64 MB|46 MB}}, da war nichts zu tun.

**Noch nicht aktiv:** Der Test ist an fehlenden Rechten gescheitert, ich darf nginx nicht neu laden. Bitte einmal:

```
sudo nginx -t && sudo systemctl reload nginx
```""",
    ),
)
