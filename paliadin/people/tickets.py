"""Tickets: each is in an address that lets one browser in, once. They exist in memory only."""

from __future__ import annotations

import secrets
import time
from typing import NamedTuple

from paliadin.people.secret_digest import digest_of

TICKET_LIFETIME = 3600.0  # seconds in which an address can be opened
MAX_TICKETS = 100  # that wait to be used; a further one makes the oldest invalid
_ID_LENGTH = 16  # characters of a ticket's id


class Ticket(NamedTuple):
    """A ticket that waits to be used: when it was made, and whom it lets in."""

    made: float  # seconds since 1970
    person: str

    @property
    def is_valid(self) -> bool:
        """False once it is too old."""
        return time.time() < self.made + TICKET_LIFETIME


class Tickets:
    """The tickets that wait to be used, by their digests."""

    def __init__(self) -> None:
        self._waiting: dict[str, Ticket] = {}

    def new(self, person: str) -> str:
        """Make a ticket for the person."""
        while len(self._waiting) >= MAX_TICKETS:
            del self._waiting[next(iter(self._waiting))]
        ticket = secrets.token_urlsafe(24)
        self._waiting[digest_of(ticket)] = Ticket(time.time(), person)
        return ticket

    def is_waiting(self, ticket_id: str) -> bool:
        """Tell whether the ticket with this id is still to be used. Its id, unlike itself, lets nobody in."""
        waiting = (digest for digest, ticket in self._waiting.items() if ticket.is_valid)
        return any(digest.startswith(ticket_id) for digest in waiting) and len(ticket_id) == _ID_LENGTH

    def whose(self, ticket: str) -> str | None:
        """Return whom the ticket lets in; None if it was used before, has expired or never was."""
        waiting = self._waiting.get(digest_of(ticket))
        return waiting.person if waiting and waiting.is_valid else None

    def use_up(self, ticket: str) -> str | None:
        """Make the ticket invalid; returns what `whose` does."""
        person = self.whose(ticket)
        self._waiting.pop(digest_of(ticket), None)
        return person

    def withdraw(self, person: str) -> bool:
        """Make all tickets of a person invalid; return whether there were any."""
        before = len(self._waiting)
        self._waiting = {digest: each for digest, each in self._waiting.items() if each.person != person}
        return len(self._waiting) < before


def ticket_id(ticket: str) -> str:
    """Return the id of a ticket."""
    return digest_of(ticket)[:_ID_LENGTH]
