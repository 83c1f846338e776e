"""German: CI, disks, SQL, git history, settings."""

from __future__ import annotations

from tests.evidence.results import bash, grep, read
from tests.evidence.scene import Scene
from tests.evidence.tables import psql

CI = """============================= test session starts ==============================
platform linux -- Python 3.12.8, pytest-8.3.4, pluggy-1.5.0
rootdir: /builds/laden/kasse
plugins: xdist-3.6.1, cov-6.0.0
collected 412 items

tests/test_artikel.py ............................................       [ 10%]
tests/test_export.py ......................s.....................        [ 21%]
tests/test_kunde.py ...............................................      [ 32%]
tests/test_rabatt.py ..............F.....F........                       [ 39%]
tests/test_rechnung.py .....................................F........... [ 51%]
tests/test_storno.py ............................ssssss................. [ 63%]
tests/test_web.py ...................................................... [100%]

=================================== FAILURES ===================================
______________________________ test_staffel_ab_250 _____________________________
    def test_staffel_ab_250():
        preis = mit_rabatt(Decimal("0.412"), menge=250)
>       assert preis == Decimal("87.55")
E       AssertionError: assert Decimal('87.50') == Decimal('87.55')

tests/test_rabatt.py:141: AssertionError
____________________________ test_staffel_mit_skonto ___________________________
>       assert preis == Decimal("84.92")
E       AssertionError: assert Decimal('84.88') == Decimal('84.92')

tests/test_rabatt.py:203: AssertionError
____________________________ test_summe_mit_rabatt _____________________________
>       assert rechnung.summe == Decimal("1041.85")
E       AssertionError: assert Decimal('1041.25') == Decimal('1041.85')

tests/test_rechnung.py:377: AssertionError
=========================== short test summary info ============================
FAILED tests/test_rabatt.py::test_staffel_ab_250 - AssertionError: assert Decim...
FAILED tests/test_rabatt.py::test_staffel_mit_skonto - AssertionError: assert D...
FAILED tests/test_rechnung.py::test_summe_mit_rabatt - AssertionError: assert D...
============ 3 failed, 402 passed, 7 skipped in 96.42s (0:01:36) ===============
ERROR: Job failed: exit code 1
"""
CI_LOG = """4be19d7 2026-02-27 Jule Terhorst  Rabatt schon auf den Einzelpreis runden
c03f5a2 2026-02-11 Malik Ozan     Skonto: Prozent als Decimal
9910e4b 2026-01-29 Jule Terhorst  Staffel aus der Datenbank lesen
"""
RABATT = """def mit_rabatt(einzelpreis: Decimal, menge: int, skonto: Decimal = NULL) -> Decimal:
    staffel = staffel_fuer(menge)
    einzeln = (einzelpreis * (1 - staffel.satz)).quantize(CENT, ROUND_HALF_EVEN)
    summe = einzeln * menge
    if skonto:
        summe -= summe * skonto
    return summe.quantize(CENT, ROUND_HALF_EVEN)
"""
DF = """Filesystem      Size  Used Avail Use% Mounted on
udev            3.9G     0  3.9G   0% /dev
tmpfs           796M  1.3M  795M   1% /run
/dev/vda1        80G   71G  5.3G  94% /
tmpfs           3.9G   84K  3.9G   1% /dev/shm
/dev/vda15      105M  6.1M   99M   6% /boot/efi
/dev/vdb1       500G  212G  263G  45% /srv/daten
"""
DU = """31G	/var/lib/docker
18G	/var/log
6.4G	/var/lib/postgresql
4.1G	/home/deploy
3.2G	/usr/lib
2.7G	/opt/jenkins
1.9G	/var/cache/apt
"""
DOCKER = """TYPE            TOTAL     ACTIVE    SIZE      RECLAIMABLE
Images          24        9         22.4GB    13.8GB (61%)
Containers      11        9         412.6MB   38.2MB (9%)
Local Volumes   7         7         1.265GB   0B (0%)
Build Cache     138       0         6.9GB     6.9GB
"""
LOGS = """-rw-r----- 1 www-data adm  12G Mar  2 08:14 /var/log/nginx/debug.log
-rw-r----- 1 www-data adm 388M Mar  2 08:14 /var/log/nginx/access.log
-rw-r----- 1 www-data adm 1.1G Mar  1 23:59 /var/log/nginx/access.log.1
-rw-r----- 1 syslog   adm 2.3G Mar  2 08:14 /var/log/syslog
-rw-r----- 1 syslog   adm 1.7G Mar  1 00:00 /var/log/syslog.1
"""
TAGE = (
    ("2026-02-23", 184, 9, "11240.50", "14:20"),
    ("2026-02-24", 171, 6, "10022.10", "11:45"),
    ("2026-02-25", 203, 14, "12987.35", "20:10"),
    ("2026-02-26", 166, 5, "9711.80", "12:30"),
    ("2026-02-27", 219, 11, "14506.25", "19:40"),
    ("2026-02-28", 142, 4, "8330.00", "10:05"),
    ("2026-03-01", 97, 2, "5418.90", "21:15"),
)
GITLOG = """a81c3f0 2026-02-28 Tarek Lindhorst   fix: Zeitzone im ICS-Export (#688)
77e0b1d 2026-02-26 Renate Kübler     chore: Ruff 0.9
f4420ce 2026-02-26 Tarek Lindhorst   feat: Serientermine löschen (#671)
18d9a6b 2026-02-24 dependabot[bot]   build(deps): bump jinja2 from 3.1.4 to 3.1.5
e2f7751 2026-02-23 Ewa Sobol         refactor: Kalender ohne globale Sitzung (#680)
b0c6639 2026-02-20 Renate Kübler     docs: README, Abschnitt Installation
5d3e8a4 2026-02-19 Tarek Lindhorst   fix: doppelte Einladungen (#677)
c91b2f8 2026-02-17 dependabot[bot]   build(deps): bump certifi from 2024.12.14 to 2025.1.31
3a60d7e 2026-02-12 Ewa Sobol         feat: Erinnerung 15 Minuten vorher (#659)
90fe14c 2026-02-10 Renate Kübler     fix: Umlaute im Betreff (#664)
6b87c52 2026-02-05 Ewa Sobol         test: Feiertage in allen Ländern
d1745e9 2026-02-03 Tarek Lindhorst   feat: Raumbuchung (#640)
"""
YAML = """# gateway/config/prod.yaml
server:
  listen: 0.0.0.0:8443
  read_timeout: 15s
  write_timeout: 30s
  idle_timeout: 120s
upstreams:
  - name: katalog
    url: http://katalog.intern:9001
    timeout: 4s
    retries: 2
  - name: warenkorb
    url: http://warenkorb.intern:9002
    timeout: 2500ms
    retries: 0
  - name: pdf
    url: http://pdf.intern:9010
    timeout: 45s
    retries: 1
limits:
  body: 8MiB
  requests_per_minute: 240
  burst: 60
"""

SCENES = (
    Scene(
        "last-werk-ci-rot-de",
        "de",
        "pytest output",
        "Warum ist die CI auf main rot?",
        [
            bash("glab ci trace 50718 | tail -60", CI),
            bash("git log --format='%h %as %an  %s' -3 -- src/kasse/rabatt.py", CI_LOG),
            read("/home/jule/kasse/src/kasse/rabatt.py", RABATT, 56, 131),
        ],
        """Es schlagen {{cnt|drei|elf}} von {{cnt|412|438}} Tests fehl, alle in der Rabattberechnung:

| Test | erwartet | bekommen |
| --- | ---: | ---: |
| `test_staffel_ab_250` | 87,55 | {{num|87,50|87,05}} |
| `test_staffel_mit_skonto` | 84,92 | 84,88 |
| `test_summe_mit_rabatt` | 1.041,85 | 1.041,25 |

**Ursache:** Seit Commit `{{id|4be19d7|4eb91d7}}` vom 27.02. („Rabatt schon auf den Einzelpreis runden“) rundet \
{{line|`rabatt.py:58`|`rabatt.py:85`}} auf Cent, *bevor* mit der Menge multipliziert wird. Bei 250 Stück wird aus \
einem Bruchteil eines Cents dann ein sichtbarer Betrag.

Ich würde das `quantize` dort streichen; am Ende der Funktion wird ohnehin noch einmal gerundet. Soll ich?""",
    ),
    Scene(
        "last-werk-platte-voll-de",
        "de",
        "df and du",
        "build-02 meckert wegen Plattenplatz, was liegt da?",
        [
            bash("ssh build-02 df -h", DF),
            bash("ssh build-02 'sudo du -xh / --max-depth=3 | sort -rh | head'", DU),
            bash("ssh build-02 docker system df", DOCKER),
            bash("ssh build-02 'ls -lh /var/log/nginx/*.log* /var/log/syslog*'", LOGS),
        ],
        """Die Systemplatte ist zu {{num|94 %|97 %}} voll, frei sind noch {{num|5,3 GB|3,5 GB}}. `/srv/daten` ist mit \
45 % unkritisch.

Zwei Brocken machen zusammen {{num|49 GB|47 GB}} aus:

1. **`/var/lib/docker`, 31 GB.** Davon lassen sich gut 20 GB gefahrlos freigeben: 13,8 GB unbenutzte Images \
(15 von {{cnt|24|42}}) und der komplette Build-Cache mit 6,9 GB.
2. **`/var/log`, 18 GB.** Fast alles ist `nginx/debug.log` mit {{num|12 GB|21 GB}}. Da hat offenbar jemand das \
Debug-Log eingeschaltet und vergessen.

Vorschlag: `docker image prune -a`, `docker builder prune`, Debug-Log aus und leeren. Das bringt rund 33 GB.""",
    ),
    Scene(
        "last-werk-bestellungen-woche-de",
        "de",
        "psql table",
        "wie war die letzte woche im shop, verglichen mit der davor",
        [
            bash(
                "psql shop -f woche.sql -v von=2026-02-23",
                psql(("tag", "bestellungen", "storniert", "umsatz", "spitze"), TAGE),
            ),
            bash(
                "psql shop -f summe.sql -v von=2026-02-16",
                psql(("bestellungen", "storniert", "umsatz"), [(1096, 58, "68940.15")]),
            ),
        ],
        """Etwas besser als die Woche davor:

| | 16.–22.02. | 23.02.–01.03. | |
| --- | ---: | ---: | ---: |
| Bestellungen | 1.096 | {{num|1.182|1.128}} | {{num|+7,8 %|+8,7 %}} |
| Umsatz | 68.940,15 € | {{amt|72.216,90 €|72.612,90 €}} | +4,8 % |
| Storniert | 58 | 51 | −7 |

Stärkster Tag war Freitag, der {{date|27.02.|20.02.}}, mit 219 Bestellungen, schwächster der Sonntag (97). Der \
durchschnittliche Bestellwert ist von 62,90 € auf {{amt|61,10 €|60,11 €}} gefallen, die Stornoquote von 5,3 % auf \
4,3 %.""",
    ),
    Scene(
        "last-werk-git-februar-de",
        "de",
        "git log",
        "Was hat sich im Februar am Kalender getan? Nur das Wichtige",
        [bash("git log --since=2026-02-01 --until=2026-03-01 --format='%h %as %<(17)%an %s' -- kalender/", GITLOG)],
        """Zwölf Commits, davon {{cnt|zwei|sechs}} von dependabot. Wichtig sind:

**Neu**
- Raumbuchung ({{id|#640|#604}}, 03.02.)
- Erinnerung {{num|15 Minuten|50 Minuten}} vorher (#659, {{date|12.02.|13.02.}})
- Serientermine löschen (#671, 26.02.)

**Behoben**
- Umlaute im Betreff (#664)
- doppelte Einladungen ({{id|#677|#667}})
- Zeitzone im ICS-Export (#688)

Dazu hat Ewa den Kalender von der globalen Sitzung befreit (#680). Am meisten kam von Tarek, {{cnt|vier Commits|\
acht Commits}}.""",
    ),
    Scene(
        "last-werk-timeout-gateway-de",
        "de",
        "yaml file",
        "Welches Timeout gilt beim Gateway für den Warenkorb?",
        [
            read("/home/malik/gateway/config/prod.yaml", YAML),
            grep(
                "defaultTimeout",
                "gateway/internal/proxy/upstream.go:27:const defaultTimeout = 10 * time.Second",
                "gateway/internal/proxy/upstream.go:64:\tif u.Timeout == 0 { u.Timeout = defaultTimeout }",
            ),
        ],
        """In Produktion {{num|2.500 ms|5.200 ms}}, ohne Wiederholung (`retries: 0`). Das steht in \
{{line|`config/prod.yaml:14`|`config/prod.yaml:41`}}; der Standardwert von {{num|10 Sekunden|12 Sekunden}} aus \
{{line|`upstream.go:27`|`upstream.go:72`}} greift hier also nicht.""",
    ),
)
