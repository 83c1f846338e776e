"""The texts that a case rests on: what its calls returned, its question, its context."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from tests.evidence.model import CallGiven, Case


def texts_of(value: Any) -> Iterator[str]:
    """Yield every text, key and number in a JSON value; JSON in a text is opened."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield str(key)
            yield from texts_of(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from texts_of(inner)
    elif isinstance(value, str):
        opened = _opened(value)
        yield value
        if opened is not None:
            yield from texts_of(opened)
    elif isinstance(value, int | float) and not isinstance(value, bool):
        yield str(value)


def result_text(call: CallGiven) -> str:
    """All that a call returned, as one text, without figures about the call itself (milliseconds, bytes, tokens)."""
    result = call.result
    if isinstance(result, dict):
        result = {key: value for key, value in result.items() if key not in _ABOUT_THE_CALL}
    return "\n".join(texts_of(result))


def supporting_texts(case: Case) -> tuple[str, ...]:
    """What an answer may rest on: the results of calls that did not fail, the question, the page's context."""
    results = [result_text(call) for call in case.calls if call.outcome == "ok"]
    return (*results, case.question, "\n".join(texts_of(dict(case.context))))


_ABOUT_THE_CALL = {
    "durationMs", "durationSeconds", "totalDurationMs", "totalTokens", "totalToolUseCount", "bytes", "code",
}  # fmt: skip


def _opened(text: str) -> Any:
    if not text.lstrip().startswith(("{", "[")):
        return None
    try:
        return json.loads(text)
    except ValueError:
        return None
