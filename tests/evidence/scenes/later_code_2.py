"""German: containers, access logs, a query plan, a migration."""

from __future__ import annotations

from tests.evidence.results import bash, glob, read
from tests.evidence.scene import Scene
from tests.evidence.tables import psql

PS = """\
CONTAINER ID   IMAGE                      COMMAND                  CREATED       STATUS                        NAMES
7c1e90fb3a2d   registry.lan/portal:2.18   "gunicorn -c conf.py…"   3 days ago    Up 3 days (healthy)           portal
e4a85d0c6f19   registry.lan/worker:2.18   "celery -A portal wo…"   3 days ago    Restarting (137) 41 sec ago   worker
b06f2c9d71ee   postgres:16.6              "docker-entrypoint.s…"   6 weeks ago   Up 3 weeks                    db
20d9ab7715c4   redis:7.4-alpine           "docker-entrypoint.s…"   6 weeks ago   Up 3 weeks                    redis
f91b3e6604a8   caddy:2.9                  "caddy run --config …"   8 days ago    Up 8 days                     proxy
"""
INSPECT = """\
[
  {
    "Id": "e4a85d0c6f19",
    "RestartCount": 58,
    "State": {
      "Status": "restarting", "Running": true, "OOMKilled": true, "ExitCode": 137,
      "StartedAt": "2026-03-02T08:11:37.402Z", "FinishedAt": "2026-03-02T08:13:02.918Z"
    },
    "HostConfig": {"Memory": 536870912, "MemorySwap": 536870912, "RestartPolicy": {"Name": "always"}}
  }
]
"""
WORKER_LOG = """\
[2026-03-02 08:11:41,077: INFO/MainProcess] Connected to redis://redis:6379/0
[2026-03-02 08:11:41,116: INFO/MainProcess] mingle: searching for neighbors
[2026-03-02 08:11:42,135: INFO/MainProcess] celery@e4a85d0c6f19 ready.
[2026-03-02 08:11:42,310: INFO/MainProcess] Task reports.build_yearly[8d0f4c1e] received
[2026-03-02 08:11:42,355: WARNING/ForkPoolWorker-2] loading 1864220 rows into memory
[2026-03-02 08:13:02,640: ERROR/MainProcess] Process 'ForkPoolWorker-2' pid:17 exited with 'signal 9 (SIGKILL)'
"""
ACCESS = """\
   9214 GET /api/v2/search 200
   3107 GET /static/app.js 304
   1288 POST /api/v2/login 401
    642 GET /api/v2/export 504
    391 POST /api/v2/login 200
    117 GET /wp-login.php 404
     76 POST /api/v2/orders 500
     12 GET /healthz 503
"""
IPS = """\
   1219 203.0.113.84
     38 198.51.100.7
     17 192.0.2.210
     14 192.0.2.33
"""
PLAN = """\
 Limit  (cost=48211.90..48212.02 rows=50 width=212) (actual time=3871.114..3871.131 rows=50 loops=1)
   ->  Sort  (cost=48211.90..48466.08 rows=101672 width=212) (actual time=3871.112..3871.121 rows=50 loops=1)
         Sort Key: o.created_at DESC
         Sort Method: top-N heapsort  Memory: 47kB
         ->  Hash Join  (cost=1893.44..44834.47 rows=101672 width=212) (actual time=22.870..3790.566 rows=98417 loops=1)
               Hash Cond: (o.customer_id = c.id)
               ->  Seq Scan on orders o  (cost=0.00..42674.00 rows=101672 width=180) (actual time=0.041..3688.205 \
rows=98417 loops=1)
                     Filter: ((status)::text = 'open'::text)
                     Rows Removed by Filter: 2387105
               ->  Hash  (cost=1280.64..1280.64 rows=49024 width=40) (actual time=22.510..22.511 rows=49024 loops=1)
                     Buckets: 65536  Batches: 1  Memory Usage: 3961kB
                     ->  Seq Scan on customers c  (cost=0.00..1280.64 rows=49024 width=40) (actual time=0.012..9.804 \
rows=49024 loops=1)
 Planning Time: 0.688 ms
 Execution Time: 3871.402 ms
(14 rows)
"""
INDEXES = (
    ("orders", "orders_pkey", "CREATE UNIQUE INDEX orders_pkey ON orders USING btree (id)", "53 MB", 1840233),
    ("orders", "orders_customer_idx", "CREATE INDEX orders_customer_idx ON orders (customer_id)", "19 MB", 77120),
    ("orders", "orders_legacy_no_idx", "CREATE INDEX orders_legacy_no_idx ON orders (legacy_no)", "61 MB", 0),
)
MIGRATION = '''"""Kundennummern werden eindeutig.

Revision ID: 5f3c08d1b7e2
Revises: a9e4471c20fd
Create Date: 2026-02-26 14:31:07.512904
"""

import sqlalchemy as sa
from alembic import op

revision = "5f3c08d1b7e2"
down_revision = "a9e4471c20fd"


def upgrade():
    op.add_column("kunden", sa.Column("nummer_neu", sa.String(12), nullable=False))
    op.execute("UPDATE kunden SET nummer_neu = lpad(nummer::text, 8, '0')")
    op.create_unique_constraint("uq_kunden_nummer_neu", "kunden", ["nummer_neu"])
    op.drop_column("kunden", "nummer")
    op.create_index("ix_kunden_ort", "kunden", ["ort"])


def downgrade():
    pass
'''
DOPPELT = (("10422", 3), ("10977", 2), ("11806", 2), ("20015", 2))

SCENES = (
    Scene(
        "later-docker-neustart-de",
        "de",
        "docker ps and inspect",
        "warum startet der worker dauernd neu?",
        [
            bash("docker ps -a", PS),
            bash("docker inspect worker", INSPECT),
            bash("docker logs --tail 6 worker", WORKER_LOG),
        ],
        """Der Worker wird vom Kernel wegen Speichermangels beendet (`OOMKilled: true`, Exit-Code \
{{num|137|143}}), inzwischen {{cnt|58 Neustarts|85 Neustarts}}.

**Ablauf laut Log:**
1. {{time|08:11:42|08:12:41}} – Task `reports.build_yearly` ({{id|8d0f4c1e|8d0f1c4e}}) kommt an
2. Der Task lädt {{cnt|1.864.220 Zeilen|1.684.220 Zeilen}} auf einmal in den Speicher
3. 08:13:02 – SIGKILL, rund 80 Sekunden später

Der Container hat ein Limit von 512 MB ohne Swap. Weil die Restart-Policy auf `always` steht und der Task danach \
wieder in der Queue liegt, beginnt das Spiel von vorn.

Kurzfristig hilft ein höheres Limit, sauberer ist es, die Zeilen in `build_yearly` blockweise zu lesen \
(`yield_per(5000)`). Soll ich das umbauen?""",
    ),
    Scene(
        "later-zugriffe-fehler-de",
        "de",
        "uniq -c",
        "Auffälligkeiten im Access-Log von heute Nacht?",
        [
            bash("awk '{print $6,$7,$9}' access.log | sort | uniq -c | sort -rn | head -8", ACCESS),
            bash("grep 'login' access.log | grep ' 401 ' | awk '{print $1}' | sort | uniq -c | sort -rn", IPS),
        ],
        """Ja, drei Dinge:

- **Login-Angriff:** {{cnt|1.288 fehlgeschlagene Logins|1.828 fehlgeschlagene Logins}} (401), davon 1.219 – also \
{{num|95 %|59 %}} – von einer einzigen Adresse, {{id|203.0.113.84|203.0.113.48}}. Die würde ich sperren.
- **Export läuft in Timeouts:** 642-mal 504 auf `/api/v2/export`.
- **Bestellungen:** {{cnt|76 Serverfehler|67 Serverfehler}} (500) bei `POST /api/v2/orders`, da sollte man ins \
Anwendungslog schauen.

Die 117 Anfragen nach `/wp-login.php` sind das übliche Rauschen.""",
    ),
    Scene(
        "later-query-langsam-de",
        "de",
        "explain analyze",
        "Wieso ist die Bestellübersicht so langsam?",
        [
            bash("psql shop -f uebersicht_explain.sql", PLAN),
            bash(
                "psql shop -c 'select … from pg_indexes join pg_stat_user_indexes …'",
                psql(("tablename", "indexname", "indexdef", "size", "idx_scan"), INDEXES),
            ),
        ],
        """Die Abfrage braucht {{num|3,87 Sekunden|3,78 Sekunden}}, und fast alles davon steckt im **Seq Scan auf \
`orders`** ({{num|3.688 ms|3.868 ms}}, etwa 95 %). Er liest knapp 2,5 Mio. Zeilen und wirft \
{{cnt|2.387.105|2.837.105}} davon wieder weg, weil es auf `status` keinen Index gibt.

Abhilfe:

```sql
CREATE INDEX CONCURRENTLY orders_open_created_idx
    ON orders (created_at DESC) WHERE status = 'open';
```

Damit entfällt auch das Sortieren; bei `LIMIT 50` sollte die Abfrage in wenigen Millisekunden fertig sein.

Nebenbei: `orders_legacy_no_idx` ({{num|61 MB|16 MB}}) wurde noch nie benutzt (0 Scans) und kann vermutlich weg.""",
    ),
    Scene(
        "later-migration-pruefen-de",
        "de",
        "alembic file and psql",
        "kann die neueste migration so auf prod?",
        [
            glob("migrations/versions/*kunden*.py", "migrations/versions/5f3c08d1b7e2_kunden_nummer.py"),
            read("/srv/haf/migrations/versions/5f3c08d1b7e2_kunden_nummer.py", MIGRATION),
            bash(
                "psql haf -c 'select nummer, count(*) from kunden group by 1 having count(*) > 1 order by 1'",
                psql(("nummer", "count"), DOPPELT),
            ),
        ],
        """Nein, so nicht. Die Migration {{id|`5f3c08d1b7e2`|`5f3c80d1b7e2`}} vom {{date|26.02.|24.02.}} hat vier \
Probleme:

1. **Zeile 16:** `nummer_neu` wird mit `nullable=False` ohne Default angelegt. Auf einer gefüllten Tabelle schlägt das \
fehl. Erst nullable anlegen, füllen, dann `NOT NULL` setzen.
2. **Zeile 18:** Der Unique-Constraint scheitert, denn {{cnt|vier Nummern|dreizehn Nummern}} sind doppelt vergeben \
({{id|10422|10242}} sogar dreimal, dazu 10977, 11806 und 20015). Betroffen sind 9 Datensätze.
3. **Zeile 19:** `drop_column` im selben Schritt lässt keinen Weg zurück.
4. `downgrade()` ist leer.

Der Index auf `ort` ist unkritisch, würde ich aber in eine eigene Migration ziehen.""",
    ),
)
