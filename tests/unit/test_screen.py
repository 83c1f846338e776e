"""What the screens of the real Claude Code are read as. `python -m tests.tools.capture_screens` captures them anew."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paliadin.relays.terminal.composer import holds_exactly, shows_end
from paliadin.relays.terminal.screen import Screen, State, read_screen

FILES = sorted((Path(__file__).parent.parent / "screens").glob("*/*.ansi"))
VERSIONS = sorted({path.parent.name for path in FILES})
NBSP = "\u00a0"


def name_of(path: Path) -> str:
    return f"{path.parent.name}-{path.stem}"


def captured(path: Path) -> str:
    return path.read_text("utf-8").removesuffix("\n")


def state_of(path: Path) -> State:
    return State(path.name.partition("--")[0])


READY = [path for path in FILES if state_of(path) is State.READY]
OTHERS = [path for path in FILES if state_of(path) is not State.READY]
ANYTHING_BUT_BLANK = [path for path in OTHERS if state_of(path) is not State.STARTING]


def screen(version: str, name: str) -> Screen:
    [path] = [path for path in FILES if path.parent.name == version and path.stem == name]
    return read_screen(captured(path))


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_a_captured_screen_has_its_state(path: Path) -> None:
    assert read_screen(captured(path)).state is state_of(path)


@pytest.mark.parametrize("version", VERSIONS)
def test_each_state_that_a_screen_can_show_was_captured(version: str) -> None:
    states = {state_of(path) for path in FILES if path.parent.name == version}
    assert states >= set(State) - {State.SUSPENDED, State.DEAD, State.NOT_LOGGED_IN}


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
    assert screen(version, f"ready--{name}").mode == MODES[name]


# --- What is typed. ---


@pytest.mark.parametrize("version", VERSIONS)
def test_a_draft_is_the_text_in_the_composer(version: str) -> None:
    assert screen(version, "draft--one-line").draft == "a question that somebody has begun"
    assert screen(version, "draft--many-lines").draft == "one\ntwo\n\n  three"
    assert screen(version, "draft--shell-command").draft == "ls"
    assert screen(version, "busy--draft").draft == "and another one"


@pytest.mark.parametrize("version", VERSIONS)
def test_of_a_long_draft_the_end_is_there(version: str) -> None:
    lines = "".join(f"line {number}\n" for number in range(70))
    scrolled = screen(version, "draft--scrolled")
    assert scrolled.draft.endswith("line 68\nline 69")
    assert shows_end(scrolled, lines)
    assert holds_exactly(scrolled, lines)
    sentence = "a long line of a long draft " * 140
    assert holds_exactly(screen(version, "draft--long"), sentence)
    assert not holds_exactly(screen(version, "draft--long"), sentence + "and more")


def test_a_placeholder_is_no_draft() -> None:
    for path in FILES:
        if "placeholder" in path.stem or "queued" in path.stem or state_of(path) is State.READY:
            assert read_screen(captured(path)).draft == "", name_of(path)


# --- What a terminal may make of a screen. ---

SGR = re.compile(r"\x1b\[[0-9;:]*m")
RULE = re.compile(r"─{10,}")


def plain(line: str) -> str:
    return SGR.sub("", line).rstrip(" ")


def join(above: Sequence[str], below: Sequence[str], replaced: Sequence[str] = ()) -> str:
    """`below` under `above`, in place of `replaced`, whose last style stays in force, as in what tmux captures."""
    style = "\x1b[0m" + "".join(SGR.findall("\n".join(replaced)))
    return "\n".join([*above, style + below[0], *below[1:]])


def split(path: Path) -> tuple[list[str], list[str]]:
    """(the conversation, the composer with its rules and footer) of a ready screen."""
    lines = captured(path).split("\n")
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
words = st.text(st.characters(exclude_categories=["C", "Z"]) | st.just(" "), max_size=60)
line_text = st.sampled_from(PARTS_OF_A_SCREEN) | words
# What Claude Code shows of a conversation: a sign or nothing in the first column, a blank in the second.
conversation = st.lists(
    st.tuples(st.sampled_from(["  ", "  ", "● ", "❯ ", "✻ ", "│ "]), line_text).map("".join), max_size=40
)
COMPOSER_ABOVE = [FAKE_RULE, f"❯{NBSP}\x1b[7m \x1b[0m", FAKE_RULE, "  ? for shortcuts"]


@given(path=st.sampled_from(READY), above=conversation, blanks=st.integers(0, 30))
@settings(max_examples=400)
def test_a_ready_screen_is_ready_whatever_was_said(path: Path, above: list[str], blanks: int) -> None:
    replaced, composer = split(path)
    mutated = join(above, [*composer, *[""] * blanks], replaced)
    assert read_screen(mutated).state is State.READY


@given(path=st.sampled_from(READY), cut=st.integers(0, 60), width=st.integers(0, 160), blanks=st.integers(0, 5))
@settings(max_examples=400)
def test_a_ready_screen_is_ready_when_the_conversation_is_cut(path: Path, cut: int, width: int, blanks: int) -> None:
    above, composer = split(path)
    kept = [cropped(line, width) + " " * blanks for line in above[cut:]]
    assert read_screen(join(kept, composer, above)).state is State.READY


@given(path=st.sampled_from(OTHERS), cut=st.integers(0, 60), above=conversation)
@settings(max_examples=600)
def test_no_other_screen_is_ready_cut_or_not(path: Path, cut: int, above: list[str]) -> None:
    lines = captured(path).split("\n")
    below = lines[min(cut, len(lines) - 1) :]
    assert read_screen(join(above, below, lines[:cut])).state is not State.READY


@given(path=st.sampled_from(ANYTHING_BUT_BLANK), above=conversation)
@settings(max_examples=600)
def test_a_composer_that_was_left_above_makes_no_screen_ready(path: Path, above: list[str]) -> None:
    """Not even one in the first column, where no text of a conversation can stand: the lowest line decides."""
    lines = captured(path).split("\n")
    assert read_screen(join([*above, *COMPOSER_ABOVE], lines)).state is not State.READY


# What only the footer tells apart, or without colours: it is drawn last, so half drawn these look ready.
TOLD_BY_THE_FOOTER = re.compile("no-color|press-again-to-leave|not_logged_in--")
FROM_THE_TOP = [path for path in OTHERS if not TOLD_BY_THE_FOOTER.search(path.stem)]


@given(path=st.sampled_from(FROM_THE_TOP), drawn=st.integers(0, 50), width=st.integers(0, 160))
@settings(max_examples=400)
def test_a_screen_that_is_half_drawn_is_not_ready(path: Path, drawn: int, width: int) -> None:
    lines = captured(path).split("\n")
    half = [*lines[:drawn], *(cropped(line, width) for line in lines[drawn : drawn + 1])]
    assert read_screen("\n".join(half)).state is not State.READY


@pytest.mark.parametrize("version", VERSIONS)
def test_no_other_screen_is_ready_at_any_line(version: str) -> None:
    """What the tests above try at random, of each screen: cut, half drawn, and with a composer above it."""
    for path in OTHERS:
        if path.parent.name == version:
            lines = captured(path).split("\n")
            screens = [join([], lines[cut:], lines[:cut]) for cut in range(len(lines))]
            if path in FROM_THE_TOP:
                screens += ["\n".join(lines[:drawn]) for drawn in range(len(lines))]
            if path in ANYTHING_BUT_BLANK:
                screens.append(join(COMPOSER_ABOVE, lines))
            assert all(read_screen(shown).state is not State.READY for shown in screens), name_of(path)


@given(path=st.sampled_from(READY), text=words.filter(lambda text: text.strip()))
@settings(max_examples=200)
def test_a_ready_screen_with_a_text_in_it_is_a_draft(path: Path, text: str) -> None:
    above, composer = split(path)
    typed = f"\x1b[39m❯{NBSP}{text}\x1b[7m \x1b[0m"
    read = read_screen("\n".join([*above, "\x1b[0m" + composer[0], typed, *composer[2:]]))
    assert read.state is State.DRAFT
    assert read.draft == text.strip()


@given(st.text(st.sampled_from(f"─❯!{NBSP} \n\x1b[7m0;2?")), st.integers(0, 60))
@settings(max_examples=400)
def test_any_text_can_be_read(text: str, rule: int) -> None:
    read_screen("─" * rule + text + "\n" + "─" * rule)
