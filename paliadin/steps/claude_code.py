"""Translate the lines of a turn log into steps. Pure: the same lines always give the same steps.

A line was written by a hook of Claude Code (docs/architecture.md lists the kinds), or is a step of a relay, which
passes. Only this module knows the peculiarities of hooks: text in numbered pieces, calls that are reported twice or
late, a turn's end of three lines.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any, ClassVar

from paliadin.base.checked_numbers import count_of, number_of, time_of
from paliadin.base.errors import NotLoggedIn
from paliadin.base.strict_json import JsonObject, count_values
from paliadin.steps.messages import Messages
from paliadin.steps.model import (
    ENDS,
    Aborted,
    Accepted,
    AllText,
    Checked,
    DialogClosed,
    DialogOpened,
    Failed,
    Interrupted,
    Joined,
    Kept,
    Noted,
    OnlyStopHook,
    Outcome,
    Prompted,
    Replied,
    Retracted,
    Settled,
    Step,
    Stopped,
    Stopping,
    StopReported,
    Text,
    ToolEnded,
    ToolStarted,
    Unconfirmed,
    Usage,
    WentOn,
)
from paliadin.steps.serialised import from_line

QUESTION_TOOL = "AskUserQuestion"  # a question to the user: an interrupt, not a tool
PLAN_TOOL = "ExitPlanMode"  # asks to begin with the plan in its input
MANY_VALUES = 20  # JSON values in a line; most have about 15
MOST_VALUES = 1_000_000  # in all lines of a log that have many: they stay in memory, and take 64 bytes each
FEW_VALUES = 10  # in a call's input or result that stays even then
MOST_CALLS = 100  # of those that a hook tells of together, which stay even then
CUT_MARK = "… [cut by Paliadin: {:,} values]"
_MAY_BE_CUT = frozenset({"tool_input", "tool_response", "error", "input", "result", "value", "by"})
"""Parts of hooks, of their calls and of steps: many stay in memory. Any other is small, or only the last one counts."""
_MAX_KIND = 200  # characters of an agent's kind


class Translator:
    """Takes the lines of one turn's log in their order; returns the steps that each adds."""

    def __init__(self) -> None:
        self.ended = False  # a step of ENDS was given
        self._values = Counter[bool]()  # JSON values in the lines that have many; those that ask the user apart
        self._now = 0  # the latest time in the log: the machine's clock may be set back
        self._messages = Messages()
        self._inputs: dict[str, object] = {}  # tool_use_id of each call that has started → its input
        self._ended_calls: set[str] = set()  # tool_use_ids
        self._permission_requests: list[tuple[str, object]] = []  # (tool name, input)
        self._interrupts: dict[str, bool] = {}  # id → it is still open
        self._interrupts_of_agents: set[str] = set()
        self._dialog: str | None = None  # id of the one that stands in the terminal
        self._prompted = False  # the prompt has arrived
        self._stop_hook: JsonObject | None = None  # the last Stop or StopFailure hook, if nothing came after it
        self._failure_hook: JsonObject | None = None  # the StopFailure hook
        self._stop_at = 0  # when that was
        self._stop_requested = False  # the user pressed Stop
        self._only_stop_hook = True  # no other one can make Claude go on, or none is reckoned with
        self._transcript_read = False  # the relay tells from the transcript what the hooks do not
        self._joined = 0  # prompts that were typed meanwhile and have become a part of the turn
        self._stopped = False  # Stopped was given
        self._counted = False  # the tokens are known
        self._has_all_text = False  # AllText was given

    def feed(self, line: JsonObject) -> list[Step]:
        """Return the steps that the next line adds; none for a line of an unknown kind. Never raises."""
        if (values := count_values(line)) > MANY_VALUES:
            asks = _asks_the_user(line)  # what the calls hold does not count for it
            self._values[asks] += values
            if self._values[asks] > MOST_VALUES:
                line = _shortened_line(line)
        if self.ended:
            return self._take_late_line(line)
        self._now = max(time_of(line.get("at")) or 0, self._now)
        steps: list[Step] = []
        for key, translate in self._LINES.items():
            if key in line:
                steps += translate(self, line)
                break
        if not self.ended:
            steps += self._end_if_complete()
        return [part for step in steps for part in (step.parts() if isinstance(step, Text) else [step])]

    def _take_late_line(self, line: JsonObject) -> list[Step]:
        """Take a line after the turn's end: only the daemon's own findings about the answer count."""
        step = from_line(line, self._now)
        return [step] if isinstance(step, (Checked, Noted)) else []

    def _step(self, line: JsonObject) -> Iterator[Step]:
        step = from_line(line, self._now)
        if step and not isinstance(step, (Checked, Noted)):
            yield from self._take(step)

    def _relay(self, line: JsonObject) -> Iterator[Step]:
        """Translate a step in its older form: hooks and relays wrote its kind and fields as an object `relay`."""
        relay = _object(line["relay"])
        yield from self._step({**relay, "step": relay.get("kind")})

    def _take(self, step: Step) -> Iterator[Step]:
        """Give a relay's step; one that ends the turn comes after all that the hooks' lines still held."""
        if isinstance(step, Settled):
            yield from self._settle()
        elif isinstance(step, ENDS):
            yield from self._end(step)
        elif isinstance(step, Retracted) and self._messages.has(step.message):
            yield from self._messages.decide(self._now, step.message, counts=False)
        else:
            if isinstance(step, Unconfirmed):  # it stands behind all that the hooks have reported
                yield from self._messages.finish(self._now)
            self._note(step)
            yield step

    def _note(self, step: Step) -> None:
        match step:
            case Accepted(transcript_read=True):
                self._transcript_read = self._messages.transcript_read = True
                self._only_stop_hook = False
            case OnlyStopHook():
                self._only_stop_hook = True
            case Joined():
                self._joined += 1
            case DialogOpened(id=dialog):
                self._dialog = dialog
            case DialogClosed():
                self._dialog = None
            case Kept(message=message):
                for _ in self._messages.decide(self._now, message, counts=True):
                    pass
            case Stopping():
                self._stop_requested = True
            case Usage():
                self._counted = True

    def _interrupt(self, line: JsonObject) -> Iterator[Step]:
        interrupt_id, hook = str(line["interrupt"]), _object(line.get("hook"))
        if interrupt_id not in self._interrupts:
            self._interrupts[interrupt_id] = True
            tool, tool_input = str(hook.get("tool_name")), hook.get("tool_input")
            self._permission_requests += [(tool, tool_input), (tool, _shortened(tool_input))]  # the call may be cut
            if isinstance(plan := line.get("plan"), str):  # where the hook found what its input lacks
                tool_input = {**_object(tool_input), "plan": plan}
            place, agent = _place(hook, _object(line.get("file"))), _agent(hook)
            if agent is not None:
                self._interrupts_of_agents.add(interrupt_id)
            yield Interrupted(self._now, interrupt_id, tool, tool_input, line.get("cut") is True, *place, agent)

    def _reply(self, line: JsonObject) -> Iterator[Step]:
        interrupt_id, by = str(line["answer"]), _text(line.get("by"))
        if self._interrupts.get(interrupt_id):
            self._interrupts[interrupt_id] = False
            # The Escape of the user's Stop closed the dialog in the terminal.
            by = "cancel" if self._stop_requested and by == "terminal" else by
            yield Replied(self._now, interrupt_id, by, line.get("value"))

    def _usage(self, line: JsonObject) -> Iterator[Step]:
        """Take the tokens. With `complete` the transcript has the turn's end: Claude rests, and no hook keeps it going.

        Without it, the turn was interrupted, or its end had not come for a while.
        """
        rests = line.get("complete") is True or not self._transcript_read or self._failure_hook is not None
        self._counted = self._counted or rests
        joined = line.get("joined")
        for each in (joined if isinstance(joined, list) else [])[self._joined :]:  # the relay may have told of some
            words = _object(each)
            yield from self._take(Joined(self._now, str(words.get("text")), _text(words.get("after"))))
        counts: Any = _object(line["usage"])  # Usage keeps what are counts
        files = line.get("files")
        yield Usage(
            self._now,
            counts,
            _text(line.get("model")),
            count_of(line.get("stop_hooks")),
            tuple(map(str, files)) if isinstance(files, list) else None,
        )
        if line.get("interrupted") is True and self._stop_hook is not None and not self._has_all_text:
            yield from self._end_interrupted()

    def _end_interrupted(self) -> Iterator[Step]:
        """End a turn that somebody stopped while its owner's Stop hook ran: it might have gone on."""
        yield from self._stop()
        yield from self._messages.complete(self._now, self._last_text())
        yield from self._end(Aborted(self._now, "page" if self._stop_requested else "terminal"))

    def _hook(self, line: JsonObject) -> Iterator[Step]:
        hook = _object(line["hook"])
        translate = self._HOOKS.get(str(hook.get("hook_event_name")))
        if translate:
            yield from translate(self, hook, line)

    def _prompt(self, hook: JsonObject, line: JsonObject) -> Iterator[Step]:
        """Take the prompt. A second prompt was typed meanwhile: 2.1.330 reports it with the running turn's id."""
        if self._prompted and self._transcript_read:
            return
        self._prompted = True
        yield Prompted(self._now, None if line.get("cut") else _text(hook.get("prompt")))

    def _display(self, hook: JsonObject, line: JsonObject) -> Iterator[Step]:
        yield from self._messages.display(self._now, hook, _ticks(line.get("started")))

    def _tool_call(self, hook: JsonObject, line: JsonObject) -> Iterator[Step]:
        self._messages.keep_last(_ticks(line.get("ended")))
        # An agent in the background goes on whatever Claude does.
        if self._stop_hook is not None and self._transcript_read and _agent(hook) is None:
            self._forget_stop()
            yield WentOn(self._now)
        call_id, name = _id_and_name(hook)
        if name != QUESTION_TOOL and call_id not in self._inputs and line.get("from_before") is not True:
            self._inputs[call_id] = tool_input = hook.get("tool_input")
            yield ToolStarted(self._now, call_id, name, tool_input)

    def _tool_result(self, hook: JsonObject, line: JsonObject) -> Iterator[Step]:
        yield from self._tool_ended(hook, line, "ok", hook.get("tool_response"))

    def _tool_failure(self, hook: JsonObject, line: JsonObject) -> Iterator[Step]:
        yield from self._tool_ended(hook, line, "failed", hook.get("error"))

    def _tool_ended(self, hook: JsonObject, line: JsonObject, outcome: Outcome, result: object) -> Iterator[Step]:
        self._messages.keep_last(_ticks(line.get("ended")))
        call_id, name = _id_and_name(hook)
        if name != QUESTION_TOOL and call_id not in self._ended_calls and line.get("from_before") is not True:
            self._ended_calls.add(call_id)
            duration, cut = number_of(hook.get("duration_ms")), line.get("cut") is True
            yield ToolEnded(self._now, call_id, name, outcome, result, duration, cut)

    def _tool_batch(self, hook: JsonObject, line: JsonObject) -> Iterator[Step]:
        """End all calls of one message. Only this hook reports a call that was refused or malformed."""
        self._messages.keep_last(_ticks(line.get("ended")))
        calls = hook.get("tool_calls") if line.get("from_before") is not True else None
        for call in calls if isinstance(calls, list) else []:
            if not isinstance(call, Mapping):
                continue
            call_id, name = _id_and_name(call)
            if name != QUESTION_TOOL and call_id not in self._ended_calls:
                self._ended_calls.add(call_id)
                refused = (name, self._inputs.get(call_id)) in self._permission_requests
                outcome: Outcome = "refused" if refused else "invalid"
                yield ToolEnded(self._now, call_id, name, outcome, call.get("tool_response"))

    def _compacted(self, _hook: JsonObject, _line: JsonObject) -> Iterator[Step]:
        self._messages.keep_last()
        yield from ()

    def _forget_stop(self) -> None:
        """Forget the last Stop: a Stop hook of the owner's has made Claude go on."""
        self._stop_hook = self._failure_hook = None
        self._counted = False

    def _on_stop(self, hook: JsonObject, line: JsonObject) -> Iterator[Step]:
        yield from self._leave_to_agents()
        if self._stop_hook is not None:
            self._forget_stop()
        self._stop_hook, self._stop_at = hook, self._now
        self._messages.stop(_ticks(line.get("ended")))
        yield StopReported(self._now)

    def _stop_failed(self, hook: JsonObject, line: JsonObject) -> Iterator[Step]:
        yield from self._on_stop(hook, line)
        self._failure_hook = hook

    def _last_text(self) -> str:
        """Return the last text block of the answer, as Stop reports it."""
        return str((self._stop_hook or {}).get("last_assistant_message") or "")

    def _end_if_complete(self) -> Iterator[Step]:
        """End the answer once Stop and all text have come, and the turn once the token count has, in any order.

        Where other Stop hooks may make Claude go on, the token count decides: it is complete when Claude rests.
        """
        if self._stop_hook is None or not (self._only_stop_hook or self._counted or self._failure_hook):
            return
        if not self._stopped:
            yield from self._stop()
        if self._failure_hook is None:
            if self._counted and not self._messages.in_doubt:
                yield from self._messages.doubt_last(self._now, self._last_text())
            if self._messages.in_doubt or not self._messages.has_all_of(self._last_text()):
                return
            if not self._has_all_text:
                yield from self._end_answer()
        if self._counted and not self._messages.in_doubt:
            yield from self._settle()

    def _stop(self) -> Iterator[Step]:
        self._stopped = True
        tasks = (self._stop_hook or {}).get("background_tasks")
        yield Stopped(self._stop_at, tasks if isinstance(tasks, list) else ())

    def _end_answer(self) -> Iterator[Step]:
        """Return the text that the messages still held, and the step that says that all text is there."""
        self._has_all_text = True
        yield from self._messages.finish(self._now)
        yield from self._close_interrupts()
        yield AllText(self._now)

    def _settle(self) -> Iterator[Step]:
        if self._stop_hook is not None and not self._stopped:
            yield from self._stop()
        if self._failure_hook is not None:
            yield from self._end(self._failure(self._failure_hook))
        else:
            yield from self._messages.complete(self._now, self._last_text())
            yield from self._end(Settled(self._now))

    def _failure(self, hook: JsonObject) -> Failed:
        """Build the error of a StopFailure hook (Claude Code 2.1: authentication_failed, rate_limit, …)."""
        error = str(hook.get("error"))
        message = str(hook.get("last_assistant_message") or hook.get("error") or "Claude could not finish")
        code = NotLoggedIn.default_code if error == "authentication_failed" else "upstream_error"
        return Failed(self._now, code, message)

    def _end(self, end: Step) -> Iterator[Step]:
        yield from self._messages.finish(self._now)
        yield from self._close_interrupts()
        self.ended = True
        yield end

    def _leave_to_agents(self) -> Iterator[Step]:
        """Close the interrupts of agents that go on after Claude has stopped: they ask in turns of their own."""
        for interrupt_id in [name for name, is_open in self._interrupts.items() if is_open]:
            if interrupt_id in self._interrupts_of_agents:
                self._interrupts[interrupt_id] = False
                yield Replied(self._now, interrupt_id, "background")

    def _close_interrupts(self) -> Iterator[Step]:
        """Close the interrupts as replied to in the terminal, since Claude went on: no hook reports that at once."""
        if self._stop_hook is not None and self._failure_hook is None and not self._stop_requested:
            for interrupt_id in [name for name, is_open in self._interrupts.items() if is_open]:
                self._interrupts[interrupt_id] = False
                yield Replied(self._now, interrupt_id, "terminal")
            if self._dialog is not None:
                yield DialogClosed(self._now, self._dialog)
                self._dialog = None

    _LINES: ClassVar[Mapping[str, Callable[[Translator, JsonObject], Iterator[Step]]]] = {  # by a key that the line has
        "step": _step,
        "relay": _relay,
        "interrupt": _interrupt,  # before "hook": the line has both
        "answer": _reply,
        "usage": _usage,
        "hook": _hook,
    }
    _HOOKS: ClassVar[Mapping[str, Callable[[Translator, JsonObject, JsonObject], Iterator[Step]]]] = {
        "UserPromptSubmit": _prompt,
        "MessageDisplay": _display,
        "PreToolUse": _tool_call,
        "PostToolUse": _tool_result,
        "PostToolUseFailure": _tool_failure,
        "PostToolBatch": _tool_batch,
        "PreCompact": _compacted,
        "Stop": _on_stop,
        "StopFailure": _stop_failed,
    }


def _id_and_name(hook: JsonObject) -> tuple[str, str]:
    return str(hook.get("tool_use_id")), str(hook.get("tool_name"))


def _object(value: object) -> JsonObject:
    return value if isinstance(value, Mapping) else {}


def _asks_the_user(line: JsonObject) -> bool:
    """True for a line that the user must see whole, and for the reply to one."""
    return "interrupt" in line or "answer" in line or line.get("step") in ("interrupted", "replied")


def _shortened_line(line: JsonObject) -> JsonObject:
    """Shorten a line: a mark replaces each input and result that has many values."""
    shortened = {**_shortened_parts(line), "cut": True}
    if "hook" in line:
        shortened["hook"] = hook = _shortened_parts(_object(line["hook"]))
        if isinstance(calls := hook.get("tool_calls"), list):
            hook["tool_calls"] = [_shortened_parts(call) for call in calls[:MOST_CALLS] if isinstance(call, Mapping)]
    return shortened


def _shortened_parts(parts: JsonObject) -> dict[str, object]:
    return {name: _shortened(part) if name in _MAY_BE_CUT else part for name, part in parts.items()}


def _shortened(value: object) -> object:
    return CUT_MARK.format(number) if (number := count_values(value)) > FEW_VALUES else value


def _place(hook: JsonObject, file: JsonObject) -> tuple[str | None, bool | None, str | None]:
    """Return the folder, if the file exists, and where it leads; None for each that the hook has not checked."""
    exists = file.get("exists")
    return _text(hook.get("cwd")), exists if isinstance(exists, bool) else None, _text(file.get("leads_to"))


def _agent(hook: JsonObject) -> str | None:
    """Return the kind of the subagent whose hook this is; None: Claude's own."""
    return str(hook.get("agent_type") or "agent")[:_MAX_KIND] if hook.get("agent_id") else None


def _ticks(value: object) -> int | None:
    return value if isinstance(value, int) else None


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None
