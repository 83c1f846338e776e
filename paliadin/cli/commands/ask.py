"""The command `paliadin ask`."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Mapping
from typing import Any

import click

from paliadin.base.running_daemon import load_daemon_settings
from paliadin.base.settings import Settings
from paliadin.cli.client import DaemonClient
from paliadin.cli.turn import TerminalTurn
from paliadin.cli.turn_output import JsonPrinter, TextPrinter
from paliadin.prompt.text import MAX_RAW_MESSAGE


@click.command()
@click.argument("message", nargs=-1)
@click.option("--session", default="main", show_default=True, metavar="NAME", help="The session to ask in.")
@click.option("--json", "as_json", is_flag=True, help='Print events, one JSON object a line: {"id", "event", "data"}.')
@click.option("--route", metavar="NAME", help="Context: the page that you ask about.")
@click.option("--entity", metavar="TYPE[:ID]", help="Context: the object shown there, such as case:4711.")
@click.option("--view", metavar="MODE", help="Context: how the page shows it, such as table.")
@click.option("--filter", "filter_", metavar="TEXT", help="Context: the filter that is set there.")
@click.option("--selection", metavar="TEXT", help="Context: the text selected there.")
@click.pass_context
def ask(ctx: click.Context, /, message: tuple[str, ...], session: str, as_json: bool, **options: str | None) -> None:
    """Ask a question, and print the answer while it is written.

    The answer goes to stdout (rendered as Markdown on a terminal), the steps to stderr. Text that is piped in is added
    to MESSAGE, or is the message if that is `-` or missing. Questions of Claude's are asked here if the input is a
    terminal; otherwise they wait for your reply on the page. Permissions always do: a command that Claude runs could
    give them here. Ctrl-C stops the turn.

    \b
    paliadin ask "What is due this week?"
    git diff | paliadin ask "Review this" > review.md
    paliadin ask --json "How many open cases?" | jq -r 'select(.event == "content_delta").data.text'

    In the loop of a shell script add `</dev/null`, or the command reads the loop's input.

    Exit code: 0 answered, 1 failed or stopped elsewhere, 130 stopped by Ctrl-C.
    """
    question = {
        "session_id": session,
        "user_message": read_message(message),
        "context": build_context(options),
    }
    ctx.exit(asyncio.run(_ask(load_daemon_settings(), question, as_json)))


async def _ask(settings: Settings, question: Mapping[str, Any], as_json: bool) -> int:
    async with DaemonClient(settings) as daemon:
        interactive = not as_json and _input_is_terminal()
        printer = JsonPrinter() if as_json else TextPrinter()
        return await TerminalTurn(daemon, printer, interactive=interactive).run(question)


def read_message(words: tuple[str, ...]) -> str:
    """Join MESSAGE and the text that is piped in; raises UsageError if there is neither."""
    typed = "" if words == ("-",) else " ".join(words)
    piped = "" if _input_is_terminal() and words != ("-",) else _read_input()
    message = "\n\n".join(part for part in (typed, piped) if part.strip())
    if not message:
        raise click.UsageError('Write a question, as in: paliadin ask "What is due this week?"')
    return message


def build_context(options: Mapping[str, str | None]) -> dict[str, str]:
    """Build the request's context object from the options that are set."""
    entity_type, _, entity_id = (options["entity"] or "").partition(":")
    context = {
        "route_name": options["route"],
        "primary_entity_type": entity_type,
        "primary_entity_id": entity_id,
        "view_mode": options["view"],
        "filter_summary": options["filter_"],
        "user_selection_text": options["selection"],
    }
    return {name: text for name, text in context.items() if text}


def _input_is_terminal() -> bool:
    return sys.stdin is not None and sys.stdin.isatty()


def _read_input() -> str:
    if sys.stdin is None:  # closed, as by <&-
        return ""
    longest = 4 * MAX_RAW_MESSAGE  # bytes; the daemon refuses what is longer, and an input may have no end
    return sys.stdin.buffer.read(longest).decode("utf-8", "replace")
