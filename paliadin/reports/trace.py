"""The trace of a turn: its texts, its tool calls, and its waits for a person, each with its time. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from paliadin.events.answer_text import Answer, AnswerMessage, MessageUpdate
from paliadin.events.interrupts import describe
from paliadin.events.timeline import CalledTool, Waited
from paliadin.evidence.results import CUT_MARK, Call, pictures_of
from paliadin.steps.model import (
    ENDS,
    Accepted,
    Interrupted,
    Replied,
    Retracted,
    Step,
    Text,
    ToolEnded,
    ToolStarted,
    Unconfirmed,
)

Kind = Literal["text", "tool", "wait"]
State = Literal["", "worked", "failed", "refused", "invalid", "no_result"]
_STATES: Mapping[str, State] = {"ok": "worked", "failed": "failed", "refused": "refused", "invalid": "invalid"}
_RECORDED: Mapping[bool | None, State] = {True: "worked", False: "failed", None: "no_result"}


@dataclass(slots=True)
class TraceStep:
    """One step of a turn. Times are milliseconds from the turn's start; None is unknown.

    `name` is that of the tool, and of a wait the tool for which it asked. `what` is the kind of a wait: a permission, a
    question. `at_ms` and `took_ms`: a tool's run, without a wait before it. `input` and `output` are JSON values:
    Claude's request and what came of it, of a wait the person's reply, of a text itself. `kept`: they are known.
    `pictures`: those that a tool returned, by name; "" for one that is not kept.
    """

    kind: Kind
    name: str = ""
    what: str = ""
    state: State = ""
    at_ms: int | None = None
    took_ms: int | None = None
    rows: int | None = None
    by: str | None = None
    input: object = None
    output: object = None
    cut: bool = False
    kept: bool = True
    pictures: Sequence[str] = ()


def trace_of_row(calls: Iterable[CalledTool], waits: Iterable[Waited]) -> list[TraceStep]:
    """Return what a turn's row knows of its steps: what was said, asked and returned is not in it."""
    steps = [
        TraceStep(
            "tool",
            call.name,
            state="refused" if call.refused else _RECORDED[call.ok],
            at_ms=call.at_ms,
            took_ms=call.duration_ms,
            rows=call.rows,
            kept=False,
        )
        for call in calls
    ]
    for wait in waits:
        step = TraceStep("wait", wait.tool, wait.kind, at_ms=wait.at_ms, took_ms=wait.waited_ms, by=wait.by)
        step.output, step.kept = wait.answer, wait.answer is not None
        steps.append(step)
    return sorted(steps, key=lambda step: step.at_ms or 0)


def trace_of_log(steps: Iterable[Step]) -> list[TraceStep]:
    """Return all that a turn's log knows of its steps."""
    trace = _Trace()
    for step in steps:
        trace.add(step)
    return sorted(trace.finish(), key=lambda step: step.at_ms or 0)


@dataclass
class _Trace:
    """A trace that is being made."""

    steps: list[TraceStep] = field(default_factory=list)
    _answer: Answer = field(default_factory=Answer)
    _texts: dict[str, list[tuple[TraceStep, list[str]]]] = field(default_factory=dict)  # by message; joined at the end
    _calls: dict[str, TraceStep] = field(default_factory=dict)  # those that run, by id
    _waits: dict[str, TraceStep] = field(default_factory=dict)  # those without a reply, by id
    _start: int | None = None
    _now: int = 0

    def add(self, step: Step) -> None:  # noqa: C901  # one case for each kind of step
        self._now = max(step.at, self._now)  # the machine's clock may be set back
        match step:
            case Accepted() if self._start is None:
                self._start = self._now
            case Text():
                self._say(self._answer.add(step))
            case Unconfirmed():
                self._answer.end_with(step.message, step.text)
                self._say([(AnswerMessage(step.message), step.text)])
            case Retracted():
                self._answer.retract(step.message)
                gone = {id(each) for each, _ in self._texts.pop(step.message, [])}
                self.steps = [each for each in self.steps if id(each) not in gone]
            case ToolStarted():
                call = TraceStep("tool", step.name, state="no_result", at_ms=self._at, input=step.input)
                self._calls[step.id] = call
                self.steps.append(call)
            case ToolEnded():
                self._end_call(step)
            case Interrupted():
                interrupt = describe(step)
                wait = TraceStep("wait", step.tool, interrupt.kind, at_ms=self._at, input=step.input, cut=step.cut)
                self._waits[step.id] = wait
                self.steps.append(wait)
            case Replied():
                self._end_wait(step.id, step.by, step.value)
            case _ if isinstance(step, ENDS):
                for wait_id in list(self._waits):
                    self._end_wait(wait_id, "cancel", None)

    def finish(self) -> list[TraceStep]:
        """Return all steps, with the text that was held back."""
        self._say(self._answer.finish())
        for texts in self._texts.values():
            for text, pieces in texts:
                text.output = "".join(pieces)
        return [step for step in self.steps if step.kind != "text" or str(step.output).strip()]

    @property
    def _at(self) -> int | None:
        return None if self._start is None else self._now - self._start

    def _say(self, updates: Iterable[MessageUpdate]) -> None:
        """Add to a message's text; other steps in between begin another piece of it."""
        for message, piece in updates:
            if not isinstance(piece, str):
                continue
            texts = self._texts.setdefault(message.id, [])
            if not texts or self.steps[-1] is not texts[-1][0]:
                texts.append((TraceStep("text", at_ms=self._at, took_ms=0), []))
                self.steps.append(texts[-1][0])
            text_step, pieces = texts[-1]
            pieces.append(piece)
            if self._at is not None and text_step.at_ms is not None:
                text_step.took_ms = self._at - text_step.at_ms

    def _end_call(self, step: ToolEnded) -> None:
        call = self._calls.pop(step.id, None)
        if call is None:
            call = TraceStep("tool", step.name, at_ms=self._at)
            self.steps.append(call)
        ended = Call(step.id, step.name, call.input, step.result, step.outcome)
        call.state, call.rows, call.output = _STATES[step.outcome], ended.rows, ended.text
        call.cut = step.cut and CUT_MARK in ended.text
        call.pictures = pictures_of(step.result)
        if step.ran and step.duration_ms is not None:
            call.took_ms = max(round(step.duration_ms), 0)
            if self._at is not None and call.at_ms is not None:
                call.at_ms = max(self._at - call.took_ms, call.at_ms)

    def _end_wait(self, wait_id: str, by: str | None, value: object) -> None:
        wait = self._waits.pop(wait_id, None)
        if wait is None:
            return
        wait.by, wait.output = by, value
        if self._at is not None and wait.at_ms is not None:
            wait.took_ms = self._at - wait.at_ms
