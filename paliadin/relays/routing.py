"""Route each session to its relay: `main` is on this machine, `main@office` on the remote host named office."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace

from paliadin.base import errors
from paliadin.base.session_names import SessionName
from paliadin.base.settings import Settings
from paliadin.relays.protocol import Relay, SessionState
from paliadin.relays.ssh.hosts import load_remotes, remotes_file_version
from paliadin.relays.ssh.relay import SshRelay
from paliadin.relays.terminal.relay import TerminalRelay
from paliadin.turnlog.folder import TurnFolder
from paliadin.turnlog.read import Line

log = logging.getLogger(__name__)


@dataclass
class RelayRouter:
    """A `paliadin.relays.protocol.Relay` that passes each call to the relay of the session's machine.

    It reads the list of remote hosts ($PALIADIN_HOME/remotes.json) again whenever the command line has changed it.
    """

    settings: Settings
    local: TerminalRelay
    _ssh_relays: dict[str, SshRelay] = field(default_factory=dict)
    _remotes_version: object = None  # of the list of hosts that was read last
    _closing: set[asyncio.Task[None]] = field(default_factory=set)

    def open(self) -> None:
        """Connect to the remote hosts; raises ConfigError when their list is damaged."""
        self._remotes_version = remotes_file_version(self.settings.home)
        self._read_list()

    async def close(self) -> None:
        """Close all relays; Claude and its turns go on."""
        await asyncio.gather(*self._closing, *(relay.close() for relay in self._ssh_relays.values()))
        await self.local.close()

    @property
    def ssh_relays(self) -> dict[str, SshRelay]:
        """Host name → its relay, as the list of hosts is now."""
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
            task = asyncio.create_task(self._ssh_relays.pop(name).close())
            self._closing.add(task)
            task.add_done_callback(self._closing.discard)
        for name, remote in remotes.items():
            if name in self._ssh_relays:
                self._ssh_relays[name].update(remote)
            else:
                self._ssh_relays[name] = SshRelay(self.settings, remote)
                self._ssh_relays[name].open()

    def remote_sessions(self) -> list[str]:
        """The sessions of all remote hosts, each as `session@host`."""
        return [
            str(SessionName(session, name))
            for name, relay in self.ssh_relays.items()
            for session in relay.remote.sessions
        ]

    def host(self, session: str) -> str:
        """The name of the session's machine; for a remote one its name in the list of hosts."""
        return self.local.host if self.settings.names.short(session) else SessionName.parse(session).place or ""

    async def submit(self, turn_id: str, session: str, text: str) -> None:
        relay, name = self._route(session)
        await relay.submit(turn_id, name, text)

    async def resume(self, turn_id: str, session: str) -> None:
        relay, name = self._route(session)
        await relay.resume(turn_id, name)

    def follow(self, turn_id: str) -> AsyncIterator[Line]:
        return self.local.follow(turn_id)  # a remote turn's log is mirrored into the same folder

    async def reply(self, turn_id: str, interrupt_id: str, value: object, *, cancel: bool) -> None:
        session = str(TurnFolder(self.settings.response_dir, turn_id).describe().get("session_id"))
        relay, _ = self._route(session)
        await relay.reply(turn_id, interrupt_id, value, cancel=cancel)

    async def abort(self, turn_id: str, session: str) -> None:
        relay, name = self._route(session)
        await relay.abort(turn_id, name)

    async def reset(self, session: str) -> None:
        relay, name = self._route(session)
        await relay.reset(name)

    async def state(self, session: str) -> SessionState:
        relay, name = self._route(session)
        return replace(await relay.state(name), name=session)

    def _route(self, session: str) -> tuple[Relay, str]:
        """(the session's relay, the session's name on its machine); raises NotFound for an unknown host."""
        if local := self.settings.names.short(session):
            return self.local, local
        name = SessionName.parse(session)
        host = name.place or ""
        if host not in self.ssh_relays:
            raise errors.NotFound(
                f"there is no host named {host}", code="unknown_host", hint="See `paliadin remote list`."
            )
        return self.ssh_relays[host], name.session
