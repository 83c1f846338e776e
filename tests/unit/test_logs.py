from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator

import pytest

from paliadin.base import logs
from paliadin.base.errors import StoreUnavailable

TURN = "01a1fdb6-b627-7948-85e7-ca4dc12d2878"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:], root.level = handlers, level


def written(stream: io.StringIO) -> dict[str, object]:
    [line] = stream.getvalue().splitlines()
    return dict(json.loads(line))


def test_a_program_gets_one_json_object_a_line_with_the_turn() -> None:
    stream = io.StringIO()
    logs.configure(stream)
    logging.getLogger("paliadin.record.recorder").warning("turn %s: the row follows\nlater", TURN)
    line = written(stream)
    assert line["event"] == f"turn {TURN}: the row follows\nlater"
    assert (line["turn_id"], line["level"], line["logger"]) == (TURN, "warning", "paliadin.record.recorder")
    assert str(line["timestamp"]).endswith("Z")


def test_a_person_at_a_terminal_gets_words() -> None:
    stream = Terminal()
    logs.configure(stream)
    logging.getLogger("paliadin").info("hello")
    assert "hello" in stream.getvalue()
    assert "{" not in stream.getvalue()


def test_an_exceptions_text_which_may_quote_a_question_is_not_logged() -> None:
    stream = io.StringIO()
    logs.configure(stream)
    try:
        int("what the user asked")
    except ValueError:
        logging.getLogger("x").exception("it failed")
    line = written(stream)
    assert "what the user asked" not in stream.getvalue()
    assert line["error"] == "ValueError"
    assert any("test_logs.py" in frame and "may_quote" in frame for frame in line["frames"])  # type: ignore[attr-defined]


def test_our_own_errors_are_logged_whole() -> None:
    stream = io.StringIO()
    logs.configure(stream)
    logging.getLogger("x").error("it failed", exc_info=StoreUnavailable("the database is away"))
    assert written(stream)["error"] == "StoreUnavailable: the database is away"


def test_what_is_below_the_level_is_not_written() -> None:
    stream = io.StringIO()
    logs.configure(stream)
    logging.getLogger("x").debug("detail")
    assert stream.getvalue() == ""
