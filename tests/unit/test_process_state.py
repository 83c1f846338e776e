"""What the system says of a process that is stopped, runs, or is gone."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path

import pytest

from paliadin.relays.terminal import process_state


@pytest.fixture(params=["/proc", "ps"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Both ways to learn a state: Linux's, and the one of systems without /proc."""
    if request.param == "ps":
        monkeypatch.setattr(process_state, "_PROCESSES", tmp_path)


def test_one_that_is_gone_is_not_stopped_and_no_ps_is_needed_to_know_it(
    sleeper: subprocess.Popen[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bare Debian has none."""
    sleeper.kill()
    sleeper.wait()
    monkeypatch.setenv("PATH", "")
    assert not process_state.is_stopped(sleeper.pid)


def test_one_that_ended_before_it_could_be_woken_is_no_fault(sleeper: subprocess.Popen[bytes]) -> None:
    sleeper.kill()
    sleeper.wait()
    process_state.wake(sleeper.pid)


@pytest.mark.usefixtures("way")
def test_one_that_does_not_end_in_time_is_killed(sleeper: subprocess.Popen[bytes]) -> None:
    process_state.wait_or_kill(sleeper.pid, 0.1)
    assert sleeper.wait(20) == -signal.SIGKILL


@pytest.mark.usefixtures("way")
def test_one_that_has_ended_is_not_waited_for_also_before_its_parent_has_cleared_it_away(
    sleeper: subprocess.Popen[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    sleeper.kill()
    os.waitid(os.P_PID, sleeper.pid, os.WEXITED | os.WNOWAIT)
    monkeypatch.setattr(os, "kill", lambda *_: pytest.fail("it was killed"))
    process_state.wait_or_kill(sleeper.pid, 20)  # a zombie
    os.waitpid(sleeper.pid, 0)
    process_state.wait_or_kill(sleeper.pid, 20)  # gone
    monkeypatch.undo()


@pytest.mark.usefixtures("way")
def test_a_stopped_process_is_seen_in_both_ways(sleeper: subprocess.Popen[bytes]) -> None:
    assert not process_state.is_stopped(sleeper.pid)
    sleeper.send_signal(signal.SIGSTOP)
    os.waitid(os.P_PID, sleeper.pid, os.WSTOPPED)
    assert process_state.is_stopped(sleeper.pid)


@pytest.mark.usefixtures("way")
def test_a_process_is_known_by_its_id_and_when_it_was_started_until_it_has_ended(
    sleeper: subprocess.Popen[bytes],
) -> None:
    started = process_state.start_time(sleeper.pid)
    assert started == process_state.start_time(sleeper.pid) != ""
    sleeper.kill()
    os.waitid(os.P_PID, sleeper.pid, os.WEXITED | os.WNOWAIT)
    assert process_state.start_time(sleeper.pid) == ""  # a zombie
    sleeper.wait()
    assert process_state.start_time(sleeper.pid) == ""


def test_one_that_is_asked_to_end_does_so_even_if_it_was_stopped(sleeper: subprocess.Popen[bytes]) -> None:
    sleeper.send_signal(signal.SIGSTOP)
    process_state.terminate(sleeper.pid)
    assert sleeper.wait(20) == -signal.SIGTERM
    process_state.terminate(sleeper.pid)  # it is gone
