"""Ends a turn whose relay failed without writing the turn's end into the log."""

from __future__ import annotations

import asyncio
import logging

from paliadin.base import errors
from paliadin.base.files import is_disk_full
from paliadin.relays.turn import failure
from paliadin.turns.broadcast import TurnStream

log = logging.getLogger(__name__)

RETRY_EVERY = 1.0  # seconds between attempts to write the end on a full disk


async def report_relay_failure(live: TurnStream, error: BaseException) -> None:
    """Show the error to the readers now, and write it into the log as soon as the disk takes it."""
    log.error("turn %s cannot be carried on", live.turn.id, exc_info=error)
    if isinstance(error, OSError) and is_disk_full(error):
        error = errors.StorageFull("the disk that holds the turn is full")
    if not isinstance(error, errors.PaliadinError):
        cause = type(error).__name__
        error = errors.PaliadinError(
            f"an internal error ended this turn ({cause})", hint="The daemon's log has the traceback. Ask again."
        )
    end = failure(error)
    live.take(end)
    live.close()
    while True:
        try:
            return live.turn.log.append(end)
        except errors.NotFound:
            return None
        except (errors.StorageFull, OSError):
            await asyncio.sleep(RETRY_EVERY)
