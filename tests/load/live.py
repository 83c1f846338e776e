"""The part `live` of `make load`: live text while something breaks all the time, compared with turns without it.

LIVE_TURNS turns (1,000) in LIVE_SESSIONS sessions (4) at once, half of them with each Claude Code; LIVE_SEED repeats a
run, and LIVE_KINDS and LIVE_CLAUDE leave only some kinds of turn (tests/load/live_script.py), or one of npm and sdk.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import random
import re
import secrets
import statistics
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

from paliadin.demo.scripted_api import ScriptedApi
from paliadin.postgres.cluster import remove_database
from tests.load.live_compare import check, compare, essence
from tests.load.live_player import Arena, Plan, Played, Player, plans
from tests.load.live_script import EARLY, WEIGHTS, answer
from tests.worlds.world import World, binaries, eventually

TURNS = int(os.environ.get("LIVE_TURNS", "1000"))
SESSIONS = int(os.environ.get("LIVE_SESSIONS", "4"))
CLAUDES = os.environ.get("LIVE_CLAUDE", "npm sdk").split()
KINDS = os.environ.get("LIVE_KINDS", " ".join(WEIGHTS)).split()
SHOWN = 3  # faults of each kind


def live(world: World, api: ScriptedApi) -> None:
    """Play the turns, with one Claude Code after the other."""
    seed = int(os.environ.get("LIVE_SEED", secrets.randbelow(10**6)))
    sys.stdout.write(f"seed {seed} (LIVE_SEED), {TURNS} turns (LIVE_TURNS)\n")
    faults = 0
    world.stop()
    for name in CLAUDES:
        chance = random.Random(f"{seed} {name}")  # noqa: S311  # no secret
        wanted = plans(TURNS // len(CLAUDES), chance, {kind: WEIGHTS[kind] for kind in KINDS})
        faults += _with_claude(world.root.with_name(name), binaries()[name], world, wanted)
    if faults:
        sys.exit(f"NOT AS WITHOUT LIVE TEXT: {faults} faults")


def _with_claude(root: Path, claude: Path, world: World, wanted: list[Plan]) -> int:
    """Play these turns with this Claude Code; returns the number of faults."""
    with contextlib.ExitStack() as stack:
        on = stack.enter_context(_arena(root / "on", claude, world, live=True))
        off = stack.enter_context(_arena(root / "off", claude, world, live=False))
        kinds = {(kind, plan.script): plan for plan in wanted for kind in _reference_kinds(plan)}
        others = [replace(plan, kind=kind) for (kind, _), plan in kinds.items()]
        began = time.monotonic()
        with ThreadPoolExecutor(2) as both:
            playing = both.submit(_play, on, wanted, SESSIONS)
            compared = both.submit(_play, off, others, 2).result()
            played = playing.result()
        seconds = time.monotonic() - began
        rows_on, rows_off = _rows(on.world), _rows(off.world)
        reference = {
            (one.plan.kind, one.plan.script): essence(one, rows_off.get(one.turn_id, {}), off.world.workdir)
            for one in compared
        }
        for one in (*compared, *played):
            check(one, (rows_off | rows_on).get(one.turn_id, {}))
        for one in played:
            got = essence(one, rows_on.get(one.turn_id, {}), on.world.workdir)
            compare(one, got, [reference[kind, one.plan.script] for kind in _reference_kinds(one.plan)])
        left = [str(path) for path in on.world.settings.response_dir.glob("*/*/live.jsonl")]
        return _report(root.name, on, [*compared, *played], seconds, left)


def _reference_kinds(plan: Plan) -> list[str]:
    """The kinds of turn without live text of which one has to come to the same; the first is whole."""
    if plan.kind in ("cut", "ended"):
        return ["plain", plan.kind]
    two = len(answer(plan.script).messages) > 1
    return ["plain", EARLY] if plan.kind in ("child", "parent") and two else ["plain"]


@contextlib.contextmanager
def _arena(root: Path, claude: Path, world: World, *, live: bool) -> Iterator[Arena]:
    options = {"LIVE": "true"} if live else {}
    fresh = World(root, claude, world.api, world.base_url, options=options)
    with contextlib.ExitStack() as stack:
        stack.callback(remove_database, root / "home")
        stack.callback(fresh.close)
        fresh.start()
        yield Arena(fresh)


def _play(arena: Arena, wanted: Iterable[Plan], sessions: int) -> list[Played]:
    """Play the turns in so many sessions at once; each takes the next one when it is free."""
    waiting: queue.SimpleQueue[Plan] = queue.SimpleQueue()
    for plan in wanted:
        waiting.put(plan)
    names = ["main", *(arena.world.post("conversations", {"name": f"s{n}"}).json()["id"] for n in range(1, sessions))]
    done: list[Played] = []

    def work(player: Player) -> None:
        with contextlib.suppress(queue.Empty):
            while True:
                done.append(player.play(waiting.get_nowait()))

    players = [Player(arena, name) for name in names]
    for player in players:  # each starts its Claude
        warm = player.play(Plan(-1, "plain", 0))
        assert not warm.faults, (warm.faults, arena.world.evidence(player.session))
    threads = [threading.Thread(target=work, args=(player,)) for player in players]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return done


def _rows(world: World) -> dict[str, dict[str, Any]]:
    """The rows of the database, by turn, once all are written."""
    with world.client() as client:
        eventually(lambda: "rows_waiting 0.0\n" in client.get("/metrics").text, 30, "all rows are written")
        lines = client.get("/admin/paliadin/export.jsonl?span=7").text.splitlines()
    return {row["turn_id"]: row for row in map(json.loads, lines)}


def _report(name: str, arena: Arena, played: list[Played], seconds: float, left: list[str]) -> int:
    write = sys.stdout.write
    by_kind: dict[str, list[Played]] = defaultdict(list)
    reference = [one for one in played if one.client.previews == 0 and not one.broken]
    for one in played:
        by_kind[one.plan.kind].append(one)
    write(f"Claude Code from {name}: {len(played)} turns, {len(reference)} without a preview, in {seconds:.0f} s; ")
    write(f"the daemon was killed {arena.deaths} times\n")
    for kind, turns in sorted(by_kind.items()):
        previews = sum(one.client.previews for one in turns)
        middle, longest = statistics.median(one.seconds for one in turns), max(one.seconds for one in turns)
        faulty = sum(bool(one.faults) for one in turns)
        write(
            f"  {kind:<8}{len(turns):>5} turns, {sum(one.broken for one in turns):>4} broken, {previews:>7} previews,"
        )
        write(f" {middle:5.1f} s (longest {longest:5.1f}), {faulty} with faults\n")
    kinds: dict[str, list[tuple[Played, str]]] = defaultdict(list)
    for one in played:
        for fault in one.faults:
            kinds[re.split(r"[:\d]", fault)[0]].append((one, fault))
    for kind, found in kinds.items():
        write(f"  {len(found)} times: {kind}\n")
        for one, fault in found[:SHOWN]:
            write(f"    {one.plan} {one.turn_id}, {one.deaths} deaths\n      {fault[:1500]}\n")
    for path in left:
        write(f"  left: {path}\n")
    sys.stdout.flush()
    return sum(map(len, kinds.values())) + len(left)
