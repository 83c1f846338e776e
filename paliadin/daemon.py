"""The daemon: makes its parts, opens them, serves the HTTP API, and closes them."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import sys
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from socket import socket
from typing import Any

from paliadin.base import logs, open_files, umask
from paliadin.base.command_socket import listening_for_commands
from paliadin.base.errors import ConfigError
from paliadin.base.garbage_collection import OldGarbage
from paliadin.base.loopback_sockets import listen
from paliadin.base.proxy_socket import listening_for_proxy
from paliadin.base.repeated_lines import RepeatedLines
from paliadin.base.running_daemon import OPEN_PAGE, publish, withdraw
from paliadin.base.settings import PREFIX, Settings, ensure_home
from paliadin.base.settings_values import WEB
from paliadin.operations.health import health_report
from paliadin.operations.janitor import Janitor
from paliadin.operations.metrics import Metrics
from paliadin.parts.loading import House, Part, Running, load_parts, load_worker
from paliadin.people.access import Access
from paliadin.people.caller import Role
from paliadin.people.directory import People
from paliadin.record.database_startup import Database
from paliadin.record.recorder import OnEnd, Recorder, whole
from paliadin.record.store import Store
from paliadin.relays.protocol import OwnRelay
from paliadin.relays.routing import Relays
from paliadin.relays.ssh.remote_hosts import RemoteHosts
from paliadin.relays.terminal import sandbox
from paliadin.relays.terminal.relay import TerminalRelay
from paliadin.toolboxes.mcp_server import McpServer
from paliadin.turns.conversation_list import ConversationList
from paliadin.turns.conversation_removal import ConversationRemoval
from paliadin.turns.deletion import kept_here
from paliadin.turns.history import History
from paliadin.turns.lifecycle import Turns
from paliadin.turns.people_leaving import Leaving
from paliadin.web.app import Api, create_app
from paliadin.web.dashboard.routes import Dashboard
from paliadin.web.mcp_routes import McpRoutes
from paliadin.web.peer_daemons import Peers
from paliadin.web.server import Server
from paliadin.web.sign_in import page_address

log = logging.getLogger(__name__)

Announce = Callable[[str], None]
"""Takes the page's address, once it can be opened; it lets one browser in."""

SWITCH_EVERY = 0.0005  # seconds that a thread which computes keeps the loop waiting, after each of its system calls
MOST_CONNECTIONS = 4_000  # 10 KB each while they are silent


def run(settings: Settings, *, announce: Announce, stands_by: Callable[[], object] = lambda: None) -> None:
    """Serve until SIGINT or SIGTERM. Raises ConfigError when the daemon cannot start with these settings.

    `stands_by` is called if another web process of the same state folder serves; this one then takes over at its end.
    """
    _run(serve(settings, announce=announce, stands_by=stands_by))


def run_worker(settings: Settings, *, ready: Callable[[], None]) -> None:
    """Carry the turns of other processes until SIGINT or SIGTERM; a second one also ends those that run.

    Raises ConfigError and StoreUnavailable when it cannot start.
    """
    _run(_work(settings, ready))


def _run(work: Coroutine[Any, Any, None]) -> None:
    logs.configure()
    umask.make_private()
    # Claude's terminal inherits this environment, which may hold the database's password.
    for name in [name for name in os.environ if name.startswith(PREFIX)]:
        del os.environ[name]
    with contextlib.suppress(asyncio.CancelledError):  # a signal while it was still starting
        asyncio.run(work)


async def _work(settings: Settings, ready: Callable[[], None]) -> None:
    _quiet_libraries()
    ensure_home(settings)
    task = asyncio.current_task()
    _on_signals(lambda: task and task.cancel())
    await load_worker()(settings, ready)


async def serve(
    settings: Settings,
    *,
    announce: Announce,
    environment: Mapping[str, str] | None = None,
    demo_questions: Mapping[str, Sequence[str]] | None = None,
    own_relays: Sequence[OwnRelay] | None = None,
    access: Access | None = None,
    stands_by: Callable[[], object] = lambda: None,
) -> None:
    """Serve until SIGINT or SIGTERM; see `run`.

    `environment`: Claude's environment, by default this process's. `demo_questions`: what to ask a scripted model, by
    language; None when the model is a real one. `own_relays`: those on this machine; by default Claude Code
    and the Messages API if it is set up, and then remote hosts, too. `access`: who may come in, by default as the state
    folder has it.
    """
    if own_relays is None:
        sandbox.check(settings, None if environment is None else environment.get("PATH"))
    repeated = _quiet_libraries()
    limit = open_files.raise_limit()
    ensure_home(settings)
    task = asyncio.current_task()
    _on_signals(lambda: task and task.cancel())
    async with contextlib.AsyncExitStack() as stack:
        settings, listeners = open_listeners(settings, stack)
        if settings.role == WEB:
            from paliadin.web.standby import leading  # noqa: PLC0415  # what is off is not loaded

            most = most_connections(limit) // 2  # each has two ends here
            others = await stack.enter_async_context(leading(settings.home, listeners, most, stands_by))
        for page in settings.home.glob(OPEN_PAGE.format("*")):  # a command line that was killed left it
            page.unlink(missing_ok=True)
        listeners.append(stack.enter_context(listening_for_commands(settings.home)))
        access = access or Access(settings.home, settings.token)
        check_owner(settings, access.people)
        parts = make_parts(settings, access, own_relays, demo_questions, environment)
        stack.callback(let_out_log := logs.hold())  # the address comes first
        for part in parts.working:
            await stack.enter_async_context(part.running())
        if settings.role == WEB:
            listeners.append(stack.enter_context(listening_for_proxy(others, settings.home)))
        stack.callback(withdraw, settings)
        garbage = _put_the_loop_first(parts.api.turns)
        app = create_app(parts.api)
        stack.callback(app.state.audit.report, is_end=True)
        looks = (repeated.report, garbage.every_second, app.state.audit.report)
        server = Server(app, most=most_connections(limit), every_second=looks)
        _on_signals(lambda: _stop(server, parts.api.turns))
        publish(settings)
        announce(page_address(settings, access, access.new_ticket()))
        let_out_log()
        await server.serve(listeners)


def open_listeners(settings: Settings, stack: contextlib.AsyncExitStack) -> tuple[Settings, list[socket]]:
    """Listen as the settings say, until the stack ends; returns the settings with the port, and the sockets."""
    listeners = [stack.enter_context(listener) for listener in listen(settings)]
    if listeners:
        settings = replace(settings, port=listeners[0].getsockname()[1])
    if settings.socket:
        listeners.append(stack.enter_context(listening_for_proxy(settings.socket, settings.home)))
    return settings, listeners


def _put_the_loop_first(turns: Turns) -> OldGarbage:
    """Keep Python's other work from holding up the event loop, and with it every turn."""
    sys.setswitchinterval(SWITCH_EVERY)
    return OldGarbage(lambda: bool(turns.sessions.streams))


@dataclass(frozen=True)
class Parts:
    """The parts of a daemon, each after those that it needs."""

    working: Sequence[Running]
    api: Api
    toolboxes: McpServer | None = None


def make_parts(
    settings: Settings,
    access: Access,
    own_relays: Sequence[OwnRelay] | None,
    demo_questions: Mapping[str, Sequence[str]] | None = None,
    environment: Mapping[str, str] | None = None,
) -> Parts:
    """Make the parts; the arguments are those of `serve`, `access` is who may come in."""
    store, is_scripted = Store(), demo_questions is not None
    part = load_parts(House(settings, access.people, access.people.id_of, store, is_scripted))
    access.people.on_change = part.on_people
    server = McpServer(part.toolboxes) if part.toolboxes else None
    database, metrics = Database(settings, store, part.tables), Metrics()
    relays = make_relays(settings, own_relays, environment, part)
    turns = make_turns(settings, store, relays, part, metrics.count_turn)
    peers = Peers(settings, store, relays.sessions)
    history = History(turns, store)
    retained = kept_here(settings, store, part.retained, turns.waiting_files, lambda: turns.sessions.streams)
    removal = ConversationRemoval(settings, turns, store, retained)
    conversation_list = ConversationList(turns, history, store)
    mcp = McpRoutes(settings, turns, server).routes() if server else []
    api = Api(
        settings,
        turns,
        history,
        partial(health_report, turns, database, demo_questions, part.health),
        Dashboard.of(settings, store, part.cards),
        metrics,
        peers,
        access,
        conversation_list,
        removal,
        Leaving(turns, store),
        retained,
        part.pages,
        part.terms,
        [*mcp, *part.routes(turns)],
    )
    janitor = Janitor(store, retained, turns.session_logs.new_starts)
    # The first loads the SDK while the database starts.
    optional = [each for each in (server, *part.running) if each]
    return Parts(
        [relays, *optional, database, turns.recorder, janitor, peers, turns, removal, conversation_list], api, server
    )


def make_turns(settings: Settings, store: Store, relays: Relays, part: Part, on_end: OnEnd) -> Turns:
    """Make what carries turns and writes their rows; `on_end` is called with each that has ended."""
    recorder = Recorder(settings, store, [on_end, *part.on_end], part.redact or whole)
    return Turns(settings, relays, recorder, part.stages, part.annotators)


def make_relays(
    settings: Settings, own_relays: Sequence[OwnRelay] | None, environment: Mapping[str, str] | None, part: Part
) -> Relays:
    """Make the relays; the arguments are those of `serve`, `part` is all that parts add."""
    if own_relays is not None:
        return Relays(settings, own_relays)
    terminal = TerminalRelay(settings, environment, part.toolboxes)
    return Relays(settings, [terminal, *part.relays], RemoteHosts(settings))


def check_owner(settings: Settings, people: People) -> None:
    """Raise ConfigError if applications know the owner by the id of a member: its drawer would be the owner's."""
    entry = people.get(settings.owner) if settings.owner else None
    if entry and entry.role is Role.MEMBER:
        raise ConfigError(
            f"{PREFIX}OWNER={settings.owner} is the id of a member",
            hint=f"Set another name, or run `paliadin people remove {settings.owner}` without it first.",
        )


def most_connections(limit: int) -> int:
    """Return how many connections may be open when `limit` files may: half are for the database, logs and programs."""
    return min(limit // 2, MOST_CONNECTIONS)


def _quiet_libraries() -> RepeatedLines:
    """Set up what other packages log; return the filter of what clients can make them log."""
    logging.getLogger("psycopg.pool").setLevel(logging.ERROR)  # it warns every second while the database is unavailable
    uvicorn_log = logging.getLogger("uvicorn.error")  # uvicorn's name for its whole log
    uvicorn_log.setLevel(logging.WARNING)
    # Requests that still run when the daemon ends are no errors of its own.
    uvicorn_log.addFilter(lambda record: not (record.exc_info and record.exc_info[0] is asyncio.CancelledError))
    # They log a line for each change or request.
    for name in ("watchfiles", "mcp", "httpx2"):
        logging.getLogger(name).setLevel(logging.WARNING)
    repeated = RepeatedLines()
    for name in ("uvicorn.error", "asyncio", "paliadin.web.server"):
        logging.getLogger(name).addFilter(repeated)
    return repeated


def _on_signals(stop: Callable[[], object]) -> None:
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop)


def _stop(server: Server, turns: Turns) -> None:
    """Stop the server; end open streams first, because uvicorn waits for them before anything else."""
    turns.end_streams()
    server.stop()
