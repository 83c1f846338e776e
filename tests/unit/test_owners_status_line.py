"""The owner's own status line: where it is looked up, and what of it Claude Code is given beside ours."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from paliadin.base.settings import load_settings
from paliadin.relays.terminal.status_line import LONGEST_COMMAND, environment, owners_status_line, setting

LINE = {"type": "command", "command": "echo mine"}


class Owner:
    """Settings files of an owner, and what is found in them."""

    def __init__(self, root: Path) -> None:
        self.home, self.work = root / "home", root / "work"
        for folder in (self.home / ".claude", self.work / ".claude"):
            folder.mkdir(parents=True)
        self.settings = load_settings({"PALIADIN_HOME": str(root / "state"), "PALIADIN_WORKDIR": str(self.work)})

    def has(self, file: str, content: object) -> None:
        (self.home.parent / file).write_text(content if isinstance(content, str) else json.dumps(content))

    def found(self, **variables: str) -> dict[str, Any]:
        return dict(owners_status_line(self.settings, {"HOME": str(self.home)} | variables))


@pytest.fixture
def owner(tmp_path: Path) -> Owner:
    return Owner(tmp_path)


USER, PROJECT, LOCAL = "home/.claude/settings.json", "work/.claude/settings.json", "work/.claude/settings.local.json"


def test_there_is_none(owner: Owner) -> None:
    assert owner.found() == {}


def test_the_nearest_file_counts(owner: Owner) -> None:
    owner.has(USER, {"statusLine": LINE | {"padding": 2}})
    assert owner.found() == LINE | {"padding": 2}
    owner.has(PROJECT, {"statusLine": {"command": "echo project"}})
    assert owner.found()["command"] == "echo project"
    owner.has(LOCAL, {"statusLine": {"command": "echo local"}})
    assert owner.found()["command"] == "echo local"


def test_another_configuration_folder_takes_the_place_of_the_owners(owner: Owner) -> None:
    owner.has(USER, {"statusLine": LINE})
    assert owner.found(CLAUDE_CONFIG_DIR=str(owner.work / "none")) == {}


def test_who_has_switched_hooks_off_has_no_status_line(owner: Owner) -> None:
    owner.has(USER, {"statusLine": LINE, "disableAllHooks": True})
    assert owner.found() == {}
    owner.has(LOCAL, {"disableAllHooks": False})
    assert owner.found() == LINE


@pytest.mark.parametrize(
    "line",
    [
        None, "echo", [], {}, {"type": "other", "command": "echo"}, {"type": "command", "command": ""},
        {"type": "command", "command": 7}, {"type": "command", "command": "a\0b"},
        {"type": "command", "command": "x" * (LONGEST_COMMAND + 1)},
    ],
)  # fmt: skip
def test_what_is_no_command_is_left_out(owner: Owner, line: object) -> None:
    owner.has(USER, {"statusLine": line})
    assert owner.found() == {}


@pytest.mark.parametrize("content", ["", "{", "[]", "7", "[" * 100_000, " " * 2_000_000])
def test_a_damaged_file_is_as_none(owner: Owner, content: str) -> None:
    owner.has(USER, {"statusLine": LINE})
    owner.has(PROJECT, content)
    assert owner.found() == LINE


def test_what_is_no_file_is_not_waited_for(owner: Owner) -> None:
    os.mkfifo(owner.home.parent / USER)
    (owner.home.parent / PROJECT).mkdir()
    owner.has(LOCAL, {"statusLine": LINE})
    assert owner.found() == LINE


def test_how_it_is_drawn_stays_and_its_command_is_no_part_of_ours() -> None:
    drawn = {"padding": 2, "refreshInterval": 5, "hideVimModeIndicator": True}
    made = setting(Path("/plug in's"), {**LINE, **drawn, "other": 1, "env": {"A": "b"}})
    assert {name: made[name] for name in drawn} == drawn
    assert set(made) == {"type", "command", *drawn}
    assert "echo mine" not in str(made["command"])
    assert environment(LINE, 7) == {"PALIADIN_HOOK_RUN": "7", "PALIADIN_HOOK_STATUS_LINE": "echo mine"}


@pytest.mark.parametrize(
    "drawn",
    [
        '{"padding": 1e999}', '{"padding": NaN}', '{"padding": true}', '{"padding": -1}', '{"padding": 1e9}',
        '{"refreshInterval": 0}', '{"refreshInterval": false}', '{"hideVimModeIndicator": 3}',
    ],
)  # fmt: skip
def test_how_a_strangers_repository_has_it_drawn_never_makes_our_own_settings_invalid(owner: Owner, drawn: str) -> None:
    """Claude Code says that it skips all settings once one is of another kind; ours keep it out of Paliadin's files."""
    owner.has(PROJECT, f'{{"statusLine": {json.dumps(LINE)[:-1]}, {drawn[1:]}}}')
    found = owner.found()
    assert found["command"] == "echo mine"
    assert set(setting(Path("/plugin"), found)) == {"type", "command"}


def test_where_the_script_is_gone_nothing_fails(tmp_path: Path) -> None:
    """Paliadin was removed or renewed while its Claude runs."""
    command = str(setting(tmp_path / "it's gone", {})["command"])
    result = subprocess.run(["sh", "-c", command], input=b"{}", capture_output=True, check=False)
    assert (result.returncode, result.stdout, result.stderr) == (0, b"", b"")
