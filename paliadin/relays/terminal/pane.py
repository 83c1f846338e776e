"""One session's Claude: start it, know its state, end it."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from paliadin.base import errors
from paliadin.base.settings import Settings
from paliadin.relays.terminal import claude, process_state
from paliadin.relays.terminal.background_work import may_have_background_work
from paliadin.relays.terminal.claude_process import ClaudeProcess
from paliadin.relays.terminal.keyboard import DIALOG_STABLE_FOR, Keyboard
from paliadin.relays.terminal.launch import Launch
from paliadin.relays.terminal.pass_through import PassThrough
from paliadin.relays.terminal.ready import check_ready, last_lines, options_refused
from paliadin.relays.terminal.screen import DIALOGS, PASSING, Screen, State
from paliadin.relays.terminal.session_reports import SessionReports
from paliadin.relays.terminal.start_options import OptionsFile
from paliadin.relays.terminal.stop_hooks import StopHooks
from paliadin.relays.terminal.window import IDLE, Window
from paliadin.toolboxes import registration
from paliadin.toolboxes.toolbox import Toolbox

log = logging.getLogger(__name__)

# Seconds that a state must last after a start before it is believed: Claude's first output looks like a dialog.
STABLE_FOR = {State.STARTING: 30.0, State.SUSPENDED: 5.0, State.DIALOG: 3.0, State.DEAD: 0.5}
NO_CONVERSATION = "No conversation found"  # what --resume prints when a transcript holds none
HOOK_TIMEOUT = 10.0  # seconds from the first composer to SessionStart
TOOLS_TIMEOUT = 5.0  # seconds from then until the toolboxes are there
BUSY_TIMEOUT = 4.0  # seconds until the composer is ready, before the question is refused


class Pane:
    """The Claude of the session that its window is named after; `plugin` and `environment` are those of Launch."""

    running_turns = 0

    def __init__(
        self,
        settings: Settings,
        window: Window,
        plugin: Path,
        environment: Mapping[str, str] | None = None,
        toolboxes: Sequence[Toolbox] = (),
    ) -> None:
        self.name, self.window, self._settings = window.name, window, settings
        self.folder = settings.sessions_dir / window.name
        self.reports = SessionReports(self.folder)
        self.keyboard = Keyboard(window, self.reports)
        self.lock = self.keyboard.lock  # held while keys are pressed
        self.pass_through = PassThrough(settings, window.terminal, self.folder, environment)
        self.process = ClaudeProcess(self.folder)
        self.options = OptionsFile(self.folder)
        self.launch = Launch(settings, self.folder, plugin, environment, self.options, toolboxes)
        self._stop_hooks = StopHooks(self.launch.workdir, environment)
        self._failed_to_start = False  # the last time
        self._tools_failed = False  # a toolbox did not come with the last start
        self.asks_unreported = False  # a dialog is open in the terminal that no hook reports

    async def look(self) -> Screen:
        """Read the screen; its state is DEAD without a window or a process."""
        screen = await self.window.look()
        if self.window.claude:
            self._failed_to_start = False
            self.process.note(self.window.claude)
        return screen

    async def look_past_own_typing(self) -> Screen:
        """Look, and take our own typing neither for somebody's draft nor, half drawn, for a dialog."""
        typing = self.lock.locked()
        screen = await self.look()
        if screen.state in DIALOGS:
            first = screen.state
            screen = await self.window.look_until(lambda now: now.state is not first, DIALOG_STABLE_FOR)
        typing = typing or self.lock.locked()
        if screen.mode and screen.state in (*IDLE, State.DRAFT):
            self.launch.note_mode(screen.mode)
        ours = {State.DIALOG, State.DRAFT} if typing else {State.DRAFT} if self.running_turns else set()
        if screen.state in ours:
            return Screen(State.BUSY, "")
        return Screen(State.READY, "") if self.keyboard.holds_own_text(screen) else screen  # the next submit clears it

    async def wait_until_ready(self) -> Screen:
        """Return the screen with its empty composer; raises a RelayError for what prevents typing."""
        screen = await self.ensure_running()
        if screen.state in PASSING:
            screen = await self.window.look_until(lambda now: now.state not in PASSING, BUSY_TIMEOUT)
            if screen.state is State.DEAD:  # it was ending when we came, as after /exit
                screen = await self.ensure_running()
        if self.keyboard.holds_own_text(screen):
            await self.keyboard.clear_last()
            screen = await self.look()
        if screen.state is State.READY and await self._may_get_tools():
            await self.end()  # Claude Code starts no tool server anew; the conversation's next Claude does
            screen = await self.ensure_running()
        check_ready(screen)
        return screen

    async def ensure_running(self) -> Screen:
        """Start Claude with its last conversation, unless it runs, and return the screen once its state is stable.

        Raises PaneDied when Claude ends at once, or RelayError (`options_refused`) when it does so with a newly chosen
        model or permission mode: then those from before are kept.
        """
        screen = await self.look()
        await self.keep_pass_through()
        if screen.state is State.DEAD:
            self._failed_to_start = True  # until it is seen to run
            await self._start()
            screen = await self._wait_for_start()
            if screen.state is State.DEAD and NO_CONVERSATION in screen.text:
                self.reports.conversation = None  # Claude was killed before it had written any of it
                await self._start()
                screen = await self._wait_for_start()
            if screen.state is State.DEAD:
                if self.options.take_back():
                    raise options_refused(screen)
                raise errors.PaneDied(
                    f"Claude ended as soon as it was started: {last_lines(screen.text, 6)}",
                    hint="Run `paliadin doctor`, then `paliadin attach` to see what it says.",
                )
            self.options.note_applied()
            if screen.state is State.READY:
                await self._wait_for_hooks()
                await self._wait_for_tools()
                screen = await self.look()
        return screen

    async def _wait_for_start(self) -> Screen:
        """Look until the state has lasted as long as STABLE_FOR says."""
        since = time.monotonic()
        screen = await self.look()
        while time.monotonic() - since < STABLE_FOR.get(screen.state, 0):
            await asyncio.sleep(0.03)
            before, screen = screen, await self.look()
            if screen.state is not before.state:
                since = time.monotonic()
        return screen

    async def _start(self) -> None:
        reports = self.reports.read()
        reports.starts = 0
        self.launch.make_folders()
        await self.process.end_earlier()
        resume = reports.transcript is not None and Path(reports.transcript).is_file()
        conversation = resume and reports.conversation
        if self.launch.for_member:
            self.launch.workdir.mkdir(mode=0o700, exist_ok=True)
        passed = await self.pass_through.start(for_member=self.launch.for_member)
        build = partial(self.launch.command, conversation or None, passed, new_prompt=self.pass_through.was_used)
        command, variables = await asyncio.to_thread(build)
        await self.window.start(command, self.launch.workdir, variables)
        pid = await self.window.pid()
        self.process.note(pid)
        if passed:
            self.pass_through.note_claude(pid)

    async def keep_pass_through(self) -> None:
        """Start the pass-through again if it has gone while Claude runs, as the last look showed."""
        # The next look tries again. ValueError: somebody has damaged its configuration.
        with contextlib.suppress(OSError, ValueError, errors.StorageFull):
            await self.pass_through.keep(self.window.claude)

    async def _wait_for_hooks(self) -> None:
        deadline = time.monotonic() + HOOK_TIMEOUT
        while not self.reports.hooks_seen and time.monotonic() < deadline:
            await asyncio.sleep(0.02)

    async def _wait_for_tools(self) -> None:
        """Wait until this Claude has its toolboxes: without them it would answer its first question from memory."""
        deadline = time.monotonic() + TOOLS_TIMEOUT
        while self.lacks_tools and time.monotonic() < deadline:
            await asyncio.sleep(0.02)
        self._tools_failed = self.lacks_tools
        if self._tools_failed:
            log.warning("the Claude of %s has started without its toolboxes", self.name)

    @property
    def lacks_tools(self) -> bool:
        """True if a toolbox is wanted, and its process has ended or never started."""
        return not registration.has_tools(self.folder, [each.name for each in self.launch.toolboxes])

    async def _may_get_tools(self) -> bool:
        """True if a toolbox is missing, and this Claude may be ended so that its successor has it."""
        if not self.lacks_tools or self._tools_failed or await self.window.is_attached():
            return False
        return not await asyncio.to_thread(may_have_background_work, self.reports)

    @property
    def is_parked(self) -> bool:
        """True if Claude did not run at the last look, and need not run."""
        return not self.window.is_open and not self.process.is_noted and not self._failed_to_start

    async def runs_hook(self) -> bool:
        """True while a hook of ours runs below the Claude that the last look has seen, so a report is about to come."""
        return await asyncio.to_thread(process_state.has_child, self.window.claude, claude.HOOK_FILE)

    @property
    def has_only_our_stop_hook(self) -> bool:
        """True if the turn before has shown that this Claude has no other Stop hook, which could make it go on."""
        return self._stop_hooks.is_only(self.window.claude)

    def note_stop_hooks(self, count: int | None) -> None:
        """Note how many Stop hooks Claude has run at the end of a turn."""
        self._stop_hooks.note(self.window.claude, count)

    async def end(self) -> None:
        """End the Claude that the last look has seen, if any, and close its windows. An idle Claude is so parked."""
        if self.window.claude:
            await self.process.end(self.window.claude)
        else:
            await self.process.end_earlier()
        await self.window.close()
        await self.pass_through.close()
        self.process.forget()
