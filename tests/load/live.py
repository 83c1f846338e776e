"""The part `live` of `make load`: live text while something breaks all the time, compared with turns without it.

LIVE_TURNS turns (1,000) in LIVE_SESSIONS sessions at once, half of them with each Claude Code; LIVE_SEED repeats a run.
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
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

from paliadin.demo.scripted_api import ScriptedApi
from paliadin.postgres.cluster import remove_database
from tests.load.live_compare import FIGURES, check, essence
from tests.load.live_player import Arena, Plan, Played, Player, plans
from tests.load.live_script import WEIGHTS
from tests.worlds.world import World, binaries

TURNS = int(os.environ.get("LIVE_TURNS", "1000"))
SESSIONS = int(os.environ.get("LIVE_SESSIONS", "4"))
KINDS = os.environ.get("LIVE_KINDS", " ".join(WEIGHTS)).split()
SHOWN = 10  # faults

Reference = dict[tuple[str, int], dict[str, Any]]
"""What a turn without live text comes to, by kind and script."""


def live(world: World, api: ScriptedApi) -> None:
    """Play the turns, with one Claude Code after the other."""
    seed = int(os.environ.get("LIVE_SEED", secrets.randbelow(10**6)))
    sys.stdout.write(f"seed {seed} (LIVE_SEED), {TURNS} turns (LIVE_TURNS)\n")
    chance, faults = random.Random(seed), 0  # noqa: S311  # no secret
    world.stop()
    for name, claude in binaries().items():
        weights = {kind: WEIGHTS[kind] for kind in KINDS}
        wanted = plans(TURNS // len(binaries()), chance, weights)
        faults += _with_claude(world.root.with_name(name), claude, world, wanted)
    if faults:
        sys.exit(f"NOT AS WITHOUT LIVE TEXT: {faults} faults")


def _with_claude(root: Path, claude: Path, world: World, wanted: list[Plan]) -> int:
    """Play these turns with this Claude Code; returns the number of faults."""
    with contextlib.ExitStack() as stack:
        on = stack.enter_context(_arena(root / "on", claude, world, live=True))
        off = stack.enter_context(_arena(root / "off", claude, world, live=False))
        kinds = {(_reference_kind(plan.kind), plan.script): plan for plan in wanted}
        others = [replace(plan, kind=kind) for (kind, _), plan in kinds.items()]
        began = time.monotonic()
        with ThreadPoolExecutor(2) as both:
            playing = both.submit(_play, on, wanted, SESSIONS, breaking=True)
            compared = both.submit(_play, off, others, 2, breaking=False).result()
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
            _compare(one, got, reference[_reference_kind(one.plan.kind), one.plan.script], reference)
        left = [str(path) for path in on.world.settings.response_dir.glob("*/*/live.jsonl")]
        return _report(root.name, on, [*compared, *played], seconds, left)


def _reference_kind(kind: str) -> str:
    """The kind of turn without live text that has to come to the same."""
    return kind if kind in ("cut", "ended") else "plain"


@contextlib.contextmanager
def _arena(root: Path, claude: Path, world: World, *, live: bool) -> Iterator[Arena]:
    options = {"LIVE": "true"} if live else {}
    fresh = World(root, claude, world.api, world.base_url, options=options)
    with contextlib.ExitStack() as stack:
        stack.callback(remove_database, root / "home")
        stack.callback(fresh.close)
        fresh.start()
        yield Arena(fresh)


def _play(arena: Arena, wanted: Iterable[Plan], sessions: int, *, breaking: bool) -> list[Played]:
    """Play the turns in so many sessions at once; each takes the next one when it is free."""
    waiting: queue.SimpleQueue[Plan] = queue.SimpleQueue()
    for plan in wanted:
        waiting.put(plan)
    names = ["main", *(arena.world.post("sessions", {"name": f"s{n}"}).json()["name"] for n in range(1, sessions))]
    done: list[Played] = []

    def work(player: Player) -> None:
        with contextlib.suppress(queue.Empty):
            while True:
                done.append(player.play(waiting.get_nowait()))

    players = [Player(arena, name, breaking) for name in names]
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
    deadline = time.monotonic() + 30
    with world.client() as client:
        while "rows_waiting 0\n" not in client.get("/metrics").text and time.monotonic() < deadline:
            time.sleep(0.1)
        lines = client.get("/admin/paliadin/export.jsonl?span=7").text.splitlines()
    return {row["turn_id"]: row for row in map(json.loads, lines)}


def _compare(played: Played, got: dict[str, Any], expected: dict[str, Any], reference: Reference) -> None:
    """Add to the faults what is not as without live text."""
    kind, whole = played.plan.kind, reference.get(("plain", played.plan.script), expected)
    early = {text for texts in played.client.provisional.values() for text in texts}
    if whole is not expected or kind not in ("cut", "ended"):
        played.faults += [
            f"shown early, but no beginning of the answer: {text[-100:]!r}"
            for text in early
            if not any(message.startswith(text) for message in whole["texts"])
        ]
    if kind == "abort" and got["row"].get("error_code") == "user_aborted":
        ours = zip(got["texts"], expected["texts"], strict=False)
        played.faults += [f"no beginning of the answer: {one!r}" for one, other in ours if not other.startswith(one)]
        return
    skipped = FIGURES if kind in ("child", "parent", "cut") else ()
    for part in ("texts", "events", "row"):
        one, other = got[part], expected[part]
        if part == "row":
            one, other = ({k: v for k, v in row.items() if k not in skipped} for row in (one, other))
        if one != other:
            played.faults.append(f"{part} differ: {_difference(one, other)}")


def _difference(one: Any, other: Any) -> str:
    if isinstance(one, dict):
        return str(
            {key: (one.get(key), other.get(key)) for key in one.keys() | other if one.get(key) != other.get(key)}
        )
    pairs = [(a, b) for a, b in zip(one, other, strict=False) if a != b]
    return f"{len(one)} against {len(other)}; first {pairs[:1] or (one[len(other) :] or other[len(one) :])[:1]}"


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
    kinds = Counter(re.sub(r"[:\d].*", "", fault, flags=re.DOTALL) for one in played for fault in one.faults)
    for fault, count in kinds.most_common():
        write(f"  {count} times: {fault}\n")
    for one in [one for one in played if one.faults][:SHOWN]:
        write(f"  {one.plan} {one.turn_id}\n")
        for fault in one.faults[:4]:
            write(f"      {fault[:700]}\n")
    for path in left:
        write(f"  left: {path}\n")
    sys.stdout.flush()
    return sum(kinds.values()) + len(left)
