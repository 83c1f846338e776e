"""A turn that is asked and followed in the terminal: its place in the queue, its events, Ctrl-C."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from paliadin.base.errors import PaliadinError
from paliadin.cli.client import DaemonClient, JsonObject, ReceivedEvent
from paliadin.cli.echo import echo
from paliadin.cli.interrupts import ask_user, dialog_text, permission_text
from paliadin.cli.turn_printer import TurnPrinter

STOPPED = 130  # exit code, the same as a shell's after Ctrl-C
LOOK_EVERY = 2.0  # seconds between looks at the queue
TRY_AGAIN_AFTER = 0.2  # seconds
MOST_TRIES = 25

HELD: Mapping[object, str] = {
    "stopped": "The turn before yours was stopped",
    "failed": "The question before yours failed",
    "reset": "Claude was made to forget what was said before",
}


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
            response = await self._daemon.send("POST", "turn", question)
            self._turn_id = str(response["turn_id"])
            self._reading = asyncio.create_task(self._read())
            if response.get("queued"):
                self._waiting = WaitingQuestion(self._daemon, self._printer, str(question["session_id"]), response)
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
        kind = interrupt.get("kind")
        if kind == "dialog":
            if interrupt["id"] not in self._dialogs:  # it comes again with each change of what the terminal shows
                self._dialogs.add(str(interrupt["id"]))
                self._show(interrupt, dialog_text, "reply there, in `paliadin attach`")
        elif kind == "permission":
            self._show(interrupt, permission_text, "waits for your reply on the page, or in `paliadin attach`")
        elif not self._interactive:
            self._show(interrupt, None, "waits for your reply on the page (`paliadin open`)")
        else:
            self._asking = asyncio.create_task(ask_user(interrupt), name=str(interrupt["id"]))
            await asyncio.wait({self._asking})
            asking, self._asking = self._asking, None
            if not asking.cancelled():
                await self._reply({"interrupt_id": interrupt["id"], **asking.result()})

    def _show(self, interrupt: JsonObject, text: Callable[[JsonObject], str] | None, where: str) -> None:
        """Show what the interrupt asks, where somebody sits at the terminal, and say where to reply to it."""
        self._printer.pause()
        if text and self._interactive:
            echo(text(interrupt), err=True)
        self._printer.note(f"{interrupt['message']} - {where}")

    async def _reply(self, body: JsonObject) -> None:
        try:
            await self._daemon.send("POST", f"stream/{self._turn_id}/answer", body)
        except PaliadinError as error:
            self._printer.note(f"{error.message} {error.hint}")

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
                await self._daemon.send("POST", f"stream/{self._turn_id}/abort", {})
            elif await self._waiting.stop():
                self._printer.note("The question is withdrawn.")
                self._reading.cancel()
        except PaliadinError as error:
            self._printer.note(f"The turn could not be stopped: {error.message} {error.hint}")


class WaitingQuestion:
    """Says on stderr at which place a question waits and why it does not go on, and withdraws it.

    `asked` is the response of `POST /api/paliadin/turn`.
    """

    def __init__(self, daemon: DaemonClient, printer: TurnPrinter, session_id: str, asked: JsonObject) -> None:
        self._daemon, self._printer, self._session_id = daemon, printer, session_id
        self._turn_id, self._place = str(asked["turn_id"]), int(asked["queued"])
        self._held: object = None

    async def watch(self) -> None:
        """Say the question's place and each change of it, until it does not wait any more or this is cancelled."""
        self._printer.note(
            f"A turn is running there: your question waits at place {self._place} of the queue. Ctrl-C withdraws it."
        )
        while self._place:
            await asyncio.sleep(LOOK_EVERY)
            try:
                history = await self._daemon.send("GET", "history", session_id=self._session_id, limit="1")
            except PaliadinError:  # if it is for good, the stream says so
                continue
            queue = history.get("queue") or {}
            waiting = [turn["turn_id"] for turn in queue.get("turns") or []]
            self._say(waiting.index(self._turn_id) + 1 if self._turn_id in waiting else 0, queue.get("held"))

    def _say(self, place: int, held: object) -> None:
        if place and held and held != self._held:
            reason = HELD.get(held, "The queue is held")
            self._printer.note(f"{reason}: your question waits until you let it go on, on the page.")
        elif place and place != self._place:
            self._printer.note(f"Your question waits at place {place}.")
        self._place, self._held = place, held

    async def stop(self) -> bool:
        """Withdraw the question, or stop its turn if it has begun; returns whether it was withdrawn.

        In the moment in which it is asked neither is possible yet. Raises PaliadinError.
        """
        for _ in range(MOST_TRIES):
            if await _is_done(self._daemon.send("DELETE", f"queue/{self._turn_id}")):
                return True
            if await _is_done(self._daemon.send("POST", f"stream/{self._turn_id}/abort", {})):
                return False
            await asyncio.sleep(TRY_AGAIN_AFTER)
        raise PaliadinError("the question is still being asked", hint="Stop it on the page.")


async def _is_done(request: Awaitable[object]) -> bool:
    try:
        await request
    except PaliadinError as error:
        if error.code != "not_queued":
            raise
        return False
    return True
