"""The way of all text to the terminal: what others wrote is shown there, and never obeyed.

Tables, Markdown and the like go through `console`, which cleans what it draws. Nothing else of the command line prints
(`tests/unit/test_cli_echo.py`).
"""

from __future__ import annotations

import codecs
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

import click

from paliadin.base.terminal_text import clean, json_line


def echo(text: str = "", *, err: bool = False, nl: bool = True) -> None:
    """Print a text on stdout, or stderr, with its control characters replaced."""
    click.echo(clean(text), err=err, nl=nl)


def echo_json(value: object) -> None:
    """Print a value as JSON, in one line."""
    echo(json_line(value))


def confirm(question: str) -> None:
    """Ask on stderr whether to go on; a no ends the command."""
    click.confirm(clean(question), abort=True, err=True)


class ByteOutput(Protocol):
    """A file for bytes, or a terminal that shows them as clean text."""

    def write(self, piece: bytes, /) -> object:
        """Write the next bytes."""


@contextmanager
def byte_output() -> Iterator[ByteOutput]:
    """Yield stdout for bytes that others wrote: a file or a pipe gets them exactly, a terminal gets clean text."""
    if not sys.stdout.isatty():
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    with clean_output() as output:
        yield output


@contextmanager
def clean_output(*, err: bool = False) -> Iterator[ByteOutput]:
    """Yield stdout, or stderr, for bytes that are shown as clean text wherever they go."""
    output = _CleanOutput(err=err)
    yield output
    output.finish()


class _CleanOutput:
    """Decodes and cleans what is written; a character or a line end that is cut in two stays one."""

    def __init__(self, *, err: bool) -> None:
        self._err = err
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._held = ""  # half of a line end
        self._last = "\n"

    def write(self, piece: bytes, /) -> None:
        text = self._held + self._decoder.decode(piece)
        self._held = "\r" if text.endswith("\r") else ""
        self._print(text.removesuffix("\r"))

    def finish(self) -> None:
        """Print what was held back, and end the last line."""
        self._print(self._held + self._decoder.decode(b"", final=True))
        if self._last != "\n":
            echo(err=self._err)

    def _print(self, text: str) -> None:
        if text:
            self._last = text[-1]
            echo(text, err=self._err, nl=False)
