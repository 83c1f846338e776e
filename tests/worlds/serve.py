"""Runs the daemon for a test and prints its address.

`python -m tests.worlds.serve {"settings": {...}, "environment": {...}}`

`"scripted": true` has the public fake relay play the turns (tests/worlds/typed_play.py), with no Claude Code.
`"played": true` has the scripted model's scenes played without Claude Code (tests/worlds/played.py).
`"file_tools": true` gives the messages relay tools that read files (tests/worlds/file_tools.py).
`"constants": {"web.body.BODY_TIMEOUT": 4}` gives constants of the package other values: shorter waits.
`"die": "<point>"` lets it kill itself, as SIGKILL does, the first time that it comes to this point of a turn.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib
import json
import logging
import os
import signal
import sys
from collections.abc import Mapping, Sequence
from typing import Any

from paliadin.base import umask
from paliadin.base.settings import Settings, load_settings
from paliadin.daemon import serve
from paliadin.parts.messages.carrier import LocalCarrier
from paliadin.parts.messages.relay import MessagesRelay
from paliadin.record.recorder import Recorder
from paliadin.relays.protocol import OwnRelay
from paliadin.relays.scripted import ScriptedRelay
from paliadin.relays.terminal import process_state
from paliadin.relays.terminal.relay import TerminalRelay
from paliadin.relays.terminal.tmux import TmuxServer
from paliadin.turns.carrying import Carrying
from paliadin.turns.queue import Queues
from tests.worlds.file_tools import UNLIMITED, FileTools
from tests.worlds.played import PlayedRelay
from tests.worlds.typed_play import play

# Point → what is called there, with which argument among its own, and whether it dies before or after the call.
POINTS: dict[str, tuple[object, str, str | None, bool]] = {
    "before typing": (TmuxServer, "type", None, True),
    "between typing and Enter": (TmuxServer, "press", "Enter", True),
    "just after Enter": (TmuxServer, "press", "Enter", False),
    "before Escape": (TmuxServer, "press", "Escape", True),
    "just after Escape": (TmuxServer, "press", "Escape", False),
    "just after Claude was told to end": (process_state, "terminate", None, False),
    "just after the Claude of b was started": (TmuxServer, "start", "b", False),
    "before the window is closed": (TmuxServer, "close_window", None, True),
    "after Stop, before the row": (Recorder, "finish", None, True),
    "before the next question's turn": (Carrying, "_begin_queued", None, True),
    "before the next question leaves the queue": (Queues, "note_begun", None, True),
}


def die_at(point: str) -> None:
    owner, name, argument, before = POINTS[point]
    original = getattr(owner, name)

    def dying(self: Any, *arguments: Any, **options: Any) -> Any:
        mine = argument is None or argument in arguments
        if mine and before:
            os.kill(os.getpid(), signal.SIGKILL)
        result = original(self, *arguments, **options)
        if mine:
            os.kill(os.getpid(), signal.SIGKILL)
        return result

    setattr(owner, name, dying)


def set_constant(path: str, value: float) -> None:
    """Give a constant another value, in every module that has imported it."""
    module, _, name = path.rpartition(".")
    before = getattr(importlib.import_module(f"paliadin.{module}"), name)
    for known, each in list(sys.modules.items()):
        if known.startswith("paliadin.") and getattr(each, name, None) is before:
            setattr(each, name, value)


def own_relays(plan: Mapping[str, Any], settings: Settings) -> Sequence[OwnRelay] | None:
    """The relays of a test: the public fake, or the messages relay with tools for files; None: the daemon's own."""
    if plan.get("played"):
        return [PlayedRelay(plan["environment"]["ANTHROPIC_BASE_URL"], settings.workdir)]
    if plan.get("scripted"):
        return [ScriptedRelay(play)]
    if plan.get("file_tools"):
        carrier = LocalCarrier(settings, FileTools(), UNLIMITED.own_key)
        terminal = TerminalRelay(settings, plan["environment"])
        return [terminal, MessagesRelay(settings, carrier, UNLIMITED)]
    return None


def run(plan: Mapping[str, Any]) -> None:
    """Be the daemon, until it is told to end."""
    logging.basicConfig(level=logging.INFO, stream=sys.stderr)
    if plan.get("die"):
        die_at(plan["die"])
    for path, value in plan.get("constants", {}).items():
        set_constant(path, value)
    settings = load_settings(plan["settings"])
    umask.make_private()  # as paliadin.daemon.run
    with contextlib.suppress(asyncio.CancelledError):
        asyncio.run(
            serve(
                settings,
                announce=lambda url: print(url, flush=True),  # noqa: T201  # read by tests/worlds/world.py
                environment=plan["environment"],
                own_relays=own_relays(plan, settings),
            )
        )


if __name__ == "__main__":
    run(json.loads(sys.argv[1]))
