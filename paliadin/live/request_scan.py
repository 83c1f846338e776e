"""Read from a request's body, as it passes, which turn it belongs to. Pure.

Claude Code 2.1.197 names the prompt in no header. Its requests for an answer have tools, and the last text that the
user wrote begins with Paliadin's envelope. Bodies may have 30 MB: of each string only the beginning is kept.
"""

from __future__ import annotations

import re

_TOKEN = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*("|\\?\Z)|[{}\[\],:]|true', re.DOTALL)
_STRING_REST = re.compile(rb'[^"\\]*(?:\\.[^"\\]*)*("|\\?\Z)', re.DOTALL)
ENVELOPE = re.compile(rb"\[PALIADIN:([0-9a-f-]{36})\]")
ENVELOPE_LENGTH = 47  # bytes
_REMINDER = b"<system-reminder>"
_KEPT = 200  # bytes of a string
_MAX_DEPTH = 500  # of containers in each other; a body that has more is not read any further

# The depths of containers: the request is 1, `messages` 2, a message 3, its `content` 4, a block of it 5.
_REQUEST, _LIST, _MESSAGE, _CONTENT, _BLOCK = 1, 2, 3, 4, 5


class RequestScanner:
    """Takes a JSON body in pieces, cut anywhere; what it has found so far is in its fields."""

    def __init__(self) -> None:
        self.turn: str | None = None  # the id in the envelope, if the user's last text begins with one
        self.has_tools = False
        self.streams = False
        self.model: str | None = None
        self._open: list[bytes] = []  # the containers that are open: { or [
        self._keys = [b""] * (_BLOCK + 1)  # the last key of the object at each depth
        self._expects_key = False
        self._string = b""  # the beginning of a string that was cut
        self._in_string = self._escaped = False
        self._role = b""  # of the message that is being read
        self._texts: list[bytes] = []  # the beginnings of its texts, without reminders
        self._type = self._text = b""  # of the block that is being read

    def feed(self, data: bytes) -> None:
        """Take the next piece of the body. Never raises for what is no JSON: then it finds nothing, or nonsense."""
        start = self._finish_string(data) if self._in_string else 0
        if self._in_string or len(self._open) > _MAX_DEPTH:
            return
        for match in _TOKEN.finditer(data, start):
            token = match[0]
            if not token.startswith(b'"'):
                self._take_mark(token)
            elif match[1] == b'"':
                self._take_string(token[1:-1])
            else:
                self._string = token[1 : _KEPT + 1]
                self._in_string, self._escaped = True, match[1] == b"\\"

    def _finish_string(self, data: bytes) -> int:
        """Go on with a string that was cut; returns where the rest begins."""
        start = 1 if self._escaped and data else 0
        match = _STRING_REST.match(data, start)
        if not data or match is None:
            return 0
        part = data[: match.end()]
        if len(self._string) < _KEPT:
            self._string = (self._string + part)[:_KEPT]
        self._escaped = match[1] == b"\\"
        if match[1] == b'"':
            self._in_string = False
            whole = self._string[:-1] if self._string.endswith(b'"') and len(self._string) < _KEPT else self._string
            self._take_string(whole)
        return match.end()

    def _take_mark(self, mark: bytes) -> None:
        depth = len(self._open)
        if mark in b"{[":
            if depth == _REQUEST and self._keys[_REQUEST] == b"tools":
                self.has_tools = False  # until something is in it
            elif depth == _LIST and self._keys[_REQUEST] == b"tools":
                self.has_tools = True
            self._open.append(mark)
            self._expects_key = mark == b"{"
            self._begin(depth + 1)
        elif mark in b"}]":
            if self._open:
                self._end(depth)
                self._open.pop()
            self._expects_key = False
        elif mark == b",":
            self._expects_key = bool(self._open) and self._open[-1] == b"{"
        elif mark == b":":
            self._expects_key = False
        elif depth == _REQUEST and self._keys[_REQUEST] == b"stream":  # true
            self.streams = True

    def _take_string(self, string: bytes) -> None:
        depth = len(self._open)
        if depth > _BLOCK:
            return
        if self._expects_key:
            self._keys[depth] = string
            return
        key = self._keys[depth]
        if depth == _REQUEST and key == b"model":
            self.model = string.decode("utf-8", "replace")
        elif not self._in_messages:
            return
        elif depth == _MESSAGE and key == b"role":
            self._role = string
        elif depth == _MESSAGE and key == b"content":
            self._texts.append(string)
        elif depth == _BLOCK and key == b"type":
            self._type = string
        elif depth == _BLOCK and key == b"text":
            self._text = string

    @property
    def _in_messages(self) -> bool:
        return self._keys[_REQUEST] == b"messages"

    def _begin(self, depth: int) -> None:
        if depth == _MESSAGE:
            self._role, self._texts = b"", []
        elif depth == _BLOCK:
            self._type, self._text = b"", b""

    def _end(self, depth: int) -> None:
        if not self._in_messages:
            return
        if depth == _BLOCK and self._type == b"text" and not self._text.startswith(_REMINDER):
            self._texts.append(self._text)
        elif depth == _MESSAGE and self._role == b"user" and self._texts:
            envelope = ENVELOPE.match(self._texts[-1])
            self.turn = envelope[1].decode("ascii") if envelope else None
