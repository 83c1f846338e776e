"""The folder of captures: names its files, limits their age and size, and removes those of a turn."""

from __future__ import annotations

import contextlib
import fcntl
import functools
import os
import re
import stat
import time
from collections.abc import Collection, Iterator
from pathlib import Path

MAX_BYTES = 1_000_000_000  # of all captures together
MAX_AGE = 7 * 86_400.0  # seconds since a capture's end
NO_TURN = "none"
UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
NAME = re.compile(rf"({UUID.pattern}|{NO_TURN})--([0-9]{{13}})-[0-9]{{9}}")  # groups: the turn, when it began (ms)
BODY, ENTRY = ".http", ".json"

SHARE = 8_000_000  # bytes that a process writes before it looks again what there is
SPARE = 8 * SHARE  # bytes that are left free for the shares of other processes
LOOK_EVERY = 3600.0  # seconds
_FILE = re.compile(rf"{NAME.pattern}(?:{re.escape(BODY)}|{re.escape(ENTRY)})|\.[0-9]+-[0-9]+(?:{re.escape(ENTRY)})?")
_YOUNG = 60.0  # seconds in which an unfinished file is nobody's to judge


def unfinished_name() -> str:
    """Make a new name for a file that is being written. Its writer holds a lock on it (flock)."""
    return f".{os.getpid()}-{time.time_ns()}"


def make_folder(folder: Path) -> None:
    """Make the folder if it is missing, and close it to other accounts; raises OSError if it is a link or another's."""
    folder.mkdir(mode=0o700, exist_ok=True)
    status = folder.lstat()
    if not stat.S_ISDIR(status.st_mode) or status.st_uid != os.geteuid():
        raise OSError(f"{folder.name} is a link or belongs to another account")
    if status.st_mode & 0o077:
        folder.chmod(0o700)


class Quota:
    """The number of bytes that a process may write into the folder, which it measures once for each share."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._left, self._looked = folder, 0, -LOOK_EVERY

    def take(self, size: int) -> bool:
        """Reserve so many bytes, at most a share, and remove old captures for them; False if there is no room."""
        if size > self._left or time.monotonic() - self._looked > LOOK_EVERY:
            self._looked = time.monotonic()
            self._left = SHARE if make_room(self._folder, SPARE) >= SPARE else 0
        if size > self._left:
            return False
        self._left -= size
        return True


@functools.cache
def quota(folder: Path) -> Quota:
    """Return this process's quota in the folder."""
    return Quota(folder)


def make_room(folder: Path, wanted: int = 0, *, now: float | None = None) -> int:
    """Remove the captures that are too old, then the oldest until `wanted` bytes fit; returns how many bytes do.

    Files that a killed process has left unfinished are removed as well. Files that are being written count, and stay.
    """
    now, used = time.time() if now is None else now, 0
    captures: dict[str, list[tuple[float, int, str]]] = {}
    for name in _files(folder):
        path = os.path.join(folder, name)  # noqa: PTH118  # there may be ten thousand, and a stream waits
        try:
            status = os.lstat(path)
        except OSError:  # it is gone
            continue
        if not name.startswith("."):
            captures.setdefault(name[:-5], []).append((status.st_mtime, status.st_size, path))
        elif now - status.st_mtime > _YOUNG and _is_abandoned(path):
            _unlink(path)
        else:
            used += status.st_size
    is_full = False
    for files in sorted(captures.values(), reverse=True):
        size = sum(size for _, size, _ in files)
        is_full = is_full or used + size + wanted > MAX_BYTES
        if is_full or now - files[0][0] > MAX_AGE:
            for _, _, path in files:
                _unlink(path)
        else:
            used += size
    return MAX_BYTES - used


def remove(folder: Path, turns: Collection[str]) -> int:
    """Remove the captures of these turns; returns how many files there were."""
    files = [name for name in _files(folder) if name.partition("--")[0] in turns and name[0] != "."]
    for name in files:
        _unlink(folder / name)
    return len(files)


def names(folder: Path, turn: str | None = None) -> Iterator[re.Match[str]]:
    """Return the captures' names, as matches of NAME; only those of a turn, or of NO_TURN. None without a folder."""
    for name in _files(folder):
        if name.endswith(BODY) and turn in (None, name.partition("--")[0]) and (match := NAME.fullmatch(name[:-5])):
            yield match


def _files(folder: Path) -> list[str]:
    """Return the names of captures' files, whole and unfinished ones, without anything else that somebody put there."""
    try:
        if not stat.S_ISDIR(folder.lstat().st_mode):
            return []
    except FileNotFoundError:
        return []
    return list(filter(_FILE.fullmatch, os.listdir(folder)))  # noqa: PTH208  # iterdir takes ten times as long


def _is_abandoned(path: str) -> bool:
    """True if nobody writes the file any more: its writer would hold a lock on it."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    finally:
        os.close(descriptor)
    return True


def _unlink(path: str | Path) -> None:
    with contextlib.suppress(FileNotFoundError, IsADirectoryError, PermissionError):  # macOS says EPERM for a folder
        os.unlink(path)  # noqa: PTH108
