"""A request's body, bounded in size and time, and the JSON object in it."""

from __future__ import annotations

import asyncio
from typing import Any

from starlette.requests import Request

from paliadin.errors import BadRequest, MalformedBody
from paliadin.strictjson import read_json

LONGEST = 2_000_000  # bytes: 100,000 characters, escaped in JSON, and a context
PATIENCE = 15.0  # seconds for the whole body


async def read_bytes(request: Request) -> bytes:
    """Raises BadRequest body_too_large (413), body_too_slow (408)."""
    try:
        async with asyncio.timeout(PATIENCE):
            return await _read(request)
    except TimeoutError as error:
        raise BadRequest("the body took too long to arrive", code="body_too_slow", status=408) from error


async def read_object(request: Request) -> dict[str, Any]:
    """Raises MalformedBody (400), and see `read_bytes`."""
    data = await read_bytes(request)
    try:
        value = read_json(data.decode("utf-8-sig"))
    except ValueError as error:
        raise MalformedBody("the body is not valid JSON") from error
    if not isinstance(value, dict):
        raise MalformedBody("the body is not a JSON object")
    return value


async def _read(request: Request) -> bytes:
    data = bytearray()
    async for chunk in request.stream():
        data += chunk
        if len(data) > LONGEST:
            raise BadRequest(f"the body is larger than {LONGEST:,} bytes", code="body_too_large", status=413)
    return bytes(data)
