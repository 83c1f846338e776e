"""Clean the text of a question, and compare the typed text with the one that Claude Code reports."""

from __future__ import annotations

import functools
import re
import unicodedata

from paliadin.base.errors import EmptyMessage, InvalidField, MessageTooLong

MAX_MESSAGE = 100_000  # characters, after cleaning
MAX_RAW_MESSAGE = 3 * MAX_MESSAGE  # characters, before cleaning; a Korean syllable may come as three letters
# Combining marks in a row. Hebrew with accents has up to seven on a letter, others at most five. Unicode puts a row of
# marks in order in quadratic time: 100,000 of them took 5.5 s.
MAX_MARKS = 8
# Those above U+FFFF are among these; letters of mathematics and emoji are not.
_ASTRAL_MARKS = (
    "\U000101fd\U000102e0\U00010376-\U00011fff\U00016af0-\U0001cfff\U0001d165-\U0001d244\U0001e000-\U0001efff"
)
_DOUBLE_MARKS = "\u0f73\u0f75\u0f81"  # Tibetan vowels: no marks by their class, but each comes apart into two
_BETWEEN_MARKS = "\u200c\u200d\ufe0e\ufe0f"  # they count as marks: where they are removed, two rows become one
_NEWLINE = re.compile("\r\n?|[\u0085\u2028\u2029]")
_PLANE_ENDS = "".join(chr(plane << 16 | last) for plane in range(1, 17) for last in (0xFFFE, 0xFFFF))
# Default-ignorable and format characters can hide an instruction from a reader, and terminals disagree on their width.
# Claude Code 2.1.330 removes most of them, too.
_INVISIBLE = (
    "\u00ad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f"
    "\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0d\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff"
)
_INVISIBLE_ASTRAL = (
    "\U000110bd\U000110cd\U00013430-\U0001345f"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e001f\U000e0080-\U000e0fff"
)
# Apart: `re` looks up characters to U+FFFF in a table, and compares others with one range after another.
_REMOVED = re.compile(f"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef{_INVISIBLE}]+")
_MAY_BE_REMOVED = re.compile(f"[{_INVISIBLE_ASTRAL}\U0001fffe\U0001ffff\U0002fffe-\U0010ffff]")
_REMOVED_ASTRAL = re.compile(
    f"[{_INVISIBLE_ASTRAL}{_PLANE_ENDS}]+"
    "|(?<![\U0001f3f4\U000e0020-\U000e007f])[\U000e0020-\U000e007f]+"  # tag characters, except in the emoji of a flag
)
# Variation selectors, except after a character that may have variants.
_SELECTOR = re.compile("[\ufe0e\ufe0f]")
_STRAY_SELECTORS = re.compile("(?<![0-9#*\u00a9\u00ae\u203c-\U0010ffff])[\ufe0e\ufe0f]+")
# Joiners, except between emoji or letters from U+0590 (Hebrew) upwards.
_JOINER = re.compile("[\u200c\u200d]")
_STRAY_JOINERS = re.compile(
    "(?<![\u0590-\U0010ffff])[\u200c\u200d]+|(?<![\u200c\u200d])[\u200c\u200d]+(?![\u0590-\U0010ffff])"
)
# Joiners, variation selectors and tag characters: Claude Code 2.1.330 keeps some of them, 2.1.197 all.
_IGNORED_IN_COMPARISON = re.compile("[\u200c\u200d\ufe0e\ufe0f\U000e0020-\U000e007f]")

_ATTACHING = re.compile(r"(?<![^\W_])@")  # not within an address such as name@example.org


def clean_text(text: str) -> str:
    """Normalize a text so that each tested version of Claude Code accepts it unchanged.

    LF line ends, Unicode NFC, four spaces for a tab, no control or invisible characters, at most MAX_MARKS combining
    marks in a row, no spaces at the end. The caller bounds the text's length.
    """
    text = _remove(_NEWLINE.sub("\n", text)).replace("\t", "    ")
    if not text.isascii():
        text = _compose(text)
        if _SELECTOR.search(text):
            text = _STRAY_SELECTORS.sub("", text)
        if _JOINER.search(text):
            text = _STRAY_JOINERS.sub("", text)
        text = _compose(text)
    return text.rstrip()


def _remove(text: str) -> str:
    text = _REMOVED.sub("", text)
    return _REMOVED_ASTRAL.sub("", text) if _MAY_BE_REMOVED.search(text) else text


def _compose(text: str) -> str:
    """Return the text in NFC, without excess marks."""
    composed = unicodedata.normalize("NFC", _long_rows().sub(_shorten_row, text))
    return _long_rows().sub(_shorten_row, composed)  # one mark may have become several


@functools.cache
def _long_rows() -> re.Pattern[str]:
    """Return the pattern of rows that may hold too many marks: of marks, and of characters of rarely used planes."""
    marks = "".join(char for char in map(chr, range(0x300, 0xFFFF)) if unicodedata.combining(char))
    kind = f"[{marks}{_DOUBLE_MARKS}{_BETWEEN_MARKS}{_ASTRAL_MARKS}]"
    return re.compile(f"{kind}{kind}{{{MAX_MARKS},}}")


def _shorten_row(row: re.Match[str]) -> str:
    characters, number, others = [], 0, _DOUBLE_MARKS + _BETWEEN_MARKS
    for char in row[0]:
        number = number + 1 if unicodedata.combining(char) or char in others else 0
        if number <= MAX_MARKS:
            characters.append(char)
    return "".join(characters)


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
    """Disarm every `@` at the start of a word, with which Claude Code would attach a file or call an agent."""
    return _ATTACHING.sub(r"\\@", text)


def same_text(sent: str, reported: str) -> bool:
    """True if the prompt that UserPromptSubmit reports is the one that was typed.

    Joiners, variation selectors, tag characters and spaces at the end may differ.
    """
    return _IGNORED_IN_COMPARISON.sub("", clean_text(sent)) == _IGNORED_IN_COMPARISON.sub("", clean_text(reported))
