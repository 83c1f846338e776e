"""Every error that Paliadin raises on purpose, as one tree: catch a base, or the leaf that you can recover from.

PaliadinError                  has a code, a message, a hint (what to do next), and says whether a retry can help
├── BadRequest                 the caller must change the request
│   ├── EmptyMessage               422 empty_message
│   ├── MessageTooLong             413 message_too_long
│   ├── ConversationTooLong        413 conversation_too_long
│   ├── InvalidField               422 invalid_field
│   ├── NotHere                    422 not_here
│   └── MalformedBody              400 malformed_body
├── NotFound                   404 unknown_session, unknown_turn, unknown_interrupt
├── Forbidden                  401 no_token, 403 not_allowed, 403 foreign_origin, 421 wrong_host
├── TurnInFlight               409 turn_in_flight (carries the running turn_id)
├── RateLimited                429 too_many_questions (carries the seconds to wait)
│   └── TriedTooOften              tried_too_often
├── RelayError                 503: the turn could not be carried to Claude
│   ├── ClaudeTooOld               claude_too_old
│   ├── NotLoggedIn                not_logged_in
│   ├── DialogOpen                 dialog_open
│   ├── TerminalInUse              terminal_in_use
│   ├── SubmitFailed               submit_failed
│   ├── TurnTimedOut               timeout
│   ├── StoppedByHook              stopped_by_hook
│   ├── PaneDied                   pane_died
│   ├── TmuxUnresponsive           tmux_unresponsive
│   │   └── TmuxFailed                 the same: tmux responds, but refuses a command, or its server has ended
│   ├── RelayUnreachable           relay_unreachable
│   ├── NoApiKey                   no_api_key
│   ├── ApiKeyRefused              api_key_refused
│   ├── OwnKeyRefused              own_key_refused
│   ├── ApiQuota                   api_quota
│   ├── ApiOverloaded              api_overloaded
│   ├── ApiUnreachable             api_unreachable
│   ├── StreamBroken               stream_broken
│   ├── NoWorker                   no_worker
│   ├── ContentRefused             content_refused
│   └── ToolLoopCap                tool_loop_cap
├── StorageFull                507 storage_full
├── StoreUnavailable           503 database_unavailable (turns go on; rows follow)
├── ConfigError                the daemon does not start
└── MissingDependency          tmux, claude or postgres is missing on this machine
"""

from __future__ import annotations

from typing import ClassVar


class PaliadinError(Exception):
    """Base of all. `message` names the precondition that failed, `hint` the next step for a person.

    A class sets the defaults of code, HTTP status and hint; an instance may replace each. `retryable`: the same
    request may succeed later.
    """

    default_code: ClassVar[str] = "internal_error"
    default_status: ClassVar[int] = 500
    retryable: ClassVar[bool] = False
    default_hint: ClassVar[str] = "Run `paliadin doctor` to see which part failed."

    def __init__(
        self, message: str, *, hint: str | None = None, code: str | None = None, status: int | None = None
    ) -> None:
        super().__init__(message)
        self.message = message
        self.hint = self.default_hint if hint is None else hint
        self.code = code or self.default_code
        self.status = status or self.default_status

    def body(self) -> dict[str, object]:
        """The JSON body of an HTTP error: {"error": {"code", "message", "hint"}}."""
        return {"error": {"code": self.code, "message": self.message, "hint": self.hint}}


class BadRequest(PaliadinError):
    """The request cannot be accepted as it is; the caller must change it."""

    default_code = "bad_request"
    default_status = 400
    default_hint = "Correct the request and send it again."


class MalformedBody(BadRequest):
    """The body is not a JSON object, or not one that the route accepts."""

    default_code = "malformed_body"
    default_hint = "Send one JSON object with Content-Type: application/json."


class InvalidField(BadRequest):
    """A field has the wrong type or value; the message names it."""

    default_code = "invalid_field"
    default_status = 422


class NotHere(BadRequest):
    """The conversation's relay lacks an ability that others have: to summarise, to branch, to take another model."""

    default_code = "not_here"
    default_status = 422
    default_hint = "Do it in a conversation with another model."

    def __init__(self, message: str = "the model of this conversation cannot do that") -> None:
        super().__init__(message)


class EmptyMessage(BadRequest):
    """The message has no characters besides control characters and spaces."""

    default_code = "empty_message"
    default_status = 422
    default_hint = "Write a question first."


class MessageTooLong(BadRequest):
    """The message has more characters than prompt/text.py allows."""

    default_code = "message_too_long"
    default_status = 413
    default_hint = "Shorten it, or put the text into a file and name the file in the question."


class ConversationTooLong(BadRequest):
    """The question alone has more tokens than a request over the Messages API may have."""

    default_code = "conversation_too_long"
    default_status = 413
    default_hint = "Shorten the question, or ask it in parts."


class NotFound(PaliadinError):
    """There is nothing with this id or name; `code` tells of which kind (`unknown_turn`, `unknown_session`, …)."""

    default_code = "not_found"
    default_status = 404
    default_hint = "Check the id; `paliadin turns list` shows the turns on record."


class Forbidden(PaliadinError):
    """The caller has not proved that it may do this; `status` and `code` depend on the rule that refused it."""

    default_code = "no_token"
    default_status = 401
    default_hint = "Open the address that `paliadin up` printed, or send `Authorization: Bearer <token>`."


class TurnInFlight(PaliadinError):
    """The session is running a turn. The caller may follow `turn_id`, stop it, or wait; None: the turn is unknown."""

    default_code = "turn_in_flight"
    default_status = 409
    retryable = True
    default_hint = "Wait for the running turn to end, or stop it: on the page, or with Esc in `paliadin attach`."

    def __init__(self, message: str, turn_id: str | None) -> None:
        super().__init__(message)
        self.turn_id = turn_id

    def body(self) -> dict[str, object]:
        return {"error": {"code": self.code, "message": self.message, "hint": self.hint, "turn_id": self.turn_id}}


class RateLimited(PaliadinError):
    """Too many questions were asked in this hour. `retry_after`: seconds until more are taken."""

    default_code = "too_many_questions"
    default_status = 429
    retryable = True
    default_hint = "Ask again when the next hour begins. The owner's setting TURNS_PER_HOUR says how many."

    def __init__(self, message: str, retry_after: int = 3600) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class TriedTooOften(RateLimited):
    """An action was tried again too soon: nobody needs many attempts at it."""

    default_code = "tried_too_often"
    default_hint = "Wait a moment, then try again."


class RelayError(PaliadinError):
    """The turn could not be carried to Claude. Nothing was submitted unless the message says so."""

    default_code = "submit_failed"
    default_status = 503
    retryable = True


class ClaudeTooOld(RelayError):
    """Claude Code is older than any version that the relay works with."""

    default_code = "claude_too_old"
    default_hint = (
        "Where it runs, type `claude update`, or update the package that it came with (`npm install -g "
        "@anthropic-ai/claude-code@latest`, `pip install -U claude-agent-sdk`); then ask again."
    )


class NotLoggedIn(RelayError):
    """Claude Code has no login."""

    default_code = "not_logged_in"
    default_hint = "Run `paliadin attach`, type /login, follow the steps, then ask again."


class DialogOpen(RelayError):
    """A dialog of Claude Code is open in the terminal."""

    default_code = "dialog_open"
    default_hint = "Run `paliadin attach` and complete or close the dialog, then ask again."


class TerminalInUse(RelayError):
    """Somebody is typing in Claude's terminal, or Claude is busy with something that was asked there."""

    default_code = "terminal_in_use"
    default_hint = "Send or clear what is typed in the terminal, or let it finish (`paliadin attach`), then ask again."


class SubmitFailed(RelayError):
    """The question did not reach Claude Code, or not as it was sent."""

    default_code = "submit_failed"
    default_hint = "Look at the terminal with `paliadin attach`; the turn's folder has its screen (screen.txt)."


class TurnTimedOut(RelayError):
    """Claude Code got the question, but its turn did not end in time."""

    default_code = "timeout"
    default_hint = "Ask again, perhaps in smaller steps; PALIADIN_TURN_TIMEOUT sets how long a turn may take."


class StoppedByHook(RelayError):
    """A hook of the owner's own Claude Code blocked the question, or stopped Claude in the middle of its work."""

    default_code = "stopped_by_hook"
    default_hint = "The hook is in the settings of your Claude Code; `/hooks` in `paliadin attach` lists them."


class PaneDied(RelayError):
    """Claude Code's process or its terminal is gone."""

    default_code = "pane_died"
    default_hint = "Ask again: the session is restarted and resumes its conversation."


class TmuxUnresponsive(RelayError):
    """tmux failed, or did not respond in time."""

    default_code = "tmux_unresponsive"
    default_hint = (
        "Ask again in a moment. If tmux goes on hanging, end its server with `kill -KILL` "
        "(`pgrep -fl tmux` shows its process): the next question starts it again, with its conversation."
    )


class TmuxFailed(TmuxUnresponsive):
    """tmux responded, but refused the command, or its server has ended."""


class RelayUnreachable(RelayError):
    """The host of the session cannot be reached."""

    default_code = "relay_unreachable"
    default_hint = "Check that the host is up; `paliadin remote test <host>` shows which step fails."


class NoApiKey(RelayError):
    """There is no key for the Messages API."""

    default_code = "no_api_key"
    retryable = False
    default_hint = "Set PALIADIN_API_KEY and start Paliadin again; docs/messages.md says how."


class ApiKeyRefused(RelayError):
    """The Messages API does not accept the key, or not for this request."""

    default_code = "api_key_refused"
    retryable = False
    default_hint = "The owner has to set another PALIADIN_API_KEY."


class OwnKeyRefused(RelayError):
    """A person's own key for the Messages API does not work, or is gone."""

    default_code = "own_key_refused"
    retryable = False
    default_hint = "Enter another one on Paliadin's page, behind the key at the top, or remove it there."


class ApiQuota(RelayError):
    """The key's account has used up what it may use for now, or its money."""

    default_code = "api_quota"
    default_hint = "Ask again later. The owner sees at the API's console what is used up."


class ApiOverloaded(RelayError):
    """The Messages API is overloaded."""

    default_code = "api_overloaded"
    default_hint = "Ask again in a minute."


class ApiUnreachable(RelayError):
    """There was no connection to the Messages API, or no answer in time."""

    default_code = "api_unreachable"
    default_hint = "Ask again in a minute. If it goes on, look at the daemon's way to the internet."


class StreamBroken(RelayError):
    """The connection broke off while the model answered; what came is kept."""

    default_code = "stream_broken"
    default_hint = "What was answered so far is kept. Ask again."


class NoWorker(RelayError):
    """No process takes questions from the queue."""

    default_code = "no_worker"
    default_hint = "Start one with `paliadin up --role worker`; docs/scaling.md says how."


class ContentRefused(RelayError):
    """The model refused to go on with the conversation."""

    default_code = "content_refused"
    retryable = False
    default_hint = "Put the question in other words."


class ToolLoopCap(RelayError):
    """The model called tools in more rounds than a turn may have."""

    default_code = "tool_loop_cap"
    default_hint = "Ask for less at once, such as one project or one week."


class StorageFull(PaliadinError):
    """The disk, or its quota, is full."""

    default_code = "storage_full"
    default_status = 507
    retryable = True
    default_hint = "Free some disk space, then ask again."


class StoreUnavailable(PaliadinError):
    """The database cannot be reached. Turns go on; their rows are written from the turn logs later."""

    default_code = "database_unavailable"
    default_status = 503
    retryable = True
    default_hint = "Run `paliadin doctor`. Claude Code's turns go on, and are recorded once the database is back."


class ConfigError(PaliadinError):
    """A setting, or a file of the configuration, is not valid."""

    default_code = "config_error"
    default_hint = "Correct the setting and start again."


class MissingDependency(PaliadinError):
    """A program or a file that Paliadin needs is missing on this machine."""

    default_code = "missing_dependency"
    default_hint = "Run `paliadin doctor`."


def default_codes(kind: type[PaliadinError] = PaliadinError) -> set[str]:
    """Return the codes that this class and those below it have by default."""
    return {kind.default_code}.union(*(default_codes(each) for each in kind.__subclasses__()))
