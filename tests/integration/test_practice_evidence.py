"""What the check of answers is measured with is what the practice's tools return."""

from __future__ import annotations

import json

from tests.evidence.practice.record import RESULTS, answer_all


def test_the_recorded_results_are_those_of_the_tools(empty_database: str) -> None:
    recorded = json.loads(RESULTS.read_text("utf-8"))
    returned = answer_all(empty_database)
    hint = "run `python -m tests.evidence.practice.record`, then see that the answers still say what the results do"
    assert list(recorded) == list(returned), hint
    assert [name for name in recorded if recorded[name] != returned[name]] == [], hint
