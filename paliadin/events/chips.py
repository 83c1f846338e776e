"""Chips: markers in an answer that the page shows as buttons. Parses them and decides where one may lead.

[#<kind>-OPEN:<id>]    [chip:nav:<path>]    [chip:filter:<query>]    [court: <name>]    [glossary: <term>]
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal
from urllib.parse import quote

from paliadin.base.visible_text import escape_invisible

MAX_MARKER = 300  # characters
_MAX_LABEL = 60  # characters

_OPEN = re.compile(r"\[#([\w-]{1,40})-(?i:OPEN):([\w./:+@-]{1,80})\]")
_NAV_OR_FILTER = re.compile(r"\[(?i:chip:(nav|filter)):([^\[\]\r\n]+)\]")
_REFERENCE = re.compile(r"\[(?i:(court|glossary)):([^\[\]\r\n]{1,100})\]")
REFERENCES = frozenset({"court", "glossary"})
"""The kinds of reference data, whose chips hold a name in place of an id."""

_DAY_AT_END = re.compile(r" · \d{4}-\d{2}-\d{2}\Z")
_OPEN_PART = re.compile(r"\[#(?:[\w-]{0,45}|[\w-]{1,40}-(?i:OPEN):[\w./:+@-]{0,80})")
_VALUE_STARTS = ("[chip:nav:", "[chip:filter:", "[court:", "[glossary:")

_NO_ROUTE = re.compile(r"[?#]|\{id\}[^/]*\{id\}")  # a query, or ids that run into each other: slow to match
_ID_SEGMENT = r"(?!\.+(?:/|\Z))[\w.:+@-]{1,80}"  # nothing but dots would be a parent folder


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
    if (match := _REFERENCE.fullmatch(marker)) and (name := match[2].strip()):
        return Chip(kind=match[1].lower(), action="open", id=name)
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
        start.startswith(lowered) or lowered.startswith(start) for start in _VALUE_STARTS
    )


def is_cut_off_chip(part: str) -> bool:
    """True if `part`, at the end of an answer, is a chip that was cut off. It must reach to `[#a` or to its `:`."""
    starts = ("[chip:", "[court:", "[glossary:")
    return may_be_chip(part) and ((part.startswith("[#") and len(part) > 2) or part.lower().startswith(starts))


@dataclass(frozen=True)
class Destinations:
    """The destinations of chips: only paths that the owner has set up, whatever an answer says.

    `templates` (PALIADIN_CHIPS) maps a kind to a path with `{id}`; a filter has the kind `filter`. `routes`
    (PALIADIN_ROUTES) are further paths, in which `{id}` stands for one segment.
    """

    templates: Mapping[str, str] = field(default_factory=dict)
    routes: Sequence[str] = ()

    def href_for(self, chip: Chip) -> str | None:
        """Return the path that the chip leads to; None: it leads nowhere.

        The path is the template of the chip's kind with the id or the filter filled in, percent-encoded, or the chip's
        own path without its query, if that path is set up.
        """
        if chip.action == "nav":
            path = chip.value or ""
            return path if any(_matches(path, template) for template in self._paths()) else None
        template = self.templates.get(chip.kind)
        text = chip.id or chip.value or ""
        # Nothing but dots would be a parent folder in the path; everything else is harmless once it is encoded.
        if template is None or not text.strip("."):
            return None
        encoded = quote(text, safe="")
        return template.replace("{id}", encoded).replace("{value}", encoded)

    def ids_in(self, chip: Chip) -> list[str]:
        """Return the ids in the path of a `nav` chip: the segments at `{id}` of the route that it matches."""
        for template in self._paths() if chip.action == "nav" else ():
            pattern = f"({_ID_SEGMENT})".join(re.escape(piece) for piece in template.split("{id}"))
            if match := re.fullmatch(pattern, chip.value or ""):
                return list(match.groups())
        return []

    def _paths(self) -> Iterator[str]:
        yield from self.routes
        yield from (path for path in self.templates.values() if not _NO_ROUTE.search(path))


def _matches(path: str, template: str) -> bool:
    pattern = _ID_SEGMENT.join(re.escape(piece) for piece in template.split("{id}"))
    return re.fullmatch(pattern, path) is not None


def chip_label(chip: Chip, name: str = "") -> str:
    """Name the button: the thing's `name`, else `Deadline c47bd2`, `Munich LD`, `/deadlines`, `Filter: open`."""
    if chip.action == "open" and (visible_name := escape_invisible(" ".join(name[: 4 * _MAX_LABEL].split()))):
        return _shortened(visible_name)
    if chip.kind in REFERENCES and chip.id:
        label = chip.id
    elif chip.action == "open":
        words = re.sub(r"[_-]+", " ", chip.kind).strip()
        label = f"{words[:1].upper()}{words[1:]} {chip.id}"
    else:
        label = f"Filter: {chip.value}" if chip.action == "filter" else str(chip.value)
    return _shortened(label)


def _shortened(label: str) -> str:
    """Cut the label to `_MAX_LABEL` characters; a day at its end stays."""
    if len(label) <= _MAX_LABEL:
        return label
    day = match[0] if (match := _DAY_AT_END.search(label)) else ""
    return label[: _MAX_LABEL - 1 - len(day)].rstrip() + "…" + day
