"""The process of the pass-through: a small parent, which holds the port, and its child, which serves.

A child that dies is replaced at once, at the same port. `python -I -S <folder> <configuration>`; standard library only.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import socket
import sys
import time
from pathlib import Path

from paliadin.live.state import CLAUDE, OFF, Configuration, hold, write_state

WORDS = (
    "Paliadin's pass-through for the session {0}: Claude's requests go through here (docs/live.md).\n"
    "Claude is in the window {0}. This one closes when Claude has ended."
)
PORT_TIMEOUT = 5.0  # seconds for the one before to let go of the port
CLAUDE_TIMEOUT = 120.0  # seconds until Claude has been started
PAUSES = (0.0, 0.05, 0.2, 0.5, 1.0, 2.0, 5.0)  # seconds before a child is started again, for each that died young
YOUNG = 2.0  # seconds
LOOK_EVERY = 2.0  # seconds between looks whether Claude still runs
GRACE = 1.0  # seconds in which a child may end by itself


def main() -> None:
    """Serve until SIGTERM or SIGHUP, or until Claude has ended."""
    os.umask(0o077)
    path = Path(sys.argv[1])
    configuration = json.loads(path.read_text("utf-8"))
    for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGTSTP):  # somebody types in this window
        signal.signal(number, signal.SIG_IGN)
    if sys.stdout and sys.stdout.isatty():
        sys.stdout.write(f"{WORDS.format(Path(configuration['session']).name)}\n")
        sys.stdout.flush()
    try:
        lock = hold(path.parent)
        listener = _listen(configuration["port"])
    except OSError as error:
        write_state(path.parent, {"state": "off", "reason": f"its lock or its port cannot be had: {error.strerror}"})
        sys.exit(OFF)
    sys.exit(_Parent(path.parent, configuration, listener, lock).run())


def _listen(port: int) -> socket.socket:
    """Listen on loopback, trying again while the previous listener still holds the port."""
    deadline = time.monotonic() + PORT_TIMEOUT
    while True:
        # With the protocol named, asyncio sends small pieces at once.
        listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind(("127.0.0.1", port))
            listener.listen(64)
        except OSError:
            listener.close()
            if not port or time.monotonic() > deadline:
                raise
            time.sleep(0.05)
        else:
            return listener


class _Parent:
    def __init__(self, folder: Path, configuration: Configuration, listener: socket.socket, lock: int) -> None:
        self._folder, self._configuration, self._listener, self._lock = folder, configuration, listener, lock
        self._child = self._held = 0
        self._ending = self._claude_was_seen = False
        self._began = time.monotonic()
        self._kill_at = 0.0  # when a child that does not end is killed
        for number in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._end)

    def run(self) -> int:
        """Keep a child at work; returns the exit code."""
        young = 0
        while not self._ending:
            started = time.monotonic()
            status = self._wait(self._start())
            if status == OFF and not (self._folder / CLAUDE).exists():
                return OFF  # else Claude runs and knows only this address: it may become possible again
            if self._ending:
                break
            young = young + 1 if time.monotonic() - started < YOUNG else 0
            time.sleep(PAUSES[min(young, len(PAUSES) - 1)])
        return 0

    def _start(self) -> int:
        """Fork the child; returns the end of a pipe that is closed when it has ended."""
        # Nobody writes into these pipes: each side sees by them that the other one is gone.
        childs_end, held_by_child = os.pipe()
        parents_end, held_by_parent = os.pipe()
        child = os.fork()
        if child:
            self._child = child
            if self._ending:  # the signal came before it was known whom to end
                self._end()
            os.close(held_by_child)
            os.close(parents_end)
            self._held = held_by_parent
            return childs_end
        for parents in (childs_end, held_by_parent, self._lock):
            os.close(parents)
        try:
            signal.signal(signal.SIGTERM, signal.SIG_DFL)
            # The terminal goes with the parent. What runs then is finished; a parent that lives says when to end.
            signal.signal(signal.SIGHUP, signal.SIG_IGN)
            from paliadin.live.child import serve  # noqa: PLC0415  # it takes ten times the parent's memory

            code = serve(self._folder, self._configuration, self._listener, parents_end)
        except BaseException:  # noqa: BLE001  # no exception may reach the parent's code below
            import traceback  # noqa: PLC0415

            traceback.print_exc()
            code = 1
        os._exit(code)

    def _wait(self, pipe: int) -> int:
        """Wait for the child's end; returns its exit code. Ends it when Claude has ended."""
        while not select.select([pipe], [], [], GRACE if self._ending else LOOK_EVERY)[0]:
            if self._ending and time.monotonic() > self._kill_at:
                os.kill(self._child, signal.SIGKILL)
            elif not self._ending and self._is_over():
                self._end()
        os.close(pipe)
        child, self._child = self._child, 0
        _, status = os.waitpid(child, 0)
        os.close(self._held)
        return os.waitstatus_to_exitcode(status)

    def _is_over(self) -> bool:
        """True when Claude has ended, or was never started."""
        try:
            pid = int((self._folder / CLAUDE).read_text("ascii"))
            self._claude_was_seen = True
        except FileNotFoundError:
            return self._claude_was_seen or time.monotonic() - self._began > CLAUDE_TIMEOUT
        except (OSError, ValueError):
            return time.monotonic() - self._began > CLAUDE_TIMEOUT
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        except PermissionError:
            return False
        return False

    def _end(self, *_signal: object) -> None:
        self._ending, self._kill_at = True, time.monotonic() + GRACE
        if self._child:  # 0 would be the whole group
            with contextlib.suppress(ProcessLookupError):
                os.kill(self._child, signal.SIGTERM)
