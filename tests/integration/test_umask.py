"""What the daemon writes is its account's alone; the programs that it starts for the owner keep the owner's umask."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from paliadin.demo.private_home import private_environment
from paliadin.demo.scripted_api import ScriptedApi
from paliadin.postgres.binaries import Account
from paliadin.postgres.cluster import Cluster, remove_database
from paliadin.relays.terminal.tmux import TmuxServer
from tests.worlds.postgres import copy_template
from tests.worlds.world import ROOT, eventually

OWNERS = 0o002  # none of those that Paliadin or Postgres would set by themselves
pytestmark = pytest.mark.timeout(120)


@dataclass
class Started:
    """`paliadin up`, started with the umask OWNERS."""

    pid: int
    home: Path
    terminal: TmuxServer


def umask_of(pid: int) -> int:
    status = Path(f"/proc/{pid}/status").read_text()
    found = re.search(r"^Umask:\s+(\d+)$", status, re.MULTILINE)
    assert found
    return int(found[1], 8)


@pytest.fixture
def started(tmp_path: Path, one_claude: Path, api: tuple[ScriptedApi, str]) -> Iterator[Started]:
    home, work, socket = tmp_path / "home", tmp_path / "work", f"paliadin-umask-{os.getpid()}"
    work.mkdir()
    home.mkdir(mode=0o700)
    copy_template(home)
    environment = private_environment(tmp_path / "claude", work, api[1]) | {"PYTHONPATH": str(ROOT)}
    settings = {"HOME": home, "WORKDIR": work, "CLAUDE": one_claude, "TMUX_SOCKET": socket, "PORT": 0}
    environment |= {f"PALIADIN_{name}": str(value) for name, value in settings.items()}
    command = [sys.executable, "-m", "paliadin", "up"]
    with (tmp_path / "log").open("w") as log:
        process = subprocess.Popen(
            command, env=environment, stdout=subprocess.PIPE, stderr=log, text=True, cwd=ROOT, umask=OWNERS
        )
    terminal = TmuxServer(socket, "paliad-paliadin")
    try:
        assert process.stdout
        assert process.stdout.readline(), (tmp_path / "log").read_text()
        yield Started(process.pid, home, terminal)
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=20)
        terminal.kill_server()
        remove_database(home)


def test_the_daemon_is_private_and_claude_and_the_database_are_as_their_owner_has_it(started: Started) -> None:
    pane = eventually(started.terminal.panes, 20, "Claude is started")["main"]
    server = eventually(Cluster(started.home / "postgres", Account.of(os.geteuid())).postmaster, 20, "Postgres runs")
    supervisor = int(Path(f"/proc/{server.pid}/stat").read_text().rpartition(")")[2].split()[1])
    claude = started.terminal.capture(pane).pid
    assert umask_of(started.pid) == 0o077
    assert [umask_of(claude), umask_of(supervisor)] == [OWNERS, OWNERS]
    events = started.home / "sessions" / "main" / "events.jsonl"
    eventually(events.exists, 20, "a hook has reported")
    files = [path for path in started.home.rglob("*") if not path.is_symlink() and not path.is_socket()]
    assert [path for path in files if path.stat().st_mode & 0o077] == []
