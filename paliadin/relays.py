"""All relays as one: a session `main` lives on this machine, `main@office` on the host that is called office."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, replace

from paliadin import errors
from paliadin.config import Settings
from paliadin.relay import Relay, SessionState
from paliadin.relay.local import LocalRelay
from paliadin.remote.ssh import SshRelay
from paliadin.turnlog import Line, TurnFolder


@dataclass
class Relays:
    """See `paliadin.relay.Relay`."""

    settings: Settings
    local: LocalRelay
    remotes: Mapping[str, SshRelay]

    def open(self) -> None:
        for relay in self.remotes.values():
            relay.open()

    async def close(self) -> None:
        for relay in self.remotes.values():
            await relay.close()
        await self.local.close()

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
