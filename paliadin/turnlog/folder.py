"""The turn log: a folder per turn, and in it `events.jsonl`, appended to by hooks and relay, followed by everyone else.

A record is newline, JSON object, newline, in one write on an O_APPEND descriptor: writers that run at once do not tear
each other's lines, and after a short write on a full disk the next record still starts on a line of its own. Readers
skip what does not parse.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import json
import os
import re
import time
import uuid
from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import watchfiles

from paliadin.errors import NotFound, StorageFull
from paliadin.strictjson import read_json

Line = Mapping[str, object]
"""One parsed line of a turn log; its shapes: `Reducer` in reduce.py."""

_UUID7 = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
_FULL = (errno.ENOSPC, errno.EDQUOT)
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
_LAST_MS = 253_402_300_799_000  # the last second that a datetime knows; an id may say a later one
_SET_BACK_MS = 3_600_000  # a clock set back by less changes no order
_latest_ms = [0]  # of the newest id
_nudged: dict[Path, set[asyncio.Event]] = {}  # the folders that are watched
_MIRRORED_AT_ONCE = 256 * 1024  # bytes
_LOOK_AGAIN_MS = 250  # a watch that missed something (a folder moved away and back) costs at most this delay


def hook_event(line: Line) -> object:
    """The name of the hook event that a line tells of; None when it tells of something else."""
    hook = line.get("hook")
    return hook.get("hook_event_name") if isinstance(hook, Mapping) else None


def now_ms() -> int:
    return time.time_ns() // 1_000_000


def new_turn_id() -> str:
    """A UUIDv7 (RFC 9562): sorts by time, behind every earlier one of this process, and tells the day of its folder."""
    now, latest = now_ms(), _latest_ms[0]
    _latest_ms[0] = latest + 1 if now <= latest < now + _SET_BACK_MS else now
    value = _latest_ms[0] << 80 | 0x7 << 76 | int.from_bytes(os.urandom(10)) & ~(0xF << 76)
    return str(uuid.UUID(int=value & ~(0b11 << 62) | 0b10 << 62))


def check_turn_id(text: str) -> str:
    """The id if it is one; else NotFound. Every path is made from a checked id: no `..` gets in."""
    if not _UUID7.fullmatch(text) or _milliseconds(text) > _LAST_MS:
        raise NotFound("there is no turn with this id", code="unknown_turn")
    return text


def started_at(turn_id: str) -> datetime:
    return datetime.fromtimestamp(_milliseconds(turn_id) / 1000, UTC)


def _milliseconds(turn_id: str) -> int:
    return int(turn_id.replace("-", ""), 16) >> 80


@dataclass(frozen=True, slots=True)
class TurnFolder:
    """Where a turn lives: <turns>/<UTC day of its id>/<turn_id>/."""

    turns: Path
    turn_id: str

    @property
    def path(self) -> Path:
        return self.turns / started_at(check_turn_id(self.turn_id)).strftime("%Y-%m-%d") / self.turn_id

    @property
    def log(self) -> Path:
        return self.path / "events.jsonl"

    @property
    def recorded(self) -> Path:
        """Empty file: the finished row is in the database."""
        return self.path / "recorded"

    @property
    def watched(self) -> Path:
        """Empty file: somebody followed the turn when it ended, or came back within a minute."""
        return self.path / "watched"

    def create(self, description: Line) -> None:
        """Make the folder with its turn.json; raises StorageFull, and leaves no half of it then."""
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self.path.mkdir(mode=0o700)
            (self.path / "answers").mkdir(mode=0o700)
            write_json(self.path / "turn.json", description)
            os.close(os.open(self.log, os.O_CREAT | os.O_WRONLY, 0o600))
        except StorageFull:
            self.discard()
            raise
        except OSError as error:
            self.discard()
            raise _storage_error(error, self.path) from error

    def discard(self) -> None:
        for path in sorted(self.path.glob("**/*"), reverse=True):
            path.rmdir() if path.is_dir() and not path.is_symlink() else path.unlink()
        with contextlib.suppress(FileNotFoundError):
            self.path.rmdir()

    def describe(self) -> Line:
        """What turn.json says; NotFound when the turn (or its folder, after KEEP_DAYS) is gone."""
        try:
            description = read_json((self.path / "turn.json").read_text("utf-8"))
        except (OSError, ValueError) as error:
            raise NotFound("there is no turn with this id", code="unknown_turn") from error
        if not isinstance(description, dict) or description.get("turn_id") != self.turn_id:
            raise NotFound("the turn's description is damaged", code="unknown_turn")
        return description

    def append(self, **record: object) -> None:
        append(self.log, {"at": now_ms(), **record})

    def lines(self) -> Iterator[Line]:
        """All lines so far."""
        return iter(LogReader(self.log).read())


def append(path: Path, record: Line) -> None:
    """Append one record in one write; raises StorageFull, NotFound when the folder is gone."""
    append_bytes(path, b"\n" + json.dumps(record, ensure_ascii=False).encode("utf-8", "replace") + b"\n")


def append_bytes(path: Path, data: bytes) -> None:
    """Append in one write; raises StorageFull, NotFound when the folder is gone."""
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            written = os.write(descriptor, data)
        finally:
            os.close(descriptor)
    except FileNotFoundError as error:
        raise NotFound(f"the turn's folder {path.parent} is gone", code="unknown_turn") from error
    except OSError as error:
        raise _storage_error(error, path) from error
    if written < len(data):
        raise StorageFull(f"the disk that holds {path} is full")


def write_json(path: Path, value: Line) -> None:
    """See `write_text`."""
    write_text(path, json.dumps(value, ensure_ascii=False))


def write_text(path: Path, text: str) -> None:
    """Write a file whole or not at all, mode 0600; raises StorageFull."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.{time.monotonic_ns()}")
    try:
        descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8", errors="replace") as file:
            file.write(text)
        temporary.replace(path)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        raise _storage_error(error, path) from error


@dataclass(slots=True)
class LogReader:
    """Reads a log from where it last stopped; only whole lines, only JSON objects.

    One that has become shorter (somebody cut or replaced it) is read from its beginning.
    """

    path: Path
    _offset: int = 0
    _rest: bytes = b""

    def read(self) -> list[Line]:
        try:
            with self.path.open("rb") as file:
                if os.fstat(file.fileno()).st_size < self._offset:
                    self._offset, self._rest = 0, b""
                file.seek(self._offset)
                data = file.read()
        except FileNotFoundError:
            return []
        self._offset += len(data)
        *whole, self._rest = (self._rest + data).split(b"\n")
        return [line for raw in whole if raw and (line := _parse(raw)) is not None]


async def follow(path: Path) -> AsyncIterator[Line]:
    """Every line of the log, those there already and then those to come, until the caller stops asking."""
    reader = LogReader(path)
    async with contextlib.aclosing(_changes(path.parent)) as changes:
        async for _ in changes:
            for line in reader.read():
                yield line


async def follow_bytes(path: Path, offset: int) -> AsyncIterator[tuple[int, bytes]]:
    """(offset, whole lines as they are) from `offset` on, those to come as well; for a mirror of the file."""
    async with contextlib.aclosing(_changes(path.parent)) as changes:
        async for _ in changes:
            while data := whole_lines(path, offset):
                yield offset, data
                offset += len(data)


def whole_lines(path: Path, offset: int) -> bytes:
    """Some of the whole lines from `offset` on; empty when there is none (yet)."""
    try:
        with path.open("rb") as file:
            file.seek(offset)
            data = file.read(_MIRRORED_AT_ONCE)
            while b"\n" not in data and (more := file.read(_MIRRORED_AT_ONCE)):
                data += more
    except FileNotFoundError:
        return b""
    return data[: data.rfind(b"\n") + 1]


async def _changes(folder: Path) -> AsyncGenerator[None, None]:
    """At once, and then after each change in the folder."""
    # step is what governs the delay; the library's default would add 50 ms.
    changes = watchfiles.awatch(
        folder, step=1, debounce=1, rust_timeout=_LOOK_AGAIN_MS, yield_on_timeout=True, recursive=False
    )
    more = asyncio.ensure_future(anext(changes))
    nudged = asyncio.Event()
    _nudged.setdefault(folder, set()).add(nudged)
    await asyncio.sleep(0)  # the watch stands before the first read: nothing falls between the two
    try:
        while True:
            yield
            nudge = asyncio.ensure_future(nudged.wait())
            await asyncio.wait({more, nudge}, return_when=asyncio.FIRST_COMPLETED)
            nudge.cancel()
            nudged.clear()
            if more.done():
                more.result()  # raises what the watch cannot do
                more = asyncio.ensure_future(anext(changes))
    finally:
        _nudged[folder].discard(nudged)
        if not _nudged[folder]:
            del _nudged[folder]
        more.cancel()
        await asyncio.gather(more, return_exceptions=True)
        await changes.aclose()


def nudge(path: Path) -> None:
    """Who follows this log in this process sees at once what was appended to it, 2 ms before the watch would tell."""
    for event in _nudged.get(path.parent, ()):
        event.set()


def _parse(raw: bytes) -> Line | None:
    text = raw.decode("utf-8", "replace")
    try:
        value = read_json(text)
    except ValueError:
        return None
    if _SURROGATE.search(text):  # half an emoji, cut by somebody who counts in UTF-16: no one could send it on
        value = json.loads(json.dumps(value, ensure_ascii=False).encode("utf-8", "replace"))
    return value if isinstance(value, dict) else None


def is_full(error: OSError) -> bool:
    return error.errno in _FULL


def _storage_error(error: OSError, path: Path) -> Exception:
    if is_full(error):
        return StorageFull(f"the disk that holds {path} is full")
    return error
