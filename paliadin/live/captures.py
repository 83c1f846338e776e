"""Writes whole requests and responses of Claude Code into files, for the owner to see what was sent (CAPTURE=1).

Each has two files in captures/: `<name>.http`, the request and behind it the response as they were, and `<name>.json`,
its entry in the index. The name begins with the turn's id, or with `none`. Of the heads only fields on a short list
are written, so that no secret is. docs/privacy.md says what is in them.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import json
import os
import time
from dataclasses import asdict
from pathlib import Path
from typing import BinaryIO

from paliadin.live.capture_index import SEPARATOR, Entry, short_text
from paliadin.live.capture_room import BODY, ENTRY, NO_TURN, UUID, make_folder, quota, unfinished_name
from paliadin.live.framing import Head

# What may be written of a head. Neither a key, a cookie or an account is among them.
_FIELDS = frozenset(
    [
        *("accept", "accept-encoding", "anthropic-beta", "anthropic-version", "content-encoding", "content-length"),
        *("content-type", "date", "retry-after", "request-id", "transfer-encoding", "user-agent", "x-app"),
        *("x-should-retry", "x-stainless-retry-count", "x-stainless-timeout", "x-claude-code-session-id"),
        *("x-claude-code-agent-id", "x-claude-code-prompt-id", "x-claude-code-request-class"),
    ]
)
_PARAMETERS = frozenset(["beta"])  # the same of the address
_NOT_KEPT = "(not kept)"
MAX_CAPTURE = 128 * 1024 * 1024  # bytes of one; Claude Code's longest requests have 30 MB


class Capture:
    """Writes one request and its response. The caller handles errors, and then calls `discard`."""

    def __init__(self, folder: Path, head: Head, session: str) -> None:
        self.turn: str | None = None  # to be set once it is known
        self.model: str | None = None
        self._folder, self._head, self._session = folder, head, session
        self._at, self._nanoseconds = divmod(time.time_ns(), 1_000_000)
        self._began = time.monotonic()
        self._request_bytes = self._response_bytes = 0
        self._cut = False  # a part was not written
        self._status: int | None = None
        self._answered_ms: int | None = None
        self._response_at: int | None = None  # where it begins in the file
        make_folder(folder)
        self._quota = quota(folder)
        self._files = [folder / unfinished_name()]
        self._file = _create(self._files[0])
        try:
            self._begin(*head.request)
        except BaseException:
            self.discard()
            raise

    def _begin(self, method: str, target: str) -> None:
        self._method, self._path = method, _without_secrets(target)
        if not self._write_head(Head(f"{method} {self._path} HTTP/1.1", self._head.fields)):
            raise OSError(errno.ENOSPC, "the captures have reached their limit")

    def write_request(self, data: bytes) -> None:
        """Add bytes of the request's body, as they pass."""
        self._request_bytes += len(data)
        if self._response_at is None:
            self._write(data)
        else:  # the API did not wait for it
            self._cut = True

    def begin_response(self, head: Head) -> None:
        """Add the response's head."""
        self._status, self._answered_ms = head.status, self._passed()
        if self._write(SEPARATOR):
            self._response_at = self._file.tell()
            self._write_head(head)

    def write_response(self, data: bytes) -> None:
        """Add bytes of the response's body, as they pass."""
        self._response_bytes += len(data)
        self._write(data)

    def finish(self, *, complete: bool) -> None:
        """Give the file its name, and write its entry. `complete`: all of the response has passed."""
        size = self._file.tell()
        self._file.close()
        turn = self.turn if self.turn and UUID.fullmatch(self.turn) else None
        # By name they lie in the order of their requests, also within a millisecond.
        chance = int.from_bytes(os.urandom(4), "big") % 1000
        name = f"{turn or NO_TURN}--{self._at:013}-{self._nanoseconds:06}{chance:03}"
        entry = Entry(
            *(name, turn, self._at, size, self._session),
            conversation=short_text(self._head.get("x-claude-code-session-id")),
            agent=short_text(self._head.get("x-claude-code-agent-id")),
            request_class=short_text(self._head.get("x-claude-code-request-class")),
            prompt_id=short_text(self._head.get("x-claude-code-prompt-id")),
            method=self._method,
            path=short_text(self._path),
            model=short_text(self.model),
            status=self._status,
            complete=complete and not self._cut and self._is_request_whole(),
            cut=self._cut,
            answered_ms=self._answered_ms,
            duration_ms=self._passed(),
            request_bytes=self._request_bytes,
            response_bytes=self._response_bytes,
            response_at=self._response_at,
        )
        unnamed = self._files[0].with_suffix(ENTRY)
        self._files += [unnamed, self._folder / f"{name}{BODY}", self._folder / f"{name}{ENTRY}"]
        with _create(unnamed) as file:
            file.write(json.dumps(asdict(entry)).encode("ascii"))
        for source, target in zip(self._files[:2], self._files[2:], strict=True):
            source.rename(target)

    def discard(self) -> None:
        """Remove the files, also after `finish`; never raises."""
        with contextlib.suppress(OSError):
            self._file.close()
        for path in self._files:
            with contextlib.suppress(OSError):
                path.unlink(missing_ok=True)

    def _write_head(self, head: Head) -> bool:
        fields = [(name, value if name.lower() in _FIELDS else _NOT_KEPT) for name, value in head.fields]
        return self._write(Head(head.first_line, fields).encode())

    def _write(self, data: bytes) -> bool:
        """Write the data if this capture's limit and that of all captures allow it, else nothing from then on."""
        self._cut = self._cut or self._file.tell() + len(data) > MAX_CAPTURE or not self._quota.take(len(data))
        if not self._cut:
            self._file.write(data)
        return not self._cut

    def _is_request_whole(self) -> bool:
        return self._head.get("content-length") in (None, str(self._request_bytes))

    def _passed(self) -> int:
        return round((time.monotonic() - self._began) * 1000)


def _create(path: Path) -> BinaryIO:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW
    file = os.fdopen(os.open(path, flags, 0o600), "wb")
    with contextlib.suppress(OSError):  # a file system without locks
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    return file


def _without_secrets(target: str) -> str:
    """Return the path behind the pass-through's secret part, without the values of parameters that may be secret."""
    path, mark, query = target.removeprefix("/").partition("/")[2].partition("?")
    parameters = (parameter.partition("=") for parameter in query.split("&"))
    kept = (
        name + equals + (value if name in _PARAMETERS else _NOT_KEPT * bool(value))
        for name, equals, value in parameters
    )
    return "/" + path + mark + "&".join(kept)
