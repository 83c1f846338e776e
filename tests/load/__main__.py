"""`make load`: what many clients, long answers, many turns and long idling cost, on the real daemon and Claude Code.

`python -m tests.load [part …]` runs some parts only. It prints figures for docs/reliability.md and ends with an error
when anything was lost; it judges no time. The part `matrices` is of another kind: tests that `make test` leaves out.
"""

from __future__ import annotations

import contextlib
import json
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx2

from paliadin.demo.api_messages import Conversation, Message, Text
from paliadin.demo.scripted_api import ScriptedApi
from paliadin.postgres.cluster import remove_database
from paliadin.record import migrate
from paliadin.turnlog.folder import TurnFolder
from paliadin.turnlog.ids import new_turn_id
from tests.load import live_script
from tests.load.conversations import conversations
from tests.load.description import run_schemathesis
from tests.load.flood import KINDS
from tests.load.hostile import hostile
from tests.load.live import live
from tests.load.log import write_log
from tests.load.matrices import matrices
from tests.load.neighbours import neighbours
from tests.load.processes import processes
from tests.worlds.postgres import server
from tests.worlds.processes import Usage, daemon_of, postgres_of, usage
from tests.worlds.world import ROOT, World, binaries, eventually, text_of

CLIENTS = 500
CONNECTIONS = 5_000
AT_ONCE = (1, 2, 4, 8)  # sessions
SESSIONS, TURNS_EACH = 50, 20
DELTAS = 20_000
MEGABYTES = 5
TURNS = 1_000
NEW_CONVERSATION = 50  # turns; else Claude's own requests grow with each
IDLE = 600.0  # seconds


def pieces_of(number: int, width: int = 0) -> list[str]:
    """Lines, no two of them alike."""
    return [f"Line {each} of it.{' ' + 'x' * width if width else ''}\n" for each in range(number)]


def script(conversation: Conversation) -> Message:
    """`lines:<number>:<seconds between>:<width>` streams so many lines; the width tells one turn's from another's."""
    question = conversation.user_text
    if live_script.MARK in question:
        return live_script.play(conversation)
    if "lines:" not in question:
        return Message((Text(("A short answer.\n",)),))
    _, number, pace, width = question.rpartition(" ")[2].split(":")
    return Message((Text(tuple(pieces_of(int(number), int(width))), float(pace)),))


@contextlib.contextmanager
def clients(world: World, turns: list[list[str]], *, texts: bool) -> Iterator[Callable[[], list[dict[str, Any]]]]:
    """So many clients, at work when this returns; the value waits for what they saw."""
    plan = {"port": int(world.options["PORT"]), "clients": turns, "texts": texts}
    with subprocess.Popen(
        [sys.executable, "-m", "tests.load.clients"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT
    ) as process:

        def reports() -> list[dict[str, Any]]:
            assert process.stdout is not None
            return [json.loads(line) for line in process.stdout]

        assert process.stdin is not None
        process.stdin.write(json.dumps(plan))
        process.stdin.close()
        yield reports


def check(reports: list[dict[str, Any]], expected: int) -> None:
    """Nothing was lost: as many as there should be, every one whole, and of one turn all the same."""
    if len(reports) != expected or not all(report["whole"] and report["status"] == 200 for report in reports):
        sys.exit(f"LOST: {sum(report['whole'] for report in reports)} of {expected} streams were whole")
    digests = {(report["turn_id"], report["digest"]) for report in reports}
    if len(digests) != len({report["turn_id"] for report in reports}):
        sys.exit("LOST: two clients of one turn saw different events")


def middle(values: list[float]) -> str:
    """Seconds as `median / p99` in milliseconds."""
    return f"{statistics.median(values) * 1000:.1f} / {statistics.quantiles(values, n=100)[-1] * 1000:.1f} ms"


def tell(what: str, figure: str) -> None:
    sys.stdout.write(f"{what:<58} {figure}\n")
    sys.stdout.flush()


def delays(api: ScriptedApi, reports: list[dict[str, Any]]) -> list[float]:
    """API chunk → client, for the lines that were sent once every client was there."""
    everybody = max(report["connected"] for report in reports)
    sent = {json.loads(event.partition(b"data: ")[2])["delta"]["text"].strip(): at for at, event in api.sent}
    seconds = []
    for report in reports:
        for at, text in report["texts"]:
            seconds += [at - sent[line] for line in text.splitlines() if sent.get(line, 0.0) > everybody]
    return seconds


def many_clients(world: World, api: ScriptedApi) -> None:
    for number in (1, CLIENTS):
        before = usage(daemon_of(world))
        api.sent.clear()
        turn_id = world.ask("Count, please. lines:80:0.15:0")
        with clients(world, [[turn_id]] * number, texts=True) as reports:
            with world.client() as client:
                eventually(lambda: f"_active {number}.0\n" in client.get("/metrics").text, 30, "all follow")  # noqa: B023
            at_work = usage(daemon_of(world))
            seen = reports()
        after = usage(daemon_of(world))
        check(seen, number)
        if "Line 79 of it." not in "".join(text for _, text in seen[0]["texts"]):
            sys.exit("LOST: the last line")
        lasted = max(report["ended"] for report in seen) - min(report["began"] for report in seen)
        tell(f"{number} clients: API chunk → client, median / p99", middle(delays(api, seen)))
        tell(f"{number} clients: the daemon's CPU", f"{(after.cpu - before.cpu) / lasted:.0%} of one core")
        tell(f"{number} clients: the daemon's memory", f"{before.memory:.0f} → {at_work.memory:.0f} MB")


def many_sessions(world: World, api: ScriptedApi) -> None:
    world.options["MAX_RUNNING"] = str(max(AT_ONCE))
    world.restart()
    names = ["main"]
    for number in AT_ONCE:
        while len(names) < number:
            names.append(world.post("conversations", {"name": f"s{len(names)}"}).json()["id"])
            list(world.follow(world.ask("Hello", session_id=names[-1])))
        claudes = [world.terminal.capture(pane).pid for pane in world.terminal.panes().values()]
        before, spent = usage(daemon_of(world)), sum(usage(pid).cpu for pid in claudes)
        api.sent.clear()
        turns = [
            world.ask(f"Count, please. lines:80:0.15:{width}", session_id=name) for width, name in enumerate(names)
        ]
        with clients(world, [[turn_id] for turn_id in turns], texts=True) as reports:
            seen = reports()
        after, at_work = usage(daemon_of(world)), [usage(pid) for pid in claudes]
        check(seen, number)
        lasted = max(report["ended"] for report in seen) - min(report["began"] for report in seen)
        tell(f"{number} sessions at work: API chunk → client", middle(delays(api, seen)))
        cpu = (after.cpu - before.cpu) / lasted
        tell(f"{number} sessions at work: the daemon", f"{cpu:.0%} of one core, {after.memory:.0f} MB")
        cpu, memory = (sum(one.cpu for one in at_work) - spent) / lasted, sum(one.memory for one in at_work)
        tell(f"{number} sessions at work: Claude Code, all", f"{cpu:.0%} of one core, {memory:.0f} MB")


def through_a_peer(world: World, api: ScriptedApi) -> None:
    """One turn, followed at its own daemon and at another one on the same database, at the same time."""
    world.stop()
    other = World(world.root.with_name("other"), world.claude, world.api, world.base_url)
    with contextlib.ExitStack() as stack:
        stack.callback(remove_database, world.root)
        database = stack.enter_context(server(world.root))
        stack.callback(world.stop)
        stack.callback(other.close)
        migrate.up(database)
        world.options |= {"NAME": "office", "DATABASE_URL": database}
        world.start()
        other.options |= {"NAME": "laptop", "DATABASE_URL": database, "PEERS": f"office={world.settings.base_url}"}
        other.start()
        turn_id = world.ask("Count, please. lines:200:0.1:0")
        with clients(world, [[turn_id]], texts=True) as here, clients(other, [[turn_id]], texts=True) as there:
            seen = {"its own daemon": here(), "another daemon": there()}
        check([report for reports in seen.values() for report in reports], 2)
        for name, reports in seen.items():
            tell(f"followed at {name}: API chunk → client", middle(delays(api, reports)))


def hostile_connections(world: World, api: ScriptedApi) -> None:
    """A turn, and a page that is read all the time, while clients without a token hold all the connections they can."""
    log = world.root / "daemon.log"
    for kind in (None, *KINDS):
        before, written = usage(daemon_of(world)), log.stat().st_size
        turn_id = world.ask("Count, please. lines:80:0.15:0")
        with flood(world, kind), clients(world, [[turn_id]], texts=True) as reports:
            seconds: list[float] = []
            refused = 0
            while len(seconds) + refused < 100:
                began = time.monotonic()
                try:
                    world.get("history?limit=1")
                    seconds.append(time.monotonic() - began)
                except httpx2.TransportError:
                    refused += 1
                time.sleep(0.1)
            seen = reports()
        after = usage(daemon_of(world))
        check(seen, 1)
        what = f"{CONNECTIONS:,} connections, {kind}" if kind else "no connections"
        lasted = seen[0]["ended"] - seen[0]["began"]
        tell(f"{what}: the history, 100 times", f"{middle(seconds)}; {refused} times refused")
        tell(f"{what}: the turn is whole, after", f"{lasted:.1f} s")
        cpu, grown = (after.cpu - before.cpu) / lasted, log.stat().st_size - written
        memory = f"{before.memory:.0f} → {after.memory:.0f} MB"
        tell(f"{what}: the daemon", f"{cpu:.0%} of one core, {memory}; {grown:,} bytes of log")


@contextlib.contextmanager
def flood(world: World, kind: str | None) -> Iterator[None]:
    """The connections, all of them opened at least once when the block begins; none without a `kind`."""
    if kind is None:
        yield
        return
    command = [sys.executable, "-m", "tests.load.flood", world.options["PORT"], str(CONNECTIONS), kind]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if int(line.split()[0]) >= CONNECTIONS:
                break
        yield
        process.kill()


def replays(world: World, api: ScriptedApi) -> None:
    model = TurnFolder(world.settings.response_dir, world.ask("Count, please. lines:80:0.12:0"))
    list(world.follow(model.turn_id))
    turns = [copy_of(model) for _ in range(SESSIONS * TURNS_EACH)]
    before = usage(daemon_of(world))
    began = time.monotonic()
    sessions = [turns[start::SESSIONS] for start in range(SESSIONS)]
    with clients(world, sessions, texts=False) as reports:
        seen = reports()
    lasted = time.monotonic() - began
    check(seen, len(turns))
    after = usage(daemon_of(world))
    tell(
        f"{SESSIONS} sessions of {TURNS_EACH} turns at once: one replay",
        middle([r["ended"] - r["began"] for r in seen]),
    )
    tell(
        f"{len(turns)} replays, {seen[0]['events']} events each", f"{lasted:.1f} s; CPU {after.cpu - before.cpu:.1f} s"
    )
    tell("the daemon's memory over the replays", f"{before.memory:.0f} → {after.memory:.0f} MB")


def copy_of(turn: TurnFolder) -> str:
    """The same finished turn under another id."""
    copy = TurnFolder(turn.turns, new_turn_id())
    copy.create(replace(turn.describe(), turn_id=copy.turn_id))
    shutil.copyfile(turn.log.path, copy.log.path)
    copy.recorded.touch()
    return copy.turn_id


def many_deltas(world: World, api: ScriptedApi) -> None:
    """Through Claude Code, which joins what comes within 100 ms; and as 20,000 lines of the log, one event each."""
    long_turn(world, DELTAS, 0, f"{DELTAS:,} chunks through Claude Code")
    written_turn(world, pieces_of(DELTAS), f"{DELTAS:,} deltas in the log")


def megabytes(world: World, api: ScriptedApi) -> None:
    """Of lines of 3,000 characters: what the shell's hook still writes by itself."""
    lines = MEGABYTES * 1_000_000 // 3000
    long_turn(world, lines, 2_980, f"{MEGABYTES} MB through Claude Code")
    written_turn(world, pieces_of(lines, 2_980), f"{MEGABYTES} MB in the log")


def long_turn(world: World, number: int, width: int, what: str) -> None:
    before, began = usage(daemon_of(world)), time.monotonic()
    events = list(world.follow(world.ask(f"Count, please. lines:{number}:0:{width}")))
    tell(f"{what}: {len(events)} events", f"{time.monotonic() - began:.1f} s after the question")
    report_cost(world, what, before, whole=text_of(events).strip() == "".join(pieces_of(number, width)).strip())


def written_turn(world: World, pieces: list[str], what: str) -> None:
    """A turn that an earlier daemon left; its log is written while two clients follow it in the new one."""
    world.stop()
    turn = write_log(world.settings, [])
    world.start()
    before = usage(daemon_of(world))
    with clients(world, [[turn.turn_id]] * 2, texts=True) as reports:
        with world.client() as client:
            eventually(lambda: "_active 2.0\n" in client.get("/metrics").text, 30, "both follow")
        began = time.monotonic()
        write_log(world.settings, pieces, turn)
        written = time.monotonic() - began
        seen = reports()
    check(seen, 2)
    arrived = max(report["ended"] for report in seen) - began
    tell(f"{what}: {seen[0]['events']} events", f"written in {written:.1f} s, with both clients after {arrived:.1f} s")
    received = "".join(text for _, text in seen[0]["texts"])
    report_cost(world, what, before, whole=received.strip() == "".join(pieces).strip())


def report_cost(world: World, what: str, before: Usage, *, whole: bool) -> None:
    if not whole:
        sys.exit(f"LOST: the answer of “{what}” is not the one that was given")
    after = usage(daemon_of(world))
    tell(
        f"{what}: the daemon", f"CPU {after.cpu - before.cpu:.1f} s, memory {before.memory:.0f} → {after.memory:.0f} MB"
    )


def many_turns(world: World, api: ScriptedApi) -> None:
    with world.client() as client:
        for number in range(1, TURNS + 1):
            events = world.turn("Hello once more")
            if events[-1].name != "end" or text_of(events) != "A short answer.":
                sys.exit(f"LOST: turn {number} ended with {events[-1]}")
            if number % NEW_CONVERSATION == 0:
                eventually(lambda: world.get("history?limit=1")["running_turn"] is None)
                assert client.post("/api/paliadin/reset", json={}).status_code == 200
            if number == 50 or number % 250 == 0:
                tell(f"after {number} turns: the daemon's memory", f"{usage(daemon_of(world)).memory:.1f} MB")
        eventually(lambda: "rows_waiting 0.0\n" in client.get("/metrics").text, 30, "all rows are written")


def idle(world: World, api: ScriptedApi) -> None:
    watched = {"the daemon": [daemon_of(world)], "Postgres, all processes": postgres_of(world)}
    before = {name: sum(usage(pid).cpu for pid in pids) for name, pids in watched.items()}
    time.sleep(IDLE)
    for name, pids in watched.items():
        spent = sum(usage(pid).cpu for pid in pids) - before[name]
        memory = sum(usage(pid).memory for pid in pids)
        tell(f"idle for {IDLE:.0f} s: {name}", f"{spent / IDLE:.2%} of one core, {memory:.0f} MB")


def description(world: World, api: ScriptedApi) -> None:
    """Every route with generated requests: none fails, all answer as /api/paliadin/openapi.json says."""
    ended = run_schemathesis(world, world.root, examples=100, seconds=1_800)
    if ended.returncode:
        sys.exit(f"NOT AS DESCRIBED: {ended.stdout[-6000:]}{ended.stderr[-2000:]}")
    tell("schemathesis", next(line.strip() for line in ended.stdout.splitlines() if "generated" in line))


PARTS = {
    "clients": many_clients,
    "sessions": many_sessions,
    "conversations": conversations,
    "peer": through_a_peer,
    "connections": hostile_connections,
    "replays": replays,
    "deltas": many_deltas,
    "megabytes": megabytes,
    "turns": many_turns,
    "description": description,
    "live": live,
    "idle": idle,
}
# Parts that need no daemon from here.
OF_THEIR_OWN = {"hostile": hostile, "neighbours": neighbours, "processes": processes, "matrices": matrices}


def main(names: list[str]) -> None:
    for name in names or [*PARTS, *OF_THEIR_OWN]:
        if name in OF_THEIR_OWN:
            OF_THEIR_OWN[name]()
            continue
        root = Path(tempfile.mkdtemp(prefix="paliadin-load-"))
        api = ScriptedApi(script)
        with api.running() as url, contextlib.ExitStack() as stack:
            stack.callback(shutil.rmtree, root, ignore_errors=True)
            world = World(root / "w", binaries()["sdk"], api, url)
            stack.callback(remove_database, root / "w" / "home")
            stack.callback(world.close)
            world.start()
            world.turn("Hello")
            PARTS[name](world, api)


if __name__ == "__main__":
    main(sys.argv[1:])
