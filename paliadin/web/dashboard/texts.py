"""The dashboard's texts in the reader's language."""

from __future__ import annotations

import re

from paliadin.words.catalogue import LANGS, words

TABLES = ("shared", "reports", "dashboard")
_BLANK = re.compile(r"\{\w+\}")


def text(lang: str, key: str, *values: object) -> str:
    """Return the text in one of LANGS, with the values filled in."""
    return words(*TABLES)[key][LANGS.index(lang)].format(*values)


def error_text(lang: str, code: str) -> str:
    """Return what an error code means, in one of LANGS; the code if there are no words for it."""
    text = words("errors").get(f"error.{code}") or words("errors").get(f"own_error.{code}")
    return _BLANK.sub("…", text[LANGS.index(lang)]) if text else code


def pick_lang(*preferences: str) -> str:
    """Return the first language of `preferences` that is in LANGS, else the first of LANGS.

    A preference is a language tag or an Accept-Language header, whose weights are ignored.
    """
    tags = [tag.strip().lower() for header in preferences for tag in header.split(",")]
    return next((lang for tag in tags for lang in LANGS if tag.startswith(lang)), LANGS[0])
