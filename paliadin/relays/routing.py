"""Route each session to its relay: `main` is here, `main@office` on the remote host named office.

Here there are two: Claude Code in tmux, and the Messages API if that is set up. PALIADIN_RELAY says which one a session
has; for a session that was placed somewhere, its file `relay` does.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Collection, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from paliadin.base import errors
from paliadin.base.files import write_text
from paliadin.base.session_names import SessionName
from paliadin.base.settings import Settings
from paliadin.base.strict_json import JsonObject
from paliadin.base.tasks import Tasks
from paliadin.people.person_key import PersonKey
from paliadin.relays.figures import Figures
from paliadin.relays.offers import Offers
from paliadin.relays.protocol import DEFAULT_SESSION, SessionState
from paliadin.relays.ssh.hosts import load_remotes, remotes_file_version
from paliadin.relays.ssh.relay import SshRelay
from paliadin.relays.terminal.relay import TerminalRelay
from paliadin.relays.turn import Turn
from paliadin.turnlog.description import Description

if TYPE_CHECKING:
    from paliadin.relays.messages.relay import MessagesRelay

log = logging.getLogger(__name__)

MESSAGES, TERMINAL = "messages", "terminal"
FILE = "relay"
"""The file in a session's folder that says which of the two relays here it has."""


@dataclass
class RelayRouter:
    """A `paliadin.relays.protocol.Relay` that passes each call to the relay of the session's machine.

    It reads the list of remote hosts ($PALIADIN_HOME/remotes.json) again whenever the command line has changed it.
    """

    settings: Settings
    local: TerminalRelay
    messages: MessagesRelay | None = None
    _kinds: dict[str, str] = field(default_factory=dict)  # of sessions here, by their short names
    _ssh_relays: dict[str, SshRelay] = field(default_factory=dict)
    _runs: dict[str, asyncio.Task[None]] = field(default_factory=dict)  # of the SSH relays
    _remotes_version: object = None  # of the list of hosts that was read last
    _tasks: Tasks = field(default_factory=Tasks)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Stay connected to the remote hosts; raises ConfigError when their list is damaged.

        Claude is started here before the first question, because that takes a second. At the end all connections are
        closed; Claude and its turns go on.
        """
        try:
            async with self._tasks, AsyncExitStack() as stack:
                self._remotes_version = remotes_file_version(self.settings.home)
                self._read_list()
                if self.messages:
                    await stack.enter_async_context(self.messages.running())
                if self._kind(DEFAULT_SESSION) == TERMINAL:
                    self._tasks.spawn(self._warm_up())
                self._tasks.spawn(self.local.run())
                yield
        finally:
            await self.local.close()

    async def _warm_up(self) -> None:
        try:
            await self.local.start(DEFAULT_SESSION)
        except errors.PaliadinError as error:
            log.warning("Claude could not be started yet: %s. %s", error.message, error.hint)

    @property
    def ssh_relays(self) -> dict[str, SshRelay]:
        """Return host name → its relay, by the current list of hosts."""
        now = remotes_file_version(self.settings.home)
        if now != self._remotes_version:
            self._remotes_version = now
            try:
                self._read_list()
            except errors.ConfigError as error:
                log.error("the list of hosts was not read again: %s", error.message)  # noqa: TRY400  # no bug
        return self._ssh_relays

    def _read_list(self) -> None:
        remotes = load_remotes(self.settings.home)
        for name in self._ssh_relays.keys() - remotes.keys():
            del self._ssh_relays[name]
            self._runs.pop(name).cancel()
        for name, remote in remotes.items():
            if name in self._ssh_relays:
                self._ssh_relays[name].update(remote)
            else:
                self._ssh_relays[name] = SshRelay(self.settings, remote)
                self._runs[name] = self._tasks.spawn(self._ssh_relays[name].run())

    def sessions(self) -> list[str]:
        """Return the sessions of all remote hosts, each as `session@host`."""
        return [
            str(SessionName(session, name)) for name, relay in self.ssh_relays.items() for session in relay.sessions
        ]

    def host(self, session: str) -> str:
        """Return the name of the session's machine; for a remote one its name in the list of hosts."""
        if local := self.settings.names.short(session):
            return self._here(local).host
        return SessionName.parse(session).place or ""

    def own_hosts(self) -> list[str]:
        here = [self.local.host] if self.settings.keeps_words else []
        return [*here, *([self.messages.host] if self.messages else [])]

    def place(self, session: str, host: str) -> None:
        local = self.settings.names.short(session) or session
        kind = MESSAGES if self.messages and host == self.messages.host else TERMINAL
        folder = self.settings.sessions_dir / local
        folder.mkdir(mode=0o700, exist_ok=True)
        write_text(folder / FILE, kind)
        self._kinds[local] = kind

    def runs_a_claude(self, session: str) -> bool:
        local = self.settings.names.short(session)
        return local is None or self._kind(local) == TERMINAL

    async def check(self, session: str, person: PersonKey, description: Description) -> Description:
        if self.messages and not self.runs_a_claude(session):
            return await self.messages.check(person, description)
        if not self.settings.keeps_words:
            raise errors.RelayError(
                "nothing may be kept of questions here, and a Claude Code keeps all of it",
                code="not_redacted",
                hint="Ask in a conversation over the Messages API.",
            )
        return description

    async def admit(self, session: str, person: PersonKey, description: Description) -> Description:
        if self.messages and not self.runs_a_claude(session):
            return await self.messages.admit(person, description)
        return description

    def _here(self, local: str) -> TerminalRelay | MessagesRelay:
        return self.messages if self.messages and self._kind(local) == MESSAGES else self.local

    def _kind(self, local: str) -> str:
        """Return the relay of a session here. It is asked for often, so it is kept until `place` or `discard`."""
        if local not in self._kinds:
            try:
                placed = (self.settings.sessions_dir / local / FILE).read_text("utf-8").strip()
            except (OSError, ValueError):
                placed = ""
            kind = placed if placed in {MESSAGES, TERMINAL} else self.settings.relay
            self._kinds[local] = kind if self.messages else TERMINAL
        return self._kinds[local]

    def is_reachable(self, session: str) -> bool:
        if self.settings.names.short(session):
            return True
        relay = self.ssh_relays.get(SessionName.parse(session).place or "")
        return relay is not None and relay.is_connected

    async def submit(self, turn: Turn) -> None:
        relay, name = self._route(turn.session)
        await relay.submit(replace(turn, session=name))

    async def resume(self, turn: Turn) -> None:
        relay, name = self._route(turn.session)
        await relay.resume(replace(turn, session=name))

    async def reply(self, turn: Turn, interrupt_id: str, value: object, *, cancel: bool) -> None:
        relay, name = self._route(turn.session)
        await relay.reply(replace(turn, session=name), interrupt_id, value, cancel=cancel)

    async def abort(self, turn: Turn) -> None:
        relay, name = self._route(turn.session)
        await relay.abort(replace(turn, session=name))

    async def reset(self, session: str) -> None:
        relay, name = self._route(session)
        await relay.reset(name)

    async def compact(self, session: str) -> None:
        relay, name = self._route(session)
        await relay.compact(name)

    async def open(self, session: str) -> None:
        relay, name = self._route(session)
        await relay.open(name)

    async def alive(self) -> set[str]:
        local = await self.local.alive() | (await self.messages.alive() if self.messages else set())
        here = {self.settings.names.full(session) for session in local}
        relays = self.ssh_relays.values()
        elsewhere = await asyncio.gather(*(relay.alive() for relay in relays))
        return here | {
            str(SessionName(session, relay.host))
            for relay, sessions in zip(relays, elsewhere, strict=True)
            for session in sessions
        }

    async def park(self, session: str) -> bool:
        relay, name = self._route(session)
        return await relay.park(name)

    async def offers(self, session: str) -> Offers:
        relay, name = self._route(session)
        return await relay.offers(name)

    async def figures(self, sessions: Collection[str]) -> dict[str, Figures]:
        short = {name: session for session in sessions if (name := self.settings.names.short(session))}
        here = await self.local.figures([name for name in short if self._kind(name) == TERMINAL])
        if self.messages:
            here |= await self.messages.figures([name for name in short if self._kind(name) == MESSAGES])
        elsewhere = await asyncio.gather(*(relay.figures() for relay in self.ssh_relays.values()))
        named = {
            name: figures
            for host, known in zip(self.ssh_relays, elsewhere, strict=True)
            for session, figures in known.items()
            if (name := str(SessionName(session, host))) in sessions
        }
        return {short[name]: figures for name, figures in here.items()} | named

    async def configure(self, session: str, changes: JsonObject) -> None:
        relay, name = self._route(session)
        await relay.configure(name, changes)

    async def branch(self, turn_id: str, session: str, branch: str) -> None:
        relay, name = self._route(session)
        await relay.branch(turn_id, name, self._route(branch)[1])

    async def discard(self, session: str) -> None:
        relay, name = self._route(session)
        await relay.discard(name)
        self._kinds.pop(name, None)  # its folder is about to be cleared

    async def forget(self, session: str, turn_ids: Sequence[str]) -> None:
        relay, name = self._route(session)
        await relay.forget(name, turn_ids)

    async def fetch_picture(self, session: str, turn_id: str, name: str) -> None:
        relay, _ = self._route(session)
        if isinstance(relay, SshRelay):
            await relay.fetch_picture(turn_id, name)

    async def state(self, session: str) -> SessionState:
        relay, name = self._route(session)
        return replace(await relay.state(name), name=session)

    def _route(self, session: str) -> tuple[TerminalRelay | MessagesRelay | SshRelay, str]:
        """Return (the session's relay, its name on its machine); raises NotFound for an unknown host."""
        if local := self.settings.names.short(session):
            return self._here(local), local
        name = SessionName.parse(session)
        host = name.place or ""
        if host not in self.ssh_relays:
            raise errors.NotFound(
                f"there is no host named {host}", code="unknown_host", hint="See `paliadin remote list`."
            )
        return self.ssh_relays[host], name.session
