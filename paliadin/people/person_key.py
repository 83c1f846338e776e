"""The person key: everything that belongs to somebody is kept and shown under it."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from paliadin.people.account import account_name

PERSON_ID = re.compile(r"[a-z][a-z0-9-]{0,31}")


@dataclass(frozen=True, slots=True)
class PersonKey:
    """The owner (no name), a person here (their id), or a person of an application: its origin, and the name there.

    Two keys are equal only if they mean the same person: `ann` of an application is not the person `ann` here.
    """

    name: str = ""
    origin: str | None = None

    def __post_init__(self) -> None:
        if self.origin is not None and not self.name:
            raise ValueError("a person of an application has a name there")

    @classmethod
    def of(cls, name: str, application: str | None, people_origins: Collection[str]) -> PersonKey:
        """Make the key of the person `name` of an application or, with None, of Paliadin's own page; "" is the owner.

        `people_origins`: the applications whose people are those of this daemon (PALIADIN_PEOPLE_ORIGINS). A name that
        can be nobody's id here, such as the account's, is a name of the application all the same.
        """
        if not name or application is None:
            return cls(name)
        # In this order: lists ask it of every conversation, and the account's name may come from a directory server.
        is_one_here = application in people_origins and PERSON_ID.fullmatch(name) and name != account_name()
        return cls(name, None if is_one_here else application)

    @property
    def is_owner(self) -> bool:
        return not self.name

    @property
    def person_id(self) -> str | None:
        """The id of a person here; None for the owner and for a person of an application."""
        return self.name if self.name and self.origin is None else None

    @property
    def as_text(self) -> str:
        """The key in files and in the database: `ann`, `ann at https://app.example`, for the owner the account's name.

        No person here has the account's name, and no id has a blank.
        """
        return f"{self.name} at {self.origin}" if self.origin else self.name or account_name()

    @classmethod
    def parse(cls, text: str) -> PersonKey:
        """Make the key from its `as_text`."""
        name, _, origin = text.rpartition(" at ")
        if name:
            return cls(name, origin)
        return cls() if text == account_name() else cls(text)


OWNER = PersonKey()
