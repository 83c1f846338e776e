"""The daemon's database: what was opened is closed again when a part of it fails, and at the end."""

from __future__ import annotations

import asyncio
import errno
from pathlib import Path

import pytest

from paliadin.base.errors import ConfigError, StoreUnavailable
from paliadin.base.settings import load_settings
from paliadin.record import migrate
from paliadin.record.database_startup import Database
from paliadin.record.store import Store
from tests.integration.test_embedded import postmaster, running


async def test_a_database_that_cannot_be_migrated_yet_is_stopped_and_tried_again(
    database_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    servers, up = [], migrate.up

    def fail_at_first(dsn: str) -> list[str]:
        servers.append(postmaster(database_home))
        if len(servers) == 2:
            raise OSError(errno.EMFILE, "Too many open files")
        if len(servers) < 4:
            raise StoreUnavailable("not yet")
        return up(dsn)

    monkeypatch.setattr(migrate, "up", fail_at_first)
    monkeypatch.setattr("paliadin.record.database_startup.RETRY_EVERY", 0.3)
    database = Database(load_settings({"PALIADIN_HOME": str(database_home)}), Store())
    async with database.running():
        with pytest.raises(StoreUnavailable, match="not yet"):
            await database.ping()
        assert not running(database_home)
        await database._ready.wait()
        await database.ping()
    assert len({*servers}) == 4
    assert not running(database_home)
    with pytest.raises(StoreUnavailable, match="not open"):
        await database.ping()


async def test_a_database_that_no_retry_would_mend_is_stopped_before_the_daemon_ends(
    database_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_dsn: str) -> list[str]:
        assert running(database_home)
        raise ConfigError("edited")

    monkeypatch.setattr(migrate, "up", fail)
    with pytest.raises(ConfigError, match="edited"):
        async with Database(load_settings({"PALIADIN_HOME": str(database_home)}), Store()).running():
            pytest.fail("it goes on")
    assert not running(database_home)


async def test_a_start_that_is_cancelled_stops_the_database(
    database_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A signal while the daemon starts."""
    migrating = asyncio.Event()
    loop, up = asyncio.get_running_loop(), migrate.up

    def tell(dsn: str) -> list[str]:
        loop.call_soon_threadsafe(migrating.set)
        return up(dsn)

    async def serve() -> None:
        async with Database(load_settings({"PALIADIN_HOME": str(database_home)}), Store()).running():
            pytest.fail("it was cancelled")

    monkeypatch.setattr(migrate, "up", tell)
    serving = asyncio.create_task(serve())
    await migrating.wait()
    serving.cancel()
    with pytest.raises(asyncio.CancelledError):
        await serving
    assert not running(database_home)
