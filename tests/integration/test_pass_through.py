"""The pass-through sends on what passes as it is, byte for byte, and ends what ends."""

from __future__ import annotations

import fcntl
import hashlib
import os
import sys
import termios
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

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
    chunk,
    delta,
    passing,
    post,
    question,
)
from tests.worlds.world import eventually


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Live, Api]]:
    """A pass-through and its API for most tests."""
    with Api().running() as server, passing(tmp_path_factory.mktemp("live") / "home", server) as through:
        yield through, server


@pytest.fixture
def live(shared: tuple[Live, Api]) -> Live:
    return shared[0]


@pytest.fixture
def api(shared: tuple[Live, Api]) -> Iterator[Api]:
    """The API, to which no connection is open."""
    server = shared[1]
    server.drop()
    yield server
    server.drop()
    server.handle = answer_all
    errors, server.errors = server.errors, []
    assert not errors


@pytest.fixture
def fresh(tmp_path: Path) -> Iterator[tuple[Live, Api]]:
    """A pass-through that has not been used, and its API, to which it has a connection."""
    with Api().running() as server, passing(tmp_path / "home", server) as through:
        yield through, server


def answering(*parts: bytes, then: str = "keep") -> object:
    """A handler that gives this response to its first request, then keeps, closes or resets the connection."""

    def handle(peer: Peer) -> None:
        peer.request()
        for part in parts:
            peer.send(part)
        if then == "reset":
            peer.reset()
        elif then == "keep":
            peer.ends()

    return handle


def answered(live: Live, api: Api, response: bytes, then: str = "keep", request: bytes = b"") -> bytes:
    """What a client receives of this response, until its length has come or its connection ends."""
    api.handle = answering(response, then=then)  # type: ignore[assignment]
    with live.sent(request or post()) as client:
        received = client.exactly(len(response))
        if then != "keep":
            received += client.rest()
        return received


# What is sent.


def test_a_request_arrives_with_its_own_path_and_host_and_asks_for_no_compression(live: Live, api: Api) -> None:
    heads = []

    def handle(peer: Peer) -> None:
        while True:
            heads.append(peer.request()[0])
            peer.send(OK)

    api.handle = handle
    live.ask(post(b"", "X-Api-Key: k", "Accept-Encoding: gzip, br", "Connection: close", path="/v1/messages?beta=true"))
    live.ask(post(b"", "Connection: close", path=""))
    first, second = heads
    assert first.first_line == "POST /v1/messages?beta=true HTTP/1.1"
    assert first.fields == [
        ("Host", f"127.0.0.1:{api.port}"),
        ("X-Api-Key", "k"),
        ("Accept-Encoding", "identity"),
        ("Connection", "close"),
        ("Content-Length", "0"),
    ]
    assert second.first_line == "POST / HTTP/1.1"
    assert second.get("accept-encoding") == "identity"
    assert SECRET not in str(heads)


@pytest.mark.parametrize("size", [0, 1, 65_536, 30_000_000])
@pytest.mark.parametrize("is_chunked", [False, True], ids=["sized", "chunked"])
def test_a_body_arrives_as_it_was(live: Live, api: Api, size: int, is_chunked: bool) -> None:
    body = os.urandom(size) if size else b""
    if is_chunked:
        parts = [body[at : at + 1_000_000] for at in range(0, size, 1_000_000)]
        raw = b"".join(f"{len(part):X};x=y\r\n".encode() + part + b"\r\n" for part in parts) + b"0\r\nT: u\r\n\r\n"
    else:
        raw = body
    digests = []

    def handle(peer: Peer) -> None:
        peer.until()
        digests.append(hashlib.sha256(peer.exactly(len(raw))).digest())
        peer.send(OK)
        peer.ends()

    api.handle = handle
    head = (
        post(b"", "Transfer-Encoding: chunked")
        if is_chunked
        else post(b"x" * size).partition(b"\r\n\r\n")[0] + b"\r\n\r\n"
    )
    with live.sent(head) as client:
        client.send(raw)
        assert client.exactly(len(OK)) == OK
    assert digests == [hashlib.sha256(raw).digest()]


# What comes back.

ERROR = b'{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}'


@pytest.mark.parametrize(
    "first",
    [
        b"429 Too Many Requests\r\nRetry-After: 17\r\nx-should-retry: true",
        b"529 \r\nretry-after: 3",
        b"500 Internal Server Error",
        b"401 Unauthorized\r\nWWW-Authenticate: Bearer",
        b"503",
        b"301 Moved\r\nLocation: https://elsewhere.example/",
    ],
)
def test_an_error_arrives_byte_for_byte(live: Live, api: Api, first: bytes) -> None:
    size = str(len(ERROR)).encode()
    response = b"HTTP/1.1 " + first + b"\r\nX-Odd:  \xe9\t \r\ncontent-length: " + size + b"\r\n\r\n" + ERROR
    assert answered(live, api, response) == response


@pytest.mark.parametrize(
    "response",
    [
        b"HTTP/1.1 204 No Content\r\n\r\n",
        b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X\r\n\r\n5;a=b\r\nhello\r\n0;c\r\nX: y\r\n\r\n",
        b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 103 Early Hints\r\n\r\n" + OK,
        b"HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nContent-Length: 1\r\n\r\na",
        b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\na",
    ],
    ids=["204", "chunked", "103", "1.0", "two equal lengths"],
)
def test_each_kind_of_response_arrives_and_its_connection_goes_on(live: Live, api: Api, response: bytes) -> None:
    api.handle = lambda peer: [(peer.request(), peer.send(response)) for _ in range(3)] and None
    before = api.accepted
    with live.sent(post()) as client:
        assert client.exactly(len(response)) == response
        client.send(post(b"again"))
        assert client.exactly(len(response)) == response
    assert api.accepted == before + 1


def test_a_response_to_head_has_no_body(live: Live, api: Api) -> None:
    response = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"
    api.handle = lambda peer: [(peer.until(), peer.send(response)) for _ in range(2)] and None
    head = f"HEAD /{SECRET}/api/hello HTTP/1.1\r\nHost: x\r\n\r\n".encode()
    with live.sent(head) as client:
        for _ in range(2):
            assert client.exactly(len(response)) == response
            client.send(head)


@pytest.mark.parametrize("fields", [b"", b"Connection: close\r\n"])
def test_a_response_without_a_length_lasts_until_its_connection_ends(live: Live, api: Api, fields: bytes) -> None:
    response = b"HTTP/1.1 200 OK\r\n" + fields + b"\r\n" + b"x" * 100_000
    assert answered(live, api, response, then="close") == response


def test_a_client_that_waits_for_100_continue_gets_it(live: Live, api: Api) -> None:
    def handle(peer: Peer) -> None:
        assert peer.until().startswith(b"POST ")
        peer.send(b"HTTP/1.1 100 Continue\r\n\r\n")
        assert peer.exactly(5) == b"hello"
        peer.send(OK)

    api.handle = handle
    with live.sent(post(b"hello", "Expect: 100-continue")[:-5]) as client:
        assert client.until() == b"HTTP/1.1 100 Continue\r\n\r\n"
        client.send(b"hello")
        assert client.exactly(len(OK)) == OK


def test_each_piece_is_passed_on_at_once(live: Live, api: Api) -> None:
    took: list[float] = []
    arrived = threading.Semaphore(0)

    def handle(peer: Peer) -> None:
        peer.request()
        peer.send(STREAM_HEAD)
        for number in range(200):
            assert arrived.acquire(timeout=TIMEOUT)
            took.append(time.perf_counter())
            peer.send(delta(f"{number:03}"))
        peer.send(END)

    api.handle = handle
    with live.sent(question()) as client:
        client.exactly(len(STREAM_HEAD))
        for number in range(200):
            arrived.release()
            client.exactly(len(delta("000")))
            took[number] = time.perf_counter() - took[number]
    print(f"a piece takes {sorted(took)[100] * 1000:.2f} ms (median of 200)")  # noqa: T201  # a measurement


def test_a_response_before_the_request_is_whole_arrives_and_ends_the_connection(live: Live, api: Api) -> None:
    response = b"HTTP/1.1 413 Payload Too Large\r\nContent-Length: 4\r\n\r\nmuch"

    def handle(peer: Peer) -> None:
        peer.until()
        peer.send(response)
        peer.ends()

    api.handle = handle
    body = b"x" * 5_000_000
    with live.sent(post(body)[: -len(body)]) as client:

        def send() -> None:
            client.send(body)

        sending = threading.Thread(target=send, daemon=True)
        sending.start()
        assert client.rest() == response
        sending.join(TIMEOUT)


# Breaks.


@pytest.mark.parametrize("then", ["close", "reset"])
@pytest.mark.parametrize(
    ("head", "part"),
    [
        (STREAM_HEAD, delta("a")),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n", b"abc"),
        (b"HTTP/1.1 200 OK\r\nConnec", b""),
    ],
    ids=["chunked", "sized", "head"],
)
def test_a_response_that_breaks_off_does_so_for_the_client_too(
    live: Live, api: Api, head: bytes, part: bytes, then: str
) -> None:
    sent = head + part
    before = api.accepted
    api.handle = answering(sent, then=then)  # type: ignore[assignment]
    with live.sent(question()) as client:
        received = client.rest()
    assert received == (sent if part else b"")
    assert api.accepted == before + 1, "nothing may be sent twice of which something came back"


def test_what_came_before_a_reset_arrives_also_when_the_client_is_slow(live: Live, api: Api) -> None:
    sent = STREAM_HEAD + b"".join(delta("x" * 1000) for _ in range(100))
    api.handle = answering(sent, then="reset")  # type: ignore[assignment]
    for _ in range(20):
        with live.sent(question()) as client:
            assert client.rest() == sent


def test_a_response_without_a_length_that_is_reset_has_no_clean_end(live: Live, api: Api) -> None:
    sent = b"HTTP/1.1 200 OK\r\n\r\nabc"
    api.handle = answering(sent, then="reset")  # type: ignore[assignment]
    with live.sent(post()) as client:
        assert client.exactly(len(sent)) == sent
        with pytest.raises(ConnectionError):
            client.rest()


@pytest.mark.parametrize(
    "garbage",
    [
        b"garbage\r\n\r\n",
        b"\0" * 1000,
        b"HTTP/1.1 200 OK\r\nX" * 20_000,
        b"SSH-2.0-x\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\nok",
        b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n",
    ],
    ids=["line", "zeros", "endless head", "ssh", "two lengths", "101"],
)
def test_a_response_that_is_none_ends_the_connection(live: Live, api: Api, garbage: bytes) -> None:
    api.handle = answering(garbage, then="close" if garbage[:3] in (b"SSH", b"\0\0\0") else "keep")  # type: ignore[assignment]
    with live.sent(post()) as client:
        received = client.rest()
    assert garbage.startswith(received)
    api.handle = answer_all
    assert live.ask() == OK


def test_chunks_that_are_none_arrive_and_end_the_connection(live: Live, api: Api) -> None:
    sent = STREAM_HEAD + delta("a") + b"xyz\r\n"
    api.handle = answering(sent)  # type: ignore[assignment]
    with live.sent(question()) as client:
        assert client.rest() == sent


@pytest.mark.parametrize("how", ["close", "reset"])
@pytest.mark.parametrize("when", ["asked", "answered", "asking"])
def test_a_client_that_goes_ends_the_apis_work_at_once(live: Live, api: Api, how: str, when: str) -> None:
    began, ended = threading.Event(), threading.Event()

    def handle(peer: Peer) -> None:
        peer.until()
        if when == "answered":
            peer.send(STREAM_HEAD + delta("a"))
        began.set()
        peer.ends()
        ended.set()

    api.handle = handle
    request = question()[:-5] if when == "asking" else question()
    with live.sent(request) as client:
        assert began.wait(TIMEOUT)
        if when == "answered":
            client.exactly(len(STREAM_HEAD + delta("a")))
        left = time.perf_counter()
        getattr(client, how)()
        assert ended.wait(TIMEOUT)
    print(f"{when}, {how}: the API's connection ended after {(time.perf_counter() - left) * 1000:.1f} ms")  # noqa: T201


# Connections that are kept.


def test_one_connection_to_the_api_serves_all_and_the_first_is_open_before_it_is_needed(
    fresh: tuple[Live, Api],
) -> None:
    live, api = fresh
    assert api.accepted == 1
    probe = f"GET /{SECRET}/paliadin-live HTTP/1.1\r\n\r\n".encode()
    for _ in range(3):
        with live.sent(b"") as client:
            for _ in range(4):
                client.send(post(b"abc"))
                assert client.exactly(len(OK)) == OK
            client.send(probe)
            assert client.until().startswith(b"HTTP/1.1 204 ")  # all that belongs to the last request is done
    assert api.accepted == 1


@pytest.mark.parametrize("how", ["close", "reset"])
@pytest.mark.parametrize(
    "raw", [post(b"a" * 200_000), post(b"", "Transfer-Encoding: chunked") + chunk(b"b" * 99_000) + b"0\r\n\r\n"]
)
def test_a_kept_connection_that_turns_out_closed_is_replaced_once_and_the_body_is_whole(
    fresh: tuple[Live, Api], how: str, raw: bytes
) -> None:
    live, api = fresh
    bodies = []

    def handle(peer: Peer) -> None:
        if api.accepted > 1:
            bodies.append(peer.request())
            peer.send(OK)
            peer.ends()

    def first(peer: Peer) -> None:
        peer.request()
        peer.send(OK)
        peer.exactly(1000)  # the next request has begun
        if how == "reset":
            peer.reset()

    api.drop()
    api.handle = first
    with live.sent(post()) as client:
        assert client.exactly(len(OK)) == OK
    api.handle = handle
    accepted = api.accepted
    with live.sent(raw) as client:
        assert client.exactly(len(OK)) == OK
    assert api.accepted == accepted + 1
    assert [raw.endswith(body) and len(body) > 90_000 for _, body in bodies] == [True]


def test_a_request_is_sent_twice_at_most_however_many_kept_connections_turn_out_closed(
    fresh: tuple[Live, Api],
) -> None:
    live, api = fresh
    seen = []
    gate = threading.Barrier(4, timeout=TIMEOUT)

    def handle(peer: Peer) -> None:
        peer.request()
        gate.wait()
        peer.send(OK)
        peer.until()  # the next request; the connection then closes
        seen.append(1)

    api.drop()
    api.handle = handle
    clients = [live.connect() for _ in range(4)]
    for client in clients:
        client.send(post())
    for client in clients:
        assert client.exactly(len(OK)) == OK
    api.handle = lambda peer: seen.append(len(peer.until()))
    with live.sent(post()) as client:
        assert client.rest() == b""
    assert len(seen) == 2
    for client in clients:
        client.close()


def test_nothing_is_sent_twice_on_a_new_connection(fresh: tuple[Live, Api]) -> None:
    live, api = fresh
    api.drop()
    api.handle = lambda peer: peer.until() and None
    before = api.accepted
    with live.sent(post(b"abc")) as client:
        assert client.rest() == b""
    assert api.accepted == before + 1


@pytest.mark.parametrize("how", ["close", "reset"])
@pytest.mark.parametrize("part", [b"HTTP/1.1 ", b"HTTP/1.1 100 Continue\r\n\r\n", STREAM_HEAD])
def test_nothing_is_sent_twice_of_which_something_came_back(fresh: tuple[Live, Api], part: bytes, how: str) -> None:
    live, api = fresh

    def handle(peer: Peer) -> None:
        peer.request()
        peer.send(OK)
        peer.request()
        peer.send(part)
        if how == "reset":
            peer.reset()

    api.drop()
    api.handle = handle
    with live.sent(post()) as client:
        assert client.exactly(len(OK)) == OK
        before = api.accepted
        client.send(post(b"abc"))
        client.ends()
    assert api.accepted == before


def unacknowledged(peer: Peer) -> int:
    """How many bytes have been sent that have not arrived."""
    return int.from_bytes(fcntl.ioctl(peer.socket, termios.TIOCOUTQ, bytes(4)), sys.byteorder)


def test_a_response_that_nobody_asked_for_is_no_answer_to_the_next_request(fresh: tuple[Live, Api]) -> None:
    live, api = fresh
    stale = b"HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\n\r\n"
    told, arrived = threading.Event(), threading.Event()

    def handle(peer: Peer) -> None:
        peer.request()
        peer.send(OK)
        told.wait(TIMEOUT)
        peer.send(stale)
        eventually(lambda: not unacknowledged(peer))
        arrived.set()
        peer.ends()

    api.drop()
    api.handle = handle
    with live.sent(post()) as client:
        assert client.exactly(len(OK)) == OK
        api.handle = answer_all
        told.set()
        assert arrived.wait(TIMEOUT)
        client.send(post())
        assert client.exactly(len(OK)) == OK


# Sizes.


def peak(pid: int) -> int:
    """The most memory that a process has had, in KB."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0])


def test_a_stream_of_100_mb_each_way_is_not_held_and_a_slow_reader_slows_its_writer(fresh: tuple[Live, Api]) -> None:
    live, api = fresh
    size, piece = 100_000_000, b"x" * 1_000_000
    sent = {"api": 0, "client": 0}
    go = threading.Event()

    def send(peer: Peer, who: str) -> None:
        while sent[who] < size:
            peer.send(piece)
            sent[who] += len(piece)

    def handle(peer: Peer) -> None:
        peer.until()
        assert go.wait(TIMEOUT)
        for _ in range(size // len(piece)):
            peer.exactly(len(piece))
        peer.send(f"HTTP/1.1 200 OK\r\nContent-Length: {size}\r\n\r\n".encode())
        send(peer, "api")

    def stalls(who: str) -> bool:
        before = sent[who]
        began = time.monotonic()
        eventually(lambda: time.monotonic() > began + 0.15)
        return sent[who] == before > 0

    api.drop()
    api.handle = handle
    with live.sent(post().replace(b"Length: 0", f"Length: {size}".encode())) as client:
        sending = threading.Thread(target=send, args=[client, "client"], daemon=True)
        sending.start()
        eventually(lambda: stalls("client"), TIMEOUT)
        assert sent["client"] < 40_000_000
        go.set()
        client.until()
        eventually(lambda: stalls("api"), TIMEOUT)
        assert sent["api"] < 40_000_000
        for _ in range(size // len(piece)):
            client.exactly(len(piece))
        sending.join(TIMEOUT)
    child, parent = peak(live.child), peak(live.process.pid if live.process else 0)
    print(f"most memory: child {child} KB, parent {parent} KB")  # noqa: T201  # a measurement
    assert child + parent < 50_000


# What it says of an answer.


def test_the_text_of_an_answer_is_in_the_turns_preview_as_soon_as_it_has_passed(live: Live, api: Api) -> None:
    more = threading.Event()

    def handle(peer: Peer) -> None:
        peer.request()
        peer.send(STREAM_HEAD + delta("Hel"))
        assert more.wait(TIMEOUT)
        peer.send(delta("lo") + END)

    api.handle = handle
    (live.turn / "live.jsonl").unlink(missing_ok=True)
    with live.sent(question()) as client:
        client.exactly(len(STREAM_HEAD + delta("Hel")))
        eventually(lambda: [line.get("text") for line in live.preview()] == [None, "Hel"])
        more.set()
        client.exactly(len(delta("lo") + END))
        eventually(lambda: live.preview()[-1:] and live.preview()[-1].get("end") == "complete")
