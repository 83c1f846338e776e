"""A daemon that plays a script over real HTTP, and a way to run the command line against it."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import pty
import select
import socket
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from click.testing import CliRunner, Result
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from paliadin.base.command_socket import listening_for_commands
from paliadin.cli import cli
from paliadin.cli.client import UNNUMBERED
from tests.worlds.cli_conversations import ScriptedConversations

TURN = "01a1fdb6-b627-7948-85e7-ca4dc12d2878"
BREAK = "break"  # the connection ends here, once
ABORTED, ANSWERED = "aborted", "answered"  # the stream waits for that request
BEGUN = "begun"  # the question waits here until it is let go, or withdrawn

Step = tuple[str, Mapping[str, Any]] | str


@dataclass
class ScriptedDaemon:
    """`steps` are a turn's events, numbered from 1, with BREAK, ABORTED, ANSWERED and BEGUN between them.

    `queued` is the place of the question, and `queue` what the history says of those that wait.
    """

    steps: Sequence[Step] = ()
    refusal: tuple[int, Mapping[str, Any]] | None = None
    health: tuple[int, Any] = (200, {"ok": True, "parts": []})
    requests: list[tuple[str, Any]] = field(default_factory=list)
    conversations: ScriptedConversations = field(default_factory=ScriptedConversations)
    queued: int = 0
    queue: Mapping[str, Any] = field(default_factory=dict)
    withdrawn: bool = False
    access: Mapping[str, Any] = field(default_factory=lambda: {"browsers": [], "keys": []})

    def __post_init__(self) -> None:
        self._arrived = {ABORTED: asyncio.Event(), ANSWERED: asyncio.Event(), BEGUN: asyncio.Event()}
        self._broken: set[int] = set()
        self.loop: asyncio.AbstractEventLoop | None = None

    def app(self) -> Starlette:
        api = "/api/paliadin"
        return Starlette(
            routes=[
                Route(f"{api}/turn", self._turn, methods=["POST"]),
                Route(f"{api}/reset", self._accept, methods=["POST"]),
                Route(f"{api}/health", self._health),
                Route(f"{api}/access", self._access),
                Route(f"{api}/stream/{TURN}", self._stream),
                Route(f"{api}/stream/{TURN}/abort", self._accept, methods=["POST"]),
                Route(f"{api}/stream/{TURN}/answer", self._accept, methods=["POST"]),
                Route(f"{api}/queue/{TURN}", self._withdraw, methods=["DELETE"]),
                Route(f"{api}/history", self._history),
                *self.conversations.routes(api),
            ]
        )

    def bodies(self, path: str) -> list[Any]:
        return [body for name, body in self.requests if name == path]

    def let_go(self, step: str) -> None:
        """Let the stream go on, as if that request had come."""
        assert self.loop is not None
        self.loop.call_soon_threadsafe(self._arrived[step].set)

    async def _accept(self, request: Request) -> Response:
        name = request.url.path.rpartition("/")[2]
        self.requests.append((name, await request.json()))
        if self.refusal:
            return JSONResponse({"error": self.refusal[1]}, self.refusal[0])
        waiting = self._arrived.get({"abort": ABORTED, "answer": ANSWERED}.get(name, ""))
        if waiting:
            waiting.set()
        return JSONResponse({"accepted": True})

    async def _turn(self, request: Request) -> Response:
        self.loop = asyncio.get_running_loop()
        accepted = await self._accept(request)
        asked = {"turn_id": TURN, "sse_url": "…", "queued": self.queued}
        return accepted if self.refusal else JSONResponse(asked, 202)

    async def _withdraw(self, _request: Request) -> Response:
        self.requests.append(("queue", "DELETE"))
        if self._arrived[BEGUN].is_set():
            return JSONResponse({"error": {"code": "not_queued", "message": "no question waits", "hint": ""}}, 404)
        self.withdraw()
        return JSONResponse({"withdrawn": True})

    def withdraw(self) -> None:
        """Take the question that waits away, as the page can."""
        self.withdrawn = True
        self.let_go(BEGUN)

    async def _history(self, request: Request) -> Response:
        self.requests.append(("history", dict(request.query_params)))
        return JSONResponse({"turns": [], "queue": self.queue})

    async def _health(self, _request: Request) -> Response:
        return JSONResponse(self.health[1], self.health[0])

    async def _access(self, _request: Request) -> Response:
        return JSONResponse(self.access)

    async def _stream(self, request: Request) -> Response:
        self.loop = asyncio.get_running_loop()
        after = int(request.headers["last-event-id"])
        self.requests.append(("stream", after))
        if self.withdrawn:
            return JSONResponse({"error": {"code": "unknown_turn", "message": "no such turn", "hint": ""}}, 404)
        return StreamingResponse(self._events(after), media_type="text/event-stream")

    async def _events(self, after: int) -> AsyncIterator[str]:
        number = 0
        yield "event: ping\ndata: {}\n\n"
        for place, step in enumerate(self.steps):
            if step == BREAK:
                if place not in self._broken:
                    self._broken.add(place)
                    return
            elif isinstance(step, str):
                await self._arrived[step].wait()
                if self.withdrawn:
                    return
            elif step[0] in UNNUMBERED:
                yield f"event: {step[0]}\ndata: {json.dumps(step[1])}\n\n"
            else:
                number += 1
                if number > after:
                    yield f"id: {number}\nevent: {step[0]}\ndata: {json.dumps(step[1])}\n\n"


@pytest.fixture
def daemon(tmp_path: Path) -> Iterator[ScriptedDaemon]:
    scripted = ScriptedDaemon()
    (tmp_path / "state").mkdir(mode=0o700)
    with listening_for_commands(tmp_path / "state") as listener:
        server = uvicorn.Server(uvicorn.Config(scripted.app(), log_level="error", lifespan="off"))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        yield scripted
        server.should_exit = server.force_exit = True
        thread.join()


@dataclass(frozen=True)
class Shell:
    """Runs `paliadin` with a HOME of its own; nothing listens on its port."""

    home: Path
    port: int

    @property
    def environment(self) -> dict[str, str]:
        values = {"HOME": str(self.home / "state"), "PORT": str(self.port)}
        own = {f"PALIADIN_{name}": value for name, value in values.items()}
        return own | {"HOME": str(self.home), "XDG_CONFIG_HOME": str(self.home / "config")}

    def __call__(self, *args: str, stdin: str | bytes | None = None, **environment: str | None) -> Result:
        return CliRunner(env=self.environment | environment).invoke(cli, args, input=stdin, prog_name="paliadin")

    def in_terminal(self, *args: str, typed: bool = True) -> Typist:
        """On a terminal; `typed`: its keyboard is the input, which else is empty."""
        keyboard, terminal = pty.openpty()
        environment = {**os.environ, **self.environment, "TERM": "xterm"}
        command = [sys.executable, "-m", "paliadin", *args]
        process = subprocess.Popen(
            command,
            stdin=terminal if typed else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=terminal,
            env=environment,
            start_new_session=True,
        )
        os.close(terminal)
        return Typist(process, keyboard)

    def on_screen(self, *args: str, **environment: str) -> str:
        """All that a terminal gets of stdout and stderr."""
        screen, terminal = pty.openpty()
        process = subprocess.Popen(
            [sys.executable, "-m", "paliadin", *args],
            stdin=subprocess.DEVNULL,
            stdout=terminal,
            stderr=terminal,
            env={**os.environ, **self.environment, **environment},
            start_new_session=True,
        )
        os.close(terminal)
        shown = b""
        with contextlib.suppress(OSError), os.fdopen(screen, "rb", buffering=0) as file:  # its end is an error
            while piece := file.read(4096):
                shown += piece
        process.wait(20)
        return shown.decode().replace("\r\n", "\n")  # the terminal's own line ends


class Typist:
    """Someone at a terminal: reads what is shown (stderr), types, presses Ctrl-C. stdout is a pipe."""

    def __init__(self, process: subprocess.Popen[bytes], keyboard: int) -> None:
        self.process, self._keyboard = process, keyboard
        self.screen = ""

    def sees(self, words: str, *, seconds: float = 20.0) -> None:
        """Wait until the words are shown, after whatever was waited for before."""
        deadline = time.monotonic() + seconds
        while words not in self.screen:
            assert time.monotonic() < deadline, f"{words!r} is not in {self.screen!r}"
            if select.select([self._keyboard], [], [], 0.1)[0]:
                self.screen += os.read(self._keyboard, 4096).decode()
        self.screen = self.screen.partition(words)[2]

    def types(self, text: str) -> None:
        os.write(self._keyboard, text.encode())

    def ends(self) -> tuple[int, str]:
        """The exit code, and all of stdout."""
        written, _ = self.process.communicate(timeout=20)
        os.close(self._keyboard)
        return self.process.returncode, written.decode()


@pytest.fixture
def shell(tmp_path: Path, daemon: ScriptedDaemon) -> Shell:
    return Shell(tmp_path, free_port())


@pytest.fixture
def alone(tmp_path: Path) -> Shell:
    """With no daemon at its address."""
    (tmp_path / "state").mkdir(mode=0o700)
    return Shell(tmp_path, free_port())


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return int(taken.getsockname()[1])
