"""A turn that is asked and followed in the terminal: its events, its interrupts, Ctrl-C."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Mapping
from typing import Any

from paliadin.base.errors import PaliadinError
from paliadin.cli.client import DaemonClient, ReceivedEvent
from paliadin.cli.echo import echo
from paliadin.cli.keyboard_input import ask_user
from paliadin.cli.replies import dialog_text, permission_text
from paliadin.cli.turn_output import TurnPrinter
from paliadin.cli.waiting_question import WaitingQuestion

JsonObject = Mapping[str, Any]

STOPPED = 130  # exit code, the same as a shell's after Ctrl-C


class TerminalTurn:
    """One turn.

    `interactive`: Claude's questions are asked in the terminal; otherwise they wait for a reply on the page.
    """

    def __init__(self, daemon: DaemonClient, printer: TurnPrinter, *, interactive: bool) -> None:
        self._daemon, self._printer, self._interactive = daemon, printer, interactive
        self._turn_id = ""
        self._waiting: WaitingQuestion | None = None  # until its first event has come
        self._stopping = False
        self._abort: asyncio.Task[None] | None = None
        self._asking: asyncio.Task[dict[str, Any]] | None = None
        self._reading: asyncio.Task[None]
        self._resolved: set[object] = set()
        self._dialogs: set[str] = set()  # ids of those in Claude's terminal that were shown
        self._events: asyncio.Queue[ReceivedEvent | None] = asyncio.Queue()

    async def run(self, question: JsonObject) -> int:
        """Ask and follow the turn to its end; returns the exit code, raises PaliadinError if the turn fails."""
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGINT, self._on_sigint, asyncio.current_task())
        try:
            asked = await self._daemon.post("turn", question)
            self._turn_id = str(asked["turn_id"])
            self._reading = asyncio.create_task(self._read())
            if asked.get("queued"):
                self._waiting = WaitingQuestion(self._daemon, self._printer, str(question["session_id"]), asked)
            if self._stopping:
                self._start_abort()
            return await self._follow()
        except asyncio.CancelledError:
            if self._stopping:
                return STOPPED  # the question was withdrawn, or Ctrl-C pressed twice
            raise
        finally:
            loop.remove_signal_handler(signal.SIGINT)
            self._printer.pause()

    @property
    def is_asked(self) -> bool:
        """True once the daemon has taken the question."""
        return bool(self._turn_id)

    async def _follow(self) -> int:
        last = None
        while (event := await self._next_event()) is not None:
            last = event
            self._printer.show(event)
            if event.name == "interrupt" and event.data["id"] not in self._resolved:
                await self._ask_user(event.data)
        await self._finish_reading()
        if self._stopping:
            return STOPPED
        if last is not None and last.name == "error":
            data = last.data
            raise PaliadinError(str(data["message"]), hint=str(data.get("hint") or ""), code=str(data.get("code")))
        return 1 if last is not None and last.data.get("aborted") else 0

    async def _next_event(self) -> ReceivedEvent | None:
        """Return the next event, or None after the last one. The first comes once the question waits no more."""
        if self._waiting is None:
            return await self._events.get()
        watching = asyncio.create_task(self._waiting.watch())
        try:
            event = await self._events.get()
        finally:
            watching.cancel()
        if event:
            self._waiting = None
        return event

    async def _finish_reading(self) -> None:
        """Raise what ended the reading, if it was not the turn's end."""
        try:
            await self._reading
        except PaliadinError as error:
            if self._waiting is None or error.code != "unknown_turn":
                raise
            message = "the question was not asked: it was withdrawn, or its conversation deleted, while it waited"
            raise PaliadinError(message, hint="Ask again.", code="withdrawn") from error

    async def _read(self) -> None:
        """Queue the events as they arrive, and withdraw a question as soon as it is resolved elsewhere."""
        try:
            async for event in self._daemon.events(self._turn_id):
                if event.name == "interrupt_resolved":
                    self._resolved.add(event.data["id"])
                    self._withdraw_question(event.data["id"])
                self._events.put_nowait(event)
        finally:
            self._withdraw_question()
            self._events.put_nowait(None)

    async def _ask_user(self, interrupt: JsonObject) -> None:
        """Ask the user what the interrupt asks, and send the reply.

        A permission is given elsewhere: a command that Claude runs could give it here.
        """
        if interrupt.get("kind") == "dialog":
            self._show_dialog(interrupt)
            return
        if interrupt.get("kind") == "permission":
            if self._interactive:
                self._printer.pause()
                echo(permission_text(interrupt), err=True)
            self._printer.note(f"{interrupt['message']} - waits for your reply on the page, or in `paliadin attach`")
            return
        if not self._interactive:
            self._printer.note(f"{interrupt['message']} - waits for your reply on the page (`paliadin open`)")
            return
        self._asking = asyncio.create_task(ask_user(interrupt), name=str(interrupt["id"]))
        await asyncio.wait({self._asking})
        asking, self._asking = self._asking, None
        if asking.cancelled():
            return
        try:
            body = {"interrupt_id": interrupt["id"], **asking.result()}
            await self._daemon.post(f"stream/{self._turn_id}/answer", body)
        except PaliadinError as error:
            self._printer.note(f"{error.message} {error.hint}")

    def _show_dialog(self, interrupt: JsonObject) -> None:
        """Show a dialog of Claude's terminal, once: it comes again with each change of what the terminal shows."""
        if interrupt["id"] in self._dialogs:
            return
        self._dialogs.add(str(interrupt["id"]))
        self._printer.pause()
        if self._interactive:
            echo(dialog_text(interrupt), err=True)
        self._printer.note(f"{interrupt['message']} - reply there, in `paliadin attach`")

    def _withdraw_question(self, interrupt_id: object = None) -> None:
        if self._asking and interrupt_id in {None, self._asking.get_name()}:
            self._asking.cancel()
            self._printer.note("")  # ends the prompt's line

    def _on_sigint(self, main: asyncio.Task[Any] | None) -> None:
        """Stop the turn at the first Ctrl-C; leave it at the second."""
        if self._stopping and main:
            main.cancel()
        self._stopping = True
        self._withdraw_question()
        if self._turn_id and not self._abort:
            self._start_abort()

    def _start_abort(self) -> None:
        if self._waiting is None:
            self._printer.note("Stopping the turn; Ctrl-C again exits without waiting for it.")
        self._abort = asyncio.create_task(self._abort_turn())

    async def _abort_turn(self) -> None:
        try:
            if self._waiting is None:
                await self._daemon.post(f"stream/{self._turn_id}/abort", {})
            elif await self._waiting.stop():
                self._printer.note("The question is withdrawn.")
                self._reading.cancel()
        except PaliadinError as error:
            self._printer.note(f"The turn could not be stopped: {error.message} {error.hint}")
