"""Read a picture's format and size from its first bytes. Pure; it decodes nothing."""

from __future__ import annotations

import struct
from dataclasses import dataclass

HEAD_BYTES = 1_000_000  # in front of a JPEG's dimensions there may be profiles and previews
MAX_PIXELS = 64_000_000  # of a picture that is taken or shown: drawn, it takes four bytes a pixel
_JPEG_FRAMES = frozenset({*range(0xC0, 0xC4), *range(0xC5, 0xC8), *range(0xC9, 0xCC), *range(0xCD, 0xD0)})
_JPEG_ALONE = frozenset({0x01, *range(0xD0, 0xD9)})  # markers without a length
_PNG, _WEBP = b"\x89PNG\r\n\x1a\n", b"WEBP"


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture's format and size in pixels. `media_type` is one of image/png, image/jpeg, image/gif, image/webp."""

    media_type: str
    width: int
    height: int


def read_picture(head: bytes) -> Picture | None:
    """Read the picture that a file's first bytes begin; None if it is no picture, or if there are too few of them.

    SVG is no picture here: it is a document that may hold scripts.
    """
    try:
        if head.startswith(_PNG) and head[12:16] == b"IHDR":
            return Picture("image/png", *struct.unpack_from(">II", head, 16))
        if head[:6] in (b"GIF87a", b"GIF89a"):
            return Picture("image/gif", *struct.unpack_from("<HH", head, 6))
        if head.startswith(b"RIFF") and head[8:12] == _WEBP:
            return _read_webp(head)
        if head.startswith(b"\xff\xd8\xff"):
            return _read_jpeg(head)
    except (struct.error, IndexError):
        pass
    return None


def _read_webp(head: bytes) -> Picture | None:
    match head[12:16]:
        case b"VP8X":
            width, height = (int.from_bytes(head[at : at + 3], "little") + 1 for at in (24, 27))
        case b"VP8L":
            bits = struct.unpack_from("<I", head, 21)[0]
            width, height = (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
        case b"VP8 ":
            width, height = (side & 0x3FFF for side in struct.unpack_from("<HH", head, 26))
        case _:
            return None
    return Picture("image/webp", width, height) if len(head) >= 30 else None


def _read_jpeg(head: bytes) -> Picture | None:
    """Walk over the segments to the frame, which has the size."""
    at = 2
    while head[at] == 0xFF:
        marker = head[at + 1]
        if marker == 0xFF or marker in _JPEG_ALONE:
            at += 1 if marker == 0xFF else 2
            continue
        if marker in _JPEG_FRAMES:
            height, width = struct.unpack_from(">HH", head, at + 5)
            return Picture("image/jpeg", width, height)
        at += 2 + int(struct.unpack_from(">H", head, at + 2)[0])
    return None
