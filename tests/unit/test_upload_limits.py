import asyncio
import time
from collections.abc import AsyncIterator

import pytest
from starlette.requests import Request

from paliadin.base.errors import BadRequest
from paliadin.web import attachment_routes
from paliadin.web.attachment_routes import _bounded


def request(pause: float) -> Request:
    async def receive() -> dict[str, object]:
        await asyncio.sleep(pause)
        return {"type": "http.request", "body": b"x", "more_body": True}

    return Request({"type": "http", "method": "POST", "headers": []}, receive)


async def read(pieces: AsyncIterator[bytes]) -> None:
    async for _ in pieces:
        pass


@pytest.mark.parametrize(("patience", "longest", "pause"), [(0.2, 60.0, 5.0), (5.0, 0.3, 0.02)])
async def test_an_upload_that_halts_or_trickles_for_ever_is_given_up(
    monkeypatch: pytest.MonkeyPatch, patience: float, longest: float, pause: float
) -> None:
    monkeypatch.setattr(attachment_routes, "PATIENCE", patience)
    monkeypatch.setattr(attachment_routes, "LONGEST_UPLOAD", longest)
    begun = time.monotonic()
    with pytest.raises(BadRequest) as refusal:
        await asyncio.wait_for(read(_bounded(request(pause))), 4)
    assert refusal.value.status == 408
    assert time.monotonic() - begun < 2
