"""Reduce the lines of a turn log to the numbered events of the turn. Pure: the same lines always give the same events.

So a live stream, a reconnect, a second browser, a replay a month later and the recorder of the row all agree. The
events of a part of the log, from its beginning, are the first events of the whole log. `end` or `error` is the last.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from paliadin.events import interrupts
from paliadin.events.answer_text import Answer, AnswerMessage, MessageUpdate
from paliadin.events.chips import Chip, chip_label, href_for, id_in
from paliadin.events.failures import explain, upstream_code
from paliadin.events.timeline import Timeline
from paliadin.events.tool_calls import ToolCallTracker
from paliadin.events.trailer import Trailer, fallback_tag
from paliadin.evidence.tool_use import find_differences, names_same_tools

Json = Mapping[str, object]

_MAX_MS = 2**42  # the year 2109: a later time is not believed


@dataclass(frozen=True, slots=True)
class Event:
    """An event of a turn, as docs/http.md lists them."""

    id: int  # its number in the turn, from 1
    name: str
    data: Mapping[str, object]


@dataclass
class Reducer:
    """The state of one turn, built up from the lines of its log, and the source of its events.

    `feed` takes the lines in their order and returns the events that each adds; the fields hold what is known so far.
    `description` is the turn's turn.json, `templates` maps a chip's kind to a path with `{id}`.
    """

    description: Json
    templates: Mapping[str, str] = field(default_factory=dict)
    ended: bool = False  # `end` or `error` was returned
    error: Json | None = None  # the data of the `error` event
    aborted: bool = False  # the user stopped the turn
    model: str | None = None
    usage: Json | None = None  # token counts
    started_ms: int | None = None  # since 1970
    first_text_ms: int | None = None  # since the turn's start
    duration_ms: int | None = None
    tools: ToolCallTracker = field(default_factory=ToolCallTracker)
    timeline: Timeline = field(default_factory=Timeline)
    chips: list[Json] = field(default_factory=list)  # the data of the `chip` events that count
    answer: Answer = field(default_factory=Answer)

    def __post_init__(self) -> None:
        self._event_count = 0
        self._interrupt_ids: set[str] = set()
        self._open_interrupts: dict[str, Json] = {}  # those without a reply
        self._stop_hook: Json | None = None  # the Stop or StopFailure hook
        self._failure: Json | None = None  # code and message, from StopFailure
        self._stop_requested = False  # the user pressed Stop
        self._phase = ""
        self._last_ms = 0  # the latest time in the log

    def feed(self, line: Json) -> list[Event]:
        """Process the next line; return the events that it adds. Never raises.

        A line of an unknown kind adds nothing, nor does a field of another type than expected.
        """
        if self.ended:
            return []
        at = line.get("at")
        if isinstance(at, int) and at < _MAX_MS:
            self._last_ms = max(at, self._last_ms)  # the machine's clock may be set back
        self._new: list[Event] = []
        for key, handle in self._LINE_HANDLERS.items():
            if key in line:
                handle(self, line)
                break
        self._end_if_complete()
        return self._new

    # Handlers of the log's lines; docs/architecture.md has the lines' fields.

    def _relay(self, line: Json) -> None:
        relay = _object(line["relay"])
        match relay.get("kind"):
            case "accepted" if self.started_ms is None:
                self.started_ms = self._last_ms
                self.model = _text(relay.get("model"))
                meta = {key: self.description.get(key) for key in ("turn_id", "session_id")}
                self._emit("meta", **meta, started_at=self.started_ms, model=self.model, notices=self._notices())
                self._status("sent", "On its way to Claude")
            case "stopping":
                self._stop_requested = True
            case "aborted":
                self.aborted = True
                self._finish_parts()
                self._end()
            case "failed":
                self._fail(relay)
            case "settled" if self._failure:
                self._fail(self._failure)
            case "settled":
                self._show(self.answer.complete(self._last_text()))
                self._finish_parts()
                self._end()

    def _notices(self) -> list[str]:
        context = self.description.get("context")
        cut = isinstance(context, Mapping) and context.get("selection_cut")
        return ["selection_cut"] if cut else []

    def _hook(self, line: Json) -> None:
        hook = _object(line["hook"])
        self._started, self._ended = _ticks(line.get("started")), _ticks(line.get("ended"))
        handle = self._HOOK_HANDLERS.get(str(hook.get("hook_event_name")))
        if handle:
            handle(self, hook)

    def _prompt(self, _hook: Json) -> None:
        self._status("thinking", "Thinking")

    def _display(self, hook: Json) -> None:
        self._show(self.answer.display(hook, self._started))

    def _show(self, updates: Iterable[MessageUpdate]) -> None:
        for message, change in updates:
            if change is None:
                self._retract(message)
            elif isinstance(change, Chip):
                self._chip(message, change)
            elif change:
                if self.first_text_ms is None:
                    self.first_text_ms = self._since_start()
                self._status("answering", "Answering")
                self._emit("content_delta", text=change, message_id=message.id)

    def _retract(self, message: AnswerMessage) -> None:
        self.chips = [chip for chip in self.chips if chip["message_id"] != message.id]
        self._emit("content_reset", message_id=message.id, reason="Claude asked the API again; the answer starts over")

    def _chip(self, message: AnswerMessage, chip: Chip) -> None:
        verified = chip.id is None or any(id_in(chip.id, text) for text in self.tools.results)
        data = {
            "kind": chip.kind,
            "action": chip.action,
            "id": chip.id,
            "value": chip.value,
            "href": href_for(chip, self.templates) if verified else None,
            "label": chip_label(chip),
            "verified": verified,
            "message_id": message.id,
        }
        self.chips.append(data)
        self._emit("chip", **data)

    def _tool_call(self, hook: Json) -> None:
        self.answer.keep_last_message(self._ended)
        call = self.tools.record_start(hook)
        if call:
            self._emit("tool_call", **call)
            self._status("tool", f"{call['name']}: {call['summary']}", again=True)

    def _tool_result(self, hook: Json, *, ok: bool = True) -> None:
        self.answer.keep_last_message(self._ended)
        result = self.tools.record_end(hook, ok=ok)
        if result:
            self._emit("tool_result", **result)
            self._status("thinking", "Thinking")

    def _tool_failure(self, hook: Json) -> None:
        self._tool_result(hook, ok=False)

    def _tool_batch(self, hook: Json) -> None:
        self.answer.keep_last_message(self._ended)
        for name, data in self.tools.record_batch_end(hook):
            self._emit(name, **data)

    def _interrupt(self, line: Json) -> None:
        interrupt_id = str(line["interrupt"])
        if interrupt_id in self._interrupt_ids:
            return
        hook = _object(line.get("hook"))
        self.tools.record_permission_request(hook)
        data = interrupts.describe(interrupt_id, hook)
        self._interrupt_ids.add(interrupt_id)
        self._open_interrupts[interrupt_id] = data
        self._emit("interrupt", **data)
        self._status("waiting", "Waiting for your reply", again=True)

    def _reply(self, line: Json) -> None:
        self._resolve(str(line["answer"]), line.get("by"), line.get("value"))

    def _resolve(self, interrupt_id: str, by: object, value: object) -> None:
        """End the wait for a reply; `by` and `value` are those of the `interrupt_resolved` event."""
        if self._open_interrupts.pop(interrupt_id, None) is None:
            return
        if self._stop_requested and by == "terminal":  # the Escape of the user's Stop closed the dialog there
            by = "cancel"
        self._emit("interrupt_resolved", id=interrupt_id, by=by, value=value)
        if not self._open_interrupts:
            self._status("thinking", "Thinking")

    def _usage(self, line: Json) -> None:
        usage = _object(line["usage"])
        self.usage = {name: count for name, count in usage.items() if isinstance(count, int)}
        self.model = _text(line.get("model")) or self.model

    def _on_stop(self, hook: Json) -> None:
        self._stop_hook = hook
        self.answer.stop(self._ended)
        self.duration_ms = self._since_start()

    def _stop_failed(self, hook: Json) -> None:
        self._on_stop(hook)
        message = str(hook.get("last_assistant_message") or hook.get("error") or "Claude could not finish")
        self._failure = {"code": upstream_code(str(hook.get("error"))), "message": message}

    def _compacted(self, _hook: Json) -> None:
        self.answer.keep_last_message()

    def _last_text(self) -> str:
        """The last text block of the answer, as Stop reports it."""
        return str((self._stop_hook or {}).get("last_assistant_message") or "")

    def _end_if_complete(self) -> None:
        """End the turn once Stop, all text and the token count are there: they come in any order."""
        if self.ended or self._stop_hook is None or self.usage is None:
            return
        if self._failure:
            self._finish_parts()
            self._fail(self._failure)
        elif self.answer.has_all_of(self._last_text()):
            self._finish_parts()
            self._end()

    def _finish_parts(self) -> None:
        """Show the text that was held back, and close the interrupts that are still open."""
        self._show(self.answer.finish())
        # Claude went on to its end, so somebody must have replied in the terminal: no hook reports that at once.
        went_on = self._stop_hook is not None and self._failure is None and not self._stop_requested
        for interrupt_id in list(self._open_interrupts):
            self._resolve(interrupt_id, "terminal" if went_on else "cancel", None)

    def _fail(self, failure: Json) -> None:
        self._finish_parts()
        self.error = explain(failure, str(self.description.get("session_id")))
        self._emit("error", **self.error)
        self._mark_ended()

    def _end(self) -> None:
        stop = self._stop_hook or {}
        tasks = stop.get("background_tasks")
        self._emit("evidence", **self.evidence())
        self._mark_ended()
        self._emit(
            "end",
            duration_ms=self.duration_ms,
            first_text_ms=self.first_text_ms,
            usage=self.usage,
            model=self.model,
            chip_count=len(self.chips),
            aborted=self.aborted,
            background_tasks=tasks if isinstance(tasks, list) else [],
        )

    def _mark_ended(self) -> None:
        self.ended = True
        if self.duration_ms is None:
            self.duration_ms = self._since_start()

    def _since_start(self) -> int | None:
        return None if self.started_ms is None else self._last_ms - self.started_ms

    def evidence(self) -> dict[str, object]:
        """Build the data of the `evidence` event: what the trailer claims, beside what the hooks saw."""
        used = list(self.trailer.used_tools) if self.trailer else []
        rows = list(self.trailer.rows_seen) if self.trailer else []
        tag, source = self.classify()
        return {
            "used_tools": used,
            "rows_seen": rows,
            "classifier_tag": tag,
            "classifier_source": source,
            "observed_tools": list(self.tools.observed),
            "agrees": names_same_tools(used, self.tools.observed) if self.trailer else None,
            "differences": find_differences(used, rows, self.tools.observed, self.timeline.tool_calls)
            if self.trailer
            else [],
        }

    def classify(self) -> tuple[str, str]:
        """The turn's classifier tag and its source: `trailer` or `fallback`."""
        if self.trailer and self.trailer.classifier_tag:
            return self.trailer.classifier_tag, "trailer"
        return fallback_tag(str(self.description.get("user_message", "")), self.tools.observed), "fallback"

    @property
    def answer_text(self) -> str:
        """The answer so far as the user reads it: Markdown, without chip markers and trailer."""
        return self.answer.text

    @property
    def trailer(self) -> Trailer | None:
        """The answer's trailer; known once the turn has ended."""
        return self.answer.trailer

    @property
    def open_interrupts(self) -> list[Json]:
        """The data of the `interrupt` events that wait for a reply."""
        return list(self._open_interrupts.values())

    @property
    def claude_stopped(self) -> bool:
        """Claude has ended its work (Stop or StopFailure); the last lines of the log may still be missing."""
        return self._stop_hook is not None

    def _status(self, phase: str, message: str, *, again: bool = False) -> None:
        if phase != self._phase or again:
            self._phase = phase
            self._emit("status", phase=phase, message=message)

    def _emit(self, event: str, /, **data: object) -> None:
        self._event_count += 1
        self._new.append(Event(self._event_count, event, data))
        self.timeline.add(event, data, self._since_start())

    _LINE_HANDLERS: ClassVar[Mapping[str, Callable[[Reducer, Json], None]]] = {  # by a key that the line has
        "relay": _relay,
        "interrupt": _interrupt,  # before "hook": the line has both
        "answer": _reply,
        "usage": _usage,
        "hook": _hook,
    }
    _HOOK_HANDLERS: ClassVar[Mapping[str, Callable[[Reducer, Json], None]]] = {
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


def _object(value: object) -> Json:
    return value if isinstance(value, Mapping) else {}


def _ticks(value: object) -> int | None:
    return value if isinstance(value, int) else None


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def reduce(description: Json, lines: Iterable[Json], templates: Mapping[str, str] | None = None) -> list[Event]:
    """Return all events of a turn's log so far; the arguments are `Reducer`'s, and the lines."""
    reducer = Reducer(description, templates or {})
    return [event for line in lines for event in reducer.feed(line)]


def is_over(lines: Iterable[Json]) -> bool:
    """True if the turn of this log has ended or Claude has stopped: at most the last lines are missing."""
    reducer = Reducer({})
    for line in lines:
        reducer.feed(line)
    return reducer.ended or reducer.claude_stopped
