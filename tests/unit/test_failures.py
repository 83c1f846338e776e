from __future__ import annotations

import pytest

from paliadin.events.failures import explain
from paliadin.steps.model import Failed

CODES = [
    "claude_too_old",
    "claude_outdated",
    "not_logged_in",
    "dialog_open",
    "terminal_in_use",
    "submit_failed",
    "pane_died",
    "tmux_unresponsive",
    "upstream_error",
    "timeout",
    "relay_unreachable",
    "storage_full",
]


@pytest.mark.parametrize("code", CODES)
def test_every_code_says_what_to_do_next(code: str) -> None:
    explanation = explain(Failed(0, code, "It broke"))
    assert (explanation.code, explanation.message, explanation.retryable) == (code, "It broke", True)
    assert explanation.hint.endswith(".")


def test_a_hint_of_its_own_goes_first() -> None:
    assert explain(Failed(0, "timeout", "x", "Do this.")).hint == "Do this."


@pytest.mark.parametrize("failure", [Failed(0, "None"), Failed(0, "new", "")])
def test_a_code_that_nobody_knows_is_still_explained(failure: Failed) -> None:
    explanation = explain(failure)
    assert explanation.message == explanation.code == failure.code
    assert explanation.retryable is False
    assert "doctor" in explanation.hint
