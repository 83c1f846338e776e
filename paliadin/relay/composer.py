"""Is what stands in the composer ours? Pure."""

from __future__ import annotations

import unicodedata

from paliadin.relay.screen import DIALOGS, Screen, State


def is_ours(screen: Screen, text: str) -> bool:
    """The composer holds our text; of a long one it shows only the end. Blanks and invisible characters don't count."""
    if screen.state not in {State.DRAFT, State.NOT_LOGGED_IN} or not screen.draft:
        return False
    shown, sent = _letters(screen.draft), _letters(text)
    return sent.startswith(shown) and len(shown) == len(sent) if len(shown) < 60 else sent.endswith(shown[-400:])


def shows_end(screen: Screen, text: str) -> bool:
    """The composer shows the last letters of what was typed so far."""
    end = _letters(text[-200:])[-20:]
    return bool(end) and _letters(screen.draft[-500:]).endswith(end)


def shows_part(screen: Screen, text: str) -> bool:
    """The composer shows what an earlier daemon had typed of our text when it was killed."""
    shown = _letters(screen.draft[-500:])
    return len(shown) >= 20 and shown in _letters(text)


def shown_or_dialog(screen: Screen, text: str) -> bool:
    return shows_end(screen, text) or screen.state in DIALOGS


def _letters(text: str) -> str:
    return "".join(char for char in unicodedata.normalize("NFC", text) if char.isalnum())
