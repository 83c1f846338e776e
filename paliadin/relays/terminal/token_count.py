"""The token count of a turn that ended without a Stop hook: the same script that the hook runs, without the wait."""

from __future__ import annotations

import asyncio
import sys

from paliadin.config import resource
from paliadin.relay.pane import Pane
from paliadin.turnlog import TurnFolder

PATIENCE = 5.0  # seconds


async def count_tokens(pane: Pane, turn: TurnFolder) -> None:
    """Append the count to the log; nothing when the prompt never arrived."""
    pane.read_conversation()
    prompt_id = turn.path / "prompt_id"
    if pane.transcript is None or not prompt_id.is_file():
        return
    script = resource("skill") / "hooks" / "usage.py"
    arguments = ["-I", "-S", str(script), pane.transcript, prompt_id.read_text("ascii"), str(turn.log)]
    process = await asyncio.create_subprocess_exec(sys.executable, *arguments)
    try:
        async with asyncio.timeout(PATIENCE):
            await process.wait()
    except TimeoutError:
        process.kill()
        await process.wait()
