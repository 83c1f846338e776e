"""The floor of `make bench`: what no relay could undercut."""

from __future__ import annotations

import contextlib
import json
import subprocess
import threading
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from paliadin.demo.private_home import private_environment
from paliadin.relays.terminal.screen import State, read_screen
from paliadin.relays.terminal.tmux import HEIGHT, WIDTH, TmuxServer
from tests.worlds.world import eventually

LINES = 12


@dataclass(frozen=True)
class Seen:
    """Of one turn: when it was asked, when each of its lines was there, and when its end was reported."""

    began: float
    lines: dict[str, float]
    ended: float
    stopped: float = 0.0  # Paliadin only: when the Stop hook wrote its line, as that says
    answered: float = 0.0  # Paliadin only: the event `answered`
    counted: float = 0.0  # the floor only: when Claude Code's own file held the turn's last entry, its tokens before it


Turn = Callable[[str], Seen]
"""Asks with a word that only this turn has."""


def lines_of(turn: str) -> list[str]:
    return [f"Line {number} of {turn}." for number in range(LINES)]


def whole_payloads(text: str) -> tuple[list[dict[str, Any]], str]:
    """The hooks' payloads that stand in the text one after another, and the rest: one that has come in part."""
    payloads: list[dict[str, Any]] = []
    with contextlib.suppress(ValueError):
        while True:
            payload, end = json.JSONDecoder().raw_decode(text)
            payloads.append(payload)
            text = text[end:].lstrip()
    return payloads, text


class Floor:
    """Bare tmux, the CLI, and `cat >> file`; with `proof`, an empty UserPromptSubmit hook too, for what that costs."""

    def __init__(self, root: Path, claude: Path, base_url: str, *, proof: bool = False) -> None:
        self.file = root / "deltas"
        work, plugin = root / "work", root / "plugin"
        work.mkdir(parents=True)
        (plugin / ".claude-plugin").mkdir(parents=True)
        (plugin / "hooks").mkdir()
        (plugin / ".claude-plugin/plugin.json").write_text(json.dumps({"name": "floor", "version": "1.0.0"}))
        write = [{"hooks": [{"type": "command", "command": f"cat >> {self.file}"}]}]
        hooks = {"MessageDisplay": write, "Stop": write}
        if proof:
            hooks["UserPromptSubmit"] = [{"hooks": [{"type": "command", "command": "exit 0"}]}]
        (plugin / "hooks/hooks.json").write_text(json.dumps({"hooks": hooks}))
        environment = private_environment(root / "home", work, base_url)
        self.socket = f"paliadin-bench-{uuid.uuid4().hex[:8]}"
        command = ["env", "-i", *(f"{key}={value}" for key, value in environment.items()), str(claude)]
        command += ["--plugin-dir", str(plugin), "--permission-mode", "default"]
        where = ["-s", "floor", "-x", str(WIDTH), "-y", str(HEIGHT), "-c", str(work)]
        self.tmux("-f", "/dev/null", "new-session", "-d", *where, *command)
        self.terminal = TmuxServer(self.socket, "floor")
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

    def turn(self, turn: str) -> Seen:
        eventually(self.ready, 20)
        times: list[tuple[dict[str, float], float, float]] = []
        thread = threading.Thread(target=lambda: times.append(self.watch(turn)))
        thread.start()
        began = self.ask(f"Count for {turn}")
        thread.join()
        seen, ended, counted = times[0]
        return Seen(began, seen, ended, counted=counted)

    def watch(self, turn: str) -> tuple[dict[str, float], float, float]:
        """When each line stood in the file, when Stop did after all of them, when the tokens could be counted."""
        seen: dict[str, float] = {}
        text = ""  # what has come of a payload that is not whole yet
        size = self.file.stat().st_size if self.file.exists() else 0
        deadline = time.monotonic() + 30
        stopped, transcript = 0.0, Path()
        while (len(seen) < LINES or not stopped) and time.monotonic() < deadline:
            now = self.file.stat().st_size if self.file.exists() else 0
            if now > size:
                at = time.monotonic()
                with self.file.open("rb") as file:
                    file.seek(size)
                    payloads, text = whole_payloads(text + file.read(now - size).decode("utf-8", "replace"))
                size = now
                for payload in payloads:
                    if payload["hook_event_name"] == "Stop":
                        stopped, transcript = at, Path(payload["transcript_path"])
                    else:
                        seen = {line: at for line in lines_of(turn) if line in payload["delta"]} | seen
            time.sleep(0.0005)
        if not stopped:
            raise TimeoutError(f"the bare CLI did not stop within 30 s of {turn}: {self.tmux('capture-pane', '-p')}")
        while "turn_duration" not in transcript.read_text().rpartition(turn)[2] and time.monotonic() < deadline:
            time.sleep(0.002)
        return seen, max([stopped, *seen.values()]), time.monotonic()
