"""The relay on this machine: a Claude per session, in Paliadin's own tmux server."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import re
import socket
import time
from collections.abc import AsyncIterator, Mapping
from dataclasses import replace

from paliadin import errors, interrupts
from paliadin.config import Settings
from paliadin.prompt import Context, envelope
from paliadin.reduce import is_over
from paliadin.relay import SessionState, claude
from paliadin.relay.keyboard import Keyboard
from paliadin.relay.pane import last_line
from paliadin.relay.screen import State
from paliadin.relay.tmux import Terminal
from paliadin.relay.usage import count_tokens
from paliadin.relay.watch import Watch, fail
from paliadin.turnlog import Line, TurnFolder, follow, write_json

log = logging.getLogger(__name__)

_WORDS = {
    State.STARTING: ("Claude is starting", ""),
    State.READY: ("Claude is ready", ""),
    State.BUSY: ("Claude is at work", ""),
    State.PERMISSION: ("Claude waits for a permission", "Answer on the page, or with `paliadin attach`."),
    State.QUESTION: ("Claude waits for an answer", "Answer on the page, or with `paliadin attach`."),
    State.TRUST: ("Claude asks whether to trust the working folder", "Run `paliadin attach` and answer."),
    State.LOGIN: ("Claude Code asks for a login", errors.NotLoggedIn.default_hint),
    State.NOT_LOGGED_IN: ("Claude Code is not logged in", errors.NotLoggedIn.default_hint),
    State.DRAFT: ("something is typed in Claude's terminal", errors.TerminalInUse.default_hint),
    State.DIALOG: ("a dialog is open in Claude's terminal", errors.DialogOpen.default_hint),
    State.STOPPED: ("Claude was stopped (Ctrl-Z); it is being woken", ""),
    State.DEAD: ("Claude is not running; the next question starts it", ""),
}


class LocalRelay:
    """See `paliadin.relay.Relay`. `environment`: what Claude runs with instead of the terminal's own."""

    host = socket.gethostname()

    def __init__(self, settings: Settings, environment: Mapping[str, str] | None = None) -> None:
        self._settings, self._environment = settings, environment
        self._terminal = Terminal(settings.tmux_socket, settings.tmux_session)
        self._plugin = claude.keep_plugin(settings.home)
        self._panes: dict[str, Keyboard] = {}
        self._aborted: set[str] = set()  # turns that must not be typed (any more)
        self._login: tuple[float, bool | None] = (0.0, None)  # (good until, logged in)

    async def close(self) -> None:
        """Claude and its terminal live on."""
        await asyncio.to_thread(self._terminal.close)

    async def submit(self, turn_id: str, session: str, text: str) -> None:
        pane, turn = self._pane(session), self._turn(turn_id)
        pane.read_conversation()
        turn.append(relay={"kind": "accepted", "model": pane.model})
        try:
            await pane.submit(turn, text, cancelled=lambda: turn_id in self._aborted)
        except errors.PaliadinError as error:
            if isinstance(error, errors.DialogOpen) and await self._logged_in() is False:
                error = errors.NotLoggedIn("Claude Code is not logged in")  # its first start asks many things
            if isinstance(error, errors.SubmitFailed) and _delivered(turn):
                await pane.interrupt(turn, text)
            await fail(pane, turn, error)
        else:
            await self._watch(pane, turn, text)
        finally:
            self._aborted.discard(turn_id)

    async def resume(self, turn_id: str, session: str) -> None:
        pane, turn = self._pane(session), self._turn(turn_id)
        if not _delivered(turn):
            async with pane.lock:
                await pane.clear(_typed(turn))
            error = errors.SubmitFailed("Paliadin was stopped before the question reached Claude", hint="Ask again.")
            await fail(pane, turn, error)
            return
        await self._watch(pane, turn, _typed(turn))

    def follow(self, turn_id: str) -> AsyncIterator[Line]:
        return follow(self._turn(turn_id).log)

    async def answer(self, turn_id: str, interrupt_id: str, value: object, *, cancel: bool) -> None:
        turn = self._turn(turn_id)
        waiting = {line["interrupt"]: line.get("hook") for line in turn.lines() if "interrupt" in line}
        closed = {line["answer"] for line in turn.lines() if "answer" in line}
        hook = waiting.get(interrupt_id)
        if not isinstance(hook, Mapping) or interrupt_id in closed:
            raise errors.NotFound(
                "this question is not open (any more)", code="unknown_interrupt", hint="It was answered elsewhere."
            )
        decision = interrupts.decide(hook, value, cancel=cancel)
        by = "cancel" if cancel else "page"
        write_json(turn.path / "answers" / f"{interrupt_id}.json", {"by": by, "value": value, "decision": decision})

    async def abort(self, turn_id: str, session: str) -> None:
        pane, turn = self._pane(session), self._turn(turn_id)
        self._aborted.add(turn_id)
        with contextlib.suppress(errors.StorageFull):  # Escape is pressed on a full disk, too
            turn.append(relay={"kind": "stopping"})
        await pane.interrupt(turn, _typed(turn))
        if not is_over(turn.lines()):
            await count_tokens(pane, turn)
            turn.append(relay={"kind": "aborted", "by": "page"})

    async def reset(self, session: str) -> None:
        await self._pane(session).reset()

    async def state(self, session: str) -> SessionState:
        pane = self._pane(session)
        screen = await pane.look()
        if pane.is_own(screen):  # the next question clears it
            screen = replace(screen, state=State.READY, text="")
        message, hint = _WORDS[screen.state]
        if screen.state is State.DEAD and screen.text:
            message = f"Claude ended; the next question starts it. It said: {last_line(screen.text, 6)}"
            hint = "`paliadin attach` shows its terminal; if nobody is logged in to Claude Code yet, type /login there."
        if screen.state in {State.READY, State.DIALOG} and await self._logged_in() is False:
            screen = replace(screen, state=State.NOT_LOGGED_IN)
            message, hint = _WORDS[State.NOT_LOGGED_IN]
        shown = screen.text if screen.state not in {State.READY, State.BUSY, State.DEAD} else ""
        if screen.state is State.READY and not pane.hooks_seen:
            message, hint = (
                "Claude runs, but its hooks do not",
                "End it with /exit in `paliadin attach`; it comes back.",
            )
            return SessionState(session, self.host, "no_hooks", message, hint, shown)
        return SessionState(session, self.host, str(screen.state), message, hint, shown)

    async def _logged_in(self) -> bool | None:
        until, known = self._login
        if time.monotonic() > until:
            known = await claude.logged_in(self._settings, self._environment)
            self._login = (time.monotonic() + (5.0 if known is False else 300.0), known)
        return known

    async def start(self, session: str) -> None:
        """Bring the session up before anyone asks."""
        pane = self._pane(session)
        async with pane.lock:
            await pane.live()

    async def _watch(self, pane: Keyboard, turn: TurnFolder, text: str) -> None:
        watch = Watch(pane, turn, text, self._settings)
        while True:
            try:
                return await watch.run()
            except errors.TmuxUnresponsive as error:
                log.warning("turn %s: %s", turn.turn_id, error)
                await asyncio.sleep(1)

    def _pane(self, session: str) -> Keyboard:
        if not re.fullmatch(r"[A-Za-z0-9_-]{1,64}", session):
            raise errors.NotFound("there is no session with this name", code="unknown_session")
        if session not in self._panes:
            self._panes[session] = Keyboard(self._settings, self._terminal, self._plugin, session, self._environment)
        return self._panes[session]

    def _turn(self, turn_id: str) -> TurnFolder:
        return TurnFolder(self._settings.response_dir, turn_id)


def _typed(turn: TurnFolder) -> str:
    """What was typed for this turn: the envelope, or what the owner typed by hand."""
    description = turn.describe()
    message = str(description.get("user_message"))
    if description.get("origin") in {"terminal", "agent"}:
        return message
    return envelope(turn.turn_id, message, Context.parse(description.get("context")))


def _delivered(turn: TurnFolder) -> bool:
    return (turn.path / "prompt_id").is_file()
