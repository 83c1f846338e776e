"""Open files in Claude's working folder and nowhere else, whatever a path says and whoever changes links meanwhile.

A path is followed one name at a time, each below the folder that was opened before it, and never by the system over a
link. Links are read and followed here, as far as they stay inside. So nobody can swap a folder for a link in between.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from paliadin.base.errors import NotFound, PaliadinError

MAX_PATH = 4096  # characters
MAX_LINKS = 20  # that one path may lead over
MAX_DEPTH = 100  # folders in each other; each one on the way is held open
SYSTEM = (Path("/proc"), Path("/sys"), Path("/dev"))  # what looks like files there tells of processes and devices

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC  # a pipe without a writer would block

Identity = tuple[int, int]


class WorkingFolder:
    """A folder whose files may be shown, except for `hidden` ones and all below hidden folders.

    Hidden files are known by device and inode: no link and no other spelling of a name leads there.
    """

    def __init__(self, folder: Path, hidden: Iterable[Path]) -> None:
        self.path = folder.resolve()
        self._written = str(folder).rstrip("/")
        self._hidden = (*hidden, *SYSTEM)

    @contextmanager
    def opened(self) -> Iterator[OpenFolder]:
        """Hold the folder open during a `with` block; raises NotFound when it is missing, or hidden itself."""
        hidden = {identity for path in self._hidden if (identity := _identity(path))}
        above = {_identity(path) for path in (self.path, *self.path.parents)}
        try:
            descriptor = None if hidden & above else os.open(self.path, _FOLDER)
        except OSError:
            descriptor = None
        if descriptor is None:
            raise NotFound(
                "Claude's working folder cannot be opened, or belongs to Paliadin's own files",
                code="unknown_file",
                hint="Check PALIADIN_WORKDIR.",
            )
        try:
            names = frozenset(path.name.lower() for each in self._hidden for path in (each, each.resolve()))
            yield OpenFolder(descriptor, self.path, hidden, names)
        finally:
            os.close(descriptor)

    def relative(self, path: str) -> str:
        """Return a path inside as one below the folder, without `.`; raises NotFound for any other."""
        if not 0 < len(path) <= MAX_PATH or "\0" in path or not _is_unicode(path):
            raise _not_there()
        for root in (str(self.path), self._written):
            if path.startswith(root.rstrip("/") + "/"):
                path = path[len(root.rstrip("/")) + 1 :]
                break
        names = [name for name in path.split("/") if name not in {"", "."}]
        if path.startswith(("/", "~")) or ".." in names or not names:
            raise _not_there()
        return "/".join(names)

    def open_file(self, path: str) -> BinaryIO:
        """Open a file for reading; raises NotFound, and PaliadinError `not_a_file` for a folder, device or pipe."""
        with self.opened() as folder:
            descriptor = folder.open(self.relative(path))
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            os.close(descriptor)
            raise _not_a_file()
        return os.fdopen(descriptor, "rb")


class OpenFolder:
    """A folder that is held open, through which its files are opened."""

    def __init__(self, descriptor: int, path: Path, hidden: set[Identity], names: frozenset[str]) -> None:
        self._root, self._path, self._hidden, self._hidden_names = (
            descriptor,
            str(path).rstrip("/") + "/",
            hidden,
            names,
        )

    def open(self, path: str) -> int:
        """Open a file or a folder, given relative to this one; return its descriptor.

        Raises NotFound for what is missing, hidden, or outside, and PaliadinError `not_a_file` for a device or a pipe.
        """
        walk = _Walk(self._root, self._path, self._hidden)
        try:
            return walk.follow(path)
        except OSError as error:
            raise _not_there() from error
        finally:
            walk.close()

    def may_be_hidden(self, name: str) -> bool:
        """Tell whether it is worth asking `is_hidden`, which needs the file's status."""
        return name.lower() in self._hidden_names

    def is_hidden(self, status: os.stat_result) -> bool:
        """True for one of the hidden files."""
        return (status.st_dev, status.st_ino) in self._hidden


class _Walk:
    """The walk along one path: the folders so far, held open, and the names that are still to follow."""

    def __init__(self, root: int, path: str, hidden: set[Identity]) -> None:
        self._root, self._path, self._hidden = root, path, hidden
        self._folders: list[int] = []
        self._links = 0

    def follow(self, path: str) -> int:
        """Return a descriptor of the path's target; raises OSError when that is not inside."""
        names = _names(path)
        while names:
            name = names.pop()
            if name == "..":  # of a link only
                if not self._folders:
                    raise FileNotFoundError(errno.ENOENT, "leads outside")
                os.close(self._folders.pop())
                continue
            here = self._folders[-1] if self._folders else self._root
            status = os.stat(name, dir_fd=here, follow_symlinks=False)
            if stat.S_ISLNK(status.st_mode):
                names += self._read_link(name, here)
            elif not names and not stat.S_ISDIR(status.st_mode):
                return self._open_file(name, here, status)
            elif len(self._folders) >= MAX_DEPTH:
                raise OSError(errno.ELOOP, "too deep")
            else:
                self._folders.append(self._checked(os.open(name, _FOLDER, dir_fd=here)))
        return os.dup(self._folders[-1] if self._folders else self._root)

    def close(self) -> None:
        for descriptor in self._folders:
            os.close(descriptor)

    def _open_file(self, name: str, here: int, status: os.stat_result) -> int:
        if not stat.S_ISREG(status.st_mode):  # opening a device may already do something
            raise _not_a_file()
        return self._checked(os.open(name, _FILE, dir_fd=here))

    def _checked(self, descriptor: int) -> int:
        status = os.fstat(descriptor)
        if (status.st_dev, status.st_ino) in self._hidden:
            os.close(descriptor)
            raise FileNotFoundError(errno.ENOENT, "hidden")
        return descriptor

    def _read_link(self, name: str, here: int) -> list[str]:
        self._links += 1
        if self._links > MAX_LINKS:
            raise OSError(errno.ELOOP, "too many links")
        target = os.readlink(name, dir_fd=here)
        if not target.startswith("/"):
            return _names(target)
        if not target.startswith(self._path):
            raise FileNotFoundError(errno.ENOENT, "leads outside")
        for descriptor in self._folders:
            os.close(descriptor)
        self._folders = []
        return _names(target.removeprefix(self._path))


def _names(path: str) -> list[str]:
    """Return the names of a path, the last one first."""
    return [name for name in reversed(path.split("/")) if name not in {"", "."}]


def _is_unicode(text: str) -> bool:
    """False for half a surrogate pair, which JSON can hold."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _identity(path: Path) -> Identity | None:
    with suppress(OSError, ValueError):
        status = path.stat()
        return status.st_dev, status.st_ino
    return None


def _not_there() -> NotFound:
    return NotFound(
        "there is no such file in Claude's working folder",
        code="unknown_file",
        hint="It may have been moved or deleted. Files elsewhere are not shown.",
    )


def _not_a_file() -> PaliadinError:
    return PaliadinError(
        "this is a folder, a device or a pipe, and no file", code="not_a_file", status=422, hint="Name a file in it."
    )
