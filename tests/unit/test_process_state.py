"""What the system says of a process that is stopped, runs, or is gone."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator

import pytest

from paliadin.relays.terminal import process_state


@pytest.fixture
def sleeper() -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen(["sleep", "100"]) as child:
        yield child
        child.kill()


def test_a_process_is_seen_to_be_stopped(sleeper: subprocess.Popen[bytes]) -> None:
    assert not process_state.is_stopped(sleeper.pid)
    sleeper.send_signal(signal.SIGSTOP)
    os.waitid(os.P_PID, sleeper.pid, os.WSTOPPED)
    assert process_state.is_stopped(sleeper.pid)


def test_one_that_is_gone_is_not_stopped_and_no_ps_is_needed_to_know_it(
    sleeper: subprocess.Popen[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bare Debian has none."""
    sleeper.kill()
    sleeper.wait()
    monkeypatch.setenv("PATH", "")
    assert not process_state.is_stopped(sleeper.pid)
