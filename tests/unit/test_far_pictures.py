"""Pictures that are fetched from another host: kept here whole, and only if they are what was asked for."""

from __future__ import annotations

import asyncio
import base64
from pathlib import Path
from typing import Any, cast

import pytest

from paliadin.base import errors
from paliadin.files import tool_pictures
from paliadin.files.tool_pictures import keep, name_of, read_whole
from paliadin.relays.ssh.connection import Connection
from paliadin.relays.ssh.far_pictures import FarPictures
from paliadin.relays.ssh.hosts import Remote
from paliadin.turnlog.description import Description
from paliadin.turnlog.folder import TurnFolder
from tests.worlds.logs import made_turn
from tests.worlds.sample_files import png, png_of

PICTURE = png(20, 10)


class Host:
    """The connection to a host that sends `data` in pieces of 100 bytes, with `result` changed."""

    remote = Remote("far", "me@far")

    def __init__(self, data: bytes = PICTURE, /, **result: object) -> None:
        self.data, self.result, self.requests, self.verbs = data, result, 0, {"picture"}

    async def wait_for_reconnect(self) -> bool:
        return True

    def knows(self, verb: str) -> bool:
        return verb in self.verbs

    async def request(self, verb: str, *, turn_id: str, name: str, offset: int) -> dict[str, Any]:
        assert (verb, len(turn_id), len(name)) == ("picture", 36, 32)
        self.requests += 1
        await asyncio.sleep(0)
        piece = base64.b64encode(self.data[offset : offset + 100]).decode()
        return {"size": len(self.data), "data": piece} | self.result


@pytest.fixture
def turn(tmp_path: Path) -> TurnFolder:
    return made_turn(tmp_path, session_id="main@far")


def pictures(host: Host, turn: TurnFolder) -> FarPictures:
    return FarPictures(cast("Connection", host), turn.turns)


async def test_two_who_want_a_picture_at_once_have_it_fetched_once_and_it_goes_with_the_turn(turn: TurnFolder) -> None:
    host, name = Host(), name_of(PICTURE)
    far = pictures(host, turn)
    await asyncio.gather(far.fetch(turn.turn_id, name), far.fetch(turn.turn_id, name))
    assert read_whole(turn.path, name) == ("image/png", PICTURE)
    assert host.requests == -(-len(PICTURE) // 100)
    assert [path.name for path in (turn.path / "pictures").iterdir()] == [name]
    turn.discard()
    assert not turn.path.exists()
    with pytest.raises(errors.NotFound):
        await far.fetch(turn.turn_id, name)
    assert not turn.path.exists()


@pytest.mark.parametrize(
    "host",
    [
        Host(png(20, 11)),
        Host(b""),
        Host(PICTURE, data="%"),
        Host(PICTURE, data=None),
        Host(PICTURE, data=""),
        Host(PICTURE, size=10),
        Host(PICTURE, size=10**9),
        Host(PICTURE, size="many"),
        Host(PICTURE, size=-1),
    ],
)
async def test_what_is_not_the_picture_that_was_asked_for_is_not_kept(turn: TurnFolder, host: Host) -> None:
    with pytest.raises(errors.RelayError, match="something else"):
        await pictures(host, turn).fetch(turn.turn_id, name_of(PICTURE))
    assert not (turn.path / "pictures").exists()


@pytest.mark.parametrize("data", [b"<svg onload=alert(1)>", png_of(10_000, 10_000, b"")])
async def test_what_is_no_picture_or_could_not_be_drawn_is_not_kept(turn: TurnFolder, data: bytes) -> None:
    with pytest.raises(errors.NotFound):
        await pictures(Host(data), turn).fetch(turn.turn_id, name_of(data))
    assert not (turn.path / "pictures").exists()


async def test_an_older_host_is_not_asked_and_a_name_that_is_none_leads_nowhere(turn: TurnFolder) -> None:
    host = Host()
    with pytest.raises(errors.NotFound):
        await pictures(host, turn).fetch(turn.turn_id, "../turn.json")
    host.verbs.clear()
    await pictures(host, turn).fetch(turn.turn_id, name_of(PICTURE))
    assert host.requests == 0
    assert not (turn.path / "pictures").exists()


def test_a_turn_keeps_no_more_pictures_than_the_hook_would(turn: TurnFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    for limit, most in (("MAX_FILES", 1), ("MAX_ALL", 2 * len(PICTURE) - 1)):
        turn.discard()
        turn.create(Description.parse({"turn_id": turn.turn_id, "session_id": "main@far"}))
        with monkeypatch.context() as patch:
            patch.setattr(tool_pictures, limit, most)
            keep(turn.path, name_of(PICTURE), PICTURE)
            with pytest.raises(errors.NotFound):
                keep(turn.path, "0" * 32, PICTURE)
