"""Removing turns' folders and captures: one at once, and all that are older than KEEP_DAYS."""

from __future__ import annotations

import logging
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from paliadin.base.settings import Settings
from paliadin.live.capture_index import entries
from paliadin.live.captures import Capture
from paliadin.live.framing import Head
from paliadin.turnlog.folder import TurnFolder
from paliadin.turnlog.ids import started_at
from paliadin.turnlog.removal import kept_of_turns, remove_captures, remove_expired, remove_turn
from tests.worlds.logs import made_turn

TURN = "019a2b3c-4d5e-7f60-8123-456789abcdef"
SIBLING = "019a2b3c-4d5e-7f60-8123-456789abcdee"  # of the same millisecond
NEXT = "019a2b3c-4d5f-7f60-8123-456789abcdef"  # a millisecond later
BEGAN = started_at(TURN)


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return replace(settings, keep_days=30)


def make(settings: Settings, turn_id: str) -> TurnFolder:
    return made_turn(settings.response_dir, turn_id)


def link(settings: Settings, folder: TurnFolder, kind: str, name: str, session: str = "main") -> Path:
    path = settings.sessions_dir / session / kind / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.symlink_to(folder.path)
    return path


def capture(settings: Settings, turn_id: str) -> None:
    made = Capture(settings.captures_dir, Head("POST /secret/v1/messages HTTP/1.1", []), "main")
    made.turn = turn_id
    made.finish(complete=True)


def captured(settings: Settings) -> list[str | None]:
    return [entry.turn for entry in entries(settings.captures_dir)]


def test_a_turns_captures_go_with_it_and_those_of_others_stay(settings: Settings) -> None:
    for turn_id in (TURN, TURN, SIBLING):
        capture(settings, turn_id)
    remove_turn(settings, make(settings, TURN))
    assert captured(settings) == [SIBLING]
    remove_captures(settings, [SIBLING])  # its folder is gone already
    assert list(settings.captures_dir.iterdir()) == []


def test_expired_turns_take_their_captures_along(settings: Settings) -> None:
    make(settings, TURN)
    make(settings, NEXT)
    capture(settings, TURN)
    capture(settings, NEXT)
    remove_expired(settings, BEGAN + timedelta(days=30, microseconds=1), lambda _: True)
    assert captured(settings) == [NEXT]


async def test_without_captures_no_folder_is_made_and_one_look_is_all(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks = []
    lstat = Path.lstat
    monkeypatch.setattr(Path, "lstat", lambda path: looks.append(path) or lstat(path))
    monkeypatch.setattr("os.listdir", lambda _: pytest.fail("a folder was read"))
    remove_captures(settings, [TURN])
    assert looks == [settings.captures_dir]
    [captures] = [each for each in kept_of_turns(settings, lambda _: True) if "captures" in each.where]
    assert captures.sweep
    await captures.sweep()
    assert not settings.captures_dir.exists()


def test_a_turn_goes_with_every_sessions_links_to_it(settings: Settings) -> None:
    folder = make(settings, TURN)
    (folder.path / "prompt_id").write_text("p-1\n")
    links = [
        link(settings, folder, "prompts", "p-1"),
        link(settings, folder, "prompts", "p-1", "other"),
        link(settings, folder, "expected", TURN),
    ]
    remove_turn(settings, folder)
    assert not folder.path.exists()
    assert not any(path.is_symlink() for path in links)


def test_links_to_other_turns_and_what_is_no_link_stay(settings: Settings) -> None:
    folder = make(settings, TURN)
    (folder.path / "prompt_id").write_text("p-1")
    other = make(settings, SIBLING)
    kept = [link(settings, other, "prompts", "p-2"), link(settings, other, "expected", SIBLING)]
    file = settings.sessions_dir / "main" / "prompts" / "p-1"
    file.write_text("no link")
    remove_turn(settings, folder)
    assert all(path.is_symlink() for path in kept)
    assert file.read_text() == "no link"


def test_a_turn_without_a_prompt_id_loses_its_link_of_expected_turns(settings: Settings) -> None:
    folder = make(settings, TURN)
    expected = link(settings, folder, "expected", TURN)
    remove_turn(settings, folder)
    assert not expected.is_symlink()


@pytest.mark.parametrize("written", [b"../../outside", b"\xff", b""])
def test_a_damaged_prompt_id_removes_nothing_outside_of_the_prompts(settings: Settings, written: bytes) -> None:
    folder = make(settings, TURN)
    outside = settings.sessions_dir / "outside"
    outside.symlink_to(folder.path)
    (settings.sessions_dir / "main" / "prompts").mkdir(parents=True)
    (folder.path / "prompt_id").write_bytes(written)
    remove_turn(settings, folder)
    assert outside.is_symlink()
    assert not folder.path.exists()


def test_the_days_folder_goes_with_its_last_turn(settings: Settings) -> None:
    first, last = make(settings, TURN), make(settings, SIBLING)
    remove_turn(settings, first)
    assert last.path.exists()
    remove_turn(settings, last)
    assert not last.path.parent.exists()
    remove_turn(settings, last)  # gone already: no error


def test_a_turn_is_kept_to_the_last_moment_of_its_days(settings: Settings, caplog: pytest.LogCaptureFixture) -> None:
    folder = make(settings, TURN)
    caplog.set_level(logging.INFO)
    assert remove_expired(settings, BEGAN + timedelta(days=30), lambda _: True) == 0
    assert folder.path.exists()
    assert not caplog.records
    assert remove_expired(settings, BEGAN + timedelta(days=30, microseconds=1), lambda _: True) == 1
    assert not folder.path.exists()
    assert "1 turns" in caplog.text
    assert str(BEGAN.date()) in caplog.text


def test_all_expired_turns_go_but_those_that_must_stay(settings: Settings) -> None:
    gone, kept, young = make(settings, TURN), make(settings, SIBLING), make(settings, NEXT)
    now = BEGAN + timedelta(days=30, microseconds=1)
    assert remove_expired(settings, now, lambda folder: folder.turn_id != SIBLING) == 1
    assert [folder.path.exists() for folder in (gone, kept, young)] == [False, True, True]
    assert remove_expired(settings, now + timedelta(days=1), lambda _: True) == 2


def test_a_folder_that_never_became_a_turn_goes_in_any_case(settings: Settings) -> None:
    folder = make(settings, TURN)
    (folder.path / "turn.json").unlink()
    assert remove_expired(settings, BEGAN + timedelta(days=31), lambda _: False) == 1
    assert not folder.path.exists()


def test_somebody_elses_folders_stay(settings: Settings) -> None:
    elsewhere = settings.response_dir / "2000-01-01" / TURN  # a turn's name, not on its day
    others = [settings.response_dir / BEGAN.strftime("%Y-%m-%d") / "notes", elsewhere]
    for path in others:
        path.mkdir(parents=True)
    assert remove_expired(settings, BEGAN + timedelta(days=31), lambda _: True) == 0
    assert all(path.exists() for path in others)


@pytest.mark.parametrize("place", ["the turn", "the day", "inside"])
def test_of_a_link_only_the_link_is_removed(settings: Settings, tmp_path: Path, place: str) -> None:
    folder = TurnFolder(settings.response_dir, TURN)
    theirs = tmp_path / "theirs"
    (theirs / TURN).mkdir(parents=True)
    for kept in (theirs / "file.txt", theirs / TURN / "turn.json"):
        kept.write_text("theirs")
    planted = {"the turn": folder.path, "the day": folder.path.parent, "inside": folder.path / "link"}[place]
    planted.parent.mkdir(parents=True, exist_ok=True)
    planted.symlink_to(theirs)
    remove_turn(settings, folder)
    assert not planted.is_symlink()
    assert sorted(path.name for path in theirs.rglob("*")) == sorted(["file.txt", TURN, "turn.json"])


def test_what_expired_behind_a_link_stays(settings: Settings, tmp_path: Path) -> None:
    folder = TurnFolder(settings.response_dir, TURN)
    theirs = tmp_path / "theirs" / TURN
    theirs.mkdir(parents=True)
    (theirs / "turn.json").write_text("theirs")
    folder.path.parent.symlink_to(theirs.parent)
    remove_expired(settings, BEGAN + timedelta(days=300), lambda _: True)
    assert (theirs / "turn.json").read_text() == "theirs"
