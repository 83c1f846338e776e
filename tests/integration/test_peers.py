"""Two daemons on one Postgres: one history, one dashboard, and each turn can be followed at either."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest

from paliadin.demo.scripted_api import ScriptedApi
from paliadin.people.access import Access, Purpose
from tests.integration.conftest import make_world
from tests.worlds.ports import own_port
from tests.worlds.postgres import clone
from tests.worlds.world import Event, World, eventually, give_key, parse_sse

APP = "https://app.example"
KEY = "the-key-of-both-peers-0123456789"


@pytest.fixture(scope="module")
def shared_database(database_server: str, database_template: str) -> Iterator[str]:
    yield from clone(database_server, database_template)


@pytest.fixture(scope="module")
def both(
    tmp_path_factory: pytest.TempPathFactory, one_claude: Path, api: tuple[ScriptedApi, str], shared_database: str
) -> Iterator[tuple[World, World]]:
    """(laptop, office), each with a Claude of its own; they know each other."""
    names, ports = ("laptop", "office"), (str(own_port()), str(own_port()))
    [laptop, office] = makers = [make_world(tmp_path_factory.mktemp(name), one_claude, api) for name in names]
    worlds = next(laptop), next(office)
    for number, world in enumerate(worlds):
        world.options = {
            "NAME": names[number],
            "PORT": ports[number],
            "PEERS": f"{names[1 - number]}=http://127.0.0.1:{ports[1 - number]}",
            "DATABASE_URL": shared_database,
            "TMUX_SOCKET": f"paliadin-test-{names[number]}-{ports[number]}",
            "ALLOWED_ORIGINS": APP,
            "OWNER": "olivia",
            "PEER_KEYS": f"{names[1 - number]}={KEY}",
        }
        give_key(world.settings.home, KEY, Purpose.PEER)
        world.start()
    yield worlds
    for maker in makers:
        next(maker, None)


@pytest.fixture
def laptop(both: tuple[World, World]) -> World:
    return both[0]


@pytest.fixture
def office(both: tuple[World, World]) -> World:
    return both[1]


def without_pings(events: list[Event]) -> list[tuple[int | None, str, dict[str, Any]]]:
    return [(event.id, event.name, event.data) for event in events if event.name != "ping"]


def history(world: World, session: str) -> list[dict[str, Any]]:
    return list(world.get(f"history?session_id={session}")["turns"])


def test_a_question_asked_at_the_other_daemon_is_answered_where_its_session_lives(
    laptop: World, office: World, shared_database: str
) -> None:
    turn_id = laptop.ask(f"scene:read in:{office.workdir}", session_id="main@office")
    here = list(laptop.follow(turn_id))
    assert here[-1].name == "end"
    assert without_pings(here) == without_pings(list(office.follow(turn_id)))
    assert (office.settings.response_dir).is_dir()
    assert list(office.settings.response_dir.glob(f"*/{turn_id}"))
    assert not list(laptop.settings.response_dir.glob(f"*/{turn_id}"))
    with psycopg.connect(shared_database) as connection:
        row = connection.execute(
            "select session_id, origin, finished_at is not null from paliadin.turns where turn_id = %s", [turn_id]
        ).fetchone()
    assert row is not None
    assert row[:2] == ("main@office", "api")


def test_a_member_has_no_conversation_at_the_other_daemon(laptop: World) -> None:
    made = laptop.post("embed-token", {"origin": APP, "person": "ada"}).json()
    headers = {"Authorization": f"Bearer {made['token']}", "Origin": APP}
    theirs = laptop.ask("The owner's", session_id="main@office")
    list(laptop.follow(theirs))
    with laptop.client(headers=headers) as client:
        asked = client.post("/api/paliadin/turn", json={"session_id": "main@office", "user_message": "x"})
        assert (asked.status_code, asked.json()["error"]["code"]) == (404, "unknown_session")
        assert client.get("/api/paliadin/history?session_id=main@office").status_code == 404
        assert client.get(f"/api/paliadin/stream/{theirs}").status_code == 404


@pytest.mark.long
def test_a_person_on_an_embedding_page_stays_that_person_at_the_other_daemon(
    laptop: World, office: World, shared_database: str
) -> None:
    made = laptop.post("embed-token", {"origin": APP, "person": "olivia"}).json()
    headers = {"Authorization": f"Bearer {made['token']}", "Origin": APP, "Paliadin-For": '{"person": "the owner"}'}
    for session, asked in (("main@office", {**headers, "Paliadin-For": ""}), ("main", headers)):
        with laptop.client() as client:
            body = {"session_id": session, "user_message": "Hello from a drawer"}
            response = client.post("/api/paliadin/turn", json=body, headers=asked)
        assert response.status_code == 202, response.text
        list(laptop.follow(response.json()["turn_id"]))
        with psycopg.connect(shared_database) as connection:
            query = "select session_id, person, page_origin, origin from paliadin.turns where turn_id = %s"
            row = connection.execute(query, [response.json()["turn_id"]]).fetchone()
        home = office if session == "main@office" else laptop
        assert row is not None
        assert row[1:] == ("olivia", APP, "widget")
        assert re.fullmatch(f"olivia-[0-9a-f]{{32}}@{home.settings.name}", row[0])  # theirs in that application


def test_a_request_that_is_passed_on_opens_no_more_than_it_would_where_it_was_asked(office: World) -> None:
    details = {"by": "laptop", "person": "ada", "role": "member", "page_origin": APP, "scope": "conversation"}

    def status(path: str, **more: object) -> int:
        headers = {"Authorization": f"Bearer {KEY}", "Paliadin-For": json.dumps(details | more)}
        with office.client(headers=headers) as client:
            return client.get(f"/api/paliadin/{path}").status_code

    assert [status("history"), status("sessions")] == [200, 403]
    owner = {"role": "owner", "scope": "owner"}
    assert [status("history", **owner), status("sessions", **owner)] == [200, 200]
    assert [status("history", person=3), status("history", scope="all"), status("history", scope="owner")] == [400] * 3


def test_one_history_of_both_with_each_turn_in_its_session(laptop: World, office: World) -> None:
    laptop.turn("Hello laptop")
    office.turn("Hello office")
    for world, own, other in ((laptop, "laptop", "office"), (office, "office", "laptop")):
        mine = [turn["user_message"] for turn in history(world, "main")]
        assert f"Hello {own}" in mine
        assert f"Hello {other}" not in mine
        theirs = history(world, f"main@{other}")
        assert f"Hello {other}" in [turn["user_message"] for turn in theirs]
        hits = world.get(f"search?session_id=main@{other}&words=Hello {other}")["found"]
        assert [turn["user_message"] for turn in hits] == [f"Hello {other}"]
    assert history(laptop, "main@office") == history(office, "main")


def test_both_sessions_are_listed_at_both(laptop: World, office: World) -> None:
    for world, other in ((laptop, "office"), (office, "laptop")):
        sessions = {session["name"]: session["state"] for session in world.get("sessions")["sessions"]}
        assert {"main", f"main@{other}"} <= set(sessions)
        assert "unreachable" not in sessions.values()


def test_conversations_of_both_are_listed_at_both_and_changed_where_they_are(laptop: World, office: World) -> None:
    session = office.post("conversations", {}).json()["id"]
    office.turn("Far away", session_id=session)
    items = {item["id"]: item for item in laptop.get("conversations")["conversations"]}
    assert items[f"{session}@office"]["title"] == "Far away"
    assert "main" in items
    with laptop.client() as client:
        path = f"/api/paliadin/conversations/{session}@office"
        assert client.patch(path, json={"title": "Renamed"}).json()["title"] == "Renamed"
        assert client.get(path).json()["ok"] is True
    assert {item["id"]: item["title"] for item in office.get("conversations")["conversations"]}[session] == "Renamed"


def test_one_dashboard_counts_the_turns_of_both(laptop: World, office: World) -> None:
    pages = []
    for world in (laptop, office):
        with world.client() as client:
            pages.append(client.get("/admin/paliadin/turns").text)
    [turn_id] = [turn["turn_id"] for turn in history(office, "main") if turn["user_message"] == "Hello office"]
    with laptop.client() as client:
        assert "The daemon office, where this turn ran" in client.get(f"/admin/paliadin/turns/{turn_id}").text
    for page in pages:
        assert "Hello laptop" in page
        assert "Hello office" in page


def test_a_stream_goes_on_behind_the_number_it_had_at_the_other_daemon(laptop: World, office: World) -> None:
    turn_id = office.ask("Tell me")
    whole = without_pings(list(office.follow(turn_id)))
    for number in (0, 1, len(whole) // 2, len(whole)):
        assert without_pings(list(laptop.follow(turn_id, number))) == whole[number:]


def test_a_page_follows_a_conversation_of_the_other_daemon(laptop: World, office: World) -> None:
    query = "follow=1&session_id=main@office"
    with laptop.client() as client, client.stream("GET", f"/api/paliadin/events?{query}") as stream:
        events, seen = parse_sse(stream.iter_lines()), list[Event]()
        while not {"list", "conversation", "health"} <= {event.name for event in seen}:
            seen.append(next(events))
        turn_id = office.ask("Hello there")
        while seen[-1].name != "end":
            seen.append(next(events))
    [whole] = [event.data for event in seen if event.name == "list" and event.data["since"] is None]
    assert {"main", "main@office"} <= {item["id"] for item in whole["conversations"]}
    numbered = [event.id for event in seen if event.id]
    assert numbered == [event.id for event in office.follow(turn_id) if event.id]


def test_a_turn_is_stopped_from_the_other_daemon(laptop: World, office: World) -> None:
    turn_id = office.ask("scene:slow")
    stream = laptop.follow(turn_id)
    assert any(event.name == "content_delta" for event in stream)
    assert laptop.post(f"stream/{turn_id}/abort").json() == {"aborted": True}
    assert list(stream)[-1].data["aborted"] is True


def test_a_permission_is_given_from_the_other_daemon(laptop: World, office: World) -> None:
    turn_id = office.ask(f"scene:permission in:{office.workdir}")
    for event in laptop.follow(turn_id):
        if event.name == "interrupt":
            reply = {"interrupt_id": event.data["id"], "value": "allow"}
            response = laptop.post(f"stream/{turn_id}/answer", reply)
            assert response.status_code == 200, response.text
        last = event
    assert last.name == "end"
    assert last.data["aborted"] is False


def test_a_conversation_is_begun_anew_from_the_other_daemon(laptop: World, office: World) -> None:
    office.turn("Before")
    before = office.get("history?session_id=main")["since"]
    assert laptop.post("reset", {"session_id": "main@office"}).json() == {"reset": True}
    assert office.get("history?session_id=main")["since"] > before


def test_what_is_typed_in_its_terminal_belongs_to_the_session_of_that_daemon(laptop: World, office: World) -> None:
    office.turn("Wake up")
    office.terminal.type(office.pane, "typed by hand")
    eventually(lambda: "typed by hand" in office.screen(), what="the text is in the terminal")
    office.terminal.press(office.pane, "Enter")
    eventually(
        lambda: "typed by hand" in [turn["user_message"] for turn in history(laptop, "main@office")],
        what="the turn is in the history",
    )
    eventually(lambda: office.get("history?session_id=main")["running_turn"] is None, what="the turn is over")


@pytest.mark.parametrize("session", ["main@nowhere", "nobody@office", "nobody@laptop", "@office", "main@office@laptop"])
def test_an_unknown_session_is_refused_and_not_passed_on_for_ever(laptop: World, session: str) -> None:
    response = laptop.post("turn", {"session_id": session, "user_message": "hello"})
    assert response.status_code == 404, response.text
    assert response.json()["error"]["code"] == "unknown_session"


def test_an_unknown_turn_is_refused(laptop: World) -> None:
    with laptop.client() as client:
        response = client.get("/api/paliadin/stream/019a2b3c-4d5e-7f60-8123-456789abcdef")
    assert (response.status_code, response.json()["error"]["code"]) == (404, "unknown_turn")


def test_without_the_token_nobody_speaks_for_a_peer(laptop: World) -> None:
    headers = {"Paliadin-For": '{"by": "office", "person": "somebody else"}', "Authorization": "Bearer wrong"}
    with laptop.client() as client:
        assert client.get("/api/paliadin/sessions", headers=headers).status_code == 401


@pytest.mark.long
def test_while_the_other_daemon_is_away_its_history_is_there_and_the_rest_says_why_not(
    laptop: World, office: World
) -> None:
    turn_id = office.ask("Last words")
    list(office.follow(turn_id))
    office.stop()
    try:
        assert history(laptop, "main@office")[-1]["user_message"] == "Last words"
        [away] = [session for session in laptop.get("sessions")["sessions"] if session["name"] == "main@office"]
        assert away["state"] == "unreachable"
        assert "office" in away["message"]
        asked = laptop.post("turn", {"session_id": "main@office", "user_message": "hello"})
        assert (asked.status_code, asked.json()["error"]["code"]) == (503, "relay_unreachable")
        assert laptop.turn("And you?")[-1].name == "end"
    finally:
        office.start()
    assert without_pings(list(laptop.follow(turn_id)))[-1][1] == "end"


def test_a_turn_goes_on_for_its_reader_when_its_daemon_is_started_again(laptop: World, office: World) -> None:
    turn_id = office.ask("scene:slow")
    seen = []
    for event in laptop.follow(turn_id):
        seen.append(event)
        if sum(event.name == "content_delta" for event in seen) == 3:
            office.stop()
    assert seen[-1].name != "end"
    office.start()
    numbers = [event.id for event in seen if event.id]
    stream = laptop.follow(turn_id, numbers[-1] or 0)
    rest = [next(stream)]
    office.post(f"stream/{turn_id}/abort")
    rest += stream
    assert [event.id for event in (*seen, *rest) if event.id] == list(range(1, len(seen) + len(rest) + 1))
    assert rest[-1].name == "end"


def test_a_turn_of_a_folder_that_is_gone_is_not_asked_for_in_circles(laptop: World, office: World) -> None:
    turn_id = office.ask("Short lived")
    list(office.follow(turn_id))
    eventually(lambda: office.get("health")["ok"], what="the row is written")
    [folder] = office.settings.response_dir.glob(f"*/{turn_id}")
    shutil.rmtree(folder)
    with laptop.client() as client:
        assert client.get(f"/api/paliadin/stream/{turn_id}").status_code == 404
    assert history(laptop, "main@office")[-1]["user_message"] == "Short lived"


@pytest.mark.long
def test_a_daemon_whose_key_was_removed_says_so(laptop: World, office: World) -> None:
    office.stop()
    Access(office.settings.home).remove_key(f"tests-{Purpose.PEER}")
    try:
        office.start()
        [away] = [session for session in laptop.get("sessions")["sessions"] if session["name"] == "main@office"]
        assert "refuses this daemon's key" in away["message"]
        asked = laptop.post("turn", {"session_id": "main@office", "user_message": "hello"})
        assert (asked.status_code, asked.json()["error"]["code"]) == (503, "relay_unreachable")
    finally:
        office.stop()
        give_key(office.settings.home, KEY, Purpose.PEER)
        office.start()
