"""Compare the text in Claude's composer with the text that Paliadin typed. Pure.

Only letters and digits are compared: Claude Code wraps and trims, so spaces and invisible characters may differ.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter

from paliadin.relays.terminal.screen import DIALOGS, Screen, State

_PLACEHOLDER = re.compile(r"\[(?:Pasted|\.{3}Truncated)text#\d+(?:\+\d+lines)?(?:\.{3})?\]")  # without its spaces


def holds_exactly(screen: Screen, text: str) -> bool:
    """True when the composer holds exactly `text`; when it is scrolled, the visible part must be the end of `text`."""
    if screen.state is not State.DRAFT or not screen.draft:
        return False
    shown, expected = _letters(screen.draft), _letters(text)
    return bool(shown) and expected.endswith(shown) if screen.scrolled else shown == expected


def holds_rest(screen: Screen, text: str) -> bool:
    """True when the composer holds a possible rest of `text`: its beginning, or any part where it is scrolled.

    A rest has 20 letters or more, so `[PALIADIN:` and a part of the id. Placeholders of pastes stand for further parts.
    """
    parts = [_letters(part) for part in _PLACEHOLDER.split("".join(screen.draft.split()))]
    expected, at = _letters(text), 0
    if sum(map(len, parts)) < 20 or not (screen.scrolled or (parts[0] and expected.startswith(parts[0]))):
        return False
    for part in parts:
        at = expected.find(part, at) + len(part)
        if at < len(part):
            return False
    return True


def shows_end(screen: Screen, text: str) -> bool:
    """True when the composer's text ends with the last letters of `text`, which is what was typed so far."""
    end = _letters(text[-200:])[-20:]
    return bool(end) and _letters(screen.draft[-500:]).endswith(end)


def shows_part(screen: Screen, text: str) -> bool:
    """True when the composer shows nothing but parts of `text`, so that nobody else has typed into it.

    Parts are missing after an earlier daemon was killed while it typed, or where Claude Code and tmux disagree about
    the width of a character and one character is drawn over another.
    """
    shown, expected = _letters(screen.draft), _letters(text)
    return len(shown) >= 20 and (shown in expected if screen.scrolled else not Counter(shown) - Counter(expected))


def has_returned(screen: Screen, previous: str, typed: str) -> bool:
    """True when the composer shows all of the `previous` text, and beside it nothing but a part of `typed`.

    Claude Code puts an interrupted question back, at times only while the next one is typed.
    """
    shown, old = _letters(screen.draft), _letters(previous)
    at = shown.find(old)
    return bool(old) and at >= 0 and not screen.scrolled and shown[:at] + shown[at + len(old) :] in _letters(typed)


def shows_paste(screen: Screen) -> bool:
    """True when Claude Code took several bursts for one paste and shows a placeholder for them."""
    return "[Pasted text" in screen.draft


def may_show_end(screen: Screen, text: str) -> bool:
    """True when the composer shows the end of `text`, or when that end has no letters to look for."""
    return not _letters(text[-200:]) or shows_end(screen, text)


def accepted_or_dialog(screen: Screen, text: str, before: Screen) -> bool:
    """True when the composer holds the text typed so far, or when a dialog has replaced the composer."""
    return screen.state in DIALOGS or has_accepted(screen, text, before)


def has_accepted(screen: Screen, text: str, before: Screen) -> bool:
    """True when the screen differs from `before`, and may show the end of `text`, which is what was typed so far."""
    return screen.state not in DIALOGS and screen.text != before.text and may_show_end(screen, text)


def _letters(text: str) -> str:
    return "".join(char for char in unicodedata.normalize("NFC", text) if char.isalnum())
