"""The pass-through's processes: killed, they are back at the same port; they end with Claude and free the port."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from paliadin.live.state import is_held
from tests.conftest import missing
from tests.integration.test_storage import fill
from tests.worlds.pass_through import (
    END,
    OK,
    PROMPT,
    SECRET,
    STREAM_HEAD,
    TIMEOUT,
    Api,
    Live,
    Peer,
    chunk,
    delta,
    passing,
    post,
    question,
)
from tests.worlds.ports import own_port
from tests.worlds.processes import is_running
from tests.worlds.world import ROOT, eventually


@pytest.fixture
def api() -> Iterator[Api]:
    with Api().running() as server:
        yield server


@pytest.fixture
def live(tmp_path: Path, api: Api) -> Iterator[Live]:
    with passing(tmp_path / "home", api) as through:
        yield through


def answers(live: Live) -> bool:
    with contextlib.suppress(OSError):
        return live.ask() == OK
    return False


def kill_child(live: Live) -> int:
    child = eventually(lambda: live.child, TIMEOUT)
    os.kill(child, signal.SIGKILL)
    return int(child)


def seconds(pid: int) -> float:
    """Seconds of CPU that the process and its ended children have used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(int(field) for field in fields[11:15]) / os.sysconf("SC_CLK_TCK")


def streaming(api: Api) -> threading.Event:
    """Have the API begin an answer, and end it when this is set."""
    more = threading.Event()

    def handle(peer: Peer) -> None:
        peer.request()
        peer.send(STREAM_HEAD + delta("a"))
        assert more.wait(TIMEOUT)
        peer.send(delta("b") + END)
        peer.ends()

    api.handle = handle
    return more


def resident(pid: int) -> int:
    return int(Path(f"/proc/{pid}/status").read_text().partition("VmRSS:")[2].split()[0])


def test_killed_it_is_back_at_the_same_port(live: Live) -> None:
    assert live.process
    print(f"idle: child {resident(live.child)} KB, parent {resident(live.process.pid)} KB")  # noqa: T201
    for _ in range(3):
        assert live.ask() == OK
        kill_child(live)
        began = time.monotonic()
        eventually(lambda: answers(live), TIMEOUT)
        print(f"back after {time.monotonic() - began:.2f} s")  # noqa: T201  # a measurement
    state = eventually(lambda: live.state() if live.state().get("child") == live.child else None, TIMEOUT)
    assert (state["state"], state["port"], state["pid"]) == ("on", live.port, live.process.pid)
    assert live.printed == ""


def test_a_child_that_dies_again_and_again_takes_little_of_the_processor(live: Live) -> None:
    assert live.process
    (live.folder / "claude.pid").write_text(str(os.getpid()))
    before, began = seconds(live.process.pid), time.monotonic()
    deaths = 0
    while time.monotonic() < began + 2.5:
        kill_child(live)
        deaths += 1
        child = live.child
        eventually(lambda child=child: live.child not in (0, child) or time.monotonic() > began + 2.5, TIMEOUT)
    share = (seconds(live.process.pid) - before) / (time.monotonic() - began)
    print(f"{deaths} deaths, {share:.0%} of a core")  # noqa: T201  # a measurement
    assert deaths < 8


def test_without_its_parent_it_finishes_what_runs_and_lets_go_of_the_port(live: Live, api: Api) -> None:
    assert live.process
    more, child = streaming(api), live.child
    with live.sent(question()) as client, live.sent(post()[:20]) as idle:
        client.exactly(len(STREAM_HEAD + delta("a")))
        os.kill(live.process.pid, signal.SIGKILL)
        live.process.wait(TIMEOUT)
        idle.ends()
        port = live.port
        assert live.start(port)["state"] == "on"
        assert live.port == port
        assert live.child != child
        more.set()
        assert client.exactly(len(delta("b") + END)) == delta("b") + END
    eventually(lambda: live.preview()[-1].get("end") == "complete", TIMEOUT)
    eventually(lambda: not is_running(child), TIMEOUT, "the earlier child has ended")
    assert reaches(live)


def test_its_lock_is_the_parents_alone(live: Live, api: Api) -> None:
    assert live.process
    assert is_held(live.folder)
    kill_child(live)
    eventually(lambda: answers(live), TIMEOUT)
    assert is_held(live.folder)
    more, child = streaming(api), live.child
    with live.sent(post(b"{}", "Connection: close")) as client:
        client.exactly(len(STREAM_HEAD + delta("a")))
        os.kill(live.process.pid, signal.SIGKILL)
        os.waitid(os.P_PID, live.process.pid, os.WEXITED | os.WNOWAIT)  # a zombie: its number is still taken
        assert not is_held(live.folder)
        assert is_running(child)
        more.set()


def test_it_ends_with_claude(live: Live) -> None:
    claude = subprocess.Popen(["sleep", "60"])
    try:
        (live.folder / "claude.pid").write_text(str(claude.pid))
        child = live.child
    finally:
        claude.kill()
        claude.wait()
    assert live.process
    assert live.process.wait(TIMEOUT) == 0
    assert not is_running(child)


def test_it_ends_when_its_folder_is_gone(live: Live) -> None:
    assert live.process
    path = live.folder / "claude.pid"
    path.write_text(str(os.getpid()))
    seen = Path(f"/proc/{live.process.pid}/io")
    before = seen.read_text().partition("rchar: ")[2].split()[0]
    eventually(lambda: seen.read_text().partition("rchar: ")[2].split()[0] != before, TIMEOUT, "it has read the file")
    path.unlink()
    assert live.process.wait(TIMEOUT) == 0


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_both_at_once_also_in_the_middle_of_a_stream(
    live: Live, api: Api, number: signal.Signals
) -> None:
    assert live.process
    streaming(api)
    child = live.child
    with live.sent(question()) as client:
        client.exactly(len(STREAM_HEAD + delta("a")))
        live.process.send_signal(number)
        assert live.process.wait(TIMEOUT) == 0
        client.ends()
    assert not is_running(child)
    assert live.printed == ""


def test_a_child_that_hangs_is_ended_too(live: Live) -> None:
    assert live.process
    child = live.child
    os.kill(child, signal.SIGSTOP)
    live.process.terminate()
    assert live.process.wait(TIMEOUT) == 0
    assert not is_running(child)


def test_a_signal_before_the_first_child_ends_it_and_nobody_else(tmp_path: Path) -> None:
    code = """if True:
        import os, signal, socket, sys
        from pathlib import Path
        from paliadin.live.run import _Parent
        parent = _Parent(Path(sys.argv[1]), {}, socket.socket(), os.dup(0))
        os.kill(os.getpid(), signal.SIGTERM)
        sys.exit(parent.run())
    """
    script = 'sleep 60 & echo $!; exec "$@"'  # a bystander in the same group
    command = ["sh", "-c", script, "sh", sys.executable, "-c", code, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=ROOT, start_new_session=True, text=True) as process:
        assert process.stdout
        bystander = int(process.stdout.readline())
        try:
            assert process.wait(TIMEOUT) == 0
            assert is_running(bystander)
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.kill(bystander, signal.SIGKILL)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGQUIT, signal.SIGTSTP])
def test_what_is_typed_in_its_window_does_not_end_it(live: Live, number: signal.Signals) -> None:
    assert live.process
    before = live.child
    os.killpg(live.process.pid, number)
    assert live.ask() == OK
    assert live.child == before


def test_a_port_that_is_taken_is_told(tmp_path: Path, api: Api) -> None:
    (tmp_path / "home").mkdir()
    live = Live(tmp_path / "home", f"http://127.0.0.1:{api.port}")
    with socket.create_server(("127.0.0.1", own_port())) as taken:
        state = live.start(taken.getsockname()[1])
    assert state["state"] == "off"
    assert "port" in state["reason"]
    assert live.process
    assert live.process.wait(TIMEOUT) == 3


@pytest.mark.parametrize(
    ("variables", "reason"),
    [
        ({"ANTHROPIC_BASE_URL": "http://127.0.0.1:1"}, "cannot be reached"),
        ({"ANTHROPIC_BASE_URL": "http://[::1"}, "ANTHROPIC_BASE_URL"),
        ({"CLAUDE_CODE_USE_BEDROCK": "1"}, "Amazon Bedrock"),
        ({"CLAUDE_CODE_USE_VERTEX": "1"}, "Google Vertex AI"),
        ({"CLAUDE_CODE_USE_FOUNDRY": "1"}, "Microsoft Foundry"),
    ],
)
def test_where_it_cannot_serve_it_says_why(tmp_path: Path, api: Api, variables: dict[str, str], reason: str) -> None:
    (tmp_path / "home").mkdir()
    live = Live(tmp_path / "home", f"http://127.0.0.1:{api.port}", variables)
    state = live.start()
    assert state["state"] == "off"
    assert reason in state["reason"]
    assert live.process
    assert live.process.wait(TIMEOUT) == 3


def test_an_api_that_is_gone_ends_claudes_connection_and_one_that_is_back_serves_again(live: Live, api: Api) -> None:
    (live.folder / "claude.pid").write_text(str(os.getpid()))
    port = api.port
    api.stop_listening()
    api.drop()
    with live.sent(post()) as client:
        assert client.rest() == b""
    kill_child(live)  # the next one does not find the API either, and serves all the same
    eventually(lambda: reaches(live), TIMEOUT)
    with socket.create_server(("127.0.0.1", port)) as listener:
        listener.settimeout(TIMEOUT)

        def serve() -> None:
            peer = Peer(listener.accept()[0])
            peer.request()
            peer.send(OK)
            peer.close()

        thread = threading.Thread(target=serve)
        thread.start()
        with live.sent(post()) as client:
            assert client.exactly(len(OK)) == OK
        thread.join()


def reaches(live: Live) -> bool:
    """True if the pass-through itself responds."""
    with contextlib.suppress(OSError), live.sent(f"GET /{SECRET}/paliadin-live HTTP/1.1\r\n\r\n".encode()) as peer:
        return peer.until().startswith(b"HTTP/1.1 204")
    return False


def test_settings_that_become_unusable_do_not_end_it_for_a_claude_that_runs(live: Live) -> None:
    (live.folder / "claude.pid").write_text(str(os.getpid()))
    settings = Path(live.environment["HOME"]) / ".claude" / "settings.json"
    settings.parent.mkdir()
    settings.write_text('{"env": {"CLAUDE_CODE_USE_BEDROCK": "1"}}')
    kill_child(live)
    eventually(lambda: live.state()["state"] == "off", TIMEOUT)
    settings.unlink()
    eventually(lambda: answers(live), TIMEOUT)
    assert live.state()["state"] == "on"


# What fails beside the stream.

BROKEN = chunk(b'event: content_block_delta\ndata: {"type":"content_block_delta", swordfish\n\n')


def whole(live: Live, api: Api, *parts: bytes) -> None:
    """A stream of these parts passes, byte for byte."""
    sent = STREAM_HEAD + b"".join(parts) + END
    api.handle = lambda peer: [(peer.request(), peer.send(sent)) for _ in range(3)].clear()
    with live.sent(question("X-Api-Key: swordfish")) as client:
        assert client.exactly(len(sent)) == sent
        client.send(question())
        assert client.exactly(len(sent)) == sent


def check_notes(live: Live, what: str) -> None:
    eventually(lambda: what in live.notes)
    assert "live text: " in live.notes
    assert "swordfish" not in live.notes + live.printed
    assert live.printed == ""


def test_a_stream_that_cannot_be_parsed_passes_and_is_noted_without_its_text(live: Live, api: Api) -> None:
    whole(live, api, delta("a"), BROKEN, delta("b"))
    check_notes(live, "JSONDecodeError")
    eventually(lambda: [line.get("text") for line in live.preview()] == [None, "a", None] * 2, TIMEOUT)


def test_a_turn_folder_that_cannot_be_written_stays_beside_the_stream(live: Live, api: Api) -> None:
    (live.turn / "live.jsonl").mkdir()
    whole(live, api, delta("a"))
    check_notes(live, "IsADirectoryError")


def test_a_pipe_in_the_place_of_a_log_stays_beside_the_stream(live: Live, api: Api) -> None:
    os.mkfifo(live.turn / "live.jsonl")
    whole(live, api, delta("a"))
    check_notes(live, "No such device")


@pytest.fixture
def full_disk(tmp_path: Path, live: Live) -> Iterator[None]:
    """The turns and the state are on a disk that is full; there is room for a few notes."""
    if os.geteuid():
        missing("only root can mount the small file system of this test")
    mounted = [live.turn, live.folder]
    kept = {path: path.read_bytes() for path in live.folder.iterdir() if path.is_file()}
    for path in mounted:
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k,mode=700", "tmpfs", path], check=True)
    try:
        for path, content in kept.items():
            path.write_bytes(content)
        (live.turn / "prompt_id").write_bytes(b"")
        (live.turn / "live.jsonl").touch()
        for path in mounted:
            fill(path)
        yield
    finally:
        for path in mounted:
            subprocess.run(["umount", "--lazy", path], check=True)


@pytest.mark.usefixtures("full_disk")
def test_a_full_disk_stays_beside_the_stream(live: Live, api: Api) -> None:
    sent = STREAM_HEAD + delta("a" * 1000) + delta("b") + END
    api.handle = lambda peer: [(peer.request(), peer.send(sent)) for _ in range(3)].clear()
    with live.sent(question(f"x-claude-code-prompt-id: {PROMPT}")) as client:
        assert client.exactly(len(sent)) == sent
    check_notes(live, "No space left on device")


@pytest.mark.usefixtures("full_disk")
def test_on_a_full_disk_a_killed_child_is_replaced_all_the_same(live: Live) -> None:
    (live.folder / "filler").unlink()
    (live.folder / "claude.pid").write_text(str(os.getpid()))
    fill(live.folder)
    kill_child(live)
    eventually(lambda: answers(live), TIMEOUT)
