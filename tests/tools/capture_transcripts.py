"""Let the real Claude Code write a transcript, and save it with its long texts cut short.

`python -m tests.tools.capture_transcripts [npm|sdk]` writes tests/transcripts/<version>.jsonl, which
unit/test_transcript.py reads: five questions, with a tool, a subagent, and a file that is written. Run it for a new
version of Claude Code.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from paliadin.demo.scripted_api import ScriptedApi
from tests.worlds.script import play
from tests.worlds.terminal import Terminal
from tests.worlds.world import World, binaries

TRANSCRIPTS = Path(__file__).parents[1] / "transcripts"
LONGEST = 120  # characters of a text that are kept
QUESTIONS = ["scene:silent", "scene:read", "scene:helper", "scene:permission", "scene:silent"]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("which", nargs="*", default=list(binaries()))
    for name in parser.parse_args().which:
        capture(binaries()[name])


def capture(claude: Path) -> None:
    version = subprocess.run([claude, "--version"], capture_output=True, text=True, check=True).stdout.split()[0]
    api = ScriptedApi(play)
    with tempfile.TemporaryDirectory() as folder, api.running() as url:
        root = Path(folder).resolve() / "owner"
        world = World(root, claude, api, url)
        (world.workdir / "data.csv").write_text("id,state\nc47bd2,OPEN\n")
        try:
            lines = asyncio.run(converse(world)).read_text().splitlines()
        finally:
            world.close()
    TRANSCRIPTS.mkdir(exist_ok=True)
    cut = [json.dumps(shortened(json.loads(line)), ensure_ascii=False, separators=(",", ":")) for line in lines]
    text = (
        "".join(f"{line}\n" for line in cut)
        .replace(str(world.workdir), "/home/owner/office")
        .replace(str(root), "/home/owner")
    )
    (TRANSCRIPTS / f"{version}.jsonl").write_text(text)


async def converse(world: World) -> Path:
    async with Terminal.running(world) as terminal:
        for question in QUESTIONS:
            folder = await terminal.ask(f"in:{world.workdir} {question}")
        return terminal.transcript(folder)


def shortened(value: Any) -> Any:
    """The value with long texts and lists cut short."""
    if isinstance(value, str):
        return value if len(value) <= LONGEST else f"{value[:LONGEST]}…"
    if isinstance(value, list):
        return [shortened(item) for item in value[:4]]
    return {key: shortened(item) for key, item in value.items()} if isinstance(value, dict) else value


if __name__ == "__main__":
    main()
