"""The relay to the Messages API: without Claude Code and its process; tools run for the conversation's person.

It decides what may be asked and what the model knows of the conversation; a `Carrier` asks.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

from paliadin.base import errors
from paliadin.base.settings import Settings
from paliadin.base.settings_values import MESSAGES
from paliadin.base.strict_json import JsonObject
from paliadin.parts.messages import request
from paliadin.parts.messages.carrier import NO_KEY, Carrier
from paliadin.parts.messages.known_turns import KnownTurns
from paliadin.parts.messages.settings import MessagesSettings
from paliadin.parts.messages.tools import Guard
from paliadin.people.person_key import PersonKey
from paliadin.relays.protocol import SessionState, State, Traits
from paliadin.relays.turn import Turn
from paliadin.turnlog.description import Description
from paliadin.turnlog.session_log import SessionLog

FEW_LEFT = 6
"""The reader learns how many questions are left in this hour once they are fewer than this."""


class MessagesRelay:
    """A `paliadin.relays.protocol.Relay` for conversations over the Messages API."""

    traits = Traits(MESSAGES)

    def __init__(self, settings: Settings, carrier: Carrier, guard: Guard) -> None:
        self._settings, self._carrier, self._guard = settings, carrier, guard
        self._own = settings.part(MessagesSettings)
        self.host = self._own.api_host
        self._been_read: set[str] = set()  # sessions
        self._running: dict[str, str] = {}  # turn id → its session

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Carry turns during a `with` block."""
        async with self._carrier.running():
            yield

    async def check(self, person: PersonKey, description: Description) -> Description:
        """Return the question's description with who pays; raises PaliadinError if it cannot be asked."""
        own_key = await self._guard.own_key(person)
        if not own_key and not self._own.api_key:
            raise errors.NoApiKey(NO_KEY)
        if not self._guard.has_agreed(person):
            raise errors.Forbidden(
                f"questions here go to {self.host}, and you have not agreed to that yet",
                code="consent_needed",
                status=403,
                hint="Open the page: it says what is sent, and asks.",
            )
        if description.attachments:
            raise errors.InvalidField(
                "files cannot be attached in a conversation over the Messages API",
                hint="Put the text into the question, or ask in a conversation of Claude Code's.",
            )
        await self._check_length(own_key, description.user_message)
        if own_key:
            return replace(description, own_key=person)
        await self._guard.check_budget()
        return description

    async def admit(self, person: PersonKey, description: Description) -> Description:
        """Count a question; the description that is returned tells how many are left, if they are few.

        Raises RateLimited, StoreUnavailable.
        """
        admitted = await self._guard.admit(person)
        left = admitted.left if admitted.left < FEW_LEFT else None
        return replace(description, questions_left=left, limit_lifted=admitted.is_lifted)

    async def _check_length(self, own_key: str | None, message: str) -> None:
        limit = self._own.question_tokens
        size = request.estimate(message)
        if request.is_near(limit, message):
            size = await self._carrier.count(own_key, message) or size
        if size > limit:
            raise errors.ConversationTooLong(f"the question has about {size} tokens, and {limit} are allowed")

    async def submit(self, turn: Turn) -> None:
        known = self._known(turn.session)
        known.add(turn.id)
        self._running[turn.id] = turn.session
        try:
            read = self._pairs_from_logs if self._settings.keeps_words else self._pairs_from_browser
            await self._carrier.carry(turn, lambda: read(known, turn))
        finally:
            del self._running[turn.id]
        if self._settings.keeps_words:  # the next question need not read it then
            await asyncio.to_thread(known.read, turn.id)

    async def resume(self, turn: Turn) -> None:
        self._running[turn.id] = turn.session
        try:
            await self._carrier.resume(turn)
        finally:
            del self._running[turn.id]

    async def _pairs_from_logs(self, known: KnownTurns, turn: Turn) -> list[request.Pair]:
        """Return the pairs that may fit. A session's first question reads many logs, later ones hardly any."""
        limit = 2 * self._own.history_tokens
        if turn.session in self._been_read:
            return _newest_pairs(known, turn.id, turn.prompt, limit)
        self._been_read.add(turn.session)
        return await asyncio.to_thread(_newest_pairs, known, turn.id, turn.prompt, limit)

    async def _pairs_from_browser(self, known: KnownTurns, turn: Turn) -> list[request.Pair]:
        """Return the pairs that the reader's browser sent, newest first, before them those that only logs have."""
        sent = {each.turn_id for each in turn.description.history}
        unsent = await asyncio.to_thread(known.unsent, turn.id, sent)
        return [*unsent, *(request.Pair(each.question, each.answer) for each in reversed(turn.description.history))]

    async def reply(self, turn: Turn, interrupt_id: str, value: object, *, cancel: bool) -> None:
        await self._carrier.reply(turn, interrupt_id, value, cancel=cancel)

    async def abort(self, turn: Turn) -> None:
        await self._carrier.abort(turn)

    async def reset(self, session: str) -> None:
        self._known(session).replace([])
        SessionLog(self._settings.sessions_dir / session).note_cleared()

    async def compact(self, _session: str, /) -> None:
        raise errors.RelayError(
            "there is nothing to shorten: what is too old is left out by itself",
            code="nothing_to_shorten",
            hint="Begin a new conversation, if it is to know nothing of before.",
        )

    async def alive(self) -> set[str]:
        return {*self._running.values()}

    async def configure(self, _session: str, _changes: JsonObject, /) -> None:
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

    async def state(self, session: str) -> SessionState:
        if not self._own.api_key:
            missing = errors.NoApiKey(NO_KEY)
            return SessionState(session, self.host, State.NO_API_KEY, missing.message, missing.hint)
        if trouble := await self._carrier.trouble():
            return SessionState(session, self.host, State.NO_WORKER, trouble.message, trouble.hint)
        busy = session in await self.alive()
        message = "The model is answering" if busy else "The model can be asked"
        return SessionState(session, self.host, State.BUSY if busy else State.READY, message)

    def _known(self, session: str) -> KnownTurns:
        return KnownTurns(self._settings.sessions_dir / session, self._settings.response_dir)


def _newest_pairs(known: KnownTurns, before: str, prompt: str, limit: int) -> list[request.Pair]:
    """Return the pairs, newest first, until they have certainly more tokens than the limit."""
    pairs, room = [], limit - request.estimate(prompt)
    for pair in known.pairs(before):
        pairs.append(pair)
        room -= request.estimate(pair.prompt, pair.answer)
        if room < 0:
            break
    return pairs
