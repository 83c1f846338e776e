"""The daemon's log on standard error: lines for a person at a terminal, one JSON object a line for a program.

No question and no answer is in it: messages name turns by their id, which is a field of its own. Of an exception its
type and its places are told, not its text, which may quote a row.
"""

from __future__ import annotations

import logging
import re
import sys
import traceback
from typing import Any, TextIO

import structlog
from structlog.typing import EventDict, Processor

from paliadin.errors import PaliadinError

_TURN_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")


def set_up(stream: TextIO | None = None, level: int = logging.INFO) -> None:
    """For every logger of this process, the libraries' too."""
    stream = stream or sys.stderr
    own: list[Processor] = [
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        name_turn,
        tell_places,
    ]
    last: Processor = (
        structlog.dev.ConsoleRenderer(colors=True)
        if stream.isatty()
        else structlog.processors.JSONRenderer(ensure_ascii=False)
    )
    handler = logging.StreamHandler(stream)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=own,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, last],
        )
    )
    logging.basicConfig(level=level, handlers=[handler], force=True)


def name_turn(_logger: Any, _method: str, event: EventDict) -> EventDict:
    found = _TURN_ID.search(str(event.get("event")))
    if found:
        event["turn_id"] = found[0]
    return event


def tell_places(_logger: Any, _method: str, event: EventDict) -> EventDict:
    """In place of a traceback with its message; our own errors say nothing that a turn holds."""
    given = event.pop("exc_info", None)
    error = given[1] if isinstance(given, tuple) else given
    if isinstance(error, BaseException):
        event["error"] = (
            f"{type(error).__name__}: {error}" if isinstance(error, PaliadinError) else type(error).__name__
        )
        frames = traceback.extract_tb(error.__traceback__)
        event["places"] = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames]
    return event
