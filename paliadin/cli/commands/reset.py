"""The command `paliadin reset`."""

from __future__ import annotations

import asyncio

import click

from paliadin.base.running_daemon import load_daemon_settings
from paliadin.base.settings import Settings
from paliadin.cli.client import DaemonClient
from paliadin.cli.conversations import MAIN, find_id
from paliadin.cli.echo import echo


@click.command()
@click.option(
    "--conversation",
    "--session",
    default=MAIN,
    show_default=True,
    metavar="ID",
    help="The conversation, or the beginning of its id.",
)
def reset(conversation: str) -> None:
    """Make Claude forget what was said in a conversation, as /clear does.

    Its turns stay, on the page and on record. To begin another conversation beside this one: `paliadin ask --new`.
    """
    session = asyncio.run(_reset(load_daemon_settings(), conversation))
    echo(f"Claude has forgotten what was said in {session}.", err=True)


async def _reset(settings: Settings, conversation: str) -> str:
    async with DaemonClient(settings) as daemon:
        session = await find_id(daemon, conversation)
        await daemon.post("reset", {"session_id": session})
        return session
