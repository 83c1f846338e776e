"""What the terminal shows → the state it is in. Pure; the screens in tests/screens were captured from the real CLI.

Claude Code draws its composer between two rules, `❯` and a no-break space before the text; a dialog's cursor is `❯` and
an ordinary space. Only a screen with an empty composer and nothing running is READY: whatever is not understood is not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum


class State(StrEnum):
    STARTING = "starting"
    READY = "ready"
    BUSY = "busy"
    PERMISSION = "permission"
    QUESTION = "question"
    TRUST = "trust"
    LOGIN = "login"
    NOT_LOGGED_IN = "not_logged_in"
    DRAFT = "draft"
    DIALOG = "dialog"
    STOPPED = "stopped"
    DEAD = "dead"


DIALOGS = frozenset({State.PERMISSION, State.QUESTION, State.TRUST, State.LOGIN, State.DIALOG})


@dataclass(frozen=True, slots=True)
class Screen:
    state: State
    text: str  # without colours, blank lines at the end removed
    draft: str = ""  # what stands in the composer, its visible lines joined


_ESCAPE = re.compile(r"\x1b(?:\][^\x07\x1b]*(?:\x07|\x1b\\)|\[[0-9;:?]*[A-Za-z]|[()][A-Z0-9])")
_SGR = re.compile(r"\x1b\[([0-9;:]*)m")
_OTHER_ESCAPE = re.compile(r"\x1b(?:\][^\x07\x1b]*(?:\x07|\x1b\\)|\[[0-9;:?]*[A-Za-ln-z]|[()][A-Z0-9])")
_RULE = re.compile(r"─{10,}|─+ ↑ \d+ more ─")
_MORE = re.compile(r"─+ ↑ \d+ more ─")  # 2.1.329 scrolls a long draft; 2.1.197 lets it run off the top of the screen
_COMPOSER = re.compile(r"(?:❯|!)\u00a0")
_DRAFT_LINE = re.compile(r"$|  |(?:❯|!)\u00a0")
_OPTION = re.compile(r"^\s*❯ +(?:\d+\.|[^\s\d])", re.MULTILINE)
_TRUST = re.compile(
    r"\btrust\b.*\b(?:folder|files|workspace|project)\b|\bIs this a project you\b", re.IGNORECASE | re.DOTALL
)
_LOGIN = re.compile(r"Select login method|Paste code here|Browser didn't open|Log in to|oauth", re.IGNORECASE)
_PERMISSION = re.compile(r"Do you want to|requires? (?:your )?(?:approval|permission)|Would you like to proceed")
_QUESTION = re.compile(r"Chat about this|Enter to select.*to navigate|Ready to submit your answers|Submit answers")
_LEAVING = re.compile(r"Press (?:Ctrl-C|Ctrl-D|ctrl\+c|ctrl\+d|Esc)\S* again", re.IGNORECASE)


def read_screen(captured: str) -> Screen:
    """`captured` is `capture-pane -p -e`: text with its colours, of a live and running process."""
    styled = captured.split("\n")
    lines = [line.rstrip() for line in _ESCAPE.sub("", captured).split("\n")]
    text = "\n".join(lines).rstrip()
    composer = _composer(lines)
    if composer is None:
        return Screen(_without_composer(text), text)
    first, last = composer
    footer = "\n".join(lines[last:])
    draft = _draft([list(_cells(line)) for line in styled[first:last]])
    return Screen(_with_composer(footer, draft), text, draft)


def _composer(lines: Sequence[str]) -> tuple[int, int] | None:
    """(first line, line of the lower rule) of the lowest composer on the screen."""
    rules = [number for number, line in enumerate(lines) if _RULE.match(line)]
    for upper, lower in zip(reversed(rules[:-1]), reversed(rules[1:]), strict=True):
        begins = _COMPOSER.match(lines[upper + 1].ljust(2, "\u00a0")) or _MORE.match(lines[upper])
        if upper + 1 < lower and begins:
            return upper + 1, lower
    if len(rules) == 1 and rules[0] > 2 and all(_DRAFT_LINE.match(line) for line in lines[: rules[0]]):
        return 1, rules[0]
    return None


def _with_composer(footer: str, draft: str) -> State:
    if "to interrupt" in footer:  # the key before it can be rebound
        return State.BUSY
    if draft:
        return State.DRAFT
    if _LEAVING.search(footer):
        return State.BUSY  # it passes by itself; a key now could end Claude
    if "Not logged in" in footer or "Run /login" in footer:
        return State.NOT_LOGGED_IN
    if _OPTION.search(footer):
        return State.DIALOG
    return State.READY


def _without_composer(text: str) -> State:
    if not text.strip():
        return State.STARTING
    # A permission may be about any text at all: its own words are looked for last, near its options.
    options = _OPTION.search(text)
    if options is None:
        return State.LOGIN if _LOGIN.search(text) else State.DIALOG
    for state, pattern in (
        (State.QUESTION, _QUESTION),
        (State.PERMISSION, _PERMISSION),
        (State.TRUST, _TRUST),
        (State.LOGIN, _LOGIN),
    ):
        if pattern.search(text):
            return state
    return State.DIALOG


def _draft(rows: Sequence[Sequence[tuple[str, bool]]]) -> str:
    """The composer's text; a dim one is a placeholder (its first character may lie under the cursor, undimmed)."""
    cells = [cell for row in rows for cell in [*row[2:], ("\n", False)]]
    solid = [char for char, dim in cells if not dim and not char.isspace()]
    dimmed = any(dim and not char.isspace() for char, dim in cells)
    if not solid or (dimmed and len(solid) <= 1):
        return ""
    return "\n".join("".join(char for char, _ in row[2:]).rstrip() for row in rows).strip()


def _cells(line: str) -> Iterator[tuple[str, bool]]:
    """(character, is it dim or grey) along a line."""
    faint = grey = False
    for part in re.split(r"(\x1b\[[0-9;:]*m)", _OTHER_ESCAPE.sub("", line)):
        match = _SGR.fullmatch(part)
        if match:
            faint, grey = _style_after(match.group(1), faint, grey)
        else:
            yield from ((char, faint or grey) for char in part)


def _style_after(codes: str, faint: bool, grey: bool) -> tuple[bool, bool]:
    """Select Graphic Rendition: 2 is faint, 22 ends it, 38 and 39 are the colour of the text."""
    numbers = [int(code) if code.isdigit() else 0 for code in re.split("[;:]", codes)]
    while numbers:
        code = numbers.pop(0)
        if code in (38, 48):  # 5;n or 2;r;g;b follows
            length = 2 if numbers[:1] == [5] else 4
            grey = _is_grey(numbers[:length]) if code == 38 else grey
            del numbers[:length]
        elif code in (2, 22):
            faint = code == 2
        elif code == 39:
            grey = False
        elif code == 0:
            faint = grey = False
    return faint, grey


def _is_grey(colour: Sequence[int]) -> bool:
    if len(colour) == 2:
        return 240 <= colour[1] <= 250  # the middle of the grey ramp of the 256 colours
    return len(set(colour[1:])) == 1 and 80 <= colour[1] <= 190
