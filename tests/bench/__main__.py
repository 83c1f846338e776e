"""`make bench`: Paliadin, bare tmux with a bare hook, and a peer, in one run, on the same scripted API.

The floor is the same Claude Code in the same tmux, with one `cat >> file` as its MessageDisplay and Stop hooks, typed
into with two plain tmux commands; the peer is in peer.py. All take turns: machines are shared and drift. A
benchmark, not a test: it asserts nothing.
"""

from __future__ import annotations

import contextlib
import json
import re
import shutil
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import partial
from pathlib import Path

from rich.console import Console
from rich.table import Table

from paliadin.demo.api_messages import Conversation, Message, Text, text
from paliadin.demo.scripted_api import ScriptedApi
from paliadin.postgres.cluster import remove_database
from paliadin.turnlog.folder import TurnFolder
from tests.bench import live
from tests.bench.floor import LINES, Floor, Seen, Turn, lines_of
from tests.bench.peer import Peer, install
from tests.worlds.processes import daemon_of, postgres_of, usage
from tests.worlds.world import World, binaries, eventually, text_of

ROUNDS = 8
PACE = 0.2  # seconds between two chunks of the API
SETTLE = 1.0  # seconds before a turn: the other one's Claude still tidies up after its last line

RICH = """\
## What was found

| date | what | open |
|:--|--:|:-:|
| 3 May | `defence` | **yes** |
| 4 May | hearing | no |

1. First, with *emphasis*
   - nested, with a [link](https://example.com/a_b)
     - deeper
2. Second

```python
def count(items: list[str]) -> int:
    return len([item for item in items if item])  # not the empty ones
```

> Quoted, and a line that is longer than a terminal is wide: @

The last line.""".replace("@", "it goes on, " * 20 + "until any screen has broken it.")


def script(conversation: Conversation) -> Message:
    """Chunks of whole lines, no two of them alike."""
    turn = conversation.user_text.split()[-1]
    if turn.startswith("tokens:"):
        return live.script(turn)
    if turn == "rich":
        return Message((text(RICH),))
    return Message((Text(tuple(f"Line {number} of {turn}.\n" for number in range(LINES)), PACE),))


@dataclass
class Figures:
    """Seconds by contestant."""

    asked: dict[str, list[float]]
    delivered: dict[str, list[float]]
    ended: dict[str, list[float]]

    lost: Counter[str]  # questions without an answer, for whatever reason

    def add(self, name: str, api: ScriptedApi, seen: Seen) -> None:
        if not seen.lines:
            self.lost[name] += 1
            return
        self.asked[name].append(api.requests[-1][0] - seen.began)
        if name in self.delivered:
            sent = {line: at for at, event in api.sent for line in seen.lines if line.encode() in event}
            self.delivered[name] += [seen.lines[line] - sent[line] for line in seen.lines if line in sent]
            self.ended[name].append(seen.ended - api.sent[-1][0])  # the rest of the API's stream follows at once
        for what, at in (("counted", seen.counted), ("Stop's line", seen.stopped), ("answered", seen.answered)):
            if at and f"{name}, {what}" in self.ended:
                self.ended[f"{name}, {what}"].append(at - api.sent[-1][0])


FLOOR, HOOKED, OURS, LIVE = "floor", "floor, empty hook", "Paliadin", "Paliadin, live"
POLLED, PUSHED = "peer, asked without pause", "peer, WebSocket"


def main() -> None:
    which = sys.argv[1] if len(sys.argv) > 1 else "sdk"
    claude = binaries()[which]
    install()
    root = Path(tempfile.mkdtemp(prefix="paliadin-bench-"))
    api = ScriptedApi(script)
    with api.running() as url, contextlib.ExitStack() as stack:
        stack.callback(shutil.rmtree, root, ignore_errors=True)
        world = World(root / "paliadin", claude, api, url)
        stack.callback(remove_database, root / "paliadin" / "home")
        stack.callback(world.close)
        world.start()
        lively = World(root / "live", claude, api, url, options={"LIVE": "true"})
        stack.callback(remove_database, root / "live" / "home")
        stack.callback(lively.close)
        lively.start()
        floor, hooked = Floor(root / "floor", claude, url), Floor(root / "hook", claude, url, proof=True)
        stack.callback(floor.tmux, "kill-server")
        stack.callback(hooked.tmux, "kill-server")
        peer = Peer(root / "peer", claude, url)
        stack.callback(peer.close)
        turns: dict[str, Turn] = {
            FLOOR: floor.turn,
            HOOKED: hooked.turn,
            OURS: partial(paliadin_turn, world),
            LIVE: partial(paliadin_turn, lively),
            POLLED: partial(_peer_turn, peer, peer.polled),
            PUSHED: partial(_peer_turn, peer, peer.pushed),
        }
        heard = [name for name in turns if name != HOOKED]
        parts = [f"{name}, {what}" for name in (OURS, LIVE) for what in ("Stop's line", "answered")]
        ended: dict[str, list[float]] = {name: [] for name in (FLOOR, f"{FLOOR}, counted", *parts, *heard[1:])}
        figures = Figures({name: [] for name in turns}, {name: [] for name in heard}, ended, Counter())
        for number in range(ROUNDS + 1):
            for place, (name, one_turn) in enumerate(turns.items()):
                time.sleep(SETTLE)
                seen = one_turn(f"turn{number}.{place}")
                if number:  # the first of each warms up
                    figures.add(name, api, seen)
                api.sent.clear()
        _print(which, figures)
        live.measure(which, lively, world, api, ROUNDS)
        _print_fidelity(world, peer)
        _print_memory(world, peer)


def paliadin_turn(world: World, turn: str, session: str = "main") -> Seen:
    eventually(lambda: world.get(f"history?session_id={session}&limit=1")["running_turn"] is None)
    seen: dict[str, float] = {}
    at = answered = 0.0
    with world.client() as client:
        began = time.monotonic()
        body = {"session_id": session, "user_message": f"Count for {turn}"}
        turn_id = client.post("/api/paliadin/turn", json=body).json()["turn_id"]
        with client.stream("GET", f"/api/paliadin/stream/{turn_id}") as stream:
            for raw in stream.iter_lines():
                if raw:
                    at = time.monotonic()  # in the end that of the event `end`
                if raw == "event: answered":
                    answered = at
                for line in lines_of(turn) if '"text"' in raw else []:
                    if line in raw:
                        seen.setdefault(line, at)
    return Seen(began, seen, at, _stopped(world, turn_id), answered)


def _stopped(world: World, turn_id: str) -> float:
    """When the turn's Stop hook wrote its line: the hook's own time, on the monotonic clock."""
    log = TurnFolder(world.settings.response_dir, turn_id).log.path
    lines = [json.loads(line) for line in log.read_text().splitlines() if '"Stop"' in line]
    at = next((line["at"] for line in lines if line.get("hook", {}).get("hook_event_name") == "Stop"), 0)
    return at / 1000 - time.time() + time.monotonic() if at else 0.0


def _peer_turn(peer: Peer, looks: Callable[[], Iterator[dict[str, object]]], turn: str) -> Seen:
    began = peer.ask(f"Count for {turn}")
    seen, ended = peer.follow(looks(), lines_of(turn))
    if not seen:
        peer.press("Enter")  # its own was lost: the next question must not meet this one in the composer
        peer.follow(looks(), lines_of(turn))
    return Seen(began, seen, ended)


def _print(which: str, figures: Figures) -> None:
    table = Table(title=f"Claude Code from {which}; milliseconds")
    for column in ("what", "", "n", "median", "p90", "median / floor"):
        table.add_column(column, justify="left" if column in ("what", "") else "right")
    for what, samples in (
        ("question → API request", figures.asked),
        ("API chunk → file (floor), client", figures.delivered),
        ("API's last chunk → told the end", figures.ended),
    ):
        base = statistics.median(samples[FLOOR])
        for name, seconds in samples.items():
            values = [value * 1000 for value in seconds]
            middle, p90 = statistics.median(values), statistics.quantiles(values, n=10)[-1]
            row = (str(len(values)), f"{middle:.1f}", f"{p90:.1f}", f"{middle / base / 1000:.2f}")
            table.add_row(what if name == FLOOR else "", name, *row)
    Console(width=110).print(table)
    for name, number in figures.lost.items():
        sys.stdout.write(f"{name}: {number} questions got no answer\n")


def _print_fidelity(world: World, peer: Peer) -> None:
    """How much of a Markdown answer's text arrives as the model wrote it."""
    table = Table(title="A Markdown answer: table, nested lists, code, a long line")
    for column in ("what the client gets", "the same text", "the same but for blanks and rules", "likeness"):
        table.add_column(column)
    ours = text_of(world.turn("Show it, rich"))
    peer.ask("Show it, rich")
    eventually(lambda: "The last line." in (look := peer.look())["screen"] and look["state"] == "idle", 20)
    screen = peer.look()["screen"]
    for name, got in ((OURS, ours), ("peer, the screen", screen), ("peer, /copy", peer.last_reply())):
        likeness = SequenceMatcher(None, RICH, got.strip(), autojunk=False).ratio()
        same = [got.strip() == RICH, re.sub(r"\s|-", "", got) == re.sub(r"\s|-", "", RICH)]
        table.add_row(name, *("yes" if each else "no" for each in same), f"{likeness:.2f}")
    Console(width=110).print(table)


def _print_memory(world: World, peer: Peer) -> None:
    ours, database = usage(daemon_of(world)).memory, sum(usage(pid).memory for pid in postgres_of(world))
    theirs = usage(peer.process.pid).memory
    sys.stdout.write(
        f"Memory of its own: Paliadin {ours:.0f} MB and its Postgres {database:.0f} MB, peer {theirs:.0f} MB\n"
    )


if __name__ == "__main__":
    main()
