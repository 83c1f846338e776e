"""A reverse proxy that serves the daemon under a path, as a web server in front of it would."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PREFIX = "/assistant"
HOST_PAGE = """<!doctype html><html lang="en"><head><title>Host</title><link rel="icon" href="data:,">
<script type="module" src="/assistant/widget.js"></script></head>
<body><h1>Host</h1><paliadin-widget></paliadin-widget></body></html>"""


@contextlib.contextmanager
def proxy(port: str, own: str = "") -> Iterator[str]:
    """The address of a proxy that serves the daemon at this port under PREFIX.

    All else is a page with the drawer, which is loaded from the path `own` of the daemon.
    """
    server = _Proxy(port, own)
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()


class _Proxy(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, port: str, own: str) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.to, self.own = int(port), own


class _Handler(BaseHTTPRequestHandler):
    server: _Proxy

    def do_GET(self) -> None:
        if self.path.startswith(PREFIX + "/"):
            self._forward()
            return
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(HOST_PAGE.replace("/widget.js", f"{self.server.own}/widget.js").encode())

    def do_POST(self) -> None:
        self._forward()

    def _forward(self) -> None:
        with (
            contextlib.closing(HTTPConnection("127.0.0.1", self.server.to, timeout=60)) as upstream,
            contextlib.suppress(BrokenPipeError, ConnectionResetError),  # the browser went to another page
        ):
            self._forward_to(upstream)

    def _forward_to(self, upstream: HTTPConnection) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        upstream.request(self.command, self.path.removeprefix(PREFIX), body, dict(self.headers))
        response = upstream.getresponse()
        self.send_response(response.status)
        for name, value in response.getheaders():
            if name.lower() not in {"transfer-encoding", "connection", "date"}:
                self.send_header(name, value)
        self.end_headers()
        while piece := response.read1(65536):
            self.wfile.write(piece)
            self.wfile.flush()

    def log_message(self, *_: object) -> None:
        """Quiet."""
