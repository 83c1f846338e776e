"""How Claude Code is told of the practice's tools, and whether a running one has them."""

from __future__ import annotations

import fcntl
import json
import os
from pathlib import Path

from paliadin.grounding import stdio

SERVER = "paliad"
"""The server's name; its tools are `mcp__paliad__…` in Claude Code."""

ALLOWED = f"mcp__{SERVER}"
"""The permission rule that lets Claude call the tools without asking: they show what the reader may see anyway."""

ENVIRONMENT = {"ENABLE_TOOL_SEARCH": "false"}
"""For a member's Claude: 2.1.329 would give it a tool that searches for tools."""


def options(python: str, script: Path, socket: Path, session_folder: Path) -> list[str]:
    """Claude's options that register the server.

    Not the plugin's own list of servers: `--strict-mcp-config`, without which a member's Claude would have the owner's
    servers, leaves that out as well.
    """
    arguments = ["-I", "-S", str(script), str(socket), str(session_folder)]
    server = {"command": python, "args": arguments, "alwaysLoad": True}  # 2.1.329 would defer them
    return ["--mcp-config", json.dumps({"mcpServers": {SERVER: server}})]


def has_tools(session_folder: Path) -> bool:
    """Tell whether a server of this session lives whose client knows its tools."""
    try:
        descriptor = os.open(session_folder / stdio.LOCK, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(descriptor)
    return False
