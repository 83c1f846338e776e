"""`paliadin captures`: what Claude Code sent, in a list and whole, without a daemon."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import click
import pytest

from paliadin.cli.commands.captures import PIECE, captures
from paliadin.live.capture_index import Entry, entries
from paliadin.live.captures import Capture
from paliadin.live.framing import Head
from tests.worlds.cli_daemon import Shell, alone

__all__ = ["alone"]

TURN, OTHER = "019a2b3c-4d5e-7f60-8123-456789abcdef", "019a2b3c-4d5e-7f60-8123-456789abcdee"
RESPONSE = Head("HTTP/1.1 200 OK", [("Content-Type", "text/event-stream")])
HARMFUL = b"\xff\x1b]0;owned\x07\xc2\x9b\xe2\x80\xae\r\n\rdone"


def capture(home: Path, turn: str | None = TURN, response: bytes = b"answer", **fields: str) -> Entry:
    folder = home / "state" / "captures"
    before = {entry.name for entry in entries(folder)}
    headers = [("x-claude-code-request-class", fields.get("kind", "main"))]
    made = Capture(folder, Head("POST /secret/v1/messages HTTP/1.1", headers), "main")
    made.turn, made.model = turn, fields.get("model", "claude-opus-4-8")
    made.write_request(b'{"model": "m"}')
    made.begin_response(RESPONSE)
    made.write_response(response)
    made.finish(complete="broken" not in fields)
    return next(entry for entry in entries(folder) if entry.name not in before)


def short(entry: Entry) -> str:
    return entry.name.rpartition("--")[2]


def test_list_gives_a_pipe_tabs_and_the_newest_last(alone: Shell) -> None:
    first, second = capture(alone.home), capture(alone.home, None, model="\x1b[2Jm", kind="title", broken="yes")
    head, *lines = alone("captures", "list").stdout.splitlines()
    assert head.split("\t") == ["name", "started", "turn", "class", "status", "took", "sent", "received", "model"]
    rows = {line.split("\t")[0]: line.split("\t")[2:] for line in lines}
    took = rows[short(first)][3]
    assert rows[short(first)] == ["89abcdef", "main", "200", took, "14 B", "6 B", "claude-opus-4-8"]
    assert rows[short(second)] == [
        "none",
        "title",
        "200 incomplete",
        rows[short(second)][3],
        *rows[short(first)][4:6],
        "?[2Jm",
    ]
    assert [line.split("\t")[0] for line in lines] == [short(entry) for entry in entries(alone.home / "state/captures")]


@pytest.mark.parametrize(
    ("turn", "count"), [(TURN, 2), ("89abcdef", 2), ("89ABCDEF", 2), ("019a2b3c", 3), ("none", 1), ("", 0), ("*", 0)]
)
def test_list_keeps_to_a_turn(alone: Shell, turn: str, count: int) -> None:
    for made in (TURN, TURN, OTHER, None):
        capture(alone.home, made)
    assert alone("captures", "list", "--json", "--turn", turn).stdout.count("\n") == count


def test_list_as_json_is_whole_entries_up_to_the_limit(alone: Shell) -> None:
    for _ in range(3):
        capture(alone.home)
    lines = [json.loads(line) for line in alone("captures", "list", "--json", "--limit", "2").stdout.splitlines()]
    assert [line["name"] for line in lines] == [entry.name for entry in entries(alone.home / "state/captures")][1:]
    assert lines[0]["turn"] == TURN
    assert lines[0]["request_bytes"] == 14


def test_list_goes_on_where_a_file_is_cut_or_its_entry_is_missing(alone: Shell) -> None:
    cut, lone = capture(alone.home), capture(alone.home)
    folder = alone.home / "state" / "captures"
    os.truncate(folder / f"{cut.name}.http", 5)
    (folder / f"{lone.name}.json").unlink()
    listed = alone("captures", "list")
    assert listed.exit_code == 0
    assert len(listed.stdout.splitlines()) == 3
    assert alone("captures", "show", cut.name).stdout_bytes == b"POST "
    assert alone("captures", "show", cut.name, "--response").stderr.startswith("error: the capture has no response\n")
    assert alone("captures", "show", lone.name).stdout_bytes.endswith(b"answer")


@pytest.mark.parametrize("width", [60, 80, 120])
def test_list_fits_a_narrow_terminal(
    alone: Shell, width: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    capture(alone.home)
    for name, value in {**alone.environment, "COLUMNS": str(width)}.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    captures.main(["list"], standalone_mode=False)
    head, line = click.unstyle(capsys.readouterr().out).splitlines()
    assert len(line) <= width
    assert "89abcdef" in line
    assert ("started" in head) == (width > 80)


def test_show_writes_the_bytes_as_they_were_into_a_pipe(alone: Shell) -> None:
    entry = capture(alone.home, response=HARMFUL)
    shown = alone("captures", "show", short(entry))
    assert shown.exit_code == 0
    assert shown.stdout_bytes == (alone.home / "state" / "captures" / f"{entry.name}.http").read_bytes()
    request, response = (
        alone("captures", "show", entry.name, f"--{which}").stdout_bytes for which in ("request", "response")
    )
    assert request == b'POST /v1/messages HTTP/1.1\r\nx-claude-code-request-class: main\r\n\r\n{"model": "m"}'
    assert response == b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n" + HARMFUL
    assert shown.stdout_bytes == request + b"\r\n\r\n" + response


def test_show_lets_nothing_through_that_a_terminal_obeys(
    alone: Shell, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    head = len(RESPONSE.encode())
    fill = b"x" * (PIECE - head - 1)  # a line end and a character are cut in two by the pieces that are read
    entry = capture(alone.home, response=fill + b"\r\n" + b"y" * (PIECE - 2) + "é".encode() + HARMFUL)
    for name, value in alone.environment.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    captures.main(["show", entry.name, "--response"], standalone_mode=False)
    shown = capsys.readouterr().out
    assert shown.startswith("HTTP/1.1 200 OK\nContent-Type: text/event-stream\n\nxxx")
    assert shown.endswith("x\n" + "y" * (PIECE - 2) + "é\ufffd␛]0;owned␇\ufffd\ufffd\n␍done\n")


@pytest.mark.parametrize("name", ["x", "", "../daemon", "9" * 23, "*"])
def test_show_says_when_there_is_no_such_capture(alone: Shell, name: str) -> None:
    capture(alone.home)
    ended = alone("captures", "show", name)
    assert ended.exit_code == 1
    assert ended.stderr == f"error: there is no capture {name!r}\n  → Check it with `paliadin captures list`.\n"


def test_show_says_when_a_name_fits_several(alone: Shell) -> None:
    names = [capture(alone.home).name for _ in range(40)]
    end = next(digit for digit in "0123456789" if sum(name.endswith(digit) for name in names) > 1)
    ended = alone("captures", "show", end)
    assert ended.exit_code == 1
    assert "captures have a name like" in ended.stderr


def test_without_captures_it_says_so_and_makes_no_folder(alone: Shell) -> None:
    ended = alone("captures", "list")
    assert (ended.exit_code, ended.stdout) == (0, "")
    assert ended.stderr.startswith("Nothing is captured: PALIADIN_CAPTURE is off.")
    assert list((alone.home / "state").iterdir()) == []


def test_a_reader_that_goes_away_early_gets_no_traceback(alone: Shell) -> None:
    entry = capture(alone.home, response=b"x" * 5_000_000)
    command = [sys.executable, "-m", "paliadin", "captures", "show", entry.name]
    environment = {**os.environ, **alone.environment}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout
        assert process.stderr
        assert process.stdout.read(10) == b"POST /v1/m"
        process.stdout.close()
        assert process.stderr.read() == b""
