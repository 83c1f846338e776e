"""What a tool is called for a person: `mcp__practice__list_deadlines` is "Deadlines looked up". Pure.

The page's tool-names.js does the same; tests/tool_names.json has examples that both must agree on.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from paliadin.words.catalogue import LANGS, words

KINDS = ("looked_up", "searched", "counted", "created", "changed", "removed", "sent")
MAX_NAME = 60  # characters of the words of a tool's name
_OF_A_SERVER = re.compile(r"mcp__(.+?)__(.+)", re.DOTALL)
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_DIVIDES = re.compile(r"[\s_.-]+")


def tool_words(name: str, lang: str = "en") -> str:
    """Name a tool in words. What it does stands last, by the verb at the beginning or the end of its name."""
    texts, column = words("shared"), LANGS.index(lang)
    if own := texts.get(f"tool.own.{name}"):
        return own[column]
    of_a_server = _OF_A_SERVER.fullmatch(name)
    server, tool = of_a_server.groups() if of_a_server else ("", name)
    parts = _parts_of(tool)
    for kind in KINDS:
        verbs = texts[f"tool.verbs.{kind}"][0].split()
        for verb, rest in _ways(parts):
            if verb in verbs and (what := _joined(rest or _parts_of(server))):
                return texts[f"tool.does.{kind}"][column].replace("{0}", what)
    return _joined(parts) or name[:MAX_NAME]


def tool_list(names: Iterable[str]) -> str:
    """List tools in words in English, each once."""
    return ", ".join(dict.fromkeys(map(tool_words, names)))


def rows_of(tool: str, count: int) -> str:
    """Say in English how many rows a tool returned; those of a file are its lines."""
    stem = "line" if tool == "Read" else "row"
    return f"{count:,} {stem}{'' if count == 1 else 's'}"


def _parts_of(name: str) -> list[str]:
    return [part for part in _DIVIDES.split(_HUMP.sub("_", name)) if part]


def _ways(parts: list[str]) -> list[tuple[str, list[str]]]:
    """The verbs that a name may have, each with the other words: `look_up` is one."""
    first_two = "".join(parts[:2]).lower()
    return [
        *([(first_two, parts[2:])] if len(parts) > 1 else []),
        *([(parts[0].lower(), parts[1:]), (parts[-1].lower(), parts[:-1])] if parts else []),
    ]


def _joined(parts: list[str]) -> str:
    text = " ".join(parts)[:MAX_NAME]
    return text[:1].upper() + text[1:]
