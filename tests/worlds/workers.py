"""Processes of `paliadin up --role worker` for a world whose daemon has the role `web`."""

from __future__ import annotations

import contextlib
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
from tests.worlds.world import ROOT, World

SHARED = ("DATABASE_URL", "RELAY", "API_KEY", "API_URL", "PALIAD", "AUDIT", "OUTPUT_TOKENS")


@dataclass
class Workers:
    """Starts workers, and ends them with the block of `hired`. Each has a state folder of its own."""

    world: World
    running: list[subprocess.Popen[str]] = field(default_factory=list)

    def hire(self, **options: str) -> subprocess.Popen[str]:
        """Start a worker and wait until it can take a question."""
        number = len(list(self.world.root.glob("worker-*.log")))
        home = self.world.root / f"worker-{number}"
        given = {key: value for key, value in self.world.options.items() if key in SHARED} | options
        environment = {"PATH": os.environ["PATH"], "HOME": str(home), "LANG": "C.UTF-8", "PYTHONPATH": str(ROOT)}
        environment |= {f"PALIADIN_{key}": value for key, value in given.items()}
        home.mkdir()
        with self._log(number).open("w") as log:
            command = [sys.executable, "-m", "paliadin", "up", "--role", "worker"]
            worker = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=log, text=True, env=environment, cwd=self.world.root
            )
        self.running.append(worker)
        assert worker.stdout is not None
        said = worker.stdout.readline()
        assert said == "The worker is running.\n", self._log(number).read_text()
        return worker

    def end(self, worker: subprocess.Popen[str], number: int = signal.SIGTERM) -> int:
        """Send it this signal and wait for its end; returns its exit code."""
        worker.send_signal(number)
        code = worker.wait(30)
        assert worker.stdout is not None
        worker.stdout.close()
        self.running.remove(worker)
        return code

    def _log(self, number: int) -> Path:
        return self.world.root / f"worker-{number}.log"

    def evidence(self, name: str) -> list[tuple[str, str]]:
        """(title, text) for a test that failed."""
        logs = sorted(self.world.root.glob("worker-*.log"))
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
    """Lets workers be hired; those that still run end with the block."""
    workers = Workers(world)
    try:
        yield workers
    finally:
        for worker in [*workers.running]:
            workers.end(worker, signal.SIGKILL)
