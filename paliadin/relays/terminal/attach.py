"""Open a session's terminal in the terminal of this process, which becomes tmux."""

from __future__ import annotations

import os
import sys
from typing import NoReturn

from paliadin.base.errors import PaliadinError
from paliadin.base.settings import Settings
from paliadin.relays.terminal.screen import read_screen
from paliadin.relays.terminal.tmux import TmuxServer


def open_terminal(settings: Settings, session: str, *, read_only: bool) -> NoReturn:
    """Replace this process by `tmux attach-session`; raises PaliadinError when no Claude runs in the session."""
    terminal = TmuxServer(settings.tmux_socket, settings.tmux_session)
    pane = terminal.panes().get(session)
    if pane is None:
        raise _not_running(settings, session)
    if os.environ.get("TERM", "dumb") == "dumb":
        raise PaliadinError(
            "TERM does not say what this terminal can do, so tmux cannot draw in it",
            hint="Try `TERM=xterm-256color paliadin attach`.",
        )
    # -u: text is UTF-8, whatever the locale of a login over ssh.
    command = ["tmux", "-u", "-L", settings.tmux_socket, "attach-session", *(["-r"] if read_only else [])]
    # tmux refuses to run inside tmux while TMUX is set.
    environment = {name: value for name, value in os.environ.items() if name != "TMUX"}
    command += ["-t", f"={settings.tmux_session}:={session}"]
    lines = read_screen(terminal.capture(pane).captured).text.count("\n") + 1
    terminal.close()
    hidden = lines - os.get_terminal_size(sys.stdin.fileno()).lines + 1  # the last line is tmux's own
    if hidden > 0:  # the window keeps its size: show the end of its text, where prompt and dialogs are
        command += [";", "refresh-client", "-D", str(hidden)]
    os.execvpe("tmux", command, environment)  # noqa: S606


def _not_running(settings: Settings, session: str) -> PaliadinError:
    if (settings.sessions_dir / session).is_dir():
        hint = "Ask something in it, on the page or with `paliadin ask --conversation`, and it comes back."
        return PaliadinError(f"the conversation {session} is parked: no Claude runs in it now", hint=hint)
    hint = "`paliadin up` starts `main`; any other conversation starts with its first question."
    return PaliadinError(f"the conversation {session} is not running", hint=hint)
