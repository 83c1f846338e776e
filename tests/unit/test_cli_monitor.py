"""gate, report, and what `turns` does with the record: search, export, delete."""

from __future__ import annotations

import asyncio
import csv
import io
import json
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta, tzinfo
from pathlib import Path

import psycopg
import pyarrow.parquet as pq
import pytest

from paliadin.live.capture_index import entries
from paliadin.live.captures import Capture
from paliadin.live.framing import Head
from paliadin.record.row import TurnRow
from paliadin.reports.filters import Filter
from paliadin.turnlog.folder import TurnFolder
from tests.unit.test_cli_turns import insert
from tests.worlds.cli_daemon import Shell, alone
from tests.worlds.logs import made_turn

__all__ = ["alone"]

NOON = datetime.now(UTC).replace(hour=12, minute=0, second=0, microsecond=0)
Recorded = Callable[..., Shell]


class Today(datetime):
    """The day on which this run began, also when it goes on past midnight."""

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> datetime:  # type: ignore[override]  # a plain datetime is enough
        return NOON.astimezone(tz)


def turn(number: int, days_ago: int = 1, **values: object) -> TurnRow:
    at = NOON - timedelta(days=days_ago) + timedelta(milliseconds=number)
    stamp = int(at.timestamp() * 1000)
    turn_id = f"{stamp >> 16:08x}-{stamp & 0xFFFF:04x}-7000-8000-{number:012x}"
    row = TurnRow(turn_id, "main", "ada", "desk", "page", at, f"What is due on {number}?")
    ended = {"finished_at": at, "duration_ms": 1500, "response": "Nothing, | really.", "observed_tools": ("Read",)}
    return replace(row, **(ended | values))  # type: ignore[arg-type]


@pytest.fixture
def recorded(alone: Shell, database: str, monkeypatch: pytest.MonkeyPatch) -> Recorded:
    monkeypatch.setenv("PALIADIN_DATABASE_URL", database)
    monkeypatch.setenv("PALIADIN_TIMEZONE", "UTC")
    monkeypatch.setattr("paliadin.cli.record.datetime", Today)

    def record(*rows: TurnRow) -> Shell:
        asyncio.run(insert(database, *rows))
        return alone

    return record


def busy(**values: object) -> list[TurnRow]:
    return [turn(number, day, abandoned=False, **values) for day in range(1, 31) for number in range(4)]


@pytest.mark.parametrize(
    ("rows", "code", "words"),
    [
        (busy(), 0, "green: it earns a bigger build"),
        (busy(observed_tools=()), 10, "yellow: not convincing yet"),
        ([turn(1, 40)], 20, "kill: it is not worth going on"),
        ([turn(1, 3)], 30, "too little data: it takes four whole weeks"),
        ([], 30, "too little data: it takes four whole weeks"),
    ],
    ids=["green", "yellow", "kill", "young", "empty"],
)
def test_gate_says_its_verdict_also_by_its_exit_code(
    recorded: Recorded, rows: list[TurnRow], code: int, words: str
) -> None:
    ended = recorded(*rows)("gate")
    assert ended.exit_code == code
    assert ended.stdout.splitlines()[0] == words
    gate = json.loads(recorded()("gate", "--json").stdout)
    assert len(gate["criteria"]) == 6


def test_gate_goes_by_the_owners_own_criteria(
    recorded: Recorded, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "mine.toml"
    file.write_text("[gate.turns_per_working_day]\ngreen_at_least = 50\n")
    monkeypatch.setenv("PALIADIN_MONITORING", str(file))
    ended = recorded(*busy())("gate")
    assert ended.exit_code == 10
    assert "turns per working day, weeks 3 and 4: 4.0; green at 50.0 or more (46.0 short)" in ended.stdout


@pytest.mark.first(5)
@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[gate.turns]\ngreen_at_least = 1", "[gate.turns] is not a criterion"),
        ("gate = 1", "gate must be a table"),
        ("[gate.turns_per_day]\nred = 1", "[gate.turns_per_day] takes numbers for"),
        ("[gate.turns_per_day]\nkill_below = true", "[gate.turns_per_day] takes numbers for"),
        ("[prices]\nas_of = 1", "[prices] takes as_of, a date"),
        ("[prices]\nas_of = 2026-01-01\n[[prices.price]]\nmodel = 'x'", "each price needs a model, and numbers for"),
        ("[oops]", "'oops', which is neither gate nor prices"),
        ("=", "is not usable"),
        (None, "is not usable"),
    ],
)
def test_criteria_that_make_no_sense_are_an_error_that_names_them(
    recorded: Recorded, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str | None, words: str
) -> None:
    file = tmp_path / "mine.toml"
    if text is not None:
        file.write_text(text)
    monkeypatch.setenv("PALIADIN_MONITORING", str(file))
    ended = recorded()("gate")
    assert ended.exit_code == 2
    assert words in ended.stderr
    assert str(file) in ended.stderr


def test_prices_of_the_owners_replace_ours(recorded: Recorded, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "mine.toml"
    row = "model = 'own'\ninput = 1\noutput = 2\ncache_read = 0\ncache_write = 0"
    file.write_text(f"[prices]\nas_of = 2026-01-01\n[[prices.price]]\n{row}")
    monkeypatch.setenv("PALIADIN_MONITORING", str(file))
    run = recorded(
        turn(1, model="own-1", input_tokens=1_000_000, output_tokens=500_000),
        turn(2, model="claude-opus-4-8", input_tokens=7),
    )
    assert json.loads(run("report", "--format", "json").stdout)["estimated_cost_usd"] == 2.0
    assert "about $2.00 at list prices, without claude-opus-4-8." in run("report").stdout


def test_report_is_markdown_that_no_question_can_break(recorded: Recorded) -> None:
    text = recorded(turn(1, user_message="a | b\n<b> `c` \x1b[2J"), turn(2, 9))("report").stdout
    assert "| Turns | 1 | 1 |" in text
    assert "| a \\| b \\<b\\> \\`c\\` ␛\\[2J | 1 | 1 |" in text
    assert text.startswith("# Paliadin, ")
    assert "**Gate: too little data" in text


def test_report_and_dashboard_mean_the_same_seven_days(recorded: Recorded) -> None:
    run = recorded(*(turn(number, days_ago) for number, days_ago in enumerate((0, 6, 7, 13, 14))))
    report = json.loads(run("report", "--format", "json").stdout)
    shown = Filter.parse({}, NOON.date())
    assert (report["from"], report["to"]) == (shown.first.isoformat(), shown.last.isoformat())
    assert (report["now"]["turns"], report["before"]["turns"]) == (2, 2)
    assert run("report").stdout.startswith(f"# Paliadin, {shown.first} to {NOON.date()}, today included\n")


def test_report_as_json_has_the_figures(recorded: Recorded) -> None:
    turns = (turn(1, abandoned=False), turn(2, error_code="timeout"))
    report = json.loads(recorded(*turns)("report", "--format", "json").stdout)
    assert (report["now"]["turns"], report["now"]["errors"], report["before"]["turns"]) == (2, 1, 0)
    assert report["now"]["watched"] == 1
    assert [(row["form"], row["turns"]) for row in report["prompts"]] == [("what is due on #", 2)]
    assert report["gate"]["verdict"] == "too_little_data"
    assert report["by_error"] == [
        {"name": "", "turns": 1, "errors": 0, "fallback": 0, "checked": 0, "unsupported": 0},
        {"name": "timeout", "turns": 1, "errors": 1, "fallback": 0, "checked": 0, "unsupported": 0},
    ]


UNSUPPORTED: dict[str, object] = {"claims": {"found": 3, "common": 1, "unsupported": 2}, "verdict": "unsupported"}
SUPPORTED: dict[str, object] = {"claims": {"found": 3}, "verdict": "supported"}


def test_report_says_how_many_answers_hold_facts_that_were_not_found(recorded: Recorded) -> None:
    nothing = turn(4, claims={"common": 2}, verdict="nothing_to_check")
    worst = turn(1, **UNSUPPORTED)
    run = recorded(worst, turn(2, **SUPPORTED), turn(3), nothing, turn(5, 9, **SUPPORTED))
    line = (
        "| Answers with facts not found in anything Claude looked up, or not adding up | 1 of 2 (50%) | 0 of 1 (0%) |"
    )
    assert line in run("report").stdout
    report = json.loads(run("report", "--format", "json").stdout)
    assert [report["now"][name] for name in ("checked", "unsupported", "claims_checked", "claims_unsupported")] == [
        2,
        1,
        8,
        2,
    ]
    assert report["worst"] == [{"turn_id": worst.turn_id, "claims_checked": 5, "claims_unsupported": 2}]
    assert "wrong" not in run("report").stdout


def test_gate_judges_facts_that_were_not_found_only_where_the_owner_wants_that(
    recorded: Recorded, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = recorded(*busy(**UNSUPPORTED))
    before = run("gate")
    assert (before.exit_code, "looked up" in before.stdout) == (0, False)
    file = tmp_path / "mine.toml"
    file.write_text("[gate.unsupported_rate]\nyellow_above = 0.1\n")
    monkeypatch.setenv("PALIADIN_MONITORING", str(file))
    ended = run("gate")
    assert ended.exit_code == 10
    label = "share of answers with facts not found in anything Claude looked up, or not adding up"
    assert ended.stdout.splitlines()[-1] == f"{label}: 100%; yellow above 10% (reached)"
    assert ended.stdout.splitlines()[2:-1] == before.stdout.splitlines()[2:]


def test_search_and_export_take_a_verdict(recorded: Recorded) -> None:
    run = recorded(turn(1, **UNSUPPORTED), turn(2, **SUPPORTED), turn(3))
    assert (
        json.loads(run("turns", "search", "due", "--verdict", "unsupported", "--json").stdout)["claims"]
        == UNSUPPORTED["claims"]
    )
    [row] = map(json.loads, run("turns", "export", "--verdict", "supported").stdout.splitlines())
    assert (row["claims"], row["verdict"]) == ({"found": 3}, "supported")
    assert run("turns", "export", "--verdict", "wrong").exit_code == 2
    rows = list(csv.DictReader(io.StringIO(run("turns", "export", "--format", "csv").stdout)))
    assert [(row["claims"], row["verdict"]) for row in rows] == [
        ("", ""),
        ('{"found": 3}', "supported"),
        ('{"found": 3, "common": 1, "unsupported": 2}', "unsupported"),
    ]


def test_search_finds_words_in_questions_and_answers(recorded: Recorded) -> None:
    run = recorded(turn(1), turn(2, user_message="Draft a letter"), turn(3, response="See the letters"))
    assert [line.split("\t")[-1] for line in run("turns", "search", "lett").stdout.splitlines()[1:]] == [
        "Draft a letter",
        "What is due on 3?",
    ]
    assert run("turns", "search", "draft", "lett", "--json").stdout.count("\n") == 1
    assert run("turns", "search", "lett", "--session", "none").stderr == "No turn has these words.\n"


@pytest.mark.first(4)
@pytest.mark.parametrize(
    ("options", "count"),
    [
        ((), 3),
        (("--errors",), 1),
        (("--session", "letters"), 1),
        (("--person", "nobody"), 0),
        (("--from", (NOON - timedelta(days=1)).date().isoformat()), 2),
        (("--to", (NOON - timedelta(days=2)).date().isoformat()), 1),
    ],
)
def test_export_keeps_to_its_filters(recorded: Recorded, options: tuple[str, ...], count: int) -> None:
    run = recorded(turn(1), turn(2, session_id="letters", error_code="timeout"), turn(3, 400))
    assert run("turns", "export", *options).stdout.count("\n") == count


def test_export_as_csv_is_safe_in_a_spreadsheet(recorded: Recorded, tmp_path: Path) -> None:
    file = tmp_path / "turns.csv"
    odd = '=HYPERLINK("http://x")\n,"'
    assert (
        recorded(turn(1, user_message=odd, context={"a": 1}))(
            "turns", "export", "--format", "csv", "-o", str(file)
        ).exit_code
        == 0
    )
    [row] = csv.DictReader(io.StringIO(file.read_text("utf-8"), newline=""))
    assert row["user_message"] == f"'{odd}"
    assert json.loads(row["observed_tools"]) == ["Read"]
    assert file.stat().st_mode & 0o777 == 0o600


def test_export_as_parquet_is_read_by_others(recorded: Recorded, tmp_path: Path) -> None:
    file, rows = tmp_path / "turns.parquet", [turn(number, 1 + number) for number in range(1203)]
    assert recorded(*rows)("turns", "export", "--format", "parquet", "-o", str(file)).exit_code == 0
    table = pq.read_table(file)
    assert table.num_rows == 1203
    newest = table.to_pylist()[0]
    assert newest["started_at"] == rows[0].started_at
    assert (newest["turn_id"], newest["duration_ms"], newest["abandoned"]) == (rows[0].turn_id, 1500, None)
    assert json.loads(newest["observed_tools"]) == ["Read"]
    assert (newest["claims"], newest["verdict"]) == (None, None)
    types = {name: str(table.schema.field(name).type) for name in ("finished_at", "rows_seen", "abandoned", "model")}
    assert types == {
        "finished_at": "timestamp[us, tz=UTC]",
        "rows_seen": "string",
        "abandoned": "bool",
        "model": "string",
    }


def folder_of(run: Shell, row: TurnRow, *, recorded: bool = True) -> TurnFolder:
    """As the daemon leaves it, with the session's link to it."""
    home = run.home / "state"
    folder = made_turn(home / "turns", row.turn_id)
    (folder.path / "prompt_id").write_text("p-1")
    prompts = home / "sessions" / "main" / "prompts"
    prompts.mkdir(parents=True, exist_ok=True)
    (prompts / "p-1").symlink_to(folder.path)
    if recorded:
        folder.recorded.touch()
    return folder


def left(conninfo: str) -> list[str]:
    with psycopg.connect(conninfo) as connection:
        rows = connection.execute("select turn_id from paliadin.turns").fetchall()
        facts = connection.execute("select turn_id from paliadin.turn_facts").fetchall()
    assert set(rows) == set(facts)
    return [str(row[0]) for row in rows]


def test_delete_takes_row_folder_and_links_of_one_turn(recorded: Recorded, database: str) -> None:
    gone, kept = turn(1), turn(2)
    run = recorded(gone, kept)
    folder = folder_of(run, gone)
    ended = run("turns", "delete", gone.turn_id, stdin="y\n")
    assert ended.stderr.endswith("1 turns deleted\n")
    assert not folder.path.parent.exists()
    assert list((run.home / "state" / "sessions" / "main" / "prompts").iterdir()) == []
    assert left(database) == [kept.turn_id]


def test_delete_takes_all_of_a_person(recorded: Recorded, database: str) -> None:
    kept = turn(0, person="grace")
    run = recorded(kept, *(turn(number) for number in range(1, 4)))
    assert run("turns", "delete", "--person", "ada", stdin="n\n").exit_code == 1
    assert len(left(database)) == 4
    assert run("turns", "delete", "--person", "ada", "--yes").stderr == "3 turns deleted\n"
    assert left(database) == [kept.turn_id]
    assert "there is no turn of ada" in run("turns", "delete", "--person", "ada", "--yes").stderr


def test_delete_takes_captures_along_also_where_the_folder_is_gone_already(recorded: Recorded) -> None:
    gone, lost, kept = turn(1), turn(2), turn(3, person="grace")
    run = recorded(gone, lost, kept)
    folder_of(run, gone)
    captures = run.home / "state" / "captures"
    for row in (gone, lost, kept):
        made = Capture(captures, Head("POST /secret/v1/messages HTTP/1.1", []), "main")
        made.turn = row.turn_id
        made.finish(complete=True)
    assert run("turns", "delete", "--person", "ada", "--yes").stderr == "2 turns deleted\n"
    assert [entry.turn for entry in entries(captures)] == [kept.turn_id]


def test_delete_leaves_a_running_turn_alone_and_all_others_with_it(recorded: Recorded, database: str) -> None:
    running, other = turn(1, finished_at=None), turn(2)
    run = recorded(running, other)
    folder = folder_of(run, running, recorded=False)
    ended = run("turns", "delete", "--person", "ada", "--yes")
    assert ended.exit_code == 1
    assert "is still running, or its row is not written yet" in ended.stderr
    assert folder.path.exists()
    assert len(left(database)) == 2


@pytest.mark.parametrize("session", ["main@office", "main@gone"])
def test_delete_leaves_alone_what_another_daemon_has_unless_that_is_said(
    recorded: Recorded, database: str, session: str
) -> None:
    run = recorded(turn(1, session_id=session), turn(2, session_id="main@laptop"), turn(3))
    ended = run("turns", "delete", "--person", "ada", "--yes", PALIADIN_NAME="laptop")
    assert ended.exit_code == 1
    assert f"nothing was deleted: some of the turns ran on {session[5:]}, which is not a host" in ended.stderr
    assert len(left(database)) == 3
    ended = run("turns", "delete", "--person", "ada", "--yes", "--here-only", PALIADIN_NAME="laptop")
    assert ended.stderr.startswith(f"3 turns deleted\n{session[5:]} still has 1 of them")
    assert left(database) == []


def test_delete_wants_to_know_what(recorded: Recorded) -> None:
    assert recorded()("turns", "delete").exit_code == 2
    assert recorded()("turns", "delete", "x", "--person", "y").exit_code == 2
