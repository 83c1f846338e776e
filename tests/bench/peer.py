"""The peer of `make bench`: tmux-agent-control from PyPI, in a virtual environment and a home of its own, on loopback.

It types what it is given and shows Claude's screen. A client reads that from its WebSocket, or by asking again and
again without a pause, which is the fastest that it can be read.
"""

from __future__ import annotations

import base64
import json
import os
import shlex
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2

from paliadin.demo.private_home import private_environment
from tests.worlds.world import ROOT, eventually

PACKAGE = "tmux-agent-control==0.4.0"
PLACE = ROOT / ".tools" / "peer"
PATIENCE = 20.0  # seconds for a turn


def install() -> None:
    """Into a place of its own, once."""
    if not (PLACE / "bin" / "uvicorn").exists():
        subprocess.run(["python3", "-m", "venv", PLACE], check=True)
        subprocess.run([PLACE / "bin" / "pip", "install", "-q", "--disable-pip-version-check", PACKAGE], check=True)


class Peer:
    def __init__(self, root: Path, claude: Path, base_url: str) -> None:
        for folder in ("work", "bin", "tmux"):
            (root / folder).mkdir(mode=0o700, parents=True)
        (root / "bin" / "claude").write_text(f'#!/bin/sh\nexec {shlex.quote(str(claude))} "$@"\n')
        (root / "bin" / "claude").chmod(0o755)
        self.environment = private_environment(root / "home", root / "work", base_url)
        self.environment |= {
            "PATH": f"{root / 'bin'}:{self.environment['PATH']}",
            "TMUX_TMPDIR": str(root / "tmux"),
        }
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        command = [str(PLACE / "bin" / "uvicorn"), "daemon.api.main:app", "--host", "127.0.0.1"]
        command += ["--port", str(self.port)]
        with (root / "daemon.log").open("w") as log:
            self.process = subprocess.Popen(command, stdout=log, stderr=log, env=self.environment, cwd=root)
        token = root / "home" / ".tmux-agent-control" / "token"
        eventually(lambda: token.exists() and self._answers(), 30, "the peer answers")
        self.token = token.read_text().strip()
        self.client = httpx2.Client(
            base_url=f"http://127.0.0.1:{self.port}",
            headers={"Authorization": f"Bearer {self.token}"},
            trust_env=False,
            timeout=30,
        )
        made = self.client.post("/sessions", json={"runtime": "claude-code", "cwd": str(root / "work")}).json()
        self.pane = f"/panes/{made['session_id']}"
        eventually(lambda: "❯" in self.look()["screen"], 30, "its Claude is there")

    def _answers(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

    def close(self) -> None:
        self.client.close()
        self.process.kill()  # asked to end, it waits for its WebSockets
        self.process.wait(20)
        subprocess.run(["tmux", "-L", "tmux-agent-control", "kill-server"], env=self.environment, check=False)

    def look(self) -> dict[str, Any]:
        return dict(self.client.get(f"{self.pane}/screen").json())

    def ask(self, message: str) -> float:
        began = time.monotonic()
        self.client.post(f"{self.pane}/keys", json={"keys": message, "enter": True}).raise_for_status()
        return began

    def press(self, key: str) -> None:
        self.client.post(f"{self.pane}/key", json={"key": key}).raise_for_status()

    def polled(self) -> Iterator[dict[str, Any]]:
        while True:
            yield self.look()

    def pushed(self) -> Iterator[dict[str, Any]]:
        """What its WebSocket sends: unmasked text frames."""
        path = f"{self.pane}/screen/ws?token={self.token}"
        key = base64.b64encode(os.urandom(16)).decode()
        upgrade = f"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}"
        with socket.create_connection(("127.0.0.1", self.port), PATIENCE) as connection:
            connection.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n{upgrade}\r\n\r\n".encode())
            stream = connection.makefile("rb")
            while stream.readline().strip():
                pass
            while head := stream.read(2):
                size = head[1] & 0x7F
                if size > 125:
                    size = int.from_bytes(stream.read(2 if size == 126 else 8))
                payload = stream.read(size)
                if head[0] & 0xF == 1:
                    yield json.loads(payload)

    def follow(self, looks: Iterator[dict[str, Any]], lines: list[str]) -> tuple[dict[str, float], float]:
        """When each line was on the screen; and when, after all of them, Claude was said to be idle."""
        seen: dict[str, float] = {}
        deadline = time.monotonic() + PATIENCE
        for look in looks:
            now = time.monotonic()
            for line in lines:
                if line in look["screen"]:
                    seen.setdefault(line, now)
            if (len(seen) == len(lines) and look["state"] == "idle") or now > deadline:
                break
        return seen, time.monotonic()

    def last_reply(self) -> str:
        """Its own way to the text of an answer: Claude Code's /copy."""
        response = self.client.post(f"{self.pane}/copy-reply")
        return str(response.json()["text"]) if response.status_code == 200 else f"HTTP {response.status_code}"
