"""What the daemon answers to whom: the real one, over real connections."""

from __future__ import annotations

import getpass
import http.client
import json
import re
import signal
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import httpx2
import pytest

from paliadin.demo.scripted_api import ScriptedApi
from tests.integration.conftest import make_world
from tests.worlds.world import TOKEN, Event, World, eventually, parse_sse

API = "/api/paliadin"
UNKNOWN = "019a2b3c-4d5e-7f60-8123-456789abcdef"
SECRET = "a-zebra-that-nobody-may-log"
BEARER = {"Authorization": f"Bearer {TOKEN}"}


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory, one_claude: Path, api: tuple[ScriptedApi, str]) -> Iterator[World]:
    """One daemon for all tests that leave it as it was."""
    for world in make_world(tmp_path_factory.mktemp("http"), one_claude, api, played=True):
        world.start()
        yield world


@pytest.fixture
def world(tmp_path: Path, one_claude: Path, api: tuple[ScriptedApi, str]) -> Iterator[World]:
    """One of the test's own, not started yet."""
    yield from make_world(tmp_path, one_claude, api, played=True)


@pytest.fixture(scope="module")
def finished(daemon: World) -> str:
    """A turn that is over."""
    turn_id = daemon.ask(f"Say something about {SECRET}")
    assert list(daemon.follow(turn_id))[-1].name == "end"
    return turn_id


@pytest.fixture
def running(daemon: World) -> Iterator[str]:
    """A turn that runs for as long as the test does."""
    turn_id = daemon.ask("scene:slow")
    yield turn_id
    daemon.post(f"stream/{turn_id}/abort")
    list(daemon.follow(turn_id))


@pytest.fixture
def client(daemon: World) -> Iterator[httpx2.Client]:
    with daemon.client() as client:
        yield client


@pytest.fixture
def stranger(daemon: World) -> Iterator[httpx2.Client]:
    """Has no key and no cookie."""
    base = f"http://127.0.0.1:{daemon.options['PORT']}"
    with httpx2.Client(base_url=base, trust_env=False, timeout=30) as client:
        yield client


def raw(daemon: World, method: str, path: str, headers: dict[str, str], body: bytes = b"") -> http.client.HTTPResponse:
    """A request with just these headers and just this path; no library sets anything right."""
    connection = http.client.HTTPConnection("127.0.0.1", int(daemon.options["PORT"]), timeout=30)
    connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
    for name, value in headers.items():
        connection.putheader(name, value)
    connection.endheaders(body or None)
    response = connection.getresponse()
    response.body = response.read()  # type: ignore[attr-defined]
    connection.close()
    return response


def host(daemon: World) -> dict[str, str]:
    return {"Host": f"127.0.0.1:{daemon.options['PORT']}"}


def check_error(body: Any, code: str) -> None:
    assert set(body) == {"error"}
    error = body["error"]
    assert error["code"] == code
    assert error["message"]
    assert error["hint"].endswith(".")
    assert {"code", "message", "hint"} <= set(error) <= {"code", "message", "hint", "turn_id"}


def refused(response: httpx2.Response, status: int, code: str) -> None:
    assert response.status_code == status, response.text
    assert response.headers["content-type"] == "application/json"
    check_error(response.json(), code)


# Bad input.

TOO_LONG = "x" * 100_001
BODIES: list[tuple[Any, int, str]] = [
    ({}, 422, "invalid_field"),
    ({"user_message": None}, 422, "invalid_field"),
    ({"user_message": 3}, 422, "invalid_field"),
    ({"user_message": ["x"]}, 422, "invalid_field"),
    ({"user_message": ""}, 422, "empty_message"),
    ({"user_message": " \n\t\x00\u200b"}, 422, "empty_message"),
    ({"user_message": "\ud800"}, 422, "empty_message"),
    ({"user_message": TOO_LONG}, 413, "message_too_long"),
    ({"user_message": "x" * 500_000}, 413, "message_too_long"),
    ({"user_message": "x", "session_id": 3}, 422, "invalid_field"),
    ({"user_message": "x", "session_id": None}, 422, "invalid_field"),
    ({"user_message": "x", "session_id": {}}, 422, "invalid_field"),
    ({"user_message": "x", "session_id": "nobody"}, 404, "unknown_session"),
    ({"user_message": "x", "session_id": "../main"}, 404, "unknown_session"),
    ({"user_message": "x", "session_id": "main/../main"}, 404, "unknown_session"),
    ({"user_message": "x", "session_id": ""}, 404, "unknown_session"),
    ({"user_message": "x", "context": "here"}, 422, "invalid_field"),
    ({"user_message": "x", "context": [1]}, 422, "invalid_field"),
    ({"user_message": "x", "context": {"route_name": 3}}, 422, "invalid_field"),
    ({"user_message": "x", "context": {"view_mode": "x" * 301}}, 422, "invalid_field"),
]


@pytest.mark.parametrize(("body", "status", "code"), BODIES, ids=lambda value: str(value)[:50])
def test_a_question_that_is_no_question_is_refused_by_name(
    client: httpx2.Client, body: Any, status: int, code: str
) -> None:
    data = json.dumps(body).encode()
    refused(client.post(f"{API}/turn", content=data), status, code)


NO_JSON_OBJECT = [
    b"",
    b" ",
    b"{",
    b"user_message=x",
    b"[]",
    b'[{"user_message": "x"}]',
    b"3",
    b'"x"',
    b"null",
    b'{"user_message": NaN}',
    b'{"user_message": "x", "context": {"n": Infinity}}',
    b'{"user_message": "x", "n": 1e999}',
    b'{"user_message": "x", "n": ' + b"[" * 400 + b"]" * 400 + b"}",
    b'{"user_message": "x", "n": ' + b"[" * 200_000,
    b'{"user_message": "x", "n": ' + b"9" * 10_000 + b"}",
    b'{"user_message": "\xff\xfe"}',
    '{"user_message": "x"}'.encode("utf-16"),
    b'{"user_message": "x"} trailing',
    b'{"user_message": "a\nb"}',
]


@pytest.mark.parametrize("route", ["turn", "reset", f"stream/{UNKNOWN}/answer"])
@pytest.mark.parametrize("body", NO_JSON_OBJECT, ids=lambda body: repr(body[:40]))
def test_a_body_that_is_no_json_object_is_refused(client: httpx2.Client, route: str, body: bytes) -> None:
    refused(client.post(f"{API}/{route}", content=body), 400, "malformed_body")


@pytest.mark.parametrize("chunked", [False, True])
def test_a_body_of_megabytes_is_refused_and_the_answer_arrives(client: httpx2.Client, chunked: bool) -> None:
    whole = b'{"user_message": "' + b"x" * 8_000_000 + b'"}'
    body: Any = (whole[start : start + 100_000] for start in range(0, len(whole), 100_000)) if chunked else whole
    refused(client.post(f"{API}/turn", content=body), 413, "body_too_large")


def test_nothing_that_was_refused_has_left_a_turn(daemon: World) -> None:
    before = sorted(daemon.settings.response_dir.glob("*/*"))
    for body, status, _ in BODIES:
        with daemon.client() as client:
            assert client.post(f"{API}/turn", content=json.dumps(body).encode()).status_code == status
    assert sorted(daemon.settings.response_dir.glob("*/*")) == before


def test_a_second_question_names_the_turn_that_runs(daemon: World, running: str) -> None:
    response = daemon.post("turn", {"session_id": "main", "user_message": "me too"})
    refused(response, 409, "turn_in_flight")
    assert response.json()["error"]["turn_id"] == running
    refused(daemon.post("reset", {"session_id": "main"}), 409, "turn_in_flight")


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"session_id": "nobody"}, 404, "unknown_session"),
        ({"session_id": 3}, 422, "invalid_field"),
        ({"session_id": ["main"]}, 422, "invalid_field"),
    ],
)
def test_a_reset_of_no_session_is_refused(daemon: World, body: Any, status: int, code: str) -> None:
    refused(daemon.post("reset", body), status, code)


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({}, 422, "invalid_field"),
        ({"interrupt_id": 3, "value": "allow"}, 422, "invalid_field"),
        ({"interrupt_id": None, "cancel": True}, 422, "invalid_field"),
        ({"interrupt_id": "none", "value": "allow"}, 404, "unknown_interrupt"),
        ({"interrupt_id": "../turn", "value": "allow"}, 404, "unknown_interrupt"),
    ],
)
def test_an_answer_to_no_question_is_refused(daemon: World, finished: str, body: Any, status: int, code: str) -> None:
    refused(daemon.post(f"stream/{finished}/answer", body), status, code)


@pytest.mark.parametrize(
    ("query", "status", "code"),
    [
        ("session_id=nobody", 404, "unknown_session"),
        ("limit=ten", 400, "invalid_field"),
        ("limit=-1", 400, "invalid_field"),
        ("limit=", 400, "invalid_field"),
        ("before=yesterday", 404, "unknown_turn"),
        ("before=../../turn", 404, "unknown_turn"),
    ],
)
def test_a_history_of_nothing_is_refused(client: httpx2.Client, query: str, status: int, code: str) -> None:
    refused(client.get(f"{API}/history?{query}"), status, code)


def test_the_history_has_its_bounds(daemon: World, finished: str) -> None:
    assert len(daemon.get("history?limit=0")["turns"]) == 1
    assert daemon.get("history?limit=999999999")["turns"][-1]["turn_id"] == finished
    assert daemon.get(f"history?before={UNKNOWN}")["turns"] == []


# Turns that there are not.

NO_TURNS = [
    UNKNOWN,
    UNKNOWN.upper(),
    "ffffffff-ffff-7fff-bfff-ffffffffffff",
    "x",
    "..",
    "%2e%2e",
    "..%2f..%2f..%2fetc%2fpasswd",
    "%2fetc%2fpasswd",
    f"..%2f{UNKNOWN}",
    f"{UNKNOWN}%00",
    f"{UNKNOWN}%0a",
    f"{UNKNOWN}%2f..",
    "%c0%ae%c0%ae",
    "%ff",
    "%",
    "a" * 5000,
]


@pytest.mark.parametrize("turn_id", NO_TURNS, ids=lambda text: text[:40])
@pytest.mark.parametrize(("method", "route"), [("GET", ""), ("POST", "/abort"), ("POST", "/answer")])
def test_a_turn_that_does_not_exist_is_not_found(daemon: World, turn_id: str, method: str, route: str) -> None:
    body = b'{"interrupt_id": "i"}'
    headers = {**host(daemon), **BEARER, "Content-Length": str(len(body))}
    response = raw(daemon, method, f"{API}/stream/{turn_id}{route}", headers, body)
    assert response.status == 404
    response_body = json.loads(response.body)  # type: ignore[attr-defined]
    check_error(response_body, "not_found" if response_body["error"]["code"] == "not_found" else "unknown_turn")


@pytest.mark.parametrize(
    "path",
    [
        "/paliadin/static/../app.py",
        "/paliadin/static/..%2fapp.py",
        "/paliadin/static/%2e%2e/%2e%2e/config.py",
        "/paliadin/static/....//app.py",
        "/paliadin/static//etc/passwd",
        "/paliadin/static/%00",
        "/paliadin/static/",
        "/paliadin/static",
    ],
)
def test_nothing_but_the_pages_own_files_is_served(daemon: World, path: str) -> None:
    response = raw(daemon, "GET", path, {**host(daemon), **BEARER})
    assert response.status in {404, 405, 307}
    assert b"import" not in response.body  # type: ignore[attr-defined]
    assert b"root:" not in response.body  # type: ignore[attr-defined]


@pytest.mark.parametrize("path", ["/api", API, f"{API}/", f"{API}/turns", "/favicon.ico", "/docs", "/paliadin/x"])
def test_an_unknown_path_is_not_found(client: httpx2.Client, path: str) -> None:
    refused(client.get(path), 404, "not_found")


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", f"{API}/turn"),
        ("PUT", f"{API}/turn"),
        ("DELETE", f"{API}/stream/{UNKNOWN}"),
        ("POST", f"{API}/stream/{UNKNOWN}"),
        ("GET", f"{API}/stream/{UNKNOWN}/abort"),
        ("GET", f"{API}/reset"),
        ("POST", f"{API}/health"),
        ("OPTIONS", f"{API}/turn"),
        ("PATCH", "/paliadin"),
    ],
)
def test_another_method_is_refused(client: httpx2.Client, method: str, path: str) -> None:
    response = client.request(method, path)
    refused(response, 405, "method_not_allowed")
    assert response.headers["allow"]


# Streams.


@pytest.mark.parametrize("number", ["x", "-1", "1.5", "0x1", "1e3", "\uff19", "1" * 10, "1; drop", "NaN"])
def test_what_is_no_event_number_is_refused(daemon: World, finished: str, number: str) -> None:
    with daemon.client() as client:
        headers = {"Last-Event-ID": number.encode()}
        refused(client.get(f"{API}/stream/{finished}", headers=headers), 400, "invalid_field")  # type: ignore[arg-type]
        refused(client.get(f"{API}/stream/{finished}", params={"after": number}), 400, "invalid_field")


def stream(client: httpx2.Client, turn_id: str, **headers: str) -> list[Event]:
    with client.stream("GET", f"{API}/stream/{turn_id}", headers=headers) as response:
        assert response.status_code == 200
        assert response.headers["content-type"].startswith("text/event-stream")
        assert response.headers["cache-control"] == "no-store"
        return list(parse_sse(response.iter_lines()))


def test_a_stream_goes_on_behind_the_last_event_id(client: httpx2.Client, finished: str) -> None:
    whole = stream(client, finished)
    for number in range(len(whole) + 1):
        assert stream(client, finished, **{"Last-Event-ID": str(number)}) == whole[number:]
    assert stream(client, finished, **{"Last-Event-ID": "999999999"}) == []
    assert stream(client, finished, **{"Last-Event-ID": ""}) == whole


def test_many_follow_one_turn_and_see_the_same(daemon: World, running: str) -> None:
    seen: dict[int, list[Event]] = {}

    def follow(number: int) -> None:
        seen[number] = list(daemon.follow(running))

    threads = [threading.Thread(target=follow, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    with daemon.client() as client:
        eventually(lambda: "paliadin_streams_active 8.0\n" in client.get("/metrics").text, what="all are following")
    daemon.post(f"stream/{running}/abort")
    for thread in threads:
        thread.join(30)
    assert len(seen) == 8
    assert all(events == seen[0] for events in seen.values())
    assert seen[0][-1].data["aborted"] is True


def test_a_turn_that_is_over_cannot_be_stopped(daemon: World, finished: str) -> None:
    assert daemon.post(f"stream/{finished}/abort").json() == {"aborted": False}


# Who may call.

PROTECTED = [
    ("GET", "/paliadin"),
    ("GET", "/paliadin/static/js/main.js"),
    ("GET", "/metrics"),
    ("GET", f"{API}/health"),
    ("GET", f"{API}/sessions"),
    ("GET", f"{API}/history"),
    ("GET", f"{API}/stream/{UNKNOWN}"),
    ("POST", f"{API}/turn"),
    ("POST", f"{API}/reset"),
    ("POST", f"{API}/stream/{UNKNOWN}/abort"),
    ("POST", f"{API}/stream/{UNKNOWN}/answer"),
    ("GET", "/no/such/path"),
]
NO_TOKENS: list[dict[str, str]] = [
    {},
    {"Authorization": "Bearer"},
    {"Authorization": "Bearer wrong-token-0123456789"},
    {"Authorization": f"Bearer {TOKEN[:-1]}"},
    {"Authorization": f"Bearer {TOKEN}x"},
    {"Authorization": f"Bearer {TOKEN.upper()}"},
    {"Authorization": TOKEN},
    {"Authorization": f"Basic {TOKEN}"},
    {"Cookie": f"paliadin={TOKEN}"},
    {"Cookie": f"paliadin_8724={TOKEN}"},
    {"X-Token": TOKEN},
]


@pytest.mark.parametrize(("method", "path"), PROTECTED)
def test_without_the_token_nothing_is_revealed(stranger: httpx2.Client, method: str, path: str) -> None:
    refused(stranger.request(method, path), 401, "no_token")
    refused(stranger.request(method, f"{path}?access_token={TOKEN}"), 401, "no_token")


@pytest.mark.parametrize("headers", NO_TOKENS, ids=str)
def test_what_is_not_the_token_does_not_let_in(stranger: httpx2.Client, headers: dict[str, str]) -> None:
    refused(stranger.get(f"{API}/health", headers=headers), 401, "no_token")


def test_a_token_that_is_no_text_does_not_let_in(daemon: World) -> None:
    response = raw(daemon, "GET", f"{API}/health", {**host(daemon), "Authorization": "Bearer t\xf6ken"})
    assert response.status == 401
    response = raw(daemon, "GET", "/paliadin?ticket=%ff%fe%00", host(daemon))
    assert response.status == 401


def test_a_browser_without_the_token_gets_a_page_that_says_what_to_do(stranger: httpx2.Client) -> None:
    for path in ("/paliadin", "/paliadin?ticket=wrong"):
        response = stranger.get(path, headers={"Accept": "text/html,*/*"})
        assert response.status_code == 401
        assert "paliadin open" in response.text
        assert response.headers["content-type"].startswith("text/html")
        assert ('role="alert" hidden' in response.text) == ("?" not in path)


@pytest.mark.parametrize("path", ["/", "/paliadin", "/admin/paliadin/turns/x?a=/b", "/admin/x%2F..%2Fy"])
def test_the_address_that_is_pasted_goes_to_the_daemon_from_every_page(stranger: httpx2.Client, path: str) -> None:
    for prefix in ("", "/behind/a/proxy"):
        page = stranger.get(f"{stranger.base_url}{path}", headers={"Accept": "text/html"})
        (action,) = re.findall(r'<form action="([^"]*)"', page.text)
        assert urljoin(f"http://h{prefix}{path}", action) == f"http://h{prefix}/paliadin"
        assert "form-action 'self'" in page.headers["content-security-policy"]
    assert "form-action 'none'" in stranger.get(path).headers["content-security-policy"]


def test_livez_is_open_to_everybody(stranger: httpx2.Client) -> None:
    for headers in ({}, {"Host": "evil.example"}, {"Origin": "https://evil.example"}):
        response = stranger.get("/livez", headers=headers)
        assert (response.status_code, response.text) == (200, "ok\n")


@pytest.mark.parametrize(
    "name",
    [
        "evil.example",
        "evil.example:{port}",
        "127.0.0.1.evil.example",
        "localhost.evil.example",
        "127.0.0.2",
        "127.1",
        "0.0.0.0",  # noqa: S104  # a Host header, not an address to listen on
        "[::]",
        "",
        "evil.example/livez?",
        "127.0.0.1@evil.example",
        "127.0.0.1:{port}@evil.example",
        "127.0.0.1:",
        "127.0.0.1:x",
        "127.0.0.1:1:2",
        "[::1",
        "[::1]x",
        "[::1]:{port}@evil.example",
        "localhost.",
        "aaaaaaaaaaaaaaaaaaaaaaaaa.localhost",
        "evil.example#127.0.0.1",
    ],
)
def test_another_host_name_is_not_served(daemon: World, name: str) -> None:
    headers = {"Host": name.format(port=daemon.options["PORT"]), **BEARER}
    for method, path in (("GET", f"{API}/health"), ("GET", "/paliadin?ticket=x"), ("POST", f"{API}/turn")):
        response = raw(daemon, method, path, headers)
        assert response.status == 421
        check_error(json.loads(response.body), "wrong_host")  # type: ignore[attr-defined]
        assert "set-cookie" not in response.headers


def test_at_an_earlier_address_of_the_page_it_is_said_how_to_get_in(daemon: World) -> None:
    """An open page goes on asking there after `paliadin token rotate`; it then says that the browser is signed out."""
    response = raw(daemon, "GET", f"{API}/health", {"Host": f"{'a' * 26}.localhost:{daemon.options['PORT']}"})
    assert response.status == 401
    check_error(json.loads(response.body), "no_token")  # type: ignore[attr-defined]


def test_the_bare_address_leads_to_the_page(daemon: World) -> None:
    response = raw(daemon, "GET", "/", {**host(daemon), **BEARER})
    assert (response.status, response.headers["location"]) == (303, "paliadin")
    assert raw(daemon, "GET", "/", host(daemon)).status == 401


@pytest.mark.parametrize("path", ["/livez", f"{API}/turn"])
def test_a_request_with_two_lengths_ends_the_connection(daemon: World, path: str) -> None:
    """A proxy may end it elsewhere, and take the rest for somebody else's request."""
    lengths = {"Content-Length": "5", "Transfer-Encoding": "chunked"}
    response = raw(daemon, "POST", path, {**host(daemon), **BEARER, **lengths}, b"0\r\n\r\n")
    assert response.status == 400
    assert response.headers["connection"] == "close"
    check_error(json.loads(response.body), "ambiguous_length")  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", ["localhost", "LOCALHOST:1", "127.0.0.1", "127.0.0.1:99", "[::1]:{port}"])
def test_its_own_names_are_served(daemon: World, name: str) -> None:
    response = raw(daemon, "GET", f"{API}/sessions", {"Host": name.format(port=daemon.options["PORT"]), **BEARER})
    assert response.status == 200


def test_a_request_without_a_host_is_refused(daemon: World) -> None:
    assert raw(daemon, "GET", f"{API}/health", BEARER).status in {400, 421}


FOREIGN: list[dict[str, str]] = [
    {"Origin": "https://evil.example"},
    {"Origin": "null"},
    {"Origin": ""},
    {"Origin": "http://127.0.0.1"},
    {"Origin": "http://127.0.0.1:1"},
    {"Origin": "https://127.0.0.1:{port}"},
    {"Origin": "http://localhost:{port}"},  # not the name that was asked for
    {"Origin": "http://127.0.0.1:{port}.evil.example"},
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
    {"Origin": "https://evil.example", "Sec-Fetch-Site": "same-origin"},
]
OWN: list[dict[str, str]] = [
    {},
    {"Origin": "http://127.0.0.1:{port}"},
    {"Origin": "http://127.0.0.1:{port}", "Sec-Fetch-Site": "same-origin"},
    {"Sec-Fetch-Site": "same-origin"},
    {"Sec-Fetch-Site": "none"},
]


def filled(daemon: World, headers: dict[str, str]) -> dict[str, str]:
    return {name: value.format(port=daemon.options["PORT"]) for name, value in headers.items()}


@pytest.mark.parametrize("headers", FOREIGN, ids=str)
@pytest.mark.parametrize("path", [f"{API}/turn", f"{API}/reset", f"{API}/stream/{UNKNOWN}/abort"])
def test_a_page_of_another_origin_changes_nothing(
    daemon: World, client: httpx2.Client, path: str, headers: dict[str, str]
) -> None:
    refused(client.post(path, json={"user_message": "x"}, headers=filled(daemon, headers)), 403, "foreign_origin")


def test_a_refusal_quotes_the_origin_and_cuts_it(client: httpx2.Client) -> None:
    origin = "https://evil.example/" + 5_000 * "x"
    response = client.post(f"{API}/turn", json={"user_message": "x"}, headers={"Origin": origin})
    refused(response, 403, "foreign_origin")
    assert f"pages of '{origin[:100]}' may not" in response.json()["error"]["message"]


@pytest.mark.parametrize("headers", OWN, ids=str)
def test_its_own_page_and_programs_may(daemon: World, client: httpx2.Client, headers: dict[str, str]) -> None:
    refused(
        client.post(f"{API}/turn", json={"user_message": ""}, headers=filled(daemon, headers)), 422, "empty_message"
    )


def test_no_response_lets_another_origin_read_it(client: httpx2.Client) -> None:
    headers = {"Origin": "https://evil.example", "Access-Control-Request-Method": "POST"}
    for method, path in (("GET", f"{API}/history"), ("OPTIONS", f"{API}/turn"), ("GET", "/livez")):
        response = client.request(method, path, headers=headers)
        assert not [name for name in response.headers if name.startswith("access-control")]


def test_a_websocket_is_never_opened(daemon: World) -> None:
    upgrade = {
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
    }
    for path in ("/paliadin", f"{API}/health", "/livez"):
        assert raw(daemon, "GET", path, {**host(daemon), **upgrade}).status in {200, 401, 403} - (
            set() if path == "/livez" else {200}
        )
        assert raw(daemon, "GET", path, {**host(daemon), **upgrade, **BEARER}).status != 101


def test_what_is_no_http_harms_nothing(daemon: World, client: httpx2.Client) -> None:
    for garbage in (b"\x16\x03\x01\x02\x00", b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"\x00" * 10_000):
        with socket.create_connection(("127.0.0.1", int(daemon.options["PORT"])), 10) as connection:
            connection.sendall(garbage)
            connection.shutdown(socket.SHUT_WR)
            assert b"200" not in connection.recv(100)
    assert client.get("/livez").status_code == 200


# The way in for a browser.


@pytest.fixture
def ticket(daemon: World) -> str:
    return daemon.url.rpartition("=")[2]


@pytest.fixture
def own(daemon: World) -> str:
    """The page's own address, as a path: programs do not resolve the name of its host."""
    return f"/~{daemon.label}"


def test_a_ticket_sets_a_cookie_and_stays_behind(stranger: httpx2.Client, own: str, ticket: str) -> None:
    response = stranger.get(f"{own}/paliadin?ticket={ticket}")
    assert (response.status_code, response.headers["location"]) == (303, "paliadin")
    assert response.headers["cache-control"] == "no-store"
    name, *attributes = response.headers["set-cookie"].lower().replace(" ", "").split(";")
    assert {"httponly", "samesite=strict", "max-age=2592000"} == set(attributes)  # of this host and path alone
    assert ticket.lower() not in name
    assert ticket not in response.text


def test_at_any_other_address_a_ticket_opens_nothing_and_stays_valid(
    daemon: World, stranger: httpx2.Client, own: str, ticket: str
) -> None:
    for address in ("", f"/~{'a' * 26}"):
        response = stranger.get(f"{address}/paliadin?ticket={ticket}", headers={"Accept": "text/html"})
        assert (response.status_code, "set-cookie" in response.headers) == (401, False)
        assert daemon.label not in response.text
        assert ticket not in response.text
    assert stranger.get(f"{own}/paliadin?ticket={ticket}").status_code == 303


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_after_a_link_elsewhere_the_page_asks_again_by_itself_before_a_ticket_is_used(
    stranger: httpx2.Client, own: str, ticket: str, site: str
) -> None:
    address, html = f"{own}/paliadin?ticket={ticket}", {"Accept": "text/html"}
    for path, status in ((address, 200), (f"{own}/admin/paliadin", 401)):
        response = stranger.get(path, headers=html | {"Sec-Fetch-Site": site})
        assert (response.status_code, "set-cookie" in response.headers) == (status, False)
        assert "location.replace(href)" in response.text
        assert "script-src 'sha256-" in response.headers["content-security-policy"]
    assert stranger.get(address, headers=html | {"Sec-Fetch-Site": "same-origin"}).status_code == 303


def test_other_methods_and_other_spellings_of_the_path_use_no_ticket_up(
    daemon: World, stranger: httpx2.Client, own: str, ticket: str
) -> None:
    for method in ("HEAD", "OPTIONS", "PUT", "DELETE", "TRACE", "FOO"):
        response = stranger.request(method, f"{own}/paliadin?ticket={ticket}")
        assert (response.status_code, "set-cookie" in response.headers) == (401, False), method
    for path in (f"{own}%2fpaliadin", own.replace("~", "%7e") + "/paliadin", f"/.{own}/paliadin", f"{own}%2Fpaliadin"):
        response = raw(daemon, "GET", f"{path}?ticket={ticket}", host(daemon))
        assert (response.status, response.getheader("set-cookie")) == (401, None), path
    assert stranger.get(f"{own}/paliadin?ticket={ticket}").status_code == 303


def test_the_locked_page_names_the_command_for_this_kind_of_address(
    daemon: World, stranger: httpx2.Client, own: str
) -> None:
    by_path = stranger.get(f"{own}/paliadin", headers={"Accept": "text/html"}).text
    by_host = stranger.get("/paliadin", headers={"Accept": "text/html", "Host": f"{daemon.label}.localhost"}).text
    assert ("open --by-path" in by_path, "open --by-path" in by_host) == (True, False)
    assert 'class="own"' in by_path
    for host, kind in {f"{'a' * 26}.localhost": "earlier", "127.0.0.1": "away"}.items():
        page = stranger.get("/paliadin", headers={"Accept": "text/html", "Host": host})
        assert (page.status_code, f'class="{kind}"' in page.text) == (401, True)


def test_a_browser_that_is_signed_in_already_uses_the_ticket_up(
    daemon: World, stranger: httpx2.Client, own: str, ticket: str
) -> None:
    assert stranger.get(f"{own}/paliadin?ticket={ticket}").status_code == 303
    another = daemon.url.rpartition("=")[2]
    signed_in = stranger.get(f"{own}/paliadin?ticket={another}")
    assert (signed_in.status_code, "set-cookie" in signed_in.headers) == (303, False)
    stranger.cookies.clear()
    refused(stranger.get(f"{own}/paliadin?ticket={another}"), 401, "no_token")


@pytest.mark.parametrize("pasted", [" {0}\n", "http://127.0.0.1:8765/paliadin?ticket={0} "])
def test_an_address_that_was_pasted_with_what_stands_around_it_lets_in(
    stranger: httpx2.Client, own: str, ticket: str, pasted: str
) -> None:
    response = stranger.get(f"{own}/paliadin", params={"ticket": pasted.format(ticket)})
    assert (response.status_code, response.headers["location"]) == (303, "paliadin")


def test_a_ticket_is_good_for_one_browser(stranger: httpx2.Client, own: str, ticket: str) -> None:
    address = f"{own}/paliadin?ticket={ticket}"
    assert stranger.get(address).status_code == 303
    assert stranger.get(address).status_code == 303  # the same browser, which is signed in now
    stranger.cookies.clear()
    refused(stranger.get(address), 401, "no_token")
    refused(stranger.get(f"/paliadin?ticket={ticket}"), 401, "no_token")


def test_the_cookie_alone_is_enough_afterwards(daemon: World, stranger: httpx2.Client, own: str, ticket: str) -> None:
    page = stranger.get(f"{own}/paliadin?ticket={ticket}", follow_redirects=True)
    assert (page.status_code, str(page.url.query)) == (200, "b''")
    assert page.headers["content-type"].startswith("text/html")
    assert ticket not in page.text
    assert stranger.get(f"{own}{API}/history").status_code == 200
    origin = {"Origin": f"http://127.0.0.1:{daemon.options['PORT']}"}
    turn = f"{own}{API}/turn"
    refused(stranger.post(turn, json={"user_message": ""}, headers=origin), 422, "empty_message")
    refused(stranger.post(turn, json={"user_message": "x"}, headers={"Origin": "null"}), 403, "foreign_origin")
    refused(stranger.post(turn, json={"user_message": "x"}), 403, "foreign_origin")  # as a thief would


def test_a_cookie_opens_nothing_but_at_the_pages_own_address(
    daemon: World, stranger: httpx2.Client, own: str, ticket: str
) -> None:
    cookie = stranger.get(f"{own}/paliadin?ticket={ticket}").headers["set-cookie"].partition(";")[0]
    stranger.cookies.clear()
    elsewhere = {"Cookie": cookie, "Origin": f"http://127.0.0.1:{daemon.options['PORT']}"}
    for method, path in PROTECTED:
        for before in ("", f"/~{'a' * 26}", f"/x{own}", own.upper(), f"/{own}"):
            refused(stranger.request(method, before + path, headers=elsewhere), 401, "no_token")
    host = {**elsewhere, "Host": f"{daemon.label}.localhost", "Origin": f"http://{daemon.label}.localhost"}
    assert stranger.get(f"{API}/history", headers=host).status_code == 200


def test_the_pages_own_host_is_in_no_record_of_a_turn(daemon: World, stranger: httpx2.Client, ticket: str) -> None:
    name = f"{daemon.label}.localhost:{daemon.options['PORT']}"
    headers = {"Host": name, "Origin": f"http://{name}"}
    signed_in = stranger.get(f"/paliadin?ticket={ticket}", headers=headers)
    headers["Cookie"] = signed_in.headers["set-cookie"].partition(";")[0]
    question = {"session_id": "main", "user_message": "From the page"}
    turn_id = stranger.post(f"{API}/turn", json=question, headers=headers).json()["turn_id"]
    list(daemon.follow(turn_id))
    [folder] = daemon.settings.response_dir.glob(f"*/{turn_id}")
    description = json.loads((folder / "turn.json").read_text())
    assert description["page_origin"] == f"http://127.0.0.1:{daemon.options['PORT']}"
    assert daemon.label not in "".join(path.read_text() for path in folder.iterdir() if path.is_file())


def test_a_cookie_that_was_made_up_does_not_let_in(stranger: httpx2.Client, own: str) -> None:
    for value in ("", TOKEN, "0" * 64, '"'):
        refused(stranger.get(f"{own}{API}/health", headers={"Cookie": f"paliadin={value}"}), 401, "no_token")


def test_a_wrong_ticket_sets_no_cookie(stranger: httpx2.Client, own: str, ticket: str) -> None:
    for wrong in ("", "wrong", f"{ticket}&ticket=x", f"x{ticket}", f"?ticket={ticket}x", f"ticket={ticket}", TOKEN):
        response = stranger.get(f"{own}/paliadin?ticket={wrong}")
        assert "set-cookie" not in response.headers
        refused(response, 401, "no_token")


# What every response has, and what no file has.


def test_every_response_has_the_security_headers(daemon: World, finished: str) -> None:
    own = {**host(daemon), **BEARER}
    cases = [
        ("GET", "/livez", own, 200),
        ("GET", "/paliadin", own, 200),
        ("GET", "/paliadin?ticket=wrong", {"Host": daemon.origin.removeprefix("http://")}, 401),
        ("GET", daemon.url.removeprefix(daemon.origin), {"Host": daemon.origin.removeprefix("http://")}, 303),
        (
            "GET",
            daemon.url.removeprefix(daemon.origin),
            {"Host": daemon.origin.removeprefix("http://"), "Sec-Fetch-Site": "cross-site"},
            200,
        ),
        ("GET", "/paliadin/static/js/main.js", own, 200),
        ("GET", "/paliadin/static/none.js", own, 404),
        ("GET", "/metrics", own, 200),
        ("GET", f"{API}/history", own, 200),
        ("GET", f"{API}/stream/{finished}", own, 200),
        ("GET", f"{API}/stream/{UNKNOWN}", own, 404),
        ("GET", f"{API}/turn", own, 405),
        ("POST", f"{API}/turn", own, 400),
        ("POST", f"{API}/turn", {**own, "Origin": "null"}, 403),
        ("GET", f"{API}/health", host(daemon), 401),
        ("GET", "/paliadin", {**host(daemon), "Accept": "text/html"}, 401),
        ("GET", "/", {"Host": "evil.example"}, 421),
    ]
    for method, path, headers, status in cases:
        response = raw(daemon, method, path, headers)
        assert response.status == status, path
        policy = response.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert response.headers["x-content-type-options"] == "nosniff"
        assert response.headers["referrer-policy"] == "no-referrer"
        assert response.headers["x-frame-options"] == "DENY"
        assert response.headers["x-dns-prefetch-control"] == "off"
        public = "/static/" in path or path == "/paliadin"
        assert response.headers["cache-control"] in ({"no-cache", "no-store"} if public else {"no-store"})
        assert response.headers["cross-origin-resource-policy"] == "same-origin"
        assert "server" not in response.headers


def test_the_page_asks_for_nothing_of_elsewhere(client: httpx2.Client) -> None:
    page = client.get("/paliadin").text
    addresses = [urljoin("/paliadin", link) for link in re.findall(r'(?:src|href)="([^"]+)"', page)]
    assert addresses
    for address in addresses:
        assert address.startswith("/paliadin/static/"), address
        assert client.get(address).status_code == 200, address
        assert client.get(address).headers["cache-control"] == "max-age=31536000, immutable", address
        assert client.get(address).headers["vary"] == "Origin, Accept-Encoding", address
    script = next(address for address in addresses if address.endswith("main.js"))
    packed, whole = (client.get(script, headers={"accept-encoding": each}) for each in ("gzip", "gzip;q=0, identity"))
    assert [each.headers.get("content-encoding") for each in (packed, whole)] == ["gzip", None]
    assert (packed.headers["content-type"], "\n/**" in packed.text, "\n/**" in whole.text) == (
        "text/javascript; charset=utf-8",
        False,
        True,
    )
    assert len(packed.text) < len(whole.text)
    plain = re.sub("/~[^/]+/", "/", addresses[0])
    for address in (plain, re.sub("/~[^/]+/", "/~0123456789abcdef/", addresses[0])):
        assert client.get(address).headers["cache-control"] == "no-cache", address
    assert client.get("/paliadin/static/~x/%2e%2e/%2e%2e/pages.py").status_code == 404
    assert "<script>" not in page
    assert "style=" not in page


def test_no_log_holds_a_secret_or_what_was_asked(
    daemon: World, finished: str, stranger: httpx2.Client, own: str, ticket: str
) -> None:
    stranger.get(f"{own}/paliadin?ticket=wrong")
    response = stranger.get(f"{own}/paliadin?ticket={ticket}")
    cookie = next(iter(response.cookies.values()))
    daemon.post("turn", {"user_message": SECRET, "session_id": SECRET})
    daemon.post("turn", {"user_message": SECRET, "context": SECRET})
    log = (daemon.root / "daemon.log").read_text()
    for secret in (TOKEN, cookie, ticket, daemon.label, SECRET, "Say something"):
        assert secret not in log


def test_everything_under_home_is_its_owners_alone(lent_world: World) -> None:
    """Also what Claude Code's hooks write there."""
    lent_world.turn("Hello")
    home = lent_world.settings.home
    eventually(lambda: [*home.rglob("response.md")], what="the answer is kept")
    kept = [path for path in home.rglob("*") if path.relative_to(home).parts[0] not in {"plugin", "postgres"}]
    files = [path for path in kept if path.is_file()]
    assert {"turn.json", "events.jsonl", "prompt_id", "response.md"} <= {path.name for path in files}
    folders = [home, home / "sessions", home / "turns", *(home / "turns").rglob("*/")]
    assert [path for path in [*folders, *files] if path.stat().st_mode & 0o077] == []


# Daemons of their own.


def test_when_it_is_not_enabled_only_livez_is_there(world: World) -> None:
    world.options["ENABLED"] = "false"
    world.start()
    with world.client() as client:
        assert client.get("/livez").status_code == 200
        for method, path in PROTECTED:
            refused(client.request(method, path, json={}), 404, "not_found")
        assert client.get(f"/~{world.label}/paliadin?ticket=x").status_code == 401


def test_a_daemon_that_is_told_to_stop_lets_its_streams_end(world: World) -> None:
    world.start()
    turn_id = world.ask("scene:slow")
    seen: dict[int, list[Event]] = {}

    def follow(number: int) -> None:
        seen[number] = list(world.follow(turn_id))  # raises if the stream breaks off instead of ending

    threads = [threading.Thread(target=follow, args=(number,)) for number in range(5)]
    for thread in threads:
        thread.start()
    with world.client() as client:
        eventually(lambda: "paliadin_streams_active 5.0\n" in client.get("/metrics").text, what="all are following")
    process = world.process
    assert process
    world.stop(signal.SIGTERM)
    assert process.returncode == 0
    for thread in threads:
        thread.join(30)
    assert len(seen) == 5
    assert all("end" not in {event.name for event in events} for events in seen.values())
    assert "Traceback" not in (world.root / "daemon.log").read_text()
    world.start()
    assert next(world.follow(turn_id, after=len(seen[0]))).id == len(seen[0]) + 1
    world.post(f"stream/{turn_id}/abort")


def test_the_audit_log_says_who_did_what_from_where_and_nothing_of_what_was_said(world: World) -> None:
    world.start()
    own = f"/~{world.label}"
    origin = {"Origin": f"http://127.0.0.1:{world.options['PORT']}"}
    with (
        world.client() as program,
        httpx2.Client(base_url=program.base_url, trust_env=False, headers=origin) as browser,
    ):
        ticket = world.url.rpartition("=")[2]
        browser.get(f"{own}/paliadin?ticket={ticket}", headers={"User-Agent": "Firefox"})
        turn_id = world.ask(f"scene:permission {SECRET}")
        permission = next(event for event in world.follow(turn_id) if event.name == "interrupt").data["id"]
        reply = {"interrupt_id": permission, "value": {"deny": SECRET}}
        assert browser.post(f"{own}{API}/stream/{turn_id}/answer", json=reply).status_code == 200
        list(world.follow(turn_id))
        assert program.post(f"{API}/access/keys", json={"name": "x", "purpose": "embed"}).status_code == 403
        made = browser.post(f"{own}{API}/access/keys", json={"name": "intranet", "purpose": "embed"})
        assert program.get("/admin/paliadin/export.csv").status_code == 200
        assert browser.post(f"{own}{API}/access/sign-out", json={}).status_code == 200
        refused(browser.get(f"{own}{API}/history"), 401, "no_token")
    text = (world.settings.home / "audit.jsonl").read_text()
    entries = [json.loads(line) for line in text.splitlines()]
    seen = [(entry["event"], entry["from"], entry.get("reply") or entry.get("name")) for entry in entries]
    assert seen == [
        ("address made", "cli", None),
        ("signed in", "page", None),
        ("asked", "api key tests-owner", None),
        ("replied", "page", "deny"),
        ("key made", "page", "intranet"),
        ("exported", "api key tests-owner", None),
        ("signed out", "page", None),
    ]
    assert {entry["who"] for entry in entries} == {getpass.getuser()}
    assert [entry["turn_id"] for entry in entries if "turn_id" in entry] == [turn_id, turn_id]
    for secret in (SECRET, ticket, made.json()["key"], world.label, TOKEN):
        assert secret not in text
