"""Made-up companies, patent numbers and file numbers. Pure, except that given numbers are remembered."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from paliadin.parts.practice.made_up.words import WORDS

TRIES = 50  # until numbers of a court go beyond those that it usually gives in a year


@dataclass(frozen=True, slots=True)
class Company:
    """A company's name with its legal form, and its country's code."""

    name: str
    country: str


class Names:
    """Generates names and numbers; those of clients, patents and files are unique."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance
        self._given: set[str] = set()

    def company(self, technology: str) -> Company:
        """Name a client."""
        while (company := self.opponent(technology)).name in self._given:
            pass
        self._given.add(company.name)
        return company

    def opponent(self, technology: str) -> Company:
        """Name a company that may be in several proceedings."""
        words, chance = WORDS["companies"], self._chance
        form = chance.choice(words["forms"])
        word = f" {words['words'][technology]}" if chance.random() < 0.4 else ""
        name = f"{chance.choice(words['beginnings'])}{chance.choice(words['ends'])}{word} {form['form']}"
        return Company(name, form["country"])

    def patent(self) -> str:
        """Make a number such as EP 3 412 345 B1."""
        return self._once(lambda _: f"EP 3 {self._chance.randrange(1000):03} {self._chance.randrange(1000):03} B1")

    def file_number(self, kind: str, court: str, technology: str, year: int) -> str:
        """Make a file number in the form of the proceeding's court."""
        if kind == "epo_opposition":
            return self._once(lambda _: self._application(year - self._chance.randrange(6, 11)))
        shared = {"forms": ["UPC_CFI_{n}/{year}"], "from": 14, "to": 1380}  # by all divisions of first instance
        words = WORDS["numbers"].get(court, shared)
        return self._once(lambda tries: self._number(words, technology, year, widened=1 + tries // TRIES))

    def _number(self, words: Mapping[str, Any], technology: str, year: int, *, widened: int) -> str:
        chance = self._chance
        number = chance.randint(words["from"], words["to"] * widened)
        values = {"n": number, "year": year, "yy": f"{year % 100:02}"}
        values |= {"senate": chance.randint(1, words.get("senates", 1))}
        values |= {"board": chance.choice(WORDS["boards"][technology])}
        return str(chance.choice(words["forms"])).format_map(values)

    def _application(self, year: int) -> str:
        """Make a European application's number: the year, six digits and their check digit."""
        digits = f"{year % 100:02}{self._chance.randrange(150000, 220000)}"
        doubled = (str(int(digit) * (1 + place % 2)) for place, digit in enumerate(digits))
        check = -sum(int(digit) for number in doubled for digit in number) % 10
        return f"{digits}.{check}"

    def _once(self, make: Callable[[int], str]) -> str:
        tries = 0
        while (number := make(tries)) in self._given:
            tries += 1
        self._given.add(number)
        return number
