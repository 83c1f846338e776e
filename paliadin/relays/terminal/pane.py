"""One session's Claude in its tmux pane: start it, look at its screen, know its conversation."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import re
import termios
import time
import uuid
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TypeVar

from paliadin.base import errors
from paliadin.base.files import write_text
from paliadin.base.session_names import MEMBER_FILE
from paliadin.base.settings import Settings
from paliadin.grounding import registration
from paliadin.relays.terminal import claude, figure_files, process_state, status_line
from paliadin.relays.terminal.claude import PassedThrough
from paliadin.relays.terminal.claude_process import ClaudeProcess
from paliadin.relays.terminal.pass_through import PassThrough
from paliadin.relays.terminal.plugin import copy_plugin
from paliadin.relays.terminal.screen import Screen, State, read_screen
from paliadin.relays.terminal.start_options import OptionsFile
from paliadin.relays.terminal.stop_hooks import StopHooks
from paliadin.relays.terminal.tmux import CALL_TIMEOUT, PaneCapture, TmuxServer
from paliadin.turnlog.folder import TurnFolder
from paliadin.turnlog.session_log import Branched, Compacting, SessionLog, Started

T = TypeVar("T")

log = logging.getLogger(__name__)

# Seconds that a state must last after a start before it is believed: Claude's first output looks like a dialog.
STABLE_FOR = {State.STARTING: 30.0, State.SUSPENDED: 5.0, State.DIALOG: 3.0, State.DEAD: 0.5}
IDLE = frozenset({State.READY, State.NOT_LOGGED_IN})
NO_CONVERSATION = "No conversation found"  # what --resume prints when a transcript holds none
HOOK_TIMEOUT = 10.0  # seconds from the first composer to SessionStart
TOOLS_TIMEOUT = 5.0  # seconds from then until the practice's tools are there
REDRAW_TIME = 0.7  # seconds that Claude may take to redraw, after its window was resized or it was woken


class Pane:
    """The window `name` of the tmux server, and the Claude in it.

    `plugin` is the copy of the hooks that Claude loads. `environment` replaces the one that Claude inherits from the
    terminal (demo, tests). `conversation`, `transcript` and `model` are as the last SessionStart hook reported them.
    """

    def __init__(
        self, settings: Settings, terminal: TmuxServer, plugin: Path, name: str, environment: Mapping[str, str] | None
    ) -> None:
        self.name = name
        self.folder = settings.sessions_dir / name
        self.lock = asyncio.Lock()  # held while keys are pressed
        self._settings, self._terminal, self._plugin, self._environment = settings, terminal, plugin, environment
        self._pane_id: str | None = None
        self._log = SessionLog(self.folder)
        self.conversation: str | None = None  # Claude Code calls it session_id
        self.started_ms = 0  # when Claude Code's process reported its start; in milliseconds since 1970
        self.transcript: str | None = None
        self.model: str | None = None
        self._starts = 0  # SessionStart hooks since Claude was started
        self.compactions = 0  # begun between turns
        self._started_in: set[str] = set()  # the folders in which it was started, as its hooks have reported
        self.pass_through = PassThrough(settings, terminal, self.folder, environment, self._call_tmux)
        self.process = ClaudeProcess(self.folder)
        self.options = OptionsFile(self.folder)
        self._stop_hooks = StopHooks(self.workdir, environment)
        self._claude = 0  # its process, as of the last look; 0: it does not run
        self._failed_to_start = False  # the last time
        self._tools_failed = False  # the practice's tools did not come with the last start
        self.asks_unreported = False  # a dialog is open in the terminal that no hook reports
        self.busy_at = 0.0  # when it was last seen at work, or at a draft or a dialog; in seconds since 1970
        self._outdated_until = 0.0  # by the monotonic clock: the program has not drawn the screen anew before

    async def look(self) -> Screen:
        """Read the screen; its state is DEAD without a pane or a process. A stopped Claude (Ctrl-Z) is woken."""
        self._claude = 0
        if self._pane_id is None:
            self._pane_id = (await self._call_tmux(self._terminal.panes)).get(self.name)
            if self._pane_id is None:
                return Screen(State.DEAD, "")
        try:
            capture = await self._call_tmux(self._terminal.capture, self._pane_id)
        except errors.TmuxFailed:
            if self.name in await self._call_tmux(self._terminal.panes):
                raise
            self._pane_id = None  # the window or the whole server is gone
            return Screen(State.DEAD, "")
        screen = read_screen(capture.captured)
        if capture.dead:
            return Screen(State.DEAD, screen.text)
        self._claude, self._failed_to_start = capture.pid, False
        self.process.note(capture.pid)
        stopped = screen.state is not State.STARTING and await asyncio.to_thread(_is_stopped, capture)
        if stopped:
            process_state.wake(capture.pid)
        if stopped or capture.resized:
            self._outdated_until = time.monotonic() + REDRAW_TIME
        if time.monotonic() < self._outdated_until:
            screen = Screen(State.SUSPENDED, screen.text)
        self.busy_at = self.busy_at if screen.state in IDLE else time.time()
        return screen

    async def ensure_running(self) -> Screen:
        """Start Claude if it is not running, with its last conversation, and return the screen once it can be believed.

        Raises PaneDied when Claude ends at once, or RelayError (`options_refused`) if it does since a model or a
        permission mode was chosen: then those from before are kept.
        """
        screen = await self.look()
        await self.keep_pass_through()
        if screen.state is State.DEAD:
            self._failed_to_start = True  # until it is seen to run
            await self._start()
            screen = await self._wait_for_start()
            if screen.state is State.DEAD and NO_CONVERSATION in screen.text:
                self.conversation = None  # Claude was killed before it had written any of it
                await self._start()
                screen = await self._wait_for_start()
            if screen.state is State.DEAD:
                if self.options.take_back():
                    raise _options_refused(screen)
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

    @property
    def hooks_seen(self) -> bool:
        """True once a SessionStart hook has reported since Claude was started, or in the log of an earlier daemon."""
        self.read_session_starts()
        return self._starts > 0

    @property
    def _target(self) -> str:
        """The pane's id, for tmux commands; raises PaneDied when there is no pane."""
        if self._pane_id is None:
            raise errors.PaneDied("Claude's terminal is gone")
        return self._pane_id

    async def keep_pass_through(self) -> None:
        """Start the pass-through again if it has gone while Claude runs, as the last look showed."""
        # The next look tries again. ValueError: somebody has damaged its configuration.
        with contextlib.suppress(OSError, ValueError, errors.StorageFull):
            await self.pass_through.keep(self._claude)

    def restore_files(self, turn: TurnFolder) -> None:
        """Make again the folders and the link that hooks need, if somebody removed them while the turn runs."""
        with contextlib.suppress(OSError, errors.PaliadinError):  # the caller tries again
            self._make_folders()
            prompt = self.folder / "prompts" / (turn.path / "prompt_id").read_text()
            if not prompt.is_symlink():
                prompt.symlink_to(turn.path)

    def _make_folders(self) -> None:
        if not self._plugin.is_dir():
            for live in {False, self._settings.live}:
                copy_plugin(self._settings.home, live=live, practice=self._settings.paliad)
        for folder in (self.folder, self.folder / "prompts", self.folder / "expected"):
            folder.mkdir(mode=0o700, exist_ok=True)

    @property
    def for_member(self) -> bool:
        """True if the session is somebody else's than the owner's."""
        return (self.folder / MEMBER_FILE).exists()

    @property
    def workdir(self) -> Path:
        """The folder that Claude works in; a member's stays empty."""
        return self.folder / "work" if self.for_member else self._settings.workdir

    async def _start(self) -> None:
        self.read_session_starts()
        self._starts = 0
        self._make_folders()
        await self.process.end_earlier()
        resume = self.conversation is not None and self.transcript is not None and Path(self.transcript).is_file()
        conversation = self.conversation if resume and self.conversation else str(uuid.uuid4())
        added = claude.ENVIRONMENT | claude.hook_environment(self._settings, self.folder)
        workdir, for_member = self.workdir, self.for_member
        owners = self._owners_status_line()
        added |= status_line.environment(owners, time.time_ns()) if self._settings.status_line else {}
        if for_member:
            added |= claude.MEMBER_ENVIRONMENT | (registration.ENVIRONMENT if self._settings.paliad else {})
            workdir.mkdir(mode=0o700, exist_ok=True)
        passed = await self.pass_through.start(for_member=for_member)
        arguments = await asyncio.to_thread(self._arguments, passed, conversation, resume, owners)
        self.note_mode(arguments[arguments.index("--permission-mode") + 1])
        command = [*claude.IN_COLOUR, claude.find_claude(self._settings), *arguments]
        environment = None if self._environment is None else {**self._environment, **added}
        command = claude.with_environment(command, environment)
        self._pane_id = await self._call_tmux(self._terminal.start, self.name, command, workdir, added)
        pid = (await self._call_tmux(self._terminal.capture, self._pane_id)).pid
        self.process.note(pid)
        if passed:
            self.pass_through.note_claude(pid)

    @property
    def is_parked(self) -> bool:
        """True if Claude does not run, as the last look showed, and has no reason to."""
        return self._pane_id is None and not self.process.is_noted and not self._failed_to_start

    async def runs_hook(self) -> bool:
        """True while a hook of ours runs below the Claude that the last look has seen: it is about to report."""
        return await asyncio.to_thread(process_state.has_child, self._claude, claude.HOOK_FILE)

    @property
    def has_only_our_stop_hook(self) -> bool:
        """True if no other Stop hook can make this Claude go on, as far as the turn before has shown."""
        return self._stop_hooks.is_only(self._claude)

    def note_stop_hooks(self, count: int | None) -> None:
        """Note how many Stop hooks Claude has run at the end of a turn."""
        self._stop_hooks.note(self._claude, count)

    async def is_attached(self) -> bool:
        """True if somebody's terminal shows the window."""
        return await self._call_tmux(self._terminal.is_attached, self._target)

    async def end(self) -> None:
        """End the Claude that the last look has seen, if any, and close its windows: an idle one is parked."""
        if self._claude:
            await self.process.end(self._claude)
        else:
            await self.process.end_earlier()
        await self._call_tmux(self._terminal.close_window, self.name)
        await self.pass_through.close()
        self._claude, self._pane_id = 0, None
        self.process.forget()

    def note_mode(self, mode: str) -> None:
        """Keep the permission mode that Claude has now, where the hooks keep each that they are told."""
        path = self.folder / figure_files.MODE
        with contextlib.suppress(OSError, errors.StorageFull):  # the next one is kept
            if self._settings.status_line and (not path.exists() or path.read_text("utf-8", "replace") != mode):
                write_text(path, mode)

    def _owners_status_line(self) -> Mapping[str, object]:
        """The owner's own status line; a member's Claude runs nothing of the owner's."""
        is_shown = self._settings.status_line and not self.for_member
        return status_line.owners_status_line(self._settings, self._environment) if is_shown else {}

    def _arguments(
        self, passed: PassedThrough | None, conversation: str, resume: bool, owners: Mapping[str, object]
    ) -> list[str]:
        """Claude's arguments. The plugin, and a system prompt that Claude Code has kept, depend on live text."""
        live = passed is not None and passed.live
        options = claude.new_prompt_options(self._settings) if resume and self.pass_through.was_used else []
        options += claude.practice_options(self._settings, self.folder) if self._settings.paliad else []
        return claude.arguments(
            self._settings,
            copy_plugin(self._settings.home, live=True, practice=self._settings.paliad) if live else self._plugin,
            conversation,
            resume=resume,
            for_member=self.for_member,
            environment=self._environment,
            chosen=self.options.read(),
            owners_status_line=owners,
            passed=passed,
            hooks=claude.hook_environment(self._settings, self.folder),
            options=options,
        )

    async def _wait_for_hooks(self) -> None:
        deadline = time.monotonic() + HOOK_TIMEOUT
        while not self.hooks_seen and time.monotonic() < deadline:
            await asyncio.sleep(0.02)

    async def _wait_for_tools(self) -> None:
        """Wait until this Claude has the practice's tools: without, it would answer its first question from memory."""
        deadline = time.monotonic() + TOOLS_TIMEOUT
        while self.lacks_tools and time.monotonic() < deadline:
            await asyncio.sleep(0.02)
        self._tools_failed = self.lacks_tools
        if self._tools_failed:
            log.warning("the Claude of %s has started without the practice's tools", self.name)

    @property
    def lacks_tools(self) -> bool:
        """True if the practice's tools are wanted, and their process is gone or never came."""
        return self._settings.paliad and not registration.has_tools(self.folder)

    async def _look_until(self, condition: Callable[[Screen], bool], seconds: float, every: float = 0.03) -> Screen:
        """Look until the condition is met or `seconds` are over; returns the last screen."""
        deadline = time.monotonic() + seconds
        screen = await self.look()
        while not condition(screen) and time.monotonic() < deadline:
            await asyncio.sleep(every)
            screen = await self.look()
        return screen

    async def _call_tmux(self, call: Callable[..., T], *arguments: object, seconds: float = CALL_TIMEOUT) -> T:
        """Run a blocking call of `TmuxServer` in its thread; raises TmuxUnresponsive after `seconds`."""
        return await self._terminal.call(call, *arguments, seconds=seconds)

    def has_started_in(self, folder: Path) -> bool:
        """True if Claude has run in this folder: it was asked whether to trust it, and its owner did."""
        self.read_session_starts()
        return str(folder.resolve()) in self._started_in

    def forget_conversation(self) -> None:
        """Let the next Claude begin anew: the conversation is deleted, and the log is about to be."""
        self.read_session_starts()
        self.conversation = self.transcript = None

    def read_session_starts(self) -> None:
        """Update conversation, transcript and model from new lines of the session's log: SessionStart, or a branch."""
        for entry in self._log.read():
            match entry:
                case Branched():
                    self.conversation, self.transcript = entry.conversation, entry.transcript
                case Compacting():
                    self.compactions += 1
                case Started():
                    self._starts += 1
                    self.conversation, self.transcript = entry.conversation, entry.transcript
                    self.model = entry.model or self.model
                    if entry.is_process:
                        self.started_ms = entry.at or self.started_ms
                        self._started_in.add(entry.cwd)


def _is_stopped(capture: PaneCapture) -> bool:
    try:
        return process_state.is_stopped(capture.pid) or process_state.in_canonical_mode(capture.tty)
    except (OSError, termios.error):
        return False  # it died just now; the next look shows it


def _options_refused(screen: Screen) -> errors.RelayError:
    return errors.RelayError(
        f"Claude Code does not start with this model and permission mode: {last_lines(screen.text, 6)}",
        code="options_refused",
        status=409,
        hint="The conversation keeps those that it had before. Ask again, or choose others.",
    )


def check_ready(screen: Screen) -> None:
    """Raise a RelayError unless the screen shows an empty composer of an idle Claude."""
    match screen.state:
        case State.READY:
            return
        case State.NOT_LOGGED_IN | State.LOGIN:
            raise errors.NotLoggedIn("Claude Code is not logged in")
        case State.DRAFT:
            raise errors.TerminalInUse("somebody is typing in Claude's terminal")
        case State.BUSY:
            raise errors.TerminalInUse("Claude is busy with something from the terminal")
        case State.DEAD:
            raise errors.PaneDied("Claude is not running")
        case State.SUSPENDED | State.STARTING:
            raise errors.PaneDied(f"Claude did not become ready in time (its screen is {screen.state})")
        case _:
            raise errors.DialogOpen(f"a dialog is open in Claude's terminal: {last_lines(screen.text, 3)}")


def last_lines(text: str, count: int) -> str:
    """Return the last `count` lines that hold words, joined by " / "; Claude Code's logo is skipped."""
    lines = [line.strip() for line in text.split("\n") if re.search(r"[^\W\d_]{2}", line)]
    return " / ".join(lines[-count:])[:300]
