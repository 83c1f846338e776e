"""A branch knows exactly what was known before its question; a conversation that is deleted leaves no transcript."""

from __future__ import annotations

import asyncio
import json
import uuid
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from paliadin.base import errors
from paliadin.turnlog.folder import TurnFolder
from tests.conftest import need
from tests.worlds.script import HELD, play
from tests.worlds.terminal import KeepingApi, Terminal
from tests.worlds.world import World

pytestmark = pytest.mark.timeout(120)

Q = "the question"


@dataclass
class Asked:
    """A world in which these turns were asked, in `main`; the last two after /clear."""

    world: World
    api: KeepingApi
    turns: list[TurnFolder]


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory, claude: Path) -> Iterator[Asked]:
    need("tmux")
    api = KeepingApi(play)
    with api.running() as url:
        world = World(tmp_path_factory.mktemp("branching") / "w", claude, api, url)
        (world.workdir / "data.csv").write_text("id,state\nc47bd2,OPEN\n")
        scenes = ["silent", "read", "helper", "silent", "reset", "silent", "silent"]

        async def ask_all() -> list[TurnFolder]:
            async with Terminal.running(world) as terminal:
                turns = []
                for scene in scenes:
                    if scene == "reset":
                        await terminal.relay.reset("main")
                    else:
                        turns.append(await terminal.ask(f"in:{world.workdir} scene:{scene}"))
                return turns

        try:
            yield Asked(world, api, asyncio.run(ask_all()))
        finally:
            world.close()


@pytest.fixture
async def terminal(asked: Asked) -> AsyncIterator[Terminal]:
    async with Terminal.running(asked.world) as terminal:
        yield terminal


def as_it_was(path: Path) -> tuple[bytes, int]:
    return path.read_bytes(), path.stat().st_mtime_ns


@pytest.mark.long
async def test_a_branch_of_a_cleared_conversation_gets_what_was_known_with_its_tools_and_helpers(
    asked: Asked, terminal: Terminal
) -> None:
    fourth = asked.turns[3]
    original = terminal.transcript(fourth)
    before = as_it_was(original)
    await terminal.relay.branch(fourth.turn_id, "main", "b1")
    assert as_it_was(original) == before
    turn = await terminal.ask("scene:silent", "b1")
    assert asked.api.messages(turn, Q) == asked.api.messages(fourth, Q)
    assert "tool_use" in str(asked.api.messages(turn))
    made = terminal.transcript(turn)
    assert (made.parent, made.stat().st_mode & 0o777) == (original.parent, 0o600)
    assert [source for source, _ in terminal.starts("b1")] == ["resume"]
    assert as_it_was(original) == before


@pytest.mark.long
async def test_messages_that_claude_code_wrote_behind_what_follows_them_are_known_too(
    asked: Asked, terminal: Terminal
) -> None:
    second = asked.turns[1]
    original = terminal.transcript(second)
    as_written = original.read_bytes()
    original.write_bytes(first_turn_as_npm_wrote_it_once(as_written))
    try:
        await terminal.relay.branch(second.turn_id, "main", "late")
    finally:
        original.write_bytes(as_written)
    turn = await terminal.ask("scene:silent", "late")
    assert asked.api.messages(turn, Q) == asked.api.messages(second, Q)
    assert str(asked.api.messages(turn)).count("[PALIADIN:0") == 2


def first_turn_as_npm_wrote_it_once(transcript: bytes) -> bytes:
    """The first turn's `system` entries stand before its messages, which they follow."""
    lines = transcript.splitlines(keepends=True)
    types = [json.loads(line)["type"] for line in lines]
    user, last = types.index("user"), types.index("system") + 1
    assert types[last] == "system"
    return b"".join([*lines[:user], *lines[last - 1 : last + 1], *lines[user : last - 1], *lines[last + 1 :]])


@pytest.mark.long
async def test_a_branch_of_a_branch_knows_what_was_said_in_both(asked: Asked, terminal: Terminal) -> None:
    await terminal.relay.branch(asked.turns[1].turn_id, "main", "b2")
    await terminal.ask("first in it scene:silent", "b2")
    second = await terminal.ask("second in it scene:silent", "b2")
    await terminal.relay.branch(second.turn_id, "b2", "b3")
    turn = await terminal.ask("scene:silent", "b3")
    assert asked.api.messages(turn, Q) == asked.api.messages(second, Q)
    assert str(asked.api.messages(turn)).count("[PALIADIN:0") == 3


@pytest.mark.long
async def test_the_first_question_after_clear_gives_a_branch_that_begins_anew(asked: Asked, terminal: Terminal) -> None:
    await terminal.relay.branch(asked.turns[4].turn_id, "main", "b4")
    assert not (asked.world.settings.sessions_dir / "b4" / "events.jsonl").exists()
    turn = await terminal.ask("scene:silent", "b4")
    assert str(asked.api.messages(turn)).count("[PALIADIN:0") == 1
    assert [source for source, _ in terminal.starts("b4")] == ["startup"]


async def test_the_conversation_goes_on_with_all_it_knew(asked: Asked, terminal: Terminal) -> None:
    last = asked.turns[-1]
    await terminal.relay.branch(last.turn_id, "main", "b5")
    turn = await terminal.ask("scene:silent", "main")
    known = asked.api.messages(last)
    assert asked.api.messages(turn)[: len(known)] == known
    assert terminal.starts("main")[-1][0] == "resume"


@pytest.mark.long
@pytest.mark.any_version
async def test_discarding_removes_what_was_made_for_the_conversation_and_nothing_else(
    asked: Asked, terminal: Terminal
) -> None:
    await terminal.relay.branch(asked.turns[1].turn_id, "main", "b6")
    turn = await terminal.ask(f"in:{asked.world.workdir} scene:permission", "b6")
    made = terminal.transcript(turn)
    claude = asked.world.root / "claude"
    owners = made.with_name(f"{uuid.uuid4()}.jsonl")
    owners.write_text("{}\n")
    log = asked.world.settings.sessions_dir / "b6" / "events.jsonl"
    resumed = {"hook_event_name": "SessionStart", "session_id": owners.stem, "transcript_path": str(owners)}
    with log.open("a") as file:
        file.write(json.dumps({"hook": resumed | {"source": "resume"}}) + "\n")
    others = {path for path in claude.glob(".claude/*/*/**/*") if made.stem not in str(path)}
    assert [path for path in claude.rglob("*") if made.stem in str(path) and path != made]
    await terminal.relay.discard("b6")
    assert [path for path in claude.rglob("*") if made.stem in str(path)] == []
    assert [path for path in others if not path.exists()] == []
    assert owners in others
    assert "b6" not in terminal.relay._terminal.panes()


@pytest.mark.any_version
async def test_while_a_turn_runs_a_conversation_is_neither_branched_nor_discarded(
    asked: Asked, terminal: Terminal
) -> None:
    HELD.said = 0
    asking = asyncio.create_task(terminal.ask("scene:held", "b4"))
    async with asyncio.timeout(20):
        while not HELD.said:
            await asyncio.sleep(0.02)
    for call in (terminal.relay.discard("b4"), terminal.relay.branch(asked.turns[4].turn_id, "b4", "b7")):
        with pytest.raises(errors.TurnInFlight):
            await call
    HELD.enough.set()
    await asking


@pytest.mark.long
async def test_a_conversation_whose_transcript_is_gone_begins_anew_and_its_log_shows_it(
    asked: Asked, terminal: Terminal
) -> None:
    await terminal.relay.branch(asked.turns[1].turn_id, "main", "b8")
    turn = await terminal.ask("scene:silent", "b8")
    assert await terminal.relay.park("b8")
    terminal.transcript(turn).unlink()
    with pytest.raises(errors.NotFound, match="gone"):
        await terminal.relay.branch(turn.turn_id, "b8", "b9")
    await terminal.ask("scene:silent", "b8")
    (first, known), (second, new) = terminal.starts("b8")
    assert (first, second, known == new) == ("resume", "startup", False)
