"""Submit a question: type it, press Enter, and link its turn for the hook that reports it."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from functools import partial

from paliadin.base import errors
from paliadin.base.files import write_json
from paliadin.prompt.text import same_text
from paliadin.relays.terminal.keyboard import UNCHANGED_FOR, TypingDisturbed
from paliadin.relays.terminal.pane import Pane
from paliadin.relays.turn import Progress, Turn
from paliadin.turnlog.folder import TurnFolder

COMMAND_FILE = "command.json"  # in the session's folder: the command that is about to be typed, and its turn


async def submit(pane: Pane, turn: Turn, folder: TurnFolder, cancelled: Callable[[], bool]) -> None:
    """Submit the prompt, unless `cancelled`; raises a RelayError when Claude Code does not report that it came."""
    text, keyboard = turn.prompt, pane.keyboard
    async with pane.lock:
        if cancelled():
            return
        ready = await pane.wait_until_ready()
        keyboard.begin(text)
        with _expecting(pane, turn, folder):
            try:
                typed = await keyboard.type_text(text, ready, cancelled, UNCHANGED_FOR[0])
            except (errors.PaneDied, TypingDisturbed):  # Claude died, or the typing was disturbed: once more
                typed = await keyboard.type_text(text, await pane.wait_until_ready(), cancelled, UNCHANGED_FOR[1])
            if typed and not await keyboard.press_enter(text, partial(_is_reported, turn.progress, text)):
                raise errors.SubmitFailed("Enter was pressed, but Claude did not report the question")


@contextlib.contextmanager
def _expecting(pane: Pane, turn: Turn, folder: TurnFolder) -> Iterator[None]:
    """Link the turn in expected/ during a `with` block, where the hook finds the turn of the next prompt."""
    pane.launch.make_folders()
    expected, command = pane.folder / "expected" / turn.id, pane.folder / COMMAND_FILE
    expected.symlink_to(folder.path)  # the hook renames it to prompts/<prompt_id>
    if turn.description.command:
        write_json(command, {"turn_id": turn.id, "prompt": turn.prompt})
    try:
        yield
    finally:
        expected.unlink(missing_ok=True)
        command.unlink(missing_ok=True)


def _is_reported(progress: Progress, text: str) -> bool:
    """True once Claude Code has reported the prompt; raises SubmitFailed when it reports another text than `text`."""
    prompt = progress.prompt
    if prompt and prompt.text is not None and not same_text(text, prompt.text):
        raise errors.SubmitFailed("Claude received a different text from the one that was typed; it was stopped")
    return prompt is not None
