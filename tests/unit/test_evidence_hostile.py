"""The check of answers on hostile text: it never raises, and no statement is tried without end."""

from datetime import date

import pytest

from paliadin.events.trailer import parse_trailer
from paliadin.evidence.check import MAX_SOURCES, Answer, Call, check, holds_id
from paliadin.evidence.markdown import Line
from paliadin.evidence.sentences import MAX_SENTENCE, sentence_of

TODAY = date(2031, 3, 4)


def _answer(text: str, result: object = "nothing") -> Answer:
    call = Call("c", "mcp__s__list_things", {"q": "x"}, result, "ok")
    return Answer((("m", text),), (call,), today=TODAY)


@pytest.mark.parametrize(
    "text",
    [
        "Es sind " + ".".join(["111"] * 12) + " Fristen.",
        "Es sind " + ".".join(["111"] * 3_000) + " Fristen.",
        "Am 3. Apr\u0131l 2031 und am 3. \u017feptember 2031.",
        "Am 31.02.2031, 0000-01-01, 9999-12-31, in 39999 weeks, 1199 years later.",
        "Es sind ٣٤٥ files, line ٣ in a.py, ¹² files, \ud800 \0 DL-99.",
        "\n".join(["3 days 12.03.2031 5 Fristen " * 3] * 30),
    ],
    ids=["30 digits", "9000 digits", "letters that only look like others", "far dates", "digits", "a long chain"],
)
def test_no_answer_makes_the_check_fail(text: str) -> None:
    claims = check(_answer(text))
    assert [claim.text for claim in claims] == [text[claim.start : claim.end] for claim in claims]
    assert [claim.start for claim in claims] == sorted(claim.start for claim in claims)


def test_a_month_that_only_looks_like_one_in_a_result_does_not_make_the_check_fail() -> None:
    assert check(_answer("There are 5 files on 03.04.2031", "3. Apr\u0131l 2031"))


def test_a_number_of_thousands_of_digits_in_a_trailer_is_unreadable() -> None:
    trailer = parse_trailer(f"[paliadin-meta]\nused_tools: a\nrows_seen: {'.'.join(['111'] * 3_000)}\n[/paliadin-meta]")
    assert trailer.rows_seen == ()
    assert trailer.rows_unreadable


def test_a_sentence_is_never_longer_than_its_limit() -> None:
    text = "a" * (MAX_SENTENCE * 3 + 1)
    for block in ("text", "row"):
        line = Line(block, text, tuple(range(len(text))))  # type: ignore[arg-type]  # a block is one of these words
        assert {len(sentence_of(line, at)) for at in (0, MAX_SENTENCE, len(text) - 1)} == {MAX_SENTENCE, 1}


def test_a_derived_claim_has_a_bounded_number_of_sources() -> None:
    ids = [f"DL-{number}" for number in range(100)]
    text = "There are 100 deadlines:\n\n" + "\n".join(f"- {each}" for each in ids)
    claims = check(_answer(text, "\n".join([*ids, *ids])))
    assert claims[0].status == "derived"
    assert len(claims[0].sources) == MAX_SOURCES


def test_what_a_failed_command_wrote_is_no_evidence_when_it_is_read_back() -> None:
    wrote = Call("a", "Bash", {"command": "echo DL-99 > n; false"}, "", "failed")
    read = Call("b", "Bash", {"command": "cat n"}, {"stdout": "DL-99"}, "ok")
    assert not holds_id(Answer((), (wrote, read)), "DL-99")
    assert [claim.status for claim in check(Answer((("m", "DL-99 is open."),), (wrote, read)))] == ["unsupported"]


def test_a_file_that_claude_created_is_no_evidence_when_its_folder_is_listed() -> None:
    calls = (Call("a", "Bash", {"command": "touch DL-99"}, "", "ok"), Call("b", "LS", {"path": "."}, "DL-99", "ok"))
    assert [claim.status for claim in check(Answer((("m", "DL-99 is open."),), calls))] == ["unsupported"]
