"""The caller of a request: the person who asks, and their rights. It is made once, where the request arrives."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum

from paliadin.base.errors import InvalidField
from paliadin.people.account import account_name
from paliadin.people.person_key import OWNER, PersonKey


class Scope(StrEnum):
    """A set of routes. Each route declares its scope (docs/http.md lists them), and each caller has one."""

    PUBLIC = "public"  # every program that reaches the daemon
    DRAWER_CODE = "drawer_code"  # pages of an allowed origin, which load the drawer
    CONVERSATION = "conversation"  # the drawer on such a page, with its token
    PAGE = "page"  # a person at Paliadin's own page, in a browser that is signed in
    METRICS = "metrics"  # a program that collects metrics
    EMBED = "embed"  # the server of an application, which requests tokens for its drawer
    OWNER = "owner"  # the owner, and programs that stand for the owner
    ACCESS = "access"  # the owner in person: at a browser that is signed in, or on the command line


_OWNERS = frozenset(Scope) - {Scope.ACCESS}
_OPENS: Mapping[Scope, frozenset[Scope]] = {
    Scope.PAGE: frozenset({Scope.PAGE, Scope.CONVERSATION, Scope.DRAWER_CODE}),
    Scope.OWNER: _OWNERS,
    Scope.ACCESS: _OWNERS | {Scope.ACCESS},
}
"""The scopes that a caller's scope opens, where that is more than itself."""


class Role(StrEnum):
    """A person's position at this daemon."""

    OWNER = "owner"
    MEMBER = "member"  # somebody whom the owner lets in, or for whom an application requested a token


class Door(StrEnum):
    """The way by which a request came in. A turn's row keeps it as its origin."""

    PAGE = "page"  # a browser that is signed in
    WIDGET = "widget"  # the drawer, with an embed token
    CLI = "cli"  # the command line, over the daemon's Unix socket
    API = "api"  # a program with a key


@dataclass(frozen=True, slots=True)
class Caller:
    """The person who asks, and what they may do.

    `origin` is that of the page that asks: an allowed one or the daemon's own; None for a program. `forwarded_by` is
    the peer (another daemon) at which the person asked; None for this one. `key` is the name of the program's key.
    `is_one_here`: in a drawer, its application calls people by the ids that they have here.
    """

    person: str
    role: Role
    scope: Scope
    origin: str | None = None
    forwarded_by: str | None = None
    door: Door = Door.API
    key: str | None = None
    is_one_here: bool = False

    @classmethod
    def owner(cls, origin: str | None = None, *, door: Door = Door.API, key: str | None = None) -> Caller:
        """Make the caller who has proved to be the owner, or to act for the owner: a program with such a key."""
        scope = Scope.OWNER if door is Door.API else Scope.ACCESS
        return cls(account_name(), Role.OWNER, scope, origin, door=door, key=key)

    @classmethod
    def member(cls, person: str, origin: str | None) -> Caller:
        """Make the caller who is a member at Paliadin's own page, in a browser that is signed in for them."""
        return cls(person, Role.MEMBER, Scope.PAGE, origin, door=Door.PAGE)

    @classmethod
    def embedded(
        cls,
        person: str,
        origin: str | None,
        owner: str | None = None,
        registered: str | None = None,
        people_origins: Collection[str] = (),
    ) -> Caller:
        """Make the caller with an embed token. It opens the conversation only, even if the person is the owner.

        `owner` is the name by which applications know the owner, by default that of the account; `registered` the id
        that the owner has among the people, if any.
        """
        role = Role.OWNER if person in {owner or account_name(), registered} else Role.MEMBER
        return cls(person, role, Scope.CONVERSATION, origin, door=Door.WIDGET).with_people_of(people_origins)

    def with_people_of(self, people_origins: Collection[str]) -> Caller:
        """The caller where the applications of these origins call people by the ids that they have here."""
        in_application = PersonKey.of(self.person, self.application, people_origins)
        return replace(self, is_one_here=self.in_drawer and in_application.origin is None)

    @property
    def is_member(self) -> bool:
        """True for somebody else than the owner: they see and touch only what is theirs."""
        return self.role is Role.MEMBER

    @property
    def application(self) -> str | None:
        """The origin of the application in whose drawer they ask; None at the page, and for programs."""
        return self.origin if self.in_drawer else None

    @property
    def in_drawer(self) -> bool:
        """True in the drawer of an application, also for the owner: they see what is theirs in that application."""
        return self.scope is Scope.CONVERSATION

    @property
    def person_key(self) -> PersonKey:
        """The key under which what is theirs is kept and shown; raises InvalidField for a program that names nobody."""
        if not self.is_member:
            return OWNER
        if not self.person:  # an empty key would be the owner's
            raise InvalidField("a program with this key has to name the person for whom it asks")
        return PersonKey(self.person, None if self.is_one_here else self.application)

    @property
    def place(self) -> str:
        """From where the caller asks, for the audit log: `page`, `cli`, `api key curl`, `widget https://app.example`."""
        whence = self.key and f"key {self.key}", self.origin if self.door is Door.WIDGET else None
        by = self.forwarded_by and f"through {self.forwarded_by}"
        return " ".join(filter(None, (self.door, *whence, by)))

    def may_call(self, required: Scope) -> bool:
        """Tell whether a route that declares the scope `required` is open to this caller."""
        return required in _OPENS.get(self.scope, {self.scope})
