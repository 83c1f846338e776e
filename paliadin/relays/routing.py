"""All relays as one: a session `main` lives on this machine, `main@office` on the host that is called office."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from dataclasses import dataclass, field, replace

from paliadin import errors
from paliadin.config import Settings
from paliadin.relay import Relay, SessionState
from paliadin.relay.local import LocalRelay
from paliadin.remote import load_remotes, stamp
from paliadin.remote.ssh import SshRelay
from paliadin.turnlog import Line, TurnFolder

log = logging.getLogger(__name__)


@dataclass
class Relays:
    """See `paliadin.relay.Relay`."""

    settings: Settings
    local: LocalRelay
    _remotes: dict[str, SshRelay] = field(default_factory=dict)
    _stamp: object = None  # of the list that they come from
    _closing: set[asyncio.Task[None]] = field(default_factory=set)

    def open(self) -> None:
        """Raises ConfigError when the list of hosts is damaged."""
        self._stamp = stamp(self.settings.home)
        self._read_list()

    async def close(self) -> None:
        await asyncio.gather(*self._closing, *(relay.close() for relay in self._remotes.values()))
        await self.local.close()

    @property
    def remotes(self) -> dict[str, SshRelay]:
        """Name → host. The command line adds and removes some while we run."""
        now = stamp(self.settings.home)
        if now != self._stamp:
            self._stamp = now
            try:
                self._read_list()
            except errors.ConfigError as error:
                log.error("hosts stay as they were: %s", error.message)  # noqa: TRY400  # no traceback: it is a file's fault
        return self._remotes

    def _read_list(self) -> None:
        listed = load_remotes(self.settings.home)
        for name in self._remotes.keys() - listed.keys():
            task = asyncio.create_task(self._remotes.pop(name).close())
            self._closing.add(task)
            task.add_done_callback(self._closing.discard)
        for name, remote in listed.items():
            if name in self._remotes:
                self._remotes[name].change(remote)
            else:
                self._remotes[name] = SshRelay(self.settings, remote)
                self._remotes[name].open()

    def remote_sessions(self) -> list[str]:
        return [f"{session}@{name}" for name, relay in self.remotes.items() for session in relay.remote.sessions]

    def host(self, session: str) -> str:
        """The name of the machine that the session lives on."""
        return self.local.host if self.settings.local_name(session) else session.partition("@")[2]

    async def submit(self, turn_id: str, session: str, text: str) -> None:
        relay, name = self._of(session)
        await relay.submit(turn_id, name, text)

    async def resume(self, turn_id: str, session: str) -> None:
        relay, name = self._of(session)
        await relay.resume(turn_id, name)

    def follow(self, turn_id: str) -> AsyncIterator[Line]:
        return self.local.follow(turn_id)  # a remote turn's log is mirrored to the same place

    async def answer(self, turn_id: str, interrupt_id: str, value: object, *, cancel: bool) -> None:
        session = str(TurnFolder(self.settings.response_dir, turn_id).describe().get("session_id"))
        relay, _ = self._of(session)
        await relay.answer(turn_id, interrupt_id, value, cancel=cancel)

    async def abort(self, turn_id: str, session: str) -> None:
        relay, name = self._of(session)
        await relay.abort(turn_id, name)

    async def reset(self, session: str) -> None:
        relay, name = self._of(session)
        await relay.reset(name)

    async def state(self, session: str) -> SessionState:
        relay, name = self._of(session)
        return replace(await relay.state(name), name=session)

    def _of(self, session: str) -> tuple[Relay, str]:
        if local := self.settings.local_name(session):
            return self.local, local
        name, _, host = session.partition("@")
        if host not in self.remotes:
            raise errors.NotFound(
                f"there is no host named {host}", code="unknown_host", hint="See `paliadin remote list`."
            )
        return self.remotes[host], name
