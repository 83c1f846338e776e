"""The application's server: it sends the pages and their files, and hands out the drawer's token."""

from __future__ import annotations

import functools
import html
import json
import mimetypes
import sys
from collections.abc import Mapping
from datetime import datetime
from http import HTTPStatus
from http.client import HTTPException
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, quote, urlsplit
from urllib.request import Request, urlopen

from . import audit, database, inbox, pages, sign_in
from .database import DatabaseAway, reading
from .decision import Decision, read_form, told
from .forms import NO_FORM, read_fields, refused
from .language import Language
from .markup import DRAWER, Page, framed
from .sample import LINKS, find_sample
from .sign_in import COOKIE
from .visit import Visit

STATIC = Path(__file__).parents[1] / "static"
FILES = frozenset(file.name for file in STATIC.iterdir())
PERSON = "demo"  # who asks where there is no database; with one, its people can be chosen
LONGEST_ADDRESS = 2_000  # characters


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
        if not isinstance(sys.exception(), (ConnectionError, TimeoutError)):
            super().handle_error(request, client_address)

    def fetch_embed_token(self, person: str) -> bytes:
        """Get a token for the drawer from the daemon, as JSON. The application's key never leaves this server."""
        body = json.dumps({"origin": self.origin, "person": person}).encode()
        headers = {"Authorization": f"Bearer {self.key}", "Content-Type": "application/json"}
        request = Request(f"{self.paliadin}/api/paliadin/embed-token", body, headers)  # noqa: S310  # an address of ours
        with urlopen(request, timeout=10) as response:  # noqa: S310
            return bytes(response.read())


class Handler(BaseHTTPRequestHandler):
    """Answers one request."""

    server: Host
    timeout = 30  # seconds that a request may take to come in

    def do_GET(self) -> None:
        try:
            address = urlsplit(self.path)
            query = {name: values[0] for name, values in parse_qs(address.query, max_num_fields=20).items()}
        except ValueError:
            self._refuse(HTTPStatus.BAD_REQUEST, "This is no address of this application.")
            return
        name = address.path.removeprefix("/static/") if address.path.startswith("/static/") else ""
        if not self._is_addressed():
            self._refuse(HTTPStatus.FORBIDDEN, "This application is not at that address.")
        elif len(self.path) > LONGEST_ADDRESS:
            self._refuse(HTTPStatus.REQUEST_URI_TOO_LONG, "The address is too long.")
        elif any("\x00" in value for value in query.values()):
            self._refuse(HTTPStatus.BAD_REQUEST, "The address holds a character that nothing here has.")
        elif name in FILES:
            kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
            self._send(HTTPStatus.OK, kind, (STATIC / name).read_bytes(), {"Cache-Control": "no-cache"})
        elif address.path == "/audit.csv" and self.server.database:
            self._send_export(self.server.database)
        else:
            self._send_page(address.path, query)

    def do_POST(self) -> None:
        path = self.path.partition("?")[0]
        kind, key = pages.parts(path)
        # A real application checks the login here, too. The origin keeps other sites out.
        if self.headers.get("Origin") != self.server.origin or not self._is_addressed():
            self._refuse(HTTPStatus.FORBIDDEN, "This route is for pages of this application only.")
        elif path == "/paliadin-token":
            self._send_token()
        elif path == "/login" and self.server.database:
            self._sign_in(self.server.database)
        elif kind == "inbox" and key and self.server.database and len(self.path) <= LONGEST_ADDRESS:
            self._decide(self.server.database, key)
        else:
            self._refuse(HTTPStatus.NOT_FOUND, "There is nothing to send to this address.")

    def _sign_in(self, where: str) -> None:
        """Sign in whom the form names, and lead to the page that was asked for."""
        if (body := self._read_form()) is None:
            return
        if (fields := read_fields(body, sign_in.FIELDS)) is None:
            self._refuse(HTTPStatus.BAD_REQUEST, NO_FORM)
            return
        try:
            with reading(where, "") as reader:
                refusal = sign_in.refused(fields, self._form_token, reader.people)
        except DatabaseAway:
            self._send_away()
            return
        if refusal:
            self._refuse(*refusal)
            return
        cookie = sign_in.new_cookie(COOKIE, fields["user"])
        self._send(HTTPStatus.SEE_OTHER, headers={"Location": sign_in.destination(fields), "Set-Cookie": cookie})

    def _read_form(self) -> bytes | None:
        """The form's body; None once it is refused."""
        refusal = refused(self.headers)
        length = 0 if refusal else int(self.headers["Content-Length"])
        body = self.rfile.read(length)
        if len(body) < length:  # it broke off: what is missing may be the other half of a note
            refusal = HTTPStatus.BAD_REQUEST, NO_FORM
        if refusal:
            self._refuse(*refusal)
        return None if refusal else body

    def _send_token(self) -> None:
        person = PERSON
        if self.server.database:
            try:
                with reading(self.server.database, self._wanted()) as reader:
                    person = reader.person["id"] if reader.person else ""
            except DatabaseAway:
                self._refuse(HTTPStatus.SERVICE_UNAVAILABLE, "The database is away.")
                return
        if not person:
            self._refuse(HTTPStatus.FORBIDDEN, "Choose who you are first, at /login.")
            return
        try:
            token = self.server.fetch_embed_token(person)
        except (OSError, HTTPException):
            self._refuse(HTTPStatus.BAD_GATEWAY, "Paliadin is away, or gives out no token.")
            return
        self._send(HTTPStatus.OK, "application/json", token)

    def _send_export(self, where: str) -> None:
        try:
            with reading(where, self._wanted()) as reader:
                content = audit.export(reader) if reader.person else None
        except DatabaseAway:
            self._refuse(HTTPStatus.SERVICE_UNAVAILABLE, "The database is away.")
            return
        if content is None:
            self._refuse(HTTPStatus.FORBIDDEN, "Choose who you are first, at /login.")
            return
        headers = {"Content-Disposition": f'attachment; filename="audit-{datetime.now().astimezone():%Y-%m-%d}.csv"'}
        self._send(HTTPStatus.OK, "text/csv; charset=utf-8", content, headers)

    def _decide(self, where: str, key: str) -> None:
        """Make the decision that the form holds, and lead to how the request stands, or tell why it was not made."""
        if (body := self._read_form()) is None:
            return
        decision, request = read_form(body), inbox.request_id(key)
        try:
            with reading(where, self._wanted()) as reader:
                person = reader.person
            if person is None:
                self._refuse(HTTPStatus.FORBIDDEN, "Choose who you are first, at /login.")
            elif request is None or decision.problem:
                self._tell(key, HTTPStatus.BAD_REQUEST, self._language.t(decision.problem), decision)
            else:
                note = decision.note
                outcome = database.decide(where, person["id"], request, approve=decision.approve, note=note)
                if outcome["outcome"] == "decided":
                    self._send(HTTPStatus.SEE_OTHER, headers={"Location": f"/inbox/{request}"})
                elif outcome["outcome"] == "unknown":
                    self._send_page(f"/inbox/{request}", {})
                else:
                    self._tell(key, *told(outcome, self._language), decision)
        except DatabaseAway:
            self._send_away()

    def _tell(self, key: str, status: HTTPStatus, problem: str, decision: Decision) -> None:
        """Send the request's page with what went wrong; it is not there for who may not see it."""
        self._send_page(f"/inbox/{quote(key, safe='')}", {}, status, problem, decision.note)

    @property
    def _language(self) -> Language:
        return Language("de" if self.headers.get("Accept-Language", "").startswith("de") else "en")

    def _send_page(
        self, path: str, query: Mapping[str, str], status: HTTPStatus | None = None, problem: str = "", note: str = ""
    ) -> None:
        if self.server.database is None:
            self._send_html(find_sample(path), Language("en"), LINKS, path)
            return
        language, today = self._language, datetime.now().astimezone().date()
        try:
            with reading(self.server.database, self._wanted()) as reader:
                shown, name = (path, reader.person["name"]) if reader.person else ("/login", "")
                query = query if name else {"to": query.get("to", path)}
                visit = {
                    "query": query, "lang": language.lang, "reading": reader, "today": today, "token": self._form_token
                }  # fmt: skip
                if problem and name:
                    page = inbox.request_page(Visit(key=pages.parts(path)[1], **visit), problem, note)  # type: ignore[arg-type]
                else:
                    page = pages.find_page(shown, **visit)
                waiting = inbox.count_waiting(reader) if name else ""
        except DatabaseAway:
            self._send_away()
            return
        page = page._replace(status=status) if page and status else page
        links = pages.links(language, waiting) if name else {}
        self._send_html(page, language, links, shown, user=name, drawer=DRAWER if name else "")

    def _send_away(self) -> None:
        words = self._language.t("The database is away")
        self._send_html(
            Page(words, "", HTTPStatus.SERVICE_UNAVAILABLE), self._language, pages.links(self._language), ""
        )

    def _send_html(
        self,
        page: Page | None,
        language: Language,
        links: Mapping[str, str],
        path: str,
        *,
        user: str = "",
        drawer: str = DRAWER,
    ) -> None:
        if page is None:
            words = language.t("There is no such page, or nothing that you may see.")
            page = Page(language.t("Not here"), f"<p>{words}</p>", HTTPStatus.NOT_FOUND)
        person = (
            f"<a class='user' href='/login' title='{language.t('Change person')}'>{html.escape(user)}</a>"
            if user
            else ""
        )
        content = framed(
            page,
            lang=language.lang,
            pages=language.t("Pages"),
            links=links,
            current=f"/{pages.parts(path)[0]}",
            user=person,
            drawer=drawer,
            widget=self.server.widget,
        )
        cookie = {"Set-Cookie": sign_in.new_cookie(sign_in.TOKEN, self._form_token)}
        self._send(page.status, "text/html; charset=utf-8", content.encode(), cookie)

    @functools.cached_property
    def _form_token(self) -> str:
        return sign_in.form_token(self.headers.get("Cookie", ""))

    def _wanted(self) -> str:
        """Whom the browser's cookie names, who may be nobody."""
        return sign_in.read_cookie(self.headers.get("Cookie", ""), COOKIE)

    def _is_addressed(self) -> bool:
        """Tell whether the browser means this server: another site's name may lead to loopback as well."""
        port = self.server.server_address[1]
        return self.headers.get("Host") in {f"localhost:{port}", f"127.0.0.1:{port}"}

    def _refuse(self, status: HTTPStatus, words: str) -> None:
        self._send(status, "text/plain; charset=utf-8", f"{words}\n".encode())

    def _send(
        self, status: HTTPStatus, kind: str = "text/plain", body: bytes = b"", headers: Mapping[str, str] | None = None
    ) -> None:
        self.send_response(status)
        sources = f"'self' {self.server.widget}"
        policy = f"default-src 'self'; img-src 'self' data: blob:; script-src {sources}; connect-src {sources}"
        policy += "; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"  # no other page around the buttons
        sent = {
            "Content-Type": kind,
            "Content-Length": str(len(body)),
            "Content-Security-Policy": policy,
            "X-Content-Type-Options": "nosniff",
            "Cache-Control": "no-store",  # what a person may see is nobody else's, in this browser either
        }
        for name, value in (sent | dict(headers or {})).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Log nothing."""
