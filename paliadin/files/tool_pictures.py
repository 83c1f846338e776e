"""The pictures that a turn's tools have returned: files in the turn's folder, written by skill/hooks/pictures.py.

Pictures of a turn on another host are fetched from there, and kept here in the same way.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from paliadin.base.errors import NotFound
from paliadin.base.files import storage_error, write_bytes
from paliadin.files.pictures import HEAD_BYTES, MAX_PIXELS, Picture, read_picture
from paliadin.files.shown_file import MAX_PICTURE_BYTES

MAX_FILES = 60  # of a turn, as in the hook
MAX_ALL = 60 * 1024 * 1024  # bytes of a turn's pictures
_FOLDER = "pictures"
_NAME = re.compile("[0-9a-f]{32}")


def name_of(data: bytes | bytearray) -> str:
    """Return the name under which the hook keeps a picture."""
    return hashlib.sha256(data).hexdigest()[:32]


def check_name(name: str) -> None:
    """Raise NotFound for a name that is not a picture's."""
    if not _NAME.fullmatch(name):
        raise _unknown()


def read_whole(turn: Path, name: str) -> tuple[str, bytes]:
    """Return the media type and the bytes of a picture in a turn's folder; raises NotFound for any other file."""
    with _opened(turn, name) as file:
        data = file.read(MAX_PICTURE_BYTES + 1)
    return _check(data).media_type, data


def read_piece(turn: Path, name: str, offset: int, length: int) -> tuple[int, bytes]:
    """Return a file's size and some of its bytes, which may be no picture's; raises NotFound for a too large file."""
    with _opened(turn, name) as file:
        size = os.fstat(file.fileno()).st_size
        if size > MAX_PICTURE_BYTES:
            raise _unknown()
        file.seek(min(offset, size))
        return size, file.read(length)


def keep(turn: Path, name: str, data: bytes) -> None:
    """Keep a picture in a turn's folder, whole or not at all.

    Raises NotFound if the data is no picture, if there is no room for it or the folder is gone, and StorageFull.
    """
    check_name(name)
    _check(data)
    folder = turn / _FOLDER
    try:
        with contextlib.suppress(FileExistsError):
            folder.mkdir(mode=0o700)
        sizes = [path.lstat().st_size for path in folder.iterdir()]
        if len(sizes) >= MAX_FILES or sum(sizes) + len(data) > MAX_ALL:
            raise _unknown()
        write_bytes(folder / name, data)
    except FileNotFoundError as error:  # the turn was deleted meanwhile
        raise _unknown() from error
    except OSError as error:
        raise storage_error(error, folder) from error


@contextmanager
def _opened(turn: Path, name: str) -> Iterator[BinaryIO]:
    """Open a regular file of this name, never over a link; raises NotFound."""
    check_name(name)
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        folder = os.open(turn / _FOLDER, flags | os.O_DIRECTORY)
        try:
            descriptor = os.open(name, flags | os.O_NONBLOCK, dir_fd=folder)
        finally:
            os.close(folder)
        with os.fdopen(descriptor, "rb") as file:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise _unknown()
            yield file
    except OSError as error:
        raise _unknown() from error


def _check(data: bytes) -> Picture:
    picture = read_picture(data[:HEAD_BYTES])
    if picture is None or len(data) > MAX_PICTURE_BYTES or picture.width * picture.height > MAX_PIXELS:
        raise _unknown()
    return picture


def _unknown() -> NotFound:
    return NotFound(
        "the turn has no such picture here",
        code="unknown_picture",
        hint="It may be too large, or on a host whose Paliadin is older.",
    )
