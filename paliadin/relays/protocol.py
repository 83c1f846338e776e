"""The interface of a relay, which carries turns to a model and their steps back. It knows turns, not panes or keys.

Every relay is a `Relay`: four methods for a turn (`CarriesTurns`), and a few for a session (`Lifetime`). The protocols
below are what a relay may do besides: who needs one asks `isinstance(relay, Branchable)`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol, runtime_checkable

from paliadin.base.settings_values import TERMINAL
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


class CarriesTurns(Protocol):
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


class Lifetime(Protocol):
    """Looks after sessions, each a model's conversation, by the names that they have at this relay."""

    async def reset(self, session: str) -> None:
        """Make the session's model forget its conversation."""

    async def state(self, session: str) -> SessionState:
        """Look at the session and return its current state."""

    async def alive(self) -> Collection[str]:
        """Return the sessions that are at work or have a program that runs, as processes. No screen is looked at."""

    async def discard(self, session: str) -> None:
        """End what runs for the session, and remove its conversation; raises TurnInFlight."""


@dataclass(frozen=True, slots=True)
class Traits:
    """Facts about a relay that none of its methods tells.

    `name` is the setting PALIADIN_RELAY's; pages learn it from the health report.

    `has_processes`: each session has a program of its own, of which a machine can run only a few. `has_preview`: text
    comes in a file of its own before it is certain. `others_write`: other programs write turns' logs here, too: hooks.
    """

    name: str
    has_processes: bool = False
    has_preview: bool = False
    others_write: bool = False


CLAUDE_CODE = Traits(TERMINAL, has_processes=True, has_preview=True)


class Relay(CarriesTurns, Lifetime, Protocol):
    """A way to a model."""

    @property
    def traits(self) -> Traits:
        """The facts about this relay."""

    @property
    def host(self) -> str:
        """The name of the machine or the service that turns are carried to."""


@runtime_checkable
class Guarded(Protocol):
    """A relay that decides itself what may be asked, also where no words are kept."""

    async def check(self, person: PersonKey, description: Description) -> Description:
        """Return the question's description with what the relay adds to it; `person`: who asks.

        Raises PaliadinError if it cannot be asked.
        """

    async def admit(self, person: PersonKey, description: Description) -> Description:
        """Count a question that is about to begin, or to wait; returns its description with what is added to it.

        Raises RateLimited, and StoreUnavailable where it has to be counted and cannot be.
        """


@runtime_checkable
class Startable(Protocol):
    """A relay whose model can be started before the first question."""

    async def start(self, session: str) -> None:
        """Start the session's model if it does not run and there is a place for it; raises RelayError."""


@runtime_checkable
class Compacting(Protocol):
    """A relay whose model can shorten what was said."""

    async def compact(self, session: str, /) -> None:
        """Have the session's model replace its conversation by a summary, in minutes at most; raises RelayError."""


@runtime_checkable
class Offering(Protocol):
    """A relay whose model offers models, permission modes, commands and skills."""

    async def offers(self, session: str) -> Offers:
        """Return what the session's model offers, nothing for a member's; raises RelayError, after some seconds."""


@runtime_checkable
class Measured(Protocol):
    """A relay whose model reports its own figures: cost, context, model."""

    async def figures(self, sessions: Collection[str]) -> Mapping[str, Figures]:
        """Return the figures of these sessions, without those whose model has not reported any."""


@runtime_checkable
class Configurable(Protocol):
    """A relay whose sessions have a model and a permission mode each."""

    async def configure(self, session: str, changes: JsonObject, /) -> None:
        """Change the session's `model` or `permission_mode`; null or "" is as the settings say.

        A Claude that runs comes back with them; another one gets them when it is started next. Raises InvalidField,
        TurnInFlight, another RelayError when it cannot be ended for that, or (`options_refused`) does not start with
        them: then it has come back with those from before.
        """


@runtime_checkable
class Branchable(Protocol):
    """A relay that can let a new session begin in the middle of another one's conversation."""

    async def branch(self, turn_id: str, session: str, branch: str) -> None:
        """Let the new session `branch` begin with the conversation that `session` had before the turn.

        Raises TurnInFlight or another RelayError when the session's Claude cannot be ended for that, NotFound when
        that conversation is gone.
        """


class OwnRelay(Relay, Protocol):
    """A relay on this machine."""

    def running(self) -> AbstractAsyncContextManager[None]:
        """Carry turns during a `with` block; raises ConfigError. At its end the turns that run go on."""


@runtime_checkable
class FarRelay(Relay, Protocol):
    """A relay to another machine, on which sessions are made and turns' files lie."""

    @property
    def sessions(self) -> Sequence[str]:
        """The sessions there."""

    @property
    def is_connected(self) -> bool:
        """Whether the machine can be asked now."""

    async def open(self, session: str) -> None:
        """Make a new session there; its Claude starts with the first question. Raises RelayError."""

    async def forget(self, turn_ids: Sequence[str]) -> None:
        """Remove these turns there; raises TurnInFlight."""

    async def fetch_picture(self, turn_id: str, name: str) -> None:
        """Fetch a picture that a tool returned there into the turn's folder here.

        Raises NotFound, RelayError and StorageFull; from a machine that is too old to send any, nothing comes.
        """


class Hosts(Protocol):
    """The relays to other machines, by the machines' names; the list may change at any time."""

    def relays(self) -> Mapping[str, FarRelay]:
        """Return the relays by the current list."""

    def running(self) -> AbstractAsyncContextManager[None]:
        """Stay connected during a `with` block; raises ConfigError when the list is damaged."""
