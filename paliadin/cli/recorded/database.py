"""Access of commands to the database, whether or not a daemon runs."""

from __future__ import annotations

import logging
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from paliadin.base.errors import NotFound
from paliadin.base.settings import Settings, ensure_home
from paliadin.postgres.cluster import Cluster, locate_cluster
from paliadin.postgres.embedded import EmbeddedPostgres
from paliadin.record.store import Store

# The pool would log each failed attempt; the error at the end says enough.
logging.getLogger("psycopg.pool").addHandler(logging.NullHandler())


@asynccontextmanager
async def reach_database(settings: Settings, *, make: bool = False) -> AsyncIterator[str]:
    """Yield the database's conninfo. The embedded server is started for the duration, unless it runs already.

    `make`: create the embedded database if there is none; otherwise that raises NotFound. A daemon that starts in the
    meantime waits until the server has stopped.
    """
    if settings.database_url:
        yield settings.database_url
        return
    if make:
        ensure_home(settings)
    elif not (settings.home / "postgres").exists():
        raise NotFound(f"there is no database in {settings.home} yet", hint="`paliadin up` creates it.")
    cluster = locate_cluster(settings.home)
    if is_running(cluster):
        yield cluster.conninfo
        return
    async with EmbeddedPostgres(settings.home).running() as conninfo:
        yield conninfo


@asynccontextmanager
async def open_store(settings: Settings) -> AsyncIterator[Store]:
    """Yield a store on the existing database; raises NotFound if there is none."""
    store = Store()
    async with reach_database(settings) as conninfo, store.connected(conninfo):
        yield store


def is_running(cluster: Cluster) -> bool:
    """Return whether the embedded server takes connections; its pid file may be left over from a power cut."""
    server = cluster.postmaster()
    if server is None:
        return False
    with socket.socket(socket.AF_UNIX) as probe:
        try:
            probe.connect(str(server.socket))
        except OSError:
            return False
    return True
