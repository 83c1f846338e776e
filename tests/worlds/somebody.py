"""Somebody who asks a running daemon over HTTP: a person in a browser that is signed in, or in a drawer."""

from __future__ import annotations

import contextlib
import functools
from dataclasses import dataclass, field
from typing import Any

import httpx2

from tests.worlds.world import Event, World, parse_sse

API = "/api/paliadin"


@dataclass(frozen=True)
class Somebody:
    """A person, and how their requests reach the daemon."""

    name: str
    client: httpx2.Client
    prefix: str = ""  # of the page's own address, where that is a path

    def request(self, method: str, path: str, **options: Any) -> httpx2.Response:
        return self.client.request(method, self.prefix + path, **options)

    def post(self, path: str, body: Any = None) -> httpx2.Response:
        return self.request("POST", f"{API}/{path}", json=body or {})

    def get(self, path: str) -> Any:
        response = self.request("GET", f"{API}/{path}")
        assert response.status_code == 200, response.text
        return response.json()

    def agree(self) -> None:
        """Agree to what is sent where over the Messages API, as the page asks it."""
        version = self.get("health")["consent"]["version"]
        assert self.post("consent", {"version": version}).json()["agreed"]

    def ask(self, message: str, **fields: Any) -> str:
        """Ask, and return the turn_id."""
        response = self.post("turn", {"user_message": message, **fields})
        assert response.status_code == 202, response.text
        return str(response.json()["turn_id"])

    def follow(self, turn_id: str) -> list[Event]:
        stream = self.request("GET", f"{API}/stream/{turn_id}")
        assert stream.status_code == 200, stream.text
        return list(parse_sse(iter(stream.text.splitlines())))

    def turn(self, message: str, **fields: Any) -> str:
        """Ask, and return the turn_id once it is over."""
        turn_id = self.ask(message, **fields)
        self.follow(turn_id)
        return turn_id


@dataclass
class Visitors:
    """Lets people in at a running daemon; their connections end with a `with` block."""

    world: World
    _stack: contextlib.ExitStack = field(default_factory=contextlib.ExitStack)

    def __enter__(self) -> Visitors:
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    @functools.cached_property
    def in_person(self) -> httpx2.Client:
        """The owner on the command line; paths are below /api/paliadin."""
        transport = self.world.command_transport()
        return self._stack.enter_context(httpx2.Client(transport=transport, base_url=f"http://paliadin{API}/"))

    @functools.cached_property
    def owner(self) -> Somebody:
        """A program that stands for the owner."""
        return Somebody("owner", self._stack.enter_context(self.world.client()))

    def let_in(self, person: str, **fields: Any) -> Somebody:
        """Add a person, as `paliadin people add` does, and sign a browser of theirs in."""
        body = {"id": person, "name": f"{person.title()} Example", **fields}
        added = self.in_person.post("people", json=body)
        assert added.status_code == 201, added.text
        return self.at_page(person)

    def at_page(self, person: str) -> Somebody:
        """A person who was added, in another browser that is signed in."""
        base = f"http://127.0.0.1:{self.world.options['PORT']}"
        options: dict[str, Any] = {"trust_env": False, "timeout": 60, "verify": False, "headers": {"Origin": base}}
        client = self._stack.enter_context(httpx2.Client(base_url=base, **options))
        address = self.in_person.post(f"people/{person}/tickets", json={}).json()["path_address"]
        assert client.get(address).status_code == 303
        return Somebody(person, client, f"/~{self.world.label}")

    def in_drawer(self, person: str, origin: str) -> Somebody:
        """Somebody whom an application names, in its drawer."""
        token = self.owner.post("embed-token", {"origin": origin, "person": person}).json()["token"]
        headers = {"Authorization": f"Bearer {token}", "Origin": origin}
        return Somebody(person, self._stack.enter_context(self.world.client(headers=headers)))
