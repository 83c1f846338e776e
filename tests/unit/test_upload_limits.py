import asyncio
from collections.abc import AsyncIterator, MutableMapping
from pathlib import Path
from typing import Any

import pytest
from starlette.requests import Request

from paliadin.base.errors import BadRequest
from paliadin.web import attachment_routes
from paliadin.web.attachment_routes import _bounded, _SentFile


def request(pause: float) -> Request:
    async def receive() -> dict[str, object]:
        await asyncio.sleep(pause)
        return {"type": "http.request", "body": b"x", "more_body": True}

    return Request({"type": "http", "method": "POST", "headers": []}, receive)


async def read(pieces: AsyncIterator[bytes]) -> None:
    async for _ in pieces:
        pass


@pytest.mark.parametrize(("patience", "longest", "pause"), [(0.2, 3600.0, 3600.0), (3600.0, 0.3, 0.02)])
async def test_an_upload_that_halts_or_trickles_for_ever_is_given_up(
    monkeypatch: pytest.MonkeyPatch, patience: float, longest: float, pause: float
) -> None:
    monkeypatch.setattr(attachment_routes, "PATIENCE", patience)
    monkeypatch.setattr(attachment_routes, "LONGEST_UPLOAD", longest)
    with pytest.raises(BadRequest) as refusal:
        await asyncio.wait_for(read(_bounded(request(pause))), 30)
    assert refusal.value.status == 408


async def test_a_file_that_is_taken_away_just_before_it_is_sent_is_no_fault_of_the_daemons(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("x")
    response = _SentFile(tmp_path / "a.txt", stat_result=(tmp_path / "a.txt").stat())
    (tmp_path / "a.txt").unlink()
    sent = []

    async def send(message: MutableMapping[str, Any]) -> None:
        sent.append(message)

    await response({"type": "http", "method": "GET", "headers": []}, request(5.0).receive, send)
    assert [message["type"] for message in sent] == ["http.response.start"]  # and no end: the client notices
