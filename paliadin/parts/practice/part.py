"""Makes the practice for a daemon or a worker."""

from __future__ import annotations

from pathlib import Path

from paliadin.base.settings import Settings
from paliadin.parts.loading import House, Part
from paliadin.parts.practice import dashboard_card
from paliadin.parts.practice.people import kept_in_practice
from paliadin.parts.practice.practice import Practice
from paliadin.parts.practice.routes import PracticeRoutes
from paliadin.parts.practice.settings import PracticeSettings
from paliadin.parts.practice.toolbox import PracticeToolbox
from paliadin.parts.practice.transactions import User
from paliadin.people.caller import Role
from paliadin.people.directory import People


def load(house: House) -> Part:
    """Make the practice; a worker uses the users that the daemon has written."""
    practice = make_practice(house.settings, house.people)
    return Part(
        toolboxes=[PracticeToolbox(practice, house.id_of)],
        routes=lambda turns: PracticeRoutes(house.settings, turns, house.id_of, practice).routes(),
        tables=[practice],
        retained=[kept_in_practice(practice)],
        on_people=[practice.follow_people],
        cards=[dashboard_card.make(practice, house.id_of)],
        pages={"practice": Path(__file__).with_name("page")},
    )


def make_practice(settings: Settings, people: People | None) -> Practice:
    """Make the practice with its users; without `people` another process writes these."""
    own = settings.part(PracticeSettings)
    return Practice(lambda: None if people is None else _users(people), settings.timezone, second_pair=own.second_pair)


def _users(people: People) -> list[User]:
    users = [User(each.id, each.name, each.office, each.language, each.role) for each in people.list()]
    owner = people.owner_id
    return users if people.owner else [*users, User(owner, owner, "", "en", Role.OWNER)]
