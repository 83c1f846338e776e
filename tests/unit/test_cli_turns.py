import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import click
import pytest

from paliadin.cli.recorded_turns import print_turn, print_turns
from paliadin.events.reducer import Reducer
from paliadin.events.timeline import CalledTool, Waited
from paliadin.evidence.model import Claim, Source, count_claims
from paliadin.postgres.cluster import remove_database
from paliadin.record.row import TurnRow
from paliadin.record.store import Store
from paliadin.steps.model import Accepted, Failed, ToolStarted
from tests.worlds.cli_daemon import Shell, alone
from tests.worlds.logs import made_turn, write
from tests.worlds.postgres import server

__all__ = ["alone"]

ROW = TurnRow(
    turn_id="01a1fdb6-b627-7948-85e7-ca4dc12d2878",
    session_id="main",
    person="kim",
    host="desk",
    origin="cli",
    started_at=datetime(2026, 11, 21, 12, 0, tzinfo=UTC),
    user_message="What\nis \x1b[2J due?",
    response="# Due\n\n\x1b]0;owned\x07Tomorrow",
    duration_ms=1234,
    finished_at=datetime(2026, 11, 21, 12, 0, 1, tzinfo=UTC),
    observed_tools=("Read", "Grep"),
    classifier_tag="data",
    classifier_source="trailer",
)
OTHER = replace(
    ROW,
    turn_id="01a1fdb7-b627-7948-85e7-ca4dc12d9999",
    session_id="s2",
    started_at=datetime(2026, 11, 21, 12, 5, tzinfo=UTC),
    user_message="second",
)
UNKNOWN = "01a1fdb8-b627-7948-85e7-ca4dc12dbeef"


@pytest.fixture
def records(alone: Shell, database: str, monkeypatch: pytest.MonkeyPatch) -> Shell:
    """With two turns on record."""
    monkeypatch.setenv("PALIADIN_DATABASE_URL", database)
    asyncio.run(insert(database, ROW, OTHER))
    return alone


@pytest.fixture
def checked(records: Shell, database: str, monkeypatch: pytest.MonkeyPatch) -> tuple[Shell, TurnRow]:
    """With a turn on record whose answer was checked, and its folder."""
    source = Source("call", "t1", None, 3, "due;12 May \x1b[2J")
    claims = (
        Claim("m", 0, 6, "12 May", "date", "found", (source,)),
        Claim("m", 8, 9, "7\u202e", "count", "unsupported"),
    )
    row = replace(ROW, turn_id="01a1fdb9-b627-7948-85e7-ca4dc12dfac7", claims=dict(count_claims(claims)),
                  verdict="unsupported", used_tools=("Read", "Grep"), rows_seen=(5, 1), evidence_agrees=False,
                  tool_calls=(CalledTool("Read", ok=True, rows=12),))  # fmt: skip
    asyncio.run(insert(database, row))
    folder = made_turn(records.home / "state" / "turns", row.turn_id, user_message="x")
    for step in (Accepted(1), ToolStarted(2, "t1", "Read", {}), Failed(3, "timeout", "Slow", "Ask")):
        folder.log.append(step)
    plain = Reducer.evidence
    monkeypatch.setattr(Reducer, "evidence", lambda reducer: replace(plain(reducer), claims=claims))
    return records, row


def test_show_counts_the_answers_facts_and_names_those_that_were_not_found(checked: tuple[Shell, TurnRow]) -> None:
    run, row = checked
    shown = run("turns", "show", row.turn_id).stdout
    assert "facts     2 facts: 1 found, 1 not found in anything Claude looked up\n" in shown
    assert "  not found: 7⟨U+202E⟩\n\nQuestion:" in shown
    assert "12 May" not in shown
    assert "differs   File read: 5 lines named, 12 lines returned\n" in shown
    told = run("turns", "show", row.turn_id, "--evidence").stdout
    assert '  not found: 7⟨U+202E⟩\n  found: 12 May (File read, line 3: "due;12 May ⟨U+001B⟩[2J")\n' in told


def test_show_as_json_has_the_counts_and_on_request_the_facts(checked: tuple[Shell, TurnRow]) -> None:
    run, row = checked
    plain = json.loads(run("turns", "show", row.turn_id, "--json").stdout)
    assert (plain["claims"], plain["verdict"]) == ({"found": 1, "unsupported": 1}, "unsupported")
    assert "evidence" not in plain
    told = json.loads(run("turns", "show", row.turn_id, "--json", "--evidence").stdout)
    assert [claim["text"] for claim in told["evidence"]["claims"]] == ["12 May", "7\u202e"]
    assert told["evidence"]["claims"][0]["sources"][0]["line"] == 3
    assert json.loads(run("turns", "show", ROW.turn_id, "--json", "--evidence").stdout)["evidence"] is None
    assert run("turns", "show", row.turn_id, "--log", "--evidence").exit_code == 2


@pytest.fixture
def home_with_database(alone: Shell) -> Iterator[Shell]:
    yield alone
    remove_database(alone.home / "state")


async def insert(conninfo: str, *rows: TurnRow) -> None:
    store = Store()
    async with store.connected(conninfo):
        for row in rows:
            await store.finish(row)


def test_list_gives_a_pipe_tabs_and_no_control_characters(records: Shell) -> None:
    head, first, second = records("turns", "list").stdout.splitlines()
    assert head.split("\t") == ["id", "started", "from", "took", "tag", "tools", "error", "question"]
    assert first.split("\t")[0] == "c12d2878"
    assert first.split("\t")[2:] == ["cli", "1.2 s", "data", "File read, Files searched", "", "What is ␛[2J due?"]
    assert second.endswith("\tsecond")


LONG = replace(
    ROW,
    user_message="Which deadlines of the harbour bridge project are still open, and who looks after them?",
    observed_tools=("Bash", "Read", "mcp__office__search_my_deadlines"),
    error_code="relay_unreachable",
)


@pytest.mark.parametrize(
    ("width", "left_out"),
    [(80, {"tag", "tools", "from"}), (120, {"tools"}), (200, set())],
)
def test_list_leaves_room_for_the_question_in_a_narrow_terminal(
    width: int, left_out: set[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    print_turns([OTHER, LONG])
    head, *lines = click.unstyle(capsys.readouterr().out).splitlines()
    assert {"id", "started", "from", "took", "tag", "tools", "error", "question"} - set(head.split()) == left_out
    assert all(len(line) <= width for line in lines)
    assert "Which deadlines" in lines[1]


def test_the_time_in_which_claude_waited_for_a_reply_is_not_what_a_turn_took(
    capsys: pytest.CaptureFixture[str],
) -> None:
    asked = Waited("permission", "Write", by="page", at_ms=15, waited_ms=900, answer="allow")
    row = replace(ROW, interrupts=(asked,))
    print_turns([row])
    print_turn(row, None)
    listed, shown = capsys.readouterr().out.split("\nturn ")
    assert "\t0.3 s\t" in listed
    assert "1.2 s, of which 0.9 s waiting for a reply" in shown


def test_list_keeps_to_its_session_and_limit(records: Shell) -> None:
    assert records("turns", "list", "--session", "s2", "--json").stdout.count("\n") == 1
    assert '"second"' in records("turns", "list", "--limit", "1", "--json").stdout
    assert records("turns", "list", "--session", "none").stdout == ""


@pytest.mark.parametrize("turn_id", [ROW.turn_id, "c12d2878", "C12D2878"])
def test_show_takes_the_id_or_its_end(records: Shell, turn_id: str) -> None:
    ended = records("turns", "show", turn_id)
    assert ended.exit_code == 0
    assert "tools     File read, Files searched\n" in ended.stdout
    assert "Answer:\n# Due\n\n␛]0;owned␇Tomorrow\n" in ended.stdout


def test_show_says_why_a_turn_failed_while_its_folder_is_there(records: Shell, database: str) -> None:
    turn_id = "01a1fdb9-b627-7948-85e7-ca4dc12dfa11"
    asyncio.run(insert(database, replace(ROW, turn_id=turn_id, error_code="terminal_in_use")))
    folder = made_turn(records.home / "state" / "turns", turn_id, user_message="x")
    folder.log.append(Accepted(1))
    folder.log.append(Failed(2, "terminal_in_use", "A draft\x1b[2J\nis there", "Send it."))
    shown = records("turns", "show", turn_id).stdout.splitlines()
    first = shown.index("error     terminal_in_use")
    assert shown[first + 1 : first + 3] == ["reason    A draft␛[2J is there", "hint      Send it."]
    folder.discard()
    shown = records("turns", "show", turn_id).stdout.splitlines()
    assert "error     terminal_in_use" in shown
    assert not [line for line in shown if line.startswith(("reason", "hint"))]


def test_show_tells_what_each_step_did_and_who_answered_what(capsys: pytest.CaptureFixture[str]) -> None:
    read = CalledTool("Read", ok=True, rows=12, at_ms=10, duration_ms=140)
    refused = CalledTool("Write", refused=True, at_ms=20)
    bash = CalledTool("Bash\n\x1b[31m", ok=False, at_ms=30, duration_ms=2_000)
    asked = Waited("permission", "Write", by="page", at_ms=15, waited_ms=2_300, answer="deny")
    open_one = Waited("question", "AskUserQuestion", at_ms=40)
    print_turn(replace(ROW, tool_calls=(read, refused, bash), interrupts=(asked, open_one)), None)
    lines = capsys.readouterr().out.splitlines()
    assert "steps     File read (12 lines, 0.1 s); File written (refused); Bash ⟨U+001B⟩[31m (failed, 2.0 s)" in lines
    assert "asked     permission: File written (deny, page, 2.3 s); question (no reply)" in lines


def test_show_draws_an_answer_as_ask_does_however_deep_it_is_nested(records: Shell, database: str) -> None:
    turn_id = "01a1fdb9-b627-7948-85e7-ca4dc12dfa12"
    answer = f"**Due:** [all](https://office.example/)\n\n{'> ' * 40}deep\n\nThe end."
    asyncio.run(insert(database, replace(ROW, turn_id=turn_id, response=answer)))
    shown = click.unstyle(records.on_screen("turns", "show", turn_id, TERM="xterm", COLUMNS="120"))
    assert "Due: all (https://office.example/)" in shown
    assert "deep" in shown


def test_show_as_json_is_the_whole_row(records: Shell) -> None:
    shown = json.loads(records("turns", "show", "c12d2878", "--json").stdout)
    assert shown["user_message"] == ROW.user_message
    assert shown["started_at"] == "2026-11-21T12:00:00+00:00"
    assert shown["observed_tools"] == ["Read", "Grep"]


@pytest.mark.parametrize(
    ("turn_id", "words"),
    [
        ("beef", "no turn among the newest 5,000 has an id that begins or ends with 'beef'"),
        (UNKNOWN, f"there is no turn {UNKNOWN}"),
        ("", "2 turns have an id like ''"),
    ],
)
def test_show_says_when_the_id_fits_none_or_several(records: Shell, turn_id: str, words: str) -> None:
    ended = records("turns", "show", turn_id)
    assert ended.exit_code == 1
    assert words in ended.stderr


def test_show_log_needs_no_database(alone: Shell) -> None:
    turn = made_turn(alone.home / "state" / "turns", ROW.turn_id)
    write(turn, {"relay": {"kind": "accepted", "said": "\x9b"}})
    [line] = alone("turns", "show", "c12d2878", "--log").stdout.splitlines()
    assert json.loads(line)["relay"] == {"kind": "accepted", "said": "\x9b"}
    assert "\x9b" not in line


def test_export_writes_every_row_newest_first_for_the_owner_alone(records: Shell, tmp_path: Path) -> None:
    file = tmp_path / "turns.jsonl"
    assert records("turns", "export", "-o", str(file)).exit_code == 0
    assert [json.loads(line)["user_message"] for line in file.read_text().splitlines()] == ["second", ROW.user_message]
    assert file.stat().st_mode & 0o777 == 0o600
    assert records("turns", "export").stdout == file.read_text()


def test_export_leaves_an_old_file_alone_when_the_database_is_away(alone: Shell, tmp_path: Path) -> None:
    file = tmp_path / "turns.jsonl"
    file.write_text("kept")
    # A process of its own: what the pool logs would reach its stderr.
    command = [sys.executable, "-m", "paliadin", "turns", "export", "-o", str(file)]
    away = {"PALIADIN_DATABASE_URL": "postgresql://x@127.0.0.1:1/x"}
    environment = {**os.environ, **alone.environment, **away}
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert ended.returncode == 1
    assert [line.split(" ")[0] for line in ended.stderr.splitlines()] == ["error:", ""]
    assert file.read_text() == "kept"


def test_without_any_database_none_is_made(alone: Shell) -> None:
    ended = alone("turns", "list")
    assert ended.exit_code == 1
    assert "there is no database in" in ended.stderr
    assert list((alone.home / "state").iterdir()) == []


def test_migrations_and_turns_work_on_the_embedded_database_without_a_daemon(home_with_database: Shell) -> None:
    run = home_with_database
    assert "pending" in run("migrate", "status").stdout
    assert run("migrate", "up").stdout.startswith("applied 0001_")
    assert run("migrate", "up").stdout == "applied nothing: it is up to date\n"
    assert "UTC" in run("migrate", "status").stdout
    assert run("turns", "list").stderr == "There is no turn on record yet.\n"
    assert run("migrate", "down", stdin="n\n").exit_code == 1
    assert run("migrate", "down", "--yes").stdout.startswith("undid 00")


def test_embedded_database_that_runs_is_used_and_left_running(home_with_database: Shell) -> None:
    run = home_with_database
    with server(run.home / "state") as conninfo:
        assert run("migrate", "up").exit_code == 0
        asyncio.run(insert(conninfo, ROW))
        assert "c12d2878" in run("turns", "list").stdout
        assert run("doctor").stdout.count("the embedded Postgres") == 1
