"""The routes of the files in Claude's folder, as a browser of the owner's calls them, and what nobody is shown."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx2
import pytest

from paliadin.base.settings import load_settings
from paliadin.daemon import make_parts
from paliadin.files.shown_file import MAX_PICTURE_BYTES
from paliadin.files.text_window import MAX_LINES
from paliadin.people.access import Purpose
from paliadin.relays.routing import Relays
from paliadin.relays.scripted import ScriptedRelay
from paliadin.web.app import create_app
from paliadin.words.catalogue import words
from tests.unit.test_pictures import gif, jpeg, png, webp
from tests.worlds.typed_play import play
from tests.worlds.world import TOKEN, give_key

EMBED_KEY = "embed-key-0123456789"

APP = "https://app.example"
SECRET = "never shown"
API = "/api/paliadin/files"
Ask = Callable[..., httpx2.Response]


@pytest.fixture
def workdir(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    folder.mkdir()
    (folder / "a.py").write_text("".join(f"line {n}\n" for n in range(1, 4001)))
    (tmp_path / "secret.txt").write_text(SECRET)
    return folder


@pytest.fixture
def ask(workdir: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Ask:
    """Sends a request with the owner's key; the working folder holds the daemon's own files as well."""
    home = workdir / "state"
    options = {"HOME": home, "WORKDIR": workdir, "ALLOWED_ORIGINS": APP, "ALLOWED_HOSTS": "p.example"}
    settings = load_settings({f"PALIADIN_{name}": str(value) for name, value in options.items()})
    give_key(home)
    access = give_key(home, EMBED_KEY, Purpose.EMBED)
    settings.sessions_dir.mkdir()
    for name in ("main@far", "member"):
        (settings.sessions_dir / name).mkdir()
    (settings.sessions_dir / "member" / "member.json").write_text('{"person": "anna", "origin": "https://app.example"}')
    monkeypatch.setattr(Relays, "sessions", lambda _: ["main@far"])
    parts = make_parts(settings, access, [ScriptedRelay(play)])

    def send(method: str, path: str, *, key: str = TOKEN, headers: dict[str, str] | None = None, **options: Any) -> Any:
        async def request() -> httpx2.Response:
            transport = httpx2.ASGITransport(app=create_app(parts.api))
            async with httpx2.AsyncClient(transport=transport, base_url="http://p.example") as client:
                with_key = {"Authorization": f"Bearer {key}"} | (headers or {})
                return await client.request(method, API + path, headers=with_key, **options)

        return asyncio.run(request())

    return send


def text(ask: Ask, path: str, **window: int) -> Any:
    return ask("GET", "/text", params={"path": path, **window})


def content(ask: Ask, path: str) -> httpx2.Response:
    return ask("GET", "/content", params={"path": path})


def code(response: httpx2.Response) -> str:
    return str(response.json()["error"]["code"])


def described(ask: Ask, *paths: str) -> Any:
    return ask("POST", "/check", json={"paths": list(paths)}).json()["files"]


def test_files_are_found_by_a_few_letters(ask: Ask, workdir: Path) -> None:
    (workdir / "Übersicht der Fristen.md").write_text("x")
    (workdir / '<img src=x onerror="alert(1)">').write_text("x")
    found = ask("GET", "", params={"q": "üfr"}).json()
    assert found["files"] == [
        {"path": "Übersicht der Fristen.md", "ignored": False, "marks": [0, 14, 15], "obstacle": None}
    ]
    paths = [each["path"] for each in ask("GET", "").json()["files"]]
    assert paths == ['<img src=x onerror="alert(1)">', "a.py", "Übersicht der Fristen.md"]


@pytest.mark.parametrize(
    ("name", "data"),
    [("p.png", png(3, 4)), ("p.jpg", jpeg(3, 4)), ("p.gif", gif(3, 4)), ("p.webp", webp(b"VP8X", b"\0" * 10))],
)
def test_a_picture_is_sent_as_what_its_bytes_say_and_as_nothing_else(
    ask: Ask, workdir: Path, name: str, data: bytes
) -> None:
    (workdir / "page.html").write_bytes(data + b"<script>alert(1)</script>")
    shown = described(ask, "page.html")[0]
    assert shown["kind"] == "picture"
    assert shown["width"] in {3, 1}
    response = content(ask, "page.html")
    assert response.status_code == 200
    assert response.content == data + b"<script>alert(1)</script>"
    kind = {"jpg": "jpeg"}.get(name[2:], name[2:])
    assert response.headers["content-type"] == f"image/{kind}"
    assert response.headers["content-security-policy"] == "default-src 'none'; sandbox"
    assert response.headers["x-content-type-options"] == "nosniff"
    assert response.headers["content-disposition"] == "attachment; filename*=UTF-8''page.html"
    assert response.headers["cache-control"] == "no-store"
    assert response.headers["cross-origin-resource-policy"] == "same-origin"


def test_a_large_picture_is_sent_whole(ask: Ask, workdir: Path) -> None:
    data = png(100, 100) + os.urandom(3_000_000)
    (workdir / "large.png").write_bytes(data)
    assert content(ask, "large.png").content == data


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>", "not_a_picture"),
        (b"<!doctype html><script>alert(1)</script>", "not_a_picture"),
        (b"GIF89a/*\0\0\0\0*/=1;alert(1)", "not_a_picture"),
        (b"", "not_a_picture"),
        (png(50_000, 50_000), "picture_too_large_to_show"),
        (gif(1, 1, frame=(0, 0, 60_000, 60_000)), "picture_too_large_to_show"),
    ],
)
def test_what_is_no_picture_or_too_large_is_not_sent(ask: Ask, workdir: Path, data: bytes, expected: str) -> None:
    (workdir / "p.png").write_bytes(data)
    assert code(content(ask, "p.png")) == expected
    assert described(ask, "p.png")[0]["kind"] in {"text", "binary"}


def test_a_picture_of_too_many_bytes_is_not_sent(ask: Ask, workdir: Path) -> None:
    with (workdir / "p.png").open("wb") as file:
        file.write(png(3, 4))
        file.truncate(MAX_PICTURE_BYTES + 1)
    assert code(content(ask, "p.png")) == "picture_too_large_to_show"
    assert described(ask, "p.png")[0]["kind"] == "binary"


def test_svg_is_shown_as_text(ask: Ask, workdir: Path) -> None:
    (workdir / "p.svg").write_text("<svg><script>alert(1)</script></svg>")
    response = text(ask, "p.svg")
    assert response.headers["content-type"] == "application/json"
    assert response.json()["lines"] == [{"text": "<svg><script>alert(1)</script></svg>", "left_out": 0}]


def test_lines_around_a_place_are_sent(ask: Ask) -> None:
    shown = text(ask, "./a.py", first=100, last=102).json()
    assert shown == {
        "path": "a.py",
        "first": 100,
        "lines": [{"text": f"line {n}", "left_out": 0} for n in (100, 101, 102)],
        "total": 4000,
    }
    behind = text(ask, "a.py", first=9_999_999, last=9_999_999).json()
    assert (behind["first"], behind["lines"][-1]["text"]) == (4000, "line 4000")
    last_ones = text(ask, "a.py", first=5001, last=5010).json()
    assert (last_ones["first"], len(last_ones["lines"])) == (3991, 10)
    assert len(text(ask, "a.py", first=1, last=99_999).json()["lines"]) == MAX_LINES


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (b"", []),
        (b"\n", [""]),
        (b"one", ["one"]),
        (b"one\r\ntwo\n\nthree", ["one", "two", "", "three"]),
        ("\ufeffä\n".encode(), ["ä"]),
        (b"M\xfcller\n", ["M\\xfcller"]),
        (b"a\x1b[31m\xe2\x80\xaeb\n", ["a\x1b[31m\u202eb"]),
    ],
)
def test_texts_are_sent_as_they_are(ask: Ask, workdir: Path, data: bytes, lines: list[str]) -> None:
    (workdir / "t.txt").write_bytes(data)
    shown = text(ask, "t.txt").json()
    assert [line["text"] for line in shown["lines"]] == lines
    assert shown["total"] == len(lines)


def test_large_files_are_shown_in_part_and_binary_ones_not_at_all(ask: Ask, workdir: Path) -> None:
    with (workdir / "zeros").open("wb") as file:
        file.truncate(4 << 30)
    assert code(text(ask, "zeros")) == "not_a_text"
    with (workdir / "one-line").open("wb") as file:
        file.write(b"x" * 9_000)
        file.truncate(4 << 30)  # zeros behind it
    (line,) = text(ask, "one-line").json()["lines"]
    assert len(line["text"]) == 4000
    assert line["left_out"] > 100_000_000
    assert code(text(ask, "one-line", first=2, last=2)) == "file_too_large"
    (workdir / "long").write_bytes(b"y" * 3_000_000 + b"\nend\n")
    shown = text(ask, "long", first=1, last=10).json()
    assert [(len(each["text"]), each["left_out"]) for each in shown["lines"]] == [(4000, 2_996_000), (3, 0)]
    (workdir / "many").write_bytes(b"z\n" * 3_000_000)
    shown = text(ask, "many", first=2_999_999, last=3_000_000).json()
    assert (shown["first"], shown["total"]) == (2_999_999, 3_000_000)


PATHS = [
    "../secret.txt",
    "/etc/passwd",
    "out",
    "out/x",
    "/proc/self/environ",
    "state/access.json",
    "a.py/../../secret.txt",
]
PATHS += ["state", "way/access.json", "pipe", "", "..", "\0", "%2e%2e/secret.txt", "x" * 10_000, "file:///etc/passwd"]


@pytest.mark.parametrize("path", PATHS)
def test_no_route_shows_what_is_outside_or_paliadins_own(ask: Ask, workdir: Path, tmp_path: Path, path: str) -> None:
    (workdir / "out").symlink_to(tmp_path / "secret.txt")
    (workdir / "way").symlink_to("state")
    os.mkfifo(workdir / "pipe")
    for response in (text(ask, path), content(ask, path)):
        assert response.status_code in {404, 422}
        assert code(response) in {"unknown_file", "not_a_file"}
        assert SECRET not in response.text
    assert described(ask, path) == [None]
    found = [each["path"] for each in ask("GET", "", params={"q": path[:200].replace("\0", "")}).json()["files"]]
    assert not [each for each in found if each.startswith(("out", "way", "state", "pipe"))]


def test_files_are_the_owners_and_of_conversations_on_this_machine(ask: Ask) -> None:
    for method, path in (("GET", ""), ("GET", "/text?path=a.py"), ("GET", "/content?path=a.py"), ("POST", "/check")):
        options = {"json": {"paths": []}} if method == "POST" else {}
        assert ask(method, path, key="wrong", **options).status_code == 401
        assert ask(method, path, headers={"Origin": APP}, **options).status_code == 401
        assert ask(method, path, key=EMBED_KEY, **options).status_code == 403
    for session in ("main@far", "member"):
        assert code(ask("GET", "", params={"session_id": session})) == "files_elsewhere"
        assert code(ask("GET", "/text", params={"session_id": session, "path": "a.py"})) == "files_elsewhere"
        assert code(ask("GET", "/content", params={"session_id": session, "path": "a.py"})) == "files_elsewhere"
        assert code(ask("POST", "/check", json={"session_id": session, "paths": ["a.py"]})) == "files_elsewhere"
    assert code(ask("GET", "", params={"session_id": "nobody"})) == "unknown_session"


def test_malformed_requests_are_refused(ask: Ask) -> None:
    for body in ({}, {"paths": "a"}, {"paths": [1]}, {"paths": ["a"] * 101}, {"session_id": 5, "paths": []}):
        assert code(ask("POST", "/check", json=body)) == "invalid_field"
    assert code(ask("GET", "", params={"q": "x" * 201})) == "invalid_field"
    assert code(text(ask, "a.py", first=-1)) == "invalid_field"


def test_every_kind_of_error_has_a_text_in_both_languages() -> None:
    names = "unknown_file not_a_file not_a_text file_too_large not_a_picture picture_too_large_to_show"
    assert {f"error.{name}" for name in names.split()} <= words("errors").keys()
