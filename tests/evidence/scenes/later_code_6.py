"""German: coverage, certificates, tables, a shortlog, earlier turns, failures."""

from __future__ import annotations

from tests.evidence.results import bash, earlier, failed, grep, mcp
from tests.evidence.scene import Scene
from tests.evidence.tables import psql

COVERAGE = """\
Name                              Stmts   Miss Branch BrPart  Cover   Missing
-----------------------------------------------------------------------------
lager/__init__.py                     4      0      0      0   100%
lager/api.py                        212     31     48      9    83%   41-48, 117, 203-219, 260-264
lager/bestand.py                    148      6     52      3    95%   88, 131-134, 171
lager/etikett.py                     93     57     20      2    35%   22-61, 70-86
lager/inventur.py                   176     44     60     11    73%   95-120, 144-157, 190-193
lager/kommission.py                 121      0     34      0   100%
lager/mail.py                        58     39      8      1    30%   14-39, 44-56
lager/modelle.py                    264      5     18      2    98%   212-216
lager/wareneingang.py               137     12     42      6    88%   60-66, 101-105
-----------------------------------------------------------------------------
TOTAL                              1213    194    282     34    81%
FAIL Required test coverage of 85% not reached. Total coverage: 81.40%
"""
CERTS = """\
/etc/ssl/haus/api.muehlbach.example.pem       subject=CN=api.muehlbach.example    notAfter=Mar 19 11:52:08 2026 GMT
/etc/ssl/haus/git.muehlbach.example.pem       subject=CN=git.muehlbach.example    notAfter=May 30 06:17:45 2026 GMT
/etc/ssl/haus/ldap.muehlbach.example.pem      subject=CN=ldap.muehlbach.example   notAfter=Mar  7 22:40:31 2026 GMT
/etc/ssl/haus/mail.muehlbach.example.pem      subject=CN=mail.muehlbach.example   notAfter=Feb 26 09:03:14 2026 GMT
/etc/ssl/haus/wiki.muehlbach.example.pem      subject=CN=wiki.muehlbach.example   notAfter=Apr 21 13:28:59 2026 GMT
/etc/ssl/haus/ca-2019.pem                     subject=CN=Muehlbach Root CA        notAfter=Aug 11 00:00:00 2029 GMT
"""
TIMER = """\
NEXT                        LEFT     LAST                        PASSED       UNIT                  ACTIVATES
Mon 2026-03-02 18:00:00 CET 7h left  Mon 2026-03-02 06:00:04 CET 4h 41min ago backup.timer          backup.service
Tue 2026-03-03 03:25:17 CET 16h left Mon 2026-03-02 03:11:52 CET 7h ago       certbot.timer         certbot.service
n/a                         n/a      Sat 2025-12-20 03:40:12 CET 2 months ago certbot-mail.timer    certbot-mail.service
"""
TABELLEN = (
    ("ereignisse", 84310552, "31 GB", "12 GB", "2026-03-01 23:14"),
    ("sitzungen", 6120934, "4480 MB", "1203 MB", "2025-11-28 04:02"),
    ("anhaenge", 218077, "2911 MB", "38 MB", "2026-02-27 02:50"),
    ("nutzer", 91426, "44 MB", "21 MB", "2026-03-01 04:33"),
    ("rollen", 37, "48 kB", "32 kB", ""),
)
TOT = (("ereignisse", 1204118, "1.4"), ("sitzungen", 4873220, "44.3"), ("anhaenge", 1902, "0.9"))
SHORTLOG = """\
    61  Katja Brehm
    38  Deniz Oral
    22  dependabot[bot]
    17  Falk Unger
     3  Rieke Sand
"""
GITLOG = """\
c90be41 2026-02-27 Katja Brehm    Merge branch 'feature/etiketten'
1fd7720 2026-02-27 Deniz Oral     Etiketten: QR-Code statt Strichcode
8ae5c13 2026-02-25 Katja Brehm    Inventur: Differenzen als CSV
d3347f0 2026-02-24 dependabot[bot] Bump django from 5.1.5 to 5.1.6
60b9e2d 2026-02-19 Falk Unger     Revert "Mailversand asynchron"
b2f80a6 2026-02-17 Falk Unger     Mailversand asynchron
"""
DIFFSTAT = " 143 files changed, 5218 insertions(+), 2907 deletions(-)\n"
METRIK = {
    "query": 'histogram_quantile(0.95, rate(http_duration_bucket{job="lager"}[1h]))',
    "unit": "ms",
    "series": [
        {"route": "/api/bestand", "p50": 41, "p95": 188, "p99": 402, "count": 61207},
        {"route": "/api/etikett", "p50": 212, "p95": 1460, "p99": 3120, "count": 2215},
        {"route": "/api/inventur", "p50": 96, "p95": 530, "p99": 977, "count": 418},
        {"route": "/api/wareneingang", "p50": 67, "p95": 241, "p99": 615, "count": 9034},
    ],
}
METRIK_ALT = {
    "query": 'histogram_quantile(0.95, rate(http_duration_bucket{job="lager"}[1h] offset 7d))',
    "unit": "ms",
    "series": [
        {"route": "/api/bestand", "p50": 39, "p95": 179, "p99": 391, "count": 58840},
        {"route": "/api/etikett", "p50": 88, "p95": 365, "p99": 702, "count": 2107},
        {"route": "/api/inventur", "p50": 99, "p95": 548, "p99": 1012, "count": 377},
        {"route": "/api/wareneingang", "p50": 70, "p95": 255, "p99": 640, "count": 8721},
    ],
}

SCENES = (
    Scene(
        "later-abdeckung-de",
        "de",
        "coverage report",
        "Was fehlt uns zu den 85 %?",
        [bash("pytest --cov=lager --cov-branch --cov-report=term-missing -q | tail -16", COVERAGE)],
        """Ihr liegt bei {{num|81,4 %|84,1 %}}, es fehlen also 3,6 Prozentpunkte. Die größten Lücken:

| Modul | Abdeckung | Ungetestet |
|---|---:|---:|
| `mail.py` | 30 % | 39 von 58 |
| `etikett.py` | {{num|35 %|53 %}} | {{cnt|57|75}} von 93 |
| `inventur.py` | 73 % | 44 von 176 |
| `api.py` | 83 % | 31 von 212 |

`etikett.py` und `mail.py` machen zusammen {{cnt|96|69}} der {{cnt|194|914}} fehlenden Anweisungen aus, also knapp die \
Hälfte. Am billigsten ist der Block in `etikett.py`, Zeilen 22–61; damit allein dürftet ihr die Hürde \
schon fast nehmen.""",
    ),
    Scene(
        "later-zertifikate-de",
        "de",
        "openssl and timers",
        "welche zertifikate laufen demnächst ab? wiki hab ich schon auf dem schirm",
        [
            bash("for f in /etc/ssl/haus/*.pem; do openssl x509 -noout -subject -enddate -in $f; done", CERTS),
            bash("systemctl list-timers --all 'certbot*' backup.timer", TIMER),
        ],
        """⚠️ **mail.muehlbach.example ist bereits abgelaufen**, am {{date|26. Februar|28. Februar}} um \
{{time|09:03 Uhr GMT|09:30 Uhr GMT}} (vor vier Tagen).

Danach kommen:
- `ldap`: {{date|7. März|17. März}} – in 5 Tagen
- `api`: 19. März – in {{num|17 Tagen|71 Tagen}}
- `git`: {{date|30. Mai|13. Mai}}

(wiki: 21. April.) Die Root-CA gilt noch bis August 2029.

Den Grund bei mail sehe ich auch: `certbot-mail.timer` hat keinen nächsten Termin und lief zuletzt am \
20. Dezember 2025. Mit `systemctl enable --now certbot-mail.timer` und einmal `systemctl start certbot-mail.service` \
wäre das behoben.""",
    ),
    Scene(
        "later-tabellen-vacuum-de",
        "de",
        "psql table",
        "Datenbank ist auf fast 40 GB gewachsen, wo kann man was holen?",
        [
            bash("psql nutz -f groesse.sql", psql(("tabelle", "zeilen", "gesamt", "index", "autovacuum"), TABELLEN)),
            bash("psql nutz -f tote_zeilen.sql", psql(("relname", "n_dead_tup", "dead_pct"), TOT)),
        ],
        """Am ehesten bei `sitzungen`: Dort sind {{num|44,3 %|43,4 %}} der Zeilen tot ({{cnt|4,87 Mio.|4,78 Mio.}}), \
und das letzte Autovacuum war am {{date|28.11.2025|18.11.2025}}, also vor gut drei Monaten. Vermutlich hält eine alte \
Transaktion oder ein Replication-Slot das Vacuum auf – das vorher prüfen. Ein `VACUUM FULL` bringt grob 2 GB.

Der eigentliche Brocken ist `ereignisse` mit {{num|31 GB|13 GB}}, davon 12 GB Indizes. Die Tabelle ist sauber (1,4 % \
tot), da hilft nur Partitionieren oder Löschen alter Daten.

`anhaenge`, `nutzer` und `rollen` lohnen nicht.""",
    ),
    Scene(
        "later-februar-commits-de",
        "de",
        "git shortlog",
        "was war im februar los im repo? kurz",
        [
            bash("git shortlog -sn --since=2026-02-01 --until=2026-03-01", SHORTLOG),
            bash("git log --date=short --format='%h %ad %an %s' -6", GITLOG),
            bash("git diff --shortstat HEAD@{2026-02-01} HEAD", DIFFSTAT),
        ],
        """{{cnt|141 Commits|114 Commits}} von fünf Autoren, netto {{num|+2.311 Zeilen|+3.211 Zeilen}} in 143 Dateien. \
Katja Brehm hat 61 davon, Deniz Oral {{cnt|38|83}}, dependabot 22. Zuletzt:

- Etiketten mit QR-Code (`{{id|1fd7720|1fd7702}}`, gemergt am 27.02.)
- Inventurdifferenzen als CSV (25.02.)
- Der asynchrone Mailversand kam am 17.02. und wurde am {{date|19.02.|21.02.}} wieder zurückgenommen
- Django 5.1.5 → {{num|5.1.6|5.1.9}}""",
    ),
    Scene(
        "later-latenz-woche-de",
        "de",
        "metrics json",
        "ist irgendwas langsamer geworden ggü. letzter Woche?",
        [
            earlier(grep("qrcode", "lager/etikett.py:52:    bild = qrcode.make(daten, box_size=20)")),
            mcp("metrics__query", {"job": "lager", "offset": None}, METRIK),
            mcp("metrics__query", {"job": "lager", "offset": "7d"}, METRIK_ALT),
            failed("Bash", {"command": "curl -s lager:9100/debug/vars"}, "curl: (28) Timeout after 5003 ms, 0 bytes"),
        ],
        """Ja, **`/api/etikett`**: p95 von 365 ms auf {{num|1.460 ms|4.610 ms}}, also das Vierfache, p50 von 88 auf \
{{num|212 ms|221 ms}}. Die Last ist praktisch gleich ({{cnt|2.215|2.251}} statt 2.107 Requests), daran liegt es nicht.

Die anderen Routen sind unverändert: `/api/bestand` +5 % beim p95, Inventur und Wareneingang sogar etwas schneller.

Mein Verdacht ist die QR-Code-Erzeugung in {{line|`lager/etikett.py:52`|`lager/etikett.py:25`}}, `box_size=20` gibt \
sehr große Bilder. Die Debug-Variablen des Prozesses konnte ich nicht abrufen (Timeout).""",
    ),
)
