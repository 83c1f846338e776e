"""The command line.

This module imports little besides click; a command's module is imported when that command runs.
"""

from __future__ import annotations

import errno
import importlib
import io
import logging
import os
import sys
from typing import Any

import click

from paliadin import __version__, parts
from paliadin.base.errors import PaliadinError
from paliadin.base.terminal_text import LineFormatter, one_line
from paliadin.cli.commands import ALIASES, CORE, Places
from paliadin.cli.failure import Failure


class LazyGroup(click.Group):
    """A group of commands that are imported when they are needed.

    An error in a command ends the process with an error line and a hint instead of a traceback.
    """

    def __init__(self, *args: Any, places: Places, **options: Any) -> None:
        super().__init__(*args, **options)
        self.places = places

    def list_commands(self, _ctx: click.Context) -> list[str]:
        return list(self.places)

    def get_command(self, _ctx: click.Context, cmd_name: str) -> click.Command | None:
        name = ALIASES.get(cmd_name, cmd_name)
        if name not in self.places:
            return None
        command = getattr(importlib.import_module(self.places[name][0]), name)
        assert isinstance(command, click.Command)  # noqa: S101  # each of these modules has a command of its name
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Do as click does, but look for similar names without importing any command."""
        try:
            return super().resolve_command(ctx, args)
        except click.exceptions.NoSuchCommand as error:
            raise click.exceptions.NoSuchCommand(error.command_name, possibilities=self.places, ctx=ctx) from None

    def format_commands(self, _ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in self.places.items()])

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except PaliadinError as error:
            raise Failure.of(error) from error
        except OSError as error:
            if error.errno == errno.EPIPE:
                raise  # click exits quietly when the reader of a pipe has gone
            raise _os_failure(error) from error
        except click.exceptions.NoArgsIsHelpError:
            raise  # its message is the whole help
        except click.ClickException as error:
            # click quotes arguments as they are, and they may be names of files.
            error.message = one_line(error.message)  # type: ignore[misc]  # click never changes it
            raise
        except (click.exceptions.Exit, click.Abort):
            raise
        except Exception as error:
            if sys.flags.dev_mode:
                raise
            hint = "This is a bug in Paliadin: `python -X dev -m paliadin …` prints the traceback."
            raise Failure(f"{type(error).__name__}: {error}", hint) from error


def _os_failure(error: OSError) -> Failure:
    if error.filename is None:
        return Failure(str(error))
    expected = isinstance(error, FileNotFoundError | PermissionError)
    hint = "Check that it exists and that you may use it; `paliadin doctor` checks the rest." if expected else ""
    return Failure(f"cannot use {os.fsdecode(error.filename)}: {error.strerror}", hint)


@click.group(
    cls=LazyGroup,
    places={**CORE, **parts.commands()},
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, message="%(prog)s %(version)s")
def cli() -> None:
    """Your own Claude Code in a web page.

    \b
    paliadin up               start the daemon, then open the address that it prints
    paliadin ask "What is due this week?"
    paliadin doctor           find out why something does not work

    Settings are environment variables named PALIADIN_…, or lines of the file that PALIADIN_CONFIG names.
    """


def main() -> None:
    """Run the command line: the entry point of `paliadin` and of `python -m paliadin`."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # an answer may hold characters that the terminal's encoding lacks
    if logging.lastResort:  # the log of a command that sets up none
        logging.lastResort.setFormatter(LineFormatter())
    cli(prog_name="paliadin")
