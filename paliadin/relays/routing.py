"""Find each session's relay: `main` is carried here, `main@office` on the remote host named office.

There may be several relays here. PALIADIN_RELAY names the one that sessions have; for a session that was placed
somewhere, its file `relay` does.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace

from paliadin.base import errors
from paliadin.base.files import write_text
from paliadin.base.session_names import SessionName, SessionNames
from paliadin.base.settings import Settings
from paliadin.base.tasks import Tasks
from paliadin.relays.figures import Figures
from paliadin.relays.offers import Offers
from paliadin.relays.protocol import (
    CLAUDE_CODE,
    DEFAULT_SESSION,
    FarRelay,
    Guarded,
    Hosts,
    Measured,
    Offering,
    OwnRelay,
    Relay,
    SessionState,
    Startable,
    Traits,
)
from paliadin.relays.turn import Turn

log = logging.getLogger(__name__)

FILE = "relay"
"""The file in a session's folder that names the relay here that it has."""


@dataclass
class Relays:
    """The relays of a daemon. Sessions have their full names here; at a relay they have its own (`at`).

    `here` are those on this machine; the first one has the sessions whose own relay is off. `hosts` are the others.
    """

    settings: Settings
    here: Sequence[OwnRelay]
    hosts: Hosts | None = None
    _own: dict[str, OwnRelay] = field(default_factory=dict)  # of sessions here, by their short names
    _names: SessionNames = field(init=False)

    def __post_init__(self) -> None:
        self._names = self.settings.names

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Carry turns during a `with` block; raises ConfigError. At its end the turns that run go on.

        The first session's model is started before the first question, because that takes a second.
        """
        async with contextlib.AsyncExitStack() as stack:
            for each in self.here:
                await stack.enter_async_context(each.running())
            if self.hosts:
                await stack.enter_async_context(self.hosts.running())
            tasks = await stack.enter_async_context(Tasks())
            relay, session = self.at(DEFAULT_SESSION)
            if isinstance(relay, Startable):
                tasks.spawn(_warm_up(relay, session))
            yield

    def at(self, session: str) -> tuple[Relay, str]:
        """Return (the session's relay, its name there); raises NotFound for an unknown host."""
        if local := self._names.short(session):
            return self._own_relay(local), local
        name = SessionName.parse(session)
        relay = self._far().get(name.place or "")
        if relay is None:
            raise errors.NotFound(
                f"there is no host named {name.place or ''}", code="unknown_host", hint="See `paliadin remote list`."
            )
        return relay, name.session

    def traits(self, session: str) -> Traits:
        """Return the traits of the session's relay; of a host that is gone, those of all hosts."""
        try:
            return self.at(session)[0].traits
        except errors.NotFound:
            return CLAUDE_CODE

    def _far(self) -> Mapping[str, FarRelay]:
        return self.hosts.relays() if self.hosts else {}

    def _own_relay(self, local: str) -> OwnRelay:
        """Return the relay of a session here. It is asked for often, so it is kept until `place` or `forget_place`."""
        if local not in self._own:
            try:
                placed = (self.settings.sessions_dir / local / FILE).read_text("utf-8").strip()
            except (OSError, ValueError):
                placed = ""
            by_name = {relay.traits.name: relay for relay in self.here}
            self._own[local] = by_name.get(placed) or by_name.get(self.settings.relay) or self.here[0]
        return self._own[local]

    def place(self, session: str, host: str) -> None:
        """Let a new session be carried at one of `own_hosts`, whatever the settings say for others."""
        local = self._names.short(session) or session
        there = [relay for relay in self.here if relay.host == host] or self.here
        relay = next((relay for relay in there if relay.traits.name == self.settings.relay), there[0])
        folder = self.settings.sessions_dir / local
        folder.mkdir(mode=0o700, exist_ok=True)
        write_text(folder / FILE, relay.traits.name)
        self._own[local] = relay

    def own_hosts(self) -> list[str]:
        """Return the hosts of sessions whose folder is here: this machine, the Messages API, or both."""
        return [relay.host for relay in self.here if self.settings.keeps_words or isinstance(relay, Guarded)]

    def host(self, session: str) -> str:
        """Return the name of the session's machine, or of the API; for a remote one its name in the list of hosts."""
        local = self._names.short(session)
        return self._own_relay(local).host if local else SessionName.parse(session).place or ""

    def sessions(self) -> list[str]:
        """Return the sessions of all remote hosts, each as `session@host`."""
        return [str(SessionName(session, name)) for name, relay in self._far().items() for session in relay.sessions]

    def is_reachable(self, session: str) -> bool:
        """Tell whether the session's machine can be asked now."""
        if self._names.short(session):
            return True
        relay = self._far().get(SessionName.parse(session).place or "")
        return relay is not None and relay.is_connected

    async def submit(self, turn: Turn) -> None:
        relay, name = self.at(turn.session)
        await relay.submit(replace(turn, session=name))

    async def resume(self, turn: Turn) -> None:
        relay, name = self.at(turn.session)
        await relay.resume(replace(turn, session=name))

    async def reply(self, turn: Turn, interrupt_id: str, value: object, *, cancel: bool) -> None:
        relay, name = self.at(turn.session)
        await relay.reply(replace(turn, session=name), interrupt_id, value, cancel=cancel)

    async def abort(self, turn: Turn) -> None:
        relay, name = self.at(turn.session)
        await relay.abort(replace(turn, session=name))

    async def state(self, session: str) -> SessionState:
        """Look at the session and return its current state, with its full name."""
        relay, name = self.at(session)
        return replace(await relay.state(name), name=session)

    async def discard(self, session: str) -> None:
        """End what runs for the session, and remove its conversation; raises TurnInFlight."""
        relay, name = self.at(session)
        await relay.discard(name)

    def forget_place(self, session: str) -> None:
        """Forget which relay a session here has: its folder is about to be cleared."""
        self._own.pop(self._names.short(session) or "", None)

    async def offers(self, session: str) -> Offers:
        """Return what the session's model offers, which may be nothing; raises RelayError, after some seconds."""
        relay, name = self.at(session)
        return await relay.offers(name) if isinstance(relay, Offering) else Offers()

    async def alive(self) -> set[str]:
        """Return the sessions that are at work or have a program that runs."""
        here = {self._names.full(session) for relay in self.here for session in await relay.alive()}
        far = self._far()
        sessions = await asyncio.gather(*(relay.alive() for relay in far.values()))
        named = zip(far, sessions, strict=True)
        return here | {str(SessionName(session, host)) for host, names in named for session in names}

    async def figures(self, sessions: Collection[str]) -> dict[str, Figures]:
        """Return the figures of these sessions, without those whose model has not reported any."""
        grouped: dict[int, tuple[Relay, dict[str, str]]] = {}  # by relay: its names → the full ones
        for session in sessions:
            with contextlib.suppress(errors.NotFound):  # of a host that was removed
                relay, name = self.at(session)
                grouped.setdefault(id(relay), (relay, {}))[1][name] = session
        # Asked of each relay once: to compare with a protocol was an eighth of what a long list cost.
        measured = [(relay, names) for relay, names in grouped.values() if isinstance(relay, Measured)]
        reported = await asyncio.gather(*(relay.figures(names) for relay, names in measured))
        return {
            names[name]: figures
            for (_, names), known in zip(measured, reported, strict=True)
            for name, figures in known.items()
        }


async def _warm_up(relay: Startable, session: str) -> None:
    try:
        await relay.start(session)
    except errors.PaliadinError as error:
        log.warning("Claude could not be started yet: %s. %s", error.message, error.hint)
