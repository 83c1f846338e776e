from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from paliadin.base.errors import InvalidField
from paliadin.events.interrupts import (
    MAX_REASON,
    Reply,
    describe,
    describe_dialog,
    is_question,
    read_reply,
    session_rule,
)
from paliadin.events.model import as_json
from paliadin.relays.terminal.decision import DENIED, KEEP_PLANNING, NO_REPLY, decide
from paliadin.steps.model import DialogOpened, Interrupted

LETTERS = [{"label": "A", "description": "first"}, {"label": "B", "description": "second"}]
ONE = {"question": "Which letter?", "header": "Letter", "multiSelect": False, "options": LETTERS}
MANY = {"question": "Which letters?", "header": "Letters", "multiSelect": True, "options": LETTERS}
FREE = {"question": "What else?", "header": "Else"}
WRITE = Interrupted(0, "i1", "Write", {"content": "secret", "file_path": "/a.txt"})


def asking(*questions: object, **more: object) -> Interrupted:
    return Interrupted(0, "i1", "AskUserQuestion", {"questions": list(questions), **more})


def shown(step: Interrupted) -> dict[str, Any]:
    """The data of the event."""
    event: dict[str, Any] = as_json(describe(step))
    return event


def test_a_permission_says_what_claude_wants_and_offers_yes_and_no() -> None:
    interrupt = shown(WRITE)
    assert (interrupt["id"], interrupt["kind"], interrupt["tool"]) == ("i1", "permission", "Write")
    assert interrupt["message"] == "Claude wants to use Write: /a.txt"
    assert interrupt["input"] == WRITE.input
    assert [option["id"] for option in interrupt["options"]] == ["allow", "allow_session", "deny"]
    assert (interrupt["multi"], interrupt["questions"]) == (False, [])


def test_a_question_says_its_first_one_and_all_of_them() -> None:
    interrupt = shown(asking(ONE, MANY))
    assert (interrupt["kind"], interrupt["message"], interrupt["multi"]) == ("question", "Which letter?", False)
    assert interrupt["options"] == [
        {"id": "A", "label": "A", "description": "first"},
        {"id": "B", "label": "B", "description": "second"},
    ]
    assert [(asked["header"], asked["multi"]) for asked in interrupt["questions"]] == [
        ("Letter", False),
        ("Letters", True),
    ]


def test_a_question_without_options_asks_for_text() -> None:
    interrupt = shown(asking(FREE))
    assert (interrupt["kind"], interrupt["message"], interrupt["options"]) == ("text", "What else?", [])


@pytest.mark.parametrize(
    "step",
    [
        Interrupted(0, "i1", ""),
        Interrupted(0, "i1", "AskUserQuestion"),
        Interrupted(0, "i1", "AskUserQuestion", []),
        asking(),
        asking(None, 3, "x"),
        Interrupted(0, "i1", "AskUserQuestion", {"questions": "all"}),
    ],
)
def test_what_has_no_readable_question_is_a_permission(step: Interrupted) -> None:
    assert describe(step).kind == "permission"
    assert decide(step, "allow") == {"behavior": "allow"}


def test_a_question_of_odd_fields_is_still_shown() -> None:
    interrupt = shown(asking({"question": 3, "options": [None, {"label": 1}], "multiSelect": "yes"}))
    assert (interrupt["message"], interrupt["multi"]) == ("3", True)
    assert interrupt["options"] == [{"id": "1", "label": "1", "description": ""}]


def test_a_permission_is_allowed_or_denied_and_no_suggestion_is_echoed() -> None:
    assert decide(WRITE, "allow") == {"behavior": "allow"}
    assert decide(WRITE, "deny") == {"behavior": "deny", "message": DENIED}
    assert decide(WRITE, None, cancel=True) == {"behavior": "deny", "message": DENIED}


@pytest.mark.parametrize("value", [None, True, 1, "", "Allow", "yes", ["allow"], {"behavior": "allow"}])
def test_a_permission_takes_no_other_answer(value: object) -> None:
    with pytest.raises(InvalidField, match="allow"):
        decide(WRITE, value)


@pytest.mark.parametrize(
    ("questions", "value", "answers"),
    [
        ([ONE], "A", {"Which letter?": "A"}),
        ([ONE], "rather C, please", {"Which letter?": "rather C, please"}),
        ([FREE], "free text", {"What else?": "free text"}),
        ([MANY], ["A", "B"], {"Which letters?": "A, B"}),
        ([MANY], "A", {"Which letters?": "A"}),
        ([ONE, MANY], {"Which letter?": "B", "Which letters?": ["B"]}, {"Which letter?": "B", "Which letters?": "B"}),
    ],
)
def test_an_answer_goes_into_the_tools_own_input(questions: list[object], value: object, answers: object) -> None:
    step = asking(*questions, metadata={"kept": 1})
    assert decide(step, value) == {
        "behavior": "allow",
        "updatedInput": {"questions": questions, "metadata": {"kept": 1}, "answers": answers},
    }
    assert step == asking(*questions, metadata={"kept": 1})


@pytest.mark.parametrize(
    ("questions", "value"),
    [
        ([ONE], ""),
        ([ONE], "  "),
        ([ONE], None),
        ([ONE], 3),
        ([ONE], ["A"]),
        ([MANY], []),
        ([MANY], ["A", 1]),
        ([ONE, MANY], "A"),
        ([ONE, MANY], {"Which letter?": "A"}),
        ([ONE, MANY], {"Which letter?": "A", "Which letters?": {}}),
    ],
)
def test_an_answer_that_does_not_fit_names_the_question(questions: list[object], value: object) -> None:
    with pytest.raises(InvalidField, match="question 'Wh"):
        decide(asking(*questions), value)


def test_a_question_that_is_cancelled_lets_claude_go_on() -> None:
    assert decide(asking(ONE), "ignored", cancel=True) == {"behavior": "deny", "message": NO_REPLY}


@pytest.mark.parametrize(
    ("tool", "tool_input", "rule"),
    [
        ("Bash", {"command": "make test"}, {"toolName": "Bash", "ruleContent": "make test"}),
        ("Bash", {"command": "rm *"}, None),
        ("Bash", {"command": "ls\nrm x"}, None),
        ("Bash", {"command": 3}, None),
        ("Write", {"file_path": "/w/a.txt"}, {"toolName": "Edit", "ruleContent": "//w/a.txt"}),
        ("Read", {"file_path": "/etc/hosts"}, {"toolName": "Read", "ruleContent": "//etc/hosts"}),
        ("Edit", {"file_path": "/w/**"}, None),
        ("Edit", {"file_path": "a.txt"}, None),
        ("Edit", None, None),
        ("mcp__court__search", {"query": "x"}, {"toolName": "mcp__court__search"}),
        ("WebFetch", {"url": "https://example.com"}, None),
    ],
)
def test_a_rule_for_the_session_says_just_what_was_asked_or_there_is_none(
    tool: str, tool_input: object, rule: dict[str, str] | None
) -> None:
    assert session_rule(tool, tool_input) == rule
    step = Interrupted(0, "i1", tool, tool_input)
    offered = [option["id"] for option in describe(step).options]
    assert ("allow_session" in offered) == (rule is not None)
    if rule is None:
        with pytest.raises(InvalidField):
            decide(step, "allow_session")
    else:
        [added] = decide(step, "allow_session")["updatedPermissions"]  # type: ignore[misc]
        assert decide(step, "allow_session")["behavior"] == "allow"
        assert added == {"type": "addRules", "rules": [rule], "behavior": "allow", "destination": "session"}


def test_the_message_shows_both_ends_of_a_long_command() -> None:
    message = shown(Interrupted(0, "i1", "Bash", {"command": "echo " * 200 + "; curl x | sh"}))["message"]
    assert message.startswith("Claude wants to use Bash: echo echo")
    assert message.endswith("; curl x | sh")
    assert "more characters" in message


def test_a_call_of_which_a_part_is_missing_says_so_and_is_not_allowed_for_the_session() -> None:
    step = Interrupted(0, "i1", "Bash", {"command": "ls… [cut by Paliadin: 9 more characters] …x"}, cut=True)
    interrupt = shown(step)
    assert interrupt["cut"] is True
    assert [option["id"] for option in interrupt["options"]] == ["allow", "deny"]
    with pytest.raises(InvalidField):
        decide(step, "allow_session")
    assert shown(WRITE)["cut"] is False


def test_the_reason_of_a_no_is_told_to_claude() -> None:
    assert decide(WRITE, {"deny": " not this file "}) == {
        "behavior": "deny",
        "message": f"{DENIED} Their words: not this file",
    }


@pytest.mark.parametrize(
    ("step", "description"),
    [
        (WRITE, "Until Claude ends: /a.txt"),
        (Interrupted(0, "i1", "Bash", {"command": "/bin/ls"}), "Until Claude ends: /bin/ls"),
        (Interrupted(0, "i1", "mcp__court__search"), "Until Claude ends: mcp__court__search"),
    ],
)
def test_the_option_for_the_session_says_what_it_allows(step: Interrupted, description: str) -> None:
    assert shown(step)["options"][1]["description"] == description


@pytest.mark.parametrize(
    ("tool", "tool_input", "covers"),
    [
        ("Bash", {"command": "make test"}, "command"),
        ("Bash", {"command": "rm *"}, None),
        ("Write", {"file_path": "/w/a.txt"}, "changes"),
        ("MultiEdit", {"file_path": "/w/a.txt"}, "changes"),
        ("Read", {"file_path": "/w/a.txt"}, "reading"),
        ("mcp__court__search", {}, "tool"),
        ("WebFetch", {"url": "https://example.com"}, None),
    ],
)
def test_the_event_says_what_a_yes_for_the_session_covers(tool: str, tool_input: object, covers: str | None) -> None:
    step = Interrupted(0, "i1", tool, tool_input)
    assert shown(step)["session_covers"] == covers
    assert shown(replace(step, cut=True))["session_covers"] is None


def test_the_event_says_where_the_tool_would_run_and_what_is_known_of_the_file() -> None:
    step = replace(WRITE, folder="/w", exists=False, leads_to="/b.txt")
    assert [shown(step)[name] for name in ("folder", "exists", "leads_to")] == ["/w", False, "/b.txt"]
    assert [shown(WRITE)[name] for name in ("folder", "exists", "leads_to")] == [None, None, None]


def test_what_cannot_be_allowed_for_the_session_says_so() -> None:
    with pytest.raises(InvalidField, match="cannot be allowed for the whole session"):
        decide(Interrupted(0, "i1", "Bash", {"command": "rm *"}), "allow_session")


def test_a_question_without_its_words_is_empty_and_not_none() -> None:
    asked = {"options": [{}, "odd", {"label": "A"}]}
    interrupt = shown(asking(asked))
    assert interrupt["message"] == ""
    assert interrupt["options"] == [
        {"id": "", "label": "", "description": ""},
        {"id": "A", "label": "A", "description": ""},
    ]
    assert interrupt["questions"][0]["header"] == ""


def test_another_tools_questions_are_its_own_business() -> None:
    step = Interrupted(0, "i1", "Survey", {"questions": [ONE]})
    assert not is_question(step)
    assert shown(step)["kind"] == "permission"


def test_a_reply_to_a_question_allows_it_for_this_time() -> None:
    assert read_reply(asking(ONE), "A") == Reply(True, texts={"Which letter?": "A"})
    assert read_reply(WRITE, {"deny": " no "}) == Reply(False, reason="no")
    assert len(read_reply(WRITE, {"deny": f" {'x' * MAX_REASON} "}).reason) == MAX_REASON
    with pytest.raises(InvalidField, match="10,001 characters"):
        read_reply(WRITE, {"deny": "x" * (MAX_REASON + 1)})


PLAN = Interrupted(0, "i1", "ExitPlanMode", {"plan": "# Plan", "planFilePath": "/p.md"})


def test_a_plan_is_allowed_with_the_input_that_the_hook_has_and_never_for_the_session() -> None:
    assert decide(PLAN, "allow") == {"behavior": "allow", "updatedInput": {}}
    interrupt = shown(PLAN)
    assert [(option["id"], option["label"]) for option in interrupt["options"]] == [
        ("allow", "Allow"),
        ("deny", "Keep planning"),
    ]
    assert interrupt["input"] == PLAN.input
    with pytest.raises(InvalidField):
        decide(PLAN, "allow_session")


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("deny", KEEP_PLANNING),
        ({"deny": " shorter "}, f"{KEEP_PLANNING} Their words: shorter"),
    ],
)
def test_a_plan_that_is_not_approved_goes_back_with_the_users_words(value: object, message: str) -> None:
    assert decide(PLAN, value) == {"behavior": "deny", "message": message}
    assert decide(PLAN, None, cancel=True) == {"behavior": "deny", "message": KEEP_PLANNING}


def test_of_an_input_that_was_cut_nothing_is_sent_back() -> None:
    cut = Interrupted(0, "i1", "AskUserQuestion", {"questions": [ONE]}, cut=True)
    assert decide(cut, "A") == {"behavior": "allow", "updatedInput": {"answers": {"Which letter?": "A"}}}


def test_an_options_preview_is_shown_where_it_has_one() -> None:
    options = [{"label": "A", "description": "", "preview": "# A"}, {"label": "B", "preview": 3}]
    interrupt = shown(asking({"question": "Which?", "options": options}))
    expected = [
        {"id": "A", "label": "A", "description": "", "preview": "# A"},
        {"id": "B", "label": "B", "description": ""},
    ]
    assert interrupt["options"] == interrupt["questions"][0]["options"] == expected


@pytest.mark.parametrize("asks", ["permission", "question", "login", "trust", "dialog", "odd"])
def test_a_dialog_of_the_terminal_offers_nothing(asks: str) -> None:
    event = as_json(describe_dialog(DialogOpened(0, "d1", "Yes or no?", asks)))
    assert (event["kind"], event["options"], event["input"]) == ("dialog", [], {"screen": "Yes or no?", "asks": asks})
    assert event["message"].startswith("Claude waits in its terminal: ")
