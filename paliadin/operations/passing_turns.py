"""With AUDIT=redacted, removes each turn's folder 30 s after its end: until then a reader may come back to it."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass

from paliadin.base.settings import Settings
from paliadin.base.tasks import background
from paliadin.turnlog.folder import TurnFolder
from paliadin.turnlog.removal import remove_turn

log = logging.getLogger(__name__)

KEPT_FOR = 30.0  # seconds after a turn's end in which a reader may still come back to it
LOOK_EVERY = 2.0


@dataclass(frozen=True, slots=True)
class PassingTurns:
    """Removes the folders of turns whose row is written. `running_ids`: turns that are followed; they stay."""

    settings: Settings
    running_ids: Callable[[], Collection[str]]

    def running(self) -> AbstractAsyncContextManager[None]:
        """Remove folders in the background of a `with` block, first those that an earlier daemon left."""
        return background(self._work())

    async def _work(self) -> None:
        while True:
            try:
                await asyncio.to_thread(self._remove)
            except OSError as error:
                log.warning("turns that are over could not be removed, and will be tried again: %s", error)
            await asyncio.sleep(LOOK_EVERY)

    def _remove(self) -> None:
        running = self.running_ids()
        for folder in self._expired_folders():
            if folder.turn_id not in running:
                remove_turn(self.settings, folder)

    def _expired_folders(self) -> Iterator[TurnFolder]:
        until = time.time() - KEPT_FOR
        for marker in self.settings.response_dir.glob("*/*/recorded"):
            if marker.stat().st_mtime <= until:
                yield TurnFolder(self.settings.response_dir, marker.parent.name)
