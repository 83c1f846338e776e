"""Untrusted text, made safe for a terminal. Pure.

A prompt, an answer, a tool's output or what another host says may hold escape sequences that move the cursor, rename
the window, fill the clipboard or type input, and bidirectional overrides that make a command look like another one.
"""

from __future__ import annotations

import json
import logging
import re
from typing import Any

from paliadin.base.visible_text import escape_invisible

_UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def clean(text: str) -> str:
    """Replace each control character but newline and tab with a visible symbol."""
    return _UNSAFE.sub(_symbol, text.replace("\r\n", "\n"))


def one_line(text: str, longest: int | None = None) -> str:
    """Clean the text and join its lines; cut it with an ellipsis to at most `longest` characters."""
    joined = clean(" ".join(text.split()))
    return joined if longest is None or len(joined) <= longest else joined[: longest - 1] + "…"


def title_line(text: str, longest: int | None = None) -> str:
    """Return a title in one line, with what is invisible in it written out; cut as `one_line` does."""
    return one_line(escape_invisible(" ".join(text.split())), longest)


def json_line(value: Any) -> str:
    """Return the value as JSON in one line, with control characters escaped and other characters as they are."""
    text = json.dumps(value, ensure_ascii=False, default=_plain)
    return _UNSAFE.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


class LineFormatter(logging.Formatter):
    """Formats a log record so that its message is one line, and a terminal obeys nothing of it or of its traceback."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802  # logging's name
        return one_line(super().formatMessage(record))

    def format(self, record: logging.LogRecord) -> str:
        return clean(super().format(record))


def _plain(value: Any) -> Any:
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


def _symbol(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code == 0x7F:
        return "\N{SYMBOL FOR DELETE}"
    return chr(0x2400 + code) if code < 0x20 else "\N{REPLACEMENT CHARACTER}"
