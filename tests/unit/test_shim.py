"""What the far end does by itself: the rest of it is tested over a real line (integration/test_ssh.py)."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import json
import os
import secrets
from argparse import Namespace
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from paliadin.base.session_names import make_session_name
from paliadin.base.settings import Settings
from paliadin.files.attachments import Attachments
from paliadin.files.shown_file import MAX_PICTURE_BYTES
from paliadin.files.tool_pictures import name_of
from paliadin.live.capture_index import entries
from paliadin.live.captures import Capture
from paliadin.live.framing import Head
from paliadin.relays.ssh.rights import ALL, Rights
from paliadin.relays.ssh.shim import process, verbs
from paliadin.relays.ssh.shim.turns import is_removable
from paliadin.relays.ssh.shim.verbs import Shim
from paliadin.relays.ssh.wire_protocol import CHUNK
from paliadin.relays.terminal.relay import TerminalRelay
from paliadin.relays.turn import Turn
from paliadin.steps.model import Aborted, Accepted
from paliadin.turnlog.description import Description
from paliadin.turnlog.folder import TurnFolder
from paliadin.turnlog.ids import new_turn_id, now_ms
from paliadin.turnlog.removal import remove_expired
from tests.worlds.logs import made_turn
from tests.worlds.sample_files import png


def test_a_part_of_the_account_has_nothing_to_do_with_sessions_of_another_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "config" / "paliadin").mkdir(parents=True)
    (tmp_path / "config" / "paliadin" / "config.toml").write_text("paliad = true\nmodel = 'opus'\n")
    for name in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        monkeypatch.setenv(name, str(tmp_path / {"HOME": "", "XDG_CONFIG_HOME": "config"}.get(name, "data")))
    loaded = process._load_settings(Namespace(name="laptop", workdir=tmp_path))
    assert loaded.model == "opus"
    assert TerminalRelay(loaded)._toolboxes == ()  # the shim gives it none


def turn(settings: Settings, *, over: bool) -> TurnFolder:
    folder = made_turn(settings.response_dir)
    folder.log.append(Accepted(now_ms()))
    if over:
        folder.log.append(Aborted(now_ms()))
    return folder


async def asked(settings: Settings, rights: Rights = ALL, **request: Any) -> Mapping[str, Any]:
    answers: list[Mapping[str, Any]] = []

    async def send(message: Mapping[str, object]) -> None:
        answers.append(message)

    shim = Shim(settings, TerminalRelay(settings), "tester", ("main",), send, rights)
    async with shim.running():
        await shim._respond(1, request)
    return answers[0]


async def test_a_host_whose_claude_code_is_too_old_says_so_when_it_is_tested_and_as_its_state(
    settings: Settings, tmp_path: Path
) -> None:
    program = tmp_path / "old-claude"
    program.write_text("#!/bin/sh\necho '2.1.191 (Claude Code)'\n")
    program.chmod(0o755)
    old = replace(settings, claude=str(program), tmux_socket=f"paliadin-test-{tmp_path.name[:30]}")
    parts = (await asked(old, verb="check"))["result"]["parts"]
    state = (await asked(old, verb="state", session_id="main"))["result"]
    for shown in ({part["name"]: part for part in parts}["claude"], state):
        assert shown["state"] == "claude_too_old"
        assert shown["message"].startswith("Claude Code 2.1.191 is too old for Paliadin, which needs 2.1.196 or newer")
        assert "claude update" in shown["hint"]


class Running(TerminalRelay):
    """A relay in which Claudes run that are never idle but in `main`."""

    async def alive(self) -> set[str]:
        return {"main", "another-keys"}

    async def park(self, session: str) -> bool:
        return session == "main"


async def test_a_key_sees_and_parks_the_claudes_of_its_own_sessions_only(settings: Settings) -> None:
    responses: list[Mapping[str, Any]] = []

    async def send(message: Mapping[str, object]) -> None:
        responses.append(message)

    shim = Shim(settings, Running(settings), "tester", ("main", "busy"), send)
    async with shim.running():
        for number, request in enumerate(
            [{"verb": "alive"}, *({"verb": "park", "session_id": name} for name in ("main", "busy", "another-keys"))]
        ):
            await shim._respond(number, request)
    assert [response.get("result") for response in responses[:3]] == [
        {"sessions": ["main"]},
        {"parked": True},
        {"parked": False},
    ]
    assert responses[3]["error"]["code"] == "unknown_session"


class Typing(TerminalRelay):
    """A relay that types a question until `finish` is set, and then waits for the answer for ever."""

    said = ""

    async def submit(self, turn: Turn) -> None:
        try:
            self.begun.set()
            await self.finish.wait()
            (TurnFolder(self._settings.response_dir, turn.id).path / "prompt_id").write_text("p")
            self.said = "typed"
            await asyncio.Event().wait()
        finally:
            self.said += ", cancelled"


async def test_at_its_end_a_question_is_typed_to_its_end_and_then_left_to_claude(settings: Settings) -> None:
    async def send(_message: Mapping[str, object]) -> None:
        pass

    relay = Typing(settings)
    relay.begun, relay.finish = asyncio.Event(), asyncio.Event()
    shim = Shim(settings, relay, "tester", ("main",), send)
    question = {"turn_id": new_turn_id(), "session_id": "main", "user_message": "Hello?"}
    async with shim.running():
        await shim.handle(json.dumps({"id": 1, "verb": "submit", "turn": question}).encode())
        await asyncio.wait_for(relay.begun.wait(), 10)
        asyncio.get_running_loop().call_later(0.1, relay.finish.set)  # when it is ending
    assert relay.said == "typed, cancelled"


async def test_at_its_end_nothing_is_waited_for_that_an_agent_asks(settings: Settings) -> None:
    async def send(_message: Mapping[str, object]) -> None:
        pass

    shim = Shim(settings, TerminalRelay(settings), "tester", ("main",), send)
    folder = turn(settings, over=False)
    description = {"turn_id": folder.turn_id, "asked_by": {"agent": "a", "kind": "general-purpose"}}
    shim._turns._running[folder.turn_id] = Turn(Description.parse(description), "main", folder.log)
    await asyncio.wait_for(shim._turns.finish_typing(), 5)


async def test_turns_that_are_over_go_with_the_links_to_them(settings: Settings) -> None:
    gone, kept = turn(settings, over=True), turn(settings, over=True)
    link = settings.sessions_dir / "main" / "prompts" / "p1"
    link.parent.mkdir(parents=True)
    link.symlink_to(gone.path)
    (gone.path / "prompt_id").write_text("p1")
    lost = new_turn_id()  # one whose folder is gone already
    for turn_id in (gone.turn_id, lost, kept.turn_id):
        capture = Capture(settings.captures_dir, Head("POST /secret/v1/messages HTTP/1.1", []), "main")
        capture.turn = turn_id
        capture.finish(complete=True)
    response = await asked(settings, verb="forget", turn_ids=[gone.turn_id, lost])
    assert response == {"id": 1, "result": {"removed": 1}}
    assert not gone.path.exists()
    assert not link.is_symlink()
    assert kept.path.exists()
    assert [entry.turn for entry in entries(settings.captures_dir)] == [kept.turn_id]


async def test_while_one_of_them_runs_none_goes(settings: Settings) -> None:
    over, runs = turn(settings, over=True), turn(settings, over=False)
    response = await asked(settings, verb="forget", turn_ids=[over.turn_id, runs.turn_id])
    assert response["error"]["code"] == "turn_in_flight"
    assert over.path.exists()
    assert runs.path.exists()


async def test_the_turn_of_a_session_that_the_key_may_not_use_stays_and_is_not_known(settings: Settings) -> None:
    foreign, own = TurnFolder(settings.response_dir, new_turn_id()), turn(settings, over=True)
    foreign.create(Description.parse({"turn_id": foreign.turn_id, "session_id": "other"}))
    foreign.log.append(Aborted(now_ms()))
    response = await asked(settings, verb="forget", turn_ids=[own.turn_id, foreign.turn_id])
    assert response["error"]["code"] == "unknown_session"
    response = await asked(settings, verb="submit", turn={"turn_id": foreign.turn_id, "session_id": "main"})
    assert response["error"]["code"] == "unknown_session"
    assert foreign.path.exists()
    assert own.path.exists()


async def test_the_turns_of_a_conversation_that_was_deleted_there_can_still_be_deleted(settings: Settings) -> None:
    name = make_session_name()
    left = made_turn(settings.response_dir, session_id=name)
    left.log.append(Aborted(now_ms()))
    assert not (settings.sessions_dir / name).exists()
    question = {"turn_id": new_turn_id(), "session_id": name, "user_message": "Hello?"}
    response = await asked(settings, verb="submit", turn=question)
    assert response["error"]["code"] == "unknown_session"
    response = await asked(settings, verb="forget", turn_ids=[left.turn_id])
    assert response == {"id": 1, "result": {"removed": 1}}
    assert not left.path.exists()


class LettingGo(Typing):
    """A relay that sees only a moment later that a turn is over."""

    async def submit(self, turn: Turn) -> None:
        (TurnFolder(self._settings.response_dir, turn.id).path / "prompt_id").write_text("p")
        turn.log.append(Accepted(now_ms()))
        turn.log.append(Aborted(now_ms()))
        await asyncio.sleep(0.2)
        self.said = "let go"

    async def discard(self, session: str) -> None:
        assert session
        self.said += ", discarded"


@pytest.mark.parametrize("verb", ["discard", "forget"])
async def test_what_is_deleted_right_after_its_last_turn_waits_until_the_relay_lets_go_of_that(
    settings: Settings, verb: str
) -> None:
    responses: list[Mapping[str, Any]] = []

    async def send(message: Mapping[str, object]) -> None:
        responses.append(message)

    relay = LettingGo(settings)
    shim = Shim(settings, relay, "tester", ("main",), send)
    turn_id = new_turn_id()
    async with shim.running():
        await shim._respond(
            1, {"verb": "submit", "turn": {"turn_id": turn_id, "session_id": "main", "user_message": "x"}}
        )
        await asyncio.sleep(0)  # the turn is over
        await shim._respond(2, {"verb": verb, "session_id": "main", "turn_ids": [turn_id]})
    assert "error" not in responses[1], responses[1]
    assert relay.said.startswith("let go")


@pytest.mark.parametrize("turn_ids", [None, "x", {}, [None], ["../../.."], ["x/../y"], [[]]])
async def test_what_names_no_turn_is_refused(settings: Settings, turn_ids: Any) -> None:
    kept = turn(settings, over=True)
    response = await asked(settings, verb="forget", turn_ids=turn_ids)
    assert response["error"]["code"] in {"invalid_field", "unknown_turn"}, json.dumps(response)
    assert kept.path.exists()


def keep_there(folder: TurnFolder, data: bytes) -> str:
    """Put a picture where the hook does; returns its name."""
    (folder.path / "pictures").mkdir(exist_ok=True)
    (folder.path / "pictures" / name_of(data)).write_bytes(data)
    return name_of(data)


async def test_a_picture_is_sent_in_pieces_also_to_a_key_that_may_only_read(settings: Settings) -> None:
    own, data = turn(settings, over=True), png(400, 300)
    wanted = {"verb": "picture", "turn_id": own.turn_id, "name": keep_there(own, data)}
    pieces = [await asked(settings, frozenset(), **wanted, offset=at) for at in (0, CHUNK, len(data), 10**30)]
    sent = [base64.b64decode(piece["result"]["data"]) for piece in pieces]
    assert sent == [data[:CHUNK], data[CHUNK:], b"", b""]
    assert {piece["result"]["size"] for piece in pieces} == {len(data)}
    for offset in (-1, "0", True):
        assert (await asked(settings, **wanted, offset=offset))["error"]["code"] == "invalid_field"


async def test_nothing_but_a_file_of_the_turns_own_pictures_is_sent(settings: Settings) -> None:
    own, name = turn(settings, over=True), "0" * 32
    pictures = own.path / "pictures"

    async def code(name: object = name, turn_id: str = own.turn_id) -> object:
        return (await asked(settings, verb="picture", turn_id=turn_id, name=name)).get("error", {}).get("code")

    assert await code() == "unknown_picture"
    keep_there(own, png(5, 4))
    for other in (
        "../turn.json",
        "turn.json",
        f"../pictures/{name_of(b'')}",
        "A" * 32,
        f"{name}\n",
        "",
        None,
        7,
        [name],
    ):
        assert await code(other) == "unknown_picture"
    (pictures / name).symlink_to(own.path / "turn.json")
    assert await code() == "unknown_picture"
    (pictures / name).unlink()
    os.mkfifo(pictures / name)
    assert await code() == "unknown_picture"
    (pictures / name).unlink()
    with (pictures / name).open("wb") as large:
        large.truncate(MAX_PICTURE_BYTES + 1)
    assert await code() == "unknown_picture"
    (pictures / name).write_bytes(b"x")
    assert await code() is None
    pictures.rename(settings.home / "elsewhere")
    pictures.symlink_to(settings.home / "elsewhere")
    assert await code() == "unknown_picture"
    foreign = made_turn(settings.response_dir, session_id="other")
    assert await code(keep_there(foreign, png(5, 4)), foreign.turn_id) == "unknown_session"


def test_old_folders_go_by_themselves_but_never_that_of_a_turn_that_runs(settings: Settings) -> None:
    over, runs = turn(settings, over=True), turn(settings, over=False)
    assert remove_expired(settings, datetime.now(UTC) + timedelta(days=29), is_removable) == 0
    assert remove_expired(settings, datetime.now(UTC) + timedelta(days=31), is_removable) == 1
    assert not over.path.exists()
    assert runs.path.exists()


def described(content: bytes, **fields: object) -> dict[str, object]:
    """A file as a daemon describes it."""
    digest = hashlib.sha256(content).hexdigest()
    return {
        "id": secrets.token_hex(16),
        "name": "a.txt",
        "bytes": len(content),
        "kind": "text",
        "digest": digest,
    } | fields


async def attached(settings: Settings, file: dict[str, object], content: bytes, at: int = 0, **more: Any) -> object:
    """What the shim responds: how many bytes are there, or the code of its error."""
    data = base64.b64encode(content).decode()
    response = await asked(settings, verb="attach", attachment=file, at=at, data=data, **more)
    return response["result"]["have"] if "result" in response else response["error"]["code"]


@pytest.mark.parametrize(
    "fields",
    [
        {"id": "../../../etc/passwd"},
        {"id": "0" * 31 + "/"},
        {"id": 5},
        {"bytes": -1},
        {"bytes": 10**9},
        {"bytes": True},
        {"bytes": 1e999},
        {"kind": "script"},
        {"kind": []},
        {"digest": None},
        {"name": "x" * 300},
    ],
)
async def test_a_file_that_is_described_wrongly_is_not_taken(settings: Settings, fields: dict[str, object]) -> None:
    assert await attached(settings, described(b"hello", **fields), b"hello") == "invalid_field"
    assert not settings.attachments_dir.exists()


async def test_a_file_that_is_not_what_was_said_of_it_leaves_nothing(settings: Settings) -> None:
    for file, content in (
        (described(b"hello", digest="0" * 64), b"hello"),
        (described(b"hello"), b"hallo"),
        (described(b"hello"), b"hello, and more"),
    ):
        assert await attached(settings, file, content) == "attachment_damaged"
    assert await attached(settings, described(b"hello"), b"ello", at=1) == 0  # its beginning is missing
    assert list(settings.attachments_dir.iterdir()) == []


async def test_a_host_that_cannot_keep_a_file_says_so_at_once(settings: Settings) -> None:
    for damage in (Path.mkdir, lambda path: path.symlink_to("/dev/full")):
        file = described(b"hello")
        settings.attachments_dir.mkdir(mode=0o700, exist_ok=True)
        damage(settings.attachments_dir / f"{file['id']}.part")
        at = (settings.attachments_dir / f"{file['id']}.part").stat().st_size
        assert await attached(settings, file, b"hello", at=at) in {"attachment_not_kept", "attachment_damaged"}


async def test_what_a_daemon_says_of_a_files_turn_counts_for_nothing(settings: Settings) -> None:
    file = described(b"hello", turn_id=turn(settings, over=True).turn_id, person="owner")
    assert await attached(settings, file, b"hello") == 5
    kept = Attachments(settings.attachments_dir).get(file["id"])
    assert (kept.turn_id, kept.person) == ("", "")
    assert await attached(settings, file, b"", drop=True) == 0
    assert list(settings.attachments_dir.iterdir()) == []


async def test_a_file_of_another_turn_is_neither_dropped_nor_given_to_a_second_one(settings: Settings) -> None:
    file, files = described(b"hello"), Attachments(settings.attachments_dir)
    await attached(settings, file, b"hello")
    files.claim([files.get(file["id"])], first := new_turn_id())
    assert await attached(settings, file, b"", drop=True) == 0
    asking = {"turn_id": new_turn_id(), "session_id": "main", "user_message": "?", "attachments": [file]}
    response = await asked(settings, verb="submit", turn=asking)
    assert response["error"]["code"] == "unknown_attachment"
    assert files.get(file["id"]).turn_id == first


async def test_a_daemon_cannot_fill_the_disk_with_files_that_no_question_has(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("paliadin.files.attachments.MOST_UNSENT", 3)
    assert await attached(settings, described(b"hello"), b"hello") == 5
    first = described(b"hello")
    assert await attached(settings, first, b"he") == await attached(settings, described(b"hello"), b"he") == 2
    assert await attached(settings, described(b"hello"), b"hello") == "too_many_attachments"
    assert await attached(settings, first, b"llo", at=2) == 5  # one that has begun is taken to its end


async def test_a_client_that_takes_no_response_has_so_many_requests_under_way(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verbs, "AT_ONCE", 3)
    begun, taken = 0, asyncio.Event()

    async def send(_message: Mapping[str, object]) -> None:
        nonlocal begun
        begun += 1
        await taken.wait()

    shim = Shim(settings, TerminalRelay(settings), "tester", ("main",), send)
    async with shim.running():

        async def flood() -> None:
            for _ in range(10):
                await shim.handle(b'{"id": 1, "verb": "nothing"}\n')

        flooding = asyncio.create_task(flood())
        for _ in range(100):
            await asyncio.sleep(0)
        assert (begun, flooding.done()) == (3, False)
        taken.set()
        await flooding
