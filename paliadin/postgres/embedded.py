"""The embedded Postgres server, used when no DSN names one. It ends with the daemon, even one killed by SIGKILL."""

from __future__ import annotations

import asyncio
import fcntl
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import psycopg

from paliadin.base import umask
from paliadin.base.errors import ConfigError, StoreUnavailable
from paliadin.base.open_files import with_inherited_limit
from paliadin.postgres import binaries, supervise
from paliadin.postgres import cluster as cluster_files
from paliadin.postgres.cluster import Cluster, locate_cluster

START_WAIT = 60.0  # seconds for the server to accept connections; after a crash it recovers first
DAEMON_WAIT = 2.0  # seconds for an earlier daemon to end
SIGNAL_AFTER = 0.5  # seconds for an earlier server's supervisor to end it, before we signal it ourselves
END_WAIT = 20.0  # seconds for an earlier server to end


class EmbeddedPostgres:
    """The server of one state folder; a lock keeps other daemons out."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._cluster: Cluster | None = None
        self._supervisor: subprocess.Popen[bytes] | None = None
        self._daemon_lock: int | None = None
        self._lock = threading.Lock()  # a cancelled start still runs on in its thread

    @asynccontextmanager
    async def running(self) -> AsyncIterator[str]:
        """Run the server during a `with` block, with a new cluster if there is none; yields its conninfo.

        Raises MissingDependency without binaries; ConfigError when the cluster is in use, or belongs to another
        version or account; StoreUnavailable when the server does not come up. At the end it waits for the server's.
        """
        try:
            yield await asyncio.to_thread(self._start)
        finally:
            await asyncio.to_thread(self._stop)

    def _start(self) -> str:
        with self._lock:
            try:
                self._cluster = locate_cluster(self._home)
                return self._run(self._cluster)
            except OSError as error:
                raise StoreUnavailable(f"the embedded database cannot use its files: {error}") from error

    def _stop(self) -> None:
        with self._lock:
            self._end()

    def _run(self, cluster: Cluster) -> str:
        deadline = time.monotonic() + DAEMON_WAIT
        while (lock := _try_lock(cluster.folder / "daemon.lock")) is None and time.monotonic() < deadline:
            time.sleep(0.02)
        self._daemon_lock = lock
        if lock is None:
            raise ConfigError(
                f"another Paliadin uses the database in {cluster.folder}",
                hint="Stop that one, or give this one its own PALIADIN_HOME.",
            )
        server_lock = _lock_after_server_ended(cluster)
        try:
            programs = binaries.find(cluster.account, cluster_files.ROOT_FOLDER, cluster.major)
            self._launch(cluster, cluster.prepare(programs, server_lock), server_lock)
        finally:
            os.close(server_lock)
        self._wait_until_ready(cluster)
        if self._supervisor:  # tells it to restart the server from now on, however it ends
            self._supervisor.send_signal(signal.SIGUSR1)
        return cluster.conninfo

    def _end(self) -> None:
        supervisor, self._supervisor = self._supervisor, None
        try:
            if supervisor and supervisor.stdin and self._cluster:
                supervisor.stdin.close()
                os.close(_lock_after_server_ended(self._cluster))
                supervisor.wait()
        finally:
            if self._daemon_lock is not None:
                os.close(self._daemon_lock)
                self._daemon_lock = None

    def _launch(self, cluster: Cluster, command: list[str], server_lock: int) -> None:
        other = cluster.account.uid != os.geteuid()
        ids = [str(cluster.account.uid), str(cluster.account.gid)] if other else ["-1", "-1"]
        with (cluster.folder / "server.log").open("ab") as log:
            os.fchmod(log.fileno(), 0o600)
            self._supervisor = subprocess.Popen(
                with_inherited_limit([sys.executable, "-I", "-S", supervise.__file__, *ids, *command]),
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=log,
                env=binaries.ENVIRONMENT,
                cwd="/",
                pass_fds=[server_lock],
                start_new_session=True,
                umask=umask.of_owner(),
            )

    def _wait_until_ready(self, cluster: Cluster) -> None:
        deadline = time.monotonic() + START_WAIT
        while True:
            try:
                return psycopg.connect(cluster.conninfo, connect_timeout=2).close()
            except psycopg.OperationalError as error:
                ended = self._supervisor is None or self._supervisor.poll() is not None
                if ended or time.monotonic() > deadline:
                    raise StoreUnavailable(
                        f"the embedded database did not start: {_last_log_error(cluster) if ended else error}",
                        hint=f"See {cluster.folder}/server.log.",
                    ) from error
            time.sleep(0.01)


def _try_lock(path: Path) -> int | None:
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(descriptor)
        return None
    return descriptor


def _lock_after_server_ended(cluster: Cluster) -> int:
    """Wait until no process of an earlier server is left; return a lock that keeps others from starting.

    A server that has lost its supervisor is ended by signals. Raises StoreUnavailable after END_WAIT.
    """
    waiting_since = time.monotonic()
    signals = [(SIGNAL_AFTER, "INT"), (END_WAIT / 2, "QUIT")]
    while (lock := _try_lock(cluster.folder / "server.lock")) is None:
        waited = time.monotonic() - waiting_since
        server = cluster.postmaster()
        if server and signals and waited > signals[0][0]:
            # Run as the server's account, which wrote the pid file: root must not signal whatever it names.
            cluster.account.run(["sh", "-c", 'kill -s "$0" "$1"', signals.pop(0)[1], str(server.pid)])
        if waited > END_WAIT:
            raise StoreUnavailable(
                f"an earlier database server (process {server.pid if server else 'unknown'}) did not exit",
                hint="End that process, then start Paliadin again.",
            )
        time.sleep(0.02)
    return lock


def _last_log_error(cluster: Cluster) -> str:
    """Return the last line of the server's log that is not of the level LOG."""
    lines = (cluster.folder / "server.log").read_text("utf-8", "replace").splitlines()
    return next((line for line in reversed(lines) if line.strip() and "LOG:" not in line), "it reported no error")
