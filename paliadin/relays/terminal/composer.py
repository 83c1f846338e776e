"""Is what stands in the composer ours? Pure."""

from __future__ import annotations

import unicodedata
from collections import Counter

from paliadin.relay.screen import DIALOGS, Screen, State


def is_ours(screen: Screen, text: str) -> bool:
    """The composer holds our text; a long one shows its end. Blanks and invisible characters don't count."""
    if screen.state not in {State.DRAFT, State.NOT_LOGGED_IN} or not screen.draft:
        return False
    shown, sent = _letters(screen.draft), _letters(text)
    return bool(shown) and sent.endswith(shown) if screen.scrolled else shown == sent


def shows_end(screen: Screen, text: str) -> bool:
    """The composer shows the last letters of what was typed so far."""
    end = _letters(text[-200:])[-20:]
    return bool(end) and _letters(screen.draft[-500:]).endswith(end)


def shows_part(screen: Screen, text: str) -> bool:
    """All that the composer shows is from our text, though some of that may be missing: nobody else typed into it.

    An earlier daemon was killed as it typed; or Claude Code and tmux differ about the width of a character, and one is
    drawn over the other.
    """
    shown, sent = _letters(screen.draft), _letters(text)
    return len(shown) >= 20 and (shown in sent if screen.scrolled else not Counter(shown) - Counter(sent))


def came_back(screen: Screen, before: str, typed: str) -> bool:
    """The whole text before stands there, and beside it at most some of what is typed now: an interrupt was late."""
    shown, old = _letters(screen.draft), _letters(before)
    at = shown.find(old)
    return bool(old) and at >= 0 and not screen.scrolled and shown[:at] + shown[at + len(old) :] in _letters(typed)


def shows_paste(screen: Screen) -> bool:
    """Claude Code took several bursts for one paste, and shows a mark in the place of the text."""
    return "[Pasted text" in screen.draft


def repeats(screen: Screen, text: str) -> bool:
    """Whether the end of the text cannot tell that it was taken: it has no letters, or stands there already."""
    return not _letters(text[-200:]) or shows_end(screen, text)


def taken_or_dialog(screen: Screen, text: str, before: Screen) -> bool:
    """The end of the text is on the screen that was `before`, or something that is no composer."""
    return screen.state in DIALOGS or taken(screen, text, before)


def taken(screen: Screen, text: str, before: Screen) -> bool:
    return screen.state not in DIALOGS and screen.text != before.text and repeats(screen, text)


def _letters(text: str) -> str:
    return "".join(char for char in unicodedata.normalize("NFC", text) if char.isalnum())
