from __future__ import annotations

import json
import re
from typing import Any

import pytest

from paliadin.demo.api_messages import (
    Conversation,
    Cut,
    Message,
    Pause,
    Text,
    ToolUse,
    Usage,
    message_body,
    stream,
    text,
)
from paliadin.demo.private_home import private_environment


def events(message: Message) -> list[tuple[float, str, dict[str, Any]]]:
    """(seconds, name, data) of the whole stream."""
    parsed = []
    for delay, raw in stream(message, "msg_1", "m"):
        name, data = re.fullmatch(rb"event: (\w+)\ndata: (.*)\n\n", raw).groups()  # type: ignore[union-attr]
        parsed.append((delay, name.decode(), json.loads(data)))
        assert parsed[-1][2]["type"] == name.decode()
    return parsed


READ = ToolUse("Read", {"file_path": "/a"})


def test_a_reply_streams_as_the_messages_api_does() -> None:
    streamed = events(Message((text("One.\nTwo.\n", 0.1), READ), Usage(1, 2, 3, 4)))
    assert [name for _, name, _ in streamed] == [
        "message_start",
        *("content_block_start", "content_block_delta", "content_block_delta", "content_block_stop"),
        *("content_block_start", "content_block_delta", "content_block_stop"),
        "message_delta",
        "message_stop",
    ]
    start, delta = streamed[0][2]["message"], streamed[-2][2]
    assert start["usage"] | {"output_tokens": 2} == delta["usage"]
    assert delta["usage"] == {
        "input_tokens": 1,
        "output_tokens": 2,
        "cache_read_input_tokens": 3,
        "cache_creation_input_tokens": 4,
    }
    assert delta["delta"]["stop_reason"] == "tool_use"
    assert [data["index"] for _, name, data in streamed if name == "content_block_start"] == [0, 1]
    assert [delay for delay, name, _ in streamed if name == "content_block_delta"] == [0.1, 0.1, 0.0]
    assert json.loads(streamed[-4][2]["delta"]["partial_json"]) == {"file_path": "/a"}


def test_the_same_reply_in_one_piece_says_the_same() -> None:
    message = message_body(Message((text("One.\nTwo.\n"), Pause(1), READ), Usage(1, 2, 3, 4)), "msg_1", "m")
    blocks: Any = message["content"]
    assert blocks[0] == {"type": "text", "text": "One.\nTwo.\n"}
    assert (blocks[1]["name"], blocks[1]["input"]) == ("Read", {"file_path": "/a"})
    assert message["stop_reason"] == "tool_use"


def test_a_pause_delays_what_follows_it() -> None:
    streamed = events(Message((Pause(2), Text(("x",), 0.5), Pause(3))))
    assert [delay for delay, _, _ in streamed if delay] == [2, 0.5, 3]
    assert streamed[-2][2]["delta"]["stop_reason"] == "end_turn"


@pytest.mark.parametrize(("cut", "last"), [(Cut(), "content_block_delta"), (Cut(within=False), "content_block_stop")])
def test_a_cut_ends_the_stream_where_it_stands(cut: Cut, last: str) -> None:
    assert events(Message((text("One.\n"), cut, text("Two.\n"))))[-1][1] == last


BODY: dict[str, Any] = {
    "model": "m",
    "system": [{"type": "text", "text": "Working directory: /office"}],
    "tools": [{"name": "Read"}, {"name": "Bash"}],
    "messages": [
        {"role": "user", "content": "first"},
        {"role": "assistant", "content": [{"type": "text", "text": "answer"}]},
        {
            "role": "user",
            "content": [
                {"type": "text", "text": "<system-reminder>be good</system-reminder>"},
                {"type": "text", "text": "second"},
            ],
        },
        {
            "role": "assistant",
            "content": [{"type": "tool_use", "id": "t1", "name": "Read", "input": {"file_path": "/a"}}],
        },
        {
            "role": "user",
            "content": [
                {
                    "type": "tool_result",
                    "tool_use_id": "t1",
                    "is_error": True,
                    "content": [{"type": "text", "text": "no"}, {"type": "text", "text": "file"}],
                }
            ],
        },
        {"role": "system", "content": "a note"},
    ],
}


def test_a_request_tells_what_was_said_and_what_tools_returned_since() -> None:
    conversation = Conversation.parse(BODY)
    assert conversation.user_text == "second"
    assert conversation.prompts == ("first", "second")
    [result] = conversation.results
    assert (result.name, result.input, result.content, result.is_error) == (
        "Read",
        {"file_path": "/a"},
        "no\nfile",
        True,
    )
    assert conversation.tools == ("Read", "Bash")
    assert conversation.system == "Working directory: /office"
    assert "be good" in conversation.notes
    assert "a note" in conversation.notes


def test_results_of_an_earlier_question_do_not_count() -> None:
    body = {**BODY, "messages": [*BODY["messages"], {"role": "user", "content": "third"}]}
    assert Conversation.parse(body).results == ()


def test_an_empty_request_is_read_too() -> None:
    conversation = Conversation.parse({})
    assert (conversation.user_text, conversation.tools, conversation.results) == ("", (), ())


def test_a_private_home_holds_nothing_of_the_owners(tmp_path: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANTHROPIC_AUTH_TOKEN", "the owner's")
    monkeypatch.setenv("CLAUDE_CONFIG_DIR", "/the/owners")
    (tmp_path / "work").mkdir()
    environment = private_environment(tmp_path / "home", tmp_path / "work", "http://127.0.0.1:1")
    assert "owner" not in json.dumps(environment)
    assert environment["HOME"] == str(tmp_path / "home")
    first_run = json.loads((tmp_path / "home" / ".claude.json").read_text())
    assert first_run["customApiKeyResponses"]["approved"] == [environment["ANTHROPIC_API_KEY"][-20:]]
    assert (tmp_path / "home").stat().st_mode & 0o077 == 0
