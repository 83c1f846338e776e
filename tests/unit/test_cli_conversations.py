import json
import signal

import click
import pytest

from paliadin.cli.conversations import print_conversations, shorten
from tests.worlds.cli_conversations import MADE, UNKNOWN, item
from tests.worlds.cli_daemon import ABORTED, BEGUN, TURN, ScriptedDaemon, Shell, alone, daemon, shell

__all__ = ["alone", "daemon", "shell"]

COSTS, DATES, LAWS = "k3m9wq2x7abc", "k3p2aaaaaaaa", "zzz9wq2x7abc"
ANSWER = ("content_delta", {"text": "It is so.\n", "message_id": "m1"})
END = ("end", {"duration_ms": 100, "usage": None, "aborted": False})
IN_FLIGHT = {"code": "turn_in_flight", "message": "a turn runs", "hint": "Wait.", "turn_id": "x"}


@pytest.fixture
def filled(daemon: ScriptedDaemon) -> ScriptedDaemon:
    """With three conversations, and a new one without a question."""
    daemon.conversations.items = [
        item("main", "Hello", state="busy", queued=2),
        item(COSTS, "Costs", state="failed", branch_of={"session_id": "main", "turn_id": TURN}),
        item(DATES, "Dates", state="waiting", pinned=True, last_at=None),
        item(LAWS, "Laws", archived=True),
    ]
    daemon.conversations.unlisted = ["new2345abcde"]
    daemon.steps = [ANSWER, END]
    return daemon


def test_list_gives_a_pipe_tabs_whole_ids_and_the_pinned_ones_first(filled: ScriptedDaemon, shell: Shell) -> None:
    head, *rows = shell("conversations", "list").stdout.splitlines()
    assert head.split("\t") == ["id", "last asked", "state", "marks", "title"]
    cells = [row.split("\t") for row in rows]
    assert [[row[0], *row[2:]] for row in cells] == [
        [DATES, "waits for you", "pinned", "Dates"],
        ["main", "working", "2 queued", "Hello"],
        [COSTS, "failed", "branch", "Costs"],
    ]
    assert cells[0][1] == ""
    assert cells[1][1].startswith("2026-11-")
    assert shell("conversations", "list", "--archived").stdout.endswith("\tLaws\n")


def test_list_as_json_is_what_the_daemon_says_a_line_each(filled: ScriptedDaemon, shell: Shell) -> None:
    filled.conversations.items[1]["title"] = "a\x1b[2J\u202e"
    listed = shell("conversations", "list", "--json").stdout
    assert [json.loads(line) for line in listed.splitlines()] == [filled.conversations.items[n] for n in (2, 0, 1)]
    assert "\x1b" not in listed


def test_hostile_titles_are_text(filled: ScriptedDaemon, shell: Shell) -> None:
    filled.conversations.items = [item(COSTS, "a\tb\x1b[2J\n\u202ec\u200b [red]:smile:", host="\x1b]0;x\x07")]
    listed = shell("conversations", "list").stdout.splitlines()
    assert listed[1].endswith("\ta b⟨U+001B⟩[2J ⟨U+202E⟩c⟨U+200B⟩ [red]:smile:")
    assert "\x1b" not in "".join(listed)
    assert "⟨U+202E⟩" in shell("conversations", "archive", "k3").stderr
    assert "⟨U+202E⟩" in shell("ask", "--conversation", "none", "q").stderr


def test_a_terminal_shows_short_ids_and_the_host_where_there_are_several(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "120")
    items = [item(COSTS, "漢字 [red]"), item(f"{DATES}@office", "Dates", host="office", state="odd\x1b")]
    print_conversations(items, ["desk"])
    head, *rows = click.unstyle(capsys.readouterr().out).splitlines()
    assert head.split() == ["id", "last", "asked", "state", "host", "marks", "title"]
    assert [(row.split()[0], row.split()[-1]) for row in rows] == [("k3m9wq", "[red]"), ("k3p2aa", "Dates")]
    assert "desk" in rows[0]
    assert "odd␛" in rows[1]


def test_an_id_is_shortened_unless_another_begins_so_or_a_person_gave_it() -> None:
    assert shorten(["main", COSTS, "k3m9wqzzzzzz", f"{LAWS}@office", "projects@office", "s2"]) == [
        "main",
        COSTS,
        "k3m9wqzzzzzz",
        "zzz9wq",
        "projects@office",
        "s2",
    ]


def test_a_search_shows_where_the_words_stand(filled: ScriptedDaemon, shell: Shell) -> None:
    filled.conversations.items[1]["match"] = {"turn_id": TURN, "excerpt": "… the open\ndeadline \u202e…"}
    rows = shell("conversations", "list", "--search", "open deadline").stdout.splitlines()
    assert filled.conversations.requests == [("GET", {"q": "open deadline"})]
    assert rows[0].endswith("\ttitle\tmatch")
    assert rows[3].endswith("\tCosts\t… the open deadline ⟨U+202E⟩…")
    filled.conversations.items = []
    assert shell("conversations", "list", "--search", "x").stderr == "No conversation has these words.\n"
    assert shell("conversations", "list", "--archived").stderr == "Nothing is archived.\n"


def test_new_prints_the_id_alone(filled: ScriptedDaemon, shell: Shell) -> None:
    ended = shell("conversations", "new", "--title", "Costs", "--host", "office")
    assert ended.stdout == f"{MADE}\n"
    assert f"paliadin ask --conversation {MADE}" in ended.stderr
    assert shell("conversations", "new").exit_code == 0
    assert filled.conversations.changes() == [("POST", {"title": "Costs", "host": "office"}), ("POST", {})]


@pytest.mark.parametrize(
    ("args", "change"),
    [
        (("rename", "k3m", "The", "costs"), (COSTS, {"title": "The costs"})),
        (("archive", "k3p2"), (DATES, {"archived": True})),
        (("unarchive", "zzz"), (LAWS, {"archived": False})),
        (("rename", "new2", "Later"), ("new2345abcde", {"title": "Later"})),
        (("archive", "main"), ("main", {"archived": True})),
        (("restore", COSTS), (COSTS, {"deleted": False})),
    ],
)
def test_a_conversation_is_changed_by_the_beginning_of_its_id(
    filled: ScriptedDaemon, shell: Shell, args: tuple[str, ...], change: tuple[str, object]
) -> None:
    ended = shell("conversations", *args)
    assert (ended.exit_code, ended.stdout) == (0, "")
    assert change[0] in ended.stderr
    assert filled.conversations.changes() == [("PATCH", change)]


def test_a_conversation_of_another_host_is_named_with_or_without_the_host(filled: ScriptedDaemon, shell: Shell) -> None:
    filled.conversations.items = [item(COSTS, "Here"), item(f"{DATES}@office", "There", host="office")]
    for named in ("k3p", "k3p@office", f"{DATES}@office"):
        assert shell("ask", "--conversation", named, "q").exit_code == 0
    assert {body["session_id"] for body in filled.bodies("turn")} == {f"{DATES}@office"}
    assert shell("ask", "--conversation", "k3m@office", "q").exit_code == 1


def test_an_unknown_or_ambiguous_id_says_which_there_are(filled: ScriptedDaemon, shell: Shell) -> None:
    unknown = shell("conversations", "rename", "q", "x")
    assert (unknown.exit_code, unknown.stdout) == (1, "")
    assert unknown.stderr == (
        "error: there is no conversation 'q'\n  → There are: main (Hello), k3m9wq (Costs), k3p2aa (Dates), "
        "zzz9wq (Laws). `paliadin conversations list` shows them.\n"
    )
    ambiguous = shell("ask", "--conversation", "k3", "q")
    assert ambiguous.exit_code == 1
    assert f"2 conversations have an id that begins with 'k3'\n  → Give more of it: {COSTS} (Costs)" in ambiguous.stderr
    assert shell("reset", "--conversation", "").exit_code == 1
    assert filled.conversations.changes() == filled.bodies("turn") == filled.bodies("reset") == []


def test_deletion_is_confirmed_and_says_how_it_is_taken_back(filled: ScriptedDaemon, shell: Shell) -> None:
    refused = shell("conversations", "delete", "k3m", stdin="n\n")
    assert refused.exit_code == 1
    assert f"Delete {COSTS} (Costs) with all its questions and answers? [y/N]" in refused.stderr
    assert shell("conversations", "delete", "k3m").exit_code == 1, "nobody has confirmed it"
    assert filled.conversations.changes() == []
    for args, stdin in ((("k3m",), "y\n"), (("k3m", "--yes"), "")):
        ended = shell("conversations", "delete", *args, stdin=stdin)
        assert (ended.exit_code, ended.stdout) == (0, "")
        assert f"this takes it back: paliadin conversations restore {COSTS}\n" in ended.stderr
    assert filled.conversations.changes() == [("DELETE", COSTS)] * 2


def test_what_is_gone_cannot_be_restored(filled: ScriptedDaemon, shell: Shell) -> None:
    filled.conversations.refusal = (404, UNKNOWN)
    ended = shell("conversations", "restore", "k3m")
    assert ended.exit_code == 1
    assert "there is no conversation 'k3m' that could be taken back\n  → Give the whole id." in ended.stderr


def test_a_deletion_that_is_refused_is_told_in_the_daemons_words(filled: ScriptedDaemon, shell: Shell) -> None:
    filled.conversations.refusal = (409, IN_FLIGHT)
    ended = shell("conversations", "delete", "main", "--yes")
    assert (ended.exit_code, ended.stderr) == (1, "error: a turn runs\n  → Wait.\n")


def test_ask_new_makes_a_conversation_and_names_it(filled: ScriptedDaemon, shell: Shell) -> None:
    ended = shell("ask", "--new", "What is due?")
    assert (ended.exit_code, ended.stdout) == (0, "It is so.\n")
    assert f'paliadin ask --conversation {MADE} "…"' in ended.stderr
    assert filled.bodies("turn")[0]["session_id"] == MADE
    assert filled.conversations.changes() == [("POST", {})]
    assert shell("ask", "--new", "--conversation", "main", "q").exit_code == 2


def test_ask_new_leaves_no_conversation_when_the_question_is_refused(filled: ScriptedDaemon, shell: Shell) -> None:
    filled.refusal = (413, {"code": "message_too_long", "message": "too long", "hint": "Shorten it."})
    refused = shell("ask", "--new", "q")
    assert refused.exit_code == 1
    assert MADE not in refused.stderr
    assert filled.conversations.changes() == [("POST", {}), ("DELETE", MADE)]


def test_main_is_asked_without_a_look_at_the_list(filled: ScriptedDaemon, shell: Shell) -> None:
    assert shell("ask", "q").exit_code == 0
    assert filled.conversations.requests == []
    [body] = filled.bodies("turn")
    assert (body["session_id"], "queue" in body) == ("main", False)


def test_a_turn_that_runs_there_is_no_reason_to_give_up_with_wait(filled: ScriptedDaemon, shell: Shell) -> None:
    filled.refusal = (409, IN_FLIGHT)
    assert "→ Wait. `--wait` asks when it has ended.\n" in shell("ask", "q").stderr
    filled.refusal, filled.queued = None, 2
    filled.steps = [BEGUN, ANSWER, END]
    typist = shell.in_terminal("ask", "--wait", "q")
    typist.sees("your question waits at place 2")
    filled.let_go(BEGUN)
    assert typist.ends() == (0, "It is so.\n")
    assert filled.bodies("turn")[-1]["queue"] is True
    assert filled.bodies("stream") == [0]


def test_a_question_that_need_not_wait_says_nothing_of_it(filled: ScriptedDaemon, shell: Shell) -> None:
    ended = shell("ask", "--wait", "q")
    assert (ended.exit_code, "place" in ended.stderr) == (0, False)


@pytest.mark.parametrize("args", [(), ("--json",)])
def test_ctrl_c_withdraws_a_question_that_waits(filled: ScriptedDaemon, shell: Shell, args: tuple[str, ...]) -> None:
    filled.queued, filled.steps = 1, [BEGUN, ANSWER, END]
    typist = shell.in_terminal("ask", "--wait", "q", *args)
    typist.sees("Ctrl-C withdraws it")
    typist.process.send_signal(signal.SIGINT)
    typist.sees("The question is withdrawn.")
    assert typist.ends() == (130, "")
    assert filled.bodies("queue") == ["DELETE"]
    assert filled.bodies("abort") == []


def test_ctrl_c_stops_a_question_that_waited_until_just_now(filled: ScriptedDaemon, shell: Shell) -> None:
    filled.queued, filled.steps = 1, [BEGUN, ABORTED, ANSWER, END]
    typist = shell.in_terminal("ask", "--wait", "q")
    typist.sees("Ctrl-C withdraws it")
    filled.let_go(BEGUN)
    typist.process.send_signal(signal.SIGINT)
    assert typist.ends() == (130, "It is so.\n")
    assert filled.bodies("abort") == [{}]


def test_a_question_that_was_withdrawn_elsewhere_was_not_asked(filled: ScriptedDaemon, shell: Shell) -> None:
    filled.queued, filled.steps = 1, [BEGUN, ANSWER, END]
    typist = shell.in_terminal("ask", "--wait", "q")
    typist.sees("Ctrl-C withdraws it")
    filled.withdraw()
    typist.sees("error: the question was not asked: it was withdrawn")
    assert typist.ends()[0] == 1


@pytest.mark.parametrize(("held", "words"), [(None, "at place 1."), ("failed", "The question before yours failed")])
def test_who_waits_is_told_what_changes(filled: ScriptedDaemon, shell: Shell, held: str | None, words: str) -> None:
    filled.queued, filled.steps = 2, [BEGUN, ANSWER, END]
    filled.queue = {"held": held, "turns": [{"turn_id": TURN}]}
    typist = shell.in_terminal("ask", "--wait", "q")
    typist.sees("at place 2")
    typist.sees(words)
    filled.let_go(BEGUN)
    assert typist.ends()[0] == 0
    assert filled.bodies("history")[0] == {"session_id": "main", "limit": "1"}


def test_who_holds_the_places_is_told(filled: ScriptedDaemon, shell: Shell) -> None:
    held = {"phase": "held", "message": "Waiting for a free place", "held_by": ["main", "k3\x1b"]}
    filled.steps = [("status", held), ANSWER, END]
    assert "Waiting for a free place, held by main, k3␛\n" in shell("ask", "q").stderr


def test_without_a_daemon_it_says_how_to_start_one(alone: Shell) -> None:
    for args in (("list",), ("new",), ("delete", "main", "--yes"), ("restore", "main")):
        ended = alone("conversations", *args)
        assert (ended.exit_code, "Start it with `paliadin up`." in ended.stderr) == (1, True)
