"""The relay to the Messages API: without Claude Code and its process; tools run here, for the conversation's person."""

from __future__ import annotations

import asyncio
import importlib
import logging
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from paliadin.base import errors
from paliadin.base.settings import Settings
from paliadin.base.strict_json import JsonObject
from paliadin.events.interrupts import NO_REPLY, read_reply
from paliadin.events.reducer import LIMIT_LIFTED, OWN_KEY, QUESTIONS_LEFT
from paliadin.relays.figures import Figures
from paliadin.relays.messages import request, system_prompt
from paliadin.relays.messages.known import KnownTurns
from paliadin.relays.messages.request import Window
from paliadin.relays.messages.tools import Guard, Tools
from paliadin.relays.messages.turn_run import Limits, TurnRun
from paliadin.relays.offers import Offers
from paliadin.relays.open_questions import OpenQuestions
from paliadin.relays.protocol import SessionState, State
from paliadin.relays.turn import Turn, failure
from paliadin.steps.model import Aborted, Accepted, Interrupted, Stopping
from paliadin.turnlog.ids import now_ms

if TYPE_CHECKING:
    from paliadin.relays.messages.api import MessagesApi

log = logging.getLogger(__name__)

HISTORY_CUT = "history_cut"
"""The notice on a turn whose conversation is longer than what the model gets of it."""


FEW_LEFT = 6
"""With fewer questions left in this hour than so many, the reader is told."""


@dataclass(slots=True)
class _Running:
    session: str
    task: asyncio.Task[None]
    stopped: asyncio.Event  # by the user


class MessagesRelay:
    """A `paliadin.relays.protocol.Relay` for conversations over the Messages API."""

    def __init__(self, settings: Settings, tools: Tools, guard: Guard) -> None:
        self._settings, self._tools, self._guard = settings, tools, guard
        self.host = settings.api_host
        self._api: MessagesApi | None = None
        self._loading = asyncio.Lock()
        self._been_read: set[str] = set()  # sessions
        self._running: dict[str, _Running] = {}  # by turn id
        self._questions = OpenQuestions()

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Carry turns during a `with` block. The SDK is loaded meanwhile, which takes a second; nobody waits for it."""
        loading = asyncio.create_task(self._load())
        try:
            yield
        finally:
            loading.cancel()
            await asyncio.gather(loading, return_exceptions=True)
            if self._api:
                await self._api.close()

    async def check(self, identity: str, description: JsonObject) -> JsonObject:
        """Return what is to be added to the question's description; raises PaliadinError if it cannot be asked."""
        own_key = await self._guard.own_key(identity)
        api = await self._client(own_key)
        if not self._guard.has_agreed(identity):
            raise errors.Forbidden(
                f"questions here go to {self.host}, and you have not agreed to that yet",
                code="consent_needed",
                status=403,
                hint="Open the page: it says what is sent, and asks.",
            )
        if description.get("attachments"):
            raise errors.InvalidField(
                "files cannot be attached in a conversation over the Messages API",
                hint="Put the text into the question, or ask in a conversation of Claude Code's.",
            )
        await self._check_length(api, str(description["user_message"]))
        if own_key:
            return {OWN_KEY: True}
        await self._guard.check_budget()
        return {}

    async def try_key(self, key: str) -> None:
        """Ask the API for something that costs nothing, with a person's own key; raises RelayError."""
        await (await self._client(key)).count(self._settings.api_model, request.messages(Window(()), "Hello"))

    async def admit(self, identity: str) -> JsonObject:
        """Count a question; returns how many are left, once they are few. Raises RateLimited, StoreUnavailable."""
        admitted = await self._guard.admit(identity)
        few = {QUESTIONS_LEFT: admitted.left} if admitted.left < FEW_LEFT else {}
        return {**few, LIMIT_LIFTED: True} if admitted.is_lifted else few

    async def _check_length(self, api: MessagesApi, message: str) -> None:
        limit = self._settings.question_tokens
        size = request.estimate(message)
        if request.is_near(limit, message):
            size = await self._counted(api, request.messages(Window(()), message), size)
        if size > limit:
            raise errors.ConversationTooLong(f"the question has about {size} tokens, and {limit} are allowed")

    async def submit(self, turn: Turn) -> None:
        known = self._known(turn.session)
        known.add(turn.id)
        stopped = asyncio.Event()
        task = asyncio.create_task(self._carry(turn, known, stopped))
        self._running[turn.id] = _Running(turn.session, task, stopped)
        try:
            await asyncio.wait({task})
            if not task.cancelled():
                task.result()
        finally:
            task.cancel()
            del self._running[turn.id]
        if self._settings.keeps_words:  # the next question need not read it then
            await asyncio.to_thread(known.read, turn.id)

    async def _carry(self, turn: Turn, known: KnownTurns, stopped: asyncio.Event) -> None:
        run: TurnRun | None = None
        try:
            api = await self._client_of(turn)
            window = await self._window(api, turn, known)
            turn.log.append(Accepted(now_ms(), self._settings.api_model, [HISTORY_CUT] if window.left_out else None))
            limits = Limits(self._settings.output_tokens, self._settings.context_tokens, self._settings.turn_timeout)
            run = TurnRun(turn, api, self._tools, self._ask, self._settings.api_model, limits)
            reader = await self._tools.reader(turn.person)
            facts = system_prompt.facts(reader, self._settings.firm or "", is_told=bool(turn.history))
            await run.run(window, system_prompt.rules(), facts)
        except asyncio.CancelledError:
            if run:
                run.append_usage()
            if not stopped.is_set():
                raise  # the daemon ends; the next one tells so
            turn.log.append(Aborted(now_ms(), "page"))
        except errors.PaliadinError as error:
            if run:
                run.append_usage()
            turn.log.append(failure(error))

    async def _window(self, api: MessagesApi, turn: Turn, known: KnownTurns) -> Window:
        """What of the conversation goes along: by an estimate, and near the limit by the API's own count."""
        limit, prompt = self._settings.history_tokens, turn.prompt
        read = self._read if self._settings.keeps_words else self._told
        pairs = await read(known, turn, prompt)
        window = request.newest(pairs, prompt, limit)
        texts = [text for pair in pairs for text in (pair.prompt, pair.answer)]
        if pairs and request.is_near(limit, prompt, *texts):
            estimated = request.estimate(prompt, *texts)
            counted = await self._counted(api, request.messages(Window(pairs[::-1]), prompt), estimated)
            window = request.newest(pairs, prompt, limit, counted / estimated)
        return window

    async def _read(self, known: KnownTurns, turn: Turn, prompt: str) -> list[request.Pair]:
        """The pairs that may fit; with a session's first question they are read from many files, later from none."""
        limit = 2 * self._settings.history_tokens
        if turn.session in self._been_read:
            return _taken(known, turn.id, prompt, limit)
        self._been_read.add(turn.session)
        return await asyncio.to_thread(_taken, known, turn.id, prompt, limit)

    async def _told(self, known: KnownTurns, turn: Turn, _prompt: str) -> list[request.Pair]:
        """The pairs that the reader's browser sent, newest first, before them later ones whose folders are here."""
        told = {each.turn_id for each in turn.history}
        fresh = await asyncio.to_thread(known.fresh, turn.id, told)
        return [*fresh, *(request.Pair(each.question, each.answer) for each in reversed(turn.history))]

    async def _counted(self, api: MessagesApi, messages: Sequence[request.Block], estimated: int) -> int:
        try:
            return await api.count(self._settings.api_model, messages)
        except errors.RelayError as error:  # the question itself will tell whether the API is there
            log.warning("tokens are not counted: %s", error.message)
            return estimated

    async def resume(self, turn: Turn) -> None:
        """End a turn of an earlier daemon: its request ended with that one, and asking again would be paid twice."""
        error = errors.StreamBroken("Paliadin was restarted while the model answered")
        turn.log.append(failure(error))

    async def _ask(self, turn: Turn, step: Interrupted) -> str:
        """Put a question to the user; returns what the model is told."""
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
        running = self._running.get(turn.id)
        if running:
            turn.log.append(Stopping(now_ms()))
            running.stopped.set()
            running.task.cancel()
            await asyncio.wait({running.task})

    async def reset(self, session: str) -> None:
        self._known(session).replace([])

    async def compact(self, session: str) -> None:  # noqa: ARG002  # it is the same for all
        raise errors.RelayError(
            "there is nothing to shorten: what is too old is left out by itself",
            code="nothing_to_shorten",
            hint="Begin a new conversation, if it is to know nothing of before.",
        )

    async def open(self, session: str) -> None:
        """Do nothing: a session is there once it is named."""

    async def alive(self) -> set[str]:
        return {running.session for running in self._running.values()}

    async def park(self, session: str) -> bool:
        return session not in await self.alive()

    async def offers(self, session: str) -> Offers:  # noqa: ARG002  # it has one model, and no commands
        return Offers()

    async def figures(self, sessions: Collection[str]) -> Mapping[str, Figures]:  # noqa: ARG002
        """Nothing: what can be chosen for a Claude Code cannot be chosen here."""
        return {}

    async def configure(self, session: str, changes: JsonObject) -> None:  # noqa: ARG002
        raise errors.InvalidField(
            "the model of a conversation over the Messages API is set for all of them",
            hint="PALIADIN_API_MODEL names it.",
        )

    async def branch(self, turn_id: str, session: str, branch: str) -> None:
        ids = self._known(session).ids()
        self._known(branch).replace([each for each in ids if each < turn_id])

    async def discard(self, session: str) -> None:
        if session in await self.alive():
            raise errors.TurnInFlight("a turn is running in this session", None)
        self._known(session).remove()

    async def forget(self, session: str, turn_ids: Sequence[str]) -> None:
        """Do nothing: the turns' folders are the daemon's own."""

    async def state(self, session: str) -> SessionState:
        if not self._settings.api_key:
            error = errors.NoApiKey(NO_KEY)
            return SessionState(session, self.host, State.NO_API_KEY, error.message, error.hint)
        busy = session in await self.alive()
        message = "The model is answering" if busy else "The model can be asked"
        return SessionState(session, self.host, State.BUSY if busy else State.READY, message)

    def _known(self, session: str) -> KnownTurns:
        return KnownTurns(self._settings.sessions_dir / session, self._settings.response_dir)

    async def _client_of(self, turn: Turn) -> MessagesApi:
        if not turn.own_key_of:
            return await self._client(None)
        own_key = await self._guard.own_key(turn.own_key_of)
        if own_key is None:  # the installation's is not theirs to use up: it was not asked for
            raise errors.OwnKeyRefused("your own key was removed after you had asked", hint="Ask again.")
        return await self._client(own_key)

    async def _client(self, own_key: str | None) -> MessagesApi:
        """Return a client with the person's own key, else the installation's; raises NoApiKey without both."""
        if not own_key and not self._settings.api_key:
            raise errors.NoApiKey(NO_KEY)
        api = await self._load()
        return api.with_key(own_key) if own_key else api

    async def _load(self) -> MessagesApi:
        """Return the client with the installation's key, made with the first call."""
        async with self._loading:
            if self._api is None:
                api = await asyncio.to_thread(importlib.import_module, "paliadin.relays.messages.api")
                settings = self._settings
                self._api = api.MessagesApi(settings.api_key, settings.api_url, settings.turn_timeout)
            return self._api


NO_KEY = "no key for the Messages API is set"


def _taken(known: KnownTurns, before: str, prompt: str, limit: int) -> list[request.Pair]:
    """The newest pairs, newest first, until they have surely more tokens than the limit."""
    taken, room = [], limit - request.estimate(prompt)
    for pair in known.pairs(before):
        taken.append(pair)
        room -= request.estimate(pair.prompt, pair.answer)
        if room < 0:
            break
    return taken
