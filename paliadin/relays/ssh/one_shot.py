"""Single jobs on a remote host, each over a connection of its own: a test question, the deletion of turns.

Only one shim runs for a key: such a connection breaks that of a running daemon, which then connects again.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import shlex
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager

from paliadin.base import errors
from paliadin.base.session_names import SessionName
from paliadin.base.tasks import background, wait_for_any
from paliadin.events.reducer import Reducer
from paliadin.relays.ssh.connection import Connection
from paliadin.relays.ssh.hosts import Remote
from paliadin.relays.ssh.wire_protocol import MAX_TURN_IDS
from paliadin.steps.claude_code import Translator
from paliadin.turnlog.description import Description
from paliadin.turnlog.ids import new_turn_id

CONNECT_TIMEOUT = 30.0  # seconds
ANSWER_TIMEOUT = 120.0  # seconds
ATTEMPTS = 3  # a running daemon that connects again breaks our connection


@asynccontextmanager
async def connected(
    remote: Remote, on_log: Callable[[str, int, bytes], None] = lambda *_: None
) -> AsyncIterator[Connection]:
    """Connect to the host for the length of a `with` block; raises RelayUnreachable with ssh's message."""
    connection = Connection(remote, on_log)
    async with background(connection.run()):
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(CONNECT_TIMEOUT):
                await wait_for_any(connection.up, connection.attempt_failed)
        if not connection.up.is_set():
            raise errors.RelayUnreachable(
                f"the host {remote.name} is unreachable ({connection.reason})",
                hint=connection.hint or _advice(connection.reason, remote),
            )
        yield connection


def _advice(reason: str, remote: Remote) -> str:
    """Return the next step for a person, chosen by what ssh or the host's shell wrote to stderr."""
    by_hand = shlex.join(["ssh", *remote.options, remote.destination])
    add = f"paliadin remote add {remote.name} {remote.destination} --install"
    steps = {
        "host key": f"Connect once by hand, so that ssh learns the host's key: `{by_hand}`.",
        "Permission denied": f"The key is not in ~/.ssh/authorized_keys on the host: `{add}` puts it there.",
        "not found|No such file": f"{remote.program} is not there: install it, or give its path: `{add} --shim PATH`.",
        "configuration option|missing argument|unsupported": "ssh does not know an --option: add the host again.",
        "resolve hostname": "Check the host's name. A port goes into `--option Port=2222`.",
    }
    matching = (step for pattern, step in steps.items() if re.search(pattern, reason, re.IGNORECASE))
    return next(matching, f"Try `{by_hand}` by hand. `paliadin remote remove {remote.name}` forgets the host.")


async def ask(remote: Remote, session: str, message: str) -> str:
    """Ask Claude on the host and return its answer. Only the host keeps the turn. Raises PaliadinError."""
    description = Description("", str(SessionName(session, remote.name)))
    translator, reducer, ended, rest = Translator(), Reducer(description), asyncio.Event(), b""

    def receive(_log: str, _offset: int, data: bytes) -> None:
        nonlocal rest
        *whole, rest = (rest + data).split(b"\n")
        for raw in filter(None, whole):
            for step in translator.feed(json.loads(raw)):
                reducer.feed(step)
        if reducer.ended:
            ended.set()

    turn_id = new_turn_id()
    turn = {"turn_id": turn_id, "session_id": session, "user_message": message}
    async with connected(remote, receive) as connection:
        await connection.request("submit", turn=turn)
        await connection.request("follow", turn_id=turn_id, after=0)
        try:
            async with asyncio.timeout(ANSWER_TIMEOUT):
                await ended.wait()
        except TimeoutError:
            hint = f"Look at its terminal with `paliadin attach {SessionName(session, remote.name)}`."
            message = f"Claude on {remote.name} did not finish within {ANSWER_TIMEOUT:.0f} s"
            raise errors.TurnTimedOut(message, hint=hint) from None
    if reducer.error:
        raise errors.PaliadinError(reducer.error.message, hint=reducer.error.hint, code=reducer.error.code)
    return reducer.answer_text.strip()


async def forget(remote: Remote, turn_ids: Sequence[str]) -> None:
    """Delete the turns' folders on the host; repeating it is harmless. Raises PaliadinError, such as TurnInFlight."""
    for number in range(0, len(turn_ids), MAX_TURN_IDS):
        await _forget(remote, turn_ids[number : number + MAX_TURN_IDS])


async def _forget(remote: Remote, turn_ids: Sequence[str]) -> None:
    for attempts_left in reversed(range(ATTEMPTS)):
        try:
            async with connected(remote) as connection:
                await connection.request("forget", turn_ids=list(turn_ids))
        except errors.RelayUnreachable:
            if not attempts_left:
                raise
        else:
            return
