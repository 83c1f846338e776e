"""Attached files: what the model gets of them, with each Claude Code, here and on another host."""

from __future__ import annotations

import base64
import os
import struct
import zlib
from pathlib import Path
from typing import Any

import httpx2
import pytest

from paliadin.demo.api_messages import Conversation, Media
from tests.worlds.world import World, last, text_of

pytestmark = pytest.mark.timeout(120)

SMALL = 100  # pixels


def png(width: int, height: int, *, noise: bool = True) -> bytes:
    """A picture that cannot be compressed, or (without noise) one that nearly vanishes."""
    rows = b"".join(b"\0" + (os.urandom(width * 3) if noise else bytes(width * 3)) for _ in range(height))
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", head) + _chunk(b"IDAT", zlib.compress(rows, 1)) + _chunk(b"IEND", b"")


def _chunk(kind: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def pdf(pages: int) -> bytes:
    """A document with a line of text on each page."""
    kids = " ".join(f"{3 + 2 * page} 0 R" for page in range(pages))
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>", f"<< /Type /Pages /Kids [{kids}] /Count {pages} >>".encode()]
    font = "/Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >>"
    for page in range(pages):
        line = f"BT /F1 24 Tf 72 720 Td (Page {page + 1}) Tj ET".encode()
        box = f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {4 + 2 * page} 0 R {font} >>"
        objects += [box.encode(), b"<< /Length %d >>\nstream\n%s\nendstream" % (len(line), line)]
    written, offsets = b"%PDF-1.4\n", []
    for number, each in enumerate(objects, 1):
        offsets.append(len(written))
        written += b"%d 0 obj\n%s\nendobj\n" % (number, each)
    table = b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
    count = len(objects) + 1
    end = b"xref\n0 %d\n0000000000 65535 f \n%strailer << /Size %d /Root 1 0 R >>\n" % (count, table, count)
    return written + end + b"startxref\n%d\n%%%%EOF\n" % len(written)


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
    files = [attach(shared, "5 MB.png", picture), attach(shared, "30 pages.pdf", document), attach(shared, "t.csv", table)]
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
