"""Reading the user's reply to a question of Claude's from the terminal.

Cancelling the task stops it at once, since it may be replied to elsewhere first.
"""

from __future__ import annotations

import asyncio
import os
import sys
import termios
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, TypeVar

from paliadin.cli import replies
from paliadin.cli.echo import echo

T = TypeVar("T")
JsonObject = Mapping[str, Any]


async def ask_user(interrupt: JsonObject) -> dict[str, Any]:
    """Ask the interrupt's questions; returns the body of the reply's request, without the interrupt's id."""
    termios.tcflush(sys.stdin, termios.TCIFLUSH)  # what was typed before the question was shown is no reply to it
    questions = replies.questions_of(interrupt)
    values: dict[str, replies.ReplyValue] = {}
    for question in questions:
        echo(replies.question_text(question), err=True)
        if options := question.get("options"):
            echo(replies.options_text(options), err=True)
        prompt = replies.reply_prompt(question)
        value = await _read_reply(prompt, partial(replies.parse_reply, question=question))
        if value is None:
            return {"cancel": True}
        values[str(question["question"])] = value
    return {"value": values if len(questions) > 1 else next(iter(values.values()))}


async def _read_reply(prompt: str, parse: Callable[[str], T]) -> T | None:
    """Read lines until one can be parsed; returns None at the end of the input (Ctrl-D)."""
    while True:
        echo(prompt, err=True, nl=False)
        line = await _read_line()
        if not line:
            echo(err=True)
            return None
        try:
            return parse(line)
        except replies.InvalidReply as error:
            echo(f"  {error}", err=True)


async def _read_line() -> str:
    """Read a line, which the terminal lets the user edit; empty at the end of the input."""
    loop, readable = asyncio.get_running_loop(), asyncio.Event()
    descriptor = sys.stdin.fileno()
    loop.add_reader(descriptor, readable.set)
    try:
        await readable.wait()
    finally:
        loop.remove_reader(descriptor)
    return os.read(descriptor, 65536).decode("utf-8", "replace")
