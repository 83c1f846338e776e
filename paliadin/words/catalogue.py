"""The catalogue of words that people read, in English and German.

It consists of TOML files: those of this folder, and a `words.toml` in the folder of each part that has words of its
own. A file has tables of texts, `"key" = ["English", "German"]`:

errors     what an error code means, and what to do then: `error.<code>` or `own_error.<code>`, with `….hint`
page       the chat page and the drawer; scripts/generate.py makes their modules of it
dashboard  the dashboard
reports    dashboard and terminal
shared     page, dashboard and terminal
terminal   the terminal, which speaks English: `"key" = "English"`

tools.toml has two tables more, `verbs` and `tools`: what the words in the names of tools say (tool_names.py).
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

LANGS = ("en", "de")
TABLES = ("errors", "page", "dashboard", "reports", "shared", "terminal")
ENGLISH_ONLY = "terminal"
PACKAGE = Path(__file__).parents[1]
PLACES = ("words/*.toml", "relays/*/words.toml", "parts/*/words.toml")

Text = tuple[str, ...]
"""A text in each of LANGS; only the first in the table `terminal`."""


@cache
def words(*tables: str) -> Mapping[str, Text]:
    """Read the texts of these tables from all files of the package. Where two have a key, the later table's counts."""
    return merge((path.read_text("utf-8") for path in files()), *tables)


def files() -> list[Path]:
    """Return the catalogue's files."""
    return sorted(path for place in PLACES for path in PACKAGE.glob(place))


def merge(contents: Iterable[str], *tables: str) -> Mapping[str, Text]:
    """Merge the texts of these tables from the contents of several files.

    Raises ValueError for a text that is not there in all languages, and for a key that a table has twice.
    """
    # Parsing takes long: the page's words would cost the terminal 20 ms.
    parsed = [tomllib.loads(content) for content in contents if any(f"[{table}]" in content for table in tables)]
    return {key: text for table in tables for key, text in _table(parsed, table).items()}


def _table(parsed: Iterable[Mapping[str, Any]], name: str) -> Mapping[str, Text]:
    texts: dict[str, Text] = {}
    for key, text in _texts(parsed, name):
        if key in texts:
            raise ValueError(f"there are two texts {key!r} in the table {name}")
        texts[key] = text
    return texts


def _texts(parsed: Iterable[Mapping[str, Any]], name: str) -> Iterator[tuple[str, Text]]:
    for file in parsed:
        for key, value in file.get(name, {}).items():
            match value:
                case str(english) if english and name == ENGLISH_ONLY:
                    yield key, (english,)
                case [str(english), str(german)] if english and german and name != ENGLISH_ONLY:
                    yield key, (english, german)
                case _:
                    raise ValueError(f"{key!r} in the table {name} is not there in all languages")
