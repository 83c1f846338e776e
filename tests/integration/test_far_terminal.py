"""The terminal at the far end: opened from here with the owner's own login, and what is typed there seen here."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from paliadin.relays.ssh.hosts import save_remote
from paliadin.relays.terminal.screen import State, read_screen
from paliadin.turnlog.read import LogReader
from tests.integration.test_ssh import FAR, both, cut_wire, far, near, state
from tests.worlds.far import Far
from tests.worlds.script import BEHIND, STEADY
from tests.worlds.turns import watched_until
from tests.worlds.world import ROOT, Event, World, eventually, last, text_of

__all__ = ["both", "far", "near"]  # fixtures
pytestmark = pytest.mark.timeout(120)


@dataclass
class Person:
    """Somebody before a terminal, in which `paliadin` runs."""

    world: World
    arguments: tuple[str, ...]
    seen: bytes = b""
    fd: int = field(init=False)
    process: subprocess.Popen[bytes] = field(init=False)

    def __post_init__(self) -> None:
        self.fd, inner = pty.openpty()
        fcntl.ioctl(inner, termios.TIOCSWINSZ, struct.pack("HHHH", 60, 160, 0, 0))
        home = str(self.world.root / "person")
        environment = {"PATH": os.environ["PATH"], "HOME": str(self.world.root), "PYTHONPATH": str(ROOT)}
        environment |= {"PALIADIN_HOME": home, "TERM": "xterm", "TMUX": "another,1,0"}  # in a tmux of their own
        command = [sys.executable, "-m", "paliadin", *self.arguments]
        self.process = subprocess.Popen(
            command, stdin=inner, stdout=inner, stderr=inner, env=environment, start_new_session=True
        )
        os.close(inner)

    def sees(self, text: str, seconds: float = 30) -> None:
        deadline = time.monotonic() + seconds
        while text not in self.shown:
            assert time.monotonic() < deadline, self.shown.replace("·", "")[-3000:]
            if select.select([self.fd], [], [], 0.2)[0]:
                with contextlib.suppress(OSError):  # the other end is closed
                    self.seen += os.read(self.fd, 65536)

    @property
    def shown(self) -> str:
        """What came, without what moves the cursor."""
        return re.sub(r"\x1b\[\d*C", " ", self.seen.decode("utf-8", "replace")).replace("\r", "")

    def types(self, text: str) -> None:
        os.write(self.fd, text.encode())

    def leaves(self) -> int:
        for key in ("\x02", "d"):
            time.sleep(0.5)  # keys that come all at once are no prefix to tmux: it takes them for a paste
            self.types(key)
        with contextlib.suppress(AssertionError):
            self.sees("[detached", 10)
        return self.process.wait(20)

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait(10)
        os.close(self.fd)


@pytest.fixture
def people() -> Iterator[list[Person]]:
    there: list[Person] = []
    yield there
    for person in there:
        person.close()


def with_key(near: World, far: Far, key: str) -> World:
    """Note the host with this key for the person's ssh, which outside a test finds the owner's key by itself."""
    (near.root / "person").mkdir(exist_ok=True)
    save_remote(near.root / "person", far.remote(options=(*far.options, "-i", str(far.root / key))))
    return near


@pytest.fixture
def at_home(near: World, far: Far) -> World:
    """The owner, who has a login there."""
    return with_key(near, far, "own_key")


def own_turn(world: World) -> str:
    return eventually(lambda: world.get(f"history?session_id={FAR}")["running_turn"], 30, "the own turn is seen")


@pytest.mark.long
def test_the_owner_opens_the_far_terminal_and_what_they_type_there_is_a_turn_here(
    at_home: World, people: list[Person]
) -> None:
    assert at_home.turn("Hello", session_id=FAR)[-1].name == "end"
    person = Person(at_home, ("attach", FAR))
    people.append(person)
    person.sees("You said")  # the same conversation
    person.types("scene:steady typed over there")
    person.sees("typed over there")
    person.types("\r")
    turn_id = own_turn(at_home)
    refused = at_home.post("turn", {"session_id": FAR, "user_message": "me too"})
    assert refused.json()["error"]["turn_id"] == turn_id
    events = list(at_home.follow(turn_id))
    assert events[-1].name == "end", events[-1].data
    assert text_of(events).splitlines() == STEADY
    [item] = at_home.get(f"history?session_id={FAR}&limit=1")["turns"]
    assert (item["turn_id"], item["origin"], item["user_message"]) == (
        turn_id, "terminal", "scene:steady typed over there",
    )  # fmt: skip
    assert person.leaves() == 0
    assert at_home.turn("And now?", session_id=FAR)[-1].name == "end"


@pytest.mark.long
def test_who_only_looks_types_nothing(at_home: World, far: Far, people: list[Person]) -> None:
    at_home.turn("Hello", session_id=FAR)
    person = Person(at_home, ("attach", FAR, "--read-only"))
    people.append(person)
    person.sees("You said")
    person.types("not typed")
    assert person.leaves() == 0
    assert "not typed" not in far.terminal.capture(far.terminal.panes()["main"]).captured


def test_the_daemons_key_opens_no_terminal(near: World, far: Far, people: list[Person]) -> None:
    person = Person(with_key(near, far, "key"), ("attach", FAR))
    people.append(person)
    person.sees("PTY allocation request failed")
    assert person.process.wait(20) == 255


@pytest.mark.parametrize(
    ("name", "message"), [("main@nowhere", "no host named"), ("a;b@far", "'a;b' is not a valid session name")]
)
def test_attach_to_what_is_no_session_says_so(at_home: World, people: list[Person], name: str, message: str) -> None:
    person = Person(at_home, ("attach", name))
    people.append(person)
    person.sees(message)
    assert person.process.wait(20) != 0


def ended_there(far: Far) -> int:
    """The number of turns that have ended there: what is typed before Stop belongs to the same turn."""
    logs = (far.shim_home / "turns").glob("*/*/events.jsonl")
    return sum(line.get("hook", {}).get("hook_event_name") == "Stop" for log in logs for line in LogReader(log).read())


def is_ready(far: Far, pane: str) -> bool:
    return read_screen(far.terminal.capture(pane).captured).state is State.READY


@pytest.mark.long
def test_what_was_typed_there_while_the_line_was_cut_is_seen_once_when_it_is_back(near: World, far: Far) -> None:
    near.turn("Hello", session_id=FAR)
    ended, known = ended_there(far), len(near.get(f"history?session_id={FAR}")["turns"])
    far.stop()
    cut_wire(near, far)
    eventually(lambda: state(near)["state"] == "unreachable", what="the line is cut")
    pane = far.terminal.panes()["main"]
    for number in (1, 2):
        far.terminal.type(pane, f"typed alone {number}")
        time.sleep(0.5)  # as a person would
        far.terminal.press(pane, "Enter")
        eventually(
            lambda number=number: ended_there(far) == ended + number and is_ready(far, pane), 30, "it is answered"
        )
    far.start()
    eventually(lambda: len(near.get(f"history?session_id={FAR}")["turns"]) == known + 2, 60, "both are seen here")
    near.stop()
    near.start()
    eventually(lambda: state(near)["ok"], 30, "the line stands")
    turns = near.get(f"history?session_id={FAR}")["turns"][-3:]
    assert [turn["user_message"] for turn in turns] == ["Hello", "typed alone 1", "typed alone 2"]
    assert [turn["origin"] for turn in turns][1:] == ["terminal", "terminal"]
    assert "You said 13 characters" in eventually(
        lambda: near.get(f"history?session_id={FAR}")["turns"][-1]["response"], 30
    )


def test_a_new_conversation_there_is_one_here(near: World, far: Far) -> None:
    near.turn("Hello", session_id=FAR)
    since = near.get(f"history?session_id={FAR}")["since"] or 0
    pane: Path | str = far.terminal.panes()["main"]
    far.terminal.type(str(pane), "/clear")
    time.sleep(0.5)
    far.terminal.press(str(pane), "Enter")
    eventually(lambda: (near.get(f"history?session_id={FAR}")["since"] or 0) > since, 20, "the page begins anew")


@pytest.mark.long
def test_what_an_agent_asks_in_the_background_of_a_host_is_allowed_from_here(near: World, far: Far) -> None:
    near.turn(f"scene:behind in:{far.workdir}", session_id=FAR)
    BEHIND.asks.set()

    def turns(kind: str | None) -> list[dict[str, Any]]:
        shown = near.get(f"history?session_id={FAR}&limit=10")["turns"]
        return [turn for turn in shown if turn["origin"] == "agent" and turn["asked_by"] == kind]

    [asked] = eventually(lambda: turns("general-purpose"), 30, "the agent asks")
    events: list[Event] = []
    watched_until(near, asked["turn_id"], "interrupt", events)
    assert near.get(f"history?session_id={FAR}&limit=1")["running_turn"] is None
    assert text_of(near.turn("Hello", session_id=FAR)).startswith("You said")
    reply = {"interrupt_id": last(events, "interrupt").data["id"], "value": "allow"}
    assert near.post(f"stream/{asked['turn_id']}/answer", reply).status_code == 200
    events += near.follow(asked["turn_id"], after=len(events))
    assert (last(events, "interrupt_resolved").data["by"], events[-1].name) == ("page", "end")
    eventually(lambda: [turn for turn in turns(None) if not turn["running"]], 30, "the agent has reported")
    assert (far.workdir / "behind.txt").read_text() == "written behind\n"
