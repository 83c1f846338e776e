"""Times the collection of old garbage, which stops the event loop, and with it every stream."""

from __future__ import annotations

import gc
from collections.abc import Callable
from time import monotonic

PUT_OFF_FOR = 60.0  # seconds
_YOUNG, _MIDDLE, _OLD = gc.get_threshold()
_NEVER = 2**31 - 1


class OldGarbage:
    """Collects the oldest generation while nothing is going on, else once a minute. Python collects the young ones.

    It takes 0.08 to 0.2 s while 200 turns run; by itself Python would do it every ten seconds then.
    """

    def __init__(self, is_busy: Callable[[], bool]) -> None:
        self._is_busy = is_busy
        self._looked_at = monotonic()
        gc.freeze()  # what is loaded by now stays, and is never looked through again
        gc.set_threshold(_YOUNG, _MIDDLE, _NEVER)

    def every_second(self) -> None:
        """Collect the oldest generation if it is time to."""
        is_due = gc.get_count()[2] > _OLD  # as Python counts: lookings through the middle generation since the last one
        if is_due and (not self._is_busy() or monotonic() - self._looked_at > PUT_OFF_FOR):
            self._looked_at = monotonic()
            gc.collect()
