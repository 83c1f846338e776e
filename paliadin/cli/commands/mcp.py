"""The command `paliadin mcp`: an MCP server on stdin and stdout, with the toolboxes of the daemon."""

from __future__ import annotations

import os
from pathlib import Path

import click

from paliadin.base.command_socket import command_socket_path
from paliadin.base.errors import NotFound
from paliadin.base.running_daemon import load_daemon_settings
from paliadin.base.session_names import NAME
from paliadin.relays.terminal.claude import base_python
from paliadin.toolboxes import stdio


@click.command()
@click.option("--session", metavar="NAME", help="Show what the person of this session may see, instead of the owner.")
@click.option("--toolbox", default="", metavar="NAME", help="Serve the tools of this toolbox only.")
def mcp(session: str | None, toolbox: str) -> None:
    """Serve Paliadin's tools to an MCP client, on stdin and stdout.

    It passes on to the daemon, which has those of the parts that its settings switch on. In Claude Code:

    \b
    claude mcp add paliadin -- paliadin mcp
    """
    settings = load_daemon_settings()
    arguments = [base_python(), "-I", "-S", str(Path(stdio.__file__)), str(command_socket_path(settings.home))]
    if session is not None:
        folder = settings.sessions_dir / session
        if not NAME.fullmatch(session) or not folder.is_dir():
            raise NotFound(f"there is no session {session[:80]!r}", hint="`paliadin conversations list` shows them.")
    arguments += [session or "", toolbox]
    os.execv(arguments[0], arguments)  # noqa: S606  # the small process itself; this one has loaded 20 MB
