"""Reduce the steps of a turn to its numbered events. Pure: the same steps always give the same events.

So a live stream, a reconnect, a second browser, a replay a month later and the recorder of the row all agree. The
events of a part of the log, from its beginning, are the first events of the whole log. `end` or `error` is the last.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import accumulate
from typing import TypeVar

from paliadin.base.checked_numbers import MAX_COUNT
from paliadin.base.session_names import SessionName
from paliadin.events import interrupts
from paliadin.events.answer_text import SEPARATOR, Answer, AnswerMessage, MessageUpdate
from paliadin.events.chips import Chip, Destinations, chip_label
from paliadin.events.failures import explain
from paliadin.events.known_ids import KnownIds
from paliadin.events.model import (
    Answered,
    ChipShown,
    ContentDelta,
    ContentReset,
    End,
    Error,
    Event,
    EventData,
    Interrupt,
    InterruptResolved,
    Joined,
    Meta,
    Status,
    ToolCall,
    Unconfirmed,
)
from paliadin.events.opened_files import OpenedFiles
from paliadin.events.timeline import JoinedWords, Timeline, waited_ms
from paliadin.events.tool_calls import ToolCallTracker
from paliadin.events.trailer import Trailer, fallback_tag
from paliadin.evidence.model import Claim, Evidence, count_claims, judge
from paliadin.evidence.tool_use import find_differences
from paliadin.steps import model as steps
from paliadin.steps.model import (
    Aborted,
    Accepted,
    AllText,
    Checked,
    DialogClosed,
    DialogOpened,
    Failed,
    Held,
    Interrupted,
    Noted,
    Prompted,
    Replied,
    Retracted,
    Settled,
    Step,
    Stopped,
    Text,
    ToolEnded,
    ToolStarted,
    Usage,
)
from paliadin.turnlog.description import Description

D = TypeVar("D", bound=EventData)

SENT = "On its way to Claude"


@dataclass
class Reducer:
    """The state of one turn, built up from its steps, and the source of its events.

    `feed` takes the steps in their order and returns the events that each adds; the fields hold what is known so far.
    """

    description: Description
    destinations: Destinations = field(default_factory=Destinations)  # where chips may lead
    events: list[Event] = field(default_factory=list)  # all so far
    answered: bool = False  # `answered` was returned
    unchecked: bool = False  # the turn is over, and ends with the step `Checked`
    ended: bool = False  # `end` or `error` was returned
    error: Error | None = None  # the data of the `error` event
    aborted: bool = False  # the user stopped the turn
    model: str | None = None
    usage: Mapping[str, int] | None = None  # token counts
    started_ms: int | None = None  # since 1970
    first_text_ms: int | None = None  # since the turn's start
    duration_ms: int | None = None
    tools: ToolCallTracker = field(default_factory=ToolCallTracker)
    timeline: Timeline = field(default_factory=Timeline)
    chips: list[ChipShown] = field(default_factory=list)  # those that count
    answer: Answer = field(default_factory=Answer)
    notes: dict[str, object] = field(default_factory=dict)  # of parts about the answer, by kind; also after the end
    unconfirmed: int = 0  # characters at the answer's end that were shown, and that Claude Code never reported

    def __post_init__(self) -> None:
        self._open_interrupts: dict[str, Interrupt] = {}  # those without a reply
        self.background_tasks: list[object] | None = None  # what went on when Claude stopped, if it told
        self.redescribe(self.description)
        self._claims: tuple[Claim, ...] | None = None
        self._reached_claude = False
        self._phase = ""
        self._holders: list[str] = []  # the sessions that the turn waited for last
        self._now = 0  # the latest time of a step; in milliseconds since 1970

    def redescribe(self, description: Description) -> None:
        """Replace the description by the one with which the relay gets the turn, before any tool is called."""
        self.description = description
        self._files = OpenedFiles(description.attachments)
        self._known_ids = KnownIds(self.tools.calls, description)

    def feed(self, step: Step) -> list[Event]:
        """Process the next step; return the events that it adds. After the end, none. Never raises."""
        if isinstance(step, Noted):
            self.notes[step.kind] = step.data
        if self.ended:
            return []
        self._now = max(step.at, self._now)  # the machine's clock may be set back
        count = len(self.events)
        self._process(step)
        return self.events[count:]

    def _process(self, step: Step) -> None:  # noqa: C901, PLR0912  # one case for each step
        match step:
            case Accepted() if self.started_ms is None:
                self._accept(step)
            case Held():
                self._hold(step)
            case Prompted():
                self._reached_claude = True
                self._status("thinking", "Thinking")
            case Text():
                self._show(self.answer.add(step))
            case Retracted():
                self._retract(step.message)
            case steps.Unconfirmed():
                self._keep_unconfirmed(step)
            case steps.Joined():
                self._emit(Joined(step.text, step.after))
            case ToolStarted():
                self._files.start(step)
                call = self._emit(self.tools.start(step))
                self._status("tool", f"{call.name}: {call.summary}", again=True)
            case ToolEnded():
                self._end_tool(step)
            case Interrupted():
                self._open(interrupts.describe(step))
            case DialogOpened():
                self._open(interrupts.describe_dialog(step))
            case Replied():
                self._resolve(step.id, step.by, step.value)
            case DialogClosed():
                self._resolve(step.id, "terminal")
            case Usage():
                self.usage = step.counts
                self.model = step.model or self.model
                self._files.end_request(step)
            case Stopped():
                self.background_tasks = list(step.background_tasks)
                self.duration_ms = self._since_start()
            case AllText():
                self._answer()
            case Settled():
                self._answer()
                self._close()
            case Aborted():
                self.aborted = True
                self._close()
            case Checked() if self.unchecked:
                self._check(step)
            case Failed():
                self._fail(step)

    def _accept(self, step: Accepted) -> None:
        self.started_ms, self.model = self._now, step.model
        description = self.description
        notices = [*(["selection_cut"] if description.context.selection_cut else []), *map(str, step.notices or ())]
        if description.questions_left is not None:
            notices.append(f"questions_left:{description.questions_left}")
        self._emit(Meta(description.turn_id, description.session_id, self._now, step.model, notices))
        self._status("sent", SENT)

    def _hold(self, step: Held) -> None:
        """Emit the sessions that a turn waits for, or that it waits no longer."""
        place = SessionName.parse(self.description.session_id).place
        holders = [str(SessionName(str(name), place)) for name in step.by]  # they are on this session's machine
        if holders and (self._phase, self._holders) != ("held", holders):
            self._phase, self._holders = "held", holders
            self._emit(Status("held", "Waiting for a free place", holders))
        elif not holders and self._phase == "held":
            self._status("sent", SENT)

    def _show(self, updates: Iterable[MessageUpdate]) -> None:
        for message, piece in updates:
            if isinstance(piece, Chip):
                self._show_chip(message, piece)
            elif piece:
                if self.first_text_ms is None:
                    self.first_text_ms = self._since_start()
                self._status("answering", "Answering")
                self._emit(ContentDelta(piece, message.id))

    def _show_chip(self, message: AnswerMessage, chip: Chip) -> None:
        named = [chip.id] if chip.id is not None else self.destinations.ids_in(chip)
        verified = bool(named) and all(map(self._known_ids.holds, named))
        href = self.destinations.href_for(chip) if verified or not named else None
        label = chip_label(chip, self._known_ids.name_of(chip.id) if verified and chip.id else "")
        where = (message.id, message.length)
        event = ChipShown(chip.kind, chip.action, chip.id, chip.value, href, label, verified, *where)
        self.chips.append(self._emit(event))

    def _retract(self, message_id: str) -> None:
        if self.answer.retract(message_id):
            self.chips = [chip for chip in self.chips if chip.message_id != message_id]
            self._emit(ContentReset(message_id, "Claude asked the API again; the answer starts over"))

    def _keep_unconfirmed(self, step: steps.Unconfirmed) -> None:
        self.answer.end_with(step.message, step.text)
        self.unconfirmed = len(step.text)
        self._emit(ContentDelta(step.text, step.message))
        self._emit(Unconfirmed(step.message, self.unconfirmed))

    def _end_tool(self, step: ToolEnded) -> None:
        if self.tools.is_unseen(step):
            self._emit(ToolCall(step.id, step.name, "", None))
        self._files.end(step)
        self._emit(self.tools.end(step))
        if step.ran:
            self._status("thinking", "Thinking")

    def _open(self, interrupt: Interrupt) -> None:
        self._open_interrupts[interrupt.id] = self._emit(interrupt)
        self._status("waiting", "Waiting for your reply", again=True)

    def _resolve(self, interrupt_id: str, by: str | None, value: object = None) -> None:
        """End the wait for a reply; `by` and `value` are those of the `interrupt_resolved` event."""
        if self._open_interrupts.pop(interrupt_id, None) is None:
            return
        self._emit(InterruptResolved(interrupt_id, by, value))
        if not self._open_interrupts:
            self._status("thinking", "Thinking")

    def _finish_parts(self) -> None:
        """Emit the text that was held back, and close the interrupts that are still open."""
        self._show(self.answer.finish())
        for interrupt_id in list(self._open_interrupts):
            self._resolve(interrupt_id, "cancel")

    def _answer(self) -> None:
        """Emit, once, that the answer is complete."""
        if not self.answered:
            self._finish_parts()
            self.answered = True
            if self.duration_ms is None:
                self.duration_ms = self._since_start()
            self._emit(Answered(self.duration_ms))

    def _fail(self, step: Failed) -> None:
        self._finish_parts()
        self.error = self._emit(explain(step, self.description.session_id))
        self._mark_ended()

    def _close(self) -> None:
        """Emit all that is left; then end, unless the answer is to be checked first."""
        self._finish_parts()
        if self.duration_ms is None:
            self.duration_ms = self._since_start()
        if self.description.checked_at_end:
            self.unchecked = True
        else:
            self._end()

    def _check(self, step: Checked) -> None:
        """Take the check's findings, and end."""
        if step.claims is not None:
            self._claims = tuple(claim for each in step.claims if (claim := Claim.parse(each)))
        for number, chip in enumerate(self.chips):
            if not chip.verified and chip.id is not None and chip.id in step.chips:
                href = self.destinations.href_for(Chip(chip.kind, "open", chip.id))
                label = chip_label(Chip(chip.kind, "open", chip.id), self._known_ids.name_of(chip.id))
                self.chips[number] = self._emit(replace(chip, verified=True, href=href, label=label))
        self.unchecked = False
        self._end()

    def _end(self) -> None:
        self._emit(self.evidence())
        self._mark_ended()
        self._emit(
            End(
                duration_ms=self.duration_ms,
                waited_ms=waited_ms(self.timeline.interrupts),
                first_text_ms=self.first_text_ms,
                usage=self.usage,
                model=self.model,
                chip_count=len(self.chips),
                aborted=self.aborted,
                background_tasks=self.background_tasks or [],
            )
        )

    def _mark_ended(self) -> None:
        self.ended = True
        if self.duration_ms is None:
            self.duration_ms = self._since_start()

    def _since_start(self) -> int | None:
        return None if self.started_ms is None else min(self._now - self.started_ms, MAX_COUNT)

    def evidence(self) -> Evidence:
        """Compare the claims of the answer's trailer with the tools that ran."""
        trailer = self.trailer if self.trailer and self.trailer.is_account else None
        observed, calls = self.tools.observed, self.timeline.tool_calls
        used, rows = (trailer.used_tools, trailer.rows_seen) if trailer else ((), ())
        tag, source = self._classify()
        differences = (
            find_differences(used, rows, observed, calls, unreadable=trailer.rows_unreadable) if trailer else ()
        )
        return Evidence(
            used_tools=tuple(used),
            rows_seen=tuple(rows),
            classifier_tag=tag,
            classifier_source=source,
            observed_tools=tuple(observed),
            agrees=not differences if trailer else None,
            differences=differences,
            unopened=self._files.unopened,
            claims=self._claims,
            verdict=None if self._claims is None else judge(count_claims(self._claims)),
        )

    def _classify(self) -> tuple[str | None, str | None]:
        """Return the turn's classifier tag and its source; None for a question that never reached Claude."""
        if self.trailer and self.trailer.classifier_tag:
            return self.trailer.classifier_tag, "trailer"
        if self.error and not self._reached_claude and self.first_text_ms is None:
            return None, None
        return fallback_tag(self.description.user_message, self.tools.observed), "fallback"

    @property
    def answer_text(self) -> str:
        """Return the answer so far as the user reads it: Markdown, without chip markers and trailer."""
        return self.answer.text

    @property
    def joined(self) -> list[JoinedWords]:
        """Return the prompts that were typed in Claude's terminal while this turn ran, and became a part of it."""
        order = self.timeline.messages
        lengths = sorted((order.get(message, len(order)), length) for message, length in self.answer.lengths())
        numbers, ends = [number for number, _ in lengths], [0]
        ends += accumulate(length + len(SEPARATOR) for _, length in lengths)
        return [
            JoinedWords(text, max(ends[bisect_left(numbers, before)] - len(SEPARATOR), 0))
            for text, before in self.timeline.joined
        ]

    @property
    def trailer(self) -> Trailer | None:
        """Return the answer's trailer; known once the turn has ended."""
        return self.answer.trailer

    @property
    def error_code(self) -> str | None:
        """Return the code of the turn's error, or `user_aborted`; None for a turn that was answered, or still runs."""
        if self.aborted:
            return "user_aborted"
        return self.error.code if self.error else None

    @property
    def open_interrupts(self) -> list[Interrupt]:
        """Return the data of the `interrupt` events that wait for a reply."""
        return list(self._open_interrupts.values())

    def _status(self, phase: str, message: str, *, again: bool = False) -> None:
        if phase != self._phase or again:
            self._phase = phase
            self._emit(Status(phase, message))

    def _emit(self, data: D) -> D:
        self.events.append(Event(len(self.events) + 1, data))
        self.timeline.add(data, self._since_start())
        return data
