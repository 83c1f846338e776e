"""The terminal's texts."""

from __future__ import annotations

from paliadin.words.catalogue import words

TABLES = ("shared", "reports", "terminal")


def phrase(key: str, default: str = "") -> str:
    """Return the text with this key, its blanks not filled in; `default` if there is none."""
    return words(*TABLES).get(key, (default,))[0]
