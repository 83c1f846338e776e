"""Shorten a transcript of Claude Code to the part before one prompt. Pure: lines in, lines out.

A transcript is a file of JSON lines, its *entries*. Those of type `user` and `assistant` are the messages; the first
`user` entry with a prompt's `promptId` is that prompt. Entries with a `uuid` form a chain by their `parentUuid`, which
need not be their order: where somebody has rewound the conversation in the terminal, the prompt's parent is not the
entry before it. Lines are bytes with their newline, taken one at a time: a transcript may be larger than the memory.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from paliadin.relays.terminal.json_fields import Field, read_fields

_COMMAND = re.compile(r"\s*<(?:command-name|command-message|local-command-)")

Entry = Mapping[str, Field]


class Cut(NamedTuple):
    """The place where a prompt's turn begins: the number of lines before it, and the `uuid` of the prompt's entry."""

    lines: int
    uuid: object


@dataclass(frozen=True, slots=True)
class Contents:
    """The number of messages of each side, and a digest of the parts that the model gets.

    `begun` is False where nobody has said anything yet; /clear and other commands of Claude Code's own do not count.
    """

    users: int
    assistants: int
    begun: bool
    digest: str


def find_cut(lines: Iterable[bytes], prompt_id: str) -> Cut | None:
    """Find where the prompt's turn begins: behind all entries that the prompt follows. None without such a prompt."""
    parents: dict[object, tuple[object, int]] = {}  # uuid → parentUuid, and the number of lines up to that entry
    for number, line in enumerate(lines):
        entry = _read(line)
        if not entry:
            continue
        uuid, parent = _value(entry, "uuid"), _value(entry, "parentUuid")
        parent = parent if isinstance(parent, str) else None
        if _value(entry, "type") == "user" and _value(entry, "promptId") == prompt_id:
            return Cut(_end_of_chain(parents, parent) or number, uuid)
        if isinstance(uuid, str):
            parents[uuid] = parent, number + 1
    return None


def _end_of_chain(parents: dict[object, tuple[object, int]], uuid: object) -> int:
    """Return the number of lines up to the last entry of the chain that ends with `uuid`; 0 where there is none.

    The last entry in the file need not be `uuid` itself: Claude Code 2.1.197 has written the first turn's messages
    behind the entries that follow them.
    """
    end = 0
    while uuid in parents:
        uuid, number = parents.pop(uuid)  # popped: a chain in a circle ends, too
        end = max(end, number)
    return end


def before(lines: Iterable[bytes], cut: Cut) -> Iterator[bytes]:
    """Yield the lines before the cut, without those that Claude Code skips or that would keep it from starting.

    The snapshot of the owner's files that belongs to the prompt may stand before its entry; it is left out as well.
    """
    for number, line in enumerate(lines):
        if number >= cut.lines:
            return
        entry = _read(line)
        if entry is None or (entry and not _is_snapshot(entry, cut.uuid)):
            yield line


def shorten(lines: Iterable[bytes], cut: Cut, session_id: str) -> Iterator[bytes]:
    """Yield the lines before the cut, with `session_id` as their Claude session and nothing else changed."""
    for line in before(lines, cut):
        field = (_read(line) or {}).get("sessionId")
        if field is None or not isinstance(field.value, str):
            yield line
        else:
            text = _decode(line)
            yield _encode(f"{text[: field.start]}{json.dumps(session_id)}{text[field.end :]}")


def measure(lines: Iterable[bytes], session_id: str | None = None) -> Contents:
    """Count the messages; with `session_id`, without entries that name another session."""
    counts, begun, digest = {"user": 0, "assistant": 0}, False, hashlib.sha256()
    for line in lines:
        entry = _read(line)
        kind = str(_value(entry, "type")) if entry else ""
        if not entry or kind not in counts or session_id not in {None, str(_value(entry, "sessionId"))}:
            continue
        counts[kind] += 1
        begun = begun or kind == "assistant" or not _is_command(entry)
        text = _decode(line)
        for name in ("uuid", "parentUuid", "message"):
            digest.update(_encode(text[entry[name].start : entry[name].end] if name in entry else "") + b"\n")
    return Contents(counts["user"], counts["assistant"], begun, digest.hexdigest())


def _is_snapshot(entry: Entry, uuid: object) -> bool:
    return _value(entry, "type") == "file-history-snapshot" and _value(entry, "messageId") == uuid


def _is_command(entry: Entry) -> bool:
    """True for an entry of one of Claude Code's own commands, such as /clear."""
    message = _value(entry, "message")
    content = message.get("content") if isinstance(message, dict) else None
    return isinstance(content, str) and _COMMAND.match(content) is not None


def _read(line: bytes) -> Entry | None:
    """Parse an entry: empty for a line that is none, None for one that is nested too deeply to parse.

    Claude Code skips a line that is no JSON; 2.1.197 does not start with `null`, nor with a message that has no body.
    """
    try:
        entry = read_fields(_decode(line))
    except ValueError:
        return {}
    except RecursionError:
        return None
    if _value(entry, "type") in ("user", "assistant") and not isinstance(_value(entry, "message"), dict):
        return {}
    return entry


def _value(entry: Entry, name: str) -> object:
    return entry[name].value if name in entry else None


def _decode(line: bytes) -> str:
    return line.decode("utf-8", "surrogateescape")


def _encode(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")
