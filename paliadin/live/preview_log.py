"""Write an answer's stream into its turn's preview log, live.jsonl, whose lines docs/live.md lists.

The turn is found as the hooks find it: by the link prompts/<prompt_id> in the session's folder. In doubt nothing is
written.
"""

from __future__ import annotations

import errno
import json
import os
import re
import time
from collections.abc import Sequence
from pathlib import Path

from paliadin.live.answer_stream import Line
from paliadin.live.framing import Head
from paliadin.live.request_scan import RequestScanner
from paliadin.live.state import MEMBER, PREVIEW_LOG

MAX_PREVIEW_LOG = 16 * 1024 * 1024  # bytes, of a turn; the longest answer has about one megabyte
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def find_turn(session: Path, turns: Path, head: Head, body: RequestScanner) -> Path | None:
    """Find the folder of the turn whose answer this request asks for; None for any other request, and in doubt.

    `session` is the session's folder, `turns` that of all turns.
    """
    if head.get("x-claude-code-agent-id") or head.get("x-claude-code-request-class") not in (None, "main"):
        return None
    has_tools = not (session / MEMBER).exists()  # a member's Claude has none at all
    if body.has_tools != has_tools or not body.streams:
        return None
    prompt = head.get("x-claude-code-prompt-id")
    if prompt is None:
        folder = folder_of(turns, body.turn or "")
        prompt = _read(folder / "prompt_id") if folder else None
    else:
        folder = None
    if prompt is None or not _UUID.fullmatch(prompt):
        return None
    linked = session / "prompts" / prompt
    if not linked.is_dir() or (folder and not linked.samefile(folder)) or (linked / "recorded").exists():
        return None
    folder = linked.resolve()
    return folder if turns.resolve() in folder.parents else None


def folder_of(turns: Path, turn_id: str) -> Path | None:
    """Return the folder of a turn, whose id begins with its time; None if it is no id."""
    if not _UUID.fullmatch(turn_id):
        return None
    seconds = int(turn_id.replace("-", "")[:12], 16) / 1000
    try:
        return turns / time.strftime("%Y-%m-%d", time.gmtime(seconds)) / turn_id
    except (OverflowError, ValueError, OSError):
        return None


def _read(path: Path) -> str | None:
    try:
        return path.read_text("ascii")
    except (OSError, UnicodeDecodeError):
        return None


class PreviewLog:
    """Appends the lines of one request to the preview log of its turn. The caller handles errors."""

    def __init__(self, folder: Path) -> None:
        # A pipe in its place would hold up everything that passes.
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK
        self._descriptor = os.open(folder / PREVIEW_LOG, flags, 0o600)
        self._size = os.fstat(self._descriptor).st_size

    def write(self, lines: Sequence[Line]) -> None:
        """Append the lines in one write; raises OSError when the disk takes only a part of them, or the log is full."""
        if not lines:
            return
        at = time.time_ns() // 1_000_000
        data = "".join(f"\n{json.dumps({'at': at, **line})}\n" for line in lines).encode("ascii")
        if self._size + len(data) > MAX_PREVIEW_LOG:
            raise OSError(errno.EFBIG, "the turn has more text than is shown early")
        if os.write(self._descriptor, data) < len(data):
            raise OSError("the disk is full")
        self._size += len(data)

    def close(self) -> None:
        """Close the file."""
        os.close(self._descriptor)
