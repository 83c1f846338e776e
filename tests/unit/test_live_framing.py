"""Where an HTTP message ends, wherever it is cut; and what is refused because two readers could disagree."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paliadin.live.framing import MAX_CHUNK_LINE, Body, Head, MalformedMessage, request_body, response_body


def head(first: str = "POST /s/v1/messages HTTP/1.1", *fields: str) -> Head:
    return Head.parse("\r\n".join([first, *fields, "", ""]).encode("latin-1"))


def fed(body: Body, data: bytes, cuts: Sequence[int] = ()) -> tuple[bytes, bytes]:
    """(the content, what is behind the body's end)."""
    content, rest = b"", b""
    at = sorted({0, len(data), *(cut % (len(data) + 1) for cut in cuts)})
    for start, end in itertools.pairwise(at):
        if body.complete:
            rest += data[start:end]
        else:
            content += b"".join(body.feed(data[start:end]))
            rest += body.rest
    return content, rest


# Heads.


def test_a_head_is_sent_as_it_came() -> None:
    raw = b"POST /s/v1/messages?beta=true HTTP/1.1\r\nHost: a\r\nX-Odd: \xe9 b\r\nHost: b\r\n\r\n"
    parsed = Head.parse(raw)
    assert parsed.encode() == raw
    assert (parsed.get("host"), parsed.get("x-odd"), parsed.get("missing")) == ("b", "é b", None)
    assert parsed.request == ("POST", "/s/v1/messages?beta=true")


@pytest.mark.parametrize(
    "raw",
    [
        b"GET / HTTP/1.1\r\nno colon\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost : a\r\n\r\n",
        b"GET / HTTP/1.1\r\n folded: a\r\n\r\n",
        b"GET / HTTP/1.1\r\nX: a\r\n folded\r\n\r\n",
        b"GET / HTTP/1.1\r\nX: a\nTransfer-Encoding: chunked\r\n\r\n",
        b"GET / HTTP/1.1\r\nX: a\rb\r\n\r\n",
        b"GET / HTTP/1.1\r\nX: a\0b\r\n\r\n",
        b"GET / HTTP/1.1\r\n: a\r\n\r\n",
        b"GET / HTTP/1.1\r\nX\xe9: a\r\n\r\n",
    ],
)
def test_a_line_that_is_no_field_is_refused(raw: bytes) -> None:
    with pytest.raises(MalformedMessage):
        Head.parse(raw)


@pytest.mark.parametrize(
    "first",
    [
        "",
        "GET",
        "GET /",
        "GET / HTTP/1.0",
        "GET / HTTP/2",
        "get / HTTP/1.1",
        "GET  / HTTP/1.1",
        "GET / x HTTP/1.1",
        "GET /a\0b HTTP/1.1",
        "GET /a\rb HTTP/1.1",
        "GET /a\nX: y HTTP/1.1",
        "GET /a\x7fb HTTP/1.1",
        "GET /a\xe9 HTTP/1.1",
        "G\0T / HTTP/1.1",
        " GET / HTTP/1.1",
        "GET / HTTP/1.1 ",
    ],
)
def test_a_first_line_that_is_no_request_is_refused(first: str) -> None:
    with pytest.raises(MalformedMessage):
        _ = Head(first, []).request


@pytest.mark.parametrize("first", ["", "HTTP/1.1 20", "HTTP/1.1 2000", "HTTP/2 200", "200 OK", "HTTP/1.1 099 x"])
def test_a_first_line_that_is_no_status_is_refused(first: str) -> None:
    with pytest.raises(MalformedMessage):
        _ = Head(first, []).status


@pytest.mark.parametrize(
    ("first", "fields", "keeps"),
    [
        ("HTTP/1.1 200 OK", [], True),
        ("HTTP/1.1 200 OK", ["Connection: keep-alive"], True),
        ("HTTP/1.1 200 OK", ["Connection: Close"], False),
        ("HTTP/1.1 200 OK", ["Connection: x, close"], False),
        ("HTTP/1.1 200 OK", ["Connection: close", "Connection: x"], False),
        ("HTTP/1.0 200 OK", [], False),
        ("HTTP/1.0 200 OK", ["Connection: Keep-Alive"], True),
    ],
)
def test_whether_a_connection_lives_on_is_as_both_sides_see_it(first: str, fields: list[str], keeps: bool) -> None:
    assert head(first, *fields).keeps_alive is keeps


@given(st.binary(max_size=200))
def test_any_bytes_are_a_head_or_malformed(raw: bytes) -> None:
    try:
        parsed = Head.parse(raw + b"\r\n\r\n")
        _ = parsed.keeps_alive
        request_body(parsed)
        _ = parsed.request
    except MalformedMessage:
        pass


# Bodies.

CUTS = st.lists(st.integers(0, 5000), max_size=20)
CHUNKS = st.lists(st.binary(min_size=1, max_size=60), max_size=6)


def chunked(parts: list[bytes], extension: str = "", trailers: str = "") -> bytes:
    lines = [f"{len(part):x}{extension}\r\n".encode() + part + b"\r\n" for part in parts]
    return b"".join(lines) + f"0{extension}\r\n{trailers}\r\n".encode()


@given(content=st.binary(max_size=100), behind=st.binary(max_size=20), cuts=CUTS)
def test_a_sized_body_ends_where_it_says(content: bytes, behind: bytes, cuts: list[int]) -> None:
    body = request_body(head("POST / HTTP/1.1", f"Content-Length: {len(content)}"))
    assert fed(body, content + behind, cuts) == (content, behind)
    assert body.complete


@given(
    parts=CHUNKS,
    extension=st.sampled_from(["", ";a=b", '; a="x;y"', " "]),
    trailers=st.sampled_from(["", "X: y\r\n", "X: y\r\nZ: 0\r\n"]),
    behind=st.sampled_from([b"", b"HTTP/1.1 200 OK\r\n", b"0\r\n\r\n"]),
    cuts=CUTS,
)
def test_a_chunked_body_ends_behind_its_trailers(
    parts: list[bytes], extension: str, trailers: str, behind: bytes, cuts: list[int]
) -> None:
    body = request_body(head("POST / HTTP/1.1", "Transfer-Encoding: Chunked"))
    whole = chunked(parts, extension, trailers)
    assert fed(body, whole + behind, cuts) == (b"".join(parts), behind)
    assert body.complete
    unfinished = request_body(head("POST / HTTP/1.1", "Transfer-Encoding: chunked"))
    fed(unfinished, whole[:-1], cuts)
    assert not unfinished.complete


@pytest.mark.parametrize(
    "data",
    [
        b"x\r\n",
        b"-1\r\n",
        b"0x5\r\n",
        b"\r\n",
        b"5\r\nhelloX\r\n",
        b"5\n\r\n",
        b"5\r\r\n",
        b"5\x0b\r\n",
        b"5;a\nb\r\n",
        b"5;a\rb\r\n",
        b"fffffffffffff\r\n",
        b"5;" + b"x" * (MAX_CHUNK_LINE + 10),
        b"5;" + b"x" * (MAX_CHUNK_LINE + 10) + b"\r\n",
    ],
)
def test_a_chunk_about_whose_size_two_readers_could_disagree_is_refused(data: bytes) -> None:
    body = request_body(head("POST / HTTP/1.1", "Transfer-Encoding: chunked"))
    with pytest.raises(MalformedMessage):
        fed(body, data)


@pytest.mark.parametrize(
    "fields",
    [
        ["Content-Length: 5", "Content-Length: 6"],
        ["Content-Length: 5, 5"],
        ["Content-Length: +5"],
        ["Content-Length: -5"],
        ["Content-Length: 5 5"],
        ["Content-Length: "],
        ["Content-Length: \u0665".encode().decode("latin-1")],
        ["Content-Length: 5", "Transfer-Encoding: chunked"],
        ["Transfer-Encoding: identity"],
        ["Transfer-Encoding: chunked, identity"],
        ["Transfer-Encoding: gzip, chunked"],
        ["Transfer-Encoding: chunked", "Transfer-Encoding: chunked"],
        ["Transfer-Encoding: xchunked"],
    ],
)
def test_two_lengths_are_refused_in_requests_and_responses(fields: list[str]) -> None:
    with pytest.raises(MalformedMessage):
        request_body(head("POST / HTTP/1.1", *fields))
    with pytest.raises(MalformedMessage):
        response_body(head("HTTP/1.1 200 OK", *fields), "POST")


@pytest.mark.parametrize(("first", "method"), [("200 OK", "HEAD"), ("204 No Content", "GET"), ("304 x", "GET")])
def test_some_responses_have_no_body_whatever_they_say(first: str, method: str) -> None:
    assert response_body(head(f"HTTP/1.1 {first}", "Content-Length: 5"), method).complete


def test_a_response_without_a_length_lasts_until_its_connection_ends() -> None:
    body = response_body(head("HTTP/1.1 200 OK"), "POST")
    assert body.until_close
    assert fed(body, b"abc", [1]) == (b"abc", b"")
    assert not body.complete
    assert request_body(head()).complete
