"""Readers of request data: the body, bounded in size and time; the JSON object in it; numbers in a query."""

from __future__ import annotations

import asyncio
from typing import Any

from starlette.requests import Request

from paliadin.base.errors import BadRequest, InvalidField, MalformedBody
from paliadin.base.strict_json import has_more_values, parse_json

MAX_BODY_BYTES = 2_000_000  # 100,000 characters, escaped in JSON, and a context
MAX_VALUES = 10_000  # in it; a request has about twenty
BODY_TIMEOUT = 15.0  # seconds for the whole body
_PARSED = "paliadin.body"  # a key in the ASGI connection scope


async def read_bytes(request: Request) -> bytes:
    """Read the body; raises BadRequest `body_too_large` (413) or `body_too_slow` (408)."""
    try:
        async with asyncio.timeout(BODY_TIMEOUT):
            return await _read(request)
    except TimeoutError as error:
        raise BadRequest("the body took too long to arrive", code="body_too_slow", status=408) from error


async def read_object(request: Request) -> dict[str, Any]:
    """Read the body as a JSON object, once; raises MalformedBody (400), and what `read_bytes` raises."""
    if _PARSED not in request.scope:
        request.scope[_PARSED] = parse_object(await read_bytes(request))
    parsed: dict[str, Any] = request.scope[_PARSED]
    return parsed


def parsed_body(request: Request) -> dict[str, Any] | None:
    """Return the JSON object that the body was read as; None if it was not."""
    return request.scope.get(_PARSED)


def parse_object(data: bytes) -> dict[str, Any]:
    """Parse a JSON object; raises MalformedBody (400), for one of more than MAX_VALUES values unread."""
    if has_more_values(data, MAX_VALUES):
        raise MalformedBody(f"the body has more than {MAX_VALUES:,} values")
    try:
        value = parse_json(data.decode("utf-8-sig"))
    except ValueError as error:
        raise MalformedBody("the body is not valid JSON") from error
    if not isinstance(value, dict):
        raise MalformedBody("the body is not a JSON object")
    return value


def parse_number(text: str) -> int:
    """Parse up to nine digits; raises InvalidField (400)."""
    if not text.isascii() or not text.isdigit() or len(text) > 9:
        raise InvalidField(f"{text[:40]!r} is not a whole number of at most nine digits", status=400)
    return int(text)


async def _read(request: Request) -> bytes:
    data = bytearray()
    async for chunk in request.stream():
        data += chunk
        if len(data) > MAX_BODY_BYTES:
            raise BadRequest(f"the body is larger than {MAX_BODY_BYTES:,} bytes", code="body_too_large", status=413)
    return bytes(data)
