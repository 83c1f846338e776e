"""The child of the pass-through's process: it finds the API, then serves at the listening socket of its parent."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import socket
from pathlib import Path

from paliadin.live.connections import Connections, accepting
from paliadin.live.observer import Observer, Watching, note
from paliadin.live.server import PassThrough
from paliadin.live.state import CLAUDE, OFF, Configuration, write_state
from paliadin.live.upstream import NotPossible, choose_upstream, claude_variables, tls_context

DRAIN = 3600.0  # seconds for the streams that run when the parent is gone


def serve(folder: Path, configuration: Configuration, listener: socket.socket, parent: int) -> int:
    """Serve until SIGTERM; returns the process's exit code. `parent` is a pipe that ends with the parent.

    The state file in `folder` says when it serves, or why it cannot: then the exit code is OFF.
    """
    return asyncio.run(_serve(folder, configuration, listener, parent))


async def _serve(folder: Path, configuration: Configuration, listener: socket.socket, parent: int) -> int:
    captures = configuration["captures"]
    watching = Watching(
        session=Path(configuration["session"]),
        turns=Path(configuration["turns"]),
        preview=bool(configuration["preview"]),
        captures=Path(captures) if captures else None,
    )
    try:
        variables, managed = claude_variables(os.environ, with_settings=bool(configuration["settings"]))
        upstream = choose_upstream(variables, managed)
        connections = Connections(upstream, tls_context(upstream))
        if not (folder / CLAUDE).exists():  # else a child was replaced: what it serves is running
            await connections.warm_up()
    except NotPossible as error:
        write_state(folder, {"child": os.getpid(), "state": "off", "reason": str(error)})
        return OFF

    def report(error: Exception) -> None:
        with contextlib.suppress(Exception):
            note(watching.session, error)

    server = PassThrough(upstream, connections, configuration["secret"], lambda head: Observer(head, watching), report)
    stopped, orphaned = asyncio.Event(), asyncio.Event()
    loop = asyncio.get_running_loop()
    loop.set_exception_handler(lambda _loop, context: report(context.get("exception") or RuntimeError()))
    loop.add_signal_handler(signal.SIGTERM, stopped.set)
    loop.add_reader(parent, _on_end, loop, parent, orphaned)
    serving = await loop.create_server(accepting(server.accept), sock=listener)
    port = listener.getsockname()[1]
    state = {"child": os.getpid(), "state": "on", "port": port, "upstream": upstream.authority}
    with contextlib.suppress(OSError):  # a full disk; where the child was replaced, the file is there
        write_state(folder, state | {"claude": dict(upstream.claude)})
    stopping = asyncio.create_task(stopped.wait())
    await asyncio.wait({stopping, asyncio.create_task(orphaned.wait())}, return_when=asyncio.FIRST_COMPLETED)
    serving.close()
    if not stopped.is_set():
        finishing = asyncio.create_task(server.finish())
        await asyncio.wait({finishing, stopping}, timeout=DRAIN, return_when=asyncio.FIRST_COMPLETED)
    return 0


def _on_end(loop: asyncio.AbstractEventLoop, parent: int, orphaned: asyncio.Event) -> None:
    """Note that the parent is gone, which frees the port for a successor and lets running requests finish."""
    loop.remove_reader(parent)
    orphaned.set()
