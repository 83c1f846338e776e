"""Folders go when their time is over, never before their row is safe; starts of sessions come on record once."""

from __future__ import annotations

import asyncio
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import cast

import psycopg
import pytest

from paliadin.base.errors import StoreUnavailable
from paliadin.base.settings import Settings, load_settings
from paliadin.conversations.directory import Conversations
from paliadin.operations.janitor import Janitor
from paliadin.record.store import Store
from paliadin.turnlog.append import append
from paliadin.turnlog.folder import TurnFolder
from paliadin.turnlog.removal import is_recorded, remove_expired
from paliadin.turns.deletion import kept_here
from paliadin.turns.session_logs import SessionLogs
from tests.worlds.logs import made_turn, write

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


class OneSession:
    """In place of the conversations."""

    def __init__(self, settings: Settings) -> None:
        self.folder = settings.sessions_dir.joinpath

    def log_folders(self) -> list[str]:
        return ["main"]


def janitor_of(settings: Settings, store: Store) -> Janitor:
    logs = SessionLogs(settings, cast("Conversations", OneSession(settings)))
    return Janitor(store, kept_here(settings, store, ()), logs.new_starts)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    settings = load_settings({"PALIADIN_HOME": str(tmp_path), "PALIADIN_KEEP_DAYS": "30"})
    for folder in (settings.response_dir, settings.sessions_dir):
        folder.mkdir()
    return settings


def swept(settings: Settings, now: datetime) -> int:
    return remove_expired(settings, now, is_recorded)


def turn(settings: Settings, age: timedelta, *, recorded: bool = True) -> TurnFolder:
    stamp = int((NOW - age).timestamp() * 1000)
    folder = made_turn(settings.response_dir, f"{stamp >> 16:08x}-{stamp & 0xFFFF:04x}-7000-8000-000000000001")
    write(folder, {"relay": {"kind": "accepted"}})
    if recorded:
        folder.recorded.touch()
    return folder


def test_a_folder_goes_after_its_days_and_not_a_second_sooner(settings: Settings) -> None:
    old, young = turn(settings, timedelta(days=30, seconds=1)), turn(settings, timedelta(days=29, hours=23, minutes=59))
    assert swept(settings, NOW) == 1
    assert not old.path.exists()
    assert young.path.exists()
    assert swept(settings, NOW) == 0
    assert swept(settings, NOW + timedelta(minutes=2)) == 1
    assert list(settings.response_dir.iterdir()) == []


async def test_old_captures_go_also_when_nothing_is_captured_any_more(settings: Settings, store: Store) -> None:
    settings.captures_dir.mkdir()
    old, young = (settings.captures_dir / f"none--1763726400000-{number:09}.http" for number in (1, 2))
    for path in (old, young):
        path.touch()
    os.utime(old, (0, 0))
    async with janitor_of(settings, store).running(), asyncio.timeout(20):
        while old.exists():
            await asyncio.sleep(0.01)
    assert young.exists()


async def test_a_daemon_that_starts_looks_at_once(settings: Settings, store: Store) -> None:
    long_ago = datetime.now(UTC) - timedelta(days=400)
    old, running = turn(settings, NOW - long_ago), turn(settings, NOW - long_ago + timedelta(days=1), recorded=False)
    async with janitor_of(settings, store).running(), asyncio.timeout(20):
        while old.path.exists():
            await asyncio.sleep(0.01)
    assert running.log.path.exists()


def test_a_turn_that_runs_or_has_no_row_yet_keeps_its_folder(settings: Settings) -> None:
    running = turn(settings, timedelta(days=400), recorded=False)
    assert swept(settings, NOW) == 0
    assert running.log.path.exists()
    running.recorded.touch()
    assert swept(settings, NOW) == 1


def test_half_a_folder_goes_and_what_is_not_ours_stays(settings: Settings) -> None:
    half = turn(settings, timedelta(days=31), recorded=False)
    (half.path / "turn.json").unlink()
    (settings.response_dir / "notes" / "mine").mkdir(parents=True)
    misplaced = settings.response_dir / "2001-01-01" / half.turn_id
    misplaced.mkdir(parents=True)
    assert swept(settings, NOW) == 1
    assert not half.path.exists()
    assert (settings.response_dir / "notes" / "mine").exists()
    assert misplaced.exists()


def test_a_link_out_of_the_folder_is_removed_and_not_followed(settings: Settings, tmp_path: Path) -> None:
    outside = tmp_path / "mine"
    outside.mkdir()
    (outside / "kept").write_text("x")
    (turn(settings, timedelta(days=31)).path / "link").symlink_to(outside)
    assert swept(settings, NOW) == 1
    assert (outside / "kept").exists()


async def test_starts_of_sessions_come_on_record_once(settings: Settings, store: Store, database: str) -> None:
    log = settings.sessions_dir / "main" / "events.jsonl"
    log.parent.mkdir()
    for at, source in ((1_000, "startup"), (2_000, "clear"), (2_000, "clear"), ("soon", "clear"), (10**18, "clear")):
        append(log, {"at": at, "hook": {"hook_event_name": "SessionStart", "source": source}})
    append(log, {"at": 3_000, "hook": {"hook_event_name": "SessionEnd", "source": "clear"}})
    janitor = janitor_of(settings, store)
    await janitor.record_starts()
    append(log, {"at": 4_000, "hook": {"hook_event_name": "SessionStart", "source": "clear\0"}})
    await janitor.record_starts()
    await janitor_of(settings, store).record_starts()  # after a restart
    with psycopg.connect(database) as connection:
        rows = connection.execute("select session_id, extract(epoch from at)::int, source from paliadin.session_starts")
        assert sorted(rows) == [
            ("main", 1, "startup"),
            ("main", 2, "clear"),
            ("main", 4, "clear\N{REPLACEMENT CHARACTER}"),
        ]


async def test_starts_wait_for_a_database_that_is_away(settings: Settings, database: str) -> None:
    log, store = settings.sessions_dir / "main" / "events.jsonl", Store()
    log.parent.mkdir()
    append(log, {"at": 1_000, "hook": {"hook_event_name": "SessionStart", "source": "clear"}})
    janitor = janitor_of(settings, store)
    with pytest.raises(StoreUnavailable):
        await janitor.record_starts()
    async with store.connected(database):
        await janitor.record_starts()
    with psycopg.connect(database) as connection:
        assert connection.execute("select count(*) from paliadin.session_starts").fetchone() == (1,)
