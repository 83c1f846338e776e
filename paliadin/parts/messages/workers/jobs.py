"""The queue of turns that wait for a worker: jobs of procrastinate, which only this module uses. A job holds an id.

Its tables are in a schema of their own, which every connection of the queue has as its search path.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
from procrastinate import App, PsycopgConnector
from procrastinate.exceptions import ConnectorException
from procrastinate.jobs import Status
from procrastinate.schema import SchemaManager
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg_pool import AsyncConnectionPool

from paliadin.base.errors import StoreUnavailable
from paliadin.record.driver import connect_parameters, translated_errors
from paliadin.record.migrate import LOCK

log = logging.getLogger(__name__)
logging.getLogger("procrastinate").setLevel(logging.WARNING)  # it logs a line for each job

SCHEMA = "paliadin_jobs"
QUEUE = "turns"
TASK = "carry_turn"
CONNECTIONS = 2
RETRY_EVERY = 1.0  # seconds
POLL_EVERY = 5.0  # seconds; a NOTIFY wakes workers at once
STALLED_AFTER = 30.0  # seconds without a heartbeat


def for_queue(conninfo: str) -> str:
    """Return the DSN with the queue's schema as its search path, and with rows found by their index.

    The tables are almost empty at rest, and full a minute later. Until Postgres updates its statistics, it would take
    them for small, and scan 200 turns' rows in full for each of them, ten times a second. The sweep has no index:
    versions before 18 estimate it as so expensive then that they would compile it.
    """
    own = str(conninfo_to_dict(conninfo).get("options") or "")
    options = f"{own} -c search_path={SCHEMA} -c enable_seqscan=off -c jit=off"
    return make_conninfo(conninfo, options=options.strip())


def prepare(conninfo: str) -> None:
    """Make the queue's tables if they are missing; raises StoreUnavailable."""
    with (
        translated_errors(),
        psycopg.connect(**connect_parameters(for_queue(conninfo))) as connection,
        connection.transaction(),
    ):
        connection.execute("select pg_advisory_xact_lock(%s)", (LOCK,))
        if connection.execute("select to_regclass('procrastinate_jobs')").fetchone() == (None,):
            connection.execute(f"create schema if not exists {SCHEMA}".encode())
            connection.execute(SchemaManager.get_schema())


async def defer(connection: psycopg.AsyncConnection[Any], turn_id: str) -> None:
    """Put a job for this turn into the queue, in the connection's transaction; raises StoreUnavailable."""
    deferrer = _app().configure_task(name=TASK, queue=QUEUE, connection=connection)
    with _translated():
        await deferrer.defer_async(turn_id=turn_id)


async def work(conninfo: str, carry: Callable[[str], Awaitable[None]], most: int, seconds: float) -> None:
    """Call `carry` with the id of each turn, `most` of them at once. Endless.

    When cancelled, it takes no more turns, and returns once the running ones are over, after `seconds` at most.
    """
    parameters = connect_parameters(for_queue(conninfo))
    del parameters["autocommit"]  # procrastinate sets it itself where it listens
    app = App(connector=PsycopgConnector(kwargs=parameters, min_size=1, max_size=CONNECTIONS))

    @app.task(name=TASK, queue=QUEUE)
    async def carry_turn(turn_id: str) -> None:
        await carry(turn_id)

    while True:
        try:
            async with app.open_async():
                await app.run_worker_async(
                    queues=[QUEUE],
                    concurrency=most,
                    install_signal_handlers=False,
                    fetch_job_polling_interval=POLL_EVERY,
                    shutdown_graceful_timeout=seconds,
                    stalled_worker_timeout=STALLED_AFTER,
                    delete_jobs="always",
                )
        except ConnectorException as error:
            log.warning("the queue cannot be read: %s", error)
        await asyncio.sleep(RETRY_EVERY)  # it also ends by itself when the database goes away


async def remove_stalled(pool: AsyncConnectionPool[Any]) -> None:
    """Remove the jobs of dead workers: their turns have ended, and are not asked again.

    Raises StoreUnavailable.
    """
    app = _app()
    with _translated():
        await app.open_async(pool=pool)
        await app.job_manager.prune_stalled_workers(STALLED_AFTER)
        for job in await app.job_manager.get_stalled_jobs(queue=QUEUE, seconds_since_heartbeat=STALLED_AFTER):
            if job.id is not None:
                await app.job_manager.finish_job_by_id_async(job.id, Status.FAILED, delete_job=True)


@contextmanager
def _translated() -> Iterator[None]:
    """Turn procrastinate's errors into StoreUnavailable, without psycopg's message below."""
    try:
        yield
    except ConnectorException:
        raise StoreUnavailable("the queue cannot be used at the moment") from None


def _app() -> App:
    return App(connector=PsycopgConnector())
