"""Recognises pictures by their first bytes: PNG, JPEG, GIF and WebP, with their dimensions. Pure.

A name and a claimed media type say nothing: a browser gets the media type that follows from the bytes. SVG is no
picture here, since it may hold scripts.
"""

from __future__ import annotations

from dataclasses import dataclass

HEAD_BYTES = 1_000_000  # enough for `recognise`: in front of a JPEG's dimensions there may be profiles and previews
MAX_PIXELS = 64_000_000  # that a browser is made to decode, which takes four bytes each


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture's kind (`png`, `jpeg`, `gif`, `webp`) and its dimensions in pixels, as its header states them."""

    kind: str
    width: int
    height: int

    @property
    def mime(self) -> str:
        """The media type, such as `image/png`."""
        return f"image/{self.kind}"

    @property
    def is_too_large(self) -> bool:
        """True for a picture that has more pixels than a browser should be made to decode."""
        return self.width * self.height > MAX_PIXELS


def recognise(head: bytes) -> Picture | None:
    """Return the picture that begins with these bytes (the first HEAD_BYTES, or all of a shorter file).

    None for anything else, and for a picture whose header is incomplete or states no size.
    """
    for signature, kind, measure in (
        (b"\x89PNG\r\n\x1a\n", "png", _measure_png),
        (b"\xff\xd8\xff", "jpeg", _measure_jpeg),
        (b"GIF87a", "gif", _measure_gif),
        (b"GIF89a", "gif", _measure_gif),
        (b"RIFF", "webp", _measure_webp),
    ):
        if head.startswith(signature):
            width, height = measure(head)
            return Picture(kind, width, height) if width and height else None
    return None


Size = tuple[int, int]
NO_SIZE = (0, 0)


def _measure_png(head: bytes) -> Size:
    if head[8:16] != b"\0\0\0\x0dIHDR" or len(head) < 33:
        return NO_SIZE
    return _big(head[16:20]), _big(head[20:24])


def _measure_jpeg(head: bytes) -> Size:
    """Go from segment to segment, up to the one with the dimensions."""
    at = 2
    while at + 9 <= len(head) and head[at] == 0xFF:
        marker = head[at + 1]
        if marker == 0xFF:  # fills up
            at += 1
        elif 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            return _big(head[at + 7 : at + 9]), _big(head[at + 5 : at + 7])
        elif marker in (0xD9, 0xDA) or marker < 0xC0:  # the end, or the picture's data
            return NO_SIZE
        else:
            at += 2 + max(_big(head[at + 2 : at + 4]), 2)
    return NO_SIZE


def _measure_gif(head: bytes) -> Size:
    """The size of the screen, or of the first frame where that is larger: browsers enlarge the screen then."""
    if len(head) < 13:
        return NO_SIZE
    screen = _little(head[6:8]), _little(head[8:10])
    at = 13 + (3 << ((head[10] & 7) + 1) if head[10] & 0x80 else 0)
    while head[at : at + 1] == b"!":  # an extension: blocks up to an empty one
        at += 2
        while at < len(head) and head[at]:
            at += 1 + head[at]
        at += 1
    frame = head[at : at + 10]
    if len(frame) < 10 or frame[:1] != b",":
        return NO_SIZE
    right, bottom = _little(frame[1:3]) + _little(frame[5:7]), _little(frame[3:5]) + _little(frame[7:9])
    return max(screen[0], right), max(screen[1], bottom)


def _measure_webp(head: bytes) -> Size:
    if head[8:12] != b"WEBP" or len(head) < 30:
        return NO_SIZE
    chunk, data = head[12:16], head[20:30]
    if chunk == b"VP8 " and data[3:6] == b"\x9d\x01\x2a":
        return _little(data[6:8]) & 0x3FFF, _little(data[8:10]) & 0x3FFF
    if chunk == b"VP8L" and data[:1] == b"\x2f":
        bits = _little(data[1:5])
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if chunk == b"VP8X":
        return _little(data[4:7]) + 1, _little(data[7:10]) + 1
    return NO_SIZE


def _big(data: bytes) -> int:
    return int.from_bytes(data, "big")


def _little(data: bytes) -> int:
    return int.from_bytes(data, "little")
