"""Attached files: what the model gets of them, with each Claude Code, here and on another host."""

from __future__ import annotations

import base64
from typing import Any

import httpx2
import pytest

from paliadin.demo.api_messages import Conversation, Media
from tests.worlds.sample_files import pdf, png
from tests.worlds.world import World, last, text_of

pytestmark = pytest.mark.timeout(120)

SMALL = 100  # pixels


def attach(world: World, name: str, content: bytes) -> dict[str, Any]:
    """Upload a file; returns what the daemon says of it."""
    response = upload(world, name, content)
    assert response.status_code == 201, response.text
    described: dict[str, Any] = response.json()
    return described


def upload(world: World, name: str, content: bytes) -> httpx2.Response:
    with world.client() as client:
        return client.post("/api/paliadin/attachments", files={"file": (name, content)})


def asked(world: World, turn: str) -> Conversation:
    """The last request of the model that belongs to this turn."""
    return [each for _, each in world.api.requests if turn in each.user_text][-1]


def stored(world: World) -> list[str]:
    folder = world.settings.attachments_dir
    return sorted(path.name for path in folder.iterdir()) if folder.exists() else []


def data_of(media: Media) -> bytes:
    return base64.b64decode(media.data)


def test_what_is_small_is_in_the_request_itself(shared: World) -> None:
    picture, odd = png(SMALL, SMALL), "Prüf \"it\" 'so' (1); [x] & $y ä.txt"
    files = [attach(shared, "Plan für Ann.png", picture), attach(shared, odd, "Zeile eins\n".encode())]
    assert [file["kind"] for file in files] == ["image", "text"]
    assert [file["name"] for file in files] == ["Plan für Ann.png", odd]
    turn = shared.ask("What is this?", attachments=[file["id"] for file in files])
    events = list(shared.follow(turn))
    request = asked(shared, turn)
    assert [data_of(each) for each in request.media if each.kind == "image"][-1] == picture
    assert "Zeile eins" in str(request)
    assert last(events, "evidence").data["unopened"] == []
    item = shared.get("history?session_id=main&limit=1")["turns"][0]
    assert item["user_message"] == "What is this?"
    assert [file["name"] for file in item["attachments"]] == ["Plan für Ann.png", odd]


def test_what_is_large_is_opened_by_a_tool_without_asking(shared: World) -> None:
    picture, document = png(1400, 1250), pdf(30)
    table = "".join(f"{number},name {number},{'x' * 40}\n" for number in range(60_000)).encode()
    assert len(picture) > 5_000_000
    assert len(table) > 3_000_000
    files = [
        attach(shared, "5 MB.png", picture),
        attach(shared, "30 pages.pdf", document),
        attach(shared, "t.csv", table),
    ]
    turn = shared.ask("scene:open_files", attachments=[file["id"] for file in files])
    events = list(shared.follow(turn))
    request = asked(shared, turn)
    assert [each.kind for each in request.media][-2:] == ["image", "document"]
    assert data_of(request.media[-1]) == document
    assert not [event for event in events if event.name == "interrupt"]
    assert "0,name 0,xxx" in str(request.results)
    assert last(events, "evidence").data["unopened"] == []
    assert "opened 3" in text_of(events)


def test_what_claude_has_not_opened_is_told(shared: World) -> None:
    document, note = attach(shared, "a.pdf", pdf(1)), attach(shared, "note.txt", b"hello")
    events = shared.turn("Never mind.", attachments=[document["id"], note["id"]])
    assert last(events, "evidence").data["unopened"] == [document["id"]]
