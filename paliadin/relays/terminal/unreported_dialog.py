"""Detect on the screen a dialog that no hook reports, and read its text. Pure.

Claude Code 2.1.330 asks for some permissions in its terminal alone: in plan and auto mode, where it cannot check a call
by itself. The same holds for an MCP server's question, a login, and every unknown dialog. A dialog that a hook reports
is drawn just as that hook is started, so the hook is waited for.
"""

from __future__ import annotations

import re
import textwrap
import uuid
from dataclasses import dataclass

from paliadin.base.visible_text import escape_invisible, keep_ends
from paliadin.relays.terminal.screen import DIALOGS, Screen, State, dialog_lines
from paliadin.relays.turn import Progress
from paliadin.steps.model import DialogClosed, DialogOpened
from paliadin.turnlog.ids import now_ms

# All in seconds.
UNREPORTED_FOR = 0.5  # until a dialog that is seen counts as one that no hook reports
STILL_THERE = 3.0  # the same, for what may be one that was reported and replied to: it may be drawn a while longer
DRAWN_LATE = 5.0  # after a reply: a dialog that comes by then may be the one it was to, drawn late on a busy machine
GONE_FOR = 0.3  # until a dialog that is seen no more counts as closed: a frame may be half drawn
HOOK_PATIENCE = 5.0  # for a hook that runs, and has not reported yet
LONGEST = 4_000  # characters of a dialog's text
MOST_CHANGES = 50  # of the text that are logged
TRANSCRIPT = "Showing detailed transcript"  # somebody reads there; Claude goes on
_RUN = re.compile(r"([─╌▔━═])\1{9,}")  # a line that is drawn, as wide as the terminal
_RULE = re.compile("[─▔]{9}")
_EMPTY_LINES = re.compile(r"\n{3,}")


@dataclass
class UnreportedDialog:
    """The state of an unreported dialog in one turn, look by look. Times are in seconds, by the monotonic clock.

    `shows_text` is False for a reader who must not see the terminal's text, which may name its owner.
    """

    shows_text: bool = True
    _text: str = ""  # what the last look has shown of a dialog
    _since: float | None = None  # a dialog has been seen without an open interrupt
    _unchanged_since: float = 0.0
    _gone_since: float | None = None
    _reported_at: float = float("-inf")  # when a hook's interrupt was last open, or ended
    _seen_interrupts: int = 0  # how often one began or ended
    _calls: int | None = None  # how many tool calls had begun when it was given first
    _changes: int = 0
    _given: DialogOpened | DialogClosed | None = None  # the last step; the log is read behind it

    def next_step(self, screen: Screen, progress: Progress, now: float) -> DialogOpened | DialogClosed | None:
        """Return the step that this look adds to the turn's log, if any."""
        is_seen = screen.state in DIALOGS and TRANSCRIPT not in screen.text
        text = dialog_text(screen.text) if is_seen and self.shows_text else ""
        if text != self._text:
            self._text, self._unchanged_since = text, now
        if progress.open_interrupts or progress.interrupt_changes != self._seen_interrupts:
            self._reported_at, self._seen_interrupts = now, progress.interrupt_changes
        if not self._is_read(progress) or screen.state is State.SUSPENDED:
            return None
        if progress.open_interrupts or progress.stopped:
            self._since = None
            return self._close(progress)
        if is_seen:
            self._gone_since = None
            return self._see(screen.state, progress, now)
        self._since, self._gone_since = None, self._gone_since or now
        return self._close(progress) if now - self._gone_since >= GONE_FOR else None

    @property
    def is_coming(self) -> bool:
        """True while a dialog is seen whose step was not returned yet."""
        return self._since is not None and self._given is None

    def wait_for_hook(self, now: float) -> bool:
        """Take back the step that was just returned: a hook may be about to report it. False if it is too late."""
        if now - self._unchanged_since > HOOK_PATIENCE:
            return False  # it waits for something else, such as a reply to an agent
        self._given, self._since = None, now
        return True

    def _see(self, state: State, progress: Progress, now: float) -> DialogOpened | DialogClosed | None:
        unchanged = now - self._unchanged_since
        if progress.dialog:
            self._since = None
            self._calls = progress.tool_calls if self._calls is None else self._calls
            if progress.tool_calls != self._calls and progress.dialog.text != self._text:  # it is another call's
                return self._close(progress)
            if progress.dialog.text == self._text or unchanged < GONE_FOR or self._changes >= MOST_CHANGES:
                return None
            self._changes += 1
            return self._open(progress.dialog.id, state)
        self._since = now if self._since is None else self._since
        # What is not known may be a frame that is half drawn.
        seen = unchanged if state is State.DIALOG else now - self._since
        enough = STILL_THERE if self._since - self._reported_at < DRAWN_LATE else UNREPORTED_FOR
        if min(seen, now - self._since) < enough:
            return None
        self._calls = progress.tool_calls
        return self._open(uuid.uuid4().hex[:16], state)

    def _open(self, dialog_id: str, state: State) -> DialogOpened:
        self._given = DialogOpened(now_ms(), dialog_id, self._text, str(state))
        return self._given

    def _close(self, progress: Progress) -> DialogClosed | None:
        if progress.dialog is None:
            return None
        self._given = DialogClosed(now_ms(), progress.dialog.id)
        return self._given

    def _is_read(self, progress: Progress) -> bool:
        """True once the progress has the last step that was returned."""
        match self._given:
            case DialogOpened():
                read = progress.dialog is not None and progress.dialog.text == self._given.text
            case _:
                read = self._given is None or progress.dialog is None
        self._given = None if read else self._given
        return read


def dialog_text(screen: str) -> str:
    """Return the text of a screen's dialog, with long lines of one sign shortened, and cut if it is long."""
    lines = [_RUN.sub(lambda run: run[1] * 9, line) for line in dialog_lines(screen.split("\n"))]
    lines = lines[1:] if _RULE.fullmatch(lines[0]) else lines
    text = _EMPTY_LINES.sub("\n\n", textwrap.dedent("\n".join(lines)).strip("\n"))
    return keep_ends(escape_invisible(text), LONGEST)
