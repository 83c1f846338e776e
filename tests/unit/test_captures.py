"""Captures: what is written of a request and its response, what is not, the limits, an index that nothing breaks."""

from __future__ import annotations

import errno
import json
import os
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace

import pytest

from paliadin.live import capture_room, captures
from paliadin.live.capture_index import Entry, entries, find, part
from paliadin.live.capture_room import NO_TURN, make_room, remove
from paliadin.live.captures import Capture
from paliadin.live.framing import Head
from paliadin.live.observer import Observer, Watching

ROOT = Path(__file__).parents[2]
TURN = "019a2b3c-4d5e-7f60-8123-456789abcdef"
OTHER = "019a2b3c-4d5e-7f60-8123-456789abcdee"
PROMPT = "0d9f6c1e-0000-4000-8000-000000000001"
SECRET = "sk-ant-secret"
BODY = json.dumps({"model": "claude-opus-4-8", "messages": [], "tools": [{}], "stream": True}).encode()
REQUEST = Head(
    "POST /random-secret/v1/messages?beta=true&key=sk-ant-secret HTTP/1.1",
    [
        *(("Host", "127.0.0.1:1"), ("X-Api-Key", SECRET), ("Authorization", f"Bearer {SECRET}"), ("Cookie", SECRET)),
        *(("User-Agent", "claude-cli/2"), ("Content-Length", str(len(BODY))), ("x-claude-code-prompt-id", PROMPT)),
        *(("x-claude-code-session-id", "c-1"), ("x-claude-code-request-class", "main"), ("X-Custom", SECRET)),
    ],
)
RESPONSE = Head(
    "HTTP/1.1 200 OK",
    [("Content-Type", "text/event-stream"), ("Set-Cookie", SECRET), ("anthropic-organization-id", SECRET)],
)
EVENTS = b"event: message_stop\ndata: {}\n\n"


@pytest.fixture(autouse=True)
def _forgotten_quotas() -> None:
    capture_room.quota.cache_clear()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "captures"


def captured(
    folder: Path, turn: str | None = TURN, body: bytes = BODY, response: Sequence[bytes] = (EVENTS,), **changed: object
) -> Entry:
    """A finished capture's entry."""
    before = {entry.name for entry in entries(folder)}
    capture = Capture(folder, REQUEST, "main")
    capture.turn, capture.model = turn, "claude-opus-4-8"
    capture.write_request(body)
    capture.begin_response(RESPONSE)
    for piece in response:
        capture.write_response(piece)
    capture.finish(complete=bool(changed.get("complete", True)))
    [entry] = [entry for entry in entries(folder) if entry.name not in before]
    return entry


def content(folder: Path, entry: Entry, which: str | None = None) -> bytes:
    found, place = find(folder, entry.name), part(entry, which)
    assert found
    assert place
    with found[1] as file:
        return file.read()[slice(*place)]


def files(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_bodies_are_kept_as_they_were_and_the_entry_tells_of_them(folder: Path) -> None:
    body, events = b'{"a": "\\u00e9\r\n\r\n"}', b"\r\n\r\n\x00\xff"
    entry = captured(folder, body=body, response=[events[:3], events[3:]])
    assert content(folder, entry, "request").endswith(b"\r\n\r\n" + body)
    assert content(folder, entry, "response").endswith(b"\r\n\r\n" + events)
    assert content(folder, entry, "response").startswith(b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n")
    assert content(folder, entry) == b"\r\n\r\n".join(content(folder, entry, part) for part in ("request", "response"))
    assert (entry.turn, entry.session, entry.conversation, entry.request_class) == (TURN, "main", "c-1", "main")
    assert (entry.model, entry.method, entry.status) == ("claude-opus-4-8", "POST", 200)
    assert (entry.request_bytes, entry.response_bytes) == (len(body), len(events))
    assert entry.prompt_id == PROMPT
    assert entry.name.startswith(f"{TURN}--{entry.at}-")
    assert entry.answered_ms is not None
    assert entry.duration_ms is not None
    assert 0 <= entry.answered_ms <= entry.duration_ms < 10_000


def test_no_secret_is_in_a_head_the_path_the_entry_or_a_name(folder: Path) -> None:
    entry = captured(folder)
    assert entry.path == "/v1/messages?beta=true&key=(not kept)"
    head = content(folder, entry).partition(b"\r\n\r\n")[0].decode()
    assert head.splitlines()[:3] == [f"POST {entry.path} HTTP/1.1", "Host: (not kept)", "X-Api-Key: (not kept)"]
    assert "User-Agent: claude-cli/2" in head
    for path in folder.iterdir():
        for secret in (SECRET, "random-secret"):
            assert secret.encode() not in path.read_bytes()
            assert secret not in path.name


def test_only_the_account_can_read_them(folder: Path) -> None:
    folder.mkdir(mode=0o755)
    folder.chmod(0o755)
    captured(folder)
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()} == {0o600}
    assert len(files(folder)) == 2


def test_a_link_in_the_folders_place_is_refused(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    captured(tmp_path / "elsewhere")
    folder.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(OSError, match="link"):
        Capture(folder, REQUEST, "main")
    assert entries(folder) == []
    assert remove(folder, [TURN]) == 0
    assert len(files(tmp_path / "elsewhere")) == 2


@pytest.mark.parametrize("turn", [None, "", "..", "../../x", "main", "-" * 36, TURN + "x", TURN.upper()])
def test_what_is_no_turns_id_names_no_file(folder: Path, turn: str | None) -> None:
    entry = captured(folder, turn=turn)
    assert entry.turn is None
    assert entry.name.startswith("none--")
    assert entries(folder, NO_TURN) == [entry]


def test_an_unfinished_one_is_not_in_the_index_and_a_discarded_one_leaves_nothing(folder: Path) -> None:
    capture = Capture(folder, REQUEST, "main")
    capture.write_request(BODY)
    assert entries(folder) == []
    capture.discard()
    assert files(folder) == []
    capture = Capture(folder, REQUEST, "main")
    capture.finish(complete=False)
    assert len(files(folder)) == 2
    capture.discard()
    assert files(folder) == []


def test_an_entry_that_cannot_be_written_leaves_no_file_behind(folder: Path) -> None:
    capture = Capture(folder, REQUEST, "main")
    [unfinished] = files(folder)
    (folder / f"{unfinished}.json").mkdir()
    with pytest.raises(OSError, match="exists"):
        capture.finish(complete=True)
    (folder / f"{unfinished}.json").rmdir()
    capture.discard()
    assert files(folder) == []


def test_a_request_that_goes_on_behind_its_response_does_not_mix_with_it(folder: Path) -> None:
    capture = Capture(folder, REQUEST, "main")
    capture.write_request(BODY[:10])
    capture.begin_response(RESPONSE)
    capture.write_request(BODY[10:])
    capture.write_response(EVENTS)
    capture.finish(complete=True)
    [entry] = entries(folder)
    assert content(folder, entry, "request").endswith(BODY[:10])
    assert (entry.complete, entry.cut, entry.request_bytes) == (False, True, len(BODY))


def test_complete_means_that_both_sides_are_whole(folder: Path) -> None:
    assert captured(folder).complete
    assert not captured(folder, complete=False).complete
    assert not captured(folder, body=BODY[:-1]).complete


# The limits.


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limits that a test reaches: 1 MB for all, 80 KB at a time, of which one is kept free."""
    monkeypatch.setattr(capture_room, "MAX_BYTES", 1_000_000)
    monkeypatch.setattr(capture_room, "SHARE", 80_000)
    monkeypatch.setattr(capture_room, "SPARE", 80_000)


def sizes(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.iterdir())


def age(folder: Path, entry: Entry, seconds: float) -> None:
    for path in folder.glob(f"{entry.name}.*"):
        at = path.stat().st_mtime - seconds
        os.utime(path, (at, at))


@pytest.mark.usefixtures("small")
def test_the_oldest_make_room_and_the_limit_is_kept_while_it_is_written(folder: Path) -> None:
    made = []
    for number in range(20):
        made.append(captured(folder, body=b"x" * 50_000, response=[b"y" * 50_000]))
        age(folder, made[-1], 1000 - number)
        assert sizes(folder) <= 1_000_000
    kept = entries(folder)
    assert kept == made[-len(kept) :]
    assert 7 <= len(kept) < 10
    assert len(files(folder)) == 2 * len(kept)


@pytest.mark.usefixtures("small")
def test_one_that_is_larger_than_the_limit_is_cut_and_the_caller_hears_nothing(folder: Path) -> None:
    captured(folder)
    large = captured(folder, response=[b"y" * 40_000] * 50)
    assert entries(folder) == [large]
    assert 800_000 < large.size <= sizes(folder) <= 1_000_000
    assert (large.cut, large.complete, large.response_bytes, large.status) == (True, False, 2_000_000, 200)
    assert content(folder, large, "response").endswith(b"yyy")


def test_one_alone_has_a_limit_and_leaves_the_others_there(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(captures, "MAX_CAPTURE", 100_000)
    earlier = captured(folder)
    large = captured(folder, response=[b"y" * 40_000] * 50)
    assert entries(folder) == [earlier, large]
    assert (large.size <= 100_000, large.cut, large.response_bytes) == (True, True, 2_000_000)


@pytest.mark.usefixtures("small")
def test_where_a_request_is_cut_no_response_is_written(folder: Path) -> None:
    capture = Capture(folder, REQUEST, "main")
    for _ in range(50):
        capture.write_request(b"x" * 40_000)
    capture.begin_response(RESPONSE)
    capture.write_response(EVENTS)
    capture.finish(complete=True)
    [entry] = entries(folder)
    assert (entry.status, entry.cut, entry.response_at, entry.response_bytes) == (200, True, None, len(EVENTS))
    assert part(entry, "response") is None
    assert content(folder, entry, "request").endswith(b"x")


@pytest.mark.usefixtures("small")
def test_several_that_are_written_at_once_keep_the_limit_together(folder: Path) -> None:
    several = [Capture(folder, REQUEST, "main") for _ in range(4)]
    for _ in range(20):
        for capture in several:
            capture.write_request(b"x" * 40_000)
    assert 800_000 < sizes(folder) <= 1_000_000
    capture_room.quota.cache_clear()  # another process
    with pytest.raises(OSError, match="limit") as refused:
        Capture(folder, REQUEST, "main")
    assert refused.value.errno == errno.ENOSPC
    assert len(files(folder)) == 4
    for capture in several:
        capture.finish(complete=True)
    assert all(entry.cut for entry in entries(folder))
    assert sizes(folder) <= 1040_000  # the entries came last


def test_they_are_in_the_order_of_their_requests_also_within_a_millisecond(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    beginnings = iter(range(1_763_726_400_000_000_000, 1_763_726_400_000_999_999, 40_000))
    clock = SimpleNamespace(time_ns=lambda: next(beginnings), monotonic=time.monotonic)
    monkeypatch.setattr("paliadin.live.captures.time", clock)
    made = [captured(folder) for _ in range(20)]
    assert len({entry.at for entry in made}) == 1
    assert [entry.name for entry in entries(folder)] == [entry.name for entry in made]


def test_they_go_after_seven_days_together_with_their_entries(folder: Path) -> None:
    old, young = captured(folder), captured(folder, turn=None)
    age(folder, old, 7 * 86_400 + 5)
    age(folder, young, 7 * 86_400 - 60)
    make_room(folder)
    assert entries(folder) == [young]
    assert len(files(folder)) == 2


def test_what_a_killed_process_was_writing_counts_and_goes(folder: Path) -> None:
    program = f"""
import time
from pathlib import Path
from paliadin.live.captures import Capture
from paliadin.live.framing import Head
capture = Capture(Path({str(folder)!r}), Head("POST /s/v1 HTTP/1.1", []), "main")
capture.write_request(b"x" * 100_000)
print("written", flush=True)
time.sleep(60)
"""
    with subprocess.Popen([sys.executable, "-c", program], cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        assert process.stdout.readline() == "written\n"
        [unfinished] = folder.iterdir()
        soon = unfinished.stat().st_mtime + 120
        assert make_room(folder, now=soon) <= capture_room.MAX_BYTES - 90_000
        assert unfinished.exists()
        process.send_signal(signal.SIGKILL)
        process.wait()
    make_room(folder)
    assert unfinished.exists()  # one that has just been opened is not locked yet
    assert make_room(folder, now=soon) == capture_room.MAX_BYTES
    assert files(folder) == []


def test_somebody_elses_files_are_neither_counted_nor_removed(folder: Path) -> None:
    captured(folder)
    (folder / "notes.txt").write_text("mine")
    (folder / f"{TURN}--1763726400000-000000001.http").mkdir()
    os.utime(folder / "notes.txt", (0, 0))
    make_room(folder, capture_room.MAX_BYTES)
    remove(folder, [TURN])
    assert files(folder) == [f"{TURN}--1763726400000-000000001.http", "notes.txt"]


def test_a_turns_captures_go_and_the_others_stay(folder: Path) -> None:
    captured(folder)
    captured(folder)
    kept = [captured(folder, turn=OTHER), captured(folder, turn=None)]
    assert remove(folder, [TURN]) == 4
    assert {entry.name for entry in entries(folder)} == {entry.name for entry in kept}


@pytest.mark.parametrize("turn", ["*", "", "none--*", "../*"])
def test_what_is_no_turn_removes_and_lists_nothing(folder: Path, turn: str) -> None:
    captured(folder)
    assert remove(folder, [turn]) == 0
    assert entries(folder, turn) == []


def test_without_a_folder_there_is_nothing_and_none_is_made(folder: Path) -> None:
    assert (entries(folder), remove(folder, [TURN]), find(folder, "x")) == ([], 0, None)
    assert make_room(folder) == capture_room.MAX_BYTES
    assert not folder.exists()


# The index.

DAMAGED = [
    b"",
    b"{",
    b"[" * 60_000,
    b'"text"',
    b'{"name": "another", "status": 500}',
    b'{"n":' + b"1" * 5_000 + b"}",
    b"x" * 1_000_000,
]


@pytest.mark.parametrize("written", [*DAMAGED, None], ids=lambda written: str(written)[:20])
def test_a_damaged_entry_leaves_what_the_name_tells(folder: Path, written: bytes | None) -> None:
    entry, path = captured(folder), next(folder.glob("*.json"))
    path.unlink()
    if written is not None:
        path.write_bytes(written)
    assert entries(folder) == [Entry(entry.name, TURN, entry.at, entry.size)]
    assert content(folder, entry).startswith(b"POST ")


def test_an_entry_that_lies_gives_plain_values_only(folder: Path) -> None:
    entry, path = captured(folder), next(folder.glob("*.json"))
    lies = {"turn": OTHER, "model": "\x1b[2J\u202e" + "m" * 300, "status": "200", "at": -1, "size": 1, "complete": 1}
    lies |= {"response_at": 10**18, "request_bytes": -1, "response_bytes": True, "duration_ms": 1.5, "path": ["/"]}
    path.write_text(json.dumps({**json.loads(path.read_text()), **lies}))
    [read] = entries(folder)
    assert read.model == "?[2J?" + "m" * 195
    assert (read.turn, read.at, read.size, read.complete) == (TURN, entry.at, entry.size, False)
    assert {read.status, read.response_at, read.request_bytes, read.response_bytes, read.duration_ms} == {None}
    assert read.path is None
    assert part(read, "response") is None


@pytest.mark.parametrize("cut", [0, 3, 100])
def test_a_file_that_was_cut_short_is_listed_and_has_no_response(folder: Path, cut: int) -> None:
    entry = captured(folder)
    os.truncate(folder / f"{entry.name}.http", cut)
    [short] = entries(folder)
    assert short.size == cut
    assert part(short, "response") is None
    assert len(content(folder, short)) == cut


@pytest.mark.parametrize("suffix", [".http", ".json"])
def test_links_and_pipes_are_not_read(folder: Path, tmp_path: Path, suffix: str) -> None:
    entry = captured(folder)
    path = folder / f"{entry.name}{suffix}"
    path.rename(tmp_path / "elsewhere")
    path.symlink_to(tmp_path / "elsewhere")
    expected = [] if suffix == ".http" else [Entry(entry.name, TURN, entry.at, entry.size)]
    assert entries(folder) == expected
    path.unlink()
    os.mkfifo(path)
    assert entries(folder) == expected
    if suffix == ".http":
        assert find(folder, entry.name) is None


@pytest.mark.parametrize("name", ["", "..", "../x", f"{TURN}--1763726400000-000000001", f"../captures/{TURN}", "notes"])
def test_an_unknown_name_finds_nothing(folder: Path, name: str) -> None:
    captured(folder)
    (folder / "notes.http").write_text("mine")
    assert find(folder, name) is None


# With the observer.


@pytest.fixture
def watching(tmp_path: Path, folder: Path) -> Watching:
    turn = tmp_path / "turns" / "2025-10-28" / TURN
    turn.mkdir(parents=True)
    (tmp_path / "main" / "prompts").mkdir(parents=True)
    (tmp_path / "main" / "prompts" / PROMPT).symlink_to(turn)
    return Watching(session=tmp_path / "main", turns=tmp_path / "turns", preview=False, captures=folder)


def observe(watching: Watching, head: Head = REQUEST, *, before_end: object = None) -> None:
    observer = Observer(head, watching)
    observer.request_content(BODY)
    observer.response_head(RESPONSE)
    observer.response_content(EVENTS)
    observer.response_complete()
    if callable(before_end):
        before_end()
    observer.end()


def test_a_request_belongs_to_the_turn_of_its_prompt(watching: Watching, folder: Path) -> None:
    observe(watching)
    [entry] = entries(folder)
    assert (entry.turn, entry.model, entry.complete) == (TURN, "claude-opus-4-8", True)


@pytest.mark.parametrize("prompt", ["..", ".", "x", OTHER, "", f"../../turns/2025-10-28/{TURN}"])
def test_a_prompt_that_leads_to_no_turn_leaves_it_without_one(watching: Watching, folder: Path, prompt: str) -> None:
    fields = [(name, prompt if name == "x-claude-code-prompt-id" else value) for name, value in REQUEST.fields]
    observe(watching, Head(REQUEST.first_line, fields))
    assert [entry.turn for entry in entries(folder)] == [None]


TITLE = json.dumps({"messages": [{"role": "user", "content": f"A title for: <q>[PALIADIN:{TURN}] Hi</q>"}]}).encode()


@pytest.mark.parametrize("piece", [1, 7, 10_000])
@pytest.mark.parametrize(("body", "turn"), [(TITLE, TURN), (TITLE[:-1] + b', "tools": [{}]}', None)])
def test_a_question_that_is_quoted_for_a_title_names_the_turn(
    watching: Watching, folder: Path, body: bytes, turn: str | None, piece: int
) -> None:
    observer = Observer(Head(REQUEST.first_line, []), watching)  # 2.1.197 names no prompt
    for start in range(0, len(body), piece):
        observer.request_content(body[start : start + piece])
    observer.response_head(RESPONSE)
    observer.end()
    assert [entry.turn for entry in entries(folder)] == [turn]


def test_a_turn_that_is_deleted_while_its_request_runs_leaves_no_capture(watching: Watching, folder: Path) -> None:
    turn = (watching.session / "prompts" / PROMPT).resolve()
    observe(watching, before_end=turn.rmdir)
    assert files(folder) == []
    assert not (watching.session / "hooks.log").exists()


@pytest.mark.usefixtures("small")
def test_without_room_the_stream_goes_on_and_a_line_says_why(watching: Watching, folder: Path) -> None:
    folder.mkdir()
    holding = [Capture(folder, REQUEST, "main") for _ in range(4)]
    for _ in range(25):
        for capture in holding:
            capture.write_request(b"x" * 40_000)
    capture_room.quota.cache_clear()
    observe(watching)
    assert "OSError at captures.py" in (watching.session / "hooks.log").read_text()
    assert SECRET not in (watching.session / "hooks.log").read_text()
    for capture in holding:
        capture.discard()
