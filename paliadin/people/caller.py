"""The caller of a request: the person who asks, and their rights. It is made once, where the request arrives."""

from __future__ import annotations

import getpass
import os
from dataclasses import dataclass
from enum import StrEnum

LONGEST_PERSON = 200  # characters of a person's name


class Scope(StrEnum):
    """A set of routes. Each route declares its scope (docs/http.md lists them), and each caller has one."""

    PUBLIC = "public"  # every program that reaches the daemon
    DRAWER_CODE = "drawer_code"  # pages of an allowed origin, which load the drawer
    CONVERSATION = "conversation"  # the drawer on such a page, with its token
    OWNER = "owner"  # the owner alone


class Role(StrEnum):
    """A person's position at this daemon."""

    OWNER = "owner"
    MEMBER = "member"  # somebody for whom an application of the owner's requested a token


@dataclass(frozen=True, slots=True)
class Caller:
    """The person who asks, and what they may do.

    `origin` is that of the page that asks: an allowed one or the daemon's own; None for a program. `forwarded_by` is
    the peer (another daemon) at which the person asked; None for this one.
    """

    person: str
    role: Role
    scope: Scope
    origin: str | None = None
    forwarded_by: str | None = None

    @classmethod
    def owner(cls, origin: str | None = None) -> Caller:
        """Make the caller who has proved with the owner's token or cookie who they are."""
        return cls(account_name(), Role.OWNER, Scope.OWNER, origin)

    @classmethod
    def embedded(cls, person: str, origin: str | None) -> Caller:
        """Make the caller with an embed token. It opens the conversation only, even if the person is the owner."""
        return cls(person, Role.OWNER if person == account_name() else Role.MEMBER, Scope.CONVERSATION, origin)

    def may_call(self, required: Scope) -> bool:
        """Tell whether a route that declares the scope `required` is open to this caller."""
        return self.scope in {required, Scope.OWNER}


def account_name() -> str:
    """Return the owner's name: that of the account that the daemon runs under, or its number if it has no name."""
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        return str(os.getuid())
