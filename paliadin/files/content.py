"""Tell the kind of an attached file by its content: its name and the browser's word prove nothing."""

from __future__ import annotations

import codecs
import re
from enum import StrEnum
from pathlib import Path

from paliadin.base.errors import BadRequest
from paliadin.files.pictures import HEAD_BYTES, MAX_PIXELS, read_picture

_CHUNK = 1024 * 1024  # bytes
_BINARY = re.compile(rb"[\x00-\x06\x0e-\x1a\x1c-\x1f\x7f]")


class Kind(StrEnum):
    """The kind of a file, as Claude treats it."""

    IMAGE = "image"  # PNG, JPEG, GIF or WebP: Claude sees it
    PDF = "pdf"  # Claude reads it as a document
    TEXT = "text"  # UTF-8
    OTHER = "other"  # Claude has to find a way to open it


def check_content(path: Path, name: str) -> Kind:
    """Return the file's kind; raises BadRequest for a picture of too many pixels, and for an empty file."""
    with path.open("rb") as file:
        head = file.read(HEAD_BYTES)
    if not head:
        raise BadRequest(f"{name} is empty", code="attachment_empty", status=422)
    if picture := read_picture(head):
        if picture.width * picture.height > MAX_PIXELS:
            size = f"{picture.width:,} × {picture.height:,}"
            raise BadRequest(
                f"{name} has {size} pixels, more than {MAX_PIXELS // 1_000_000} million",
                code="picture_too_large",
                status=422,
                hint="Make it smaller, or cut out the part that matters.",
            )
        return Kind.IMAGE
    if b"%PDF-" in head[:1024]:
        return Kind.PDF
    return Kind.TEXT if _is_text(path) else Kind.OTHER


def _is_text(path: Path) -> bool:
    decoder = codecs.getincrementaldecoder("utf-8")()
    with path.open("rb") as file:
        try:
            while chunk := file.read(_CHUNK):
                decoder.decode(chunk)
                if _BINARY.search(chunk):
                    return False
            decoder.decode(b"", final=True)
        except UnicodeDecodeError:
            return False
    return True
