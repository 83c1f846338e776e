"""Files for tests to attach: pictures and documents that are what they say."""

from __future__ import annotations

import os
import struct
import zlib
from typing import Any

import httpx2

from tests.worlds.world import World


def png(width: int, height: int, *, noise: bool = True) -> bytes:
    """A picture that cannot be compressed, or (without noise) one that nearly vanishes."""
    rows = b"".join(b"\0" + (os.urandom(width * 3) if noise else bytes(width * 3)) for _ in range(height))
    return png_of(width, height, zlib.compress(rows, 1))


def png_of(width: int, height: int, data: bytes) -> bytes:
    """A picture that says it is so large, whatever its data is."""
    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + _chunk(b"IHDR", head) + _chunk(b"IDAT", data) + _chunk(b"IEND", b"")


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
