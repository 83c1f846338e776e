from __future__ import annotations

import json
import re
from typing import Any

import pytest

from paliadin.demo import script as demo
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
from paliadin.events.answer_filter import AnswerFilter


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


# The demo.


def conversation(question: str, *results: tuple[str, str, bool]) -> Conversation:
    messages: list[dict[str, Any]] = [{"role": "user", "content": question}]
    for number, (name, content, failed) in enumerate(results):
        ident = f"t{number}"
        use = {"type": "tool_use", "id": ident, "name": name, "input": {}}
        tool_result = {"type": "tool_result", "tool_use_id": ident, "content": content, "is_error": failed}
        messages += [{"role": "assistant", "content": [use]}, {"role": "user", "content": [tool_result]}]
    return Conversation.parse({**BODY, "messages": messages})


def text_of(message: Message) -> str:
    return "".join(chunk for block in message.blocks if isinstance(block, Text) for chunk in block.chunks)


ENVELOPE = '[PALIADIN:019a2b3c-4d5e-7f60-8123-456789abcdef] [ctx route=a selection="x \\"] y"] '


@pytest.mark.parametrize("envelope", ["", ENVELOPE])
@pytest.mark.parametrize("question", [*demo.QUESTIONS["en"], *demo.QUESTIONS["de"]])
def test_each_question_of_the_demo_gets_an_answer_with_a_trailer(question: str, envelope: str) -> None:
    message = demo.play(conversation(envelope + question))
    uses = [block for block in message.blocks if isinstance(block, ToolUse)]
    if uses:
        message = demo.play(conversation(envelope + question, (uses[0].name, "1:a,b,2026-01-01,c,OPEN\n", False)))
    visible = AnswerFilter()
    shown = visible.feed(text_of(message)) + visible.finish()
    assert shown
    assert visible.trailer
    assert visible.trailer.complete
    assert visible.trailer.classifier_tag


def test_any_other_question_is_answered_with_the_ones_there_are() -> None:
    answer = text_of(demo.play(conversation(ENVELOPE + "Tell me a joke")))
    assert "*Tell me a joke*" in answer
    assert all(question in answer for question in demo.QUESTIONS["en"])


def test_the_deadlines_are_those_that_the_tool_found() -> None:
    rows = (demo.SAMPLE / "deadlines.csv").read_text().splitlines()
    output = "\n".join(f"{number}:{row}" for number, row in enumerate(rows, 1) if "OPEN" in row)
    answer = text_of(demo.play(conversation("Which deadlines are open?", ("Bash", output, False))))
    count = len(output.splitlines())
    assert f"{count} deadlines are open" in answer
    assert answer.count("[#deadline-OPEN:") == count
    assert f"rows_seen: {count}" in answer


def test_a_tool_that_was_refused_is_not_passed_over() -> None:
    note = text_of(demo.play(conversation("Write a note", ("Write", "The user said no.", True))))
    assert "**not** written" in note
    count = text_of(demo.play(conversation("How many lines?", ("Bash", "not allowed", True))))
    assert "don't know" in count


def test_files_are_named_by_whole_paths_from_the_system_prompt() -> None:
    [use] = [block for block in demo.play(conversation("Write a note")).blocks if isinstance(block, ToolUse)]
    assert use.input["file_path"] == "/office/note.md"


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
