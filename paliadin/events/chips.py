"""Chips: markers in an answer that become buttons. What one says, and where it may lead.

[#<kind>-OPEN:<id>]    [chip:nav:<path>]    [chip:filter:<query>]
"""

from __future__ import annotations

import html
import re
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal
from urllib.parse import quote, unquote

MAX_MARKER = 300
_MAX_LABEL = 60

_OPEN = re.compile(r"\[#([\w-]{1,40})-(?i:OPEN):([A-Za-z0-9._:-]{1,80})\]")
_VALUE = re.compile(r"\[(?i:chip:(nav|filter)):([^\[\]\r\n]+)\]")
_OPEN_PART = re.compile(r"\[#(?:[\w-]{0,45}|[\w-]{1,40}-(?i:OPEN):[A-Za-z0-9._:-]{0,80})")
_VALUE_PARTS = ("[chip:nav:", "[chip:filter:")

_SCHEME = re.compile(r"[^/?#]*:")
_PARENT = re.compile(r"(?:^|[/?#])\.\.(?:$|[/?#;])")
_HIDDEN = {"Cc", "Cf", "Cs", "Zl", "Zp"}


@dataclass(frozen=True)
class Chip:
    """One marker. `open` has a kind and an id; `nav` and `filter` have a value, as written."""

    kind: str
    action: Literal["open", "nav", "filter"]
    id: str | None = None
    value: str | None = None


def parse_chip(marker: str) -> Chip | None:
    """The chip that this whole `[…]` is, or None: then it is ordinary text."""
    if len(marker) > MAX_MARKER:
        return None
    if match := _OPEN.fullmatch(marker):
        return Chip(kind=match[1].lower(), action="open", id=match[2])
    if (match := _VALUE.fullmatch(marker)) and (value := match[2].strip()):
        action: Literal["nav", "filter"] = "nav" if match[1].lower() == "nav" else "filter"
        return Chip(kind=action, action=action, value=value)
    return None


def may_be_chip(part: str) -> bool:
    """Can `part`, which begins with `[` and has no end yet, still become a chip?"""
    if len(part) >= MAX_MARKER:
        return False
    lowered = part.lower()
    return bool(_OPEN_PART.fullmatch(part)) or any(
        whole.startswith(lowered) or lowered.startswith(whole) for whole in _VALUE_PARTS
    )


def href_for(chip: Chip, templates: Mapping[str, str]) -> str | None:
    """Where the chip leads: its own path, if safe, or its kind's template with `{id}` (or `{value}`) percent-encoded.

    A filter uses the template of kind `filter`. None: nowhere.
    """
    if chip.action == "nav":
        return safe_path(chip.value or "")
    template = templates.get(chip.kind)
    text = chip.id or chip.value or ""
    # An id of dots alone would climb in the template's path; everything else is inert once encoded.
    if template is None or not text.strip("."):
        return None
    encoded = quote(text, safe="")
    return template.replace("{id}", encoded).replace("{value}", encoded)


def safe_path(path: str) -> str | None:
    """The path, if it is a relative one of the host application, else None.

    Refused, also percent- or entity-encoded, however often: a scheme, `//`, a backslash, a `..` segment, control and
    invisible characters. Blanks become `%20`.
    """
    path = path.strip(" ")
    decoded, before = path, None
    while decoded != before:
        if not _harmless(decoded):
            return None
        decoded, before = html.unescape(unquote(decoded)), decoded
    return path.replace(" ", "%20") or None


def chip_label(chip: Chip) -> str:
    """A short label for a person: `Deadline c47bd2`, `/deadlines`, `Filter: status=open`."""
    if chip.action == "open":
        words = re.sub(r"[_-]+", " ", chip.kind).strip()
        label = f"{words[:1].upper()}{words[1:]} {chip.id}"
    else:
        label = f"Filter: {chip.value}" if chip.action == "filter" else str(chip.value)
    return label if len(label) <= _MAX_LABEL else label[: _MAX_LABEL - 1] + "…"


def id_in(id: str, text: str) -> bool:  # noqa: A002 - the word of the marker's own syntax
    """Does `text` hold the id as a whole token, not as a part of a longer one of letters, digits, `-` and `_`?"""
    return bool(id) and re.search(rf"(?<![\w-]){re.escape(id)}(?![\w-])", text) is not None


def _harmless(path: str) -> bool:
    return not (
        "//" in path
        or "\\" in path
        or _SCHEME.match(path)
        or _PARENT.search(path)
        or any(unicodedata.category(character) in _HIDDEN for character in path)
    )
