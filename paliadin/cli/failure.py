"""The exception that ends a command with an error message."""

from __future__ import annotations

from typing import IO, Any

import click

from paliadin.base.errors import ConfigError, PaliadinError
from paliadin.base.terminal_text import one_line
from paliadin.cli.echo import echo


class Failure(click.ClickException):
    """Ends the command with one line on stderr, and a second one that says what to do next."""

    def __init__(self, message: str, hint: str = "", exit_code: int = 1) -> None:
        super().__init__(message)
        self.hint = hint
        self.exit_code = exit_code  # type: ignore[misc]  # click calls it a class variable, and reads the instance

    @classmethod
    def of(cls, error: PaliadinError, exit_code: int | None = None) -> Failure:
        """Convert an error; the exit code is 2 for a wrong configuration, else 1, unless given."""
        return cls(error.message, error.hint, exit_code or (2 if isinstance(error, ConfigError) else 1))

    def show(self, file: IO[Any] | None = None) -> None:  # noqa: ARG002  # click's; it is always None here
        echo(f"error: {one_line(self.message)}", err=True)
        if self.hint:
            echo(f"  → {one_line(self.hint)}", err=True)
