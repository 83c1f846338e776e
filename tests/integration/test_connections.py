"""Clients that open connections without end, without a token: the page works on, and a running turn ends normally."""

from __future__ import annotations

import contextlib
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from paliadin.demo.scripted_api import ScriptedApi
from tests.integration.conftest import make_world
from tests.worlds.processes import daemon_of, postgres_of
from tests.worlds.world import World, eventually, last, text_of

FEW = 256  # open files, so that a test needs few connections
HALF_A_HEAD = b"GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\nX: "
KEPT = b"GET /livez HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory, one_claude: Path, api: tuple[ScriptedApi, str]) -> Iterator[World]:
    for world in make_world(tmp_path_factory.mktemp("connections"), one_claude, api):
        world.scripted, world.open_files = True, (FEW, FEW)
        world.start()
        yield world


def connect(daemon: World) -> socket.socket:
    return socket.create_connection(("127.0.0.1", int(daemon.options["PORT"])), 30)


@contextlib.contextmanager
def flood(daemon: World, number: int, said: bytes = b"") -> Iterator[list[socket.socket]]:
    """So many connections that say this and then nothing; open until the end of the block, as far as they are let."""
    with contextlib.ExitStack() as stack:
        connections = []
        for _ in range(number):
            connection = stack.enter_context(connect(daemon))
            connections.append(connection)
            with contextlib.suppress(ConnectionError):
                connection.sendall(said)
        yield connections


def log_of(daemon: World) -> str:
    return (daemon.root / "daemon.log").read_text()


def ended(connection: socket.socket) -> bool:
    """True once the daemon has closed the connection; what it sent before is thrown away."""
    connection.setblocking(False)
    try:
        while connection.recv(1 << 16):
            pass
    except BlockingIOError:
        return False
    except ConnectionError:
        pass
    return True


def serves(daemon: World) -> None:
    with daemon.client() as client:
        assert client.get("/livez").status_code == 200
        assert client.get("/api/paliadin/history").status_code == 200


@contextlib.contextmanager
def a_running_turn(daemon: World) -> Iterator[str]:
    """One that is answered at the end of the block, normally, and to a client that has followed it meanwhile."""
    go = daemon.workdir / "go"
    turn_id = daemon.ask(f"Wait. scene:until in:{daemon.workdir}")
    events = daemon.follow(turn_id)
    seen = [next(events)]
    yield turn_id
    go.touch()
    seen += list(events)
    go.unlink()
    assert seen[-1].name == "end", seen[-1]
    assert text_of(seen).endswith("It came.")
    assert last(seen, "meta").data["turn_id"] == turn_id


@pytest.mark.parametrize("said", [b"", HALF_A_HEAD, KEPT], ids=["silent", "half a head", "kept alive"])
def test_more_connections_than_files_may_be_open_keep_nobody_waiting(daemon: World, said: bytes) -> None:
    before = len(log_of(daemon))
    with a_running_turn(daemon), flood(daemon, 2 * FEW, said):
        serves(daemon)
    assert len(log_of(daemon)) - before < 2_000


def test_the_oldest_silent_connections_go_first_and_one_with_a_request_never(daemon: World) -> None:
    with a_running_turn(daemon), flood(daemon, 20) as oldest, flood(daemon, FEW // 2) as later:
        eventually(lambda: all(map(ended, oldest)), what="the oldest are closed")
        assert not ended(later[-1])


def test_a_head_that_trickles_in_is_given_up(daemon: World) -> None:
    with flood(daemon, 3, HALF_A_HEAD) as slow:
        began = time.monotonic()

        def all_ended() -> bool:
            for connection in slow:
                with contextlib.suppress(ConnectionError):
                    connection.setblocking(True)
                    connection.sendall(b"x")
            return all(map(ended, slow))

        eventually(all_ended, 20, "they are closed")
        assert time.monotonic() - began > 2, "a slow client needs some time"


@pytest.mark.long
def test_a_client_that_does_not_read_is_left(daemon: World) -> None:
    """What waits for it is held in memory, and what it asks next, too."""
    with connect(daemon) as connection:
        connection.setblocking(False)
        sent = 0
        with contextlib.suppress(BlockingIOError):
            while True:
                sent += connection.send(KEPT * 1000)
        connection.settimeout(60)
        eventually(lambda: reset(connection), 60, "the daemon has closed it")


def reset(connection: socket.socket) -> bool:
    """True once the daemon has closed the connection; reads nothing."""
    return connection.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR) != 0 or tcp_state(connection) != ESTABLISHED


ESTABLISHED = 1


def tcp_state(connection: socket.socket) -> int:
    return connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)[0]


@pytest.mark.long
def test_where_no_file_can_be_opened_any_more_the_daemon_waits_quietly(
    fresh_world: World,
) -> None:
    """The system refuses connections before the daemon's own limit is reached."""
    fresh_world.scripted = True
    fresh_world.start()
    files = len(list(Path(f"/proc/{daemon_of(fresh_world)}/fd").iterdir()))
    fresh_world.stop()
    fresh_world.open_files = (files + 10, files + 10)
    fresh_world.start()
    before = len(log_of(fresh_world))
    with flood(fresh_world, 100):
        eventually(lambda: livez(fresh_world), 10, "somebody is served")
        log = log_of(fresh_world)[before:]
    assert "Traceback" not in log
    assert len(log) < 2_000
    eventually(lambda: livez(fresh_world), 10)


def livez(daemon: World) -> bool:
    with daemon.client() as client, contextlib.suppress(OSError):
        return client.get("/livez", timeout=2).status_code == 200
    return False


UPGRADE = b"GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n"
UPGRADE += b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"


@pytest.mark.parametrize(("path", "status"), [(b"/livez", b"200"), (b"/api/paliadin/health", b"401")])
def test_an_upgrade_is_a_request_like_any_other_and_no_line_in_the_log(
    daemon: World, path: bytes, status: bytes
) -> None:
    before = log_of(daemon)
    for _ in range(50):
        with connect(daemon) as connection:
            connection.sendall(UPGRADE % path)
            assert connection.recv(1000).split()[1] == status
    assert log_of(daemon) == before


def test_requests_that_are_none_are_one_line_in_the_log(daemon: World) -> None:
    before = len(log_of(daemon))
    for _ in range(50):
        with connect(daemon) as connection:
            connection.sendall(b"no HTTP\r\n\r\n")
            assert connection.recv(1000).split()[1] == b"400"
    assert log_of(daemon)[before:].count("Invalid HTTP request") <= 1


@pytest.mark.long
def test_the_daemon_takes_more_open_files_and_what_it_starts_does_not(fresh_world: World) -> None:
    fresh_world.open_files = (400, 4000)
    fresh_world.start()
    fresh_world.turn("Hello")
    claude = fresh_world.terminal.capture(fresh_world.pane).pid  # it raises the limit itself
    tmux = int(Path(f"/proc/{claude}/stat").read_text().rpartition(")")[2].split()[1])
    assert limit_of(daemon_of(fresh_world)) == 4000
    assert {limit_of(pid) for pid in [tmux, *postgres_of(fresh_world)]} == {400}


def limit_of(pid: int) -> int:
    """How many files the process may open."""
    [line] = [line for line in Path(f"/proc/{pid}/limits").read_text().splitlines() if "open files" in line]
    return int(line.split()[3])
