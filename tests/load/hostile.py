"""The part `hostile` of `make load`: what a Messages API that means harm does to everybody else.

For each kind of answer (tests/load/hostile_server.py) HOSTILE_TURNS conversations (4) ask again and again, for
HOSTILE_SECONDS (60); meanwhile another process polls the daemon. The kind `none` is an honest answer, to compare with.
HOSTILE_KINDS leaves only some kinds. It ends with an error if the daemon grows beyond
MOST_MEMORY.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import httpx2

from paliadin.demo.scripted_api import ScriptedApi
from paliadin.postgres.cluster import remove_database
from tests.load.hostile_server import KINDS
from tests.worlds.processes import daemon_of, usage
from tests.worlds.world import ROOT, TOKEN, World

SECONDS = float(os.environ.get("HOSTILE_SECONDS", "60"))
TURNS = int(os.environ.get("HOSTILE_TURNS", "4"))
CHOSEN = os.environ.get("HOSTILE_KINDS", " ".join(KINDS)).split()
MOST_MEMORY = 150.0  # megabytes (RSS)
APART = 0.5  # seconds from the end of a turn to the next question: people do not ask faster
EVERY = 0.05  # seconds between two requests of somebody else's
POLLED = ("/livez", "/api/paliadin/history?limit=1")


def hostile() -> None:
    """Ask in all kinds, one after the other."""
    root = Path(tempfile.mkdtemp(prefix="load-"))
    with _server() as url:
        world = World(root / "w", Path("/nonexistent"), ScriptedApi(lambda _: sys.exit("not asked")), url)
        world.options |= {"RELAY": "messages", "API_KEY": "key-of-the-load", "API_URL": url}
        world.options |= {"TURNS_PER_HOUR": "100000", "ALL_TURNS_PER_HOUR": "100000"}
        try:
            world.start()
            world.agree()
            faults = _play(world)
        finally:
            world.close()
            remove_database(root / "w" / "home")
            shutil.rmtree(root, ignore_errors=True)
    if faults:
        sys.exit(f"GREW beyond {MOST_MEMORY:g} MB: {', '.join(faults)}")


@contextlib.contextmanager
def _server() -> Iterator[str]:
    command = [sys.executable, "-m", "tests.load.hostile_server"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        assert process.stdout is not None
        try:
            yield f"http://127.0.0.1:{int(process.stdout.readline())}"
        finally:
            process.kill()


def _play(world: World) -> list[str]:
    sessions = [world.post("conversations", {}).json()["id"] for _ in range(TURNS)]
    list(world.follow(world.ask("hostile:none", session_id=sessions[0])))  # the SDK is loaded with the first question
    time.sleep(2.0)
    resident = usage(daemon_of(world)).resident
    _tell(f"at rest: {resident:.0f} MB; {SECONDS:g} s of each kind, {TURNS} conversations at once")
    _tell(f"{'kind':<16} {'MB':>6} {'longest':>9} {'p99':>8}  {'disk':>8}  {'turns':>6}  ended with")
    faults = [fault for kind in CHOSEN if (fault := _measure(world, kind, sessions))]
    time.sleep(2.0)
    _tell(f"at rest again: {usage(daemon_of(world)).resident:.0f} MB")
    return faults


def _measure(world: World, kind: str, sessions: list[str]) -> str:
    """Ask in this kind; returns its name if the daemon grew too much."""
    pid, until = daemon_of(world), time.monotonic() + SECONDS
    Path(f"/proc/{pid}/clear_refs").write_text("5")  # the peak begins anew
    ended: Counter[str] = Counter()
    before = _size(world)
    asking = [threading.Thread(target=_ask, args=(world, kind, each, until, ended)) for each in sessions]
    with _polling(world) as seconds:
        for each in asking:
            each.start()
        for each in asking:
            each.join()
    peak = next(int(line.split()[1]) for line in _status(pid) if line.startswith("VmHWM")) / 1024
    longest, p99 = max(seconds), sorted(seconds)[len(seconds) * 99 // 100]
    grown = (_size(world) - before) / 1e6
    ends = ", ".join(f"{number} × {code}" for code, number in ended.most_common())
    row = f"{kind:<16} {peak:>6.0f} {longest * 1000:>6.0f} ms {p99 * 1000:>5.0f} ms  {grown:>5.1f} MB"
    _tell(f"{row}  {sum(ended.values()):>6}  {ends}")
    return kind if peak > MOST_MEMORY else ""


def _ask(world: World, kind: str, session: str, until: float, ended: Counter[str]) -> None:
    """Ask until the time is up; a turn that still runs then is stopped."""
    while time.monotonic() < until:
        response = world.post("turn", {"session_id": session, "user_message": f"hostile:{kind}"})
        if response.status_code != 202:
            ended[response.json()["error"]["code"]] += 1
            continue
        turn_id = response.json()["turn_id"]
        stop = threading.Timer(until - time.monotonic(), world.post, (f"stream/{turn_id}/abort",))
        stop.start()
        end = list(world.follow(turn_id))[-1]
        stop.cancel()
        time.sleep(APART)
        ended["stopped" if end.data.get("aborted") else end.data.get("code", end.name)] += 1


@contextlib.contextmanager
def _polling(world: World) -> Iterator[list[float]]:
    """Seconds of each request of somebody else's; filled at the end."""
    seconds: list[float] = []
    command = [sys.executable, "-m", "tests.load.hostile", world.options["PORT"]]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        assert process.stdout is not None
        process.stdout.readline()
        yield seconds
        seconds += json.loads(process.communicate("")[0])


def _poll(port: int) -> None:
    """Ask for something every EVERY seconds until standard input ends; then print how long each took."""
    done, seconds = threading.Event(), []
    threading.Thread(target=lambda: (sys.stdin.read(), done.set()), daemon=True).start()
    headers = {"Authorization": f"Bearer {TOKEN}"}
    with httpx2.Client(base_url=f"http://127.0.0.1:{port}", headers=headers, trust_env=False, timeout=120) as client:
        client.get(POLLED[0])
        sys.stdout.write("ready\n")
        sys.stdout.flush()
        while not done.wait(EVERY):
            began = time.monotonic()
            client.get(POLLED[len(seconds) % len(POLLED)])
            seconds.append(time.monotonic() - began)
    sys.stdout.write(json.dumps(seconds))


def _status(pid: int) -> list[str]:
    return Path(f"/proc/{pid}/status").read_text().splitlines()


def _size(world: World) -> int:
    """Bytes of the turns' folders and the daemon's log."""
    files = [*world.settings.response_dir.rglob("*"), world.root / "daemon.log"]
    return sum(path.stat().st_size for path in files if path.is_file())


def _tell(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    _poll(int(sys.argv[1]))
