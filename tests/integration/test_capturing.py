"""With CAPTURE, what the real Claude Code sent and what came back is kept as it was; without it nothing is."""

from __future__ import annotations

import json
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from paliadin.cli import cli
from paliadin.demo.scripted_api import ScriptedApi
from paliadin.live.capture_index import Entry, entries, find, part
from tests.integration.conftest import make_world
from tests.worlds.script import play
from tests.worlds.world import World, eventually, text_of


class Recorder:
    """The scripted API, and the raw bodies of what reaches it and what it responds."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self.requests: list[bytes] = []
        self.responses: list[bytes] = []
        self.secrets: set[str] = set()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        number = len(self.requests)
        self.requests.append(b"")
        self.responses.append(b"")
        for name, value in scope["headers"]:
            if name in (b"x-api-key", b"authorization"):
                self.secrets.add(value.decode().removeprefix("Bearer "))

        async def received() -> Message:
            message = await receive()
            self.requests[number] += message.get("body", b"")
            return message

        async def sent(message: Message) -> None:
            self.responses[number] += message.get("body", b"")
            await send(message)

        await self._app(scope, received, sent)


@pytest.fixture(scope="module")
def recorded() -> Iterator[tuple[ScriptedApi, str, Recorder]]:
    scripted = ScriptedApi(play)
    recorder = Recorder(scripted.app)
    scripted.app = recorder  # type: ignore[assignment]  # an ASGI application, too
    with scripted.running() as url:
        yield scripted, url, recorder


@pytest.fixture(scope="module")
def captured_world(
    tmp_path_factory: pytest.TempPathFactory, claude: Path, recorded: tuple[ScriptedApi, str, Recorder]
) -> Iterator[World]:
    """One daemon for each Claude Code, with CAPTURE and without LIVE."""
    for world in make_world(tmp_path_factory.mktemp("captured"), claude, recorded[:2]):
        world.options["CAPTURE"] = "true"
        world.start()
        yield world


def captured(world: World, turn_id: str, count: int) -> list[Entry]:
    """The turn's captures, once there are so many."""
    found: list[Entry] = []

    def complete() -> bool:
        found[:] = entries(world.settings.captures_dir, turn_id)
        return len(found) >= count

    eventually(complete, what=f"{count} captures")
    return found


def content(world: World, entry: Entry, which: str) -> bytes:
    capture, place = find(world.settings.captures_dir, entry.name), part(entry, which)
    assert capture
    assert place
    with capture[1] as file:
        return file.read()[slice(*place)].partition(b"\r\n\r\n")[2]


@pytest.mark.long
@pytest.mark.any_version
def test_requests_and_responses_are_kept_as_they_were(
    captured_world: World, recorded: tuple[ScriptedApi, str, Recorder]
) -> None:
    world, (_, _, recorder) = captured_world, recorded
    (world.workdir / "data.csv").write_text("id,what\nc47bd2,défense\n")
    turn_id = world.ask(f"Please in:{world.workdir} scene:read")
    events = list(world.follow(turn_id))
    assert text_of(events) == "Let me look.\n\nFound it.\nNot this one."
    assert "preview" not in {event.name for event in events}
    assert not list(world.settings.response_dir.glob("*/*/live.jsonl"))
    asked = [entry for entry in captured(world, turn_id, 2) if entry.request_class in (None, "main")]
    answers = [
        entry for entry in asked if entry.response_bytes and b"message_stop" in content(world, entry, "response")
    ]
    assert len(answers) >= 2
    for entry in answers:
        request, response = content(world, entry, "request"), content(world, entry, "response")
        assert request in recorder.requests
        assert response == recorder.responses[recorder.requests.index(request)]
        assert json.loads(request)["model"] == entry.model
        assert (entry.status, entry.complete, entry.cut, entry.session) == (200, True, False, "main")
        assert (entry.request_bytes, entry.response_bytes) == (len(request), len(response))
    assert "défense" in content(world, answers[-1], "request").decode()


def test_no_key_is_in_any_capture_and_only_the_account_reads_them(
    captured_world: World, recorded: tuple[ScriptedApi, str, Recorder]
) -> None:
    world, secrets = captured_world, set(recorded[2].secrets)
    turn_id = world.ask("Say something")
    list(world.follow(turn_id))
    captured(world, turn_id, 1)
    [configuration] = world.settings.sessions_dir.glob("main/live/config.json")
    secrets |= recorded[2].secrets | {json.loads(configuration.read_text())["secret"]}
    assert len(secrets) == 2
    folder = world.settings.captures_dir
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    for path in folder.iterdir():
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        for secret in secrets:
            assert secret.encode() not in path.read_bytes(), path.name
            assert secret not in path.name


def test_they_go_with_their_turn(captured_world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    world = captured_world
    kept = world.ask("Say something")
    list(world.follow(kept))
    gone = world.ask("Say another thing: xylophone")
    list(world.follow(gone))
    for turn_id in (kept, gone):
        captured(world, turn_id, 1)
    monkeypatch.setenv("PALIADIN_HOME", str(world.settings.home))
    run = CliRunner()
    recorded_row = next(world.settings.response_dir.glob(f"*/{gone}")) / "recorded"
    eventually(recorded_row.exists)
    assert f"\t{gone[-8:]}\t" in run.invoke(cli, ["captures", "list", "--limit", "100"]).stdout
    ended = run.invoke(cli, ["turns", "delete", gone, "--yes"])
    assert (ended.exit_code, ended.stderr) == (0, "1 turns deleted\n")
    assert entries(world.settings.captures_dir, gone) == []
    assert entries(world.settings.captures_dir, kept)
    assert not [path for path in world.settings.captures_dir.iterdir() if b"xylophone" in path.read_bytes()]


@pytest.mark.long
def test_what_cannot_be_kept_does_not_keep_an_answer_back(captured_world: World) -> None:
    world, folder = captured_world, captured_world.settings.captures_dir
    list(world.follow(world.ask("Say something")))
    folder.rename(folder.with_name("away"))
    folder.write_text("no folder")
    try:
        events = list(world.follow(world.ask("Say something")))
    finally:
        folder.unlink()
        folder.with_name("away").rename(folder)
    assert text_of(events).startswith("You said ")
    assert events[-1].name == "end"
    notes = (world.settings.sessions_dir / "main" / "hooks.log").read_text()
    assert "FileExistsError at capture_room.py" in notes
    assert "Say something" not in notes


@pytest.mark.long
def test_without_the_setting_nothing_is_kept(fresh_world: World) -> None:
    fresh_world.start()
    events: list[Any] = fresh_world.turn("Say something")
    assert events[-1].name == "end"
    assert not fresh_world.settings.captures_dir.exists()
    assert not (fresh_world.settings.sessions_dir / "main" / "live").exists()
