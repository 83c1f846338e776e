"""A page of another origin that is allowed: what it may load and ask for, with a token made for it and nothing else."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx2
import pytest

from paliadin.demo.scripted_api import ScriptedApi
from paliadin.people.embed_tokens import LIFETIME, EmbedTokens
from tests.integration.conftest import make_world
from tests.worlds.door import APP, Door, make_settings, real_routes
from tests.worlds.world import TOKEN, World

API = "/api/paliadin"
TURN = f"{API}/turn"


@pytest.fixture(scope="module")
def embedding(
    tmp_path_factory: pytest.TempPathFactory, one_claude: Path, api: tuple[ScriptedApi, str]
) -> Iterator[World]:
    """A daemon that knows the application's origin."""
    for world in make_world(tmp_path_factory.mktemp("embed"), one_claude, api, played=True):
        world.options["ALLOWED_ORIGINS"] = APP
        world.start()
        yield world


@pytest.fixture(scope="module")
def door(tmp_path_factory: pytest.TempPathFactory) -> Door:
    settings = make_settings(tmp_path_factory.mktemp("door"))
    return Door(settings, real_routes(settings))


def ask(
    door: Door, method: str, path: str, origin: str | None = APP, token: str | None = None, **headers: str
) -> httpx2.Response:
    """The door's response."""
    if origin:
        headers["Origin"] = origin
    if token:
        headers["Authorization"] = f"Bearer {token}"
    return door.ask(method, path, headers)


def made(door: Door, origin: str = APP, person: str = "ada", ago: float = 0) -> str:
    return door.access.embed_tokens.issue(origin, person, time.time() - ago)


def code(response: httpx2.Response) -> tuple[int, str]:
    return response.status_code, response.json()["error"]["code"]


@pytest.mark.parametrize(
    ("method", "path"), [("POST", TURN), ("GET", f"{API}/history"), ("POST", f"{API}/stream/x/answer")]
)
def test_with_its_token_an_allowed_page_asks_for_its_person_and_may_read_the_answer(
    door: Door, method: str, path: str
) -> None:
    response = ask(door, method, path, token=made(door))
    assert (response.status_code, response.json()["caller"]["person"]) == (200, "ada")
    assert response.headers["access-control-allow-origin"] == APP
    assert response.headers["vary"] == "Origin"
    assert "access-control-allow-credentials" not in response.headers


@pytest.mark.parametrize(
    "token",
    [
        lambda _: None,
        lambda _: TOKEN,
        lambda door: made(door, "https://p.example"),
        lambda door: made(door, ago=LIFETIME + 1),
        lambda door: made(door) + "0",
        lambda door: "." + made(door).partition(".")[2],
        lambda door: made(door).replace(".", "x."),
        lambda _: EmbedTokens().issue(APP, "ada"),
    ],
    ids=["none", "the owner's", "another origin's", "over", "longer", "empty", "changed", "another daemon's"],
)
def test_any_other_token_is_refused(door: Door, token: Callable[[Door], str | None]) -> None:
    response = ask(door, "POST", TURN, token=token(door))
    assert code(response) == (401, "no_embed_token")
    assert response.headers["access-control-allow-origin"] == APP  # so that the drawer can read why


def test_the_token_is_good_for_its_own_origin_only(door: Door) -> None:
    response = ask(door, "POST", TURN, origin="https://evil.example", token=made(door))
    assert code(response) == (403, "foreign_origin")
    assert "access-control-allow-origin" not in response.headers
    assert code(ask(door, "GET", f"{API}/history", origin=None, token=made(door))) == (401, "no_token")


@pytest.mark.parametrize("path", ["/metrics", f"{API}/embed-token", f"{API}/sessions", "/paliadin"])
def test_the_token_opens_only_what_the_drawer_needs(door: Door, path: str) -> None:
    assert code(ask(door, "POST", path, token=made(door))) == (403, "foreign_origin")


def test_the_cookie_counts_for_nothing_on_another_page(door: Door) -> None:
    cookie, own = door.sign_in(), door.prefix
    assert ask(door, "GET", f"{own}{API}/history", origin=None, Cookie=cookie).status_code == 200
    assert code(ask(door, "GET", f"{own}{API}/history", Cookie=cookie)) == (401, "no_embed_token")
    behind_tls = ask(door, "POST", own + TURN, origin="https://p.example", Cookie=cookie)  # ours, behind a TLS proxy
    assert behind_tls.status_code == 200


def test_a_preflight_is_answered_for_an_allowed_origin_and_no_other(door: Door) -> None:
    response = ask(door, "OPTIONS", TURN)
    assert response.status_code == 204
    assert "authorization" in response.headers["access-control-allow-headers"]
    assert code(ask(door, "OPTIONS", TURN, origin="https://evil.example")) == (401, "no_token")


def test_the_drawers_code_is_for_allowed_origins(door: Door) -> None:
    for path in ("/widget.js", "/paliadin/static/js/daemon/api.js"):
        response = ask(door, "GET", path)
        assert response.status_code == 200
        assert response.headers["cross-origin-resource-policy"] == "cross-origin"
        assert code(ask(door, "GET", path, origin="https://evil.example")) == (401, "no_token")
        assert code(ask(door, "POST", path)) == (401, "no_embed_token")


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ({"origin": "https://evil.example", "person": "ada"}, (403, "foreign_origin")),
        ({"person": "ada"}, (403, "foreign_origin")),
        ({"origin": APP}, (422, "invalid_field")),
        ({"origin": APP, "person": "x" * 201}, (422, "invalid_field")),
    ],
)
def test_a_token_is_made_for_a_known_origin_and_a_named_person(
    embedding: World, body: dict[str, str], expected: tuple[int, str]
) -> None:
    assert code(embedding.post("embed-token", body)) == expected


def test_a_turn_of_an_embedded_drawer_has_its_person_and_origin_in_the_row(embedding: World) -> None:
    response = embedding.post("embed-token", {"origin": APP, "person": "ada"})
    assert response.headers["cache-control"] == "no-store"
    headers = {"Authorization": f"Bearer {response.json()['token']}", "Origin": APP}
    with embedding.client(headers=headers) as client:
        body = {"user_message": "Hello", "origin": "cli", "context": {"route_name": "agenda"}}
        turn_id = client.post(TURN, json=body).json()["turn_id"]
        assert "event: end" in client.get(f"{API}/stream/{turn_id}").text
    description = next(embedding.settings.response_dir.glob(f"*/{turn_id}/turn.json")).read_text()
    item = embedding.get(f"history?session_id={json.loads(description)['session_id']}")["turns"][-1]
    assert (item["origin"], item["context"]["route_name"]) == ("widget", "agenda")
    assert '"ada"' in description
    assert APP in description
