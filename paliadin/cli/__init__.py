"""The command line. Here only click is imported: the module of a command is loaded when that command runs."""

from __future__ import annotations

import errno
import importlib
import io
import sys
from collections.abc import Mapping
from typing import Any

import click

from paliadin import __version__
from paliadin.cli.failure import Failure
from paliadin.errors import PaliadinError

COMMANDS: Mapping[str, str] = {
    "up": "Run Paliadin with your own Claude Code; prints the address to open.",
    "demo": "Try it with no account and no network: a scripted model.",
    "ask": "Ask a question and read the answer here, in the terminal.",
    "reset": "Begin a new conversation, as /clear does.",
    "attach": "Open the terminal in which Claude runs.",
    "health": "How the running daemon's parts are.",
    "doctor": "Check this machine, and say what to mend.",
    "turns": "List, show, search, export and delete the turns on record.",
    "gate": "Does the assistant earn a bigger build? The verdict over four weeks.",
    "report": "The week in figures, as Markdown or JSON.",
    "migrate": "Bring the database's tables up to date, or back.",
    "remote": "Other machines whose Claude Code is asked from here.",
    "skill": "The Claude Code plugin that goes with Paliadin.",
}


class LazyGroup(click.Group):
    """A command `x` is `paliadin.cli.x:x`. Its errors end the process with one line, never with a traceback."""

    def list_commands(self, _ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, _ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command = getattr(importlib.import_module(f"paliadin.cli.{cmd_name}"), cmd_name)
        assert isinstance(command, click.Command)  # noqa: S101  # what every module of COMMANDS has
        return command

    def format_commands(self, _ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except PaliadinError as error:
            raise Failure.of(error) from error
        except OSError as error:
            if error.errno == errno.EPIPE:
                raise  # click ends quietly when a pipe's reader has gone
            raise Failure(str(error)) from error
        except (click.exceptions.Exit, click.Abort, click.ClickException):
            raise
        except Exception as error:
            if sys.flags.dev_mode:
                raise
            hint = "This is a bug in Paliadin; `python -X dev -m paliadin …` shows where."
            raise Failure(f"{type(error).__name__}: {error}", hint) from error


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, message="%(prog)s %(version)s")
def cli() -> None:
    """Your own Claude Code in a web page.

    \b
    paliadin up               start it, then open the address that it prints
    paliadin ask "What is due this week?"
    paliadin doctor           when something does not work

    Settings are environment variables PALIADIN_…, or a file that PALIADIN_CONFIG names.
    """


def main() -> None:
    """The entry point of `paliadin` and of `python -m paliadin`."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # an answer may hold what the terminal's encoding does not
    cli(prog_name="paliadin")
