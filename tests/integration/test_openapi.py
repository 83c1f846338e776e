"""Every route that the daemon describes, with every kind of value in every field: none fails, all answer as described.

The fields come from the description itself. The turns are those of the public fake relay: no Claude Code is needed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx2
import jsonschema_rs
import pytest

from paliadin.demo.scripted_api import ScriptedApi
from tests.integration.conftest import make_world
from tests.load.description import run_schemathesis
from tests.worlds.world import World, eventually

API = "/api/paliadin"
DEEP: Any = []
for _ in range(90):
    DEEP = [DEEP]
VALUES: list[Any] = [None, True, False, 0, -1, 10**30, 1.5, "", "x", " ", "\0", "\ud800", "\u0301" * 50, "x" * 200_000]
VALUES += ["up", "main", "../..", [], ["x"], [None], DEEP, {}, {"x": 1}, {"deny": 1}, {"": None}]
BODIES = [*VALUES, [{}], b"", b"{", b"\xff", b'{"a": NaN}', b'{"a": 1, "a": 2}']
TEXTS = ["", "0", "-1", "9" * 400, "x", "' or 1=1 --", "%", "\0", "é\u0301", "2026-13-45", "9999-12-31", "null", "[]"]


@dataclass
class Described:
    """A daemon, and its description of itself."""

    world: World
    document: dict[str, Any]
    client: httpx2.Client
    in_person: httpx2.Client

    def operations(self) -> Iterator[tuple[str, str, dict[str, Any]]]:
        for path, methods in self.document["paths"].items():
            for method, operation in methods.items():
                yield method, path, operation

    def send(self, method: str, path: str, *, at: str = "", **options: Any) -> httpx2.Response:
        """Send a request to the route `path`; its response is one that the description has."""
        operation = self.document["paths"][path][method]
        client = self.in_person if operation["security"] == [{"cookie": []}] else self.client
        response = client.request(method.upper(), at or path, **options)
        sent = f"{method} {at or path} {str(options)[:200]}: {response.status_code} {response.text[:500]}"
        assert response.status_code < 500, sent
        assert str(response.status_code) in operation["responses"], sent
        content = operation["responses"][str(response.status_code)]["content"]
        kind = response.headers["content-type"].partition(";")[0]
        assert kind in content, sent
        if kind == "application/json":
            schema = {**content[kind]["schema"], "components": self.document["components"]}
            jsonschema_rs.Draft202012Validator(schema).validate(response.json())
        return response

    def waiting(self) -> tuple[str, str]:
        """A turn that waits for a permission, and the interrupt's id."""
        history = self.client.get(f"{API}/history?limit=1").json()
        if not history["running_turn"]:
            self.world.ask(f"in:{self.world.workdir} scene:permission")

        def interrupted() -> Any:
            turn = self.client.get(f"{API}/history?limit=1").json()["turns"][-1]
            return turn["interrupts"] and (turn["turn_id"], turn["interrupts"][0]["id"])

        found: tuple[str, str] = eventually(interrupted, what="the permission is asked for")
        return found

    def rest(self) -> str:
        """Have nothing running; the id of the newest turn."""
        if running := self.client.get(f"{API}/history?limit=1").json()["running_turn"]:
            self.client.post(f"{API}/stream/{running}/abort")
            list(self.world.follow(running))
        return str(self.client.get(f"{API}/history?limit=1").json()["turns"][-1]["turn_id"])


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory, one_claude: Path, api: tuple[ScriptedApi, str]) -> Iterator[World]:
    for world in make_world(tmp_path_factory.mktemp("openapi"), one_claude, api):
        world.scripted = True
        world.options |= {"ALLOWED_ORIGINS": "http://app.example", "PALIAD": "true"}
        world.start()
        world.turn("Something to find")
        yield world


@pytest.fixture
def described(world: World) -> Iterator[Described]:
    transport = world.command_transport()
    with world.client() as client, httpx2.Client(transport=transport, base_url="http://paliadin") as in_person:
        yield Described(world, client.get(f"{API}/openapi.json").json(), client, in_person)


def encode(body: Any) -> bytes:
    return body if isinstance(body, bytes) else json.dumps(body).encode()


VALID: dict[str, Any] = {"user_message": "x", "origin": "http://app.example", "person": "ada"}
VALID |= {"name": "made", "purpose": "metrics"}


def objects(schema: dict[str, Any], name: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    """The fields of a body, also those of objects in it: "context.view_mode"."""
    for each in (schema, *schema.get("anyOf", [])):
        for field, inner in each.get("properties", {}).items():
            yield f"{name}{field}", inner
            yield from objects(inner, f"{name}{field}.")


def put(body: dict[str, Any], field: str, value: Any) -> dict[str, Any]:
    outer, _, inner = field.partition(".")
    return body | {outer: {inner: value} if inner else value}


def fill(path: str, values: dict[str, str]) -> str:
    names = re.findall(r"{(\w+)}", path)
    return path.format(**{name: quote(values.get(name, "x"), safe="") for name in names})


@pytest.mark.long
def test_every_field_of_every_body_takes_every_kind_of_value(described: Described) -> None:
    tried = 0
    for method, path, operation in described.operations():
        schema = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema")
        if schema is None:
            continue
        fields = [field for field, _ in objects(schema)]
        required = {name: VALID.get(name, "x") for name in schema.get("required", [])}
        bodies = [put(required, field, value) for field in fields for value in VALUES]
        turn_id, interrupt, known = described.rest(), "", {"session_id": "main"}
        for body in [*bodies, *BODIES]:
            if path.endswith("/answer"):
                turn_id, interrupt = described.waiting()
            if interrupt and isinstance(body, dict) and body.get("interrupt_id") == "x":
                body["interrupt_id"] = interrupt
            response = described.send(method, path, at=fill(path, known | {"turn_id": turn_id}), content=encode(body))
            if response.status_code == 202:
                list(described.world.follow(response.json()["turn_id"]))
            tried += 1
    described.rest()
    assert tried > 600


@pytest.mark.long
def test_every_parameter_takes_every_text(described: Described) -> None:
    turn_id, tried, seen = described.rest(), 0, set()
    for method, path, operation in described.operations():
        body = {"content": b"{}"} if "requestBody" in operation else {}
        for parameter in operation.get("parameters", []):
            known = {"turn_id": turn_id, "format": "jsonl"}
            name, place = parameter["name"], parameter["in"]
            # The pages of the dashboard share theirs; a wrong ticket is answered a second late.
            texts = TEXTS[::4] if name in seen or name == "ticket" else TEXTS
            seen.add(name)
            for text in texts:
                options: dict[str, Any] = dict(body)
                if place == "query":
                    options["params"] = {name: text}
                elif place == "header" and text.isprintable():
                    options["headers"] = {name: text.encode()}
                elif place == "path" and text:
                    known = known | {name: text}
                described.send(method, path, at=fill(path, known), **options)
                tried += 1
    assert tried > 500


def test_what_needs_nothing_answers_as_described(described: Described) -> None:
    known = {"turn_id": described.rest(), "session_id": "main", "format": "csv", "picture": "0" * 32}
    for method, path, operation in described.operations():
        if method == "get":
            described.send(method, path, at=fill(path, known))
        assert "401" in operation["responses"] or path == "/livez"
    described.send("post", f"{API}/access/rotate")
    described.send("post", f"{API}/access/sign-out", content=b'{"everywhere": true}')
    with httpx2.Client(base_url=described.client.base_url, trust_env=False) as stranger:
        for method, path, operation in described.operations():
            response = stranger.request(method.upper(), fill(path, known))
            assert str(response.status_code) in operation["responses"], path


@pytest.mark.matrix
def test_schemathesis_finds_no_response_that_is_not_described(described: Described, tmp_path: Path) -> None:
    """`make load PARTS=description` does so for longer."""
    described.rest()
    ended = run_schemathesis(described.world, tmp_path, examples=1, seconds=110)
    assert ended.returncode == 0, ended.stdout[-6000:] + ended.stderr[-2000:]
