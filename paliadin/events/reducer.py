"""Lines of a turn log → the numbered events of the turn. Pure: the same lines always give the same events.

So a live stream, a reconnect, a second browser, a replay a month later and the recorder of the row all agree. What a
prefix of the log gives is a prefix of what the whole log gives; after `end` or `error` nothing more comes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from paliadin import interrupts
from paliadin.chips import Chip, chip_label, href_for, id_in
from paliadin.displayed import Displayed, Shown, Spoken
from paliadin.evidence import agree, differences
from paliadin.failures import explain, upstream_code
from paliadin.timeline import Timeline
from paliadin.toolsteps import ToolSteps
from paliadin.trailer import Trailer, fallback_tag

Json = Mapping[str, object]

_LAST_MS = 2**42  # the year 2109: a later time is none


@dataclass(frozen=True, slots=True)
class Event:
    """What the page sees: the number (from 1), the name, the data (docs/http.md)."""

    id: int
    name: str
    data: Mapping[str, object]


@dataclass
class Reducer:
    """Feed it the lines of one turn in the order of its log; it returns what each adds.

    `turn` is the turn's description (turn.json), `templates` maps a chip's kind to a path with `{id}`.
    """

    turn: Json
    templates: Mapping[str, str] = field(default_factory=dict)
    ended: bool = False
    error: Json | None = None
    aborted: bool = False
    model: str | None = None
    usage: Json | None = None
    started_ms: int | None = None
    first_text_ms: int | None = None  # milliseconds after the start, as duration_ms
    duration_ms: int | None = None
    tools: ToolSteps = field(default_factory=ToolSteps)
    timeline: Timeline = field(default_factory=Timeline)
    chips: list[Json] = field(default_factory=list)
    spoken: Spoken = field(default_factory=Spoken)

    def __post_init__(self) -> None:
        self._count = 0
        self._asked: set[str] = set()  # interrupts
        self._open: dict[str, Json] = {}  # those that nobody has answered
        self._stop: Json | None = None
        self._failure: Json | None = None
        self._stopping = False  # the user pressed Stop
        self._phase = ""
        self._last_ms = 0

    def feed(self, line: Json) -> list[Event]:
        """Never raises: a line that it does not know, or whose fields have other types, says nothing."""
        if self.ended:
            return []
        at = line.get("at")
        if isinstance(at, int) and at < _LAST_MS:
            self._last_ms = max(at, self._last_ms)  # the machine's clock may be set back
        self._new: list[Event] = []
        for key, handle in self._KINDS.items():
            if key in line:
                handle(self, line)
                break
        self._end_if_complete()
        return self._new

    # What the lines hold: {"relay": {"kind", …}}, {"interrupt": id, "hook": …}, {"answer": id, "by", "value"},
    # {"usage": …, "model"}, {"hook": payload}.

    def _relay(self, line: Json) -> None:
        relay = _object(line["relay"])
        match relay.get("kind"):
            case "accepted" if self.started_ms is None:
                self.started_ms = self._last_ms
                self.model = _text(relay.get("model"))
                meta = {key: self.turn.get(key) for key in ("turn_id", "session_id")}
                self._emit("meta", **meta, started_at=self.started_ms, model=self.model, notices=self._notices())
                self._status("sent", "On its way to Claude")
            case "stopping":
                self._stopping = True
            case "aborted":
                self.aborted = True
                self._finish_text()
                self._end()
            case "failed":
                self._fail(relay)
            case "settled" if self._failure:
                self._fail(self._failure)
            case "settled":
                self._show(self.spoken.complete(self._said()))
                self._finish_text()
                self._end()

    def _notices(self) -> list[str]:
        context = self.turn.get("context")
        cut = isinstance(context, Mapping) and context.get("selection_cut")
        return ["selection_cut"] if cut else []

    def _hook(self, line: Json) -> None:
        hook = _object(line["hook"])
        handle = self._HOOKS.get(str(hook.get("hook_event_name")))
        if handle:
            handle(self, hook)

    def _prompt(self, _hook: Json) -> None:
        self._status("thinking", "Thinking")

    def _display(self, hook: Json) -> None:
        self._show(self.spoken.display(hook))

    def _show(self, pieces: Iterable[Shown]) -> None:
        for message, piece in pieces:
            if piece is None:
                self._take_back(message)
            elif isinstance(piece, Chip):
                self._chip(message, piece)
            elif piece:
                if self.first_text_ms is None:
                    self.first_text_ms = self._since_start()
                self._status("answering", "Answering")
                self._emit("content_delta", text=piece, message_id=message.id)

    def _take_back(self, message: Displayed) -> None:
        self.chips = [chip for chip in self.chips if chip["message_id"] != message.id]
        self._emit("content_reset", message_id=message.id, reason="Claude asked the API again; the answer comes anew")

    def _chip(self, message: Displayed, chip: Chip) -> None:
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
        self.spoken.close()
        call = self.tools.call(hook)
        if call:
            self._emit("tool_call", **call)
            self._status("tool", f"{call['name']}: {call['summary']}", again=True)

    def _tool_result(self, hook: Json, *, ok: bool = True) -> None:
        self.spoken.close()
        result = self.tools.result(hook, ok=ok)
        if result:
            self._emit("tool_result", **result)
            self._status("thinking", "Thinking")

    def _tool_failure(self, hook: Json) -> None:
        self._tool_result(hook, ok=False)

    def _tool_batch(self, hook: Json) -> None:
        self.spoken.close()
        for name, data in self.tools.batch(hook):
            self._emit(name, **data)

    def _interrupt(self, line: Json) -> None:
        interrupt_id = str(line["interrupt"])
        if interrupt_id in self._asked:
            return
        hook = _object(line.get("hook"))
        self.tools.ask(hook)
        data = interrupts.describe(interrupt_id, hook)
        self._asked.add(interrupt_id)
        self._open[interrupt_id] = data
        self._emit("interrupt", **data)
        self._status("waiting", "Waiting for your answer", again=True)

    def _answer(self, line: Json) -> None:
        interrupt_id = str(line["answer"])
        if self._open.pop(interrupt_id, None) is None:
            return
        by = line.get("by")
        if self._stopping and by == "terminal":  # Escape closed the dialog there, for the user who stopped the turn
            by = "cancel"
        self._emit("interrupt_resolved", id=interrupt_id, by=by, value=line.get("value"))
        if not self._open:
            self._status("thinking", "Thinking")

    def _usage(self, line: Json) -> None:
        usage = _object(line["usage"])
        self.usage = {name: count for name, count in usage.items() if isinstance(count, int)}
        self.model = _text(line.get("model")) or self.model

    def _stopped(self, hook: Json) -> None:
        self._stop = hook
        self.spoken.stop()
        self.duration_ms = self._since_start()

    def _stop_failed(self, hook: Json) -> None:
        self._stopped(hook)
        said = str(hook.get("last_assistant_message") or hook.get("error") or "Claude could not finish")
        self._failure = {"code": upstream_code(str(hook.get("error"))), "message": said}

    def _compacted(self, _hook: Json) -> None:
        self.spoken.close()

    def _said(self) -> str:
        """The last text of the answer, as Stop has it."""
        return str((self._stop or {}).get("last_assistant_message") or "")

    def _end_if_complete(self) -> None:
        """`Stop` may come before the last text, and the token count after both."""
        if self.ended or self._stop is None or self.usage is None:
            return
        if self._failure:
            self._finish_text()
            self._fail(self._failure)
        elif self.spoken.has_all_of(self._said()):
            self._finish_text()
            self._end()

    def _finish_text(self) -> None:
        self._show(self.spoken.finish())
        # Claude went on to its end: somebody had answered in the terminal, which no hook tells at once.
        gone_on = self._stop is not None and self._failure is None and not self._stopping
        for interrupt_id in list(self._open):
            self._answer({"answer": interrupt_id, "by": "terminal" if gone_on else "cancel"})

    def _fail(self, failure: Json) -> None:
        self._finish_text()
        self.error = explain(failure, str(self.turn.get("session_id")))
        self._emit("error", **self.error)
        self._over()

    def _end(self) -> None:
        stop = self._stop or {}
        tasks = stop.get("background_tasks")
        self._emit("evidence", **self.evidence())
        self._over()
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

    def _over(self) -> None:
        self.ended = True
        if self.duration_ms is None:
            self.duration_ms = self._since_start()

    def _since_start(self) -> int | None:
        return None if self.started_ms is None else self._last_ms - self.started_ms

    def evidence(self) -> dict[str, object]:
        """What the trailer claims beside what the hooks saw."""
        used = list(self.trailer.used_tools) if self.trailer else []
        rows = list(self.trailer.rows_seen) if self.trailer else []
        tag, source = self.tag()
        return {
            "used_tools": used,
            "rows_seen": rows,
            "classifier_tag": tag,
            "classifier_source": source,
            "observed_tools": list(self.tools.observed),
            "agrees": agree(used, self.tools.observed) if self.trailer else None,
            "differences": differences(used, rows, self.tools.observed, self.timeline.tool_calls)
            if self.trailer
            else [],
        }

    def tag(self) -> tuple[str, str]:
        """(tag, `trailer` or `fallback`)"""
        if self.trailer and self.trailer.classifier_tag:
            return self.trailer.classifier_tag, "trailer"
        return fallback_tag(str(self.turn.get("user_message", "")), self.tools.observed), "fallback"

    @property
    def response(self) -> str:
        return self.spoken.text

    @property
    def trailer(self) -> Trailer | None:
        return self.spoken.trailer

    @property
    def open_interrupts(self) -> list[Json]:
        return list(self._open.values())

    @property
    def stopped(self) -> bool:
        """Claude has said that it is done; what is missing are late lines."""
        return self._stop is not None

    def _status(self, phase: str, message: str, *, again: bool = False) -> None:
        if phase != self._phase or again:
            self._phase = phase
            self._emit("status", phase=phase, message=message)

    def _emit(self, event: str, /, **data: object) -> None:
        self._count += 1
        self._new.append(Event(self._count, event, data))
        self.timeline.take(event, data, self._since_start())

    _KINDS: ClassVar[Mapping[str, Callable[[Reducer, Json], None]]] = {
        "relay": _relay,
        "interrupt": _interrupt,  # before "hook": the line holds both
        "answer": _answer,
        "usage": _usage,
        "hook": _hook,
    }
    _HOOKS: ClassVar[Mapping[str, Callable[[Reducer, Json], None]]] = {
        "UserPromptSubmit": _prompt,
        "MessageDisplay": _display,
        "PreToolUse": _tool_call,
        "PostToolUse": _tool_result,
        "PostToolUseFailure": _tool_failure,
        "PostToolBatch": _tool_batch,
        "PreCompact": _compacted,
        "Stop": _stopped,
        "StopFailure": _stop_failed,
    }


def _object(value: object) -> Json:
    return value if isinstance(value, Mapping) else {}


def _text(value: object) -> str | None:
    return value if isinstance(value, str) else None


def reduce(turn: Json, lines: Iterable[Json], templates: Mapping[str, str] | None = None) -> list[Event]:
    """All events of a log so far."""
    reducer = Reducer(turn, templates or {})
    return [event for line in lines for event in reducer.feed(line)]


def is_over(lines: Iterable[Json]) -> bool:
    """The log has its end, or lacks only late lines."""
    reducer = Reducer({})
    for line in lines:
        reducer.feed(line)
    return reducer.ended or reducer.stopped
