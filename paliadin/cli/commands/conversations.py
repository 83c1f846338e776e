"""The commands `paliadin conversations list|new|rename|archive|unarchive|delete|restore`."""

from __future__ import annotations

from urllib.parse import quote

import click

from paliadin.base.errors import NotFound, PaliadinError
from paliadin.base.terminal_text import one_line
from paliadin.cli.client import DaemonClient, ask_daemon, send
from paliadin.cli.console import local_time, print_list
from paliadin.cli.conversations import Item, described, find, print_conversations
from paliadin.cli.echo import confirm, echo


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
    response = send("GET", "conversations", **query)
    items = sorted(response["conversations"], key=lambda item: not item.get("pinned"))
    nothing = "No conversation has these words." if words else "Nothing is archived."
    print_list(
        items,
        lambda items: print_conversations(items, response["hosts"]),
        as_json=as_json,
        if_empty=nothing if words or archived else "There is no conversation yet.",
    )


@conversations.command()
@click.option("--title", metavar="TITLE", help="Its title. Default: its first question.")
@click.option("--host", metavar="HOST", help="The machine on which Claude works. Default: this one.")
def new(title: str | None, host: str | None) -> None:
    """Make a conversation, and print its id.

    Claude knows nothing there of what was said in others, and starts with the first question.
    """
    fields = {name: value for name, value in {"title": title, "host": host}.items() if value is not None}
    session = str(send("POST", "conversations", fields)["id"])
    echo(session)
    echo(f'Ask in it: paliadin ask --conversation {session} "…"', err=True)


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
    item = ask_daemon(lambda daemon: find(daemon, conversation_id))
    if not yes:
        confirm(f"Delete {described(item)} with all its questions and answers?")
    deleted = send("DELETE", _path(item["id"]))
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
        item = send("PATCH", _path(conversation_id), {"deleted": False})
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
        return await daemon.send("PATCH", _path(item["id"]), fields)

    return ask_daemon(change)


def _path(conversation_id: object) -> str:
    return f"conversations/{quote(str(conversation_id), safe='')}"


def _echo(done: str, item: Item) -> None:
    echo(f"{done}: {described(item)}", err=True)
