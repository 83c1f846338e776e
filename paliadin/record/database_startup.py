"""Opens the database, embedded or named by a DSN: starts it, migrates it, retries. Turns do not wait for it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from typing import Protocol

from paliadin.base import errors
from paliadin.base.settings import Settings
from paliadin.base.tasks import background
from paliadin.postgres.embedded import EmbeddedPostgres
from paliadin.record import migrate
from paliadin.record.store import Store

log = logging.getLogger(__name__)

RETRY_EVERY = 2.0  # seconds


class Tables(Protocol):
    """Tables of another room in the same database."""

    def connected(self, conninfo: str) -> AbstractAsyncContextManager[None]:
        """Migrate them, and be open during a `with` block; raises as `migrate.up` does."""


class Database:
    """Owns the store and, without a DSN, the embedded server; opens the `others` with the store.

    `store` may be used at any time: while the database is unavailable, its methods raise StoreUnavailable.
    """

    def __init__(self, settings: Settings, store: Store, others: Sequence[Tables] = ()) -> None:
        self.store, self._others = store, others
        self._settings = settings
        self._embedded = None if settings.database_url else EmbeddedPostgres(settings.home)
        self._error: errors.PaliadinError | None = None
        self._ready = asyncio.Event()

    @property
    def label(self) -> str:
        """`the configured` or `the embedded`, for a message."""
        return "the configured" if self._settings.database_url else "the embedded"

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Try once, so that the first question finds a database; if that fails, retry in the background.

        Raises ConfigError (an edited migration, a malformed DSN), which no retry would mend. At the end the store is
        closed, and the embedded server ends.
        """
        async with AsyncExitStack() as opened:
            await self._try(opened)
            async with background(self._keep_trying(opened)):
                yield

    async def ping(self) -> None:
        """Check that the database answers; otherwise raise the error that keeps it away."""
        if self._error and not self._ready.is_set():
            raise self._error
        await self.store.ping()

    async def _try(self, opened: AsyncExitStack) -> None:
        """Open server and store, and leave them to `opened`; close what was opened when a part of it fails."""
        try:
            async with AsyncExitStack() as stack:
                dsn = str(self._settings.database_url)
                if self._embedded:
                    dsn = await stack.enter_async_context(self._embedded.running())
                await asyncio.to_thread(migrate.up, dsn)
                await stack.enter_async_context(self.store.connected(dsn))
                for other in self._others:
                    await stack.enter_async_context(other.connected(dsn))
                opened.push_async_exit(stack.pop_all())
        except errors.ConfigError:
            raise
        except errors.PaliadinError as error:
            log.warning("the database is not available yet: %s", error.message)
            self._error = error
        else:
            self._ready.set()

    async def _keep_trying(self, opened: AsyncExitStack) -> None:
        while not self._ready.is_set():
            await asyncio.sleep(RETRY_EVERY)
            try:
                await self._try(opened)
            except OSError as error:  # such as no free file
                log.warning("the database is not available yet: %s", error)
