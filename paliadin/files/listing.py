"""List the files of Claude's working folder, for the page to pick from.

Left out are links that lead outside, Paliadin's own files, devices and pipes. A name that `@` in a question cannot
carry is listed with the reason. Files that git ignores are read and listed last, since there may be more of them than
the list can hold.
"""

from __future__ import annotations

import asyncio
import os
import stat
import time
import unicodedata
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import PurePosixPath

from paliadin.base.errors import PaliadinError
from paliadin.files.attachable import obstacle, shown_name
from paliadin.files.git_files import not_ignored
from paliadin.files.matching import Entry, FileIndex
from paliadin.files.working_folder import OpenFolder, WorkingFolder

MAX_ENTRIES = 200_000
MAX_CHARACTERS = 40_000_000  # of all their paths, each of which is kept three times
MAX_LINKS = 2_000
TIMEOUT = 5.0  # seconds for the walk
FRESH = 5.0  # seconds in which a list is not renewed
QUICK = 1.0  # seconds that a list may have taken to be made anew for what is not found in it
GIT_PAUSE = 600.0  # seconds in which git is not asked again after it took too long
KEPT = 120.0  # seconds without a search after which the list is forgotten
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_NEVER = frozenset({".git", ".hg", ".svn"})
_USUALLY_IGNORED = frozenset({"node_modules", "__pycache__", "venv", "target", "dist", "build"})  # without git


class FileList:
    """The list of a folder's files, renewed when it is asked for and no longer fresh."""

    def __init__(self, folder: WorkingFolder) -> None:
        self._folder = folder
        self._index: FileIndex | None = None
        self._listed_at, self._took, self._git_pauses_until = 0.0, 0.0, 0.0
        self._renewing: asyncio.Task[FileIndex] | None = None
        self._forgetting: asyncio.TimerHandle | None = None

    async def index(self) -> FileIndex:
        """Return the list. An old one is returned at once, and renewed in the background; raises NotFound."""
        loop = asyncio.get_running_loop()
        if self._forgetting:
            self._forgetting.cancel()
        self._forgetting = loop.call_later(KEPT, self._forget)
        if self._index is None or time.monotonic() - self._listed_at > FRESH:
            renewing = self._begin_to_renew()
            if self._index is None:
                return await asyncio.shield(renewing)
        return self._index

    async def newer(self) -> FileIndex | None:
        """Return a new list, since a missing file may just have been written; raises NotFound.

        None where a new list would take long.
        """
        if self._took > QUICK:
            return None
        if self._renewing and not self._renewing.done():  # it may have passed the place already
            await asyncio.wait([self._renewing])
        return await asyncio.shield(self._begin_to_renew())

    def _begin_to_renew(self) -> asyncio.Task[FileIndex]:
        if self._renewing is None or self._renewing.done():
            self._renewing = asyncio.create_task(self._renew())
            self._renewing.add_done_callback(_take_error)
        return self._renewing

    async def _renew(self) -> FileIndex:
        began = time.monotonic()
        tracked = await self._tracked()
        self._index = await asyncio.to_thread(lambda: FileIndex(list_files(self._folder, tracked)))
        self._listed_at = time.monotonic()
        self._took = self._listed_at - began
        return self._index

    async def _tracked(self) -> frozenset[str] | None:
        """Return the paths that git does not ignore. After a timeout, git is not asked again for some time."""
        if time.monotonic() < self._git_pauses_until:
            return None
        try:
            return await not_ignored(self._folder.path)
        except TimeoutError:
            self._git_pauses_until = time.monotonic() + GIT_PAUSE
            return None

    def _forget(self) -> None:
        self._index = None


def _take_error(task: asyncio.Task[FileIndex]) -> None:
    """Retrieve the error of a background renewal, so that asyncio does not log it: the next list raises it, too."""
    if not task.cancelled():
        task.exception()


def list_files(folder: WorkingFolder, tracked: frozenset[str] | None) -> list[Entry]:
    """List the files and folders, nearest first, up to MAX_ENTRIES, MAX_CHARACTERS or TIMEOUT; raises NotFound.

    `tracked`: the paths that git does not ignore; None where there is no git.
    """
    with folder.opened() as opened:
        return list(_Listing(opened, tracked).entries())


class _Listing:
    """One walk through a folder, level by level, with ignored folders at its end."""

    def __init__(self, folder: OpenFolder, tracked: frozenset[str] | None) -> None:
        self._folder = folder
        self._is_ignored = _ignored_by_name if tracked is None else _ignored_by_git(tracked)
        self._waiting: deque[tuple[str, bool]] = deque([("", False)])  # folders, and whether they are ignored
        self._ignored: deque[tuple[str, bool]] = deque()
        self._links = 0
        self._until = time.monotonic() + TIMEOUT

    def entries(self) -> Iterator[Entry]:
        left, characters = MAX_ENTRIES, MAX_CHARACTERS
        while left > 0 and characters > 0 and self._has_time and (folders := self._waiting or self._ignored):
            path, ignored = folders.popleft()
            with suppress(OSError, PaliadinError):
                for entry in self._read(path, ignored):
                    yield entry
                    left, characters = left - 1, characters - len(entry.path)
                    if left <= 0 or characters <= 0:
                        break

    @property
    def _has_time(self) -> bool:
        return time.monotonic() < self._until

    def _read(self, path: str, ignored: bool) -> Iterator[Entry]:
        """Yield the folder's entries, and put its subfolders into the queue."""
        descriptor = self._folder.open(path)
        try:
            with os.scandir(descriptor) as items:
                for item in items:
                    inside = f"{path}{item.name}"
                    if item.name in _NEVER:
                        continue
                    is_folder = self._kind(item, inside, descriptor)
                    if is_folder is None:
                        continue
                    listed_path = f"{inside}/" if is_folder else inside
                    is_ignored = ignored or self._is_ignored(listed_path)
                    if is_folder and not item.is_symlink():
                        (self._ignored if is_ignored else self._waiting).append((listed_path, is_ignored))
                    yield _entry(listed_path, is_ignored)
        finally:
            os.close(descriptor)

    def _kind(self, item: os.DirEntry[str], path: str, folder: int) -> bool | None:
        """Tell a folder (True) from a file (False); None for one that is not shown. A link counts as its target."""
        if item.is_symlink():
            return self._kind_of_link(path)
        is_folder = item.is_dir(follow_symlinks=False)
        if not is_folder and not item.is_file(follow_symlinks=False):
            return None
        if self._folder.may_be_hidden(item.name):
            status = os.stat(item.name, dir_fd=folder, follow_symlinks=False)
            return None if self._folder.is_hidden(status) else is_folder
        return is_folder

    def _kind_of_link(self, path: str) -> bool | None:
        self._links += 1
        if self._links > MAX_LINKS or not self._has_time:  # one may lead over thousands of folders
            return None
        try:
            descriptor = self._folder.open(path)
        except PaliadinError:
            return None
        try:
            return stat.S_ISDIR(os.fstat(descriptor).st_mode)
        finally:
            os.close(descriptor)


def _entry(path: str, ignored: bool) -> Entry:
    why = obstacle(path)
    return Entry(shown_name(path) if why else unicodedata.normalize("NFC", path), ignored, why)


def _ignored_by_git(tracked: frozenset[str]) -> Callable[[str], bool]:
    """Return a test whether git ignores a path. Files of another repository below this one count as not ignored."""
    folders: set[str] = set()
    for path in tracked:
        at = path.rfind("/")
        while at > 0 and (folder := path[: at + 1]) not in folders:  # else those above it are there, too
            folders.add(folder)
            at = path.rfind("/", 0, at)

    def is_ignored(path: str) -> bool:
        if path in tracked or path in folders or path.rstrip("/") in tracked:
            return False
        return not any(above in tracked or f"{above}/" in tracked for above in _folders_above(path))

    return is_ignored


def _folders_above(path: str) -> Iterator[str]:
    at = path.find("/")
    while at >= 0:
        yield path[:at]
        at = path.find("/", at + 1)


def _ignored_by_name(path: str) -> bool:
    name = PurePosixPath(path).name
    return name.startswith(".") or name in _USUALLY_IGNORED
