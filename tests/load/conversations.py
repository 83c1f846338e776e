"""The part `conversations` of `make load`: 50 conversations and four places, and what it takes to come back.

The real daemon and both versions of Claude Code, the model is scripted. Five minutes.
"""

from __future__ import annotations

import contextlib
import json
import statistics
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from paliadin.demo.scripted_api import ScriptedApi
from paliadin.postgres.cluster import remove_database
from paliadin.relays.terminal.screen import State, read_screen
from paliadin.relays.terminal.tmux import HEIGHT, WIDTH
from tests.integration.test_parking import claudes, phases, processes
from tests.worlds.processes import daemon_of, postgres_of, usage
from tests.worlds.turns import watched_until
from tests.worlds.world import Event, World, binaries, eventually, text_of

CONVERSATIONS = 50
ROUNDS = 8  # of coming back, with each Claude Code
LOOK = 0.2  # seconds between two looks at the processes
LONG = "lines:100:0.1:0"  # tests/load/__main__.py: ten seconds of an answer
ANSWER = "A short answer."


def conversations(world: World, api: ScriptedApi) -> None:
    with most_claudes(world) as seen:
        names = [str(world.post("conversations", {}).json()["id"]) for _ in range(CONVERSATIONS)]
        began, waits = time.monotonic(), []
        for number, name in enumerate(names):
            asked = time.monotonic()
            if text_of(world.turn(f"Hello from {number}", session_id=name)) != ANSWER:
                sys.exit(f"LOST: the answer of conversation {number}")
            waits.append(time.monotonic() - asked)
        lasted = time.monotonic() - began
        _fifth_waits(world, names)
    most, looks = max(seen), len(seen)
    listed = world.get("conversations")["conversations"]
    running, parked = claudes(world), [item["state"] for item in listed].count("parked")
    if most > world.settings.max_running or len(listed) != CONVERSATIONS + 1 or len(running) + parked > len(listed):
        sys.exit(f"NOT AS PROMISED: {most} processes of Claude Code, {parked} of {len(listed)} are parked")
    tell(f"{CONVERSATIONS} conversations, each asked once", f"{lasted:.0f} s, {statistics.median(waits):.1f} s each")
    tell(f"Claude Code's processes, at most, in {looks:,} looks", f"{most} of {world.settings.max_running} places")
    daemon, claude = usage(daemon_of(world)), [usage(pid).memory for pid in running]
    tell("the daemon at the end", f"{daemon.resident:.0f} MB (RSS), {daemon.memory:.0f} MB of its own")
    tell("Postgres, all processes", f"{sum(usage(pid).memory for pid in postgres_of(world)):.0f} MB of its own")
    tell(f"the {len(claude)} Claudes that run", f"{sum(claude):.0f} MB of their own")
    tell("conversations that are parked, without a process", f"{parked} of {len(listed)}")
    world.stop()
    for name, binary in binaries().items():
        _come_back(name, binary, world.root.with_name(name), api, world.base_url)


@contextlib.contextmanager
def most_claudes(world: World) -> Iterator[list[int]]:
    """The number of Claudes at each look during the block."""
    over, seen = threading.Event(), [0]

    def look() -> None:
        while not over.wait(LOOK):
            seen.append(len(claudes(world)))

    looking = threading.Thread(target=look)
    looking.start()
    try:
        yield seen
    finally:
        over.set()
        looking.join()


def _fifth_waits(world: World, names: Sequence[str]) -> None:
    """Four answer at once; the fifth waits, names them, and gets a place when the first of them has ended."""
    four = names[: world.settings.max_running]
    turns = [world.ask(f"Count, please. {LONG}", session_id=name) for name in four]
    for turn_id in turns:
        watched_until(world, turn_id, "content_delta", [])
    asked, events = world.ask("And I?", session_id=names[-1]), list[Event]()
    watched_until(world, asked, "status", events, 2)
    began = time.monotonic()
    phase, held_by = phases(events)[-1]
    if phase != "held" or sorted(held_by) != sorted(four):
        sys.exit(f"NOT AS PROMISED: the fifth question is {phase} by {held_by}, not by {four}")
    events += world.follow(asked, after=len(events))
    for turn_id in turns:
        if "Line 99 of it." not in text_of(list(world.follow(turn_id))):
            sys.exit("LOST: the last line")
    if text_of(events) != ANSWER:
        sys.exit("LOST: the answer of the fifth")
    tell(
        "four at work: the fifth question waits and names",
        f"{len(held_by)}; answered after {time.monotonic() - began:.1f} s",
    )


# Coming back.


@dataclass
class Came:
    """Seconds from the question, or from claude's start."""

    back: list[float] = field(default_factory=list)  # to the API's request, of a parked one
    warm: list[float] = field(default_factory=list)  # the same, of one that runs
    bare: list[float] = field(default_factory=list)  # claude --resume, until its composer is there


def _come_back(name: str, binary: Path, root: Path, api: ScriptedApi, base_url: str) -> None:
    """A parked conversation is asked, asked again, and parked; then claude alone resumes it. They take turns."""
    world, came = World(root, binary, api, base_url, {"PARK_AFTER": "1"}), Came()
    with contextlib.ExitStack() as stack:
        stack.callback(remove_database, root / "home")
        stack.callback(world.close)
        world.start()
        world.turn("Hello")
        _wait_until_parked(world)
        for number in range(ROUNDS + 1):
            back, warm = _ask(world, api), _ask(world, api)
            _wait_until_parked(world)
            bare = _resume(world)
            if number:  # the first of each warms up
                came.back.append(back), came.warm.append(warm), came.bare.append(bare)
    extra = [back - warm - bare for back, warm, bare in zip(came.back, came.warm, came.bare, strict=True)]
    tell(f"{name}: question → API request, parked", seconds(came.back))
    tell(f"{name}: the same, its Claude runs", seconds(came.warm))
    tell(f"{name}: claude --resume alone → its composer", seconds(came.bare))
    tell(f"{name}: coming back beside claude's own start", seconds(extra))


def _ask(world: World, api: ScriptedApi) -> float:
    api.requests.clear()
    began = time.monotonic()
    if text_of(world.turn("Do you know it all?")) != ANSWER:
        sys.exit("LOST: the answer of one that came back")
    return api.requests[0][0] - began


def _wait_until_parked(world: World) -> None:
    eventually(
        lambda: world.get("health")["parts"][0]["state"] == "parked" and not processes(world), 60, "it is parked"
    )


def _resume(world: World) -> float:
    """Resume the conversation in a tmux of its own until Claude's composer is there; nothing is asked."""
    log = (world.settings.sessions_dir / "main" / "events.jsonl").read_text().splitlines()
    hooks = [json.loads(line).get("hook", {}) for line in log if line]
    session = [hook["session_id"] for hook in hooks if hook.get("hook_event_name") == "SessionStart"][-1]
    tmux = ["tmux", "-L", f"paliadin-load-{uuid.uuid4().hex[:8]}"]
    environment = [f"{key}={value}" for key, value in world.environment.items()]
    where = ["-s", "bare", "-x", str(WIDTH), "-y", str(HEIGHT), "-c", str(world.workdir)]
    command = ["env", "-i", *environment, str(world.claude), "--resume", session]

    def is_ready() -> bool:
        look = [*tmux, "capture-pane", "-p", "-e", "-t", "bare"]
        shown = subprocess.run(look, check=False, capture_output=True, text=True)
        return read_screen(shown.stdout).state is State.READY

    began = time.monotonic()
    subprocess.run([*tmux, "-f", "/dev/null", "new-session", "-d", *where, *command], check=True)
    try:
        eventually(is_ready, 30, "claude has resumed")
        return time.monotonic() - began
    finally:
        subprocess.run([*tmux, "kill-server"], check=True)
        eventually(lambda: not processes(world), 20, "it has ended")


def seconds(values: Sequence[float]) -> str:
    return f"{statistics.median(values):.2f} s (median of {len(values)}), {max(values):.2f} s at most"


def tell(what: str, figure: str) -> None:
    sys.stdout.write(f"{what:<58} {figure}\n")
    sys.stdout.flush()
