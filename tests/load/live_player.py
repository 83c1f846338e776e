"""One client of the part `live` of `make load`: it asks, follows as a page does, and breaks something on the way."""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import httpx2

from tests.load.live_script import ID, MARK, answer
from tests.worlds.live_text import LiveText
from tests.worlds.turns import folder_of
from tests.worlds.world import Event, World, eventually, parse_sse

LONGEST = 100.0  # seconds for a turn, with all that Claude tries again
NEW_CONVERSATION = 20  # turns
AT_REST = ("end", "error")
BREAKS = ("child", "parent", "daemon", "abort", "reload")
"""The kinds of turn in which the client breaks something."""


@dataclass(frozen=True)
class Plan:
    """A turn to be played. `at` is the part of the answer, of 1, at whose place in the stream something breaks."""

    number: int
    kind: str
    script: int
    at: float = 0.0


@dataclass
class Played:
    """A turn that was played."""

    plan: Plan
    turn_id: str = ""
    events: list[Event] = field(default_factory=list)  # the numbered ones
    client: LiveText = field(default_factory=LiveText)
    faults: list[str] = field(default_factory=list)
    seconds: float = 0.0
    broken: bool = False  # what the plan breaks was broken
    deaths: int = 0  # of the daemon, meanwhile


class _HangUp(Exception):
    """The client closes its connection, or the daemon has."""


class Arena:
    """A world whose sessions are played in at once. What must not meet the daemon's death is done under `calm`."""

    def __init__(self, world: World) -> None:
        self.world, self.calm = world, threading.RLock()
        self.deaths = 0  # of the daemon

    def kill_daemon(self) -> None:
        """Kill it, and start another one."""
        with self.calm:
            self.world.stop(signal.SIGKILL)
            self.world.start()
            self.deaths += 1

    def kill_pass_through(self, session: str, which: str) -> None:
        """Kill the parent (`pid`) or the child of the pass-through of this session."""
        path = self.world.settings.sessions_dir / session / "live" / "state.json"
        state: dict[str, Any] = eventually(lambda: path.exists() and json.loads(path.read_text()))
        with contextlib.suppress(ProcessLookupError):
            os.kill(state[which], signal.SIGKILL)


@dataclass
class Player:
    """A session, and the client that plays in it."""

    arena: Arena
    session: str
    count: int = 0

    def play(self, plan: Plan) -> Played:
        """Play a turn, and look at what is left of it."""
        played = Played(plan)
        began, deaths = time.monotonic(), self.arena.deaths
        try:
            with self.arena.calm:
                self._begin(played)
                self._follow(played, began, until_prompted=True)
            self._follow(played, began)
            live = folder_of(self.arena.world, played.turn_id) / "live.jsonl"
            eventually(lambda: not live.exists(), 5, "live.jsonl is gone")
        except (AssertionError, httpx2.HTTPError, LookupError) as error:
            played.faults.append(f"{type(error).__name__}: {error}")
        played.seconds, played.deaths = time.monotonic() - began, self.arena.deaths - deaths
        played.faults += played.client.faults
        return played

    def _begin(self, played: Played) -> None:
        plan, world = played.plan, self.arena.world
        history = f"history?session_id={self.session}&limit=1"
        eventually(lambda: world.get(history)["running_turn"] is None, 20, "the session is free")
        self.count += 1
        if self.count % NEW_CONVERSATION == 0:
            assert world.post("reset", {"session_id": self.session}).status_code == 200
        folder = world.workdir / str(plan.number)  # what Claude has read once it does not read again
        folder.mkdir(exist_ok=True)
        (folder / "data.csv").write_text(f"id,date\n{ID},2026-12-01\n")
        question = f"Tell it. {MARK}{plan.kind}:{plan.script}:{plan.number} in:{folder}/"
        with world.client() as client:
            body = {"session_id": self.session, "user_message": question}
            response = client.post("/api/paliadin/turn", json=body)
        assert response.status_code == 202, response.text
        played.turn_id = response.json()["turn_id"]

    def _follow(self, played: Played, began: float, *, until_prompted: bool = False) -> None:
        """Follow to the end, over as many connections as it takes; `until_prompted`: until Claude has the question."""
        while not (played.events and played.events[-1].name in AT_REST):
            assert time.monotonic() - began < LONGEST, f"no end: {played.events[-3:]}"
            with contextlib.suppress(_HangUp, httpx2.TransportError), self._stream(played) as events:
                for event in events:
                    self._take(played, event, may_break=played.plan.kind in BREAKS and not until_prompted)
                    if until_prompted and event.data.get("phase") == "thinking":
                        return
            time.sleep(0.02)

    @contextlib.contextmanager
    def _stream(self, played: Played) -> Iterator[Iterator[Event]]:
        path = f"/api/paliadin/stream/{played.turn_id}?after={played.client.last}"
        with self.arena.world.client() as client, client.stream("GET", path) as stream:
            if stream.status_code != 200:
                raise _HangUp
            yield parse_sse(stream.iter_lines())

    def _take(self, played: Played, event: Event, *, may_break: bool) -> None:
        played.client.take(event)
        if event.id is not None and event.id > len(played.events):
            played.events.append(event)
        if not may_break or played.broken or event.name not in ("content_delta", "preview", "activity"):
            return
        length = sum(len("".join(message)) for message in answer(played.plan.script).messages)
        if played.client.length >= played.plan.at * length:
            played.broken = True
            self._break(played)

    def _break(self, played: Played) -> None:
        match played.plan.kind:
            case "child":
                self.arena.kill_pass_through(self.session, "child")
            case "parent":
                self.arena.kill_pass_through(self.session, "pid")
            case "daemon":
                self.arena.kill_daemon()
                raise _HangUp
            case "abort":
                with self.arena.calm:
                    self.arena.world.post(f"stream/{played.turn_id}/abort")
            case "reload":
                faults, early = played.client.faults, played.client.early
                played.client = LiveText(faults, early)
                raise _HangUp


def plans(turns: int, chance: random.Random, weights: dict[str, int]) -> list[Plan]:
    """So many turns, of fewer scripts: each turn is compared with one that was played without live text."""
    scripts = [chance.randrange(10**6) for _ in range(max(turns // 10, 1))]
    kinds = chance.choices(list(weights), list(weights.values()), k=turns)
    return [Plan(number, kind, chance.choice(scripts), chance.random()) for number, kind in enumerate(kinds)]
