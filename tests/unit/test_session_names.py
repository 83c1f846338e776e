"""Names of sessions are taken apart and put together the same way, whatever text a client sends as one."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paliadin.base.session_names import HOST_NAME, NAME, SessionName, SessionNames, make_host_name

PACKAGE = Path(__file__).parents[2] / "paliadin"
ALONE = SessionNames(None, ())
OFFICE = SessionNames("office", {"laptop"})


@given(st.text())
def test_a_name_that_was_taken_apart_is_put_together_as_it_was(text: str) -> None:
    assert str(SessionName.parse(text)) == text


@pytest.mark.parametrize(
    ("text", "session", "place"),
    [
        ("main", "main", None),
        ("main@office", "main", "office"),
        ("main@office@laptop", "main", "office@laptop"),
        ("@office", "", "office"),
        ("main@", "main", ""),
        ("", "", None),
    ],
)
def test_the_place_is_what_stands_behind_the_first_at(text: str, session: str, place: str | None) -> None:
    assert SessionName.parse(text) == SessionName(session, place)


@pytest.mark.parametrize(
    ("text", "full", "short", "peer"),
    [
        ("main", "main@office", "main", None),
        ("main@office", "main@office", "main", None),
        ("main@lab", "main@lab", None, None),
        ("main@laptop", "main@laptop", None, "laptop"),
        ("main@", "main@", None, None),
        ("main@office@laptop", "main@office@laptop", None, None),
    ],
)
def test_a_daemon_knows_its_own_sessions_and_those_of_its_peers(
    text: str, full: str, short: str | None, peer: str | None
) -> None:
    assert (OFFICE.full(text), OFFICE.short(text), OFFICE.peer(text)) == (full, short, peer)


def test_a_daemon_without_a_name_has_one_name_for_its_sessions() -> None:
    assert [ALONE.full("main"), ALONE.short("main"), ALONE.peer("main")] == ["main", "main", None]
    assert [ALONE.full("main@lab"), ALONE.short("main@lab"), ALONE.peer("main@lab")] == ["main@lab", None, None]


@pytest.mark.parametrize("text", ["", "a b", "a@b", "../main", "a.b", "a:b", "a/b", "main\n", "\u0664", "\xe4"])
def test_what_tmux_a_shell_or_a_path_could_misread_is_no_name(text: str) -> None:
    assert not NAME.fullmatch(text)
    assert not HOST_NAME.fullmatch(text)


def test_a_name_has_its_length() -> None:
    assert [bool(NAME.fullmatch("x" * length)) for length in (1, 64, 65)] == [True, True, False]
    assert [bool(HOST_NAME.fullmatch("x" * length)) for length in (1, 32, 33)] == [True, True, False]


@given(st.text(min_size=1))
def test_a_name_for_a_host_is_made_of_any_text(text: str) -> None:
    assert HOST_NAME.fullmatch(make_host_name(text))


def test_no_other_module_takes_names_apart_or_says_of_which_characters_they_are() -> None:
    known = re.compile(r'partition\("@"\)|split\("@"|"@" (not )?in |\}@\{|A-Za-z0-9_-\]')
    found = {path.name for path in PACKAGE.rglob("*.py") if known.search(path.read_text("utf-8"))}
    assert found == {"session_names.py"}
