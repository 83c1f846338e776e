"""Turn ids: UUIDv7, so that ids sort by time and the day of a turn's folder follows from its id."""

from __future__ import annotations

import os
import re
import time
import uuid
from datetime import UTC, datetime

from paliadin.base.errors import NotFound

_UUID7 = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
_LAST_MS = 253_402_300_799_000  # the last second of the year 9999: datetime ends there, the 48 bits of an id do not
_SET_BACK_MS = 3_600_000  # ids stay in order when the clock is set back by less than this
_latest_ms = [0]  # time of the newest id


def now_ms() -> int:
    """Return the time now, in milliseconds since 1970."""
    return time.time_ns() // 1_000_000


def new_turn_id() -> str:
    """Make a UUIDv7 (RFC 9562) that sorts after every earlier one of this process."""
    now, latest = now_ms(), _latest_ms[0]
    _latest_ms[0] = latest + 1 if now <= latest < now + _SET_BACK_MS else now
    value = _latest_ms[0] << 80 | 0x7 << 76 | int.from_bytes(os.urandom(10)) & ~(0xF << 76)
    return str(uuid.UUID(int=value & ~(0b11 << 62) | 0b10 << 62))


def unknown_turn() -> NotFound:
    """Build the error for an id that no turn has, and for a turn that the caller may not see."""
    return NotFound("there is no turn with this id", code="unknown_turn")


def check_turn_id(text: str) -> str:
    """Return `text` if it is a turn id; raises NotFound. Paths are built from checked ids only, never from `..`."""
    if not _UUID7.fullmatch(text) or _milliseconds(text) > _LAST_MS:
        raise unknown_turn()
    return text


def started_at(turn_id: str) -> datetime:
    """Return the time (UTC) at which the turn's id was made."""
    return datetime.fromtimestamp(_milliseconds(turn_id) / 1000, UTC)


def started_ms(turn_id: str) -> int:
    """Return the time at which the turn's id was made, in milliseconds since 1970."""
    return _milliseconds(turn_id)


def _milliseconds(turn_id: str) -> int:
    return int(turn_id.replace("-", ""), 16) >> 80
