"""Clean the text of a question, and compare what was typed with what Claude Code reports."""

from __future__ import annotations

import re
import unicodedata

from paliadin.base.errors import EmptyMessage, InvalidField, MessageTooLong

MAX_MESSAGE = 100_000  # characters, after cleaning
MAX_RAW_MESSAGE = 4 * MAX_MESSAGE  # characters, before cleaning
_NEWLINE = re.compile("\r\n?|[\u0085\u2028\u2029]")
_PLANE_ENDS = "".join(chr(plane << 16 | last) for plane in range(17) for last in (0xFFFE, 0xFFFF))
# Default-ignorable and format characters can hide an instruction from a reader, and terminals disagree on their width.
# Claude Code 2.1.330 removes most of them, too.
_INVISIBLE = (
    "\u00ad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f"
    "\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0d\ufeff\uffa0\ufff0-\ufffb\U000110bd\U000110cd\U00013430-\U0001345f"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e001f\U000e0080-\U000e0fff"
)
_REMOVED = re.compile(
    f"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef{_INVISIBLE}{_PLANE_ENDS}]"
    "|(?<![\U0001f3f4\U000e0020-\U000e007f])[\U000e0020-\U000e007f]+"  # tag characters, except in the emoji of a flag
)
# Variation selectors, except after a character that may have variants.
_STRAY_SELECTORS = re.compile("(?<![0-9#*\u00a9\u00ae\u203c-\U0010ffff])[\ufe0e\ufe0f]+")
# Joiners, except between emoji or letters from U+0590 (Hebrew) upwards.
_STRAY_JOINERS = re.compile(
    "(?<![\u0590-\U0010ffff])[\u200c\u200d]+|(?<![\u200c\u200d])[\u200c\u200d]+(?![\u0590-\U0010ffff])"
)
# Joiners, variation selectors and tag characters: Claude Code 2.1.330 keeps some of them, 2.1.197 all.
_IGNORED_IN_COMPARISON = re.compile("[\u200c\u200d\ufe0e\ufe0f\U000e0020-\U000e007f]")

_ATTACHING = re.compile(r"(?<![^\W_])@")  # not within an address such as name@example.org


def clean_text(text: str) -> str:
    """Normalize a text so that each tested version of Claude Code accepts it unchanged.

    LF line ends, Unicode NFC, four spaces for a tab, no control or invisible characters, no spaces at the end.
    """
    text = _REMOVED.sub("", unicodedata.normalize("NFC", _NEWLINE.sub("\n", text))).replace("\t", "    ")
    text = _STRAY_JOINERS.sub("", _STRAY_SELECTORS.sub("", text))
    return unicodedata.normalize("NFC", text).rstrip()


def check_message(value: object) -> str:
    """Return the cleaned `user_message` of a request; raises InvalidField, EmptyMessage or MessageTooLong."""
    if not isinstance(value, str):
        raise InvalidField("user_message is not a string")
    if len(value) > MAX_RAW_MESSAGE:
        raise MessageTooLong(f"user_message is longer than {MAX_MESSAGE:,} characters")
    message = clean_text(value)
    if not message:
        raise EmptyMessage("user_message is empty")
    if len(message) > MAX_MESSAGE:
        raise MessageTooLong(f"user_message has {len(message):,} characters, more than {MAX_MESSAGE:,}")
    return message


def without_attachments(text: str) -> str:
    """Make every `@` inert with which Claude Code would attach a file or call an agent: at the start of a word."""
    return _ATTACHING.sub(r"\\@", text)


def same_text(sent: str, reported: str) -> bool:
    """True if the prompt that UserPromptSubmit reports is the one that was typed.

    Joiners, variation selectors, tag characters and spaces at the end may differ.
    """
    return _IGNORED_IN_COMPARISON.sub("", clean_text(sent)) == _IGNORED_IN_COMPARISON.sub("", clean_text(reported))
