"""Names of sessions: `main` where it is asked for, `main@office` at the daemon or on the host named office.

This module alone takes such names apart and puts them together.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Collection
from dataclasses import dataclass

_CHARACTERS = "A-Za-z0-9_-"
NAME = re.compile(f"[{_CHARACTERS}]{{1,64}}")
"""The allowed names of sessions and daemons."""

LONGEST_HOST_NAME = 32  # characters
HOST_NAME = re.compile(f"[{_CHARACTERS}]{{1,{LONGEST_HOST_NAME}}}")
"""The allowed names of remote hosts, and of sessions there."""

SESSION = re.compile(f"[{_CHARACTERS}]{{1,64}}(@[{_CHARACTERS}]{{1,64}})?")
"""The allowed full and short names of sessions."""

_MADE_LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"  # without those that are easily mistaken for others
MADE_NAME = re.compile(f"[{_MADE_LETTERS}]{{12}}")
"""The names that Paliadin gives to conversations: 60 bits by chance."""

MEMBER_FILE = "member.json"
"""The file in a session's folder that says whose it is, if it is not the owner's: {"person", "origin"}."""


@dataclass(frozen=True, slots=True)
class SessionName:
    """A session's name and the place where it lives: a daemon or a remote host. None: where it is asked for."""

    session: str
    place: str | None = None

    @classmethod
    def parse(cls, text: str) -> SessionName:
        """Split the text at its first `@`. It may be any text; whether such a session exists is not known here."""
        session, at, place = text.partition("@")
        return cls(session, place if at else None)

    def __str__(self) -> str:
        return self.session if self.place is None else f"{self.session}@{self.place}"


@dataclass(frozen=True, slots=True)
class SessionNames:
    """The names as one daemon uses them: `daemon` is its own name, if it has one; `peers` are the other daemons'."""

    daemon: str | None
    peers: Collection[str]

    def full(self, text: str) -> str:
        """Return the session's name in the record: with the place, which is this daemon if the name has none."""
        name = SessionName.parse(text)
        return str(SessionName(name.session, self.daemon)) if name.place is None else text

    def short(self, text: str) -> str | None:
        """Return the name without the place if that is this daemon; None if it is a host or another daemon."""
        name = SessionName.parse(text)
        return name.session if name.place in {None, self.daemon} else None

    def peer(self, text: str) -> str | None:
        """Return the name of the other daemon that the session belongs to; None when it belongs to none."""
        place = SessionName.parse(text).place
        return place if place in self.peers else None


def make_session_name() -> str:
    """Make a name that no session has."""
    return "".join(secrets.choice(_MADE_LETTERS) for _ in range(12))


def make_host_name(text: str) -> str:
    """Make a name for a host of any text: other characters become `-`, and a long name is cut."""
    return re.sub(f"[^{_CHARACTERS}]", "-", text)[:LONGEST_HOST_NAME]
