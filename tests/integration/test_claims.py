"""An answer is checked against what tools really returned: here, over ssh, and by the relay without a model."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from paliadin.demo.scripted_api import ScriptedApi
from tests.integration.conftest import make_world
from tests.integration.test_turn import folder_of, names, row_of
from tests.worlds.world import Event, World, eventually, last

pytestmark = pytest.mark.timeout(120)

ROWS = (
    "id,due,state,amount\nDL-2044,2031-12-31,open,4711.00\nDL-2051,2032-01-14,open,250.75\nDL-2052,2032-02-01,done,9\n"
)


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory, claude: Path, api: tuple[ScriptedApi, str]) -> Iterator[World]:
    for world in make_world(tmp_path_factory.mktemp("claims"), claude, api):
        (world.workdir / "deadlines.csv").write_text(ROWS)
        world.start()
        yield world


def statuses(events: list[Event]) -> dict[str, str]:
    return {claim["text"]: claim["status"] for claim in last(events, "evidence").data["claims"]}


def test_each_fact_of_an_answer_is_found_derived_or_not_found(world: World) -> None:
    turn_id = world.ask(f"scene:claims in:{world.workdir}")
    events = list(world.follow(turn_id))
    assert names(events)[-3:] == ["answered", "evidence", "end"]
    assert statuses(events) == {
        "three": "derived",
        "two": "calculated",
        "DL-2044": "found",
        "31 December 2031": "found",
        "4.711,00 EUR": "found",
        "DL-2051": "found",
        "2032-01-14": "found",
        "14 days": "derived",
        "DL-9999": "unsupported",
        "250 EUR": "unsupported",
        "4,970.75 EUR": "calculated",
        "1,700.00 EUR": "differs",
    }
    evidence = last(events, "evidence").data
    assert (evidence["verdict"], evidence["agrees"], evidence["differences"]) == ("differs", True, [])
    assert [claim["calculation"] for claim in evidence["claims"] if claim["status"] == "differs"] == [
        {"text": "avg(amount)", "comes_to": "1,656.92 EUR", "assumes": []}
    ]
    found = next(claim for claim in evidence["claims"] if claim["text"] == "DL-2044")
    call = last(events, "tool_result").data
    assert [(each["origin"], each["call"], each["turn_id"]) for each in found["sources"]] == [
        ("call", call["id"], None)
    ]
    line = call["output"].splitlines()[found["sources"][0]["line"] - 1]
    assert "DL-2044,2031-12-31,open,4711.00" in line

    item = row_of(world, turn_id)
    assert item["evidence"] == evidence, "a reload shows the same"
    assert [event["data"] for event in item["events"] if event["event"] == "evidence"] == [evidence]


def test_what_an_earlier_turn_returned_counts_and_its_chip_leads_there(world: World) -> None:
    first = world.ask(f"scene:claims in:{world.workdir}")
    list(world.follow(first))
    events = world.turn("scene:known_before")
    assert statuses(events) == {"DL-2044": "found", "DL-9998": "unsupported"}
    source = last(events, "evidence").data["claims"][0]["sources"][0]
    assert source["turn_id"] is not None
    chips = [event.data for event in events if event.name == "chip"]
    assert [(chip["verified"], chip["href"]) for chip in chips] == [
        (False, None),
        (True, "/deadlines/DL-2044"),
    ], "the second one when the answer was checked"
    assert last(events, "end").data["chip_count"] == 1


def test_what_was_said_before_the_conversation_began_anew_is_no_source(world: World) -> None:
    world.turn(f"scene:claims in:{world.workdir}")
    assert world.post("reset", {"session_id": "main"}).status_code == 200
    assert statuses(world.turn("scene:known_before")) == {"DL-2044": "unsupported", "DL-9998": "unsupported"}


@pytest.mark.long
def test_an_answer_whose_check_was_lost_with_the_daemon_is_checked_by_the_next_one(world: World) -> None:
    turn_id = world.ask(f"scene:claims in:{world.workdir}")
    whole = list(world.follow(turn_id))
    row_of(world, turn_id)
    world.stop()
    folder = folder_of(world, turn_id)
    log = folder / "events.jsonl"
    lines = [line for line in log.read_text("utf-8").splitlines(keepends=True) if '"step": "checked"' not in line]
    log.write_text("".join(lines), "utf-8")
    (folder / "recorded").unlink()
    (folder / "history.json").unlink(missing_ok=True)
    world.start()
    eventually((folder / "recorded").exists, what="its row is finished")
    again = list(world.follow(turn_id))
    assert again == whole
    assert log.read_text("utf-8").count('"step": "checked"') == 1
