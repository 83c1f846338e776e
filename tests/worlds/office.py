"""A made-up practice: what each of its people may see, and the example application on its database."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any
from uuid import UUID, uuid4

import httpx2
import psycopg

from examples.host.app import Host
from paliadin.demo import office
from paliadin.demo.office import visible
from paliadin.parts.practice.rows import Practice

MADE = office.make_office(datetime.now(UTC).date())
ANNA, OWNER = office.MEMBER, office.OWNER.id
MEMBERS = [each.id for each in MADE.people if each.id != OWNER]
NAMES = {each.id: each.name for each in MADE.people}
PENDING = [each for each in MADE.approvals if each.status == "pending"]


def led(held: Practice, person: str) -> set[str]:
    """The ids of the projects that a person leads, worked out from the rows."""
    return office.below(
        held, {each.project_id for each in held.members if each.user_id == person and each.role == "lead"}
    )


class Tokens(BaseHTTPRequestHandler):
    """In place of the daemon: says for whom a token was asked."""

    def do_POST(self) -> None:
        asked = self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps({"token": json.loads(asked)["person"]}).encode())

    def log_message(self, *_: object) -> None:
        """Log nothing."""


@contextmanager
def application(conninfo: str) -> Iterator[Host]:
    """The example application, with the practice in this database."""
    with HTTPServer(("127.0.0.1", 0), Tokens) as tokens, Host(0, f"http://127.0.0.1:{tokens.server_port}", "k") as host:
        host.database = conninfo
        for server in (tokens, host):
            threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        yield host
        for server in (tokens, host):
            server.shutdown()


@contextmanager
def browser(host: Host, person: str = "", lang: str = "en") -> Iterator[httpx2.Client]:
    """A browser in which this person, or nobody, is signed in to the application."""
    headers = {"Accept-Language": lang, "Origin": host.origin}
    base = f"http://127.0.0.1:{host.server_address[1]}"
    with httpx2.Client(base_url=base, headers=headers, trust_env=False) as client:
        if person:
            assert sign_in(client, person).status_code == 303
        yield client


def sign_in(client: httpx2.Client, person: str, page: str = "/", **fields: str) -> httpx2.Response:
    """Send the form of the sign-in as its page has it."""
    form = client.get("/login", params={"to": page}).text
    hidden = dict(re.findall(r"<input type='hidden' name='(\w+)' value='([^']*)'>", form))
    return client.post("/login", data={**hidden, "user": person, **fields})


def execute(host: Host, query: str, values: Mapping[str, Any] | None = None) -> list[tuple[Any, ...]]:
    """Run a statement as the tables' owner, and return its rows."""
    with psycopg.connect(host.database or "") as connection:
        cursor = connection.execute(query.encode(), values)
        return cursor.fetchall() if cursor.description else []


def suggest(
    host: Host, person: str, project: str, kind: str = "deadline", *, turn: UUID | None = None, **content: str
) -> tuple[UUID, str]:
    """Suggest something for a person, as the assistant does; the ids of the request and of the thing."""
    return suggest_in(host.database or "", person, project, kind, turn=turn, **content)


def suggest_in(
    conninfo: str, person: str, project: str, kind: str = "deadline", *, turn: UUID | None = None, **content: str
) -> tuple[UUID, str]:
    """The same, in this database."""
    with psycopg.connect(conninfo) as connection:
        connection.execute("select set_config('paliad.person', %s, true)", (person,))
        query = "select * from paliad.suggest(%s, %s, %s::jsonb, %s, %s, 10, 50)"
        values = (kind, project, json.dumps(content), turn or uuid4(), uuid4().hex)
        row = connection.execute(query, values).fetchone()
    assert row is not None
    assert row[0] == "made", row
    return row[1], row[2]


def a_project_of(person: str, *, leads: bool) -> str:
    """A project that this person sees, and leads or not, and that somebody else sees who does not lead it."""
    found = visible(MADE, person) - led(MADE, person) if not leads else led(MADE, person)
    return min(each for each in found if onlookers(each, person))


def onlookers(project: str, besides: str) -> list[str]:
    """The members who see a project and do not lead it."""
    others = [each for each in MEMBERS if each != besides]
    return [each for each in others if project in visible(MADE, each) and project not in led(MADE, each)]


def stranger(project: str) -> str:
    """A member who does not see a project."""
    return next(each for each in MEMBERS if project not in visible(MADE, each))


def leader(project: str) -> str:
    """A member who leads a project."""
    return next(each for each in MEMBERS if project in led(MADE, each))


def deadline(host: Host, person: str, project: str, title: str = "Statement of defence") -> tuple[UUID, str]:
    """Suggest a deadline at a Sunday in May 2027 for a person; the ids of the request and of the deadline."""
    rule = "upc-statement-of-defence"
    return suggest(host, person, project, title=title, due_date="2027-05-16", rule_id=rule)


def send(client: httpx2.Client, request: object, decision: str = "approve", **fields: str) -> httpx2.Response:
    """Send the form of a decision."""
    return client.post(f"/inbox/{request}", data={"decision": decision, **fields})


def state(host: Host, request: UUID) -> tuple[object, ...]:
    """How a request stands: status, decided_by, decided_as, reason."""
    query = "select status, decided_by, decided_as, reason from paliad.approval_requests where id = %(id)s"
    return execute(host, query, {"id": request})[0]


def waiting(client: httpx2.Client) -> set[str]:
    """The ids of the requests with a form on the inbox's page."""
    return set(re.findall(r"action='/inbox/([\w-]+)'", client.get("/inbox").text))
