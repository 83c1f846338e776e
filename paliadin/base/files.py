"""Write files whole or not at all, and turn the error of a full disk into StorageFull."""

from __future__ import annotations

import errno
import json
import os
import time
from collections.abc import Mapping
from pathlib import Path

from paliadin.base.errors import StorageFull

_FULL = (errno.ENOSPC, errno.EDQUOT)


def write_json(path: Path, value: Mapping[str, object]) -> None:
    """Write one JSON object whole or not at all, mode 0600; raises StorageFull."""
    write_text(path, json.dumps(value, ensure_ascii=False))


def write_text(path: Path, text: str) -> None:
    """Write a file whole or not at all, mode 0600; raises StorageFull."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.{time.monotonic_ns()}")
    try:
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8", errors="replace") as file:
            file.write(text)
        temporary.replace(path)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise storage_error(error, path) from error


def is_disk_full(error: OSError) -> bool:
    """True for a full disk and for a quota that is used up."""
    return error.errno in _FULL


def storage_error(error: OSError, path: Path) -> Exception:
    """The error to raise in place of `error`: StorageFull when the disk that holds `path` is full, else `error`."""
    if is_disk_full(error):
        return StorageFull(f"the disk that holds {path} is full")
    return error
