"""Conversations over the Messages API: the daemon, the SDK, and the scripted API; no Claude Code runs."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from paliadin.demo.scripted_api import ScriptedApi
from paliadin.parts.messages.turn_run import MAX_ROUNDS
from paliadin.turnlog.ids import started_ms
from tests.integration.conftest import make_world
from tests.worlds.world import World, eventually, last, text_of

KEY = "key-of-the-tests"
HISTORY, QUESTION = 400, 600  # tokens


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory, one_claude: Path, api: tuple[ScriptedApi, str]) -> Iterator[World]:
    for world in make_world(tmp_path_factory.mktemp("messages"), one_claude, api):
        world.options |= {"RELAY": "messages", "API_KEY": KEY, "API_URL": api[1], "FIRM": "Muster & Partner"}
        world.options |= {"HISTORY_TOKENS": str(HISTORY), "QUESTION_TOKENS": str(QUESTION)}
        world.file_tools = True
        world.start()
        yield world


@pytest.fixture(autouse=True)
def reset(world: World) -> None:
    assert world.post("reset", {"session_id": "main"}).status_code == 200
    world.api.bodies.clear()  # those of other modules, whose worlds ask the same API


def requests(world: World, question: str) -> list[dict[str, Any]]:
    """The bodies of the requests of this question, oldest first."""
    return [each for each in map(dict, world.api.bodies) if question in json.dumps(each["messages"][-1:])]


def state(world: World) -> str:
    return str(next(each["state"] for each in world.get("sessions")["sessions"] if each["name"] == "main"))


def test_an_answer_comes_and_the_next_question_knows_it(world: World) -> None:
    events = world.turn("First")
    assert events[-1].name == "end", events[-1].data
    assert text_of(events).startswith("You said")
    assert events[-1].data["usage"] == {
        "input_tokens": 100,
        "output_tokens": 20,
        "cache_read_tokens": 3,
        "cache_write_tokens": 4,
    }
    assert text_of(world.turn("scene:remember")) == "I remember 2 prompts."
    item = world.get("conversations")["conversations"][0]
    assert item["host"] == "127.0.0.1"


def test_the_history_says_since_when_the_model_remembers(world: World) -> None:
    asked = world.ask("before")
    list(world.follow(asked))
    assert world.post("reset", {"session_id": "main"}).status_code == 200
    since = world.get("history")["since"]
    again = world.ask("after")
    list(world.follow(again))
    assert started_ms(asked) < since < started_ms(again)


def test_a_branch_knows_what_was_before_it(world: World) -> None:
    world.turn("one")
    second = world.ask("two")
    list(world.follow(second))
    branch = world.post("conversations", {"branch_of": second}).json()["id"]
    assert text_of(world.turn("scene:remember", session_id=branch)) == "I remember 2 prompts."
    assert text_of(world.turn("scene:remember")) == "I remember 3 prompts."


def test_what_was_stopped_or_failed_without_a_word_is_not_remembered(world: World) -> None:
    assert world.turn("scene:api 400 invalid_request_error")[-1].name == "error"
    assert text_of(world.turn("scene:remember")) == "I remember 1 prompts."


def test_tools_run_at_once_and_one_that_is_not_there_is_told(world: World) -> None:
    turn_id = world.ask(f"in:{world.workdir} scene:both")
    events = []
    for event in world.follow(turn_id):
        events.append(event)
        if event.name == "tool_call" and sum(each.name == "tool_call" for each in events) == 3:  # both wait
            for name in ("one", "two"):
                part = world.workdir / f"{name}.part"
                part.write_text(f"This is {name}.")
                part.rename(world.workdir / name)  # whoever waits for it finds it whole
    assert text_of(events).startswith("This is one. This is two. There is no tool 'Nothing'.")
    results = {each.data["name"]: each.data for each in events if each.name == "tool_result"}
    assert results["Slow"]["ok"]
    assert not results["Nothing"]["ok"]


def test_so_many_rounds_and_then_a_plain_sentence(world: World) -> None:
    (world.workdir / "data.csv").write_text("id\n1\n")
    events = world.turn(f"in:{world.workdir} scene:loop")
    assert events[-1].data["code"] == "tool_loop_cap"
    assert f"{MAX_ROUNDS} times" in events[-1].data["message"]
    assert sum(each.name == "tool_result" for each in events) == MAX_ROUNDS
    assert "Look 4." in text_of(events)
    usage = world.get("history?session_id=main&limit=1")["turns"][0]["usage"]
    assert usage["output_tokens"] == 34 * (MAX_ROUNDS + 1)  # it is paid, though it failed


@pytest.mark.parametrize(
    ("scene", "code", "attempts"),
    [
        ("api 401 authentication_error", "api_key_refused", 1),
        ("api 403 permission_error", "api_key_refused", 1),
        ("api 402 billing_error", "api_quota", 1),
        ("api 429 rate_limit_error", "api_quota", 3),
        ("api 529 overloaded_error", "api_overloaded", 3),
        ("api 500 api_error", "upstream_error", 3),
        ("api 404 not_found_error", "unknown_model", 1),
        ("breaks", "api_overloaded", 1),
        ("cut", "stream_broken", 1),
        ("refuses", "content_refused", 1),
    ],
)
def test_each_failure_has_a_code_and_nothing_that_the_api_said(
    world: World, scene: str, code: str, attempts: int
) -> None:
    """What has begun to be shown is not asked for again; what has not, as often as the SDK does."""
    events = world.turn(f"scene:{scene}")
    assert (events[-1].name, events[-1].data["code"]) == ("error", code)
    assert events[-1].data["hint"]
    assert len(requests(world, f"scene:{scene}")) == attempts
    assert KEY not in json.dumps([event.data for event in events])
    log = (world.root / "daemon.log").read_text()
    assert KEY not in log
    assert f"ends (127.0.0.1): {events[-1].data['message']}" in log
    assert {"breaks": "Line one.", "cut": "Line one."}.get(scene, "") in text_of(events)
    turn = last(events, "meta").data["turn_id"]
    [folder] = world.settings.response_dir.glob(f"*/{turn}")
    assert not [path for path in folder.rglob("*") if path.is_file() and KEY in path.read_text()]


def test_what_fails_once_is_asked_again(world: World) -> None:
    assert text_of(world.turn("scene:api 529 overloaded_error once")) == "At last."


def test_an_answer_that_is_too_long_says_where_it_was_cut(world: World) -> None:
    events = world.turn("scene:too_long")
    assert events[-1].name == "end"
    assert text_of(events) == "And so on and so\n\n*… cut after 2000 tokens*"


def test_what_is_the_same_is_marked_for_the_cache(world: World) -> None:
    (world.workdir / "data.csv").write_text("id,state\nc47bd2,OPEN\n")
    world.turn("Before")
    world.turn(f"in:{world.workdir} scene:read")
    first, second = list(world.api.bodies)[-2:]
    for body in (first, second):
        assert [block.get("cache_control") is not None for block in body["system"]] == [True, False]
        assert "Muster & Partner" in body["system"][1]["text"]
        assert "Muster" not in body["system"][0]["text"]
        assert [tool["name"] for tool in body["tools"]] == ["Read", "Slow", "AskUserQuestion"]
        assert body["max_tokens"] == 2000
    assert second["messages"][: len(first["messages"])] == first["messages"]  # so its beginning is found again
    marked = [
        (message["role"], block["type"])
        for message in second["messages"]
        for block in message["content"]
        if "cache_control" in block
    ]
    assert marked == [("user", "text"), ("user", "tool_result")]


def test_of_a_long_conversation_the_latest_part_goes_along_and_the_reader_is_told(world: World) -> None:
    counted = world.api.received.count("/v1/messages/count_tokens")
    assert last(world.turn("short"), "meta").data["notices"] == []
    assert world.api.received.count("/v1/messages/count_tokens") == counted  # far from the limit
    for number in range(4):
        world.turn(f"{number} " + "word " * 80)
    events = world.turn("scene:remember")
    assert last(events, "meta").data["notices"] == ["history_cut"]
    assert text_of(events) == "I remember 2 prompts."
    assert world.api.received.count("/v1/messages/count_tokens") > counted
    item = world.get("history?session_id=main&limit=1")["turns"][0]
    assert item["events"][0]["data"]["notices"] == ["history_cut"]


def test_a_question_that_is_too_long_is_refused_before_it_is_a_turn(world: World) -> None:
    before = len(list(world.settings.response_dir.glob("*/*")))
    refused = world.post("turn", {"session_id": "main", "user_message": "word " * QUESTION})
    assert (refused.status_code, refused.json()["error"]["code"]) == (413, "conversation_too_long")
    assert len(list(world.settings.response_dir.glob("*/*"))) == before


def test_a_file_cannot_be_attached(world: World) -> None:
    with world.client() as client:
        made = client.post("/api/paliadin/attachments", files={"file": ("a.txt", b"hello", "text/plain")}).json()
    refused = world.post("turn", {"session_id": "main", "user_message": "Hi", "attachments": [made["id"]]})
    assert (refused.status_code, refused.json()["error"]["code"]) == (422, "invalid_field")
    assert world.get("health")["may_attach"] is False


def test_a_daemon_that_was_killed_says_so_and_asks_nobody_again(world: World) -> None:
    turn_id = world.ask("scene:slow")
    for event in world.follow(turn_id):
        if event.name == "content_delta":
            break
    asked = len(world.api.requests)
    world.stop(9)
    world.start()
    events = list(world.follow(turn_id))
    assert (events[-1].name, events[-1].data["code"]) == ("error", "stream_broken")
    assert text_of(events).startswith("Line 0.")
    assert len(world.api.requests) == asked
    assert text_of(world.turn("And now?")).startswith("You said")


def test_stop_closes_the_request(world: World) -> None:
    turn_id = world.ask("scene:slow")
    for event in world.follow(turn_id):
        if event.name == "content_delta":
            assert world.post(f"stream/{turn_id}/abort").json() == {"aborted": True}
    assert event.data["aborted"]
    assert event.data["usage"]["input_tokens"] == 12  # what is known of it
    assert state(world) == "ready"

    def is_quiet() -> bool:
        sent = len(world.api.sent)
        time.sleep(0.5)  # a line comes every 0.15 s, for half a minute
        return len(world.api.sent) == sent

    assert eventually(is_quiet, 10, "the API sends nothing more")


def test_no_claude_code_was_started(world: World) -> None:
    assert not world.terminal.panes()
