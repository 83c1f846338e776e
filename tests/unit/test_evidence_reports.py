"""What is no invention though no result holds it: a failed call's own words, drafts, parts of known dates."""

from __future__ import annotations

import pytest

from paliadin.evidence.check import Call
from tests.unit.test_evidence_check import bash, mcp, statuses

REPORT = "Exit code 255\nConnection reset by 10.20.4.12 port 22\nmux: 9312 Kbytes in 18 requests"
FAILED = Call("f", "Bash", {"command": "ssh mx2 mailq"}, REPORT, "failed")


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("It said „Connection reset by 10.20.4.12 port 22“.", "found"),
        ("It ended with exit code 255 EUR.", "found"),
        ("There are 255 EUR left.", "unsupported"),  # the number alone is no repetition
        ("It said „Connection refused by 10.20.4.12“.", "unsupported"),
    ],
)
def test_sentences_may_repeat_what_a_failed_call_reported(text: str, status: str) -> None:
    assert status in statuses(text, FAILED).values()


def test_what_a_failed_call_was_given_is_no_report() -> None:
    echo = Call("f", "Bash", {"command": "cat DL-99"}, "cat: DL-99: No such file", "failed")
    assert statuses("No such file: DL-99 is gone.", echo) == {"DL-99": "unsupported"}


def test_an_answer_may_quote_what_claude_wrote_and_no_value_of_it() -> None:
    wrote = Call("w", "Write", {"file_path": "/a.md", "content": "We claim four defects, 8.650 EUR."}, {}, "ok")
    assert statuses("It says „we claim four defects“.", wrote) == {"we claim four defects": "found"}
    assert statuses("The costs are 8.650 EUR.", wrote) == {"8.650 EUR": "unsupported"}


def test_a_text_that_was_asked_for_is_no_quotation_but_one_of_a_source_is() -> None:
    notes = mcp([{"note": "the six talks drew many people"}])
    draft = "> Our talks went really well this year.\n> They drew 9,731 EUR in all."
    assert statuses(draft, notes, question="I need two sentences on the talks") == {"9,731 EUR": "unsupported"}
    assert "quotation" not in statuses(draft, notes, question="Write something").values()
    single = draft.splitlines()[0]
    assert list(statuses(single, notes, question="What was said?").values()) == ["unsupported"]
    mixed = f"> The six talks drew many people.\n{single}"
    assert list(statuses(mixed, notes, question="What was said?").values()) == ["found", "unsupported"]
    quoted = "> The six talks drew many visitors"
    assert list(statuses(quoted, notes, question="Write something").values()) == ["unsupported"]


def test_a_month_or_a_day_alone_may_be_that_of_a_date_of_the_answer() -> None:
    due = mcp([{"due": "2031-04-20"}])
    text = "It is due on 20 April 2031, so send it by the 20th, and expect a reply in {}."
    assert statuses(text.format("April"), due)["April"] in {"found", "derived"}
    assert statuses(text.format("June"), due)["June"] == "unsupported"
    assert statuses(text.format("April"), due)["the 20th"] in {"found", "derived"}


def test_a_line_of_a_hit_may_begin_with_a_number_and_its_file_is_named() -> None:
    found = {"mode": "content", "content": "l/archive/old_bakery.md:27:6.1 may sublet"}
    hit = Call("g", "Grep", {"pattern": "sublet"}, found, "ok")
    assert set(statuses("In old_bakery_7.md, no.", hit).values()) <= {"unsupported"}
    assert statuses("In `old_bakery.md`, 6.1 allows it.", hit)["6.1"] == "found"
    assert statuses("It took 27 EUR.", bash("x", "a.md:26:27 EUR")) == {"27 EUR": "found"}
