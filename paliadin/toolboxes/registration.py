"""Register the toolboxes with Claude Code, and tell whether a running one has them."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Collection
from pathlib import Path

from paliadin.toolboxes import stdio

ENVIRONMENT = {"ENABLE_TOOL_SEARCH": "false"}
"""For a member's Claude: 2.1.329 would give it a tool that searches for tools."""

EARLIER_LOCK = "mcp.lock"
"""The lock of an earlier version's server, which serves all toolboxes: a Claude that runs during the upgrade has it."""


def options(python: str, script: Path, socket: Path, session_folder: Path, toolboxes: Collection[str]) -> list[str]:
    """Build Claude's options that register a server for each toolbox.

    The plugin's own list of servers is no alternative: `--strict-mcp-config`, which keeps the owner's servers from a
    member's Claude, ignores it as well.
    """
    command = ["-I", "-S", str(script), str(socket), str(session_folder)]
    servers = {
        name: {"command": python, "args": [*command, name], "alwaysLoad": True}  # 2.1.329 would defer them
        for name in toolboxes
    }
    return ["--mcp-config", json.dumps({"mcpServers": servers})] if servers else []


def has_tools(session_folder: Path, toolboxes: Collection[str]) -> bool:
    """Tell whether each toolbox has a living server in this session whose client knows the tools."""
    each_lives = all(_is_held(session_folder / stdio.LOCK.format(name)) for name in toolboxes)
    return each_lives or _is_held(session_folder / EARLIER_LOCK)


def _is_held(lock: Path) -> bool:
    try:
        descriptor = os.open(lock, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(descriptor)
    return False
