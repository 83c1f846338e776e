"""`paliadin ask`"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Mapping
from typing import Any

import click

from paliadin.cli.client import Daemon
from paliadin.cli.conversation import Conversation
from paliadin.cli.display import JsonView, PersonView
from paliadin.config import Settings
from paliadin.prompt import MAX_RAW_MESSAGE
from paliadin.running import find_daemon


@click.command()
@click.argument("message", nargs=-1)
@click.option("--session", default="main", show_default=True, metavar="NAME", help="The conversation to ask in.")
@click.option("--json", "as_json", is_flag=True, help='The events, one JSON object a line: {"id", "event", "data"}.')
@click.option("--route", metavar="NAME", help="Context: the page or view that you ask about.")
@click.option("--entity", metavar="TYPE[:ID]", help="Context: the thing on it, such as case:4711.")
@click.option("--view", metavar="MODE", help="Context: how it is shown.")
@click.option("--filter", "filter_", metavar="TEXT", help="Context: what it is narrowed to.")
@click.option("--selection", metavar="TEXT", help="Context: the text that is selected.")
@click.pass_context
def ask(ctx: click.Context, /, message: tuple[str, ...], session: str, as_json: bool, **place: str | None) -> None:
    """Ask a question; the answer comes as it is written.

    The answer goes to stdout (as Markdown on a terminal), the steps to stderr. Text that is piped in is added to
    MESSAGE, or is the message when that is `-` or missing. What Claude asks back is asked here, when the input is a
    terminal, and otherwise waits on the page. Ctrl-C stops the turn.

    \b
    paliadin ask "What is due this week?"
    git diff | paliadin ask "Review this" > review.md
    paliadin ask --json "How many open cases?" | jq -r 'select(.event == "content_delta").data.text'

    In a script's loop, give it `</dev/null`: it reads all of its input.

    Exit code: 0 answered, 1 failed or stopped elsewhere, 130 stopped by Ctrl-C.
    """
    question = {
        "session_id": session,
        "user_message": read_message(message),
        "context": context(place),
        "origin": "cli",
    }
    ctx.exit(asyncio.run(_ask(find_daemon(), question, as_json)))


async def _ask(settings: Settings, question: Mapping[str, Any], as_json: bool) -> int:
    async with Daemon(settings) as daemon:
        asks = not as_json and _typed_in()
        return await Conversation(daemon, JsonView() if as_json else PersonView(), asks=asks).run(question)


def read_message(words: tuple[str, ...]) -> str:
    """MESSAGE, and below it what is piped in; raises UsageError when there is neither."""
    typed = "" if words == ("-",) else " ".join(words)
    piped = "" if _typed_in() and words != ("-",) else _read_input()
    message = "\n\n".join(part for part in (typed, piped) if part.strip())
    if not message:
        raise click.UsageError('Write a question, as in: paliadin ask "What is due this week?"')
    return message


def context(place: Mapping[str, str | None]) -> dict[str, str]:
    """The context object of the request; only what is known."""
    kind, _, number = (place["entity"] or "").partition(":")
    named = {
        "route_name": place["route"],
        "primary_entity_type": kind,
        "primary_entity_id": number,
        "view_mode": place["view"],
        "filter_summary": place["filter_"],
        "user_selection_text": place["selection"],
    }
    return {name: text for name, text in named.items() if text}


def _typed_in() -> bool:
    return sys.stdin is not None and sys.stdin.isatty()


def _read_input() -> str:
    if sys.stdin is None:  # closed, as by <&-
        return ""
    longest = 4 * MAX_RAW_MESSAGE  # bytes; the daemon refuses what is longer, and an input may have no end
    return sys.stdin.buffer.read(longest).decode("utf-8", "replace")
