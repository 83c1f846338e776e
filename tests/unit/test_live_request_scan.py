"""What is read from a passing request is what reading all of its JSON would give, wherever it is cut."""

from __future__ import annotations

import itertools
import json
import re
import tracemalloc
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from paliadin.live.request_scan import RequestScanner

TURN = "01890a5d-ac96-774b-bcce-b302099a8057"
OTHER = "01890a5d-ac96-774b-bcce-b302099a8058"
ENVELOPE = f"[PALIADIN:{TURN}]\nWhat is on the agenda?"
REMINDER = "<system-reminder>\nThe date has changed.\n</system-reminder>"


def text(content: str) -> dict[str, object]:
    return {"type": "text", "text": content}


def user(*content: object) -> dict[str, object]:
    return {"role": "user", "content": list(content)}


def request(*messages: object, **more: object) -> dict[str, object]:
    return {"model": "claude-x", "messages": list(messages), "tools": [{"name": "Bash"}], "stream": True, **more}


def pieces(data: bytes, cuts: list[int]) -> list[bytes]:
    at = sorted({0, len(data), *(cut % (len(data) + 1) for cut in cuts)})
    return [data[start:end] for start, end in itertools.pairwise(at)]


def scanned(data: bytes, cuts: list[int] | None = None) -> RequestScanner:
    scanner = RequestScanner()
    for piece in pieces(data, cuts or []):
        scanner.feed(piece)
    return scanner


def encoded(body: object) -> bytes:
    """As JavaScript's JSON.stringify writes it."""
    return json.dumps(body, separators=(",", ":"), ensure_ascii=False).encode("utf-8", "surrogatepass")


# The same by json.loads.


def user_texts(body: dict[str, Any]) -> list[str]:
    found: list[Any] = []
    messages = body.get("messages")
    for message in messages if isinstance(messages, list) else []:
        if not isinstance(message, dict) or message.get("role") != "user":
            continue
        content = message.get("content")
        blocks = content if isinstance(content, list) else [text(content)] if isinstance(content, str) else []
        found += [block.get("text") for block in blocks if isinstance(block, dict) and block.get("type") == "text"]
    return [one for one in found if isinstance(one, str) and not one.startswith("<system-reminder>")]


def expected(body: object) -> tuple[str | None, bool, bool, str | None]:
    if not isinstance(body, dict):
        return None, False, False, None
    texts = user_texts(body)
    envelope = re.match(r"\[PALIADIN:([0-9a-f-]{36})\]", texts[-1]) if texts else None
    tools, model = body.get("tools"), body.get("model")
    has_tools = isinstance(tools, list) and any(isinstance(tool, dict | list) for tool in tools)
    named = model if isinstance(model, str) else None
    return envelope[1] if envelope else None, has_tools, body.get("stream") is True, named


def found(scanner: RequestScanner) -> tuple[str | None, bool, bool, str | None]:
    return scanner.turn, scanner.has_tools, scanner.streams, scanner.model


NAMES = st.sampled_from(["messages", "role", "content", "type", "text", "tools", "stream", "other", "tool_result"])
TEXTS = st.one_of(
    st.sampled_from([ENVELOPE, f"[PALIADIN:{OTHER}] x", REMINDER, "user", "text", "true", '\\"', "\\", "messages", ""]),
    st.text(max_size=30),
    st.builds(lambda part, times: part * times, st.sampled_from(["ab", '"', "\\", "ü", "\n"]), st.integers(90, 220)),
)
VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(allow_nan=False), TEXTS),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(NAMES, inner, max_size=4)),
    max_leaves=12,
)
BLOCKS = st.one_of(
    st.builds(text, TEXTS),
    st.builds(lambda content: {"text": content, "cache_control": {"type": "ephemeral"}, "type": "text"}, TEXTS),
    st.builds(lambda content: {"type": "tool_result", "content": content}, st.one_of(TEXTS, VALUES)),
    st.builds(lambda content: {"type": "tool_result", "content": [text(content)]}, TEXTS),
    VALUES,
)
CONTENTS = st.one_of(TEXTS, st.lists(BLOCKS, max_size=4), VALUES)
MESSAGES = st.one_of(
    st.builds(
        lambda role, content: {"role": role, "content": content}, st.sampled_from(["user", "assistant"]), CONTENTS
    ),
    st.builds(lambda content: {"content": content, "id": 1, "role": "user"}, CONTENTS),
    st.dictionaries(NAMES, VALUES, max_size=4),
    VALUES,
)
BODIES = st.one_of(
    st.fixed_dictionaries(
        {},
        optional={
            "model": st.text("abc-123[]", max_size=20),
            "messages": st.one_of(st.lists(MESSAGES, max_size=4), VALUES),
            "tools": st.one_of(st.just([{"name": "Bash", "stream": True}]), VALUES),
            "system": st.one_of(st.lists(BLOCKS, max_size=2), VALUES),
            "stream": st.one_of(st.booleans(), VALUES),
            "metadata": VALUES,
        },
    ),
    VALUES.filter(lambda value: not isinstance(value, dict) or "model" not in value),
)
CUTS = st.lists(st.integers(0, 10_000), max_size=12)


@given(body=BODIES, cuts=CUTS, ascii_only=st.booleans(), spaced=st.booleans())
@example(body=request(user(text(ENVELOPE))), cuts=list(range(400)), ascii_only=False, spaced=False)
@example(body={"stream": True}, cuts=[11], ascii_only=False, spaced=False)
def test_any_body_cut_anywhere_gives_what_reading_its_json_gives(
    body: object, cuts: list[int], ascii_only: bool, spaced: bool
) -> None:
    separators = None if spaced else (",", ":")
    whole = json.dumps(body, ensure_ascii=ascii_only, separators=separators).encode("utf-8", "surrogatepass")
    assert found(scanned(whole, cuts)) == expected(json.loads(whole))


@given(data=st.one_of(st.binary(max_size=300), BODIES.map(encoded)), noise=st.binary(max_size=5), cuts=CUTS)
def test_what_is_no_json_raises_nothing(data: bytes, noise: bytes, cuts: list[int]) -> None:
    for at in [0, *(cut % (len(data) + 1) for cut in cuts)]:
        scanned(data[:at] + noise + data[at + len(noise) :], cuts)


@pytest.mark.parametrize(
    ("messages", "turn"),
    [
        ([user(text(ENVELOPE))], TURN),
        ([{"role": "user", "content": ENVELOPE}], TURN),
        ([user(text(REMINDER), text(ENVELOPE), text(REMINDER))], TURN),
        ([user(text(ENVELOPE)), {"role": "user", "content": REMINDER}], TURN),
        ([user(text(ENVELOPE)), {"role": "assistant", "content": [text("Hm")]}, user({"type": "tool_result"})], TURN),
        ([user(text(ENVELOPE)), user(text("And now by hand"))], None),
        ([user(text(f" {ENVELOPE}"))], None),
        ([user(text(f"Look: {ENVELOPE}"))], None),
        ([{"role": "assistant", "content": [text(ENVELOPE)]}], None),
        ([user({"type": "tool_result", "content": ENVELOPE})], None),
        ([user({"type": "tool_result", "content": [text(ENVELOPE)]})], None),
        ([user(text("By hand"), {"type": "tool_result", "content": [text(ENVELOPE)]})], None),
        ([user({"type": "document", "text": ENVELOPE})], None),
        ([{"role": "user", "note": [text(ENVELOPE)], "content": "By hand"}], None),
        ([{"role": "user", "content": "By hand"}, [ENVELOPE]], None),
    ],
)
def test_the_turn_is_that_of_the_users_last_text_and_of_nothing_else(messages: list[object], turn: str | None) -> None:
    whole = encoded(request(*messages))
    assert scanned(whole).turn == turn
    assert scanned(whole, list(range(len(whole)))).turn == turn


def test_an_envelope_outside_the_messages_names_no_turn() -> None:
    body = request(user(text("By hand")), system=[text(ENVELOPE)], metadata={"messages": [user(text(ENVELOPE))]})
    assert scanned(encoded(body)).turn is None


def test_a_body_that_is_nested_too_deeply_names_no_turn() -> None:
    deep = b"[" * 100_000
    whole = encoded(request(user(text(ENVELOPE))))
    assert scanned(whole[:-1] + b',"x":' + deep, [5000]).turn is None
    scanned(deep + b'{"a":' * 1000, list(range(0, 100_000, 1000)))


@pytest.mark.parametrize("content", ["x" * 1000, '\\"\n' * 400], ids=["plain", "escapes"])
def test_of_a_large_body_only_a_little_is_kept(content: str) -> None:
    whole = encoded(request(user(*[text(content)] * 6000, text(ENVELOPE))))
    at = range(0, len(whole), 16_384)
    scanner = RequestScanner()
    tracemalloc.start()
    try:
        for start in at:
            scanner.feed(whole[start : start + 16_384])
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert scanner.turn == TURN
    assert peak < 1_000_000
