"""Measure a picture as a browser decodes it. Pure."""

from __future__ import annotations

import struct
from dataclasses import replace

from paliadin.files.pictures import Picture, read_picture


def read_drawn_picture(head: bytes) -> Picture | None:
    """Return the picture that begins with these bytes: the first HEAD_BYTES, or all of a shorter file.

    None for a file that is no picture or has no size, also for a GIF without a first frame, such as a disguised script.
    """
    picture = read_picture(head)
    if picture and picture.media_type == "image/gif":
        try:
            picture = _with_first_frame(picture, head)
        except (struct.error, IndexError):
            return None
    return picture if picture and picture.width and picture.height else None


def _with_first_frame(picture: Picture, head: bytes) -> Picture | None:
    """Enlarge a GIF to its first frame where that is larger than the screen, as browsers do."""
    flags = head[10]
    at = 13 + (3 << (flags & 7) + 1 if flags & 0x80 else 0)
    while head[at] == ord("!"):  # an extension: blocks up to an empty one
        at += 2
        while head[at]:
            at += 1 + head[at]
        at += 1
    if head[at] != ord(","):
        return None
    left, top, width, height = struct.unpack_from("<4H", head, at + 1)
    return replace(picture, width=max(picture.width, left + width), height=max(picture.height, top + height))
