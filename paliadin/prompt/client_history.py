"""The conversation so far, as the reader's browser sends it with a question where the server keeps none of it.

The browser's user may have changed it, so it proves nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from paliadin.base.errors import InvalidField
from paliadin.prompt.text import clean_text

MOST = 50  # pairs
LONGEST_ID = 36  # characters of a turn's id
MOST_CHARACTERS = 100_000  # of all together, before they are cleaned; a model gets a few thousand tokens of them


@dataclass(frozen=True, slots=True)
class PastTurn:
    """An earlier question and its answer; `turn_id` is that of their turn, empty where the browser does not say."""

    question: str
    answer: str
    turn_id: str = ""


def parse_history(value: object) -> Sequence[PastTurn]:
    """Read a request's `history`: [{"turn_id"?, "question", "answer"}], oldest first, or None; raises InvalidField.

    Turns with an empty text are left out, since the Messages API refuses them.
    """
    if value is None:
        return ()
    if not isinstance(value, list) or len(value) > MOST:
        raise InvalidField(f"history must be a list of at most {MOST} pairs")
    pairs = [_pair(each) for each in value]
    if sum(len(text) for pair in pairs for text in pair) > MOST_CHARACTERS:
        raise InvalidField(f"history must have at most {MOST_CHARACTERS:,} characters")
    turns = [
        PastTurn(clean_text(question).strip(), clean_text(answer).strip(), turn_id)
        for question, answer, turn_id in pairs
    ]
    return [each for each in turns if each.question and each.answer]


def _pair(value: object) -> tuple[str, str, str]:
    names = ("question", "answer", "turn_id")
    texts = [value.get(name, "") for name in names] if isinstance(value, dict) else [None]
    if not all(isinstance(text, str) for text in texts):
        raise InvalidField("history must hold objects with question, answer and turn_id, all of them texts")
    question, answer, turn_id = map(str, texts)
    return question, answer, turn_id[:LONGEST_ID]
