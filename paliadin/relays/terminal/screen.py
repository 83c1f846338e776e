"""Read the state of Claude Code from its screen. Pure; tests/screens holds screens of the real CLI.

Claude Code draws its composer between two rules (lines of `─`) that begin in the first column: `❯`, a no-break space,
the text. Below it is at most a footer. A dialog takes the composer's place. No text of the conversation can draw a rule
in the first column. While Claude is idle the `❯` has the terminal's own colour, while it works it is pale: the one sign
of work that no status line, notice or help in the footer hides. The cursor, an inverse cell, shows that keys go there.
A screen is READY only with all of this and an empty composer; a screen that is not understood is never READY.

The screen does not show vim's NORMAL mode, nor, in 2.1.329, that nobody is logged in.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple


class State(StrEnum):
    """The state of a session's Claude, as far as its screen and process show it."""

    STARTING = "starting"  # nothing is drawn yet
    READY = "ready"  # idle, with an empty composer: the only state in which a question is typed
    BUSY = "busy"  # working
    PERMISSION = "permission"  # asks whether it may use a tool
    QUESTION = "question"  # asks the user something
    TRUST = "trust"  # asks whether to trust the folder or a key, before the first question
    LOGIN = "login"  # a step of the login
    NOT_LOGGED_IN = "not_logged_in"  # the footer says so
    DRAFT = "draft"  # the composer holds text
    DIALOG = "dialog"  # any other dialog
    SUSPENDED = "stopped"  # by Ctrl-Z; or woken or resized a moment ago, so that the screen may be outdated
    DEAD = "dead"  # no process


DIALOGS = frozenset({State.PERMISSION, State.QUESTION, State.TRUST, State.LOGIN, State.DIALOG})
AT_WORK = frozenset({State.BUSY, State.PERMISSION, State.QUESTION})  # a turn is running, whoever began it
PASSING = frozenset({State.BUSY, State.SUSPENDED, State.STARTING})  # states that end by themselves


@dataclass(frozen=True, slots=True)
class Screen:
    """One reading of the screen."""

    state: State
    text: str  # without colours, blank lines at the end removed
    draft: str = ""  # the text in the composer, its visible lines joined; no placeholder
    scrolled: bool = False  # the composer shows only a part of a long draft
    mode: str = ""  # the permission mode that the footer names, if it is seen


class _Style(NamedTuple):
    colour: tuple[int, ...] = ()  # of the text; () is the terminal's own
    faint: bool = False
    inverse: bool = False


_StyledLine = list[tuple[str, _Style]]  # (character, its style)

_ESCAPE = re.compile(r"\x1b(?:\][^\x07\x1b]*(?:\x07|\x1b\\)|\[[0-9;:?]*[A-Za-z]|[()][A-Z0-9])")
_SGR = re.compile(r"(\x1b\[[0-9;:]*m)")
_OTHER_ESCAPE = re.compile(r"\x1b(?:\][^\x07\x1b]*(?:\x07|\x1b\\)|\[[0-9;:?]*[A-Za-ln-z]|[()][A-Z0-9])")
_RULE = re.compile(r"─{10,}|─+ ↓ \d+ more ─+")  # the second form: a long draft goes on below
_UPPER_RULE = re.compile(r"─{10,}|─+ .+ ─+")  # it may hold the name of the session, or of an agent that is shown
_SCROLLED = re.compile(r"─+ ↑ \d+ more ─+")  # 2.1.329 scrolls a long draft; 2.1.197 lets it run off the top
_MARK = re.compile("[❯!]\u00a0")
_INDENTED = re.compile(r"(?:  |[❯!]\u00a0).*|$")
_DIALOG_KEYS = re.compile(r"(?:Enter|Esc) +to ")
_DIALOG_RULE = re.compile(r"[─▔]{10,}")
_PASSING = re.compile(r"Press \S+ again to|Pasting…")
_NOT_OURS = re.compile(r"Message @|Press |Taking your message back|describe a task")  # placeholders of other composers

_MODES = {
    "accept edits": "acceptEdits",
    "auto mode": "auto",
    "bypass permissions": "bypassPermissions",
    "don't ask": "dontAsk",
    "manual mode": "default",
    "plan mode": "plan",
}
_MODE = re.compile(rf"  \S+ ({'|'.join(_MODES)}) on\b")
_IDLE_FOOTERS = ("  ? for shortcuts", "  ← for agents")

# The lowest match in a dialog decides: above it may be any text, such as a command or a file that it asks about.
_DIALOG_WORDS = (
    (State.DIALOG, re.compile(r"Showing detailed transcript")),
    (State.QUESTION, re.compile(r"Enter to select · \S+(?: keys)? to navigate|Chat about this|Submit answers")),
    (State.PERMISSION, re.compile(r"Do you want to (?!use this API key)|Would you like to proceed|Exit plan mode\?")),
    (State.TRUST, re.compile(r"trust this folder|use this API key|Yes, I accept")),
    (State.LOGIN, re.compile(r"Select login method|Paste code here|Browser didn't open")),
)


def read_screen(captured: str) -> Screen:
    """Read the output of `capture-pane -p -e`, text with its colours, of a process that is running and not stopped."""
    lines = [line.rstrip(" ") for line in _ESCAPE.sub("", captured).split("\n")]
    text = "\n".join(line.rstrip() for line in lines).rstrip()
    rules = [number for number, line in enumerate(lines) if _RULE.fullmatch(line)]
    upper = _upper_rule(lines, rules[-1]) if rules else None
    if upper is not None:
        rows = _styled_lines(captured, upper + 1, rules[-1])
        whole = not _SCROLLED.fullmatch(lines[upper]) and "↓" not in lines[rules[-1]]
        empty = whole and _is_empty(rows)
        below = lines[rules[-1] + 1 :]
        state = _composer_state(rows, below, empty=empty)
        return Screen(state, text, "" if empty else _draft_text(rows), scrolled=not whole, mode=_mode(below))
    # 2.1.197: the upper rule of a draft that is taller than the screen has run off the top.
    if len(rules) == 1 and all(_INDENTED.match(line) for line in lines[: rules[0]]):
        rows = _styled_lines(captured, 0, rules[0])
        if any(style.inverse for row in rows for _, style in row):
            busy = "to interrupt" in "\n".join(lines[rules[0] :])
            return Screen(State.BUSY if busy else State.DRAFT, text, _draft_text(rows), scrolled=True)
    return Screen(_dialog_state(lines) if text else State.STARTING, text)


def _upper_rule(lines: Sequence[str], lower: int) -> int | None:
    """Return the line number of the rule above the composer, given that of the rule below; None without a composer."""
    for number in range(lower - 1, -1, -1):
        if _UPPER_RULE.fullmatch(lines[number]):
            first = lines[number + 1]
            begun = _MARK.match(first) or (_SCROLLED.fullmatch(lines[number]) and _INDENTED.match(first))
            return number if begun and number + 1 < lower else None
        if not _INDENTED.match(lines[number]):
            return None
    return None


def _composer_state(rows: Sequence[_StyledLine], below: Sequence[str], *, empty: bool) -> State:
    """Tell the state of a screen with a composer, from the composer's lines and those below it."""
    footer = "\n".join(below)
    mark, style = rows[0][0]
    at_work = (mark == "❯" and style.colour) or (mark in "❯!" and _is_pale(style))
    if at_work or "to interrupt" in footer:  # the key that it names can be rebound
        return State.BUSY
    if not empty or mark != "❯":
        return State.DRAFT
    if _PASSING.search(footer):
        return State.BUSY  # a notice that passes by itself; a key now could end Claude
    if "Not logged in" in footer:
        return State.NOT_LOGGED_IN
    placeholder = "".join(char for char, _ in rows[0][2:])
    if not _is_footer(below) or not rows[0][2][1].inverse or _NOT_OURS.match(placeholder):
        return State.DIALOG  # keys go to another part of the screen, or to a subagent's composer
    return State.READY


def _mode(below: Sequence[str]) -> str:
    """Return the permission mode that the last line names; "" if none is seen. 2.1.197 does not name `default`."""
    footer = next((line for line in reversed(below) if line), "")
    named = _MODE.match(footer)
    if named:
        return _MODES[named[1]]
    return "default" if footer.startswith(_IDLE_FOOTERS) else ""


def _is_footer(below: Sequence[str]) -> bool:
    """True unless the lines are a dialog below a leftover composer: such lines are less indented, or name its keys."""
    return all(line[:2].isspace() or not line for line in below) and not _DIALOG_KEYS.search(" ".join(below))


def _is_empty(rows: Sequence[_StyledLine]) -> bool:
    """True when nothing is typed: the cursor is in the first cell, and all other text is faint, a placeholder."""
    under_cursor, *others = rows[0][2:]
    cells = [cell for row in (others, *rows[1:]) for cell in row]
    if any(style.inverse or not (style.faint or char.isspace()) for char, style in cells):
        return False
    further = [any(style.faint for _, style in row) for row in rows[1:]]  # a placeholder can take two lines
    if not under_cursor[1].inverse:
        return under_cursor[1].faint or (under_cursor[0].isspace() and all(further))
    return all(further) and (under_cursor[0].isspace() or any(style.faint for _, style in others))


def _draft_text(rows: Sequence[_StyledLine]) -> str:
    """Return the text in the composer without its mark and placeholder."""
    lines = ("".join(char for char, style in row[2:] if not style.faint).rstrip() for row in rows)
    return "\n".join(lines).strip()


def dialog_lines(lines: Sequence[str]) -> Sequence[str]:
    """Return the lines of a screen without a composer, from the rule above its dialog on; all without such a rule."""
    top = next((number for number, line in enumerate(lines) if _DIALOG_RULE.fullmatch(line)), 0)
    return lines[top:]


def _dialog_state(lines: Sequence[str]) -> State:
    """Tell the state of a screen without a composer, by the lowest words of its dialog, which may be wrapped."""
    dialog = " ".join(" ".join(dialog_lines(lines)).split())
    matches = {state: [match.start() for match in words.finditer(dialog)] for state, words in _DIALOG_WORDS}
    last = {state: positions[-1] for state, positions in matches.items() if positions}
    return max(last, key=lambda state: last[state]) if last else State.DIALOG


def _styled_lines(captured: str, first: int, end: int) -> list[_StyledLine]:
    """Split the lines from `first` up to `end` into styled cells. In tmux's output a style spans lines."""
    lines = captured.split("\n")
    above = "\n".join(lines[:first])
    style = _Style()
    for code in _SGR.findall(above, max(above.rfind("\x1b[0"), 0)):  # 0 ends all styles
        style = _style_after(style, code)
    rows = []
    for line in lines[first:end]:
        row: _StyledLine = []
        for part in _SGR.split(_OTHER_ESCAPE.sub("", line)):
            if part.startswith("\x1b"):
                style = _style_after(style, part)
            else:
                row += [(char, style) for char in part]
        rows.append([*row, (" ", style)])  # tmux cuts off blanks at the end, even under the cursor
    return rows


def _style_after(style: _Style, escape: str) -> _Style:
    """Apply an SGR escape to a style: 2 is faint, 7 inverse, 30 to 39 and 90 to 97 the colour of the text."""
    numbers = [int(code) if code.isdigit() else 0 for code in re.split("[;:]", escape[2:-1])]
    while numbers:
        code = numbers.pop(0)
        if code in (38, 48):  # 5;n or 2;r;g;b follows
            length = 2 if numbers[:1] == [5] else 4
            style = style._replace(colour=tuple(numbers[:length])) if code == 38 else style
            del numbers[:length]
        elif code == 0:
            style = _Style()
        elif code in (2, 22):
            style = style._replace(faint=code == 2)
        elif code in (7, 27):
            style = style._replace(inverse=code == 7)
        elif 30 <= code <= 39 or 90 <= code <= 97:
            style = style._replace(colour=() if code == 39 else (code,))
    return style


def _is_pale(style: _Style) -> bool:
    """True for faint or grey text: white or bright black of 16 colours, a grey of 256, or equal red, green and blue."""
    match style.colour:
        case (37 | 90,):
            return True
        case (5, number):
            return number in (7, 8) or number >= 232
        case (2, red, green, blue):
            return red == green == blue
    return style.faint
