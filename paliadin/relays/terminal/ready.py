"""Check that a screen shows a Claude that can be asked, and build the error for one that does not."""

from __future__ import annotations

import re

from paliadin.base import errors
from paliadin.relays.terminal.screen import Screen, State


def check_ready(screen: Screen) -> None:
    """Raise a RelayError unless the screen shows an empty composer of an idle Claude."""
    match screen.state:
        case State.READY:
            return
        case State.NOT_LOGGED_IN | State.LOGIN:
            raise errors.NotLoggedIn("Claude Code is not logged in")
        case State.DRAFT:
            raise errors.TerminalInUse("somebody is typing in Claude's terminal")
        case State.BUSY:
            raise errors.TerminalInUse("Claude is busy with something from the terminal")
        case State.DEAD:
            raise errors.PaneDied("Claude is not running")
        case State.SUSPENDED | State.STARTING:
            raise errors.PaneDied(f"Claude did not become ready in time (its screen is {screen.state})")
        case _:
            raise errors.DialogOpen(f"a dialog is open in Claude's terminal: {last_lines(screen.text, 3)}")


def last_lines(text: str, count: int) -> str:
    """Return the last `count` lines that hold words, joined by " / "; Claude Code's logo is skipped."""
    lines = [line.strip() for line in text.split("\n") if re.search(r"[^\W\d_]{2}", line)]
    return " / ".join(lines[-count:])[:300]


def options_refused(screen: Screen) -> errors.RelayError:
    """Build the error for a Claude that ended at once with the chosen model and permission mode."""
    return errors.RelayError(
        f"Claude Code does not start with this model and permission mode: {last_lines(screen.text, 6)}",
        code="options_refused",
        status=409,
        hint="The conversation keeps those that it had before. Ask again, or choose others.",
    )
