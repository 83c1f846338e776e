"""Park Claudes: end those that nobody needs, so that the next question brings them back with their conversation."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Callable, Collection

from paliadin.base.session_names import NAME
from paliadin.base.settings import Settings
from paliadin.relays.terminal.background_work import may_have_background_work
from paliadin.relays.terminal.concurrency_limit import Places
from paliadin.relays.terminal.pane import Pane
from paliadin.relays.terminal.screen import PASSING, State
from paliadin.relays.terminal.tmux import TmuxServer
from paliadin.relays.terminal.transcript_files import Environment
from paliadin.relays.terminal.window import IDLE
from paliadin.relays.terminal.written_prompt import wait_until_written

log = logging.getLogger(__name__)

FINISH_TIMEOUT = 3.0  # seconds
TURN_PATIENCE = 5.0  # seconds that a relay may take to let go of a turn
LONGEST_PAUSE = 30.0  # seconds between looks for Claudes that are quiet


class Parking:
    """Parks Claudes in this tmux server. `pane` returns a session's pane; `places` are those that Claudes may take."""

    def __init__(
        self, settings: Settings, terminal: TmuxServer, pane: Callable[[str], Pane], environment: Environment = None
    ) -> None:
        self._settings, self._terminal, self._pane, self._environment = settings, terminal, pane, environment
        self.places = Places(
            settings.max_running,
            members_limit=settings.max_embedded,
            member_of=lambda session: pane(session).launch.member,
            alive=self.alive,
            is_alive=self._is_alive,
            park_one=self._park_one,
        )
        self._tasks: set[asyncio.Task[bool]] = set()

    async def alive(self) -> set[str]:
        """Return the sessions whose Claude runs, without other windows: the pass-through's, or somebody's own."""
        names = await self._terminal.call(self._terminal.running)
        return {name for name in names if NAME.fullmatch(name) and (self._settings.sessions_dir / name).is_dir()}

    async def park(self, session: str) -> bool:
        """Park the session's Claude if it can be parked; returns whether none runs afterwards.

        An idle Claude can be parked if its composer holds nobody's draft, nobody uses it or looks at it, nothing goes
        on in the background, and its transcript holds the last prompt. It is ended even if the caller is cancelled.
        """
        task = asyncio.create_task(self._park(self._pane(session)))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return await asyncio.shield(task)

    async def park_for_change(self, session: str) -> bool:
        """Park the session's Claude so that its next start uses changed options; returns whether none runs afterwards.

        Waits until the relay has ended a turn whose answer may be complete, and until the screen shows that. A Claude
        that was just started and asks whether to trust its folder, or its mode, is parked too: it has nothing to lose.
        """
        pane, latest = self._pane(session), time.monotonic() + TURN_PATIENCE
        while not await self.park(session):
            screen = await pane.look()
            passes = self.places.is_used(session) or pane.lock.locked() or screen.state in PASSING
            if not passes or time.monotonic() > latest:
                return await self._end_what_waits_for_trust(pane)
            await asyncio.sleep(TURN_PATIENCE / 100)
        return True

    async def _end_what_waits_for_trust(self, pane: Pane) -> bool:
        async with pane.lock:
            with self.places.ending(pane.name) as may_end:
                is_ended = may_end and (await pane.look()).state is State.TRUST
                if is_ended:
                    await pane.end()
                return is_ended

    async def park_quiet_ones(self) -> None:
        """Wait for a while, then park every Claude that was not used for PARK_AFTER."""
        limit = self._settings.park_after
        await asyncio.sleep(min(LONGEST_PAUSE, limit / 4))
        for session in await self.alive():
            if time.time() - _last_use(self._pane(session)) > limit and await self.park(session):
                log.info("the Claude of %s was parked: it was not used for %.0f s", session, limit)

    async def finish(self) -> None:
        """Wait until parking that has begun is done, but not for a tmux that hangs."""
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=FINISH_TIMEOUT)

    async def _is_alive(self, session: str) -> bool:
        return (await self._pane(session).look()).state is not State.DEAD

    async def _park_one(self, sessions: Collection[str]) -> bool:
        """Park the least recently used of these sessions' Claudes that can be parked."""
        for pane in sorted(map(self._pane, sessions), key=_last_use):
            if await self.park(pane.name):
                return True
        return False

    async def _park(self, pane: Pane) -> bool:
        if pane.lock.locked() or self.places.is_used(pane.name):  # at work: never waited for
            return False
        is_written = await wait_until_written(pane.reports, self._environment)
        async with pane.lock:
            screen = await pane.look()
            if screen.state is State.DEAD:
                await pane.process.end_earlier()
                return True
            # Claude Code puts a question back that was stopped before its answer began: nobody's draft
            is_idle = screen.state in IDLE or pane.keyboard.holds_own_text(screen)
            may_park = is_written and is_idle and not await pane.window.is_attached()
            if not may_park or await asyncio.to_thread(may_have_background_work, pane.reports):
                return False
            with self.places.ending(pane.name) as may_end:
                if may_end:
                    await pane.end()
                return may_end


def _last_use(pane: Pane) -> float:
    """Return when the session's Claude was last used or started, in seconds since 1970."""
    times = [pane.window.busy_at]
    for path in (pane.folder / "prompts", pane.folder / "events.jsonl", pane.process.path):
        with contextlib.suppress(FileNotFoundError):
            times.append(path.stat().st_mtime)
    return max(times)
