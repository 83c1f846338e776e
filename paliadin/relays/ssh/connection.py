"""The connection to one remote host: a channel through ssh, made again whenever it breaks. It knows no turns."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import random
import time
from collections.abc import Callable, Mapping

from paliadin import __version__
from paliadin.base import errors
from paliadin.base.tasks import background, endless
from paliadin.relays.ssh.hosts import Remote
from paliadin.relays.ssh.pending_requests import PendingRequests
from paliadin.relays.ssh.transport import Transport
from paliadin.relays.ssh.wire_protocol import PROTOCOL, Message, log_bytes
from paliadin.turnlog.ids import now_ms

log = logging.getLogger(__name__)

HELLO_TIMEOUT = 15.0  # seconds from the start of ssh to the shim's hello: a login shell may take its time
RESPONSE_TIMEOUT = 30.0  # seconds
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 30.0  # seconds between attempts, doubled each time, with jitter
SHORT_BREAK = 8.0  # seconds that callers wait for a connection that has just broken


class Connection:
    """Keeps one channel to the host open while `run` runs, and sends requests over it.

    `on_log(log, offset, data)` is called with new bytes of a followed log, `on_log_failed(log, reason)` when the shim
    cannot follow a log any more, and `on_break()` whenever the channel breaks.

    `up` is set while requests can be sent; `attempt_failed` once an attempt to connect has failed, or a channel broke.
    `hello` is the shim's response to the first request, empty while there is no channel. `reason` and `hint` tell why
    there is none; `retry_at` is the next attempt, in milliseconds since 1970.
    """

    def __init__(
        self,
        remote: Remote,
        on_log: Callable[[str, int, bytes], None],
        on_break: Callable[[], None] = lambda: None,
        on_log_failed: Callable[[str, str], None] = lambda *_: None,
    ) -> None:
        self.remote = remote
        self.hello: Message = {}
        self.up = asyncio.Event()
        self.attempt_failed = asyncio.Event()
        self._on_log, self._on_break, self._on_log_failed = on_log, on_break, on_log_failed
        self._transport: Transport | None = None
        self._requests = PendingRequests(remote.name)
        self._replaced = asyncio.Event()  # the channel is to be replaced
        self._closed = False
        self.reason = "not connected yet"
        self.hint = ""
        self.retry_at = now_ms()
        self._next_attempt = 0.0  # by the monotonic clock, as is the next
        self._broke_at = -SHORT_BREAK  # when a channel that had been up last broke

    async def run(self) -> None:
        """Keep a channel open until cancelled; then tasks that wait for `up` go on, and all requests raise NotFound."""
        try:
            while True:
                self._replaced.clear()
                async with background(endless(self._keep_connected, f"host {self.remote.name}")):
                    await self._replaced.wait()
        finally:
            self._closed = True
            self.up.set()

    def knows(self, verb: str) -> bool:
        """Tell whether the shim there has announced a verb, which an older one may lack."""
        verbs = self.hello.get("verbs")
        return isinstance(verbs, list) and verb in verbs

    def reconnect(self) -> None:
        """Replace the channel at once, as after a change of `remote`; nothing more is asked over the old one."""
        if self.up.is_set():
            self._broke_at = time.monotonic()
        self.up.clear()
        self._replaced.set()

    def unreachable(self) -> errors.RelayUnreachable:
        """Return the error that says why there is no channel, and when the next attempt is."""
        left = max(0, round(self._next_attempt - time.monotonic()))
        when = f"trying again in {left} s" if left else "trying again now"
        return errors.RelayUnreachable(
            f"the host {self.remote.name} is unreachable ({self.reason}); {when}",
            hint=self.hint or f"Run `paliadin remote test {self.remote.name}` to see what is in the way.",
        )

    async def wait_for_reconnect(self) -> bool:
        """Return True when the channel is up, after waiting for one that broke less than SHORT_BREAK ago.

        `paliadin remote test` breaks it, since only one shim runs for a key.
        """
        if not self.up.is_set() and time.monotonic() - self._broke_at < SHORT_BREAK:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(SHORT_BREAK):
                    await self.up.wait()
        return self.up.is_set()

    async def request(self, verb: str, *, seconds: float = RESPONSE_TIMEOUT, **fields: object) -> Message:
        """Send a request and return its result.

        Raises the error of the response; RelayUnreachable when there is no channel, when it breaks first, or when no
        response comes within `seconds`; NotFound after the end of `run`.
        """
        if self._closed:
            raise errors.NotFound(f"the host {self.remote.name} was removed", code="unknown_host", hint="")
        if not self.up.is_set():
            raise self.unreachable()
        return await self._send(verb, seconds, fields)

    async def _send(self, verb: str, seconds: float, fields: Mapping[str, object]) -> Message:
        if self._transport is None:
            raise self.unreachable()
        return await self._requests.send(self._transport.write, verb, seconds, fields)

    async def _keep_connected(self) -> None:
        pause, logged = FIRST_PAUSE, ""
        while True:
            try:
                await self._connect()
            except (OSError, ValueError, errors.PaliadinError) as error:  # ValueError: the line is no message
                self.reason = getattr(error, "message", str(error))
                self.hint = getattr(error, "hint", "")
            if self.hello:
                pause, logged = FIRST_PAUSE, ""
            self.hello = {}
            self.attempt_failed.set()
            wait = pause * random.uniform(0.5, 1.0)  # noqa: S311  # jitter
            self._next_attempt, self.retry_at = time.monotonic() + wait, now_ms() + round(1000 * wait)
            if logged != self.reason:  # once, not for each attempt
                logged = self.reason
                log.warning("host %s: %s", self.remote.name, logged)
            await asyncio.sleep(wait)
            pause = min(2 * pause, LONGEST_PAUSE)

    async def _connect(self) -> None:
        """Open one channel and read from it until it ends."""
        async with Transport.connected(self.remote) as transport:
            self._transport = transport
            reading, hello = asyncio.create_task(self._read(transport)), asyncio.create_task(self._exchange_hello())
            try:
                await asyncio.wait({hello, reading}, return_when=asyncio.FIRST_COMPLETED)
                if hello.done():
                    self.hello = hello.result()
                    self.up.set()
                await reading
            finally:
                if self.hello:
                    self._broke_at = time.monotonic()  # before anybody can see that it is not up
                self.up.clear()
                for task in (reading, hello):
                    task.cancel()
                try:
                    await asyncio.gather(reading, hello, return_exceptions=True)
                    await transport.terminate()
                finally:  # also when this task is cancelled meanwhile
                    self._mark_broken(transport.stderr_tail or "the connection ended")

    async def _exchange_hello(self) -> Message:
        try:
            return await self._send("hello", HELLO_TIMEOUT, {"protocol": PROTOCOL, "version": __version__})
        except errors.RelayUnreachable as error:
            hint = (
                "A login shell may run in place of the shim: put its line in authorized_keys before others of this key."
            )
            raise errors.RelayUnreachable(error.message, hint=hint) from error

    async def _read(self, transport: Transport) -> None:
        async for message in transport.messages():
            if "failed" in message:
                self._on_log_failed(message["log"], str(message["failed"]))
            elif "log" in message:
                self._on_log(message["log"], message["at"], log_bytes(message))
            else:
                self._requests.settle(message)

    def _mark_broken(self, reason: str) -> None:
        self._transport, self.reason, self.hint = None, reason, ""
        self._requests.fail_all(errors.RelayUnreachable(f"the connection to {self.remote.name} broke: {reason}"))
        self._on_break()
