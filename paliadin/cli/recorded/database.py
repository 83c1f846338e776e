"""Reaches the rows, with a running daemon or without."""

from __future__ import annotations

import logging
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from paliadin.config import Settings, ensure_home
from paliadin.errors import NotFound
from paliadin.store import EmbeddedPostgres, Store
from paliadin.store.cluster import Cluster, locate

# The pool logs each try; one line at the end says it all.
logging.getLogger("psycopg.pool").addHandler(logging.NullHandler())


@asynccontextmanager
async def reachable(settings: Settings, *, make: bool = False) -> AsyncIterator[str]:
    """The conninfo of the database; the embedded one is started for as long as this takes, unless it runs.

    `make`: also when there is none yet; else NotFound. A daemon that starts meanwhile waits for its end.
    """
    if settings.database_url:
        yield settings.database_url
        return
    if make:
        ensure_home(settings)
    elif not (settings.home / "postgres").exists():
        raise NotFound(f"there is no database in {settings.home} yet", hint="`paliadin up` makes it when it starts.")
    place = locate(settings.home)
    if runs(place):
        yield place.conninfo
        return
    server = EmbeddedPostgres(settings.home)
    try:
        yield await server.start()
    finally:
        await server.stop()


@asynccontextmanager
async def opened(settings: Settings) -> AsyncIterator[Store]:
    async with reachable(settings) as conninfo:
        store = Store()
        await store.open(conninfo)
        try:
            yield store
        finally:
            await store.close()


def runs(place: Cluster) -> bool:
    """Whether the embedded server takes connections; its pid file alone would also be there after a power cut."""
    server = place.postmaster()
    if server is None:
        return False
    with socket.socket(socket.AF_UNIX) as probe:
        try:
            probe.connect(str(server.socket))
        except OSError:
            return False
    return True
