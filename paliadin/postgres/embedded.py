"""A Postgres server of Paliadin's own, for when no DSN names one. It ends with the daemon, even by SIGKILL."""

from __future__ import annotations

import asyncio
import fcntl
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import psycopg

from paliadin.errors import ConfigError, StoreUnavailable
from paliadin.store import binaries, cluster, supervise
from paliadin.store.cluster import Cluster

START_WAIT = 60.0  # seconds; after a crash the server recovers first
DAEMON_WAIT = 2.0  # seconds for an earlier daemon that is just ending
SIGNAL_AFTER = 0.5  # seconds that a supervisor has to end its server before we do
END_WAIT = 20.0


class EmbeddedPostgres:
    """The server of one HOME; at most one daemon runs it."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._place: Cluster | None = None
        self._supervisor: subprocess.Popen[bytes] | None = None
        self._daemon_lock: int | None = None
        self._busy = threading.Lock()  # a start that was cancelled still goes on in its thread

    async def start(self) -> str:
        """Start the server, making the cluster if there is none; returns its conninfo.

        Raises MissingDependency without binaries; ConfigError when the cluster is in use, of another version or
        another account's; StoreUnavailable when the server does not come up.
        """
        return await asyncio.to_thread(self._start)

    async def stop(self) -> None:
        """End the server and wait for it; harmless when it does not run."""
        await asyncio.to_thread(self._stop)

    def _start(self) -> str:
        with self._busy:
            assert self._daemon_lock is None, "the server is started already"  # noqa: S101
            try:
                self._place = cluster.locate(self._home)
                return self._run(self._place)
            except OSError as error:
                self._end()
                raise StoreUnavailable(f"the embedded database cannot use its files: {error}") from error
            except BaseException:
                self._end()
                raise

    def _stop(self) -> None:
        with self._busy:
            self._end()

    def _run(self, place: Cluster) -> str:
        deadline = time.monotonic() + DAEMON_WAIT
        while (lock := _lock(place.folder / "daemon.lock")) is None and time.monotonic() < deadline:
            time.sleep(0.02)
        self._daemon_lock = lock
        if lock is None:
            raise ConfigError(
                f"another Paliadin uses the database in {place.folder}",
                hint="Stop that one, or give this one a PALIADIN_HOME of its own.",
            )
        server_lock = _lock_of_ended_server(place)
        try:
            found = binaries.find(place.account, cluster.ROOT_FOLDER, place.major)
            self._launch(place, place.prepare(found, server_lock), server_lock)
        finally:
            os.close(server_lock)
        self._wait_until_ready(place)
        if self._supervisor:  # from now on a server that ends is started again, whatever it says
            self._supervisor.send_signal(signal.SIGUSR1)
        return place.conninfo

    def _end(self) -> None:
        supervisor, self._supervisor = self._supervisor, None
        try:
            if supervisor and supervisor.stdin and self._place:
                supervisor.stdin.close()
                os.close(_lock_of_ended_server(self._place))
                supervisor.wait()
        finally:
            if self._daemon_lock is not None:
                os.close(self._daemon_lock)
                self._daemon_lock = None

    def _launch(self, place: Cluster, command: list[str], server_lock: int) -> None:
        other = place.account.uid != os.geteuid()
        ids = [str(place.account.uid), str(place.account.gid)] if other else ["-1", "-1"]
        with (place.folder / "server.log").open("ab") as log:
            os.fchmod(log.fileno(), 0o600)
            self._supervisor = subprocess.Popen(
                [sys.executable, "-I", "-S", supervise.__file__, *ids, *command],
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=log,
                env=binaries.ENVIRONMENT,
                cwd="/",
                pass_fds=[server_lock],
                start_new_session=True,
            )

    def _wait_until_ready(self, place: Cluster) -> None:
        deadline = time.monotonic() + START_WAIT
        while True:
            try:
                return psycopg.connect(place.conninfo, connect_timeout=2).close()
            except psycopg.OperationalError as error:
                ended = self._supervisor is None or self._supervisor.poll() is not None
                if ended or time.monotonic() > deadline:
                    raise StoreUnavailable(
                        f"the embedded database did not start: {_complaint(place) if ended else error}",
                        hint=f"See {place.folder}/server.log.",
                    ) from error
            time.sleep(0.01)


def _lock(path: Path) -> int | None:
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        return None
    return descriptor


def _lock_of_ended_server(place: Cluster) -> int:
    """Wait until no process of a server is left, and keep it so; helps when there is no supervisor to end it."""
    started = time.monotonic()
    signals = [(SIGNAL_AFTER, "INT"), (END_WAIT / 2, "QUIT")]
    while (lock := _lock(place.folder / "server.lock")) is None:
        waited = time.monotonic() - started
        server = place.postmaster()
        if server and signals and waited > signals[0][0]:
            # As the server's account: root does not trust the file that names the process.
            place.account.run(["sh", "-c", 'kill -s "$0" "$1"', signals.pop(0)[1], str(server.pid)])
        if waited > END_WAIT:
            raise StoreUnavailable(
                f"an earlier database server (process {server.pid if server else 'unknown'}) does not end",
                hint="End it, then start again.",
            )
        time.sleep(0.02)
    return lock


def _complaint(place: Cluster) -> str:
    """The last line of the server's log that is not mere news."""
    lines = (place.folder / "server.log").read_text("utf-8", "replace").splitlines()
    return next((line for line in reversed(lines) if line.strip() and "LOG:" not in line), "it ended without a word")
