"""An example application with the drawer: its own pages, and the one route that the drawer needs of its host.

    python examples/host/app.py --daemon http://127.0.0.1:8724 --key-file example.key

The daemon must allow this origin: PALIADIN_ALLOWED_ORIGINS=http://localhost:5000. Its owner makes the key with
`paliadin token add example --for embed > example.key`. Standard library only; with `--database`, which shows a practice
(PALIADIN_PALIAD), it needs psycopg as well.
"""

from __future__ import annotations

import argparse
import contextlib
import html
import json
import mimetypes
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from http import HTTPStatus
from http.cookies import CookieError, SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, quote, unquote, urlsplit
from urllib.request import Request, urlopen

STATIC = Path(__file__).with_name("static")
GERMAN: Mapping[str, str] = json.loads(Path(__file__).with_name("german.json").read_text("utf-8"))
PERSON = "demo"  # who asks where there is no database; with one, its people can be chosen
COOKIE = "office-user"
LONGEST_LIST = 50  # rows of a table

Row = Mapping[str, Any]


# Without a database: a few pages that stand here.

PROJECTS = {
    "harbour-bridge": ("Harbour bridge", "The expert's report is outstanding; the court has set a date for it."),
    "mill-street": ("Mill street", "The municipality has replied. Our response is due in November."),
    "north-quay": ("North quay", "The first ruling went against us. An appeal is possible until January."),
}
DEADLINES = {
    "c47bd2": ("Statement of defence", "2026-12-04", "harbour-bridge"),
    "9e01fa": ("Expert report", "2026-12-18", "harbour-bridge"),
    "51b3c8": ("Reply to the municipality", "2026-11-30", "mill-street"),
    "20aa6b": ("Appeal", "2027-01-15", "north-quay"),
}
AGENDA = (("09:00", "Call with the expert"), ("11:30", "Hearing, room 204"), ("15:00", "Mill street: reply"))
LINKS = {"/": "Dashboard", "/agenda": "Agenda", "/glossary": "Glossary", "/login": "Sign in"}


def find_sample(path: str) -> tuple[str, str] | None:
    """Return the (title, HTML) of the page at this path; None if there is no such page."""
    kind, _, key = path.strip("/").partition("/")
    if path == "/":
        lists = f"<h2>Projects</h2>{_list(PROJECTS, 'projects')}<h2>Deadlines</h2>{_list(DEADLINES, 'deadlines')}"
        return "Dashboard", lists
    if kind == "projects" and key in PROJECTS:
        title, text = PROJECTS[key]
        deadlines = {ident: deadline for ident, deadline in DEADLINES.items() if deadline[2] == key}
        return title, f"<p id='state'>{text}</p><h2>Deadlines</h2>{_list(deadlines, 'deadlines')}"
    if kind == "deadlines" and key in DEADLINES:
        title, due, project = DEADLINES[key]
        link = f"<a href='/projects/{project}'>{PROJECTS[project][0]}</a>"
        return title, f"<p>Due on <strong>{due}</strong>, in {link}.</p>"
    if path == "/agenda":
        rows = "".join(f"<tr><th>{at}</th><td>{what}</td></tr>" for at, what in AGENDA)
        return "Agenda", f"<table>{rows}</table>"
    if path == "/glossary":
        return "Glossary", "<dl><dt>Deadline</dt><dd>The last day on which something can be done.</dd></dl>"
    if path == "/login":
        return "Sign in", "<p>The drawer is not on this page.</p>"
    return None


def _list(items: Mapping[str, tuple[str, ...]], kind: str) -> str:
    rows = (f"<li><a href='/{kind}/{key}'>{html.escape(value[0])}</a></li>" for key, value in items.items())
    return f"<ul>{''.join(rows)}</ul>"


# With a database: what it lets this person see. It decides, not the queries, so none of them says whose rows it wants.


@contextlib.contextmanager
def reading(database: str, wanted: str) -> Iterator[tuple[Row | None, Sequence[Row], Callable[..., list[Row]]]]:
    """Read as the wanted person: yields them (None if there is no such person), everybody, and what runs a query."""
    import psycopg  # noqa: PLC0415  # only here
    from psycopg.rows import dict_row  # noqa: PLC0415

    def rows(query: str, **values: object) -> list[Row]:
        return list(connection.execute(query.encode(), values).fetchall())

    with unavailable(psycopg.Error), psycopg.connect(database, row_factory=dict_row, connect_timeout=3) as connection:
        connection.read_only = True
        rows("select set_config('statement_timeout', '3s', true)")
        people = rows("select id, name, office, role from paliad.users where active order by role <> 'owner', name")
        person = next((each for each in people if each["id"] == wanted), None)
        role = "paliad_tools_all" if person and person["role"] == "owner" else "paliad_tools"
        rows("select set_config('paliad.person', %(id)s, true)", id=person["id"] if person else "")
        rows("select set_config('role', %(role)s, true)", role=role)
        yield person, people, rows


class DatabaseAway(Exception):
    """The database cannot be read at the moment."""


@contextlib.contextmanager
def unavailable(error: type[Exception]) -> Iterator[None]:
    """Raise DatabaseAway in place of the database's errors during a `with` block."""
    try:
        yield
    except error as cause:
        raise DatabaseAway from cause


def t(english: str, lang: str) -> str:
    """A text in the page's language."""
    return GERMAN.get(english, english) if lang == "de" else english


@dataclass(frozen=True)
class Visit:
    """A request for a page: what it asks for, who asks in which language, and what the database lets them see."""

    key: str  # what stands behind the first part of the path
    query: Mapping[str, str]
    lang: str
    rows: Callable[..., list[Row]]
    people: Sequence[Row]
    today: date

    def t(self, english: str) -> str:
        """The text in the page's language."""
        return t(english, self.lang)

    def day(self, day: date | None) -> str:
        """A day as one reads it."""
        if day is None:
            return ""
        return f"{day:%d.%m.%Y}" if self.lang == "de" else f"{day.day} {day:%b %Y}"

    def time(self, at: datetime) -> str:
        """A time at this machine's place."""
        local = at.astimezone()
        return f"{self.day(local)}, {local:%H:%M}"

    def table(self, rows: Sequence[Row], columns: Mapping[str, Callable[[Row], str]]) -> str:
        """A table of HTML cells, by their columns' headings."""
        if not rows:
            return f"<p>{self.t('Nothing.')}</p>"
        head = "".join(f"<th scope='col'>{self.t(name)}</th>" for name in columns)
        body = "".join(f"<tr>{''.join(f'<td>{cell(row)}</td>' for cell in columns.values())}</tr>" for row in rows)
        more = f"<p>{self.t('There are more.')}</p>" if len(rows) == LONGEST_LIST else ""
        return f"<div class='wide'><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>{more}"

    def facts(self, facts: Mapping[str, str]) -> str:
        """A list of HTML values, without those that are empty."""
        shown = "".join(f"<dt>{self.t(name)}</dt><dd>{value}</dd>" for name, value in facts.items() if value)
        return f"<dl class='facts'>{shown}</dl>"

    def deadlines(self, where: str, **values: object) -> str:
        """A table of the deadlines that match."""
        order = f"order by d.status <> 'open', due_date, d.id limit {LONGEST_LIST}"
        rows = self.rows(f"{DEADLINE} where d.approval_status <> 'rejected' and {where} {order}", **values)
        columns: dict[str, Callable[[Row], str]] = {
            "Due": lambda row: f"<span class='{self.state_of(row)}'>{self.day(row['due_date'])}</span>",
            "Deadline": lambda row: link("deadlines", row["id"], row["title"]),
            "Project": lambda row: link("projects", row["project_id"], row["project"]),
            "State": lambda row: self.t(self.state_of(row)),
        }
        if self.key:  # the page of a project
            del columns["Project"]
        return self.table(rows, columns)

    def state_of(self, deadline: Row) -> str:
        """Its status, or `overdue`."""
        is_late = deadline["status"] == "open" and deadline["due_date"] < self.today
        return "overdue" if is_late else str(deadline["status"])

    def appointments(self, where: str, **values: object) -> str:
        """A table of the appointments that match."""
        order = f"order by starts_at, a.id limit {LONGEST_LIST}"
        rows = self.rows(f"{APPOINTMENT} where a.approval_status <> 'rejected' and {where} {order}", **values)
        columns: dict[str, Callable[[Row], str]] = {
            "When": lambda row: self.time(row["starts_at"]),
            "Appointment": lambda row: link("agenda", row["id"], row["title"]),
            "Place": lambda row: html.escape(row["place"]),
            "Project": lambda row: link("projects", row["project_id"], row["project"]),
        }
        if self.key:
            del columns["Project"]
        return self.table(rows, columns)


DEADLINE = """select d.*, p.label as project, c.short as court, u.name as person, r.legal_source
    from paliad.deadlines d join paliad.projects p on p.id = d.project_id
    left join paliad.courts c on c.id = coalesce(d.court_id, p.court_id)
    left join paliad.users u on u.id = d.responsible
    left join paliad.deadline_rules r on r.id = d.rule_id"""
APPOINTMENT = (
    """select a.*, p.label as project from paliad.appointments a join paliad.projects p on p.id = a.project_id"""
)
NOTES = """select body from paliad.notes where project_id = %(id)s and approval_status = 'approved'
    order by created_at desc limit 10"""
Page = tuple[str, str] | None  # title and HTML


def link(kind: str, key: str, text: str) -> str:
    """A link to the page of a thing."""
    return f"<a href='/{kind}/{quote(key, safe='')}'>{html.escape(text)}</a>"


def dashboard(visit: Visit) -> Page:
    """What is due this week, and what comes."""
    week = "d.status = 'open' and due_date <= %(day)s"
    sunday = visit.today + timedelta(days=6 - visit.today.weekday())
    coming = visit.appointments("starts_at >= now() and starts_at < now() + interval '7 days'")
    return visit.t("Dashboard"), (
        f"<h2>{visit.t('Due this week')}</h2>{visit.deadlines(week, day=sunday)}"
        f"<h2>{visit.t('Appointments of the next seven days')}</h2>{coming}"
    )


def projects(visit: Visit) -> Page:
    """Clients with their matters, and the proceedings in these."""
    rows = visit.rows("select id, parent_id, label, reference, status from paliad.projects order by label, id")
    seen = {row["id"] for row in rows}

    def below(parent: str | None) -> str:
        # Who may see a proceeding and not what is above it finds it at the top.
        children = [row for row in rows if (row["parent_id"] if row["parent_id"] in seen else None) == parent]
        items = "".join(f"<li>{entry(row)}{below(row['id'])}</li>" for row in children)
        return f"<ul>{items}</ul>" if items else ""

    def entry(row: Row) -> str:
        state = "" if row["status"] == "active" else f" · {visit.t(row['status'])}"
        return f"{link('projects', row['id'], row['label'])} <small>{html.escape(row['reference'])}{state}</small>"

    return visit.t("Projects"), below(None) or f"<p>{visit.t('Nothing.')}</p>"


def project(visit: Visit) -> Page:
    """A project: where it belongs, what is in it."""
    query = """select p.*, above.label as above, c.short as court from paliad.projects p
        left join paliad.projects above on above.id = p.parent_id left join paliad.courts c on c.id = p.court_id
        where p.id = %(id)s"""
    found = visit.rows(query, id=visit.key)
    if not found:
        return None
    [row] = found
    facts = {
        "Belongs to": link("projects", row["parent_id"], row["above"]) if row["above"] else "",
        "Kind": visit.t(row["kind"]),
        "Reference": html.escape(row["reference"]),
        "State": visit.t(row["status"]),
        "Court": link("courts", row["court"], row["court"]) if row["court"] else "",
        "Opened": visit.day(row["opened_on"]),
    }
    body = f"<div id='state'>{visit.facts(facts)}</div>"
    body += f"<h2>{visit.t('Deadlines')}</h2>{visit.deadlines('d.project_id = %(id)s', id=visit.key)}"
    body += f"<h2>{visit.t('Appointments')}</h2>{visit.appointments('a.project_id = %(id)s', id=visit.key)}"
    parts = visit.rows("select id, label from paliad.projects where parent_id = %(id)s order by label", id=visit.key)
    parties = visit.rows("select * from paliad.parties where project_id = %(id)s order by name", id=visit.key)
    notes = visit.rows(NOTES, id=visit.key)
    for name, items in {
        "Parts": [link("projects", each["id"], each["label"]) for each in parts],
        "Parties": [html.escape(f"{each['name']} ({each['role']}, {each['representative']})") for each in parties],
        "Notes": [html.escape(each["body"]) for each in notes],
    }.items():
        if items:
            body += f"<h2>{visit.t(name)}</h2><ul>{''.join(f'<li>{item}</li>' for item in items)}</ul>"
    return row["label"], body


def deadlines(visit: Visit) -> Page:
    """The deadlines in a state, whose title or project holds some words."""
    status, words = visit.query.get("status", "open"), visit.query.get("q", "")
    names = ("open", "done", "cancelled", "all")
    options = "".join(
        f"<option value='{each}'{' selected' * (each == status)}>{visit.t(each)}</option>" for each in names
    )
    field = f"<input type='search' name='q' value='{html.escape(words)}' aria-label='{visit.t('Words')}'>"
    select = f"<select name='status' aria-label='{visit.t('State')}'>{options}</select>"
    form = f"<form>{field} {select} <button>{visit.t('Filter')}</button></form>"
    where = (
        "%(status)s in ('all', d.status) and strpos(lower(d.title || ' ' || p.label || ' ' || p.reference), %(q)s) > 0"
    )
    return visit.t("Deadlines"), form + visit.deadlines(where, status=status, q=words.lower())


def deadline(visit: Visit) -> Page:
    """A deadline."""
    for row in visit.rows(f"{DEADLINE} where d.id = %(id)s", id=visit.key):
        days = (row["due_date"] - visit.today).days
        facts = {
            "Due": f"<strong>{visit.day(row['due_date'])}</strong>",
            "Days left": str(days) if row["status"] == "open" else "",
            "State": visit.t(row["status"]),
            "Approval": visit.t(row["approval_status"]),
            "Project": link("projects", row["project_id"], row["project"]),
            "Court": link("courts", row["court"], row["court"]) if row["court"] else "",
            "Rule": html.escape(row["legal_source"] or ""),
            "Responsible": html.escape(row["person"] or ""),
        }
        return row["title"], visit.facts(facts)
    return None


def agenda(visit: Visit) -> Page:
    """The appointments of the next 30 days."""
    return visit.t("Agenda"), visit.appointments(
        "starts_at >= %(today)s and starts_at < %(today)s + 30", today=visit.today
    )


def appointment(visit: Visit) -> Page:
    """An appointment."""
    for row in visit.rows(f"{APPOINTMENT} where a.id = %(id)s", id=visit.key):
        facts = {
            "When": f"<strong>{visit.time(row['starts_at'])}–{row['ends_at'].astimezone():%H:%M}</strong>",
            "Place": html.escape(row["place"]),
            "Approval": visit.t(row["approval_status"]),
            "Project": link("projects", row["project_id"], row["project"]),
        }
        return row["title"], visit.facts(facts)
    return None


def courts(visit: Visit) -> Page:
    """All courts."""
    rows = visit.rows("select short, name_de, name_en, city from paliad.courts order by kind not like 'upc%%', short")
    columns: dict[str, Callable[[Row], str]] = {
        "Short name": lambda row: link("courts", row["short"], row["short"]),
        "Court": lambda row: html.escape(row[f"name_{visit.lang}"]),
        "City": lambda row: html.escape(row["city"]),
    }
    return visit.t("Courts"), visit.table(rows, columns)


def court(visit: Visit) -> Page:
    """A court, by what it is called: `Munich LD`, an id, a name."""
    query = """select * from paliad.courts where %(key)s in (id, lower(short), lower(name_de), lower(name_en))
        or exists (select from unnest(aliases) as alias where lower(alias) = %(key)s)
        order by id <> %(key)s, id limit 1"""
    for row in visit.rows(query, key=visit.key.lower()):
        vacations = (
            f"{html.escape(each[f'name_{visit.lang}'])}: {each['from']} – {each['to']}" for each in row["vacations"]
        )
        facts = {
            "Short name": html.escape(row["short"]),
            "Address": html.escape(row["address"] or row["city"]),
            "Country": html.escape(row["country"]),
            "Languages": html.escape(", ".join(row["languages"])),
            "Vacations": "<br>".join(vacations),
            "Source": html.escape(row["source"]["title"]),
        }
        return row[f"name_{visit.lang}"], visit.facts(facts)
    return None


def glossary(visit: Visit) -> Page:
    """All terms, in the page's language and the other one."""
    rows = visit.rows("select de, en from paliad.glossary order by lower(de)")
    other = "en" if visit.lang == "de" else "de"
    items = "".join(
        f"<li>{link('glossary', row['de'], row[visit.lang])} <small>{html.escape(row[other])}</small></li>"
        for row in sorted(rows, key=lambda row: row[visit.lang].lower())
    )
    return visit.t("Glossary"), f"<ul class='terms'>{items}</ul>"


def term(visit: Visit) -> Page:
    """A term, by what it is called in either language."""
    query = """select * from paliad.glossary where %(key)s in (id, lower(de), lower(en))
        or exists (select from unnest(aliases_de || aliases_en) as alias where lower(alias) = %(key)s)
        order by not %(key)s in (lower(de), lower(en)), id limit 1"""
    for row in visit.rows(query, key=visit.key.lower()):
        other = "en" if visit.lang == "de" else "de"
        body = f"<p>{html.escape(row[f'definition_{visit.lang}'])}</p>"
        facts = {
            "Deutsch" if other == "de" else "English": html.escape(row[other]),
            "Source": html.escape(row["source"]["title"]),
        }
        return row[visit.lang], body + visit.facts(facts)
    return None


def login(visit: Visit) -> Page:
    """Who may be chosen, for the page at this address. A real application has a sign-in here."""
    items = (
        f"<li><a href='?user={quote(each['id'])}'>{html.escape(each['name'])}</a>"
        f" <small>{html.escape(each['office'] or visit.t(each['role']))}</small></li>"
        for each in visit.people
    )
    text = visit.t(
        "Who is there? The pages and the drawer show what this person may see. The drawer is not on this page."
    )
    return visit.t("Sign in"), f"<p>{text}</p><ul>{''.join(items)}</ul>"


Pages = Mapping[str, tuple[str, Callable[[Visit], Page], Callable[[Visit], Page] | None]]
PAGES: Pages = {  # the first part of a path → its name, the page of all things, the page of one
    "": ("Dashboard", dashboard, None),
    "projects": ("Projects", projects, project),
    "deadlines": ("Deadlines", deadlines, deadline),
    "agenda": ("Agenda", agenda, appointment),
    "courts": ("Courts", courts, court),
    "glossary": ("Glossary", glossary, term),
    "login": ("Sign in", login, None),
}


def find_page(path: str, **visit: Any) -> Page:
    """Return the page of the practice at this path; None if there is no such page, or nothing that they may see."""
    kind, _, key = path.strip("/").partition("/")
    if kind not in PAGES:
        return None
    _, of_all, of_one = PAGES[kind]
    page = of_one if key else of_all
    return page(Visit(unquote(key), **visit)) if page else None


# The server.

DRAWER = """<paliadin-widget token-url="/paliadin-token" registry="/static/registry.json" hide-on="login">
    </paliadin-widget>"""


class Host(ThreadingHTTPServer):
    """The application's server, on loopback."""

    daemon_threads = True

    def __init__(self, port: int, paliadin: str, key: str, *, widget: str | None = None) -> None:
        """`paliadin` is the daemon's address for this server; `widget` its address for the browser, if that differs."""
        super().__init__(("127.0.0.1", port), Handler)
        self.paliadin, self.key = paliadin.rstrip("/"), key
        self.widget = (widget or paliadin).rstrip("/")
        self.database: str | None = None  # that of the practice
        self.origin = f"http://localhost:{self.server_address[1]}"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Print an error, but for that of a browser that went to another page before it had its response."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)

    def fetch_embed_token(self, person: str) -> bytes:
        """Get a token for the drawer from the daemon, as JSON. The application's key never leaves this server."""
        body = json.dumps({"origin": self.origin, "person": person}).encode()
        headers = {"Authorization": f"Bearer {self.key}", "Content-Type": "application/json"}
        request = Request(f"{self.paliadin}/api/paliadin/embed-token", body, headers)  # noqa: S310  # an address of ours
        with urlopen(request, timeout=10) as response:  # noqa: S310
            return bytes(response.read())


class Handler(BaseHTTPRequestHandler):
    """Serves the pages, their files and the drawer's token."""

    server: Host

    def do_GET(self) -> None:
        address = urlsplit(self.path)
        query = {name: values[0] for name, values in parse_qs(address.query).items()}
        file = STATIC / address.path.removeprefix("/static/")
        if not self._is_addressed():
            self._send(HTTPStatus.FORBIDDEN, "text/plain", b"This application is not at that address.\n")
        elif address.path.startswith("/static/") and file.parent == STATIC and file.is_file():
            kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
            self._send(HTTPStatus.OK, kind, file.read_bytes())
        elif "user" in query:
            to = "/" if address.path == "/login" else address.path
            cookie = SimpleCookie({COOKIE: query["user"]})[COOKIE]
            # Lax, not Strict: a chip on the chat page leads here, too.
            cookie["path"], cookie["httponly"], cookie["samesite"] = "/", "true", "Lax"
            self._send(
                HTTPStatus.SEE_OTHER, headers={"Location": quote(to, safe="/%"), "Set-Cookie": cookie.OutputString()}
            )
        else:
            self._send_page(address.path, query)

    def do_POST(self) -> None:
        # A real application checks the login here, too. The origin keeps other sites out.
        if urlsplit(self.path).path != "/paliadin-token" or self.headers.get("Origin") != self.server.origin:
            self._send(HTTPStatus.FORBIDDEN, "text/plain", b"This route is for pages of this application only.\n")
            return
        person = PERSON
        if self.server.database:
            try:
                with reading(self.server.database, self._wanted()) as (reader, _, _):
                    person = reader["id"] if reader else ""
            except DatabaseAway:
                self._send(HTTPStatus.SERVICE_UNAVAILABLE, "text/plain", b"The database is away.\n")
                return
        if person:
            self._send(HTTPStatus.OK, "application/json", self.server.fetch_embed_token(person))
        else:
            self._send(HTTPStatus.FORBIDDEN, "text/plain", b"Choose who you are first, at /login.\n")

    def _send_page(self, path: str, query: Mapping[str, str]) -> None:
        if self.server.database is None:
            self._send_html(find_sample(path), "en", LINKS)
            return
        lang = "de" if self.headers.get("Accept-Language", "").startswith("de") else "en"
        links = {f"/{part}": t(name, lang) for part, (name, _, _) in PAGES.items() if part != "login"}
        today = datetime.now().astimezone().date()
        try:
            with reading(self.server.database, self._wanted()) as (reader, people, rows):
                shown, name = (path, reader["name"]) if reader else ("/login", "")
                page = find_page(shown, query=query, lang=lang, rows=rows, people=people, today=today)
        except DatabaseAway:
            self._send_html((t("The database is away", lang), ""), lang, links, HTTPStatus.SERVICE_UNAVAILABLE)
        else:
            user = f"<a class='user' href='/login'>{html.escape(name)}</a>"
            self._send_html(page, lang, links, user=user, drawer=DRAWER if name else "")

    def _send_html(
        self,
        page: Page,
        lang: str,
        links: Mapping[str, str],
        status: HTTPStatus = HTTPStatus.OK,
        *,
        user: str = "",
        drawer: str = DRAWER,
    ) -> None:
        if page is None:
            status = HTTPStatus.NOT_FOUND
            page = t("Not here", lang), f"<p>{t('There is no such page, or nothing that you may see.', lang)}</p>"
        nav = "".join(f"<a href='{href}'>{name}</a>" for href, name in links.items())
        values = {"title": html.escape(page[0]), "body": page[1], "links": nav, "user": user, "lang": lang}
        content = PAGE.format(**values, office=t("Office", lang), widget=self.server.widget, drawer=drawer)
        self._send(status, "text/html; charset=utf-8", content.encode())

    def _wanted(self) -> str:
        """Whom the browser's cookie names, who may be nobody."""
        with contextlib.suppress(CookieError):
            cookies = SimpleCookie(self.headers.get("Cookie", ""))
            return cookies[COOKIE].value if COOKIE in cookies else ""
        return ""

    def _is_addressed(self) -> bool:
        """Tell whether the browser means this server: another site's name may lead to loopback as well."""
        port = self.server.server_address[1]
        return self.headers.get("Host") in {f"localhost:{port}", f"127.0.0.1:{port}"}

    def _send(
        self, status: HTTPStatus, kind: str = "text/plain", body: bytes = b"", headers: Mapping[str, str] | None = None
    ) -> None:
        self.send_response(status)
        sources = f"'self' {self.server.widget}"
        policy = f"default-src 'self'; img-src 'self' data: blob:; script-src {sources}; connect-src {sources}"
        sent = {"Content-Type": kind, "Content-Length": str(len(body)), "Content-Security-Policy": policy}
        for name, value in (sent | dict(headers or {})).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Log nothing."""


PAGE = """<!doctype html>
<html lang="{lang}">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>{title} · {office}</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="/static/host.css">
    <script type="module" src="{widget}/widget.js"></script>
    <script type="module" src="/static/host.js"></script>
  </head>
  <body>
    <header><strong>{office}</strong><nav>{links}</nav>{user}</header>
    <main><h1>{title}</h1>{body}</main>
    {drawer}
  </body>
</html>
"""


def main() -> None:
    """Serve the application until it is interrupted."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--daemon", default="http://127.0.0.1:8724")
    parser.add_argument("--key-file", type=Path, required=True)
    parser.add_argument("--port", type=int, default=5000)
    parser.add_argument("--database", help="where the practice is, as psycopg takes it")
    options = parser.parse_args()
    host = Host(options.port, options.daemon, options.key_file.expanduser().read_text("ascii").strip())
    host.database = options.database
    sys.stdout.write(f"{host.origin}\n")
    host.serve_forever()


if __name__ == "__main__":
    main()
