"""A person's own terminal becomes that of a session: tmux takes the place of this process."""

from __future__ import annotations

import os
import sys
from typing import NoReturn

from paliadin.config import Settings
from paliadin.errors import PaliadinError
from paliadin.relay.screen import read_screen
from paliadin.relay.tmux import Terminal


def open_terminal(settings: Settings, session: str, *, read_only: bool) -> NoReturn:
    """Raises PaliadinError when the session does not run."""
    terminal = Terminal(settings.tmux_socket, settings.tmux_session)
    pane = terminal.panes().get(session)
    if pane is None:
        raise PaliadinError(
            f"the session {session} does not run",
            hint="`paliadin up` starts `main`; any other starts with its first question.",
        )
    if os.environ.get("TERM", "dumb") == "dumb":
        raise PaliadinError(
            "TERM does not say what this terminal can do, so tmux cannot draw in it",
            hint="Try `TERM=xterm-256color paliadin attach`.",
        )
    # -u: text is UTF-8, whatever locale a login over ssh has.
    command = ["tmux", "-u", "-L", settings.tmux_socket, "attach-session", *(["-r"] if read_only else [])]
    # tmux refuses to run in itself for as long as TMUX is set.
    environment = {name: value for name, value in os.environ.items() if name != "TMUX"}
    command += ["-t", f"={settings.tmux_session}:={session}"]
    written = read_screen(terminal.look(pane).captured).text.count("\n") + 1
    terminal.close()
    hidden = written - os.get_terminal_size(sys.stdin.fileno()).lines + 1  # the last line is tmux's own
    if hidden > 0:  # the window keeps its size: show the end of what is written, where prompt and dialogs are
        command += [";", "refresh-client", "-D", str(hidden)]
    os.execvpe("tmux", command, environment)  # noqa: S606
