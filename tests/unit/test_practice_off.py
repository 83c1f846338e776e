"""A daemon without a practice loads nothing of it, has none of its routes, and needs none of its packages."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from paliadin.toolboxes import stdio

PACKAGES = {"mcp", "mcp_types", "pydantic", "holidays"}
MAKE = """
import json, sys
from pathlib import Path
from paliadin.base.settings import load_settings
from paliadin.daemon import make_parts
from paliadin.people.access import Access
from paliadin.relays.scripted import ScriptedRelay

settings = load_settings({"PALIADIN_HOME": sys.argv[1], "PALIADIN_PALIAD": sys.argv[2]})
api = make_parts(settings, Access(settings.home), [ScriptedRelay(lambda turn: iter(()))]).api
paths = [route.path for route in api.routes()]
loaded = {name.partition(".")[0] for name in sys.modules}
loaded |= {name for name in sys.modules if name.startswith("paliadin.parts.practice.")}
loaded = sorted(loaded - {"paliadin.parts.practice.settings"})
print(json.dumps([paths, loaded, bool(api.dashboard.cards)]))
"""


@pytest.mark.parametrize("is_on", [False, True])
def test_what_is_off_is_not_there(tmp_path: Path, is_on: bool) -> None:
    command = [sys.executable, "-c", MAKE, str(tmp_path), str(is_on).lower()]
    root = str(Path(stdio.__file__).parents[2])
    ended = subprocess.run(
        command, env={"PATH": os.environ["PATH"], "PYTHONPATH": root}, capture_output=True, check=True
    )
    paths, loaded, on_the_dashboard = json.loads(ended.stdout)
    of_the_practice = [path for path in paths if "/practice/" in path or path.endswith("/mcp")]
    modules = {name for name in loaded if "." in name} | (PACKAGES & set(loaded))
    assert bool(of_the_practice) == bool(modules) == on_the_dashboard == is_on


def test_the_process_that_claude_starts_needs_the_standard_library_only(tmp_path: Path) -> None:
    """It runs without site-packages (`-S`), and says in words that there is no daemon."""
    messages = [
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "tools/call",
            "params": {"name": "lookup_court", "arguments": {"q": "x"}},
        },
        {"jsonrpc": "2.0", "id": "two", "method": "tools/list"},
    ]
    lines = b"".join(json.dumps(each).encode() + b"\n" for each in messages) + b"no JSON\n"
    command = [sys.executable, "-I", "-S", stdio.__file__, str(tmp_path / "none.sock"), str(tmp_path)]
    ended = subprocess.run(command, input=lines, capture_output=True, check=True, timeout=30)
    replies = {str(each["id"]): each for each in map(json.loads, ended.stdout.splitlines())}
    assert set(replies) == {"1", "two", "None"}
    assert replies["1"]["result"]["isError"] is True
    assert "daemon does not run" in replies["1"]["result"]["content"][0]["text"]
    assert "daemon does not run" in replies["two"]["error"]["message"]
    assert replies["None"]["error"]["code"] == -32700
    assert not (tmp_path / stdio.LOCK.format("")).exists()  # nobody knows any tools


@pytest.mark.parametrize(
    "line",
    [
        b'{"jsonrpc":"2.0","id":1,"method":"ping","x":' + b"[" * 200_000 + b"]" * 200_000 + b"}",
        b'{"jsonrpc":"2.0","id":"\\ud800","method":"tools/list"}',
        b'{"jsonrpc":"2.0","id":{"a":1},"method":{"b":2}}',
    ],
    ids=["deep", "half of a pair", "objects"],
)
def test_whatever_a_request_holds_it_gets_a_reply(tmp_path: Path, line: bytes) -> None:
    command = [sys.executable, "-I", "-S", stdio.__file__, str(tmp_path / "none.sock")]
    ended = subprocess.run(command, input=line + b"\n", capture_output=True, check=True, timeout=30)
    assert "error" in json.loads(ended.stdout)


def test_an_error_without_an_id_gets_that_of_its_request(
    monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    """The SDK gives none for a call with half of a surrogate pair; its client would wait for ever."""
    client = stdio.Client("")
    monkeypatch.setattr(client, "_post", lambda _: {"jsonrpc": "2.0", "id": None, "error": {"code": -32700}})
    client.take(b'{"jsonrpc":"2.0","id":7,"method":"tools/call"}')
    assert json.loads(capfdbinary.readouterr().out)["id"] == 7


def test_a_message_that_is_too_long_ends_the_process(tmp_path: Path) -> None:
    command = [sys.executable, "-I", "-S", stdio.__file__, str(tmp_path / "none.sock")]
    ended = subprocess.run(command, input=b"x" * 2_000_000, capture_output=True, check=False, timeout=30)
    assert ended.returncode == 1
    assert b"1,000,000 bytes" in ended.stderr
