"""One errand to another host, over a line of its own. A daemon that is connected to it comes back by itself."""

from __future__ import annotations

import asyncio
import json
import re
import shlex
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager

from paliadin import errors
from paliadin.reduce import Reducer
from paliadin.remote import Remote
from paliadin.remote.connection import Connection
from paliadin.turnlog import new_turn_id

REACH = 30.0  # seconds for the first connection
ANSWER = 120.0  # seconds
AT_ONCE = 500  # turns in a request
TRIES = 3  # the daemon makes its line again, and that ends ours


@asynccontextmanager
async def connected(
    remote: Remote, on_log: Callable[[str, int, bytes], None] = lambda *_: None
) -> AsyncIterator[Connection]:
    """Raises RelayUnreachable, in the words of ssh."""
    connection = Connection(remote, on_log)
    connection.open()
    try:
        tries = [asyncio.create_task(event.wait()) for event in (connection.up, connection.failed)]
        await asyncio.wait(tries, timeout=REACH, return_when=asyncio.FIRST_COMPLETED)
        for task in tries:
            task.cancel()
        if not connection.up.is_set():
            raise errors.RelayUnreachable(
                f"the host {remote.name} is unreachable ({connection.why})",
                hint=connection.hint or advice(connection.why, remote),
            )
        yield connection
    finally:
        await connection.close()


def advice(why: str, remote: Remote) -> str:
    """What to do about what ssh, or the shell there, said."""
    by_hand = shlex.join(["ssh", *remote.options, remote.destination])
    add = f"paliadin remote add {remote.name} {remote.destination} --install"
    known = {
        "host key": f"Connect once by hand, so that ssh knows the host: `{by_hand}`.",
        "Permission denied": f"Its key is not in ~/.ssh/authorized_keys there (yet): `{add}` puts it there.",
        "not found|No such file": f"{remote.program} is not there: install it, or say where, `{add} --shim PATH`.",
        "configuration option|missing argument|unsupported": "ssh does not know an --option of it: add the host again.",
        "resolve hostname": "Is the name right? A port goes into `--option Port=2222`.",
    }
    found = (told for said, told in known.items() if re.search(said, why, re.IGNORECASE))
    return next(found, f"Try `{by_hand}` yourself. `paliadin remote remove {remote.name}` forgets the host.")


async def ask(remote: Remote, session: str, message: str) -> str:
    """The answer to a question that is a turn there, and none here; raises PaliadinError."""
    here = {"session_id": f"{session}@{remote.name}"}
    reducer, ended, rest = Reducer(here), asyncio.Event(), b""

    def take(_log: str, _offset: int, data: bytes) -> None:
        nonlocal rest
        *whole, rest = (rest + data).split(b"\n")
        for raw in filter(None, whole):
            reducer.feed(json.loads(raw))
        if reducer.ended:
            ended.set()

    turn_id = new_turn_id()
    turn = {"turn_id": turn_id, "session_id": session, "user_message": message}
    async with connected(remote, take) as connection:
        await connection.request("submit", turn=turn)
        await connection.request("follow", turn_id=turn_id, after=0)
        try:
            async with asyncio.timeout(ANSWER):
                await ended.wait()
        except TimeoutError:
            raise errors.RelayUnreachable(f"{remote.name} gave no answer within {ANSWER:.0f} s") from None
    if reducer.error:
        told = {key: str(reducer.error.get(key) or "") for key in ("message", "hint", "code")}
        raise errors.PaliadinError(told["message"], hint=told["hint"], code=told["code"])
    return reducer.response.strip()


async def forget(remote: Remote, turn_ids: Sequence[str]) -> None:
    """Delete the turns' folders there; what is gone already is no error, so it may be asked for again."""
    for number in range(0, len(turn_ids), AT_ONCE):
        await _forget(remote, turn_ids[number : number + AT_ONCE])


async def _forget(remote: Remote, turn_ids: Sequence[str]) -> None:
    for left in reversed(range(TRIES)):
        try:
            async with connected(remote) as connection:
                await connection.request("forget", turn_ids=list(turn_ids))
        except errors.RelayUnreachable:
            if not left:
                raise
        else:
            return
