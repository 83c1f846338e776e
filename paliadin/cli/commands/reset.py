"""The command `paliadin reset`."""

from __future__ import annotations

import click

from paliadin.cli.client import DaemonClient, ask_daemon
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
    session = ask_daemon(lambda daemon: _reset(daemon, conversation))
    echo(f"Claude has forgotten what was said in {session}.", err=True)


async def _reset(daemon: DaemonClient, conversation: str) -> str:
    session = await find_id(daemon, conversation)
    await daemon.send("POST", "reset", {"session_id": session})
    return session
