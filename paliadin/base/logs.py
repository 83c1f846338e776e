"""The daemon's log on standard error: lines for a person at a terminal, one JSON object a line for a program.

It never holds a question or an answer: messages name a turn by its id, which becomes a field. Of an exception the log
has the type and the stack, but not the message, which may quote a row of the database.
"""

from __future__ import annotations

import logging
import re
import sys
import traceback
from collections.abc import Callable
from datetime import UTC, datetime
from logging.handlers import BufferingHandler
from typing import Any, TextIO

import structlog
from structlog.typing import EventDict, Processor

from paliadin.base.errors import PaliadinError
from paliadin.base.terminal_text import json_line, one_line

_TURN_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")


def configure(stream: TextIO | None = None, level: int = logging.INFO) -> None:
    """Set up every logger of this process, those of libraries too, to write to `stream` (default: standard error)."""
    stream = stream or sys.stderr
    processors: list[Processor] = [
        structlog.stdlib.add_log_level,
        structlog.stdlib.add_logger_name,
        add_time,
        add_turn_id,
        replace_traceback,
    ]
    renderers: list[Processor] = (
        [clean_texts, structlog.dev.ConsoleRenderer(colors=True)] if stream.isatty() else [as_json_line]
    )
    handler = logging.StreamHandler(stream)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=processors,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *renderers],
        )
    )
    logging.basicConfig(level=level, handlers=[handler], force=True)


def hold() -> Callable[[], None]:
    """Hold the log's lines back, so that something else is printed first; returns the function that lets them out."""
    root, waiting = logging.getLogger(), BufferingHandler(sys.maxsize)
    handlers, root.handlers = root.handlers, [waiting]

    def release() -> None:
        root.handlers = handlers
        while waiting.buffer:
            root.handle(waiting.buffer.pop(0))

    return release


def clean_texts(_logger: Any, _method: str, event: EventDict) -> EventDict:
    """Make each text one line of which a terminal obeys nothing: it may quote another host. A structlog processor."""
    return {name: one_line(value) if isinstance(value, str) else value for name, value in event.items()}


def as_json_line(_logger: Any, _method: str, event: EventDict) -> str:
    """Render the event as JSON, in which control characters are escaped. A structlog renderer."""
    return json_line(event)


def add_time(_logger: Any, _method: str, event: EventDict) -> EventDict:
    """Add the time at which the line was written; it may have been held back since. A structlog processor."""
    event["timestamp"] = datetime.fromtimestamp(event["_record"].created, UTC).isoformat().replace("+00:00", "Z")
    return event


def add_turn_id(_logger: Any, _method: str, event: EventDict) -> EventDict:
    """Copy the turn id that the message names into the field `turn_id`. A structlog processor."""
    turn_id = _TURN_ID.search(str(event.get("event")))
    if turn_id:
        event["turn_id"] = turn_id[0]
    return event


def replace_traceback(_logger: Any, _method: str, event: EventDict) -> EventDict:
    """Replace the traceback with the fields `error` (the type) and `frames` (the stack). A structlog processor.

    Only a PaliadinError keeps its message: it never quotes a turn.
    """
    exc_info = event.pop("exc_info", None)
    error = exc_info[1] if isinstance(exc_info, tuple) else exc_info
    if isinstance(error, BaseException):
        event["error"] = (
            f"{type(error).__name__}: {error}" if isinstance(error, PaliadinError) else type(error).__name__
        )
        frames = traceback.extract_tb(error.__traceback__)
        event["frames"] = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in frames]
    return event
