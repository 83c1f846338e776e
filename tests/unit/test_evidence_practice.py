"""The figures of the check on answers from the practice's tools; docs/evidence.md has them all."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from tests.evidence.engine import Paliadin
from tests.evidence.invention import traces
from tests.evidence.practice.rounds import ROUNDS
from tests.evidence.practice.scenes import practice_cases
from tests.evidence.score import score


def test_there_are_sixty_questions_in_both_languages_from_everybody_to_every_tool() -> None:
    questions = ROUNDS["first"]
    assert Counter(name.rsplit("-", 1)[1] for name in questions) == {"de": 30, "en": 30}
    assert len({question.person for question in questions.values()}) == 7
    assert len({tool for question in questions.values() for tool, _ in question.calls}) == 10
    assert sum(len(question.calls) > 1 for question in questions.values()) >= 10
    assert len({case.scene for case in practice_cases("first") if case.planted}) >= 30


@pytest.mark.parametrize("name", ROUNDS)
def test_what_was_planted_follows_from_nothing(name: str) -> None:
    for case in practice_cases(name):
        if case.planted is not None:
            assert (case.name, traces(case)) == (case.name, [])


@pytest.mark.parametrize("name", ROUNDS)
def test_results_are_what_claude_code_gives_of_an_mcp_servers_tool(name: str) -> None:
    """A list with one text block, which is a JSON object with rows."""
    for case in practice_cases(name):
        for call in case.calls:
            [block] = call.result
            assert block["type"] == "text"
            assert "rows" in json.loads(block["text"]), case.name


@pytest.mark.parametrize("name", ROUNDS)
def test_hardly_anything_that_honest_answers_say_is_marked(name: str) -> None:
    """And inventions are, chips that no result holds are refused."""
    total = score(Paliadin(), practice_cases(name))
    assert total.share_held >= 0.85  # these answers state no calculations
    assert total.honest_claims_marked <= 0.03 * total.honest_claims
    assert total.share_flagged >= 0.85
    assert total.chips[True] >= 2
    assert total.chips[False] >= 2
    assert total.chips_wrong.total() == 0
