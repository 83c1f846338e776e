"""Claude Code's transcripts on disk: locate, read, make and remove one, without following links.

A transcript's path comes from a hook's payload, which another program may have written: it counts only if it is
<Claude's folder>/projects/<name of the working folder>/<uuid>.jsonl, a regular file of this account. Folders and files
are opened one below the other, without following links.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import stat
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO

from paliadin.base.errors import NotFound, RelayError, StorageFull
from paliadin.base.files import is_disk_full

NOT_BRANCHED = "not_branched"
BEGIN_ANEW = "Begin a new conversation, and tell it what it has to know."
LONGEST_PROJECT = 200  # characters of a project's name; Claude Code shortens a longer one
_NAME = re.compile(r"([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.jsonl")
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
# What else Claude Code keeps for a conversation: folder → the names in it, where {} is its id. Folders' names end in /.
_BESIDE = {
    "file-history": "{}/",
    "session-env": "{}/",
    "tasks": "{}/",
    "debug": r"{}\.txt",
    "todos": r"{}-.*\.json",
}

Environment = Mapping[str, str] | None
"""Claude's environment variables; None: it has those of this process."""


@dataclass(frozen=True, slots=True)
class Transcript:
    """The place of a transcript, whose file need not exist. `projects` is the folder of that name, without links."""

    projects: Path
    project: str  # the folder below it, which Claude Code names after its working folder
    session_id: str

    @property
    def path(self) -> Path:
        return self.projects / self.project / f"{self.session_id}.jsonl"


def claude_folder(environment: Environment) -> Path:
    """Return the folder of Claude Code's own files."""
    variables = os.environ if environment is None else environment
    configured = variables.get("CLAUDE_CONFIG_DIR")
    return Path(configured) if configured else Path(variables.get("HOME") or Path.home()) / ".claude"


def locate(path: str, environment: Environment) -> Transcript:
    """Return the transcript that a hook has named; raises RelayError when it is none of Claude Code's."""
    name = _NAME.fullmatch(path.rpartition("/")[2])
    try:
        projects = (claude_folder(environment) / "projects").resolve()
        folder = Path(path).parent.resolve()
    except (OSError, ValueError, RuntimeError) as error:  # NUL, too long, a loop of links
        raise _refused(path) from error
    if name is None or folder.parent != projects:
        raise _refused(path)
    return Transcript(projects, folder.name, name[1])


def place_beside(source: Transcript, cwd: Path, other: Path, session_id: str) -> Transcript:
    """Return the place for a transcript `session_id` of a Claude in the folder `other`; `source` is one of `cwd`.

    Claude Code 2.1.197 finds a transcript only in the folder that is named after its own working folder. Raises
    RelayError when it has another name than Paliadin expects.
    """
    if cwd.resolve() == other.resolve():
        return replace(source, session_id=session_id)
    project = _project_name(other)
    if _project_name(cwd) != source.project or len(project) > LONGEST_PROJECT:
        message = f"the name of the folder {source.projects / source.project} is not the one expected for {cwd}"
        raise RelayError(message, code=NOT_BRANCHED, hint=BEGIN_ANEW)
    return replace(source, project=project, session_id=session_id)


def _project_name(cwd: Path) -> str:
    return re.sub("[^A-Za-z0-9]", "-", str(cwd.resolve()))


@contextmanager
def reading(transcript: Transcript) -> Iterator[BinaryIO]:
    """Read a transcript during a `with` block; raises NotFound when it is gone, RelayError for what is not a file."""
    try:
        with _folder(transcript.projects, transcript.project) as folder:
            flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
            descriptor = os.open(transcript.path.name, flags, dir_fd=folder)
    except FileNotFoundError as error:
        message = f"Claude Code's transcript {transcript.path} is gone"
        hint = f"Claude Code removes what nobody has used for 30 days (`cleanupPeriodDays`). {BEGIN_ANEW}"
        raise NotFound(message, code="no_transcript", hint=hint) from error
    except OSError as error:
        raise _refused(str(transcript.path)) from error
    if not _is_file(os.fstat(descriptor)):
        os.close(descriptor)
        raise _refused(str(transcript.path))
    with os.fdopen(descriptor, "rb") as file:
        yield file


def make(transcript: Transcript, lines: Iterable[bytes]) -> None:
    """Write a new transcript, for this account only; raises StorageFull, RelayError, FileExistsError."""
    try:
        with contextlib.suppress(FileExistsError), _folder(transcript.projects) as projects:
            os.mkdir(transcript.project, 0o700, dir_fd=projects)
        with _folder(transcript.projects, transcript.project) as folder:
            flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
            descriptor = os.open(transcript.path.name, flags, 0o600, dir_fd=folder)
        with os.fdopen(descriptor, "wb") as file:
            file.writelines(lines)
            file.flush()
            os.fsync(descriptor)
    except FileExistsError:
        raise
    except OSError as error:
        if is_disk_full(error):
            raise StorageFull(f"the disk that holds {transcript.path} is full") from error
        message = f"Claude Code's transcript {transcript.path} cannot be written: {error.strerror}"
        raise RelayError(message, code=NOT_BRANCHED, hint=f"Look at the folder's mode, or: {BEGIN_ANEW}") from error


def remove(transcript: Transcript, environment: Environment) -> None:
    """Remove a transcript, and Claude Code's other files under its id; none need exist. Raises OSError."""
    name, root = transcript.session_id, claude_folder(environment).resolve()
    for pattern in (rf"{name}\.jsonl", f"{name}/"):
        _remove_named((transcript.projects, transcript.project), pattern)
    for folder, pattern in _BESIDE.items():
        _remove_named((root, folder), pattern.format(name))
    _remove_named((_temporary_folder(environment), transcript.project), f"{name}/")


def _temporary_folder(environment: Environment) -> Path:
    """Return the folder of the output of Claude Code's background tasks."""
    variables = os.environ if environment is None else environment
    parent = variables.get("CLAUDE_CODE_TMPDIR") or variables.get("TMPDIR") or "/tmp"  # noqa: S108  # Claude Code's
    return Path(parent).resolve() / f"claude-{os.geteuid()}"


def _remove_named(place: tuple[Path, str], pattern: str) -> None:
    """Remove this account's files in the folder `place` whose names match; folders, if the pattern ends in /."""
    with contextlib.ExitStack() as stack:
        try:
            folder = stack.enter_context(_folder(*place))
        except OSError:  # there is none, or it is a link
            return
        for name in os.listdir(folder):  # noqa: PTH208  # a descriptor has no path
            with contextlib.suppress(FileNotFoundError):
                status = os.stat(name, dir_fd=folder, follow_symlinks=False)
                if stat.S_ISDIR(status.st_mode) and status.st_uid == os.geteuid() and re.fullmatch(pattern, f"{name}/"):
                    shutil.rmtree(name, dir_fd=folder)  # follows no links
                elif _is_file(status) and re.fullmatch(pattern, name):
                    os.unlink(name, dir_fd=folder)


@contextmanager
def _folder(root: Path, name: str = ".") -> Iterator[int]:
    """Open the folder `name` of `root`, which must belong to this account; returns a descriptor. Raises OSError."""
    parent = os.open(root, _FOLDER)
    try:
        descriptor = os.open(name, _FOLDER, dir_fd=parent)
    finally:
        os.close(parent)
    try:
        if os.fstat(descriptor).st_uid != os.geteuid():
            raise PermissionError(f"{root / name} belongs to another account")
        yield descriptor
    finally:
        os.close(descriptor)


def _is_file(status: os.stat_result) -> bool:
    return stat.S_ISREG(status.st_mode) and status.st_uid == os.geteuid()


def _refused(path: str) -> RelayError:
    message = f"{path[:300]!r} is not a transcript that Claude Code has made for this account"
    return RelayError(message, code=NOT_BRANCHED, hint=BEGIN_ANEW)
