"""A Claude is parked once its transcript holds the last prompt: without that it would come back knowing nothing."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from paliadin.base.settings import ensure_home, load_settings
from paliadin.relays.terminal import written_prompt
from paliadin.relays.terminal.pane import Pane
from paliadin.relays.terminal.relay import TerminalRelay
from paliadin.relays.terminal.screen import Screen, State
from paliadin.relays.terminal.window import Window
from paliadin.turnlog.append import append
from tests.worlds.logs import made_turn

PROMPT = "5b953db5-f912-44f7-9bed-bf5704deeffb"
OTHER = "00000000-f912-44f7-9bed-bf5704deeffb"


class Idle(Window):
    """An idle Claude that nobody looks at; in the place of a real one in tmux."""

    ended = False

    async def look(self) -> Screen:
        return Screen(State.READY, "❯")

    async def is_attached(self) -> bool:
        return False

    async def close(self) -> None:
        self.ended = True


class Room:
    def __init__(self, root: Path) -> None:
        settings = load_settings({"PALIADIN_HOME": str(root / "home")})
        ensure_home(settings)
        environment = {"HOME": str(root)}
        self.relay = TerminalRelay(settings, environment)
        self.window = Idle(self.relay._terminal, "main")
        self.pane = Pane(settings, self.window, self.relay._plugin, environment)
        self.pane.launch.make_folders()
        self.relay._panes["main"] = self.pane
        self._turns = settings.response_dir
        project = root / ".claude" / "projects" / "-work"
        project.mkdir(parents=True)
        self.transcript = project / "7ebfcb24-bcad-45a8-865d-84ebf12c3da2.jsonl"
        self.start()

    def start(self, source: str = "startup", path: Path | None = None) -> None:
        hook = {"hook_event_name": "SessionStart", "source": source, "session_id": "c"}
        append(
            self.pane.folder / "events.jsonl",
            {"at": 1, "hook": hook | {"transcript_path": str(path or self.transcript)}},
        )

    def turn(self, prompt_id: str, *events: str) -> None:
        folder = made_turn(self._turns)
        for event in events:
            hook = {"hook_event_name": event, "prompt_id": prompt_id, "transcript_path": str(self.transcript)}
            append(folder.log.path, {"at": 5, "hook": hook})
        link = self.pane.folder / "prompts" / prompt_id
        link.symlink_to(folder.path)
        made = len(list(link.parent.iterdir()))
        os.utime(link, (made, made), follow_symlinks=False)

    def write(self, prompt_id: str) -> None:
        with self.transcript.open("a") as file:
            file.write('{"type":"user","promptId":"' + prompt_id + '","message":{"role":"user"}}\n')


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Room:
    monkeypatch.setattr(written_prompt, "PATIENCE", 0.0)
    return Room(tmp_path)


async def test_a_claude_whose_last_prompt_is_in_no_transcript_yet_is_not_parked_now(room: Room) -> None:
    room.turn(OTHER, "UserPromptSubmit", "Stop")
    room.turn(PROMPT, "UserPromptSubmit", "Stop")
    assert not await room.relay.park("main")  # there is no file
    room.write(OTHER)
    assert not await room.relay.park("main")
    assert not room.window.ended
    room.write(PROMPT)
    assert await room.relay.park("main")
    assert room.window.ended


async def test_a_prompt_that_was_taken_back_before_an_answer_began_need_not_be_there(room: Room) -> None:
    room.turn(OTHER, "UserPromptSubmit", "Stop")
    room.turn(PROMPT, "UserPromptSubmit")
    folder = (room.pane.folder / "prompts" / PROMPT).resolve()
    append(folder / "events.jsonl", {"at": 9, "step": "aborted", "by": "page"})
    room.write(OTHER)
    assert await room.relay.park("main")


async def test_after_a_clear_no_earlier_prompt_is_looked_for_in_the_new_transcript(room: Room) -> None:
    room.turn(PROMPT, "UserPromptSubmit", "Stop")
    room.start("clear", room.transcript.with_name("00000000-bcad-45a8-865d-84ebf12c3da2.jsonl"))
    assert await room.relay.park("main")
