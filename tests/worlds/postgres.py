"""Fixtures with a real database: one embedded server a run, one migrated template, one clone of it a test."""

from __future__ import annotations

import atexit
import functools
import itertools
import shutil
import subprocess
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import psycopg
import pytest
from anyio.from_thread import start_blocking_portal
from psycopg.conninfo import make_conninfo

from paliadin.postgres.cluster import locate_cluster, remove_database
from paliadin.postgres.embedded import EmbeddedPostgres
from paliadin.record import migrate
from paliadin.record.store import Store

__all__ = ["database", "database_home", "database_server", "database_template", "empty_database", "store"]

T = TypeVar("T")
_numbers = itertools.count()


def poll(look: Callable[[], T], *, seconds: float = 20.0) -> T:
    """Look until there is something to see; fails after `seconds`."""
    deadline = time.monotonic() + seconds
    while not (seen := look()):
        assert time.monotonic() < deadline, f"{look} saw nothing within {seconds} s"
        time.sleep(0.01)
    return seen


def _kept_home() -> Path:
    """A HOME that is gone with this process."""
    home = Path(tempfile.mkdtemp(prefix="paliadin-template-"))
    atexit.register(lambda: (remove_database(home), shutil.rmtree(home, ignore_errors=True)))
    return home


@functools.cache
def _template_home() -> Path:
    """A HOME whose database is migrated and at rest."""
    home = _kept_home()
    with server(home) as conninfo:
        migrate.up(conninfo)
    return home


@functools.cache
def _small_template_home() -> Path:
    """The same without the databases that new ones are copied from: 600 of its 1,000 files."""
    home = _kept_home()
    _copy(_template_home(), home)
    with server(home) as conninfo, psycopg.connect(conninfo, autocommit=True) as connection:
        connection.execute("update pg_database set datistemplate = false")
        for name in ("template0", "template1"):
            connection.execute(f"drop database {name}".encode())
    return home


def copy_template(home: Path, *, whole: bool = False) -> None:
    """Give this HOME a database as its first start would make it: initdb takes seconds, and each world would run it.

    `whole`: new databases can be made in it.
    """
    _copy(_template_home() if whole else _small_template_home(), home)


def _copy(template: Path, home: Path) -> None:
    subprocess.run(["cp", "-a", str(locate_cluster(template).data), str(without_leftovers(home))], check=True)


def without_leftovers(home: Path) -> Path:
    """Where the database of this new HOME will be. A run that was killed may have left one under the same name."""
    data = locate_cluster(home).data
    shutil.rmtree(data, ignore_errors=True)
    return data


@pytest.fixture
def database_home(tmp_path: Path) -> Iterator[Path]:
    """A HOME for a server of the test's own."""
    home = tmp_path / "home"
    home.mkdir(mode=0o700)
    yield home
    remove_database(home)


@pytest.fixture(scope="session")
def database_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The conninfo of a server that all tests share."""
    home = tmp_path_factory.mktemp("database")
    copy_template(home, whole=True)
    with server(home) as conninfo:
        yield conninfo
    remove_database(home)


@pytest.fixture(scope="session")
def database_template(database_server: str) -> str:
    """The name of a database with all migrations applied."""
    make_database(database_server, "paliadin_template", "postgres")
    return "paliadin_template"


@pytest.fixture
def database(database_server: str, database_template: str) -> Iterator[str]:
    """The conninfo of a database of the test's own, with all migrations applied."""
    yield from clone(database_server, database_template)


@pytest.fixture
def empty_database(database_server: str) -> Iterator[str]:
    """The conninfo of a database of the test's own, without any table."""
    yield from clone(database_server, "template0")


@pytest.fixture
async def store(database: str) -> AsyncIterator[Store]:
    """An open store over `database`."""
    store = Store()
    async with store.connected(database):
        yield store


@contextmanager
def server(home: Path) -> Iterator[str]:
    """The conninfo of this HOME's server, which runs during the block.

    Its event loop has a thread of its own: in this one Playwright may have left another running.
    """
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(EmbeddedPostgres(home).running()) as dsn:
        yield dsn


def make_database(dsn: str, name: str, template: str) -> str:
    """Make a copy of a database to which nobody is connected; returns its conninfo."""
    with psycopg.connect(make_conninfo(dsn, dbname="template1"), autocommit=True) as connection:
        connection.execute(f"create database {name} template {template}".encode())
    return make_conninfo(dsn, dbname=name)


def clone(dsn: str, template: str) -> Iterator[str]:
    """The conninfo of a copy for one test."""
    name = f"test_{next(_numbers)}"
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute(f"create database {name} template {template}".encode())
        yield make_conninfo(dsn, dbname=name)
        connection.execute(f"drop database {name} with (force)".encode())
