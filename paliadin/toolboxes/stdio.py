"""An MCP server on stdin and stdout that passes each request on to the daemon, which has the tools and the data.

A client such as Claude Code starts one for each conversation and never restarts it. So it is small, needs the standard
library only, and outlives the daemon: while that is away, a call is answered with an error in words. It holds a shared
lock on `mcp-TOOLBOX.lock` in the session's folder from the moment in which the client knows the tools: so the daemon
sees whether they are there.

    python3 -I -S stdio.py SOCKET [SESSION [TOOLBOX]]

SOCKET is the daemon's Unix socket. SESSION is the name of a session, or of its folder, where the lock is then held; the
tools show what its person may see, and without one (or an empty one) what the owner may see. TOOLBOX is the name of the
toolbox that is served, without one all of them.
"""

import contextlib
import fcntl
import http.client
import json
import os
import socket
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import urlencode

LOCK = "mcp-{}.lock"  # of a toolbox
LONGEST_MESSAGE = 1_000_000  # bytes of a line
AT_ONCE = 8  # requests under way; further ones wait
PATIENCE = 1.5  # seconds in which a daemon that restarts may come back
LONGEST_REQUEST = 10.0  # seconds; the daemon itself gives up after two
AWAY = (
    "Paliadin's daemon does not run, so the data of its tools cannot be reached. Say so, answer nothing from memory, "
    "and suggest to ask again in a minute. (Its owner starts it with `paliadin up`.)"
)
WITHOUT = "This Paliadin has no such tools: its owner switches them on in its settings, and starts the daemon again."


class DaemonConnection(http.client.HTTPConnection):
    """An HTTP connection over a Unix socket."""

    def __init__(self, path: str) -> None:
        super().__init__("paliadin", timeout=LONGEST_REQUEST)
        self._path = path

    def connect(self) -> None:
        """Connect to the daemon."""
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self._path)


class Client:
    """The client at the other end of stdin and stdout."""

    def __init__(self, path: str, session: str = "", toolbox: str = "") -> None:
        self._path = path
        folder, _, name = session.rpartition("/")
        self._lock = f"{session}/{LOCK.format(toolbox)}" if folder else None
        query = urlencode({key: value for key, value in (("session", name), ("toolbox", toolbox)) if value})
        self._route = "/api/paliadin/mcp" + (f"?{query}" if query else "")
        self._writing = threading.Lock()
        self._version: str | None = None  # of the protocol, once it was negotiated

    def take(self, line: bytes) -> None:
        """Answer a line, if it holds a request; a notification changes nothing here."""
        try:
            message = json.loads(line)
        except (ValueError, RecursionError):
            return self._write(_error(None, -32700, "this line is not JSON, or too deep"))
        if not isinstance(message, dict) or message.get("id") is None or "method" not in message:
            return None
        reply = self._ask(message, line) | {"id": message["id"]}  # an error may lack it, and its client would wait
        self._write(reply)
        self._note(message["method"], reply)
        return None

    def _ask(self, message: dict[str, Any], line: bytes) -> dict[str, Any]:
        """Return the daemon's reply, or an error in words."""
        deadline, is_call = time.monotonic() + PATIENCE, message["method"] == "tools/call"
        while True:
            try:
                return self._post(line)
            except (FileNotFoundError, ConnectionRefusedError):
                if time.monotonic() > deadline:
                    return _failure(message["id"], AWAY, is_call=is_call)
                time.sleep(0.1)
            except (OSError, http.client.HTTPException, ValueError):  # it ended meanwhile, or answers something else
                return _failure(message["id"], AWAY, is_call=is_call)

    def _post(self, line: bytes) -> dict[str, Any]:
        connection = DaemonConnection(self._path)
        headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
        headers |= {"MCP-Protocol-Version": self._version} if self._version else {}
        try:
            connection.request("POST", self._route, line.strip(), headers)
            reply = json.loads(connection.getresponse().read())
        finally:
            connection.close()
        if not isinstance(reply, dict) or "jsonrpc" not in reply:
            error = reply.get("error") if isinstance(reply, dict) else None
            words = f"{error.get('message')}. {error.get('hint')}" if isinstance(error, dict) else AWAY
            if isinstance(error, dict) and error.get("code") == "not_found":
                words = WITHOUT
            message = json.loads(line)
            return _failure(message["id"], words, is_call=message["method"] == "tools/call")
        return reply

    def _note(self, method: str, reply: dict[str, Any]) -> None:
        result = reply.get("result")
        if method == "initialize" and isinstance(result, dict):
            self._version = str(result.get("protocolVersion"))
        elif method == "tools/list" and result and self._lock:
            _hold_lock(self._lock)
            self._lock = None

    def _write(self, reply: dict[str, Any]) -> None:
        text = json.dumps(reply, ensure_ascii=False, separators=(",", ":"))
        with self._writing:
            sys.stdout.buffer.write(text.encode("utf-8", "backslashreplace") + b"\n")  # half of a pair stays escaped
            sys.stdout.buffer.flush()


def run(*arguments: str) -> None:
    """Serve until stdin ends."""
    client, free = Client(*arguments), threading.Semaphore(AT_ONCE)

    def take(line: bytes) -> None:
        try:
            with contextlib.suppress(BrokenPipeError):
                client.take(line)
        finally:
            free.release()

    with ThreadPoolExecutor(AT_ONCE) as threads:
        while line := sys.stdin.buffer.readline(LONGEST_MESSAGE + 1):
            if len(line) > LONGEST_MESSAGE:
                sys.exit("a message has more than 1,000,000 bytes")
            free.acquire()  # what waits stays in the pipe
            threads.submit(take, line)


def _failure(number: object, words: str, *, is_call: bool) -> dict[str, Any]:
    """Build the reply to a failed request: of a call a result, which the model reads, else a protocol error."""
    if is_call:
        result = {"content": [{"type": "text", "text": words}], "isError": True}
        return {"jsonrpc": "2.0", "id": number, "result": result}
    return _error(number, -32000, words)


def _error(number: object, code: int, words: str) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "error": {"code": code, "message": words}}


def _hold_lock(path: str) -> None:
    """Hold a shared lock on the file until this process ends, however it ends."""
    with contextlib.suppress(OSError):  # without it the daemon starts Claude anew, which helps if anything does
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)


if __name__ == "__main__":
    run(*sys.argv[1:])
