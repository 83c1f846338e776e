"""The steps of a turn: a relay writes them into the turn log, and the turn's events are made of them.

A relay may write them as they are (`to_line`). Claude Code's hooks do not know them: `claude_code` makes them of what
hooks wrote. `at` is milliseconds since 1970.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from paliadin.base.checked_numbers import count_of, number_of

LONGEST_TEXT = 16_384  # characters; of text full of punctuation they take up to 40 ms to show
Outcome = Literal["ok", "failed", "refused", "invalid"]
"""The end of a tool call. `refused`: a person said no. `invalid`: the call was malformed. Neither of these two ran."""


@dataclass(frozen=True, slots=True)
class Accepted:
    """The relay has taken the turn. `model` is the one that is going to answer, if that is known.

    `notices`: what the reader should know of it: `history_cut` if the model gets only the end of the conversation.
    `transcript_read`: the relay reads Claude Code's transcript beside the hooks' lines, and tells from it which
    messages count (`Kept`, `Retracted`) and that Claude rests. Older logs lack it: there the hooks' lines decide.
    """

    at: int
    model: str | None = None
    notices: Sequence[str] | None = None
    transcript_read: bool = False


@dataclass(frozen=True, slots=True)
class Held:
    """The turn waits until its session may run. `by`: the names of the running sessions; none once the wait is over."""

    at: int
    by: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Prompted:
    """The prompt has reached the model's side. `text` is the text that arrived; None if not all of it is known."""

    at: int
    text: str | None = None


@dataclass(frozen=True, slots=True)
class Text:
    """The next part of a message's Markdown, in order. A turn may have several messages, with tools between them."""

    at: int
    message: str  # the message's id
    text: str
    final: bool = False  # nothing more of this message comes

    def parts(self) -> list[Text]:
        """Split into steps of at most LONGEST_TEXT characters: a reader lets others work between two steps."""
        if len(self.text) <= LONGEST_TEXT:
            return [self]
        starts = range(0, len(self.text), LONGEST_TEXT)
        parts = [replace(self, text=self.text[start : start + LONGEST_TEXT], final=False) for start in starts]
        return [*parts[:-1], replace(parts[-1], final=self.final)]


@dataclass(frozen=True, slots=True)
class Retracted:
    """All text of this message is void."""

    at: int
    message: str


@dataclass(frozen=True, slots=True)
class Doubted:
    """Another message follows this one directly: either the model was cut off and goes on, or it repeats everything.

    The relay decides which: `Kept` or `Retracted`.
    """

    at: int
    message: str


@dataclass(frozen=True, slots=True)
class Kept:
    """This message counts, though another one follows it directly."""

    at: int
    message: str


@dataclass(frozen=True, slots=True)
class Unconfirmed:
    """Text that was generated and shown, and that Claude Code itself never reported: the turn was stopped before.

    It is as the reader sees it, without chips and trailer. `message` is the id of the message that it continues; a new
    one has an id of its own.
    """

    at: int
    message: str
    text: str


@dataclass(frozen=True, slots=True)
class Joined:
    """Somebody typed this in the terminal while the turn ran, and it has become a part of the turn.

    The model got it with the results of its tools: `after` is the id of the last of these calls. The model's response
    may have come before this step.
    """

    at: int
    text: str
    after: str | None = None


@dataclass(frozen=True, slots=True)
class ToolStarted:
    """A tool is called with `input`, a JSON value."""

    at: int
    id: str
    name: str
    input: object = None


@dataclass(frozen=True, slots=True)
class ToolEnded:
    """A tool call is over. `result` is what the tool returned, or the text of its error: a JSON value.

    `cut`: the result or the input was too long, and a part is missing; a mark says where, and how much.
    """

    at: int
    id: str
    name: str
    outcome: Outcome
    result: object = None
    duration_ms: float | None = None
    cut: bool = False

    def __post_init__(self) -> None:
        """Drop a duration that cannot be one: it comes from a hook, a tool or another host."""
        object.__setattr__(self, "duration_ms", number_of(self.duration_ms))

    @property
    def ran(self) -> bool:
        """True if the tool was run, with whatever success."""
        return self.outcome in {"ok", "failed"}


@dataclass(frozen=True, slots=True)
class Interrupted:
    """The model waits for the user: for a permission to use `tool`, or for the reply to a question.

    `cut`: the input was too long, and a part of it is missing; a mark in it says where, and how much. `folder` is where
    the tool would run. `exists`, `leads_to`: if the file that the input names is there, and which file is really meant
    if a link stands in its path. `agent`: the kind of the subagent that waits; None: Claude itself.
    """

    at: int
    id: str
    tool: str
    input: object = None
    cut: bool = False
    folder: str | None = None
    exists: bool | None = None
    leads_to: str | None = None
    agent: str | None = None


@dataclass(frozen=True, slots=True)
class DialogOpened:
    """A dialog is open in the model's terminal that nothing else reports, and that can be replied to only there.

    `text` is the dialog as the terminal shows it. The step comes again, with the same id, when that has changed. `asks`
    is its kind: a permission, a question, a login, or another dialog.
    """

    at: int
    id: str
    text: str
    asks: str = "dialog"


@dataclass(frozen=True, slots=True)
class DialogClosed:
    """The dialog in the terminal has closed."""

    at: int
    id: str


@dataclass(frozen=True, slots=True)
class Replied:
    """An interrupt is over. `by`: page, terminal, timeout or cancel; `value` is the user's reply, a JSON value.

    `by` is `background` if it still waits, in a turn of its own: an agent goes on after the turn.
    """

    at: int
    id: str
    by: str | None = None
    value: object = None


@dataclass(frozen=True, slots=True)
class Usage:
    """The tokens of the turn so far, by kind (`input_tokens`, …), and the model that answered.

    `stop_hooks`: how many Stop hooks Claude Code has run at the turn's end, if its transcript says so. `files`: the
    paths, or their ends, of the files whose content was in the request; None where that is not known.
    """

    at: int
    counts: Mapping[str, int] = field(default_factory=dict)
    model: str | None = None
    stop_hooks: int | None = None
    files: Sequence[str] | None = None

    def __post_init__(self) -> None:
        """Drop values that cannot be numbers of tokens: they come from an API, a hook or another host."""
        counts = {kind: count for kind, count in self.counts.items() if count_of(count) is not None}
        object.__setattr__(self, "counts", counts)
        object.__setattr__(self, "stop_hooks", count_of(self.stop_hooks))


@dataclass(frozen=True, slots=True)
class OnlyStopHook:
    """No Stop hook of the owner's runs in this turn: Claude Code's report that it stops is final."""

    at: int


@dataclass(frozen=True, slots=True)
class StopReported:
    """Claude Code has reported that it stops. Another Stop hook, of its owner's, may still make it go on."""

    at: int


@dataclass(frozen=True, slots=True)
class WentOn:
    """Claude Code has gone on after it had reported that it stops."""

    at: int


@dataclass(frozen=True, slots=True)
class Stopped:
    """The model has ended its work; late text and the token count may still follow."""

    at: int
    background_tasks: Sequence[object] = ()  # what goes on without it


@dataclass(frozen=True, slots=True)
class AllText:
    """The model has ended its work, and all of its text is there; the token count may still follow."""

    at: int


@dataclass(frozen=True, slots=True)
class Stopping:
    """The user has pressed Stop."""

    at: int


@dataclass(frozen=True, slots=True)
class Settled:
    """The turn has ended: everything is there."""

    at: int


@dataclass(frozen=True, slots=True)
class Aborted:
    """The turn has ended: the user stopped it. `by`: page or terminal."""

    at: int
    by: str | None = None


@dataclass(frozen=True, slots=True)
class Failed:
    """The turn has ended with an error. `code` is one of docs/http.md; `message` and `hint` are for people."""

    at: int
    code: str
    message: str | None = None
    hint: str | None = None


@dataclass(frozen=True, slots=True)
class Checked:
    """The answer was compared with the tools' results: the daemon adds this once the turn is over.

    `claims` are those of `evidence.model` as JSON objects; None: they could not be found out. `chips`: the ids of chips
    that results of earlier turns of the conversation hold.
    """

    at: int
    claims: Sequence[object] | None = None
    chips: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Noted:
    """A part's finding about the answer: `data`, a JSON value. It may come after the turn's end."""

    at: int
    kind: str
    data: object = None


Step = (
    Accepted
    | Held
    | Prompted
    | Text
    | Retracted
    | Doubted
    | Kept
    | Unconfirmed
    | Joined
    | ToolStarted
    | ToolEnded
    | Interrupted
    | DialogOpened
    | DialogClosed
    | Replied
    | Usage
    | OnlyStopHook
    | StopReported
    | WentOn
    | Stopped
    | AllText
    | Stopping
    | Settled
    | Aborted
    | Failed
    | Checked
    | Noted
)
ENDS = (Settled, Aborted, Failed)
"""The steps that end a turn."""


def is_over(steps: Iterable[Step]) -> bool:
    """True if the turn has ended or the model has stopped: at most the last steps are missing."""
    return any(isinstance(step, (Stopped, *ENDS)) for step in steps)
