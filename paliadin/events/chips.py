"""Chips: markers in an answer that the page shows as buttons. Parses them and decides where one may lead.

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

MAX_MARKER = 300  # characters
_MAX_LABEL = 60  # characters

_OPEN = re.compile(r"\[#([\w-]{1,40})-(?i:OPEN):([A-Za-z0-9._:-]{1,80})\]")
_NAV_OR_FILTER = re.compile(r"\[(?i:chip:(nav|filter)):([^\[\]\r\n]+)\]")
_OPEN_PART = re.compile(r"\[#(?:[\w-]{0,45}|[\w-]{1,40}-(?i:OPEN):[A-Za-z0-9._:-]{0,80})")
_NAV_OR_FILTER_STARTS = ("[chip:nav:", "[chip:filter:")

_MAX_ENCODINGS = 10  # of a path, one around the other; no honest one has more than two
_SCHEME = re.compile(r"[^/?#]*:")
_PARENT = re.compile(r"(?:^|[/?#])\.\.(?:$|[/?#;])")
_INVISIBLE = {"Cc", "Cf", "Cs", "Zl", "Zp"}  # Unicode categories


@dataclass(frozen=True)
class Chip:
    """A parsed marker. `open` has a kind and an id; `nav` and `filter` have a value, as written."""

    kind: str
    action: Literal["open", "nav", "filter"]
    id: str | None = None
    value: str | None = None


def parse_chip(marker: str) -> Chip | None:
    """Parse a complete `[…]`; None when it is not a chip but ordinary text."""
    if len(marker) > MAX_MARKER:
        return None
    if match := _OPEN.fullmatch(marker):
        return Chip(kind=match[1].lower(), action="open", id=match[2])
    if (match := _NAV_OR_FILTER.fullmatch(marker)) and (value := match[2].strip()):
        action: Literal["nav", "filter"] = "nav" if match[1].lower() == "nav" else "filter"
        return Chip(kind=action, action=action, value=value)
    return None


def may_be_chip(part: str) -> bool:
    """True while `part`, the beginning of a `[…]` without its end, can still become a chip."""
    if len(part) >= MAX_MARKER:
        return False
    lowered = part.lower()
    return bool(_OPEN_PART.fullmatch(part)) or any(
        start.startswith(lowered) or lowered.startswith(start) for start in _NAV_OR_FILTER_STARTS
    )


def href_for(chip: Chip, templates: Mapping[str, str]) -> str | None:
    """The path that the chip leads to: its own, if it is safe, or the template of its kind with the id filled in.

    `templates` maps a kind to a path with `{id}` or `{value}`, which are percent-encoded; a filter has the kind
    `filter`. None: the chip leads nowhere.
    """
    if chip.action == "nav":
        return safe_path(chip.value or "")
    template = templates.get(chip.kind)
    text = chip.id or chip.value or ""
    # An id of nothing but dots would be a parent folder in the path; everything else is harmless once it is encoded.
    if template is None or not text.strip("."):
        return None
    encoded = quote(text, safe="")
    return template.replace("{id}", encoded).replace("{value}", encoded)


def safe_path(path: str) -> str | None:
    """Return a path that stays inside the host application, with `%20` for blanks; None for every other.

    Refused are a scheme, `//`, a backslash, a `..` segment, control and invisible characters, also when they are
    percent- or entity-encoded any number of times.
    """
    path = path.strip(" ")
    decoded = path
    for _ in range(_MAX_ENCODINGS):
        if not _is_harmless(decoded):
            return None
        previous, decoded = decoded, html.unescape(unquote(decoded))
        if decoded == previous:
            return path.replace(" ", "%20") or None
    return None


def chip_label(chip: Chip) -> str:
    """The text of the button: `Deadline c47bd2`, `/deadlines`, `Filter: status=open`."""
    if chip.action == "open":
        words = re.sub(r"[_-]+", " ", chip.kind).strip()
        label = f"{words[:1].upper()}{words[1:]} {chip.id}"
    else:
        label = f"Filter: {chip.value}" if chip.action == "filter" else str(chip.value)
    return label if len(label) <= _MAX_LABEL else label[: _MAX_LABEL - 1] + "…"


def id_in(chip_id: str, text: str) -> bool:
    """True if `text` holds the id as a whole token, not as part of a longer one of letters, digits, `-` and `_`."""
    return bool(chip_id) and re.search(rf"(?<![\w-]){re.escape(chip_id)}(?![\w-])", text) is not None


def _is_harmless(path: str) -> bool:
    return not (
        "//" in path
        or "\\" in path
        or _SCHEME.match(path)
        or _PARENT.search(path)
        or any(unicodedata.category(character) in _INVISIBLE for character in path)
    )
