"""Ask git which files of a folder it does not ignore.

The repository may be a stranger's. Its configuration can name programs, move the work tree and include any file, so git
works in an empty repository of our own: it gets the work tree, the index and the file `info/exclude`. If one of these
is a pipe or a device, git does not get it; when git would come to one in the work tree, it is ended.
"""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import signal
import stat
import sys
import tempfile
import threading
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections import deque
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from paliadin.base.files import read_regular
from paliadin.base.processes import running, send_signal
from paliadin.base.tasks import background

TIMEOUT = 5.0  # seconds
QUICK = 0.3  # seconds in which git mostly is done; only then it is looked for what could hold it up
MAX_BYTES = 40_000_000  # of names
MAX_PATTERNS = 10_000_000  # bytes of one file of patterns, which git reads as a whole; beyond that it works without

_SHA256 = re.compile(rb'^\s*objectFormat\s*=\s*"?sha256"?\s*$', re.IGNORECASE | re.MULTILINE)
_LONGEST_CONFIG = 100_000  # bytes
_LONGEST_POINTER = 8192  # bytes of a file that holds a path
_OPENED = frozenset(
    {".gitignore", "HEAD", "commondir"}
)  # by git 2.39 in a work tree, the last two of repositories in it
_LISTING = ("ls-files", "--cached", "--others", "--exclude-per-directory=.gitignore", "-z")
# What `git init` would find out there.
_MAC = ("-c", "core.ignoreCase=true", "-c", "core.precomposeUnicode=true") if sys.platform == "darwin" else ()


@dataclass(frozen=True)
class Repository:
    """A folder that git tracks. `own` is the folder of the repository's own files, such as its index."""

    top: Path
    own: Path

    @classmethod
    def around(cls, folder: Path) -> Repository | None:
        """Return the nearest repository around a folder; None if there is none."""
        for top in (folder, *folder.parents):
            path = top / ".git"
            if _kind(path) == stat.S_IFDIR:
                return cls(top, path)
            if pointer := _read_pointer(path, "gitdir: "):  # of a submodule, or one more work tree
                return cls(top, top / pointer)
        return None

    @property
    def _shared(self) -> Path:
        """The folder that all work trees of the repository share."""
        return self.own / _read_pointer(self.own / "commondir")

    @property
    def exclude(self) -> Path:
        """The file of ignore patterns outside of the project."""
        return self._shared / "info" / "exclude"

    @property
    def is_sha256(self) -> bool:
        """Tell whether the index holds SHA-256 hashes, which only the repository's configuration says."""
        return _SHA256.search(read_regular(self._shared / "config", _LONGEST_CONFIG) or b"") is not None


async def not_ignored(folder: Path) -> frozenset[str] | None:
    """Return the paths below the folder that git tracks or would track; one of another repository ends with `/`.

    None without a repository or git, or where something holds git up. Raises TimeoutError.
    """
    git, repository = shutil.which("git"), Repository.around(folder)
    # Without a repository git is not even started: macOS would offer to install it.
    if repository is None or git is None or not Path(git).is_absolute():
        return None
    async with asyncio.timeout(TIMEOUT):
        names = await _list(git, folder, repository)
    return None if names is None else frozenset(os.fsdecode(names).split("\0")) - {""}


async def _list(git: str, folder: Path, repository: Repository) -> bytes | None:
    excluding = [f"--exclude-from={repository.exclude}"] if _is_readable(repository.exclude) else []
    with suppress(OSError), tempfile.TemporaryDirectory(prefix="paliadin-git-") as empty:
        _make_repository(Path(empty), is_sha256=repository.is_sha256)
        async with (
            running(
                [git, *_MAC, *_LISTING, *excluding],
                cwd=folder, env=_environment(repository, empty), stdin=DEVNULL, stdout=PIPE, stderr=DEVNULL,
            ) as process,
            background(_end_if_held_up(process, folder, repository.top)),
        ):  # fmt: skip
            return await _read(process)
    return None


def _make_repository(folder: Path, *, is_sha256: bool) -> None:
    (folder / "objects").mkdir()
    (folder / "refs").mkdir()
    if is_sha256:
        (folder / "config").write_text("[core]\n\trepositoryFormatVersion = 1\n[extensions]\n\tobjectFormat = sha256\n")
    (folder / "HEAD").write_text("ref: refs/heads/main\n")


def _environment(repository: Repository, empty: str) -> dict[str, str]:
    index = repository.own / "index"
    return {
        "PATH": os.environ.get("PATH", ""),
        "HOME": "/nonexistent",
        "LC_ALL": "C",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": "/dev/null",
        "GIT_DIR": empty,
        "GIT_WORK_TREE": str(repository.top),
        "GIT_INDEX_FILE": str(index) if _kind(index) == stat.S_IFREG else f"{empty}/index",
    }


async def _read(process: Process) -> bytes | None:
    """Read the process's output; None when it fails, or prints too much."""
    assert process.stdout is not None  # noqa: S101  # it is a pipe
    names = bytearray()
    while chunk := await process.stdout.read(1 << 18):
        names += chunk
        if len(names) > MAX_BYTES:
            return None
    return bytes(names) if await process.wait() == 0 else None


async def _end_if_held_up(process: Process, folder: Path, top: Path) -> None:
    """End a long-running git if it comes to a pipe, a device or a huge file, or would come to one."""
    await asyncio.sleep(QUICK)
    is_over = threading.Event()
    above = [each for each in folder.parents if each.is_relative_to(top)]
    try:
        if await asyncio.to_thread(_is_held_up, folder, above, is_over):
            send_signal(process, signal.SIGKILL)
    finally:
        is_over.set()


def _is_held_up(folder: Path, above: Iterable[Path], is_over: threading.Event) -> bool:
    """Tell whether one of the files that git opens is a pipe, a device or huge; looks until `is_over`."""
    if any(_blocks(each / ".gitignore") for each in above):
        return True
    waiting, own = deque([str(folder)]), f"{folder}/.git"  # of which git is told what to open
    while waiting and not is_over.is_set():
        with suppress(OSError), os.scandir(waiting.popleft()) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    if entry.path != own:
                        waiting.append(entry.path)
                elif entry.path != own and _holds_up(Path(entry.path)):
                    return True
    return False


def _kind(path: Path) -> int:
    """Return the kind of the file at a path, such as `stat.S_IFREG`; 0 without one."""
    with suppress(OSError):
        return stat.S_IFMT(path.stat().st_mode)
    return 0


def _is_readable(patterns: Path) -> bool:
    with suppress(OSError):
        status = patterns.stat()
        return stat.S_ISREG(status.st_mode) and status.st_size <= MAX_PATTERNS
    return False


def _blocks(path: Path) -> bool:
    """Tell whether reading a path may take for ever, or all memory."""
    return _kind(path) not in (0, stat.S_IFDIR) and not _is_readable(path)


def _holds_up(path: Path) -> bool:
    """Tell whether git would hang at this file of the work tree, or at one that it leads to."""
    return (path.name in _OPENED and _blocks(path)) or (path.name == ".git" and _leads_to_pipe(path))


def _leads_to_pipe(git: Path) -> bool:
    """Tell whether a `.git` that is a link or a file names a repository with a pipe in it, wherever that is."""
    own = git.parent / (_read_pointer(git, "gitdir: ") or git)
    return any(_blocks(own / name) for name in ("HEAD", "commondir"))


def _read_pointer(path: Path, prefix: str = "") -> str:
    """Read the path that a file of git's holds behind a prefix; empty for any other file, and without one."""
    text = os.fsdecode(read_regular(path, _LONGEST_POINTER) or b"")
    return text.removeprefix(prefix).rstrip("\r\n") if text.startswith(prefix) and "\0" not in text else ""
