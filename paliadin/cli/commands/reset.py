"""The command `paliadin reset`."""

from __future__ import annotations

import asyncio

import click

from paliadin.base.running_daemon import load_daemon_settings
from paliadin.base.settings import Settings
from paliadin.cli.client import DaemonClient


@click.command()
@click.option("--session", default="main", show_default=True, metavar="NAME", help="The session to reset.")
def reset(session: str) -> None:
    """Begin a new conversation, as /clear does.

    Claude forgets the conversation so far; its turns stay on record (`paliadin turns list`).
    """
    asyncio.run(_reset(load_daemon_settings(), session))
    click.echo(f"A new conversation has begun in the session {session}.", err=True)


async def _reset(settings: Settings, session: str) -> None:
    async with DaemonClient(settings) as daemon:
        await daemon.post("reset", {"session_id": session})
