from __future__ import annotations

from datetime import UTC, datetime, timedelta

from paliadin.events.timeline import CalledTool
from paliadin.record.row import TurnRow
from paliadin.turns.items import details_of_row

BEGAN = datetime(2026, 11, 21, 12, 0, tzinfo=UTC)


def test_a_turn_whose_folder_is_gone_still_shows_its_steps_with_rows_and_times() -> None:
    done = CalledTool("Read", ok=True, rows=3, at_ms=10, duration_ms=12)
    denied = CalledTool("Write", refused=True, at_ms=20)
    cut_off = CalledTool("Bash", at_ms=40)
    row = TurnRow(
        "019a2b3c-4d5e-7f60-8123-456789abcdef",
        "main",
        "ada",
        "desk",
        "page",
        BEGAN,
        "Which?",
        finished_at=BEGAN + timedelta(seconds=2),
        duration_ms=2000,
        response="These.",
        observed_tools=("Read",),
        tool_calls=(done, denied, cut_off),
    )
    events = [(event["event"], event["data"]) for event in details_of_row(row)["events"]]
    assert [name for name, _ in events] == [
        "meta",
        "tool_call",
        "tool_result",
        "tool_call",
        "tool_result",
        "tool_call",
        "content_delta",
        "evidence",
        "end",
    ]
    assert events[2][1] == {
        "id": "tool-0",
        "name": "Read",
        "summary": "",
        "ok": True,
        "refused": False,
        "rows": 3,
        "duration_ms": 12,
        "output": "",
    }
    assert (events[4][1]["name"], events[4][1]["ok"], events[4][1]["refused"]) == ("Write", False, True)
    assert events[5][1] == {"id": "tool-2", "name": "Bash", "summary": "", "input": None}
