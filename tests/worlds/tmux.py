"""The end of a tmux server that a test has started."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from pathlib import Path

from paliadin.relays.terminal.tmux import TmuxServer

PATIENCE = 2.0  # seconds until what does not end by itself is killed


def end_tmux(terminal: TmuxServer) -> None:
    """End the server and everything in it; raises TmuxUnresponsive.

    `TmuxServer.kill_server` waits until process 1 has cleared away what has ended: in some containers over a second.
    """
    terminal._disconnect()
    listed = [
        line.split(" ", 2) for line in terminal._run("list-panes", "-a", "-F", "#{pid} #{pane_pid} #{socket_path}")
    ]
    terminal._run("kill-server")
    Path(listed[0][2]).unlink(missing_ok=True)
    deadline = time.monotonic() + PATIENCE
    while (alive := running({int(pid) for server, pane, _ in listed for pid in (server, pane)})) and (
        time.monotonic() < deadline
    ):
        time.sleep(0.02)
    for pid in alive:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def running(pids: set[int]) -> set[int]:
    """Those of the processes that have not ended; a zombie has."""
    command = ["ps", "-o", "pid=,stat=", "-p", ",".join(map(str, pids))]
    listed = subprocess.run(command, capture_output=True, text=True, check=False).stdout.splitlines()
    return {int(pid) for pid, state in map(str.split, listed) if not state.startswith("Z")}
