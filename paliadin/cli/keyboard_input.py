"""Asks the user in the terminal. Cancelling stops it at once: someone else may answer first."""

from __future__ import annotations

import asyncio
import os
import sys
import termios
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, TypeVar

import click

from paliadin.cli import answers

T = TypeVar("T")
Json = Mapping[str, Any]


async def ask_user(interrupt: Json) -> dict[str, Any]:
    """The body for the route that takes the answer, without the interrupt's id."""
    termios.tcflush(sys.stdin, termios.TCIFLUSH)  # what was typed before the question was shown is no answer to it
    if interrupt.get("kind") == "permission":
        return await _ask_permission(interrupt)
    questions = answers.questions_of(interrupt)
    values: dict[str, answers.Value] = {}
    for question in questions:
        _say(answers.question_text(question))
        _say(answers.options_text(question.get("options") or []))
        hint = answers.how_to_answer(question, permission=False)
        value = await _until_clear(hint, partial(answers.parse_answer, question=question))
        if value is None:
            return {"cancel": True}
        values[str(question["question"])] = value
    return {"value": values if len(questions) > 1 else next(iter(values.values()))}


async def _ask_permission(interrupt: Json) -> dict[str, Any]:
    options = interrupt.get("options") or []
    _say(answers.question_text({"question": interrupt["message"]}))
    _say(answers.permission_text(interrupt))
    _say(answers.options_text(options))
    hint = answers.how_to_answer(interrupt, permission=True)
    value = await _until_clear(hint, lambda line: answers.parse_permission(line, options))
    return {"cancel": True} if value is None else {"value": value}


async def _until_clear(hint: str, parse: Callable[[str], T]) -> T | None:
    """What the typed line means; None when the input has ended (Ctrl-D)."""
    while True:
        click.echo(hint, err=True, nl=False)
        line = await _read_line()
        if not line:
            click.echo(err=True)
            return None
        try:
            return parse(line)
        except answers.Unclear as unclear:
            _say(f"  {unclear}")


async def _read_line() -> str:
    """A line from the terminal, which edits it itself; empty at the input's end."""
    loop, typed = asyncio.get_running_loop(), asyncio.Event()
    descriptor = sys.stdin.fileno()
    loop.add_reader(descriptor, typed.set)
    try:
        await typed.wait()
    finally:
        loop.remove_reader(descriptor)
    return os.read(descriptor, 65536).decode("utf-8", "replace")


def _say(text: str) -> None:
    if text:
        click.echo(text, err=True)
