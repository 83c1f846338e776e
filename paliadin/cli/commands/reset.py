"""`paliadin reset`"""

from __future__ import annotations

import asyncio

import click

from paliadin.cli.client import Daemon
from paliadin.config import Settings
from paliadin.running import find_daemon


@click.command()
@click.option("--session", default="main", show_default=True, metavar="NAME", help="The session to begin anew.")
def reset(session: str) -> None:
    """Begin a new conversation, as /clear does.

    Claude forgets what was said; the turns stay on record (`paliadin turns list`).
    """
    asyncio.run(_reset(find_daemon(), session))
    click.echo(f"A new conversation has begun in the session {session}.", err=True)


async def _reset(settings: Settings, session: str) -> None:
    async with Daemon(settings) as daemon:
        await daemon.post("reset", {"session_id": session})
