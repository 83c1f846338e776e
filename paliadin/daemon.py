"""The daemon: parts are made, opened, served and closed here, in this order."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import logging
import os
import signal
import socket
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import uvicorn
from starlette.types import ASGIApp

from paliadin import errors, logs
from paliadin.config import PREFIX, Settings, ensure_home, owner_token
from paliadin.database import Database
from paliadin.health import health
from paliadin.history import History
from paliadin.janitor import Janitor
from paliadin.metrics import Metrics
from paliadin.recorder import Recorder
from paliadin.relay.local import LocalRelay
from paliadin.relays import Relays
from paliadin.running import publish, withdraw
from paliadin.turns import DEFAULT_SESSION, Turns
from paliadin.web.admin import Admin
from paliadin.web.app import Api, create_app
from paliadin.web.peers import Peers

if TYPE_CHECKING:
    from paliadin.tracing import Tracing

log = logging.getLogger(__name__)

Announce = Callable[[str], None]

OTLP = "http/protobuf"  # the protocol that the extra `otel` brings

_LISTEN_HINTS = {
    errno.EADDRINUSE: "Is Paliadin running already? Take another port with --port or PALIADIN_PORT.",
    errno.EACCES: "Ports below 1024 are not for everybody: take another one with --port or PALIADIN_PORT.",
    errno.EADDRNOTAVAIL: "This machine has no such address: set PALIADIN_HOST to 127.0.0.1.",
}


class Server(uvicorn.Server):
    """Leaves signals to `serve`: uvicorn raises them again when it is done, and we would die before we have closed."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def run(settings: Settings, *, announce: Announce) -> None:
    """Serve until SIGINT or SIGTERM; `announce` gets the address with the token once it can be opened."""
    logs.set_up()
    # Claude's terminal inherits our environment: the token and the database's password have no business there.
    for name in [name for name in os.environ if name.startswith(PREFIX)]:
        del os.environ[name]
    with contextlib.suppress(asyncio.CancelledError):  # told to stop while it was still starting
        asyncio.run(serve(settings, announce=announce))


async def serve(
    settings: Settings,
    *,
    announce: Announce,
    environment: Mapping[str, str] | None = None,
    questions: Mapping[str, Sequence[str]] | None = None,
) -> None:
    """See `run`. `environment`: what Claude runs with instead of ours; `questions`: those of a scripted model."""
    logging.getLogger("psycopg.pool").setLevel(logging.ERROR)  # a warning a second while the database is away
    logging.getLogger("uvicorn.error").setLevel(logging.WARNING)  # its name for all that it says
    logging.getLogger("watchfiles").setLevel(logging.WARNING)  # a line for each change
    ensure_home(settings)
    listening = listen(settings)
    settings = replace(settings, port=listening.getsockname()[1])
    token = owner_token(settings)
    database = Database(settings)
    recorder = Recorder(settings, database.store)
    janitor = Janitor(settings, database.store)
    metrics = Metrics()
    recorder.on_end.append(metrics.ended)
    tracing = traced(os.environ) if questions is None else None  # nobody measures a scripted model
    if tracing:
        recorder.on_end.append(tracing.ended)
    relay = Relays(settings, LocalRelay(settings, environment))
    turns = Turns(settings, relay, recorder, settings.chips)
    peers = Peers(settings, token, database.store)
    api = Api(
        settings,
        turns,
        History(turns, database.store),
        lambda session: health(settings, turns, database, recorder, questions, session=session),
        Admin.of(settings, database.store),
        metrics,
        peers,
    )
    warm = asyncio.create_task(_warm_up(relay.local))
    this = asyncio.current_task()
    _on_signals(lambda: this and this.cancel())
    try:
        relay.open()
        await database.open()
        recorder.open()
        janitor.open()
        await turns.open()
        server = Server(_config(create_app(api, token)))
        _on_signals(lambda: _stop(server, turns))
        publish(settings)
        announce(f"{settings.base_url}/paliadin?token={token}")
        await server.serve([listening])
    finally:
        withdraw(settings)
        warm.cancel()
        await turns.close()
        await peers.close()
        await relay.close()
        await janitor.close()
        await recorder.close()
        if tracing:
            await tracing.close()
        await database.close()
        listening.close()


def traced(environ: Mapping[str, str]) -> Tracing | None:
    """Where OpenTelemetry's variables name a collector and the extra `otel` is there; it is not loaded otherwise."""
    endpoint, protocol = (
        environ.get(f"OTEL_EXPORTER_OTLP_TRACES_{name}") or environ.get(f"OTEL_EXPORTER_OTLP_{name}")
        for name in ("ENDPOINT", "PROTOCOL")
    )
    if not endpoint or environ.get("OTEL_TRACES_EXPORTER", "otlp") != "otlp":
        return None
    if protocol and protocol != OTLP:
        log.warning("no traces are sent: Paliadin speaks %s with a collector, not %s", OTLP, protocol)
        return None
    try:
        from paliadin.tracing import Tracing  # noqa: PLC0415  # an extra
    except ImportError:
        log.warning("no traces are sent: pip install 'paliadin[otel]'")
        return None
    return Tracing()


def _on_signals(stop: Callable[[], object]) -> None:
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop)


def _stop(server: Server, turns: Turns) -> None:
    """Ends open streams at once: uvicorn itself waits for them before anything else."""
    server.force_exit = server.should_exit  # asked twice
    server.should_exit = True
    turns.end_streams()


def listen(settings: Settings) -> socket.socket:
    """The listening socket; ConfigError when the address cannot be had."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    # asyncio sets TCP_NODELAY only where the protocol is named: without it a response waits 44 ms on a kept-alive line.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((settings.host, settings.port))
        listening.listen(512)  # whoever comes before we serve waits instead of being refused
    except OSError as error:
        listening.close()
        raise errors.ConfigError(
            f"cannot listen on {settings.host}:{settings.port}: {error.strerror}",
            hint=_LISTEN_HINTS.get(error.errno or 0, ""),
        ) from error
    return listening


def _config(app: ASGIApp) -> uvicorn.Config:
    # No access log: its lines would hold the token of the first visit.
    return uvicorn.Config(
        app, access_log=False, log_config=None, lifespan="off", timeout_graceful_shutdown=1, server_header=False
    )


async def _warm_up(relay: LocalRelay) -> None:
    """Claude takes a second to start: do it before the first question."""
    try:
        await relay.start(DEFAULT_SESSION)
    except errors.PaliadinError as error:
        log.warning("Claude could not be started yet: %s %s", error.message, error.hint)
