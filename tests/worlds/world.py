"""The real parts, put up for a test: a private home, Claude Code against a scripted API, tmux, Postgres, the daemon."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import httpx2

from paliadin.base.command_socket import command_socket_path
from paliadin.base.errors import PaliadinError, TmuxUnresponsive
from paliadin.base.settings import Settings, load_settings
from paliadin.demo.private_home import private_environment
from paliadin.demo.scripted_api import ScriptedApi
from paliadin.people.access import Access, Purpose
from paliadin.relays.terminal.screen import read_screen
from paliadin.relays.terminal.tmux import TmuxServer
from paliadin.turnlog.folder import TurnFolder
from tests.worlds.ports import own_port
from tests.worlds.postgres import copy_template
from tests.worlds.preloaded import PreloadedDaemon

ROOT = Path(__file__).parents[2]
TOKEN = "test-token-0123456789"
# For the engine inside Claude Code (JavaScriptCore): a process that lives for seconds does not get back the processor
# time that its optimizing compiler takes, and a fifth of all goes into looking for garbage, of which it has 70 MB.
UNOPTIMIZED = {"BUN_JSC_useDFGJIT": "0", "BUN_JSC_useGC": "0"}


def binaries() -> dict[str, Path]:
    """The Claude Code binaries under test, by where they come from (docs/claude-code.md tells how they differ)."""
    paths: dict[str, Path] = {}
    npm = sorted((ROOT / ".tools").glob("node_modules/@anthropic-ai/claude-code-*/claude"))
    if npm:
        paths["npm"] = npm[0]
    if (sdk := find_spec("claude_agent_sdk")) and sdk.origin:  # to import it takes a second
        paths["sdk"] = Path(sdk.origin).parent / "_bundled" / "claude"
    return paths


def eventually(condition: Callable[[], Any], seconds: float = 10.0, what: str = "") -> Any:
    """The condition's first true value; polls with a deadline.

    Playwright hands out a browser's events and routes only while one of its own calls runs, never while this one
    sleeps: a condition on them calls the page, or the test uses `page.expect_response` and its like.
    """
    deadline, pause = time.monotonic() + seconds, 0.02
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > deadline:
            raise AssertionError(f"not within {seconds} s: {what or condition}")
        time.sleep(pause)
        pause = min(1.15 * pause, 0.15)  # most ask the daemon, which has the same two cores


def give_key(home: Path, secret: str = TOKEN, purpose: Purpose = Purpose.OWNER) -> Access:
    """The access file of a state folder, with a key that the tests know."""
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    access = Access(home)
    if access.key(secret) is None:
        access.add_key(f"tests-{purpose}", purpose)
        path = home / "access.json"
        stored = json.loads(path.read_text())
        stored["keys"][-1]["digest"] = hashlib.sha256(secret.encode()).hexdigest()
        path.write_text(json.dumps(stored))
    return Access(home)


def transport_of(socket: Path) -> httpx2.HTTPTransport:
    """The way to what listens at a socket; without certificates, as in `World.client`."""
    return httpx2.HTTPTransport(uds=str(socket), verify=False)


@functools.cache
def _loaded(values: tuple[tuple[str, str], ...]) -> Settings:
    """These settings; a test reads them several times a request."""
    return load_settings({f"PALIADIN_{key}": value for key, value in values})


@dataclass
class World:
    """One HOME, one tmux server, one working folder; a daemon can be started, killed and started again in it."""

    root: Path
    claude: Path
    api: ScriptedApi
    base_url: str
    options: dict[str, str] = field(default_factory=dict)
    variables: dict[str, str] = field(default_factory=dict)  # more of the daemon's environment
    scripted: bool = False  # the public fake relay plays the turns, with no Claude Code
    played: bool = False  # the scripted model's scenes are played in the daemon, with no Claude Code
    file_tools: bool = False  # the messages relay has tools that read files, in place of the practice's
    constants: dict[str, float] = field(default_factory=dict)  # those with other values (tests/worlds/serve.py)
    open_files: tuple[int, int] | None = None  # the daemon's soft and hard limit; None: those of the tests
    preloaded: bool = False  # its daemon is forked (tests/worlds/preloaded.py); not where one is measured
    process: subprocess.Popen[str] | PreloadedDaemon | None = None
    announced: str = ""  # the address that the daemon printed

    def __post_init__(self) -> None:
        self.workdir = self.root / "work"
        self.workdir.mkdir(parents=True)
        self.port = own_port()
        self.environment = private_environment(self.root / "claude", self.workdir, self.base_url)

    @property
    def settings(self) -> Settings:
        values = {
            "HOME": str(self.root / "home"),
            "WORKDIR": str(self.workdir),
            "CLAUDE": str(self.claude),
            "TMUX_SOCKET": f"paliadin-test-{os.getpid()}-{self.root.name[:20]}",
            "PORT": str(self.port),
            "CHIPS": "deadline=/deadlines/{id}",
            "ROUTES": "/agenda,/glossary,/projects/{id}",
        }
        return _loaded(tuple((values | self.options).items()))

    @functools.cached_property
    def terminal(self) -> TmuxServer:
        return TmuxServer(self.settings.tmux_socket, self.settings.tmux_session)

    @property
    def pane(self) -> str:
        return self.terminal.panes()["main"]

    def screen(self) -> str:
        return self.terminal.capture(self.pane).captured

    @contextlib.contextmanager
    def drafting(self, text: str) -> Iterator[None]:
        """Somebody types this into Claude's terminal, and takes it away at the end; both are seen on the screen."""
        pane = self.pane
        self.terminal.type(pane, text)
        try:
            eventually(lambda: text in read_screen(self.screen()).draft, what="the draft is drawn")
            yield
        finally:
            self.terminal.press(pane, "C-u")
            eventually(lambda: text not in read_screen(self.screen()).draft, what="the draft is gone")

    def evidence(self, name: str) -> list[tuple[str, str]]:
        """(title, text): each terminal's screen and the end of the daemon's log, for a test that failed."""
        shown = []
        try:
            for session, pane in self.terminal.panes().items():
                screen = read_screen(self.terminal.capture(pane).captured)
                shown.append((f"{name}: terminal of {session} ({screen.state})", screen.text))
        except (PaliadinError, OSError, LookupError) as error:  # perhaps what broke the test
            shown.append((f"{name}: terminal", repr(error)))
        log = self.root / "daemon.log"
        return [*shown, (f"{name}: end of its log", log.read_text()[-2000:] if log.is_file() else "none")]

    def start(self, die: str = "") -> None:
        """Start the daemon in a process of its own and wait until it serves. `die`: see tests/worlds/serve.py."""
        home = self.settings.home
        if not (home / "postgres").exists() and self.settings.database_url is None:
            home.mkdir(mode=0o700, exist_ok=True)
            copy_template(home)
        give_key(home)
        values = {"HOME", "WORKDIR", "CLAUDE", "TMUX_SOCKET", "PORT", "CHIPS", "ROUTES"} | set(self.options)
        made = self.settings
        settings = {f"PALIADIN_{key}": _text(getattr(made, key.lower(), self.options.get(key))) for key in values}
        plan = {"settings": settings, "environment": self.environment, "die": die, "scripted": self.scripted}
        plan |= {"constants": self.constants, "file_tools": self.file_tools, "played": self.played}
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.root), "LANG": "C.UTF-8", "PYTHONPATH": str(ROOT)}
        self.process = self._start(plan, environment | self.variables)
        assert self.process.stdout is not None
        self.announced = self.process.stdout.readline().strip()
        assert self.announced, (self.root / "daemon.log").read_text()
        if self.settings.port is not None:
            self.options["PORT"] = str(httpx2.URL(self.announced).port or self.settings.port)
        with self.client() as client:
            eventually(lambda: client.get("/livez").status_code == 200, what="the daemon answers")

    def _start(self, plan: dict[str, Any], environment: dict[str, str]) -> subprocess.Popen[str] | PreloadedDaemon:
        log_file = self.root / "daemon.log"
        if self.preloaded and not (self.open_files or self.variables):  # Python itself reads some of those as it starts
            return PreloadedDaemon(plan, environment, ROOT, log_file)
        command = [*self._limits(), sys.executable, "-m", "tests.worlds.serve", json.dumps(plan)]
        with log_file.open("a") as log:
            return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True, env=environment, cwd=ROOT)

    @property
    def url(self) -> str:
        """An address as `paliadin open` prints it, with a new ticket: each can be opened once."""
        return self._new_ticket()["address"]

    @property
    def path_url(self) -> str:
        """An address as `paliadin open --by-path` prints it."""
        return self._new_ticket()["path_address"]

    def _new_ticket(self) -> dict[str, str]:
        with httpx2.Client(transport=self.command_transport(), base_url="http://paliadin") as client:
            made: dict[str, str] = client.post("/api/paliadin/access/tickets", json={}).json()
            return made

    @property
    def origin(self) -> str:
        """The page's own address."""
        return f"http://{self.label}.localhost:{self.options['PORT']}"

    @property
    def label(self) -> str:
        return str(json.loads((self.settings.home / "access.json").read_text())["label"])

    def _limits(self) -> list[str]:
        """What stands before a command that gets the world's limits of open files."""
        if self.open_files is None:
            return []
        return ["sh", "-c", 'ulimit -S -n "$0" && ulimit -H -n "$1" && shift && exec "$@"', *map(str, self.open_files)]

    def stop(self, number: int = signal.SIGTERM) -> None:
        if self.process:
            self.process.send_signal(number)
            self.process.wait(20)
            assert self.process.stdout is not None
            self.process.stdout.close()
            self.process = None

    def restart(self, die: str = "") -> None:
        """A new daemon in the same world; Claude goes on meanwhile."""
        self.stop()
        self.start(die)

    def wait_for_death(self) -> None:
        """Wait until the daemon has killed itself, as `start(die=…)` asked it to."""
        assert self.process is not None
        self.process.wait(60)
        self.stop()

    def close(self) -> None:
        self.stop()
        with contextlib.suppress(TmuxUnresponsive):
            self.terminal.kill_server()

    def command_transport(self) -> httpx2.HTTPTransport:
        """The way to the daemon that the command line has."""
        return transport_of(command_socket_path(self.settings.home))

    def client(self, **options: Any) -> httpx2.Client:
        """Without certificates: plain HTTP to loopback needs none, and to read them takes 26 ms of each client."""
        headers = {"Authorization": f"Bearer {TOKEN}"} | options.pop("headers", {})
        base = "http://127.0.0.1" + (f":{self.settings.port}" if self.settings.port else "")
        if self.settings.port is None:
            options.setdefault("transport", transport_of(self.settings.socket))
        return httpx2.Client(base_url=base, headers=headers, trust_env=False, verify=False, timeout=30, **options)

    def ask(self, message: str, **fields: Any) -> str:
        """Ask, and return the turn_id."""
        with self.client() as client:
            body = {"session_id": "main", "user_message": message, **fields}
            response = client.post("/api/paliadin/turn", json=body)
            while response.status_code == 409 and self._is_claudes_own(response.json()["error"]["turn_id"]):
                list(self.follow(response.json()["error"]["turn_id"]))
                response = client.post("/api/paliadin/turn", json=body)
            assert response.status_code == 202, response.text
            return str(response.json()["turn_id"])

    def _is_claudes_own(self, turn_id: str) -> bool:
        """Claude Code prompts itself when something that it ran in the background has ended: at any time."""
        return TurnFolder(self.settings.response_dir, turn_id).describe().origin == "agent"

    def follow(self, turn_id: str, after: int = 0) -> Iterator[Event]:
        """The turn's events, from behind `after` to its end."""
        with self.client() as client, client.stream("GET", f"/api/paliadin/stream/{turn_id}?after={after}") as stream:
            assert stream.status_code == 200, stream.read()
            yield from parse_sse(stream.iter_lines())

    def turn(self, message: str, **fields: Any) -> list[Event]:
        """Ask and follow to the end."""
        return list(self.follow(self.ask(message, **fields)))

    def post(self, path: str, body: Any = None) -> httpx2.Response:
        with self.client() as client:
            return client.post(f"/api/paliadin/{path}", json=body or {})

    def agree(self) -> None:
        """Agree, as the owner, to what is sent where over the Messages API."""
        version = self.get("health")["consent"]["version"]
        assert self.post("consent", {"version": version}).json()["agreed"]

    def get(self, path: str) -> Any:
        with self.client() as client:
            response = client.get(f"/api/paliadin/{path}")
            assert response.status_code == 200, response.text
            return response.json()


@dataclass(frozen=True)
class Event:
    id: int | None
    name: str
    data: dict[str, Any]


def parse_sse(lines: Iterator[str]) -> Iterator[Event]:
    fields: dict[str, str] = {}
    for line in lines:
        if line:
            key, _, value = line.partition(":")
            fields[key] = value.removeprefix(" ")
        elif fields.get("event") and fields["event"] != "ping":
            number = fields.get("id", "").rpartition(":")[2]  # in a page's stream behind the turn's id
            yield Event(int(number) if number else None, fields["event"], json.loads(fields["data"]))
            fields = {}
        else:
            fields = {}


def text_of(events: list[Event]) -> str:
    """The answer as the page shows it, messages joined by a blank line."""
    messages: dict[str, str] = {}
    for event in events:
        if event.name == "content_delta":
            messages[event.data["message_id"]] = messages.get(event.data["message_id"], "") + event.data["text"]
        elif event.name == "content_reset":
            messages.pop(event.data["message_id"], None)
    return "\n\n".join(messages.values())


def last(events: list[Event], name: str) -> Event:
    return [event for event in events if event.name == name][-1]


def _text(value: object) -> str:
    if isinstance(value, dict):
        return ",".join(f"{key}={item}" for key, item in value.items())
    if isinstance(value, tuple):
        return ",".join(value)
    return "none" if value is None else str(value)
