"""The process that checks answers: for each it makes a copy of itself, which ends when its time or memory is used up.

`python -P -m paliadin.turns.check_process`, with a Unix socket as standard input: each byte of it brings the connection
of one check. On that the daemon sends the turn and, when asked, the ids of the turns before it; the response is the
result. Each message is a line of JSON. The copy reads the turns from their folders, so the daemon has no work.
"""

from __future__ import annotations

import gc
import json
import os
import re
import resource
import signal
import socket
import sys
import time
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import date, datetime
from pathlib import Path
from typing import TextIO

from paliadin.base import errors
from paliadin.base.strict_json import JsonObject
from paliadin.events.known_ids import evidence_before_answer
from paliadin.events.model import as_json
from paliadin.events.reducer import Reducer
from paliadin.evidence.check import Answer, OutOfWork, check, holds_id
from paliadin.evidence.model import Claim
from paliadin.evidence.results import Call
from paliadin.record.reading import read_turn
from paliadin.turnlog.description import Description
from paliadin.turnlog.folder import TurnFolder
from paliadin.turnlog.ids import started_ms

WORK = 2.0  # seconds of processor time for one check; what was not judged by then is `unknown`
AGAIN = 0.05  # seconds of processor time
GIVES_WAY_AFTER = 0.1  # seconds of processor time; most checks are over by then
NICER = 19  # how much lower its priority is from then on, where there is nothing better
LATEST = 60.0  # seconds from its beginning after which the system ends a check
MEMORY = 2**29  # bytes of address space; most checks need a tenth
_WARMING_UP = Answer(  # compiles the expressions that most checks need: a copy has them
    [("m", "3 deadlines are due by 3 March 2031, 14:30, with 120.50 EUR, 12 % more: DL-7.")],
    [Call("c", "list", {}, '[{"id": "DL-7", "due": "2031-03-03"}, {"id": "DL-8", "fee": 50.5}]', "ok")],
    "What is due?",
    today=date(2031, 3, 1),
)
_MENTIONS_FILE = re.compile(r"(?<!\S)@[\w./~-]")


def main() -> None:
    """Serve until the daemon has closed its end of the socket."""
    for number in (signal.SIGINT, signal.SIGTERM):  # for the daemon and all that it started: it ends this one
        signal.signal(number, signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for the copies
    check(_WARMING_UP)
    gc.freeze()  # else the copies would write to, and so take, the memory that they share
    with socket.socket(fileno=0) as lobby:
        while True:
            message, connections, _, _ = socket.recv_fds(lobby, 1, 1)
            if not message:
                return
            for each in connections:
                _serve_in_a_copy(lobby, each)


def _serve_in_a_copy(lobby: socket.socket, connection: int) -> None:
    """Check in a copy of this process; without one (no more processes may be made) the daemon sees the end at once."""
    with socket.socket(fileno=connection) as served, suppress(OSError):
        if os.fork() != 0:
            return
        try:
            lobby.close()
            _limit_resources()
            with served.makefile("rw", encoding="utf-8") as lines:
                _serve(lines)
        finally:
            os._exit(0)


def _limit_resources() -> None:
    """Have the system end this process at its limits, whatever it does, and give way to others if it takes longer."""
    signal.signal(signal.SIGVTALRM, _give_way)
    signal.setitimer(signal.ITIMER_VIRTUAL, GIVES_WAY_AFTER)
    signal.setitimer(signal.ITIMER_REAL, LATEST)
    seconds = int(WORK) + 2  # for what no timer interrupts
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    with suppress(OSError, ValueError):  # macOS knows no such limit
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def _give_way(*_: object) -> None:
    """Use a processor only while nobody else wants it: others get it as soon as they wake up, unlike by a priority."""
    if sys.platform == "linux":
        with suppress(OSError):  # some sandboxes have no such policy
            os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
            return
    os.nice(NICER)


class TimeLimit:
    """Raises OutOfWork in a block, at any point, once it has taken `seconds` of the process's time.

    Python drops what is raised while it collects garbage, so it collects none, and in a destructor: then it is raised
    again a moment later.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = max(seconds, 0.001)
        self.was_reached = False

    def __enter__(self) -> None:
        self._before, self._collects = signal.signal(signal.SIGPROF, _raise_out_of_work), gc.isenabled()
        gc.disable()
        signal.setitimer(signal.ITIMER_PROF, self._seconds, AGAIN)

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, self._before)
        if self._collects:
            gc.enable()
        self.was_reached = kind is OutOfWork


def _raise_out_of_work(*_: object) -> None:
    raise OutOfWork


def _serve(lines: TextIO) -> None:
    try:
        result = _check(lines)
    except (Exception, MemoryError) as error:  # noqa: BLE001  # a traceback could quote the answer
        result = {"error": type(error).__name__}
    _send(lines, result)


def _send(lines: TextIO, message: JsonObject) -> None:
    lines.write(json.dumps(message) + "\n")
    lines.flush()


def _check(lines: TextIO) -> JsonObject:
    """Check the answer of the turn that the first line names; ask for those before it when it alone is not enough."""
    request = json.loads(lines.readline())
    turns, refused = Path(request["turns"]), list(map(str, request["refused"]))
    answer = _answer(read_turn(TurnFolder(turns, request["turn_id"])))
    claims = check(answer, TimeLimit(_work_left()))
    if refused or any(claim.status in {"unsupported", "differs"} for claim in claims):
        _send(lines, {"asks": "earlier"})
        earlier = json.loads(lines.readline())
        folders = [TurnFolder(turns, each) for each in earlier["turn_ids"]]
        if folders or earlier["is_incomplete"]:
            answer = _with_earlier(answer, folders, is_incomplete=bool(earlier["is_incomplete"]))
            claims = _check_again(claims, answer)
    return {"claims": list(map(as_json, claims)), "chips": _held_chips(answer, refused)}


def _work_left() -> float:
    return WORK - time.process_time()


def _answer(reducer: Reducer) -> Answer:
    """Return a turn's answer with what the turn itself holds to check it against; earlier turns come later."""
    description, trailer = reducer.description, reducer.trailer
    replies = [wait.answer for wait in reducer.timeline.interrupts if wait.answer]
    joined = [text for text, _ in reducer.timeline.joined]
    known = evidence_before_answer(description, reducer.tools.calls)
    return replace(
        known,
        messages=tuple(reducer.answer.messages),
        calls=tuple(reducer.tools.calls),
        question="\n".join([known.question, *replies, *joined]),
        today=datetime.fromtimestamp(started_ms(reducer.description.turn_id) / 1000).astimezone().date(),
        is_incomplete=_has_unseen_files(description),
        claims_data=trailer is not None and trailer.classifier_tag == "data",
        calculated=trailer.calculated if trailer else (),
    )


def _has_unseen_files(description: Description) -> bool:
    """True if the question had a file with it whose content no tool returned: a picture, or one named behind `@`."""
    is_embedded = any(each.is_embedded for each in description.attachments)
    return is_embedded or _MENTIONS_FILE.search(description.user_message) is not None


def _with_earlier(answer: Answer, folders: Sequence[TurnFolder], *, is_incomplete: bool) -> Answer:
    """Add what earlier turns, the newest first, asked and returned. `is_incomplete`: some are not there any more."""
    read: list[Reducer] = []
    with suppress(OutOfWork), TimeLimit(_work_left()):
        for folder in folders:
            try:
                read.insert(0, read_turn(folder))
            except errors.NotFound:  # removed meanwhile
                is_incomplete = True
    questions = [each.description.user_message for each in read]
    return replace(
        answer,
        calls=(
            *(replace(call, turn_id=each.description.turn_id) for each in read for call in each.tools.calls),
            *answer.calls,
        ),
        question="\n".join([*questions, answer.question]),
        is_incomplete=answer.is_incomplete or is_incomplete or len(read) < len(folders),
    )


def _check_again(alone: Sequence[Claim], answer: Answer) -> tuple[Claim, ...]:
    """Check once more, with the earlier turns, the claims that were checked without them.

    When no work is left, a claim that its own turn holds stays held, and the status of the others is unknown.
    """
    limit = TimeLimit(_work_left())
    try:
        claims = check(answer, limit)
    except OutOfWork:
        claims = tuple(replace(claim, status="unknown", sources=(), rule=None, calculation=None) for claim in alone)
    by_place = {(each.message_id, each.start, each.end): each for each in alone}  # a calculation may have added some
    pairs = ((by_place.get((each.message_id, each.start, each.end)), each) for each in claims)
    return tuple(_chosen(own, claim, was_reached=limit.was_reached) if own else claim for own, claim in pairs)


def _chosen(own: Claim, claim: Claim, *, was_reached: bool) -> Claim:
    is_lost = was_reached and claim.status == "unknown" and own.status != "unsupported"
    return own if is_lost else _nearer(own, claim)


def _nearer(alone: Claim, with_earlier: Claim) -> Claim:
    """Return the claim as checked without the earlier turns if its source is in its own turn, else as checked with."""
    is_held = alone.status == with_earlier.status and all(source.origin != "answer" for source in alone.sources)
    return alone if is_held else with_earlier


def _held_chips(answer: Answer, chips: Iterable[str]) -> list[str]:
    """Return the chips' ids that a result holds, as far as the budget allows."""
    held: list[str] = []
    with suppress(OutOfWork), TimeLimit(_work_left()):
        held.extend(chip_id for chip_id in chips if holds_id(answer, chip_id))
    return held


if __name__ == "__main__":
    main()
