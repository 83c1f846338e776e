"""Somebody else than the owner, in an application: a conversation of their own, and a Claude without tools."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx2
import pytest

from paliadin.base.session_names import MEMBER_FILE
from paliadin.demo.scripted_api import ScriptedApi
from tests.integration.conftest import make_world
from tests.worlds.door import APP
from tests.worlds.sample_files import attach
from tests.worlds.somebody import Visitors
from tests.worlds.world import World, eventually, parse_sse, text_of

API = "/api/paliadin"
OTHER_APP = "https://other.example"
SECRET = "what-stands-in-the-owners-file"


@pytest.fixture(scope="module")
def practice(tmp_path_factory: pytest.TempPathFactory, claude: Path, api: tuple[ScriptedApi, str]) -> Iterator[World]:
    """A daemon whose owner has much in Claude Code's configuration, and two people in two applications."""
    for world in make_world(tmp_path_factory.mktemp("practice"), claude, api):
        configure(Path(world.environment["HOME"]), world.root)
        yield let_people_in(world)


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory, one_claude: Path, api: tuple[ScriptedApi, str]) -> Iterator[World]:
    """The same without Claude Code, for who may do what."""
    for world in make_world(tmp_path_factory.mktemp("office"), one_claude, api, played=True):
        yield let_people_in(world)


def let_people_in(world: World) -> World:
    world.options |= {"ALLOWED_ORIGINS": f"{APP},{OTHER_APP}", "OWNER": "olivia", "MAX_EMBEDDED": "2"}
    world.start()
    (world.root / "secret.txt").write_text(SECRET)
    return world


def configure(home: Path, root: Path) -> None:
    """The owner's settings, hooks, skill, memory, command and MCP server; each leaves a trace when it is used."""
    folder = home / ".claude"
    (folder / "skills" / "mine").mkdir(parents=True)
    (folder / "commands").mkdir()
    (folder / "skills" / "mine" / "SKILL.md").write_text(
        "---\nname: mine\ndescription: OWNERS-SKILL\n---\nOWNERS-SKILL\n"
    )
    (folder / "CLAUDE.md").write_text("OWNERS-MEMORY")
    (folder / "commands" / "mine.md").write_text("OWNERS-COMMAND")
    hook = {"hooks": [{"type": "command", "command": f"echo $PALIADIN_HOOK_SESSION >> {root}/owners-hook"}]}
    settings = {"permissions": {"allow": ["Bash(*)"]}, "hooks": {"UserPromptSubmit": [hook]}}
    (folder / "settings.json").write_text(json.dumps(settings))
    first_run = json.loads((home / ".claude.json").read_text())
    command = f"echo $PALIADIN_HOOK_SESSION >> {root}/owners-mcp; sleep 1000"
    first_run["mcpServers"] = {"owners": {"command": "/bin/sh", "args": ["-c", command]}}
    (home / ".claude.json").write_text(json.dumps(first_run))


class Person:
    """Somebody in the drawer of an application."""

    def __init__(self, world: World, name: str, origin: str = APP) -> None:
        self.world, self.name = world, name
        token = world.post("embed-token", {"origin": origin, "person": name}).json()["token"]
        self.headers = {"Authorization": f"Bearer {token}", "Origin": origin}

    def request(self, method: str, path: str, body: Any = None) -> httpx2.Response:
        with self.world.client(headers=self.headers) as client:
            return client.request(method, f"{API}/{path}", json=body)

    def ask(self, message: str, **more: Any) -> httpx2.Response:
        return self.request("POST", "turn", {"user_message": message, **more})

    def answer(self, message: str) -> tuple[str, str]:
        """(turn_id, answer)"""
        response = self.ask(message)
        assert response.status_code == 202, response.text
        turn_id = response.json()["turn_id"]
        stream = self.request("GET", f"stream/{turn_id}")
        return turn_id, text_of(list(parse_sse(iter(stream.text.splitlines()))))

    def history(self, session: str = "main") -> list[str]:
        response = self.request("GET", f"history?session_id={session}")
        assert response.status_code == 200, response.text
        return [turn["user_message"] for turn in response.json()["turns"]]


def refusal(response: httpx2.Response) -> tuple[int, str, str]:
    error = response.json()["error"]
    return response.status_code, error["code"], error["message"]


def sessions_of_members(world: World) -> list[Path]:
    return [path.parent for path in world.settings.sessions_dir.glob(f"*/{MEMBER_FILE}")]


def end_sessions(world: World) -> None:
    """Claude ends in every terminal but the owner's."""
    for name, pane in world.terminal.panes().items():
        if name != "main":
            command = ["tmux", "-L", world.settings.tmux_socket, "kill-pane", "-t", pane]
            subprocess.run(command, check=True)
    eventually(lambda: set(world.terminal.panes()) <= {"main"}, what="the terminals are gone")


@pytest.fixture
def ada(practice: World) -> Iterator[Person]:
    yield Person(practice, "ada")
    end_sessions(practice)


def test_a_member_has_a_conversation_of_their_own_and_sees_no_other(office: World) -> None:
    ada = Person(office, "ada")
    mine = office.ask("A secret of the owner's")
    list(office.follow(mine))
    turn_id, answer = ada.answer("Hello from Ada")
    assert "You said" in answer
    assert ada.history() == ["Hello from Ada"]
    ben, elsewhere = Person(office, "ben"), Person(office, "ada", OTHER_APP)
    for other in (ben, elsewhere):
        assert other.history() == []
        assert other.request("GET", "search?words=Ada").json() == {"found": []}
    assert ada.request("GET", "search?words=secret").json() == {"found": []}
    assert [found["turn_id"] for found in ada.request("GET", "search?words=Ada").json()["found"]] == [turn_id]
    owners = [turn["user_message"] for turn in office.get("history")["turns"]]
    assert "Hello from Ada" not in owners
    eventually(lambda: office.get("health")["ok"], what="the rows are written")
    unknown = "019a2b3c-4d5e-7f60-8123-456789abcdef"
    for asker, theirs in ((ada, mine), (ben, turn_id), (elsewhere, turn_id)):
        for method, path, body in (
            ("GET", "stream/{}", None),
            ("POST", "stream/{}/abort", {}),
            ("POST", "stream/{}/answer", {"interrupt_id": "x", "value": "allow"}),
            ("POST", "turns/{}/feedback", {"verdict": "up"}),
        ):
            theirs_refused = refusal(asker.request(method, path.format(theirs), body))
            assert theirs_refused == refusal(asker.request(method, path.format(unknown), body)), path
            assert theirs_refused[0] == 404


def test_a_member_names_no_other_session(office: World) -> None:
    ada = Person(office, "ada")
    Person(office, "ben").answer("I am Ben")
    names = [path.name for path in sessions_of_members(office)]
    assert office.post("conversations", {"name": "second"}).status_code == 201
    for name in ("second", "main@office", *(name for name in names if name.startswith("ben")), "x"):
        for method, path, body in (
            ("POST", "turn", {"user_message": "Hello", "session_id": name}),
            ("POST", "reset", {"session_id": name}),
            ("GET", f"history?session_id={name}", None),
            ("GET", f"search?words=x&session_id={name}", None),
            ("GET", f"health?session_id={name}", None),
        ):
            status, code, message = refusal(ada.request(method, path, body))
            assert (status, code) == (404, "unknown_session"), path
            assert not [other for other in names if other in message]


@pytest.mark.any_version
def test_what_a_member_does_concerns_their_own_conversation(practice: World, ada: Person) -> None:
    before = practice.get("history")["since"]
    turn_id, _ = ada.answer("Before")
    assert ada.request("POST", f"turns/{turn_id}/feedback", {"verdict": "up"}).status_code in {200, 404}
    assert ada.request("POST", "reset", {"session_id": "main"}).status_code == 200
    assert practice.get("history")["since"] == before
    [own] = [path for path in sessions_of_members(practice) if path.name.startswith("ada-")]
    assert json.loads((own / MEMBER_FILE).read_text()) == {"person": "ada", "origin": APP}
    assert own.stat().st_mode & 0o077 == 0
    assert list((own / "work").iterdir()) == []


def test_a_members_claude_has_no_tools_and_nothing_of_the_owners(practice: World, ada: Person) -> None:
    for name in ("owners-hook", "owners-mcp"):
        (practice.root / name).unlink(missing_ok=True)
    seen = len(practice.api.requests)
    attached = f"Look at @{practice.root}/secret.txt and @secret.txt, @agent-Explore"
    ada.answer(attached)
    [(_, request)] = practice.api.requests[seen:]
    assert request.tools == ()
    everything = f"{request.system}\n{request.notes}\n{request.user_text}"
    assert attached.replace("@", "\\@") in request.user_text
    assert SECRET not in everything
    for mark in ("OWNERS-SKILL", "OWNERS-MEMORY", "OWNERS-COMMAND", str(practice.workdir)):
        assert mark not in everything
    [own] = [path for path in sessions_of_members(practice) if path.name.startswith("ada-")]
    for name in ("owners-hook", "owners-mcp"):
        trace = practice.root / name
        assert not trace.exists() or own.name not in trace.read_text()
    assert len([each for each in ada.history() if each == attached]) == 1  # as it was written


@pytest.mark.long
def test_a_members_claude_at_the_page_has_no_tools_either(practice: World) -> None:
    with Visitors(practice) as visitors:
        ann, seen = visitors.let_in("ann"), len(practice.api.requests)
        ann.turn("Hello from the page")
    [(_, request)] = practice.api.requests[seen:]
    assert request.tools == ()
    assert "OWNERS-MEMORY" not in f"{request.system}\n{request.notes}"
    assert str(practice.workdir) not in f"{request.system}\n{request.notes}"
    assert "[PALIADIN:" in request.user_text
    end_sessions(practice)


def test_the_owners_claude_has_what_it_had(practice: World) -> None:
    """What the test above looks for is there to be found."""
    seen = len(practice.api.requests)
    practice.turn(f"Look at @{practice.root}/secret.txt")
    _, request = practice.api.requests[seen]
    assert "Bash" in request.tools
    assert SECRET in f"{request.notes}{request.user_text}"
    assert "OWNERS-MEMORY" in f"{request.system}{request.notes}"
    eventually((practice.root / "owners-hook").exists, what="the owner's hook runs")


@pytest.mark.any_version
def test_the_owners_name_in_an_application_opens_what_is_the_owners_there(practice: World) -> None:
    practice.turn("Hello from the page")
    owner, elsewhere = Person(practice, "olivia"), Person(practice, "olivia", OTHER_APP)
    (practice.root / "other.txt").write_text("what-stands-in-another-file")
    assert owner.history() == []
    seen = len(practice.api.requests)
    turn_id, _ = owner.answer(f"And in the drawer @{practice.root}/other.txt")
    request = practice.api.requests[seen][1]
    assert "what-stands-in-another-file" not in f"{request.notes}{request.user_text}"
    assert "Bash" in request.tools
    [conversation] = [each for each in practice.get("conversations")["conversations"] if each["origin"] == APP]
    [item] = practice.get(f"history?session_id={conversation['id']}")["turns"]
    assert (item["turn_id"], item["origin"]) == (turn_id, "widget")
    assert elsewhere.history() == []
    assert refusal(elsewhere.request("GET", f"stream/{turn_id}"))[0] == 404


def test_people_list_and_change_their_own_conversations_and_no_others(office: World) -> None:
    owners = office.post("conversations", {}).json()["id"]
    office.turn("Of the owner's", session_id=owners)
    ada = Person(office, "gina")
    ada.answer("My first")
    second = ada.request("POST", "conversations", {}).json()["id"]
    turn_id = ada.ask("My second", session_id=second).json()["turn_id"]
    ada.request("GET", f"stream/{turn_id}")
    titles = {item["id"]: item["title"] for item in ada.request("GET", "conversations").json()["conversations"]}
    assert sorted(titles.values()) == ["My first", "My second"]
    assert ada.request("GET", "conversations").json()["hosts"] == []
    assert ada.request("PATCH", f"conversations/{second}", {"title": "Renamed"}).json()["title"] == "Renamed"
    assert not set(titles) & {item["id"] for item in office.get("conversations")["conversations"]}
    for other in (Person(office, "ben"), Person(office, "gina", OTHER_APP), Person(office, "olivia")):
        assert not {item["id"] for item in other.request("GET", "conversations").json()["conversations"]} & set(titles)
        for session in (second, owners, "nobody"):
            for method, body in (("PATCH", {"title": "x"}), ("PATCH", {"deleted": False}), ("DELETE", None)):
                status, code, _ = refusal(other.request(method, f"conversations/{session}", body))
                assert (status, code) == (404, "unknown_session"), (other.name, session, method)
        assert refusal(other.request("POST", "conversations", {"branch_of": turn_id}))[0] == 404
    assert refusal(ada.request("POST", "conversations", {"host": "elsewhere"}))[0] == 422
    assert refusal(ada.request("GET", f"conversations/{second}"))[0] == 403


def running(world: World) -> list[str]:
    """The members whose Claude runs, by the beginnings of their names."""
    return sorted(name.partition("-")[0] for name in world.terminal.panes() if name != "main")


def stop(person: Person, turn_id: str) -> None:
    """Stop a turn, and follow it to its end: that it was stopped does not mean that it is over."""
    person.request("POST", f"stream/{turn_id}/abort")
    person.request("GET", f"stream/{turn_id}")


@pytest.mark.long
@pytest.mark.any_version
def test_only_so_many_conversations_of_members_run_at_once_and_one_more_waits(practice: World, ada: Person) -> None:
    end_sessions(practice)
    ben, cem = Person(practice, "ben"), Person(practice, "cem")
    at_work = [ada.ask("scene:slow first").json()["turn_id"], ben.ask("scene:slow second").json()["turn_id"]]
    eventually(lambda: running(practice) == ["ada", "ben"], 30, "both work")
    waits = cem.ask("Third").json()["turn_id"]
    practice.turn("The owner's runs beside them")
    assert running(practice) == ["ada", "ben"]
    stop(ada, at_work[0])
    assert '"held"' in cem.request("GET", f"stream/{waits}").text  # to its end: one of them is idle
    assert running(practice) == ["ben", "cem"]
    stop(ben, at_work[1])
    ada.answer("And it comes back")


@pytest.mark.any_version
@pytest.mark.first(1)
@pytest.mark.parametrize(
    ("name", "requests"),
    [
        ("deletes", [("DELETE", "conversations/main", None), ("PATCH", "conversations/main", {"deleted": False})]),
        ("renames", [("PATCH", "conversations/main", {"title": "Mine"})]),
        ("resets", [("POST", "reset", {"session_id": "main"})]),
        ("goes-on", [("POST", "queue", {"session_id": "main"})]),
    ],
)
def test_whatever_a_member_does_first_their_claude_has_no_tools(
    practice: World, name: str, requests: list[tuple[str, str, Any]]
) -> None:
    """What is changed before there is a conversation makes one of theirs, never one of the owner's."""
    person = Person(practice, name)
    for method, path, body in requests:
        assert person.request(method, path, body).is_success, path
    seen = len(practice.api.requests)
    person.answer("Hello")
    assert practice.api.requests[seen][1].tools == ()
    [folder] = [each for each in sessions_of_members(practice) if each.name.startswith(f"{name}-")]
    assert (folder / "work").is_dir()
    assert not {item["id"] for item in practice.get("conversations")["conversations"]} & {folder.name}
    end_sessions(practice)


@pytest.mark.long
@pytest.mark.any_version
def test_neither_a_queue_nor_a_reset_lets_more_members_in(practice: World) -> None:
    end_sessions(practice)
    people = [Person(practice, name) for name in ("queues", "first", "second", "third")]
    waits, *others = people
    asked = waits.ask("scene:slow queue").json()["turn_id"]
    waits.ask("It waits", queue=True)
    stop(waits, asked)
    at_work = [(person, person.ask("scene:slow in").json()["turn_id"]) for person in others[:2]]
    eventually(lambda: running(practice) == ["first", "second"], 30, "both work")
    assert waits.request("POST", "queue", {"session_id": "main"}).json() == {"going_on": True}
    assert refusal(others[2].request("POST", "reset", {"session_id": "main"}))[:2] == (503, "no_place")
    assert running(practice) == ["first", "second"]
    for person, turn_id in at_work:
        stop(person, turn_id)
    eventually(lambda: waits.history()[-1:] == ["It waits"], 30, "it is asked")
    eventually(lambda: waits.request("GET", "history").json()["running_turn"] is None, 30, "it is answered")
    end_sessions(practice)


@pytest.mark.long
@pytest.mark.any_version
def test_of_many_that_ask_at_the_same_moment_no_more_are_let_in(practice: World) -> None:
    end_sessions(practice)
    people = [Person(practice, f"person{number}") for number in range(4)]
    with ThreadPoolExecutor(len(people)) as at_once:
        asked = list(at_once.map(lambda person: (person, person.ask("scene:slow in").json()["turn_id"]), people))
    eventually(lambda: len(running(practice)) == 2, 30, "two work")
    for person, turn_id in asked:
        stop(person, turn_id)
        assert len(running(practice)) <= 2
    end_sessions(practice)


@pytest.mark.long
@pytest.mark.any_version
def test_a_member_is_answered_after_a_restart_of_the_daemon(practice: World) -> None:
    Person(practice, "ada").answer("Remember me")
    practice.restart()
    ada = Person(practice, "ada")
    assert ada.history()[-1] == "Remember me"
    seen = len(practice.api.requests)
    ada.answer("Still there?")
    assert practice.api.requests[seen][1].tools == ()
    end_sessions(practice)


def test_a_permission_is_given_at_the_page_and_not_in_a_drawer_nor_on_the_command_line(office: World) -> None:
    owner, page = Person(office, "olivia"), office.client()
    turn_id = owner.ask("scene:permission").json()["turn_id"]
    permission = next(event for event in office.follow(turn_id) if event.name == "interrupt").data["id"]
    path, reply = f"{API}/stream/{turn_id}/answer", {"interrupt_id": permission, "value": "allow"}
    transport = office.command_transport()
    with httpx2.Client(transport=transport, base_url="http://paliadin") as command_line, page:
        for refused in (
            owner.request("POST", f"stream/{turn_id}/answer", reply),
            command_line.post(path, json=reply),
            command_line.post(path, json={"interrupt_id": permission, "cancel": True}),
        ):
            assert refusal(refused)[:2] == (403, "permission_elsewhere")
        allowed = [client.get(f"{API}/health").json()["may_allow"] for client in (command_line, page)]
        assert [*allowed, owner.request("GET", "health").json()["may_allow"]] == [False, True, False]
        assert page.post(path, json=reply).status_code == 200
    assert list(office.follow(turn_id))[-1].name == "end"


def test_a_member_attaches_no_file_and_reaches_none(office: World) -> None:
    ada = Person(office, "ada")
    waiting, sent = attach(office, "waits.txt", SECRET.encode()), attach(office, "sent.txt", SECRET.encode())
    list(office.follow(office.ask("Read it.", attachments=[sent["id"]])))
    folder = office.settings.attachments_dir
    before = sorted(folder.rglob("*"))
    with office.client(headers=ada.headers) as client:
        upload = client.post(f"{API}/attachments", files={"file": ("a.txt", b"hello")})
    assert refusal(upload)[:2] == (403, "no_attachments")
    for file in (waiting, sent):
        for method in ("GET", "DELETE"):
            assert ada.request(method, f"attachments/{file['id']}").status_code == 404
        assert refusal(ada.ask("Read it.", attachments=[file["id"]]))[:2] == (403, "no_attachments")
    assert SECRET not in str(ada.history())
    assert sorted(folder.rglob("*")) == before


def test_a_stranger_reaches_no_file(office: World) -> None:
    file = attach(office, "waits.txt", b"hello")
    for headers in ({}, {"Authorization": "Bearer not-a-key"}):
        with office.client(headers={"Authorization": "", **headers}) as client:
            for method in ("GET", "DELETE"):
                assert client.request(method, f"{API}/attachments/{file['id']}").status_code == 401
            assert client.post(f"{API}/attachments", files={"file": ("a.txt", b"x")}).status_code == 401
    with office.client() as client:
        assert client.get(f"{API}/attachments/{file['id']}").content == b"hello"
