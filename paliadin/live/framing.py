"""HTTP/1.1 heads and the framing of bodies: where a message ends, and which bytes of it are its content. Pure.

The pass-through sends on what it receives, byte for byte. It parses only to know where a body ends.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

MAX_HEAD = 64 * 1024  # bytes
MAX_CHUNK_LINE = 4096  # bytes of the line before a chunk, and of a line of the trailers
_TOKEN = re.compile(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+")
_REQUEST = re.compile(r"([A-Z]{1,20}) ([!-~]+) HTTP/1\.1")
_CHUNK = re.compile(rb"([0-9A-Fa-f]{1,12})[ \t]*(?:;[^\r\n]*)?")
_STATUS = re.compile(r"HTTP/1\.[01] ([1-5]\d\d)(?: .*)?")


class MalformedMessage(Exception):
    """A message is not HTTP/1.1, or its framing is ambiguous. The connection has to be closed."""


@dataclass(frozen=True, slots=True)
class Head:
    """The first line of a message and its header fields, in their order and as they were written."""

    first_line: str
    fields: Sequence[tuple[str, str]]

    @classmethod
    def parse(cls, raw: bytes) -> Head:
        """Parse a head up to its blank line; raises MalformedMessage."""
        first_line, *lines = raw.decode("latin-1").removesuffix("\r\n\r\n").split("\r\n")
        fields = []
        for line in lines:
            name, colon, value = line.partition(":")
            if not colon or not _TOKEN.fullmatch(name) or "\n" in value or "\r" in value or "\0" in value:
                raise MalformedMessage("a line of the head is no header field")
            fields.append((name, value.strip(" \t")))
        return cls(first_line, fields)

    def encode(self) -> bytes:
        """Return the head as it is sent, with its blank line."""
        lines = [self.first_line, *(f"{name}: {value}" for name, value in self.fields)]
        return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")

    def get(self, name: str) -> str | None:
        """Return the value of the field `name` (in lower case); of several the last one."""
        return next((value for key, value in reversed(self.fields) if key.lower() == name), None)

    @property
    def request(self) -> tuple[str, str]:
        """(method, target) of a request; raises MalformedMessage."""
        match = _REQUEST.fullmatch(self.first_line)
        if not match:
            raise MalformedMessage("the first line is no request of HTTP/1.1")
        return match[1], match[2]

    @property
    def status(self) -> int:
        """The status code of a response; raises MalformedMessage."""
        match = _STATUS.fullmatch(self.first_line)
        if not match:
            raise MalformedMessage("the first line is no status line")
        return int(match[1])

    @property
    def keeps_alive(self) -> bool:
        """True if another message may follow on the connection."""
        values = ",".join(value for name, value in self.fields if name.lower() == "connection")
        options = {option.strip() for option in values.lower().split(",")}
        return "keep-alive" in options if self.first_line.startswith("HTTP/1.0") else "close" not in options


class Body(ABC):
    """The framing of one body: feed it the bytes that arrive, until it is `complete`.

    `rest` are the bytes behind the body's end. A body without an end (`until_close`) is complete when the
    connection ends.
    """

    until_close = False

    def __init__(self) -> None:
        self.complete = False
        self.rest = b""

    @abstractmethod
    def feed(self, data: bytes) -> Iterator[bytes]:
        """Take the next bytes of the connection; yield the content in them. Raises MalformedMessage."""


class _Sized(Body):
    def __init__(self, size: int) -> None:
        super().__init__()
        self._left = size
        self.complete = size == 0

    def feed(self, data: bytes) -> Iterator[bytes]:
        content, self.rest = data[: self._left], data[self._left :]
        self._left -= len(content)
        self.complete = self._left == 0
        yield content


class _UntilClose(Body):
    until_close = True

    def feed(self, data: bytes) -> Iterator[bytes]:
        yield data


class _Chunked(Body):
    def __init__(self) -> None:
        super().__init__()
        self._buffer = b""
        self._left = 0  # bytes of this chunk
        self._in_trailers = False
        self._closes_chunk = False  # the next line is the one that ends a chunk, and empty

    def feed(self, data: bytes) -> Iterator[bytes]:
        data = self._buffer + data
        start = 0
        while not self.complete and start < len(data):
            if self._left:
                content = data[start : start + self._left]
                start += len(content)
                self._left -= len(content)
                self._closes_chunk = self._left == 0
                yield content
                continue
            end = data.find(b"\r\n", start)
            if (len(data) if end < 0 else end) - start > MAX_CHUNK_LINE:
                raise MalformedMessage("a line of the chunked body is too long")
            if end < 0:
                break
            self._take_line(data[start:end])
            start = end + 2
        self._buffer = b"" if self.complete else data[start:]
        self.rest = data[start:] if self.complete else b""

    def _take_line(self, line: bytes) -> None:
        if self._in_trailers:
            self.complete = not line
        elif self._closes_chunk:
            if line:
                raise MalformedMessage("a chunk is longer than it says")
            self._closes_chunk = False
        else:
            match = _CHUNK.fullmatch(line)
            if not match:
                raise MalformedMessage("the size of a chunk is no number")
            self._left = int(match[1], 16)
            self._in_trailers = self._left == 0


def request_body(head: Head) -> Body:
    """Build the framing of a request's body; raises MalformedMessage where two readers could disagree about it."""
    return _framed(head) or _Sized(0)


def response_body(head: Head, method: str) -> Body:
    """Build the framing of the body of a response to a request with this method; raises MalformedMessage."""
    if method == "HEAD" or head.status < 200 or head.status in (204, 304):
        return _Sized(0)
    return _framed(head) or _UntilClose()


def _framed(head: Head) -> Body | None:
    """Build the framing that the head names; None if it names none."""
    codings = [value.lower() for name, value in head.fields if name.lower() == "transfer-encoding"]
    sizes = [value for name, value in head.fields if name.lower() == "content-length"]
    if codings and (sizes or codings != ["chunked"]):
        raise MalformedMessage("the framing of the body is ambiguous")
    if codings:
        return _Chunked()
    if not sizes:
        return None
    if len(set(sizes)) > 1 or not re.fullmatch(r"[0-9]{1,15}", sizes[0]):
        raise MalformedMessage("the length of the body is no number")
    return _Sized(int(sizes[0]))
