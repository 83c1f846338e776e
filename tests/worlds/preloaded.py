"""Starts a test's daemon as the fork of a process that has its modules already: to load them is most of a start's work.

Apart from that it is a process like the one that `python -m tests.worlds.serve` starts: its own environment, working
folder, output and log, and nothing open of the tests' own.
"""

from __future__ import annotations

import multiprocessing
import os
import subprocess
import time
from collections.abc import Mapping
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, TextIO

from tests.worlds.serve import run

_FORKS = multiprocessing.get_context("forkserver")
_FORKS.set_forkserver_preload(["tests.worlds.serve"])


class PreloadedDaemon:
    """What the tests use of a `subprocess.Popen`, for a daemon that is forked."""

    def __init__(self, plan: Mapping[str, Any], environment: Mapping[str, str], folder: Path, log: Path) -> None:
        ours, theirs = os.pipe()
        output = Connection(theirs, readable=False)
        self._process = _FORKS.Process(target=_become, args=(plan, environment, folder, log, output), daemon=True)
        self._process.start()
        output.close()
        self.stdout: TextIO = os.fdopen(ours)
        assert self._process.pid is not None
        self.pid = self._process.pid

    @property
    def returncode(self) -> int | None:
        return self._process.exitcode

    def poll(self) -> int | None:
        return self._process.exitcode

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)

    def wait(self, timeout: float) -> int:
        self._process.join(timeout)
        if (code := self.poll()) is None:
            raise subprocess.TimeoutExpired(f"the daemon {self.pid}", timeout)
        return code


def _become(
    plan: Mapping[str, Any], environment: Mapping[str, str], folder: Path, log: Path, output: Connection
) -> None:
    """Be the daemon from here on, in the process that was forked for it."""
    with log.open("a") as errors:
        os.dup2(errors.fileno(), 2)
    os.dup2(output.fileno(), 1)
    output.close()
    os.environ.clear()
    os.environ.update(environment)
    time.tzset()
    os.chdir(folder)
    run(plan)
