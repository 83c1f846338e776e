"""The names of attached files, for a person and on disk. Pure."""

from __future__ import annotations

import re
import unicodedata

from paliadin.base.errors import InvalidField
from paliadin.base.visible_text import escape_invisible

LONGEST_NAME = 200  # characters, as the person sees it
MAX_MARKS = 8  # combining marks on a letter, and selectors, which are as wide as those
_LONGEST_FILE_NAME = 160  # bytes
_EMOJI_SELECTOR = "\ufe0f"
_UNSAFE = re.compile(r"[^\w .,;()\[\]+=!&'-]")


def check_name(name: object) -> str:
    """Return a file's name, without folders and with nothing invisible in it; raises InvalidField."""
    if not isinstance(name, str) or len(name) > 10 * LONGEST_NAME:
        raise InvalidField(f"a file's name must be a text of at most {LONGEST_NAME} characters")
    base = re.split(r"[/\\]", unicodedata.normalize("NFC", name))[-1]
    visible = " ".join(_visible(base).split())
    if not visible.strip(f". {_EMOJI_SELECTOR}"):
        raise InvalidField("a file's name must have a letter")
    stem, dot, suffix = visible.rpartition(".")
    if len(visible) > LONGEST_NAME:
        visible = visible[:LONGEST_NAME] if not dot or len(suffix) > 20 else f"{stem[: LONGEST_NAME - 21]}.{suffix}"
    return visible


def _visible(name: str) -> str:
    """Replace invisible characters by blanks, and drop excess combining marks."""
    characters, marks = [], 0
    for char in name:
        marks = marks + 1 if unicodedata.combining(char) or char == _EMOJI_SELECTOR else 0
        if marks <= MAX_MARKS:
            is_shown = char == _EMOJI_SELECTOR or (char.isprintable() and escape_invisible(char) == char)
            characters.append(char if is_shown else " ")
    return "".join(characters)


def file_name(name: str) -> str:
    """Return a file's name on disk: nothing in it ends a quoted `@"path"`, or is special in a rule or a terminal."""
    safe = _UNSAFE.sub("_", name.replace('"', "'")).lstrip(".- ") or "_"
    stem, dot, suffix = safe.rpartition(".")
    if not dot or len(suffix.encode()) > 20:
        stem, dot, suffix = safe, "", ""
    room = _LONGEST_FILE_NAME - len((dot + suffix).encode())
    return stem.encode()[:room].decode("utf-8", "ignore").rstrip() + dot + suffix
