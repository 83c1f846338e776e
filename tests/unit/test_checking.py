"""The check of answers in its own process: it ends, it gives way, and nobody waits for another person's."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import AsyncIterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import cast

import pytest

from paliadin.base.session_names import SessionNames
from paliadin.base.strict_json import JsonObject
from paliadin.conversations.conversation import Conversation
from paliadin.conversations.directory import Conversations
from paliadin.conversations.repository import TurnRange
from paliadin.events.model import as_json
from paliadin.events.reducer import Reducer
from paliadin.evidence.check import Answer, OutOfWork, check
from paliadin.evidence.derivation import Derivation
from paliadin.evidence.model import Claim
from paliadin.evidence.results import Call
from paliadin.people.person_key import PersonKey
from paliadin.record.reading import read_turn
from paliadin.steps.model import Accepted, Checked, Settled, Text, ToolEnded, ToolStarted
from paliadin.turnlog.description import Description
from paliadin.turnlog.folder import TurnFolder
from paliadin.turnlog.ids import new_turn_id
from paliadin.turns import check_process
from paliadin.turns.check_process import TimeLimit
from paliadin.turns.checking import AnswerCheck
from paliadin.turns.session_logs import SessionLogs

NAMES = SessionNames("here", [])
RANDOM = Random(7)  # noqa: S311  # the same ones each time
SUMS = " ".join(
    f"{RANDOM.randint(10, 999)} + {RANDOM.randint(10, 999)} = {RANDOM.randint(10, 99_999)}.5" for _ in range(40)
)
NUMBERS = " ".join(str(RANDOM.randint(100, 999_999)) for _ in range(400))


class Everybodys:
    """Conversations that are named like their person."""

    def get(self, session: str) -> Conversation:
        return Conversation(person=session)

    def person_key(self, session: str) -> PersonKey:
        return PersonKey(session)

    def turn_ranges(self, session: str) -> Sequence[TurnRange]:
        return [TurnRange(NAMES.full(session), "", None)]


class Never:
    def cleared_at(self, _session: str) -> int:
        return 0


class Checks(AnswerCheck):
    """The checks of `held` turns stay in their middle, where their copies ask for earlier turns, until they go on."""

    def __init__(self, folders: Path) -> None:
        super().__init__(folders, NAMES, cast("Conversations", Everybodys()), cast("SessionLogs", Never()))
        self.held: set[str] = set()
        self.in_their_middle = threading.Semaphore(0)
        self.goes_on = threading.Event()

    def _earlier(self, turn_id: str, ranges: Sequence[TurnRange], cleared_at: int, first: str | None) -> JsonObject:
        if turn_id in self.held:
            self.in_their_middle.release()
            assert self.goes_on.wait(60)
        return super()._earlier(turn_id, ranges, cleared_at, first)

    async def one_is_held(self) -> None:
        """Wait for the next one."""
        assert await asyncio.to_thread(self.in_their_middle.acquire, timeout=60)


@pytest.fixture
async def checks(tmp_path: Path) -> AsyncIterator[Checks]:
    made = Checks(tmp_path)
    async with made.process:
        yield made
        made.goes_on.set()


def turn(
    checks: Checks,
    session: str,
    answer: str,
    result: object = "nothing",
    question: str = "?",
    *,
    host: str = "here",
    is_held: bool = False,
) -> Reducer:
    """A turn that is over but for its check, of the person that the session is named after."""
    folder = TurnFolder(checks.folders, new_turn_id())
    description = {"turn_id": folder.turn_id, "session_id": session, "person": session, "host": host}
    folder.create(Description.parse({**description, "user_message": question, "checked_at_end": True}))
    for step in (
        Accepted(1),
        ToolStarted(2, "t", "mcp__s__list", {}),
        ToolEnded(3, "t", "mcp__s__list", "ok", result),
        Text(4, "m", answer),
        Settled(5),
    ):
        folder.log.append(step)
    if is_held:
        checks.held.add(folder.turn_id)
    reducer = read_turn(folder)
    assert reducer.unchecked
    return reducer


def statuses(checked: Checked) -> dict[str, str]:
    claims = [Claim.parse(each) for each in checked.claims or ()]
    return {claim.text: claim.status for claim in claims if claim}


async def test_what_the_process_finds_is_what_the_check_finds(checks: Checks) -> None:
    reducer = turn(checks, "main", "DL-7 is due on 3 March 2031, and DL-8.", "DL-7;2031-03-03")
    checked = await checks.check(reducer, "main")
    call = Call("t", "mcp__s__list", {}, "DL-7;2031-03-03", "ok")
    assert checked.claims == [as_json(each) for each in check(Answer(list(reducer.answer.messages), [call], "?"))]
    assert set(statuses(checked).values()) == {"found", "unsupported"}


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
async def test_a_signal_to_the_daemon_and_all_that_it_started_ends_no_check(
    checks: Checks, number: signal.Signals
) -> None:
    assert (await checks.check(turn(checks, "main", "DL-7", "DL-7"), "main")).claims
    before = checks.process.process
    assert before is not None
    before.send_signal(number)
    assert (await checks.check(turn(checks, "main", "DL-7", "DL-7"), "main")).claims
    assert checks.process.process is before


async def test_earlier_turns_are_read_when_the_turn_alone_is_not_enough(checks: Checks) -> None:
    turn(checks, "main", "-", "DL-7;2031-03-03")
    turn(checks, "other", "-", "DL-9")
    checked = await checks.check(turn(checks, "main", "DL-7 is due, and DL-9."), "main")
    assert statuses(checked) == {"DL-7": "found", "DL-9": "unsupported"}


async def test_what_is_a_fact_only_by_its_calculation_may_need_an_earlier_turn(checks: Checks) -> None:
    turn(checks, "main", "-", "id,status\nA-1,open\nA-2,open\nA-3,done")
    trailer = "\n\n---\n[paliadin-meta]\ncalculated:\n- one done = count(status = done)\n[/paliadin-meta]\n"
    checked = await checks.check(turn(checks, "main", f"DL-9 is due; of all, one done.{trailer}"), "main")
    assert statuses(checked) == {"DL-9": "unsupported", "one": "calculated"}


async def test_nobody_waits_for_the_check_of_another_person(checks: Checks) -> None:
    """The others' checks stay in their middle for as long as this one's takes."""
    others = [asyncio.create_task(checks.check(turn(checks, who, "DL-8", is_held=True), who)) for who in ("eve", "mo")]
    for _ in others:
        await checks.one_is_held()
    assert statuses(await checks.check(turn(checks, "bob", "DL-7", "DL-7"), "bob")) == {"DL-7": "found"}
    checks.goes_on.set()
    assert all(each.claims for each in await asyncio.gather(*others))


async def test_one_person_has_one_check_at_a_time(checks: Checks, monkeypatch: pytest.MonkeyPatch) -> None:
    """While the first one is in its middle, this person's next one does not begin, and another's does."""
    begun = []
    connect = checks.process.connection
    monkeypatch.setattr(checks.process, "connection", lambda: (begun.append(1), connect())[1])
    eves = [asyncio.create_task(checks.check(turn(checks, "eve", "DL-8", is_held=True), "eve")) for _ in range(2)]
    await checks.one_is_held()
    await checks.check(turn(checks, "bob", "DL-7", "DL-7"), "bob")
    assert len(begun) == 2
    checks.goes_on.set()
    assert all(each.claims for each in await asyncio.gather(*eves))
    assert len(begun) == 3


async def test_what_a_host_begins_in_a_persons_name_holds_up_none_of_their_other_checks(checks: Checks) -> None:
    """A host may begin a hundred turns, and each answer of theirs may take seconds."""
    far = [turn(checks, "eve", "DL-8", host="far", is_held=True) for _ in range(2)]
    there = [asyncio.create_task(checks.check(each, "eve")) for each in far]
    await checks.one_is_held()
    assert statuses(await checks.check(turn(checks, "eve", "DL-7", "DL-7"), "eve")) == {"DL-7": "found"}
    checks.goes_on.set()
    assert all(each.claims for each in await asyncio.gather(*there))


async def test_a_check_that_is_killed_costs_its_claims_and_not_the_next_one(
    checks: Checks, caplog: pytest.LogCaptureFixture
) -> None:
    running = asyncio.create_task(checks.check(turn(checks, "eve", "DL-8", is_held=True), "eve"))
    await checks.one_is_held()
    [copy] = copies_of(checks)
    os.kill(copy, signal.SIGKILL)
    checks.goes_on.set()
    assert (await running).claims is None
    assert "could not be checked" in caplog.text
    assert statuses(await checks.check(turn(checks, "eve", "DL-7", "DL-7"), "eve")) == {"DL-7": "found"}


async def test_a_check_that_takes_long_runs_only_where_nobody_else_would(checks: Checks) -> None:
    """Which on a machine with other work may take minutes: once it was seen, this one gets a processor again."""
    running = asyncio.create_task(checks.check(turn(checks, "eve", f"{SUMS}\n\n" * 30, NUMBERS), "eve"))
    seen = set()
    async with asyncio.timeout(60):
        while not running.done():
            with suppress(ProcessLookupError, PermissionError):  # it ended a moment ago; not every account may
                for each in copies_of(checks):
                    seen.add(policy := os.sched_getscheduler(each))
                    if policy == os.SCHED_IDLE:
                        os.sched_setscheduler(each, os.SCHED_OTHER, os.sched_param(0))
            await asyncio.sleep(0.01)
    assert os.SCHED_IDLE in seen
    assert (await running).claims


def test_where_there_is_no_such_policy_a_check_that_takes_long_has_the_lowest_priority() -> None:
    code = "import os; from paliadin.turns import check_process as c; refused = lambda *_: open('/nowhere/file')"
    code += "; os.sched_setscheduler = refused; c._give_way(); print(os.nice(0), os.sched_getscheduler(0))"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=60, check=True).stdout
    assert shown.split() == [b"19", b"%d" % os.SCHED_OTHER]


@pytest.mark.parametrize(
    ("setting", "work", "ends"),
    [
        ("MEMORY = 2**29", "print(len(bytearray(2**28)), flush=True); bytearray(2**29)", 1),
        ("LATEST = 0.3", "print(2**28, flush=True); time.sleep(60)", -signal.SIGALRM),
        ("WORK = -1", "print(2**28, flush=True); sum(iter(int, 1))", -signal.SIGKILL),
    ],
    ids=["memory", "time", "processor"],
)
def test_the_system_ends_a_copy_that_takes_too_much(setting: str, work: str, ends: int) -> None:
    """The third of them loops where no signal's handler of Python would run."""
    code = f"import time; from paliadin.turns import check_process as c; c.{setting}; c._limit_resources(); {work}"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, timeout=60, check=False)
    assert (ended.stdout, ended.returncode) == (b"%d\n" % 2**28, ends)


async def test_the_process_is_started_again_when_it_was_killed(checks: Checks) -> None:
    await checks.prepare()
    assert checks.process.process
    checks.process.process.kill()
    await checks.process.process.wait()
    assert statuses(await checks.check(turn(checks, "eve", "DL-7", "DL-7"), "eve")) == {"DL-7": "found"}


async def test_the_process_ends_with_the_daemon(tmp_path: Path) -> None:
    made = Checks(tmp_path)
    async with made.process:
        await made.prepare()
        process = made.process.process
    assert process
    assert process.returncode is not None


def copies_of(checks: Checks) -> list[int]:
    """The processes that check an answer now, by what the system says of the process that makes them."""
    process = checks.process.process
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children") if process else Path("/nowhere")
    with suppress(OSError):
        return [int(each) for each in children.read_text().split()]
    return []


def test_beyond_its_budget_what_was_not_judged_is_unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    def without_end(derivation: Derivation, number: int) -> None:
        while derivation.reading.statements[number].numbers:
            pass

    monkeypatch.setattr(Derivation, "derive", without_end)
    answer = Answer([("m", f"DL-7 is due.\n\n{SUMS}")], [Call("t", "mcp__s__list", {}, f"DL-7 {NUMBERS}", "ok")])
    claims = check(answer, TimeLimit(1.0))
    assert claims[0].status == "found"
    assert claims[-1].status == "unknown"
    assert len(claims) > 100


async def test_without_work_for_earlier_turns_an_answer_keeps_its_claims(
    checks: Checks, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What its own turn holds stays held. Nothing was read a second time, and it looked as if nothing was to check."""
    earlier = turn(checks, "main", "-", "DL-8").description.turn_id
    asked = turn(checks, "main", "DL-7 is due, and DL-8." + " So it is." * 20_000, "DL-7").description.turn_id
    work = iter([check_process.WORK])
    monkeypatch.setattr(check_process, "_work_left", lambda: next(work, 0.0))
    ours, theirs = socket.socketpair()
    with ours, theirs, theirs.makefile("rw", encoding="utf-8") as lines, ThreadPoolExecutor() as daemon:
        request = {"turns": str(checks.folders), "turn_id": asked, "refused": []}
        reply = {"turn_ids": [earlier], "is_incomplete": False}
        ours.sendall(json.dumps(request).encode() + b"\n")
        daemon.submit(lambda: (ours.recv(1000), ours.sendall(json.dumps(reply).encode() + b"\n")))
        claims = check_process._check(lines)["claims"]
    assert statuses(Checked(1, claims)) == {"DL-7": "found", "DL-8": "unknown"}


def test_an_answer_that_could_not_be_read_is_not_one_without_claims() -> None:
    with pytest.raises(OutOfWork):
        check(Answer([("m", "DL-7 is due. " * 50_000)]), TimeLimit(0.0))


def test_the_budget_ends_what_would_never_end() -> None:
    with pytest.raises(OutOfWork), TimeLimit(0.05):  # noqa: PT012  # one loop
        while True:
            sum(range(1_000))
    assert signal.getitimer(signal.ITIMER_PROF) == (0, 0)


def test_the_budget_ends_it_though_the_exception_was_dropped_once() -> None:
    with pytest.raises(OutOfWork), TimeLimit(0.05):  # noqa: PT012
        with suppress(OutOfWork):  # as Python does in a destructor
            while True:
                sum(range(1_000))
        while True:
            sum(range(1_000))


def test_the_budget_is_of_a_whole_check_and_leaves_no_timer_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(check_process, "WORK", 0.0)
    assert check_process._work_left() < 0
    assert check(Answer([("m", "DL-7")]), TimeLimit(check_process._work_left()))
    assert signal.getitimer(signal.ITIMER_PROF) == (0, 0)
