"""Tell which files `@` in a question can name, and why not the others; and how a name is shown. Pure.

A question is typed, so a name has no control characters; Claude Code gets it in the composed form (NFC), without
invisible characters; it ends at a `#`, and a quotation mark ends a quoted one. Measured with 2.1.197 and
2.1.330 (docs/claude-code.md). views/composer/file-source.js writes the names.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from enum import StrEnum

from paliadin.base.visible_text import escape_invisible

_UNUSUAL = re.compile(r"""["#]|\s\Z""")
# A name that needs no quotation marks around it may have some of its own, but no full stop at its end.
_UNQUOTED = re.compile(r"""[\w./+(),:'"\\-]*[\w/]""")
_EMOJI = re.compile("(?<=[\u2000-\u32ff\U0001f000-\U0001faff])\ufe0f")  # the mark of a coloured one arrives
_BYTE = re.compile("[\udc80-\udcff]")  # of a name that is no UTF-8


class Obstacle(StrEnum):
    """A reason why a question cannot name a file."""

    ENCODING = "encoding"  # its name is no UTF-8
    CONTROL = "control"  # a newline, a tab, or another control character
    DECOMPOSED = "decomposed"  # letters and their marks are apart (NFD), on a system for which that is another name
    INVISIBLE = "invisible"  # what sets a direction, or has no shape
    NUMBER_SIGN = "number_sign"
    QUOTE = "quote"
    BLANK = "blank"  # at its end


def obstacle(path: str) -> Obstacle | None:
    """Return why `@` in a question cannot name this path; None if it can."""
    if path.isascii() and path.isprintable() and not _UNUSUAL.search(path):
        return None  # nearly all
    if any("\ud800" <= char <= "\udfff" for char in path):
        return Obstacle.ENCODING
    if any(unicodedata.category(char) == "Cc" for char in path):
        return Obstacle.CONTROL
    if sys.platform != "darwin" and unicodedata.normalize("NFC", path) != path:
        return Obstacle.DECOMPOSED
    if escape_invisible(plain := _EMOJI.sub("", path)) != plain:
        return Obstacle.INVISIBLE
    if "#" in path:
        return Obstacle.NUMBER_SIGN
    if '"' in path and not _UNQUOTED.fullmatch(path):
        return Obstacle.QUOTE
    return Obstacle.BLANK if path != path.rstrip() else None


def shown_name(path: str) -> str:
    """Return the path as a person may see it: composed, every character visible, bytes that are no text as numbers."""
    text = _BYTE.sub(lambda match: f"⟨{ord(match[0]) - 0xDC00:02X}⟩", unicodedata.normalize("NFC", path))
    return escape_invisible(text.replace("\n", "⟨U+000A⟩").replace("\t", "⟨U+0009⟩"))
