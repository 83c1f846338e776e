"""The Unix socket for a reverse proxy: who comes through it is treated as over TCP, and as nothing more."""

from __future__ import annotations

import contextlib
import signal
import socket
import stat
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

from paliadin.demo.scripted_api import ScriptedApi
from tests.integration.conftest import make_world
from tests.worlds.world import World, eventually, transport_of

API = "/api/paliadin"
ADDRESS = "https://claude.example"
FEW = 256  # open files, so that a test needs few connections


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory, one_claude: Path, api: tuple[ScriptedApi, str]) -> Iterator[World]:
    """A daemon that listens on a port and on a socket."""
    folder = tmp_path_factory.mktemp("both")
    for world in make_world(folder, one_claude, api):
        world.scripted, world.open_files = True, (FEW, FEW)
        world.options["SOCKET"] = str(folder / "proxy.sock")
        world.start()
        yield world


@pytest.fixture
def socket_only(tmp_path: Path, one_claude: Path, api: tuple[ScriptedApi, str]) -> Iterator[World]:
    """A daemon that listens on a socket, and on no port."""
    for world in make_world(tmp_path, one_claude, api):
        world.scripted = True
        world.options |= {"SOCKET": str(tmp_path / "proxy.sock"), "PORT": "none", "ADDRESS": ADDRESS}
        world.start()
        yield world


def through(world: World, host: str = "127.0.0.1") -> httpx2.Client:
    """A client of the socket, without a key; the test's account is the daemon's."""
    transport = transport_of(world.settings.socket)
    return httpx2.Client(transport=transport, base_url=f"http://{host}", follow_redirects=False)


def code_of(response: httpx2.Response) -> tuple[int, str]:
    return response.status_code, str(response.json()["error"]["code"])


def test_the_daemon_serves_at_its_port_and_at_its_socket(both: World) -> None:
    with both.client() as by_port, through(both) as by_socket:
        by_socket.headers.update(by_port.headers)
        for client in (by_port, by_socket):
            assert client.get("/livez").status_code == 200
            assert client.get(f"{API}/history").status_code == 200
    assert stat.S_IMODE(Path(str(both.settings.socket)).stat().st_mode) == 0o600


def test_who_comes_through_the_socket_is_not_the_command_line(both: World) -> None:
    with through(both) as client:
        for path in ("history", "access", "health"):
            assert code_of(client.get(f"{API}/{path}"))[0] == 401
        assert code_of(client.post(f"{API}/access/tickets", json={}))[0] == 401
        client.headers["Authorization"] = both.client().headers["Authorization"]
        assert code_of(client.post(f"{API}/access/tickets", json={})) == (403, "wrong_key")


def test_hosts_origins_and_wrong_keys_are_refused_as_over_tcp(both: World) -> None:
    with through(both, "evil.example") as client:
        assert code_of(client.get(f"{API}/history")) == (421, "wrong_host")
    with through(both) as client:
        foreign = {"Origin": "https://evil.example", "Authorization": both.client().headers["Authorization"]}
        assert code_of(client.post(f"{API}/reset", json={}, headers=foreign)) == (403, "foreign_origin")
        assert client.get(f"{API}/history", headers={"Authorization": "Bearer wrong"}).status_code == 401


def test_connections_through_the_socket_count_among_all(both: World) -> None:
    with contextlib.ExitStack() as stack:
        silent = []
        for _ in range(FEW):
            connection = stack.enter_context(socket.socket(socket.AF_UNIX))
            connection.connect(str(both.settings.socket))
            silent.append(connection)
        with both.client() as client:
            assert client.get("/livez").status_code == 200
        log = both.root / "daemon.log"
        eventually(lambda: f"more than {FEW // 2} connections" in log.read_text(), what="the oldest are closed")
        for connection in silent:
            connection.settimeout(30)
        assert silent[0].recv(1) == b""
        assert silent[-1].recv(1) == b"", "a connection that says nothing is closed when its time is up"


def test_with_a_socket_only_a_browser_signs_in_at_the_proxys_address(socket_only: World) -> None:
    announced = httpx2.URL(socket_only.announced)
    assert socket_only.announced.startswith(f"{ADDRESS}/~{socket_only.label}/paliadin?ticket=")
    assert "/paliadin?ticket=" in socket_only.url  # the command line's socket works as ever
    with through(socket_only, announced.host) as client:
        root = f"/~{socket_only.label}"
        signed_in = client.get(announced.raw_path.decode())
        assert signed_in.status_code == 303
        cookie = {"Cookie": signed_in.headers["set-cookie"].partition(";")[0], "Origin": ADDRESS}
        assert client.get(f"{root}{API}/history", headers=cookie).status_code == 200
        assert client.post(f"{root}{API}/access/tickets", json={}, headers=cookie).json()["address"].startswith(ADDRESS)
        assert client.get(f"{API}/history", headers=cookie).status_code != 200, "the cookie opens its own path only"
    assert socket_only.turn("Hello.")[-1].name == "end"
    with contextlib.closing(socket.socket()) as tcp:
        assert tcp.connect_ex(("127.0.0.1", socket_only.port)), "no port is open"


def test_the_sockets_file_ends_with_its_daemon_and_a_dead_ones_is_replaced(socket_only: World) -> None:
    path = Path(str(socket_only.settings.socket))
    socket_only.stop(signal.SIGKILL)
    assert path.is_socket()
    socket_only.start()
    socket_only.stop()
    assert not path.exists()
