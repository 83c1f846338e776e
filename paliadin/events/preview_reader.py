"""Compute the `preview` and `activity` events that a client needs to show the present provisional text. Pure."""

from __future__ import annotations

from collections.abc import Iterator

from paliadin.events.model import Activity, Preview
from paliadin.events.preview import PreviewState


class PreviewReader:
    """Remembers the events that one client was sent, and compares them with the present state.

    The client gets all numbered events before each `update`.
    """

    def __init__(self) -> None:
        self._message = 0  # the one that the client was last told of
        self._text: str | None = None  # of that message, as the client has it; None: it was told nothing yet
        self._resets = 0  # of which the client knows
        self._activity = Activity("", None, 0)

    def update(self, state: PreviewState) -> list[Preview | Activity]:
        """Return the events that bring the client up to date; the first time, at least one.

        Without a preview log there are none; and none once the answer is complete, as the client knows it then.
        """
        if state.over or not state.touched:
            return []
        events: list[Preview | Activity] = list(self._changes(state))
        before, self._activity = self._activity, state.activity
        if before != state.activity and (before.phase or state.activity.phase):
            events.append(state.activity)
        return events

    def _changes(self, state: PreviewState) -> Iterator[Preview]:
        shown = state.shown
        confirmed = state.confirmed_text(self._message)
        before, self._resets = self._resets, state.resets
        is_more = self._text is not None and len(self._text) > len(confirmed) and self._text.startswith(confirmed)
        if self._text is not None and not (is_more and before == state.resets):
            self._text = confirmed  # the client has dropped what was provisional
        if self._text is None or shown.message != self._message:
            if self._text is not None and len(self._text) > len(confirmed) and not shown.text:
                yield Preview(self._message, len(confirmed), "")  # taken back
                self._text = confirmed
                return
            if self._text is None or shown.text:
                yield shown
                self._message, self._text = shown.message, state.confirmed_text(shown.message) + shown.text
            return
        whole = confirmed + shown.text
        if whole != self._text:
            same = len(self._text if whole.startswith(self._text) else confirmed)
            yield Preview(self._message, same, whole[same:])
            self._text = whole
