from __future__ import annotations

import pytest

from paliadin.events.failures import explain, upstream_code

CODES = [
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
    explanation = explain({"code": code, "message": "It broke"})
    assert (explanation["code"], explanation["message"], explanation["retryable"]) == (code, "It broke", True)
    assert str(explanation["hint"]).endswith(".")


def test_a_hint_of_its_own_goes_first() -> None:
    assert explain({"code": "timeout", "message": "x", "hint": "Do this."})["hint"] == "Do this."


@pytest.mark.parametrize("failure", [{}, {"code": None}, {"code": ["x"]}, {"code": "new", "message": ""}])
def test_a_code_that_nobody_knows_is_still_explained(failure: dict[str, object]) -> None:
    explanation = explain(failure)
    assert explanation["message"] == explanation["code"] == str(failure.get("code"))
    assert explanation["retryable"] is False
    assert "doctor" in str(explanation["hint"])


def test_only_a_failed_login_is_told_apart() -> None:
    assert upstream_code("authentication_failed") == "not_logged_in"
    assert upstream_code("rate_limit") == upstream_code("None") == "upstream_error"
