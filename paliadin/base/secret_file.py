"""A secret of this installation's own, in a file of the state folder that is made when it is first needed."""

from __future__ import annotations

import base64
import contextlib
import os
import secrets
from pathlib import Path

from paliadin.base.files import read_private, storage_error

LENGTH = 32  # bytes


def read_secret(path: Path) -> bytes:
    """Return the file's secret, 32 bytes in URL-safe base64; raises FileNotFoundError, ConfigError, ValueError."""
    secret = read_private(path).strip().encode()
    if len(base64.urlsafe_b64decode(secret)) != LENGTH:
        raise ValueError("a secret has 32 bytes")
    return secret


def make_secret(path: Path) -> bytes:
    """Return the file's secret as `read_secret` does; make the file if it is missing; raises StorageFull as well."""
    if not path.exists():
        _write(path, base64.urlsafe_b64encode(secrets.token_bytes(LENGTH)))
    return read_secret(path)


def _write(path: Path, secret: bytes) -> None:
    """Write the file, unless another one is there: it is in use already."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with os.fdopen(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
            file.write(secret)
        with contextlib.suppress(FileExistsError):
            os.link(temporary, path)
    except OSError as error:
        raise storage_error(error, path) from error
    finally:
        temporary.unlink(missing_ok=True)
