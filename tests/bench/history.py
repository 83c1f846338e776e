"""What a page of the history costs: 50 turns of 264 KB, first read from their logs, then from the files beside them.

`make bench-history`. The event loop's thread is where every stream waits; the rest of the work is done in another one.
"""

from __future__ import annotations

import asyncio
import os
import resource
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from paliadin.base.errors import StoreUnavailable
from paliadin.base.settings import ensure_home, load_settings
from paliadin.record.recorder import Recorder
from paliadin.relays.scripted import ScriptedRelay
from paliadin.steps.model import Accepted, Settled, Text, ToolEnded, ToolStarted, Usage
from paliadin.turnlog.description import Description
from paliadin.turnlog.folder import TurnFolder
from paliadin.turnlog.ids import new_turn_id, now_ms
from paliadin.turns.history import History
from paliadin.turns.lifecycle import Turns

TURNS = 50
BYTES = 264_000


class NoDatabase:
    """The folders alone: so the figures hold no database's time."""

    async def turns(self, *_: Any) -> Any:
        raise StoreUnavailable("none")


def write_turn(folder: Path) -> str:
    turn = TurnFolder(folder, new_turn_id())
    turn.create(
        Description.parse(
            {"turn_id": turn.turn_id, "session_id": "main", "user_message": "How many?", "origin": "page"}
        )
    )
    turn.log.append(Accepted(now_ms(), "bench"))
    number = 0
    while turn.log.path.stat().st_size < BYTES:
        number += 1
        turn.log.append(ToolStarted(now_ms(), f"t{number}", "Bash", {"command": f"make part-{number}"}))
        turn.log.append(ToolEnded(now_ms(), f"t{number}", "Bash", "ok", os.urandom(4_000).hex()))
        for line in range(20):
            turn.log.append(Text(now_ms(), f"m{number}", f"Line {line} says what part {number} did.\n", line == 19))
    turn.log.append(Usage(now_ms(), {"output_tokens": 1}))
    turn.log.append(Settled(now_ms()))
    return turn.turn_id


async def main() -> None:
    with tempfile.TemporaryDirectory(prefix="paliadin-bench-") as home:
        settings = load_settings({"PALIADIN_HOME": home})
        ensure_home(settings)
        for _ in range(TURNS):
            write_turn(settings.response_dir)
        store: Any = NoDatabase()
        history = History(Turns(settings, ScriptedRelay(lambda _: nothing()), Recorder(settings, store)), store)
        rows = []
        for name in ("from the logs", "from the files", "once more"):
            began, loop, cpu = time.perf_counter(), time.thread_time(), time.process_time()
            page = await history.page("main", None, TURNS)
            loop, cpu = time.thread_time() - loop, time.process_time() - cpu
            memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
            rows.append((name, len(page) / 1e6, time.perf_counter() - began, cpu, loop, memory))
        tell(
            f"{TURNS} turns of {BYTES // 1000} KB", "page", "took", "CPU (ratio)", "on the event loop", "memory at most"
        )
        for name, size, took, cpu, loop, memory in rows:
            ratio = f"{cpu * 1e3:.0f} ms ({cpu / rows[0][3]:.2f})"
            tell(name, f"{size:.1f} MB", f"{took * 1e3:.0f} ms", ratio, f"{loop * 1e3:.1f} ms", f"{memory:.0f} MB")


def tell(name: str, *figures: str) -> None:
    sys.stdout.write(f"{name:22}" + "".join(f"{figure:>20}" for figure in figures) + "\n")


async def nothing() -> Any:
    yield Settled(0)


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
