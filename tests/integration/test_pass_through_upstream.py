"""The way to the API: over TLS with the owner's certificates, and through the owner's proxy."""

from __future__ import annotations

import contextlib
import socket
import ssl
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from paliadin.live import connections
from paliadin.live.upstream import NotPossible, Upstream, tls_context
from tests.worlds.pass_through import (
    END,
    OK,
    STREAM_HEAD,
    TIMEOUT,
    Api,
    Live,
    Peer,
    delta,
    passing,
    post,
    question,
)
from tests.worlds.ports import own_port

# TLS.


@pytest.fixture
def secure(certificates: Path) -> Iterator[Api]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificates / "server.pem", certificates / "server.key")
    with Api(context=context).running() as server:
        yield server


@pytest.mark.parametrize("name", ["SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS"])
def test_an_api_with_a_private_authority_is_reached_where_the_owner_trusts_it(
    tmp_path: Path, secure: Api, certificates: Path, name: str
) -> None:
    trusted = {name: str(certificates / "ca.pem")}
    with passing(tmp_path / "home", f"https://localhost:{secure.port}", trusted) as live:
        body = b"x" * 3_000_000
        with live.sent(post(body)) as client:
            assert client.exactly(len(OK)) == OK
        assert secure.accepted == 1
        size = [int(line.split()[1]) for line in status(live) if line.startswith("VmHWM")]
        print(f"with TLS: child {size[0]} KB at most")  # noqa: T201  # a measurement
        assert live.printed == ""


def status(live: Live) -> list[str]:
    return Path(f"/proc/{live.child}/status").read_text().splitlines()


def refused(tmp_path: Path, address: str, variables: dict[str, str]) -> str:
    """Why the pass-through stays off."""
    (tmp_path / "home").mkdir()
    live = Live(tmp_path / "home", address, variables)
    state = live.start()
    assert live.process
    assert live.process.wait(TIMEOUT) == 3
    assert state["state"] == "off"
    assert live.printed == ""
    return str(state["reason"])


def test_an_authority_that_nobody_trusts_is_refused(tmp_path: Path, secure: Api) -> None:
    assert "certificate" in refused(tmp_path, f"https://localhost:{secure.port}", {})


def test_a_certificate_for_another_name_is_refused(tmp_path: Path, secure: Api, certificates: Path) -> None:
    trusted = {"SSL_CERT_FILE": str(certificates / "ca.pem")}
    assert "certificate" in refused(tmp_path, f"https://127.0.0.1:{secure.port}", trusted)


def test_what_came_over_tls_before_a_break_arrives(tmp_path: Path, secure: Api, certificates: Path) -> None:
    sent = STREAM_HEAD + b"".join(delta("x" * 1000) for _ in range(50))

    def handle(peer: Peer) -> None:
        peer.request()
        peer.send(sent)
        peer.reset()

    secure.handle = handle
    trusted = {"SSL_CERT_FILE": str(certificates / "ca.pem")}
    with passing(tmp_path / "home", f"https://localhost:{secure.port}", trusted) as live:
        for _ in range(3):
            with live.sent(question()) as client:
                assert client.rest() == sent


# Proxies.


class Proxy:
    """A proxy that notes what it is asked for. `answer` stands in for its own response."""

    def __init__(self, answer: bytes = b"HTTP/1.1 200 Connection established\r\nVia: x\r\n\r\n") -> None:
        self.answer = answer
        self.heads: list[list[str]] = []
        self.server = Api(self._serve)

    def _serve(self, peer: Peer) -> None:
        lines = peer.until().decode().split("\r\n")
        self.heads.append(lines[:-2])
        method, target, _ = lines[0].split(" ")
        if method != "CONNECT":
            peer.send(OK)
            peer.ends()
            return
        peer.send(self.answer)
        if b" 200 " not in self.answer:
            return
        host, _, port = target.rpartition(":")
        with socket.create_connection((host.strip("[]"), int(port)), TIMEOUT) as there:
            back = threading.Thread(target=copy, args=[there, peer.socket], daemon=True)
            back.start()
            copy(peer.socket, there)
            back.join(TIMEOUT)


def copy(source: socket.socket, target: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while data := source.recv(1 << 16):
            target.sendall(data)
    with contextlib.suppress(OSError):
        target.shutdown(socket.SHUT_WR)


@pytest.fixture
def proxy() -> Iterator[Proxy]:
    proxy = Proxy()
    with proxy.server.running():
        yield proxy


def through(proxy: Proxy, credentials: str = "") -> dict[str, str]:
    return {"HTTPS_PROXY": f"http://{credentials}127.0.0.1:{proxy.server.port}"}


def test_a_secure_api_is_reached_through_the_owners_proxy_with_its_password(
    tmp_path: Path, secure: Api, certificates: Path, proxy: Proxy
) -> None:
    variables = {"SSL_CERT_FILE": str(certificates / "ca.pem")} | through(proxy, "me:p%40ss@")
    answer = STREAM_HEAD + b"".join(delta("x" * 10_000) for _ in range(300)) + END

    def handle(peer: Peer) -> None:
        while True:
            head, body = peer.request()
            assert head.get("proxy-authorization") is None
            peer.send(answer if len(body) < 4_000_000 else OK)

    secure.handle = handle
    with passing(tmp_path / "home", f"https://localhost:{secure.port}", variables) as live:
        with live.sent(post(b"x" * 5_000_000)) as client:
            assert client.exactly(len(OK)) == OK
            client.send(question())
            assert client.exactly(len(answer)) == answer
        assert live.printed == ""
    assert proxy.heads == [
        [
            f"CONNECT localhost:{secure.port} HTTP/1.1",
            f"Host: localhost:{secure.port}",
            "Proxy-Authorization: Basic bWU6cEBzcw==",
        ]
    ]


def test_an_api_without_tls_is_asked_of_the_proxy_by_its_whole_address(tmp_path: Path, proxy: Proxy) -> None:
    with passing(tmp_path / "home", "http://gateway.example/llm", through(proxy, "me:pass@")) as live:
        assert live.ask(post(b"", "Connection: close", path="/v1/messages?a=b")) == OK
    [head] = proxy.heads
    assert head[0] == "POST http://gateway.example/llm/v1/messages?a=b HTTP/1.1"
    assert {"Host: gateway.example", "Proxy-Authorization: Basic bWU6cGFzcw=="} <= set(head)


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (b"HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n", "refused CONNECT: 407"),
        (b"HTTP/1.1 403 \x1b[31mForbidden\r\n\r\n", "refused CONNECT: 403 [31mForbidden"),
        (b"garbage\r\n\r\n", "refused CONNECT"),
        (b"", "no answer to CONNECT"),
        (b"HTTP/1.1 503 " + b"x" * 200_000, "no answer to CONNECT"),
    ],
    ids=["407", "control characters", "garbage", "nothing", "endless"],
)
def test_a_proxy_that_refuses_is_told(tmp_path: Path, answer: bytes, reason: str) -> None:
    proxy = Proxy(answer)
    with proxy.server.running():
        assert reason in refused(tmp_path, "https://localhost:1", through(proxy, "me:swordfish@"))


async def test_a_network_that_swallows_everything_does_not_hold_up_claudes_start(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(connections, "FIRST_CONNECT_TIMEOUT", 0.2)
    with socket.create_server(("127.0.0.1", own_port())) as silent:  # it accepts, and there is no handshake
        upstream = Upstream("https", "127.0.0.1", silent.getsockname()[1], "")
        with pytest.raises(NotPossible, match=r"^127\.0\.0\.1 cannot be reached: no answer within"):
            await connections.Connections(upstream, tls_context(upstream)).warm_up()


def test_an_excluded_api_is_reached_without_the_proxy(tmp_path: Path, proxy: Proxy) -> None:
    with Api().running() as api:
        variables = through(proxy) | {"NO_PROXY": "localhost,127.0.0.1"}
        with passing(tmp_path / "home", api, variables) as live:
            assert live.ask() == OK
            assert live.state()["claude"]["NO_PROXY"] == "localhost,127.0.0.1,127.0.0.1"
    assert proxy.heads == []


def test_a_projects_settings_do_not_say_where_requests_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project = tmp_path / "project"
    (project / ".claude").mkdir(parents=True)
    for name in ("settings.json", "settings.local.json"):
        (project / ".claude" / name).write_text('{"env": {"ANTHROPIC_BASE_URL": "http://127.0.0.1:1"}}')
    monkeypatch.chdir(project)
    with Api().running() as api, passing(tmp_path / "home", api, {"PWD": str(project)}) as live:
        assert live.ask() == OK
        assert live.state()["upstream"] == f"127.0.0.1:{api.port}"
