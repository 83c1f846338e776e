"""`paliadin-shim`, the far end: what a key in authorized_keys may do. These verbs, and nothing else.

Who asks, and what they may use, stands in that key's line; what is asked comes from the channel only.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import ClassVar

from paliadin import __version__, errors
from paliadin.config import Settings
from paliadin.folders import remove
from paliadin.machine import for_claude
from paliadin.prompt import Context, check_message, envelope
from paliadin.reduce import is_over
from paliadin.relay.local import LocalRelay
from paliadin.remote import PROTOCOL
from paliadin.turnlog import TurnFolder, check_turn_id, follow_bytes, now_ms, whole_lines

log = logging.getLogger(__name__)

Json = Mapping[str, object]
Send = Callable[[Json], Awaitable[None]]

FINISH = 15.0  # seconds for a question that is being typed when the line is cut
LOOK_EVERY = 0.5  # seconds between looks at a session's own log


@dataclass
class Shim:
    """`name`: who asks, for the record here. `sessions`: the ones they may use. `send` writes one line."""

    settings: Settings
    relay: LocalRelay
    name: str
    sessions: tuple[str, ...]
    send: Send
    _tasks: set[asyncio.Task[None]] = field(default_factory=set)
    _carried: dict[str, asyncio.Task[None]] = field(default_factory=dict)  # turn_id → its relay's task
    _followed: dict[str, asyncio.Task[None]] = field(default_factory=dict)

    async def handle(self, raw: bytes) -> None:
        """One request; every one is answered. Those that take time do not keep the next from being read."""
        number, request = _parse(raw)
        self._spawn(self._answer(number, request))

    async def close(self) -> None:
        """A question that is being typed is typed to its end: half of one would have to be cleared."""
        if self._carried:
            typing = [self._until_delivered(turn_id) for turn_id in self._carried]
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(FINISH):
                    await asyncio.gather(*typing)
        tasks = [*self._tasks, *self._carried.values(), *self._followed.values()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _until_delivered(self, turn_id: str) -> None:
        turn = self._turn(turn_id)
        while not (turn.path / "prompt_id").exists() and not is_over(turn.lines()):
            await asyncio.sleep(0.1)

    async def _answer(self, number: object, request: Json) -> None:
        try:
            verb = self._VERBS.get(str(request.get("verb")))
            if verb is None:
                raise errors.InvalidField(f"unknown verb; there are {', '.join(self._VERBS)}", code="unknown_verb")
            answer: Json = {"id": number, "result": await verb(self, request)}
        except errors.PaliadinError as error:
            log.warning("%s: %s refused: %s", self.name, str(request.get("verb"))[:20], error.error_code)
            answer = {"id": number, **error.body()}
        await self.send(answer)

    # The verbs.

    async def _hello(self, request: Json) -> Json:
        if request.get("protocol") != PROTOCOL:
            raise errors.ConfigError(
                f"this side speaks version {PROTOCOL} of the protocol, the other {str(request.get('protocol'))[:10]}",
                code="version_mismatch",
                hint=f"Install Paliadin {__version__} there, or the other side's version here.",
            )
        self._spawn(self._warm_up())
        return {
            "protocol": PROTOCOL,
            "version": __version__,
            "name": self.name,
            "host": self.relay.host,
            "sessions": list(self.sessions),
            "verbs": list(self._VERBS),
            "clock": now_ms(),
        }

    async def _warm_up(self) -> None:
        """Claude takes a second to start: do it before the first question."""
        try:
            await self.relay.start(self.sessions[0])
        except errors.PaliadinError as error:
            log.warning("Claude could not be started yet: %s %s", error.message, error.hint)

    async def _check(self, _request: Json) -> Json:
        return {"parts": await asyncio.to_thread(for_claude, self.settings)}

    async def _state(self, request: Json) -> Json:
        return asdict(await self.relay.state(self._session(request)))

    async def _list_sessions(self, _request: Json) -> Json:
        return {"sessions": [asdict(await self.relay.state(session)) for session in self.sessions]}

    async def _submit(self, request: Json) -> Json:
        """Exactly once: a turn that is here already is followed on, never typed again."""
        description = request.get("turn")
        if not isinstance(description, Mapping):
            raise errors.InvalidField("turn is not an object")
        turn = self._turn(description.get("turn_id"))
        if turn.path.exists():
            self._carry_on(turn)
            return {"known": True}
        if request.get("only_known") is True:
            return {"known": False}
        session = self._session(description)
        if self._busy(session):
            raise errors.TurnInFlight("a turn runs in this session", None)
        message = check_message(description.get("user_message"))
        context = Context.parse(description.get("context"))
        kept = {"turn_id": turn.turn_id, "session_id": session, "user_message": message, "context": context.as_json()}
        turn.create(kept | {"person": self.name, "host": self.relay.host, "origin": "remote"})
        self._carry(turn, self.relay.submit(turn.turn_id, session, envelope(turn.turn_id, message, context)))
        return {"known": False, "accepted": True}

    async def _follow(self, request: Json) -> Json:
        turn, after = self._known(request), _after(request)
        self._carry_on(turn)
        await self._push_instead(turn.turn_id, self._push(turn, after))
        return {}

    async def _unfollow(self, request: Json) -> Json:
        await self._push_instead(self._known(request).turn_id)
        return {}

    async def _watch(self, request: Json) -> Json:
        """Follow the session's own log: what belongs to no turn, and which turns began in the terminal."""
        session, after = self._session(request), _after(request)
        path = self._session_log(session)
        size = _size(path)
        if after <= size:  # else the log was made anew, and the mirror has to be
            await self._push_instead(session, self._push_session(session, path, after))
        return {"size": size}

    async def _describe(self, request: Json) -> Json:
        told = self._known(request).describe()
        return {key: told.get(key) for key in ("session_id", "origin", "user_message")}

    async def _give_answer(self, request: Json) -> Json:
        turn, interrupt = self._known(request), request.get("interrupt_id")
        if not isinstance(interrupt, str):
            raise errors.InvalidField("interrupt_id is not a string")
        await self.relay.answer(turn.turn_id, interrupt, request.get("value"), cancel=request.get("cancel") is True)
        return {}

    async def _abort(self, request: Json) -> Json:
        turn = self._known(request)
        await self.relay.abort(turn.turn_id, self._session(turn.describe()))
        return {}

    async def _reset(self, request: Json) -> Json:
        session = self._session(request)
        if self._busy(session):
            raise errors.TurnInFlight("a turn runs in this session", None)
        await self.relay.reset(session)
        return {"size": _size(self._session_log(session))}

    async def _forget(self, request: Json) -> Json:
        """Turns that are over go from here; while one of them runs, none goes. What is not here is gone already."""
        asked = request.get("turn_ids")
        if not isinstance(asked, list):
            raise errors.InvalidField("turn_ids is not a list")
        turns = [turn for turn_id in asked if (turn := self._turn(turn_id)).path.exists()]
        if any(turn.turn_id in self._carried for turn in turns) or not await asyncio.to_thread(all, map(may_go, turns)):
            raise errors.TurnInFlight("one of these turns still runs", None)
        for turn in turns:
            await asyncio.to_thread(remove, self.settings, turn)
        log.info("%s: the folders of %d turns were removed", self.name, len(turns))
        return {"removed": len(turns)}

    _VERBS: ClassVar[Mapping[str, Callable[[Shim, Json], Awaitable[Json]]]] = {
        "hello": _hello,
        "check": _check,
        "state": _state,
        "sessions": _list_sessions,
        "submit": _submit,
        "follow": _follow,
        "unfollow": _unfollow,
        "watch": _watch,
        "describe": _describe,
        "answer": _give_answer,
        "abort": _abort,
        "reset": _reset,
        "forget": _forget,
    }

    # What they share.

    def _session(self, request: Json) -> str:
        session = request.get("session_id")
        if not isinstance(session, str) or session not in self.sessions:
            raise errors.NotFound("there is no session with this name for this key", code="unknown_session")
        return session

    def _turn(self, turn_id: object) -> TurnFolder:
        return TurnFolder(self.settings.response_dir, check_turn_id(turn_id if isinstance(turn_id, str) else ""))

    def _session_log(self, session: str) -> Path:
        return self.settings.sessions_dir / session / "events.jsonl"

    def _known(self, request: Json) -> TurnFolder:
        """A turn that is there, in a session that this key may use."""
        turn = self._turn(request.get("turn_id"))
        self._session(turn.describe())
        return turn

    def _busy(self, session: str) -> bool:
        carried = [self._turn(turn_id) for turn_id in self._carried]
        return any(turn.describe().get("session_id") == session and not is_over(turn.lines()) for turn in carried)

    def _carry_on(self, turn: TurnFolder) -> None:
        """Watch over a turn that an earlier shim began."""
        if turn.turn_id not in self._carried and not is_over(turn.lines()):
            session = self._session(turn.describe())
            self._carry(turn, self.relay.resume(turn.turn_id, session))

    def _carry(self, turn: TurnFolder, relay: Coroutine[object, object, None]) -> None:
        task = asyncio.create_task(relay)
        self._carried[turn.turn_id] = task
        task.add_done_callback(lambda _: self._carried.pop(turn.turn_id, None))
        task.add_done_callback(_tell)

    async def _push_instead(self, log: str, pushing: Coroutine[object, object, None] | None = None) -> None:
        """A log is followed once: anew, or no more."""
        task = self._followed.pop(log, None)
        if task:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
        if pushing:
            self._followed[log] = asyncio.create_task(self._pushed(log, pushing))

    async def _pushed(self, name: str, pushing: Coroutine[object, object, None]) -> None:
        try:
            await pushing
        except Exception as error:
            log.exception("%s cannot be followed", name)
            await self.send({"log": name, "failed": str(error)})

    async def _push(self, turn: TurnFolder, after: int) -> None:
        async for offset, data in follow_bytes(turn.log, after):
            await self._send_log(turn.turn_id, offset, data)

    async def _push_session(self, session: str, path: Path, after: int) -> None:
        while True:
            while data := whole_lines(path, after):
                await self._send_log(session, after, data)
                after += len(data)
            await asyncio.sleep(LOOK_EVERY)

    async def _send_log(self, log: str, offset: int, data: bytes) -> None:
        # Bytes that are no UTF-8 become lone surrogates, which JSON can escape: the mirror gets the same bytes.
        await self.send({"log": log, "at": offset, "data": data.decode("utf-8", "surrogateescape")})

    def _spawn(self, work: Coroutine[object, object, None]) -> None:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        task.add_done_callback(_tell)


def may_go(turn: TurnFolder) -> bool:
    """Nothing more comes to its log; half a folder never became a turn."""
    return is_over(turn.lines()) or not (turn.path / "turn.json").exists()


def _parse(raw: bytes) -> tuple[object, Json]:
    """(number, request); a line that is none is a request without a verb."""
    try:
        request = json.loads(raw)
    except (ValueError, RecursionError):
        return None, {}
    if not isinstance(request, dict):
        return None, {}
    number = request.get("id")
    return number if isinstance(number, int) else None, request


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def _after(request: Json) -> int:
    after = request.get("after", 0)
    if not isinstance(after, int) or isinstance(after, bool) or after < 0:
        raise errors.InvalidField("after is not a number of bytes")
    return after


def _tell(task: asyncio.Task[None]) -> None:
    if not task.cancelled() and task.exception():
        log.error("a task failed", exc_info=task.exception())
