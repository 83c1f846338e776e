"""Append records to a log so that the lines of concurrent writers never mix.

A record is newline, JSON object, newline, in one write on an O_APPEND descriptor. The leading newline puts a record
on a line of its own even after one that a full disk cut short.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

from paliadin.base.errors import NotFound, StorageFull
from paliadin.base.files import storage_error
from paliadin.turnlog.read import Line


def append(path: Path, record: Line) -> None:
    """Append one record in one write; raises StorageFull, or NotFound when the folder is gone."""
    append_bytes(path, record_bytes(record))


def record_bytes(record: Line) -> bytes:
    """Return the bytes of one record."""
    return b"\n" + json.dumps(record, ensure_ascii=False).encode("utf-8", "replace") + b"\n"


def append_bytes(path: Path, data: bytes) -> None:
    """Append bytes in one write; raises StorageFull, or NotFound when the folder is gone."""
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            written = os.write(descriptor, data)
        finally:
            os.close(descriptor)
    except FileNotFoundError as error:
        hint = "It was deleted while the turn ran: ask again."
        raise NotFound(f"the turn's folder {path.parent} is gone", code="unknown_turn", hint=hint) from error
    except OSError as error:
        raise storage_error(error, path) from error
    if written < len(data):
        raise StorageFull(f"the disk that holds {path} is full")
