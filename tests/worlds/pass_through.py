"""The pass-through as a process, as it is started beside Claude Code; and raw sockets for both of its ends."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import socket
import ssl
import struct
import subprocess
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from paliadin.live.framing import Head
from paliadin.relays.terminal.claude import base_python
from paliadin.relays.terminal.pass_through import copy_pass_through
from tests.worlds.ports import close_listener
from tests.worlds.world import eventually

SECRET = "secret-path-of-this-test"
TIMEOUT = 20.0  # seconds for whatever has to happen; it never decides how a test ends on a sound machine
OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"
TURN = "01890a5d-ac96-774b-bcce-b302099a8057"  # of 2023-06-30
PROMPT = "6f1c1a34-8a51-4f0c-9d5b-6d3f7f2f4b11"
STREAM_HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"


class Peer:
    """One end of a connection. Reading raises EOFError, with what had come, when the other end has closed."""

    def __init__(self, connection: socket.socket) -> None:
        connection.settimeout(TIMEOUT)
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)  # a reset would take back what is held up
        self.socket = connection
        self._buffer = b""

    def send(self, data: bytes) -> None:
        self.socket.sendall(data)

    def until(self, mark: bytes = b"\r\n\r\n") -> bytes:
        while mark not in self._buffer:
            self._more()
        end = self._buffer.index(mark) + len(mark)
        data, self._buffer = self._buffer[:end], self._buffer[end:]
        return data

    def exactly(self, size: int) -> bytes:
        parts, left = [self._buffer], size - len(self._buffer)
        self._buffer = b""
        while left > 0:
            parts.append(self.socket.recv(min(left, 1 << 20)))
            left -= len(parts[-1])
            if not parts[-1]:
                raise EOFError(b"".join(parts))
        data = b"".join(parts)
        self._buffer = data[size:]
        return data[:size]

    def rest(self) -> bytes:
        """All until the other end closes."""
        with contextlib.suppress(EOFError):
            while True:
                self._more()
        data, self._buffer = self._buffer, b""
        return data

    def request(self) -> tuple[Head, bytes]:
        """The next request, and its body as it came."""
        head = Head.parse(self.until())
        if head.get("transfer-encoding"):
            return head, self.until(b"0\r\n\r\n")
        return head, self.exactly(int(head.get("content-length") or 0))

    def ends(self) -> None:
        """Wait for the other end to close, whether in order or not."""
        with contextlib.suppress(ConnectionError):
            self.rest()

    def reset(self) -> None:
        """Break the connection."""
        self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.socket.close()

    def close(self) -> None:
        self.socket.close()

    def _more(self) -> None:
        data = self.socket.recv(1 << 16)
        if not data:
            raise EOFError(self._buffer)
        self._buffer += data


Handler = Callable[[Peer], None]


def answer_all(peer: Peer) -> None:
    """Answer each request with OK."""
    while True:
        peer.request()
        peer.send(OK)


class Api:
    """A server whose connections are handled by `handle`, each in a thread. Its errors fail the test."""

    def __init__(self, handle: Handler = answer_all, context: ssl.SSLContext | None = None) -> None:
        self.handle, self._context = handle, context
        self.accepted = 0
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._peers: list[Peer] = []
        self.errors: list[BaseException] = []

    @contextlib.contextmanager
    def running(self) -> Iterator[Api]:
        threading.Thread(target=self._accept, daemon=True).start()
        try:
            yield self
            assert not self.errors, self.errors
        finally:
            self.stop_listening()
            self.drop()

    def stop_listening(self) -> None:
        """Take no more connections; those that there are stay."""
        close_listener(self._listener)

    @property
    def is_connected(self) -> bool:
        """True if it has connections to drop."""
        return bool(self._peers)

    def drop(self) -> None:
        """Close all connections."""
        while self._peers:
            with contextlib.suppress(OSError):
                self._peers.pop().socket.shutdown(socket.SHUT_RDWR)

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self._listener.accept()
                self.accepted += 1
                threading.Thread(target=self._serve, args=[connection], daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        try:
            if self._context:
                connection = self._context.wrap_socket(connection, server_side=True)
            with connection:
                peer = Peer(connection)
                self._peers.append(peer)
                if not self._context:
                    connection.recv(1, socket.MSG_PEEK)  # opened before it is needed, it gets a later handler
                self.handle(peer)
        except (EOFError, OSError):  # the other end closed, as in most tests
            pass
        except BaseException as error:  # noqa: BLE001  # raised in the test's thread
            self.errors.append(error)


class Live:
    """A pass-through: its folder, which is that of a session, and its processes."""

    def __init__(self, root: Path, upstream: str, environment: Mapping[str, str] | None = None) -> None:
        self.session, self.turns = root / "sessions" / "main", root / "turns"
        self.folder = self.session / "live"
        self.folder.mkdir(parents=True)
        self.turn = bind_turn(self.session, self.turns)
        self.code = copy_pass_through(root.parent)
        self.environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(root),
            "ANTHROPIC_BASE_URL": upstream,
            **(environment or {}),
        }
        self.process: subprocess.Popen[bytes] | None = None
        self.port = 0

    def start(self, port: int = 0, *, captures: Path | None = None) -> dict[str, Any]:
        """Start it; returns what its state file says."""
        configuration = {
            "port": port,
            "secret": SECRET,
            "session": str(self.session),
            "turns": str(self.turns),
            "preview": True,
            "captures": str(captures) if captures else None,
            "settings": True,
        }
        path = self.folder / "config.json"
        path.touch(mode=0o600)
        path.write_text(json.dumps(configuration))
        (self.folder / "state.json").unlink(missing_ok=True)
        command = [base_python(), "-I", "-S", str(self.code), str(path)]
        with (self.folder / "terminal").open("ab") as output:
            self.process = subprocess.Popen(
                command, env=self.environment, stdout=output, stderr=output, start_new_session=True
            )
        state: dict[str, Any] = eventually(self.state, TIMEOUT, "it says how it stands")
        self.port = state.get("port", 0)
        return state

    def state(self) -> dict[str, Any]:
        try:
            return dict(json.loads((self.folder / "state.json").read_text()))
        except (OSError, ValueError):
            return {}

    @property
    def printed(self) -> str:
        """What it wrote to its terminal."""
        return (self.folder / "terminal").read_text()

    @property
    def notes(self) -> str:
        path = self.session / "hooks.log"
        return path.read_text() if path.is_file() else ""

    def preview(self) -> list[dict[str, Any]]:
        path = self.turn / "live.jsonl"
        return [json.loads(line) for line in path.read_text().splitlines() if line] if path.is_file() else []

    @property
    def child(self) -> int:
        assert self.process
        listed = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        return int(listed[0]) if listed else 0

    def connect(self) -> Peer:
        return Peer(socket.create_connection(("127.0.0.1", self.port), TIMEOUT))

    @contextlib.contextmanager
    def sent(self, data: bytes) -> Iterator[Peer]:
        """A connection over which this was sent."""
        peer = self.connect()
        try:
            peer.send(data)
            yield peer
        finally:
            peer.close()

    def ask(self, data: bytes | None = None) -> bytes:
        """The answer to a request, all until the connection ends."""
        with self.sent(data or post(b"", "Connection: close")) as peer:
            return peer.rest()

    def end(self) -> int:
        """End it in order; returns its exit code."""
        assert self.process
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.process.pid, signal.SIGTERM)
        try:
            return self.process.wait(TIMEOUT)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            raise


def bind_turn(session: Path, turns: Path) -> Path:
    """A turn's folder, as the hook leaves it when Claude Code has taken the question."""
    folder = turns / "2023-06-30" / TURN
    folder.mkdir(parents=True)
    (folder / "prompt_id").write_text(PROMPT)
    (session / "prompts").mkdir(exist_ok=True)
    (session / "prompts" / PROMPT).symlink_to(folder)
    return folder


@contextlib.contextmanager
def passing(
    root: Path, api: Api | str, environment: Mapping[str, str] | None = None, *, captures: Path | None = None
) -> Iterator[Live]:
    """A pass-through that is on, in front of this API, which has taken its first connection."""
    root.mkdir(exist_ok=True)
    live = Live(root, api if isinstance(api, str) else f"http://127.0.0.1:{api.port}", environment)
    try:
        state = live.start(captures=captures)
        assert state["state"] == "on", state
        if isinstance(api, Api):  # its thread may come later; until then it neither counts nor drops the connection
            eventually(lambda: api.is_connected, TIMEOUT)
        yield live
    finally:
        live.end()


def post(body: bytes = b"", *fields: str, path: str = "/v1/messages") -> bytes:
    lines = [f"POST /{SECRET}{path} HTTP/1.1", "Host: localhost", *fields]
    if not any(field.lower().startswith("transfer-encoding") for field in fields):
        lines.append(f"Content-Length: {len(body)}")
    return ("\r\n".join(lines) + "\r\n\r\n").encode() + body


def question(*fields: str, text: str = f"[PALIADIN:{TURN}] What?") -> bytes:
    """A request as Claude Code sends it for the turn's answer."""
    messages = [{"role": "user", "content": [{"type": "text", "text": text}]}]
    body = {"model": "claude-x", "messages": messages, "tools": [{"name": "Bash"}], "stream": True}
    return post(json.dumps(body).encode(), *fields)


def chunk(data: bytes) -> bytes:
    return f"{len(data):x}\r\n".encode() + data + b"\r\n"


def delta(text: str) -> bytes:
    """A piece of an answer's text, as a chunk."""
    value = {"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": text}}
    return chunk(f"event: content_block_delta\ndata: {json.dumps(value)}\n\n".encode())


END = chunk(b'event: message_stop\ndata: {"type":"message_stop"}\n\n') + b"0\r\n\r\n"
