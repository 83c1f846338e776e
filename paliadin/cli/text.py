"""Text that others wrote, made fit for a terminal. Pure.

A prompt, an answer, a tool's output may hold escape sequences that move the cursor, rename the window or answer on the
keyboard's behalf, and bidirectional overrides that show a command other than it is.
"""

from __future__ import annotations

import json
import re
from typing import Any

_UNSAFE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")


def clean(text: str) -> str:
    """The text with a visible sign for each control character but newline and tab."""
    return _UNSAFE.sub(_sign, text.replace("\r\n", "\n"))


def one_line(text: str, longest: int | None = None) -> str:
    joined = clean(" ".join(text.split()))
    return joined if longest is None or len(joined) <= longest else joined[: longest - 1] + "…"


def json_line(value: Any) -> str:
    """The value as JSON in one line, readable, with control characters as escapes."""
    text = json.dumps(value, ensure_ascii=False, default=_plain)
    return _UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def _plain(value: Any) -> Any:
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


def _sign(found: re.Match[str]) -> str:
    code = ord(found[0])
    if code == 0x7F:
        return "\N{SYMBOL FOR DELETE}"
    return chr(0x2400 + code) if code < 0x20 else "\N{REPLACEMENT CHARACTER}"
