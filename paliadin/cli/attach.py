"""`paliadin attach`"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from paliadin.config import load_settings
from paliadin.errors import PaliadinError
from paliadin.relay.tmux import HEIGHT, Terminal
from paliadin.running import find_daemon


@click.command()
@click.option("--session", default="main", show_default=True, metavar="NAME", help="Whose terminal to open.")
@click.option("--read-only", is_flag=True, help="Look only: no key reaches Claude.")
@click.option("--shim", is_flag=True, help="The terminal of those who ask from another machine (docs/remote.md).")
def attach(session: str, read_only: bool, shim: bool) -> None:
    """Open the terminal in which Claude runs: the same conversation as on the page.

    This is where you log in (/login) and answer dialogs that the page cannot. Ctrl-B, then D, leaves it; Claude stays.
    """
    if not sys.stdin.isatty():
        raise click.UsageError("attach needs a terminal: its input is not one.")
    _, at, host = session.partition("@")
    if at:
        raise PaliadinError(
            f"the session {session} lives on another machine",
            hint=f"Log in to {host}; run `paliadin attach --shim` there.",
        )
    settings = find_daemon(_shim_home() if shim else None)
    if session not in Terminal(settings.tmux_socket, settings.tmux_session).panes():
        raise PaliadinError(
            f"the session {session} does not run",
            hint="`paliadin up` starts `main`; any other starts with its first question.",
        )
    command = ["tmux", "-L", settings.tmux_socket, "attach-session", *(["-r"] if read_only else [])]
    # tmux refuses to run in itself for as long as TMUX is set.
    environment = {name: value for name, value in os.environ.items() if name != "TMUX"}
    command += ["-t", f"={settings.tmux_session}:={session}"]
    hidden = HEIGHT - os.get_terminal_size(sys.stdin.fileno()).lines + 1  # the last line is tmux's own
    if hidden > 0:  # the window keeps its size: show its bottom, where the prompt and the dialogs are
        command += [";", "refresh-client", "-D", str(hidden)]
    os.execvpe("tmux", command, environment)  # noqa: S606


def _shim_home() -> Path:
    homes = sorted(path.parent for path in (load_settings().home / "shims").glob("*/shim.lock"))
    if len(homes) != 1:
        names = ", ".join(home.name for home in homes) or "nobody"
        raise PaliadinError(
            f"{names} asks from another machine", hint="Set PALIADIN_HOME to the folder of one of them."
        )
    return homes[0]
