"""What the screens of the real Claude Code are read as. `python -m tests.tools.capture_screens` captures them anew."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paliadin.relays.terminal.composer import holds_exactly, shows_end
from paliadin.relays.terminal.screen import Screen, State, read_screen
from tests.worlds.screens import Captured, captured_screens, keep

NBSP = "\u00a0"
SCREENS = captured_screens()
VERSIONS = sorted({screen.version for screen in SCREENS})
READY = [screen for screen in SCREENS if screen.state is State.READY]
OTHERS = [screen for screen in SCREENS if screen.state is not State.READY]
ANYTHING_BUT_BLANK = [screen for screen in OTHERS if screen.state is not State.STARTING]


def by_state(screens: Sequence[Captured]) -> Iterator[Any]:
    """Parameters of a test: of each version and state the first screen by name, and in the matrices those behind it."""
    for (version, state), of_state in groupby(screens, lambda screen: (screen.version, screen.state)):
        first, *others = of_state
        yield pytest.param([first], id=f"{version}-{state}")
        if others:
            yield pytest.param(others, id=f"{version}-{state}-others", marks=pytest.mark.matrix)


def read(version: str, state: State, name: str) -> Screen:
    [text] = [one.text for one in SCREENS if (one.version, one.state, one.name) == (version, state, name)]
    return read_screen(text)


@pytest.mark.parametrize("screens", list(by_state(SCREENS)))
def test_a_captured_screen_has_its_state(screens: list[Captured]) -> None:
    assert [str(screen) for screen in screens if read_screen(screen.text).state is not screen.state] == []


@pytest.mark.parametrize("version", VERSIONS)
def test_each_state_that_a_screen_can_show_was_captured(version: str) -> None:
    states = {screen.state for screen in SCREENS if screen.version == version}
    assert states >= set(State) - {State.SUSPENDED, State.DEAD, State.NOT_LOGGED_IN}


def test_a_screen_is_kept_as_it_was_captured(tmp_path: Path) -> None:
    (version := tmp_path / "1.0").mkdir()
    rule = "\n".join(["─" * 160, "=" * 7, "", "x" * 8 + "1" + " " * 20, ""])
    for name, text in (("b", "before"), ("a", rule), ("b", "")):
        keep(version, State.BUSY, name, text)
    assert captured_screens(tmp_path) == [
        Captured("1.0", State.BUSY, "a", rule),
        Captured("1.0", State.BUSY, "b", ""),
    ]


MODES = {
    "mode-acceptEdits": "acceptEdits",
    "mode-auto": "auto",
    "mode-bypass": "bypassPermissions",
    "mode-dontAsk": "dontAsk",
    "mode-plan": "plan",
    "fresh": "default",
    "answer": "default",
}


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("name", MODES)
def test_the_footer_names_the_permission_mode(version: str, name: str) -> None:
    assert read(version, State.READY, name).mode == MODES[name]


# --- What is typed. ---


@pytest.mark.parametrize("version", VERSIONS)
def test_a_draft_is_the_text_in_the_composer(version: str) -> None:
    assert read(version, State.DRAFT, "one-line").draft == "a question that somebody has begun"
    assert read(version, State.DRAFT, "many-lines").draft == "one\ntwo\n\n  three"
    assert read(version, State.DRAFT, "shell-command").draft == "ls"
    assert read(version, State.BUSY, "draft").draft == "and another one"


@pytest.mark.parametrize("version", VERSIONS)
def test_of_a_long_draft_the_end_is_there(version: str) -> None:
    lines = "".join(f"line {number}\n" for number in range(70))
    scrolled = read(version, State.DRAFT, "scrolled")
    assert scrolled.draft.endswith("line 68\nline 69")
    assert shows_end(scrolled, lines)
    assert holds_exactly(scrolled, lines)
    sentence = "a long line of a long draft " * 140
    assert holds_exactly(read(version, State.DRAFT, "long"), sentence)
    assert not holds_exactly(read(version, State.DRAFT, "long"), sentence + "and more")


def test_a_placeholder_is_no_draft() -> None:
    for screen in SCREENS:
        if "placeholder" in screen.name or "queued" in screen.name or screen.state is State.READY:
            assert read_screen(screen.text).draft == "", str(screen)


# --- What a terminal may make of a screen. ---

SGR = re.compile(r"\x1b\[[0-9;:]*m")
RULE = re.compile(r"─{10,}")


def plain(line: str) -> str:
    return SGR.sub("", line).rstrip(" ")


def join(above: Sequence[str], below: Sequence[str], replaced: Sequence[str] = ()) -> str:
    """`below` under `above`, in place of `replaced`, whose last style stays in force, as in what tmux captures."""
    style = "\x1b[0m" + "".join(SGR.findall("\n".join(replaced)))
    return "\n".join([*above, style + below[0], *below[1:]])


def split(screen: Captured) -> tuple[list[str], list[str]]:
    """(the conversation, the composer with its rules and footer) of a ready screen."""
    lines = screen.text.split("\n")
    rules = [number for number, line in enumerate(lines) if re.match("─{2,}", plain(line))]
    return lines[: rules[-2]], lines[rules[-2] :]


def cropped(line: str, width: int) -> str:
    kept, room = "", width
    for part in re.split(f"({SGR.pattern})", line):
        kept += part if part.startswith("\x1b") else part[:room]
        room -= 0 if part.startswith("\x1b") else len(part[:room])
    return kept


FAKE_RULE = "─" * 158
PARTS_OF_A_SCREEN = [
    FAKE_RULE, f"❯{NBSP}", f"❯{NBSP}\x1b[7m \x1b[0m", "❯ ", "? for shortcuts", "⏸ manual mode on · ? for shortcuts",
    "❯ 1. Yes", "  2. No", "Do you want to proceed?", "Enter to select · ↑/↓ to navigate · Esc to cancel",
    "Not logged in · Run /login", "esc to interrupt", "Select login method:", "Yes, I trust this folder", "✻ Thinking…",
    "Press Ctrl-C again to exit", "", "Showing detailed transcript",
]  # fmt: skip
words = st.text(st.characters(exclude_categories=["C", "Z"], include_characters=" "), max_size=60)
line_text = st.sampled_from(PARTS_OF_A_SCREEN) | words
# What Claude Code shows of a conversation: a sign or nothing in the first column, a blank in the second.
conversation = st.lists(
    st.tuples(st.sampled_from(["  ", "  ", "● ", "❯ ", "✻ ", "│ "]), line_text).map("".join), max_size=40
)
COMPOSER_ABOVE = [FAKE_RULE, f"❯{NBSP}\x1b[7m \x1b[0m", FAKE_RULE, "  ? for shortcuts"]


@given(screen=st.sampled_from(READY), above=conversation, blanks=st.integers(0, 30))
@settings(max_examples=400)
def test_a_ready_screen_is_ready_whatever_was_said(screen: Captured, above: list[str], blanks: int) -> None:
    replaced, composer = split(screen)
    mutated = join(above, [*composer, *[""] * blanks], replaced)
    assert read_screen(mutated).state is State.READY


@given(screen=st.sampled_from(READY), cut=st.integers(0, 60), width=st.integers(0, 160), blanks=st.integers(0, 5))
@settings(max_examples=400)
def test_a_ready_screen_is_ready_when_the_conversation_is_cut(
    screen: Captured, cut: int, width: int, blanks: int
) -> None:
    above, composer = split(screen)
    kept = [cropped(line, width) + " " * blanks for line in above[cut:]]
    assert read_screen(join(kept, composer, above)).state is State.READY


@given(screen=st.sampled_from(OTHERS), cut=st.integers(0, 60), above=conversation)
@settings(max_examples=600)
def test_no_other_screen_is_ready_cut_or_not(screen: Captured, cut: int, above: list[str]) -> None:
    lines = screen.text.split("\n")
    below = lines[min(cut, len(lines) - 1) :]
    assert read_screen(join(above, below, lines[:cut])).state is not State.READY


@given(screen=st.sampled_from(ANYTHING_BUT_BLANK), above=conversation)
@settings(max_examples=600)
def test_a_composer_that_was_left_above_makes_no_screen_ready(screen: Captured, above: list[str]) -> None:
    """Not even one in the first column, where no text of a conversation can stand: the lowest line decides."""
    lines = screen.text.split("\n")
    assert read_screen(join([*above, *COMPOSER_ABOVE], lines)).state is not State.READY


# What only the footer tells apart, or without colours: it is drawn last, so half drawn these look ready.
TOLD_BY_THE_FOOTER = re.compile("no-color|press-again-to-leave|not_logged_in--")
FROM_THE_TOP = [screen for screen in OTHERS if not TOLD_BY_THE_FOOTER.search(f"{screen.state}--{screen.name}")]


@given(screen=st.sampled_from(FROM_THE_TOP), drawn=st.integers(0, 50), width=st.integers(0, 160))
@settings(max_examples=400)
def test_a_screen_that_is_half_drawn_is_not_ready(screen: Captured, drawn: int, width: int) -> None:
    lines = screen.text.split("\n")
    half = [*lines[:drawn], *(cropped(line, width) for line in lines[drawn : drawn + 1])]
    assert read_screen("\n".join(half)).state is not State.READY


def at_any_line(screen: Captured) -> Iterator[str]:
    """What the tests above try at random, all of it: cut, half drawn, and with a composer above it."""
    lines = screen.text.split("\n")
    yield from (join([], lines[cut:], lines[:cut]) for cut in range(len(lines)))
    if screen in FROM_THE_TOP:
        yield from ("\n".join(lines[:drawn]) for drawn in range(len(lines)))
    if screen in ANYTHING_BUT_BLANK:
        yield join(COMPOSER_ABOVE, lines)


@pytest.mark.parametrize("screens", list(by_state(OTHERS)))
def test_no_other_screen_is_ready_at_any_line(screens: list[Captured]) -> None:
    for screen in screens:
        assert all(read_screen(shown).state is not State.READY for shown in at_any_line(screen)), str(screen)


@given(screen=st.sampled_from(READY), text=words.filter(lambda text: text.strip()))
@settings(max_examples=200)
def test_a_ready_screen_with_a_text_in_it_is_a_draft(screen: Captured, text: str) -> None:
    above, composer = split(screen)
    typed = f"\x1b[39m❯{NBSP}{text}\x1b[7m \x1b[0m"
    read = read_screen("\n".join([*above, "\x1b[0m" + composer[0], typed, *composer[2:]]))
    assert read.state is State.DRAFT
    assert read.draft == text.strip()


@given(st.text(st.sampled_from(f"─❯!{NBSP} \n\x1b[7m0;2?")), st.integers(0, 60))
@settings(max_examples=400)
def test_any_text_can_be_read(text: str, rule: int) -> None:
    read_screen("─" * rule + text + "\n" + "─" * rule)
