"""A disk that is full, a folder that is deleted: told clearly, nothing half-written, and it works again afterwards."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from paliadin.demo.scripted_api import ScriptedApi
from paliadin.relays.terminal.screen import State, read_screen
from tests.conftest import missing
from tests.worlds.script import STEADY
from tests.worlds.turns import check_whole, item_of, recorded, row_of, watched_until
from tests.worlds.world import Event, World, eventually, text_of

pytestmark = pytest.mark.timeout(180)


@pytest.fixture
def world(lent_world: World) -> World:
    return lent_world


@pytest.fixture
def small_disk(fresh_world: World, tmp_path: Path) -> Iterator[Path]:
    """The turns' folder on a file system of its own, 1 MB."""
    if os.geteuid():
        missing("only root can mount the small file system of this test")
    world, disk = fresh_world, tmp_path / "disk"
    disk.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m,mode=700", "tmpfs", disk], check=True)
    world.options["RESPONSE_DIR"] = str(disk / "turns")
    try:
        yield disk
    finally:
        world.close()
        subprocess.run(["umount", "--lazy", disk], check=True)


def fill(disk: Path) -> None:
    """To the last byte."""
    with (disk / "filler").open("ab", buffering=0) as file, contextlib.suppress(OSError):
        while True:
            file.write(b"x" * 512)


def make_room(disk: Path) -> None:
    (disk / "filler").unlink()


def is_ready(world: World) -> bool:
    return read_screen(world.screen()).state is State.READY


@pytest.mark.long
def test_a_question_on_a_full_disk_is_refused_and_leaves_nothing(
    fresh_world: World, small_disk: Path, api: tuple[ScriptedApi, str]
) -> None:
    world = fresh_world
    world.start()
    first = world.ask("Hello")
    list(world.follow(first))
    eventually(lambda: recorded(world, first), 30, "the first turn is put away")
    before = sorted(small_disk.glob("turns/**/*"))
    fill(small_disk)
    refused = world.post("turn", {"user_message": "no room for this"})
    assert (refused.status_code, refused.json()["error"]["code"]) == (507, "storage_full")
    assert refused.json()["error"]["hint"]
    assert sorted(small_disk.glob("turns/**/*")) == before
    history = world.get("history")
    assert (len(history["turns"]), history["running_turn"]) == (1, None)
    make_room(small_disk)
    assert text_of(world.turn("Now there is")).startswith("You said")
    assert not any("no room" in conversation.user_text for _, conversation in api[0].requests)


def test_a_disk_that_fills_up_in_mid_turn_ends_it_with_storage_full(fresh_world: World, small_disk: Path) -> None:
    world = fresh_world
    world.start()
    turn_id = world.ask("scene:steady full")
    events: list[Event] = []
    watched_until(world, turn_id, "content_delta", events, 3)
    fill(small_disk)
    events += world.follow(turn_id, after=len(events))
    check_whole(events)
    assert (events[-1].name, events[-1].data["code"]) == ("error", "storage_full")
    assert events[-1].data["hint"]
    assert world.get("history")["running_turn"] is None
    # Claude goes on in its terminal: with room again, a hook of its would add to the log before the end is there.
    eventually(lambda: read_screen(world.screen()).state is State.READY, 60, "Claude has said all")
    make_room(small_disk)
    row = row_of(world, turn_id)
    assert row["error_code"] == "storage_full"
    assert row["response"] == text_of(events)
    assert list(world.follow(turn_id)) == events
    eventually(lambda: is_ready(world), 20)
    assert text_of(world.turn("And now?")).startswith("You said")


@pytest.mark.long
def test_a_disk_that_is_full_for_a_while_costs_nothing_that_the_end_tells(fresh_world: World, small_disk: Path) -> None:
    """Lines were lost in between, but Claude tells the whole text when it stops."""
    world = fresh_world
    world.start()
    turn_id = world.ask("scene:steady for a while")
    events: list[Event] = []
    watched_until(world, turn_id, "content_delta", events, 3)
    fill(small_disk)
    lost = world.settings.sessions_dir / "main" / "hooks.log"
    eventually(lambda: lost.exists() and lost.read_text().count("No space left") >= 5, 20, "lines are lost")
    make_room(small_disk)
    events += world.follow(turn_id, after=len(events))
    check_whole(events)
    assert events[-1].name == "end"
    assert text_of(events) == "\n".join(STEADY)


def test_a_turn_whose_folder_is_deleted_ends_and_claude_is_not_disturbed(world: World) -> None:
    turn_id = world.ask("scene:steady deleted")
    events: list[Event] = []
    watched_until(world, turn_id, "content_delta", events, 3)
    [folder] = world.settings.response_dir.glob(f"*/{turn_id}")
    with world.client() as client, client.stream("GET", f"/api/paliadin/stream/{turn_id}") as stream:
        lines = stream.iter_lines()
        next(lines)
        shutil.rmtree(folder)
        rest = list(lines)
    assert any("deleted while it ran" in line for line in rest)
    assert world.get("history")["running_turn"] is None
    eventually(lambda: item_of(world, turn_id)["error_code"], 20, "the row ends")
    row = item_of(world, turn_id)
    assert row["response"].startswith("Line 0.")
    assert row["error_code"] == "unknown_turn"
    eventually(lambda: STEADY[-1] in world.screen() and is_ready(world), 20, "Claude ends its answer")
    assert text_of(world.turn("And now?")).startswith("You said")


def test_a_session_folder_that_is_deleted_is_made_again(world: World) -> None:
    world.turn("Hello")
    shutil.rmtree(world.settings.sessions_dir / "main")
    assert text_of(world.turn("Still there?")).startswith("You said")
