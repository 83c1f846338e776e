"""Detect commands that replace one of Claude Code's own.

A command or skill of the working folder, of a folder above it or of the account goes before Claude Code's own of the
same name (2.1.197, 2.1.330): where a cloned repository has a `clear.md`, typing `/clear` asks what is written there. So
does a `Clear.md`, a skill or workflow that gives itself the name, one of a plugin that the project's settings bring
along, and one of the repository that a work tree belongs to. All of these stand in the list that Claude Code gives of
its commands; by their files only the plainest are found, at once and in every version.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

from paliadin.base.errors import RelayError
from paliadin.base.visible_text import escape_invisible
from paliadin.relays.offers import one_line


def check_own(command: str, workdir: Path, environment: Mapping[str, str] | None) -> None:
    """Raise RelayError where `/command` is not Claude Code's own. `environment`: Claude's; None: this process's."""
    environ = os.environ if environment is None else environment
    account = Path(environ.get("CLAUDE_CONFIG_DIR") or Path(environ.get("HOME") or Path.home()) / ".claude")
    names = (f"commands/{command}.md", f"commands/{command}/SKILL.md", f"skills/{command}/SKILL.md")
    folders = (*(folder / ".claude" for folder in (workdir, *workdir.parents)), account)
    for path in (folder / name for folder in folders for name in names):
        if os.path.lexists(path):
            raise RelayError(
                f"a file stands in the place of Claude Code's own /{command}: {escape_invisible(str(path))}",
                code="command_replaced",
                hint="Rename it, or move it away.",
            )


def check_listed(command: str, listed: object) -> None:
    """Raise RelayError unless Claude Code lists exactly one command by this name, its own.

    2.1.197 lists both where one replaces the other; 2.1.330 often lists only the one that runs, and marks its own ones.
    """
    entries = [each for each in listed if isinstance(each, Mapping)] if isinstance(listed, list) else []
    named = [each for each in entries if command in map(str.casefold, _names(each))]
    marks_own = any("builtin" in each for each in entries)
    if len(named) == 1 and (not marks_own or named[0].get("builtin") is True):
        return
    other = next((each for each in named if not each.get("builtin")), {})
    raise RelayError(
        f"something stands in the place of Claude Code's own /{command}: {_described(other)}",
        code="command_replaced",
        hint="Rename it, or move it away. `/` in Claude's terminal lists it.",
    )


def _names(entry: Mapping[str, object]) -> Iterator[str]:
    aliases = entry.get("aliases")
    for name in (entry.get("name"), *(aliases if isinstance(aliases, list) else ())):
        if isinstance(name, str):
            yield name


def _described(entry: Mapping[str, object]) -> str:
    return f"/{one_line(entry.get('name'))[:80]}, {one_line(entry.get('description'))[:200]}" if entry else "nothing"
