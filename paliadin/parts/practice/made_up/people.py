"""The made-up people and their units. Pure."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from paliadin.parts.practice.made_up.words import WORDS, Ids
from paliadin.parts.practice.rows import Person, Unit, UnitMember


@dataclass(frozen=True, slots=True)
class Staff:
    """All people, and the units with their members. `by_field`: the field of technology → the unit that knows it."""

    people: Sequence[Person]
    units: Sequence[Unit]
    members: Sequence[UnitMember]
    by_field: Mapping[str, str]

    def of_unit(self, unit_id: str) -> list[str]:
        """Return the ids of a unit's members."""
        return [member.user_id for member in self.members if member.unit_id == unit_id]


def make_staff(ids: Ids, count: int) -> Staff:
    """Make `count` people, all of them members, each in a unit and some in two."""
    people = [*map(_named, WORDS["people"]["first"]), *map(_numbered, range(count))][:count]
    units = [Unit(ids.next("unit"), words["name"]) for words in WORDS["units"]]
    members = {(units[number % len(units)].id, person.id) for number, person in enumerate(people)}
    members |= {
        (units[(number + 1) % len(units)].id, person.id) for number, person in enumerate(people) if number % 5 == 3
    }
    fields = {name: unit.id for unit, words in zip(units, WORDS["units"], strict=True) for name in words["fields"]}
    return Staff(people, units, [UnitMember(*each) for each in sorted(members)], fields)


def _named(words: Mapping[str, str]) -> Person:
    return Person(words["id"], words["name"], words["office"], words["language"])


def _numbered(number: int) -> Person:
    """Make the people beyond the first few: each combination of names once, then with a number."""
    words = WORDS["people"]
    names = list(itertools.product(words["given"], words["family"]))
    given, family = names[number * 7 % len(names)]
    again = number // len(names) + 1
    id_ = f"{given}-{family}".lower() + (f"-{again}" if again > 1 else "")
    language = "en" if number % 3 == 2 else "de"
    return Person(id_, f"{given} {family}", words["offices"][number % len(words["offices"])], language)
