"""Read a log's records: complete lines with a JSON object. Everything else is skipped."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from paliadin.base.strict_json import JsonObject, has_more_values, parse_storable_json

Line = JsonObject
"""A parsed line of a log; docs/architecture.md lists the kinds."""

_CHUNK = 256 * 1024  # bytes
_PART = 64 * 1024  # bytes
MAX_LINE = 16 * 1024 * 1024  # bytes; a longer line is skipped, as one that does not parse
MOST_VALUES = 200_000  # JSON values in a line, which take 20 times its bytes; a hook's record has at most 131,000


@dataclass(slots=True)
class LogReader:
    """Reads a growing log: each `parts` or `read` returns the lines that were added since the last one.

    A file that was missing at a look, or has become shorter (somebody truncated or replaced it), is read from its
    beginning again. Inside a `with` block the file stays open between looks, which makes them cheaper; a file that is
    moved away is then still read.
    """

    path: Path
    _offset: int = 0
    _rest: bytearray = field(default_factory=bytearray)  # of a line that is not complete yet
    _skipping: bool = False  # that line is too long
    _stays_open: bool = False
    _descriptor: int | None = None

    def __enter__(self) -> LogReader:
        self._stays_open = True
        return self

    def __exit__(self, *_: object) -> None:
        self._stays_open = False
        self._close()

    def _close(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def skip(self) -> None:
        """Skip the file's present lines."""
        with contextlib.suppress(FileNotFoundError):
            self._offset = self.path.stat().st_size

    def read(self) -> list[Line]:
        """Return the new lines; an unfinished last line is kept for the next call. Empty when there is no file."""
        return [line for part in self.parts() for line in part]

    def parts(self) -> Iterator[list[Line]]:
        """Yield the new lines, those of 64 KiB at a time: a log that somebody else writes may be of any size."""
        while data := self._new_bytes():
            self._offset += len(data)
            yield self._lines(data)

    def _lines(self, data: bytes) -> list[Line]:
        end = data.rfind(b"\n") + 1
        whole: list[bytes] = []
        if end:
            whole = bytes(self._rest + data[:end]).split(b"\n")[self._skipping :]
            self._rest.clear()
            self._skipping = False
        self._rest += data[end:]
        if self._skipping or len(self._rest) > MAX_LINE:
            self._skipping = True
            self._rest.clear()
        return [line for raw in whole if raw and (line := _parse(raw)) is not None]

    def _new_bytes(self) -> bytes:
        try:
            if self._descriptor is None:
                if self.path.stat().st_size == self._offset:  # most looks end here: a log is looked at twice a second
                    return b""
                self._descriptor = os.open(self.path, os.O_RDONLY | os.O_CLOEXEC)
            file = os.fstat(self._descriptor)
            if file.st_nlink == 0:  # it stayed open, and was deleted or replaced
                self._close()
                return self._new_bytes()
            if file.st_size < self._offset:
                self._begin_again()
            return os.pread(self._descriptor, min(_PART, file.st_size - self._offset), self._offset)
        except FileNotFoundError:
            self._begin_again()
            return b""
        finally:
            if not self._stays_open:
                self._close()

    def _begin_again(self) -> None:
        self._offset, self._rest, self._skipping = 0, bytearray(), False


def read_whole_lines(path: Path, offset: int) -> bytes:
    """Return complete lines from `offset` on: about 256 KiB, and at least one line. Empty when there is none yet."""
    try:
        with path.open("rb") as file:
            file.seek(offset)
            data = file.read(_CHUNK)
            while b"\n" not in data and (chunk := file.read(_CHUNK)):
                data += chunk
    except FileNotFoundError:
        return b""
    return data[: data.rfind(b"\n") + 1]


def _parse(raw: bytes) -> Line | None:
    if len(raw) > MOST_VALUES and has_more_values(raw, MOST_VALUES):
        return None
    try:
        value = parse_storable_json(raw.decode("utf-8", "replace"))
    except ValueError:
        return None
    return value if isinstance(value, dict) else None
