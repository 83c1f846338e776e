"""Who may call which route: every route of the real application, with every kind of caller."""

from __future__ import annotations

import contextlib
import getpass
import json
import re
import threading
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import httpx2
import pytest
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute, Mount, Route

from paliadin.base.errors import BadRequest
from paliadin.daemon import make_parts
from paliadin.people.access import Purpose
from paliadin.people.account import account_name
from paliadin.people.caller import Caller, Role, Scope
from paliadin.people.caller import Door as Way
from paliadin.relays.scripted import ScriptedRelay
from paliadin.web import route_declaration as declaration
from paliadin.web.app import create_app
from paliadin.web.forwarding import compose_header, parse_header
from paliadin.web.scoped_routes import Declared, ScopedMount, ScopedRoute, routes_of
from tests.worlds.door import APP, OWN, Door, make_settings, real_routes
from tests.worlds.typed_play import play
from tests.worlds.world import TOKEN, give_key

DOCUMENTED = (Path(__file__).parents[2] / "docs" / "http.md").read_text("utf-8")
API = "/api/paliadin"
BEARER = {"Authorization": f"Bearer {TOKEN}"}
WRONG = {"Authorization": "Bearer wrong-token-0123456789"}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("access")


@pytest.fixture(scope="module")
def routes(home: Path) -> list[BaseRoute]:
    return real_routes(make_settings(home))


@pytest.fixture(scope="module")
def door(home: Path, routes: list[BaseRoute]) -> Door:
    return Door(make_settings(home), routes)


def embedded(door: Door, person: str = "ada") -> dict[str, str]:
    return {"Authorization": f"Bearer {door.access.embed_tokens.issue(APP, person)}", "Origin": APP}


def keyed(door: Door, purpose: Purpose) -> dict[str, str]:
    """With a key for this purpose."""
    name = f"{purpose}-{len(door.access.list_keys())}"
    return {"Authorization": f"Bearer {door.access.add_key(name, purpose)}"}


def forwarded(door: Door, **details: Any) -> dict[str, str]:
    return {**keyed(door, Purpose.PEER), "Paliadin-For": json.dumps(details)}


def verdict_of(response: httpx2.Response) -> tuple[int, str]:
    return response.status_code, "" if response.status_code == 200 else response.json()["error"]["code"]


def verdict(door: Door, method: str, path: str, headers: dict[str, str]) -> tuple[int, str]:
    return verdict_of(door.ask(method, path, headers))


def undeclared(routes: list[BaseRoute]) -> Iterator[BaseRoute]:
    """The routes that declare no scope, and those within a mount, which would have the mount's in truth."""
    for route in routes:
        if not isinstance(route, Declared) or not isinstance(route.scope, Scope):
            yield route
        if isinstance(route, Mount):
            yield from route.routes


def test_every_route_declares_its_scope(routes: list[BaseRoute]) -> None:
    assert len(routes) > 20
    assert list(undeclared(routes)) == []


WORDS = {
    "anybody": Scope.PUBLIC,
    "allowed pages": Scope.DRAWER_CODE,
    "drawer": Scope.CONVERSATION,
    "metrics": Scope.METRICS,
    "applications": Scope.EMBED,
    "page": Scope.PAGE,
    "owner": Scope.OWNER,
    "owner in person": Scope.ACCESS,
}


def test_the_documentation_says_of_each_route_whom_it_is_open_to(routes: list[BaseRoute]) -> None:
    documented = {
        (method, path.partition("?")[0].removesuffix("/…")): WORDS[word]
        for cell, word in re.findall(r"^\| (.*?`) \|.*\| ([a-z ]+) \|$", DOCUMENTED, re.MULTILINE)
        if word in WORDS
        for method, path in re.findall(r"`([A-Z]+) (/[^`]*)`", cell)
    }
    declared = {
        (method, route.path): route.scope
        for route in routes
        if isinstance(route, Declared)
        for method in getattr(route, "methods", {"GET"}) - {"HEAD"}
    }
    assert documented == declared


async def nothing(_request: object) -> Any:
    raise AssertionError


@pytest.mark.parametrize("forgotten", [Route("/new", nothing), Mount("/new", routes=[])], ids=["route", "mount"])
def test_a_route_without_a_scope_is_open_to_nobody(home: Path, forgotten: BaseRoute) -> None:
    assert list(undeclared([forgotten])) == [forgotten]
    door = Door(make_settings(home), [forgotten])
    path = "/new" if isinstance(forgotten, Route) else "/new/x"
    for headers in ({}, BEARER, embedded(door)):
        assert verdict(door, "GET", path, headers) == (500, "internal_error")
        assert verdict(door, "POST", path, headers) == (500, "internal_error")


def requests_for(route: BaseRoute) -> Iterator[tuple[str, str]]:
    """(method, path) of a request that the route takes."""
    if isinstance(route, ScopedMount):
        yield "GET", f"{route.path}/js/main.js"
        return
    assert isinstance(route, ScopedRoute)
    path = re.sub(r"\{\w+\}", "019a2b3c-4d5e-7f60-8123-456789abcdef", route.path)
    for method in sorted(route.methods or ()):
        yield method, path


HIDDEN = (404, "not_found")
REFUSED, NO_DRAWER, FOREIGN = (401, "no_token"), (401, "no_embed_token"), (403, "foreign_origin")
OPEN, WRONG_KEY, NO_CALLER = (200, ""), (403, "wrong_key"), (400, "malformed_header")
MEMBERS = ["member", "member at its host"]
NOBODY = {"nothing": REFUSED, "wrong key": REFUSED, "cookie elsewhere": REFUSED, "peer for nobody": NO_CALLER}
PROGRAMS = {"owner's key": OPEN, "embedding key": WRONG_KEY, "metrics key": WRONG_KEY}
STRANGE_PAGE = {"allowed page": NO_DRAWER, "allowed page, wrong token": NO_DRAWER, "allowed page, cookie": NO_DRAWER}
EXPECTED: dict[Scope, dict[str, tuple[int, str]]] = {
    Scope.PUBLIC: dict.fromkeys(
        [*NOBODY, *PROGRAMS, *STRANGE_PAGE, *MEMBERS, "cookie", "cookie at its host", "drawer", "forwarded drawer"],
        OPEN,
    ),
    Scope.DRAWER_CODE: {
        **NOBODY,
        **PROGRAMS,
        **dict.fromkeys([*STRANGE_PAGE, *MEMBERS, "cookie", "cookie at its host", "drawer"], OPEN),
        "forwarded drawer": FOREIGN,
    },
    Scope.CONVERSATION: {
        **NOBODY,
        **PROGRAMS,
        **STRANGE_PAGE,
        **dict.fromkeys([*MEMBERS, "cookie", "cookie at its host", "drawer", "forwarded drawer"], OPEN),
    },
    Scope.PAGE: {
        **NOBODY,
        **PROGRAMS,
        **STRANGE_PAGE,
        **dict.fromkeys([*MEMBERS, "cookie", "cookie at its host"], OPEN),
        **dict.fromkeys(["drawer", "forwarded drawer"], FOREIGN),
    },
    Scope.METRICS: {
        **NOBODY,
        **PROGRAMS,
        **STRANGE_PAGE,
        **dict.fromkeys(MEMBERS, HIDDEN),
        **dict.fromkeys(["cookie", "cookie at its host", "metrics key"], OPEN),
        **dict.fromkeys(["drawer", "forwarded drawer"], FOREIGN),
    },
    Scope.EMBED: {
        **NOBODY,
        **PROGRAMS,
        **STRANGE_PAGE,
        **dict.fromkeys(MEMBERS, HIDDEN),
        **dict.fromkeys(["cookie", "cookie at its host", "embedding key"], OPEN),
        **dict.fromkeys(["drawer", "forwarded drawer"], FOREIGN),
    },
    Scope.OWNER: {
        **NOBODY,
        **PROGRAMS,
        **STRANGE_PAGE,
        **dict.fromkeys(MEMBERS, HIDDEN),
        **dict.fromkeys(["cookie", "cookie at its host"], OPEN),
        **dict.fromkeys(["drawer", "forwarded drawer"], FOREIGN),
    },
    Scope.ACCESS: {
        **NOBODY,
        **PROGRAMS,
        **STRANGE_PAGE,
        **dict.fromkeys(MEMBERS, HIDDEN),
        **dict.fromkeys(["cookie", "cookie at its host"], OPEN),
        **dict.fromkeys(["drawer", "forwarded drawer"], FOREIGN),
        "owner's key": WRONG_KEY,
    },
}


def callers(door: Door) -> dict[str, tuple[str, dict[str, str], str]]:
    """Kind of caller → where the request goes (its address, and a path before the route's) and its headers."""
    cookie = {"Cookie": door.sign_in()}
    host = {"Cookie": door.sign_in(), "Origin": door.own_host}
    if door.access.people.get("ann") is None:
        door.access.people.add("ann", "Ann Example")
    drawer = {"by": "o", "person": "ada", "role": "member", "page_origin": APP, "scope": "conversation"}
    return {
        "nothing": (OWN, {}, ""),
        "wrong key": (OWN, WRONG, ""),
        "cookie elsewhere": (OWN, {**cookie, "Origin": OWN}, ""),
        "peer for nobody": (OWN, keyed(door, Purpose.PEER), ""),
        "owner's key": (OWN, BEARER, ""),
        "embedding key": (OWN, keyed(door, Purpose.EMBED), ""),
        "metrics key": (OWN, keyed(door, Purpose.METRICS), ""),
        "cookie": (OWN, {**cookie, "Origin": OWN}, door.prefix),
        "cookie at its host": (door.own_host, host, ""),
        "member": (OWN, {"Cookie": door.sign_in("ann"), "Origin": OWN}, door.prefix),
        "member at its host": (door.own_host, {"Cookie": door.sign_in("ann"), "Origin": door.own_host}, ""),
        "allowed page": (OWN, {"Origin": APP}, ""),
        "allowed page, wrong token": (OWN, {"Origin": APP, **WRONG}, ""),
        "allowed page, cookie": (OWN, {"Origin": APP, **cookie}, door.prefix),
        "drawer": (OWN, embedded(door), ""),
        "forwarded drawer": (OWN, forwarded(door, **drawer), ""),
    }


def test_each_route_is_open_to_the_callers_of_its_scope_and_no_others(door: Door, routes: list[BaseRoute]) -> None:
    door.fail_fast()
    everybody = callers(door)
    assert {frozenset(row) for row in EXPECTED.values()} == {frozenset(everybody)}
    seen = set()
    for route in routes:
        assert isinstance(route, Declared)
        for method, path in requests_for(route):
            seen.add(route.scope)
            responses = {
                name: door.ask(method, before + path, sent, at=at) for name, (at, sent, before) in everybody.items()
            }
            found = {name: response.status_code for name, response in responses.items()}
            assert found == {name: status for name, (status, _) in EXPECTED[route.scope].items()}, (method, path)
            if method != "HEAD":
                codes = {name: verdict_of(response) for name, response in responses.items()}
                assert codes == EXPECTED[route.scope], (method, path)
    assert seen == set(Scope)


@pytest.mark.parametrize(
    "path",
    [
        *("/", "/no/such/path", API, f"{API}/", "/livez/", "/livezx", "/widget.jsx", "/paliadin/static", "/metrics/x"),
        *(f"{API}/turnx", f"{API}/turns", f"{API}/turn/", f"{API}/historyx", f"{API}/reset/all", f"{API}/stream/x/y"),
    ],
)
def test_only_the_owner_learns_that_there_is_no_such_path(door: Door, path: str) -> None:
    assert verdict(door, "GET", path, {}) == REFUSED
    assert verdict(door, "GET", path, {"Origin": APP}) == NO_DRAWER
    assert verdict(door, "GET", path, embedded(door)) == FOREIGN
    assert verdict(door, "GET", path, BEARER) == OPEN  # the router answers 404


def test_for_a_member_a_route_of_the_owners_is_a_path_that_does_not_exist(door: Door, routes: list[BaseRoute]) -> None:
    if door.access.people.get("ann") is None:
        door.access.people.add("ann", "Ann Example")
    sent = {"Cookie": door.sign_in("ann"), "Origin": OWN}
    for method in ("GET", "HEAD", "POST", "PATCH", "DELETE", "PUT", "OPTIONS"):
        unknown = door.ask(method, f"{door.prefix}/no/such/path", sent)
        assert unknown.status_code == 404
        for route in routes:
            assert isinstance(route, Declared)
            if not {Scope.OWNER, Scope.ACCESS, Scope.METRICS, Scope.EMBED} & {route.scope} or any(
                other.path == route.path and other.scope in {Scope.CONVERSATION, Scope.PAGE}
                for other in routes
                if isinstance(other, Declared)
            ):
                continue
            for _, path in requests_for(route):
                hidden = door.ask(method, door.prefix + path, sent)
                assert (hidden.status_code, hidden.content) == (404, unknown.content), (method, path)
                assert hidden.headers == unknown.headers, (method, path)


async def test_the_404_of_the_owner_and_of_a_member_are_the_same(home: Path) -> None:
    access = give_key(home)
    if access.people.get("ann") is None:
        access.people.add("ann", "Ann Example")
    cookie = access.sign_in(access.new_ticket("ann"), "")
    app = create_app(make_parts(make_settings(home), access, [ScriptedRelay(play)]).api)
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app=app), base_url=OWN) as client:
        owners = await client.get("/no/such/path", headers=BEARER)
        members = await client.get(f"/~{access.label}/no/such/path", headers={"Cookie": f"paliadin={cookie}"})
    assert (owners.status_code, owners.content) == (members.status_code, members.content)
    assert owners.headers == members.headers


async def test_what_a_conversation_s_model_cannot_do_is_refused_for_good(home: Path) -> None:
    """It is no fault of the relay: whoever asks again gets the same response."""
    app = create_app(make_parts(make_settings(home), give_key(home), [ScriptedRelay(play)]).api)
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app=app), base_url=OWN, headers=BEARER) as client:
        chosen = await client.patch(f"{API}/conversations/main", json={"model": None})
    assert (chosen.status_code, chosen.json()["error"]["code"]) == (422, "not_here")


def test_another_method_needs_what_its_route_needs(door: Door) -> None:
    assert verdict(door, "PUT", f"{API}/turn", embedded(door)) == OPEN  # the router answers 405
    assert verdict(door, "PUT", f"{API}/sessions", embedded(door)) == FOREIGN
    assert verdict(door, "PUT", f"{API}/turn", {}) == REFUSED
    assert verdict(door, "POST", "/widget.js", embedded(door)) == FOREIGN


def test_two_routes_of_one_path_have_each_its_own_scope(home: Path) -> None:
    class Group:
        @declaration.route("POST", "/new", Scope.CONVERSATION, declaration.Whose.CALLERS)
        @declaration.Operation({})
        async def ask(self, _request: Request) -> Response: ...

        @declaration.route("GET", "/new", Scope.OWNER, declaration.Whose.OWNERS)
        @declaration.Operation({})
        async def read(self, _request: Request) -> Response: ...

    asked, read = routes_of(Group())
    for routes in ([asked, read], [read, asked]):
        door = Door(make_settings(home), list(routes))
        assert verdict(door, "POST", "/new", embedded(door)) == OPEN
        assert verdict(door, "GET", "/new", embedded(door)) == FOREIGN


# Who the caller is.


def caller(door: Door, headers: dict[str, str], method: str = "POST", path: str = f"{API}/turn") -> Caller:
    response = door.ask(method, path, headers)
    assert response.status_code == 200, response.text
    return Caller(**response.json()["caller"])


def test_the_owner_is_the_account_and_a_page_has_its_origin(door: Door) -> None:
    program = Caller(getpass.getuser(), Role.OWNER, Scope.OWNER, door=Way.API, key="tests-owner")
    assert caller(door, BEARER) == program
    assert caller(door, {**BEARER, "Origin": "https://evil.example"}, "GET", f"{API}/history") == program
    cookie, path = {"Cookie": door.sign_in()}, f"{door.prefix}{API}/turn"
    for origin in (OWN, "https://p.example"):
        page = Caller(getpass.getuser(), Role.OWNER, Scope.ACCESS, origin, door=Way.PAGE)
        assert caller(door, {**cookie, "Origin": origin}, path=path) == page
    assert caller(door, cookie, "GET", path).door == Way.PAGE  # the browser says no origin when it loads a page


@pytest.mark.parametrize("others", ["paliadin={}; paliadin=another-ports", "a=b;paliadin=another-ports; paliadin={} "])
def test_a_cookie_that_another_ports_server_has_set_beside_ours_hides_it_not(door: Door, others: str) -> None:
    value = door.sign_in().removeprefix("paliadin=")
    headers = {"Cookie": others.format(value), "Origin": OWN}
    assert caller(door, headers, path=f"{door.prefix}{API}/turn").door == Way.PAGE


@pytest.mark.parametrize(
    ("path", "location"),
    [
        ("/deadlines/3", "http://127.0.0.1:8981/deadlines/3?x=1"),
        ("//evil.example", "http://127.0.0.1:8981//evil.example?x=1"),
        ("/paliadin/static/none.js", None),
        ("@evil.example/", None),
        (".evil.example/", None),
    ],
)
async def test_an_unknown_path_leads_to_the_application_and_nowhere_else(
    home: Path, path: str, location: str | None
) -> None:
    settings = replace(make_settings(home), application="http://127.0.0.1:8981")
    app = create_app(make_parts(settings, give_key(home), [ScriptedRelay(play)]).api)
    headers = [(b"host", b"p.example"), (b"authorization", BEARER["Authorization"].encode())]
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {"type": "http", "method": "GET", "path": path, "raw_path": path.encode(), "query_string": b"x=1"}
    await app({**scope, "headers": headers, "scheme": "http", "server": ("p.example", 80)}, None, send)  # type: ignore[arg-type]
    found = {name: value.decode() for name, value in sent[0]["headers"]}.get(b"location")
    assert (sent[0]["status"], found) == ((307, location) if location else (404, None))


def test_with_a_cookie_nothing_changes_unless_a_page_of_ours_asks(door: Door) -> None:
    path = f"{door.prefix}{API}/turn"
    for headers in ({}, {"Origin": "null"}, {"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "same-origin"}):
        assert verdict(door, "POST", path, {"Cookie": door.sign_in(), **headers}) == FOREIGN


def test_a_drawers_caller_is_the_person_of_its_token_and_gets_no_further_as_the_owner(door: Door) -> None:
    ada = Caller("ada", Role.MEMBER, Scope.CONVERSATION, APP, door=Way.WIDGET)
    assert caller(door, embedded(door)) == ada
    owner = Caller(account_name(), Role.OWNER, Scope.CONVERSATION, APP, door=Way.WIDGET)
    assert caller(door, embedded(door, account_name())) == owner
    assert verdict(door, "GET", f"{API}/sessions", embedded(door, account_name())) == FOREIGN


def test_a_browser_is_its_persons_and_the_owner_has_one_name(tmp_path: Path, routes: list[BaseRoute]) -> None:
    door = Door(make_settings(tmp_path), routes)
    door.access.people.add("ann", "Ann")
    door.access.people.add("olivia", "Olivia", role="owner")
    for person, expected in (
        ("ann", Caller("ann", Role.MEMBER, Scope.PAGE, OWN, door=Way.PAGE)),
        ("olivia", Caller(account_name(), Role.OWNER, Scope.ACCESS, OWN, door=Way.PAGE)),
    ):
        headers = {"Cookie": door.sign_in(person), "Origin": OWN}
        assert caller(door, headers, path=f"{door.prefix}{API}/turn") == expected
    assert {caller(door, embedded(door, name)).role for name in ("olivia", account_name())} == {Role.OWNER}
    assert caller(door, embedded(door, "ann")) == Caller("ann", Role.MEMBER, Scope.CONVERSATION, APP, door=Way.WIDGET)
    door.access.people.remove("ann")
    assert verdict(door, "GET", f"{door.prefix}{API}/history", headers | {"Cookie": "paliadin=x"}) == REFUSED
    door.access.people.remove("olivia")
    assert caller(door, embedded(door, "olivia")).role == Role.MEMBER
    log = [json.loads(line) for line in (tmp_path / "audit.jsonl").read_text().splitlines()]
    assert [(line["event"], line["who"], line["from"]) for line in log] == [
        ("signed in", "ann", "page"),
        ("signed in", account_name(), "page"),
    ]


def test_nobody_becomes_somebody_else_by_an_address(tmp_path: Path, routes: list[BaseRoute]) -> None:
    door = Door(make_settings(tmp_path), routes)
    door.access.people.add("ann", "Ann")
    for browser, ticket in (("", "ann"), ("ann", "")):
        cookie, address = door.sign_in(browser), f"{door.prefix}/paliadin?ticket={door.access.new_ticket(ticket)}"
        opened = door.ask("GET", address, {"Cookie": cookie})
        assert (opened.status_code, "set-cookie" in opened.headers) == (303, False)
        assert "set-cookie" in door.ask("GET", address, {}).headers  # the other person can still open it


def test_an_account_without_a_name_is_called_by_its_number(monkeypatch: pytest.MonkeyPatch) -> None:
    def nameless() -> str:
        raise KeyError("uid not found")

    monkeypatch.setattr("getpass.getuser", nameless)
    assert account_name().isdigit()


# A request that a peer forwards.


@pytest.mark.parametrize(
    "asked",
    [
        Caller.owner(),
        Caller.owner(OWN),
        Caller.embedded("ada", APP),
        Caller.embedded("Jürgen 🦊" * 20, APP),
        Caller.embedded(account_name(), APP),
    ],
)
def test_the_caller_is_the_same_at_the_peer(door: Door, asked: Caller) -> None:
    header = {**keyed(door, Purpose.PEER), "Paliadin-For": compose_header(asked, "laptop")}
    key = f"{Purpose.PEER}-{len(door.access.list_keys()) - 1}"
    assert caller(door, header) == replace(asked, forwarded_by="laptop", key=key), (
        "the audit log names whose word it is"
    )


@pytest.mark.parametrize("way", [Way.PAGE, Way.CLI])
def test_nobody_manages_keys_and_sign_ins_through_another_daemon(door: Door, way: Way) -> None:
    header = compose_header(Caller.owner(OWN, door=way), "laptop")
    asked = {**keyed(door, Purpose.PEER), "Paliadin-For": header}
    key = f"{Purpose.PEER}-{len(door.access.list_keys()) - 1}"
    assert caller(door, asked) == Caller(account_name(), Role.OWNER, Scope.OWNER, OWN, "laptop", way, key)
    assert verdict(door, "GET", f"{API}/access", asked)[0] == 403
    forged = {**asked, "Paliadin-For": header.replace('"owner", "door"', '"access", "door"')}
    assert verdict(door, "GET", f"{API}/access", forged) == NO_CALLER


@contextlib.contextmanager
def listener(status: int = 200) -> Iterator[tuple[int, list[tuple[str, str]]]]:
    """(port, the headers `Authorization` and `Paliadin-For` that have arrived) of a peer that answers with {}."""
    arrived: list[tuple[str, str]] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            arrived.append((self.headers["Authorization"], self.headers["Paliadin-For"]))
            self.rfile.read(int(self.headers["Content-Length"]))
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.end_headers()
            self.wfile.write(b"{}")

        def log_message(self, *_: object) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        yield server.server_port, arrived
        server.shutdown()
        thread.join()


@pytest.mark.parametrize("who", ["a drawer", "the owner", "the owner's page"])
async def test_a_request_is_forwarded_for_its_caller(home: Path, who: str) -> None:
    with listener() as (port, arrived):
        peers = {"office": f"http://127.0.0.1:{port}"}
        settings = replace(make_settings(home), name="laptop", peers=peers, peer_keys={"office": "the-office's-key"})
        access = give_key(home)
        parts = make_parts(settings, access, [ScriptedRelay(play)])
        transport = httpx2.ASGITransport(app=create_app(parts.api))
        drawer = {"Authorization": f"Bearer {access.embed_tokens.issue(APP, account_name())}", "Origin": APP}
        headers = {"a drawer": drawer, "the owner": BEARER, "the owner's page": {**BEARER, "Origin": OWN}}[who]
        async with parts.api.peers.running(), httpx2.AsyncClient(transport=transport, base_url=OWN) as client:
            body = {"session_id": "main@office"}
            assert (await client.post(f"{API}/reset", json=body, headers=headers)).status_code == 200
    expected = {
        "a drawer": Caller.embedded(account_name(), APP),
        "the owner": Caller.owner(),
        "the owner's page": Caller.owner(OWN),
    }
    assert [key for key, _ in arrived] == ["Bearer the-office's-key"]
    assert [parse_header(header) for _, header in arrived] == [replace(expected[who], forwarded_by="laptop")]


WHOLE = {"by": "laptop", "person": "ada", "role": "member", "page_origin": APP, "scope": "conversation"}


@pytest.mark.parametrize(
    "value",
    [
        *("", " ", "{", "[]", "null", "3", '"ada"', "ada", "{}", '{"by": NaN}', "[" * 500),
        *(json.dumps({**WHOLE, "by": by}) for by in (None, "", 3, ["laptop"], "x" * 65)),
        *(
            json.dumps({**WHOLE, "person": person})
            for person in (None, "", 3, {}, "x" * 201, "a\u202eb", "a\nb", " ada")
        ),
        json.dumps({**WHOLE, "scope": "owner"}),
        *(json.dumps({**WHOLE, "role": role}) for role in (None, "", "admin", 3, [])),
        *(json.dumps({**WHOLE, "scope": scope}) for scope in (None, "", "everything", 3, {})),
        *(json.dumps({**WHOLE, "page_origin": origin}) for origin in ("", 3, [APP])),
        *(json.dumps({key: value for key, value in WHOLE.items() if key != name}) for name in ("person", "role")),
        *(json.dumps({key: value for key, value in WHOLE.items() if key != name}) for name in ("scope", "by")),
        json.dumps({**WHOLE, "more": "x" * 10_000}),
        json.dumps({**WHOLE, "scope": "x" * 5_000}),
        *(json.dumps({**WHOLE, "scope": scope}) for scope in ("access", "public", "metrics")),
        *(json.dumps({**WHOLE, "door": door}) for door in ("", "terminal", 3, [])),
    ],
    ids=lambda value: value[:90],
)
def test_a_header_that_names_no_caller_is_refused(door: Door, value: str) -> None:
    response = door.ask("POST", f"{API}/turn", {**keyed(door, Purpose.PEER), "Paliadin-For": value})
    assert (response.status_code, response.json()["error"]["code"]) == (400, "malformed_header")
    assert len(response.text) < 500
    assert verdict(door, "POST", f"{API}/turn", {**WRONG, "Paliadin-For": value}) == REFUSED


def test_a_header_of_other_characters_than_ascii_is_refused_and_not_misread() -> None:
    as_received = json.dumps({**WHOLE, "person": "J\xfcrgen"}, ensure_ascii=False).encode().decode("latin-1")
    with pytest.raises(BadRequest, match="ASCII"):
        parse_header(as_received)


def test_without_a_peers_key_nobody_speaks_for_another(door: Door) -> None:
    header = {"Paliadin-For": json.dumps({**WHOLE, "person": "eve", "role": "owner", "scope": "owner"})}
    assert caller(door, {**embedded(door), **header}) == Caller.embedded("ada", APP)
    assert caller(door, {**BEARER, **header}).person == account_name()
    assert verdict(door, "GET", f"{API}/sessions", {**keyed(door, Purpose.EMBED), **header}) == WRONG_KEY
    assert verdict(door, "GET", f"{API}/sessions", {**embedded(door), **header}) == FOREIGN
    cookie = {"Cookie": door.sign_in(), "Origin": OWN}
    assert caller(door, {**cookie, **header}, path=f"{door.prefix}{API}/turn").person == account_name()
    assert verdict(door, "POST", f"{API}/turn", {**WRONG, **header}) == REFUSED
    assert verdict(door, "POST", f"{API}/turn", header) == REFUSED


def test_who_forwards_for_a_drawer_opens_no_more_than_the_drawer_does(door: Door) -> None:
    assert verdict(door, "POST", f"{API}/turn", forwarded(door, **WHOLE)) == OPEN
    for method, path in (("GET", f"{API}/sessions"), ("POST", f"{API}/embed-token"), ("GET", "/paliadin")):
        assert verdict(door, method, path, forwarded(door, **WHOLE)) == FOREIGN
        owner = {**WHOLE, "role": "owner", "scope": "owner"}
        assert verdict(door, method, path, forwarded(door, **owner)) == OPEN
