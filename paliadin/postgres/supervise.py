"""Runs a server until stdin is closed, then shuts it down; restarts it when it crashes.

This is a process of its own, so that the server ends with the daemon even if that is killed: only the daemon holds the
other end of stdin. Usage: `python -I -S supervise.py uid gid command…` (uid -1: without changing the account).
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
import time

LASTING = 60  # seconds; after a run as long as that, the pauses before a restart begin anew
FAST_SHUTDOWN_WAIT = 10  # seconds; after that the server is stopped at once, and recovers at its next start
LOG_LIMIT = 1_000_000  # bytes; a longer server.log is emptied before a start


def main(uid: int, gid: int, command: list[str]) -> int:
    """Run and restart the command until stdin is closed; return its last exit code.

    A command that exits with an error before the daemon has sent SIGUSR1 is not restarted.
    """
    # Ctrl-C and service managers signal the whole group, but the server must outlast the daemon's last writes.
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: None)
    # Not empty once the daemon has reported that the server accepts connections, and after a first restart.
    may_restart: list[int] = []
    signal.signal(signal.SIGUSR1, lambda number, _frame: may_restart.append(number))
    pause = 1
    while True:
        started = time.monotonic()
        code = _run_once(uid, gid, command)
        if _stdin_closed(0) or (code > 0 and not may_restart):
            return code  # told to end, or the server cannot even start: the daemon reads its log
        may_restart.append(0)
        if time.monotonic() - started > LASTING:
            pause = 1
        if _stdin_closed(pause):
            return code
        pause = min(2 * pause, 8)


def _run_once(uid: int, gid: int, command: list[str]) -> int:
    if os.fstat(2).st_size > LOG_LIMIT:
        os.ftruncate(2, 0)
    # Every process of the server inherits `write_end`, so `read_end` sees its end when the last of them is gone.
    read_end, write_end = os.pipe()
    os.set_inheritable(write_end, True)
    server = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        close_fds=False,
        user=uid if uid >= 0 else None,
        group=gid if uid >= 0 else None,
        extra_groups=[] if uid >= 0 else None,
    )
    os.close(write_end)
    try:
        if 0 in select.select([0, read_end], [], [])[0]:
            _end(server)
        return server.wait()
    finally:
        os.close(read_end)


def _end(server: subprocess.Popen[bytes]) -> None:
    server.send_signal(signal.SIGINT)
    try:
        server.wait(FAST_SHUTDOWN_WAIT)
    except subprocess.TimeoutExpired:
        server.send_signal(signal.SIGQUIT)


def _stdin_closed(timeout: float) -> bool:
    return bool(select.select([0], [], [], timeout)[0])


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]))
