"""When a dialog on the screen counts as one that no hook reports, and what is shown of it."""

from __future__ import annotations

import pytest

from paliadin.relays.terminal.screen import Screen, State, read_screen
from paliadin.relays.terminal.unreported_dialog import LONGEST, MOST_CHANGES, UnreportedDialog, dialog_text
from paliadin.relays.turn import Progress
from paliadin.steps.model import DialogClosed, DialogOpened, Interrupted, Replied, Step, Stopped, ToolStarted
from tests.worlds.screens import Captured, captured_screens

BUSY = Screen(State.BUSY, "working")
WRITE = Interrupted(1, "i1", "Write")


def dialog(text: str = "Do you want to proceed?", state: State = State.PERMISSION) -> Screen:
    return Screen(state, text)


class Watched:
    """A turn that is looked at every 0.1 s, and whose progress has each step at once."""

    def __init__(self, *, shows_text: bool = True) -> None:
        self.progress, self.watch, self.now = Progress(), UnreportedDialog(shows_text), 0.0

    def look(self, screen: Screen, seconds: float = 0.1) -> list[Step]:
        """The steps of these looks."""
        steps: list[Step] = []
        for _ in range(round(seconds * 10)):
            self.now += 0.1
            if step := self.watch.next_step(screen, self.progress, self.now):
                self.progress.take(step)
                steps.append(step)
        return steps


def test_a_dialog_that_stays_is_given_once_and_again_when_it_has_changed() -> None:
    turn = Watched()
    assert turn.look(dialog(), 0.5) == []
    [opened] = turn.look(dialog(), 2)
    assert isinstance(opened, DialogOpened)
    assert (opened.text, opened.asks) == ("Do you want to proceed?", "permission")
    [changed] = turn.look(dialog("another row"), 2)
    assert isinstance(changed, DialogOpened)
    assert (changed.id, changed.text) == (opened.id, "another row")
    [closed] = turn.look(BUSY, 1)
    assert closed == DialogClosed(closed.at, opened.id)
    assert turn.look(BUSY, 5) == []


def test_the_dialog_of_the_next_call_is_another_one_however_soon_it_is_drawn() -> None:
    turn = Watched()
    [first] = turn.look(dialog("Fetch a?"), 1)
    turn.progress.take(ToolStarted(1, "t2", "WebFetch"))
    assert turn.look(dialog("Fetch a?"), 1) == []  # one that runs beside it
    closed, second = turn.look(dialog("Fetch b?"), 2)
    assert isinstance(first, DialogOpened)
    assert isinstance(second, DialogOpened)
    assert closed == DialogClosed(closed.at, first.id)
    assert (second.text, second.id == first.id) == ("Fetch b?", False)


def test_a_frame_between_is_no_end_and_a_stopped_claude_is_no_look() -> None:
    turn = Watched()
    turn.look(dialog(), 1)
    assert turn.look(BUSY, 0.2) == []
    assert turn.look(dialog(), 1) == []
    assert turn.look(Screen(State.SUSPENDED, ""), 3) == []


def test_a_dialog_with_a_hook_is_not_given_however_long_it_stays_after_the_reply() -> None:
    turn = Watched()
    turn.look(dialog(), 0.3)
    turn.progress.take(WRITE)
    assert turn.look(dialog(), 20) == []
    turn.progress.take(Replied(2, "i1", "page", "allow"))
    assert turn.look(dialog(), 2.5) == []
    assert turn.look(BUSY, 1) == []


def test_one_that_was_replied_to_before_any_look_is_waited_for_and_what_follows_it_is_not() -> None:
    turn = Watched()
    turn.progress.take(WRITE)
    turn.progress.take(Replied(2, "i1", "page", "allow"))
    assert turn.look(dialog(), 2.5) == []
    [opened] = turn.look(dialog("Do you want to run it?"), 1)
    assert isinstance(opened, DialogOpened)


def test_one_that_is_drawn_only_after_its_reply_is_waited_for() -> None:
    """As on a busy machine: the page's reply came before Claude Code had drawn anything."""
    turn = Watched()
    turn.progress.take(WRITE)
    turn.look(BUSY, 0.2)
    turn.progress.take(Replied(2, "i1", "page", "allow"))
    assert turn.look(BUSY, 1) == []
    assert turn.look(dialog(), 2.5) == []
    assert turn.look(BUSY, 5) == []
    assert [type(step) for step in turn.look(dialog(), 1)] == [DialogOpened]


def test_a_dialog_that_a_reply_did_not_close_is_given_after_a_while() -> None:
    turn = Watched()
    turn.progress.take(WRITE)
    turn.look(dialog(), 1)
    turn.progress.take(Replied(2, "i1", "page", "allow"))
    assert [type(step) for step in turn.look(dialog(), 5)] == [DialogOpened]


def test_a_hook_that_reports_late_ends_it_and_so_does_the_end_of_claudes_work() -> None:
    for late in (WRITE, Stopped(3)):
        turn = Watched()
        turn.look(dialog(), 1)
        turn.progress.take(late)
        assert [type(step) for step in turn.look(dialog(), 1)] == [DialogClosed]


def test_while_a_hook_of_ours_runs_it_is_waited_for() -> None:
    turn = Watched()
    for _ in range(30):
        turn.now += 0.1
        if turn.watch.next_step(dialog(), turn.progress, turn.now):
            turn.watch.wait_for_hook(turn.now)
    assert turn.progress.dialog is None
    assert turn.watch.is_coming
    assert [type(step) for step in turn.look(dialog(), 1)] == [DialogOpened]


def test_what_is_not_understood_must_stay_as_it_is_and_a_transcript_is_no_dialog() -> None:
    turn = Watched()
    for number in range(30):
        assert turn.look(dialog(f"a frame {number}", State.DIALOG)) == []
    assert turn.look(dialog("Showing detailed transcript", State.DIALOG), 5) == []
    assert [type(step) for step in turn.look(dialog("Which berth?", State.DIALOG), 1)] == [DialogOpened]


def test_a_dialog_that_never_stands_still_does_not_fill_the_log() -> None:
    turn = Watched()
    turn.look(dialog(), 1)
    given = [step for number in range(3 * MOST_CHANGES) for step in turn.look(dialog(f"{number}"), 0.5)]
    assert len(given) == MOST_CHANGES


def test_who_is_not_to_see_the_terminal_is_told_without_its_text() -> None:
    turn = Watched(shows_text=False)
    [opened] = turn.look(dialog("Log in as ada@example.org"), 5)
    assert isinstance(opened, DialogOpened)
    assert opened.text == ""


def test_a_daemon_that_was_started_again_goes_on_with_the_one_in_the_log() -> None:
    turn = Watched()
    turn.progress.take(DialogOpened(1, "d1", "Do you want to proceed?", "permission"))
    assert turn.look(dialog(), 3) == []
    assert [type(step) for step in turn.look(BUSY, 1)] == [DialogClosed]
    assert turn.progress.dialog is None


ASKED = [screen for screen in captured_screens() if (screen.state, screen.name) == (State.DIALOG, "mcp-server-asks")]


@pytest.mark.parametrize("asked", ASKED, ids=lambda screen: screen.version)
def test_of_a_screen_the_dialog_is_shown_and_nothing_above_it(asked: Captured) -> None:
    text = dialog_text(read_screen(asked.text).text)
    assert text.startswith("MCP server “office” requests your input\n\nWhich berth?")
    assert "Calling office" not in text


def test_the_text_is_bounded_and_hides_nothing() -> None:
    text = dialog_text("─" * 160 + "\n" + "─" * 160 + "\n\x07 \u202eend\n\n\n\n\n  x" + "y" * 9_000)
    assert text.startswith("─" * 9 + "\n⟨U+0007⟩ ⟨U+202E⟩end\n\n")
    assert len(text) < LONGEST + 100
