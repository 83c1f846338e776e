"""The files of the embedded database.

$PALIADIN_HOME/postgres/
│                       for root a link to /var/lib/paliadin/<hash>/, because Postgres refuses to run as root
├── data/               the cluster, 0700
├── run/                the socket, 0700 (in the temporary folder if PALIADIN_HOME is too long for a socket's path)
├── *.conf              rewritten at each start
├── server.log
├── daemon.lock         held by the daemon
└── server.lock         held by every process of the server
"""

from __future__ import annotations

import hashlib
import os
import shutil
import socket
import stat
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from psycopg.conninfo import make_conninfo

from paliadin.base.errors import ConfigError, StoreUnavailable
from paliadin.postgres.binaries import Account, Binaries, unprivileged_account

ROOT_FOLDER = Path("/var/lib/paliadin")
ROLE = "paliadin"
PORT = 5432  # only part of the socket's name: TCP is off
SOCKET_PATH_LIMIT = 103  # bytes, on macOS; Linux has 107

SETTINGS = f"""\
listen_addresses = ''
port = {PORT}
unix_socket_permissions = 0700
max_connections = 20
shared_buffers = 16MB
min_wal_size = 8MB
max_wal_size = 64MB
wal_level = minimal
max_wal_senders = 0
max_logical_replication_workers = 0
max_parallel_workers_per_gather = 0
jit = off
timezone = 'UTC'
log_timezone = 'UTC'
# No prompt in the log: no statement, no parameter, no row that an error quotes.
log_min_messages = log
log_min_error_statement = panic
log_statement = none
log_error_verbosity = terse
log_parameter_max_length_on_error = 0
log_checkpoints = off
# A server that crashes ends, and the supervisor starts a new one. Restarted within itself on a full disk, Postgres 18
# sometimes waits for ever for a recovery that has failed.
restart_after_crash = off
"""


@dataclass(frozen=True, slots=True)
class Postmaster:
    """A server as `postmaster.pid` describes it; it may be gone, if the machine went down without stopping it."""

    pid: int
    socket: Path


@dataclass(frozen=True, slots=True)
class Cluster:
    """The database cluster in `folder` (see above); its server runs under `account`."""

    folder: Path
    account: Account

    @property
    def data(self) -> Path:
        return self.folder / "data"

    @property
    def major(self) -> int | None:
        """The cluster's major version of Postgres; None before `prepare` has made it."""
        path = self.data / "PG_VERSION"
        return int(path.read_text("ascii")) if path.exists() else None

    @property
    def socket_folder(self) -> Path:
        """The folder of the socket, the same at every start."""
        folder = self.folder / "run"
        # libpq reads a comma as the start of a second host.
        if len(os.fsencode(_socket(folder))) <= SOCKET_PATH_LIMIT and "," not in str(folder):
            return folder
        return Path(tempfile.gettempdir()) / f"{ROLE}-{self.account.uid}-{_digest(self.folder)}"

    @property
    def conninfo(self) -> str:
        return make_conninfo(host=str(self.socket_folder), port=PORT, user=ROLE, dbname="postgres")

    def prepare(self, binaries: Binaries, server_lock: int) -> list[str]:
        """Make the files that a start needs; return the server's command. The caller holds the lock `server_lock`."""
        if self.major is None:
            self._initialise(binaries, server_lock)
        self._remove_stale_pid_file()
        self._make_socket_folder()
        self._write("postgresql.conf", self._settings(binaries.major))
        self._write("pg_hba.conf", f"local all all peer map={ROLE}\n")
        self._write("pg_ident.conf", "".join(f'{ROLE} "{name}" {ROLE}\n' for name in self._client_accounts()))
        return [binaries.postgres, "-D", str(self.data), "-c", f"config_file={self.folder}/postgresql.conf"]

    def postmaster(self) -> Postmaster | None:
        """Read `postmaster.pid`; None if there is none."""
        try:
            lines = (self.data / "postmaster.pid").read_text("utf-8", "surrogateescape").splitlines()
            return Postmaster(int(lines[0]), _socket(Path(lines[4]), int(lines[3])))
        except (FileNotFoundError, IndexError, ValueError):
            return None

    def _initialise(self, binaries: Binaries, server_lock: int) -> None:
        partial = self.folder / "data.new"
        shutil.rmtree(partial, ignore_errors=True)
        partial.mkdir(mode=0o700)
        os.chown(partial, self.account.uid, self.account.gid)
        locale = ["--locale=C", "--encoding=UTF8"]
        if binaries.major >= 17:  # the first whose C.UTF-8 needs no locale of the system
            locale += ["--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
        command = [binaries.initdb, "-D", str(partial), "-U", ROLE, *locale, "--auth-local=peer", "--auth-host=reject"]
        command += ["--data-checksums", "--wal-segsize=1", "--no-instructions"]
        # initdb outlives a killed daemon; it inherits the lock, so that the next daemon waits for it.
        result = self.account.run(command, keep=(server_lock,))
        if result.returncode:
            raise StoreUnavailable(f"initdb failed: {result.stderr.strip()}")
        partial.rename(self.data)
        _sync(self.folder)

    def _remove_stale_pid_file(self) -> None:
        # After a reboot the old server's pid may be another process's, and then Postgres refuses to start.
        stale = self.postmaster()
        if not stale or not _alive(stale.pid):
            return
        if _listens(stale.socket):
            raise ConfigError(
                f"a Postgres server that Paliadin did not start (process {stale.pid}) runs in {self.data}",
                hint="Stop that server, then start Paliadin again.",
            )
        (self.data / "postmaster.pid").unlink()

    def _make_socket_folder(self) -> None:
        folder = self.socket_folder
        with suppress(FileExistsError):
            folder.mkdir(mode=0o700)
            os.chown(folder, self.account.uid, self.account.gid)
        status = folder.lstat()  # in /tmp anybody may have made it before us
        if not stat.S_ISDIR(status.st_mode) or status.st_uid != self.account.uid or status.st_mode & 0o077:
            raise ConfigError(f"{folder} is not a folder of {self.account.name} alone", hint=f"Remove {folder}.")
        for path in folder.iterdir():
            path.unlink()

    def _settings(self, major: int) -> str:
        paths = {
            "unix_socket_directories": '"' + str(self.socket_folder).replace('"', '""') + '"',
            "hba_file": str(self.folder / "pg_hba.conf"),
            "ident_file": str(self.folder / "pg_ident.conf"),
        }
        lines = [f"{name} = {_quoted(value)}\n" for name, value in paths.items()]
        if major >= 18:  # saves three idle I/O worker processes
            lines.append("io_method = sync\n")
        return SETTINGS + "".join(lines)

    def _client_accounts(self) -> set[str]:
        return {Account.of(os.geteuid()).name, self.account.name}

    def _write(self, name: str, text: str) -> None:
        path = self.folder / name
        path.write_text(text, "utf-8", "surrogateescape")
        path.chmod(0o600 if self.account.uid == os.geteuid() else 0o640)  # as root, the server's account reads it
        os.chown(path, -1, self.account.gid)


def locate_cluster(home: Path) -> Cluster:
    """Return the cluster of a state folder, and make its folder; raises ConfigError when that is another account's."""
    link = home / "postgres"
    if os.geteuid() != 0:
        link.mkdir(mode=0o700, parents=True, exist_ok=True)
        if not os.access(link, os.W_OK | os.X_OK):
            raise ConfigError(
                f"{link} belongs to another account",
                hint=f"Start Paliadin as {link.owner()}, or set another PALIADIN_HOME.",
            )
        return Cluster(link, Account.of(os.geteuid()))
    if link.exists() and not link.is_symlink():
        raise ConfigError(f"{link} was made by {link.owner()}, not by root", hint=f"Start Paliadin as {link.owner()}.")
    folder = link.resolve() if link.is_symlink() else ROOT_FOLDER / _digest(home.resolve())
    account = unprivileged_account(folder / "data")
    ROOT_FOLDER.mkdir(parents=True, exist_ok=True)
    ROOT_FOLDER.chmod(0o755)
    folder.mkdir(exist_ok=True)
    os.chown(folder, 0, account.gid)
    folder.chmod(0o750)
    if not link.is_symlink():
        link.symlink_to(folder)
    return Cluster(folder, account)


def remove_database(home: Path) -> None:
    """Delete the embedded database of a state folder; its server must have ended. For root it lies elsewhere."""
    shutil.rmtree((home / "postgres").resolve(), ignore_errors=True)


def _digest(path: Path) -> str:
    return hashlib.sha256(os.fsencode(path)).hexdigest()[:12]


def _socket(folder: Path, port: int = PORT) -> Path:
    return folder / f".s.PGSQL.{port}"


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True


def _listens(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as probe:
        try:
            probe.connect(str(path))
        except OSError:
            return False
    return True


def _quoted(value: str) -> str:
    return "'" + value.replace("\\", "\\\\").replace("'", "''").replace("\n", "\\n") + "'"


def _sync(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
