from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from paliadin.base.checked_numbers import MAX_COUNT
from paliadin.record.recorder import build_finished_row
from paliadin.record.row import finished_row, first_row
from paliadin.turnlog.description import Description
from paliadin.turnlog.folder import TurnFolder
from paliadin.turnlog.ids import started_at
from tests.worlds.logs import reduced, write

TURN = "019a2b3c-4d5e-7f60-8123-456789abcdef"
ODD_NUMBERS = [2**63 - 1, 10**40, -(10**12), True, "7", 7.5e300, None, [7], {"a": 7}]
DESCRIPTION: dict[str, Any] = {
    "turn_id": TURN,
    "session_id": "main",
    "person": "ana",
    "host": "desk",
    "origin": "widget",
    "page_origin": "https://app.example",
    "context": {"route_name": "deadlines"},
    "user_message": "Where are my deadlines?",
}
SAID = (
    "Two [chip:nav:/deadlines].\n\n---\n[paliadin-meta]\nused_tools: Read, Grep\nrows_seen: 2, 1\n"
    "classifier_tag: data\n[/paliadin-meta]"
)
LOG: list[dict[str, Any]] = [
    {"at": 1_000, "relay": {"kind": "accepted", "model": "m-1"}},
    {"at": 1_100, "hook": {"hook_event_name": "PreToolUse", "tool_name": "Read", "tool_use_id": "t1"}},
    {"at": 1_200, "hook": {"hook_event_name": "PostToolUse", "tool_name": "Read", "tool_use_id": "t1"}},
    {
        "at": 1_500,
        "hook": {"hook_event_name": "MessageDisplay", "delta": SAID, "index": 0, "message_id": "a1", "final": True},
    },
    {"at": 1_800, "hook": {"hook_event_name": "Stop", "last_assistant_message": SAID}},
    {
        "at": 1_900,
        "usage": {"input_tokens": 10, "output_tokens": 20, "cache_read_tokens": 3, "cache_write_tokens": 4},
        "model": "m-2",
    },
]


def test_the_first_row_has_what_was_asked_and_nothing_of_the_answer() -> None:
    row = first_row(Description.parse(DESCRIPTION))
    assert (row.turn_id, row.session_id, row.person, row.host, row.origin) == (TURN, "main", "ana", "desk", "widget")
    assert (row.page_origin, row.context) == ("https://app.example", {"route_name": "deadlines"})
    assert (row.user_message, row.started_at) == ("Where are my deadlines?", started_at(TURN))
    assert (row.response, row.finished_at, row.abandoned, row.error_code) == (None, None, None, None)


def test_a_description_by_the_hook_has_less_and_makes_a_row_too() -> None:
    row = first_row(
        Description.parse({"turn_id": TURN, "session_id": "main", "origin": "terminal", "user_message": "x"})
    )
    assert (row.person, row.host, row.page_origin, row.context) == ("owner", "", None, {})
    least = first_row(Description.parse({"turn_id": TURN, "context": "odd"}))
    assert (least.context, least.session_id, least.origin, least.user_message) == ({}, "", "api", "")


@pytest.mark.parametrize("odd", [*ODD_NUMBERS, 2**42])
def test_a_description_with_odd_values_makes_a_row_too(odd: object) -> None:
    row = first_row(Description.parse(DESCRIPTION | {"began_at": odd, "origin": odd}))
    assert (row.started_at, row.origin) == (started_at(TURN), "api")


@pytest.mark.parametrize("odd", ODD_NUMBERS)
@pytest.mark.parametrize("by", ["hook", "step"])
def test_a_number_that_cannot_be_is_left_out_of_the_row_whoever_has_told_it(by: str, odd: object) -> None:
    told = {"input_tokens": odd, "output_tokens": 20, "cache_read_tokens": 3, "cache_write_tokens": 4}
    counted = {"usage": told, "model": "m-2"} if by == "hook" else {"step": "usage", "counts": told, "model": "m-2"}
    ended = [{"at": 2_000, **counted}, {"at": 2_100, "relay": {"kind": "settled"}}]
    row = finished_row(reduced(DESCRIPTION, [*LOG[:5], *ended]), watched=True, pane_lines=0)
    assert (row.input_tokens, row.output_tokens, row.cache_read_tokens, row.cache_write_tokens) == (None, 20, 3, 4)
    assert (row.model, row.response, row.error_code) == ("m-2", "Two.", None)


@pytest.mark.parametrize("odd", ODD_NUMBERS)
def test_a_duration_and_rows_that_cannot_be_are_unknown(odd: object) -> None:
    result = {"hook_event_name": "PostToolUse", "tool_name": "Grep", "tool_use_id": "t1", "duration_ms": odd}
    ended = {"at": 1_200, "hook": result | {"tool_response": {"numMatches": odd, "total": odd}}}
    row = finished_row(reduced(DESCRIPTION, [*LOG[:2], ended, *LOG[3:]]), watched=True, pane_lines=0)
    [call] = row.tool_calls
    assert (call.ok, call.duration_ms) == (True, None)
    assert (call.rows or 0) in {0, 1, 2}  # of a list and an object, their items


def test_a_turn_lasts_no_longer_than_a_turn_can() -> None:
    late = [line | {"at": 2**42 - 1} if "usage" in line or "hook" in line else line for line in LOG]
    row = finished_row(reduced(DESCRIPTION, late), watched=True, pane_lines=0)
    assert row.duration_ms == MAX_COUNT
    assert row.finished_at == started_at(TURN) + timedelta(milliseconds=MAX_COUNT)


def test_a_question_that_waited_began_when_it_was_asked_at_last() -> None:
    began = round(started_at(TURN).timestamp() * 1000) + 60_000
    description = DESCRIPTION | {"began_at": began}
    row = finished_row(reduced(description, LOG), watched=True, pane_lines=0)
    assert (
        row.started_at
        == first_row(Description.parse(description)).started_at
        == datetime.fromtimestamp(began / 1000, UTC)
    )
    assert row.finished_at == row.started_at + timedelta(milliseconds=800)


def test_the_finished_row_has_the_whole_turn() -> None:
    row = finished_row(reduced(DESCRIPTION, LOG), watched=True, pane_lines=0)
    start = started_at(TURN)
    assert (row.first_text_at, row.finished_at) == (
        start + timedelta(milliseconds=500),
        start + timedelta(milliseconds=800),
    )
    assert (row.duration_ms, row.response, row.model) == (800, "Two.", "m-2")
    assert (row.input_tokens, row.output_tokens, row.cache_read_tokens, row.cache_write_tokens) == (10, 20, 3, 4)
    assert (row.used_tools, row.rows_seen, row.observed_tools) == (("Read", "Grep"), (2, 1), ("Read",))
    assert (row.evidence_agrees, row.chip_count) == (False, 1)
    assert (row.classifier_tag, row.classifier_source) == ("data", "trailer")
    assert (row.abandoned, row.error_code, row.pane_lines_captured) == (False, None, 0)


@pytest.mark.parametrize(
    ("origin", "watched", "abandoned"),
    [
        ("page", True, False),
        ("page", False, True),
        ("api", False, True),
        ("terminal", False, False),
        ("agent", False, False),
    ],
)
def test_a_turn_that_nobody_watched_is_abandoned_if_a_page_asked(origin: str, watched: bool, abandoned: bool) -> None:
    description = {**DESCRIPTION, "origin": origin}
    row = finished_row(reduced(description, LOG), watched=watched, pane_lines=0)
    assert row.abandoned is abandoned


@pytest.mark.parametrize(
    ("end", "code"),
    [
        ({"kind": "aborted"}, "user_aborted"),
        ({"kind": "failed", "code": "pane_died", "message": "x"}, "pane_died"),
        ({"kind": "settled"}, None),
    ],
)
def test_the_row_says_how_the_turn_ended(end: dict[str, Any], code: str | None) -> None:
    reducer = reduced(DESCRIPTION, [*LOG[:4], {"at": 2_000, "relay": end}])
    row = finished_row(reducer, watched=True, pane_lines=3)
    assert (row.error_code, row.duration_ms, row.input_tokens, row.pane_lines_captured) == (code, 1_000, None, 3)


def test_a_turn_whose_tokens_nobody_could_count_ends_with_none_not_with_0() -> None:
    unknown = [line | {"usage": {}, "model": None} if "usage" in line else line for line in LOG]
    reducer = reduced(DESCRIPTION, unknown)
    assert reducer.ended
    row = finished_row(reducer, watched=True, pane_lines=0)
    assert (row.input_tokens, row.output_tokens, row.cache_read_tokens, row.cache_write_tokens) == (None,) * 4


@pytest.mark.parametrize(("arrived", "tag"), [(False, None), (True, "navigation")])
def test_a_question_that_never_reached_claude_has_no_tag(arrived: bool, tag: str | None) -> None:
    prompt = [{"at": 1_050, "hook": {"hook_event_name": "UserPromptSubmit", "prompt": "x"}}]
    failed = {"at": 1_060, "relay": {"kind": "failed", "code": "dialog_open"}}
    row = finished_row(reduced(DESCRIPTION, [LOG[0], *(prompt if arrived else []), failed]), watched=True, pane_lines=0)
    assert (row.classifier_tag, row.classifier_source) == (tag, tag and "fallback")


def test_a_turn_without_a_trailer_has_a_tag_of_its_own() -> None:
    row = finished_row(reduced(DESCRIPTION, LOG[:1]), watched=True, pane_lines=0)
    assert (row.classifier_tag, row.classifier_source) == ("navigation", "fallback")
    assert (row.evidence_agrees, row.used_tools, row.first_text_at) == (None, (), None)


def test_a_folder_makes_its_row_again_and_again(tmp_path: Path) -> None:
    turn = TurnFolder(tmp_path, TURN)
    turn.create(Description.parse(DESCRIPTION))
    write(turn, *LOG)
    (turn.path / "screen.txt").write_bytes(b"one\n\xff\nthree\n")
    first = build_finished_row(turn)
    assert (turn.path / "response.md").read_text() == first.response == "Two."
    assert (turn.path / "response.md").stat().st_mode & 0o077 == 0
    assert first.pane_lines_captured == 3
    assert first.abandoned is True
    turn.watched.touch()
    assert build_finished_row(turn).abandoned is False


def test_what_this_process_alone_wrote_is_not_read_once_more_for_the_row(tmp_path: Path) -> None:
    turn, seen = TurnFolder(tmp_path, TURN), reduced(DESCRIPTION, LOG)
    turn.create(Description.parse(DESCRIPTION))  # with an empty log
    assert build_finished_row(turn, seen).response == ""
    assert build_finished_row(replace(turn, is_ours=True), seen).response == "Two."
    assert (turn.path / "response.md").read_text() == ""  # the first one's stays
    turn.discard()
    assert build_finished_row(replace(turn, is_ours=True), seen).response == "Two."
    assert not turn.path.exists()
