"""Asks git which files of a folder it does not ignore. The repository may be a stranger's, so nothing of it is run."""

from __future__ import annotations

import asyncio
import os
import shutil
from asyncio.subprocess import DEVNULL, PIPE, Process
from pathlib import Path

from paliadin.base.processes import running

TIMEOUT = 5.0  # seconds
MAX_BYTES = 40_000_000  # of names

# A repository's configuration can name programs: to watch files, to page, to fetch what is missing.
_SAFE = (
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.excludesFile=/dev/null",
    "core.attributesFile=/dev/null",
    "core.sshCommand=false",
    "core.gitProxy=false",
    "core.alternateRefsCommand=false",
    "core.pager=cat",
    "credential.helper=",
    "protocol.allow=never",
    "submodule.recurse=false",
)
_ENVIRONMENT = {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",
    "LC_ALL": "C",
}


async def not_ignored(folder: Path) -> frozenset[str] | None:
    """Return the paths below the folder that git tracks or would track; one of another repository ends with `/`.

    None where there is no repository, no git, or git does not respond in time.
    """
    git = shutil.which("git")
    if git is None or not Path(git).is_absolute() or not _is_in_repository(folder):
        return None
    options = [part for setting in _SAFE for part in ("-c", setting)]
    listing = ["ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    environment = {"PATH": os.environ.get("PATH", ""), "HOME": "/nonexistent"} | _ENVIRONMENT
    try:
        async with (
            asyncio.timeout(TIMEOUT),
            running(
                [git, "--no-pager", *options, *listing],
                cwd=folder, env=environment, stdin=DEVNULL, stdout=PIPE, stderr=DEVNULL,
            ) as process,
        ):  # fmt: skip
            names = await _read(process)
    except (OSError, TimeoutError):
        return None
    return None if names is None else frozenset(os.fsdecode(names).split("\0")) - {""}


async def _read(process: Process) -> bytes | None:
    """Read what it prints; None when it fails, or prints too much."""
    assert process.stdout is not None  # noqa: S101  # it is a pipe
    names = bytearray()
    while chunk := await process.stdout.read(1 << 18):
        names += chunk
        if len(names) > MAX_BYTES:
            return None
    return bytes(names) if await process.wait() == 0 else None


def _is_in_repository(folder: Path) -> bool:
    """Whether there is any: where nobody uses git, macOS would offer to install it."""
    return any((above / ".git").exists() for above in (folder, *folder.parents))
