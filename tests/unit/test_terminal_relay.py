from __future__ import annotations

import asyncio
import json
import time
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import AsyncMock

import pytest

from paliadin.base import errors
from paliadin.base.settings import Settings
from paliadin.relays.terminal.aborted_turn import stop_claude
from paliadin.relays.terminal.claude_version import OLDEST
from paliadin.relays.terminal.composer import holds_rest
from paliadin.relays.terminal.pane import Pane
from paliadin.relays.terminal.relay import TerminalRelay
from paliadin.relays.terminal.screen import DIALOGS, Screen, State
from paliadin.relays.terminal.session_reports import SessionReports
from paliadin.relays.terminal.turn_transcript import TurnTranscript
from paliadin.relays.terminal.turn_watch import LATE_COUNT, TurnWatcher
from paliadin.relays.terminal.window import Window
from paliadin.steps.model import Aborted, Failed
from paliadin.turnlog.append import append
from paliadin.turnlog.folder import TurnFolder
from paliadin.turnlog.ids import new_turn_id, now_ms
from tests.worlds.logs import followed, logged, made_turn, turn_in, write


async def watch(pane: Pane, folder: TurnFolder, relay: TerminalRelay) -> None:
    turn = turn_in(folder)
    async with followed(turn):
        await TurnWatcher(pane, turn, folder, relay._settings, TurnTranscript(turn.id, None)).run()


class Idle(Window):
    """An idle Claude: whatever is typed is kept."""

    typed: str = ""
    screen = Screen(State.READY, "❯")
    looks = 0

    async def look(self) -> Screen:
        self.looks += 1
        return self.screen

    async def take(self, text: str, *_: object) -> bool:
        """Stands for Keyboard.type_text."""
        self.typed = text
        return False


def idle_in(relay: TerminalRelay) -> Idle:
    window = relay._panes["main"].window
    assert isinstance(window, Idle)
    return window


@pytest.fixture
def relay(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> TerminalRelay:
    monkeypatch.setattr("paliadin.relays.terminal.turn_watch.LOOK_EVERY", 0.01)
    relay = TerminalRelay(settings)
    relay._version.get = AsyncMock(return_value=OLDEST)  # type: ignore[method-assign]  # no program is asked
    window = Idle(relay._terminal, "main")
    pane = relay._panes["main"] = Pane(settings, window, relay._plugin)
    pane.keyboard.type_text = window.take  # type: ignore[method-assign]
    return relay


@pytest.mark.parametrize("stopped", [True, False])
async def test_a_turn_that_was_stopped_before_the_keyboard_was_free_is_never_typed(
    relay: TerminalRelay, stopped: bool
) -> None:
    turn = made_turn(relay._settings.response_dir, user_message="hello")
    asked = turn_in(turn)
    async with followed(asked):
        if stopped:
            await relay.abort(asked)  # wins the race for the keyboard
        else:
            turn.log.append(Aborted(now_ms()))  # ends the watching
        await relay.submit(asked)
    assert idle_in(relay).typed == ("" if stopped else asked.prompt)


async def test_one_that_is_newer_than_the_tested_ones_is_named_at_the_start_and_where_a_question_does_not_arrive(
    relay: TerminalRelay, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    relay._version.get = AsyncMock(return_value=(9, 0, 1))  # type: ignore[method-assign]
    monkeypatch.setattr(relay._parking, "park_quiet_ones", AsyncMock())
    async with relay.running():
        async with asyncio.timeout(5):
            while not caplog.text:
                await asyncio.sleep(0.01)
    assert "Claude Code 9.0.1 is newer than" in caplog.text
    monkeypatch.setattr(
        "paliadin.relays.terminal.relay.submit", AsyncMock(side_effect=errors.SubmitFailed("Enter was pressed"))
    )
    turn = made_turn(relay._settings.response_dir, user_message="hello")
    asked = turn_in(turn)
    async with followed(asked):
        await relay.submit(asked)
    [end] = [step for step in turn.log.read() if isinstance(step, Failed)]
    assert end.code == "submit_failed"
    assert end.message.startswith("Enter was pressed; Claude Code 9.0.1 is newer than")


async def test_nothing_is_typed_into_a_claude_code_that_is_too_old_and_all_say_so(relay: TerminalRelay) -> None:
    relay._version.get = AsyncMock(return_value=(2, 1, 191))  # type: ignore[method-assign]
    turn = made_turn(relay._settings.response_dir, user_message="hello")
    asked = turn_in(turn)
    async with followed(asked):
        await relay.submit(asked)
    for command in (relay.reset, relay.compact):
        with pytest.raises(errors.ClaudeTooOld):
            await command("main")
    assert idle_in(relay).typed == ""
    [end] = [step for step in turn.log.read() if isinstance(step, Failed)]
    state = await relay.state("main")
    assert (end.code, state.state, state.ok) == ("claude_too_old", "claude_too_old", False)
    assert end.message == state.message == "Claude Code 2.1.191 is too old for Paliadin, which needs 2.1.196 or newer"
    assert end.hint == state.hint == errors.ClaudeTooOld.default_hint


async def test_a_claude_that_runs_since_before_its_program_was_updated_is_ended_when_it_reports_no_question(
    relay: TerminalRelay, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pane = relay._panes["main"]
    transcript = tmp_path / ".claude/projects/-work" / f"{uuid.uuid4()}.jsonl"
    transcript.parent.mkdir(parents=True)
    relay._environment = {"HOME": str(tmp_path)}
    transcript.write_text(json.dumps({"version": "2.1.191", "timestamp": "2027-01-15T08:00:00Z"}))
    ended, failure = AsyncMock(), errors.SubmitFailed("Enter was pressed, but Claude did not report the question")
    monkeypatch.setattr("paliadin.relays.terminal.relay.submit", AsyncMock(side_effect=failure))
    monkeypatch.setattr(pane, "end", ended)
    codes = []
    for pane.reports.transcript in (None, str(transcript)):
        turn = made_turn(relay._settings.response_dir, user_message="hello")
        asked = turn_in(turn)
        async with followed(asked):
            await relay.submit(asked)
        codes += [step.code for step in turn.log.read() if isinstance(step, Failed)]
    assert codes == ["submit_failed", "claude_outdated"]
    assert ended.await_count == 1


async def test_that_claude_code_is_newer_than_any_tested_one_is_said_beside_that_it_is_ready(
    relay: TerminalRelay, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(SessionReports, "hooks_seen", True)
    relay._login = (float("inf"), True)
    assert (await relay.state("main")).message == "Claude is ready"
    relay._version.get = AsyncMock(return_value=(9, 0, 1))  # type: ignore[method-assign]
    state = await relay.state("main")
    assert (state.ok, state.message.partition(" than ")[0]) == (True, "Claude is ready; Claude Code 9.0.1 is newer")


@pytest.mark.parametrize(("last", "state"), [("a question of ours", "ready"), ("", "draft"), ("another one", "draft")])
async def test_a_question_of_ours_that_came_back_late_is_nobodys_draft(
    relay: TerminalRelay, last: str, state: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(SessionReports, "hooks_seen", True)
    relay._login = (float("inf"), True)
    relay._panes["main"].keyboard._last_typed = last
    idle_in(relay).screen = Screen(State.DRAFT, "❯ a question of ours", "a question of ours")
    assert (await relay.state("main")).state == state


OURS = f"[PALIADIN:019a2b3c-4d5e-7f60-8123-456789abcdef] {' '.join(f'word{number}' for number in range(400))}"
LEFT = [
    (Screen(State.DRAFT, "", OURS[:300]), True),
    (Screen(State.DRAFT, "", OURS[700:1400], scrolled=True), True),
    (Screen(State.DRAFT, "", f"{OURS[:300]}[Pasted text\n#1 +12 lines]{OURS[900:950]}"), True),
    (Screen(State.DRAFT, "", f"{OURS[700:1400]}[...Truncated text #1 +3 lines...]", scrolled=True), True),
    (Screen(State.DRAFT, "", f"{OURS[:300]}[Pasted text #1 +12 lines] and mine"), False),
    (Screen(State.DRAFT, "", f"{OURS[:300]} and mine"), False),
    (Screen(State.DRAFT, "", f"mine {OURS[700:1400]}", scrolled=True), False),
    (Screen(State.DRAFT, "", "[Pasted text #1 +12 lines]"), False),
    (Screen(State.DRAFT, "", "word 1 word 2 word 3 word 4"), False),
]


@pytest.mark.parametrize(("screen", "ours"), LEFT)
def test_what_is_left_of_a_question_is_told_from_what_the_owner_types(screen: Screen, ours: bool) -> None:
    assert holds_rest(screen, OURS) is ours


@pytest.mark.parametrize("seen", [State.DRAFT, State.DIALOG, State.PERMISSION])
async def test_while_keys_are_pressed_or_a_turn_runs_a_draft_is_nobodys(relay: TerminalRelay, seen: State) -> None:
    pane = relay._panes["main"]
    relay._login = (float("inf"), True)
    idle_in(relay).screen = Screen(seen, "half drawn", "half")
    still_seen = {str(seen)}
    async with pane.lock:
        assert (await relay.state("main")).state == ("permission" if seen is State.PERMISSION else "busy")
    pane.running_turns = 1
    assert {(await relay.state("main")).state} == ({"busy"} if seen is State.DRAFT else still_seen)
    pane.running_turns = 0
    assert {(await relay.state("main")).state} == still_seen


@pytest.mark.parametrize("seen", sorted(DIALOGS))
async def test_a_frame_that_looks_like_a_dialog_is_not_reported_while_a_turn_runs(
    relay: TerminalRelay, seen: State, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As Claude draws the conversation with a long question, after Enter."""
    pane = relay._panes["main"]
    relay._login = (float("inf"), True)
    frames = [Screen(seen, "half drawn"), Screen(State.BUSY, "drawn")]
    monkeypatch.setattr(pane.window, "look", AsyncMock(side_effect=frames))
    pane.running_turns = 1
    assert (await relay.state("main")).state == "busy"


class Deaf(Window):
    """A Claude that swallows some of the Enters that it gets."""

    draft = ""
    swallows = 0

    def __init__(self, relay: TerminalRelay) -> None:
        super().__init__(relay._terminal, "main")
        self.pane = Pane(relay._settings, self, relay._plugin)
        self.keyboard = self.pane.keyboard

    async def look(self) -> Screen:
        return Screen(State.DRAFT, f"❯ {self.draft}", self.draft) if self.draft else Screen(State.READY, "❯")

    async def type(self, text: str) -> None:
        self.draft += text

    async def press(self, *keys: str) -> None:
        if keys == ("Enter",) and self.swallows:
            self.swallows -= 1
            return
        if keys == ("Enter",):
            start = {"hook_event_name": "SessionStart", "session_id": "a", "transcript_path": "b"}
            append(self.pane.folder / "events.jsonl", {"hook": start})
        self.draft = ""


@pytest.fixture
def deaf(relay: TerminalRelay, monkeypatch: pytest.MonkeyPatch) -> Deaf:
    monkeypatch.setattr("paliadin.relays.terminal.keyboard.ENTER_TIMEOUT", 0.05)
    window = Deaf(relay)
    window.pane.folder.mkdir()
    relay._panes["main"] = window.pane
    return window


async def test_a_reset_presses_enter_again_when_it_was_swallowed(relay: TerminalRelay, deaf: Deaf) -> None:
    deaf.swallows = 1
    await relay.reset("main")
    assert (deaf.draft, deaf.pane.reports.starts) == ("", 1)


async def test_a_reset_that_failed_leaves_nothing_in_the_composer(
    relay: TerminalRelay, deaf: Deaf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("paliadin.relays.terminal.keyboard.PROOF_TIMEOUT", 0.3)
    deaf.swallows = 9
    with pytest.raises(errors.SubmitFailed, match="did not report that it has run /clear"):
        await relay.reset("main")
    assert deaf.draft == ""


class Hanging(Deaf):
    """tmux hangs when Enter is pressed; it presses it all the same, at once or much later."""

    late = False

    async def look(self) -> Screen:
        if self.late and self.draft:
            raise errors.TmuxUnresponsive("tmux does not respond")
        return await super().look()

    async def press(self, *keys: str) -> None:
        assert keys == ("Enter",)
        if not self.late:
            await super().press(*keys)
        raise errors.TmuxUnresponsive("tmux does not respond")


@pytest.mark.parametrize("late", [False, True])
async def test_an_enter_that_may_have_been_pressed_while_tmux_hung_is_waited_for(
    relay: TerminalRelay, deaf: Deaf, monkeypatch: pytest.MonkeyPatch, late: bool
) -> None:
    monkeypatch.setattr("paliadin.relays.terminal.keyboard.PROOF_TIMEOUT", 0.3 if late else 20.0)
    window = Hanging(relay)
    window.draft, window.late = "hello", late
    if late:
        with pytest.raises(errors.TmuxUnresponsive, match="may still get the question"):
            await window.keyboard.press_enter("hello", lambda: window.pane.reports.read().starts > 0)
    else:
        assert await window.keyboard.press_enter("hello", lambda: window.pane.reports.read().starts > 0)


class Ending(Deaf):
    """A Claude that is ending when a question comes, as after /exit, and is started anew."""

    screens: list[State]  # to be seen until it is started
    starts = 0

    async def look(self) -> Screen:
        return Screen(self.screens.pop(0), "") if self.screens else Screen(State.READY, "❯")

    async def begin(self) -> None:
        """Stands for Pane._start."""
        self.starts += 1
        self.screens.clear()


async def test_a_claude_that_is_ending_when_a_question_comes_is_started_anew(
    relay: TerminalRelay, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = Ending(relay)
    window.screens = [State.BUSY, State.BUSY, State.DEAD, State.DEAD]
    monkeypatch.setattr(window.pane, "_start", window.begin)
    monkeypatch.setattr(SessionReports, "hooks_seen", True)
    screen = await window.pane.wait_until_ready()
    assert (screen.state, window.starts) == (State.READY, 1)


class Flickering(Deaf):
    """A frame of a long draft is half drawn, and looks like a dialog."""

    looks = 0
    half_drawn = 3

    async def look(self) -> Screen:
        self.looks += 1
        torn = len(self.draft) > 400 and self.looks % 10 < self.half_drawn
        return Screen(State.DIALOG, "half a draft") if torn else await super().look()


@pytest.mark.parametrize(("half_drawn", "typed"), [(3, True), (10, False)])
async def test_a_frame_that_is_half_drawn_is_no_dialog_but_one_that_stays_is(
    relay: TerminalRelay, deaf: Deaf, half_drawn: int, typed: bool
) -> None:
    window = Flickering(relay)
    window.half_drawn = half_drawn
    text = " ".join(f"word{number}" for number in range(400))
    ready = Screen(State.READY, "❯")
    if typed:
        assert await window.keyboard.type_text(text, ready, lambda: False, 0.01)
        assert window.draft.strip() == text
    else:
        with pytest.raises(errors.SubmitFailed, match="dialog"):
            await window.keyboard.type_text(text, ready, lambda: False, 0.01)
        assert len(window.draft) <= 800


class Behind(Deaf):
    """Claude works on the question, but its last frame still shows it in the composer, for some looks."""

    working, frames = True, 0
    behind = 3

    async def look(self) -> Screen:
        self.frames += 1
        if self.working and self.frames > self.behind:
            return Screen(State.BUSY, "❯")
        return await super().look()

    async def press(self, *keys: str) -> None:
        if not self.working and keys == ("C-c",):
            self.draft = ""
        if self.working and keys == ("Escape",):
            self.working, self.frames = False, 0  # the question comes back; C-c does nothing before the model is asked


@pytest.mark.parametrize("behind", [0, 3, 60])
async def test_a_question_that_is_worked_on_but_still_drawn_in_the_composer_is_interrupted_not_cleared(
    relay: TerminalRelay, deaf: Deaf, behind: int
) -> None:
    turn = made_turn(relay._settings.response_dir, user_message="hello", origin="terminal")
    (turn.path / "prompt_id").write_text("delivered")
    window = Behind(relay)
    window.draft, window.behind = "hello", behind
    await stop_claude(window.keyboard, turn_in(turn), turn)
    assert (window.working, window.draft) == (False, "")


class Lagging(Deaf):
    """It reads keys late: the first Escape stops Claude, the second opens the list of old messages a while later."""

    escapes, stopped_at, closed = 0, 0.0, False

    async def look(self) -> Screen:
        if self.escapes < 2:
            return Screen(State.BUSY, "❯")
        self.stopped_at = self.stopped_at or time.monotonic()
        return Screen(State.DIALOG, "Rewind") if self._is_open() else Screen(State.READY, "❯")

    def _is_open(self) -> bool:
        return bool(self.stopped_at) and time.monotonic() - self.stopped_at > 0.1 and not self.closed

    async def press(self, *keys: str) -> None:
        assert keys == ("Escape",)
        self.closed = self._is_open()
        self.escapes += 1


async def test_a_list_that_a_second_escape_opens_late_is_closed_again(
    relay: TerminalRelay, deaf: Deaf, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, seconds in {"ESCAPE_INTERVAL": 0.05, "LATE_TRANSCRIPT": 0.2, "LATE_DIALOG": 0.3}.items():
        monkeypatch.setattr(f"paliadin.relays.terminal.stopping.{name}", seconds)
    turn = made_turn(relay._settings.response_dir, user_message="hello")
    (turn.path / "prompt_id").write_text("delivered")
    window = Lagging(relay)
    await stop_claude(window.keyboard, turn_in(turn), turn)
    assert (window.closed, window.escapes) == (True, 3)


class Drawing(Deaf):
    """Once it was typed to its end, a text is seen whole only after a while."""

    looks = 0

    async def look(self) -> Screen:
        screen = await super().look()
        self.looks += screen.draft.endswith("end ")
        if 0 < self.looks < 30:
            return Screen(State.DRAFT, f"half {screen.draft}", f"half of a frame {screen.draft}")
        return screen


async def test_a_last_frame_that_is_drawn_late_is_waited_for(relay: TerminalRelay, deaf: Deaf) -> None:
    window = Drawing(relay)
    text = f"[PALIADIN:1] {'word ' * 30}end"
    assert await window.keyboard.type_text(text, Screen(State.READY, "❯"), lambda: False, 0.01)
    assert window.draft == f"{text} "


class Starting(Deaf):
    """A Claude that has drawn its first screen, and reads keys only after some looks."""

    looks, waiting = 0, ""

    async def type(self, text: str) -> None:
        if self.looks < 30:
            self.waiting += text
        else:
            await super().type(text)

    async def look(self) -> Screen:
        self.looks += 1
        if self.looks == 30:
            self.draft, self.waiting = self.waiting + self.draft, ""
        return await super().look()


async def test_a_claude_that_has_just_started_may_take_its_time_to_read_keys(
    relay: TerminalRelay, deaf: Deaf, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Typed again, the text would stand there twice, and nobody would take it away."""
    monkeypatch.setattr("paliadin.relays.terminal.keyboard.TYPING_TIMEOUT", 0.01)
    window = Starting(relay)
    window.claude = 4711
    assert await window.keyboard.type_text("hello", Screen(State.READY, "❯"), lambda: False, 0.01)
    assert (window.draft, window.keyboard._reading) == ("hello ", 4711)
    assert window.keyboard._patience == 0.01


async def test_a_part_of_a_question_that_came_late_is_taken_away_before_the_next(
    relay: TerminalRelay, deaf: Deaf, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Claude drew it only after we had given up."""
    monkeypatch.setattr(deaf.pane, "ensure_running", deaf.look)
    deaf.keyboard._last_typed = f"[PALIADIN:{new_turn_id()}] {'word ' * 300}"
    deaf.draft = deaf.keyboard._last_typed[:400]
    await deaf.pane.wait_until_ready()
    assert deaf.draft == ""
    deaf.draft = theirs = f"{deaf.keyboard._last_typed[:400]} and my own words"
    with pytest.raises(errors.TerminalInUse):
        await deaf.pane.wait_until_ready()
    assert deaf.draft == theirs


async def test_a_screen_that_is_behind_does_not_end_a_turn_that_claude_works_on(
    relay: TerminalRelay, deaf: Deaf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("paliadin.relays.terminal.turn_watch.IDLE", 0.05)
    turn = made_turn(relay._settings.response_dir, user_message="hello", origin="terminal")
    write(turn, {"relay": {"kind": "accepted"}})
    write(turn, {"hook": {"hook_event_name": "UserPromptSubmit"}})
    window = Behind(relay)
    window.draft, window.behind = "hello", 30
    watching = asyncio.create_task(watch(window.pane, turn, relay))
    while window.frames < 40:
        assert not watching.done(), logged(turn)
        await asyncio.sleep(0.01)
    window.working = False  # now Escape is pressed in the terminal, and the question comes back
    await asyncio.wait_for(watching, 5)
    [*_, end] = turn.log.read()
    assert isinstance(end, Aborted)
    assert end.by == "terminal"
    assert window.draft == ""


class Silent(Deaf):
    """It is seen idle, then tmux hangs; the first look after that shows an old frame, and then Claude is at work."""

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.states = [State.READY, None, State.READY]
        self.looks = 0

    async def look(self) -> Screen:
        self.looks += 1
        state = self.states.pop(0) if self.states else State.BUSY
        if state is None:
            raise errors.TmuxUnresponsive("tmux does not respond")
        return Screen(state, "❯")


async def test_the_time_in_which_tmux_hung_ends_no_turn(
    relay: TerminalRelay, deaf: Deaf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("paliadin.relays.terminal.turn_watch.SILENT", 0.5)
    turn = made_turn(relay._settings.response_dir, user_message="hello")
    write(turn, {"relay": {"kind": "accepted"}}, {"hook": {"hook_event_name": "UserPromptSubmit"}})
    window = Silent(relay)
    watching = asyncio.create_task(relay._watch(window.pane, turn_in(turn), turn, TurnTranscript(turn.turn_id, None)))
    deadline = time.monotonic() + 20
    while window.looks < 10:
        assert not watching.done(), logged(turn)
        assert time.monotonic() < deadline
        await asyncio.sleep(0.01)
    watching.cancel()
    assert [line for line in logged(turn) if "failed" in str(line)] == []


async def test_a_dialog_that_is_drawn_late_is_not_taken_for_one_that_was_closed(
    relay: TerminalRelay, monkeypatch: pytest.MonkeyPatch
) -> None:
    turn = made_turn(relay._settings.response_dir, user_message="hello", origin="terminal")
    write(turn, {"relay": {"kind": "accepted"}})
    window = idle_in(relay)
    window.screen = Screen(State.BUSY, "❯")
    watching = asyncio.create_task(watch(relay._panes["main"], turn, relay))

    async def until(condition: Callable[[], bool]) -> None:
        async with asyncio.timeout(5):
            while not condition():
                assert not watching.done()
                await asyncio.sleep(0.01)

    first, second = (turn.path / "answers" / f"{name}.json" for name in ("first", "second"))
    write(turn, {"interrupt": "first", "hook": {"hook_event_name": "PermissionRequest", "tool_name": "Write"}})
    await asyncio.sleep(0.3)
    assert not first.exists()
    looks, window.screen = window.looks, Screen(State.PERMISSION, "Do you want to create it?")
    await until(lambda: window.looks > looks + 1)
    window.screen = Screen(State.BUSY, "❯")  # "Yes" in the terminal
    await until(first.exists)
    write(turn, {"answer": "first", "by": "terminal"})
    write(turn, {"interrupt": "second", "hook": {"hook_event_name": "PermissionRequest", "tool_name": "Write"}})
    await asyncio.sleep(0.3)
    assert not second.exists()  # the first dialog was seen, not this one
    monkeypatch.setattr("paliadin.relays.terminal.turn_watch.SILENT", 0.1)
    await until(second.exists)  # it is waited for no longer
    watching.cancel()


def own_turn(relay: TerminalRelay, **description: object) -> TurnFolder:
    turn = made_turn(relay._settings.response_dir, user_message="hello", **description)
    write(turn, {"relay": {"kind": "accepted"}})
    return turn


async def test_an_agent_in_the_background_has_no_dialog_whose_absence_tells_something(
    relay: TerminalRelay, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("paliadin.relays.terminal.turn_watch.SILENT", 0.05)
    turn, window = own_turn(relay, origin="terminal"), idle_in(relay)
    window.screen = Screen(State.BUSY, "❯")
    asked = {"hook_event_name": "PermissionRequest", "tool_name": "Write"}
    write(turn, {"interrupt": "agents", "hook": asked | {"agent_id": "a1"}}, {"interrupt": "claudes", "hook": asked})
    watching = asyncio.create_task(watch(relay._panes["main"], turn, relay))
    agents, claudes = (turn.path / "answers" / f"{name}.json" for name in ("agents", "claudes"))
    async with asyncio.timeout(5):
        while not claudes.exists():  # its dialog is waited for no longer
            await asyncio.sleep(0.01)
    write(turn, {"answer": "claudes", "by": "terminal"})
    looks = window.looks
    async with asyncio.timeout(5):
        while window.looks < looks + 30:
            await asyncio.sleep(0.01)
    assert not agents.exists()
    window.screen = Screen(
        State.READY, "❯"
    )  # Claude was stopped in the terminal: the turn ends although the agent waits
    monkeypatch.setattr("paliadin.relays.terminal.turn_watch.IDLE", 0.05)
    await asyncio.wait_for(watching, 10)


async def test_a_report_that_claude_answers_together_with_the_next_one_just_ends(
    relay: TerminalRelay, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("paliadin.relays.terminal.turn_watch.SILENT", 0.05)
    turn = own_turn(relay, origin="agent")
    write(turn, {"hook": {"hook_event_name": "UserPromptSubmit", "prompt": "<task-notification>"}})
    await asyncio.wait_for(watch(relay._panes["main"], turn, relay), 10)
    assert logged(turn)[-1]["step"] == "settled"


@pytest.mark.parametrize("gone", ["ended", "started anew", "nobody waits"])
async def test_what_an_agent_asks_ends_with_its_claude_or_when_its_hook_is_long_gone(
    relay: TerminalRelay, monkeypatch: pytest.MonkeyPatch, gone: str
) -> None:
    for name in ("LOOK_EVERY", "HOOK_PATIENCE"):
        monkeypatch.setattr(f"paliadin.relays.terminal.agent_requests.{name}", 0.01)
    turn, window = own_turn(relay, origin="agent", asked_by={"agent": "a1", "kind": "Explore"}), idle_in(relay)
    write(turn, {"interrupt": "i", "hook": {"hook_event_name": "PermissionRequest", "agent_id": "a1"}})
    carried = turn_in(turn)
    async with followed(carried):
        watching = asyncio.create_task(relay.resume(carried))
        async with asyncio.timeout(10):
            while window.looks < 3:
                await asyncio.sleep(0.01)
        assert not watching.done()  # an idle screen tells nothing
        if gone == "ended":
            window.screen = Screen(State.DEAD, "")
        elif gone == "started anew":
            start = {"hook_event_name": "SessionStart", "source": "startup", "session_id": "s", "transcript_path": "t"}
            folder = relay._panes["main"].folder
            folder.mkdir()
            append(folder / "events.jsonl", {"at": now_ms() + 1000, "hook": start})
        else:
            monkeypatch.setattr("paliadin.relays.terminal.agent_requests.HOOK_PATIENCE", 0.01)
            await relay.abort(carried)
        await asyncio.wait_for(watching, 10)
    if gone == "nobody waits":
        assert (logged(turn)[-1]["step"], logged(turn)[-1]["by"]) == ("aborted", "page")
        assert json.loads((turn.path / "answers" / "i.json").read_text())["by"] == "cancel"
    else:
        assert logged(turn)[-1]["code"] == "pane_died"


@pytest.mark.parametrize("shown", ["❯", "  ⎿  Interrupted · What should Claude do instead?\n❯"])
async def test_a_turn_whose_claude_was_started_anew_meanwhile_ends_as_died(
    relay: TerminalRelay, deaf: Deaf, monkeypatch: pytest.MonkeyPatch, shown: str
) -> None:
    """Its screen shows the conversation, perhaps with an earlier turn that was interrupted."""
    monkeypatch.setattr("paliadin.relays.terminal.turn_watch.IDLE", 0.05)
    turn = made_turn(relay._settings.response_dir, user_message="hello", origin="terminal")
    write(turn, {"relay": {"kind": "accepted"}})
    write(turn, {"hook": {"hook_event_name": "MessageDisplay"}})
    (turn.path / "prompt_id").write_text("delivered")
    pane = relay._panes["main"]
    monkeypatch.setattr(pane.window, "look", AsyncMock(return_value=Screen(State.READY, shown)))
    start = {"hook_event_name": "SessionStart", "source": "resume", "session_id": "s", "transcript_path": "t"}
    append(pane.folder / "events.jsonl", {"at": now_ms() + 1000, "hook": start})
    await asyncio.wait_for(watch(pane, turn, relay), 10)
    assert logged(turn)[-1]["code"] == "pane_died"


@pytest.mark.parametrize(
    ("shown", "end"),
    [
        ("❯ hello\n\n● Line one.\n  ⎿  Interrupted · What should Claude do instead?\n\n───\n❯", "aborted"),
        (
            "❯ a\n  ⎿  Interrupted · What should Claude do instead?\n\n❯ hello\n\n● Interrupted by rain.\n\n───\n❯",
            "failed",
        ),
        ("❯ hello\n\n● Read(Interrupted.txt)\n  ⎿  Read 3 lines: Interrupted\n\n───\n❯", "failed"),
    ],
)
async def test_the_word_interrupted_somewhere_on_the_screen_stops_no_turn(
    relay: TerminalRelay, deaf: Deaf, monkeypatch: pytest.MonkeyPatch, shown: str, end: str
) -> None:
    monkeypatch.setattr("paliadin.relays.terminal.turn_watch.IDLE", 0.05)
    monkeypatch.setattr("paliadin.relays.terminal.turn_watch.SILENT", 1.0)
    turn = made_turn(relay._settings.response_dir, user_message="hello", origin="terminal")
    write(turn, {"relay": {"kind": "accepted"}}, {"hook": {"hook_event_name": "PreToolUse", "tool_use_id": "t"}})
    (turn.path / "prompt_id").write_text("delivered")
    pane = relay._panes["main"]
    monkeypatch.setattr(pane.window, "look", AsyncMock(return_value=Screen(State.READY, shown)))
    monkeypatch.setattr(pane.keyboard, "clear", AsyncMock())
    await asyncio.wait_for(watch(pane, turn, relay), 20)
    assert logged(turn)[-1]["step"] == end


async def test_tokens_whose_count_was_ended_with_stops_hook_are_counted_here(
    relay: TerminalRelay, deaf: Deaf, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """An Escape while the hook ran: its count would be waited for in vain, for twelve seconds."""
    monkeypatch.setattr("paliadin.relays.terminal.turn_watch.OWN_COUNT", 0.1)
    turn = made_turn(relay._settings.response_dir, user_message="hello")
    (turn.path / "prompt_id").write_text("p1")
    entries: list[dict[str, Any]] = [
        {"type": "user", "promptId": "p1", "message": {"content": "hello"}},
        {"type": "assistant", "message": {"id": "m1", "model": "m-1", "usage": {"output_tokens": 5}}},
        {"type": "user", "promptId": "p1", "message": {"content": [{"text": "[Request interrupted by user]"}]}},
    ]
    transcript = tmp_path / "transcript.jsonl"
    chained = [{"uuid": f"u{n}", "parentUuid": f"u{n - 1}", **each} for n, each in enumerate(entries)]
    transcript.write_text("".join(json.dumps(entry) + "\n" for entry in chained))
    relay._panes["main"].reports.transcript = str(transcript)
    write(turn, {"hook": {"hook_event_name": "Stop", "last_assistant_message": ""}})
    async with asyncio.timeout(LATE_COUNT / 2):
        await watch(relay._panes["main"], turn, relay)
    [count] = [line["usage"] for line in logged(turn) if "usage" in line]
    assert count["output_tokens"] == 5


class Late(Deaf):
    """The question before, which was interrupted, comes back while the next one is typed."""

    back = "[PALIADIN:1] the question before"
    typed_by_owner = ""

    async def type(self, text: str) -> None:
        await super().type(text)
        if self.back:
            self.draft, self.back = self.back + self.draft + self.typed_by_owner, ""


@pytest.mark.parametrize("typed_by_owner", ["", "hi"])
async def test_a_question_that_comes_back_among_the_next_one_is_taken_away_but_never_what_the_owner_types(
    relay: TerminalRelay, deaf: Deaf, monkeypatch: pytest.MonkeyPatch, typed_by_owner: str
) -> None:
    for name in ("LATE_DRAWING", "TYPING_TIMEOUT"):
        monkeypatch.setattr(f"paliadin.relays.terminal.keyboard.{name}", 0.2)
    window = Late(relay)
    keyboard = window.keyboard
    window.typed_by_owner = typed_by_owner
    keyboard._typed_before, keyboard._last_typed = window.back, "[PALIADIN:2] And now?"
    with pytest.raises(errors.SubmitFailed) as failed:
        await keyboard.type_text(keyboard._last_typed, Screen(State.READY, "❯"), lambda: False, 0.01)
    assert type(failed.value).__name__ == ("SubmitFailed" if typed_by_owner else "TypingDisturbed")
    assert window.draft.endswith("hi") if typed_by_owner else window.draft == ""
    if not typed_by_owner:
        assert await keyboard.type_text(keyboard._last_typed, Screen(State.READY, "❯"), lambda: False, 0.01)


class Overtaken(Deaf):
    """Claude begins a turn of its own after the first burst, and draws what is typed below it once it is over."""

    at_work = State.BUSY
    looks = 0

    async def look(self) -> Screen:
        screen = await super().look()
        self.looks += screen.state is State.DRAFT
        return Screen(self.at_work, "") if 1 < self.looks < 60 else screen


@pytest.mark.parametrize("at_work", [State.BUSY, State.PERMISSION])
async def test_what_is_typed_while_claude_begins_a_turn_of_its_own_waits_for_its_end(
    relay: TerminalRelay, deaf: Deaf, monkeypatch: pytest.MonkeyPatch, at_work: State
) -> None:
    for name in ("LATE_DRAWING", "TYPING_TIMEOUT", "FIRST_KEYS_TIMEOUT", "DIALOG_STABLE_FOR"):
        monkeypatch.setattr(f"paliadin.relays.terminal.keyboard.{name}", 0.1)
    window = Overtaken(relay)
    window.at_work = at_work
    assert await window.keyboard.type_text("hello", Screen(State.READY, "❯"), lambda: False, 0.01)
    assert window.looks >= 60
    assert window.draft == "hello "


async def test_what_waits_below_claudes_own_turn_is_given_up_when_it_is_stopped(
    relay: TerminalRelay, deaf: Deaf, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("LATE_DRAWING", "TYPING_TIMEOUT", "FIRST_KEYS_TIMEOUT"):
        monkeypatch.setattr(f"paliadin.relays.terminal.keyboard.{name}", 0.1)
    window = Overtaken(relay)
    assert not await window.keyboard.type_text("hello", Screen(State.READY, "❯"), lambda: window.looks > 20, 0.01)
