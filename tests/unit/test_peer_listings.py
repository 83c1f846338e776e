"""What a peer lists and sends: it says nothing of sessions that are not its own, and holds nobody up."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import httpx2
import pytest

from paliadin.base.settings import ensure_home
from paliadin.daemon import make_parts
from paliadin.relays.routing import Relays
from paliadin.relays.scripted import ScriptedRelay
from paliadin.web import peer_daemons
from paliadin.web.app import create_app
from tests.unit.test_access import BEARER, OWN, give_key, make_settings, play

API = "/api/paliadin"
ITEM = {"id": "x@office", "title": "Theirs", "created_at": 1, "last_at": 2}
KEYS = {"office": "key-of-the-office", "lab": "key-of-the-lab"}


@dataclass
class Liar:
    """A server in the place of both peers: what the office's key is told, is `body`."""

    port: int
    body: bytes = b'{"conversations": []}'
    headers: dict[str, str] = field(default_factory=dict)
    is_endless: bool = False
    asked: list[tuple[str, str, str | None]] = field(default_factory=list)  # key, path, cookie


@contextmanager
def liar() -> Iterator[Liar]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            key = self.headers["Authorization"].removeprefix("Bearer ")
            lying.asked.append((key, self.path.partition("?")[0], self.headers.get("Cookie")))
            body = lying.body if key == KEYS["office"] else b"{}"
            self.send_response(200)
            headers = {"Content-Type": "application/json", "Content-Length": str(len(body))} | lying.headers
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)
            while lying.is_endless:
                self.wfile.write(b"x" * 65536)

        def do_POST(self) -> None:
            self.do_GET()

        def log_message(self, *_: object) -> None:
            """Quiet."""

    class Server(ThreadingHTTPServer):
        def handle_error(self, *_: object) -> None:
            """Whoever asked has had enough."""

    with Server(("127.0.0.1", 0), Handler) as server:
        lying = Liar(server.server_port)
        thread = threading.Thread(target=server.serve_forever, args=(0.05,))
        thread.start()
        yield lying
        lying.is_endless = False
        server.shutdown()
        thread.join()


@dataclass
class Laptop:
    client: httpx2.AsyncClient
    office: Liar

    async def listed(self) -> list[dict[str, Any]]:
        response = await self.client.get(f"{API}/conversations")
        assert response.status_code == 200, response.text
        return [item for item in response.json()["conversations"] if item["id"] != "main"]


@pytest.fixture
async def laptop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    with liar() as office:
        address = f"http://127.0.0.1:{office.port}"
        settings = replace(
            make_settings(tmp_path / "home"), name="laptop", peers=dict.fromkeys(KEYS, address), peer_keys=KEYS
        )
        ensure_home(settings)
        monkeypatch.setattr(Relays, "sessions", lambda _: ["main@attic"])  # a host that this daemon reaches
        parts = make_parts(settings, give_key(settings.home), [ScriptedRelay(play)])
        transport = httpx2.ASGITransport(app=create_app(parts.api))
        async with (
            parts.api.peers.running(),
            httpx2.AsyncClient(transport=transport, base_url=OWN, headers=BEARER) as client,
        ):
            yield Laptop(client, office)


@pytest.mark.parametrize(
    "name", ["main", "main@laptop", "made@laptop", "main@lab", "main@attic", "", "main@office@lab", 5, None]
)
async def test_a_peer_lists_and_gets_no_session_but_its_own(laptop: Laptop, name: object) -> None:
    laptop.office.body = json.dumps({"conversations": [ITEM | {"id": name}]}).encode()
    assert await laptop.listed() == []
    laptop.office.asked.clear()
    await laptop.client.post(f"{API}/reset", json={"session_id": name})
    assert (KEYS["office"], f"{API}/reset") not in [(key, path) for key, path, _ in laptop.office.asked]


async def test_a_session_on_a_host_of_the_peers_is_the_peers(laptop: Laptop) -> None:
    laptop.office.body = json.dumps({"conversations": [ITEM, ITEM, ITEM | {"id": "main@cellar"}]}).encode()
    assert {item["id"] for item in await laptop.listed()} == {"x@office", "main@cellar"}
    await laptop.client.post(f"{API}/reset", json={"session_id": "main@cellar"})
    assert (KEYS["office"], f"{API}/reset", None) in laptop.office.asked


@pytest.mark.parametrize(
    "item",
    [
        {"last_at": "soon"},
        {"last_at": [1]},
        {"created_at": 10**400},
        {"created_at": -1},
        {"title": 5},
        {"state": {}},
        {"host": [1]},
    ],
    ids=str,
)
async def test_one_that_cannot_be_shown_leaves_the_list_alone(laptop: Laptop, item: dict[str, object]) -> None:
    laptop.office.body = json.dumps({"conversations": [ITEM | item, ITEM | {"id": "y@office"}]}).encode()
    assert [each["id"] for each in await laptop.listed()] == ["y@office"]


async def test_of_a_conversation_the_name_is_enough(laptop: Laptop) -> None:
    laptop.office.body = b'{"conversations": [{"id": "x@office"}]}'
    assert await laptop.listed() == [{"id": "x@office", "title": "", "created_at": None, "last_at": None}]


@pytest.mark.parametrize(
    "body",
    [
        b'{"conversations": [{"id": "x@office", "last_at": NaN}]}',
        b'{"conversations": ' + b"[" * 100_000 + b"]" * 100_000 + b"}",
        b"[]",
        b'{"conversations": 5}',
        b"\xff",
        b"",
    ],
    ids=["no number", "deep", "a list", "a number", "no text", "nothing"],
)
async def test_what_is_no_list_is_none(laptop: Laptop, body: bytes) -> None:
    laptop.office.body = body
    assert await laptop.listed() == []


async def test_half_an_emoji_in_a_title_is_shown_as_well_as_can_be(laptop: Laptop) -> None:
    laptop.office.body = json.dumps({"conversations": [ITEM | {"title": "\ud83d"}]}).encode()
    assert [item["title"] for item in await laptop.listed()] == ["?"]


async def test_a_list_without_end_is_given_up(laptop: Laptop, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(peer_daemons, "MOST_BYTES", 200_000)
    monkeypatch.setattr(peer_daemons, "LISTING_TIMEOUT", 60.0)
    laptop.office.headers, laptop.office.is_endless = {"Content-Length": str(2**40)}, True
    assert await laptop.listed() == []


async def test_no_peer_gets_a_cookie_that_another_one_has_set(laptop: Laptop) -> None:
    laptop.office.headers = {"Set-Cookie": "paliadin=x; Path=/"}
    for _ in range(2):
        await laptop.listed()
    assert {cookie for _, _, cookie in laptop.office.asked} == {None}


@pytest.mark.parametrize("kind", ["text/html", "text/javascript", "image/svg+xml", "TEXT/HTML; x", "application/xml"])
async def test_a_peer_sends_no_page_and_no_script_in_this_daemons_name(laptop: Laptop, kind: str) -> None:
    laptop.office.headers, laptop.office.body = {"Content-Type": kind}, b"alert(1)"
    response = await laptop.client.get(f"{API}/conversations/main@office")
    assert response.status_code == 503
    assert "alert" not in response.text
    assert response.headers["content-type"] == "application/json"


@pytest.mark.parametrize(
    ("kind", "status"), [("image/png", 200), ("application/json", 503), ("text/markdown", 503), ("text/html", 503)]
)
async def test_a_peer_sends_what_the_route_itself_would_send(laptop: Laptop, kind: str, status: int) -> None:
    laptop.office.headers, laptop.office.body = {"Content-Type": kind}, b"x"
    response = await laptop.client.get(f"{API}/files/content?session_id=main@office&path=a.png")
    assert response.status_code == status
    assert "sandbox" in response.headers["content-security-policy"] or status == 503


async def test_a_peers_stream_says_nothing_of_the_list_of_conversations(laptop: Laptop) -> None:
    laptop.office.headers = {"Content-Type": "text/event-stream"}
    laptop.office.body = b'event: list\ndata: {"gone": ["main"]}\n\nevent: health\ndata: {"version": "theirs"}\n\n'
    text = (await laptop.client.get(f"{API}/events?session_id=main@office&list=off")).text
    assert ("theirs" in text, "gone" in text) == (True, False)
    laptop.office.body = laptop.office.body.replace(b"\n\n", b"\r\r")
    assert (await laptop.client.get(f"{API}/events?session_id=main@office&list=off")).text == ""
