"""An example application with the drawer: a few pages, and the one route that the drawer needs of its host.

    python examples/host/app.py --daemon http://127.0.0.1:8724 --key-file example.key

The daemon must allow this origin: PALIADIN_ALLOWED_ORIGINS=http://localhost:5000. Its owner makes the key with
`paliadin token add example --for embed > example.key`. Standard library only.
"""

from __future__ import annotations

import argparse
import html
import json
import mimetypes
import sys
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

STATIC = Path(__file__).with_name("static")
PERSON = "demo"  # a real application names the person who is signed in
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
LINKS = (("/", "Dashboard"), ("/agenda", "Agenda"), ("/glossary", "Glossary"), ("/login", "Sign in"))


def find_page(path: str) -> tuple[str, str] | None:
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


def _list(items: dict[str, tuple[str, ...]], kind: str) -> str:
    rows = (f"<li><a href='/{kind}/{key}'>{html.escape(value[0])}</a></li>" for key, value in items.items())
    return f"<ul>{''.join(rows)}</ul>"


class Host(ThreadingHTTPServer):
    """The application's server, on loopback."""

    daemon_threads = True

    def __init__(self, port: int, paliadin: str, key: str, *, widget: str | None = None) -> None:
        """`paliadin` is the daemon's address for this server; `widget` its address for the browser, if that differs."""
        super().__init__(("127.0.0.1", port), Handler)
        self.paliadin, self.key = paliadin.rstrip("/"), key
        self.widget = (widget or paliadin).rstrip("/")
        self.origin = f"http://localhost:{self.server_address[1]}"

    def fetch_embed_token(self) -> bytes:
        """Get a token for the drawer from the daemon, as JSON. The application's key never leaves this server."""
        body = json.dumps({"origin": self.origin, "person": PERSON}).encode()
        headers = {"Authorization": f"Bearer {self.key}", "Content-Type": "application/json"}
        request = Request(f"{self.paliadin}/api/paliadin/embed-token", body, headers)  # noqa: S310  # an address of ours
        with urlopen(request, timeout=10) as response:  # noqa: S310
            return bytes(response.read())


class Handler(BaseHTTPRequestHandler):
    """Serves the pages, their files and the drawer's token."""

    server: Host

    def do_GET(self) -> None:
        path = urlsplit(self.path).path
        file = STATIC / path.removeprefix("/static/")
        if path.startswith("/static/") and file.parent == STATIC and file.is_file():
            kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
            self._send(HTTPStatus.OK, kind, file.read_bytes())
            return
        page = find_page(path)
        if page is None:
            self._send(HTTPStatus.NOT_FOUND, "text/plain", b"There is no such page.\n")
            return
        links = "".join(f"<a href='{href}'>{name}</a>" for href, name in LINKS)
        title, body = page
        values = {"title": title, "body": body, "links": links, "widget": self.server.widget}
        self._send(HTTPStatus.OK, "text/html; charset=utf-8", PAGE.format(**values).encode())

    def do_POST(self) -> None:
        # A real application checks the login here, too. The origin keeps other sites out.
        if urlsplit(self.path).path != "/paliadin-token" or self.headers.get("Origin") != self.server.origin:
            self._send(HTTPStatus.FORBIDDEN, "text/plain", b"This route is for pages of this application only.\n")
            return
        self._send(HTTPStatus.OK, "application/json", self.server.fetch_embed_token())

    def _send(self, status: HTTPStatus, kind: str, body: bytes) -> None:
        self.send_response(status)
        sources = f"'self' {self.server.widget}"
        policy = f"default-src 'self'; img-src 'self' data: blob:; script-src {sources}; connect-src {sources}"
        headers = {"Content-Type": kind, "Content-Length": str(len(body)), "Content-Security-Policy": policy}
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Log nothing."""


PAGE = """<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>{title} · Office</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="/static/host.css">
    <script type="module" src="{widget}/widget.js"></script>
    <script type="module" src="/static/host.js"></script>
  </head>
  <body>
    <header><strong>Office</strong><nav>{links}</nav></header>
    <main><h1>{title}</h1>{body}</main>
    <paliadin-widget token-url="/paliadin-token" registry="/static/registry.json" hide-on="login"></paliadin-widget>
  </body>
</html>
"""


def main() -> None:
    """Serve the application until it is interrupted."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--daemon", default="http://127.0.0.1:8724")
    parser.add_argument("--key-file", type=Path, required=True)
    parser.add_argument("--port", type=int, default=5000)
    options = parser.parse_args()
    host = Host(options.port, options.daemon, options.key_file.expanduser().read_text("ascii").strip())
    sys.stdout.write(f"{host.origin}\n")
    host.serve_forever()


if __name__ == "__main__":
    main()
