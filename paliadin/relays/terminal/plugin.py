"""Copies of files that Claude Code loads and runs, each set in a folder named by the hash of its content."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from paliadin.base.settings import resource_folder
from paliadin.toolboxes.toolbox import Toolbox, guides

SKILL = "skills/paliadin/SKILL.md"
_LINE_ADVICE = re.compile(rb" \*\*Write one sentence per line\*\*[^.]*\.")
_FORM = b"## Form\n"


def copy_plugin(home: Path, toolboxes: Sequence[Toolbox] = (), *, live: bool = False) -> Path:
    """Copy the plugin to $PALIADIN_HOME/plugin/<hash of its content>, unless it is there, and return that folder.

    A running Claude keeps its copy when the package is upgraded. `live`: the skill asks for no sentence per line.
    The skill has the guides of the toolboxes before its last sections.
    """
    files = read_files(resource_folder("skill"))
    if live:
        files[SKILL] = _LINE_ADVICE.sub(b"", files[SKILL])
    if toolboxes:
        files[SKILL] = files[SKILL].replace(_FORM, guides(toolboxes).encode() + b"\n" + _FORM)
    return copy_once(home / "plugin", files)


def read_files(folder: Path) -> dict[str, bytes]:
    """Read the files in a folder, by their paths in it, without Python's compiled ones."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file() and path.suffix != ".pyc")
    return {str(path.relative_to(folder)): path.read_bytes() for path in paths}


def copy_once(parent: Path, files: Mapping[str, bytes]) -> Path:
    """Write the files to `parent`/<hash of their content>, unless they are there; returns that folder."""
    digest = hashlib.sha256()
    for name, content in sorted(files.items()):
        digest.update(name.encode() + b"\0" + content)
    target = parent / digest.hexdigest()[:12]
    if not target.is_dir():
        temporary = target.with_name(f".{target.name}.{os.getpid()}")
        shutil.rmtree(temporary, ignore_errors=True)
        for name, content in files.items():
            path = temporary / name
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            path.write_bytes(content)
        for path in (temporary, *temporary.rglob("*")):
            path.chmod(path.stat().st_mode & 0o700)
        temporary.rename(target)
    target.parent.chmod(0o700)
    return target
