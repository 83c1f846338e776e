"""Files and folders of Paliadin's that other accounts can read, change or replace."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterator
from pathlib import Path

from paliadin.base.settings import Settings, settings_file
from paliadin.relays.terminal.requirements import Part, warning

_SECRETS = re.compile(
    r"^\s*(PALIADIN_)?(TOKEN|PEER_KEYS|DATABASE_URL)\s*=|^\s*\[(PALIADIN_)?PEER_KEYS\]", re.IGNORECASE | re.MULTILINE
)
_NAMES = ("audit.jsonl", "daemon.json", "remotes.json", "keys", "sessions")
ALL, WRITING = 0o077, 0o022  # bits of a mode that are for others


def check_files(settings: Settings) -> Iterator[Part]:
    """Check that the state is this account's alone, and that others cannot change the file with settings."""
    home = settings.home
    yield from _check(home, 0)  # its mode is in the part `storage`, that of access.json in `access`
    for path in sorted({settings.response_dir, *(home / name for name in _NAMES)}):
        yield from _check(path, ALL)
    for path in sorted((home / "keys").glob("*")):
        yield from _check(path, WRITING if path.suffix == ".pub" else ALL)
    configuration = settings_file(os.environ)
    if configuration:
        yield from _check_configuration(configuration.resolve())
    roots = [home, settings.response_dir, *([configuration.resolve()] if configuration else [])]
    for folder in sorted({parent for root in roots for parent in root.parents}):
        yield from _check_parent(folder)


def _check(path: Path, forbidden: int) -> Iterator[Part]:
    """Check owner, kind and mode. `forbidden`: the bits of the mode that must not be set."""
    try:
        status = path.lstat()
    except FileNotFoundError:
        return
    if stat.S_ISLNK(status.st_mode):
        yield warning("files", f"{path} is a link", "Put the file itself there, or delete the link.")
    elif status.st_uid != os.geteuid():
        hint = f"If its content is yours, run `sudo chown {os.geteuid()} {path}`; else delete it."
        yield warning("files", f"{path} belongs to another account (its user id is {status.st_uid})", hint)
    else:
        yield from _check_mode(path, stat.S_IMODE(status.st_mode), forbidden)


def _check_configuration(path: Path) -> Iterator[Part]:
    """Check the file with settings: root may own it, and others may read it if no secret is in it."""
    status = path.stat()
    if status.st_uid not in {os.geteuid(), 0}:
        hint = "Settings name programs that are run: write the file again as yourself."
        yield warning("files", f"{path} belongs to another account (its user id is {status.st_uid})", hint)
        return
    secret = _SECRETS.search(path.read_text("utf-8", "replace"))
    yield from _check_mode(path, stat.S_IMODE(status.st_mode), ALL if secret else WRITING)


def _check_mode(path: Path, mode: int, forbidden: int) -> Iterator[Part]:
    if not mode & forbidden:
        return
    close = f"run `chmod {mode & ~forbidden:o} {path}`."
    if mode & WRITING:
        hint = f"Look whether its content is yours, then {close}"
        yield warning("files", f"other accounts can change {path} ({mode:o})", hint)
    else:
        yield warning("files", f"other accounts can read {path} ({mode:o})", f"R{close[1:]}")


def _check_parent(folder: Path) -> Iterator[Part]:
    """Check that nobody else can put another folder in the place of one that is below this one."""
    try:
        status = folder.stat()
    except FileNotFoundError:
        return
    # Many systems give each account a group of its own.
    by_group = status.st_mode & stat.S_IWGRP and status.st_gid not in {os.getegid(), 0}
    if (status.st_mode & stat.S_IWOTH or by_group) and not status.st_mode & stat.S_ISVTX:
        yield warning("files", f"other accounts can replace what is in {folder}", f"Run `chmod go-w {folder}`.")
    elif status.st_uid not in {os.geteuid(), 0}:
        hint = "Move it to a folder of your own, with PALIADIN_HOME, PALIADIN_RESPONSE_DIR or PALIADIN_CONFIG."
        yield warning("files", f"the account with the user id {status.st_uid} can replace what is in {folder}", hint)
