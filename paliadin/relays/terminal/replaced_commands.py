"""Finds files that stand in the place of one of Claude Code's own commands.

A command or skill of the working folder, of a folder above it or of the account goes before Claude Code's own of the
same name (2.1.197, 2.1.330): where a cloned repository has a `clear.md`, typing `/clear` asks what is written there.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from paliadin.base.errors import RelayError
from paliadin.base.visible_text import escape_invisible


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
