"""Live text's part of `make bench`: the way of a token within a paragraph, and what the pass-through adds and takes."""

from __future__ import annotations

import json
import re
import socket
import statistics
import sys
import time
import uuid
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlsplit

from rich.console import Console
from rich.table import Table

from paliadin.demo.api_messages import Message, Text
from paliadin.demo.scripted_api import ScriptedApi
from tests.worlds.live_text import LiveText
from tests.worlds.processes import daemon_of, usage
from tests.worlds.world import World, eventually

PARAGRAPH = 200  # tokens: 1,400 characters without a newline
PACES = (0.02, 0.03, 0.04, 0.05, 0.06, 0.07)  # seconds between two of them; one after the other
RATE = 100  # tokens a second, for CPU and memory
LASTS = 20.0  # seconds of them
REQUESTS, PIECES, PIECE_PACE = 20, 20, 0.02  # of the raw client, each way
BODY = 150_000  # characters of its requests; those of Claude Code have about as many
ON, OFF = "live", "live off"
DIRECT, PASSED = "asked directly", "through the pass-through"

_TOKEN = re.compile(rb"w(\d{5})")


def tokens(number: int) -> list[str]:
    """Words of seven characters with what stands before them: a blank, or a new paragraph."""
    words = [f"w{each:05}" for each in range(number)]
    return [words[0], *(("" if each % PARAGRAPH else "\n") + f" {words[each]}" for each in range(1, number))]


def script(word: str) -> Message:
    """`tokens:<number>:<seconds between>`."""
    _, number, pace = word.split(":")
    return Message((Text(tuple(tokens(int(number))), float(pace)),))


@dataclass
class Samples:
    """Seconds, by what they are and whose."""

    of: dict[tuple[str, str], list[float]] = field(default_factory=dict)

    def add(self, what: str, whose: str, seconds: list[float]) -> None:
        self.of.setdefault((what, whose), []).extend(seconds)

    def show(self, title: str) -> None:
        """As a table; the ratio is that to the first row of the same thing."""
        table = Table(title=title)
        for column in ("what", "", "n", "median", "p90", "ratio"):
            table.add_column(column, justify="left" if column in ("what", "") else "right")
        for what in dict.fromkeys(what for what, _ in self.of):
            base = 0.0
            for whose, seconds in [(whose, seconds) for (name, whose), seconds in self.of.items() if name == what]:
                middle, p90 = statistics.median(seconds), statistics.quantiles(seconds, n=10)[-1]
                figures = (str(len(seconds)), f"{middle * 1000:.2f}", f"{p90 * 1000:.2f}")
                table.add_row("" if base else what, whose, *figures, f"{middle / (base or middle):.2f}")
                base = base or middle
        Console(width=110).print(table)


def measure(which: str, live: World, without: World, api: ScriptedApi, rounds: int) -> None:
    """Measure all of it, and print it."""
    samples = Samples()
    for number in range(rounds):
        _follow_paragraph(samples, ON, live, api, PACES[number % len(PACES)])
        if number % 2:  # it takes as long, and its figure is far away
            _follow_paragraph(samples, OFF, without, api, PACES[number % len(PACES)])
    _compare_ways(samples, live, api)
    samples.show(f"Live text, Claude Code from {which}; milliseconds")
    _print_cost(live, api)


def _follow_paragraph(samples: Samples, whose: str, world: World, api: ScriptedApi, pace: float) -> None:
    eventually(lambda: world.get("history?limit=1")["running_turn"] is None)
    time.sleep(1)
    api.sent.clear()
    shown, arrived = LiveText(), dict[int, float]()
    for event in world.follow(world.ask(f"Write tokens:{PARAGRAPH}:{pace}")):
        at = time.monotonic()
        shown.take(event)
        arrived.setdefault(shown.length, at)
    sent = [at for at, event in api.sent if _TOKEN.search(event)]
    place, delays = 0, []
    for at, token in zip(sent, tokens(PARAGRAPH), strict=True):
        place += len(token)
        delays.append(next(when for length, when in arrived.items() if length >= place) - at)
    samples.add("token → client, within a paragraph", whose, delays)
    samples.add("first token → first text", whose, [min(at for length, at in arrived.items() if length) - sent[0]])


def _state(world: World) -> dict[str, Any]:
    """What the pass-through has written of itself, with the secret part of its address."""
    folder = world.settings.sessions_dir / "main" / "live"
    state, configuration = (json.loads((folder / name).read_text()) for name in ("state.json", "config.json"))
    return {**state, "secret": configuration["secret"]}


def _compare_ways(samples: Samples, world: World, api: ScriptedApi) -> None:
    """One client, which asks for the same in turns: what the pass-through adds, while it writes a preview log."""
    state, prompt = _state(world), str(uuid.uuid4())
    folder = world.settings.response_dir / "bench" / prompt  # a turn's, as far as it knows
    folder.mkdir(parents=True)
    (world.settings.sessions_dir / "main" / "prompts" / prompt).symlink_to(folder)
    ports = {DIRECT: urlsplit(world.base_url).port or 0, PASSED: state["port"]}
    paths = {DIRECT: "", PASSED: f"/{state['secret']}"}
    clients = {way: socket.create_connection(("127.0.0.1", port)) for way, port in ports.items()}
    for number in range(REQUESTS + 1):
        for way, client in clients.items():
            api.sent.clear()
            head, pieces = _ask(client, paths[way], prompt)
            if number:  # the first warms up
                sent = {int(_TOKEN.findall(event)[0]): at for at, event in list(api.sent)}
                samples.add("request → head of the response", way, [head])
                samples.add("API chunk → its client", way, [at - sent[piece] for piece, at in pieces.items()])
    for client in clients.values():
        with closing(client):
            pass
    assert (folder / "live.jsonl").read_text().count('"end": "complete"') == REQUESTS + 1, (
        "the pass-through wrote no preview log"
    )


def _ask(client: socket.socket, path: str, prompt: str) -> tuple[float, dict[int, float]]:
    """Ask for pieces; returns the seconds to the response's head, and when each piece came."""
    question = {"role": "user", "content": f"Write tokens:{PIECES}:{PIECE_PACE}"}
    body = json.dumps(
        {"model": "m", "stream": True, "system": "x" * BODY, "tools": [{"name": "Read"}], "messages": [question]}
    )
    fields = ("Host: 127.0.0.1", "Content-Type: application/json", f"Content-Length: {len(body)}")
    fields += (f"X-Claude-Code-Prompt-Id: {prompt}",)
    client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    began = time.monotonic()
    client.sendall("\r\n".join((f"POST {path}/v1/messages?beta=true HTTP/1.1", *fields, "", body)).encode())
    head, pieces = 0.0, dict[int, float]()
    for at, data in _received(client):
        head = head or at - began
        for piece in _TOKEN.findall(data):
            pieces.setdefault(int(piece), at)
    return head, pieces


def _received(client: socket.socket) -> Iterator[tuple[float, bytes]]:
    """What comes, with its time, to the end of a response in chunks."""
    end = b""
    while not end.endswith(b"\r\n0\r\n\r\n"):
        data = client.recv(65536)
        assert data, "the connection was closed"
        yield time.monotonic(), data
        end = (end + data)[-16:]


def _print_cost(world: World, api: ScriptedApi) -> None:
    """CPU and memory of the pass-through while the real Claude reads so many tokens a second through it."""
    eventually(lambda: world.get("history?limit=1")["running_turn"] is None)
    time.sleep(1)
    state = _state(world)
    parts = {"the daemon": [daemon_of(world)], "the pass-through, parent and child": [state["pid"], state["child"]]}
    api.sent.clear()
    turn_id = world.ask(f"Write tokens:{int(RATE * LASTS)}:{1 / RATE - 0.0008}")
    eventually(lambda: api.sent)
    began, before = time.monotonic(), {name: sum(usage(pid).cpu for pid in pids) for name, pids in parts.items()}
    for _ in world.follow(turn_id):
        pass
    lasted = time.monotonic() - began
    sys.stdout.write(f"At {len(api.sent) / (api.sent[-1][0] - api.sent[0][0]):.0f} tokens a second, {lasted:.0f} s:\n")
    for name, pids in parts.items():
        used = [usage(pid) for pid in pids]
        cpu = (sum(one.cpu for one in used) - before[name]) / lasted
        resident, shared = sum(one.resident for one in used), sum(one.proportional for one in used)
        sys.stdout.write(f"  {name}: {cpu:.1%} of one core, {resident:.1f} MB RSS, {shared:.1f} MB PSS\n")
    sys.stdout.flush()
