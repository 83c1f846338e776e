"""Turns that are carried elsewhere: each is handed over once, and its log is mirrored into its folder here."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path

from paliadin.base import errors
from paliadin.base.tasks import background, wait_for_any
from paliadin.live.preview_log import MAX_PREVIEW_LOG
from paliadin.relays.turn import Turn, failure
from paliadin.steps.model import Aborted, Accepted, Step
from paliadin.turnlog.append import append_bytes
from paliadin.turnlog.folder import TurnFolder
from paliadin.turnlog.follow import wake_followers
from paliadin.turnlog.ids import now_ms

MAX_LOG = 64 * 1024 * 1024  # bytes of a turn's log, or of a session's, that are taken from elsewhere
TOO_LONG = f"the log there has more than {MAX_LOG // 1024 // 1024} MB, and no more of it is mirrored"


class TurnMirror:
    """The mirror of one log of a turn, byte by byte and of at most `most` bytes.

    `head`: the number of bytes at its beginning that were written here, and are not in the log there. `changed` is set
    with `connection_lost`, after which the log has to be followed again, and with `error`, after which it cannot be.
    """

    def __init__(self, path: Path, most: int = MAX_LOG, *, head: int = 0) -> None:
        self._path, self._most = path, most
        self.size = max(path.stat().st_size - head, 0) if path.exists() else 0
        self.changed = asyncio.Event()
        self.connection_lost = False
        self.error: Exception | None = None

    def receive(self, offset: int, data: bytes) -> None:
        """Append bytes that begin at `offset`, without those that the mirror already has."""
        new = data[max(0, self.size - offset) :]
        if offset > self.size or not new:
            return
        try:
            if self.size + len(new) > self._most:
                raise errors.StreamBroken(TOO_LONG)
            append_bytes(self._path, new)
        except (errors.PaliadinError, OSError) as error:
            self.fail(error)
        else:
            self.size += len(new)
            wake_followers(self._path)

    def fail(self, error: Exception) -> None:
        """End the mirroring with this error."""
        self.error = error
        self.changed.set()

    def lose_connection(self) -> None:
        """Have the log followed again."""
        self.connection_lost = True
        self.changed.set()


@dataclass(eq=False)
class RemoteTurn:
    """A turn that is carried elsewhere; one that is not `is_new` was handed over by an earlier process.

    `preview` mirrors its preview log, if the other end sends one.
    """

    turn: Turn
    mirror: TurnMirror
    preview: TurnMirror
    is_new: bool
    there: asyncio.Event = field(default_factory=asyncio.Event)  # set once the other end has it for certain

    def __post_init__(self) -> None:
        self.is_sent = not self.is_new  # it may run there
        self.is_stopping = False

    @property
    def is_over(self) -> bool:
        """True once the log here has the turn's end."""
        return self.turn.progress.ended.is_set()

    def begin_sending(self) -> bool:
        """Return whether the question may be sent, or sent again; if so, a stop goes to the other end from now on."""
        self.is_sent = self.is_sent or not (self.is_over or self.turn.progress.stop_requested)
        return self.is_sent and not self.is_over

    def end(self, step: Step) -> None:
        """End the turn in its log here, since nothing more will come."""
        if not self.is_over:
            self.turn.log.append(Accepted(now_ms()))
            self.turn.log.append(step)
            self.turn.progress.ended.set()  # before the log's follower does: the question may be about to be sent


HandOver = Callable[[RemoteTurn], Awaitable[None]]
"""Makes sure that the other end has the turn, which it begins once, and sends its log from the mirror's end on.

Asks `begin_sending` right before it sends the question. A PaliadinError ends the turn."""


class RemoteTurns:
    """The turns that are carried over one way, such as the connection to a host. `running` has them by their ids.

    `stop` has the other end stop a turn whose question may have been sent. `let_go` tells the other end, without
    waiting, that nobody here needs the turn any more.
    """

    def __init__(
        self, turns: Path, stop: Callable[[RemoteTurn], Awaitable[None]], let_go: Callable[[RemoteTurn], None]
    ) -> None:
        self._turns, self._stop, self._let_go = turns, stop, let_go
        self.running: dict[str, RemoteTurn] = {}

    async def carry(self, turn: Turn, hand_over: HandOver, *, is_new: bool) -> None:
        """Hand the turn over, again after each lost connection, and mirror its log until it ends.

        A turn that cannot be handed over or mirrored ends with that error.
        """
        folder = TurnFolder(self._turns, turn.id)
        mirror = TurnMirror(folder.log.path, head=turn.description.log_head)
        preview = TurnMirror(folder.preview_path, MAX_PREVIEW_LOG)
        remote = self.running[turn.id] = RemoteTurn(turn, mirror, preview, is_new)
        beside = contextlib.AsyncExitStack()
        try:
            if is_new and turn.progress.stop_requested:
                remote.end(Aborted(now_ms(), "page"))
            while not remote.is_over:
                await hand_over(remote)
                if turn.progress.stop_requested and not remote.is_sent:
                    remote.end(Aborted(now_ms(), "page"))
                elif turn.progress.stop_requested and not remote.is_stopping:  # it came before this task ran
                    await beside.enter_async_context(background(self._stop_there(remote)))
                while not (remote.is_over or mirror.connection_lost):
                    if mirror.error:
                        raise mirror.error
                    await wait_for_any(mirror.changed, turn.progress.ended)
                    mirror.changed.clear()
        except errors.PaliadinError as error:
            remote.end(failure(error))
        finally:
            del self.running[turn.id]
            if remote.is_over:
                self._let_go(remote)
            await beside.aclose()

    async def abort(self, turn: Turn) -> None:
        """Stop the turn: here if its question has not been sent yet, else at the other end."""
        turn.progress.stop_requested = True
        if remote := self.running.get(turn.id):
            if remote.is_sent:
                await self._stop_there(remote)
            else:
                remote.end(Aborted(now_ms(), "page"))

    async def _stop_there(self, remote: RemoteTurn) -> None:
        remote.is_stopping = True
        await self._stop(remote)
