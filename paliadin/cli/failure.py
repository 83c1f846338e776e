"""How a command ends when it cannot do what it was asked to."""

from __future__ import annotations

from typing import IO, Any

import click

from paliadin.cli.text import one_line
from paliadin.errors import ConfigError, PaliadinError


class Failure(click.ClickException):
    """One line on stderr, and one with what to do next."""

    def __init__(self, message: str, hint: str = "", exit_code: int = 1) -> None:
        super().__init__(message)
        self.hint = hint
        self.exit_code = exit_code  # type: ignore[misc]  # click calls it a class variable, and reads the instance

    @classmethod
    def of(cls, error: PaliadinError, exit_code: int | None = None) -> Failure:
        """Exit code 2 for a wrong configuration, 1 for the rest."""
        return cls(error.message, error.hint, exit_code or (2 if isinstance(error, ConfigError) else 1))

    def show(self, file: IO[Any] | None = None) -> None:
        click.echo(f"error: {one_line(self.message)}", file=file, err=True)
        if self.hint:
            click.echo(f"  → {one_line(self.hint)}", file=file, err=True)
