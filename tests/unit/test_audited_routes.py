"""What changes nothing is not in the audit log, however often it is asked for; what a peer refuses is not, either."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import httpx2
import pytest
from starlette.types import Receive, Scope, Send

from paliadin.base.command_socket import command_socket_path
from paliadin.base.settings import Settings
from paliadin.daemon import make_parts
from paliadin.parts.messages.consents import Consents
from paliadin.parts.messages.own_keys import OwnKeys
from paliadin.parts.messages.question_limits import QuestionLimits
from paliadin.parts.messages.routes import MessagesRoutes
from paliadin.people.access import Access
from paliadin.record.store import Store
from paliadin.relays.scripted import ScriptedRelay
from paliadin.turnlog.description import Description
from paliadin.turnlog.ids import new_turn_id
from paliadin.turns.lifecycle import Turns
from paliadin.turns.queue import HoldReason
from paliadin.web.app import create_app
from tests.unit.test_access import listener
from tests.worlds.door import OWN, make_settings
from tests.worlds.logs import made_turn
from tests.worlds.typed_play import play

API = "/api/paliadin"


class Keys:
    """A store of own keys that has the owner's."""

    def __init__(self) -> None:
        self.is_there = True

    async def own_key(self, _person: str) -> None:
        return None

    async def save_own_key(self, _person: str, _sealed: str) -> None:
        raise NotImplementedError

    async def remove_own_key(self, _person: str) -> bool:
        was_there, self.is_there = self.is_there, False
        return was_there


@dataclass
class Daemon:
    home: Path
    turns: Turns
    access: Access
    client: httpx2.AsyncClient

    async def events(self, method: str, path: str, body: Any = None) -> tuple[set[int], list[str]]:
        """Ask for the same twenty times; return the statuses, and the events that are in the audit log then."""
        statuses = {(await self.client.request(method, API + path, json=body)).status_code for _ in range(20)}
        log = self.home / "audit.jsonl"
        return statuses, [json.loads(each)["event"] for each in log.read_text().splitlines()] if log.exists() else []


@asynccontextmanager
async def opened(settings: Settings) -> AsyncIterator[Daemon]:
    """The routes of a daemon, asked from the command line."""
    home, access = settings.home, Access(settings.home)
    parts = make_parts(settings, access, [ScriptedRelay(play)])
    settings.sessions_dir.mkdir()
    store, consents = Store(), Consents(home, "api.example", "m1")

    async def try_key(_key: str) -> None:
        raise NotImplementedError

    messages = MessagesRoutes(QuestionLimits(store, 1, 1), consents, OwnKeys(Keys(), home), try_key)
    app = create_app(replace(parts.api, terms=messages, more_routes=messages.routes()))

    async def from_the_command_line(scope: Scope, receive: Receive, send: Send) -> None:
        await app({**scope, "server": (str(command_socket_path(home)), None)}, receive, send)

    transport = httpx2.ASGITransport(app=from_the_command_line)
    async with parts.api.peers.running(), httpx2.AsyncClient(transport=transport, base_url=OWN) as client:
        yield Daemon(home, parts.api.turns, access, client)


@pytest.fixture
async def daemon(tmp_path: Path) -> AsyncIterator[Daemon]:
    async with opened(make_settings(tmp_path)) as daemon:
        yield daemon


async def test_who_has_agreed_and_agrees_again_changes_nothing(daemon: Daemon) -> None:
    assert await daemon.events("POST", "/consent", {"version": "1 api.example m1"}) == ({200}, ["agreed"])


async def test_a_key_that_is_gone_is_not_removed_again(daemon: Daemon) -> None:
    assert await daemon.events("DELETE", "/own-key") == ({200}, ["own_key_removed"])


async def test_where_nobody_is_signed_in_nobody_is_signed_out(daemon: Daemon) -> None:
    daemon.access.sign_in(daemon.access.new_ticket(), "")
    assert await daemon.events("POST", "/access/sign-out", {"everywhere": True}) == ({200}, ["signed out"])


async def test_a_session_that_is_there_is_not_made_again(daemon: Daemon) -> None:
    assert await daemon.events("POST", "/conversations", {"name": "k1"}) == ({201}, ["conversation made"])


async def test_a_turn_that_is_over_is_not_stopped_again(daemon: Daemon) -> None:
    turn = made_turn(daemon.turns.settings.response_dir, user_message="x")
    assert await daemon.events("POST", f"/stream/{turn.turn_id}/abort") == ({200}, [])


async def test_a_queue_that_moves_does_not_go_on_again(daemon: Daemon) -> None:
    with daemon.turns.sessions.slot("main", new_turn_id()):
        daemon.turns.queues.add("main", Description(new_turn_id(), "main", "x"))
        daemon.turns.queues.hold("main", HoldReason.STOPPED)
        assert await daemon.events("POST", "/queue", {}) == ({200}, ["queue went on"])


@pytest.mark.parametrize("status", [404, 409, 200])
async def test_what_a_peer_refuses_is_not_noted(tmp_path: Path, status: int) -> None:
    with listener(status) as (port, _):
        peers = {"office": f"http://127.0.0.1:{port}"}
        settings = replace(
            make_settings(tmp_path), name="laptop", peers=peers, peer_keys={"office": "the-office's-key"}
        )
        async with opened(settings) as daemon:
            asked = await daemon.events("POST", "/reset", {"session_id": "main@office"})
    assert asked == ({status}, ["reset"] * 20 if status == 200 else [])
