"""What a row says where no words may be kept, and what a browser may tell of what was said."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from paliadin.base.errors import InvalidField
from paliadin.events.chips import Destinations
from paliadin.events.reducer import Reducer
from paliadin.events.timeline import CalledTool, JoinedWords, Waited
from paliadin.parts.messages.redaction import OTHER, Redaction
from paliadin.prompt.client_history import MOST_CHARACTERS, PastTurn, parse_history
from paliadin.record.recorder import whole
from paliadin.record.row import TurnRow
from paliadin.steps.model import Prompted, ToolEnded, ToolStarted
from paliadin.turnlog.description import Description
from paliadin.turnlog.ids import new_turn_id

WORD = "quokka"
TOOLS = {"lookup"}
ROW = TurnRow("t", "main", "ann", "api", "page", datetime(2026, 11, 27, tzinfo=UTC), f"Where is the {WORD}?")


def full() -> TurnRow:
    return replace(
        ROW,
        context={"selection": WORD},
        response=f"The {WORD} is here.",
        used_tools=("lookup", WORD),
        rows_seen=(3, 4),
        observed_tools=("lookup", WORD),
        tool_calls=(CalledTool("lookup", ok=True, rows=3), CalledTool(WORD, ok=False)),
        joined=(JoinedWords(WORD, 3),),
        interrupts=(Waited("question", "lookup", by="page", waited_ms=5, answer=WORD),),
        feedback="up",
        output_tokens=7,
    )


def test_no_word_stays_and_what_counts_does() -> None:
    row = Redaction(b"k" * 32, TOOLS).row(full())
    assert WORD not in str(row)
    assert (row.used_tools, row.rows_seen) == (("lookup", OTHER), (3, 4))
    assert [call.name for call in row.tool_calls] == ["lookup", OTHER]
    assert (row.tool_calls[0].rows, row.output_tokens, row.feedback) == (3, 7, "up")
    assert row.interrupts[0].waited_ms == 5
    assert row.redacted is not None
    assert set(row.redacted) == {"question", "context", "answer", "joined"}


def test_the_same_question_has_the_same_hash_only_with_the_same_key() -> None:
    one, other = Redaction(b"k" * 32, TOOLS), Redaction(b"l" * 32, TOOLS)
    hashes = [redaction.row(row).redacted for redaction, row in ((one, ROW), (one, ROW), (other, ROW))]
    assert hashes[0] == hashes[1]
    assert hashes[0] != hashes[2]


def test_the_arguments_of_each_call_are_hashed_in_any_order_of_their_names() -> None:
    def redacted(arguments: dict[str, object]) -> object:
        reducer = Reducer(Description.parse({"turn_id": new_turn_id(), "session_id": "main"}), Destinations())
        reducer.feed(Prompted(2, "x"))
        reducer.feed(ToolStarted(3, "c", "lookup", arguments))
        reducer.feed(ToolEnded(4, "c", "lookup", "ok", [{"type": "text", "text": WORD}]))
        row = Redaction(b"k" * 32, TOOLS).row(ROW, reducer)
        assert row.redacted is not None
        assert WORD not in str(row.redacted)
        return row.redacted["tools"]

    assert redacted({"a": WORD, "b": 1}) == redacted({"b": 1, "a": WORD})
    assert redacted({"a": WORD}) != redacted({"a": "other"})


def test_where_everything_is_kept_a_row_is_as_it_is() -> None:
    assert whole(full()) == full()


def test_a_history_is_cleaned_and_what_has_no_words_is_left_out() -> None:
    told = [{"question": "Why?\x00", "answer": " Because. ", "turn_id": "t"}, {"question": "\u200b", "answer": "x"}]
    assert parse_history(told) == [PastTurn("Why?", "Because.", "t")]
    assert parse_history(None) == ()
    assert parse_history([]) == []


def test_a_history_has_a_size() -> None:
    pair = {"question": "q", "answer": "a" * (MOST_CHARACTERS - 1)}
    assert len(parse_history([pair])) == 1
    with pytest.raises(InvalidField, match="100,000 characters"):
        parse_history([pair, {"question": "", "answer": "a"}])
