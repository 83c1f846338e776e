"""Writes the row of each turn from its folder, and retries for as long as the database is unavailable."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Protocol

from paliadin.base import errors
from paliadin.base.files import write_text
from paliadin.base.settings import Settings
from paliadin.base.tasks import background
from paliadin.events.reducer import Reducer
from paliadin.record.reading import read_turn
from paliadin.record.row import TurnRow, finished_row
from paliadin.turnlog.folder import TurnFolder

log = logging.getLogger(__name__)

RETRY_EVERY = 2.0  # seconds
ABANDONED_AFTER = 60.0  # seconds after the end of a turn in which a reader may still come back to it


Redact = Callable[[TurnRow, Reducer | None], TurnRow]
"""Takes out of a row what may not be kept; the reducer has seen the turn's log, None while the turn begins."""

OnEnd = Callable[[str, Reducer], None]
"""Called with (turn_id, reducer) when a turn has ended."""


def whole(row: TurnRow, _reducer: Reducer | None = None) -> TurnRow:
    """Return the row unchanged: everything is kept."""
    return row


class RecorderStore(Protocol):
    """The store's methods that `Recorder` uses."""

    async def insert(self, row: TurnRow) -> None: ...
    async def finish(self, row: TurnRow) -> None: ...


class Recorder:
    """Writes a first row when a turn begins, and the finished row when it has ended.

    Finished rows wait in memory for the database; `unrecorded` finds them again in the folders after a restart.
    """

    def __init__(
        self, settings: Settings, store: RecorderStore, on_end: Sequence[OnEnd] = (), redact: Redact = whole
    ) -> None:
        self._settings, self._store, self._redact = settings, store, redact
        self._waiting: dict[str, tuple[TurnFolder, Reducer | None]] = {}
        self._failed: set[str] = set()  # ids of those that an attempt was made for
        self._failed_first = False  # every other attempt is for one of these, else new ones could hold them up for good
        # Of turns that ended unwatched, less than ABANDONED_AFTER ago.
        self._abandon_timers: dict[str, asyncio.TimerHandle] = {}
        self._wake = asyncio.Event()
        self._on_end = on_end
        self.last_error: errors.PaliadinError | None = None  # set while the last attempt failed in the database

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Write rows in the background. At the end, rows that are left are found again at the next start."""
        try:
            async with background(self._work()):
                yield
        finally:
            for timer in self._abandon_timers.values():
                timer.cancel()
            await self._write_the_last()

    async def _write_the_last(self) -> None:
        """Write for at most a second."""
        try:
            async with asyncio.timeout(1.0):
                await self._write_all()
        except (TimeoutError, OSError, errors.PaliadinError):
            log.warning("%d rows are not written yet; they follow at the next start", len(self._waiting))

    async def begin(self, row: TurnRow) -> None:
        """Insert the row of a turn that begins. Without a database the turn goes on: `finish` writes the whole row."""
        try:
            await self._store.insert(self._redact(row, None))
        except errors.PaliadinError as error:
            log.warning("turn %s: its row will be written at its end: %s", row.turn_id, error.message)

    def finish(self, turn: TurnFolder, reducer: Reducer, *, watched: bool) -> None:
        """Have the row of an ended turn, and response.md, written as soon as the database takes it.

        `reducer` has seen the whole log; it serves if the folder is gone by then. `watched`: see `finished_row`.
        """
        if watched:
            _touch(turn.watched)
        else:
            loop = asyncio.get_running_loop()
            timer = loop.call_later(ABANDONED_AFTER, self._abandon_timers.pop, turn.turn_id, None)
            self._abandon_timers[turn.turn_id] = timer
        self._waiting[turn.turn_id] = turn, reducer
        self._wake.set()
        for callback in self._on_end:
            callback(turn.turn_id, reducer)

    def mark_watched(self, turn_id: str) -> None:
        """Note that somebody read a finished turn: within a minute of its end, it no longer counts as abandoned."""
        timer = self._abandon_timers.pop(turn_id, None)
        turn = TurnFolder(self._settings.response_dir, turn_id)
        if timer and turn.path.exists():
            timer.cancel()
            _touch(turn.watched)
            self._waiting[turn_id] = turn, None
            self._wake.set()

    @property
    def waiting(self) -> list[str]:
        """The ids of the turns whose finished row waits for the database."""
        return list(self._waiting)

    @property
    def backlog(self) -> int:
        """The number of rows that wait for the database."""
        return len(self._waiting)

    def unrecorded(self) -> Iterator[TurnFolder]:
        """Yield every turn on disk whose finished row is not in the database, oldest first."""
        for description in sorted(self._settings.response_dir.glob("*/*/turn.json")):
            turn = TurnFolder(self._settings.response_dir, description.parent.name)
            if not turn.recorded.exists():
                yield turn

    async def _work(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            try:
                await self._write_all()
                self.last_error = None
            except (errors.StoreUnavailable, errors.StorageFull, OSError) as error:
                self.last_error = error if isinstance(error, errors.PaliadinError) else None
                log.warning("%d rows cannot be written yet: %s", len(self._waiting), error)
                await asyncio.sleep(RETRY_EVERY)
                self._wake.set()

    async def _write_all(self) -> None:
        unwritable: OSError | None = None
        for turn_id, waiting in sorted(self._waiting.items(), key=self._place):
            turn, reducer = waiting
            try:
                row = await asyncio.to_thread(build_finished_row, turn, reducer, self._redact)  # it may take seconds
                await self._store.finish(row)
                with contextlib.suppress(FileNotFoundError):  # the folder was removed meanwhile
                    turn.recorded.touch(mode=0o600)
            except (errors.StoreUnavailable, errors.StorageFull):
                self._put_last(turn_id, waiting)
                raise
            except OSError as error:  # one unreadable folder must not hold up the other rows
                unwritable = error
                continue
            except Exception as error:  # noqa: BLE001  # the folder is gone, Postgres will never accept the row, or a fault of ours
                reason = error.message if isinstance(error, errors.PaliadinError) else type(error).__name__
                log.error("turn %s: its row stays unfinished: %s", turn_id, reason)  # noqa: TRY400  # no traceback: it could quote the row
            self._failed.discard(turn_id)
            if self._waiting.get(turn_id) is waiting:
                del self._waiting[turn_id]
        if unwritable:
            raise unwritable

    def _place(self, waiting: tuple[str, object]) -> bool:
        return (waiting[0] in self._failed) != self._failed_first

    def _put_last(self, turn_id: str, waiting: tuple[TurnFolder, Reducer | None]) -> None:
        """Let the other rows be written before this one: it may be the one that the database cannot take in time.

        At every other attempt, rows that come later go first as well: there may be many that it cannot take.
        """
        self._failed.add(turn_id)
        self._failed_first = not self._failed_first
        if self._waiting.get(turn_id) is waiting:
            self._waiting[turn_id] = self._waiting.pop(turn_id)


def _touch(marker: Path) -> None:
    with contextlib.suppress(OSError):  # on a full disk the marker is lost, not the row
        marker.touch(mode=0o600)


def build_finished_row(turn: TurnFolder, fallback: Reducer | None = None, redact: Redact = whole) -> TurnRow:
    """Build the finished row from the turn's folder, and write response.md there if it is missing; `redact` it.

    `fallback`: a reducer that has seen the log, used when the folder is gone, or lacks what the check found out;
    without it NotFound is raised. Where nobody else writes the log, it has seen all of it, and nothing is read again.
    """
    try:
        reducer = fallback if fallback and turn.is_ours and turn.path.exists() else read_turn(turn)
    except errors.NotFound:
        if fallback is None:
            raise
        return redact(finished_row(fallback, watched=True, pane_lines=0), fallback)
    if reducer.unchecked and fallback is not None:  # the disk was full when its answer had been checked
        reducer = fallback
    response = turn.path / "response.md"
    if not response.exists():
        write_text(response, reducer.answer_text)
    screen = turn.path / "screen.txt"
    lines = len(screen.read_text("utf-8", "replace").splitlines()) if screen.exists() else 0
    row = finished_row(reducer, watched=turn.watched.exists(), pane_lines=lines)
    return redact(row, reducer)
