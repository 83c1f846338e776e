"""German: issues, configuration."""

from __future__ import annotations

from tests.evidence.results import mcp, read
from tests.evidence.scene import Scene

ISSUES = {
    "issues": [
        {
            "key": "HAF-412",
            "summary": "Login hängt bei abgelaufenem Token",
            "priority": "Hoch",
            "status": "In Arbeit",
            "assignee": "r.tamm",
            "created": "2026-02-03T08:40:00+01:00",
            "due": "2026-03-06",
        },
        {
            "key": "HAF-437",
            "summary": "Export bricht bei mehr als 10.000 Zeilen ab",
            "priority": "Hoch",
            "status": "Offen",
            "assignee": None,
            "created": "2026-02-19T15:12:00+01:00",
            "due": "2026-03-13",
        },
        {
            "key": "HAF-440",
            "summary": "Tippfehler in der Rechnungsmail",
            "priority": "Niedrig",
            "status": "Offen",
            "assignee": "l.breuer",
            "created": "2026-02-24T09:03:00+01:00",
            "due": None,
        },
        {
            "key": "HAF-395",
            "summary": "PHP 8.1 ablösen",
            "priority": "Mittel",
            "status": "Review",
            "assignee": "r.tamm",
            "created": "2026-01-14T11:27:00+01:00",
            "due": "2026-02-27",
        },
    ],
    "total": 4,
    "startAt": 0,
    "maxResults": 50,
}
GUNICORN = """import os

bind = "0.0.0.0:8040"
workers = int(os.environ.get("WEB_WORKERS", 3))
threads = 4
timeout = 45
graceful_timeout = 20
keepalive = 5
max_requests = 1200
max_requests_jitter = 150
accesslog = "-"
"""
COMPOSE = """services:
  portal:
    image: registry.lan/portal:2.18
    environment:
      WEB_WORKERS: "6"
      DATABASE_POOL: "10"
      LOG_LEVEL: warning
    mem_limit: 2g
  db:
    image: postgres:16.6
    command: postgres -c max_connections=60 -c shared_buffers=1GB
"""

SCENES = (
    Scene(
        "later-tickets-hoch-de",
        "de",
        "issue tracker json",
        "was liegt bei HAF noch an?",
        [mcp("jira__search", {"jql": "project = HAF AND resolution is EMPTY"}, ISSUES, indent=2)],
        """Vier offene Tickets, zwei davon mit hoher Priorität:

- **{{id|HAF-412|HAF-421}}** – Login hängt bei abgelaufenem Token: in Arbeit bei r.tamm, fällig \
{{date|Freitag, 6. März|Freitag, 20. März}}
- **HAF-437** – Export bricht bei mehr als {{cnt|10.000 Zeilen|15.000 Zeilen}} ab: noch niemandem zugewiesen, fällig \
{{date|13. März|31. März}} [#ticket-OPEN:HAF-437]
- **HAF-395** – PHP 8.1 ablösen: im Review, seit drei Tagen überfällig (27. Februar) [#ticket-OPEN:HAF-395]
- **HAF-440** – Tippfehler in der Rechnungsmail: niedrig, ohne Termin

HAF-437 braucht einen Bearbeiter. Ich würde dort anfangen.""",
    ),
    Scene(
        "later-worker-anzahl-de",
        "de",
        "configuration files",
        "Wie viele gleichzeitige Requests schafft das Portal, und reicht die DB dafür?",
        [read("/srv/portal/conf.py", GUNICORN), read("/srv/portal/compose.yml", COMPOSE)],
        """**24 gleichzeitig:** {{cnt|6 Worker|16 Worker}} × 4 Threads. Der Default in \
{{line|`conf.py:4`|`conf.py:17`}} wäre 3, aber `compose.yml` setzt `WEB_WORKERS` auf 6.

Die Datenbank könnte eng werden: Jeder Worker hält einen Pool von {{cnt|10 Verbindungen|15 Verbindungen}}, macht im \
schlimmsten Fall 60 – und genau das ist `max_connections`. Da Postgres davon drei für Superuser \
reserviert, bleiben nur 57. Ich würde `DATABASE_POOL` auf 4 senken (ein Thread braucht nur eine Verbindung), \
dann sind es höchstens 24.

Timeout ist übrigens {{num|45 s|54 s}}.""",
    ),
)
