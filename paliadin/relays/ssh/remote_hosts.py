"""The relays to the remote hosts. They follow the list of hosts, $PALIADIN_HOME/remotes.json."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from paliadin.base.errors import ConfigError
from paliadin.base.settings import Settings
from paliadin.base.tasks import Tasks
from paliadin.relays.ssh.hosts import Remote, load_remotes, remotes_file_version

if TYPE_CHECKING:
    from paliadin.relays.ssh.relay import SshRelay

log = logging.getLogger(__name__)


@dataclass
class RemoteHosts:
    """A `paliadin.relays.protocol.Hosts`. It reads the list again whenever the command line has changed it."""

    settings: Settings
    _relays: dict[str, SshRelay] = field(default_factory=dict)  # by the host's name
    _runs: dict[str, asyncio.Task[None]] = field(default_factory=dict)
    _version: object = None  # of the list that was read last
    _tasks: Tasks = field(default_factory=Tasks)

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        async with self._tasks:
            self._version = remotes_file_version(self.settings.home)
            self._read_list()
            yield

    def relays(self) -> Mapping[str, SshRelay]:
        now = remotes_file_version(self.settings.home)
        if now != self._version:
            self._version = now
            try:
                self._read_list()
            except ConfigError as error:
                log.error("the list of hosts was not read again: %s", error.message)  # noqa: TRY400  # no bug
        return self._relays

    def _read_list(self) -> None:
        remotes = load_remotes(self.settings.home)
        for name in self._relays.keys() - remotes.keys():
            del self._relays[name]
            self._runs.pop(name).cancel()
        for name, remote in remotes.items():
            if name in self._relays:
                self._relays[name].update(remote)
            else:
                self._connect(remote)

    def _connect(self, remote: Remote) -> None:
        from paliadin.relays.ssh.relay import SshRelay  # noqa: PLC0415  # what is off is not loaded

        relay = self._relays[remote.name] = SshRelay(self.settings, remote)
        self._runs[remote.name] = self._tasks.spawn(relay.run())
