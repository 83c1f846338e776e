"""What else can break under a turn: the database's disk, the package, the clock, files changed by hand."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from paliadin.postgres.cluster import locate_cluster
from paliadin.relays.terminal.screen import State, read_screen
from paliadin.turnlog.read import LogReader
from tests.conftest import missing
from tests.integration.test_storage import fill, make_room
from tests.worlds.script import HEAVY, STEADY
from tests.worlds.turns import check_whole, item_of, recorded, rest_of, row_of, watched_until
from tests.worlds.world import ROOT, Event, World, eventually, text_of

pytestmark = pytest.mark.timeout(180)


@pytest.fixture
def world(lent_world: World) -> World:
    return lent_world


# The database's disk.


@pytest.fixture
def database_disk(fresh_world: World) -> Iterator[Path]:
    """The embedded database on a file system of its own, 100 MB."""
    if os.geteuid():
        missing("only root can mount the small file system of this test")
    world = fresh_world
    world.settings.home.mkdir(mode=0o700)
    disk = locate_cluster(world.settings.home).folder
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=100m,mode=750", "tmpfs", disk], check=True)
    try:
        yield disk
    finally:
        world.close()
        subprocess.run(["umount", "--lazy", disk], check=True)


def waiting(world: World) -> int:
    with world.client() as client:
        lines = client.get("/metrics").text.splitlines()
    return next(int(float(line.split()[1])) for line in lines if line.startswith("paliadin_rows_waiting "))


def database_part(world: World) -> dict[str, Any]:
    return next(part for part in world.get("health")["parts"] if part["name"] == "database")


def use_up_the_log(world: World) -> None:
    """Postgres keeps some room for its write-ahead log; without it, the server ends when it has to write."""
    with psycopg.connect(locate_cluster(world.settings.home).conninfo) as connection:
        while True:
            connection.execute("select pg_switch_wal(), pg_logical_emit_message(false, 'x', repeat('x', 900000))")
            connection.commit()


@pytest.mark.long
@pytest.mark.parametrize(
    "log_too", [False, pytest.param(True, marks=pytest.mark.matrix)], ids=["tables", "write-ahead log"]
)
def test_a_database_whose_disk_is_full_stops_no_turn_and_every_row_follows(
    fresh_world: World, database_disk: Path, log_too: bool
) -> None:
    world = fresh_world
    world.start()
    before = world.ask("Before")
    list(world.follow(before))
    eventually(lambda: recorded(world, before), 20)
    fill(database_disk)
    if log_too:
        with pytest.raises(psycopg.OperationalError):
            use_up_the_log(world)
    asked: list[str] = []
    while not waiting(world):
        assert len(asked) < 12, "its disk is full, and yet it takes every row"
        asked.append(world.ask("scene:heavy"))
        events = list(world.follow(asked[-1]))
        check_whole(events)
        assert text_of(events) == HEAVY
    eventually(lambda: not database_part(world)["ok"], 10, "health says that the database takes no row")
    make_room(database_disk)
    eventually(lambda: not waiting(world), 100, "every row is written")
    assert database_part(world)["ok"]
    for turn_id in asked:
        assert row_of(world, turn_id)["response"] == HEAVY
    assert row_of(world, before)["user_message"] == "Before"


# The package.


@pytest.fixture
def installed(fresh_world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the package that the daemon runs from, to be upgraded or removed."""
    fresh_world.preloaded = False
    copy = tmp_path / "installed"
    for name in ("paliadin", "skill", "migrations", "tests"):
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__", "screens"))
    monkeypatch.setattr("tests.worlds.world.ROOT", copy)
    return copy


def undisturbed(world: World) -> None:
    """Claude ended its answer, and shows nothing of hooks."""
    eventually(lambda: STEADY[-1] in world.screen() and read_screen(world.screen()).state is State.READY, 20)
    assert "hook" not in world.screen().lower()


@pytest.mark.long
def test_an_upgrade_in_mid_turn_disturbs_neither_claude_nor_the_turn(fresh_world: World, installed: Path) -> None:
    world = fresh_world
    world.start()
    turn_id = world.ask("scene:steady upgraded")
    events: list[Event] = []
    watched_until(world, turn_id, "content_delta", events)
    with (installed / "skill" / "hooks" / "display.sh").open("a") as file:
        file.write("\n# as the next version has it\n")
    world.stop()
    world.start()
    events += rest_of(world, turn_id, events)
    check_whole(events)
    assert text_of(events) == "\n".join(STEADY)
    undisturbed(world)
    assert len([*world.settings.home.glob("plugin/*")]) == 2
    assert text_of(world.turn("And now?")).startswith("You said")


@pytest.mark.long
def test_a_package_that_is_removed_in_mid_turn_costs_no_text(fresh_world: World, installed: Path) -> None:
    world = fresh_world
    world.start()
    turn_id = world.ask("scene:steady removed")
    events: list[Event] = []
    watched_until(world, turn_id, "content_delta", events)
    shutil.rmtree(installed)
    events += rest_of(world, turn_id, events)
    check_whole(events)
    assert text_of(events) == "\n".join(STEADY)
    undisturbed(world)
    assert row_of(world, turn_id)["response"] == text_of(events)


@pytest.mark.long
@pytest.mark.first(1)
@pytest.mark.parametrize("folder", ["plugin", "sessions/main"])
def test_a_folder_of_ours_that_is_moved_away_in_mid_turn_is_made_again_and_costs_no_text(
    world: World, tmp_path: Path, folder: str
) -> None:
    turn_id = world.ask("scene:steady moved")
    events: list[Event] = []
    watched_until(world, turn_id, "content_delta", events, 3)
    (world.settings.home / folder).rename(tmp_path / "elsewhere")
    events += world.follow(turn_id, after=len(events))
    check_whole(events)
    assert events[-1].name == "end"
    assert text_of(events) == "\n".join(STEADY)
    undisturbed(world)
    assert row_of(world, turn_id)["response"] == text_of(events)
    shutil.rmtree(world.settings.home / folder)
    assert text_of(world.turn("And now?")).startswith("You said")


# Clients.


def test_a_client_that_leaves_in_mid_stream_has_the_rest_when_it_comes_back_after_the_end(world: World) -> None:
    turn_id = world.ask("scene:steady left alone")
    early: list[Event] = []
    watched_until(world, turn_id, "content_delta", early, 3)
    other = list(world.follow(turn_id))
    late = early + list(world.follow(turn_id, after=len(early)))
    check_whole(late)
    assert late == other == list(world.follow(turn_id))
    assert late[-1].name == "end", late[-1]
    assert text_of(late) == "\n".join(STEADY)


# Files and folders changed by hand.


NO_ANSWERS = [b"", b'{"by": "page", "deci', b"[]", b"null", b"\xff\xfe\x00", b"x" * 9_000_000]


def test_an_answer_file_made_by_hand_decides_nothing_and_the_card_still_works(world: World) -> None:
    turn_id = world.ask(f"in:{world.workdir} scene:permission")
    events: list[Event] = []
    watched_until(world, turn_id, "interrupt", events)
    card = events[-1].data["id"]
    [folder] = world.settings.response_dir.glob(f"*/{turn_id}")
    for written in NO_ANSWERS:
        (folder / "answers" / f"{card}.json").write_bytes(written)
        time.sleep(0.3)  # six looks of the hook
        assert [still["id"] for still in item_of(world, turn_id)["interrupts"]] == [card], written[:20]
    assert not (world.workdir / "written.txt").exists()
    assert world.post(f"stream/{turn_id}/answer", {"interrupt_id": card, "value": "deny"}).status_code == 200
    events += world.follow(turn_id, after=len(events))
    check_whole(events)
    assert text_of(events).endswith("It was refused.")


# The clock.


@pytest.mark.long
def test_a_clock_set_back_between_question_and_answer_makes_no_time_negative(fresh_world: World) -> None:
    """For the hook that tells when the text began, it is an hour earlier."""
    world = fresh_world
    tools = world.root / "bin"
    tools.mkdir()
    (tools / "date").write_text(f"#!/bin/sh\nexec {shutil.which('date')} -d '1 hour ago' \"$@\"\n")
    (tools / "date").chmod(0o755)
    world.environment["PATH"] = f"{tools}:{world.environment['PATH']}"
    world.start()
    first = world.ask("One")
    end = list(world.follow(first))[-1].data
    [folder] = world.settings.response_dir.glob(f"*/{first}")
    times = [line["at"] for line in LogReader(folder / "events.jsonl").read() if "at" in line]
    assert times != sorted(times), "the clock was not set back"
    assert end["first_text_ms"] == 0
    assert 0 <= end["duration_ms"] < 60_000
    second = world.ask("Two")
    list(world.follow(second))
    eventually(lambda: recorded(world, first) and recorded(world, second), 20)
    with psycopg.connect(locate_cluster(world.settings.home).conninfo) as connection:
        rows = connection.execute(
            "select turn_id::text, started_at <= first_text_at, first_text_at <= finished_at "
            "from paliadin.turns order by 1"
        ).fetchall()
    assert rows == [(first, True, True), (second, True, True)]
    assert [turn["turn_id"] for turn in world.get("history")["turns"]] == [first, second]


# A turn that does not end.


@pytest.mark.long
def test_a_turn_whose_stop_hook_never_reports_ends_with_what_was_said(fresh_world: World) -> None:
    """As when the hooks' files are damaged: Claude is idle in the end, and nothing says that it has finished."""
    world = fresh_world
    world.start()
    world.turn("One")
    [hook] = world.settings.home.glob("plugin/*/hooks/stop.sh")
    hidden = hook.rename(hook.with_suffix(".hidden"))  # the other hooks go on: they report prompt and text
    try:
        events = world.turn("Two")
    finally:
        hidden.rename(hook)
    assert text_of(events).startswith("You said")
    error = events[-1]
    assert (error.name, error.data["code"]) == ("error", "timeout"), error
    assert "Stop hook never reported" in error.data["message"], error
    assert "paliadin attach" in error.data["hint"], error
    assert text_of(world.turn("Three")).startswith("You said")


def test_a_turn_that_takes_longer_than_allowed_is_stopped_and_the_next_is_answered(fresh_world: World) -> None:
    world = fresh_world
    world.options["TURN_TIMEOUT"] = "2"
    world.start()
    error = world.turn("scene:slow")[-1]
    assert (error.name, error.data["code"], error.data["retryable"]) == ("error", "timeout", True), error
    assert "longer than 2 s" in error.data["message"], error
    assert "PALIADIN_TURN_TIMEOUT" in error.data["hint"], error
    assert text_of(world.turn("And now?")).startswith("You said")
