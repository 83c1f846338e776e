"""What is generated is up to date, and what docs/http.md says of events is true."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest

from paliadin.base.settings import Settings
from paliadin.events.model import EventData, Unnumbered, field_names
from paliadin.turnlog.removal import kept_of_turns
from scripts.generate import PRIVACY, generated

DOC = (Path(__file__).parents[2] / "docs" / "http.md").read_text("utf-8")


@pytest.mark.parametrize("path", generated(), ids=lambda path: path.name)
def test_a_generated_file_is_up_to_date(path: Path) -> None:
    assert path.read_text("utf-8") == generated()[path], "run: python -m scripts.generate"


def test_privacy_names_every_table_of_the_database() -> None:
    page = PRIVACY.read_text("utf-8")
    migrations = (Path(__file__).parents[2] / "migrations").glob("*.sql")
    tables = [
        name for path in migrations for name in re.findall(r"create table paliadin\.(\w+)", path.read_text("utf-8"))
    ]
    assert "turns" in tables
    assert [name for name in tables if not re.search(rf"`(?:paliadin\.)?{name}`", page)] == []


def test_privacy_lists_what_a_host_keeps_of_turns_too() -> None:
    there = PRIVACY.read_text("utf-8").partition("\n## On another host\n")[2].partition("\n## ")[0]
    for each in kept_of_turns(Settings(), lambda _: True):
        [name] = re.findall(r"^`\$PALIADIN_HOME[/-](\w+)", each.where)
        assert re.search(rf"^\| `shims/<name>.*\b{name}\b.* \|", there, re.MULTILINE), name


def rows() -> dict[str, str]:
    """Event → what the first table of docs/http.md says of its data."""
    table = re.search(
        r"^## Events\n.*?^\| event \| data \|\n\| --- \| --- \|\n(.*?)\n\n", DOC, re.DOTALL | re.MULTILINE
    )
    assert table
    return dict(re.findall(r"^\| `(\w+)` \| (.*) \|$", table[1], re.MULTILINE))


def test_the_docs_have_a_row_for_each_event() -> None:
    kinds = (*get_args(EventData), *get_args(Unnumbered))
    assert set(rows()) == {*(str(kind.event) for kind in kinds), "ping"}


@pytest.mark.parametrize("kind", [*get_args(EventData), *get_args(Unnumbered)], ids=lambda kind: kind.event)
def test_a_row_names_the_fields_of_its_event_in_their_order(kind: type) -> None:
    row = rows()[str(kind.event)]  # type: ignore[attr-defined]
    plain = re.sub(r"\([^()]*\)|\[[^]]*\]+|\{[^}]*\}", "", re.sub(r"\([^()]*\)", "", row))
    named = re.findall(r"\b[a-z_]+\b", plain)
    places = [named.index(name) if name in named else -1 for name in field_names(kind)]
    assert -1 not in places, f"{row} does not name {field_names(kind)}"
    assert places == sorted(places)
