"""Conversations on another host: made, asked, branched, parked and deleted there, over a real ssh."""

from __future__ import annotations

import json
import shlex
import socket
from collections.abc import Mapping
from typing import Any

import pytest

from paliadin.base.audit import read_audit_log
from paliadin.base.session_names import make_session_name
from paliadin.relays.ssh.hosts import remove_remote, save_remote
from paliadin.turnlog.ids import now_ms
from tests.integration.test_conversations import delete, exists, history, listed, make
from tests.integration.test_ssh import FAR, UNDO_MS, both, cut_wire, far, is_listed, kill_shim, near, state
from tests.worlds.far import Far
from tests.worlds.script import HELD
from tests.worlds.world import World, eventually, text_of

__all__ = ["both", "far", "near"]  # fixtures
pytestmark = pytest.mark.timeout(120)

HELLO = {"verb": "hello", "protocol": 2}
NEWER = ("alive", "park", "open", "branch", "discard")  # verbs that an older shim does not know


def remembers(world: World, session: str) -> str:
    events = world.turn("scene:remember", session_id=session)
    assert events[-1].name == "end", events[-1].data
    return text_of(events)


def is_known(world: World, session: str) -> bool:
    return session in [each["name"] for each in world.get("sessions")["sessions"]]


def is_up(world: World) -> bool:
    return is_listed(world) and bool(state(world)["ok"])


def sessions_there(far: Far) -> set[str]:
    return {path.name for path in (far.shim_home / "sessions").iterdir()}


def turns_there(far: Far) -> set[str]:
    return {path.name for path in (far.shim_home / "turns").glob("*/*")}


def transcripts_there(far: Far) -> set[str]:
    return {path.name for path in (far.root / "home").rglob("*.jsonl") if "projects" in path.parts}


def stop_and_forward(world: World, *sessions: str) -> None:
    """Stop the daemon; the time in which these deletions can be taken back is then over."""
    world.stop()
    for session in sessions:
        file = world.settings.sessions_dir / session / "conversation.json"
        file.write_text(json.dumps(json.loads(file.read_text()) | {"deleted_at": now_ms() - UNDO_MS}))


def asks(far: Far, *requests: Mapping[str, object]) -> list[Any]:
    """The responses to requests that whoever has the key sends, in their order."""
    lines = [json.dumps({"id": number, **request}) for number, request in enumerate((HELLO, *requests))]
    result = far.ssh(stdin="".join(f"{line}\n" for line in lines).encode())
    responses = {each["id"]: each for each in map(json.loads, result.stdout.splitlines())}
    assert len(responses) == len(lines), result.stderr
    return [responses[number + 1] for number in range(len(requests))]


def codes(responses: list[Any]) -> list[str]:
    return [each["error"]["code"] if "error" in each else "" for each in responses]


def test_a_conversation_on_a_host_is_asked_and_remembers_over_a_cut_wire_and_a_new_daemon(
    near: World, far: Far
) -> None:
    assert near.get("conversations")["hosts"] == [socket.gethostname(), "far"]
    unknown = near.post("conversations", {"host": "nowhere"})
    assert (unknown.status_code, unknown.json()["error"]["code"]) == (404, "unknown_host")
    session = make(near, host="far")
    assert session.endswith("@far")
    assert session not in listed(near)
    assert remembers(near, session) == "I remember 1 prompts."
    item = listed(near)[session]
    assert (item["title"], item["host"], item["state"]) == ("scene:remember", "far", "ready")
    cut_wire(near, far)
    assert remembers(near, session) == "I remember 2 prompts."
    near.restart()
    eventually(lambda: is_up(near), 30, "the line stands")
    assert listed(near)[session]["state"] == "ready"
    assert history(near, session) == ["scene:remember"] * 2
    assert remembers(near, session) == "I remember 3 prompts."
    name = session.removesuffix("@far")
    here, there = (near.settings.sessions_dir / session, far.shim_home / "sessions" / name)
    logs = [folder / "events.jsonl" for folder in (here, there)]
    eventually(lambda: logs[0].read_bytes() == logs[1].read_bytes(), what="its log is mirrored")


@pytest.mark.long
def test_a_branch_there_knows_what_was_before_it_and_what_is_deleted_is_gone_on_both_sides(
    near: World, far: Far
) -> None:
    earlier = turns_there(far), transcripts_there(far), sessions_there(far)
    noted_before = sum(entry["event"] != "asked" for entry in read_audit_log(far.shim_home))
    session = make(near, host="far")
    turns = []
    for _ in range(2):
        turns.append(near.ask("scene:remember", session_id=session))
        list(near.follow(turns[-1]))
    branch = make(near, branch_of=turns[1])
    assert branch.endswith("@far")
    assert listed(near)[session]["state"] == "parked"  # for its transcript to be read
    assert delete(near, session).status_code == 200
    assert history(near, branch) == ["scene:remember"]
    assert remembers(near, branch) == "I remember 2 prompts."
    assert listed(near)[branch]["branch_of"] == {"session_id": session, "turn_id": turns[1]}
    eventually(lambda: near.get("health")["ok"], what="the row is written")
    stop_and_forward(near, session)
    near.start()
    eventually(lambda: not exists(near, turns[1]), 30, "it is removed")
    assert [turn_id in turns_there(far) for turn_id in turns] == [True, False]
    assert history(near, branch) == ["scene:remember", "scene:remember"]
    assert delete(near, branch).status_code == 200
    stop_and_forward(near, branch)
    near.start()
    eventually(lambda: not (near.settings.sessions_dir / session).exists(), 30, "the rest goes with the branch")
    assert (turns_there(far), transcripts_there(far), sessions_there(far)) == earlier
    assert not (near.settings.sessions_dir / branch).exists()
    assert not exists(near, turns[0])
    assert not is_known(near, session)
    assert not is_known(near, branch)
    noted = [str(entry["event"]) for entry in read_audit_log(far.shim_home) if entry["event"] != "asked"]
    assert noted[noted.index("conversation made", noted_before) :] == [
        "conversation made", "conversation made", "branched",
        "connected",  # by the daemon that was started again, and by nobody else
        "conversation deleted", "deleted",
        "connected",
        "conversation deleted", "deleted", "deleted",
    ]  # fmt: skip


@pytest.mark.long
def test_while_the_host_is_unreachable_none_is_made_and_what_is_deleted_is_removed_later(near: World, far: Far) -> None:
    session = make(near, host="far")
    turn_id, earlier = near.ask("Hello", session_id=session), near.ask("Hello", session_id=FAR)
    for each in (turn_id, earlier):
        list(near.follow(each))
    eventually(lambda: near.get("health")["ok"], what="the rows are written")
    far.stop()
    cut_wire(near, far)
    eventually(lambda: state(near)["state"] == "unreachable", what="the wire is cut")
    folders = {path.name for path in near.settings.sessions_dir.iterdir()}
    refused = near.post("conversations", {"host": "far"})
    assert (refused.status_code, refused.json()["error"]["code"]) == (503, "relay_unreachable")
    assert "the host far is unreachable" in refused.json()["error"]["message"]
    refused = near.post("conversations", {"branch_of": turn_id})
    assert refused.json()["error"]["code"] == "relay_unreachable"
    assert {path.name for path in near.settings.sessions_dir.iterdir()} == folders
    assert listed(near)[session]["state"] == "unreachable"
    assert delete(near, session).status_code == 200
    assert session not in listed(near)
    assert delete(near, FAR).status_code == 200
    stop_and_forward(near, session, FAR)
    near.start()
    log = near.root / "daemon.log"
    eventually(lambda: f"the conversation {session} is not removed yet" in log.read_text(), what="it is tried")
    assert exists(near, turn_id)
    far.start()
    save_remote(near.settings.home, far.remote(login="me@elsewhere"))  # it connects again at once
    eventually(lambda: not (near.settings.sessions_dir / session).exists(), 30, "it is removed")
    assert not exists(near, turn_id)
    assert turn_id not in turns_there(far)
    assert session.removesuffix("@far") not in sessions_there(far)
    # The session of the key stays, and has forgotten everything.
    eventually(lambda: not exists(near, earlier), 30, "it is removed, too")
    assert remembers(near, FAR) == "I remember 1 prompts."
    assert history(near, FAR) == ["scene:remember"]
    logs = [folder / "main@far" / "events.jsonl" for folder in (near.settings.sessions_dir,)]
    logs.append(far.shim_home / "sessions" / "main" / "events.jsonl")
    eventually(lambda: logs[0].read_bytes() == logs[1].read_bytes(), what="its log is mirrored")


@pytest.mark.long
def test_a_key_uses_the_sessions_of_its_line_and_those_that_it_made(near: World, far: Far) -> None:
    turn_id = near.ask("Hello", session_id=FAR)
    list(near.follow(turn_id))
    near.stop()
    made, foreign = make_session_name(), make_session_name()
    far.allow("--name", "other", "--workdir", str(far.workdir))
    assert codes(asks(far, {"verb": "open", "session_id": foreign})) == [""]
    far.allow_tester()
    names = ["..", "../x", "other", f"{made}x", made.upper(), f"{made[:-1]}/", "", None, ["main"]]
    assert set(codes(asks(far, *({"verb": "open", "session_id": name} for name in [*names, "main"])))) == {
        "unknown_session"
    }
    assert codes(asks(far, {"verb": "open", "session_id": made}, {"verb": "watch", "session_id": made})) == ["", ""]
    uses = ("state", "watch", "reset", "park", "discard")
    requests = [{"verb": verb, "session_id": name} for name in [*names, foreign] for verb in uses]
    assert set(codes(asks(far, *requests))) == {"unknown_session"}
    turn = {"user_message": "x", "turn_id": "01890000-0000-7000-8000-000000000000"}
    assert codes(asks(far, {"verb": "submit", "turn": {**turn, "session_id": foreign}})) == ["unknown_session"]
    branches = [{"verb": "branch", "turn_id": turn_id, "session_id": "main", "branch": name} for name in names]
    assert set(codes(asks(far, *branches))) == {"unknown_session"}
    refused = list(read_audit_log(far.shim_home))[-1]
    assert (refused["event"], refused["code"], refused["verb"]) == ("refused", "unknown_session", "branch")


@pytest.mark.long
def test_a_key_that_may_only_read_makes_branches_parks_and_deletes_nothing(near: World, far: Far) -> None:
    turn_id = near.ask("Hello", session_id=FAR)
    list(near.follow(turn_id))
    near.stop()
    name = make_session_name()
    requests = [
        {"verb": "open", "session_id": name},
        {"verb": "branch", "session_id": "main", "turn_id": turn_id, "branch": name},
        {"verb": "park", "session_id": "main"},
        {"verb": "discard", "session_id": "main"},
    ]
    far.allow("--name", "tester", "--workdir", str(far.workdir), "--may", "read")
    try:
        assert codes(asks(far, *requests)) == ["not_allowed"] * 4
    finally:
        far.allow_tester()
    refused = list(read_audit_log(far.shim_home))[-4:]
    assert [(entry["code"], entry["verb"]) for entry in refused] == [
        ("not_allowed", request["verb"]) for request in requests
    ]
    assert name not in sessions_there(far)


@pytest.mark.long
def test_as_many_run_there_as_that_account_lets_and_who_waits_knows_for_whom(near: World, far: Far) -> None:
    config = far.root / "home" / ".config" / "paliadin" / "config.toml"
    text = config.read_text()
    config.write_text(f"{text}max_running = 1\n")
    try:
        kill_shim(near, far)
        eventually(lambda: is_up(near), 30, "the line stands")
        first, second = make(near, host="far"), make(near, host="far")
        HELD.said = 0
        running = near.ask("scene:held", session_id=first)
        eventually(lambda: listed(near)[first]["state"] == "busy" and HELD.said, 30, "it answers")
        waiting = near.ask("scene:remember", session_id=second)
        held = next(event for event in near.follow(waiting) if event.data.get("phase") == "held")
        assert held.data["held_by"] == [first]
        HELD.enough.set()
        list(near.follow(running))
        assert text_of(list(near.follow(waiting))) == "I remember 1 prompts."
        assert [listed(near)[each]["state"] for each in (first, second)] == ["parked", "ready"]
        assert is_known(near, first)
        assert remembers(near, first) == "I remember 2 prompts."
    finally:
        config.write_text(text)
        kill_shim(near, far)


@pytest.mark.long
def test_with_an_older_shim_there_no_conversation_is_made_and_the_rest_is_as_before(near: World, far: Far) -> None:
    shim = far.program.read_text()
    start = "from paliadin.relays.ssh.shim.process import main; main()"
    older = (
        "from paliadin.relays.ssh.shim.verbs import Shim; "
        f"Shim._VERBS = {{name: verb for name, verb in Shim._VERBS.items() if name not in {NEWER!r}}}; {start}"
    )
    assert shlex.quote(start) in shim
    far.program.write_text(shim.replace(shlex.quote(start), shlex.quote(older)))
    try:
        kill_shim(near, far)
        eventually(lambda: is_up(near), 30, "the line stands")
        turn_id = near.ask("Hello", session_id=FAR)
        assert list(near.follow(turn_id))[-1].name == "end"
        assert listed(near)[FAR]["state"] == "ready"
        folders = set(near.settings.sessions_dir.iterdir())
        for body in ({"host": "far"}, {"branch_of": turn_id}):
            refused = near.post("conversations", body)
            assert refused.json()["error"]["code"] == "version_mismatch", refused.text
            assert "too old" in refused.json()["error"]["message"]
        assert set(near.settings.sessions_dir.iterdir()) == folders
    finally:
        far.allow_tester()
        kill_shim(near, far)


@pytest.mark.long
def test_the_conversations_of_a_host_that_is_removed_are_back_when_it_is_added_again(near: World, far: Far) -> None:
    session = make(near, host="far")
    assert remembers(near, session) == "I remember 1 prompts."
    remove_remote(near.settings.home, "far")
    eventually(lambda: session not in listed(near), 30, "the host is forgotten")
    assert near.get("conversations")["hosts"] == [socket.gethostname()]
    assert not is_known(near, session)
    refused = near.post("turn", {"session_id": session, "user_message": "x"})
    assert refused.json()["error"]["code"] == "unknown_session"
    assert near.turn("Hello")[-1].name == "end"
    save_remote(near.settings.home, far.remote())
    eventually(lambda: is_up(near), 30, "the host is back")
    assert listed(near)[session]["title"] == "scene:remember"
    assert history(near, session) == ["scene:remember"]
    assert remembers(near, session) == "I remember 2 prompts."
