"""`paliadin demo` as a person starts it: what it prints, and who asks it."""

from __future__ import annotations

import contextlib
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

from tests.worlds.world import ROOT

OTHER = "http://localhost:1"


@dataclass
class Demo:
    process: subprocess.Popen[str]
    environment: dict[str, str]
    url: httpx2.URL
    member_url: httpx2.URL
    home: Path
    example: httpx2.URL  # where one says who one is
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


@contextlib.contextmanager
def running_demo(home: Path, claude: Path) -> Iterator[Demo]:
    """The demo, in a process of its own with this HOME."""
    environment = {"PATH": os.environ["PATH"], "HOME": str(home), "LANG": "C.UTF-8"}
    environment |= {"PALIADIN_PORT": "0", "PALIADIN_ALLOWED_ORIGINS": OTHER}
    environment |= {"PALIADIN_CLAUDE": str(claude), "TMPDIR": "/tmp", "PYTHONPATH": str(ROOT)}  # noqa: S108  # a short path for sockets
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
        while (state := re.search(r"PALIADIN_HOME=(\S+)", said)) is None:
            said += (line := process.stderr.readline())
            assert line, said
        member, example = (
            httpx2.URL(re.findall(rf"{words}: (\S+)", said)[0]) for words in ("in another browser", "with the drawer")
        )
        to_type = re.findall(r"^  (export .*)", said, re.MULTILINE)
        yield Demo(process, environment, url, member, Path(state[1]), example, to_type)
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
        process.communicate(timeout=20)
