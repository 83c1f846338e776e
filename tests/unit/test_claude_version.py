"""Which versions of Claude Code the relay works with, and how the version is found out."""

from __future__ import annotations

import asyncio
import json
import uuid
from pathlib import Path

import pytest

from paliadin.base.settings import Settings, load_settings
from paliadin.relays.terminal.claude_version import (
    NEWEST_TESTED,
    OLDEST,
    InstalledVersion,
    Version,
    parse_version,
    running_version,
    too_old_error,
    untested_warning,
)
from paliadin.relays.terminal.requirements import Part, check_claude

STARTED = 1_800_000_000_000  # 2027-01-15T08:00:00Z


class Program:
    """A program that stands in for Claude Code: it says its version, and notes that it was asked."""

    def __init__(self, folder: Path) -> None:
        self.path, self._asked = folder / "claude", folder / "asked"
        self.settings: Settings = load_settings(
            {"PALIADIN_HOME": str(folder / "home"), "PALIADIN_CLAUDE": str(self.path)}
        )

    def says(self, words: str) -> None:
        login = '{"loggedIn": true}'
        self.runs(f"echo $1 >> {self._asked}\n[ $1 = auth ] && echo '{login}' || echo '{words}'")

    def runs(self, script: str) -> None:
        self.path.write_text(f"#!/bin/sh\n{script}\n")
        self.path.chmod(0o755)

    @property
    def asked(self) -> int:
        return self._asked.read_text().split().count("--version")


@pytest.fixture
def program(tmp_path: Path) -> Program:
    return Program(tmp_path)


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("2.1.197 (Claude Code)", (2, 1, 197)),
        ("  v3.0.0-beta.1\n", (3, 0, 0)),
        ("2.1", None),
        ("claude 2.1.197", None),
        ("", None),
        ("9" * 4000 + ".1.1", None),
        ("2.1." + "9" * 4000, None),
    ],
)
def test_a_version_is_what_a_text_begins_with(text: str, version: Version | None) -> None:
    assert parse_version(text) == version


@pytest.mark.parametrize(
    ("version", "words"),
    [
        ((2, 1, 195), "Claude Code 2.1.195 is too old for Paliadin, which needs 2.1.196 or newer"),
        ((1, 9, 999), "Claude Code 1.9.999 is too old for Paliadin, which needs 2.1.196 or newer"),
        (OLDEST, ""),
        (NEWEST_TESTED, ""),
        ((3, 0, 0), ""),
        (None, ""),
    ],
)
def test_only_a_version_from_before_the_oldest_one_that_works_is_refused(version: Version | None, words: str) -> None:
    error = too_old_error(version)
    assert (error.message if error else "") == words
    assert error is None or "claude update" in error.hint


def test_a_version_that_is_newer_than_those_tested_is_named_so() -> None:
    assert untested_warning((9, 0, 1)).startswith("Claude Code 9.0.1 is newer than ")
    assert [untested_warning(version) for version in (OLDEST, NEWEST_TESTED, None)] == ["", "", ""]


def entry(version: str, at: str = "2027-01-15T08:00:01.000Z") -> str:
    return json.dumps({"type": "user", "timestamp": at, "version": version, "message": {"version": "0.0.1"}})


@pytest.mark.parametrize(
    ("lines", "version"),
    [
        ([entry("2.1.150"), entry("2.1.190"), '{"type": "last-prompt"}', "null", '{"version": "2.1'], (2, 1, 190)),
        ([entry("2.1.150", "2027-01-15T07:59:59.000Z")], None),  # by the Claude before
        ([entry("2.1.150", "yesterday")], None),
        (['{"text": "version 2.1.150"}'], None),
        ([], None),
    ],
)
def test_the_version_of_a_running_claude_is_that_of_the_entries_that_it_has_written(
    tmp_path: Path, lines: list[str], version: Version | None
) -> None:
    transcript = tmp_path / ".claude/projects/-work" / f"{uuid.uuid4()}.jsonl"
    asked = str(transcript), {"HOME": str(tmp_path)}, STARTED
    assert running_version(*asked) is None
    transcript.parent.mkdir(parents=True)
    transcript.write_text("\n".join(lines))
    assert running_version(*asked) == version


async def test_a_program_is_asked_once_for_its_version_until_it_changes(program: Program) -> None:
    installed = InstalledVersion(program.settings, None)
    assert await installed.get() is None, "there is none"
    program.says("2.1.300 (Claude Code)")
    assert await asyncio.gather(*(installed.get() for _ in range(5))) == [(2, 1, 300)] * 5
    assert program.asked == 1
    program.says("2.1.1000 (Claude Code)")
    assert [await installed.get() for _ in range(3)] == [(2, 1, 1000)] * 3
    assert program.asked == 2
    program.says("what?")
    assert [await installed.get() for _ in range(3)] == [None] * 3
    assert program.asked == 3


async def test_one_that_is_too_old_is_asked_again_since_it_may_be_a_script_that_starts_another(
    program: Program,
) -> None:
    installed, other = InstalledVersion(program.settings, None), program.path.parent / "other"
    program.runs(f"cat {other}")
    other.write_text("2.1.191 (Claude Code)\n")
    assert await installed.refusal() is not None
    other.write_text("2.1.300 (Claude Code)\n")
    assert await installed.refusal() is None


@pytest.mark.parametrize(
    ("words", "ok", "state", "message"),
    [
        ("2.1.191 (Claude Code)", False, "claude_too_old", "Claude Code 2.1.191 is too old for Paliadin, which needs"),
        ("2.1.300 (Claude Code)", True, "ok", "2.1.300 (Claude Code), {path}"),
        ("9.0.1 (Claude Code)", True, "ok", "9.0.1 (Claude Code), {path}; Claude Code 9.0.1 is newer than"),
    ],
)
def test_doctor_and_a_host_that_is_tested_name_the_version_and_what_to_do(
    program: Program, words: str, ok: bool, state: str, message: str
) -> None:
    program.says(words)
    part: Part = check_claude(program.settings, login=True)
    assert (part["ok"], part["state"]) == (ok, state)
    assert part["message"].startswith(message.format(path=program.path))
    assert ("claude update" in part["hint"]) is not ok
