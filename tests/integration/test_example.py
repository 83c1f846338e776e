"""The example application on a practice's database: each person sees there what is theirs, and nobody writes."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, HTTPServer
from urllib.parse import quote

import httpx2
import psycopg
import pytest

from examples.host.app import COOKIE, Host, reading
from paliadin.demo import office
from paliadin.practice import tables

MADE = office.make_office(datetime.now(UTC).date())
PAGES = ("/", "/projects", "/deadlines?status=all", "/agenda", "/courts", "/glossary", "/login")


class Tokens(BaseHTTPRequestHandler):
    """In place of the daemon: says for whom a token was asked."""

    def do_POST(self) -> None:
        asked = self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps({"token": json.loads(asked)["person"]}).encode())

    def log_message(self, *_: object) -> None:
        """Log nothing."""


@pytest.fixture
def host(empty_database: str) -> Iterator[Host]:
    tables.prepare(empty_database)
    office.insert(MADE, empty_database)
    with HTTPServer(("127.0.0.1", 0), Tokens) as tokens, Host(0, f"http://127.0.0.1:{tokens.server_port}", "k") as host:
        host.database = empty_database
        for server in (tokens, host):
            threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        yield host
        for server in (tokens, host):
            server.shutdown()


@contextmanager
def browser(host: Host, person: str = "", lang: str = "en") -> Iterator[httpx2.Client]:
    headers = {"Accept-Language": lang, "Origin": host.origin}
    base = f"http://127.0.0.1:{host.server_address[1]}"
    with httpx2.Client(base_url=base, headers=headers, trust_env=False) as client:
        if person:
            assert client.get("/", params={"user": person}).status_code == 303
        yield client


def visible(person: str) -> set[str]:
    """The ids of the projects that a person may see, worked out from the rows."""
    units = {each.unit_id for each in MADE.unit_members if each.user_id == person}
    seen = {each.project_id for each in MADE.members if each.user_id == person}
    seen |= {each.project_id for each in MADE.project_units if each.unit_id in units}
    while below := {each.id for each in MADE.projects if each.parent_id in seen} - seen:
        seen |= below
    return seen


@pytest.mark.parametrize("lang", ["en", "de"])
def test_everybody_sees_their_own_on_every_page_and_the_owner_all(host: Host, lang: str) -> None:
    projects = {each.id for each in MADE.projects}
    things = {row.id: row.project_id for row in (*MADE.deadlines, *MADE.appointments)}
    for person in (office.MEMBER, "claire-whitmere", office.OWNER.id):
        seen = projects if person == office.OWNER.id else visible(person)
        with browser(host, person, lang) as client:
            shown = "\n".join(client.get(page).text for page in PAGES)
            listed = client.get("/projects").text
            assert {each for each in projects if f"/projects/{each}'" in listed} == seen
            for each in projects:
                page = client.get(f"/projects/{each}")
                assert page.status_code == (200 if each in seen else 404), (person, each)
                shown += page.text
            linked = set(re.findall(r"/(?:deadlines|agenda)/([\w-]+)'", shown))
            assert {things[each] for each in linked} <= seen
            assert len({things[each] for each in linked}) > 3
            mine, others = (
                [each for each, project in things.items() if (project in seen) is owned][:8] for owned in (True, False)
            )
            for each in (*mine, *others):
                kind = "deadlines" if "deadline" in each else "agenda"
                assert client.get(f"/{kind}/{each}").status_code == (200 if each in mine else 404), each


def test_a_page_is_in_the_browsers_language_and_reference_data_is_found_by_its_names(host: Host) -> None:
    for lang, words, title in (
        ("en-GB,en", "Deadlines", "statement of defence"),
        ("de-DE", "Fristen", "Klageerwiderung"),
    ):
        with browser(host, office.MEMBER, lang) as client:
            page = client.get("/deadlines").text
            assert f"<h1>{words}</h1>" in page
            assert f'<html lang="{lang[:2]}">' in page
            for name in ("Klageerwiderung", "statement of defence", "KLAGEERWIDERUNG"):
                assert f"<h1>{title}</h1>" in client.get(f"/glossary/{quote(name)}").text
            for name in ("Düsseldorf LD", "upc-ld-duesseldorf", "düsseldorf ld"):
                assert "Cecilienallee 3" in client.get(f"/courts/{quote(name)}").text
            for nothing in ("/glossary/none", "/courts/none", "/none", "/deadlines/none", "/agenda/none", "/login/x"):
                assert client.get(nothing).status_code == 404


def test_who_has_not_said_who_they_are_sees_nothing_and_gets_no_token(host: Host) -> None:
    for stranger in ("", "nobody", "' or true --"):
        with browser(host, stranger) as client:
            for page in (*PAGES, f"/projects/{MADE.projects[0].id}"):
                text = client.get(page).text
                assert "<h1>Sign in</h1>" in text
                assert "paliadin-widget" not in text
                assert MADE.projects[0].label not in text
            assert client.post("/paliadin-token").status_code == 403
    with browser(host) as client:
        client.headers["Cookie"] = f'{COOKIE}="\x7f; ;;='
        assert "<h1>Sign in</h1>" in client.get("/").text


def test_the_drawer_asks_as_the_person_who_was_chosen(host: Host) -> None:
    with browser(host) as client:
        for person in (office.OWNER.id, office.MEMBER):
            chosen = client.get(f"/deadlines/x%2Fy?user={person}")
            assert chosen.headers["location"] == "/deadlines/x%2Fy"
            assert client.post("/paliadin-token").json() == {"token": person}
        assert client.post("/paliadin-token", headers={"Origin": "http://evil.example"}).status_code == 403
        assert client.get("/login?user=x").headers["location"] == "/"
    with browser(host, office.MEMBER) as client, psycopg.connect(host.database or "") as connection:
        connection.execute("update paliad.users set active = false where id = %s", (office.MEMBER,))
        connection.commit()
        assert client.post("/paliadin-token").status_code == 403


def test_what_is_asked_for_and_what_is_stored_is_shown_as_text(host: Host) -> None:
    evil = "<script>x</script>' \" %s {title}"
    with psycopg.connect(host.database or "") as connection:
        for change in ("projects set label", "deadlines set title", "appointments set title", "users set name"):
            connection.execute(f"update paliad.{change} = %s".encode(), (evil,))
    with browser(host, office.OWNER.id) as client:
        deadline, appointment = MADE.deadlines[0].id, MADE.appointments[0].id
        pages = [*PAGES, "/projects/demo-project-1", f"/deadlines/{deadline}", f"/agenda/{appointment}"]
        for page in (*pages, f"/deadlines?q={quote(evil)}&status={quote(evil)}", f"/glossary/{quote(evil)}"):
            response = client.get(page)
            assert response.status_code in (200, 404), page
            assert "<script>x" not in response.text, page
            assert page in ("/courts", "/glossary") or "&lt;script&gt;x" in response.text or response.status_code == 404


def test_no_page_of_it_can_write_and_another_sites_name_leads_nowhere(host: Host) -> None:
    for person in (office.OWNER.id, office.MEMBER):
        with (
            reading(host.database or "", person) as (_, _, rows),
            pytest.raises(psycopg.errors.ReadOnlySqlTransaction),
        ):
            rows("delete from paliad.deadlines")
    with browser(host, office.OWNER.id) as client:
        assert client.get("/", headers={"Host": "evil.example"}).status_code == 403


def test_a_database_that_is_away_is_told(host: Host) -> None:
    with browser(host, office.OWNER.id) as client:
        host.database = "host=/nowhere dbname=x"
        response = client.get("/projects")
        assert response.status_code == 503
        assert "The database is away" in response.text
        assert client.post("/paliadin-token").status_code == 503
