from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paliadin.relays.terminal.transcript import Contents, Cut, before, find_cut, measure, shorten

NEW = "00000000-0000-4000-8000-000000000000"
CAPTURED = sorted((Path(__file__).parents[1] / "transcripts").glob("*.jsonl"))


@pytest.fixture(params=CAPTURED, ids=lambda path: path.stem)
def lines(request: pytest.FixtureRequest) -> list[bytes]:
    """A transcript that Claude Code wrote: five questions (tests/tools/capture_transcripts.py)."""
    return Path(request.param).read_bytes().splitlines(keepends=True)


def line(**fields: Any) -> bytes:
    return json.dumps(fields).encode() + b"\n"


def message(kind: str, uuid: str, parent: str | None = None, **fields: Any) -> bytes:
    body = {"role": kind, "content": f"text of {uuid}"}
    return line(**{"type": kind, "uuid": uuid, "parentUuid": parent, "sessionId": "old", "message": body} | fields)


def prompts(lines: list[bytes]) -> list[tuple[int, str]]:
    """(line number, promptId) of each question, in order."""
    found = {}
    for number, entry in enumerate(map(json.loads, lines)):
        if entry["type"] == "user" and "PALIADIN:" in str(entry["message"]["content"]):
            found.setdefault(entry["promptId"], number)
    return [(number, prompt) for prompt, number in found.items()]


def entries(lines: list[bytes]) -> Iterator[dict[str, Any]]:
    return (json.loads(line) for line in lines)


def test_a_captured_transcript_is_cut_before_each_of_its_questions(lines: list[bytes]) -> None:
    assert len(prompts(lines)) == 5
    for number, prompt in prompts(lines):
        cut = find_cut(lines, prompt)
        assert cut is not None
        prompt_entry = json.loads(lines[number])
        assert cut.uuid == prompt_entry["uuid"]
        kept = list(shorten(lines, cut, NEW))
        chained = [entry["uuid"] for entry in entries(lines[:number]) if "uuid" in entry]
        assert [entry["uuid"] for entry in entries(kept) if "uuid" in entry] == chained
        assert not [entry for entry in entries(kept) if entry.get("messageId") == cut.uuid]
        assert {entry["sessionId"] for entry in entries(kept) if "sessionId" in entry} <= {NEW}
        assert measure(kept, NEW) == measure(before(lines, cut)) == measure(lines[:number])


def test_nothing_but_the_session_is_changed_in_a_captured_transcript(lines: list[bytes]) -> None:
    old = json.loads(lines[0])["sessionId"].encode()
    cut = find_cut(lines, prompts(lines)[-1][1])
    assert cut is not None
    assert [made.replace(NEW.encode(), old) for made in shorten(lines, cut, NEW)] == list(before(lines, cut))


def test_the_first_question_has_nothing_before_it(lines: list[bytes]) -> None:
    cut = find_cut(lines, prompts(lines)[0][1])
    assert cut is not None
    assert measure(before(lines, cut)).begun is False


def test_an_unknown_prompt_is_not_found(lines: list[bytes]) -> None:
    assert find_cut(lines, "ffffffff-0000-4000-8000-000000000000") is None


def test_what_claude_code_writes_for_a_command_is_no_beginning() -> None:
    cleared = "<command-name>/clear</command-name>\n"
    commands = [
        message(
            "user", "a", message={"role": "user", "content": "<local-command-caveat>Caveat</local-command-caveat>"}
        ),
        message("user", "b", "a", message={"role": "user", "content": cleared}),
    ]
    assert measure(commands) == Contents(2, 0, False, measure(commands).digest)
    shell = message("user", "c", "b", message={"role": "user", "content": "<bash-input>ls</bash-input>"})
    assert measure([*commands, shell]).begun


def test_a_rewound_conversation_is_cut_where_the_question_goes_on() -> None:
    given = [
        message("user", "q1", promptId="p1"),
        message("assistant", "a1", "q1"),
        message("user", "q2", "a1", promptId="p2"),
        message("assistant", "a2", "q2"),
        message("user", "q3", "a1", promptId="p3"),  # after a rewind to before the second question
    ]
    cut = find_cut(given, "p3")
    assert cut == Cut(2, "q3")
    assert list(before(given, cut)) == given[:2]


def test_messages_that_stand_behind_what_follows_them_are_kept() -> None:
    given = [  # as Claude Code 2.1.197 has written a first turn
        line(type="system", uuid="s1", parentUuid="a1", sessionId="old"),
        message("user", "q1", promptId="p1"),
        message("assistant", "a1", "q1"),
        line(type="file-history-snapshot", messageId="q2", sessionId="old"),
        message("user", "q2", "s1", promptId="p2"),
    ]
    cut = find_cut(given, "p2")
    assert cut == Cut(3, "q2")
    assert measure(before(given, cut)).begun


def test_a_chain_in_a_circle_is_read_once() -> None:
    given = [message("user", "q1", "q2"), message("user", "q2", "q1"), message("user", "q3", "q1", promptId="p3")]
    assert find_cut(given, "p3") == Cut(2, "q3")


def test_a_prompt_whose_parent_is_unknown_is_cut_where_it_stands() -> None:
    given = [message("user", "q1", promptId="p1"), message("user", "q2", "gone", promptId="p2")]
    assert find_cut(given, "p2") == Cut(1, "q2")


def test_the_result_of_a_tool_does_not_begin_the_turn() -> None:
    given = [message("user", "q1", promptId="p1"), message("user", "r1", "q1", promptId="p1")]
    assert find_cut(given, "p1") == Cut(0, "q1")


DAMAGED = [
    b"{torn\n",
    b"null\n",
    b"[1]\n",
    b"7\n",
    b"\n",
    b"\xff\x00\n",
    b'{"a":NaN}\n',
    b'{"a":1} {"b":2}\n',
    b'{"a"1}\n',
]
BODILESS = [b'{"type":"assistant","message":null}\n', b'{"type":"user"}\n']


@pytest.mark.parametrize("bad", DAMAGED + BODILESS)
def test_what_claude_code_skips_or_does_not_start_with_is_left_out(bad: bytes) -> None:
    given = [bad, message("user", "q1", promptId="p1"), bad, message("user", "q2", "q1", promptId="p2")]
    cut = find_cut(given, "p2")
    assert cut is not None
    assert [json.loads(line)["uuid"] for line in shorten(given, cut, NEW)] == ["q1"]


ODD = [
    b'{"type" : "mode", "a": 1.50, "b": 1e999, "c": "\\ud800 \xc3\xa4 \xff", "sessionId" : "old" }\r\n',
    b'{"sessionId":"older","toolUseResult":{"sessionId":"old"},"text":"\\"sessionId\\":\\"old\\"","sessionId":"old"}\n',
    b'{"type":["user"],"uuid":{},"messageId":[],"message":7,"sessionId":"old"}\n',
    b'{"big":' + b"9" * 5000 + b',"sessionId":"old"}\n',
]


@pytest.mark.parametrize("odd", ODD)
def test_an_odd_line_keeps_every_byte_but_its_session(odd: bytes) -> None:
    end = odd.rindex(b'"old"')
    assert list(shorten([odd], Cut(1, "q"), NEW)) == [odd[:end] + f'"{NEW}"'.encode() + odd[end + 5 :]]


def test_a_line_that_is_nested_too_deeply_is_carried_over_as_it_is() -> None:
    deep = b'{"type":"user","sessionId":"old","message":' + b'{"a":' * 50_000 + b"1" + b"}" * 50_000 + b"}\n"
    assert list(shorten([deep], Cut(1, "q"), NEW)) == [deep]


def test_a_snapshot_goes_with_its_question_only() -> None:
    own, other = (line(type="file-history-snapshot", messageId=uuid) for uuid in ("q2", "q1"))
    given = [other, message("user", "q1", promptId="p1"), own, message("user", "q2", "q1", promptId="p2")]
    assert list(before(given, Cut(3, "q2"))) == given[:2]


def test_a_copy_that_lacks_or_changes_a_message_has_other_contents(lines: list[bytes]) -> None:
    whole = measure(lines)
    last = max(number for number, entry in enumerate(entries(lines)) if entry["type"] == "assistant")
    assert measure(lines[:last] + lines[last + 1 :]) != whole
    changed = lines[last].replace(b"Just this", b"Just that")
    assert measure([*lines[:last], changed, *lines[last + 1 :]]) != whole
    assert measure(lines, NEW).users == 0


@given(st.lists(st.binary(max_size=80).map(lambda text: text.replace(b"\n", b"") + b"\n"), max_size=6))
def test_no_line_raises(given: list[bytes]) -> None:
    assert find_cut(given, "p") is None
    kept = list(shorten(given, Cut(len(given), "q"), NEW))
    assert measure(kept) == measure(given)
