"""`paliadin paliad seed` and `paliadin paliad import judgments`, beside a daemon and without one."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from paliadin.demo.scripted_api import ScriptedApi
from paliadin.postgres.cluster import locate_cluster, remove_database
from tests.integration.conftest import make_world
from tests.worlds.cli_daemon import Shell
from tests.worlds.world import World

NAMES = [
    "anna-lindner",
    "jonas-ackerbrandt",
    "claire-whitmere",
    "mehmet-aydinsoy",
    "sophie-kellmark",
    "daniel-okaforde",
]
JUDGMENT = {
    "case_number": "UPC_CFI_1/2025",
    "court": "upc-ld-munich",
    "date": "2025-03-12",
    "language": "en",
    "headnote": "Urgency.",
    "body": "1. Dismissed.",
}


@pytest.fixture
def home(tmp_path: Path, one_claude: Path, api: tuple[ScriptedApi, str]) -> Iterator[World]:
    """A daemon with a practice, in which a script plays the turns."""
    for world in make_world(tmp_path, one_claude, api):
        world.scripted = True
        world.options |= {"PALIAD": "true"}
        world.start()
        yield world


class AtHome(Shell):
    """The command line beside that daemon."""

    @property
    def environment(self) -> dict[str, str]:
        return super().environment | {"PALIADIN_HOME": str(self.home), "PALIADIN_PALIAD": "true"}


@pytest.fixture
def paliadin(home: World) -> AtHome:
    return AtHome(home.settings.home, home.port)


@pytest.fixture
def alone(tmp_path: Path) -> Iterator[Shell]:
    """The command line where no daemon runs."""
    (tmp_path / "state").mkdir(mode=0o700)
    yield Shell(tmp_path, 1)
    remove_database(tmp_path / "state")


def count(conninfo: str, table: str) -> int:
    with psycopg.connect(conninfo) as connection:
        [(number,)] = connection.execute(f"select count(*) from paliad.{table}".encode()).fetchall()  # noqa: S608
    return int(number)


def test_the_people_who_were_made_up_are_let_in_by_the_daemon(home: World, paliadin: AtHome) -> None:
    made = paliadin("people", "add", "claire-whitmere", "--name", "My own Claire")
    assert made.exit_code == 0
    ended = paliadin("paliad", "seed")
    assert (ended.exit_code, ended.stderr) == (0, "")
    assert ended.stdout.startswith("made up: 30 projects, 400 deadlines, 60 appointments, 80 notes\n")
    assert re.findall(r"paliadin people token ([\w-]+)\n", ended.stdout) == NAMES
    listed = json.loads(paliadin("people", "list", "--json").stdout)["people"]
    assert {each["id"] for each in listed} == set(NAMES)
    assert {each["name"] for each in listed if each["id"] == "claire-whitmere"} == {"My own Claire"}
    assert {each["role"] for each in listed} == {"member"}
    token = paliadin("people", "token", "anna-lindner")
    assert token.exit_code == 0
    assert token.stdout.startswith("http")
    conninfo = locate_cluster(home.settings.home).conninfo
    assert count(conninfo, "deadlines") == 400

    refused = paliadin("paliad", "seed")
    assert refused.exit_code == 1
    assert "there are 30 projects already" in refused.stderr
    assert "--again" in refused.stderr
    assert paliadin("paliad", "seed", "--again").exit_code == 0
    assert count(conninfo, "deadlines") == 400


@pytest.mark.long
def test_whom_the_daemon_does_not_let_in_is_told(home: World, paliadin: AtHome) -> None:
    # By this name applications know the owner, so no member may have it.
    home.stop()
    home.options |= {"OWNER": "anna-lindner"}
    home.start()
    ended = paliadin("paliad", "seed")
    assert ended.exit_code == 0
    assert (
        "Dr. Anna Lindner (Munich, de): not let in: id is the name by which applications know the owner" in ended.stdout
    )
    assert re.findall(r"paliadin people token ([\w-]+)\n", ended.stdout) == NAMES[1:]


@pytest.mark.long
def test_without_a_daemon_it_says_how_they_are_let_in(alone: Shell) -> None:
    ended = alone("paliad", "seed")
    assert ended.exit_code == 0
    assert "No daemon runs" in ended.stdout
    command = "paliadin people add anna-lindner --name 'Dr. Anna Lindner' --office Munich --language de\n"
    assert command in ended.stdout
    assert ended.stdout.count("paliadin people add ") == 6
    assert "PALIADIN_PALIAD=true" in ended.stderr


def test_judgments_are_imported_or_the_line_is_told(alone: Shell, tmp_path: Path) -> None:
    file = tmp_path / "judgments.jsonl"
    file.write_text(json.dumps(JUDGMENT) + "\n", "utf-8")
    ended = alone("paliad", "import", "judgments", str(file), PALIADIN_PALIAD="true")
    assert (ended.exit_code, ended.stdout, ended.stderr) == (0, "1 new judgments, 0 replaced\n", "")
    file.write_text(json.dumps(JUDGMENT) + "\n" + json.dumps(JUDGMENT | {"date": "soon"}) + "\n", "utf-8")
    refused = alone("paliad", "import", "judgments", str(file))
    assert refused.exit_code == 1
    assert refused.stderr.splitlines() == [
        "error: judgments.jsonl, line 2: date is no day such as 2026-11-26",
        "  → Nothing was imported. docs/practice.md describes the format.",
    ]
    missing = alone("paliad", "import", "judgments", str(tmp_path / "nothing"))
    assert missing.exit_code == 1
    assert "No such file" in missing.stderr
