"""The turns and sessions that one key may use on this machine. Used by the shim's verbs."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Coroutine, Iterable, Mapping
from pathlib import Path

from paliadin.base import errors
from paliadin.base.session_names import MADE_NAME
from paliadin.base.settings import Settings
from paliadin.base.tasks import Tasks
from paliadin.relays.terminal.relay import TerminalRelay
from paliadin.relays.turn import Turn
from paliadin.steps.model import is_over
from paliadin.turnlog.folder import TurnFolder
from paliadin.turnlog.ids import check_turn_id

log = logging.getLogger(__name__)

TYPING_TIMEOUT = 15.0  # seconds for a question that is being typed when the shim ends
LETTING_GO_TIMEOUT = 5.0  # seconds for the relay to see that a turn is over


class ShimTurns:
    """Looks up turns and sessions, refuses those of other keys, and has the relay carry turns, in `tasks`."""

    def __init__(self, settings: Settings, relay: TerminalRelay, sessions: tuple[str, ...], tasks: Tasks) -> None:
        self._settings, self._relay, self._sessions, self._tasks = settings, relay, sessions, tasks
        self._running: dict[str, Turn] = {}  # those that the relay carries, by id
        self._carrying: dict[str, asyncio.Task[None]] = {}  # the tasks in which it does

    def require_session(self, session: object) -> str:
        """Return the session's name; raises NotFound when this key may not use that session."""
        if not isinstance(session, str) or session not in self.sessions():
            raise errors.NotFound(
                f"this key may not use the session {str(session)[:80]!r}",
                code="unknown_session",
                hint=f"It may use {', '.join(self._sessions)}: --sessions in authorized_keys on the host.",
            )
        return session

    def sessions(self) -> list[str]:
        """Return the sessions that this key may use: those in its line, and those that it alone has made."""
        folders = (path.name for path in self._settings.sessions_dir.iterdir() if path.is_dir())
        return [*self._sessions, *(name for name in folders if MADE_NAME.fullmatch(name))]

    def check_new(self, session: object) -> str:
        """Return the name of a session that this key is about to make; raises NotFound for other names."""
        if not isinstance(session, str) or not MADE_NAME.fullmatch(session):
            raise errors.NotFound(
                f"this key may not make the session {str(session)[:80]!r}",
                code="unknown_session",
                hint="A session that is made has twelve letters and digits as its name.",
            )
        return session

    def session_log(self, session: str) -> Path:
        """Return the path of the session's log."""
        return self._settings.sessions_dir / session / "events.jsonl"

    def folder(self, turn_id: object) -> TurnFolder:
        """Return the folder of a turn, which need not exist; raises NotFound when this is not a turn id."""
        return TurnFolder(self._settings.response_dir, check_turn_id(turn_id if isinstance(turn_id, str) else ""))

    def existing(self, turn_id: object) -> TurnFolder | None:
        """Return the folder of a turn, perhaps of one that never began; None if there is none.

        Raises NotFound when this is not a turn id, and for the turn of a session that this key may not use.
        """
        folder = self.folder(turn_id)
        if not folder.path.exists():
            return None
        try:
            description = folder.describe()
        except errors.NotFound:
            return folder
        self._check_turn(description.session_id)
        return folder

    def require_turn(self, fields: Mapping[str, object]) -> TurnFolder:
        """Return the existing turn that `turn_id` names; raises NotFound, also for the turn of another key."""
        turn = self.folder(fields.get("turn_id"))
        self._check_turn(turn.describe().session_id)
        return turn

    def _check_turn(self, session: str) -> None:
        """Raise NotFound for the turn of another key's session. One that this key made may be discarded by now."""
        if not MADE_NAME.fullmatch(session):
            self.require_session(session)

    def load(self, folder: TurnFolder) -> Turn:
        """Return a turn with its progress; raises NotFound when this key may not use its session."""
        if folder.turn_id in self._running:
            return self._running[folder.turn_id]
        turn = self._described(folder)
        turn.read()
        return turn

    def is_relaying(self, folder: TurnFolder) -> bool:
        """True while the relay still works on the turn."""
        return folder.turn_id in self._running

    def check_free(self, session: str) -> None:
        """Raise TurnInFlight while a turn runs in the session."""
        if any(not is_over(turn.log.read()) for turn in self._running_in(session)):
            raise errors.TurnInFlight("a turn is already running in this session", None)

    async def wait_until_free(self, session: str) -> None:
        """Wait until the relay has let go of the session's ended turns; raises TurnInFlight while one runs."""
        self.check_free(session)
        await self._wait_for([turn.id for turn in self._running_in(session)])

    def _running_in(self, session: str) -> list[Turn]:
        """Return the session's running turns, without those of agents, which hold up nothing."""
        return [turn for turn in self._running.values() if turn.session == session and not turn.is_request]

    async def wait_until_over(self, folders: Iterable[TurnFolder]) -> None:
        """Wait until the relay has let go of those of these turns that have ended."""
        await self._wait_for([each.turn_id for each in folders if is_over(each.log.read())])

    async def _wait_for(self, turn_ids: Iterable[str]) -> None:
        if tasks := [self._carrying[turn_id] for turn_id in turn_ids if turn_id in self._carrying]:
            await asyncio.wait(tasks, timeout=LETTING_GO_TIMEOUT)

    def submit(self, folder: TurnFolder) -> None:
        """Have a new turn submitted."""
        turn = self._described(folder)
        self._start(turn, self._relay.submit(turn))

    def resume(self, folder: TurnFolder) -> None:
        """Watch over a turn that an earlier shim submitted, unless it is over or watched over already."""
        if not self.is_relaying(folder) and not is_over(folder.log.read()):
            turn = self._described(folder)
            self._start(turn, self._relay.resume(turn))

    def _described(self, folder: TurnFolder) -> Turn:
        description = folder.describe()
        session = self.require_session(description.session_id)
        return Turn(description, session, folder.log, self._settings.attachments_dir)

    def _start(self, turn: Turn, relaying: Coroutine[object, object, None]) -> None:
        """Run `relaying`, the relay's submit or resume of the turn, in a task."""
        self._running[turn.id] = turn
        task = self._carrying[turn.id] = self._tasks.spawn(turn.follow_during(relaying))
        task.add_done_callback(lambda _: self._end(turn.id))

    def _end(self, turn_id: str) -> None:
        self._running.pop(turn_id, None)
        self._carrying.pop(turn_id, None)
        self.folder(turn_id).drop_preview()

    async def finish_typing(self) -> None:
        """Wait, for TYPING_TIMEOUT at most, until every question is delivered: half of one would have to be cleared.

        Turns of agents are never typed.
        """
        typed = [turn for turn in self._running.values() if not turn.is_request]
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(TYPING_TIMEOUT):
                await asyncio.gather(*map(self._wait_until_delivered, typed))

    async def _wait_until_delivered(self, turn: Turn) -> None:
        folder = self.folder(turn.id)
        while not (folder.path / "prompt_id").exists() and not turn.progress.over:
            await asyncio.sleep(0.1)


def is_removable(folder: TurnFolder) -> bool:
    """True when the turn has ended, or when its folder never became a turn."""
    return is_over(folder.log.read()) or not (folder.path / "turn.json").exists()
