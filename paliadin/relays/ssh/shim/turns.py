"""The turns and sessions that one key may use on this machine. Used by the shim's verbs."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Coroutine, Iterable, Mapping
from pathlib import Path

from paliadin.base import errors
from paliadin.base.settings import Settings
from paliadin.events.reducer import is_over
from paliadin.relays.terminal.relay import TerminalRelay
from paliadin.turnlog.folder import TurnFolder
from paliadin.turnlog.ids import check_turn_id

log = logging.getLogger(__name__)

TYPING_TIMEOUT = 15.0  # seconds for a question that is being typed when the shim ends


class ShimTurns:
    """Look up turns and sessions, refuse those of others, and keep the relay's task of each turn that runs."""

    def __init__(self, settings: Settings, relay: TerminalRelay, sessions: tuple[str, ...]) -> None:
        self._settings, self._relay, self._sessions = settings, relay, sessions
        self._relay_tasks: dict[str, asyncio.Task[None]] = {}  # turn_id → its relay's task

    @property
    def tasks(self) -> Iterable[asyncio.Task[None]]:
        """The running tasks; the shim cancels them when it closes."""
        return self._relay_tasks.values()

    def require_session(self, fields: Mapping[str, object]) -> str:
        """Return the field `session_id`; raises NotFound when this key may not use that session."""
        session = fields.get("session_id")
        if not isinstance(session, str) or session not in self._sessions:
            raise errors.NotFound(
                f"this key may not use the session {str(session)[:80]!r}",
                code="unknown_session",
                hint=f"It may use {', '.join(self._sessions)}: --sessions in authorized_keys on the host.",
            )
        return session

    def session_log(self, session: str) -> Path:
        """The path of the log that holds what belongs to no turn."""
        return self._settings.sessions_dir / session / "events.jsonl"

    def folder(self, turn_id: object) -> TurnFolder:
        """The folder of a turn, which need not exist; raises NotFound when this is not a turn id."""
        return TurnFolder(self._settings.response_dir, check_turn_id(turn_id if isinstance(turn_id, str) else ""))

    def require_turn(self, fields: Mapping[str, object]) -> TurnFolder:
        """Return the existing turn that `turn_id` names; raises NotFound, also for the turn of another key."""
        turn = self.folder(fields.get("turn_id"))
        self.require_session(turn.describe())
        return turn

    def is_relaying(self, turn: TurnFolder) -> bool:
        """True while the relay still works on the turn."""
        return turn.turn_id in self._relay_tasks

    def check_free(self, session: str) -> None:
        """Raise TurnInFlight while a turn runs in the session."""
        for turn in [self.folder(turn_id) for turn_id in self._relay_tasks]:
            if turn.describe().get("session_id") == session and not is_over(turn.lines()):
                raise errors.TurnInFlight("a turn is already running in this session", None)

    def resume(self, turn: TurnFolder) -> None:
        """Watch over a turn that an earlier shim began, unless it is over or watched over already."""
        if not self.is_relaying(turn) and not is_over(turn.lines()):
            session = self.require_session(turn.describe())
            self.start_relay(turn, self._relay.resume(turn.turn_id, session))

    def start_relay(self, turn: TurnFolder, relaying: Coroutine[object, object, None]) -> None:
        """Run `relaying`, the relay's submit or resume of the turn, in a task."""
        task = asyncio.create_task(relaying)
        self._relay_tasks[turn.turn_id] = task
        task.add_done_callback(lambda _: self._relay_tasks.pop(turn.turn_id, None))
        task.add_done_callback(log_exception)

    async def finish_typing(self) -> None:
        """Wait, for TYPING_TIMEOUT at most, until every question is delivered: half of one would have to be cleared."""
        if self._relay_tasks:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(TYPING_TIMEOUT):
                    await asyncio.gather(*(self._wait_until_delivered(turn_id) for turn_id in self._relay_tasks))

    async def _wait_until_delivered(self, turn_id: str) -> None:
        turn = self.folder(turn_id)
        while not (turn.path / "prompt_id").exists() and not is_over(turn.lines()):
            await asyncio.sleep(0.1)


def is_removable(turn: TurnFolder) -> bool:
    """True when nothing more comes to the turn's log, or when its folder never became a turn."""
    return is_over(turn.lines()) or not (turn.path / "turn.json").exists()


def log_exception(task: asyncio.Task[None]) -> None:
    """Log the exception that ended a task; a done-callback."""
    if not task.cancelled() and task.exception():
        log.error("a task failed", exc_info=task.exception())
