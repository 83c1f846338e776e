"""Read some lines of a text file of any size, within bounds of work and memory."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import BinaryIO

from paliadin.base.errors import PaliadinError

MAX_LINES = 2_000  # in one window
MAX_LINE = 4_000  # bytes of a line that are shown
MAX_WINDOW = 1_000_000  # bytes of a window
MAX_SCAN = 128_000_000  # bytes that are looked at, to find lines and count them
_CHUNK = 1 << 20
_HEAD = 8_192  # bytes; one of them that is NUL means that this is no text


@dataclass(frozen=True, slots=True)
class TextWindow:
    """Lines of a file, from line number `first` on. `total` is None when the file is too large to count them.

    A line is (text, how many bytes of it are left out). Bytes that are no UTF-8 are written as `\\xe4`.
    """

    first: int
    lines: list[tuple[str, int]]
    total: int | None


def read_window(file: BinaryIO, first: int, last: int) -> TextWindow:
    """Read the lines from `first` to `last`, or the last lines of a file that has fewer.

    Raises PaliadinError `not_a_text` for a binary file, and `file_too_large` for lines that stand too far inside.
    """
    if is_binary(file):
        raise PaliadinError(
            "this is no text but a binary file", code="not_a_text", status=422, hint="Open it with its own program."
        )
    count = min(max(last - first + 1, 1), MAX_LINES)
    before = _skip(file, first - 1)
    if before < first - 1 or (first > 1 and not file.peek(1)):  # type: ignore[attr-defined]  # it is buffered
        if file.tell() > MAX_SCAN:
            raise PaliadinError(
                "this line stands too far inside a file that is too large to show",
                code="file_too_large",
                status=422,
                hint="Ask Claude for the part that you need.",
            )
        first = max(before - count + 1, 1)
        file.seek(0)
        _skip(file, first - 1)
    lines = _read_lines(file, count)
    return TextWindow(first, lines, _total(file, first - 1 + len(lines)))


def is_binary(file: BinaryIO) -> bool:
    """Tell whether this is a binary file, as git does."""
    return b"\0" in os.pread(file.fileno(), _HEAD, 0)


def _skip(file: BinaryIO, count: int) -> int:
    """Skip `count` lines; return the file's lines if they are fewer, with an unterminated last one."""
    left, ends_open = count, False
    while left > 0 and file.tell() <= MAX_SCAN:
        start = file.tell()
        chunk = file.read(_CHUNK)
        if not chunk:
            return count - left + ends_open
        newlines = chunk.count(b"\n")
        if newlines < left:
            left, ends_open = left - newlines, not chunk.endswith(b"\n")
            continue
        at = -1
        for _ in range(left):
            at = chunk.find(b"\n", at + 1)
        file.seek(start + at + 1)
        left = 0
    return count - left


def _read_lines(file: BinaryIO, count: int) -> list[tuple[str, int]]:
    lines: list[tuple[str, int]] = []
    size = 0
    while len(lines) < count and size < MAX_WINDOW and (line := file.readline(MAX_LINE)):
        left_out = 0 if line.endswith(b"\n") else _skip_rest(file)
        line = line.removesuffix(b"\n").removesuffix(b"\r")
        text = line.decode("utf-8", "backslashreplace" if not left_out else "replace")
        lines.append((text.removeprefix("\ufeff") if not lines and file.tell() - len(line) <= 8 else text, left_out))
        size += len(line)
        if file.tell() > MAX_SCAN:  # that line goes on, and so does the file
            break
    return lines


def _skip_rest(file: BinaryIO) -> int:
    """Skip the rest of a line; return how many bytes that are, at least."""
    skipped = 0
    while file.tell() <= MAX_SCAN and (piece := file.readline(_CHUNK)):
        skipped += len(piece)
        if piece.endswith(b"\n"):
            return skipped - 1
    return skipped


def _total(file: BinaryIO, before: int) -> int | None:
    """Count the file's lines, of which `before` are read already; None when the rest is too long."""
    total, ends_open = before, False
    while chunk := file.read(_CHUNK):
        if file.tell() > MAX_SCAN:
            return None
        total += chunk.count(b"\n")
        ends_open = not chunk.endswith(b"\n")
    return total + ends_open
