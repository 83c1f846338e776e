"""Observe one request and its response while they pass. No error here affects them."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from paliadin.live.answer_stream import AnswerStream, Line
from paliadin.live.capture_room import UUID
from paliadin.live.captures import Capture
from paliadin.live.framing import Head
from paliadin.live.preview_log import PreviewLog, find_turn, folder_of
from paliadin.live.request_scan import ENVELOPE, ENVELOPE_LENGTH, RequestScanner

MAX_NOTES = 256 * 1024  # bytes of hooks.log; a longer one gets no more lines


@dataclass(frozen=True, slots=True)
class Watching:
    """The outputs of an observer: turns' preview logs, captures in a folder, or both."""

    session: Path  # the session's folder
    turns: Path  # the folder of all turns
    preview: bool
    captures: Path | None


class _Part:
    """A consumer of a request and its response. A method that raises has the part given up.

    The methods of this base class do nothing: each part overrides those that it needs.
    """

    def request(self, content: bytes) -> None:
        """Take a part of the request's body."""

    def responded(self, head: Head) -> None:
        """Take the response's head; all of the request has been sent, unless the API responded early."""

    def response(self, content: bytes) -> None:
        """Take a part of the response's body."""

    def end(self, *, complete: bool) -> None:
        """Take the end. `complete`: request and response are whole."""

    def give_up(self) -> None:
        """Let go of all files."""


class Observer:
    """Passes a request and its response to its parts. A part that fails is noted, and gets nothing more."""

    def __init__(self, head: Head, watching: Watching) -> None:
        self._session, self._complete = watching.session, False
        self._parts: list[_Part] = []
        scanner = RequestScanner()
        if watching.preview:
            self._try(lambda: self._parts.append(_Preview(head, watching, scanner)))
        if watching.captures is not None:
            self._try(lambda: self._parts.append(_Recording(head, watching, scanner)))
        if self._parts:
            self._parts.insert(0, _Scan(scanner))

    def request_content(self, content: bytes) -> None:
        """Take a part of the request's body, after it was sent on."""
        self._each(lambda part: part.request(content))

    def response_head(self, head: Head) -> None:
        """Take the response's head, after it was sent on."""
        self._each(lambda part: part.responded(head))

    def response_content(self, content: bytes) -> None:
        """Take a part of the response's body, after it was sent on."""
        self._each(lambda part: part.response(content))

    def response_complete(self) -> None:
        """Note that all of the response was sent on."""
        self._complete = True

    def end(self) -> None:
        """Finish, whether the response is complete or not."""
        self._each(lambda part: part.end(complete=self._complete))

    def _each(self, call: Callable[[_Part], None]) -> None:
        for part in list(self._parts):
            if not self._try(lambda: call(part)):  # noqa: B023  # called at once
                self._parts.remove(part)
                self._try(part.give_up)

    def _try(self, call: Callable[[], object]) -> bool:
        try:
            call()
        except Exception as error:  # noqa: BLE001  # whatever it is, the stream goes on
            with contextlib.suppress(Exception):
                note(self._session, error)
            return False
        return True


class _Scan(_Part):
    """Scans the request's body for the other parts."""

    def __init__(self, scanner: RequestScanner) -> None:
        self._scanner = scanner

    def request(self, content: bytes) -> None:
        self._scanner.feed(content)


class _Preview(_Part):
    """Writes the text of an answer into the preview log of its turn."""

    def __init__(self, head: Head, watching: Watching, scanner: RequestScanner) -> None:
        self._head, self._watching, self._scanner = head, watching, scanner
        self._stream = AnswerStream()
        self._log: PreviewLog | None = None

    def responded(self, head: Head) -> None:
        is_stream = (head.get("content-type") or "").lower().startswith("text/event-stream")
        if head.status != 200 or not is_stream or head.get("content-encoding") not in (None, "identity"):
            return
        if folder := find_turn(self._watching.session, self._watching.turns, self._head, self._scanner):
            self._log = PreviewLog(folder)
            self._log.write([{"begin": self._head.get("x-stainless-retry-count") or "0"}])

    def response(self, content: bytes) -> None:
        if self._log:
            lines: list[Line] = []
            try:
                lines.extend(self._stream.feed(content))
            finally:
                self._log.write(lines)

    def end(self, *, complete: bool) -> None:  # noqa: ARG002  # the stream itself says so
        if self._log:
            if not self._stream.complete:
                self._log.write([{"end": "broken"}])
            self._log.close()
            self._log = None

    def give_up(self) -> None:
        log, self._log = self._log, None
        if log:
            try:
                log.write([{"end": "broken"}])
            finally:
                log.close()


class _Recording(_Part):
    """Writes a capture."""

    def __init__(self, head: Head, watching: Watching, scanner: RequestScanner) -> None:
        assert watching.captures is not None  # noqa: S101
        self._head, self._watching, self._scanner = head, watching, scanner
        self._capture = Capture(watching.captures, head, watching.session.name)
        self._turn: Path | None = None  # its folder
        self._mentioned, self._end = "", b""  # the turn of the last envelope in the body; the body's end

    def request(self, content: bytes) -> None:
        self._capture.write_request(content)
        searched = self._end + content
        for match in ENVELOPE.finditer(searched):
            self._mentioned = match[1].decode("ascii")
        self._end = searched[-ENVELOPE_LENGTH:]

    def responded(self, head: Head) -> None:
        self._turn = self._find_turn()
        self._capture.begin_response(head)

    def response(self, content: bytes) -> None:
        self._capture.write_response(content)

    def end(self, *, complete: bool) -> None:
        turn = self._turn or self._find_turn()
        self._capture.turn = turn.name if turn else None
        self._capture.model = self._scanner.model
        self._capture.finish(complete=complete)
        if turn and not turn.is_dir():  # it was deleted meanwhile
            self._capture.discard()

    def give_up(self) -> None:
        self._capture.discard()

    def _find_turn(self) -> Path | None:
        """Return the turn's folder, by the prompt's id, else by the envelope, which a request for a title quotes."""
        prompt = self._head.get("x-claude-code-prompt-id")
        linked = self._watching.session / "prompts" / (prompt or "")
        if prompt and UUID.fullmatch(prompt) and linked.is_dir():
            return linked.resolve()
        quoted = "" if self._scanner.has_tools else self._mentioned
        folder = folder_of(self._watching.turns, self._scanner.turn or quoted)
        return folder if folder and folder.is_dir() else None


def note(session: Path, error: Exception) -> None:
    """Add a line to the session's hooks.log: the time and the kind of error, without any content."""
    path = session / "hooks.log"
    if path.exists() and path.stat().st_size > MAX_NOTES:
        return
    at = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
    reason = f": {error.strerror}" if isinstance(error, OSError) and error.strerror else ""
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NONBLOCK, 0o600)
    try:
        os.write(descriptor, f"{at} live text: {type(error).__name__} at {_place(error)}{reason}\n".encode())
    finally:
        os.close(descriptor)


def _place(error: Exception) -> str:
    """Return the innermost line of this package in the error's traceback, as `observer.py:42`."""
    places: Sequence[str] = []
    traceback = error.__traceback__
    while traceback:
        path = Path(traceback.tb_frame.f_code.co_filename)
        if path.parent == Path(__file__).parent:
            places = [*places, f"{path.name}:{traceback.tb_lineno}"]
        traceback = traceback.tb_next
    return places[-1] if places else ""
