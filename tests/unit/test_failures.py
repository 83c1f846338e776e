from __future__ import annotations

import re
from pathlib import Path

import pytest

import paliadin
from paliadin.events.failures import explain
from paliadin.steps.model import Failed

PACKAGE = Path(paliadin.__file__).parent
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


@pytest.mark.parametrize("code", ["None", "new", "", "\x1b]0;owned\x07", "timeout\n", "TIMEOUT"])
def test_a_code_that_nobody_knows_becomes_the_general_one_and_is_still_explained(code: str) -> None:
    explanation = explain(Failed(0, code, ""))
    assert explanation.message == explanation.code == "internal_error"
    assert explanation.retryable is False
    assert "doctor" in explanation.hint
    assert explain(Failed(0, code, "It broke")).message == "It broke"


def test_every_code_that_may_end_a_turn_is_known() -> None:
    for room in ("relays", "turnlog", "workers"):
        for path in (PACKAGE / room).rglob("*.py"):
            for code in re.findall(r'\bcode="([a-z_]+)"', path.read_text("utf-8")):
                assert explain(Failed(0, code, "x")).code == code, path
    for code in ("not_branched", "attachment_damaged", "own_key_refused", "conversation_too_long", "no_worker"):
        assert explain(Failed(0, code, "x")).code == code
