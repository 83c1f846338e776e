"""The command `paliadin ask`."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import click

from paliadin.base.errors import PaliadinError
from paliadin.cli.asked_turn import TerminalTurn
from paliadin.cli.client import DaemonClient, ask_daemon
from paliadin.cli.conversations import MAIN, find_id
from paliadin.cli.turn_printer import JsonPrinter, TextPrinter, TurnPrinter
from paliadin.prompt.text import MAX_RAW_MESSAGE


@click.command()
@click.argument("message", nargs=-1)
@click.option(
    "--conversation",
    "--session",
    metavar="ID",
    help="The conversation to ask in, or the beginning of its id. Default: main.",
)
@click.option("--new", is_flag=True, help="Make a conversation, and ask in it.")
@click.option("--wait", is_flag=True, help="If a turn is running there, ask when it has ended; Ctrl-C withdraws it.")
@click.option(
    "--attach",
    "files",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False, readable=True, path_type=Path),
    metavar="FILE",
    help="A file that goes with the question; for several, give the option several times.",
)
@click.option("--as-text", is_flag=True, help="A question that begins with `/` is no command, but text.")
@click.option("--json", "as_json", is_flag=True, help='Print events, one JSON object a line: {"id", "event", "data"}.')
@click.option("--evidence", is_flag=True, help="Say of each fact of the answer which tool's result holds it.")
@click.option("--route", metavar="NAME", help="Context: the page that you ask about.")
@click.option("--entity", metavar="TYPE[:ID]", help="Context: the object shown there, such as case:4711.")
@click.option("--view", metavar="MODE", help="Context: how the page shows it, such as table.")
@click.option("--filter", "filter_", metavar="TEXT", help="Context: the filter that is set there.")
@click.option("--selection", metavar="TEXT", help="Context: the text selected there.")
@click.pass_context
def ask(
    ctx: click.Context,
    /,
    message: tuple[str, ...],
    *,
    conversation: str | None,
    new: bool,
    wait: bool,
    files: tuple[Path, ...],
    as_text: bool,
    as_json: bool,
    evidence: bool,
    **options: str | None,
) -> None:
    """Ask a question, and print the answer while it is written.

    The answer goes to stdout (rendered as Markdown on a terminal), the steps to stderr. Text that is piped in is added
    to MESSAGE, or is the message if that is `-` or missing. Questions of Claude's are asked here if the input is a
    terminal; otherwise they wait for your reply on the page. Permissions always do: a command that Claude runs could
    give them here. Ctrl-C stops the turn.

    Facts that were not found in anything Claude looked up are listed below the answer. They may be right all the same.

    \b
    paliadin ask "What is due this week?"
    paliadin ask --attach plan.pdf --attach photo.png "Do these agree?"
    git diff | paliadin ask --new "Review this" > review.md
    paliadin ask --json "How many open cases?" | jq -r 'select(.event == "content_delta").data.text'

    In the loop of a shell script add `</dev/null`, or the command reads the loop's input.

    Exit code: 0 answered, 1 failed or stopped elsewhere, 130 stopped by Ctrl-C.
    """
    if new and conversation:
        raise click.UsageError("Give either --conversation or --new, not both.")
    question: dict[str, Any] = {
        "user_message": read_message(message, is_needed=not files),
        "context": build_context(options),
    }
    if wait:
        question["queue"] = True
    if as_text:
        question["as_text"] = True
    printer = JsonPrinter() if as_json else TextPrinter(evidence=evidence)
    where = None if new else conversation or MAIN
    ctx.exit(ask_daemon(lambda daemon: _ask(daemon, question, where, files, printer)))


async def _ask(
    daemon: DaemonClient,
    question: Mapping[str, Any],
    conversation: str | None,
    files: Sequence[Path],
    printer: TurnPrinter,
) -> int:
    """Ask in the conversation, or (None) in a new one; returns the exit code."""
    turn = TerminalTurn(daemon, printer, interactive=not isinstance(printer, JsonPrinter) and _input_is_terminal())
    session = MAIN if conversation is None else await find_id(daemon, conversation)
    async with attached(daemon, session, files, lambda: turn.is_asked) as names:
        printer.attached = names
        question = {**question, "attachments": list(names)} if names else question
        if conversation is None:
            return await _ask_in_new(daemon, printer, turn, question)
        try:
            return await turn.run({"session_id": session, **question})
        except PaliadinError as error:
            if error.code in {"unknown_command", "terminal_command"}:
                error.hint = "`--as-text` asks it as a question; on the page, `/` lists the commands."
            if error.code == "turn_in_flight" and not turn.is_asked:
                error.hint += " `--wait` asks when it has ended."
            raise


async def _ask_in_new(
    daemon: DaemonClient, printer: TurnPrinter, turn: TerminalTurn, question: Mapping[str, Any]
) -> int:
    """Make a conversation and ask in it; it is removed again if the daemon does not take the question."""
    session = str((await daemon.send("POST", "conversations", {}))["id"])
    try:
        return await turn.run({"session_id": session, **question})
    except PaliadinError:
        if not turn.is_asked:
            with contextlib.suppress(PaliadinError):
                await daemon.send("DELETE", f"conversations/{session}")
        raise
    finally:
        if turn.is_asked:
            printer.note(f'A new conversation; go on in it with: paliadin ask --conversation {session} "…"')


@asynccontextmanager
async def attached(
    daemon: DaemonClient, session: str, files: Sequence[Path], is_asked: Callable[[], bool]
) -> AsyncIterator[dict[str, str]]:
    """Send the files that go with a question to the daemon; yields their ids, with the name of each.

    If an error ends the block before the question is asked, they are deleted. Raises PaliadinError, also for a file
    that cannot be read.
    """
    names: dict[str, str] = {}
    try:
        for path in files:
            try:
                with path.open("rb") as source:
                    attachment = await daemon.upload("attachments", path.name, source, session_id=session)
            except OSError as error:
                raise PaliadinError(f"{path} cannot be read: {error.strerror}", code="unreadable_file") from error
            except PaliadinError as error:
                message = error.message if path.name in error.message else f"{path.name}: {error.message}"
                raise PaliadinError(message, hint=error.hint, code=error.code) from error
            names[str(attachment["id"])] = path.name
        yield names
    except BaseException:
        for each in () if is_asked() else names:
            with contextlib.suppress(PaliadinError):
                await daemon.send("DELETE", f"attachments/{each}")
        raise


def read_message(words: tuple[str, ...], *, is_needed: bool) -> str:
    """Join MESSAGE and the text that is piped in; raises UsageError if there is neither and one is needed."""
    typed = "" if words == ("-",) else " ".join(words)
    piped = "" if _input_is_terminal() and words != ("-",) else _read_input()
    message = "\n\n".join(part for part in (typed, piped) if part.strip())
    if not message and is_needed:
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
