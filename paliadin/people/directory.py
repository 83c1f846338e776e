"""The people whom the owner lets in by name: members, and the owner, if they have given themselves a name.

`$PALIADIN_HOME/people.json` keeps them. Without the file there is nobody but the owner, who needs no entry.
"""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from paliadin.base.errors import ConfigError, InvalidField, NotFound, PaliadinError, StoreUnavailable
from paliadin.base.files import read_private, write_json
from paliadin.base.visible_text import escape_invisible
from paliadin.people.account import account_name
from paliadin.people.caller import Caller, Role
from paliadin.people.person_key import PERSON_ID, PersonKey

LONGEST_NAME = 80  # characters of a name, and of an office
LANGUAGES = ("de", "en")
MOST_PEOPLE = 500


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody whom the owner lets in: who they are to others, and what they may do."""

    id: str
    name: str
    office: str = ""
    language: str = "en"  # one of LANGUAGES
    role: Role = Role.MEMBER
    added_at: int = 0  # seconds since 1970

    def as_json(self) -> dict[str, Any]:
        """The person as the file and the routes have them."""
        return asdict(self)


class People:
    """The people of one state folder; the daemon alone changes them."""

    def __init__(self, home: Path) -> None:
        self._path = home / "people.json"
        self._people = self._load()
        self.on_change: Sequence[Callable[[], Awaitable[None]]] = ()  # what has copies of them, and renews these

    def list(self) -> list[Person]:
        """Return everybody, by id."""
        return sorted(self._people.values(), key=lambda person: person.id)

    def get(self, person_id: str) -> Person | None:
        """Return the person with this id; None if there is none."""
        return self._people.get(person_id)

    def known(self, person_id: str) -> Person:
        """Return the person with this id; raises NotFound."""
        if person := self.get(person_id):
            return person
        raise NotFound(
            "there is no person with this id", code="unknown_person", hint="`paliadin people list` shows all."
        )

    async def announce(self) -> None:
        """Have all copies of the people renewed; one whose database is away is renewed later."""
        for renew in self.on_change:
            with contextlib.suppress(StoreUnavailable):
                await renew()

    @property
    def owner(self) -> Person | None:
        """The owner's own entry; None if they have made none."""
        return next((person for person in self._people.values() if person.role is Role.OWNER), None)

    @property
    def owner_id(self) -> str:
        """The id under which others know the owner: their entry's, or the name of the account."""
        return self.owner.id if self.owner else account_name()

    def id_of(self, person: PersonKey) -> str:
        """Return the id under which others know this person; "" for somebody without an entry."""
        entry = self.entry_of(person)
        return self.owner_id if person.is_owner else entry.id if entry else ""

    def entry_of(self, person: PersonKey) -> Person | None:
        """Return this person's entry; None for somebody without one, and for a person of an application."""
        if person.is_owner:
            return self.owner
        entry = self.get(person.person_id) if person.person_id else None
        return entry if entry and entry.role is Role.MEMBER else None

    def described(self, caller: Caller) -> dict[str, str | None]:
        """Return {"id", "name", "role", "language"} of the caller; without an entry, the fields that are known."""
        entry = self.entry_of(caller.person_key)
        if entry is None:
            name = caller.person if caller.is_member else ""
            return {"id": caller.person, "name": name, "role": caller.role, "language": None}
        return {"id": entry.id, "name": entry.name, "role": caller.role, "language": entry.language}

    def add(
        self,
        person_id: object,
        name: object,
        *,
        office: object = "",
        language: object = "en",
        role: object = Role.MEMBER,
    ) -> Person:
        """Add a person, of fields that may be anything.

        Raises InvalidField, PaliadinError when that person, or the owner, or too many are there, and StorageFull.
        """
        person = _checked({"id": person_id, "name": name, "office": office, "language": language, "role": role})
        if person.id in self._people:
            raise PaliadinError(
                f"there is a person {person.id} already", code="person_exists", status=409, hint="Remove them first."
            )
        if person.role is Role.MEMBER and person.id == account_name():
            raise InvalidField(f"{person.id} is the owner's own name here", hint="Give this person another id.")
        if person.role is Role.OWNER and (owner := self.owner):
            raise PaliadinError(
                f"{owner.id} is the owner already, and there is only one",
                code="owner_exists",
                status=409,
                hint=f"Run `paliadin people remove {owner.id}` first, or add this person as a member.",
            )
        if len(self._people) >= MOST_PEOPLE:
            raise PaliadinError(
                f"there are {MOST_PEOPLE} people already", code="people_limit", status=409, hint="Remove some of them."
            )
        self._keep({**self._people, person.id: person})
        return person

    def remove(self, person_id: str) -> Person:
        """Remove a person and return who it was; raises NotFound and StorageFull."""
        person = self.known(person_id)
        self._keep({key: each for key, each in self._people.items() if key != person_id})
        return person

    def _keep(self, people: Mapping[str, Person]) -> None:
        write_json(self._path, {"people": [person.as_json() for person in people.values()]})
        self._people = dict(people)

    def _load(self) -> dict[str, Person]:
        try:
            stored = json.loads(read_private(self._path))["people"]
            people = [_checked(each, added_at=int(each["added_at"])) for each in stored]
        except FileNotFoundError:
            return {}
        except (ValueError, KeyError, TypeError, OverflowError, RecursionError, InvalidField) as error:
            raise self._damaged() from error
        if len({person.id for person in people}) < len(people) or sum(p.role is Role.OWNER for p in people) > 1:
            raise self._damaged()
        if any(person.id == account_name() and person.role is Role.MEMBER for person in people):
            raise ConfigError(
                f"{self._path} has a member {account_name()}, which is the owner's own name in this account",
                hint=f"Give that member another id in {self._path}, or run the daemon in the account that made it.",
            )
        return {person.id: person for person in people}

    def _damaged(self) -> ConfigError:
        return ConfigError(
            f"{self._path} is damaged",
            hint=f"Put a copy of it back, or delete {self._path}: then only the owner is let in, and `paliadin people "
            "add <id> --again` gives somebody back what was theirs.",
        )


def check_person_id(value: object) -> str:
    """Return a person's id; raises InvalidField."""
    if not isinstance(value, str) or not PERSON_ID.fullmatch(value):
        raise InvalidField(
            "id must be 1 to 32 small letters, digits or -, with a letter first", hint="Choose one such as ann-example."
        )
    return value


def _checked(fields: Mapping[str, Any], added_at: int | None = None) -> Person:
    """Make a person of fields that may be anything; raises InvalidField."""
    language, role = fields["language"], fields["role"]
    if not isinstance(language, str) or language not in LANGUAGES:
        raise InvalidField(f"language must be one of {', '.join(LANGUAGES)}")
    if not isinstance(role, str) or role not in list(Role):
        raise InvalidField(f"role must be one of {', '.join(Role)}")
    return Person(
        check_person_id(fields["id"]),
        _checked_line("name", fields["name"], shortest=1),
        _checked_line("office", fields["office"], shortest=0),
        language,
        Role(role),
        int(time.time()) if added_at is None else added_at,
    )


def _checked_line(field: str, value: object, *, shortest: int) -> str:
    """Return a text that is one line, with nothing invisible in it; raises InvalidField."""
    if not isinstance(value, str) or not shortest <= len(value) <= LONGEST_NAME:
        raise InvalidField(f"{field} must be a text of {shortest} to {LONGEST_NAME} characters")
    if not value.isprintable() or value != value.strip() or escape_invisible(value) != value:
        raise InvalidField(f"{field} must be one line of printable characters, with no blank at its ends")
    return value
