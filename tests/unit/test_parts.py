"""A part is one folder: what it adds is there when it is on and not before, and nothing else names it."""

from __future__ import annotations

import asyncio
import json
import re
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from types import ModuleType
from typing import Any
from zoneinfo import ZoneInfo

import httpx2
import pytest
from click.testing import CliRunner

from paliadin import parts
from paliadin.base.errors import ConfigError, StoreUnavailable
from paliadin.base.files import write_json
from paliadin.base.part_modules import switched_on
from paliadin.base.session_names import MEMBER_FILE
from paliadin.base.settings import Settings, load_settings, resource_folder
from paliadin.conversations.conversation import Conversation
from paliadin.daemon import Parts, make_parts
from paliadin.operations.janitor import Janitor
from paliadin.parts import Extra
from paliadin.parts.loading import House, Part, join, load_parts
from paliadin.parts.messages.system_prompt import facts
from paliadin.parts.messages.tools import Reader, Tools
from paliadin.people.access import Access, Purpose
from paliadin.people.caller import Caller
from paliadin.people.person_key import OWNER, PersonKey
from paliadin.record.row import TurnRow
from paliadin.record.store import Store
from paliadin.relays.scripted import ScriptedRelay
from paliadin.relays.terminal import claude
from paliadin.relays.terminal.plugin import SKILL, copy_plugin
from paliadin.reports.filters import Filter
from paliadin.steps.model import Noted
from paliadin.turnlog.folder import TurnFolder
from paliadin.turnlog.ids import new_turn_id
from paliadin.turns.deletion import delete_turns
from paliadin.turns.question import Question
from paliadin.web.app import create_app
from paliadin.web.dashboard.locale import Locale
from scripts.generate import PRIVACY, all_retained, privacy_page
from tests.unit.test_cli_turns import insert
from tests.worlds.cli_daemon import Shell, alone
from tests.worlds.door import APP, OWN
from tests.worlds.typed_play import play
from tests.worlds.world import TOKEN, give_key

__all__ = ["alone"]

TOYS = Path(__file__).parents[1] / "toy_parts"
OURS = "https://ours.example"
API = "/api/paliadin"
TODAY = date(2026, 11, 30)


@pytest.fixture(autouse=True)
def toy_folder(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(parts, "__path__", [*parts.__path__, str(TOYS)])
    before = set(sys.modules)
    yield
    for name in {name for name in sys.modules if name.startswith("paliadin.parts.toy")} - before:
        del sys.modules[name]


def settings_of(home: Path, **options: str) -> Settings:
    values = {"HOME": str(home), "ALLOWED_ORIGINS": f"{APP},{OURS}", "ALLOWED_HOSTS": "p.example", **options}
    return load_settings({f"PALIADIN_{name}": value for name, value in values.items()})


@dataclass
class Daemon:
    settings: Settings
    parts: Parts
    access: Access
    client: httpx2.AsyncClient

    async def call(self, tool: str, query: str = "") -> str:
        """Call a tool over /mcp, and return its text."""
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": tool, "arguments": {}}}
        reply = await self.client.post(f"{API}/mcp{query}", json=message, headers={"Authorization": f"Bearer {TOKEN}"})
        assert reply.status_code == 200, reply.text
        return str(reply.json()["result"]["content"][0]["text"])

    def in_drawer(self, name: str, origin: str) -> dict[str, str]:
        token = self.access.embed_tokens.issue(origin, name)
        return {"Authorization": f"Bearer {token}", "Origin": origin}


@asynccontextmanager
async def opened(home: Path, **options: str) -> AsyncIterator[Daemon]:
    settings = settings_of(home, **options)
    settings.sessions_dir.mkdir(exist_ok=True)
    access = give_key(home)
    made = make_parts(settings, access, [ScriptedRelay(play)])
    transport = httpx2.ASGITransport(app=create_app(made.api))
    async with httpx2.AsyncClient(transport=transport, base_url=OWN) as client, made.api.peers.running():
        if made.toolboxes is None:
            yield Daemon(settings, made, access, client)
        else:
            async with made.toolboxes.running():
                yield Daemon(settings, made, access, client)


async def test_what_is_off_is_not_there(tmp_path: Path) -> None:
    async with opened(tmp_path) as daemon:
        assert "paliadin.parts.toy" in sys.modules
        modules = [name for name in sys.modules if name.startswith("paliadin.parts.toy.")]
        assert modules == ["paliadin.parts.toy.settings"]
        assert daemon.parts.toolboxes is None
        headers = {"Authorization": f"Bearer {TOKEN}"}
        for method, path in ("GET", "toy"), ("POST", "mcp"):
            assert (await daemon.client.request(method, f"{API}/{path}", headers=headers, json={})).status_code == 404


async def test_its_route_is_there_with_its_description_and_knows_who_asks(tmp_path: Path) -> None:
    async with opened(tmp_path, TOY="true", PEOPLE_ORIGINS=OURS) as daemon:
        headers = {"Authorization": f"Bearer {TOKEN}"}
        document = (await daemon.client.get(f"{API}/openapi.json", headers=headers)).json()
        assert document["paths"][f"{API}/toy"]["get"]["summary"] == "Whose toys."
        assert (await daemon.client.get(f"{API}/toy")).status_code == 401
        for name, origin, whose in (
            ("ann", APP, f"ann at {APP}"),
            ("ann", OURS, "ann"),
            ("cem", OURS, "cem"),
        ):
            shown = await daemon.client.get(f"{API}/toy", headers=daemon.in_drawer(name, origin))
            assert shown.json() == {"whose": whose}
        assert (await daemon.client.get(f"{API}/toy", headers=headers)).json() == {"whose": OWNER.as_text}


async def test_a_key_for_it_opens_its_routes_that_say_so_and_no_other(tmp_path: Path) -> None:
    async with opened(tmp_path, TOY="true") as daemon:
        cookie = {"Cookie": f"paliadin={daemon.access.sign_in(daemon.access.new_ticket(), '')}", "Origin": OWN}

        async def make_key(name: str) -> httpx2.Response:
            keys = f"/~{daemon.access.label}{API}/access/keys"
            return await daemon.client.post(keys, json={"name": name, "purpose": "toy"}, headers=cookie)

        async def ask(path: str, key: str = "") -> httpx2.Response:
            headers = {"Authorization": f"Bearer {key}"} if key else cookie
            prefix = "" if key else f"/~{daemon.access.label}"
            return await daemon.client.get(f"{prefix}{API}/{path}", headers=headers)

        key = (await make_key("robot")).json()["key"]
        assert (await ask("toy/lent?person=ann", key)).json() == {"whose": "ann"}
        assert (await ask("toy/lent", key)).status_code == 422
        assert (await ask("toy/lent?person=ann")).json() == {"whose": OWNER.as_text}
        others = ["toy", "history", "sessions", "conversations", "access", "no-such-path"]
        assert {path: (await ask(path, key)).status_code for path in others} == dict.fromkeys(others, 403)
        for purpose in Purpose.EMBED, Purpose.METRICS:
            assert (await ask("toy/lent?person=ann", daemon.access.add_key(purpose, purpose))).status_code == 403
        description = (await ask("openapi.json")).json()["paths"][f"{API}/toy/lent"]["get"]["description"]
        assert description.endswith("; a program with a key for toy, for whom it names.")
    async with opened(tmp_path) as daemon:  # without the part
        assert (await ask("toy/lent?person=ann", key)).status_code == 403
        assert (await make_key("another")).status_code == 422


async def test_the_health_report_tells_how_it_is_and_that_it_is_there(tmp_path: Path) -> None:
    async with opened(tmp_path, TOY="true") as daemon:
        health = (await daemon.client.get(f"{API}/health", headers={"Authorization": f"Bearer {TOKEN}"})).json()
        assert (health["toy"], health["pieces"]) == (True, ["toy"])
        assert [part["message"] for part in health["parts"] if part["name"] == "toys"] == ["one is broken"]


async def test_its_piece_of_the_page_is_served_beside_the_pages_own_files(tmp_path: Path) -> None:
    piece, page = "parts/toy/page/piece.js", {"Authorization": f"Bearer {TOKEN}"}
    async with opened(tmp_path, TOY="true") as daemon:
        html = (await daemon.client.get("/paliadin", headers=page)).text
        [versioned] = set(re.findall(r"paliadin/static/~\w+/", html))
        for folder, kept in ("paliadin/static/", "no-cache"), (versioned, "max-age=31536000, immutable"):
            served = await daemon.client.get(f"/{folder}{piece}", headers=page)
            assert (served.status_code, served.headers["cache-control"]) == (200, kept)
            assert "I see your toys." in served.text
            assert served.headers["content-type"].startswith("text/javascript")
            own = await daemon.client.get(f"/{folder}js/main.js", headers=page)
            assert own.headers["content-security-policy"] == served.headers["content-security-policy"]
            for other in "part.py", "page/../part.py", "page/%2e%2e/part.py", "page/none.js", "page", "page/":
                gone = await daemon.client.get(f"/{folder}parts/toy/{other}", headers=page)
                assert gone.status_code == 404, other
        assert (await daemon.client.get(f"/{versioned}{piece}")).status_code == 401
    (tmp_path / "off").mkdir()
    async with opened(tmp_path / "off") as daemon:
        assert (await daemon.client.get(f"/paliadin/static/{piece}", headers=page)).status_code == 404
        assert "pieces" not in (await daemon.client.get(f"{API}/health", headers=page)).json()


async def test_its_stage_asks_with_a_card_and_its_annotator_notes_what_it_finds_out(tmp_path: Path) -> None:
    async with opened(tmp_path, TOY="true") as daemon, asyncio.timeout(30):
        turns, owner = daemon.parts.api.turns, Caller.owner()
        daemon.settings.response_dir.mkdir(exist_ok=True)
        async with turns.running():
            turn_id = await turns.ask(Question("main", "Give me a toy", owner))
            await until(lambda: turns.sessions.streams[turn_id].turn.progress.open_interrupts)
            [card] = turns.sessions.streams[turn_id].turn.progress.open_interrupts
            await turns.reply(turn_id, card, "Doll", cancel=False, caller=owner)
            log = TurnFolder(daemon.settings.response_dir, turn_id).log
            await until(lambda: any(isinstance(step, Noted) for step in log.read()))
    assert TurnFolder(daemon.settings.response_dir, turn_id).describe().user_message == "Give me a toy: Doll"
    [noted] = [step for step in log.read() if isinstance(step, Noted)]
    assert noted.kind == "toy_length"


async def until(condition: Callable[[], object]) -> None:
    while not condition():
        await asyncio.sleep(0.005)


async def test_over_mcp_the_tools_are_called_as_the_conversations_person(tmp_path: Path) -> None:
    """An application's ann is not the person ann, unless the owner says that its people are those here."""
    async with opened(tmp_path, TOY="true", PEOPLE_ORIGINS=OURS) as daemon:
        daemon.access.people.add("ann", "Ann")
        conversations = daemon.parts.api.turns.conversations
        for name, origin in ("page", None), ("app", APP), ("ours", OURS):
            folder = daemon.settings.sessions_dir / name
            folder.mkdir()
            write_json(folder / MEMBER_FILE, {"person": "ann", "origin": origin})
            conversations.put(name, Conversation(title="t", titled=True, person="ann", origin=origin))
        for box in "", "&toolbox=toy":
            called = [await daemon.call("whose_toys", f"?session={name}{box}") for name in ("page", "app", "ours")]
            assert called == ["ann None", f"ann at {APP} None", "ann None"]
        assert await daemon.call("whose_toys") == f"{OWNER.as_text} None"
        assert await daemon.call("no_toy") == "no such toy"
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
        headers = {"Authorization": f"Bearer {TOKEN}"}
        unknown = await daemon.client.post(f"{API}/mcp?toolbox=none", json=message, headers=headers)
        assert unknown.status_code == 404


async def test_over_the_messages_api_the_same_tools_have_the_same_names_and_persons(tmp_path: Path) -> None:
    toolboxes = load_parts(house_of(tmp_path)).toolboxes
    tools = Tools(toolboxes, lambda person: Reader(person.name))
    assert [each.name for each in tools.specs()] == ["mcp__toy__whose_toys", "mcp__toy__suggest_toy"]
    for person in OWNER, PersonKey("ann"), PersonKey("ann", APP):
        called = await tools.call(person, "mcp__toy__whose_toys", {}, "t1")
        assert called.text == f"{person.as_text} None"
    assert (await tools.call(OWNER, "mcp__toy__suggest_toy", {}, "t1")).text.endswith(" t1")
    assert (await tools.call(OWNER, "mcp__toy__steal", {}, "t1")).is_error
    assert facts(await tools.reader(PersonKey("ann")), "") == "# The reader\nReader: ann\nToys: 3"
    assert tools.guides == "## Toys\n\nNever break them.\n"


def test_claude_code_gets_its_rule_its_guide_and_a_server(tmp_path: Path) -> None:
    settings, [toys] = settings_of(tmp_path, TOY="true"), load_parts(house_of(tmp_path)).toolboxes
    arguments = claude.arguments(settings, tmp_path, "c", resume=False, toolboxes=[toys])
    allowed = json.loads(arguments[arguments.index("--settings") + 1])["permissions"]["allow"]
    assert "mcp__toy" in allowed
    assert arguments[arguments.index("--append-system-prompt") + 1].endswith("\n\nUse whose_toys.")
    options = claude.toolbox_options(settings, tmp_path / "session", [toys])
    [(name, server)] = json.loads(options[1])["mcpServers"].items()
    assert (name, server["args"][-2:]) == ("toy", [str(tmp_path / "session"), "toy"])
    skill = (copy_plugin(tmp_path, [toys]) / SKILL).read_text()
    plain = (resource_folder("skill") / SKILL).read_text()
    assert skill.replace("## Toys\n\nNever break them.\n\n", "") == plain


def test_a_claude_without_toolboxes_leaves_nothing_of_them_in_the_state_folder(tmp_path: Path) -> None:
    settings = settings_of(tmp_path)
    assert claude.toolbox_options(settings, tmp_path, []) == []
    assert not (settings.home / "grounding").exists()


async def test_its_card_escapes_what_it_shows(tmp_path: Path) -> None:
    async with opened(tmp_path, TOY="true") as daemon:
        [card] = daemon.parts.api.dashboard.cards
        for lang, title in ("en", "Toys"), ("de", "Spielzeug"):
            html = await card.render(Filter(TODAY, TODAY, None), Locale(lang, ZoneInfo("UTC")), [])
            assert str(html) == f'<section class="card"><h2>{title}</h2>&lt;b&gt;3&lt;/b&gt;</section>'


@pytest.fixture
def toys(tmp_path: Path) -> Path:
    folder = tmp_path / "toys"
    folder.mkdir()
    return folder


async def test_what_it_keeps_goes_with_turns_before_their_rows_do(tmp_path: Path, toys: Path) -> None:
    gone, kept = new_turn_id(), new_turn_id()
    for turn_id in gone, kept:
        (toys / turn_id).touch()
    async with opened(tmp_path, TOY="true") as daemon:
        with pytest.raises(StoreUnavailable):  # the database is not open: the rows still say what to delete
            await delete_turns(daemon.settings, daemon.parts.api.retained, {gone: "main"})
    assert [path.name for path in toys.iterdir()] == [kept]


def test_the_command_line_deletes_it_too(alone: Shell, database: str) -> None:
    row = TurnRow(new_turn_id(), "main", "ada", "desk", "page", datetime.now(UTC), "Mine?")
    asyncio.run(insert(database, row))
    toy = alone.home / "state" / "toys" / row.turn_id
    toy.parent.mkdir(parents=True)
    toy.touch()
    ended = alone("turns", "delete", row.turn_id, "--yes", PALIADIN_DATABASE_URL=database, PALIADIN_TOY="true")
    assert (ended.stderr, toy.exists()) == ("1 turns deleted\n", False)


async def test_what_it_keeps_goes_with_a_conversation(
    tmp_path: Path, toys: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def no_turns(_store: Store, _session: object) -> list[str]:
        return []

    async def none_deleted(_store: Store, _turn_ids: object) -> int:
        return 0

    monkeypatch.setattr(Store, "turn_ids", no_turns)
    monkeypatch.setattr(Store, "delete", none_deleted)
    for name in "main", "other":
        (toys / name).touch()
    async with opened(tmp_path, TOY="true") as daemon, asyncio.timeout(20):
        for name, deleted_at in ("main", 1), ("other", None):
            daemon.parts.api.turns.conversations.put(name, Conversation(title="t", titled=True, deleted_at=deleted_at))
        async with daemon.parts.api.removal.running():
            await until(lambda: not (toys / "main").exists())
        assert daemon.parts.api.turns.conversations.get("main").deleted_at is None
    assert [path.name for path in toys.iterdir()] == ["other"]


async def test_what_it_keeps_of_somebody_stays_or_goes_as_the_owner_says(tmp_path: Path, toys: Path) -> None:
    async with opened(tmp_path, TOY="true") as daemon:
        headers = {"Cookie": f"paliadin={daemon.access.sign_in(daemon.access.new_ticket(), '')}", "Origin": OWN}
        people = f"/~{daemon.access.label}{API}/people"
        for query, stays in ("", ["Toys of ann stay."]), ("?delete=1", []):
            body = {"id": "ann", "name": "Ann", "again": True}
            added = await daemon.client.post(people, headers=headers, json=body)
            assert added.status_code == 201, added.text
            (toys / "ann").touch()
            removed = await daemon.client.delete(f"{people}/ann{query}", headers=headers)
            assert removed.json()["stays"] == stays
            assert (toys / "ann").exists() == bool(stays)
        (toys / "ann").touch()
        refused = await daemon.client.post(people, headers=headers, json={**body, "again": False})
        assert refused.json()["error"]["code"] == "has_toys"


async def test_what_it_keeps_too_long_is_swept(tmp_path: Path, toys: Path) -> None:
    for name in "old", "new":
        (toys / name).touch()
    async with opened(tmp_path, TOY="true") as daemon, asyncio.timeout(20):
        [janitor] = [each for each in daemon.parts.working if isinstance(each, Janitor)]
        async with janitor.running():
            await until(lambda: not (toys / "old").exists())
    assert [path.name for path in toys.iterdir()] == ["new"]


def test_what_it_keeps_is_listed_in_the_docs() -> None:
    page = privacy_page(PRIVACY.read_text("utf-8"), all_retained())
    assert "| `$PALIADIN_HOME/toys/` | toys | until they are old |\n" in page


def test_its_settings_are_published_but_no_secret(tmp_path: Path) -> None:
    assert switched_on(settings_of(tmp_path, TOY="true", TOY_KEY="hidden-key").parts) == {"toy": True}


def test_its_setting_and_its_command_are_found(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="PALIADIN_TOY='perhaps'"):
        settings_of(tmp_path, TOY="perhaps")
    with pytest.raises(ConfigError, match=r"PALIADIN_TOY_KEY in .* is not valid: give at least 8 letters"):
        settings_of(tmp_path, TOY_KEY="hidden")
    assert "hidden-key" not in repr(settings_of(tmp_path, TOY_KEY="hidden-key"))
    with pytest.raises(ConfigError, match="unknown setting PALIADIN_TOYS"):
        settings_of(tmp_path, TOYS="true")
    assert parts.commands()["toy"] == ("paliadin.parts.toy.commands", "Play.")
    module: Any = __import__("paliadin.parts.toy.commands", fromlist=["toy"])
    assert CliRunner().invoke(module.toy).output == "played\n"


def test_an_extra_that_is_missing_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = settings_of(tmp_path, TOY="true")  # imports the part's small module
    toy: ModuleType = sys.modules["paliadin.parts.toy"]
    monkeypatch.setattr(toy, "EXTRA", Extra("toys", "TOY", ("click", "no_such_package")))
    with pytest.raises(ConfigError, match="PALIADIN_TOY needs a package that is missing: no_such_package") as caught:
        load_parts(House(settings, None, str, Store()))
    assert "pip install '.[toys]'" in caught.value.hint


def test_two_tools_of_one_name_are_refused(tmp_path: Path) -> None:
    part = load_parts(house_of(tmp_path))
    with pytest.raises(ConfigError, match="suggest_toy, toy, whose_toys"):
        join([part, part])
    assert join([Part(), part]).toolboxes == part.toolboxes


def house_of(home: Path) -> House:
    return House(settings_of(home, TOY="true"), None, lambda person: person.name, Store())
