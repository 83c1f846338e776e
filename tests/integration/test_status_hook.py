"""The hook of the status line as Claude Code runs it: what it keeps, what it lets pass, and that it never fails."""

from __future__ import annotations

import json
import os
import shutil
import stat
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from paliadin.base.settings import load_settings, resource_folder
from paliadin.relays.terminal.figure_files import FigureFiles
from paliadin.relays.terminal.status_line import environment, setting

SKILL = resource_folder("skill")
ID, OTHER = "0a1b2c3d-0000-4000-8000-00000000000a", "0a1b2c3d-0000-4000-8000-00000000000b"


@dataclass
class Line:
    """A session's folder, and one process of Claude Code after another that calls the status line there."""

    root: Path
    shell: str = "sh"
    owners: str = ""
    run: int = 1
    more: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.settings = load_settings({"PALIADIN_HOME": str(self.root / "home")})
        self.session = self.settings.sessions_dir / "main"
        self.session.mkdir(parents=True)

    def call(self, payload: object) -> str:
        """Call it as Claude Code does; returns what is drawn."""
        owners = {"type": "command", "command": self.owners} if self.owners else {}
        variables = environment(owners, self.run) | {"PALIADIN_HOOK_SESSION": str(self.session)} | self.more
        text = payload if isinstance(payload, str) else compact(payload)
        result = subprocess.run(
            [*self.shell.split(), "-c", str(setting(SKILL, owners)["command"])],
            input=text.encode("utf-8", "surrogateescape"),
            capture_output=True,
            check=False,
            env={"PATH": os.environ["PATH"], "LANG": "C.UTF-8"} | variables,
            timeout=20,
        )
        assert (result.returncode, result.stderr) == (0, b"")
        return result.stdout.decode()

    def costs(self, cost: float, session: str = ID, **more: object) -> str:
        return self.call(report(cost, session, **more))

    @property
    def cost(self) -> float | None:
        return FigureFiles(self.settings, {"HOME": "/none"}).of(["main"])["main"].cost

    @property
    def kept(self) -> Any:
        return json.loads((self.session / "status.json").read_text())


def report(cost: float, session: str = ID, **more: object) -> dict[str, object]:
    return {"session_id": session, "cost": {"total_cost_usd": cost, "total_lines_added": 3}, **more}


def compact(value: object) -> str:
    """JSON as Claude Code writes it."""
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


@pytest.fixture(params=["sh", "bash", "bash --posix"])
def line(request: pytest.FixtureRequest, tmp_path: Path) -> Line:
    if shutil.which(request.param.split()[0]) is None:
        pytest.skip(f"there is no {request.param} here")  # of bash; sh is everywhere
    return Line(tmp_path, request.param)


def test_a_report_is_kept_whole_for_the_owner_alone_and_nothing_is_drawn(line: Line) -> None:
    hostile = "a\\b \"q\" $(id) `id` 'x' %s \\n \u202e \U0001f9ed"
    assert line.costs(0.25, cwd=hostile) == ""
    assert line.kept["status"] == report(0.25, cwd=hostile)
    assert stat.S_IMODE((line.session / "status.json").stat().st_mode) == 0o600
    assert [path.name for path in line.session.iterdir()] == ["status.json"]


def test_the_owners_line_gets_the_same_and_draws_what_it_draws(line: Line) -> None:
    line.owners = "printf 'mine: '; cat; umask; printf '%s' \"$LC_ALL\""
    payload = compact(report(1, cwd="ä\\n"))
    umask = os.umask(0o022)
    try:
        assert line.call(payload) == f"mine: {payload}\n0022\n"
    finally:
        os.umask(umask)
    assert line.kept["status"]["cwd"] == "ä\\n"


def test_an_owners_line_that_fails_fails_nothing_else(line: Line) -> None:
    line.owners = "exit 2"
    owners = {"type": "command", "command": line.owners}
    variables = environment(owners, 1) | {"PALIADIN_HOOK_SESSION": str(line.session), "PATH": os.environ["PATH"]}
    command = str(setting(SKILL, owners)["command"])
    result = subprocess.run(["sh", "-c", command], input=compact(report(1)), env=variables, text=True, check=False)
    assert result.returncode == 2  # what Claude Code is told of the owner's line is what it says itself
    assert line.kept["last"] == 1


def test_costs_are_counted_once_over_calls_processes_and_sessions(line: Line) -> None:
    for cost in (0, 0.25, 0.5):
        line.costs(cost)
    assert line.cost == 0.5
    line.run = 2  # parked, and come back: it remembers what the session has cost
    line.costs(0.5)
    assert line.cost == 0.5
    line.costs(1)
    assert line.cost == 1
    line.costs(1, OTHER)  # /clear: the same process counts on
    line.costs(1.25, OTHER)
    assert line.cost == 1.25
    line.run = 3  # another process, which begins at 0
    line.costs(0, OTHER)
    line.costs(0.5, OTHER)
    assert line.cost == 1.75


def test_a_process_that_goes_back_to_an_earlier_session_is_counted_once(line: Line) -> None:
    for session, cost in ((ID, 0), (ID, 0.5), (OTHER, 0.5), (OTHER, 0.75), (ID, 0.75), (ID, 1)):
        line.costs(cost, session)
    assert line.cost == 1


@pytest.mark.parametrize("cost", ["1e-7", "1.5E+2", "0"])
def test_a_number_may_be_written_in_any_way(line: Line, cost: str) -> None:
    line.call(f'{{"session_id":"{ID}","cost":{{"total_cost_usd":0}}}}')
    line.call(f'{{"session_id":"{ID}","cost":{{"total_cost_usd":{cost}}}}}')
    assert line.cost == float(cost)


@pytest.mark.parametrize(
    "payload",
    [
        "", "{", "null", "x" * 70_000, '{"session_id":"../x","cost":{"total_cost_usd":1}}',
        '{"cost":{"total_cost_usd":1}}', f'{{"session_id":"{ID}"}}',
        f'{{"session_id":"{ID}","cost":{{"total_cost_usd":null}}}}',
        f'{{"session_id":"{ID}\\n","cost":{{"total_cost_usd":1}}}}', compact(report(1, cwd="x" * 70_000)),
    ],
)  # fmt: skip
def test_what_is_no_report_is_not_kept_and_reaches_the_owners_line(tmp_path: Path, payload: str) -> None:
    line = Line(tmp_path, owners="wc -c")
    assert int(line.call(payload)) == len(payload) + 1
    assert list(line.session.iterdir()) == []


def test_no_value_can_be_taken_for_the_cost_or_the_session(line: Line) -> None:
    forged = f'","session_id":"{OTHER}","cost":{{"total_cost_usd":9}}'
    line.call({"cwd": forged, **report(0), "version": forged})
    line.call({"cwd": forged, **report(1), "version": forged})
    assert (line.cost, line.kept["id"]) == (1, ID)


def test_a_damaged_file_of_before_is_replaced(line: Line) -> None:
    for damaged in ("", "\n", "{", '{"run":"1","id":"', '{"run":"0","first":}', "\0\0"):
        (line.session / "status.json").write_text(damaged)
        line.costs(0.5)
        assert line.kept["last"] == 0.5


@pytest.mark.parametrize("lost", ["PALIADIN_HOOK_RUN", "PALIADIN_HOOK_SESSION"])
def test_outside_of_paliadin_nothing_is_kept(tmp_path: Path, lost: str) -> None:
    line = Line(tmp_path, owners="echo drawn", more={lost: ""})
    assert line.costs(1) == "drawn\n"
    assert list(line.session.iterdir()) == []


def test_where_nothing_can_be_written_the_owners_line_is_drawn(line: Line) -> None:
    line.owners = "echo drawn"
    (line.session / "status.json").mkdir()
    (line.session / "status.json" / "kept").touch()
    assert line.costs(1) == "drawn\n"
    shutil.rmtree(line.session)
    assert line.costs(1) == "drawn\n"
