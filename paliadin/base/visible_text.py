"""Shows a person all of a text that they judge, such as a command to allow: no blanks or characters hide any. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping

_BLANK = "[ \t\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]"
_EMPTY_LINES = re.compile(rf"(\A|\n)((?:{_BLANK}*\n){{4,}})")
_BLANKS = re.compile(rf"{_BLANK}{{32,}}")
# Control and format characters, and others that have no shape of their own; without newline and tab.
INVISIBLE = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160\u17b4\u17b5"
    "\u180b-\u180f\u200b-\u200f\u2028-\u202e\u2060-\u206f\u2800\u3164\ud800-\udfff\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffc\ue000-\uf8ff"
    "\U000110bd\U000110cd\U00013430-\U0001343f\U00013441\U00013442\U00016fe4\U0001bca0-\U0001bca3\U0001d159\U0001d173-\U0001d17a\U000e0000-\U000e0fff\U000f0000-\U0010ffff"
)
_INVISIBLE = re.compile(f"[{INVISIBLE}]")

FoldName = Callable[[str, int], str]
"""Names what was folded: its kind, `blank_lines` or `blanks`, and how many."""


def escape_invisible(text: str) -> str:
    """Write out characters that hide or reorder what stands around them, as `⟨U+202E⟩`."""
    return _INVISIBLE.sub(lambda match: f"⟨U+{ord(match[0]):04X}⟩", text)


def english(kind: str, count: int) -> str:
    """Name what was folded in English: `⟨299 blank lines⟩`."""
    return f"⟨{count} {kind.replace('_', ' ')}⟩"


def fold_blanks(text: str, name: FoldName = english) -> str:
    """Replace more than three empty lines, and 32 blanks or more, by their number."""
    text = _EMPTY_LINES.sub(lambda match: f"{match[1]}{name('blank_lines', match[2].count(chr(10)))}\n", text)
    return _BLANKS.sub(lambda match: name("blanks", len(match[0])), text)


def show(value: object, name: FoldName = english) -> str:
    """Return a JSON value as a text that hides nothing: a string as it is, everything else as JSON in one line."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return fold_blanks(escape_invisible(text), name)


def show_strings(value: object, name: FoldName = english) -> object:
    """Copy a JSON value with every string in it made visible and its blanks folded."""
    if isinstance(value, str):
        return fold_blanks(escape_invisible(value), name)
    if isinstance(value, Mapping):
        return {escape_invisible(str(key)): show_strings(item, name) for key, item in value.items()}
    if isinstance(value, list):
        return [show_strings(item, name) for item in value]
    return value


def keep_ends(text: str, longest: int, mark: str = "… ⟨{} more characters⟩ …") -> str:
    """Cut a text in its middle: three quarters of `longest` characters from its head, a quarter from its end.

    `mark` stands between both, with the number of characters that are missing; it does not count.
    """
    if len(text) <= longest:
        return text
    head = longest * 3 // 4
    return text[:head] + mark.format(len(text) - longest) + text[len(text) - (longest - head) :]
