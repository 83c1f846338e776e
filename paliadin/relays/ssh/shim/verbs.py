"""The verbs of `paliadin-shim`: all that a key in authorized_keys may do on this machine.

The key's line there says who asks and which sessions they may use; the channel carries only their requests.
docs/remote.md lists the verbs.
"""

from __future__ import annotations

import asyncio
import base64
import logging
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import ClassVar

from paliadin import __version__
from paliadin.base import errors
from paliadin.base.audit import AuditLog
from paliadin.base.retained import remove_turns
from paliadin.base.settings import Settings
from paliadin.base.tasks import Tasks
from paliadin.events.interrupts import is_question
from paliadin.files.tool_pictures import read_piece
from paliadin.prompt.text import check_message
from paliadin.relays.figures import check_changes
from paliadin.relays.ssh.rights import ALL, Right, Rights, check_right, format_rights
from paliadin.relays.ssh.shim.log_pusher import LogPusher, Send
from paliadin.relays.ssh.shim.sent_files import SentFiles
from paliadin.relays.ssh.shim.turns import ShimTurns, is_removable
from paliadin.relays.ssh.wire_protocol import CHUNK, PROTOCOL, Message, parse_request
from paliadin.relays.terminal.relay import TerminalRelay
from paliadin.relays.terminal.requirements import check_terminal_parts
from paliadin.turnlog.description import Description
from paliadin.turnlog.ids import now_ms
from paliadin.turnlog.removal import kept_of_turns, remove_turn

log = logging.getLogger(__name__)

Fields = Mapping[str, object]
"""The fields of a request, or of its result; none of a request's are checked yet."""

AT_ONCE = 128  # requests; a daemon has at most half as many under way
AUDITED_REFUSALS = frozenset({"not_allowed", "unknown_session", "unknown_verb"})


@dataclass
class Shim:
    """Carries out the requests of one key.

    `name` is who asks, for the record on this machine; `sessions` are those that they may use; `send` writes one
    message to the channel. `rights` are theirs, and `origin` is the address that they come from.
    """

    settings: Settings
    relay: TerminalRelay
    name: str
    sessions: tuple[str, ...]
    send: Send
    rights: Rights = ALL
    origin: str = ""

    def __post_init__(self) -> None:
        self._audit_log = AuditLog(self.settings.home)
        self._tasks = Tasks()
        self._room = asyncio.Semaphore(AT_ONCE)
        self._turns = ShimTurns(self.settings, self.relay, self.sessions, self._tasks)
        self._logs = LogPusher(self.send, self._tasks)
        self._files = SentFiles(self.settings.attachments_dir)
        self.retained = kept_of_turns(self.settings, is_removable)  # the daemon has its own mirror of the turns

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """Carry out requests during a `with` block; at its end Claude and its turns live on.

        Questions that are being typed are finished first, then all tasks are cancelled.
        """
        self._audit("connected", may=format_rights(self.rights))
        async with self._tasks:
            try:
                yield
            finally:
                await self._turns.finish_typing()
                self._audit_log.report(is_end=True)

    async def handle(self, raw: bytes) -> None:
        """Start carrying out the request on one line; the response is sent when it is done.

        Waits while AT_ONCE requests are under way: a client that reads no responses could fill the memory with them.
        """
        number, request = parse_request(raw)
        await self._room.acquire()
        task = self._tasks.spawn(self._respond(number, request))
        task.add_done_callback(lambda _: self._room.release())

    async def _respond(self, number: object, request: Fields) -> None:
        """Send the result of the request, or its error."""
        name = str(request.get("verb"))
        try:
            verb = self._VERBS.get(name)
            if verb is None:
                raise errors.InvalidField(f"the verb is none of {', '.join(self._VERBS)}", code="unknown_verb")
            if name in self._NEEDS:
                check_right(self.rights, self._NEEDS[name])
            response: Message = {"id": number, "result": await verb(self, request)}
        except errors.PaliadinError as error:
            log.warning("%s: %s refused: %s", self.name, ascii(name[:20]), error.code)
            if error.code in AUDITED_REFUSALS:
                self._audit("refused", code=error.code, verb=name[:20])
            response = {"id": number, **error.body()}
        await self.send(response)

    def _audit(self, event: str, **fields: str | int | None) -> None:
        self._audit_log.write(event, self.name, origin=self.origin, **fields)

    # The verbs: each takes the fields of a request and returns those of its result.

    async def _hello(self, request: Fields) -> Fields:
        if request.get("protocol") != PROTOCOL:
            raise errors.ConfigError(
                f"paliadin-shim speaks protocol version {PROTOCOL}, the daemon {str(request.get('protocol'))[:10]}",
                code="version_mismatch",
                hint=f"Install the same Paliadin on both machines; paliadin-shim is version {__version__}.",
            )
        if "ask" in self.rights:
            self._tasks.spawn(self._warm_up())
        return {
            "protocol": PROTOCOL,
            "version": __version__,
            "name": self.name,
            "host": self.relay.host,
            "sessions": list(self.sessions),
            "may": format_rights(self.rights),
            "verbs": list(self._VERBS),
            "clock": now_ms(),
        }

    async def _warm_up(self) -> None:
        """Start Claude before the first question; that takes a second."""
        try:
            await self.relay.start(self.sessions[0])
        except errors.PaliadinError as error:
            log.warning("Claude could not be started yet: %s. %s", error.message, error.hint)

    async def _check(self, _request: Fields) -> Fields:
        return {"parts": await asyncio.to_thread(check_terminal_parts, self.settings)}

    async def _state(self, request: Fields) -> Fields:
        return asdict(await self.relay.state(self._turns.require_session(request.get("session_id"))))

    async def _list_sessions(self, _request: Fields) -> Fields:
        return {"sessions": [asdict(await self.relay.state(session)) for session in self.sessions]}

    async def _submit(self, request: Fields) -> Fields:
        """Submit a turn exactly once: a turn that exists already is watched over, never typed again."""
        sent = request.get("turn")
        if not isinstance(sent, Mapping):
            raise errors.InvalidField("turn is not an object")
        description = Description.parse(sent)
        if folder := self._turns.existing(description.turn_id):
            self._turns.resume(folder)
            return {"known": True}
        if request.get("only_known") is True:
            return {"known": False}
        check_right(self.rights, "ask")
        session = self._turns.require_session(description.session_id)
        self._turns.check_free(session)
        message = check_message(description.user_message)
        turn = self._turns.folder(description.turn_id)
        attachments = self._files.of_turn(description)  # without a pause: until it is submitted, nobody sees the turn
        turn.create(
            Description(
                turn.turn_id,
                session,
                message,
                "remote",
                command=description.command,
                person=self.name,
                host=self.relay.host,
                context=description.context,
                attachments=tuple(attachments),
            )
        )
        try:
            self._files.claim(attachments, turn.turn_id)
        except errors.StorageFull:
            turn.discard()
            raise
        self._turns.submit(turn)
        self._audit("asked", turn_id=turn.turn_id, session=session)
        return {"known": False, "accepted": True}

    async def _attach(self, request: Fields) -> Fields:
        return await self._files.take(request, _after(request, "at"))

    async def _follow(self, request: Fields) -> Fields:
        turn, after = self._turns.require_turn(request), _after(request)
        preview_after = _after(request, "preview_after") if "preview_after" in request else None
        self._turns.resume(turn)
        await self._logs.push_turn(turn, after, preview_after)
        return {}

    async def _unfollow(self, request: Fields) -> Fields:
        await self._logs.stop(self._turns.require_turn(request).turn_id)
        return {}

    async def _watch(self, request: Fields) -> Fields:
        """Follow the session's log, which names the turns that began in the terminal."""
        session, after = self._turns.require_session(request.get("session_id")), _after(request)
        path = self._turns.session_log(session)
        size = _size(path)
        if after <= size:  # else the log was made anew, and the mirror has to be
            await self._logs.push_session(session, path, after)
        return {"size": size}

    async def _describe(self, request: Fields) -> Fields:
        description = self._turns.require_turn(request).describe().as_json()
        return {key: description.get(key) for key in ("session_id", "origin", "user_message", "asked_by")}

    async def _picture(self, request: Fields) -> Fields:
        """Send a piece of a picture that a tool of the turn has returned."""
        turn, name, offset = self._turns.require_turn(request), request.get("name"), _after(request, "offset")
        size, data = await asyncio.to_thread(
            read_piece, turn.path, name if isinstance(name, str) else "", offset, CHUNK
        )
        return {"size": size, "data": base64.b64encode(data).decode()}

    async def _reply(self, request: Fields) -> Fields:
        turn, interrupt = self._turns.load(self._turns.require_turn(request)), request.get("interrupt_id")
        if not isinstance(interrupt, str):
            raise errors.InvalidField("interrupt_id is not a string")
        waiting = turn.progress.open_interrupts.get(interrupt)
        is_permission = waiting is not None and not is_question(waiting)
        if waiting is not None:
            check_right(self.rights, "allow" if is_permission else "ask")
        value, cancel = request.get("value"), request.get("cancel") is True
        await self.relay.reply(turn, interrupt, value, cancel=cancel)  # raises when nothing waits under this id
        reply = _permission_reply(value) if is_permission else "answered"
        self._audit("reply", reply="dismissed" if cancel else reply, turn_id=turn.id, interrupt_id=interrupt)
        return {}

    async def _abort(self, request: Fields) -> Fields:
        turn = self._turns.load(self._turns.require_turn(request))
        self._audit("aborted", turn_id=turn.id)
        await self.relay.abort(turn)
        return {}

    async def _reset(self, request: Fields) -> Fields:
        session = self._turns.require_session(request.get("session_id"))
        self._turns.check_free(session)
        self._audit("reset", session=session)
        await self.relay.reset(session)
        return {"size": _size(self._turns.session_log(session))}

    async def _compact(self, request: Fields) -> Fields:
        session = self._turns.require_session(request.get("session_id"))
        self._turns.check_free(session)
        self._audit("compacted", session=session)
        await self.relay.compact(session)
        return {}

    async def _alive(self, _request: Fields) -> Fields:
        return {"sessions": sorted(await self.relay.alive() & {*self._turns.sessions()})}

    async def _park(self, request: Fields) -> Fields:
        session = self._turns.require_session(request.get("session_id"))
        parked = await self.relay.park(session)
        if parked:
            self._audit("parked", session=session)
        return {"parked": parked}

    async def _offers(self, request: Fields) -> Fields:
        return (await self.relay.offers(self._turns.require_session(request.get("session_id")))).as_json()

    async def _status(self, request: Fields) -> Fields:
        """Return the figures of sessions that changed since `after`, in milliseconds since 1970."""
        after, figures = _after(request), await self.relay.figures(self._turns.sessions())
        return {"sessions": {name: each.as_json() for name, each in figures.items() if each.changed_at >= after}}

    async def _configure(self, request: Fields) -> Fields:
        """Choose a session's model and permission mode; its Claude comes back with them, now or when it starts next."""
        session, changes = self._turns.require_session(request.get("session_id")), check_changes(request.get("changes"))
        if "permission_mode" in changes:  # it decides which permissions are asked for
            check_right(self.rights, "allow")
        await self._turns.wait_until_free(session)
        self._audit("configured", session=session, **changes)
        await self.relay.configure(session, changes)
        return {}

    async def _open(self, request: Fields) -> Fields:
        """Make a session for a conversation; its Claude starts with the first question."""
        session = self._turns.check_new(request.get("session_id"))
        await self.relay.open(session)
        self._audit("conversation made", session=session)
        return {}

    async def _branch(self, request: Fields) -> Fields:
        """Let a new session begin with the conversation that another one had before a turn."""
        session, turn = self._turns.require_session(request.get("session_id")), self._turns.require_turn(request)
        branch = self._turns.require_session(self._turns.check_new(request.get("branch")))
        await self._turns.wait_until_free(session)
        await self.relay.branch(turn.turn_id, session, branch)
        self._audit("branched", session=branch, turn_id=turn.turn_id)
        return {}

    async def _discard(self, request: Fields) -> Fields:
        """End a session's Claude and remove its conversation, and with it a session that was made for one."""
        session = self._turns.require_session(request.get("session_id"))
        await self._turns.wait_until_free(session)
        await self.relay.discard(session)
        if session not in self.sessions:
            await self._logs.stop(session)
            await asyncio.to_thread(shutil.rmtree, self._turns.session_log(session).parent, ignore_errors=True)
        self._audit("conversation deleted", session=session)
        return {}

    async def _forget(self, request: Fields) -> Fields:
        """Delete the folders and captures of ended turns; none while one of them runs. A missing one is no error."""
        turn_ids = request.get("turn_ids")
        if not isinstance(turn_ids, list):
            raise errors.InvalidField("turn_ids is not a list")
        turns = list(filter(None, map(self._turns.existing, turn_ids)))
        await self._turns.wait_until_over(turns)
        carried = any(map(self._turns.is_relaying, turns))
        if carried or not await asyncio.to_thread(all, map(is_removable, turns)):
            raise errors.TurnInFlight("one of these turns still runs", None)
        for turn in turns:
            await asyncio.to_thread(remove_turn, self.settings, turn)
            self._audit("deleted", turn_id=turn.turn_id)
        await remove_turns(self.retained, turn_ids)  # captures of those whose folders were gone already
        log.info("%s: the folders of %d turns were removed", self.name, len(turns))
        return {"removed": len(turns)}

    _VERBS: ClassVar[Mapping[str, Callable[[Shim, Fields], Awaitable[Fields]]]] = {
        "hello": _hello,
        "check": _check,
        "state": _state,
        "sessions": _list_sessions,
        "submit": _submit,
        "attach": _attach,
        "follow": _follow,
        "unfollow": _unfollow,
        "watch": _watch,
        "describe": _describe,
        "picture": _picture,
        "answer": _reply,
        "abort": _abort,
        "reset": _reset,
        "compact": _compact,
        "alive": _alive,
        "park": _park,
        "offers": _offers,
        "status": _status,
        "configure": _configure,
        "open": _open,
        "branch": _branch,
        "discard": _discard,
        "forget": _forget,
    }
    # What `submit` and `answer` need depends on their fields.
    _NEEDS: ClassVar[Mapping[str, Right]] = dict.fromkeys(
        (
            *("attach", "abort", "reset", "compact", "park", "offers", "configure"),
            *("open", "branch", "discard", "forget"),
        ),
        "ask",
    )


def _permission_reply(value: object) -> str:
    """Return the one word of a reply to a permission, without the user's reason for a "no"."""
    return value if isinstance(value, str) else "deny"


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def _after(request: Fields, name: str = "after") -> int:
    """Return the field `name`, the number of bytes of a log that the mirror has; raises InvalidField."""
    after = request.get(name, 0)
    if not isinstance(after, int) or isinstance(after, bool) or after < 0:
        raise errors.InvalidField(f"{name} is not a number of bytes")
    return after
