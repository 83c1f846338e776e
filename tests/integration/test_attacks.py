"""Clients that mean harm, and another user of the machine: nobody is let in, nobody else is kept waiting."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from paliadin.demo.scripted_api import ScriptedApi
from paliadin.postgres.cluster import locate_cluster
from tests.integration.conftest import make_world
from tests.worlds.world import TOKEN, World

API = "/api/paliadin"
UNKNOWN = "019a2b3c-4d5e-7f60-8123-456789abcdef"


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory, one_claude: Path, api: tuple[ScriptedApi, str]) -> Iterator[World]:
    for world in make_world(tmp_path_factory.mktemp("attacks"), one_claude, api, played=True):
        world.constants["web.body.BODY_TIMEOUT"] = 4.0
        world.start()
        yield world


@contextlib.contextmanager
def connected(daemon: World) -> Iterator[socket.socket]:
    with socket.create_connection(("127.0.0.1", int(daemon.options["PORT"])), 30) as connection:
        yield connection


def head(path: str, *headers: str, token: str = TOKEN) -> bytes:
    lines = [f"POST {path} HTTP/1.1", "Host: 127.0.0.1", f"Authorization: Bearer {token}", *headers]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


def status(connection: socket.socket) -> int:
    response = b""
    while b"\r\n" not in response and (more := connection.recv(1000)):
        response += more
    return int(response.split()[1])


def still_serves(daemon: World) -> None:
    with daemon.client() as client:
        began = time.monotonic()
        assert client.get(f"{API}/history").status_code == 200
        assert time.monotonic() - began < 5


def memory(daemon: World) -> int:
    """Resident, in bytes."""
    assert daemon.process is not None
    return int(Path(f"/proc/{daemon.process.pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.parametrize(("token", "expected"), [(TOKEN, 413), ("wrong", 401)])
@pytest.mark.parametrize("path", [f"{API}/turn", f"{API}/stream/{UNKNOWN}/answer"])
def test_a_body_without_end_is_refused_kept_nowhere_and_keeps_nobody_waiting(
    daemon: World, path: str, token: str, expected: int
) -> None:
    chunk = b"10000\r\n" + b"x" * 0x10000 + b"\r\n"
    before = memory(daemon)
    with connected(daemon) as connection:
        connection.sendall(head(path, "Transfer-Encoding: chunked", token=token))
        for _ in range(10):
            connection.sendall(chunk * 100)
            still_serves(daemon)
            assert memory(daemon) - before < 20_000_000
        assert status(connection) == expected


def test_a_body_that_trickles_in_is_given_up_and_keeps_nobody_waiting(daemon: World) -> None:
    with contextlib.ExitStack() as stack:
        slow = [stack.enter_context(connected(daemon)) for _ in range(50)]
        for connection in slow:
            connection.sendall(head(f"{API}/turn", "Content-Length: 1000"))
        began = time.monotonic()
        while time.monotonic() - began < 3:
            for connection in slow:
                connection.sendall(b" ")
            still_serves(daemon)
            time.sleep(1)
        assert {status(connection) for connection in slow} == {408}


def test_requests_that_never_come_to_their_end_keep_nobody_waiting(daemon: World) -> None:
    with contextlib.ExitStack() as stack:
        for _ in range(300):
            stack.enter_context(connected(daemon)).sendall(b"GET /api/paliadin/health HTTP/1.1\r\nHost: 127.")
        still_serves(daemon)


@pytest.mark.parametrize(
    "headers",
    [
        [f"X-{number}: x" for number in range(10_000)],
        ["X: " + "x" * 1_000_000],
        ["Cookie: " + "; ".join(f"c{number}=x" for number in range(20_000))],
    ],
    ids=["ten thousand", "one of a megabyte", "twenty thousand cookies"],
)
def test_headers_without_measure_harm_nobody(daemon: World, headers: list[str]) -> None:
    """Most are refused (400); what fits into the server's buffer is a request like any other (422: it asks nothing)."""
    with connected(daemon) as connection, contextlib.suppress(ConnectionError):  # it may hang up on us
        connection.sendall(head(f"{API}/turn", "Content-Length: 2", *headers) + b"{}")
        assert status(connection) in {400, 422, 431}
    still_serves(daemon)


def test_many_small_headers_and_cookies_let_nobody_in(daemon: World) -> None:
    cookies = "Cookie: " + "; ".join(f"paliadin_{number}=x" for number in range(2_000))
    for headers in ([f"X-{number}: x" for number in range(1_000)], [cookies], ["Authorization: Bearer x"] * 500):
        with connected(daemon) as connection:
            connection.sendall(head(f"{API}/turn", "Content-Length: 2", *headers, token="wrong") + b"{}")
            assert status(connection) in {400, 401}


def test_nothing_listens_but_the_daemon_on_loopback(daemon: World) -> None:
    """Neither it nor Postgres, on any address of any network."""
    assert daemon.process is not None
    family = [daemon.process.pid]
    for pid in family:
        listed = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True, check=False)
        family += map(int, listed.stdout.split())
    assert any("postgres" in Path(f"/proc/{pid}/cmdline").read_text() for pid in family)
    sockets = set()
    for entry in (entry for pid in family for entry in Path(f"/proc/{pid}/fd").iterdir()):
        with contextlib.suppress(FileNotFoundError):  # closed since
            sockets.add(str(entry.readlink()))
    listening = []
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):  # addresses in hexadecimal, each four bytes reversed
        for line in Path(table).read_text().splitlines()[1:]:
            _, local, _, state, *rest = line.split()
            if state == "0A" and f"socket:[{rest[5]}]" in sockets:
                listening.append(local)
    port = int(daemon.options["PORT"])
    assert listening == [f"0100007F:{port:04X}", f"00000000000000000000000001000000:{port:04X}"]


REACH = """
import os, socket, sys
for path in sys.argv[1:]:
    try:
        if path.rpartition("/")[2].startswith(".s."):
            socket.socket(socket.AF_UNIX).connect(path)
        else:
            os.listdir(path) if os.path.isdir(path) else open(path).read()
    except OSError as error:
        continue
    print(path)
"""


def test_another_user_of_the_machine_reaches_neither_database_nor_files(daemon: World) -> None:
    """As an ordinary user where the test may become one; and by the permissions anyway."""
    place = locate_cluster(daemon.settings.home)
    socket_file = place.socket_folder / ".s.PGSQL.5432"
    assert socket_file.is_socket()
    guarded = [place.folder, place.data, place.socket_folder, daemon.settings.home, daemon.settings.response_dir]
    for folder in guarded:
        assert folder.stat().st_mode & 0o007 == 0, folder
    wanted = [*guarded, socket_file, daemon.settings.home / "token", place.folder / "pg_hba.conf"]
    if os.geteuid() == 0:
        python = shutil.which("python3", path="/usr/bin:/usr/local/bin") or sys.executable
        command = ["setpriv", "--reuid=54321", "--regid=54321", "--clear-groups", python, "-I", "-S", "-c", REACH]
        reached = subprocess.run(
            [*command, *map(str, wanted), "/etc/hostname"], capture_output=True, text=True, check=True, cwd="/"
        )
        assert reached.stdout.split() == ["/etc/hostname"]
