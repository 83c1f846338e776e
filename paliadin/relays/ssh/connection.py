"""One ssh process and one channel per host; made again when it breaks. Knows nothing of turns."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import random
import signal
import time
from asyncio.subprocess import PIPE
from collections.abc import Callable, Mapping
from typing import Any

from paliadin import __version__, errors
from paliadin.remote import LONGEST_LINE, PROTOCOL, Remote
from paliadin.turnlog import now_ms

log = logging.getLogger(__name__)

Json = Mapping[str, Any]

OPTIONS = (
    "BatchMode=yes",  # no question that nobody would see
    "ControlMaster=no",  # a line of the owner's own login would lead to a shell, and ours is of no use to them
    "ControlPath=none",
    "RemoteCommand=none",
    "StrictHostKeyChecking=yes",
    "ClearAllForwardings=yes",
    "ForwardAgent=no",
    "ForwardX11=no",
    "PermitLocalCommand=no",
    "RequestTTY=no",
    "ConnectTimeout=10",
    "ServerAliveInterval=5",
    "ServerAliveCountMax=3",
)
GREET = 15.0  # seconds from a login to the shim's hello: a login shell may take its time
PATIENCE = 30.0  # for the answer to a request
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 30.0  # between tries, doubled each time, with jitter
MOST_WAITING = 64  # requests
JUST_NOW = 3.0  # seconds
LAST_WORDS = 1.0  # seconds for what ssh says at its end
_STATUS = {"unknown_interrupt": 404, "unknown_session": 404, "unknown_turn": 404, "invalid_field": 422}
KEPT_WORDS = 400  # characters of what ssh said last


class Connection:
    """`on_log` gets (log, offset, bytes) of the logs that are followed, `on_fail` (log, why) when the other side cannot
    follow one any more; `on_break`: the line broke.
    """

    def __init__(
        self,
        remote: Remote,
        on_log: Callable[[str, int, bytes], None],
        on_break: Callable[[], None] = lambda: None,
        on_fail: Callable[[str, str], None] = lambda *_: None,
    ) -> None:
        self.remote = remote
        self.hello: Json = {}
        self.up = asyncio.Event()
        self.failed = asyncio.Event()  # a try has failed
        self._on_log, self._on_break, self._on_fail = on_log, on_break, on_fail
        self._process: asyncio.subprocess.Process | None = None
        self._waiting: dict[int, asyncio.Future[Json]] = {}
        self._number = 0
        self._task: asyncio.Task[None] | None = None
        self._closed = False
        self.why = "not connected yet"
        self.hint = ""
        self._next_try = 0.0
        self._broke_at = -JUST_NOW  # when a line that had been up was last lost
        self.retry_at = now_ms()  # the next try, in milliseconds since 1970

    def open(self) -> None:
        if self._task is None:
            self._task = asyncio.create_task(self._keep_up())

    async def close(self) -> None:
        """For good: whoever waits for the line gets NotFound."""
        self._closed = True
        if self._task:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            self._task = None
        self.up.set()

    def again(self) -> None:
        """A new line now, such as after a change of `remote`."""
        if self._task:
            self._task.cancel()
            self._task = asyncio.create_task(self._keep_up(self._task))

    def trouble(self) -> errors.RelayUnreachable:
        """Why there is no connection, and when the next try is."""
        left = max(0, round(self._next_try - time.monotonic()))
        when = f"trying again in {left} s" if left else "trying again now"
        return errors.RelayUnreachable(
            f"the host {self.remote.name} is unreachable ({self.why}); {when}",
            hint=self.hint or f"Run `paliadin remote test {self.remote.name}` to see what is in the way.",
        )

    async def back(self) -> bool:
        """Whether there is a line; one that has just broken, as by `paliadin remote test`, is waited for."""
        if not self.up.is_set() and time.monotonic() - self._broke_at < JUST_NOW:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(JUST_NOW):
                    await self.up.wait()
        return self.up.is_set()

    async def request(self, verb: str, *, patience: float = PATIENCE, **fields: object) -> Json:
        """The result; raises what the other side refused with, RelayUnreachable when the line breaks first."""
        if self._closed:
            raise errors.NotFound(f"the host {self.remote.name} was removed", code="unknown_host", hint="")
        if not self.up.is_set():
            raise self.trouble()
        return await self._ask(verb, patience, fields)

    async def _ask(self, verb: str, patience: float, fields: Mapping[str, object]) -> Json:
        process = self._process
        if process is None or process.stdin is None:
            raise self.trouble()
        if len(self._waiting) >= MOST_WAITING:
            raise errors.RelayUnreachable(f"the host {self.remote.name} is busy: {MOST_WAITING} requests wait")
        self._number += 1
        number = self._number
        answer: asyncio.Future[Json] = asyncio.get_running_loop().create_future()
        self._waiting[number] = answer
        try:
            line = json.dumps({"id": number, "verb": verb, **fields}).encode("ascii")
            process.stdin.write(line + b"\n")
            async with asyncio.timeout(patience):
                return await answer
        except TimeoutError:
            raise errors.RelayUnreachable(
                f"the host {self.remote.name} did not answer within {patience:.0f} s"
            ) from None
        finally:
            self._waiting.pop(number, None)

    async def _keep_up(self, before: asyncio.Task[None] | None = None) -> None:
        pause, told = FIRST_PAUSE, ""
        if before:
            await asyncio.gather(before, return_exceptions=True)
        while True:
            try:
                await self._connect()
            except (OSError, ValueError, errors.PaliadinError) as error:  # ValueError: a line that is none of ours
                self.why = getattr(error, "message", str(error))
                self.hint = getattr(error, "hint", "")
            if self.hello:
                pause, told, self._broke_at = FIRST_PAUSE, "", time.monotonic()
            self.hello = {}
            self.failed.set()
            wait = pause * random.uniform(0.5, 1.0)  # noqa: S311  # jitter
            self._next_try, self.retry_at = time.monotonic() + wait, now_ms() + round(1000 * wait)
            if told != self.why:  # not once more for each try
                told = self.why
                log.warning("host %s: %s", self.remote.name, told)
            await asyncio.sleep(wait)
            pause = min(2 * pause, LONGEST_PAUSE)

    async def _connect(self) -> None:
        """One connection, from its beginning to its end."""
        options = [part for option in OPTIONS for part in ("-o", option)]
        own = ["-i", self.remote.key, "-o", "IdentitiesOnly=yes"] if self.remote.key else []
        command = ["ssh", *own, *self.remote.options, *options, "-T", "--", self.remote.destination]
        process = await asyncio.create_subprocess_exec(
            *command, stdin=PIPE, stdout=PIPE, stderr=PIPE, limit=2 * LONGEST_LINE
        )
        self._process = process
        words = asyncio.create_task(_last_words(process))
        reading, greeting = asyncio.create_task(self._read(process)), asyncio.create_task(self._greet())
        try:
            await asyncio.wait({greeting, reading}, return_when=asyncio.FIRST_COMPLETED)
            if greeting.done():
                self.hello = greeting.result()
                self.up.set()
            await reading
        finally:
            self.up.clear()
            for task in (reading, greeting):
                task.cancel()
            said = ""
            try:
                await asyncio.gather(reading, greeting, return_exceptions=True)
                _terminate(process)
                await process.wait()
                done, _ = await asyncio.wait({words}, timeout=LAST_WORDS)
                said = words.result() if done else ""  # a ProxyCommand that does not end keeps the pipe open
            finally:  # also when `close` comes meanwhile
                words.cancel()
                process._transport.close()  # type: ignore[attr-defined]  # noqa: SLF001  # all pipes, and the process
                self._break(said or "the connection ended")
                await asyncio.sleep(0)

    async def _greet(self) -> Json:
        try:
            return await self._ask("hello", GREET, {"protocol": PROTOCOL, "version": __version__})
        except errors.RelayUnreachable as error:
            hint = (
                "A login shell may answer in the shim's place: is the key's line in authorized_keys the first for it?"
            )
            raise errors.RelayUnreachable(error.message, hint=hint) from error

    async def _read(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdout is not None  # noqa: S101  # it is a pipe
        while raw := await process.stdout.readline():
            message = _parse(raw)
            if message is None:
                continue
            if "failed" in message:
                self._on_fail(message["log"], str(message["failed"]))
                continue
            if "log" in message:
                self._on_log(message["log"], message["at"], message["data"].encode("utf-8", "surrogateescape"))
                continue
            answer = self._waiting.get(message["id"])
            if answer and not answer.done():
                if "error" in message:
                    answer.set_exception(_refusal(message["error"]))
                else:
                    answer.set_result(message.get("result", {}))

    def _break(self, why: str) -> None:
        self._process, self.why, self.hint = None, why, ""
        for answer in self._waiting.values():
            if not answer.done():
                answer.set_exception(errors.RelayUnreachable(f"the line to {self.remote.name} broke: {why}"))
        self._on_break()


def _terminate(process: asyncio.subprocess.Process) -> None:
    """Not `process.terminate()`: before Python 3.13 that takes the status of one that has just ended from asyncio."""
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process.pid, signal.SIGTERM)


async def _last_words(process: asyncio.subprocess.Process) -> str:
    """The end of what ssh, or the login shell there, said on stderr."""
    assert process.stderr is not None  # noqa: S101  # it is a pipe
    said = b""
    while part := await process.stderr.read(4096):
        said = (said + part)[-KEPT_WORDS:]
    return " ".join(said.decode("utf-8", "replace").split())


def _parse(raw: bytes) -> dict[str, Any] | None:
    """A message; None for whatever is none, such as what a login shell says before the shim runs."""
    try:
        message = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    if not isinstance(message, dict):
        return None
    if isinstance(message.get("log"), str):
        whole = isinstance(message.get("at"), int) and isinstance(message.get("data"), str)
        return message if whole or isinstance(message.get("failed"), str) else None
    return message if isinstance(message.get("id"), int) and "failed" not in message else None


def _refusal(error: object) -> errors.PaliadinError:
    told = error if isinstance(error, Mapping) else {}
    code, message = str(told.get("code")), str(told.get("message"))
    if code == "turn_in_flight":
        return errors.TurnInFlight(message, None)
    hint, status = str(told.get("hint") or ""), _STATUS.get(code, 503)
    kind = errors.NotFound if status == errors.NotFound.status else errors.PaliadinError
    return kind(message, hint=hint, code=code, status=status)
