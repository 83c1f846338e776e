"""The OpenAPI description: it names every route, and what it says of events is what events are."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any, get_args

import jsonschema_rs
import pytest
from starlette.routing import BaseRoute

from paliadin.events.chips import Destinations
from paliadin.events.model import EventData
from paliadin.prompt.context import Context
from paliadin.reports.filters import Filter
from paliadin.turnlog.read import LogReader
from paliadin.web.openapi.components import of_type
from paliadin.web.openapi.document import describe
from paliadin.web.scoped_routes import ScopedRoute
from tests.worlds.door import make_settings, real_routes
from tests.worlds.logs import reduced, sent

LOGS = sorted((Path(__file__).parents[1] / "logs").glob("*.jsonl"))


@pytest.fixture(scope="module")
def routes(tmp_path_factory: pytest.TempPathFactory) -> list[BaseRoute]:
    return real_routes(make_settings(tmp_path_factory.mktemp("openapi")))


@pytest.fixture(scope="module")
def document(routes: list[BaseRoute]) -> dict[str, Any]:
    return json.loads(json.dumps(describe(routes)))  # type: ignore[arg-type]  # all are declared


def test_every_route_is_described_and_nothing_else(routes: list[BaseRoute], document: dict[str, Any]) -> None:
    mounted = {
        (route.path, method.lower())
        for route in routes
        if isinstance(route, ScopedRoute)
        for method in (route.methods or set()) - {"HEAD"}
    }
    described = {
        (path, method): each for path, methods in document["paths"].items() for method, each in methods.items()
    }
    assert mounted == set(described)
    for each in described.values():
        assert re.fullmatch(r"[A-Z].*\.", each["summary"])


def test_the_document_holds_together(document: dict[str, Any]) -> None:
    assert document["openapi"] == "3.1.0"
    for reference in references(document):
        assert reference.removeprefix("#/components/schemas/") in document["components"]["schemas"]
    for path, methods in document["paths"].items():
        for operation in methods.values():
            named = {each["name"] for each in operation.get("parameters", []) if each["in"] == "path"}
            assert named == {part.partition("}")[0] for part in path.split("{")[1:]}, path
            for schema in schemas(operation):
                jsonschema_rs.Draft202012Validator({**schema, "components": document["components"]})


def references(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        yield from [value["$ref"]] if "$ref" in value else []
    for each in value.values() if isinstance(value, dict) else value if isinstance(value, list) else ():
        yield from references(each)


def schemas(operation: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield from (each["schema"] for each in operation.get("parameters", []))
    for holder in (operation.get("requestBody", {}), *operation["responses"].values()):
        yield from (content["schema"] for content in holder.get("content", {}).values())


@pytest.mark.parametrize("log", LOGS, ids=[log.stem for log in LOGS])
def test_events_are_what_their_schema_says(document: dict[str, Any], log: Path) -> None:
    description = json.loads(log.with_suffix(".json").read_text("utf-8"))["description"]
    events = sent(reduced(description, LogReader(log).read(), Destinations({})).events)
    assert events
    for event in events:
        schema = {"$ref": f"#/components/schemas/{event.name}", "components": document["components"]}
        jsonschema_rs.Draft202012Validator(schema).validate(event.data)


def test_every_event_has_a_schema_and_what_is_missing_in_it_is_an_error(document: dict[str, Any]) -> None:
    for kind in get_args(EventData):
        schema = {"$ref": f"#/components/schemas/{kind.event}", "components": document["components"]}
        assert not jsonschema_rs.Draft202012Validator(schema).is_valid({}), kind
    with pytest.raises(TypeError, match="no schema"):
        of_type(set)


def test_what_the_context_and_the_filters_take_is_described(document: dict[str, Any]) -> None:
    content = document["paths"]["/api/paliadin/turn"]["post"]["requestBody"]["content"]
    described = content["application/json"]["schema"]
    fields = described["properties"]["context"]["anyOf"][0]["properties"]
    given = Context.parse(dict.fromkeys(fields, "x"))
    assert set(given.as_json()) == set(fields)
    parameters = [each["name"] for each in document["paths"]["/admin/paliadin"]["get"]["parameters"]]
    today = date(2026, 1, 1)
    values = dict.fromkeys(parameters, "tool") | {"verdict": "unsupported"}
    changed = [name for name in parameters if Filter.parse({name: values[name]}, today) != Filter.parse({}, today)]
    assert set(changed) == set(parameters) - {"span", "from", "to", "lang", "chart"}
