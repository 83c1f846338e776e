"""A terminal obeys nothing of what others wrote: what the command line prints goes one of two ways, and both clean."""

from __future__ import annotations

import ast
import asyncio
import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import click
import pytest
from rich.console import Group
from rich.markdown import Markdown
from rich.table import Table
from rich.text import Text

import paliadin.cli
from paliadin.base.errors import RelayUnreachable
from paliadin.cli.client import ReceivedEvent
from paliadin.cli.console import console, print_parts, print_table
from paliadin.cli.echo import byte_output, confirm, echo
from paliadin.cli.failure import Failure
from paliadin.cli.markdown import MarkdownAnswerPrinter, PlainAnswerPrinter
from paliadin.cli.remote_key import install_line
from paliadin.cli.turn_printer import JsonPrinter, TextPrinter
from paliadin.relays.ssh.hosts import Remote
from tests.unit.test_cli_turns import ROW, insert, records
from tests.worlds.cli_daemon import Shell, alone

__all__ = ["alone", "records"]

HOSTILE = (
    "A\x1b]0;owned\x07B\x1b]8;;https://evil.example\x1b\\C\x1b]52;c;aGk=\x1b\\D\x9b2JE\x1b[2JF\x9d0;x\x9cG"
    "\u202eH\u2066I\u2028J\rK\x08L\x7fM\x85N\x00O\nP"
)
STORED = HOSTILE.replace("\x00", "")  # which no row can hold
# Nothing of these is in the text, but in what Markdown makes of it.
DECODED = "<http://x/%1B]52;c;aGk=%1B%5C> <http://x/%C2%9B2J%E2%80%AE> a&#x202e;b &#x2066; [l](<http://x/%1B[2J>)"
PRINTING = {
    *(f"click.{name}" for name in ("echo", "secho", "confirm", "prompt", "echo_via_pager", "progressbar")),
    *(f"sys.{name}.write" for name in ("stdout", "stderr", "stdout.buffer", "stderr.buffer")),
    "print",
    "Console",
}
CLI = Path(paliadin.cli.__file__).parent
PARTS = [{"name": HOSTILE, "ok": True, "state": HOSTILE, "message": HOSTILE, "hint": HOSTILE}]
EVENTS = [
    ReceivedEvent(None, "activity", {"phase": "tool", "tool": HOSTILE}),
    ReceivedEvent(1, "status", {"phase": "held", "message": HOSTILE, "held_by": [HOSTILE]}),
    ReceivedEvent(2, "tool_call", {"id": "t", "name": HOSTILE, "summary": HOSTILE}),
    ReceivedEvent(3, "content_delta", {"message_id": "m", "text": HOSTILE + DECODED}),
    ReceivedEvent(4, "content_reset", {"reason": HOSTILE}),
    ReceivedEvent(5, "joined", {"text": HOSTILE}),
    ReceivedEvent(6, "interrupt_resolved", {"id": "i", "by": HOSTILE, "value": {HOSTILE: HOSTILE}}),
    ReceivedEvent(7, "chip", {"label": HOSTILE, "href": HOSTILE, "verified": False}),
    ReceivedEvent(8, "end", {"duration_ms": 1, "usage": None, "aborted": False}),
]


def answer(printer: MarkdownAnswerPrinter | PlainAnswerPrinter) -> None:
    for piece in (f"{HOSTILE}\n\n", f"{DECODED}\n\n# {HOSTILE}\n\n", f"- {DECODED}\n\n```\n{HOSTILE}\n```\n"):
        printer.add(piece, HOSTILE)
    printer.pause()


def play(printer: TextPrinter | JsonPrinter) -> None:
    for event in EVENTS:
        printer.show(event)
    printer.note(HOSTILE)
    printer.pause()


def table() -> Table:
    made = Table(HOSTILE, "b", title=HOSTILE)
    made.add_row(HOSTILE, Text(HOSTILE))
    return made


def write(data: bytes) -> None:
    with byte_output() as output:
        for byte in data:
            output.write(bytes([byte]))


SINKS: dict[str, Callable[[], object]] = {
    "echo": lambda: [echo(HOSTILE), echo(HOSTILE, err=True), echo(HOSTILE, nl=False)],
    "an error": lambda: Failure(HOSTILE, HOSTILE).show(),
    "parts": lambda: print_parts(PARTS),
    "a table": lambda: print_table(["a", "b"], [[HOSTILE, HOSTILE]] * 2),
    "a console": lambda: console().print(
        HOSTILE, Text(HOSTILE), Group(HOSTILE), table(), Markdown(HOSTILE + DECODED, hyperlinks=False)
    ),
    "a console of stderr": lambda: console(stderr=True).print(HOSTILE, Markdown(DECODED, hyperlinks=False)),
    "an answer": lambda: answer(PlainAnswerPrinter()),
    "an answer in Markdown": lambda: answer(MarkdownAnswerPrinter(console())),
    "a turn": lambda: play(TextPrinter(evidence=True)),
    "a turn as JSON": lambda: play(JsonPrinter()),
}


def obeyed(shown: str) -> set[str]:
    """The characters in it that a terminal without colours obeys."""
    return {char for char in shown if char not in "\t\n" and (ord(char) < 32 or 127 <= ord(char) < 160)} | (
        set(shown) & set("\u2028\u2029\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
    )


@pytest.mark.parametrize("is_terminal", [True, False])
@pytest.mark.parametrize("sink", SINKS)
def test_nothing_is_obeyed(
    sink: str, is_terminal: bool, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "dumb")  # so that rich itself adds nothing
    for stream in (sys.stdout, sys.stderr):
        monkeypatch.setattr(stream, "isatty", lambda: is_terminal)
    SINKS[sink]()
    shown = "".join(capsys.readouterr())
    assert obeyed(shown) == set()
    assert "A␛]0;owned" in shown or r"A\u001b]0;owned" in shown or "http://x/␛]52" in shown


def test_a_question_before_something_is_deleted_is_clean(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    monkeypatch.setattr("click.termui.visible_prompt_func", lambda words: asked.append(words) or "n")
    with pytest.raises(click.Abort):
        confirm(HOSTILE)
    shown = "".join([*capsys.readouterr(), *asked])
    assert obeyed(shown) == set()


def test_with_colours_only_those_and_moves_of_the_cursor_reach_a_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TERM", "xterm-256color")
    for stream in (sys.stdout, sys.stderr):
        monkeypatch.setattr(stream, "isatty", lambda: True)
    for sink in SINKS.values():
        sink()
    shown = "".join(capsys.readouterr())
    assert "\x1b[" in shown
    for sequence in ("\x1b]", "\x1b\\", "\x1b[2J"):
        assert sequence not in shown
    assert obeyed(shown) <= {"\x1b", "\r"}


@pytest.mark.parametrize(
    "command",
    ["health", "turns list", "reset --conversation main", "people list", "open", "up", "report"],
)
def test_an_argument_that_is_too_many_is_shown_and_not_obeyed(alone: Shell, command: str) -> None:
    shown = alone.on_screen(*command.split(), f"{STORED}.txt", f"{STORED}.md", TERM="dumb", COLUMNS="400")
    assert "owned" in shown
    assert obeyed(shown) == set()


def test_what_a_host_prints_while_the_key_is_installed_is_shown_and_not_obeyed(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    ssh = tmp_path / "ssh"
    ssh.write_text(
        f"#!{sys.executable}\nimport os, sys\nline = sys.stdin.buffer.readline()\n"
        f"for number in (1, 2):\n    os.write(number, line + {STORED.encode()!r})\nsys.exit(3)\n"
    )
    ssh.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(RelayUnreachable, match="could not be installed"):
        install_line(Remote("far", "me@far", ("main",)), "the line")
    out, shown = capfd.readouterr()
    assert out == ""
    assert shown.count("the line\nA␛]0;owned") == 2
    assert obeyed(shown) == set()


def test_nothing_else_of_the_command_line_prints() -> None:
    """What prints past `echo` and `console` would have to be cleaned there, and once would not be."""
    past = [
        f"{path.relative_to(CLI)}:{node.lineno}: {name}"
        for path in sorted(CLI.rglob("*.py"))
        if path.name not in {"echo.py", "console.py"}
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Call) and (name := ast.unparse(node.func)) in PRINTING
    ]
    assert past == []
    for path in CLI.rglob("*.py"):
        if path.name != "echo.py":
            assert "stdout.buffer" not in path.read_text("utf-8"), path


@pytest.mark.parametrize(
    ("pieces", "text"),
    [
        ([b"a\r", b"\nb\n"], "a\nb\n"),
        ([b"a\r", b"b"], "a␍b\n"),
        ([b"a\r"], "a␍\n"),
        ([b"\xc3", b"\xa9"], "é\n"),
        ([b"\xc2", b"\x9b\xff"], "\ufffd\ufffd\n"),
        ([], ""),
    ],
)
def test_what_is_cut_in_two_is_shown_as_one(
    pieces: list[bytes], text: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    with byte_output() as output:
        for piece in pieces:
            output.write(piece)
    assert capsys.readouterr().out == text


@pytest.fixture
def hostile(records: Shell, database: str) -> Shell:
    """With a turn on record whose every text means harm."""
    fields = ("user_message", "person", "host", "page_origin", "error_code", "model")
    row = replace(
        ROW,
        turn_id="01a1fdb9-b627-7948-85e7-ca4dc12dfac7",
        response=STORED + DECODED,
        observed_tools=(STORED,),
        **dict.fromkeys(fields, STORED),
    )
    asyncio.run(insert(database, row))
    return records


@pytest.mark.parametrize(
    "command",
    ["list", "list --json", "show 2dfac7", "show 2dfac7 --json", "search owned", "export", "export --format csv"],
)
def test_a_turn_that_means_harm_is_shown_on_a_terminal_and_obeyed_nowhere(hostile: Shell, command: str) -> None:
    shown = hostile.on_screen("turns", *command.split(), TERM="dumb", COLUMNS="400")
    assert "owned" in shown
    assert obeyed(shown) == set()


def test_an_export_into_a_pipe_is_exact(hostile: Shell) -> None:
    exported = hostile("turns", "export").stdout.split("\n")
    assert STORED + DECODED in [json.loads(line)["response"] for line in exported if line]
    assert "\x1b]52;c;aGk=\x1b\\D\x9b2J".encode() in hostile("turns", "export", "--format", "csv").stdout_bytes


def test_what_a_command_logs_is_clean() -> None:
    """A command such as `remote test` sets up no log; Python writes its warnings to stderr all the same."""
    code = f"""import logging, sys
from paliadin.cli import main
sys.argv = ["paliadin", "--version"]
try:
    main()
except SystemExit:
    logging.getLogger("paliadin.relays.ssh.connection").warning("host %s: %s", "far", {HOSTILE!r})"""
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ended.stderr.startswith("host far: A␛]0;owned␇B")
    assert ended.stderr.count("\n") == 1
    assert obeyed(ended.stderr) == set()
