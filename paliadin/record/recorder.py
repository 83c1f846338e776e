"""Turn folders → rows. A row follows its turn, however long the database was away: the folder is what remembers."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Protocol

from paliadin import errors
from paliadin.config import Settings
from paliadin.record import TurnRow, finished_row
from paliadin.reduce import Reducer
from paliadin.turnlog import TurnFolder, write_text

log = logging.getLogger(__name__)

RETRY_EVERY = 2.0  # seconds
COME_BACK = 60.0  # seconds in which a reader who was away may come back before the turn counts as abandoned


class Rows(Protocol):
    """What the recorder needs of the store."""

    async def insert(self, row: TurnRow) -> None: ...
    async def finish(self, row: TurnRow) -> None: ...


class Recorder:
    def __init__(self, settings: Settings, rows: Rows) -> None:
        self._settings, self._rows = settings, rows
        self._waiting: dict[str, tuple[TurnFolder, Reducer | None]] = {}
        self._late: dict[str, asyncio.TimerHandle] = {}
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self.on_end: list[Callable[[str, Reducer], None]] = []  # are told of each turn that ends
        self.trouble: errors.PaliadinError | None = None  # why rows wait: it came with the last try

    def open(self) -> None:
        self._task = asyncio.create_task(self._work())

    async def close(self) -> None:
        """Write what can be written within a moment; what is left is found again at the next start."""
        for timer in self._late.values():
            timer.cancel()
        if self._task:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        try:
            async with asyncio.timeout(1.0):
                await self._write_all()
        except (TimeoutError, OSError, errors.PaliadinError):
            log.warning("%d rows are not written yet; they follow at the next start", len(self._waiting))

    async def begin(self, row: TurnRow) -> None:
        """The row before anything is sent. A database that is away stops no turn: the folder has it all."""
        try:
            await self._rows.insert(row)
        except errors.PaliadinError as error:
            log.warning("turn %s: the row follows later: %s", row.turn_id, error.message)

    def finish(self, turn: TurnFolder, seen: Reducer, *, watched: bool) -> None:
        """The turn has ended: write response.md, and the row as soon as the database takes it.

        `seen`: what its log said, if the folder should be gone by then.
        """
        if watched:
            _touch(turn.watched)
        else:
            loop = asyncio.get_running_loop()
            self._late[turn.turn_id] = loop.call_later(COME_BACK, self._late.pop, turn.turn_id, None)
        self._waiting[turn.turn_id] = turn, seen
        self._wake.set()
        for tell in self.on_end:
            tell(turn.turn_id, seen)

    def seen(self, turn_id: str) -> None:
        """Somebody reads a finished turn: within a minute of its end it is not abandoned after all."""
        timer = self._late.pop(turn_id, None)
        if timer:
            timer.cancel()
            turn = TurnFolder(self._settings.response_dir, turn_id)
            _touch(turn.watched)
            self._waiting[turn_id] = turn, None
            self._wake.set()

    @property
    def waiting(self) -> list[str]:
        """The turns whose row waits for the database."""
        return list(self._waiting)

    @property
    def backlog(self) -> int:
        return len(self._waiting)

    def unrecorded(self) -> Iterator[TurnFolder]:
        """Every turn on disk whose finished row is not in the database, oldest first."""
        for folder in sorted(self._settings.response_dir.glob("*/*/turn.json")):
            turn = TurnFolder(self._settings.response_dir, folder.parent.name)
            if not turn.recorded.exists():
                yield turn

    async def _work(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            try:
                await self._write_all()
                self.trouble = None
            except (errors.StoreUnavailable, errors.StorageFull, OSError) as error:
                self.trouble = error if isinstance(error, errors.PaliadinError) else None
                log.warning("%d rows cannot be written yet: %s", len(self._waiting), error)
                await asyncio.sleep(RETRY_EVERY)
                self._wake.set()

    async def _write_all(self) -> None:
        unwritable: OSError | None = None
        for turn_id, waiting in list(self._waiting.items()):
            turn, seen = waiting
            try:
                await self._rows.finish(read_row(turn, seen))
                with contextlib.suppress(FileNotFoundError):  # the folder is gone, the row is not
                    turn.recorded.touch(mode=0o600)
            except (errors.StoreUnavailable, errors.StorageFull):
                raise
            except OSError as error:  # one folder must not keep the other rows out
                unwritable = error
                continue
            except errors.PaliadinError as error:  # its folder is gone, or Postgres will never take it
                log.error("turn %s: its row stays unfinished: %s", turn_id, error.message)  # noqa: TRY400  # no traceback: it could quote the row
            if self._waiting.get(turn_id) is waiting:
                del self._waiting[turn_id]
        if unwritable:
            raise unwritable


def _touch(mark: Path) -> None:
    with contextlib.suppress(OSError):  # a full disk loses this mark, not the row
        mark.touch(mode=0o600)


def read_row(turn: TurnFolder, seen: Reducer | None = None) -> TurnRow:
    """The row as the turn's folder tells it; writes response.md beside it. NotFound: no folder, nor `seen`."""
    try:
        description = turn.describe()
    except errors.NotFound:
        if seen is None:
            raise
        return finished_row(seen.turn, seen, watched=True, pane_lines=0)
    reducer = Reducer(description)
    for line in turn.lines():
        reducer.feed(line)
    response = turn.path / "response.md"
    if not response.exists():
        write_text(response, reducer.response)
    screen = turn.path / "screen.txt"
    lines = len(screen.read_text("utf-8", "replace").splitlines()) if screen.exists() else 0
    return finished_row(description, reducer, watched=turn.watched.exists(), pane_lines=lines)
