"""`make bench`: what Paliadin adds to bare tmux and a bare hook, in one run, on the same scripted API.

The floor is the same Claude Code in the same tmux, with one `cat >> file` as its MessageDisplay hook, typed into with
two plain tmux commands. The two take turns: machines are shared and drift. A benchmark, not a test: it asserts nothing.
"""

from __future__ import annotations

import contextlib
import json
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from collections.abc import Callable
from functools import partial
from pathlib import Path

from rich.console import Console
from rich.table import Table

from paliadin.relay.screen import State, read_screen
from paliadin.relay.tmux import HEIGHT, WIDTH, Terminal
from paliadin.scripted.home import private_environment
from paliadin.scripted.messages import Conversation, Reply, Text
from paliadin.scripted.server import ScriptedApi
from tests.integration.store_fixtures import remove_database
from tests.world import World, binaries, eventually

ROUNDS = 8
LINES = 12
PACE = 0.2  # seconds between two chunks of the API
SETTLE = 1.0  # seconds before a turn: the other one's Claude still tidies up after its last line

Turn = Callable[[str], tuple[float, dict[str, float]]]
"""A turn's word → (when it was asked, when each of its lines was there)."""


def script(conversation: Conversation) -> Reply:
    """Newline-ended chunks, each told from all others."""
    turn = conversation.user_text.split()[-1]
    return Reply((Text(tuple(f"Line {number} of {turn}.\n" for number in range(LINES)), PACE),))


class Floor:
    """Bare tmux, the CLI, and `cat >> file`; with `proof`, an empty UserPromptSubmit hook: what being told costs."""

    def __init__(self, root: Path, claude: Path, base_url: str, *, proof: bool = False) -> None:
        self.file = root / "deltas"
        work, plugin = root / "work", root / "plugin"
        work.mkdir(parents=True)
        (plugin / ".claude-plugin").mkdir(parents=True)
        (plugin / "hooks").mkdir()
        (plugin / ".claude-plugin/plugin.json").write_text(json.dumps({"name": "floor", "version": "1.0.0"}))
        hooks = {"MessageDisplay": [{"hooks": [{"type": "command", "command": f"cat >> {self.file}"}]}]}
        if proof:
            hooks["UserPromptSubmit"] = [{"hooks": [{"type": "command", "command": "exit 0"}]}]
        (plugin / "hooks/hooks.json").write_text(json.dumps({"hooks": hooks}))
        environment = private_environment(root / "home", work, base_url)
        self.socket = f"paliadin-bench-{uuid.uuid4().hex[:8]}"
        command = ["env", "-i", *(f"{key}={value}" for key, value in environment.items()), str(claude)]
        command += ["--plugin-dir", str(plugin), "--permission-mode", "default"]
        where = ["-s", "floor", "-x", str(WIDTH), "-y", str(HEIGHT), "-c", str(work)]
        self.tmux("-f", "/dev/null", "new-session", "-d", *where, *command)
        self.terminal = Terminal(self.socket, "floor")
        eventually(self.ready, 30)

    def tmux(self, *arguments: str) -> str:
        return subprocess.run(
            ["tmux", "-L", self.socket, *arguments], check=True, capture_output=True, text=True
        ).stdout

    def ready(self) -> bool:
        return read_screen(self.tmux("capture-pane", "-p", "-e", "-t", "floor")).state is State.READY

    def ask(self, message: str) -> float:
        began = time.monotonic()
        self.tmux("send-keys", "-t", "floor", "-l", message + " ")
        self.tmux("send-keys", "-t", "floor", "Enter")
        return began

    def turn(self, turn: str) -> tuple[float, dict[str, float]]:
        """When it was asked, and when each line stood in the file."""
        eventually(self.ready, 20)
        found: dict[str, float] = {}
        thread = threading.Thread(target=lambda: found.update(self.watch(turn)))
        thread.start()
        began = self.ask(f"Count for {turn}")
        thread.join()
        return began, found

    def watch(self, turn: str) -> dict[str, float]:
        """When each line stood in the file."""
        seen: dict[str, float] = {}
        size = self.file.stat().st_size if self.file.exists() else 0
        deadline = time.monotonic() + 30
        while len(seen) < LINES and time.monotonic() < deadline:
            now = self.file.stat().st_size if self.file.exists() else 0
            if now > size:
                at = time.monotonic()
                with self.file.open("rb") as file:
                    file.seek(size)
                    new = file.read(now - size).decode("utf-8", "replace")
                size = now
                for number in range(LINES):
                    line = f"Line {number} of {turn}."
                    if line in new:
                        seen.setdefault(line, at)
            time.sleep(0.0005)
        return seen


def main() -> None:
    which = sys.argv[1] if len(sys.argv) > 1 else "sdk"
    claude = binaries()[which]
    root = Path(tempfile.mkdtemp(prefix="paliadin-bench-"))
    api = ScriptedApi(script)
    start: dict[str, list[float]] = {"floor": [], "floor, empty hook": [], "paliadin": []}
    delta: dict[str, list[float]] = {"floor": [], "paliadin": []}
    with api.running() as url, contextlib.ExitStack() as stack:
        stack.callback(shutil.rmtree, root, ignore_errors=True)
        world = World(root / "paliadin", claude, api, url)
        stack.callback(remove_database, root / "paliadin" / "home")
        stack.callback(world.close)
        world.start()
        floor, told = Floor(root / "floor", claude, url), Floor(root / "told", claude, url, proof=True)
        stack.callback(floor.tmux, "kill-server")
        stack.callback(told.tmux, "kill-server")
        turns: list[Turn] = [floor.turn, told.turn, partial(_paliadin_turn, world)]
        for number in range(ROUNDS + 1):
            for name, one_turn in zip(start, turns, strict=True):
                time.sleep(SETTLE)
                began, seen = one_turn(f"{name.split()[-1]}{number}")
                if number:  # the first of each warms up
                    start[name].append(api.requests[-1][0] - began)
                    if name in delta:
                        delta[name] += _delays(api, seen)
                api.sent.clear()
    _print(which, start, delta)


def _paliadin_turn(world: World, turn: str) -> tuple[float, dict[str, float]]:
    eventually(lambda: world.get("history?session_id=main&limit=1")["running_turn"] is None)
    seen: dict[str, float] = {}
    with world.client() as client:
        began = time.monotonic()
        body = {"session_id": "main", "user_message": f"Count for {turn}"}
        turn_id = client.post("/api/paliadin/turn", json=body).json()["turn_id"]
        with client.stream("GET", f"/api/paliadin/stream/{turn_id}") as stream:
            for raw in stream.iter_lines():
                at = time.monotonic()
                if '"text"' in raw:
                    for number in range(LINES):
                        line = f"Line {number} of {turn}."
                        if line in raw:
                            seen.setdefault(line, at)
    return began, seen


def _delays(api: ScriptedApi, seen: dict[str, float]) -> list[float]:
    sent = {line: at for at, event in api.sent for line in seen if line.encode() in event}
    return [seen[line] - sent[line] for line in seen if line in sent]


def _print(which: str, start: dict[str, list[float]], delta: dict[str, list[float]]) -> None:
    table = Table(title=f"Claude Code from {which}; milliseconds")
    for column in ("what", "", "n", "median", "p90", "median / floor"):
        table.add_column(column, justify="left" if column in ("what", "") else "right")
    for what, samples in (("question → API request", start), ("API chunk → file (floor), client", delta)):
        base = statistics.median(samples["floor"])
        for name in samples:
            values = [value * 1000 for value in samples[name]]
            p90 = statistics.quantiles(values, n=10)[-1]
            middle = statistics.median(values)
            row = (str(len(values)), f"{middle:.1f}", f"{p90:.1f}", f"{middle / base / 1000:.2f}")
            table.add_row(what if name == "floor" else "", name, *row)
    Console(width=100).print(table)


if __name__ == "__main__":
    main()
