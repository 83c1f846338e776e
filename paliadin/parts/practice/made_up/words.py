"""The material of the made-up practice: the words in words.toml, and numbered ids."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any

MARK = "demo-"
"""The beginning of every id that is made up. Nothing else has it, so what was seeded can be found and removed."""

WORDS: Mapping[str, Any] = tomllib.loads(Path(__file__).with_name("words.toml").read_text("utf-8"))


class Ids:
    """Generates ids: demo-project-1, demo-project-2, … `first` is the first number of each kind."""

    def __init__(self, first: int) -> None:
        self._first = first
        self._given: Counter[str] = Counter()

    def next(self, kind: str) -> str:
        """Return the next id of this kind."""
        number = self._first + self._given[kind]
        self._given[kind] += 1
        return f"{MARK}{kind}-{number}"
