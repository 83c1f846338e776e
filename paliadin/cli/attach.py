"""`paliadin attach`"""

from __future__ import annotations

import os
import sys

import click

from paliadin.errors import PaliadinError
from paliadin.relay.tmux import Terminal
from paliadin.running import find_daemon


@click.command()
@click.option("--session", default="main", show_default=True, metavar="NAME", help="Whose terminal to open.")
@click.option("--read-only", is_flag=True, help="Look only: no key reaches Claude.")
def attach(session: str, read_only: bool) -> None:
    """Open the terminal in which Claude runs: the same conversation as on the page.

    This is where you log in (/login) and answer dialogs that the page cannot. Ctrl-B, then D, leaves it; Claude stays.
    """
    if not sys.stdin.isatty():
        raise click.UsageError("attach needs a terminal: its input is not one.")
    settings = find_daemon()
    if session not in Terminal(settings.tmux_socket, settings.tmux_session).panes():
        raise PaliadinError(
            f"the session {session} does not run",
            hint="`paliadin up` starts `main`; any other starts with its first question.",
        )
    command = ["tmux", "-L", settings.tmux_socket, "attach-session", *(["-r"] if read_only else [])]
    # tmux refuses to run in itself for as long as TMUX is set.
    environment = {name: value for name, value in os.environ.items() if name != "TMUX"}
    os.execvpe("tmux", [*command, "-t", f"={settings.tmux_session}:={session}"], environment)  # noqa: S606
