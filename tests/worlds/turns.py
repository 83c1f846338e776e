"""How a test watches a turn from the outside: its events, its row, its folder, what reached the model, the database."""

from __future__ import annotations

import signal
import subprocess
from pathlib import Path
from typing import Any

from paliadin.demo.scripted_api import ScriptedApi
from tests.worlds.script import STEADILY
from tests.worlds.world import Event, World, eventually


def folder_of(world: World, turn_id: str) -> Path:
    return next(world.settings.response_dir.glob(f"*/{turn_id}"))


def item_of(world: World, turn_id: str) -> dict[str, Any]:
    """The turn as the history has it."""
    turns = world.get("history?session_id=main&limit=200")["turns"]
    return next(turn for turn in turns if turn["turn_id"] == turn_id)


def watched_until(world: World, turn_id: str, name: str, events: list[Event], count: int = 1) -> None:
    """Collect events until `count` of this name have come; then hang up."""
    for event in world.follow(turn_id, after=len(events)):
        events.append(event)
        if [seen.name for seen in events].count(name) >= count:
            return


def rest_of(world: World, turn_id: str, events: list[Event]) -> list[Event]:
    """What follows these events; an answer of the scene `steady` need not take its time any more."""
    STEADILY.go_on()
    return list(world.follow(turn_id, after=len(events)))


def kill(world: World) -> None:
    world.stop(signal.SIGKILL)


def recorded(world: World, turn_id: str) -> bool:
    return (folder_of(world, turn_id) / "recorded").exists()


def row_of(world: World, turn_id: str) -> dict[str, Any]:
    """The turn as the database has it: its folder is out of the way while the history is read."""
    folder = folder_of(world, turn_id)
    eventually(lambda: recorded(world, turn_id), 30, "the row is written")
    aside = folder.with_name(f"aside-{turn_id}")
    folder.rename(aside)
    try:
        return item_of(world, turn_id)
    finally:
        aside.rename(folder)


def asked_for(api: tuple[ScriptedApi, str], text: str) -> int:
    """How many requests of Claude's hold the text as the last thing that the user said."""
    return sum(text in conversation.user_text for _, conversation in api[0].requests)


def check_whole(events: list[Event]) -> None:
    assert [event.id for event in events] == list(range(1, len(events) + 1))
    assert [event.name for event in events].count("meta") == 1
    assert [event.name in {"end", "error"} for event in events].index(True) == len(events) - 1


def postmaster(world: World) -> int:
    return int((world.settings.home / "postgres" / "data" / "postmaster.pid").read_text().split("\n", 1)[0])


def database_is(world: World, up: bool) -> bool:
    parts = {part["name"]: part for part in world.get("health")["parts"]}
    return bool(parts["database"]["ok"]) is up


def servers(world: World) -> list[int]:
    """The postmaster and its children."""
    parent = postmaster(world)
    listed = subprocess.run(["ps", "-o", "pid=", "--ppid", str(parent)], capture_output=True, text=True, check=False)
    return [parent, *map(int, listed.stdout.split())]
