"""Processes of `paliadin up --role worker`, and further ones of `--role web`, for a world whose daemon is a web one."""

from __future__ import annotations

import contextlib
import copy
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import psycopg

from paliadin.postgres.cluster import remove_database
from tests.worlds.postgres import server, without_leftovers
from tests.worlds.world import ROOT, World, own_port

SHARED = ("DATABASE_URL", "RELAY", "API_KEY", "API_URL", "PALIAD", "AUDIT", "OUTPUT_TOKENS")


STANDS_BY = "Another web process serves; this one passes on to it what comes, and takes over when it ends.\n"


@dataclass
class Workers:
    """Starts workers, and web processes that stand by, and ends them with the block of `hired`."""

    world: World
    running: list[subprocess.Popen[str]] = field(default_factory=list)
    webs: list[subprocess.Popen[str]] = field(default_factory=list)

    def hire(self, **options: str) -> subprocess.Popen[str]:
        """Start a worker, with a state folder of its own, and wait until it can take a question."""
        home = self.world.root / f"worker-{self._number()}"
        home.mkdir()
        given = {key: value for key, value in self.world.options.items() if key in SHARED} | options
        worker, said = self._start("worker", home, given)
        self.running.append(worker)
        assert said == "The worker is running.\n", self.evidence("")
        return worker

    def stand_by(self, port: str = "") -> World:
        """Start a web process in the world's state folder, where another one leads; returns the world as seen there."""
        second = copy.copy(self.world)
        second.process, second.options = None, self.world.options | {"PORT": port or str(own_port())}
        settings = self.world.settings
        values = {"HOME": str(settings.home), "WORKDIR": str(settings.workdir), "TMUX_SOCKET": settings.tmux_socket}
        web, said = self._start("web", self.world.root, second.options | values)
        self.webs.append(web)
        assert said == STANDS_BY, self.evidence("")
        return second

    def _start(self, role: str, home: Path, options: dict[str, str]) -> tuple[subprocess.Popen[str], str]:
        """Start `paliadin up` with these settings, and `home` as HOME; returns the process and its first line."""
        environment = {"PATH": os.environ["PATH"], "HOME": str(home), "LANG": "C.UTF-8", "PYTHONPATH": str(ROOT)}
        environment |= {f"PALIADIN_{key}": value for key, value in options.items()}
        with self._log(self._number()).open("w") as log:
            command = [sys.executable, "-m", "paliadin", "up", "--role", role]
            process = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=log, text=True, env=environment, cwd=self.world.root
            )
        assert process.stdout is not None
        return process, process.stdout.readline()

    def end(self, process: subprocess.Popen[str], number: int = signal.SIGTERM) -> int:
        """Send it this signal and wait for its end; returns its exit code."""
        process.send_signal(number)
        code = process.wait(30)
        assert process.stdout is not None
        process.stdout.close()
        (self.running if process in self.running else self.webs).remove(process)
        return code

    def _number(self) -> int:
        return len([*self.world.root.glob("process-*.log")])

    def _log(self, number: int) -> Path:
        return self.world.root / f"process-{number}.log"

    def evidence(self, name: str) -> list[tuple[str, str]]:
        """(title, text) for a test that failed."""
        logs = sorted(self.world.root.glob("process-*.log"))
        return [(f"{name}: {path.name}", path.read_text()[-2000:]) for path in logs]


@contextlib.contextmanager
def large_server(home: Path) -> Iterator[str]:
    """The conninfo of a server that has room for several processes: the embedded one is made for a single one."""
    home.mkdir(mode=0o700)
    without_leftovers(home)
    try:
        with server(home) as conninfo, psycopg.connect(conninfo, autocommit=True) as connection:
            connection.execute("alter system set max_connections = 100")
        with server(home) as conninfo:
            yield conninfo
    finally:
        remove_database(home)


@contextlib.contextmanager
def hired(world: World) -> Iterator[Workers]:
    """Lets processes be started; those that still run end with the block."""
    workers = Workers(world)
    try:
        yield workers
    finally:
        for process in [*workers.running, *workers.webs]:
            workers.end(process, signal.SIGKILL)
