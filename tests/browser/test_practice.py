"""A practice's people side by side, each in a browser of their own, through the real Claude Code."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from paliadin.demo.scripted_api import ScriptedApi
from paliadin.parts.practice import insertion, tables
from paliadin.parts.practice.seed import make_practice
from paliadin.postgres.cluster import locate_cluster
from tests.browser.helpers.accessibility import serious
from tests.browser.helpers.chat import ask
from tests.integration.conftest import make_world
from tests.worlds.office import visible
from tests.worlds.somebody import Visitors

HELD = make_practice(date(2026, 11, 26))
ANNA, OTHER = HELD.people[0], HELD.people[1]


@pytest.fixture(scope="module")
def visitors(
    tmp_path_factory: pytest.TempPathFactory, one_claude: Path, api: tuple[ScriptedApi, str]
) -> Iterator[Visitors]:
    """A daemon with the made-up practice, and two of its people."""
    for world in make_world(tmp_path_factory.mktemp("practice"), one_claude, api):
        world.options["PALIAD"] = "true"
        world.start()
        with tables.connected(locate_cluster(world.settings.home).conninfo) as connection:
            insertion.insert(connection, HELD)
        with Visitors(world) as visitors:
            for person in (ANNA, OTHER):
                visitors.let_in(person.id, name=person.name, language="en")
            yield visitors


def seen_by(person: str) -> set[str]:
    """The ids of the projects that a person may see, worked out from the rows."""
    return visible(HELD, person)


def wanted(tool: str, **arguments: Any) -> str:
    return f"scene:calls {json.dumps([[f'mcp__paliad__{tool}', arguments]])}"


@pytest.mark.long
def test_two_members_and_the_owner_ask_the_same_and_see_their_own(visitors: Visitors, browser: Browser) -> None:
    addresses = {person.id: visitors.in_person.post(f"people/{person.id}/tickets", json={}) for person in (ANNA, OTHER)}
    opened: dict[str, Page] = {}
    try:
        for who in (ANNA.id, OTHER.id, "owner"):
            page = browser.new_context(viewport={"width": 1280, "height": 800}, locale="en-GB").new_page()
            page.goto(visitors.world.url if who == "owner" else addresses[who].json()["address"])
            expect(page.locator(".empty .sees")).to_have_text("I see your matters and Paliad’s reference data.")
            assert serious(page) == []
            opened[who] = page
        for page in opened.values():
            ask(page, wanted("list_my_projects"))
        for who, page in opened.items():
            expect(page.locator(".turn-foot")).to_be_visible(timeout=30_000)
            shown = set(re.findall(r"demo-project-\d+", page.locator(".turn .answer, .turn").last.inner_text()))
            theirs = {project.id for project in HELD.projects} if who == "owner" else seen_by(who)
            assert shown, who
            assert shown <= theirs, who
            if who != "owner":
                assert len(shown) == min(25, len(theirs)), who
        for who, other in ((ANNA.id, OTHER.id), (OTHER.id, ANNA.id)):
            hidden = min(seen_by(other) - seen_by(who))
            ask(opened[who], wanted("get_project_detail", project_id=hidden))
            expect(opened[who].locator(".turn").last).to_contain_text(f"there is no project '{hidden}'")
    finally:
        for page in opened.values():
            page.context.close()
