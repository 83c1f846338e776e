"""Decide how the page may show a file of Claude's working folder: as a picture, as text, or not at all."""

from __future__ import annotations

import os
from dataclasses import dataclass
from enum import StrEnum
from typing import BinaryIO

from paliadin.base.errors import PaliadinError
from paliadin.files.drawn_picture import read_drawn_picture
from paliadin.files.pictures import HEAD_BYTES, MAX_PIXELS, Picture
from paliadin.files.text_window import is_binary
from paliadin.files.working_folder import WorkingFolder

MAX_PICTURE_BYTES = 20_000_000
_SIGNATURE = 64  # bytes; more are read of what may be a picture only


class Kind(StrEnum):
    """The way in which a file is shown."""

    PICTURE = "picture"
    TEXT = "text"
    BINARY = "binary"  # not at all


@dataclass(frozen=True, slots=True)
class ShownFile:
    """A file's kind, and its version, which changes with the file. Only that kind has a `picture`."""

    kind: Kind
    version: str
    picture: Picture | None = None


def look_at(folder: WorkingFolder, path: str) -> ShownFile:
    """Find out how a file can be shown; raises NotFound, and PaliadinError `not_a_file`."""
    with folder.open_file(path) as file:
        status = os.fstat(file.fileno())
        version = f"{status.st_mtime_ns:x}-{status.st_size:x}"
        picture = _recognise(file)
        if picture and _may_be_drawn(picture) and status.st_size <= MAX_PICTURE_BYTES:
            return ShownFile(Kind.PICTURE, version, picture)
        return ShownFile(Kind.BINARY if picture or is_binary(file) else Kind.TEXT, version)


def open_picture(folder: WorkingFolder, path: str) -> tuple[BinaryIO, Picture, bytes]:
    """Open a picture; returns the file, its picture, and the bytes that were already read from it.

    Raises NotFound, and PaliadinError `not_a_file`, `not_a_picture` or `picture_too_large`.
    """
    file = folder.open_file(path)
    try:
        head = file.read(HEAD_BYTES)
        return file, _checked(read_drawn_picture(head), os.fstat(file.fileno()).st_size), head
    except BaseException:
        file.close()
        raise


def _may_be_drawn(picture: Picture) -> bool:
    return picture.width * picture.height <= MAX_PIXELS


def _checked(picture: Picture | None, size: int) -> Picture:
    if picture is None:
        raise PaliadinError(
            "this file is no picture: PNG, JPEG, GIF and WebP are shown",
            code="not_a_picture",
            status=422,
            hint="Ask Claude to convert it, or open it with its own program.",
        )
    if not _may_be_drawn(picture) or size > MAX_PICTURE_BYTES:
        most = f"{MAX_PIXELS // 1_000_000} million pixels, or {MAX_PICTURE_BYTES // 1_000_000} MB"
        raise PaliadinError(
            f"this picture has more than {most}",
            code="picture_too_large_to_show",
            status=413,
            hint="Open it with another program, or ask Claude to make it smaller.",
        )
    return picture


def _recognise(file: BinaryIO) -> Picture | None:
    signature = os.pread(file.fileno(), _SIGNATURE, 0)
    if not signature.startswith((b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"RIFF")):
        return None
    return read_drawn_picture(os.pread(file.fileno(), HEAD_BYTES, 0))
