"""The one stream of a page: the turns of its conversation, the list of conversations, what else changes."""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2
import pytest

from paliadin.demo.scripted_api import ScriptedApi
from tests.integration.conftest import make_world
from tests.worlds.world import World, eventually

pytestmark = pytest.mark.any_version

API = "/api/paliadin"


@dataclass
class PageEvent:
    """`turn` and `number` are the parts of its id."""

    name: str
    turn: str
    number: str
    data: Any


@dataclass
class Page:
    """Reads the stream in a thread, like a page does."""

    client: httpx2.Client
    query: Mapping[str, str] = field(default_factory=dict)
    events: list[PageEvent] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.thread = threading.Thread(target=self._read, daemon=True)
        self.thread.start()

    def _read(self) -> None:
        stream = self.client.stream("GET", f"{API}/events", params={"follow": "1", **self.query})
        with contextlib.suppress(httpx2.HTTPError, RuntimeError), stream as response:
            parse(response.iter_lines(), self.events.append)

    def named(self, name: str) -> list[PageEvent]:
        return [event for event in self.events if event.name == name]

    def waits_for(self, name: str, count: int = 1) -> PageEvent:
        eventually(lambda: len(self.named(name)) >= count, 30, f"{count} {name}")
        return self.named(name)[count - 1]

    def numbers(self, turn: str) -> list[int]:
        return [int(event.number) for event in self.events if event.turn == turn and event.number]

    def is_over(self) -> bool:
        self.thread.join(30)
        return not self.thread.is_alive()


def parse(lines: Iterator[str], take: Callable[[PageEvent], object]) -> None:
    fields: dict[str, str] = {}
    for line in lines:
        if line:
            name, _, value = line.partition(": ")
            fields[name] = value
        elif fields:
            turn, _, number = fields.get("id", "").partition(":")
            take(PageEvent(fields["event"], turn, number, json.loads(fields["data"])))
            fields = {}


@pytest.fixture
def open_page(played_world: World) -> Iterator[Callable[..., Page]]:
    with contextlib.ExitStack() as stack:

        def open_page(**query: str) -> Page:
            client = stack.enter_context(played_world.client())
            return Page(client, query)

        yield open_page


def so_far(world: World, **query: str) -> list[PageEvent]:
    events: list[PageEvent] = []
    with world.client() as client:
        response = client.get(f"{API}/events", params=query)
        assert response.status_code == 200, response.text
        parse(iter(response.text.split("\n")), events.append)
    return events


def test_a_page_hears_of_turns_that_begin_later_and_resumes_each_behind_what_it_has(
    played_world: World, open_page: Callable[..., Page]
) -> None:
    page = open_page(session_id="main")
    version = page.waits_for("conversation").data["version"]
    whole = page.waits_for("list").data
    assert whole["since"] is None
    first = played_world.ask("One")
    page.waits_for("end")
    second = played_world.ask("Two")
    page.waits_for("end", 2)
    for turn in (first, second):
        assert page.numbers(turn) == [event.id for event in played_world.follow(turn)]
    begun = page.waits_for("conversation", 2).data["version"]
    assert begun != version
    changed = page.named("list")[1].data
    assert (changed["since"], [item["id"] for item in changed["conversations"]]) == (whole["version"], ["main"])
    last = page.numbers(second)[-1]
    again = open_page(session_id="main", after=f"{first}:3,{second}:{last - 1}")
    again.waits_for("end", 2)
    assert again.numbers(first) == page.numbers(first)[3:]
    assert again.numbers(second) == [last]


def test_a_short_request_tells_what_is_new_and_ends(played_world: World) -> None:
    turn = played_world.ask("scene:question")
    # The history would not do here: it reads the turn's log itself, and may know of the question a moment earlier.
    events = eventually(lambda: asks(so_far(played_world)), 30)
    assert {"list", "conversation", "health"} <= {event.name for event in events}
    known = {event.name: event.data["version"] for event in events if "version" in event.data}
    versions = {"list": known["list"], "state": known["conversation"], "health": known["health"]}
    last = max(int(event.number) for event in events if event.number)
    eventually(lambda: [e for e in so_far(played_world, after=f"{turn}:{last}", **versions) if e.number] == [])
    assert played_world.get("history")["version"] == known["conversation"]
    assert so_far(played_world, list="off", state="off", health="off", after=f"{turn}:{last}") == []
    played_world.post(f"stream/{turn}/abort")
    eventually(lambda: [e for e in so_far(played_world, after=f"{turn}:{last}", **versions) if e.name == "end"], 30)


def asks(events: list[PageEvent]) -> list[PageEvent]:
    return events if any(event.name == "interrupt" for event in events) else []


def test_a_change_in_the_list_is_told_at_once_and_alone(played_world: World, open_page: Callable[..., Page]) -> None:
    made = played_world.post("conversations", {"title": "Before"}).json()["id"]
    listed = played_world.get("conversations")
    page = open_page()
    before = page.waits_for("list").data
    assert made in {item["id"] for item in before["conversations"]}
    assert listed["version"] == before["version"]
    with played_world.client() as client:
        client.patch(f"{API}/conversations/{made}", json={"title": "After"}).raise_for_status()
        eventually(lambda: "After" in titles(page, made), 30)
        client.delete(f"{API}/conversations/{made}").raise_for_status()
        eventually(lambda: made in page.named("list")[-1].data["gone"], 30)
    changes = [event.data for event in page.named("list")]
    assert titles(page, made) == ["Before", "After"]
    assert [each["since"] for each in changes] == [None, *(each["version"] for each in changes[:-1])]


def titles(page: Page, session: str) -> list[str]:
    items = [item for event in page.named("list") for item in event.data["conversations"]]
    return [item["title"] for item in items if item["id"] == session]


def test_a_conversation_that_is_deleted_and_comes_back_is_told(
    played_world: World, open_page: Callable[..., Page]
) -> None:
    made = played_world.post("conversations", {"title": "To go"}).json()["id"]
    page = open_page(session_id=made, list="off")
    before = page.waits_for("conversation").data["version"]
    with played_world.client() as client:
        client.delete(f"{API}/conversations/{made}").raise_for_status()
        assert page.waits_for("conversation", 2).data["version"] == "missing"
        client.patch(f"{API}/conversations/{made}", json={"deleted": False}).raise_for_status()
        assert page.waits_for("conversation", 3).data["version"] == before
    assert page.named("list") == []


def test_what_is_no_query_of_a_page_is_refused(played_world: World) -> None:
    with played_world.client() as client:
        for query in ("after=x:1", "after=../x:1", "after=019a2b3c-4d5e-7f60-8123-456789abcdef:x", "follow=2"):
            assert client.get(f"{API}/events?{query}").status_code == 400, query
        gone = "019a2b3c-4d5e-7f60-8123-456789abcdef"
        told = so_far(played_world, list="off", state="off", health="off", after=f"{gone}:0")
        assert [(event.name, event.turn) for event in told] == [("gone", gone)]


def test_an_open_page_does_not_hold_up_the_end_of_the_daemon(
    tmp_path: Path, one_claude: Path, api: tuple[ScriptedApi, str]
) -> None:
    for world in make_world(tmp_path, one_claude, api):
        world.scripted = True
        world.start()
        with world.client() as client:
            page = Page(client, {"session_id": "main"})
            page.waits_for("health")
            world.stop()
            assert page.is_over()
        assert "Traceback" not in (world.root / "daemon.log").read_text()
