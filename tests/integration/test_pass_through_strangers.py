"""Whoever does not know the secret path gets nothing from the pass-through, and takes nothing from Claude."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import missing, need
from tests.worlds.pass_through import (
    END,
    OK,
    SECRET,
    STREAM_HEAD,
    TIMEOUT,
    Api,
    Live,
    Peer,
    answer_all,
    delta,
    passing,
    post,
    question,
)

NOT_FOUND = b"HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Live, Api]]:
    with Api().running() as server, passing(tmp_path_factory.mktemp("live") / "home", server) as through:
        yield through, server


@pytest.fixture
def live(shared: tuple[Live, Api]) -> Iterator[Live]:
    """The pass-through, which afterwards serves as before and has said nothing."""
    live, api = shared
    before = live.child
    yield live
    assert live.ask() == OK
    assert (live.child, live.printed, live.notes) == (before, "", "")
    assert not api.errors


def received(live: Live, data: bytes) -> bytes:
    """What comes back until the connection ends, in order or not."""
    with live.sent(b"") as peer:
        with contextlib.suppress(ConnectionError):
            peer.send(data)
        parts = []
        with contextlib.suppress(ConnectionError):
            while part := peer.socket.recv(65536):
                parts.append(part)
        return b"".join(parts)


@pytest.mark.parametrize(
    "target",
    [
        "/",
        "*",
        "",
        "/v1/messages",
        "/other/v1/messages",
        f"/{SECRET[:-1]}/v1/messages",
        f"/{SECRET}x/v1/messages",
        f"/{SECRET.upper()}/v1/messages",
        f"//{SECRET}/v1/messages",
        f"/x/../{SECRET}/v1/messages",
        f"/%73{SECRET[1:]}/v1/messages",
        f"/{SECRET}?x",
        f"/{SECRET}#/x",
        f"/{SECRET}%2fv1",
        f"http://127.0.0.1/{SECRET}/v1/messages",
        "http://127.0.0.1/v1/messages",
        "127.0.0.1:443",
    ],
)
def test_another_path_is_not_found(live: Live, shared: tuple[Live, Api], target: str) -> None:
    before = shared[1].accepted
    assert received(live, f"GET {target} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode()) in (NOT_FOUND, b"")
    assert shared[1].accepted == before


@pytest.mark.parametrize(
    "data",
    [
        b"\r\n\r\n",
        b"\0" * 100_000,
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(range(256)),
        b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
        b"GET /" + b"a" * 200_000,
        b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 2_000_000,
        b"A" * 10_000_000,
        f"GET /{SECRET}/a HTTP/1.0\r\n\r\n".encode(),
        f"GET /{SECRET}/a HTTP/1.1\r\nno field\r\n\r\n".encode(),
        f"GET /{SECRET}/a\0b HTTP/1.1\r\n\r\n".encode(),
        f"GET /{SECRET}/a\rb HTTP/1.1\r\n\r\n".encode(),
        f"GET /{SECRET}/a\nX: y HTTP/1.1\r\n\r\n".encode(),
        f"GET /{SECRET}/a HTTP/1.1\r\nX: a\nTransfer-Encoding: chunked\r\n\r\n".encode(),
        f"GET /{SECRET}/a HTTP/1.1\r\nX: a\0\r\n\r\n".encode(),
        f"POST /{SECRET}/a HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab".encode(),
        f"POST /{SECRET}/a HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n".encode(),
        f"POST /{SECRET}/a HTTP/1.1\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n".encode(),
        f"POST /{SECRET}/a HTTP/1.1\r\nTransfer-Encoding : chunked\r\n\r\n0\r\n\r\n".encode(),
    ],
)
def test_garbage_and_what_two_readers_could_disagree_about_is_refused_and_never_sent_on(
    live: Live, shared: tuple[Live, Api], data: bytes
) -> None:
    api, seen = shared[1], []
    api.drop()
    api.handle = lambda peer: seen.append(peer.until())
    try:
        assert received(live, data) in (NOT_FOUND, b"")
        assert seen == []
    finally:
        api.drop()
        api.handle = answer_all


def test_headers_of_10_mb_behind_the_secret_path_are_refused(live: Live) -> None:
    head = f"GET /{SECRET}/a HTTP/1.1\r\n".encode() + b"X: y\r\n" * 1_700_000
    assert received(live, head)[:13] in (b"HTTP/1.1 431 ", b"")


def test_half_a_request_that_ends_is_forgotten(live: Live) -> None:
    whole = post(b"abc")
    for end in (1, 10, len(whole) // 2, len(whole) - 4):
        with live.sent(whole[:end]):
            pass


def memory(live: Live) -> int:
    status = Path(f"/proc/{live.child}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0])


def test_many_silent_and_slow_connections_take_nothing_from_claude(live: Live, shared: tuple[Live, Api]) -> None:
    api, more = shared[1], threading.Event()
    before = memory(live)

    def handle(peer: Peer) -> None:
        while True:
            _, body = peer.request()
            if not body:
                peer.send(OK)
                continue
            peer.send(STREAM_HEAD + delta("a"))
            assert more.wait(TIMEOUT)
            peer.send(delta("b") + END)

    api.drop()
    api.handle = handle
    strangers: list[Peer] = []
    with live.sent(question()) as claude:
        claude.exactly(len(STREAM_HEAD + delta("a")))
        try:
            for number in range(400):
                strangers.append(live.connect())
                with contextlib.suppress(ConnectionError):
                    strangers[-1].send([b"", b"P", b"POST /secret", b"GET / HTTP/1.1\r\nX:"][number % 4])
                if number % 40 == 0:
                    assert live.ask() == OK
            assert live.ask() == OK
            print(f"400 strangers take {memory(live) - before} KB")  # noqa: T201  # a measurement
            assert memory(live) - before < 20_000
            more.set()
            assert claude.exactly(len(delta("b") + END)) == delta("b") + END
        finally:
            for stranger in strangers:
                stranger.close()


def test_a_request_of_claudes_gets_through_a_burst_of_strangers(live: Live) -> None:
    """All are accepted at once: 40 before Claude's, 45 after it, none of which says anything."""
    os.kill(live.child, signal.SIGSTOP)  # they wait in the queue
    peers = []
    try:
        peers = [live.connect() for _ in range(40)]
        claude = live.connect()
        claude.send(post(b"", "Connection: close"))
        peers += [live.connect() for _ in range(45)]
    finally:
        os.kill(live.child, signal.SIGCONT)
    assert claude.rest() == OK
    for peer in [claude, *peers]:
        peer.close()


# Another account of the machine.


def as_nobody(*command: str) -> subprocess.CompletedProcess[bytes]:
    if os.geteuid():
        missing("only root can become another account for this test")
    nobody = [need("setpriv"), "--reuid=65534", "--regid=65534", "--clear-groups"]
    return subprocess.run([*nobody, *command], capture_output=True, check=False, timeout=TIMEOUT, cwd="/")


def test_another_account_cannot_learn_the_secret_path(live: Live) -> None:
    assert live.process
    pids = [live.process.pid, live.child]
    for pid in pids:
        shown = as_nobody("cat", f"/proc/{pid}/cmdline")
        assert b"config.json" in shown.stdout
        assert SECRET.encode() not in shown.stdout
        for name in ("environ", "mem", "maps", "fd/3", "auxv"):
            assert not as_nobody("cat", f"/proc/{pid}/{name}").stdout
    for path in live.folder.iterdir():
        if path.name != "terminal":  # the test's own
            assert path.stat().st_mode & 0o077 == 0, path
            assert not as_nobody("cat", str(path)).stdout
    assert not as_nobody("kill", str(pids[0])).stdout


def test_a_request_from_another_account_is_not_found(live: Live, shared: tuple[Live, Api]) -> None:
    before = shared[1].accepted
    script = f"exec 3<>/dev/tcp/127.0.0.1/{live.port}; printf 'GET /v1/messages HTTP/1.1\\r\\n\\r\\n' >&3; cat <&3"
    assert as_nobody(need("bash"), "-c", script).stdout == NOT_FOUND
    assert shared[1].accepted == before


def test_it_listens_on_loopback_only(live: Live) -> None:
    addresses = [line.split()[1] for line in Path("/proc/net/tcp").read_text().splitlines()[1:] if " 0A " in line]
    listening = [address for address in addresses if int(address.partition(":")[2], 16) == live.port]
    assert listening == [f"0100007F:{live.port:04X}"]
    assert socket.inet_aton("127.0.0.1")[::-1].hex().upper() == "0100007F"
