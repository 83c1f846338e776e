"""`paliadin demo` as a person starts it, and the command line beside it."""

from __future__ import annotations

import functools
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import httpx2
import pytest

from tests.conftest import need
from tests.worlds.world import ROOT, eventually, parse_sse

OTHER = "http://localhost:1"
pytestmark = pytest.mark.timeout(120)


@dataclass
class Demo:
    process: subprocess.Popen[str]
    environment: dict[str, str]
    url: httpx2.URL
    home: Path
    example: httpx2.URL
    to_type: list[str]

    def paliadin(self, *args: str) -> subprocess.CompletedProcess[str]:
        """The command line, told where the demo is as the demo says it."""
        environment = self.environment | {"PALIADIN_HOME": str(self.home)}
        command = [sys.executable, "-m", "paliadin", *args]
        options: dict = {"capture_output": True, "text": True, "timeout": 60, "stdin": subprocess.DEVNULL}
        return subprocess.run(command, check=False, env=environment, cwd="/", **options)

    @functools.cached_property
    def key(self) -> str:
        return self.paliadin("token", "add", "tests", "--for", "owner").stdout.strip()

    def client(self) -> httpx2.Client:
        headers = {"Authorization": f"Bearer {self.key}"}
        base = f"http://127.0.0.1:{self.url.port}/api/paliadin/"
        return httpx2.Client(base_url=base, headers=headers, trust_env=False, timeout=30)

    def dashboard(self) -> str:
        with self.client() as client:
            return client.get(f"http://127.0.0.1:{self.url.port}/admin/paliadin").text

    def row(self, turn_id: str) -> dict:
        return json.loads(self.paliadin("turns", "show", turn_id, "--json").stdout)

    def end(self) -> None:
        self.process.send_signal(signal.SIGINT)
        self.process.wait(20)


@pytest.fixture
def demo(tmp_path: Path, one_claude: Path) -> Iterator[Demo]:
    need("tmux")
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "LANG": "C.UTF-8"}
    environment |= {"PALIADIN_PORT": "0", "PALIADIN_ALLOWED_ORIGINS": OTHER}
    environment |= {"PALIADIN_CLAUDE": str(one_claude), "TMPDIR": "/tmp", "PYTHONPATH": str(ROOT)}  # noqa: S108  # a short path for sockets
    process = subprocess.Popen(
        [sys.executable, "-m", "paliadin", "demo"],
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    try:
        url = httpx2.URL(process.stdout.readline().strip())
        said = ""
        while (home := re.search(r"PALIADIN_HOME=(\S+)", said)) is None:
            said += (line := process.stderr.readline())
            assert line, said
        example = httpx2.URL(re.findall(r"drawer: (\S+)", said)[0])
        to_type = re.findall(r"^  (export .*)", said, re.MULTILINE)
        yield Demo(process, environment, url, Path(home[1]), example, to_type)
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
        process.communicate(timeout=20)


def test_the_command_line_reaches_the_demo_by_its_home_alone(demo: Demo) -> None:
    health = eventually(
        lambda: (completed := demo.paliadin("health")).returncode == 0 and completed, what="all is well"
    )
    assert "Claude is ready" in health.stdout
    asked = demo.paliadin("ask", "Which deadlines are open?")
    assert asked.returncode == 0, asked.stderr
    assert "deadlines are open, as `deadlines.csv` says" in asked.stdout
    assert "paliadin-meta" not in asked.stdout
    assert "Which deadlines are open?" in demo.paliadin("turns", "list").stdout
    # Nobody may take a script for a model of the API, or its tokens for a bill.
    shown = eventually(lambda: (page := demo.dashboard()) and "scripted (no model)" in page and page, what="the row")
    assert "claude-" not in shown
    assert json.loads(demo.paliadin("report", "--format", "json").stdout)["estimated_cost_usd"] == 0
    doctor = demo.paliadin("doctor")
    assert f"runs at http://127.0.0.1:{demo.url.port}" in doctor.stdout
    assert str(demo.home.parent / "office") in doctor.stdout


def test_what_the_demo_says_to_type_makes_the_command_line_work(demo: Demo) -> None:
    script = "\n".join([*demo.to_type, 'paliadin turns list && echo "in $PALIADIN_HOME"'])
    environment = {name: demo.environment[name] for name in ("PATH", "HOME", "PYTHONPATH")}
    ended = subprocess.run(
        ["sh", "-c", script], capture_output=True, text=True, check=False, env=environment, timeout=60
    )
    assert ended.returncode == 0, ended.stderr
    assert f"in {demo.home}" in ended.stdout


def test_a_turn_that_was_followed_to_its_end_is_not_abandoned_and_one_that_nobody_followed_is(demo: Demo) -> None:
    turns = []
    for _ in range(2):
        with demo.client() as client:
            question = {"session_id": "main", "user_message": "Tell me a joke"}
            turns.append(client.post("turn", json=question).json()["turn_id"])
            if len(turns) == 1:
                with client.stream("GET", f"stream/{turns[0]}") as stream:
                    assert [*parse_sse(stream.iter_lines())][-1].name == "end"
            eventually(lambda: client.get("history?session_id=main").json()["running_turn"] is None, what="the end")
    followed, unfollowed = (
        eventually(lambda turn_id=turn_id: (row := demo.row(turn_id))["finished_at"] and row, what="the finished row")
        for turn_id in turns
    )
    assert followed["abandoned"] is False
    assert unfollowed["abandoned"] is True


def test_the_example_application_beside_it_holds_the_drawer(demo: Demo) -> None:
    example = demo.example.copy_with(host="127.0.0.1")  # a bare Debian has no /etc/hosts that knows `localhost`
    page = httpx2.get(example, trust_env=False).text
    assert f'src="http://127.0.0.1:{demo.url.port}/widget.js"' in page
    response = httpx2.post(example.join("/paliadin-token"), headers={"Origin": str(demo.example)}, trust_env=False)
    for origin, status in {str(demo.example): 200, OTHER: 401}.items():  # a token is good for its own origin only
        headers = {"Authorization": f"Bearer {response.json()['token']}", "Origin": origin}
        url = f"http://127.0.0.1:{demo.url.port}/api/paliadin/history"
        assert httpx2.get(url, headers=headers, trust_env=False).status_code == status
    with demo.client() as client:
        chip = client.get(f"http://127.0.0.1:{demo.url.port}/deadlines/c47bd2")  # from the chat page
        assert (chip.status_code, chip.headers["location"]) == (307, f"{demo.example}/deadlines/c47bd2")
        # PALIADIN_ALLOWED_ORIGINS of the caller's counts, too
        assert client.post("embed-token", json={"origin": OTHER, "person": "me"}).status_code == 200


def test_ctrl_c_leaves_nothing_behind(demo: Demo) -> None:
    eventually(lambda: demo.paliadin("health").returncode == 0, what="all is well")
    published = json.loads((demo.home / "daemon.json").read_text("utf-8"))
    socket = Path("/tmp") / f"tmux-{os.geteuid()}" / published["tmux_socket"]  # noqa: S108  # where tmux has them
    database = (demo.home / "postgres").resolve()
    assert socket.exists()
    assert database.exists()
    demo.end()
    assert demo.process.returncode == 0
    assert not demo.home.parent.exists()
    assert not database.exists()
    assert not socket.exists()
