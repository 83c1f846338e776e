"""Programs that hang, end just then, or leave another one behind that holds what they wrote to."""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from paliadin.base.processes import run_for
from paliadin.base.settings import Settings, load_settings
from paliadin.relays.terminal.claude import check_login
from paliadin.relays.terminal.session_reports import SessionReports
from paliadin.relays.terminal.token_count import append_usage
from tests.worlds.logs import logged, made_turn

SOON = 20.0  # seconds; those that are left behind live for 60
LEAVE_ONE_BEHIND = "sleep 60 & echo $! >> {pids}\n"


@pytest.fixture
def pids(tmp_path: Path) -> Iterator[Path]:
    """A file for the ids of processes that the test ends."""
    file = tmp_path / "pids"
    yield file
    for pid in file.read_text().split():
        os.kill(int(pid), signal.SIGKILL)


def stand_in(folder: Path, script: str) -> Settings:
    """Settings that name this script as Claude Code."""
    program = folder / "claude"
    program.write_text(f"#!/bin/sh\n{script}")
    program.chmod(0o755)
    return load_settings({"PALIADIN_HOME": str(folder / "home"), "PALIADIN_CLAUDE": str(program)})


@pytest.mark.parametrize("logged_in", [True, False])
async def test_a_login_is_known_at_once_though_a_program_of_claudes_holds_its_output(
    tmp_path: Path, pids: Path, logged_in: bool
) -> None:
    said = str(logged_in).lower()
    settings = stand_in(tmp_path, LEAVE_ONE_BEHIND.format(pids=pids) + f"echo '{{\"loggedIn\": {said}}}'\n")
    async with asyncio.timeout(SOON):
        assert await check_login(settings, None) is logged_in


async def test_a_claude_that_does_not_say_who_is_logged_in_is_ended_and_not_waited_for(
    tmp_path: Path, pids: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("paliadin.relays.terminal.claude.LOGIN_CHECK_TIMEOUT", 0.5)
    own = tmp_path / "own"
    settings = stand_in(tmp_path, LEAVE_ONE_BEHIND.format(pids=pids) + f"echo $$ > {own}\nexec sleep 60\n")
    async with asyncio.timeout(SOON):
        assert await check_login(settings, None) is None
    with pytest.raises(ProcessLookupError):
        os.kill(int(own.read_text()), 0)
    assert [record.getMessage() for record in caplog.records] == []


async def test_tokens_are_not_counted_for_ever(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The transcript is a pipe that nobody writes to."""
    monkeypatch.setattr("paliadin.relays.terminal.token_count.TIMEOUT", 0.5)
    reports = SessionReports(settings.sessions_dir / "main")
    os.mkfifo(tmp_path / "transcript")
    reports.transcript = str(tmp_path / "transcript")
    turn = made_turn(settings.response_dir)
    (turn.path / "prompt_id").write_text("p")
    async with asyncio.timeout(SOON):
        await append_usage(reports, turn)
    assert logged(turn) == []


async def test_asyncio_learns_how_a_program_ended_whose_time_was_up_just_then(
    caplog: pytest.LogCaptureFixture,
) -> None:
    for number in range(200):
        await run_for(0.001 + number % 20 / 2000, ["sleep", "0.005"])
    assert [record.getMessage() for record in caplog.records] == []


@pytest.mark.parametrize("command", [["true"], ["sleep", "60"]], ids=["one that ends", "one that runs"])
async def test_a_program_whose_start_is_cancelled_is_ended_and_asyncio_learns_how_it_ended(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, command: list[str]
) -> None:
    """On a busy machine a program may end before asyncio has completed its start, and before it waits for the end."""
    start, wait, pids = subprocess.Popen.__init__, os.waitpid, []

    def start_slowly(process: subprocess.Popen[bytes], *arguments: object, **options: object) -> None:
        start(process, *arguments, **options)  # type: ignore[call-overload]
        pids.append(process.pid)
        time.sleep(0.02)

    def wait_slowly(pid: int, options: int) -> tuple[int, int]:
        time.sleep(0.02)
        return wait(pid, options)

    monkeypatch.setattr(subprocess.Popen, "__init__", start_slowly)
    monkeypatch.setattr(os, "waitpid", wait_slowly)
    for number in range(10):
        running = asyncio.create_task(run_for(60, command))
        for _ in range(number):
            await asyncio.sleep(0)
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
    assert len(pids) > 5
    for pid in pids:
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)
    assert [record.getMessage() for record in caplog.records] == []


async def test_a_program_is_ended_when_nobody_waits_for_it_any_more(tmp_path: Path) -> None:
    own = tmp_path / "own"
    running = asyncio.create_task(run_for(60, ["sh", "-c", f"echo $$ > {own}; exec sleep 60"]))
    deadline = time.monotonic() + SOON
    while not (own.exists() and own.read_text()):
        assert time.monotonic() < deadline
        await asyncio.sleep(0.01)
    running.cancel()
    assert isinstance((await asyncio.gather(running, return_exceptions=True))[0], asyncio.CancelledError)
    with pytest.raises(ProcessLookupError):
        os.kill(int(own.read_text()), 0)


async def test_a_start_that_is_cancelled_and_fails_counts_as_cancelled() -> None:
    for number in range(8):
        running = asyncio.create_task(run_for(60, ["/no/such/program"]))
        for _ in range(number):
            await asyncio.sleep(0)
        cancelled = running.cancel()
        [result] = await asyncio.gather(running, return_exceptions=True)
        assert isinstance(result, asyncio.CancelledError if cancelled else FileNotFoundError)
