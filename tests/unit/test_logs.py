from __future__ import annotations

import io
import json
import logging
import re
import sys
from collections.abc import Iterator

import pytest

from paliadin.base import logs
from paliadin.base.errors import StoreUnavailable
from paliadin.base.terminal_text import LineFormatter

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


def test_lines_that_are_held_back_come_in_their_order_and_once() -> None:
    stream = io.StringIO()
    logs.configure(stream)
    let_out = logs.hold()
    for text in ("first", "second"):
        logging.getLogger("paliadin").warning(text)
    assert stream.getvalue() == ""
    let_out()
    logging.getLogger("paliadin").warning("third")
    let_out()
    assert [json.loads(line)["event"] for line in stream.getvalue().splitlines()] == ["first", "second", "third"]


def test_a_line_that_was_held_has_the_time_at_which_it_was_written() -> None:
    stream = io.StringIO()
    logs.configure(stream)
    let_out = logs.hold()
    values = {"levelname": "WARNING", "levelno": logging.WARNING, "msg": "first", "created": 1_000_000_000.5}
    logging.getLogger("paliadin").handle(logging.makeLogRecord(values))
    let_out()
    assert written(stream)["timestamp"] == "2001-09-09T01:46:40.500000Z"


def test_a_person_at_a_terminal_gets_words() -> None:
    stream = Terminal()
    logs.configure(stream)
    logging.getLogger("paliadin").info("hello")
    assert "hello" in stream.getvalue()
    assert "{" not in stream.getvalue()


HOSTILE = "it is down\x1b[2J\x1b]52;c;aGk=\x07\x9b2J\u202e\u2066\r\n2026-01-01 [info] all is well"


def test_a_terminal_obeys_nothing_of_a_line_and_no_second_one_is_forged() -> None:
    stream = Terminal()
    logs.configure(stream)
    logging.getLogger("x").warning("host %s: %s", "far", HOSTILE)
    logging.getLogger("x").error("it failed", exc_info=StoreUnavailable(HOSTILE))
    shown = re.sub(r"\x1b\[\d+m", "", stream.getvalue())  # the renderer's own colours
    assert [line.count("it is down␛[2J␛]52;c;aGk=␇") for line in shown.splitlines()] == [1, 1]
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]", shown)


def test_a_program_gets_the_exact_text_in_which_a_terminal_finds_nothing_either() -> None:
    stream = io.StringIO()
    logs.configure(stream)
    logging.getLogger("x").warning("%s", HOSTILE)
    assert written(stream)["event"] == HOSTILE
    assert stream.getvalue().removesuffix("\n").isprintable()


def test_what_no_log_is_set_up_for_is_one_line_as_well() -> None:
    formatter = LineFormatter("%(levelname)s %(message)s")
    try:
        int(HOSTILE)
    except ValueError:
        record = logging.LogRecord("x", logging.WARNING, "", 0, "%s", (HOSTILE,), sys.exc_info())
    first, *rest = formatter.format(record).splitlines()
    assert first.startswith("WARNING it is down␛[2J")
    assert first.endswith("2026-01-01 [info] all is well")
    assert rest[0].startswith("Traceback")
    assert "\x1b" not in "".join(rest)


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
