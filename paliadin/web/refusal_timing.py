"""Lets a refusal tell nothing by the time that it takes.

What is somebody else's is looked up a little longer than what does not exist: a file is read, a row arrives. Therefore
a member gets a 404 at a whole multiple of STEP after the request came, whichever of both it was.
"""

from __future__ import annotations

import asyncio

from starlette.types import Message, Send
from starlette.types import Scope as Connection

from paliadin.web.scoped_routes import known_caller

STEP = 0.05  # seconds; looking something up takes a few milliseconds


def paced(send: Send, connection: Connection) -> Send:
    """Wrap the ASGI `send` of a request that has just come."""
    clock = asyncio.get_running_loop().time
    arrived = clock()

    async def send_paced(message: Message) -> None:
        if message["type"] == "http.response.start" and message["status"] == 404:
            caller = known_caller(connection)
            if caller and caller.is_member:
                await asyncio.sleep((arrived - clock()) % STEP)
        await send(message)

    return send_paced
