"""Find out which turn a request belongs to, from its body as it passes. Pure.

Claude Code 2.1.197 names the prompt in no header. Its requests for an answer have tools, and the last text that the
user wrote begins with Paliadin's envelope. Bodies may have 30 MB: of each string only the beginning is kept.
"""

from __future__ import annotations

import re

# Nothing is tried again (`*+`): a string of 64 KB has many escapes, and each would be remembered.
_TOKEN = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+("|\\?\Z)|[{}\[\],:]|t(?:rue|ru?\Z|\Z)', re.DOTALL)
_STRING_REST = re.compile(rb'[^"\\]*+(?:\\.[^"\\]*+)*+("|\\?\Z)', re.DOTALL)
ENVELOPE = re.compile(rb"\[PALIADIN:([0-9a-f-]{36})\]")
ENVELOPE_LENGTH = 47  # bytes
_REMINDER = b"<system-reminder>"
_KEPT = 200  # bytes of a string
_MAX_DEPTH = 500  # of containers in each other; a body that has more is not read any further

# The depths of containers: the request is 1, `messages` 2, a message 3, its `content` 4, a block of it 5.
_REQUEST, _LIST, _MESSAGE, _CONTENT, _BLOCK = 1, 2, 3, 4, 5
_PATH = b"{[{[{"


class RequestScanner:
    """Takes a JSON body in pieces, cut anywhere; its fields hold the findings so far."""

    def __init__(self) -> None:
        self.turn: str | None = None  # the id in the envelope, if the user's last text begins with one
        self.has_tools = False
        self.streams = False
        self.model: str | None = None
        self._open = bytearray()  # the containers that are open: { or [
        self._keys = [b""] * (_BLOCK + 1)  # the last key of the object at each depth
        self._expects_key = False
        self._string = b""  # the beginning of a string that was cut
        self._in_string = self._escaped = False
        self._literal = b""  # the beginning of a `true` that was cut
        self._role = b""  # of the message that is being read
        self._last: bytes | None = None  # the beginning of its last text that is no reminder
        self._type = b""  # of the block that is being read
        self._text: bytes | None = None

    def feed(self, data: bytes) -> None:
        """Take the next piece of the body. Never raises: in a body that is no JSON it finds nothing, or nonsense."""
        if self._literal:
            data, self._literal = self._literal + data, b""
        start = self._finish_string(data) if self._in_string else 0
        if self._in_string:
            return
        for match in _TOKEN.finditer(data, start):
            if len(self._open) > _MAX_DEPTH:
                self.turn = None
                return
            token = match[0]
            if not token.startswith(b'"'):
                self._take_mark(token)
            elif match[1] == b'"':
                self._take_string(token[1 : min(len(token) - 1, _KEPT + 1)])
            else:
                self._string = token[1 : _KEPT + 1]
                self._in_string, self._escaped = True, match[1] == b"\\"

    def _finish_string(self, data: bytes) -> int:
        """Continue a string that was cut; returns where the rest begins."""
        start = 1 if self._escaped and data else 0
        match = _STRING_REST.match(data, start)
        if not data or match is None:
            return 0
        is_whole = match[1] == b'"'
        if len(self._string) < _KEPT:
            self._string = (self._string + data[: min(match.end() - is_whole, _KEPT)])[:_KEPT]
        self._escaped = match[1] == b"\\"
        if is_whole:
            self._in_string = False
            self._take_string(self._string)
        return match.end()

    def _take_mark(self, mark: bytes) -> None:
        depth = len(self._open)
        if mark in b"{[":
            self._open += mark
            self._expects_key = mark == b"{"
            self._begin(depth + 1)
        elif mark in b"}]":
            if self._open:
                self._end(depth)
                self._open.pop()
            self._expects_key = False
        elif mark == b",":
            self._expects_key = self._open.endswith(b"{")
        elif mark == b":":
            self._expects_key = False
        elif mark != b"true":
            self._literal = mark
        elif self._open == b"{" and self._keys[_REQUEST] == b"stream":
            self.streams = True

    def _take_string(self, string: bytes) -> None:
        depth = len(self._open)
        if depth > _BLOCK or not self._open.endswith(b"{"):
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
            self._take_text(string)
        elif depth == _BLOCK and key == b"type":
            self._type = string
        elif depth == _BLOCK and key == b"text":
            self._text = string

    def _take_text(self, text: bytes | None) -> None:
        """Take a text of the message; None if it has none."""
        if text is not None and not text.startswith(_REMINDER):
            self._last = text

    @property
    def _in_messages(self) -> bool:
        """True if the open containers lead into `messages`: the list, a message, its content, a block of it."""
        keys, depth = self._keys, len(self._open)
        in_content = depth < _CONTENT or keys[_MESSAGE] == b"content"
        return keys[_REQUEST] == b"messages" and in_content and _PATH.startswith(self._open)

    def _begin(self, depth: int) -> None:
        if depth <= _BLOCK:
            self._keys[depth] = b""
        if depth == _LIST and self._open == b"{[":
            if self._keys[_REQUEST] == b"tools":
                self.has_tools = False  # until something is in it
            elif self._keys[_REQUEST] == b"messages":
                self.turn = None
        elif depth == _MESSAGE:
            self._role, self._last = b"", None
            if self._keys[_REQUEST] == b"tools" and self._open.startswith(b"{["):
                self.has_tools = True
        elif depth == _BLOCK:
            self._type, self._text = b"", None

    def _end(self, depth: int) -> None:
        if not self._in_messages:
            return
        if depth == _BLOCK and self._type == b"text":
            self._take_text(self._text)
        elif depth == _MESSAGE and self._role == b"user" and self._last is not None:
            envelope = ENVELOPE.match(self._last)
            self.turn = envelope[1].decode("ascii") if envelope else None
