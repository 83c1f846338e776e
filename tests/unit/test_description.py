"""The description of a turn is kept as JSON, and what is damaged in it is left out."""

from __future__ import annotations

from typing import Any

import pytest

from paliadin.files.attachments import Attachment
from paliadin.files.content import Kind
from paliadin.people.person_key import PersonKey
from paliadin.prompt.client_history import PastTurn
from paliadin.prompt.context import Context
from paliadin.turnlog.description import Asker, Description

TURN = "019a2b3c-4d5e-7f60-8123-456789abcdef"
LEAST = Description(TURN, "main")
FULL = Description(
    TURN,
    "main",
    "Which?",
    "page",
    Asker("a1", "general-purpose"),
    command=True,
    person="ada",
    host="",
    page_origin="https://app.example",
    context=Context(route_name="/deadlines", user_selection_text="DL-7", selection_cut=True),
    attachments=(Attachment("a" * 32, "a.txt", 5, Kind.TEXT, "x"),),
    history=(PastTurn("One?", "Two.", "t1"),),
    began_at=0,
    own_key=PersonKey("ann", "https://app.example"),
    limit_lifted=True,
    questions_left=0,
    unprepared=True,
    log_head=7,
    checked_at_end=True,
)


@pytest.mark.parametrize("description", [LEAST, FULL])
def test_a_description_is_read_as_it_was_written(description: Description) -> None:
    assert Description.parse(description.as_json()) == description


def test_an_earlier_version_noted_only_that_the_asker_pays() -> None:
    assert Description.parse({**FULL.as_json(), "own_key": True}).own_key == PersonKey(FULL.person)
    assert Description.parse({**LEAST.as_json(), "own_key": ""}).own_key is None


def test_every_field_is_written() -> None:
    assert set(FULL.as_json()) == set(Description.__dataclass_fields__)
    assert {name for name in Description.__dataclass_fields__ if getattr(FULL, name) == getattr(LEAST, name)} == {
        "turn_id",
        "session_id",
    }


@pytest.mark.parametrize("odd", [None, 7, "x", [], {}, [None, 1, {}], {"agent": 3}, {"route_name": 3}, True])
@pytest.mark.parametrize("name", Description.__dataclass_fields__)
def test_a_damaged_field_is_left_out_and_spoils_no_other(name: str, odd: Any) -> None:
    read = Description.parse({**FULL.as_json(), name: odd})
    others = Description.__dataclass_fields__.keys() - {name}
    assert {each: getattr(read, each) for each in others} == {each: getattr(FULL, each) for each in others}
    assert Description.parse(read.as_json()) == read
