"""A small application that holds the drawer: a few pages, and the one route that the drawer needs of its host.

    python examples/host/app.py --daemon http://127.0.0.1:8724 --token-file ~/.local/share/paliadin/token

The daemon must know this origin: PALIADIN_ALLOWED_ORIGINS=http://localhost:5000. Standard library only.
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
PERSON = "demo"  # an application of your own names who is signed in there
PROJECTS = {
    "harbour-bridge": ("Harbour bridge", "The expert's report is outstanding; the court has set a date for it."),
    "mill-street": ("Mill street", "The municipality has replied. Its reply is to be answered in November."),
    "north-quay": ("North quay", "The first ruling went against us. An appeal is possible until January."),
}
DEADLINES = {
    "c47bd2": ("Statement of defence", "2026-12-04", "harbour-bridge"),
    "9e01fa": ("Expert report", "2026-12-18", "harbour-bridge"),
    "51b3c8": ("Reply to the municipality", "2026-11-30", "mill-street"),
    "20aa6b": ("Appeal", "2027-01-15", "north-quay"),
}
AGENDA = (("09:00", "Call with the expert"), ("11:30", "Hearing, room 204"), ("15:00", "Mill street: answer"))
LINKS = (("/", "Dashboard"), ("/agenda", "Agenda"), ("/glossary", "Glossary"), ("/login", "Sign in"))


def page_of(path: str) -> tuple[str, str] | None:
    """(title, HTML), or None if there is no such page."""
    kind, _, ident = path.strip("/").partition("/")
    if path == "/":
        projects, deadlines = _list(PROJECTS, "projects"), _list(DEADLINES, "deadlines")
        return "Dashboard", f"<h2>Projects</h2>{projects}<h2>Deadlines</h2>{deadlines}"
    if kind == "projects" and ident in PROJECTS:
        title, text = PROJECTS[ident]
        own = {key: value for key, value in DEADLINES.items() if value[2] == ident}
        return title, f"<p id='state'>{text}</p><h2>Deadlines</h2>{_list(own, 'deadlines')}"
    if kind == "deadlines" and ident in DEADLINES:
        title, due, project = DEADLINES[ident]
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
    daemon_threads = True

    def __init__(self, port: int, paliadin: str, token: str, *, widget: str | None = None) -> None:
        """`paliadin`: the daemon's address for this server; `widget`: for the browser, where that is another one."""
        super().__init__(("127.0.0.1", port), Handler)
        self.paliadin, self.token = paliadin.rstrip("/"), token
        self.widget = (widget or paliadin).rstrip("/")
        self.origin = f"http://localhost:{self.server_address[1]}"

    def embed_token(self) -> bytes:
        """What the drawer asks for. The owner's token never leaves this server."""
        body = json.dumps({"origin": self.origin, "person": PERSON}).encode()
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        request = Request(f"{self.paliadin}/api/paliadin/embed-token", body, headers)  # noqa: S310  # an address of ours
        with urlopen(request, timeout=10) as answer:  # noqa: S310
            return bytes(answer.read())


class Handler(BaseHTTPRequestHandler):
    server: Host

    def do_GET(self) -> None:
        path = urlsplit(self.path).path
        file = STATIC / path.removeprefix("/static/")
        if path.startswith("/static/") and file.parent == STATIC and file.is_file():
            kind = mimetypes.guess_type(file.name)[0] or "application/octet-stream"
            self._send(HTTPStatus.OK, kind, file.read_bytes())
            return
        found = page_of(path)
        if found is None:
            self._send(HTTPStatus.NOT_FOUND, "text/plain", b"There is no such page.\n")
            return
        links = "".join(f"<a href='{href}'>{name}</a>" for href, name in LINKS)
        words = {"title": found[0], "body": found[1], "links": links, "widget": self.server.widget}
        self._send(HTTPStatus.OK, "text/html; charset=utf-8", PAGE.format(**words).encode())

    def do_POST(self) -> None:
        # An application with a login answers only who is signed in; the origin keeps other sites out.
        if urlsplit(self.path).path != "/paliadin-token" or self.headers.get("Origin") != self.server.origin:
            self._send(HTTPStatus.FORBIDDEN, "text/plain", b"no\n")
            return
        self._send(HTTPStatus.OK, "application/json", self.server.embed_token())

    def _send(self, status: HTTPStatus, kind: str, body: bytes) -> None:
        self.send_response(status)
        ours = f"'self' {self.server.widget}"
        policy = f"default-src 'self'; img-src 'self' data:; script-src {ours}; connect-src {ours}"
        headers = {"Content-Type": kind, "Content-Length": str(len(body)), "Content-Security-Policy": policy}
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Quiet: this is an example, and the tests' host."""


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
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--daemon", default="http://127.0.0.1:8724")
    parser.add_argument("--token-file", type=Path, required=True)
    parser.add_argument("--port", type=int, default=5000)
    options = parser.parse_args()
    host = Host(options.port, options.daemon, options.token_file.expanduser().read_text("ascii").strip())
    sys.stdout.write(f"{host.origin}\n")
    host.serve_forever()


if __name__ == "__main__":
    main()
