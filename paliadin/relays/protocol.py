"""The interface of a relay, which carries turns to a model and their steps back. It knows turns, not panes or keys."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from paliadin.base.strict_json import JsonObject
from paliadin.people.person_key import PersonKey
from paliadin.relays.figures import Figures
from paliadin.relays.offers import Offers
from paliadin.relays.turn import Turn
from paliadin.turnlog.description import Description

DEFAULT_SESSION = "main"


class State(StrEnum):
    """The state of a session's Claude."""

    STARTING = "starting"
    READY = "ready"  # a question can be asked
    BUSY = "busy"
    PERMISSION = "permission"  # it waits for a permission, which the page can give
    QUESTION = "question"  # it waits for the reply to a question of its own, which the page can give
    TRUST = "trust"  # it asks whether to trust its working folder; only its terminal can reply
    LOGIN = "login"  # it asks for a login
    NOT_LOGGED_IN = "not_logged_in"
    TOO_OLD = "claude_too_old"  # of its version
    NO_API_KEY = "no_api_key"  # for the Messages API
    NO_WORKER = "no_worker"  # no process takes questions for it
    DRAFT = "draft"  # somebody has typed something in its terminal
    DIALOG = "dialog"  # some other dialog is open in its terminal
    SUSPENDED = "stopped"  # its process was stopped, and is being woken
    DEAD = "dead"  # it does not run, though it should
    PARKED = "parked"  # it was ended while nobody needed it, or was never started; the next question starts it
    NO_HOOKS = "no_hooks"  # it runs, but without Paliadin's hooks
    UNREACHABLE = "unreachable"  # no connection to its host


_USABLE = {State.READY, State.BUSY, State.PERMISSION, State.QUESTION, State.PARKED}
PARKED = "Claude is parked; the next question brings it back"


@dataclass(frozen=True, slots=True)
class SessionState:
    """The state of a session's Claude, with a message and a hint for people.

    `screen` is the terminal's text where that helps a person, else empty. `retry_at` is the next attempt to reach an
    unreachable host, in milliseconds since 1970. `live` is "on" where text is shown as it is generated or requests are
    kept, the reason why not where that was asked for in vain, else empty.
    """

    name: str
    host: str
    state: State
    message: str
    hint: str = ""
    screen: str = ""
    retry_at: int | None = None
    live: str = ""

    @property
    def ok(self) -> bool:
        """True when Claude can be asked, is working, or waits for a reply that the page can give."""
        return self.state in _USABLE


class Relay(Protocol):
    """Carries turns to a model, and writes what happens into each turn's log.

    Somebody follows the log of a turn that was given to `submit` or `resume`, and keeps its `progress` up to date.

    A turn's failure is a step in its log. `submit` and `resume` raise only when that step cannot be written:
    StorageFull, OSError, or NotFound when the turn was deleted.
    """

    async def submit(self, turn: Turn) -> None:
        """Deliver the turn's question, then watch over the turn; return only when its log is complete."""

    async def resume(self, turn: Turn) -> None:
        """Watch over a turn that an earlier daemon submitted, or that began in the terminal; never submit it again."""

    async def reply(self, turn: Turn, interrupt_id: str, value: object, *, cancel: bool) -> None:
        """Hand over the user's reply to an interrupt of a running turn.

        `value` has the shapes that `events.interrupts.read_reply` takes; `cancel`: dismissed without a reply. Raises
        NotFound when nothing waits under this id, InvalidField when the reply does not fit.
        """

    async def abort(self, turn: Turn) -> None:
        """Stop a running turn; return once the model has stopped."""


class SessionRelay(Protocol):
    """Looks after sessions, each a Claude with its conversation."""

    async def open(self, session: str) -> None:
        """Prepare a new session; its Claude starts with the first question. Raises RelayError."""

    async def reset(self, session: str) -> None:
        """Make the session's Claude forget its conversation."""

    async def compact(self, session: str) -> None:
        """Have the session's Claude replace its conversation by a summary, in minutes at most; raises RelayError."""

    async def state(self, session: str) -> SessionState:
        """Look at the session and return its current state."""

    async def alive(self) -> Collection[str]:
        """Return the sessions whose Claude runs, as processes. No screen is looked at."""

    async def park(self, session: str) -> bool:
        """End the session's Claude if it is idle and nobody needs it; return whether none runs afterwards."""

    async def offers(self, session: str) -> Offers:
        """Return what the session's Claude offers, nothing for a member's; raises RelayError, after some seconds."""

    async def figures(self, sessions: Collection[str]) -> Mapping[str, Figures]:
        """Return the figures of these sessions, without those whose Claude has not reported any."""

    async def configure(self, session: str, changes: JsonObject) -> None:
        """Change the session's `model` or `permission_mode`; null or "" is as the settings say.

        A Claude that runs comes back with them; another one gets them when it is started next. Raises InvalidField,
        TurnInFlight, another RelayError when it cannot be ended for that, or (`options_refused`) does not start with
        them: then it has come back with those from before.
        """

    async def branch(self, turn_id: str, session: str, branch: str) -> None:
        """Let the new session `branch` begin with the conversation that `session` had before the turn.

        Raises TurnInFlight or another RelayError when the session's Claude cannot be ended for that, NotFound when
        that conversation is gone.
        """

    async def discard(self, session: str) -> None:
        """End the session's Claude, and remove its conversation; raises TurnInFlight."""

    async def forget(self, session: str, turn_ids: Sequence[str]) -> None:
        """Remove these turns from the session's machine, if it is another one; raises TurnInFlight."""


class Relays(Relay, SessionRelay, Protocol):
    """All sessions of a daemon behind one `Relay`, whichever relay each of them has."""

    def sessions(self) -> Sequence[str]:
        """Return the sessions on other machines, by the names that the daemon uses for them."""

    async def check(self, session: str, person: PersonKey, description: Description) -> Description:
        """Return the question's description with what the relay adds to it; `person`: who asks.

        Raises PaliadinError if it cannot be asked there.
        """

    async def admit(self, session: str, person: PersonKey, description: Description) -> Description:
        """Count a question that is about to begin, or to wait; returns its description with what is added to it.

        Raises RateLimited, and StoreUnavailable where it has to be counted and cannot be.
        """

    def host(self, session: str) -> str:
        """Return the name of the session's machine; for one over the Messages API that of the API."""

    def own_hosts(self) -> Sequence[str]:
        """Return the hosts of sessions whose folder is here: this machine, the Messages API, or both."""

    def place(self, session: str, host: str) -> None:
        """Let a new session be carried at one of `own_hosts`, whatever the settings say for others."""

    def runs_a_claude(self, session: str) -> bool:
        """Tell whether the session has a Claude Code process of its own, of which a machine can run only a few."""

    async def fetch_picture(self, session: str, turn_id: str, name: str) -> None:
        """Fetch a picture that a tool returned into the turn's folder, if the session's machine is another one.

        Raises NotFound, RelayError and StorageFull; where that machine is too old to send any, nothing comes.
        """

    def is_reachable(self, session: str) -> bool:
        """Tell whether the session's machine can be asked now."""

    def running(self) -> AbstractAsyncContextManager[None]:
        """Carry turns during a `with` block; raises ConfigError. At its end the turns that run go on."""
