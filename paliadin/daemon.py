"""The daemon: makes its parts, opens them, serves the HTTP API, and closes them."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import logging
import os
import signal
import socket
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

import uvicorn
from starlette.types import ASGIApp

from paliadin.base import errors, logs
from paliadin.base.running_daemon import publish, withdraw
from paliadin.base.settings import PREFIX, Settings, ensure_home, owner_token
from paliadin.operations.health import health_report
from paliadin.operations.janitor import Janitor
from paliadin.operations.metrics import Metrics
from paliadin.people.embed_tokens import EmbedTokens
from paliadin.record.database_startup import Database
from paliadin.record.recorder import Recorder
from paliadin.relays.protocol import Relays
from paliadin.relays.routing import RelayRouter
from paliadin.relays.terminal.relay import TerminalRelay
from paliadin.turns.history import History
from paliadin.turns.lifecycle import Turns
from paliadin.web.app import Api, create_app
from paliadin.web.dashboard.routes import Dashboard
from paliadin.web.peer_daemons import Peers

if TYPE_CHECKING:
    from paliadin.operations.tracing import Tracing

log = logging.getLogger(__name__)

Announce = Callable[[str], None]
"""Takes the page's address, token included, once it can be opened."""

OTLP_PROTOCOL = "http/protobuf"  # the only one that the extra `otel` installs

_LISTEN_HINTS = {
    errno.EADDRINUSE: "Is Paliadin running already? Otherwise choose another port with --port or PALIADIN_PORT.",
    errno.EACCES: "Ports below 1024 need root: choose another one with --port or PALIADIN_PORT.",
    errno.EADDRNOTAVAIL: "This machine has no such address: set PALIADIN_HOST to 127.0.0.1.",
}


TICK = 1.0  # seconds between uvicorn's updates of the Date header


class Server(uvicorn.Server):
    """A uvicorn server that leaves signals to `serve`, and is stopped by `stop`.

    uvicorn raises them again once it has stopped, and the process would end before its parts are closed.
    """

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self._stopped = asyncio.Event()

    def stop(self) -> None:
        """Stop serving; at the second call without waiting for anything."""
        self.force_exit = self.should_exit
        self.should_exit = True
        self._stopped.set()

    async def main_loop(self) -> None:
        """Wait until `stop`. uvicorn's own looks ten times a second, which is most of what an idle daemon costs."""
        while not await self.on_tick(0):
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(TICK):
                    await self._stopped.wait()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def run(settings: Settings, *, announce: Announce) -> None:
    """Serve until SIGINT or SIGTERM. Raises ConfigError when the daemon cannot start with these settings."""
    logs.configure()
    # Claude's terminal inherits this environment, which may hold the token and the database's password.
    for name in [name for name in os.environ if name.startswith(PREFIX)]:
        del os.environ[name]
    with contextlib.suppress(asyncio.CancelledError):  # a signal while it was still starting
        asyncio.run(serve(settings, announce=announce))


async def serve(
    settings: Settings,
    *,
    announce: Announce,
    environment: Mapping[str, str] | None = None,
    demo_questions: Mapping[str, Sequence[str]] | None = None,
    relays: Relays | None = None,
) -> None:
    """Serve until SIGINT or SIGTERM; see `run`.

    `environment`: Claude's environment, by default this process's. `demo_questions`: what to ask a scripted model, by
    language; None when the model is a real one. `relays`: by default Claude Code here and on the remote hosts.
    """
    _quiet_libraries()
    ensure_home(settings)
    listener = listen(settings)
    settings = replace(settings, port=listener.getsockname()[1])
    token = owner_token(settings)
    relays = relays or RelayRouter(settings, TerminalRelay(settings, environment))
    parts = make_parts(settings, token, relays, demo_questions)
    task = asyncio.current_task()
    _on_signals(lambda: task and task.cancel())
    async with contextlib.AsyncExitStack() as stack:
        stack.callback(listener.close)
        for part in parts.working:
            await stack.enter_async_context(part.running())
        stack.callback(withdraw, settings)
        server = Server(_config(create_app(parts.api, token)))
        _on_signals(lambda: _stop(server, parts.api.turns))
        publish(settings)
        announce(f"{settings.base_url}/paliadin?token={token}")
        await server.serve([listener])


class Part(Protocol):
    """Something that works while the daemon serves."""

    def running(self) -> AbstractAsyncContextManager[None]:
        """Work during a `with` block; raises ConfigError."""


@dataclass(frozen=True)
class Parts:
    """The parts of a daemon, each after those that it needs."""

    working: Sequence[Part]
    api: Api


def make_parts(
    settings: Settings,
    token: str,
    relay: Relays,
    demo_questions: Mapping[str, Sequence[str]] | None = None,
) -> Parts:
    """Make the parts; the arguments are those of `serve`, `token` is the owner's."""
    database, metrics = Database(settings), Metrics()
    tracing = make_tracing(os.environ) if demo_questions is None else None  # a scripted model is not traced
    on_end = [metrics.count_turn, *([tracing.trace_turn] if tracing else [])]
    recorder = Recorder(settings, database.store, on_end)
    turns = Turns(settings, relay, recorder)
    peers = Peers(settings, token, database.store)
    api = Api(
        settings,
        turns,
        History(turns, database.store),
        lambda session: health_report(settings, turns, database, recorder, demo_questions, session=session),
        Dashboard.of(settings, database.store),
        metrics,
        peers,
        EmbedTokens(token),
    )
    janitor = Janitor(settings, database.store)
    return Parts([relay, database, *([tracing] if tracing else []), recorder, janitor, peers, turns], api)


def _quiet_libraries() -> None:
    logging.getLogger("psycopg.pool").setLevel(logging.ERROR)  # it warns every second while the database is unavailable
    uvicorn_log = logging.getLogger("uvicorn.error")  # uvicorn's name for its whole log
    uvicorn_log.setLevel(logging.WARNING)
    # Requests that still run when the daemon ends are no errors of its own.
    uvicorn_log.addFilter(lambda record: not (record.exc_info and record.exc_info[0] is asyncio.CancelledError))
    logging.getLogger("watchfiles").setLevel(logging.WARNING)  # it logs a line for each change


def make_tracing(environ: Mapping[str, str]) -> Tracing | None:
    """Return a Tracing if OpenTelemetry's variables name a collector and the extra `otel` is installed, else None."""
    endpoint, protocol = (
        environ.get(f"OTEL_EXPORTER_OTLP_TRACES_{name}") or environ.get(f"OTEL_EXPORTER_OTLP_{name}")
        for name in ("ENDPOINT", "PROTOCOL")
    )
    if not endpoint or environ.get("OTEL_TRACES_EXPORTER", "otlp") != "otlp":
        return None
    if protocol and protocol != OTLP_PROTOCOL:
        log.warning("no traces are sent: set OTEL_EXPORTER_OTLP_PROTOCOL to %s, not %s", OTLP_PROTOCOL, protocol)
        return None
    try:
        from paliadin.operations.tracing import Tracing  # noqa: PLC0415  # an extra
    except ImportError:
        log.warning("no traces are sent: OpenTelemetry is missing, run `pip install '.[otel]'` in Paliadin's folder")
        return None
    return Tracing()


def _on_signals(stop: Callable[[], object]) -> None:
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop)


def _stop(server: Server, turns: Turns) -> None:
    """Stop the server; end open streams first, because uvicorn waits for them before anything else."""
    turns.end_streams()
    server.stop()


def listen(settings: Settings) -> socket.socket:
    """Return a socket that listens on the settings' host and port; raises ConfigError when it cannot."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    # asyncio sets TCP_NODELAY only if the protocol is named; without it a kept-alive connection adds 44 ms a response.
    listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((settings.host, settings.port))
        listener.listen(512)  # clients that connect before we serve wait instead of being refused
    except OSError as error:
        listener.close()
        raise errors.ConfigError(
            f"cannot listen on {settings.host}:{settings.port}: {error.strerror}",
            hint=_LISTEN_HINTS.get(error.errno or 0, ""),
        ) from error
    return listener


def _config(app: ASGIApp) -> uvicorn.Config:
    # No access log: its lines would hold the token of the first visit.
    return uvicorn.Config(
        app, access_log=False, log_config=None, lifespan="off", timeout_graceful_shutdown=1, server_header=False
    )
