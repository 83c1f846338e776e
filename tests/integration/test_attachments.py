"""Attached files: what the model gets of them, with each Claude Code, here and on another host."""

from __future__ import annotations

import base64
import contextlib
import os
import signal
import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx2
import pytest

from paliadin.demo.api_messages import Conversation, Media
from paliadin.demo.scripted_api import ScriptedApi
from paliadin.files.attachments import MAX_BYTES
from paliadin.turnlog.folder import TurnFolder
from paliadin.turnlog.removal import remove_turn
from paliadin.web.attachment_routes import MAX_UPLOADS
from tests.integration.conftest import make_world
from tests.integration.test_crash import claude_pid
from tests.worlds.sample_files import attach, pdf, png, png_of, upload
from tests.worlds.world import TOKEN, World, eventually, last, text_of

pytestmark = pytest.mark.timeout(120)

SMALL = 100  # pixels
# 300 KB of profiles and previews stand before what says how large it is.
LATE_JPEG = (
    b"\xff\xd8" + (b"\xff\xe2\xea\x62" + b"y" * 60_000) * 5 + b"\xff\xc0\x00\x08\x08\x00\x10\x00\x10\x01\xff\xd9"
)


def asked(world: World, turn: str) -> Conversation:
    """The last request of the model that belongs to this turn."""
    return [each for _, each in world.api.requests if turn in each.user_text][-1]


def stored(world: World) -> list[str]:
    folder = world.settings.attachments_dir
    return sorted(path.name for path in folder.iterdir()) if folder.exists() else []


def log_of(world: World) -> str:
    return (world.root / "daemon.log").read_text()


def data_of(media: Media) -> bytes:
    return base64.b64decode(media.data)


@pytest.mark.first(1)
def test_what_is_small_is_in_the_request_itself(shared: World) -> None:
    picture, odd = png(SMALL, SMALL), "Prüf \"it\" 'so' (1); [x] & $y ä.txt"
    files = [attach(shared, "Plan für Ann.png", picture), attach(shared, odd, b"Zeile eins\n")]
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


@pytest.mark.first(1)
def test_what_is_large_is_opened_by_a_tool_without_asking(shared: World) -> None:
    picture, document = png(1400, 1250), pdf(10)  # with poppler installed, Read wants page numbers of more
    table = "".join(f"{number},name {number},{'x' * 40}\n" for number in range(60_000)).encode()
    assert len(picture) > 5_000_000
    assert len(table) > 3_000_000
    files = [
        attach(shared, "5 MB.png", picture),
        attach(shared, "10 pages.pdf", document),
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


# What is not taken, and what is never shown.


def refused(world: World, name: str, content: bytes) -> str:
    response = upload(world, name, content)
    assert response.status_code in {400, 413, 422}, response.text
    return str(response.json()["error"]["code"])


@pytest.mark.any_version
def test_what_cannot_be_attached_is_refused_and_leaves_nothing(shared: World) -> None:
    before = stored(shared)
    assert refused(shared, "huge.bin", bytes(MAX_BYTES + 1)) == "attachment_too_large"
    assert refused(shared, "empty.txt", b"") == "attachment_empty"
    assert refused(shared, "bomb.png", png_of(50_000, 50_000, b"")) == "picture_too_large"
    assert refused(shared, "..", b"text") == "invalid_field"
    assert refused(shared, "\ufe0f" * 5, b"text") == "invalid_field"
    with shared.client() as client:
        kind = {"content-type": "multipart/form-data; boundary=x"}
        assert client.post("/api/paliadin/attachments", content=b"nothing", headers=kind).status_code == 400
        assert client.post("/api/paliadin/attachments", json={"file": "x"}).status_code == 400
        field = client.post("/api/paliadin/attachments", data={"file": "text"}, files={"other": ("a.txt", b"x")})
        assert field.status_code == 422
    assert stored(shared) == before


@pytest.mark.any_version
def test_no_more_is_read_of_a_body_than_a_file_may_have(shared: World) -> None:
    """Four gigabytes, told beforehand or not."""
    head = f"POST /api/paliadin/attachments HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {TOKEN}\r\n"
    head += "Content-Type: multipart/form-data; boundary=x\r\n"
    with socket.create_connection(("127.0.0.1", shared.settings.port)) as connection:
        connection.sendall(f"{head}Content-Length: 4294967296\r\n\r\n".encode())
        assert b" 413 " in connection.recv(1000)

    sent = 0

    def zeros() -> Iterator[bytes]:
        nonlocal sent
        yield b'--x\r\nContent-Disposition: form-data; name="file"; filename="z"\r\n\r\n'
        while sent < 4 * 1024**3:
            sent += 1024 * 1024
            yield bytes(1024 * 1024)

    with shared.client() as client:
        kind = {"content-type": "multipart/form-data; boundary=x"}
        with contextlib.suppress(httpx2.HTTPError):  # it may be refused while more is sent
            assert client.post("/api/paliadin/attachments", content=zeros(), headers=kind).status_code == 413
    assert sent < 200 * 1024 * 1024


@pytest.mark.any_version
@pytest.mark.parametrize(
    ("name", "content", "kind", "media_type"),
    [
        ("a.svg", b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>", "text", None),
        ("a.png", b"<html><script>alert(1)</script></html>", "text", None),
        ("a.js", b"GIF89a\x02\x00\x02\x00=1;alert(1)", "image", "image/gif"),
        ("a.html", png(2, 2) + b"<script>alert(1)</script>", "image", "image/png"),
        ("a.bin", b"\x00\x01\x02", "other", None),
        ("of a camera.jpg", LATE_JPEG, "image", "image/jpeg"),
    ],
)
def test_a_file_is_what_its_content_is_and_no_browser_runs_it(
    shared: World, name: str, content: bytes, kind: str, media_type: str | None
) -> None:
    file = attach(shared, name, content)
    assert file["kind"] == kind
    with shared.client() as client:
        response = client.get(f"/api/paliadin/attachments/{file['id']}")
    assert response.content == content
    assert response.headers["content-type"] == (media_type or "application/octet-stream")
    assert response.headers["content-disposition"].startswith("inline" if media_type else "attachment")
    assert response.headers["x-content-type-options"] == "nosniff"
    assert "sandbox" in response.headers["content-security-policy"]


@pytest.mark.first(2)
@pytest.mark.any_version
@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("../../../etc/passwd", "passwd"),
        ("C:\\temp\\plan.txt", "plan.txt"),
        ("a\u202etxt.exe\n.txt", "a txt.exe .txt"),
        ("<img src=x onerror=alert(1)>.txt", "<img src=x onerror=alert(1)>.txt"),
        ("x" * 1000 + ".txt", "x" * 179 + ".txt"),
        ("a\u3164b\u115f\u2800.txt", "a b .txt"),
        ("❤\ufe0f ünï.txt", "❤\ufe0f ünï.txt"),
        ("z" + "\u0316" * 100 + ".txt", "z" + "\u0316" * 8 + ".txt"),
        ("z" + ("\u0316" * 7 + "\ufe0f") * 20 + ".txt", "z" + "\u0316" * 7 + "\ufe0f.txt"),
        ("@agent-x $(touch x) `y` #{z} ;.txt", "@agent-x $(touch x) `y` #{z} ;.txt"),
    ],
)
def test_a_name_leads_nowhere(shared: World, name: str, shown: str) -> None:
    file = attach(shared, name, b"the content of it")
    assert file["name"] == shown
    turn = shared.ask("Read it.", attachments=[file["id"]])
    list(shared.follow(turn))
    assert "the content of it" in str(asked(shared, turn))
    folder = shared.settings.attachments_dir / file["id"]
    assert len(list(folder.iterdir())) == 1


@pytest.mark.any_version
@pytest.mark.parametrize("ids", ["x", [1], ["x"], [f"{number:032x}" for number in range(11)]])
def test_odd_lists_of_files_are_refused(shared: World, ids: object) -> None:
    body = {"session_id": "main", "user_message": "x", "attachments": ids}
    assert shared.post("turn", body).status_code == 422


@pytest.mark.any_version
def test_an_unknown_file_is_refused_and_nothing_is_asked(shared: World) -> None:
    body = {"session_id": "main", "user_message": "x", "attachments": ["0" * 32]}
    assert shared.post("turn", body).json()["error"]["code"] == "unknown_attachment"
    for odd in ("..%2f..%2fetc%2fpasswd", "0" * 32, "x"):
        with shared.client() as client:
            assert client.get(f"/api/paliadin/attachments/{odd}").status_code == 404


# Their life: with the turn, and over what is killed.


@pytest.mark.any_version
def test_a_file_goes_with_its_turn_and_a_question_asked_again_keeps_a_copy(shared: World) -> None:
    before = set(stored(shared))
    file = attach(shared, "a.txt", b"hello")
    first = shared.ask("First", attachments=[file["id"]])
    list(shared.follow(first))
    second = shared.ask("Again", attachments=[file["id"]])
    list(shared.follow(second))
    copy = shared.get("history?session_id=main&limit=1")["turns"][0]["attachments"][0]
    assert copy["id"] != file["id"]
    added = sorted(set(stored(shared)) - before)
    assert added == sorted(f"{each}{end}" for each in (file["id"], copy["id"]) for end in ("", ".json"))
    delete(shared, first)
    assert f"{file['id']}.json" not in stored(shared)
    with shared.client() as client:
        assert client.get(f"/api/paliadin/attachments/{file['id']}").status_code == 404
        assert client.get(f"/api/paliadin/attachments/{copy['id']}").content == b"hello"
    delete(shared, second)
    assert set(stored(shared)) == before


@pytest.mark.any_version
@pytest.mark.parametrize(
    "body",
    [
        b'--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n' * 100_000,
        b'--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n1\r\n' * 100_000,
        b'--x\r\nContent-Disposition: form-data; name="file"; filename="' + b"a" * 1_000_000,
        b"--x\r\n" + b"X-Y: z\r\n" * 100_000 + b"\r\n",
        b'--x\r\nContent-Disposition: form-data; name="file"; filename="a\0b/\0"\r\n\r\n1\r\n--x--\r\n',
        b"--x\r\n\r\n1\r\n--x--\r\n",
        b'--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n1\r\n',
        b"",
    ],
    ids=["fields", "files", "name", "headers", "nul", "no header", "no end", "nothing"],
)
def test_odd_forms_are_refused_soon_or_harmless(shared: World, body: bytes) -> None:
    before = stored(shared)
    kind = {"content-type": "multipart/form-data; boundary=x"}
    begun = time.monotonic()
    with shared.client() as client:
        response = client.post("/api/paliadin/attachments", content=body[: 20 * 1024 * 1024], headers=kind)
        assert response.status_code in {201, 400, 413, 422}, response.text
        assert time.monotonic() - begun < 10
        if response.status_code == 201:
            assert response.json()["name"].isprintable()
            client.delete(f"/api/paliadin/attachments/{response.json()['id']}")
        assert client.get("/api/paliadin/health").status_code == 200
    assert stored(shared) == before


@pytest.mark.any_version
@pytest.mark.parametrize("charset", ["utf-7", "punycode", "idna", "no-such-charset"])
def test_no_client_chooses_how_a_form_is_decoded(shared: World, charset: str) -> None:
    """By punycode, 256 KB took the event loop 22 s; they are a name and a text here, as for any other charset."""
    kind = {"content-type": f"multipart/form-data; charset={charset}; boundary=x"}
    field = b'--x\r\nContent-Disposition: form-data; name="q-"\r\n\r\na-w10i' + b"a" * 1000 + b"\r\n"
    file = b'--x\r\nContent-Disposition: form-data; name="file"; filename="a+AOk-.txt-"\r\n\r\n1\r\n--x--\r\n'
    with shared.client() as client:
        response = client.post("/api/paliadin/attachments", content=field + file, headers=kind)
    assert (response.status_code, response.json()["name"]) == (201, "a+AOk-.txt-")


@pytest.mark.any_version
def test_an_upload_that_is_broken_off_leaves_nothing_and_keeps_no_place(shared: World) -> None:
    before, logged = stored(shared), len(log_of(shared))
    body = (
        b'--x\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n'
        + bytes(1_500_000)
        + b"\r\n--x--\r\n"
    )
    head = f"POST /api/paliadin/attachments HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {TOKEN}\r\n"
    head += f"Content-Type: multipart/form-data; boundary=x\r\nContent-Length: {len(body)}\r\n\r\n"
    whole = head.encode() + body
    for cut in (len(head), len(head) + 30, len(head) + 70, 100_000, 1_200_000, len(whole) - 4):
        for _ in range(MAX_UPLOADS):
            with socket.create_connection(("127.0.0.1", shared.settings.port)) as connection:
                connection.sendall(whole[:cut])
    file = attach(shared, "a.txt", b"hello")
    with shared.client() as client:
        client.delete(f"/api/paliadin/attachments/{file['id']}")
    eventually(lambda: stored(shared) == before)
    assert "Traceback" not in log_of(shared)[logged:]


@pytest.mark.any_version
def test_a_file_that_is_taken_away_while_it_is_shown_is_unknown_and_no_fault(shared: World) -> None:
    logged = len(log_of(shared))
    files = [attach(shared, "a.txt", bytes(300_000))["id"] for _ in range(20)]

    def show(ident: str) -> set[int]:
        codes = set()
        with shared.client() as client:
            while 404 not in codes:
                with contextlib.suppress(httpx2.TransportError):
                    codes.add(client.get(f"/api/paliadin/attachments/{ident}").status_code)
        return codes

    with ThreadPoolExecutor(len(files)) as threads, shared.client() as client:
        shown = [threads.submit(show, ident) for ident in files]
        for ident in files:
            client.delete(f"/api/paliadin/attachments/{ident}")
        assert set().union(*(each.result(30) for each in shown)) <= {200, 404}
    assert "Traceback" not in log_of(shared)[logged:]


@pytest.mark.any_version
def test_one_that_no_question_has_can_be_taken_away(shared: World) -> None:
    before = stored(shared)
    file = attach(shared, "a.txt", b"hello")
    with shared.client() as client:
        assert client.delete(f"/api/paliadin/attachments/{file['id']}").status_code == 200
        assert client.delete(f"/api/paliadin/attachments/{file['id']}").status_code == 404
    assert stored(shared) == before


def delete(world: World, turn_id: str) -> None:
    """As `paliadin turns delete` does."""
    folder = TurnFolder(world.settings.response_dir, turn_id)
    eventually(folder.recorded.exists)
    remove_turn(world.settings, folder)


@pytest.mark.long
@pytest.mark.first(1)
@pytest.mark.any_version
@pytest.mark.parametrize(
    "point",
    [pytest.param("before typing", marks=pytest.mark.matrix), "between typing and Enter", "just after Enter"],
)
def test_a_daemon_that_is_killed_asks_nothing_twice_and_leaves_nothing_behind(
    tmp_path: Path, claude: Path, api: tuple[ScriptedApi, str], point: str
) -> None:
    for world in make_world(tmp_path, claude, api):
        world.start(die=point)
        picture = png(50, 50)
        file = attach(world, "a.png", picture)
        turn = world.ask("Look.", attachments=[file["id"]])
        world.wait_for_death()
        world.start()
        events = list(world.follow(turn))
        requests = [each for _, each in world.api.requests if turn in each.user_text]
        assert len(requests) == (point == "just after Enter")
        assert events[-1].name == ("end" if requests else "error")
        again = world.ask("Again.", attachments=[file["id"]])
        list(world.follow(again))
        assert picture in map(data_of, asked(world, again).media)
        for each in (turn, again):
            delete(world, each)
        assert stored(world) == []


@pytest.mark.long
def test_a_claude_that_is_killed_with_files_is_asked_nothing_twice(
    tmp_path: Path, claude: Path, api: tuple[ScriptedApi, str]
) -> None:
    for world in make_world(tmp_path, claude, api):
        world.start()
        file = attach(world, "a.png", png(50, 50))
        turn = world.ask("scene:steady", attachments=[file["id"]])
        eventually(lambda turn=turn, api=world.api: any(turn in each.user_text for _, each in api.requests))  # type: ignore[misc]
        os.kill(claude_pid(world), signal.SIGKILL)
        assert list(world.follow(turn))[-1].name == "error"
        assert len([each for _, each in world.api.requests if turn in each.user_text]) == 1
        again = world.ask("Again.", attachments=[file["id"]])
        assert list(world.follow(again))[-1].name == "end"
        assert asked(world, again).media
        for each in (turn, again):
            delete(world, each)
        assert stored(world) == []


@pytest.mark.long
def test_a_daemon_that_is_killed_while_a_file_arrives_leaves_nothing_of_it(
    tmp_path: Path, one_claude: Path, api: tuple[ScriptedApi, str]
) -> None:
    for world in make_world(tmp_path, one_claude, api):
        world.start()
        head = f"POST /api/paliadin/attachments HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {TOKEN}\r\n"
        head += "Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 9000000\r\n\r\n"
        head += '--x\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\n\r\n'
        with socket.create_connection(("127.0.0.1", world.settings.port)) as connection:
            connection.sendall(head.encode() + bytes(4_000_000))
            world.stop(signal.SIGKILL)
        world.start()
        assert stored(world) == []
        file = attach(world, "a.bin", bytes(9_000_000))
        assert stored(world) == [file["id"], f"{file['id']}.json"]


@pytest.mark.long
def test_a_file_belongs_to_the_question_that_waits_also_for_the_next_daemon(
    tmp_path: Path, one_claude: Path, api: tuple[ScriptedApi, str]
) -> None:
    for world in make_world(tmp_path, one_claude, api):
        world.start()
        picture = png(50, 50)
        file = attach(world, "a.png", picture)
        running = world.ask("scene:steady")
        eventually(lambda running=running, api=world.api: any(running in each.user_text for _, each in api.requests))  # type: ignore[misc]
        waiting = world.ask("Look.", attachments=[file["id"]], queue=True)
        world.stop(signal.SIGKILL)
        world.start()
        second = world.ask("Look again.", attachments=[file["id"]], queue=True)
        with world.client() as client:
            client.delete(f"/api/paliadin/attachments/{file['id']}")
        for turn in (running, waiting, second):
            assert list(world.follow(turn))[-1].name == "end"
        items = {item["turn_id"]: item for item in world.get("history?session_id=main&limit=9")["turns"]}
        given = [items[turn]["attachments"][0]["id"] for turn in (waiting, second)]
        assert given[0] == file["id"] != given[1]
        for turn in (waiting, second):
            assert picture in map(data_of, asked(world, turn).media)
        delete(world, waiting)
        with world.client() as client:
            assert client.get(f"/api/paliadin/attachments/{given[1]}").content == picture
