"""One errand to another host, over a line of its own. A daemon that is connected to it comes back by itself."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

from paliadin import errors
from paliadin.remote import Remote
from paliadin.remote.connection import Connection

REACH = 30.0  # seconds for the first connection
AT_ONCE = 500  # turns in a request
TRIES = 3  # the daemon makes its line again, and that ends ours


@asynccontextmanager
async def connected(remote: Remote) -> AsyncIterator[Connection]:
    """Raises RelayUnreachable, in the words of ssh."""
    connection = Connection(remote, lambda *_: None)
    connection.open()
    try:
        tries = [asyncio.create_task(event.wait()) for event in (connection.up, connection.failed)]
        await asyncio.wait(tries, timeout=REACH, return_when=asyncio.FIRST_COMPLETED)
        for task in tries:
            task.cancel()
        if not connection.up.is_set():
            raise connection.trouble(again=False)
        yield connection
    finally:
        await connection.close()


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
