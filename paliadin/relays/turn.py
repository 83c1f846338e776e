"""A turn as a relay gets it: the question, the log for its steps, and its progress so far."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from paliadin.base.errors import NotFound, PaliadinError
from paliadin.files.attachments import Attachment, Attachments
from paliadin.people.person_key import OWNER, PersonKey
from paliadin.prompt.envelope import PromptFile, build_prompt
from paliadin.prompt.text import without_attachments
from paliadin.steps.model import (
    ENDS,
    DialogClosed,
    DialogOpened,
    Doubted,
    Failed,
    Interrupted,
    Joined,
    Kept,
    Prompted,
    Replied,
    Retracted,
    Step,
    Stopped,
    StopReported,
    Text,
    ToolStarted,
    Usage,
    WentOn,
)
from paliadin.turnlog.description import Description
from paliadin.turnlog.ids import now_ms
from paliadin.turnlog.log import TurnLog


@dataclass
class Message:
    """The text of one message of the answer so far, as Claude wrote it; `final`: nothing more of it comes."""

    pieces: list[str] = field(default_factory=list)
    final: bool = False

    def add(self, step: Text) -> None:
        """Take the next part."""
        self.pieces.append(step.text)
        self.final = self.final or step.final

    @property
    def bare(self) -> str:
        """The text without blanks, by which two accounts of the same message are compared."""
        return "".join("".join(self.pieces).split())


@dataclass
class Progress:
    """The state of a running turn, for its relay. The follower of the turn's log feeds it each step, once."""

    count: int = 0  # of the steps so far
    prompt: Prompted | None = None
    working: bool = False  # text, a tool call or an interrupt has come
    stop_reported: bool = False  # Claude Code has said that it stops; a hook of its owner's may make it go on
    stopped: bool = False  # the model has ended its work; late text may follow
    counted: bool = False  # the tokens are known, or will never be
    interrupted: bool = False  # Claude Code's transcript says that somebody pressed Escape
    stop_hooks: int | None = None  # how many Stop hooks Claude Code has run at the end, if that is known
    messages: dict[str, Message] = field(default_factory=dict)  # those that count, by id
    doubted: set[str] = field(default_factory=set)  # ids of those that may not
    in_doubt: asyncio.Event = field(default_factory=asyncio.Event)  # set with the first of them
    joined: int = 0  # how many prompts that were typed meanwhile have become a part of the turn
    open_interrupts: dict[str, Interrupted] = field(default_factory=dict)  # those without a reply, by id
    replied_to: set[str] = field(default_factory=set)  # ids of those to which a reply is on its way: the first counts
    dialog: DialogOpened | None = None  # that is open in the terminal, and not reported by anything else
    interrupt_changes: int = 0  # how often an interrupt began or ended
    tool_calls: int = 0  # how many have begun
    replied_by: str | None = None  # who gave the last reply
    stop_requested: bool = False  # by the user; what has not begun yet is not to begin
    ended: asyncio.Event = field(default_factory=asyncio.Event)

    def take(self, step: Step) -> None:
        """Take the next step."""
        self.count += 1
        self._take_message(step)
        match step:
            case Prompted():
                self.prompt = step
            case Joined():
                self.joined += 1
            case ToolStarted():
                self.working = True
                self.tool_calls += 1
            case WentOn():
                self.stop_reported = self.stopped = False
            case Interrupted() | Replied() | DialogOpened() | DialogClosed():
                self._take_interrupt(step)
            case StopReported():
                self.stop_reported = True
            case Stopped():
                self.stopped = True
            case Usage():
                self.counted = bool(step.counts) or not self.stop_reported
                self.stop_hooks = step.stop_hooks
        if isinstance(step, ENDS):
            self.ended.set()

    def _take_message(self, step: Step) -> None:
        match step:
            case Text():
                self.working = True
                self.messages.setdefault(step.message, Message()).add(step)
            case Doubted():
                self.doubted.add(step.message)
                self.in_doubt.set()
            case Kept() | Retracted():
                self.doubted.discard(step.message)
                if not self.doubted:
                    self.in_doubt.clear()
                if isinstance(step, Retracted):
                    self.messages.pop(step.message, None)

    def _take_interrupt(self, step: Interrupted | Replied | DialogOpened | DialogClosed) -> None:
        match step:
            case DialogOpened():
                self.working, self.dialog = True, step
            case DialogClosed():
                self.dialog = None
            case Interrupted():
                self.interrupt_changes += 1
                self.working, self.open_interrupts[step.id] = True, step
            case Replied():
                self.interrupt_changes += 1
                self.open_interrupts.pop(step.id, None)
                self.replied_by = step.by

    @property
    def waits(self) -> bool:
        """True while a reply is waited for, here or in the terminal."""
        return bool(self.open_interrupts or self.dialog)

    @property
    def over(self) -> bool:
        """True if the turn has ended or the model has stopped: at most the last steps are missing."""
        return self.stopped or self.ended.is_set()


@dataclass(frozen=True)
class Turn:
    """One turn. `session` is its name at the relay that gets it."""

    description: Description
    session: str
    log: TurnLog
    attachments_dir: Path = Path()
    person: PersonKey = OWNER  # whose conversation it is
    progress: Progress = field(default_factory=Progress)

    @property
    def id(self) -> str:
        return self.description.turn_id

    @property
    def message(self) -> str:
        """The question, as it was asked."""
        return self.description.user_message

    @property
    def origin(self) -> str:
        return self.description.origin

    @property
    def attachments(self) -> Sequence[Attachment]:
        return self.description.attachments

    @property
    def is_request(self) -> bool:
        """True for a turn without a question, in which an agent asks for something after the turn that started it."""
        return self.description.asked_by is not None

    @property
    def prompt(self) -> str:
        """The text that goes to Claude: the question with its envelope, a command, or the owner's own typing."""
        if self.origin in {"terminal", "agent"} or self.description.command:
            return self.message
        store = Attachments(self.attachments_dir.resolve())  # 2.1.197 compares a path as it is written with its rules
        files = [PromptFile(store.path(each), each.is_embedded) for each in self.attachments]
        return build_prompt(self.id, self.typed_message, self.description.context, files)

    @property
    def typed_message(self) -> str:
        """The question as it is typed. What the drawer of another application sends attaches no files."""
        return without_attachments(self.message) if self.origin == "widget" else self.message

    async def follow(self) -> None:
        """Feed the progress with the log's steps until the turn has ended."""
        async for step in self.log.follow():
            self.progress.take(step)
            if self.progress.ended.is_set():
                return

    async def follow_during(self, carrying: Awaitable[None]) -> None:
        """Await a relay's `submit` or `resume` of this turn, and follow the log meanwhile."""
        async with asyncio.TaskGroup() as tasks:
            following = tasks.create_task(self.follow())
            await carrying
            following.cancel()

    def read(self) -> None:
        """Feed the progress with all steps that the log has now."""
        for step in self.log.read():
            self.progress.take(step)


def failure(error: PaliadinError) -> Failed:
    """Build the step that ends a turn with this error."""
    return Failed(now_ms(), error.code, error.message, error.hint or None)


def unknown_interrupt() -> NotFound:
    """Build the error for a reply to an interrupt that does not wait for one."""
    return NotFound(
        "no permission or question with this id waits for a reply",
        code="unknown_interrupt",
        hint="It was replied to elsewhere, or timed out: reload the page.",
    )
