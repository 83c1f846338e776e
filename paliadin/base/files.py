"""Write files whole or not at all; read and make those that only this account may use."""

from __future__ import annotations

import errno
import json
import os
import stat
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from paliadin.base.errors import ConfigError, StorageFull

MOST_LINKS = 40  # each of which leads to the next one; Linux follows as many
_FULL = (errno.ENOSPC, errno.EDQUOT)


def write_json(path: Path, value: Mapping[str, object]) -> None:
    """Write one JSON object whole or not at all, mode 0600; raises StorageFull."""
    write_text(path, json.dumps(value, ensure_ascii=False))


def write_text(path: Path, text: str) -> None:
    """Write a file whole or not at all, mode 0600; raises StorageFull."""
    write_bytes(path, text.encode("utf-8", "replace"))


def write_bytes(path: Path, data: bytes) -> None:
    """Write a file whole or not at all, mode 0600; raises StorageFull."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.{time.monotonic_ns()}")
    try:
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        temporary.replace(path)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise storage_error(error, path) from error


def read_private(path: Path, *, tighten: bool = False) -> str:
    """Read a file that only this account can read or change, as sshd checks its own; raises FileNotFoundError.

    Raises ConfigError for a link, another account's file, or one that others can use. With `tighten`, one that others
    could read but not change, such as an earlier version's, is closed to them instead.
    """
    with os.fdopen(_open_private(path, tighten=tighten), encoding="utf-8") as file:
        return file.read()


def read_regular(path: Path, limit: int) -> bytes | None:
    """Read a file that a stranger may have put there; None for one that is missing, longer, or no regular file."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    except OSError:
        return None
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        return None
    with suppress(OSError), os.fdopen(descriptor, "rb") as file:
        content = file.read(limit + 1)
        return content if len(content) <= limit else None
    return None


def check_private(path: Path) -> None:
    """Check a file that another program reads as `read_private` does; raises its errors."""
    os.close(_open_private(path, tighten=False))


def _open_private(path: Path, *, tighten: bool) -> int:
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK)
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise ConfigError(f"{path} is a link", hint="Put the file itself there, or delete the link.") from error
        raise
    try:
        _check_private(path, descriptor, tighten=tighten)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def _check_private(path: Path, descriptor: int, *, tighten: bool) -> None:
    status = os.fstat(descriptor)
    if not stat.S_ISREG(status.st_mode):
        raise ConfigError(f"{path} is not a file", hint=f"Remove {path}.")
    _check_owner(path, status)
    if tighten and status.st_mode & 0o077 and not status.st_mode & 0o022:
        os.fchmod(descriptor, 0o600)
    elif status.st_mode & 0o077:
        raise ConfigError(f"other accounts can use {path}", hint=f"If its content is yours, run `chmod 600 {path}`.")


def make_private_folder(folder: Path) -> None:
    """Make a folder and its parents if they are missing, and let nobody else use it (mode 0700).

    Raises ConfigError for a link, another account's folder, one that everybody can replace, or in which others may
    have put something.
    """
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    status = folder.lstat()
    if stat.S_ISLNK(status.st_mode):
        raise ConfigError(
            f"{folder} is a link", hint="Put the folder itself there, or name its target in the settings."
        )
    _check_owner(folder, status)
    check_not_replaceable(folder)
    if status.st_mode & 0o022 and any(folder.iterdir()):
        raise ConfigError(
            f"other accounts could write to {folder}, which is not empty",
            hint=f"If all that is in it is yours, run `chmod 700 {folder}`.",
        )
    folder.chmod(0o700)


def check_not_replaceable(path: Path) -> None:
    """Check that not everybody can put something else in the place of this path; raises ConfigError and OSError."""
    for parent in path.parents:
        mode = parent.stat().st_mode
        if mode & stat.S_IWOTH and not mode & stat.S_ISVTX:
            raise ConfigError(f"everybody can replace what is in {parent}", hint=f"Run `chmod o-w {parent}`.")


def check_links(path: Path, followed: int = 0) -> None:
    """Check that no link on the way of this path is another account's, or can become one; raises ConfigError, OSError.

    A link that leads to another one is followed. `..` has to stand in the path as it was written.
    """
    if followed > MOST_LINKS:  # Python 3.13 resolves such a path without an error
        raise ConfigError(f"the links at {path} lead to each other", hint="Choose another folder with PALIADIN_HOME.")
    for link in filter(Path.is_symlink, (path, *path.parents)):
        if link.lstat().st_uid != 0:  # those of the system lead where they always do
            _check_owner(link, link.lstat())
        check_not_replaceable(link)
        check_links(link.parent / link.readlink(), followed + 1)


def _check_owner(path: Path, status: os.stat_result) -> None:
    if status.st_uid != os.geteuid():
        raise ConfigError(
            f"{path} belongs to another account (its user id is {status.st_uid})",
            hint="Run Paliadin as that account, or choose another folder with PALIADIN_HOME.",
        )


def is_disk_full(error: OSError) -> bool:
    """True for a full disk and for a quota that is used up."""
    return error.errno in _FULL


def storage_error(error: OSError, path: Path) -> Exception:
    """The error to raise in place of `error`: StorageFull when the disk that holds `path` is full, else `error`."""
    if is_disk_full(error):
        return StorageFull(f"the disk that holds {path} is full")
    return error
