"""Runs a server for as long as stdin is open, then shuts it down; one that crashes is started again.

A process of its own, so that the server ends with the daemon even when that is killed: only the daemon holds the other
end of stdin. Usage: `python -I -S supervise.py uid gid command…` (uid -1: as oneself).
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys

FAST_SHUTDOWN_WAIT = 10  # seconds, then the server stops at once and recovers at its next start
LOG_LIMIT = 1_000_000  # bytes


def main(uid: int, gid: int, command: list[str]) -> int:
    # Ctrl-C and service managers signal the whole group: the server must outlast the daemon's last writes.
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: None)
    served: list[int] = []
    signal.signal(signal.SIGUSR1, lambda number, _frame: served.append(number))  # the daemon: the server has answered
    pause = 1
    while True:
        code = _run_once(uid, gid, command)
        if _closed(0) or (code > 0 and not served):
            return code  # asked to end, or it cannot even start: the daemon reads the log
        served.append(0)
        if _closed(pause):
            return code
        pause = min(2 * pause, 8)


def _run_once(uid: int, gid: int, command: list[str]) -> int:
    if os.fstat(2).st_size > LOG_LIMIT:
        os.ftruncate(2, 0)
    # Every process of the server inherits `held`: `alive` ends when the last of them is gone.
    alive, held = os.pipe()
    os.set_inheritable(held, True)
    server = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        close_fds=False,
        user=uid if uid >= 0 else None,
        group=gid if uid >= 0 else None,
        extra_groups=[] if uid >= 0 else None,
    )
    os.close(held)
    try:
        if 0 in select.select([0, alive], [], [])[0]:
            _end(server)
        return server.wait()
    finally:
        os.close(alive)


def _end(server: subprocess.Popen[bytes]) -> None:
    server.send_signal(signal.SIGINT)
    try:
        server.wait(FAST_SHUTDOWN_WAIT)
    except subprocess.TimeoutExpired:
        server.send_signal(signal.SIGQUIT)


def _closed(timeout: float) -> bool:
    return bool(select.select([0], [], [], timeout)[0])


if __name__ == "__main__":
    sys.exit(main(int(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]))
