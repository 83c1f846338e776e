"""Carries turns over the Messages API: in this process, or (`workers.carrier`) by handing them to another one."""

from __future__ import annotations

import asyncio
import gc
import importlib
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import TYPE_CHECKING, Protocol

from paliadin.base import errors
from paliadin.base.settings import Settings
from paliadin.events.interrupts import NO_REPLY, read_reply
from paliadin.parts.messages import request, system_prompt
from paliadin.parts.messages.limits import MessageLimits
from paliadin.parts.messages.request import Pair, Window
from paliadin.parts.messages.settings import MessagesSettings
from paliadin.parts.messages.tools import Tools
from paliadin.parts.messages.turn_run import Limits, TurnRun
from paliadin.people.person_key import PersonKey
from paliadin.relays.open_questions import OpenQuestions
from paliadin.relays.turn import Turn, failure
from paliadin.steps.model import Aborted, Accepted, Interrupted, Stopping
from paliadin.turnlog.ids import now_ms

if TYPE_CHECKING:
    from paliadin.parts.messages.api import MessagesApi

log = logging.getLogger(__name__)

HISTORY_CUT = "history_cut"
"""The notice on a turn whose model gets only the end of the conversation."""
NO_KEY = "no key for the Messages API is set"


ReadEarlier = Callable[[], Awaitable[Sequence[Pair]]]
"""Reads the conversation's earlier pairs, newest first."""


class Carrier(Protocol):
    """Carries turns whose question may be asked. Its methods keep to the contract of `protocol.Relay`."""

    def running(self) -> AbstractAsyncContextManager[None]:
        """Carry turns during a `with` block."""

    async def carry(self, turn: Turn, earlier: ReadEarlier) -> None:
        """Ask, and return once the turn's log is complete. A Stop before this counts, and one while `earlier` reads."""

    async def resume(self, turn: Turn) -> None:
        """Go on with a turn of an earlier daemon, or end it."""

    async def reply(self, turn: Turn, interrupt_id: str, value: object, *, cancel: bool) -> None:
        """Hand over the user's reply to a question of the model's."""

    async def abort(self, turn: Turn) -> None:
        """Stop a turn; return once nothing more is written into its log."""

    async def count(self, own_key: str | None, prompt: str) -> int | None:
        """Return how many tokens the API counts in a question; None where nobody asks it. Raises RelayError."""

    async def trouble(self) -> errors.RelayError | None:
        """Return the error that keeps every question from being asked, if there is one."""


class LocalCarrier:
    """A `Carrier` that asks the API itself. `own_key` gives a person's own key, None without one."""

    def __init__(self, settings: Settings, tools: Tools, own_key: Callable[[PersonKey], Awaitable[str | None]]) -> None:
        self._settings, self._tools, self._own_key = settings, tools, own_key
        self._own = settings.part(MessagesSettings)
        self._api: MessagesApi | None = None
        self._loading = asyncio.Lock()
        self._running: dict[str, asyncio.Task[None]] = {}  # by turn id
        self._questions = OpenQuestions()

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Carry turns during a `with` block; the SDK, which takes a second to load, is loaded in the background."""
        loading = asyncio.create_task(self._load())
        try:
            yield
        finally:
            loading.cancel()
            await asyncio.gather(loading, return_exceptions=True)
            if self._api:
                await self._api.close()

    async def carry(self, turn: Turn, earlier: ReadEarlier) -> None:
        task = self._running[turn.id] = asyncio.create_task(self._carry(turn, earlier))
        if turn.progress.stop_requested:
            task.cancel()
        try:
            await asyncio.wait({task})
            if task.cancelled():  # before it began
                turn.log.append(Aborted(now_ms(), "page"))
            else:
                task.result()
        finally:
            task.cancel()
            del self._running[turn.id]

    async def _carry(self, turn: Turn, earlier: ReadEarlier) -> None:
        run: TurnRun | None = None
        try:
            api = await self._client_of(turn)
            window = await self._window(api, turn.prompt, await earlier())
            turn.log.append(Accepted(now_ms(), self._own.api_model, [HISTORY_CUT] if window.left_out else None))
            limits = Limits(self._own.output_tokens, self._own.context_tokens, self._settings.turn_timeout)
            run = TurnRun(turn, api, self._tools, self._ask, self._own.api_model, limits)
            reader = await self._tools.reader(turn.person)
            facts = system_prompt.facts(reader, self._own.firm or "", from_browser=bool(turn.description.history))
            await run.run(window, system_prompt.rules(self._tools.guides), facts)
        except asyncio.CancelledError:
            if run:
                run.append_usage()
            if not turn.progress.stop_requested:
                raise  # the process ends; whoever looks after the turn next tells so
            turn.log.append(Aborted(now_ms(), "page"))
        except errors.PaliadinError as error:
            if run:
                run.append_usage()
            log.warning("turn %s ends (%s): %s", turn.id, self._own.api_host, error.message)
            turn.log.append(failure(error))

    async def _window(self, api: MessagesApi, prompt: str, pairs: Sequence[Pair]) -> Window:
        """Choose the part of the conversation to send: by an estimate, and near the limit by the API's own count."""
        limit = self._own.history_tokens
        window = request.newest(pairs, prompt, limit)
        texts = [text for pair in pairs for text in (pair.prompt, pair.answer)]
        if pairs and request.is_near(limit, prompt, *texts):
            estimated = request.estimate(prompt, *texts)
            counted = await self._counted(api, request.messages(Window(pairs[::-1]), prompt)) or estimated
            window = request.newest(pairs, prompt, limit, counted / estimated)
        return window

    async def _counted(self, api: MessagesApi, messages: Sequence[request.Block]) -> int | None:
        try:
            return await api.count(self._own.api_model, messages)
        except errors.RelayError as error:  # the question itself will tell whether the API is there
            log.warning("tokens are not counted: %s", error.message)
            return None

    async def count(self, own_key: str | None, prompt: str) -> int | None:
        return await self._counted(await self._client(own_key), request.messages(Window(()), prompt))

    async def try_key(self, key: str) -> None:
        """Check a person's own key with a request that costs nothing; raises RelayError."""
        await (await self._client(key)).count(self._own.api_model, request.messages(Window(()), "Hello"))

    async def trouble(self) -> errors.RelayError | None:
        return None

    async def resume(self, turn: Turn) -> None:
        """End the turn: its request ended with the earlier daemon, and asking again would be paid twice."""
        error = errors.StreamBroken("Paliadin was restarted while the model answered")
        turn.log.append(failure(error))

    async def _ask(self, turn: Turn, step: Interrupted) -> str:
        """Put a question to the user; returns the result for the model."""
        if self._questions.has(turn, step.id):
            return NO_REPLY  # another one with the same id: only one of them can be replied to
        replied = await self._questions.ask(turn, step, self._settings.interrupt_timeout)
        if replied.value is None:
            return NO_REPLY
        texts = read_reply(step, replied.value).texts
        return "The user has answered: " + ", ".join(f'"{question}" = "{text}"' for question, text in texts.items())

    async def reply(self, turn: Turn, interrupt_id: str, value: object, *, cancel: bool) -> None:
        self._questions.reply(turn, interrupt_id, value, cancel=cancel)

    async def abort(self, turn: Turn) -> None:
        turn.progress.stop_requested = True
        if task := self._running.get(turn.id):
            turn.log.append(Stopping(now_ms()))
            task.cancel()
            await asyncio.wait({task})

    async def _client_of(self, turn: Turn) -> MessagesApi:
        if turn.description.own_key is None:
            return await self._client(None)
        own_key = await self._own_key(turn.description.own_key)
        if own_key is None:  # the installation's is not theirs to use up: it was not asked for
            raise errors.OwnKeyRefused("your own key was removed after you had asked", hint="Ask again.")
        return await self._client(own_key)

    async def _client(self, own_key: str | None) -> MessagesApi:
        """Return a client with the person's own key, else the installation's; raises NoApiKey without both."""
        if not own_key and not self._own.api_key:
            raise errors.NoApiKey(NO_KEY)
        api = await self._load()
        return api.with_key(own_key) if own_key else api

    async def _load(self) -> MessagesApi:
        """Return the client with the installation's key, made with the first call."""
        async with self._loading:
            if self._api is None:
                api = await asyncio.to_thread(importlib.import_module, "paliadin.parts.messages.api")
                limits = MessageLimits(self._own.output_tokens)
                self._api = api.MessagesApi(self._own.api_key, self._own.api_url, self._settings.turn_timeout, limits)
                gc.freeze()  # the SDK is most of what a process holds: see `base.garbage_collection`
            return self._api
