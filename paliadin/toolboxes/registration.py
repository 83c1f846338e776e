"""How Claude Code is told of the toolboxes, and whether a running one has them."""

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
    """Claude's options that register a server for each toolbox.

    Not the plugin's own list of servers: `--strict-mcp-config`, without which a member's Claude would have the owner's
    servers, leaves that out as well.
    """
    command = ["-I", "-S", str(script), str(socket), str(session_folder)]
    servers = {
        name: {"command": python, "args": [*command, name], "alwaysLoad": True}  # 2.1.329 would defer them
        for name in toolboxes
    }
    return ["--mcp-config", json.dumps({"mcpServers": servers})] if servers else []


def has_tools(session_folder: Path, toolboxes: Collection[str]) -> bool:
    """Tell whether for each toolbox a server of this session lives whose client knows its tools."""
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
