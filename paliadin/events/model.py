"""The events of a turn, as clients get them; docs/http.md says what each means."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from typing import Any, ClassVar

from paliadin.base.strict_json import JsonObject
from paliadin.evidence.model import Evidence


@dataclass(frozen=True, slots=True)
class Meta:
    """The relay has taken the turn. `started_at` is in milliseconds since 1970."""

    event: ClassVar = "meta"
    turn_id: str
    session_id: str
    started_at: int
    model: str | None
    notices: Sequence[str]


@dataclass(frozen=True, slots=True)
class Status:
    """The turn's current phase: held, sent, thinking, tool, answering or waiting.

    `held_by`: the sessions that run while a `held` turn waits until its own may run; empty in all other phases.
    """

    event: ClassVar = "status"
    phase: str
    message: str
    held_by: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class ContentDelta:
    """The next part of a message's visible text."""

    event: ClassVar = "content_delta"
    text: str
    message_id: str


@dataclass(frozen=True, slots=True)
class ContentReset:
    """Text and chips of this message are void."""

    event: ClassVar = "content_reset"
    message_id: str
    reason: str


@dataclass(frozen=True, slots=True)
class Unconfirmed:
    """The last `length` code points of this message were generated and shown before somebody stopped the turn.

    Claude Code itself never reported them.
    """

    event: ClassVar = "unconfirmed"
    message_id: str
    length: int


@dataclass(frozen=True, slots=True)
class Joined:
    """Somebody typed this in Claude's terminal while the turn ran; Claude has got it as a part of the turn.

    It stands behind the tool call `after`, and before what Claude said next, which may have come earlier; None: here.
    """

    event: ClassVar = "joined"
    text: str
    after: str | None = None


@dataclass(frozen=True, slots=True)
class ChipShown:
    """A chip of a message. `verified`: a tool returned its id, or the ids in its path; a filter never is.

    The event comes once more for the same chip if only a result of an earlier turn has its id. `href` is None when it
    leads nowhere: no path is set up for it, or it has an id that is not verified. `at` is where it stood: the number of
    code points of the message's text before it.
    """

    event: ClassVar = "chip"
    kind: str
    action: str
    id: str | None
    value: str | None
    href: str | None
    label: str
    verified: bool
    message_id: str
    at: int


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool is called. `input` is a JSON value with its long strings cut."""

    event: ClassVar = "tool_call"
    id: str
    name: str
    summary: str
    input: object


@dataclass(frozen=True, slots=True)
class ToolResult:
    """A tool call is over. `output` is its text, cut.

    `pictures`: of each one in its result, the name of its file in the turn's folder; "" if it is not kept.
    """

    event: ClassVar = "tool_result"
    id: str
    name: str
    ok: bool
    summary: str
    rows: int | None
    duration_ms: float | None
    output: object
    refused: bool
    pictures: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Interrupt:
    """Claude waits for a permission, the choice of an option (`question`), or free text (`text`).

    `dialog`: it waits in its terminal, and takes no reply from here; `input` is {"screen": text, "asks": what for}. The
    event comes again, with the same id, when the text has changed.

    `cut`: a part of `input` is missing. `folder`: where a tool would run. `exists`, `leads_to`: if the file that the
    input names is there, and which file is really meant if a link stands in its path; None where that is not known.
    `session_covers`: what `allow_session` allows, if it is offered: `command` (exactly this one), `changes` or
    `reading` of the file, or the `tool`. `agent`: the kind of the subagent that waits; None: Claude itself.
    """

    event: ClassVar = "interrupt"
    id: str
    kind: str
    message: str
    options: Sequence[JsonObject]
    multi: bool
    questions: Sequence[JsonObject]
    tool: str
    input: object
    cut: bool = False
    folder: str | None = None
    exists: bool | None = None
    leads_to: str | None = None
    session_covers: str | None = None
    agent: str | None = None


@dataclass(frozen=True, slots=True)
class InterruptResolved:
    """The wait is over. `value` is the user's reply, if there is one."""

    event: ClassVar = "interrupt_resolved"
    id: str
    by: str | None
    value: object


@dataclass(frozen=True, slots=True)
class Answered:
    """Claude has stopped, and all of its text is there: another question may be asked. `evidence` and `end` follow."""

    event: ClassVar = "answered"
    duration_ms: int | None


@dataclass(frozen=True, slots=True)
class End:
    """The turn has ended, or was stopped by its user. `waited_ms` is the part of the duration that the user took."""

    event: ClassVar = "end"
    duration_ms: int | None
    waited_ms: int
    first_text_ms: int | None
    usage: JsonObject | None
    model: str | None
    chip_count: int
    aborted: bool
    background_tasks: Sequence[object]


@dataclass(frozen=True, slots=True)
class Error:
    """The turn has failed."""

    event: ClassVar = "error"
    code: str
    message: str
    hint: str
    retryable: bool


EventData = (
    Meta
    | Status
    | ContentDelta
    | ContentReset
    | Unconfirmed
    | Joined
    | ChipShown
    | ToolCall
    | ToolResult
    | Interrupt
    | InterruptResolved
    | Answered
    | Evidence
    | End
    | Error
)


@dataclass(frozen=True, slots=True)
class Preview:
    """Provisional text, without a number: from `offset` on, the text of this message is `text`, and nothing after it.

    `message` is its number in the turn, from 0, in the order of the first `content_delta` of each. `offset` counts code
    points of its visible Markdown.
    """

    event: ClassVar = "preview"
    message: int
    offset: int
    text: str


@dataclass(frozen=True, slots=True)
class Activity:
    """The model's present activity, without a number: thinking, writing, tool (its input, `tool` names it), or nothing.

    `at` is when it began, in milliseconds since 1970.
    """

    event: ClassVar = "activity"
    phase: str
    tool: str | None
    at: int


Unnumbered = Preview | Activity
"""Messages of a stream beside its events; they are in no record, and come only once."""


@dataclass(frozen=True, slots=True)
class Event:
    """One event of a turn. `id` is its number in the turn, from 1."""

    id: int
    data: EventData

    @property
    def name(self) -> str:
        """The event's name, such as `content_delta`."""
        return str(self.data.event)


def as_json(value: object) -> Any:
    """Return a dataclass as a JSON object with its fields, also inside a sequence; any other JSON value as it is."""
    if value is None or isinstance(value, str | int):  # most are
        return value
    if isinstance(value, tuple | list):
        return [as_json(item) for item in value]
    if not is_dataclass(value) or isinstance(value, type):
        return value
    return {name: as_json(getattr(value, name)) for name in field_names(type(value))}


@cache
def field_names(kind: type) -> tuple[str, ...]:
    """Return the names of a dataclass's fields."""
    return tuple(field.name for field in fields(kind))
