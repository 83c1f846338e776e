from __future__ import annotations

import asyncio
import contextlib
import errno
import json
import os
import stat
import subprocess
import sys
import uuid
from collections.abc import AsyncIterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paliadin.base.errors import NotFound, StorageFull
from paliadin.base.files import write_json
from paliadin.steps.model import LONGEST_TEXT, Accepted, Step, Stopping, Text
from paliadin.turnlog import ids as turn_ids
from paliadin.turnlog.append import append
from paliadin.turnlog.description import Description
from paliadin.turnlog.folder import TurnFolder
from paliadin.turnlog.follow import LINES_AT_ONCE, follow
from paliadin.turnlog.ids import check_turn_id, new_turn_id
from paliadin.turnlog.read import MAX_LINE, MOST_VALUES, LogReader, read_whole_lines
from tests.worlds.logs import logged, write

TURN = "019a2b3c-4d5e-7f60-8123-456789abcdef"
DESCRIPTION = {"turn_id": TURN, "session_id": "main", "user_message": "x"}


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


# Ids.


def test_an_id_is_a_uuid_of_version_7_made_now(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turn_ids, "_latest_ms", [0])  # of many ids within a millisecond, the last ones are ahead of it
    before = turn_ids.now_ms()
    made = uuid.UUID(new_turn_id())
    assert (made.version, made.variant) == (7, uuid.RFC_4122)
    assert before <= made.int >> 80 <= turn_ids.now_ms()
    assert check_turn_id(str(made)) == str(made)


def test_ids_sort_by_the_time_they_were_made(monkeypatch: pytest.MonkeyPatch) -> None:
    ids = []
    for now in range(1_700_000_000_000, 1_700_000_000_050):
        monkeypatch.setattr(turn_ids, "now_ms", lambda now=now: now)
        ids.append(new_turn_id())
    assert ids == sorted(ids)
    assert len(set(ids)) == len(ids)


def test_ids_stay_in_order_when_the_clock_is_set_back(monkeypatch: pytest.MonkeyPatch) -> None:
    ids = []
    for now in (1_700_000_000_000, 1_700_000_000_000, 1_699_999_990_000, 1_699_998_000_000, 1_700_000_000_002):
        monkeypatch.setattr(turn_ids, "now_ms", lambda now=now: now)
        ids.append(new_turn_id())
    assert ids == sorted(ids)
    monkeypatch.setattr(turn_ids, "now_ms", lambda: 1_600_000_000_000)  # it was wrong by years before: believe it now
    assert turn_ids.started_at(new_turn_id()).year == 2020


def test_an_id_tells_the_day_of_its_folder_in_utc(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for at, day in (("2026-11-21T23:59:59.999", "2026-11-21"), ("2026-11-22T00:00:00", "2026-11-22")):
        moment = datetime.fromisoformat(at).replace(tzinfo=UTC)
        monkeypatch.setattr(turn_ids, "now_ms", lambda moment=moment: round(moment.timestamp() * 1000))
        turn_id = new_turn_id()
        assert turn_ids.started_at(turn_id) == moment
        assert TurnFolder(tmp_path, turn_id).path == tmp_path / day / turn_id


NO_IDS = [
    "",
    ".",
    "..",
    "../../etc/passwd",
    "/etc/passwd",
    f"../{TURN}",
    f"{TURN}/..",
    f"{TURN}\n",
    f" {TURN}",
    f"{TURN}\0",
    TURN.upper(),
    TURN.replace("-", ""),
    "019a2b3c-4d5e-4f60-8123-456789abcdef",  # version 4
    "019a2b3c-4d5e-7f60-0123-456789abcdef",  # another variant
    "\u066019a2b3c-4d5e-7f60-8123-456789abcdef",
    "ffffffff-ffff-7fff-bfff-ffffffffffff",  # the year 10889
]


@pytest.mark.parametrize("text", NO_IDS)
def test_what_is_no_id_is_not_found(tmp_path: Path, text: str) -> None:
    with pytest.raises(NotFound) as caught:
        check_turn_id(text)
    assert caught.value.code == "unknown_turn"
    with pytest.raises(NotFound):
        TurnFolder(tmp_path, text).describe()


@given(st.text(max_size=40) | st.uuids().map(str) | st.from_regex(turn_ids._UUID7, fullmatch=True))
def test_every_id_that_passes_names_a_folder_two_below_the_turns(text: str) -> None:
    try:
        path = TurnFolder(Path("/turns"), text).path
    except NotFound:
        return
    assert path.parent.parent == Path("/turns")
    assert os.path.normpath(path) == str(path)


# Writing.


def test_nothing_is_appended_to_a_turn_whose_folder_is_gone(tmp_path: Path) -> None:
    turn = TurnFolder(tmp_path, TURN)
    with pytest.raises(NotFound, match=TURN) as caught:
        write(turn, {"relay": {"kind": "aborted"}})
    assert (caught.value.code, caught.value.hint) == (
        "unknown_turn",
        "It was deleted while the turn ran: ask again.",
    )
    assert logged(turn) == []


def test_a_record_stands_between_newlines_and_has_its_time(tmp_path: Path) -> None:
    turn = TurnFolder(tmp_path, TURN)
    turn.create(Description.parse(DESCRIPTION))
    write(turn, {"relay": {"kind": "accepted"}})
    write(turn, {"hook": {"delta": "a\nb \ud83d é"}})
    raw = turn.log.path.read_bytes()
    assert raw.startswith(b"\n{")
    assert raw.endswith(b"}\n")
    first, second = logged(turn)
    assert first["relay"] == {"kind": "accepted"}
    assert isinstance(first["at"], int)
    assert second["hook"] == {"delta": "a\nb ? é"}


def test_a_write_that_the_disk_cuts_short_is_reported_and_harms_no_other_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log, write = tmp_path / "events.jsonl", os.write
    append(log, {"n": 1})
    monkeypatch.setattr(os, "write", lambda descriptor, data: write(descriptor, data[:7]))
    with pytest.raises(StorageFull, match=str(log)):
        append(log, {"n": "cut"})
    monkeypatch.undo()
    append(log, {"n": 2})
    assert LogReader(log).read() == [{"n": 1}, {"n": 2}]


APPENDER = """
import sys
from pathlib import Path
from paliadin.turnlog.append import append
from tests.worlds.logs import logged, write
name, size, count = sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
sys.stdin.read()
for number in range(count):
    append(Path(sys.argv[1]), {"from": name, "number": number, "text": name * size})
"""


def test_many_processes_at_once_tear_no_line(tmp_path: Path) -> None:
    log = tmp_path / "events.jsonl"
    plan = {"a": (3_000_000, 5), "b": (3_000_000, 5), "c": (10, 300), "d": (10, 300), "e": (4_000, 100), "f": (1, 300)}
    processes = [
        subprocess.Popen([sys.executable, "-c", APPENDER, str(log), name, str(size), str(count)], stdin=subprocess.PIPE)
        for name, (size, count) in plan.items()
    ]
    for process in processes:
        assert process.stdin
        process.stdin.close()  # all begin together
    assert [process.wait(60) for process in processes] == [0] * len(processes)
    raw = [line for line in log.read_bytes().split(b"\n") if line]
    seen = [(line["from"], line["number"], len(line["text"])) for line in map(json.loads, raw)]
    for name, (size, count) in plan.items():
        assert [(number, length) for who, number, length in seen if who == name] == [(n, size) for n in range(count)]
    assert len(seen) == sum(count for _, count in plan.values())


def test_a_json_file_is_written_whole_or_not_at_all(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "answer.json"
    write_json(path, {"by": "page"})
    assert mode(path) == 0o600

    def broken(*_: object) -> None:
        raise OSError(errno.EDQUOT, "Disk quota exceeded")

    monkeypatch.setattr(Path, "replace", broken)
    with pytest.raises(StorageFull):
        write_json(path, {"by": "terminal"})
    assert json.loads(path.read_text()) == {"by": "page"}
    assert list(tmp_path.iterdir()) == [path]


def test_another_trouble_than_a_full_disk_keeps_its_name(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        write_json(tmp_path / "missing" / "answer.json", {})
    with pytest.raises(IsADirectoryError):
        append(tmp_path, {})


def test_a_log_is_no_longer_than_its_text_in_utf_8(tmp_path: Path) -> None:
    append(tmp_path / "events.jsonl", {"delta": "ä€😀"})
    assert (tmp_path / "events.jsonl").read_text("utf-8") == '\n{"delta": "ä€😀"}\n'


def test_a_disk_that_is_full_before_the_first_byte_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "write", full)
    with pytest.raises(StorageFull, match=str(tmp_path / "events.jsonl")):
        append(tmp_path / "events.jsonl", {})


# Reading.


def test_only_whole_lines_are_read_each_once(tmp_path: Path) -> None:
    log = tmp_path / "events.jsonl"
    reader = LogReader(log)
    assert reader.read() == []
    with log.open("ab", buffering=0) as file:
        for piece, seen in [
            (b'\n{"n"', []),
            (b": 1}", []),
            (b"\n", [{"n": 1}]),
            (b'\n{"n": 2}\n\n{"n": 3}\n\n{', [{"n": 2}, {"n": 3}]),
            (b'"torn": \n{"n": 4}\n', [{"n": 4}]),
        ]:
            file.write(piece)
            assert reader.read() == seen
    assert LogReader(log).read() == [{"n": n} for n in (1, 2, 3, 4)]


@pytest.mark.parametrize(
    "raw",
    [
        b"not json",
        b"[1]",
        b"3",
        b"null",
        b'{"a": NaN}',
        b'{"a": 1e999}',
        b'{"a":' * 90_000,
        b'{"a":' * 5000 + b"1" + b"}" * 5000,
        b'{"a": ' + b"1" * 5000 + b"}",
        b"\x00" * 100,
    ],
)
def test_a_line_that_is_no_json_object_is_passed_over(tmp_path: Path, raw: bytes) -> None:
    log = tmp_path / "events.jsonl"
    log.write_bytes(b'{"n": 1}\n' + raw + b'\n{"n": 2}\n')
    assert LogReader(log).read() == [{"n": 1}, {"n": 2}]


def test_half_an_emoji_is_read_as_something_that_can_be_sent_on(tmp_path: Path) -> None:
    log = tmp_path / "events.jsonl"
    log.write_bytes(b'{"delta": "\\ud83d", "\\uDE00": ["\\ud83d\\ude00"]}\n{"delta": "\xff"}\n')
    assert LogReader(log).read() == [{"delta": "?", "?": ["😀"]}, {"delta": "\ufffd"}]


# Following.

Followed = tuple[Path, "asyncio.Queue[object]"]


async def take(lines: asyncio.Queue[object], count: int) -> list[object]:
    async with asyncio.timeout(20):
        return [await lines.get() for _ in range(count)]


async def following(log: Path, lines: asyncio.Queue[object]) -> None:
    async for line in follow(log):
        await lines.put(line["n"])


@pytest.fixture
async def followed(tmp_path: Path) -> AsyncIterator[Followed]:
    """(log, its lines as they come), of a log that is not there yet."""
    lines: asyncio.Queue[object] = asyncio.Queue()
    task = asyncio.create_task(following(tmp_path / "events.jsonl", lines))
    yield tmp_path / "events.jsonl", lines
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


async def test_follow_gives_what_was_there_and_what_comes(tmp_path: Path) -> None:
    log = tmp_path / "events.jsonl"
    append(log, {"n": 0})
    append(log, {"n": 1})
    lines: asyncio.Queue[object] = asyncio.Queue()
    task = asyncio.create_task(following(log, lines))
    assert await take(lines, 2) == [0, 1]
    for number in range(2, 50):
        append(log, {"n": number})
        assert await take(lines, 1) == [number]
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)


async def test_follow_lets_others_work_between_the_lines_of_a_long_log(tmp_path: Path) -> None:
    log = tmp_path / "events.jsonl"
    log.write_text('{"at": 1}\n' * 20 * LINES_AT_ONCE)
    turns = 0

    async def others() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    task = asyncio.create_task(others())
    seen = []
    async for _ in (lines := follow(log)):
        seen.append(turns)
        if len(seen) == 20 * LINES_AT_ONCE:
            break
    await lines.aclose()  # type: ignore[attr-defined]
    task.cancel()
    assert seen[-1] - seen[0] >= 19


async def test_follow_waits_for_a_log_that_is_not_there_yet(followed: Followed) -> None:
    log, lines = followed
    await asyncio.sleep(0)
    append(log, {"n": 0})
    assert await take(lines, 1) == [0]


async def test_follow_waits_for_the_end_of_a_line(followed: Followed) -> None:
    log, lines = followed
    with log.open("ab", buffering=0) as file:
        file.write(b'{"n": 0}\n{"n": ')
        assert await take(lines, 1) == [0]
        file.write(b'1}\n{"n": 2}\n')
        assert await take(lines, 2) == [1, 2]


async def test_follow_loses_nothing_of_a_burst(followed: Followed) -> None:
    log, lines = followed
    for number in range(2000):
        append(log, {"n": number})
    assert await take(lines, 2000) == list(range(2000))


@pytest.mark.parametrize("stays_open", [True, False])
def test_a_log_is_read_on_whether_it_stays_open_or_not(tmp_path: Path, stays_open: bool) -> None:
    log = tmp_path / "events.jsonl"
    with contextlib.ExitStack() as stack:
        reader = LogReader(log)
        if stays_open:
            stack.enter_context(reader)
        assert reader.read() == []
        append(log, {"n": 1})
        assert (reader.read(), reader.read()) == ([{"n": 1}], [])
        log.rename(tmp_path / "away")
        (tmp_path / "away").rename(log)
        append(log, {"n": 2})
        assert reader.read() == [{"n": 2}]
        log.write_text('{"n": 3}\n')
        assert reader.read() == [{"n": 3}]  # cut
        (tmp_path / "longer").write_text('{"n": 3}\n{"n": 4}\n')
        (tmp_path / "longer").replace(log)
        assert reader.read() == [{"n": 4}]
        log.unlink()
        assert reader.read() == []
        log.write_text('{"n": 5}\n')
        assert reader.read() == [{"n": 5}]
        assert open_files(log) == int(stays_open)
    assert open_files(log) == 0


def open_files(path: Path) -> int:
    """How often this process has the file open."""
    found = 0
    for descriptor in Path("/dev/fd").iterdir():
        with contextlib.suppress(OSError):
            found += descriptor.samefile(path)
    return found


async def test_several_follow_the_same_log(tmp_path: Path) -> None:
    log = tmp_path / "events.jsonl"
    queues: list[asyncio.Queue[object]] = [asyncio.Queue() for _ in range(5)]
    tasks = [asyncio.create_task(following(log, queue)) for queue in queues]
    append(log, {"n": 0})
    for queue in queues:
        assert await take(queue, 1) == [0]
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def test_a_log_that_was_cut_is_read_from_its_beginning(tmp_path: Path) -> None:
    log = tmp_path / "events.jsonl"
    reader = LogReader(log)
    for number in range(9):
        append(log, {"n": number})
    with log.open("ab") as file:
        file.write(b'{"torn": ')
    assert len(reader.read()) == 9
    log.write_text('{"n": 0}\n')
    assert reader.read() == [{"n": 0}]


def test_a_log_that_was_gone_is_read_from_its_beginning_also_if_the_new_one_is_as_long(tmp_path: Path) -> None:
    log = tmp_path / "events.jsonl"
    reader = LogReader(log)
    log.write_text('{"n": 1}\n')
    assert reader.read() == [{"n": 1}]
    log.unlink()
    assert reader.read() == []
    log.write_text('{"n": 2}\n')
    assert reader.read() == [{"n": 2}]


def test_for_a_copy_whole_lines_are_read_from_an_offset_on_and_at_least_one(tmp_path: Path) -> None:
    log, long = tmp_path / "events.jsonl", b"x" * 600_000 + b"\n"
    assert read_whole_lines(log, 0) == b""
    log.write_bytes(b"one\ntwo\nunfinished")
    assert read_whole_lines(log, 0) == b"one\ntwo\n"
    assert read_whole_lines(log, 4) == b"two\n"
    assert read_whole_lines(log, 8) == b""
    log.write_bytes(long + b"next\n")
    assert read_whole_lines(log, 0).startswith(long)
    log.write_bytes(b"line\n" * 100_000)
    assert 200_000 < len(read_whole_lines(log, 0)) < 300_000  # a part, so that memory stays small


async def test_a_steps_log_is_followed_as_steps(tmp_path: Path) -> None:
    turn = TurnFolder(tmp_path, TURN)
    turn.create(Description.parse(DESCRIPTION))
    turn.log.append(Accepted(1, "opus"))
    seen: list[Step] = []
    async with asyncio.timeout(20):
        async for step in turn.log.follow():
            seen.append(step)
            if len(seen) == 2:
                break
            turn.log.append(Stopping(2))
    assert seen == [Accepted(1, "opus"), Stopping(2)] == list(turn.log.read())


async def test_who_follows_a_long_text_lets_others_have_a_turn_between_its_parts(tmp_path: Path) -> None:
    turn, rounds = TurnFolder(tmp_path, TURN), 0
    turn.create(Description.parse(DESCRIPTION))
    turn.log.append(Text(1, "m1", text := "seven rooms " * 100_000, final=True))

    async def whole() -> list[Step]:
        steps: list[Step] = []
        async for step in turn.log.follow():
            steps.append(step)
            if isinstance(step, Text) and step.final:
                break
        return steps

    reading = asyncio.create_task(whole())
    while not reading.done():
        rounds += 1
        await asyncio.sleep(0)
    steps = reading.result()
    assert "".join(step.text for step in steps if isinstance(step, Text)) == text
    assert rounds > len(steps) > len(text) // LONGEST_TEXT
    assert steps == list(turn.log.read())  # the history numbers the same events


def test_a_log_of_any_size_is_read_a_part_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log, sizes, read = tmp_path / "events.jsonl", list[int](), os.pread
    log.write_bytes(b"".join(b'\n{"n": %d}\n' % number for number in range(100_000)))

    def pread(descriptor: int, size: int, offset: int) -> bytes:
        sizes.append(size)
        return read(descriptor, size, offset)

    monkeypatch.setattr(os, "pread", pread)
    parts = list(LogReader(log).parts())
    assert [line["n"] for part in parts for line in part] == list(range(100_000))
    assert max(sizes) <= 65_536
    assert max(map(len, parts)) < 10_000


@pytest.mark.parametrize("more", [1, 100_000])
def test_of_a_line_without_end_no_more_is_kept_than_a_line_may_have(tmp_path: Path, more: int) -> None:
    log = tmp_path / "events.jsonl"
    reader, kept = LogReader(log), []
    with log.open("wb", buffering=0) as file:
        file.write(b'{"n": 1}\n{"n": "')
        for _ in range(MAX_LINE // 1_000_000 + 1):
            file.write(b"x" * 1_000_000)
            for part in reader.parts():
                kept.append(len(reader._rest))
                assert part in ([], [{"n": 1}])
        file.write(b"x" * more + b'"}\n{"n": 2}\n')
    assert max(kept) <= MAX_LINE
    assert reader.read() == [{"n": 2}]


def test_a_line_is_whole_as_long_as_it_may_be(tmp_path: Path) -> None:
    log = tmp_path / "events.jsonl"
    text = "x" * (MAX_LINE - 10)
    log.write_text(f'{{"n": "{text}"}}\n')
    assert LogReader(log).read() == [{"n": text}]


@pytest.mark.parametrize("many", ["[],", "{},", "1.5,"])
def test_a_line_of_very_many_values_is_skipped(tmp_path: Path, many: str) -> None:
    """They take 20 times the memory of their bytes."""
    log = tmp_path / "events.jsonl"
    log.write_text(f'{{"n": [{many * MOST_VALUES}0]}}\n{{"n": [{many * 50_000}0]}}\n')
    assert [len(line["n"]) for line in LogReader(log).read()] == [50_001]


def test_a_line_with_a_long_text_is_read_whatever_signs_are_in_it(tmp_path: Path) -> None:
    """A table with empty cells, or the text of a program."""
    log, text = tmp_path / "events.jsonl", ',[{"\\' * MOST_VALUES
    log.write_text(json.dumps({"n": text}) + "\n")
    assert LogReader(log).read() == [{"n": text}]


async def test_who_follows_a_log_without_line_ends_lets_others_have_a_turn(tmp_path: Path) -> None:
    log, rounds = tmp_path / "events.jsonl", 0
    log.write_bytes(b"x" * 5_000_000 + b'\n{"n": 1}\n')

    async def first() -> object:
        async with contextlib.aclosing(follow(log, is_ours=True)) as lines:  # type: ignore[type-var]
            return await anext(lines)

    reading = asyncio.create_task(first())
    while not reading.done():
        rounds += 1
        await asyncio.sleep(0)
    assert reading.result() == {"n": 1}
    assert rounds > 70
