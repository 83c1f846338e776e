"""`paliadin people`, and what a person who was added can do at the page."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from paliadin.demo.scripted_api import ScriptedApi
from tests.integration.conftest import make_world
from tests.integration.test_way_in import paliadin
from tests.worlds.door import APP
from tests.worlds.somebody import API, Somebody, Visitors
from tests.worlds.world import World, eventually

OTHER = "https://other.example"


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory, one_claude: Path, api: tuple[ScriptedApi, str]) -> Iterator[World]:
    for world in make_world(tmp_path_factory.mktemp("people"), one_claude, api):
        world.scripted, world.constants["conversations.conversation.UNDO_MS"] = True, 100
        world.options |= {"ALLOWED_ORIGINS": f"{APP},{OTHER}", "PEOPLE_ORIGINS": APP, "OWNER": "olivia"}
        world.start()
        yield world


@pytest.fixture
def visitors(world: World) -> Iterator[Visitors]:
    with Visitors(world) as visitors:
        yield visitors


def listed(world: World) -> dict[str, dict]:
    return {each["id"]: each for each in json.loads(paliadin(world, "people", "list", "--json").stdout)["people"]}


def titles(somebody: Somebody) -> list[str]:
    return [each["title"] for each in somebody.get("conversations")["conversations"]]


def test_who_is_added_opens_the_printed_address_and_has_conversations_of_their_own(
    world: World, visitors: Visitors
) -> None:
    world.turn("The owner's question")
    added = paliadin(world, "people", "add", "ann", "--name", "Ann Example", "--office", "Munich", "--language", "de")
    assert added.returncode == 0, added.stderr
    address = paliadin(world, "people", "token", "ann", "--by-path").stdout.strip()
    assert address.startswith(f"http://127.0.0.1:{world.options['PORT']}/~{world.label}/paliadin?ticket=")
    ann = visitors.at_page("ann")
    [main] = ann.get("conversations")["conversations"]
    assert (main["id"], main["title"], main["person"], main["origin"]) == ("main", "", "ann", None)
    health = ann.get("health?session_id=main")
    assert health["person"] == {"id": "ann", "name": "Ann Example", "role": "member", "language": "de"}
    assert (health["may_allow"], health["may_attach"]) == (False, False)
    told = {part["name"]: part["message"] for part in health["parts"]}
    assert (told["database"], told["storage"], bool(told["claude"])) == ("", "", True)
    turn_id = ann.turn("Ann's question")
    assert titles(ann) == ["Ann's question"]
    [turn] = ann.get("history?session_id=main")["turns"]
    assert (turn["turn_id"], turn["origin"]) == (turn_id, "page")
    exported = ann.request("GET", f"{API}/export?session_id=main&format=md")
    assert "Ann's question" in exported.text
    page = ann.request("GET", "/paliadin")
    assert '<html data-person="ann" data-name="Ann Example" data-lang="de" lang' in page.text
    assert titles(visitors.owner) == ["The owner's question"]
    [person] = listed(world).values()
    shown = {name: person[name] for name in ("office", "language", "role", "browsers", "conversations")}
    assert shown == {"office": "Munich", "language": "de", "role": "member", "browsers": 1, "conversations": 1}
    assert person["last_at"] > 0
    table = paliadin(world, "people", "list").stdout.splitlines()
    assert table[1].split("\t")[:6] == ["ann", "Ann Example", "Munich", "de", "member", "1"]
    whose = {each["person"] for each in json.loads(paliadin(world, "token", "list", "--json").stdout)["browsers"]}
    assert "ann" in whose
    log = [json.loads(line) for line in (world.settings.home / "audit.jsonl").read_text().splitlines()]
    ann_did = [(line["event"], line["from"]) for line in log if line["who"] == "ann"]
    assert ann_did == [("signed in", "page"), ("asked", "page"), ("exported", "page")]


def test_a_member_makes_renames_branches_archives_and_deletes_what_is_theirs(world: World, visitors: Visitors) -> None:
    cleo = visitors.let_in("cleo")
    made = cleo.post("conversations").json()["id"]
    first, second = (cleo.turn(f"Question {number}", session_id=made) for number in (1, 2))
    assert cleo.request("PATCH", f"{API}/conversations/{made}", json={"title": "Costs"}).json()["title"] == "Costs"
    branch = cleo.post("conversations", {"branch_of": second}).json()
    assert branch["branch_of"] == {"session_id": made, "turn_id": second}
    turns = cleo.get(f"history?session_id={branch['id']}")["turns"]
    assert [turn["turn_id"] for turn in turns] == [first]
    assert cleo.post("conversations", {"host": "elsewhere"}).status_code == 422
    main_turn = cleo.turn("In the first one")
    assert cleo.post("conversations", {"branch_of": main_turn}).json()["branch_of"] == {
        "session_id": "main",
        "turn_id": main_turn,
    }
    assert cleo.post(f"turns/{first}/feedback", {"verdict": "up"}).status_code == 200
    assert cleo.post("reset", {"session_id": made}).status_code == 200
    refused = cleo.request("PATCH", f"{API}/conversations/{made}", json={"model": "opus"})
    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "not_the_owner")
    command = cleo.post("turn", {"session_id": made, "user_message": "/context"})
    assert (command.status_code, command.json()["error"]["code"]) == (422, "command_elsewhere")
    cleo.turn("Asked in the branch", session_id=branch["id"])
    assert cleo.request("PATCH", f"{API}/conversations/{branch['id']}", json={"archived": True}).status_code == 200
    archived = cleo.get("conversations?archived=1")["conversations"]
    assert [each["id"] for each in archived] == [branch["id"]]
    assert cleo.request("DELETE", f"{API}/conversations/{made}").status_code == 200
    assert made not in {each["id"] for each in cleo.get("conversations")["conversations"]}


def test_what_another_application_calls_by_the_same_id_is_somebody_elses(world: World, visitors: Visitors) -> None:
    """It may call anybody anything; only the owner says whose people are those here (PALIADIN_PEOPLE_ORIGINS)."""
    there = visitors.in_drawer("finn", OTHER)
    turn_id = there.turn("Asked in a foreign drawer")
    finn = visitors.let_in("finn", language="de")  # nobody of that id has left anything
    finn.turn("Asked at the page")
    assert titles(finn) == ["Asked at the page"]
    assert titles(there) == ["Asked in a foreign drawer"]
    assert finn.request("GET", f"{API}/stream/{turn_id}").status_code == 404
    assert there.get("health")["person"] == {"id": "finn", "name": "finn", "role": "member", "language": None}
    gone = visitors.in_person.delete("people/finn?delete=1").json()
    assert (gone["conversations"], gone["turns"]) == (1, 1)
    assert titles(there) == ["Asked in a foreign drawer"]


def test_what_a_drawer_calls_by_the_same_id_is_theirs_at_the_page_as_well(world: World, visitors: Visitors) -> None:
    dora_there = visitors.in_drawer("dora", APP)
    turn_id = dora_there.turn("Asked in the drawer")
    refused = paliadin(world, "people", "add", "dora", "--name", "Dora")
    assert refused.returncode == 1
    assert "an earlier person with this id has left conversations: 1" in refused.stderr
    assert "--again" in refused.stderr
    assert paliadin(world, "people", "add", "dora", "--name", "Dora", "--again").returncode == 0
    dora = visitors.at_page("dora")
    dora.turn("Asked at the page")
    assert sorted(titles(dora)) == ["Asked at the page", "Asked in the drawer"]
    assert titles(dora_there) == ["Asked in the drawer"]
    [there] = [each for each in dora.get("conversations")["conversations"] if each["origin"] == APP]
    assert [turn["turn_id"] for turn in dora.get(f"history?session_id={there['id']}")["turns"]] == [turn_id]


def test_who_is_removed_is_out_at_once_and_what_was_theirs_stays_or_goes(world: World, visitors: Visitors) -> None:
    eve = visitors.let_in("eve")
    eve.turn("Before")
    running = eve.ask("scene:slow")
    eve.ask("Waits", queue=True)
    events: list[str] = []

    def read() -> None:
        with eve.client.stream("GET", f"{eve.prefix}{API}/stream/{running}") as stream:
            events.extend(stream.iter_lines())

    reader = threading.Thread(target=read)
    reader.start()
    eventually(lambda: len(events) > 3, 30, "she reads")
    removed = paliadin(world, "people", "remove", "eve")
    reader.join(30)
    assert not reader.is_alive()
    assert "1 conversation of theirs with 2 turns stay on record" in removed.stderr
    assert eve.request("GET", f"{API}/history").status_code == 401
    eventually(lambda: not world.get("health")["parts"] or running_turns(world) == set(), 20, "nothing runs for her")
    assert paliadin(world, "people", "remove", "eve").returncode == 1
    assert paliadin(world, "people", "token", "eve").returncode == 1
    assert paliadin(world, "people", "add", "eve", "--name", "Eve").returncode == 1
    assert paliadin(world, "people", "add", "eve", "--name", "Eve", "--again").returncode == 0
    again = visitors.at_page("eve")
    page = again.get("history?session_id=main")
    assert [turn["user_message"] for turn in page["turns"]] == ["Before", "scene:slow"]
    assert (page["queue"]["held"], len(page["queue"]["turns"])) == ("stopped", 1)
    gone = visitors.in_person.delete("people/eve?delete=1").json()
    assert gone == {"removed": True, "conversations": 1, "turns": 2, "deleted": True, "stays": []}
    eventually(lambda: not list(world.settings.response_dir.glob(f"*/{running}")), 30, "her turns are removed")
    assert paliadin(world, "people", "add", "eve", "--name", "Another Eve").returncode == 0
    assert titles(visitors.at_page("eve")) == [""]


def running_turns(world: World) -> set[str]:
    sessions = world.get("sessions")["sessions"]
    return {each["name"] for each in sessions if each["running_turn"]}


def test_the_owner_may_have_an_entry_and_stays_who_they_are(world: World, visitors: Visitors) -> None:
    refused = paliadin(world, "people", "add", "olivia", "--name", "Olivia")
    assert "applications know the owner" in refused.stderr
    added = paliadin(world, "people", "add", "boss", "--name", "The Boss", "--language", "de", "--role", "owner")
    assert added.returncode == 0, added.stderr
    assert paliadin(world, "people", "add", "second", "--name", "S", "--role", "owner").returncode == 1
    boss = visitors.at_page("boss")
    assert boss.get("health")["person"] == {"id": "boss", "name": "The Boss", "role": "owner", "language": "de"}
    assert boss.request("GET", "/admin/paliadin").status_code == 200
    drawer = visitors.in_drawer("boss", APP)
    drawer.turn("The owner in a drawer")
    assert "The owner in a drawer" in titles(visitors.owner)
    assert visitors.in_person.delete("people/boss?delete=1").status_code == 422
    assert visitors.in_person.delete("people/boss").json()["deleted"] is False
    assert boss.request("GET", "/admin/paliadin").status_code == 200


def test_a_member_signs_out_their_own_browsers_only(world: World, visitors: Visitors) -> None:
    one, other, third = visitors.let_in("fay"), visitors.at_page("fay"), visitors.at_page("fay")
    assert one.post("access/sign-out").status_code == 200
    assert [each.request("GET", f"{API}/history").status_code for each in (one, other, third)] == [401, 200, 200]
    assert other.post("access/sign-out", {"everywhere": True}).status_code == 200
    assert [each.request("GET", f"{API}/history").status_code for each in (other, third)] == [401, 401]
    refused = visitors.owner.post("access/sign-out", {"everywhere": True})
    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "wrong_key")


def test_people_are_there_after_a_restart_with_their_browsers(world: World, visitors: Visitors) -> None:
    gwen = visitors.let_in("gwen")
    gwen.turn("Remember me")
    world.restart()
    assert titles(gwen) == ["Remember me"]
