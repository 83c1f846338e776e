"""The folder of a turn: made whole or not at all, for its owner only, read and discarded."""

from __future__ import annotations

import errno
import os
import stat
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from paliadin.base.errors import NotFound, StorageFull
from paliadin.base.files import write_json
from paliadin.turnlog import folder as turn_folder
from paliadin.turnlog.append import append
from paliadin.turnlog.description import Description
from paliadin.turnlog.folder import TurnFolder
from tests.worlds.logs import logged

TURN = "019a2b3c-4d5e-7f60-8123-456789abcdef"
DESCRIPTION = Description(TURN, "main", "Which deadlines?")


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_a_turn_is_made_with_its_description_for_its_owner_only(tmp_path: Path) -> None:
    turn = TurnFolder(tmp_path, TURN)
    turn.create(DESCRIPTION)
    assert turn.describe() == DESCRIPTION
    assert sorted(path.name for path in turn.path.iterdir()) == ["answers", "events.jsonl", "turn.json"]
    assert {mode(path) for path in (turn.path, turn.path / "answers")} == {0o700}
    assert {mode(path) for path in (turn.log.path, turn.path / "turn.json")} == {0o600}
    assert logged(turn) == []


@pytest.mark.parametrize("failing", ["write_json", "open"])
def test_a_full_disk_leaves_no_half_of_a_turn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failing: str) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    turn = TurnFolder(tmp_path, TURN)
    monkeypatch.setattr(*(turn_folder, "write_json") if failing == "write_json" else (os, "open"), full)
    with pytest.raises(StorageFull, match="full"):
        turn.create(DESCRIPTION)
    assert not turn.path.exists()


def test_a_turn_is_made_although_its_days_folder_goes_meanwhile_with_another_turn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    turn, made, mkdir = TurnFolder(tmp_path, TURN), list[Path](), Path.mkdir

    def make_and_lose_the_first(path: Path, *args: Any, **kwargs: Any) -> None:
        mkdir(path, *args, **kwargs)
        made.append(path)
        if len(made) == 1:
            path.rmdir()

    monkeypatch.setattr(Path, "mkdir", make_and_lose_the_first)
    turn.create(DESCRIPTION)
    assert made[0] == turn.path.parent
    assert turn.describe() == DESCRIPTION


def test_a_turn_that_is_discarded_is_gone_and_may_be_discarded_again(tmp_path: Path) -> None:
    turn = TurnFolder(tmp_path, TURN)
    turn.create(DESCRIPTION)
    write_json(turn.path / "answers" / "i1.json", {"by": "page"})
    (turn.path / "link").symlink_to(tmp_path)
    turn.discard()
    turn.discard()
    assert not turn.path.exists()
    assert tmp_path.is_dir()


def test_all_folders_of_a_turn_are_its_owners_also_where_others_may_read_new_files(tmp_path: Path) -> None:
    umask = os.umask(0)
    try:
        turn = TurnFolder(tmp_path / "state" / "turns", TURN)
        turn.create(DESCRIPTION)
        append(turn.path / "another.jsonl", {})
    finally:
        os.umask(umask)
    folders = [turn.path.parent, turn.path, turn.path / "answers"]
    assert [mode(path) for path in folders] == [0o700] * 3
    assert [mode(path) for path in turn.path.iterdir() if path.is_file()] == [0o600] * 3


def test_turns_of_one_day_share_its_folder(tmp_path: Path) -> None:
    for turn_id in (TURN, TURN[:-1] + "0"):
        TurnFolder(tmp_path, turn_id).create(DESCRIPTION)
    [day] = tmp_path.iterdir()
    assert len(list(day.iterdir())) == 2


def test_a_folder_that_cannot_be_made_says_why(tmp_path: Path) -> None:
    (tmp_path / "turns").write_text("a file")
    with pytest.raises(NotADirectoryError):
        TurnFolder(tmp_path / "turns", TURN).create(DESCRIPTION)


def test_a_turn_that_a_reader_still_writes_into_is_discarded_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The reader keeps a file just before the folder goes, and another file goes just before it is deleted."""
    turn = TurnFolder(tmp_path, TURN)
    turn.create(DESCRIPTION)
    rmdir, unlink, late = Path.rmdir, Path.unlink, [turn.path / "history.json"]

    def write_first(path: Path) -> None:
        if path == turn.path and late:
            late.pop().write_text("{}")
        rmdir(path)

    def gone_already(path: Path, *, missing_ok: bool = False) -> None:
        unlink(path)
        unlink(path, missing_ok=missing_ok)

    monkeypatch.setattr(Path, "rmdir", write_first)
    monkeypatch.setattr(Path, "unlink", gone_already)
    turn.discard()
    assert not turn.path.exists()
    assert not late


def test_what_cannot_be_deleted_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(path: Path, **_: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", path)

    turn = TurnFolder(tmp_path, TURN)
    turn.create(DESCRIPTION)
    monkeypatch.setattr(Path, "unlink", refused)
    with pytest.raises(PermissionError):
        turn.discard()


@pytest.mark.parametrize("written", ["", "{", "[]", "3", "{}", '{"turn_id": "another"}', "[" * 5000, b"\xff{}"])
def test_a_damaged_description_is_not_found(tmp_path: Path, written: str | bytes) -> None:
    turn = TurnFolder(tmp_path, TURN)
    turn.create(DESCRIPTION)
    (turn.path / "turn.json").write_bytes(written if isinstance(written, bytes) else written.encode())
    with pytest.raises(NotFound) as caught:
        turn.describe()
    assert caught.value.code == "unknown_turn"


def test_an_unknown_turn_and_a_damaged_one_are_told_apart(tmp_path: Path) -> None:
    turn = TurnFolder(tmp_path, TURN)
    with pytest.raises(NotFound, match="no turn with this id") as caught:
        turn.describe()
    assert caught.value.code == "unknown_turn"
    turn.create(replace(DESCRIPTION, turn_id="another"))
    with pytest.raises(NotFound, match=r"turn\.json is damaged") as caught:
        turn.describe()
    assert "Restore the file" in caught.value.hint


def test_a_description_is_read_as_utf_8_wherever_it_is(tmp_path: Path) -> None:
    turn = TurnFolder(tmp_path, TURN)
    turn.create(replace(DESCRIPTION, user_message="Straße 😀"))
    program = (
        "import sys; from tests.unit.test_turn_folder import *; "
        "print(len(TurnFolder(Path(sys.argv[1]), TURN).describe().user_message))"
    )
    environment = {**os.environ, "PYTHONUTF8": "0", "LC_ALL": "C", "PYTHONCOERCECLOCALE": "0"}
    shown = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path)], env=environment, capture_output=True, text=True, check=True
    ).stdout
    assert shown == "8\n"


def test_a_folder_that_is_there_already_is_left_as_it_is(tmp_path: Path) -> None:
    turn = TurnFolder(tmp_path, TURN)
    turn.create(DESCRIPTION)
    with pytest.raises(FileExistsError):
        TurnFolder(tmp_path, TURN).create(replace(DESCRIPTION, user_message="another"))
    assert turn.describe() == DESCRIPTION
