"""The sessions that were made on a host from here, as long as something is kept of them."""

from __future__ import annotations

import shutil
from pathlib import Path

from paliadin.base.session_names import make_session_name
from paliadin.relays.ssh.made_sessions import MadeSessions


def test_they_are_found_again_by_their_folders_and_are_gone_with_them(tmp_path: Path) -> None:
    known, new = make_session_name(), make_session_name()
    for folder in (f"{known}@office", f"{make_session_name()}@home", make_session_name(), "main@office"):
        (tmp_path / folder).mkdir()
    made = MadeSessions(tmp_path, "office")
    assert made.there == {known}
    made.add(new)
    assert made.here() == sorted([known, new])
    made.remove(known)
    made.remove("main")
    assert (made.there, made.here()) == ({new}, sorted([known, new]))
    started_again = MadeSessions(tmp_path, "office")
    assert (started_again.there, started_again.here()) == (set(), [known])
    shutil.rmtree(tmp_path / f"{known}@office")
    assert made.here() == [new]


def test_where_there_is_no_folder_yet_none_is_known(tmp_path: Path) -> None:
    assert MadeSessions(tmp_path / "sessions", "office").here() == []
