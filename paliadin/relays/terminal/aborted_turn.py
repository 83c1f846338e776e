"""End a turn that somebody stopped: what the reader has seen of its answer stays."""

from __future__ import annotations

import contextlib

from paliadin.base.errors import StorageFull
from paliadin.events.preview import PreviewState
from paliadin.events.reducer import Reducer
from paliadin.relays.terminal.pane import Pane
from paliadin.relays.terminal.token_count import append_usage
from paliadin.relays.turn import Turn
from paliadin.steps.model import Aborted, Unconfirmed
from paliadin.turnlog.folder import TurnFolder
from paliadin.turnlog.ids import now_ms
from paliadin.turnlog.read import LogReader

NEW_MESSAGE = "stopped"  # the id of a message of which no hook has told anything


async def end_aborted(pane: Pane, turn: Turn, folder: TurnFolder, by: str) -> None:
    """End the turn as stopped by its user (`by`: page or terminal), with the text that was generated until then."""
    with contextlib.suppress(StorageFull):  # the end is worth more than its last words
        if shown := find_unconfirmed(turn, folder):
            turn.log.append(shown)
    await append_usage(pane, folder)
    turn.log.append(Aborted(now_ms(), by))


def find_unconfirmed(turn: Turn, folder: TurnFolder) -> Unconfirmed | None:
    """Return what was generated and shown, and what no hook has reported; None without live text."""
    lines = LogReader(folder.preview_path).read()
    if not lines:
        return None
    reducer, preview = Reducer(turn.description), PreviewState()
    for step in turn.log.read():
        preview.confirm(reducer.feed(step))
    preview.stopping = True
    for line in lines:
        preview.take(line)
    shown = preview.shown
    if not shown.text.strip():
        return None
    return Unconfirmed(now_ms(), preview.message_id(shown.message) or NEW_MESSAGE, shown.text)
