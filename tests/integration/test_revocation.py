"""Who is signed out, or whose key is taken back, reads no further in a stream that is open."""

from __future__ import annotations

import contextlib
import getpass
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import httpx2
import pytest

from paliadin.demo.scripted_api import ScriptedApi
from tests.integration.conftest import make_world
from tests.worlds.world import TOKEN, Event, World, eventually, parse_sse

API = "/api/paliadin"
APP = "https://app.example"


@pytest.fixture
def world(tmp_path: Path, one_claude: Path, api: tuple[ScriptedApi, str]) -> Iterator[World]:
    for world in make_world(tmp_path, one_claude, api):
        world.options["ALLOWED_ORIGINS"] = APP
        world.start()
        yield world


@dataclass
class Reader:
    """Reads a stream until it ends."""

    client: httpx2.Client
    path: str
    events: list[Event] = field(default_factory=list)
    refused: str = ""  # the response, if it was no stream

    def __post_init__(self) -> None:
        self.thread = threading.Thread(target=self._read)
        self.thread.start()

    def _read(self) -> None:
        with self.client.stream("GET", self.path) as stream:
            self.refused = "" if stream.is_success else stream.read().decode()
            for event in parse_sse(stream.iter_lines()):
                self.events.append(event)

    @property
    def has_begun(self) -> bool:
        return len(self.events) > 3 or bool(self.refused)

    def has_ended(self) -> bool:
        self.thread.join(60)
        return not self.thread.is_alive()


@pytest.fixture
def stack() -> Iterator[contextlib.ExitStack]:
    with contextlib.ExitStack() as stack:
        yield stack


def test_who_is_signed_out_reads_no_further(world: World, stack: contextlib.ExitStack) -> None:
    def client(**headers: str) -> httpx2.Client:
        base = f"http://127.0.0.1:{world.options['PORT']}"
        return stack.enter_context(httpx2.Client(base_url=base, headers=headers, trust_env=False, timeout=60))

    transport = world.command_transport()
    owner = stack.enter_context(httpx2.Client(transport=transport, base_url=f"http://paliadin{API}/"))
    keys = {purpose: make_key(owner, purpose) for purpose in ("owner", "embed")}
    person = {"origin": APP, "person": getpass.getuser()}
    token = client(**keys["embed"]).post(f"{API}/embed-token", json=person).json()["token"]
    browser, drawer = client(), client(authorization=f"Bearer {token}", origin=APP)
    assert browser.get(world.path_url).status_code == 303
    question = {"session_id": "main", "user_message": "scene:slow"}
    turn_id = drawer.post(f"{API}/turn", json=question).json()["turn_id"]
    path = f"{API}/stream/{turn_id}"
    readers = {
        "browser": Reader(browser, f"/~{world.label}{path}"),
        "page": Reader(browser, f"/~{world.label}{API}/events?follow=1"),
        "key": Reader(client(**keys["owner"]), path),
        "drawer": Reader(drawer, path),
        "another key": Reader(client(authorization=f"Bearer {TOKEN}"), path),
    }
    eventually(lambda: all(reader.has_begun for reader in readers.values()), 60, "all of them read")
    assert [reader.refused for reader in readers.values() if reader.refused] == []
    assert owner.delete("access/keys/owner").status_code == 200
    assert readers["key"].has_ended()
    assert [who for who, reader in readers.items() if not reader.thread.is_alive()] == ["key"]
    assert owner.post("access/rotate").status_code == 200
    assert readers["browser"].has_ended()
    assert readers["page"].has_ended()
    assert readers["drawer"].has_ended()
    count = len(readers["another key"].events)
    eventually(lambda: len(readers["another key"].events) > count + 3, 60, "whoever is let in reads on")
    world.post(f"stream/{turn_id}/abort")
    assert readers["another key"].has_ended()
    assert [who for who, reader in readers.items() if reader.events[-1].name == "end"] == ["another key"]
    assert "Traceback" not in (world.root / "daemon.log").read_text()


def make_key(owner: httpx2.Client, purpose: str) -> dict[str, str]:
    made = owner.post("access/keys", json={"name": purpose, "purpose": purpose})
    return {"authorization": f"Bearer {made.json()['key']}"}
