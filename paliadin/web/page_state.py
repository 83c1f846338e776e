"""The state that a page says it has already, in the query of its request for the stream. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from paliadin.base.errors import InvalidField, NotFound
from paliadin.turnlog.ids import check_turn_id
from paliadin.web.body import parse_number

OFF = "off"  # in place of the version of what the stream shall not tell
MOST_TURNS = 50  # that a page says it has
LONGEST_VERSION = 64  # characters


@dataclass(frozen=True)
class PageState:
    """The state that a page has already: of turns the number of the last event, of the rest the version."""

    session_id: str
    after: Mapping[str, int]
    list: str
    state: str
    health: str

    @classmethod
    def parse(cls, query: Mapping[str, str]) -> PageState:
        """Read the query of a request; raises InvalidField."""
        entries = [each.partition(":") for each in query.get("after", "").split(",", MOST_TURNS) if each]
        try:
            numbers = {check_turn_id(turn_id): parse_number(number) for turn_id, _, number in entries}
        except NotFound as error:
            raise InvalidField("after must be <turn_id>:<number>, with commas between", status=400) from error
        versions = [query.get(name, "")[:LONGEST_VERSION] for name in ("list", "state", "health")]
        return cls(query.get("session_id", "main"), numbers, *versions)

    def as_query(self) -> dict[str, str]:
        """Return the query for a peer that has the conversation: without the list."""
        after = ",".join(f"{turn_id}:{number}" for turn_id, number in self.after.items())
        versions = {"list": OFF, "state": self.state, "health": self.health}
        return {"session_id": self.session_id, "after": after, "follow": "1", **versions}
