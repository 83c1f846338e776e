"""The ids that a turn's tools returned: a chip may lead only to one of these. Pure."""

from __future__ import annotations

import re

from paliadin.events.chips import id_in

MAX_SEARCHES = 50  # of all results for an id that is not there; the answer that asks for more is no honest one
_WORD = re.compile(r"[\w-]+")
_SEPARATOR = re.compile(r"[^\w-]+")


class KnownIds:
    """Looks ids up in the results of tools. Their words are collected once, and only if there is a chip."""

    def __init__(self, results: list[str]) -> None:
        self._results = results  # grows
        self._read = 0  # of the results
        self._words: set[str] = set()
        self._searches = 0

    def holds(self, chip_id: str) -> bool:
        """Return what `id_in` returns for one of the results so far."""
        for text in self._results[self._read :]:
            self._words.update(_WORD.findall(text))
        self._read = len(self._results)
        words = [word for word in _SEPARATOR.split(chip_id) if word]
        if not words or not self._words.issuperset(words):
            return False
        if words == [chip_id]:
            return True
        if self._searches >= MAX_SEARCHES:
            return False
        found = any(chip_id in text and id_in(chip_id, text) for text in self._results)
        self._searches += not found
        return found
