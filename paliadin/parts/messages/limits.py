"""Limits of how much the API may send for one message of the model. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from paliadin.base import errors

ERROR_BODY = 64 * 1024  # bytes that are read of a response with an error; the rest is left unread
MAX_BLOCKS = 100  # of one message: texts, thoughts, and calls of tools
MAX_NAME = 200  # characters of an id, of the name of a tool or a model, and of why a message stopped
_BASE = 64 * 1024  # bytes that a message may have, however few tokens
_KEPT_PER_TOKEN = 32  # characters; prose has four or five
_EVENT_PER_TOKEN = 64  # bytes: what is kept, as JSON
_SENT_PER_TOKEN = 1024  # bytes; each piece of text comes in an event of about 130, and a piece may be one character


@dataclass(frozen=True, slots=True)
class MessageLimits:
    """Limits of a message that may have `tokens` (OUTPUT_TOKENS)."""

    tokens: int

    @property
    def response_bytes(self) -> int:
        """Bytes of the whole response."""
        return _BASE + self.tokens * _SENT_PER_TOKEN

    @property
    def event_bytes(self) -> int:
        """Bytes of one event: a gateway may send all of a message in one."""
        return _BASE + self.tokens * _EVENT_PER_TOKEN

    @property
    def characters(self) -> int:
        """Characters of the texts and the tools' arguments together."""
        return self.tokens * _KEPT_PER_TOKEN


def too_much(what: str) -> errors.RelayError:
    """Build the error for an API that sends more than a limit allows."""
    return errors.RelayError(
        f"the API sent {what}, so the answer was cut off",
        code="upstream_error",
        hint="What was answered so far is kept. Ask again; if it goes on, check where PALIADIN_API_URL leads.",
    )
