"""One turn, asked and followed from the terminal: its events, the questions it asks back, Ctrl-C."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Mapping
from typing import Any

from paliadin.cli.client import Daemon
from paliadin.cli.display import View
from paliadin.cli.prompting import ask_user
from paliadin.errors import PaliadinError
from paliadin.reduce import Event

Json = Mapping[str, Any]

STOPPED = 130  # exit code, as of a shell for Ctrl-C


class Conversation:
    """`asks`: the terminal is there to answer questions; otherwise they wait for the page."""

    def __init__(self, daemon: Daemon, view: View, *, asks: bool) -> None:
        self._daemon, self._view, self._asks = daemon, view, asks
        self._turn_id = ""
        self._stopping = False
        self._abort: asyncio.Task[None] | None = None
        self._prompt: asyncio.Task[dict[str, Any]] | None = None
        self._resolved: set[object] = set()
        self._events: asyncio.Queue[Event | None] = asyncio.Queue()

    async def run(self, question: Json) -> int:
        """Returns the exit code; raises PaliadinError when the turn fails."""
        loop = asyncio.get_running_loop()
        loop.add_signal_handler(signal.SIGINT, self._interrupted, asyncio.current_task())
        try:
            self._turn_id = str((await self._daemon.post("turn", question))["turn_id"])
            if self._stopping:
                self._start_abort()
            return await self._follow()
        except asyncio.CancelledError:
            if self._stopping:
                return STOPPED  # Ctrl-C, twice
            raise
        finally:
            loop.remove_signal_handler(signal.SIGINT)
            self._view.pause()

    async def _follow(self) -> int:
        reading = asyncio.create_task(self._read())
        last = None
        while (event := await self._events.get()) is not None:
            last = event
            self._view.show(event)
            if event.name == "interrupt" and event.data["id"] not in self._resolved:
                await self._answer(event.data)
        await reading
        if self._stopping:
            return STOPPED
        if last is not None and last.name == "error":
            data = last.data
            raise PaliadinError(str(data["message"]), hint=str(data.get("hint") or ""), code=str(data.get("code")))
        return 1 if last is not None and last.data.get("aborted") else 0

    async def _read(self) -> None:
        """Reads ahead, so that a question which someone else answers is not asked any longer."""
        try:
            async for event in self._daemon.events(self._turn_id):
                if event.name == "interrupt_resolved":
                    self._resolved.add(event.data["id"])
                    self._cancel_prompt(event.data["id"])
                self._events.put_nowait(event)
        finally:
            self._cancel_prompt()
            self._events.put_nowait(None)

    async def _answer(self, interrupt: Json) -> None:
        if not self._asks:
            self._view.note(f"{interrupt['message']} - waits for your answer at {self._daemon.url}/paliadin")
            return
        self._prompt = asyncio.create_task(ask_user(interrupt), name=str(interrupt["id"]))
        await asyncio.wait({self._prompt})
        prompt, self._prompt = self._prompt, None
        if prompt.cancelled():
            return
        try:
            body = {"interrupt_id": interrupt["id"], **prompt.result()}
            await self._daemon.post(f"stream/{self._turn_id}/answer", body)
        except PaliadinError as error:
            self._view.note(f"{error.message} {error.hint}")

    def _cancel_prompt(self, interrupt_id: object = None) -> None:
        if self._prompt and interrupt_id in {None, self._prompt.get_name()}:
            self._prompt.cancel()
            self._view.note("")  # ends the prompt's line

    def _interrupted(self, main: asyncio.Task[Any] | None) -> None:
        if self._stopping and main:
            main.cancel()
        self._stopping = True
        self._cancel_prompt()
        if self._turn_id and not self._abort:
            self._start_abort()

    def _start_abort(self) -> None:
        self._view.note("Stopping the turn; Ctrl-C again leaves it to itself.")
        self._abort = asyncio.create_task(self._stop())

    async def _stop(self) -> None:
        try:
            await self._daemon.post(f"stream/{self._turn_id}/abort", {})
        except PaliadinError as error:
            self._view.note(f"It could not be stopped: {error.message} {error.hint}")
