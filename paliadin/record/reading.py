"""Read a turn from its folder: the one place that reduces a whole log."""

from __future__ import annotations

from paliadin.events.chips import Destinations
from paliadin.events.reducer import Reducer
from paliadin.steps.model import Checked
from paliadin.turnlog.folder import TurnFolder
from paliadin.turnlog.ids import now_ms


def read_turn(folder: TurnFolder, destinations: Destinations | None = None) -> Reducer:
    """Return the turn as its log has it now; raises NotFound when there is no such turn (any more)."""
    reducer = Reducer(folder.describe(), destinations or Destinations())
    for step in folder.log.read():
        reducer.feed(step)
    if reducer.unchecked and folder.recorded.exists():  # the disk was full when its answer had been checked
        reducer.feed(Checked(now_ms()))
    return reducer
