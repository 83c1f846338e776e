"""The check of answers on what nobody wrote by hand: answers in any pieces, and any text against any result."""

from __future__ import annotations

import random
from datetime import date
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from paliadin.evidence.check import Answer, Call, check, holds_id
from paliadin.evidence.model import Claim
from paliadin.turns.check_process import WORK, TimeLimit
from tests.evidence.corpus import all_cases
from tests.unit.test_reducer import DESTINATIONS, TRAILER, TURN, accepted, delta, stop, usage
from tests.worlds.logs import reduced

ANSWERS = [case for case in all_cases() if case.half == "tuning" and case.planted is None][::20]
TODAY = date(2031, 3, 4)
_WORDS = st.sampled_from(
    [
        *(
            "12",
            "1.200,50 EUR",
            "£3.40",
            "31.12.2031",
            "4 March",
            "09:30",
            "DL-7",
            "12 O 999/24",
            "a.py:7",
            "„ja“",
            "3 %",
        ),
        *(
            "drei Fristen",
            "is",
            "\n- ",
            "\n| a | 2 |\n",
            "**",
            "`x_1`",
            "[a](b)",
            "\n\n",
            "together",
            "{",
            '"a":',
            "\x00",
        ),
        *(
            "²",
            "½",
            "٣",
            "\ud7ff",
            "\U0001f600",
            "1e9",
            "-0",
            "99999999999999999999",
            "1/0",
            "about",
            "2 h 5 min",
            "today",
        ),
    ]
)
_TEXTS = st.lists(st.one_of(_WORDS, st.text(max_size=12)), max_size=40).map(" ".join)
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | _TEXTS,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=8), inner, max_size=5),
    max_leaves=20,
)


def _claims(pieces: list[str], calls: tuple[Call, ...], question: str, today: date) -> tuple[Claim, ...]:
    """The claims of an answer that came in these pieces, with a trailer behind it."""
    lines: list[dict[str, Any]] = [delta(piece, n, final=n + 1 == len(pieces)) for n, piece in enumerate(pieces)]
    reducer = reduced(TURN, [accepted(), *lines, stop("".join(pieces)), usage()], DESTINATIONS)
    return check(Answer(tuple(reducer.answer.messages), calls, question, today=today))


@pytest.mark.parametrize("case", ANSWERS, ids=lambda case: case.name)
def test_in_whatever_pieces_an_answer_comes_its_claims_are_the_same(case: Any) -> None:
    calls = tuple(
        Call(one.id, one.name, one.input, one.result, one.outcome, cut=one.cut, turn_id=one.turn_id)
        for one in case.calls
    )
    answer = case.answer + TRAILER.format(tools="Read")
    whole = _claims([answer], calls, case.question, case.today)
    chosen = random.Random(case.name)  # noqa: S311  # the same ones each time
    for count in (1, 5, 60):
        cuts = sorted(chosen.sample(range(1, len(answer)), min(count, len(answer) - 1)))
        pieces = [answer[a:b] for a, b in zip([0, *cuts], [*cuts, len(answer)], strict=True)]
        assert _claims(pieces, calls, case.question, case.today) == whole


def test_in_whatever_pieces_a_stated_calculation_comes_it_says_the_same_and_cut_off_it_says_nothing() -> None:
    stated = TRAILER.format(tools="Read").replace("[/pal", "calculated:\n- 87 % = 13 / 15\n- 5 EUR = 15 - 13\n[/pal")
    answer = "So 87 % passed, and 5 EUR are left." + stated
    call = Call("c", "Bash", {}, "13 of 15 passed", "ok")
    whole = _stated_claims([answer], call)
    assert [(each.text, each.status) for each in whole] == [("87 %", "calculated"), ("5 EUR", "differs")]
    for at in range(1, len(answer)):
        assert _stated_claims([answer[:at], answer[at:]], call) == whole
    silent = _stated_claims([answer.partition("calculated")[0]], call)
    for at in range(answer.index("calculated"), len(answer) - 1):
        for one, without, stated_one in zip(_stated_claims([answer[:at]], call), silent, whole, strict=True):
            assert one in (without, stated_one)


def _stated_claims(pieces: list[str], call: Call) -> tuple[Claim, ...]:
    lines: list[dict[str, Any]] = [delta(piece, n, final=n + 1 == len(pieces)) for n, piece in enumerate(pieces)]
    reducer = reduced(TURN, [accepted(), *lines, stop("".join(pieces)), usage()], DESTINATIONS)
    calculated = reducer.trailer.calculated if reducer.trailer else ()
    assert "calculated" not in reducer.answer_text
    return check(Answer(tuple(reducer.answer.messages), [call], today=TODAY, calculated=calculated))


@given(
    text=_TEXTS,
    result=_JSON,
    tool_input=_JSON,
    question=_TEXTS,
    name=st.sampled_from(["Read", "Bash", "mcp__a__b", "Task"]),
)
@settings(deadline=None, max_examples=150)
def test_any_text_against_any_result_has_claims_at_their_places(
    text: str, result: object, tool_input: object, question: str, name: str
) -> None:
    answer = Answer((("m", text),), (Call("c", name, tool_input, result, "ok"),), question, today=TODAY)
    claims = check(answer)
    assert [claim.text for claim in claims] == [text[claim.start : claim.end] for claim in claims]
    assert all(claim.sources for claim in claims if claim.status in {"found", "given"})
    assert "DL-7" in answer.calls[0].searched or not holds_id(answer, "DL-7")


@pytest.mark.long
def test_a_megabyte_of_answer_is_checked() -> None:
    """Its first claims like those of any other answer; what else could be found out of it takes two minutes."""
    text = "".join(f"DL-{n} is due on {1 + n % 28}.{1 + n % 12}.2031 and costs {n}.50 EUR.\n" for n in range(24_000))
    result = "\n".join(f"DL-{n};{n}.50" for n in range(0, 24_000, 2))
    claims = check(
        Answer((("m", text),), (Call("c", "Read", {"file_path": "/a"}, result, "ok"),), today=TODAY), TimeLimit(WORK)
    )
    assert len(text) > 1_000_000
    assert [claim.status for claim in claims if claim.text == "DL-2"] == ["found"]
    assert next(claim.status for claim in claims if claim.text == "DL-3") in {"unsupported", "unknown"}
