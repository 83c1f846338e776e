"""Logs that are mirrored from elsewhere: what another machine sends is bounded."""

from __future__ import annotations

import asyncio
import sys
from asyncio.subprocess import PIPE
from pathlib import Path

import pytest

from paliadin.base import processes
from paliadin.base.read_pace import AT_ONCE
from paliadin.base.settings import Settings
from paliadin.base.tasks import Tasks
from paliadin.relays.ssh.connection import Connection
from paliadin.relays.ssh.hosts import Remote
from paliadin.relays.ssh.session_mirror import MAX_QUEUED, MAX_QUEUED_BYTES, SessionMirror
from paliadin.relays.ssh.transport import Transport

LINES = 20_000
FLOOD = f"print('{{\"id\": 1}}\\n' * {LINES}, end='')"


@pytest.mark.parametrize("size", [1, 100_000, 4_000_000])
def test_what_waits_to_be_written_of_a_sessions_log_is_bounded(tmp_path: Path, size: int) -> None:
    remote = Remote("far", "far")
    connection = Connection(remote, lambda *_: None)
    mirror = SessionMirror(Settings(home=tmp_path), connection, "main", asyncio.Semaphore())
    for number in range(2 * MAX_QUEUED):
        mirror.receive(number * size, b"x" * size)
    waiting = [mirror._pieces.get_nowait() for _ in range(mirror._pieces.qsize())]
    assert 1 < len(waiting) <= MAX_QUEUED
    assert sum(len(piece[1]) for piece in waiting if piece) <= MAX_QUEUED_BYTES


async def test_lines_without_end_from_a_host_let_others_have_a_turn() -> None:
    rounds = messages = 0

    async def count() -> None:
        nonlocal rounds
        while True:
            rounds += 1
            await asyncio.sleep(0)

    command = [sys.executable, "-c", FLOOD]
    pipes = {"stdin": PIPE, "stdout": PIPE, "stderr": PIPE}
    async with processes.running(command, **pipes, limit=10**7) as process, Tasks() as tasks:
        assert process.stdout is not None
        while len(process.stdout._buffer) < LINES * 10:  # type: ignore[attr-defined]  # all of it is here
            await asyncio.sleep(0)
        tasks.spawn(count())
        async for _ in Transport(process, tasks).messages():
            messages += 1
    assert messages == LINES
    assert rounds > LINES * 10 // AT_ONCE
