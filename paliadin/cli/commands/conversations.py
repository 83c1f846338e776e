"""The commands `paliadin conversations list|new|rename|archive|unarchive|delete|restore`."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar
from urllib.parse import quote

import click

from paliadin.base.errors import NotFound, PaliadinError
from paliadin.base.running_daemon import load_daemon_settings
from paliadin.base.terminal_text import json_line, one_line
from paliadin.cli.client import DaemonClient
from paliadin.cli.conversation_list import local_time, pinned_first, print_conversations
from paliadin.cli.conversations import Item, find, title_of
from paliadin.cli.echo import confirm, echo

T = TypeVar("T")


@click.group()
def conversations() -> None:
    """List, make, rename, archive and delete conversations.

    ID is the id of a conversation, its beginning if no other id begins so, or `main`.

    \b
    paliadin conversations list --search deadline
    id=$(paliadin conversations new) && paliadin ask --conversation $id "What is due this week?"
    paliadin conversations rename k3m9 Deadlines of this week
    """


@conversations.command("list")
@click.option("--archived", is_flag=True, help="List those in the archive instead.")
@click.option("--search", "words", metavar="WORDS", help="Only those with WORDS in a title, a question or an answer.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object a line, as docs/http.md describes it.")
def list_conversations(archived: bool, words: str | None, as_json: bool) -> None:
    """List the conversations: first the pinned ones, then the one that was asked in last.

    A new one is listed once it has a question. A parked one has no Claude now, which comes back with the next question;
    one that waits for you has a permission or a question for you to reply to; one that failed ended its last turn with
    an error. A narrow terminal gets fewer columns; a pipe gets all of them, separated by tabs, with whole ids.
    """
    query = ({"archived": "1"} if archived else {}) | ({"q": words} if words else {})
    listed = _run(lambda daemon: daemon.get("conversations", **query))
    items = pinned_first(listed["conversations"])
    if as_json:
        for item in items:
            echo(json_line(item))
    elif items:
        print_conversations(items, listed["hosts"])
    else:
        nothing = "No conversation has these words." if words else "Nothing is archived."
        echo(nothing if words or archived else "There is no conversation yet.", err=True)


@conversations.command()
@click.option("--title", metavar="TITLE", help="Its title. Default: its first question.")
@click.option("--host", metavar="HOST", help="The machine on which Claude works. Default: this one.")
def new(title: str | None, host: str | None) -> None:
    """Make a conversation, and print its id.

    Claude knows nothing there of what was said in others, and starts with the first question.
    """
    fields = {name: value for name, value in {"title": title, "host": host}.items() if value is not None}
    made = str(_run(lambda daemon: daemon.post("conversations", fields))["id"])
    echo(made)
    echo(f'Ask in it: paliadin ask --conversation {made} "…"', err=True)


@conversations.command()
@click.argument("conversation_id", metavar="ID")
@click.argument("title", nargs=-1, required=True)
def rename(conversation_id: str, title: tuple[str, ...]) -> None:
    """Give a conversation another title."""
    _echo("Renamed", _change(conversation_id, title=" ".join(title)))


@conversations.command()
@click.argument("conversation_id", metavar="ID")
def archive(conversation_id: str) -> None:
    """Move a conversation out of the list; `list --archived` shows it, and you can go on with it."""
    _echo("Archived", _change(conversation_id, archived=True))


@conversations.command()
@click.argument("conversation_id", metavar="ID")
def unarchive(conversation_id: str) -> None:
    """Move a conversation back into the list."""
    _echo("Back in the list", _change(conversation_id, archived=False))


@conversations.command()
@click.argument("conversation_id", metavar="ID")
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
def delete(conversation_id: str, yes: bool) -> None:
    """Delete a conversation with all its questions and answers.

    For some seconds `paliadin conversations restore` takes it back. docs/privacy.md says what remains.
    """
    item = _run(lambda daemon: find(daemon, conversation_id))
    if not yes:
        confirm(f"Delete {_described(item)} with all its questions and answers?")
    deleted = _run(lambda daemon: daemon.delete(_path(str(item["id"]))))
    until, restoring = local_time(deleted["undo_until"], "%H:%M:%S"), f"paliadin conversations restore {item['id']}"
    _echo("Deleted", item)
    echo(f"Until {until} this takes it back: {one_line(restoring)}", err=True)


@conversations.command()
@click.argument("conversation_id", metavar="ID")
def restore(conversation_id: str) -> None:
    """Take the deletion of a conversation back, in the first seconds after it.

    ID is the whole id, as `delete` has printed it.
    """
    try:
        item = _run(lambda daemon: daemon.patch(_path(conversation_id), {"deleted": False}))
    except PaliadinError as error:
        if error.code not in {"unknown_session", "not_found"}:
            raise
        raise NotFound(
            f"there is no conversation {conversation_id!r} that could be taken back",
            hint="Give the whole id. After the time that `delete` has named, a conversation is gone.",
            code=error.code,
        ) from error
    _echo("Taken back", item)


def _change(conversation_id: str, **fields: object) -> Item:
    async def change(daemon: DaemonClient) -> Item:
        item = await find(daemon, conversation_id)
        return await daemon.patch(_path(str(item["id"])), fields)

    return _run(change)


def _path(conversation_id: str) -> str:
    return f"conversations/{quote(conversation_id, safe='')}"


def _run(action: Callable[[DaemonClient], Awaitable[T]]) -> T:
    async def run() -> T:
        async with DaemonClient(load_daemon_settings()) as daemon:
            return await action(daemon)

    return asyncio.run(run())


def _echo(done: str, item: Item) -> None:
    echo(f"{done}: {_described(item)}", err=True)


def _described(item: Item) -> str:
    return f"{one_line(str(item['id']))} ({title_of(item)})"
