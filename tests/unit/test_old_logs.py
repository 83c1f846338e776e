"""Logs of the version before there were steps give the events that they gave then, each with its number.

`tests/logs/<name>.jsonl` is a turn's log as that version's hooks and relay wrote it, with both Claude Codes;
`<name>.json` is what that version made of it. Fields that events got since are left out of the comparison,
and so is the event `answered`, which came later. The text of a file that Read returned is the file's own since; before,
the fields around it were lines of it, too.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from paliadin.events.chips import Destinations
from paliadin.events.model import as_json
from paliadin.turnlog.read import LogReader
from tests.worlds.logs import Sent, reduced, sent

ADDED_EVENTS = {"answered"}
ADDED = {
    "chip": {"at"},
    "end": {"waited_ms"},
    "interrupt": {"cut", "folder", "exists", "leads_to", "session_covers", "agent"},
    "status": {"held_by"},
    "evidence": {"unopened", "claims", "verdict"},
    "tool_result": {"pictures"},
}
CHANGED_OUTPUTS = {
    "text\n/home/ada/cases/data.csv\nid,state\nc47bd2,OPEN\n\n3\n1\n3": "id,state\nc47bd2,OPEN\n",
}
DESTINATIONS = Destinations({"deadline": "/deadlines/{id}"})
LOGS = sorted((Path(__file__).parents[1] / "logs").glob("*.jsonl"))


def expected(log: Path) -> dict[str, Any]:
    value: dict[str, Any] = json.loads(log.with_suffix(".json").read_text("utf-8"))
    for event in value["events"]:
        if event["event"] == "tool_result":
            event["data"]["output"] = CHANGED_OUTPUTS.get(event["data"]["output"], event["data"]["output"])
    return value


def of_then(events: list[Sent]) -> list[Sent]:
    """The events that there were then; later ones moved the numbers of those behind them."""
    return [event for event in events if event.name not in ADDED_EVENTS]


def as_then(event: Sent) -> dict[str, Any]:
    return {name: value for name, value in event.data.items() if name not in ADDED.get(event.name, set())}


@pytest.mark.parametrize("log", LOGS, ids=[log.stem for log in LOGS])
def test_a_log_of_the_version_before_reads_the_same(log: Path) -> None:
    then = expected(log)
    reducer = reduced(then["description"], LogReader(log).read(), DESTINATIONS)
    all_events = sent(reducer.events)
    assert [event.id for event in all_events] == list(range(1, len(all_events) + 1))
    events = [{"event": event.name, "data": as_then(event)} for event in of_then(all_events)]
    assert events == [{"event": event["event"], "data": event["data"]} for event in then["events"]]
    assert reducer.ended
    assert (reducer.answer_text, reducer.duration_ms) == (then["answer"], then["duration_ms"])
    assert as_json(reducer.timeline.tool_calls) == then["tool_calls"]
    assert as_json(reducer.timeline.interrupts) == then["interrupts"]


@pytest.mark.parametrize("log", LOGS, ids=[log.stem for log in LOGS])
def test_whoever_comes_back_to_a_turn_that_the_version_before_began_misses_nothing(log: Path) -> None:
    """A client has the events of the first lines from the old daemon, and goes on by number with the new one."""
    then, lines = expected(log), LogReader(log).read()
    for count in range(len(lines) + 1):
        part = of_then(sent(reduced(then["description"], lines[:count], DESTINATIONS).events))
        assert [as_then(event) for event in part] == [event["data"] for event in then["events"][: len(part)]]


def test_there_are_such_logs() -> None:
    assert len(LOGS) >= 12
