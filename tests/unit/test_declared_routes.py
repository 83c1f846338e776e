"""A route is declared once, beside its handler; what its request names is found before the handler is called."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import httpx2
import pytest
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from paliadin.daemon import make_parts
from paliadin.people.account import account_name
from paliadin.people.caller import Scope
from paliadin.relays.scripted import ScriptedRelay
from paliadin.turnlog.description import Description
from paliadin.turnlog.folder import TurnFolder
from paliadin.turnlog.ids import new_turn_id
from paliadin.turns.lifecycle import Turns
from paliadin.web.app import create_app
from paliadin.web.openapi.document import describe
from paliadin.web.route_declaration import SESSION_IN_BODY, TURN_IN_PATH, Operation, Whose, route
from paliadin.web.scoped_routes import routes_of, session_of
from tests.worlds.door import APP, OWN, make_settings
from tests.worlds.typed_play import play
from tests.worlds.world import TOKEN, give_key

API = "/api/paliadin"
NOBODYS_TURN = "019a2b3c-4d5e-7f60-8123-456789abcdef"


class OfAPart:
    """The routes of an optional part: no table anywhere else names them."""

    def __init__(self) -> None:
        self.reached: list[str] = []

    @route("POST", "toys", Scope.CONVERSATION, SESSION_IN_BODY, audit="played")
    @Operation({"type": "object"}, errors=(404, 422))
    async def play(self, request: Request) -> Response:
        """Play in a conversation."""
        self.reached.append(session_of(request))
        return JSONResponse({"session": session_of(request)})

    @route("GET", "toys/{turn_id}", Scope.CONVERSATION, TURN_IN_PATH)
    @Operation({"type": "object"}, errors=(404,))
    async def show(self, request: Request) -> Response:
        """A toy of the turn's."""
        self.reached.append(request.path_params["turn_id"])
        return JSONResponse({})


@asynccontextmanager
async def served(home: Path, part: OfAPart) -> AsyncIterator[tuple[httpx2.AsyncClient, Turns]]:
    """A daemon with this part, asked by a member; and its turns."""
    settings, access = make_settings(home), give_key(home)
    access.people.add("ann", "Ann")
    settings.sessions_dir.mkdir()
    api = make_parts(settings, access, [ScriptedRelay(play)]).api
    app = create_app(replace(api, more_routes=routes_of(part)))
    cookie = access.sign_in(access.new_ticket("ann"), "")
    headers = {"Cookie": f"paliadin={cookie}", "Origin": OWN}
    at = f"{OWN}/~{access.label}{API}/"
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app=app), base_url=at, headers=headers) as client:
        yield client, api.turns


async def test_the_handler_is_called_with_what_is_the_callers_only(tmp_path: Path) -> None:
    part, theirs = OfAPart(), new_turn_id()
    async with served(tmp_path, part) as (client, turns):
        described = Description.parse({"turn_id": theirs, "session_id": "main", "user_message": "x"})
        TurnFolder(turns.settings.response_dir, theirs).create(described)
        (turns.settings.sessions_dir / "owners").mkdir()
        for hidden, missing in (("owners", "nobodys"), (3, 4)):
            refused = [await client.post("toys", json={"session_id": each}) for each in (hidden, missing)]
            assert refused[0].status_code == refused[1].status_code != 200
            assert refused[0].content == refused[1].content
        refused = [await client.get(f"toys/{each}") for each in (theirs, NOBODYS_TURN)]
        assert [each.status_code for each in refused] == [404, 404]
        assert refused[0].content == refused[1].content
        assert (await client.post("toys", content=b"{")).json()["error"]["code"] == "malformed_body"
        assert part.reached == []
        mine = (await client.post("toys", json={})).json()["session"]
        assert part.reached == [mine]
        assert mine.startswith("ann-")
    assert "played" in (tmp_path / "audit.jsonl").read_text()


async def test_what_is_no_object_is_refused_before_the_turn_that_it_is_for(owner: httpx2.AsyncClient) -> None:
    refused = await owner.post(f"{API}/stream/{NOBODYS_TURN}/answer", content=b"{")
    assert (refused.status_code, refused.json()["error"]["code"]) == (400, "malformed_body")


async def test_the_description_has_a_parts_routes(tmp_path: Path) -> None:
    async with served(tmp_path, OfAPart()) as (client, _):
        headers = {"Authorization": f"Bearer {TOKEN}", "Cookie": ""}
        paths = (await client.get(f"{OWN}{API}/openapi.json", headers=headers)).json()["paths"]
    assert paths[f"{API}/toys"]["post"]["summary"] == "Play in a conversation."
    assert paths[f"{API}/toys/{{turn_id}}"]["get"]["parameters"][0]["name"] == "turn_id"


@pytest.mark.parametrize(("scope", "whose"), [(Scope.OWNER, Whose.CALLERS), (Scope.PAGE, Whose.OWNERS)])
def test_what_members_may_call_is_not_the_owners_and_the_other_way_round(scope: Scope, whose: Whose) -> None:
    with pytest.raises(ValueError, match="is about"):
        route("GET", "toys", scope, whose)


def test_a_handler_without_a_declaration_is_no_route() -> None:
    assert [each.path for each in routes_of(OfAPart())] == [f"{API}/toys", f"{API}/toys/{{turn_id}}"]
    assert routes_of(object()) == []
    assert describe([])["paths"] == {}


@pytest.fixture
async def owner(tmp_path: Path) -> AsyncIterator[httpx2.AsyncClient]:
    settings, access = make_settings(tmp_path), give_key(tmp_path)
    app = create_app(make_parts(settings, access, [ScriptedRelay(play)]).api)
    headers = {"Authorization": f"Bearer {TOKEN}"}
    settings.sessions_dir.mkdir(exist_ok=True)
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app=app), base_url=OWN, headers=headers) as client:
        yield client


async def test_a_conversation_is_made_with_a_name_and_found_by_it(owner: httpx2.AsyncClient) -> None:
    made = await owner.post(f"{API}/conversations", json={"name": "nightly", "title": "Every night"})
    assert (made.status_code, made.json()["id"], made.json()["title"]) == (201, "nightly", "Every night")
    again = await owner.post(f"{API}/conversations", json={"name": "nightly", "title": "Another"})
    assert again.json() == made.json()
    assert (await owner.post(f"{API}/conversations", json={"name": "main"})).json()["id"] == "main"
    assert (await owner.get(f"{API}/conversations/nightly")).json()["title"] == "Every night"


@pytest.mark.parametrize(
    "body",
    [
        *({"name": name} for name in ("", 1, "../x", "x@far", "x" * 65)),
        {"name": "x", "branch_of": NOBODYS_TURN},
        {"name": "x", "host": "here"},
    ],
)
async def test_a_name_that_cannot_be_one_is_refused(owner: httpx2.AsyncClient, body: dict[str, object]) -> None:
    refused = await owner.post(f"{API}/conversations", json=body)
    assert (refused.status_code, refused.json()["error"]["code"]) == (422, "invalid_field")


async def test_a_member_gives_no_names(tmp_path: Path) -> None:
    async with served(tmp_path, OfAPart()) as (client, _):
        assert (await client.post("conversations", json={"name": "nightly"})).status_code == 422
        assert (await client.post("conversations", json={})).status_code == 201


@pytest.mark.parametrize("query", ["", "?session_id=", "?session_id=main"])
async def test_the_health_of_no_session_in_particular_is_told(owner: httpx2.AsyncClient, query: str) -> None:
    assert (await owner.get(f"{API}/health{query}")).status_code == 200
    assert (await owner.get(f"{API}/history?session_id=")).status_code == 404


@pytest.mark.parametrize(
    ("path", "refused"),
    [("search?words=x", (404, "unknown_session")), ("history?limit=5", (503, "relay_unreachable"))],
)
async def test_the_record_of_another_daemon_is_not_for_a_drawer(
    tmp_path: Path, path: str, refused: tuple[int, str]
) -> None:
    """The database is shared; the owner in a drawer sees what is theirs in that application, which the peer knows."""
    peers = {"office": "http://127.0.0.1:9"}
    settings = replace(make_settings(tmp_path), name="laptop", peers=peers, peer_keys={"office": "key-of-the-office"})
    access = give_key(tmp_path)
    settings.sessions_dir.mkdir()
    api = make_parts(settings, access, [ScriptedRelay(play)]).api
    token = access.embed_tokens.issue(APP, account_name())
    in_drawer = {"Authorization": f"Bearer {token}", "Origin": APP}
    async with (
        api.peers.running(),
        httpx2.AsyncClient(transport=httpx2.ASGITransport(app=create_app(api)), base_url=OWN) as client,
    ):
        answered = await client.get(f"{API}/{path}&session_id=main@office", headers=in_drawer)
    assert (answered.status_code, answered.json()["error"]["code"]) == refused
