import json
import signal

import pytest

from paliadin.cli.markdown import ProvisionalText
from tests.worlds.cli_daemon import ABORTED, ANSWERED, BREAK, ScriptedDaemon, Shell, alone, daemon, shell

__all__ = ["alone", "daemon", "shell"]

META = ("meta", {"turn_id": "…", "session_id": "main", "started_at": 1, "model": "m"})
EVIDENCE = ("evidence", {"used_tools": ["Read"], "classifier_tag": "data", "observed_tools": ["Read"], "agrees": True})
END = ("end", {"duration_ms": 3200, "usage": {"input_tokens": 4, "output_tokens": 33}, "aborted": False})
STOPPED = ("end", {"duration_ms": 100, "usage": None, "aborted": True})
PERMISSION = {
    "id": "p1",
    "kind": "permission",
    "message": "Claude wants to use Bash: rm x",
    "options": [{"id": "allow", "label": "Allow"}, {"id": "deny", "label": "Deny"}],
    "questions": [],
    "input": {"command": "rm x \x1b[2J"},
}
CHOICE = {
    "id": "q1",
    "kind": "question",
    "message": "Which?",
    "questions": [
        {"question": "Which?", "multi": False, "options": [{"label": "Red"}, {"label": "Blue"}]},
        {"question": "When?", "multi": False, "options": []},
    ],
}

QUESTION = {"id": "q2", "kind": "question", "message": "Which?", "questions": CHOICE["questions"][:1]}


def text(words: str, message_id: str = "m1") -> tuple[str, dict[str, str]]:
    return "content_delta", {"text": words, "message_id": message_id}


def test_answer_goes_to_stdout_and_its_steps_to_stderr(daemon: ScriptedDaemon, shell: Shell) -> None:
    call = ("tool_call", {"id": "t", "name": "Read", "summary": "a.txt"})
    result = (
        "tool_result",
        {"id": "t", "name": "Read", "ok": True, "summary": "hello", "rows": 2, "duration_ms": 1500},
    )
    chips = [
        ("chip", {"action": action, "label": label, "href": href, "verified": False})
        for action, label, href in (("open", "Deadline 1", None), ("nav", "/agenda", "/agenda"), ("nav", "/out", None))
    ]
    daemon.steps = [META, text("I look.\n"), call, result, text("It says hello.", "m2"), *chips, EVIDENCE, END]
    ended = shell("ask", "what", "is", "it?")
    assert ended.exit_code == 0
    assert ended.stdout == "I look.\n\nIt says hello.\n"
    assert "● File read: a.txt\n  ✓ File read · 2 lines · 1.5 s: hello\n" in ended.stderr
    assert "→ Deadline 1 (not verified: no tool returned it)\n" in ended.stderr
    assert "→ /agenda (/agenda; suggested by Claude, no tool named it)\n→ /out\n" in ended.stderr
    assert ended.stderr.endswith("3.2 s · 4 tokens read, 33 written · data · File read\n")


@pytest.mark.parametrize("is_ok", [True, False])
def test_it_is_told_where_one_decides_on_what_was_suggested(
    daemon: ScriptedDaemon, shell: Shell, *, is_ok: bool
) -> None:
    name = "mcp__paliad__suggest_deadline"
    call = ("tool_call", {"id": "t", "name": name, "summary": "p1"})
    result = ("tool_result", {"id": "t", "name": name, "ok": is_ok, "summary": "x", "rows": 1, "duration_ms": 15})
    daemon.steps = [META, call, result, text("I have suggested it."), EVIDENCE, END]
    assert ("waits for a decision on the page, `paliadin open`" in shell("ask", "q").stderr) is is_ok


CLAIMS = [
    {"text": "2 files", "status": "derived", "rule": "count",
     "sources": [{"origin": "call", "call": "t", "turn_id": None, "line": 1, "text": "a.txt"}]},
    {"text": "14 May", "status": "unsupported", "rule": None, "sources": []},
    {"text": "\x1b[2Jroom 9", "status": "unsupported", "rule": None, "sources": []},
]  # fmt: skip


def test_facts_that_were_not_found_are_listed_below_the_answer(daemon: ScriptedDaemon, shell: Shell) -> None:
    evidence = ("evidence", {**EVIDENCE[1], "claims": CLAIMS, "verdict": "unsupported"})
    daemon.steps = [META, ("tool_call", {"id": "t", "name": "Read", "summary": "a.txt"}), text("Two."), evidence, END]
    counts = "3 facts: 1 derived, 2 not found in anything Claude looked up\n"
    not_found = "  not found: 14 May\n  not found: ⟨U+001B⟩[2Jroom 9\n"
    ended = shell("ask", "q")
    assert ended.stdout == "Two.\n"
    assert f"{counts}{not_found}3.2 s · " in ended.stderr
    assert (
        f'{counts}{not_found}  derived by counting: 2 files (File read, line 1: "a.txt")\n'
        in shell("ask", "--evidence", "q").stderr
    )
    told = [json.loads(line) for line in shell("ask", "--json", "--evidence", "q").stdout.splitlines()]
    assert [event["data"]["claims"] for event in told if event["event"] == "evidence"] == [CLAIMS]


@pytest.mark.parametrize("claims", [None, [], [{"text": "2026", "status": "common", "rule": None, "sources": []}]])
def test_an_answer_in_which_nothing_could_be_checked_is_not_counted(
    daemon: ScriptedDaemon, shell: Shell, claims: object
) -> None:
    daemon.steps = [META, text("Yes."), ("evidence", {**EVIDENCE[1], "claims": claims, "verdict": None}), END]
    assert shell("ask", "--evidence", "q").stderr == "3.2 s · 4 tokens read, 33 written · data · File read\n"


def test_request_holds_session_and_context(daemon: ScriptedDaemon, shell: Shell) -> None:
    daemon.steps = [END]
    daemon.conversations.unlisted = ["s2"]
    shell("ask", "q", "--session", "s2", "--route", "cases", "--entity", "case:4711", "--selection", "a [b]")
    assert daemon.bodies("turn") == [
        {
            "session_id": "s2",
            "user_message": "q",
            "context": {
                "route_name": "cases",
                "primary_entity_type": "case",
                "primary_entity_id": "4711",
                "user_selection_text": "a [b]",
            },
        }
    ]


def test_a_question_that_begins_with_a_slash_is_sent_as_text_on_request(daemon: ScriptedDaemon, shell: Shell) -> None:
    daemon.steps = [END]
    assert shell("ask", "--as-text", "/etc/hosts is odd").exit_code == 0
    body = daemon.bodies("turn")[0]
    assert (body["user_message"], body["as_text"]) == ("/etc/hosts is odd", True)
    daemon.refusal = (422, {"code": "unknown_command", "message": "/x is no command of this Claude", "hint": "Choose."})
    refused = shell("ask", "/x")
    assert refused.exit_code == 1
    assert "/x is no command of this Claude" in refused.stderr
    assert "as_text" not in daemon.bodies("turn")[1]


@pytest.mark.parametrize(
    ("args", "stdin", "message"),
    [
        (("a", "b"), "", "a b"),
        (("a",), "piped\n", "a\n\npiped\n"),
        ((), "piped", "piped"),
        (("-",), "piped", "piped"),
        (("a",), b"\xff", "a\n\n\ufffd"),
    ],
)
def test_message_is_typed_or_piped_or_both(
    daemon: ScriptedDaemon, shell: Shell, args: tuple[str, ...], stdin: str | bytes, message: str
) -> None:
    daemon.steps = [END]
    assert shell("ask", *args, stdin=stdin).exit_code == 0
    assert daemon.bodies("turn")[0]["user_message"] == message


def test_no_message_at_all_is_a_usage_error(shell: Shell) -> None:
    ended = shell("ask", stdin=" \n")
    assert ended.exit_code == 2
    assert "Write a question" in ended.stderr


def test_json_gives_every_event_as_a_line_with_controls_escaped(daemon: ScriptedDaemon, shell: Shell) -> None:
    daemon.steps = [META, text("é\x1b[2J\u202e\n"), EVIDENCE, END]
    ended = shell("ask", "--json", "q")
    lines = [json.loads(line) for line in ended.stdout.splitlines()]
    assert [(line["id"], line["event"]) for line in lines] == [
        (1, "meta"),
        (2, "content_delta"),
        (3, "evidence"),
        (4, "end"),
    ]
    assert lines[1]["data"] == {"text": "é\x1b[2J\u202e\n", "message_id": "m1"}
    assert "\x1b" not in ended.stdout
    assert "\u202e" not in ended.stdout
    assert "é" in ended.stdout


def test_control_characters_of_an_answer_do_not_reach_the_terminal(daemon: ScriptedDaemon, shell: Shell) -> None:
    call = ("tool_call", {"id": "t", "name": "Bash", "summary": "\x1b]0;owned\x07"})
    daemon.steps = [text("a\x1b[31mb\x9b\r\n"), call, END]
    ended = shell("ask", "q")
    assert ended.stdout == "a␛[31mb\ufffd\n"
    assert "\x1b" not in ended.stderr


def test_broken_stream_goes_on_after_the_last_event_seen(daemon: ScriptedDaemon, shell: Shell) -> None:
    daemon.steps = [META, text("one "), BREAK, text("two "), BREAK, text("three"), END]
    ended = shell("ask", "q")
    assert ended.stdout == "one two three\n"
    assert daemon.bodies("stream") == [0, 2, 3]


def test_an_answer_that_begins_anew_says_so(daemon: ScriptedDaemon, shell: Shell) -> None:
    daemon.steps = [
        text("ha"),
        ("content_reset", {"message_id": "m1", "reason": "Asked again"}),
        text("all", "m2"),
        END,
    ]
    ended = shell("ask", "q")
    assert ended.stdout == "ha\n\nall\n"
    assert "Asked again" in ended.stderr


def test_error_event_ends_with_one_line_and_a_hint(daemon: ScriptedDaemon, shell: Shell) -> None:
    error = {"code": "not_logged_in", "message": "not\nlogged in", "hint": "Type /login.", "retryable": True}
    daemon.steps = [META, text("half"), ("error", error)]
    ended = shell("ask", "q")
    assert ended.exit_code == 1
    assert ended.stdout == "half\n"
    assert ended.stderr == "error: not logged in\n  → Type /login.\n"


def test_refusal_is_shown_in_the_daemons_words(daemon: ScriptedDaemon, shell: Shell) -> None:
    daemon.refusal = (503, {"code": "not_logged_in", "message": "not logged in", "hint": "Type /login."})
    ended = shell("ask", "q")
    assert (ended.exit_code, ended.stderr) == (1, "error: not logged in\n  → Type /login.\n")


def test_turn_that_someone_else_stopped_is_no_success(daemon: ScriptedDaemon, shell: Shell) -> None:
    daemon.steps = [META, STOPPED]
    ended = shell("ask", "q")
    assert ended.exit_code == 1
    assert "stopped" in ended.stderr


def test_without_a_daemon_it_says_how_to_start_one(alone: Shell) -> None:
    ended = alone("ask", "q")
    assert ended.exit_code == 1
    assert ended.stderr == f"error: no daemon runs with {alone.home}/state\n  → Start it with `paliadin up`.\n"


@pytest.mark.parametrize("args", [(), ("--json",)])
def test_question_back_waits_on_the_page_when_nobody_can_type(
    daemon: ScriptedDaemon, shell: Shell, args: tuple[str, ...]
) -> None:
    resolved = ("interrupt_resolved", {"id": "p1", "by": "page", "value": "allow"})
    daemon.steps = [("interrupt", PERMISSION), ANSWERED, resolved, END]
    typist = shell.in_terminal("ask", "q", *args, typed=bool(args))
    typist.sees("rm x - waits for your reply on the page, or in `paliadin attach`")
    daemon.let_go(ANSWERED)
    assert typist.ends()[0] == 0
    assert daemon.bodies("answer") == []


def test_permission_is_shown_with_the_whole_input_and_never_given_in_the_terminal(
    daemon: ScriptedDaemon, shell: Shell
) -> None:
    daemon.steps = [("interrupt", PERMISSION), ANSWERED, text("done"), END]
    typist = shell.in_terminal("ask", "q")
    typist.sees("command: rm x ⟨U+001B⟩[2J")
    typist.sees("rm x - waits for your reply on the page, or in `paliadin attach`")
    typist.types("y\n1\nallow\n")
    daemon.let_go(ANSWERED)
    assert typist.ends() == (0, "done\n")
    assert daemon.bodies("answer") == []


def test_a_dialog_of_claudes_terminal_is_shown_once_and_only_pointed_at(daemon: ScriptedDaemon, shell: Shell) -> None:
    asked = {"id": "d1", "kind": "dialog", "message": "Claude waits in its terminal: it asks for a permission"}
    no, yes = ({**asked, "input": {"screen": f"{text}\x1b[2J", "asks": "permission"}} for text in ("❯ No", "❯ Yes"))
    daemon.steps = [("interrupt", no), ("interrupt", yes), ANSWERED, text("done"), END]
    typist = shell.in_terminal("ask", "q")
    typist.sees("│ ❯ No⟨U+001B⟩[2J")
    typist.sees("it asks for a permission - reply there, in `paliadin attach`")
    daemon.let_go(ANSWERED)
    assert typist.ends() == (0, "done\n")
    assert daemon.bodies("answer") == []


def test_what_was_typed_before_the_question_is_no_answer_to_it(daemon: ScriptedDaemon, shell: Shell) -> None:
    call = ("tool_call", {"id": "t", "name": "Bash", "summary": "rm x"})
    daemon.steps = [call, ABORTED, ("interrupt", QUESTION), ANSWERED, END]
    typist = shell.in_terminal("ask", "q")
    typist.sees("rm x")
    typist.types("1\n")
    daemon.let_go(ABORTED)
    typist.sees("Number, or your own words")
    typist.types("3\n")
    typist.sees("Choose from the numbers 1 to 2.")
    typist.types("2\n")
    assert typist.ends()[0] == 0
    assert daemon.bodies("answer") == [{"interrupt_id": "q2", "value": "Blue"}]


def test_several_questions_give_an_answer_each(daemon: ScriptedDaemon, shell: Shell) -> None:
    daemon.steps = [("interrupt", CHOICE), ANSWERED, END]
    typist = shell.in_terminal("ask", "q")
    typist.sees("1) Red")
    typist.sees("Number, or your own words")
    typist.types("2\n")
    typist.sees("? When?")
    typist.sees("Your reply")
    typist.types("at noon\n")
    assert typist.ends()[0] == 0
    assert daemon.bodies("answer") == [{"interrupt_id": "q1", "value": {"Which?": "Blue", "When?": "at noon"}}]


def test_enter_alone_leaves_a_question_unanswered(daemon: ScriptedDaemon, shell: Shell) -> None:
    daemon.steps = [("interrupt", CHOICE), ANSWERED, END]
    typist = shell.in_terminal("ask", "q")
    typist.sees("Number, or your own words")
    typist.types("\n")
    assert typist.ends()[0] == 0
    assert daemon.bodies("answer") == [{"interrupt_id": "q1", "cancel": True}]


def test_question_that_is_answered_elsewhere_is_asked_no_longer(daemon: ScriptedDaemon, shell: Shell) -> None:
    resolved = ("interrupt_resolved", {"id": "q2", "by": "terminal", "value": None})
    daemon.steps = [("interrupt", QUESTION), ANSWERED, resolved, text("on"), END]
    typist = shell.in_terminal("ask", "q")
    typist.sees("Number, or your own words")
    daemon.let_go(ANSWERED)
    typist.sees("resolved in Claude's terminal")
    assert typist.ends() == (0, "on\n")
    assert daemon.bodies("answer") == []


@pytest.mark.parametrize("step", [text("begun"), ("interrupt", QUESTION)], ids=["in an answer", "at a question"])
def test_ctrl_c_stops_the_turn_and_shows_its_end(
    daemon: ScriptedDaemon, shell: Shell, step: tuple[str, dict[str, str]]
) -> None:
    daemon.steps = [
        META,
        ("status", {"phase": "thinking", "message": "Thinking"}),
        step,
        ABORTED,
        text(" over"),
        STOPPED,
    ]
    typist = shell.in_terminal("ask", "q")
    typist.sees("Number, or your own words" if step[0] == "interrupt" else "Thinking")
    typist.process.send_signal(signal.SIGINT)
    typist.sees("Stopping the turn")
    code, written = typist.ends()
    assert code == 130
    assert written.endswith(" over\n")
    assert daemon.bodies("abort") == [{}]


def test_second_ctrl_c_leaves_at_once(daemon: ScriptedDaemon, shell: Shell) -> None:
    daemon.steps = [META, ("interrupt", QUESTION), ANSWERED, END]
    typist = shell.in_terminal("ask", "q")
    typist.sees("Number, or your own words")
    typist.process.send_signal(signal.SIGINT)
    typist.sees("Stopping the turn")
    typist.process.send_signal(signal.SIGINT)
    assert typist.ends()[0] == 130


def test_what_is_provisional_is_on_no_pipe_and_in_no_json(daemon: ScriptedDaemon, shell: Shell) -> None:
    daemon.steps = [
        ("preview", {"message": 0, "offset": 0, "text": "Five cases"}),
        ("activity", {"phase": "writing", "tool": None, "at": 1}),
        text("Five cases are open.\n"),
        ("preview", {"message": 0, "offset": 21, "text": "And o"}),
        ("end", END),
    ]
    assert shell("ask", "How many?").stdout == "Five cases are open.\n"
    told = [json.loads(line)["event"] for line in shell("ask", "--json", "How many?").stdout.splitlines()]
    assert told == ["content_delta", "end"]


def test_provisional_text_is_what_follows_the_confirmed_one() -> None:
    known = ProvisionalText()
    assert known.take(0, 0, "Hello") == "Hello"
    assert known.take(0, 5, " wor") == "Hello wor"
    assert known.confirm("m1", "Hello ") == "wor"
    assert known.take(0, 9, "ld\nNext") == "world\nNext"
    assert known.take(0, 6, "World") == "World"  # a part was taken back
    assert known.confirm("m1", "there") == ""  # the hooks say something else
    assert known.take(1, 0, "Second") == "Second"
    assert known.confirm("m2", "Sec") == "ond"
    assert known.take(1, 3, "") == ""
    assert known.was_shown
    assert known.confirm("m1", " late") == ""
