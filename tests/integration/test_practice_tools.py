"""A practice's tools in the real Claude Code: each conversation's person sees their own, and a member has nothing else."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from paliadin.demo.scripted_api import ScriptedApi
from paliadin.grounding.registration import has_tools
from paliadin.grounding.stdio import LOCK
from paliadin.postgres.cluster import locate_cluster
from tests.integration.conftest import make_world
from tests.integration.test_members import Person, configure, end_sessions, sessions_of_members
from tests.worlds.door import APP
from tests.worlds.world import World, eventually, text_of

PREFIX = "mcp__paliad__"
NAMES = {
    "whats_on_my_plate",
    "list_my_projects",
    "get_project_detail",
    "search_my_deadlines",
    "list_my_appointments",
    "list_my_pending_approvals",
    "lookup_court",
    "lookup_glossary_term",
    "lookup_deadline_rule",
    "search_case_law",
}
PEOPLE = """
insert into paliad.users (id, name) values ('ann', 'Ann Example'), ('ben', 'Ben Example');
insert into paliad.projects (id, kind, label) values ('p-ann', 'client', 'Anns client'), ('p-ben', 'client', 'Bens client');
insert into paliad.project_members (project_id, user_id) values ('p-ann', 'ann'), ('p-ben', 'ben');
insert into paliad.deadlines (id, project_id, title, due_date) values
    ('d-ann', 'p-ann', 'Anns deadline', current_date), ('d-ben', 'p-ben', 'Bens deadline', current_date);
"""


@pytest.fixture(scope="module")
def practice(tmp_path_factory: pytest.TempPathFactory, claude: Path, api: tuple[ScriptedApi, str]) -> Iterator[World]:
    """A daemon with a practice, whose owner has much in Claude Code's configuration."""
    for world in make_world(tmp_path_factory.mktemp("practice"), claude, api):
        configure(Path(world.environment["HOME"]), world.root)
        world.options |= {"ALLOWED_ORIGINS": APP, "PALIAD": "true"}
        world.start()
        with psycopg.connect(locate_cluster(world.settings.home).conninfo) as connection:
            connection.execute(PEOPLE)
        yield world


def asked(*calls: tuple[str, dict[str, Any]]) -> str:
    return f"scene:calls {json.dumps([[PREFIX + name, arguments] for name, arguments in calls])}"


def test_a_member_has_the_practices_tools_and_nothing_else(practice: World) -> None:
    ann, seen = Person(practice, "ann"), len(practice.api.requests)
    _, answer = ann.answer(asked(("whats_on_my_plate", {}), ("search_my_deadlines", {"status": "any"})))
    assert set(practice.api.requests[seen][1].tools) == {PREFIX + name for name in NAMES}
    assert "d-ann" in answer
    assert "d-ben" not in answer
    assert "Bens" not in answer
    end_sessions(practice)


def test_the_owner_has_them_beside_their_own_and_sees_all(practice: World) -> None:
    seen = len(practice.api.requests)
    answer = text_of(practice.turn(asked(("search_my_deadlines", {}))))
    tools = set(practice.api.requests[seen][1].tools)
    assert {PREFIX + name for name in NAMES} | {"Bash"} <= tools
    assert "d-ann" in answer
    assert "d-ben" in answer


def test_what_a_model_gives_as_the_person_is_refused(practice: World) -> None:
    ann = Person(practice, "ann")
    _, answer = ann.answer(
        asked(
            ("search_my_deadlines", {"person": "ben"}),
            ("get_project_detail", {"project_id": "p-ben"}),
            ("get_project_detail", {"project_id": "p-none"}),
        )
    )
    assert "there is no argument 'person'" in answer
    assert answer.count("there is no project") == 2
    assert "Bens" not in answer
    end_sessions(practice)


def test_tools_that_died_are_back_with_the_next_question(practice: World) -> None:
    ann = Person(practice, "ann")
    ann.answer("Hello")
    [folder] = [each for each in sessions_of_members(practice) if each.name.startswith("ann-")]
    assert has_tools(folder)
    os.kill(holder(folder / LOCK), signal.SIGKILL)
    eventually(lambda: not has_tools(folder), what="the tools are gone")
    _, answer = ann.answer(asked(("search_my_deadlines", {})))
    assert "d-ann" in answer
    assert "Hello" in ann.history()
    end_sessions(practice)


def test_a_daemon_that_was_restarted_goes_on_serving_the_tools(practice: World) -> None:
    ann = Person(practice, "ann")
    ann.answer("Hello")
    practice.stop(signal.SIGKILL)
    practice.start()
    ann = Person(practice, "ann")
    panes = practice.terminal.panes()
    _, answer = ann.answer(asked(("search_my_deadlines", {})))
    assert "d-ann" in answer
    assert practice.terminal.panes() == panes  # the same Claude
    end_sessions(practice)


def holder(lock: Path) -> int:
    """The process that holds the lock."""
    inode = lock.stat().st_ino
    for line in Path("/proc/locks").read_text().splitlines():
        fields = line.split()
        if fields[5].rpartition(":")[2] == str(inode):
            return int(fields[4])
    raise AssertionError(f"nobody holds {lock}")
