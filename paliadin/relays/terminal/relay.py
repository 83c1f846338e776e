"""The relay on this machine: a Claude for each session, in Paliadin's own tmux server."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
import time
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace

from paliadin.base import errors
from paliadin.base.files import write_json
from paliadin.base.session_names import MADE_NAME, NAME
from paliadin.base.settings import Settings
from paliadin.base.strict_json import JsonObject
from paliadin.base.tasks import background, endless
from paliadin.relays import protocol
from paliadin.relays.commands import is_run, name_of
from paliadin.relays.figures import Figures
from paliadin.relays.offers import Offers
from paliadin.relays.protocol import CLAUDE_CODE, SessionState
from paliadin.relays.terminal import agent_requests, claude, session_commands
from paliadin.relays.terminal.aborted_turn import end_aborted, fail_turn, stop_claude
from paliadin.relays.terminal.branching import (
    Side,
    copy_transcript,
    remove_leftovers,
    remove_transcripts,
    why_not_parked,
)
from paliadin.relays.terminal.claude_version import InstalledVersion, outdated_error, running_version, untested_warning
from paliadin.relays.terminal.decision import decide
from paliadin.relays.terminal.figure_files import FigureFiles, remove_figures
from paliadin.relays.terminal.offers import OfferLists
from paliadin.relays.terminal.pane import Pane
from paliadin.relays.terminal.parking import Parking
from paliadin.relays.terminal.plugin import copy_plugin
from paliadin.relays.terminal.ready import last_lines
from paliadin.relays.terminal.screen import AT_WORK, DIALOGS, Screen, State
from paliadin.relays.terminal.submission import submit
from paliadin.relays.terminal.tmux import TmuxServer
from paliadin.relays.terminal.turn_transcript import TurnTranscript
from paliadin.relays.terminal.turn_watch import TurnWatcher
from paliadin.relays.terminal.window import Window
from paliadin.relays.turn import Turn, unknown_interrupt
from paliadin.steps.model import Accepted, Held, OnlyStopHook, Stopping, is_over
from paliadin.toolboxes.toolbox import Toolbox
from paliadin.turnlog.folder import TurnFolder
from paliadin.turnlog.ids import now_ms

log = logging.getLogger(__name__)

RESET_PATIENCE = 10.0  # seconds that a new conversation waits for a place; a page waits for the response

_STATE_MESSAGES = {
    State.STARTING: ("Claude is starting", ""),
    State.READY: ("Claude is ready", ""),
    State.BUSY: ("Claude is working", ""),
    State.PERMISSION: ("Claude is waiting for a permission", "Reply on the page, or in `paliadin attach`."),
    State.QUESTION: ("Claude is waiting for a reply", "Reply on the page, or in `paliadin attach`."),
    State.TRUST: ("Claude asks whether to trust the working folder", "Run `paliadin attach` and reply there."),
    State.LOGIN: ("Claude Code asks for a login", errors.NotLoggedIn.default_hint),
    State.NOT_LOGGED_IN: ("Claude Code is not logged in", errors.NotLoggedIn.default_hint),
    State.DRAFT: ("Claude's terminal holds text that was not submitted", errors.TerminalInUse.default_hint),
    State.DIALOG: ("a dialog is open in Claude's terminal", errors.DialogOpen.default_hint),
    State.SUSPENDED: ("Claude was stopped (Ctrl-Z); it is being woken", ""),
    State.DEAD: ("Claude is not running", "The next question starts it."),
}


class TerminalRelay:
    """A `paliadin.relays.protocol.Relay` for this machine. `environment` replaces the one that Claude inherits.

    Every Claude here has the toolboxes.
    """

    host = socket.gethostname()
    traits = replace(CLAUDE_CODE, others_write=True)

    def __init__(
        self,
        settings: Settings,
        environment: Mapping[str, str] | None = None,
        toolboxes: Sequence[Toolbox] = (),
    ) -> None:
        self._settings, self._environment, self._toolboxes = settings, environment, toolboxes
        self._terminal = TmuxServer(settings.tmux_socket, settings.tmux_session)
        self._plugin = copy_plugin(settings.home, toolboxes)
        remove_leftovers(settings.sessions_dir, environment)
        self._panes: dict[str, Pane] = {}
        self._offers = OfferLists(settings, self._plugin, environment)
        self._figures = FigureFiles(settings, environment)
        self._branching = asyncio.Lock()  # two at once would find the session locked by the other's parking
        self._parking = Parking(settings, self._terminal, self._pane, environment)
        self._places = self._parking.places
        self._version = InstalledVersion(settings, environment)
        self._login: tuple[float, bool | None] = (0.0, None)  # (valid until, by the monotonic clock; logged in)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Park Claudes that nobody uses, during a `with` block; those that run at its end go on in the tmux server."""
        try:
            async with background(self._park_quiet_ones()):
                yield
        finally:
            await self._parking.finish()
            await asyncio.to_thread(self._terminal.close)

    async def _park_quiet_ones(self) -> None:
        if words := untested_warning(await self._version.get()):  # it is known when the first question comes
            log.warning("%s", words)
        await endless(self._parking.park_quiet_ones, "quiet Claudes could not be parked")

    async def submit(self, turn: Turn) -> None:
        pane, folder = self._pane(turn.session), self._folder(turn)
        turn.log.append(Accepted(now_ms(), pane.reports.read().model, transcript_read=True))
        with self._places.used(turn.session):
            await self._submit(pane, turn, folder)

    async def _check_command(self, turn: Turn) -> None:
        """Raise SubmitFailed for a command that this Claude does not offer: Enter would run the menu's guess."""
        if turn.description.command and not is_run(name_of(turn.message), await self.offers(turn.session)):
            raise errors.SubmitFailed(
                f"/{name_of(turn.message)[:80]} is no command of this Claude now, and was not typed",
                code="unknown_command",
                hint="Choose one from the list that `/` opens, or send it as text.",
            )

    async def _submit(self, pane: Pane, turn: Turn, folder: TurnFolder) -> None:
        def is_aborted() -> bool:
            return turn.progress.stop_requested

        transcript = TurnTranscript(turn.id, self._environment)
        try:
            if not await self._places.admit(turn.session, lambda by: turn.log.append(Held(now_ms(), by)), is_aborted):
                await turn.progress.ended.wait()
                return
            if refusal := await self._version.refusal():
                raise refusal
            await self._check_command(turn)
            transcript.skip(pane.reports.transcript)
            await submit(pane, turn, folder, is_aborted)
        except errors.PaliadinError as error:
            if isinstance(error, errors.DialogOpen) and await self._check_login() is False:
                # Its first start without a login opens dialogs.
                error = errors.NotLoggedIn("Claude Code is not logged in")
            if isinstance(error, errors.SubmitFailed) and _is_delivered(folder):  # Claude got another text: stop it
                await stop_claude(pane.keyboard, turn, folder)
            if isinstance(error, errors.SubmitFailed):
                error = await self._end_if_too_old(pane) or error
                error.message = "; ".join(filter(None, (error.message, untested_warning(await self._version.get()))))
            await fail_turn(pane, turn, folder, error)
        else:
            if pane.has_only_our_stop_hook:
                turn.log.append(OnlyStopHook(now_ms()))
            await self._watch(pane, turn, folder, transcript)

    async def _end_if_too_old(self, pane: Pane) -> errors.PaliadinError | None:
        """End a running Claude that is too old, though its program has been updated; returns the error that says so."""
        transcript, started = pane.reports.transcript, pane.reports.started_ms
        if transcript is None:
            return None
        version = await asyncio.to_thread(running_version, transcript, self._environment, started)
        if (error := outdated_error(version)) is None:
            return None
        async with pane.lock:
            await pane.look()
            await pane.end()
        return error

    async def resume(self, turn: Turn) -> None:
        pane, folder = self._pane(turn.session), self._folder(turn)
        if turn.is_request:
            await agent_requests.watch(pane, turn, folder, self._settings.interrupt_timeout)
            return
        with self._places.used(turn.session):
            if _is_delivered(folder) or await pane.keyboard.withdraw_unless(lambda: _is_delivered(folder), turn.prompt):
                typed = turn.message if turn.origin == "terminal" else ""
                await self._watch(pane, turn, folder, TurnTranscript(turn.id, self._environment, typed))
                return
            error = errors.SubmitFailed("Paliadin was stopped before the question reached Claude", hint="Ask again.")
            await fail_turn(pane, turn, folder, error)

    async def reply(self, turn: Turn, interrupt_id: str, value: object, *, cancel: bool) -> None:
        interrupt = turn.progress.open_interrupts.get(interrupt_id)
        if interrupt is None or interrupt_id in turn.progress.replied_to:
            raise unknown_interrupt()
        decision = decide(interrupt, value, cancel=cancel)
        reply = {"by": "cancel" if cancel else "page", "value": value, "decision": decision}
        write_json(self._folder(turn).path / "answers" / f"{interrupt_id}.json", reply)
        turn.progress.replied_to.add(interrupt_id)

    async def abort(self, turn: Turn) -> None:
        if turn.is_request:  # Claude itself works on something else, or on nothing
            for interrupt_id in list(turn.progress.open_interrupts):
                with contextlib.suppress(errors.NotFound):  # somebody has replied just now
                    await self.reply(turn, interrupt_id, None, cancel=True)
            await agent_requests.wait_for_hook(turn)
            return
        pane, folder = self._pane(turn.session), self._folder(turn)
        turn.progress.stop_requested = True
        with contextlib.suppress(errors.StorageFull):  # on a full disk, Escape is pressed all the same
            turn.log.append(Stopping(now_ms()))
        await stop_claude(pane.keyboard, turn, folder)
        # The log itself: whoever follows it may not have come to its last lines yet.
        if not is_over(turn.log.read()):
            await end_aborted(pane.reports, turn, folder, "page")

    async def reset(self, session: str) -> None:
        pane = self._pane(session)
        with self._places.used(session):
            await self._admit_now(session)
            await session_commands.reset(pane)

    async def compact(self, session: str) -> None:
        pane = self._pane(session)
        with self._places.used(session):
            await self._admit_now(session)
            await session_commands.compact(pane)

    async def _admit_now(self, session: str) -> None:
        """Wait briefly for a place for the session's Claude; raises RelayError without one, or if Claude is too old."""
        if refusal := await self._version.refusal():
            raise refusal
        latest = time.monotonic() + RESET_PATIENCE
        if not await self._places.admit(session, is_given_up=lambda: time.monotonic() > latest):
            raise errors.RelayError(
                "as many conversations are at work as may run at once",
                code="no_place",
                hint="Ask again later. PALIADIN_MAX_RUNNING says how many may run, PALIADIN_MAX_EMBEDDED of members'.",
            )

    async def open(self, session: str) -> None:
        self._pane(session).folder.mkdir(mode=0o700, exist_ok=True)

    async def alive(self) -> set[str]:
        return await self._parking.alive()

    async def park(self, session: str) -> bool:
        return await self._parking.park(session)

    async def offers(self, session: str) -> Offers:
        pane = self._pane(session)
        if pane.launch.for_member:
            return Offers()
        workdir, main = pane.launch.workdir, self._pane(protocol.DEFAULT_SESSION)
        trusted = any(each.reports.has_started_in(workdir) for each in (pane, main))
        return await self._offers.of(workdir, is_trusted=trusted)

    async def figures(self, sessions: Collection[str]) -> dict[str, Figures]:
        return self._figures.of(sessions)

    async def configure(self, session: str, changes: JsonObject) -> None:
        pane = self._pane(session)
        if pane.launch.for_member:
            raise errors.InvalidField("the model and the permission mode of another person's conversation are fixed")
        options, is_running = pane.options.read().changed(changes), session in await self.alive()
        if is_running and not await self._parking.park_for_change(session):
            raise why_not_parked(await pane.look_past_own_typing(), in_turn=self._places.is_used(session))
        pane.options.choose(options)
        if not is_running:
            return
        try:
            await self.start(session)
        except errors.RelayError as error:
            if error.code == "options_refused":
                await self.start(session)
            raise

    async def branch(self, turn_id: str, session: str, branch: str) -> None:
        pane, new = self._pane(session), self._pane(branch)
        async with self._branching:
            if not await self.park(session):
                raise why_not_parked(await pane.look_past_own_typing(), in_turn=self._places.is_used(session))
            turn = TurnFolder(self._settings.response_dir, turn_id)
            source, target = Side(pane.folder, pane.launch.workdir), Side(new.folder, new.launch.workdir)
            await asyncio.to_thread(copy_transcript, turn, source, target, self._environment)
            pane.options.copy_to(new.options)

    async def discard(self, session: str) -> None:
        pane = self._pane(session)
        async with pane.lock:
            with self._places.ending(session) as may_end:
                screen = await pane.look()
                if not may_end or screen.state in AT_WORK:
                    raise why_not_parked(screen, in_turn=True)
                await pane.end()
            await asyncio.to_thread(remove_transcripts, pane.folder, self._environment)
            remove_figures(pane.folder)
            pane.reports.forget_conversation()
        if MADE_NAME.fullmatch(session):  # nobody asks in it any more
            self._panes.pop(session, None)

    async def state(self, session: str) -> SessionState:
        pane = self._pane(session)
        screen = await pane.look_past_own_typing()
        await pane.keep_pass_through()
        if refusal := await self._version.refusal():
            return SessionState(session, self.host, protocol.State.TOO_OLD, refusal.message, refusal.hint)
        if screen.state is State.DEAD and not pane.is_parked:
            return self._dead(pane, screen)
        if screen.state in {State.READY, State.DIALOG, State.DEAD} and await self._check_login() is False:
            screen = replace(screen, state=State.NOT_LOGGED_IN)
        if screen.state is State.DEAD:
            return SessionState(session, self.host, protocol.State.PARKED, protocol.PARKED)
        state, (message, hint) = protocol.State(screen.state), _STATE_MESSAGES[screen.state]
        if pane.asks_unreported and screen.state in DIALOGS:
            hint = "Run `paliadin attach` and reply there: no hook reports this dialog, so the page cannot."
        text = screen.text if screen.state not in {State.READY, State.BUSY} else ""
        if screen.state is State.READY and not pane.reports.hooks_seen:
            state, message = protocol.State.NO_HOOKS, "Claude runs, but its hooks do not"
            hint = "End it with /exit in `paliadin attach`; it comes back."
        elif screen.state is State.READY and (words := untested_warning(await self._version.get())):
            message = f"{message}; {words}"
        live = "" if state is protocol.State.NO_HOOKS else pane.pass_through.status
        return SessionState(session, self.host, state, message, hint, text, live=live)

    def _dead(self, pane: Pane, screen: Screen) -> SessionState:
        message, hint = _STATE_MESSAGES[State.DEAD]
        if screen.text:
            message = f"Claude ended; the next question starts it. It said: {last_lines(screen.text, 6)}"
            hint = "`paliadin attach` shows its terminal; if nobody is logged in to Claude Code yet, type /login there."
        return SessionState(pane.name, self.host, protocol.State.DEAD, message, hint)

    async def _check_login(self) -> bool | None:
        valid_until, logged_in = self._login
        if time.monotonic() > valid_until:
            logged_in = await claude.check_login(self._settings, self._environment)
            self._login = (time.monotonic() + (5.0 if logged_in is False else 300.0), logged_in)
        return logged_in

    async def start(self, session: str) -> None:
        """Start the session's Claude before the first question, if it does not run and there is a place for it."""
        pane = self._pane(session)
        with self._places.used(session):
            if await self._places.admit_if_free(session):
                async with pane.lock:
                    is_new = (await pane.look()).state is State.DEAD
                    try:
                        await pane.ensure_running()
                    finally:
                        if refusal := await self._version.refusal():
                            if is_new:  # it would be left behind when the program is updated
                                await pane.end()
                            raise refusal

    async def _watch(self, pane: Pane, turn: Turn, folder: TurnFolder, transcript: TurnTranscript) -> None:
        watch, reported = TurnWatcher(pane, turn, folder, self._settings, transcript), False
        pane.running_turns += 1
        try:
            while True:
                try:
                    return await watch.run()
                except errors.TmuxUnresponsive as error:
                    if not reported:
                        log.warning("turn %s: %s", turn.id, error)
                    reported = True
                    watch.forget_screen()
                    await asyncio.sleep(1)
        finally:
            pane.running_turns -= 1
            pane.asks_unreported = False
            pane.note_stop_hooks(turn.progress.stop_hooks)

    def _pane(self, session: str) -> Pane:
        if not NAME.fullmatch(session):
            raise errors.NotFound(
                f"{session[:80]!r} is not a session name",
                code="unknown_session",
                hint="Use up to 64 letters, digits, - and _.",
            )
        if session not in self._panes:
            window = Window(self._terminal, session)
            self._panes[session] = Pane(self._settings, window, self._plugin, self._environment, self._toolboxes)
        return self._panes[session]

    def _folder(self, turn: Turn) -> TurnFolder:
        return TurnFolder(self._settings.response_dir, turn.id)


def _is_delivered(folder: TurnFolder) -> bool:
    return (folder.path / "prompt_id").is_file()
