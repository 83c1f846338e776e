"""A session on another host: real ssh, a real sshd, the real Claude Code at the far end; and the wire is cut."""

from __future__ import annotations

import base64
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx2
import pytest

from paliadin.base.audit import read_audit_log
from paliadin.base.errors import ConfigError
from paliadin.base.settings import ensure_home
from paliadin.cli.commands.doctor import check_daemon
from paliadin.demo.scripted_api import ScriptedApi
from paliadin.relays.ssh.hosts import Remote, remove_remote, save_remote
from paliadin.relays.ssh.wire_protocol import CHUNK
from tests.integration.conftest import make_world
from tests.worlds.far import Far, check_mirrored
from tests.worlds.sample_files import attach, pdf, png
from tests.worlds.script import HELD, PLAN
from tests.worlds.world import ROOT, UNOPTIMIZED, Event, World, eventually, last, text_of

pytestmark = pytest.mark.timeout(120)
MATRIX = pytest.mark.matrix
FAR = "main@far"
UNDO_MS = 600_000  # what is deleted is removed when a test says so
Api = tuple[ScriptedApi, str]


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory, one_claude: Path, api: Api) -> Iterator[tuple[World, Far]]:
    """A daemon here and a host with Claude there, which live on from test to test."""
    far = Far(tmp_path_factory.mktemp("far") / "far", one_claude, api[1], variables=UNOPTIMIZED)
    try:
        for world in make_world(tmp_path_factory.mktemp("near"), one_claude, api):
            ensure_home(world.settings)
            world.constants["conversations.conversation.UNDO_MS"] = UNDO_MS
            world.constants["relays.ssh.connection.LONGEST_PAUSE"] = 2.0
            yield world, far
    finally:
        far.close()


@pytest.fixture
def far(both: tuple[World, Far]) -> Far:
    """The host there: its sshd runs, and its key opens what it opens at first."""
    far = both[1]
    far.allow_tester()
    if far.process is None:
        far.start()
    return far


@pytest.fixture
def near(both: tuple[World, Far], far: Far) -> World:
    """The daemon here: it knows that host, and the session there waits for a question."""
    world = both[0]
    save_remote(world.settings.home, far.remote())
    if world.process is None:
        world.start()
    if running := world.get(f"history?session_id={FAR}&limit=1")["running_turn"] if is_listed(world) else None:
        world.post(f"stream/{running}/abort")
        list(world.follow(running))
    eventually(lambda: is_listed(world) and state(world)["state"] == "ready", 40, "the session is up")
    return world


def is_listed(world: World) -> bool:
    return FAR in [session["name"] for session in world.get("sessions")["sessions"]]


def state(world: World) -> dict:
    return next(session for session in world.get("sessions")["sessions"] if session["name"] == FAR)


def asked_for(api: Api, text: str) -> int:
    return sum(text in str(request) for request in api[0].requests)


def ssh_pid(world: World) -> int:
    """The daemon's own ssh process."""
    assert world.process is not None
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            name, _, rest = stat.read_text().partition("(")[2].rpartition(")")
        except (FileNotFoundError, ProcessLookupError):
            continue
        if name == "ssh" and int(rest.split()[1]) == world.process.pid:
            return int(stat.parent.name)
    raise AssertionError("the daemon has no ssh")


def cut_wire(world: World, _far: Far) -> None:
    os.kill(ssh_pid(world), signal.SIGKILL)


def kill_shim(_world: World, far: Far) -> None:
    os.kill(far.shim_pid(), signal.SIGKILL)


def restart_sshd(world: World, far: Far) -> None:
    far.stop()
    cut_wire(world, far)
    time.sleep(2)
    far.start()


def kill_daemon(world: World, _far: Far) -> None:
    world.stop(signal.SIGKILL)
    time.sleep(1)
    world.start()


def follow_through(world: World, turn_id: str, at: int, do: Callable[[], None]) -> list[Event]:
    """Every event once, over as many connections as that takes; at the `at`th delta something is done.

    The answer is held until the daemon has passed on a line that the model said after that.
    """
    events: list[Event] = []
    said, deltas = None, 0
    while not events or events[-1].name not in {"end", "error"}:
        try:
            for event in world.follow(turn_id, events[-1].id or 0 if events else 0):
                events.append(event)
                deltas += event.name == "content_delta"
                if deltas == at and said is None:
                    said = HELD.said
                    do()
                    said = HELD.said
                if said is not None and len(text_of(events).splitlines()) > said:
                    HELD.enough.set()
        except (httpx2.TransportError, OSError):  # the daemon was killed
            if said is None:
                raise
    assert said is not None
    assert len(text_of(events).splitlines()) > said, "it ended before the line was there again"
    return events


@pytest.mark.first(1)
@pytest.mark.parametrize("fault", [pytest.param(cut_wire, marks=MATRIX), kill_shim, restart_sshd, kill_daemon])
def test_a_line_that_breaks_in_mid_answer_loses_nothing_and_asks_nothing_twice(
    near: World, far: Far, api: Api, fault: Callable[[World, Far], None]
) -> None:
    turn_id = near.ask(f"scene:held {fault.__name__}", session_id=FAR)
    events = follow_through(near, turn_id, 3, lambda: fault(near, far))
    assert events[-1].name == "end", events[-1].data
    assert [event.id for event in events] == list(range(1, len(events) + 1))
    assert text_of(events).splitlines() == [f"Line {number}." for number in range(len(text_of(events).splitlines()))]
    [here] = near.settings.response_dir.glob(f"*/{turn_id}/events.jsonl")
    [there] = (far.shim_home / "turns").glob(f"*/{turn_id}/events.jsonl")
    check_mirrored(here, there)
    assert asked_for(api, turn_id) == 1
    assert text_of(list(near.follow(near.ask("And now?", session_id=FAR)))).startswith("You said")


@pytest.mark.long
def test_files_travel_with_their_question_once_over_a_line_that_breaks_and_go_with_it(near: World, far: Far) -> None:
    """At first the line breaks while a file is on its way, then the shim is killed."""
    there, document, filler = far.root / "state-attachments" / "shims" / "tester", pdf(10), os.urandom(19_000_000)
    files = [attach(near, name, content) for name, content in (("filler.bin", filler), ("Prüf 1.pdf", document))]
    turn = near.ask("scene:open_files", session_id=FAR, attachments=[file["id"] for file in files])
    part, seen = there / f"{files[0]['id']}.part", 0
    for hurt in (cut_wire, kill_shim):
        eventually(lambda: part.exists() and part.stat().st_size > seen, what="a part of the file is there")  # noqa: B023
        hurt(near, far)
        seen = part.stat().st_size
    events = list(near.follow(turn))
    assert events[-1].name == "end", events[-1]
    copy = there / files[0]["id"] / "filler.bin"
    assert copy.read_bytes() == filler
    assert not part.exists()
    request = [each for _, each in near.api.requests if turn in each.user_text][-1]
    assert str(copy) in request.user_text
    assert document in [base64.b64decode(each.data) for each in request.media]
    assert last(events, "evidence").data["unopened"] == [files[0]["id"]]  # Read opens no such file
    eventually(lambda: recorded(near, turn), what="the row is written")
    assert delete(near, turn).returncode == 0
    assert [list(folder.iterdir()) for folder in (there, near.settings.attachments_dir)] == [[], []]


def begin_to_send(near: World, far: Far) -> tuple[str, str, Path]:
    """Ask with a large file; returns (turn, file, folder on the host) when a part of the file is there."""
    there = far.root / "state-attachments" / "shims" / "tester"
    file = str(attach(near, "filler.bin", os.urandom(19_000_000))["id"])
    turn, part = near.ask("Look.", session_id=FAR, attachments=[file]), there / f"{file}.part"
    eventually(lambda: part.exists() and part.stat().st_size > 0, what="a part of the file is there")
    return turn, file, there


@pytest.mark.long
def test_a_daemon_that_is_killed_while_it_sends_a_file_asks_at_most_once_and_leaves_no_part_of_it(
    near: World, far: Far
) -> None:
    turn, file, there = begin_to_send(near, far)
    kill_daemon(near, far)
    events = list(near.follow(turn))
    requests = [each for _, each in near.api.requests if turn in each.user_text]
    assert (events[-1].name, len(requests)) in {("end", 1), ("error", 0)}, events[-1]
    if not requests:
        eventually(lambda: list(there.iterdir()) == [], what="the host has removed its part of the file")
    again = near.ask("Again.", session_id=FAR, attachments=[file])
    assert list(near.follow(again))[-1].name == "end"
    for each in (turn, again):
        eventually(lambda each=each: recorded(near, each), what="the row is written")  # type: ignore[misc]
        assert delete(near, each).returncode == 0
    assert [list(folder.iterdir()) for folder in (there, near.settings.attachments_dir)] == [[], []]


@pytest.mark.long
def test_a_question_that_is_stopped_while_its_file_is_sent_leaves_no_part_of_it(near: World, far: Far) -> None:
    turn, _, there = begin_to_send(near, far)
    assert near.post(f"stream/{turn}/abort").is_success
    assert last(list(near.follow(turn)), "end").data["aborted"]
    eventually(lambda: list(there.iterdir()) == [], what="the host has removed its part of the file")
    assert [each for _, each in near.api.requests if turn in each.user_text] == []
    eventually(lambda: recorded(near, turn), what="the row is written")
    assert delete(near, turn).returncode == 0
    assert list(near.settings.attachments_dir.iterdir()) == []


def kill_far_claude(_world: World, far: Far) -> None:
    os.kill(far.terminal.capture(far.terminal.panes()["main"]).pid, signal.SIGKILL)


@pytest.mark.long
@pytest.mark.parametrize(
    ("hurt", "ends_with"),
    [
        pytest.param(cut_wire, "end", marks=MATRIX),
        (kill_shim, "end"),
        pytest.param(kill_daemon, "end", marks=MATRIX),
        (kill_far_claude, "error"),
    ],
)
def test_what_is_killed_once_a_question_with_a_file_is_typed_there_asks_nothing_twice(
    near: World, far: Far, hurt: Callable[[World, Far], None], ends_with: str
) -> None:
    there, document = far.root / "state-attachments" / "shims" / "tester", pdf(1)
    file = attach(near, "a.pdf", document)
    turn = near.ask("scene:steady", session_id=FAR, attachments=[file["id"]])
    eventually(lambda: any(turn in each.user_text for _, each in near.api.requests), what="the model is asked")
    hurt(near, far)
    assert list(near.follow(turn))[-1].name == ends_with
    assert len([each for _, each in near.api.requests if turn in each.user_text]) == 1
    again = near.ask("Again.", session_id=FAR, attachments=[file["id"]])
    assert list(near.follow(again))[-1].name == "end"
    for each in (turn, again):
        eventually(lambda each=each: recorded(near, each), what="the row is written")  # type: ignore[misc]
        assert delete(near, each).returncode == 0
    assert [list(folder.iterdir()) for folder in (there, near.settings.attachments_dir)] == [[], []]


@pytest.mark.long
def test_a_picture_that_a_tool_returns_there_is_fetched_once_and_shown_here(near: World, far: Far) -> None:
    (far.workdir / "shot.png").write_bytes(png(640, 480))
    calls = json.dumps([["Read", {"file_path": str(far.workdir / "shot.png")}]])
    turn = near.ask(f"scene:calls {calls}", session_id=FAR)
    [picture] = last(list(near.follow(turn)), "tool_result").data["pictures"]
    here, there = (folders[0] / "pictures" / picture for folders in folders_of(turn, near, far))
    content, route = there.read_bytes(), f"/api/paliadin/turns/{turn}/pictures/{picture}"
    assert len(content) > CHUNK
    assert not here.exists()
    with near.client() as client:
        shown = client.get(route)
        assert (shown.status_code, shown.content) == (200, content)
        assert shown.headers["content-type"] in {"image/png", "image/jpeg"}  # Read makes pictures smaller
        assert here.stat().st_mode & 0o777 == 0o600
        there.unlink()
        assert client.get(route).content == content
        here.unlink()
        refused = client.get(route)
    assert (refused.status_code, refused.json()["error"]["code"]) == (404, "unknown_picture")


def test_a_card_that_waits_outlives_the_line(near: World, far: Far) -> None:
    turn_id = near.ask("scene:question", session_id=FAR)
    events: list[Event] = []
    for event in near.follow(turn_id):
        events.append(event)
        if event.name == "interrupt":
            cut_wire(near, far)
            reply = {"interrupt_id": event.data["id"], "value": "Blue"}
            eventually(lambda reply=reply: near.post(f"stream/{turn_id}/answer", reply).is_success, seconds=20)
    assert "Blue" in text_of(events)


@pytest.mark.long
def test_a_plan_that_claude_makes_there_is_shown_and_approved_here(near: World, far: Far) -> None:
    turn_id = near.ask(f"scene:plan in:{far.workdir}", session_id=FAR)
    events: list[Event] = []
    for event in near.follow(turn_id):
        events.append(event)
        if event.name == "interrupt":
            reply = {"interrupt_id": event.data["id"], "value": "allow"}
            eventually(lambda reply=reply: near.post(f"stream/{turn_id}/answer", reply).is_success, seconds=20)
    asked = [event.data for event in events if event.name == "interrupt"]
    assert [each["tool"] for each in asked] == ["ExitPlanMode", "Write"]
    assert asked[0]["input"]["plan"] == PLAN
    assert (far.workdir / "note.txt").read_text() == "A note.\n"


def test_a_key_that_may_ask_replies_to_questions_and_not_to_permissions(near: World, far: Far) -> None:
    far.allow("--name", "tester", "--workdir", str(far.workdir), "--may", "ask")
    try:
        kill_shim(near, far)
        turn_id, refused = ask_and_reply(near, "scene:permission", "allow")
        assert (refused.status_code, refused.json()["error"]["code"]) == (403, "not_allowed")
        assert "--may" in refused.json()["error"]["hint"]
        assert near.post(f"stream/{turn_id}/abort").is_success
        list(near.follow(turn_id))
        turn_id, accepted = ask_and_reply(near, "scene:question", "Red")
        assert accepted.is_success, accepted.text
        assert list(near.follow(turn_id))[-1].name == "end"
    finally:
        far.allow_tester()
        kill_shim(near, far)
    noted = [(entry["event"], entry.get("code") or entry.get("reply")) for entry in read_audit_log(far.shim_home)]
    assert [entry for entry in noted if entry[0] in {"asked", "refused", "reply", "aborted"}][-5:] == [
        ("asked", None),
        ("refused", "not_allowed"),
        ("aborted", None),
        ("asked", None),
        ("reply", "answered"),
    ]


def ask_and_reply(world: World, question: str, value: str) -> tuple[str, httpx2.Response]:
    """Ask; reply with `value` to the first card. Returns the turn's id and the response to the reply."""
    eventually(lambda: state(world)["state"] == "ready", 40, "the session is up")
    turn_id = world.ask(question, session_id=FAR)
    for event in world.follow(turn_id):
        if event.name == "interrupt":
            reply = {"interrupt_id": event.data["id"], "value": value}
            return turn_id, world.post(f"stream/{turn_id}/answer", reply)
    raise AssertionError("no card came")


def test_a_host_that_is_away_is_reported_at_once_and_comes_back_by_itself(near: World, far: Far) -> None:
    far.stop()
    cut_wire(near, far)
    eventually(lambda: state(near)["state"] == "unreachable", what="the page is told")
    assert "trying again" in state(near)["message"]
    turn = near.ask("anybody there?", session_id=FAR)
    [*_, end] = near.follow(turn)
    assert (end.name, end.data["code"]) == ("error", "relay_unreachable")
    with near.client() as client:
        refused = client.get(f"/api/paliadin/turns/{turn}/pictures/{'0' * 32}")
    assert (refused.status_code, refused.json()["error"]["code"]) == (503, "relay_unreachable")
    assert near.turn("and here?")[-1].name == "end"  # the session on this machine goes on
    far.start()
    eventually(lambda: state(near)["ok"], seconds=40, what="the line is made again")
    assert near.turn("And now?", session_id=FAR)[-1].name == "end"


def delete(world: World, *args: str) -> subprocess.CompletedProcess[str]:
    environment = {"PATH": os.environ["PATH"], "HOME": str(world.root), "PYTHONPATH": str(ROOT)}
    environment["PALIADIN_HOME"] = str(world.settings.home)
    command = [sys.executable, "-m", "paliadin", "turns", "delete", "--yes", *args]
    return subprocess.run(command, env=environment, cwd="/", capture_output=True, text=True, timeout=90, check=False)


def folders_of(turn_id: str, near: World, far: Far) -> tuple[list[Path], list[Path]]:
    """Here, and there."""
    return tuple(list(turns.glob(f"*/{turn_id}")) for turns in (near.settings.response_dir, far.shim_home / "turns"))  # type: ignore[return-value]


def recorded(world: World, turn_id: str) -> bool:
    return any(world.settings.response_dir.glob(f"*/{turn_id}/recorded"))


def test_a_deleted_turn_is_gone_at_the_far_end_too(near: World, far: Far) -> None:
    gone, kept = near.ask("delete me", session_id=FAR), ""
    list(near.follow(gone))
    kept = near.ask("keep me", session_id=FAR)
    list(near.follow(kept))
    eventually(lambda: recorded(near, gone) and recorded(near, kept), what="the rows are written")
    assert all(folders_of(gone, near, far))
    ended = delete(near, gone)
    assert (ended.returncode, ended.stderr) == (0, "1 turns deleted\n")
    assert folders_of(gone, near, far) == ([], [])
    links = [link for kind in ("prompts", "expected") for link in far.shim_home.glob(f"sessions/*/{kind}/*")]
    assert all(link.exists() for link in links), "a link to what is gone"
    assert all(folders_of(kept, near, far))
    eventually(lambda: state(near)["ok"], seconds=40, what="the daemon's own line is made again")
    assert near.turn("still there?", session_id=FAR)[-1].name == "end"


@pytest.mark.long
def test_a_turn_whose_host_is_away_is_deleted_nowhere_unless_that_is_said(near: World, far: Far) -> None:
    turn_id = near.ask("delete me", session_id=FAR)
    list(near.follow(turn_id))
    eventually(lambda: recorded(near, turn_id), what="the row is written")
    far.stop()
    cut_wire(near, far)
    ended = delete(near, turn_id)
    assert ended.returncode == 1
    assert "nothing was deleted here: the host far is unreachable" in ended.stderr
    assert "--here-only" in ended.stderr
    assert all(folders_of(turn_id, near, far))
    ended = delete(near, turn_id, "--here-only")
    assert ended.returncode == 0
    assert "1 turns deleted\nfar still has 1 of them" in ended.stderr
    here, there = folders_of(turn_id, near, far)
    assert not here
    assert there


@pytest.mark.long
def test_a_chatty_and_slow_login_shell_is_no_hindrance(near: World, far: Far) -> None:
    script = far.root / "shim"
    text = script.read_text()
    chatty = "#!/bin/sh\necho Welcome; echo '{\"motd\": 1}'; echo hello >&2; sleep 2\n"
    script.write_text(text.replace("#!/bin/sh\n", chatty))
    kill_shim(near, far)
    eventually(lambda: state(near)["ok"], seconds=30, what="the line is made again")
    assert near.turn("hello", session_id=FAR)[-1].name == "end"


@pytest.mark.long
def test_a_host_is_added_checked_and_forgotten_from_the_command_line(far: Far, tmp_path: Path) -> None:
    def paliadin(*args: str) -> subprocess.CompletedProcess[str]:
        environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "PYTHONPATH": str(ROOT)}
        command = [sys.executable, "-m", "paliadin", "remote", *args]
        return subprocess.run(
            command, env=environment, cwd="/", capture_output=True, text=True, timeout=60, check=False
        )

    known = f"UserKnownHostsFile={far.root / 'known_hosts'}"
    options = ["--option", f"Port={far.port}", "--option", known, "--shim", str(far.root / "shim")]
    first = paliadin("add", "office", far.destination, *options)
    assert first.returncode == 1
    assert "Permission denied" in first.stdout
    [line] = [text for text in first.stdout.splitlines() if text.startswith("command=")]
    assert ",restrict ssh-ed25519 " in line
    with (far.root / "authorized_keys").open("a") as keys:
        keys.write(line + "\n")
    tried = paliadin("add", "office", far.destination, *options, "--try")
    assert tried.returncode == 0, tried.stdout
    assert "main@office answers: You said" in tried.stdout
    tested = paliadin("test", "office")
    assert tested.returncode == 0, tested.stdout
    assert "on both sides" in tested.stdout
    for part in ("connection", "version", "tmux", "configuration", "claude", "storage", "main@office"):
        assert re.search(rf"{part} .*(ok|ready|dead|warning)", tested.stdout), tested.stdout
    assert "main@office" in paliadin("list").stdout
    assert paliadin("remove", "office").returncode == 0
    assert "office" not in paliadin("list").stdout
    assert paliadin("test", "office").returncode == 1


def test_a_host_is_known_as_soon_as_it_is_added_and_its_turn_ends_when_it_is_removed(near: World, far: Far) -> None:
    world = near
    remove_remote(world.settings.home, "far")
    eventually(lambda: not is_listed(world), 30, "the host is forgotten")
    save_remote(world.settings.home, far.remote())
    eventually(lambda: is_listed(world) and state(world)["ok"], 30, "the host is known and answers")
    hosts = [part for part in world.get("health")["parts"] if part["name"] == "host far"]
    assert [(part["ok"], part["state"]) for part in hosts] == [(True, "connected")]
    turn_id = world.ask("scene:held", session_id=FAR)
    for event in world.follow(turn_id):
        if event.name == "content_delta":
            break
    remove_remote(world.settings.home, "far")
    [*_, end] = world.follow(turn_id)
    assert (end.name, end.data["code"]) == ("error", "unknown_host")
    assert not is_listed(world)
    refused = world.post("turn", {"session_id": FAR, "user_message": "anybody there?"})
    assert refused.json()["error"]["code"] == "unknown_session"
    save_remote(world.settings.home, far.remote())
    eventually(lambda: is_listed(world) and state(world)["state"] in {"ready", "busy"}, 30, "it is back")
    HELD.enough.set()


def host_part(world: World) -> dict:
    """What health says of the host."""
    [part] = [part for part in world.get("health")["parts"] if part["name"] == "host far"]
    return part


@pytest.mark.long
def test_health_and_doctor_name_the_host_whose_claude_is_dead_until_the_next_question_starts_it(
    near: World, far: Far
) -> None:
    eventually(lambda: host_part(near)["ok"], 30, "the host's Claude is up")
    kill_far_claude(near, far)
    dead = eventually(lambda: not (now := host_part(near))["ok"] and now, 30, "health sees that it is dead")
    assert (dead["state"], "is not running" in dead["message"] or "ended" in dead["message"]) == ("dead", True)
    assert "with trouble: host far: " in check_daemon(near.settings)["message"]
    assert near.turn("hello", session_id=FAR)[-1].name == "end"
    eventually(lambda: host_part(near)["ok"], 30, "it is up again")


@pytest.mark.long
def test_health_and_doctor_name_the_host_where_claude_is_logged_out_until_it_is_logged_in_again(
    near: World, far: Far
) -> None:
    key = far.environment.pop("ANTHROPIC_API_KEY")
    try:
        far.allow_tester()
        kill_shim(near, far)
        part = eventually(
            lambda: (now := host_part(near))["state"] == "not_logged_in" and now, 30, "health knows that nobody is"
        )
        assert (part["ok"], part["message"]) == (False, "Claude Code is not logged in")
        assert f"paliadin attach {FAR}" in part["hint"]
        assert "/login" in part["hint"]
        assert "with trouble: host far: Claude Code is not logged in" in check_daemon(near.settings)["message"]
    finally:
        far.environment["ANTHROPIC_API_KEY"] = key
        far.allow_tester()
        kill_shim(near, far)
    eventually(lambda: host_part(near)["ok"], 30, "somebody is logged in again")


def test_a_list_of_hosts_that_is_damaged_leaves_the_hosts_as_they_were(near: World) -> None:
    hosts = near.settings.home / "remotes.json"
    whole = hosts.read_text()
    hosts.write_text("{")
    try:
        time.sleep(1)  # the daemon looks twice a second
        assert near.turn("hello", session_id=FAR)[-1].name == "end"
    finally:
        hosts.write_text(whole)


@pytest.mark.parametrize("destination", ["-oProxyCommand=touch hacked", "a b", "$(touch hacked)", "", "x;y", "`id`"])
def test_what_is_no_host_is_refused_before_ssh_sees_it(destination: str) -> None:
    with pytest.raises(ConfigError):
        Remote("far", destination)
