"""The names of tools in words: `mcp__shop__list_my_orders` reads as “Orders looked up”. Pure.

A name is split into words. Its first or last word may be a verb of tools.toml: that says what was done, and the other
words say with what; if there are none, those of the MCP server do. A name without such a verb is shown as its words.
Claude Code's own tools have names of their own. The page has the same rule: web/static/js/texts/tool-names.js.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from paliadin.base.visible_text import escape_invisible
from paliadin.words.catalogue import LANGS

LONGEST = 80  # characters
_PLAIN = re.compile(r"[A-Za-z0-9_.-]{1,200}")
_MCP = re.compile(r"mcp__(.+?)__(.+)")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


@cache
def read_tools() -> Mapping[str, Any]:
    """Read tools.toml: its tables `verbs`, `tools` and `shared`."""
    return tomllib.loads((Path(__file__).parent / "tools.toml").read_text("utf-8"))


@cache
def kinds() -> Mapping[str, str]:
    """Return the kind of each verb."""
    return {verb: kind for kind, verbs in read_tools()["verbs"].items() for verb in verbs}


def tool_name(name: str, lang: str = LANGS[0]) -> str:
    """Put a tool's name into words, in one line that hides nothing.

    A name with other signs than those of identifiers stays as it is, with what is invisible written out.
    """
    if own := _text(f"tool.own.{name}", lang):
        return own
    if not _PLAIN.fullmatch(name):
        return _clip(re.sub(r"[ \t\n]+", " ", escape_invisible(name)).strip(" "))
    kind, noun = _split(name)
    noun = _clip(noun[:1].upper() + noun[1:])
    return _text(f"tool.kind.{kind}", lang).format(noun) if kind else noun


def row_count(tool: str, count: int, lang: str = LANGS[0], *, shown: str | None = None) -> str:
    """Write how many rows a tool returned: `7 rows`, of a file `7 lines`. `shown`: the number as it is written."""
    number = "one" if count == 1 else "other"
    key = f"lines.{number}" if tool in read_tools()["tools"]["of_lines"] else f"rows.{number}"
    return _text(key, lang).format(count=shown or count)


def _split(name: str) -> tuple[str, str]:
    """Return what a tool did, "" if its name does not say so, and with what."""
    mcp = _MCP.fullmatch(name)
    server, own = mcp.groups() if mcp else ("", name)
    words, fillers = _words(own), read_tools()["tools"]["fillers"]
    for place in (0, -1):
        kind = kinds().get(words[place].lower()) if words else None
        if kind is None:
            continue
        others = words[1:] if place == 0 else words[:-1]
        if nouns := [word for word in others if word not in fillers] or _words(server):
            return kind, " ".join(nouns)
    return "", " ".join(words) or name


def _words(name: str) -> Sequence[str]:
    """Split a name at its signs and humps; words are in small letters, but for abbreviations."""
    words = re.sub(r"[_.-]+", " ", _HUMP.sub(" ", name)).split()
    return [word if len(word) > 1 and word.isupper() else word.lower() for word in words]


def _text(key: str, lang: str) -> str:
    texts: Mapping[str, Sequence[str]] = read_tools()["shared"]
    return texts[key][LANGS.index(lang)] if key in texts else ""


def _clip(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
