"""Recognising pictures by their first bytes."""

from __future__ import annotations

import struct

import pytest

from paliadin.files.drawn_picture import read_drawn_picture
from paliadin.files.pictures import MAX_PIXELS, Picture


def png(width: int, height: int) -> bytes:
    return b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR" + struct.pack(">II", width, height) + b"\x08\x06\0\0\0" + b"\0" * 4


def jpeg(width: int, height: int, *, before: bytes = b"", marker: int = 0xC0) -> bytes:
    frame = struct.pack(">BHHB", 8, height, width, 3) + b"\0" * 9
    return b"\xff\xd8" + before + bytes([0xFF, marker]) + struct.pack(">H", len(frame) + 2) + frame


def segment(marker: int, data: bytes) -> bytes:
    return bytes([0xFF, marker]) + struct.pack(">H", len(data) + 2) + data


def gif(width: int, height: int, frame: tuple[int, int, int, int] | None = None, *, colours: bool = True) -> bytes:
    table = b"\0" * 24 if colours else b""
    flags = 0x82 if colours else 0
    comment = b"!\xfe\x03abc\0"
    described = struct.pack("<4H", *(frame or (0, 0, width, height)))
    return b"GIF89a" + struct.pack("<HHBBB", width, height, flags, 0, 0) + table + comment + b"," + described + b"\0"


def webp(chunk: bytes, data: bytes) -> bytes:
    return b"RIFF\0\0\0\0WEBP" + chunk + struct.pack("<I", len(data)) + data.ljust(10, b"\0")


EXIF = segment(0xE1, b"Exif\0\0" + b"x" * 60_000)
PROFILE = segment(0xE2, b"ICC_PROFILE\0" + b"y" * 65_000)


@pytest.mark.parametrize(
    ("head", "expected"),
    [
        (png(3, 4), Picture("image/png", 3, 4)),
        (jpeg(640, 480), Picture("image/jpeg", 640, 480)),
        (jpeg(5, 6, before=EXIF + PROFILE * 5, marker=0xC2), Picture("image/jpeg", 5, 6)),
        (jpeg(7, 8, before=segment(0xC4, b"tables") + b"\xff\xff"), Picture("image/jpeg", 7, 8)),
        (gif(10, 20), Picture("image/gif", 10, 20)),
        (gif(10, 20, colours=False), Picture("image/gif", 10, 20)),
        (webp(b"VP8 ", b"\0\0\0\x9d\x01\x2a" + struct.pack("<HH", 300 | 0x4000, 200)), Picture("image/webp", 300, 200)),
        (webp(b"VP8L", b"\x2f" + struct.pack("<I", 99 | 49 << 14)), Picture("image/webp", 100, 50)),
        (webp(b"VP8X", b"\0\0\0\0\xcf\x07\0\xe7\x03\0"), Picture("image/webp", 2000, 1000)),
    ],
)
def test_pictures_are_recognised_with_their_dimensions(head: bytes, expected: Picture) -> None:
    assert read_drawn_picture(head) == expected
    assert read_drawn_picture(head + b"<script>alert(1)</script>") == expected


@pytest.mark.parametrize(
    "head",
    [
        b"",
        b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>",
        b"<!doctype html><script>alert(1)</script>",
        b"%PDF-1.7",
        b"BM6\0\0\0",
        png(0, 5),
        png(5, 0),
        b"\x89PNG\r\n\x1a\n\0\0\0\x0dXXXX" + b"\x01" * 20,
        jpeg(0, 5),
        b"\xff\xd8\xff\xe1\0\0" * 100,
        b"GIF89a/*\0\0\0\0*/=1;alert(1)",
        gif(0, 0),
        b"RIFF\0\0\0\0WAVEfmt " + b"\0" * 20,
        webp(b"VP8 ", b"\0" * 10),
        webp(b"ALPH", b"\0" * 10),
    ],
)
def test_what_is_no_picture_is_not_taken_for_one(head: bytes) -> None:
    assert read_drawn_picture(head) is None


@pytest.mark.parametrize(
    "whole", [png(3, 4), jpeg(640, 480, before=EXIF)[:-10], gif(10, 20), webp(b"VP8X", b"\0" * 10)]
)
def test_a_header_that_is_cut_anywhere_is_no_picture(whole: bytes) -> None:
    needed = len(whole) - 1 if whole.startswith(b"GIF") else len(whole)
    for length in range(min(needed, 16)):
        assert read_drawn_picture(whole[:length]) is None


def test_a_picture_of_too_many_pixels_is_told_by_its_header() -> None:
    assert read_drawn_picture(png(50_000, 50_000)) == Picture("image/png", 50_000, 50_000)
    small_screen = read_drawn_picture(gif(1, 1, frame=(0, 0, 60_000, 60_000)))
    assert small_screen is not None
    assert small_screen.width * small_screen.height > MAX_PIXELS
