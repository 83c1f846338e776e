"""What the key of a host opens: the shim's verbs, and nothing else. One host for all of these tests."""

from __future__ import annotations

import json
import os
import subprocess
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from paliadin.base.audit import read_audit_log
from paliadin.cli.remote_key import authorized_keys_line
from paliadin.relays.ssh.shim.log_file import MAX_SIZE, OLDER_FILES
from tests.worlds.far import Far

pytestmark = pytest.mark.timeout(120)


COMMANDS = ["", "id", "$(touch hacked)", "a'; touch hacked; '", "x\ntouch hacked", "y" * 100_000]


@pytest.mark.first(3)
@pytest.mark.parametrize("command", COMMANDS)
def test_the_key_runs_no_command(far: Far, command: str) -> None:
    result = far.ssh(command or "true", stdin=b"touch hacked\n")
    assert result.returncode == 1
    assert result.stdout == b""
    assert b"and nothing else" in result.stderr
    assert not list(far.root.rglob("hacked"))
    assert "refused" in (far.shim_home / "shim.log").read_text()
    made = [far.shim_home, far.shim_home.parent, far.shim_home.parent.parent, far.shim_home / "shim.log"]
    assert [path for path in made if path.stat().st_mode & 0o077] == []


def test_the_key_copies_no_file_and_forwards_nothing(far: Far, tmp_path: Path) -> None:
    stolen = tmp_path / "stolen"
    known = ["-i", str(far.root / "key"), *(option for option in far.options if option not in ("-p", str(far.port)))]
    for program in ("scp", "sftp"):
        source = f"{far.destination}:{far.root}/key.pub"
        command = [program, *known, "-P", str(far.port), "-o", "BatchMode=yes", source, str(stolen)]
        assert subprocess.run(command, capture_output=True, timeout=30, check=False).returncode != 0
        assert not stolen.exists()
    forwarded = far.ssh(stdin=b"\n", options=("-o", "ExitOnForwardFailure=yes", "-R", "0:127.0.0.1:1"))
    assert forwarded.returncode != 0
    assert b"forwarding" in forwarded.stderr
    terminal = far.ssh(stdin=b"", options=("-tt",))
    assert b"PTY allocation request failed" in terminal.stderr


TODAY_THERE = datetime.now().astimezone()  # sshd reads a day in the time zone of its machine
LIMITS: list[tuple[dict[str, Any], bool]] = [
    ({}, True),
    ({"sources": ("127.0.0.0/8", "2001:db8::1")}, True),
    ({"sources": ("192.0.2.7", "2001:db8::/32")}, False),
    ({"expires": (TODAY_THERE + timedelta(days=2)).strftime("%Y-%m-%d")}, True),
    ({"expires": (TODAY_THERE + timedelta(days=2)).strftime("%Y-%m-%dT%H:%M")}, True),
    ({"expires": (TODAY_THERE - timedelta(days=1)).strftime("%Y-%m-%d")}, False),
    ({"expires": (TODAY_THERE - timedelta(hours=1)).strftime("%Y-%m-%dT%H:%M")}, False),
]


@pytest.mark.first(3)
@pytest.mark.parametrize(("limits", "opens"), LIMITS)
def test_the_line_that_is_printed_keeps_to_its_addresses_and_its_day(
    far: Far, limits: dict[str, Any], opens: bool
) -> None:
    line = authorized_keys_line(far.remote(may="ask", **limits))
    (far.root / "authorized_keys").write_text(line + "\n", "ascii")
    try:
        result = far.ssh(stdin=b'{"id": 1, "verb": "hello", "protocol": 2}\n')
    finally:
        far.allow_tester()
    if opens:
        assert json.loads(result.stdout)["result"]["may"] == "ask", result.stderr
    else:
        assert b"Permission denied" in result.stderr
        assert result.stdout == b""


def test_the_host_notes_from_where_the_key_was_used_and_what_was_refused(far: Far) -> None:
    far.ssh(stdin=b'{"id": 1, "verb": "state", "session_id": "../x"}\n')
    far.ssh("id")
    connected, session, command = list(read_audit_log(far.shim_home))[-3:]
    assert {entry["who"] for entry in (connected, session, command)} == {"tester"}
    assert {entry["from"] for entry in (connected, session, command)} == {"127.0.0.1"}
    assert (connected["event"], connected["may"]) == ("connected", "ask,allow")
    assert (session["event"], session["code"], session["verb"]) == ("refused", "unknown_session", "state")
    assert (command["event"], command["what"], command["size"]) == ("refused", "another command", 2)


def test_where_commands_could_read_the_state_there_the_shim_says_what_to_do(far: Far) -> None:
    """The working folder holds it; and the sandbox, which cannot hide such a name, is not to be had."""
    config = far.root / "home" / ".config" / "paliadin" / "config.toml"
    text = config.read_text()
    state = far.root / "state [1]"
    hello = b'{"id": 1, "verb": "hello", "protocol": 2}\n'
    far.allow("--name", "tester", "--workdir", str(far.root))
    try:
        config.write_text(text.replace(str(far.root / "state"), str(state)))
        result = far.ssh(stdin=hello)
        assert result.stdout == b""
        assert str(state).encode() in result.stderr
        assert b"PALIADIN_SANDBOX=false" in result.stderr
        config.write_text(config.read_text() + "sandbox = false\n")
        assert json.loads(far.ssh(stdin=hello).stdout)["id"] == 1
    finally:
        config.write_text(text)
        far.allow_tester()


@pytest.mark.long
def test_the_log_of_refused_commands_does_not_grow_for_ever(far: Far) -> None:
    log = far.shim_home / "shim.log"
    for number in range(OLDER_FILES + 2):
        log.write_bytes(b"x" * MAX_SIZE)
        log.chmod(0o644)  # as an older version made it
        far.ssh(f"command {number}")
    names = {path.name: path for path in far.shim_home.glob("shim.log*")}
    assert set(names) == {"shim.log", *(f"shim.log.{number + 1}" for number in range(OLDER_FILES))}
    assert [name for name, path in names.items() if path.stat().st_mode & 0o077] == []
    assert log.stat().st_size < 1000


NONSENSE = [
    b"",
    b"{",
    b"[]",
    b"ls -l",
    b"\xff" * 50,
    b"[" * 100_000,
    b'{"id": 1}',
    b'{"id": 1, "verb": "exec"}',
    b'{"id": 1, "verb": "_push"}',
    b'{"id": 1, "verb": "state", "session_id": "../x"}',
    b'{"id": 1, "verb": "follow", "turn_id": "../../etc/passwd", "after": 0}',
    b'{"id": 1, "verb": "submit", "turn": {"turn_id": "x"}}',
    b'{"id": 1, "verb": "hello", "protocol": 99}',
]


@pytest.mark.first(4)
@pytest.mark.parametrize("line", NONSENSE)
def test_whatever_is_no_known_request_is_refused_with_an_error(far: Far, line: bytes) -> None:
    result = far.ssh(stdin=line + b"\n")
    assert result.stdout.count(b"\n") == 1
    assert b'"error"' in result.stdout


def test_a_shim_that_starts_after_its_connection_was_closed_does_not_end_a_newer_one(far: Far) -> None:
    """As after a session that was given up at once, when its shim starts later than the next one."""
    ssh = ["ssh", *far.options, "-i", str(far.root / "key"), far.destination]
    with subprocess.Popen(ssh, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as serving:
        assert b'"error"' in response(serving)
        late = start_with_closed_connection([str(far.program), "--name", "tester"])
        assert b"the connection was closed" in late.communicate(timeout=30)[1]
        assert b'"error"' in response(serving)
    assert serving.returncode == 0


def response(shim: subprocess.Popen[bytes]) -> bytes:
    """What the shim answers to a line that is no request."""
    assert shim.stdin
    assert shim.stdout
    shim.stdin.write(b"{\n")
    shim.stdin.flush()
    return shim.stdout.readline()


def start_with_closed_connection(command: list[str]) -> subprocess.Popen[bytes]:
    reading, writing = os.pipe()
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=writing, stderr=subprocess.PIPE)
    os.close(reading)
    os.close(writing)
    return process
