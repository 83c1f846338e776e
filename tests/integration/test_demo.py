"""`paliadin demo` as a person starts it, and the command line beside it."""

from __future__ import annotations

import json
import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest

from paliadin.demo import office
from tests.conftest import need
from tests.worlds.demo import OTHER, Demo, running_demo
from tests.worlds.office import sign_in
from tests.worlds.world import eventually, parse_sse

pytestmark = pytest.mark.timeout(120)


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory, one_claude: Path) -> Iterator[Demo]:
    need("tmux")
    with running_demo(tmp_path_factory.mktemp("demo"), one_claude) as demo:
        yield demo


@pytest.mark.long
def test_the_command_line_reaches_the_demo_by_its_home_alone(demo: Demo) -> None:
    health = eventually(
        lambda: (completed := demo.paliadin("health")).returncode == 0 and completed, what="all is well"
    )
    assert "Claude is ready" in health.stdout
    asked = demo.paliadin("ask", "What is due today?")
    assert asked.returncode == 0, asked.stderr
    assert re.search(r"On \d+ \w+ \d{4}, \d+ deadlines? (is|are) due", asked.stdout)
    assert "paliadin-meta" not in asked.stdout
    assert "What is due today?" in demo.paliadin("turns", "list").stdout
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


@pytest.mark.long
def test_a_turn_that_was_followed_to_its_end_is_not_abandoned_and_one_that_nobody_followed_is(demo: Demo) -> None:
    turns = []
    for _ in range(2):
        with demo.client() as client:
            question = {"session_id": "main", "user_message": "Tell me a joke"}
            turns.append(client.post("turn", json=question).json()["turn_id"])
            if len(turns) == 1:
                with client.stream("GET", f"stream/{turns[0]}") as stream:
                    assert [*parse_sse(stream.iter_lines())][-1].name == "end"
            unread = f"history?session_id=main&known={','.join(turns)}"
            eventually(lambda at=unread: client.get(at).json()["running_turn"] is None, what="the end")
    followed, unfollowed = (
        eventually(lambda turn_id=turn_id: (row := demo.row(turn_id))["finished_at"] and row, what="the finished row")
        for turn_id in turns
    )
    assert followed["abandoned"] is False
    assert unfollowed["abandoned"] is True


@pytest.mark.long  # tests/browser/test_demo_application.py does it as a person would
def test_the_example_application_beside_it_holds_the_drawer_of_whom_one_chose(demo: Demo) -> None:
    origin = f"http://localhost:{demo.example.port}"
    health = f"http://127.0.0.1:{demo.url.port}/api/paliadin/health"
    projects = []
    for person in (office.OWNER.id, office.MEMBER):
        # A bare Debian has no /etc/hosts that knows `localhost`.
        with httpx2.Client(base_url=f"http://127.0.0.1:{demo.example.port}", trust_env=False) as browser:
            assert "widget.js" in browser.get("/").text
            assert browser.post("/paliadin-token", headers={"Origin": origin}).status_code == 403  # nobody yet
            browser.headers["Origin"] = origin
            assert sign_in(browser, person).status_code == 303
            page = browser.get("/").text
            assert f'src="http://127.0.0.1:{demo.url.port}/widget.js"' in page
            projects.append(re.findall("/projects/([^']+)", browser.get("/projects").text))
            token = browser.post("/paliadin-token", headers={"Origin": origin}).json()["token"]
        for at, status in {origin: 200, OTHER: 401}.items():  # a token is good for its own origin only
            headers = {"Authorization": f"Bearer {token}", "Origin": at}
            response = httpx2.get(health, headers=headers, trust_env=False)
            assert response.status_code == status
            assert status != 200 or response.json()["person"]["id"] == person
    assert len(projects[0]) == 30
    assert 0 < len(projects[1]) < 30
    assert set(projects[1]) < set(projects[0])


@pytest.mark.long  # tests/browser/test_demo_application.py does it as a person would
def test_a_chip_on_the_chat_page_leads_to_the_example_application(demo: Demo) -> None:
    with demo.client() as client:
        for path in ("/deadlines/demo-deadline-1", "/courts/D%C3%BCsseldorf%20LD"):
            chip = client.get(f"http://127.0.0.1:{demo.url.port}{path}")
            assert (chip.status_code, chip.headers["location"]) == (307, f"http://localhost:{demo.example.port}{path}")
        # PALIADIN_ALLOWED_ORIGINS of the caller's counts, too
        assert client.post("embed-token", json={"origin": OTHER, "person": "me"}).status_code == 200


def test_ctrl_c_leaves_nothing_behind(demo: Demo) -> None:  # the last one: it ends the demo of all these tests
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
