"""A turn's trace: what its log tells of each step, and what is left of it without one."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from paliadin.base.settings import load_settings
from paliadin.events.timeline import CalledTool, Waited
from paliadin.record.row import TurnRow
from paliadin.reports.listing import FolderContents
from paliadin.reports.trace import TraceStep, trace_of_log, trace_of_row
from paliadin.steps.model import Accepted, Interrupted, Replied, Retracted, Settled, Step, Text, ToolEnded, ToolStarted
from paliadin.web.dashboard import shown_trace as trace_page
from paliadin.web.dashboard.locale import Locale
from paliadin.web.dashboard.shown_trace import shown_trace
from paliadin.web.dashboard.turn_page import chat_path, is_filtered

EN = Locale("en", ZoneInfo("Europe/Berlin"))
ROW = TurnRow("t", "main", "ada", "desk", "page", datetime(2026, 11, 21, tzinfo=UTC), "Which?", duration_ms=20_000)
LOG: list[Step] = [
    Accepted(1_000),
    Text(2_000, "m", "Let me look. "),
    Text(2_500, "m", "Now."),
    ToolStarted(3_000, "t1", "Bash", {"command": "ls"}),
    Interrupted(3_100, "i1", "Bash", {"command": "ls"}),
    Replied(9_100, "i1", "page", "allow"),
    ToolEnded(10_000, "t1", "Bash", "ok", "a\nb", 400),
    Text(11_000, "m", " Two.", final=True),
    Settled(12_000),
]


def folder_of(steps: list[TraceStep]) -> FolderContents:
    return FolderContents([], "", [], None, None, {}, steps)


def test_the_log_tells_when_each_step_ran_what_it_was_given_and_what_came_of_it() -> None:
    steps = trace_of_log(LOG)
    assert [(step.kind, step.at_ms, step.took_ms) for step in steps] == [
        ("text", 1000, 500),
        ("wait", 2100, 6000),
        ("tool", 8600, 400),  # not before the person had allowed it
        ("text", 10_000, 0),
    ]
    assert [step.output for step in steps] == ["Let me look. Now.", "allow", "a\nb", " Two."]
    assert (steps[1].what, steps[1].by, steps[1].input) == ("permission", "page", {"command": "ls"})
    assert (steps[2].name, steps[2].state, steps[2].input) == ("Bash", "worked", {"command": "ls"})


def test_what_did_not_happen_in_the_end_is_told_as_that() -> None:
    steps = trace_of_log(
        [
            Accepted(0),
            Text(1, "m", "void"),
            Retracted(2, "m"),
            ToolEnded(3, "x", "Read", "invalid", "no such field"),
            ToolStarted(4, "y", "Read"),
            Interrupted(5, "i", "Edit"),
            Settled(9),
        ]
    )
    assert [(step.kind, step.state, step.took_ms) for step in steps] == [
        ("tool", "invalid", None),
        ("tool", "no_result", None),
        ("wait", "", 4),
    ]
    assert (steps[2].by, steps[0].output) == ("cancel", "no such field")


def test_without_its_log_a_turn_has_the_steps_of_its_row_and_says_what_is_gone() -> None:
    calls = (CalledTool("Read", ok=True, rows=12, at_ms=100, duration_ms=40), CalledTool("Bash", refused=True, at_ms=9))
    waits = (Waited("permission", "Bash", by="page", at_ms=5, waited_ms=700, answer="allow"),)
    steps = trace_of_row(calls, waits)
    assert [(step.kind, step.state, step.kept) for step in steps] == [
        ("wait", "", True),
        ("tool", "refused", False),
        ("tool", "worked", False),
    ]
    row = replace(ROW, tool_calls=calls, interrupts=waits)
    for folder in (None, folder_of([TraceStep("tool", "Read")])):  # a log that knows less than the row
        shown = shown_trace(row, folder, EN)
        assert [step.note for step in shown.steps] == [
            "",
            *["What it was given and what came of it is no longer kept."] * 2,
        ]
        assert shown.waited == "Waited for the person: 700\u00a0ms of 20.0\u00a0s"
    assert shown_trace(ROW, None, EN).waited == ""


def test_a_wait_says_for_what() -> None:
    steps = [TraceStep("wait", "Bash", what) for what in ("permission", "question", "text", "<new>")]
    names = [step.name for step in shown_trace(ROW, folder_of(steps), EN).steps]
    assert names == ["Permission: Command run", "Question to the person", "Question to the person", "<new>: Bash"]


def test_bodies_are_json_where_they_are_and_hide_nothing_and_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    step = TraceStep("tool", "Re\u202ead", input={"b": "x\u202ey"}, output='[{"a": 1}]')
    [shown] = shown_trace(ROW, folder_of([step]), EN).steps
    assert shown.name == shown.tool == "Re⟨U+202E⟩ad"
    assert shown.bodies == [("Input", '{\n  "b": "x⟨U+202E⟩y"\n}'), ("Output", '[\n  {\n    "a": 1\n  }\n]')]
    monkeypatch.setattr(trace_page, "MAX_BODIES", 30_000)
    long = [TraceStep("tool", "Read", output="x" * 50_000, cut=True)] * 600
    whole = shown_trace(ROW, folder_of(long), EN)
    assert (len(whole.steps), whole.more) == (500, 100)
    first, *_, last = whole.steps
    assert "30,000" in first.bodies[0][1] or "30000 more characters" in first.bodies[0][1]
    assert len(last.bodies[0][1]) < 600
    assert last.note == "A part of it was cut."


def test_a_turn_leads_to_the_chat_only_where_its_conversation_is_the_owners(tmp_path: Path) -> None:
    settings = load_settings({"PALIADIN_HOME": str(tmp_path)})
    for name in ("mine", "theirs"):
        (settings.sessions_dir / name).mkdir(parents=True, exist_ok=True)
    (settings.sessions_dir / "theirs" / "member.json").write_text("{}")
    sessions = ("main", "mine", "theirs", "gone", "../..", "<img>")
    paths = [chat_path(settings, replace(ROW, session_id=session)) for session in sessions]
    assert paths == ["/paliadin#turn=t", "/paliadin?session=mine#turn=t", "", "", "", ""]


def test_an_address_chooses_turns_only_by_a_condition() -> None:
    assert is_filtered({"span": "7"})
    assert is_filtered({"form": "what is due"})
    assert not is_filtered({"lang": "de"})
