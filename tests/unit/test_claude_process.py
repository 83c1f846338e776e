"""The file that names a session's Claude: who is ended by it, and who is not."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from paliadin.relays.terminal import claude_process
from paliadin.relays.terminal.claude_process import FILE, ClaudeProcess


async def test_one_that_still_runs_is_ended_and_no_other(
    tmp_path: Path, sleeper: subprocess.Popen[bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(claude_process, "END_TIMEOUT", 0.05)
    noted = ClaudeProcess(tmp_path)
    assert not noted.is_noted
    noted.note(sleeper.pid)
    written = (tmp_path / FILE).read_text()
    for text in (f"{sleeper.pid} 1", f"{sleeper.pid}", "no number", f"0 {written}", ""):  # its id is another's now
        (tmp_path / FILE).write_text(text)
        await ClaudeProcess(tmp_path).end_earlier()
    assert sleeper.poll() is None
    (tmp_path / FILE).write_text(written)
    await ClaudeProcess(tmp_path).end_earlier()  # another daemon's
    assert sleeper.wait(20) == -9


async def test_it_is_noted_from_its_start_until_it_is_parked(tmp_path: Path, sleeper: subprocess.Popen[bytes]) -> None:
    noted = ClaudeProcess(tmp_path)
    noted.note(sleeper.pid)
    written = noted.path.stat().st_mtime_ns
    ClaudeProcess(tmp_path).note(sleeper.pid)  # another daemon sees it: it was not started now
    assert noted.path.stat().st_mtime_ns == written
    noted.path.unlink()
    noted.forget()
    await noted.end(sleeper.pid)
    assert sleeper.wait(20) == -15
    noted.note(sleeper.pid)  # it has ended
    assert not noted.is_noted


def test_where_it_cannot_be_noted_the_next_look_tries_again(tmp_path: Path, sleeper: subprocess.Popen[bytes]) -> None:
    noted = ClaudeProcess(tmp_path / "missing")
    noted.note(sleeper.pid)
    assert not noted.is_noted
    (tmp_path / "missing").mkdir()
    noted.note(sleeper.pid)
    assert noted.is_noted
