"""The line to a host, with a script in the place of ssh: the far end may be broken, or another program."""

from __future__ import annotations

import asyncio
import contextlib
import io
import os
import signal
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from paliadin.base.errors import NotFound, PaliadinError, RelayUnreachable
from paliadin.base.settings import Settings, ensure_home, load_settings
from paliadin.base.tasks import background
from paliadin.cli.commands.remote import test as remote_test
from paliadin.files.attachments import Attachments
from paliadin.relays.routing import Relays
from paliadin.relays.ssh.connection import Connection
from paliadin.relays.ssh.hosts import Remote, remove_remote, save_remote
from paliadin.relays.ssh.pending_requests import MAX_PENDING
from paliadin.relays.ssh.relay import SshRelay
from paliadin.relays.ssh.remote_hosts import RemoteHosts
from paliadin.relays.ssh.transport import Transport
from paliadin.relays.ssh.wire_protocol import LONGEST_LINE
from paliadin.relays.terminal.relay import TerminalRelay
from paliadin.relays.turn import Turn
from paliadin.turnlog.description import Description
from paliadin.turnlog.folder import TurnFolder
from paliadin.turnlog.ids import new_turn_id
from tests.worlds.logs import logged, made_turn

HELLO = '{"id": 1, "result": {"host": "far"}}'
NONSENSE = {
    "text": "echo Welcome to this machine",
    "no object": "echo '[]'",
    "an id that is none": """echo '{"id": [], "result": {}}'""",
    "an answer to nothing": """echo '{"id": 99, "result": {}}'""",
    "a log without bytes": """echo '{"log": "x", "at": "y"}'""",
    "half a character": """echo '{"log": "x", "at": 0, "data": "\\ud800"}'""",
    "a line without end": f"head -c {2 * LONGEST_LINE + 10} /dev/zero",
}
SHIM = """\
kill -0 $(tail -n 1 pids) && echo "two at once" >> pids
echo $$ >> pids
while read -r line; do
  echo "$line" >> requests
  id=${line#*: }
  echo '{"id": '${id%%,*}', "result": {"host": "far", "size": 0}}'
done
exec sleep 0.2  # it ends late
"""


def far_end(folder: Path, monkeypatch: pytest.MonkeyPatch, script: str) -> None:
    """What runs in the place of ssh."""
    ssh = folder / "ssh"
    ssh.write_text(f"#!/bin/sh\n{script}")
    ssh.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")


@pytest.mark.parametrize("nonsense", NONSENSE.values(), ids=NONSENSE.keys())
async def test_nonsense_from_the_far_end_costs_at_most_the_line_which_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, nonsense: str
) -> None:
    far_end(
        tmp_path, monkeypatch, f"echo x >> {tmp_path}/runs\n{nonsense}\necho '{HELLO}'\n{nonsense}\nexec sleep 0.2\n"
    )
    connection = Connection(Remote("far", "me@far"), lambda *_: None)
    async with background(connection.run()), asyncio.timeout(20):
        while not (tmp_path / "runs").exists() or len((tmp_path / "runs").read_text().split()) < 2:
            await asyncio.sleep(0.05)


async def test_a_request_on_a_line_that_breaks_fails_at_once_with_the_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    far_end(tmp_path, monkeypatch, f"read -r hello\necho '{HELLO}'\nread -r request\necho 'gone for lunch' >&2\n")
    broke = asyncio.Event()
    connection = Connection(Remote("far", "me@far"), lambda *_: None, broke.set)
    async with background(connection.run()):
        await asyncio.wait_for(connection.up.wait(), 10)
        with pytest.raises(RelayUnreachable, match="gone for lunch"):
            await connection.request("state", session_id="main")
        assert broke.is_set()


async def test_a_host_that_answers_nothing_takes_so_many_requests_and_refuses_the_next_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    far_end(tmp_path, monkeypatch, f"read -r hello\necho '{HELLO}'\nwhile read -r request; do :; done\n")
    connection = Connection(Remote("far", "me@far"), lambda *_: None)
    async with background(connection.run()):
        await asyncio.wait_for(connection.up.wait(), 10)
        waiting = [asyncio.create_task(connection.request("state", session_id="main")) for _ in range(MAX_PENDING)]
        await asyncio.sleep(0)
        with pytest.raises(RelayUnreachable, match="are still pending"):
            await connection.request("state", session_id="main")
        waiting[0].cancel()  # whoever gives up leaves their place
        await asyncio.gather(waiting[0], return_exceptions=True)
        with pytest.raises(RelayUnreachable, match="did not respond"):
            await connection.request("state", session_id="main", seconds=0.1)
    results = await asyncio.gather(*waiting, return_exceptions=True)
    assert all(isinstance(error, RelayUnreachable) for error in results[1:])


async def test_a_host_that_stays_away_is_logged_once_and_its_process_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    far_end(tmp_path, monkeypatch, f"echo x >> {tmp_path}/runs\necho 'no route to host' >&2\nexit 255\n")
    monkeypatch.setattr("paliadin.relays.ssh.connection.LONGEST_PAUSE", 0.05)
    connection = Connection(Remote("far", "me@far"), lambda *_: None)
    async with background(connection.run()), asyncio.timeout(20):
        while not (tmp_path / "runs").exists() or len((tmp_path / "runs").read_text().split()) < 5:
            await asyncio.sleep(0.05)
    assert [(record.name, record.getMessage()) for record in caplog.records] == [
        ("paliadin.relays.ssh.connection", "host far: no route to host")
    ]


async def test_a_program_that_outlives_ssh_and_holds_its_stderr_does_not_keep_the_host_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """As a ProxyCommand may."""
    pids = tmp_path / "pids"
    script = f"sleep 60 < /dev/null > /dev/null &\necho $! >> {pids}\necho 'no route' >&2\nsleep 0.3\nexit 255\n"
    far_end(tmp_path, monkeypatch, script)
    connection = Connection(Remote("far", "me@far"), lambda *_: None)
    try:
        async with background(connection.run()), asyncio.timeout(20):
            while not pids.exists() or len(pids.read_text().split()) < 2:
                await asyncio.sleep(0.05)
    finally:
        for pid in pids.read_text().split():
            os.kill(int(pid), signal.SIGTERM)
    assert [record.getMessage() for record in caplog.records] == ["host far: no route"]


async def test_asyncio_learns_how_a_process_ended_that_was_closed_just_then(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    far_end(tmp_path, monkeypatch, "read -r line\n")
    for _ in range(300):
        async with asyncio.timeout(20), Transport.connected(Remote("far", "me@far")) as transport:
            transport.write(b"end\n")
            assert [message async for message in transport.messages()] == []  # it is ending
    assert [record.getMessage() for record in caplog.records] == []


async def test_a_process_is_waited_for_also_when_that_is_cancelled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    far_end(tmp_path, monkeypatch, "echo '{\"id\": '$$'}'\nread -r line\n")
    for number in range(20):
        block = contextlib.AsyncExitStack()
        transport = await block.enter_async_context(Transport.connected(Remote("far", "me@far")))
        pid = (await anext(transport.messages()))["id"]
        closing = asyncio.create_task(block.aclose())
        for _ in range(1 + number % 5):
            await asyncio.sleep(0)
        closing.cancel()
        await asyncio.gather(closing, return_exceptions=True)
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


async def test_a_line_that_has_just_broken_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    runs = tmp_path / "runs"
    script = f"""read -r hello
echo x >> {runs}
n=$(wc -l < {runs})
echo '{{"id": '$n', "result": {{"host": "far"}}}}'
[ $n = 2 ] && exec sleep 30
"""
    far_end(tmp_path, monkeypatch, script)  # the first line ends, the second stays
    connection = Connection(Remote("far", "me@far"), lambda *_: None)
    assert not await connection.wait_for_reconnect()  # nothing was there yet
    async with background(connection.run()):
        async with asyncio.timeout(20):
            await connection.attempt_failed.wait()  # the first line is lost
        assert await connection.wait_for_reconnect()
        assert len(runs.read_text().split()) == 2


async def test_at_its_end_whoever_waits_goes_on_and_every_request_says_that_the_host_was_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    far_end(tmp_path, monkeypatch, "exec sleep 60\n")
    connection = Connection(Remote("far", "me@far"), lambda *_: None)
    async with background(connection.run()):
        waiting = asyncio.create_task(connection.up.wait())
        await asyncio.sleep(0.1)
        assert not waiting.done()
    await asyncio.wait_for(waiting, 10)
    with pytest.raises(NotFound, match="was removed"):
        await connection.request("state", session_id="main")


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    """Of a daemon for which every host is a script, which notes its process and its requests in this test's folder."""
    far_end(tmp_path, monkeypatch, f"cd {tmp_path}\n{SHIM}")
    settings = load_settings({"PALIADIN_HOME": str(tmp_path / "home"), "PALIADIN_CLAUDE": str(tmp_path / "none")})
    ensure_home(settings)
    return settings


async def lines(file: Path, count: int) -> list[str]:
    """The lines of a file, once it has so many."""
    async with asyncio.timeout(20):
        while not file.exists() or len(file.read_text().splitlines()) < count:
            await asyncio.sleep(0.02)
    return file.read_text().splitlines()


def is_gone(pid: str) -> bool:
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    return False


async def test_a_changed_host_gets_another_channel_and_mirrors_for_its_sessions(
    tmp_path: Path, settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    relay = SshRelay(settings, Remote("far", "me@far", sessions=("main", "old")))
    async with background(relay.run()):
        first = await lines(tmp_path / "requests", 3)
        (tmp_path / "requests").unlink()
        relay.update(Remote("far", "me@far", sessions=("main", "new")))
        second = await lines(tmp_path / "requests", 3)
    assert ["hello" in line for line in first] == ["hello" in line for line in second] == [True, False, False]
    for watches, sessions in ((first[1:], ("main", "old")), (second[1:], ("main", "new"))):
        assert all(any(f'"session_id": "{name}"' in line for line in watches) for name in sessions), watches
    pids = (tmp_path / "pids").read_text().splitlines()
    assert len(pids) == 2, pids
    assert all(map(is_gone, pids))
    assert [record.getMessage() for record in caplog.records] == []


LIAR = """\
#!{python}
import json, sys
for line in sys.stdin:
    request = json.loads(line)
    verbs = {verbs} if {has_verbs} else 5
    hello = {{"id": request["id"], "result": {{"host": "far", "verbs": verbs}}}}
    lie = '{{"id": %d, "result": %s}}' % (request["id"], {lie!r})
    print(json.dumps(hello) if request["verb"] == "hello" else lie, flush=True)
"""
VERBS = ["attach", "status", "alive", "park", "offers"]
LIES = [
    "[]",
    "null",
    '"text"',
    '{"have": 0, "parked": 1, "sessions": "x", "size": "x", "state": [], "models": {}, "commands": 1e999}',
    '{"have": -5, "sessions": {"main": {"cost": 1e999, "changed_at": -1, "folder": 7}}, "commands": [[], {"name": 1}]}',
    '{"have": "many", "sessions": {"main": null}, "commands": [{"name": "a", "aliases": 5, "description": {}}]}',
    '{"have": NaN, "sessions": [1, {}], "models": [{"id": "--x"}, {"id": "a", "name": []}], "modes": {}}',
]


@pytest.mark.parametrize("lie", LIES)
@pytest.mark.parametrize("has_verbs", [True, False])
async def test_a_host_that_lies_holds_nothing_up_and_ends_at_most_its_own_question(
    tmp_path: Path, settings: Settings, caplog: pytest.LogCaptureFixture, lie: str, has_verbs: bool
) -> None:
    (tmp_path / "ssh").write_text(LIAR.format(python=sys.executable, lie=lie, has_verbs=has_verbs, verbs=VERBS))
    file = Attachments(settings.attachments_dir).add("a.txt", io.BytesIO(b"hello"), "me")
    folder = TurnFolder(settings.response_dir, new_turn_id())
    described = {"turn_id": folder.turn_id, "session_id": "main@far", "user_message": "?"}
    folder.create(Description.parse(described | {"attachments": [file.described]}))
    relay = SshRelay(settings, Remote("far", "me@far", sessions=("main",)))
    async with background(relay.run()):
        await asyncio.wait_for(relay._connection.up.wait(), 10)
        listed = asyncio.gather(relay.alive(), relay.figures(["main"]))  # as for the list of conversations
        await asyncio.wait_for(listed, 5)
        for asked in (relay.offers("main"), relay.state("main")):
            with contextlib.suppress(PaliadinError):
                await asyncio.wait_for(asked, 5)
        turn = Turn(folder.describe(), "main", folder.log, settings.attachments_dir)
        following = asyncio.create_task(turn.follow())
        await asyncio.wait_for(relay.submit(turn), 5)
        await asyncio.wait_for(following, 5)
        assert relay.is_connected
    assert [line["step"] for line in logged(folder)] == ["accepted", "failed"]
    assert "Traceback" not in caplog.text


@pytest.mark.parametrize("lie", ["{}", '{"parts": 5}', '{"parts": [7]}', "[]"])
def test_a_host_that_lies_about_its_parts_fails_its_check(tmp_path: Path, settings: Settings, lie: str) -> None:
    save_remote(settings.home, Remote("far", "me@far", sessions=("main",)))
    verbs = ["check"]
    (tmp_path / "ssh").write_text(LIAR.format(python=sys.executable, lie=lie, has_verbs=True, verbs=verbs))
    shown = CliRunner(env={"PALIADIN_HOME": str(settings.home)}).invoke(remote_test, ["far"])
    assert (shown.exit_code, type(shown.exception)) == (1, SystemExit), shown.output
    assert "check" in shown.output
    assert "main@far" in shown.output  # it went on


async def test_a_turn_that_waits_for_its_host_fails_when_that_is_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    far_end(tmp_path, monkeypatch, "exec sleep 60\n")
    folder = made_turn(settings.response_dir, session_id="main@far", user_message="?")
    relay = SshRelay(settings, Remote("far", "me@far"))
    async with background(relay.run()):
        carrying = asyncio.create_task(relay.resume(Turn(folder.describe(), "main", folder.log)))
        await asyncio.sleep(0.1)
        assert not carrying.done()
    await asyncio.wait_for(carrying, 5)
    assert [line["step"] for line in logged(folder)] == ["accepted", "failed"]
    assert logged(folder)[-1]["code"] == "unknown_host"


async def test_a_host_is_left_when_it_is_removed_from_the_list_and_all_of_them_at_the_end(
    tmp_path: Path, settings: Settings
) -> None:
    save_remote(settings.home, Remote("far", "me@far"))
    router = Relays(settings, [TerminalRelay(settings)], RemoteHosts(settings))
    async with router.running():
        await lines(tmp_path / "requests", 2)
        save_remote(settings.home, Remote("other", "me@other"))
        assert router.sessions() == ["main@far", "main@other"]
        far, other = (line for line in await lines(tmp_path / "pids", 3) if line.isdigit())
        remove_remote(settings.home, "far")
        assert router.sessions() == ["main@other"]
        async with asyncio.timeout(5):
            while not is_gone(far):
                await asyncio.sleep(0.02)
        assert not is_gone(other)
    assert is_gone(other)


async def test_of_a_host_whose_shim_is_older_every_claude_is_taken_to_run(tmp_path: Path, settings: Settings) -> None:
    relay = SshRelay(settings, Remote("far", "me@far"))
    async with background(relay.run()):
        requests = await lines(tmp_path / "requests", 2)
        assert await relay.alive() == {"main"}
        assert await lines(tmp_path / "requests", 2) == requests


async def test_the_claudes_of_a_host_are_named_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    result = '"verbs": ["alive", "park"], "sessions": ["main", 7], "parked": true'
    far_end(tmp_path, monkeypatch, f"cd {tmp_path}\n{SHIM}".replace('"size": 0', f'"size": 0, {result}'))
    save_remote(settings.home, Remote("far", "me@far"))
    router = Relays(settings, [TerminalRelay(settings)], RemoteHosts(settings))
    async with router.running():
        async with asyncio.timeout(20):
            while await router.alive() != {"main@far"}:
                await asyncio.sleep(0.02)
