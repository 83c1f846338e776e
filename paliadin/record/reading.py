"""Read a turn from its folder: the one place that reduces a whole log."""

from __future__ import annotations

from collections.abc import Mapping

from paliadin.events.reducer import Reducer
from paliadin.turnlog.folder import TurnFolder


def read_turn(folder: TurnFolder, templates: Mapping[str, str] | None = None) -> Reducer:
    """Return the turn as its log has it now; raises NotFound when there is no such turn (any more).

    `templates` maps a chip's kind to a path with `{id}`.
    """
    reducer = Reducer(folder.describe(), templates or {})
    for step in folder.log.read():
        reducer.feed(step)
    return reducer
