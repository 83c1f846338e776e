"""Every screen captured from the real CLI (tests/capture_screens.py) is read as the state that its name tells."""

from __future__ import annotations

from pathlib import Path

import pytest

from paliadin.relay.screen import State, read_screen

SCREENS = sorted((Path(__file__).parent.parent / "screens").glob("*/*.ansi"))


def expected(path: Path) -> State:
    return State(path.name.partition("--")[0])


@pytest.mark.parametrize("path", SCREENS, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_captured_screen_is_read_as_its_state(path: Path) -> None:
    assert read_screen(path.read_text("utf-8")).state is expected(path)


@pytest.mark.parametrize("cut", [1, 5, 12, 25])
def test_a_screen_that_is_not_ready_is_never_ready_with_its_top_cut_off(cut: int) -> None:
    wrong = [
        path.name
        for path in SCREENS
        if expected(path) is not State.READY
        and read_screen("\n".join(path.read_text("utf-8").split("\n")[cut:])).state is State.READY
    ]
    assert wrong == []


def test_an_answer_above_a_dialog_that_imitates_a_composer_does_not_make_it_ready() -> None:
    rule, fake = "─" * 160, "\x1b[39m❯\u00a0\x1b[7m \x1b[0m"
    above = f"● {rule}\n  {fake}\n  {rule}\n    ? for shortcuts\n"  # Claude Code indents whatever is said
    dialogs = [path for path in SCREENS if expected(path) in {State.PERMISSION, State.QUESTION, State.DIALOG}]
    assert dialogs
    for path in dialogs:
        assert read_screen(above + path.read_text("utf-8")).state is not State.READY, path.name


def test_a_ready_screen_stays_ready_whatever_is_said_above() -> None:
    ready = [path for path in SCREENS if expected(path) is State.READY]
    assert ready
    for path in ready:
        said = "● Do you want to proceed?\n  ❯ 1. Yes\n  2. No\n  esc to interrupt\n"
        assert read_screen(said + path.read_text("utf-8")).state is State.READY, path.name
