"""The list of conversations, and what a person does with one: a new one, its title, its place, its deletion."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from paliadin.demo.scripted_api import ScriptedApi
from tests.integration.conftest import make_world
from tests.worlds.world import World, eventually, text_of

Item = dict[str, Any]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory, one_claude: Path, api: tuple[ScriptedApi, str]) -> Iterator[World]:
    """A daemon with a Claude for each conversation."""
    for world in make_world(tmp_path_factory.mktemp("conversations"), one_claude, api):
        world.constants["conversations.conversation.UNDO_MS"] = 2_000
        world.start()
        yield world


def listed(world: World, query: str = "") -> dict[str, Item]:
    return {item["id"]: item for item in world.get(f"conversations{query}")["conversations"]}


def make(world: World, **fields: Any) -> str:
    response = world.post("conversations", fields)
    assert response.status_code == 201, response.text
    return str(response.json()["id"])


def change(world: World, session: str, **fields: Any) -> Any:
    with world.client() as client:
        return client.patch(f"/api/paliadin/conversations/{session}", json=fields)


def delete(world: World, session: str) -> Any:
    with world.client() as client:
        return client.delete(f"/api/paliadin/conversations/{session}")


@pytest.mark.long
def test_a_new_conversation_is_listed_once_it_has_a_question_which_is_its_title(home: World) -> None:
    session = make(home)
    assert session not in listed(home)
    turn_id = home.ask("How many\ndeadlines are open?", session_id=session)
    item = listed(home)[session]
    assert (item["title"], item["running_turn"], item["state"]) == ("How many deadlines are open?", turn_id, "busy")
    list(home.follow(turn_id))
    item = listed(home)[session]
    assert (item["running_turn"], item["state"], item["first_turn"]) == (None, "ready", turn_id)
    assert item["last_at"] <= item["ended_at"]
    assert next(iter(listed(home))) == session


def test_each_conversation_knows_what_was_said_in_it_and_nothing_else(home: World) -> None:
    first, second = make(home), make(home)
    home.turn("scene:remember", session_id=first)
    assert text_of(home.turn("scene:remember", session_id=second)) == "I remember 1 prompts."
    assert text_of(home.turn("scene:remember", session_id=first)) == "I remember 2 prompts."


def test_a_conversation_is_renamed_pinned_and_archived_and_hostile_titles_are_text(played_world: World) -> None:
    session = make(played_world)
    played_world.turn("Hello", session_id=session)
    assert change(played_world, session, title="  <b>Costs</b> \u202eevil\n", pinned=True).status_code == 200
    item = listed(played_world)[session]
    assert (item["title"], item["pinned"]) == ("<b>Costs</b> ⟨U+202E⟩evil", True)
    played_world.turn("Another question", session_id=session)
    assert listed(played_world)[session]["title"] == "<b>Costs</b> ⟨U+202E⟩evil"
    assert change(played_world, session, archived=True).json()["archived"] is True
    assert session not in listed(played_world)
    assert list(listed(played_world, "?archived=1")) == [session]
    change(played_world, session, archived=False)
    for wrong in ({"title": 7}, {"title": " "}, {"title": "x" * 201}, {"pinned": "yes"}, {"person": "eve"}):
        assert change(played_world, session, **wrong).status_code == 422, wrong
    assert change(played_world, "nobody", title="x").json()["error"]["code"] == "unknown_session"


def test_a_search_finds_conversations_by_title_question_and_answer(played_world: World) -> None:
    by_title, by_answer = make(played_world, title="Zanzibar affairs"), make(played_world)
    played_world.turn("Hello", session_id=by_title)
    turn_id = played_world.ask("scene:steady please", session_id=by_answer)
    list(played_world.follow(turn_id))
    assert list(listed(played_world, "?q=zanzibar")) == [by_title]
    [found] = eventually(lambda: listed(played_world, "?q=Line 33").values(), what="the row is written")
    assert (found["id"], found["match"]["turn_id"]) == (by_answer, turn_id)
    assert "Line 33" in found["match"]["excerpt"]


def history(world: World, session: str) -> list[str]:
    return [turn["user_message"] for turn in world.get(f"history?session_id={session}")["turns"]]


@pytest.mark.long
def test_a_branch_shows_and_knows_what_was_before_it_and_the_other_one_stays(home: World) -> None:
    session = make(home)
    turns = [home.ask("scene:remember", session_id=session)]
    for _ in range(2):
        list(home.follow(turns[-1]))
        turns.append(home.ask("scene:remember", session_id=session))
    refused = home.post("conversations", {"branch_of": turns[1]})
    assert refused.json()["error"]["code"] == "turn_in_flight"
    list(home.follow(turns[-1]))
    branch = make(home, branch_of=turns[1])
    assert history(home, branch) == ["scene:remember"]
    assert text_of(home.turn("scene:remember otherwise", session_id=branch)) == "I remember 2 prompts."
    assert text_of(home.turn("scene:remember", session_id=session)) == "I remember 4 prompts."
    assert history(home, branch) == ["scene:remember", "scene:remember otherwise"]
    assert history(home, session) == ["scene:remember"] * 4
    items = listed(home)
    assert items[branch]["title"] == "scene:remember otherwise"
    assert items[branch]["branch_of"] == {"session_id": session, "turn_id": turns[1]}
    eventually(lambda: home.get("health")["ok"], what="the rows are written")
    found = home.get(f"search?session_id={branch}&words=remember")["found"]
    assert [each["turn_id"] for each in found] == [items[branch]["first_turn"], turns[0]]
    # Asked in a third way, it is one more beside these two.
    third = make(home, branch_of=items[branch]["first_turn"])
    assert text_of(home.turn("scene:remember again", session_id=third)) == "I remember 2 prompts."
    assert listed(home)[third]["branch_of"] == items[branch]["branch_of"]
    page = home.get(f"history?session_id={third}&limit=1")
    assert ([turn["user_message"] for turn in page["turns"]], page["has_more"]) == (["scene:remember again"], True)
    earlier = home.get(f"history?session_id={third}&limit=5&before={page['turns'][0]['turn_id']}")
    assert ([turn["turn_id"] for turn in earlier["turns"]], earlier["has_more"]) == ([turns[0]], False)
    # What was deleted stays as far as a branch needs it, and each turn is one row.
    eventually(lambda: home.get("health")["ok"], what="the rows are written")
    delete(home, session)
    folder = home.settings.sessions_dir / session
    eventually(lambda: not exists(home, turns[1]), 30, "it is removed")
    assert exists(home, turns[0])
    assert history(home, branch) == ["scene:remember", "scene:remember otherwise"]
    assert text_of(home.turn("scene:remember", session_id=branch)) == "I remember 3 prompts."
    for each in (branch, third):
        delete(home, each)
    eventually(lambda: not folder.exists() and not exists(home, turns[0]), 30, "the rest goes with the last branch")


def exists(world: World, turn_id: str) -> bool:
    with world.client() as client:
        return bool(client.get(f"/admin/paliadin/turns/{turn_id}").status_code == 200)


@pytest.mark.long
def test_a_reset_counts_as_one_and_a_new_conversation_does_not(home: World) -> None:
    """The gate's figure of resets counts what Claude Code calls `clear`."""
    session = make(home)
    home.turn("Hello", session_id=session)
    log = home.settings.sessions_dir / session / "events.jsonl"

    def sources() -> list[str]:
        hooks = [json.loads(line).get("hook", {}) for line in log.read_text().splitlines() if line]
        return [hook["source"] for hook in hooks if hook.get("hook_event_name") == "SessionStart"]

    assert sources() == ["startup"]
    assert listed(home)[session]["cleared_at"] is None
    assert home.post("reset", {"session_id": session}).status_code == 200
    assert sources() == ["startup", "clear"]
    item, page = listed(home)[session], home.get(f"history?session_id={session}")
    assert item["cleared_at"] == page["since"] > item["ended_at"]
    assert [turn["user_message"] for turn in page["turns"]] == ["Hello"]  # they stay


def test_what_was_deleted_is_hidden_at_once_taken_back_or_gone_altogether(home: World) -> None:
    session = make(home)
    turn_id = home.ask("To be deleted", session_id=session)
    assert delete(home, session).json()["error"]["code"] == "turn_in_flight"
    list(home.follow(turn_id))
    eventually(lambda: home.get("health")["ok"], what="the row is written")
    assert delete(home, session).status_code == 200
    assert session not in listed(home)
    assert home.post("turn", {"session_id": session, "user_message": "x"}).json()["error"]["code"] == "unknown_session"
    assert change(home, session, deleted=False).status_code == 200
    assert session in listed(home)
    delete(home, session)
    folder = home.settings.sessions_dir / session
    eventually(lambda: not folder.exists(), 20, "it is removed")
    with home.client() as client:
        assert client.get(f"/api/paliadin/stream/{turn_id}").status_code == 404
    assert listed(home, "?q=To be deleted") == {}
    assert session not in home.terminal.panes()


@pytest.mark.long
def test_main_is_there_again_after_its_deletion_and_a_branch_keeps_what_it_shows(home: World) -> None:
    turns = []
    for _ in range(2):
        turns.append(home.ask("scene:remember"))
        list(home.follow(turns[-1]))
    branch = make(home, branch_of=turns[1])
    home.turn("scene:remember", session_id=branch)
    waits = home.ask("scene:slow")
    home.ask("It waits", queue=True)
    home.post(f"stream/{waits}/abort")
    list(home.follow(waits))
    eventually(lambda: home.get("health")["ok"], what="the rows are written")
    assert home.get("history?session_id=main")["queue"]["held"] == "stopped"
    shown = history(home, branch)
    delete(home, "main")
    refused = home.post("turn", {"session_id": "main", "user_message": "x"})
    assert (refused.status_code, refused.json()["error"]["code"]) == (404, "conversation_deleted")
    assert "main" not in listed(home)
    eventually(lambda: "main" in listed(home), 30, "it begins anew")
    page = home.get("history?session_id=main")
    assert (page["turns"], page["has_more"], page["queue"]["turns"]) == ([], False, [])
    assert home.get("search?session_id=main&words=remember")["found"] == []
    assert "main" not in listed(home, "?q=remember")
    assert not exists(home, turns[1])
    assert history(home, branch) == shown
    new = home.ask("scene:remember")
    assert text_of(list(home.follow(new))) == "I remember 1 prompts."
    home.restart()
    eventually(lambda: home.get("health")["ok"], what="the row is written")
    assert history(home, "main") == ["scene:remember"]
    assert text_of(home.turn("scene:remember")) == "I remember 2 prompts."
    # What was kept goes with the branch, and what was asked since then stays.
    delete(home, branch)
    eventually(lambda: not exists(home, turns[0]), 30, "it is removed")
    assert exists(home, new)
    file = home.settings.sessions_dir / "main" / "conversation.json"
    eventually(lambda: json.loads(file.read_text())["emptied"] == [], what="nothing is hidden any more")
    delete(home, "main")
    eventually(lambda: "main" in listed(home), 30, "it begins anew, with no branch")
    assert text_of(home.turn("scene:remember")) == "I remember 1 prompts."
