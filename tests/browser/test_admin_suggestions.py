"""The dashboard's figures of suggestions, in the real browser, over rows that the database's own functions made."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from uuid import UUID, uuid4

import psycopg
import pytest
from playwright.sync_api import Locator, Page, expect
from psycopg.types.json import Jsonb

from paliadin.people.account import account_name
from tests.browser.conftest import Watch, lent_tab
from tests.browser.helpers.accessibility import serious
from tests.browser.helpers.admin import Served, dashboard
from tests.browser.helpers.tabs import Tabs
from tests.browser.test_admin import OVERFLOW
from tests.worlds.world import eventually

PROJECT = """
insert into paliad.users (id, name) values ('ann', 'Ann');
insert into paliad.projects (id, kind, label) values ('p1', 'client', 'P1'), ('p2', 'client', 'P2');
insert into paliad.project_members (project_id, user_id) values ('p1', 'ann');
"""
SUGGEST = "select outcome, request from paliad.suggest('deadline', 'p1', %s, %s, %s, 9, 99)"
CONTENT = Jsonb({"title": "Reply", "due_date": "2026-12-01"})
AGE = "update paliad.approval_requests set requested_at = requested_at - make_interval(mins => %s) where id = %s"


class Record:
    """Suggests and decides as the practice's people, with the functions of its database."""

    def __init__(self, conninfo: str) -> None:
        self._conninfo = conninfo
        with psycopg.connect(conninfo) as connection:
            connection.execute(PROJECT)

    def suggest(self, turn: UUID | None = None, minutes_ago: int = 0) -> UUID:
        values = CONTENT, turn or uuid4(), str(uuid4())
        outcome, request = self._as("ann", SUGGEST, values)
        assert outcome == "made"
        assert isinstance(request, UUID)
        with psycopg.connect(self._conninfo) as connection:
            connection.execute(AGE, (minutes_ago, request))
        return request

    def decide(self, request: UUID, *, approve: bool, person: str = "ann") -> None:
        assert self._as(person, "select outcome from paliad.decide(%s, %s, '')", (request, approve)) == ("decided",)

    def _as(self, person: str, query: str, values: Sequence[object]) -> Any:
        with psycopg.connect(self._conninfo) as connection:
            connection.execute("select set_config('paliad.person', %s, true)", (person,))
            return connection.execute(query.encode(), values).fetchone()


class Office(NamedTuple):
    """A practice's dashboard, opened in a browser, and what fills it."""

    page: Page
    url: str
    conninfo: str

    def opened(self, query: str = "") -> Locator:
        """Open the page and return its section."""
        response = self.page.goto(f"{self.url}/admin/paliadin{query}")
        assert response is not None
        assert response.status == 200
        return self.page.get_by_role("region", name="Suggestions", exact=True)


@contextlib.contextmanager
def tab_of(served: Served, tabs: Tabs) -> Iterator[Page]:
    watch = Watch(f"{served.url}/")
    with lent_tab(tabs, watch) as page:
        served.sign_in(page.context)
        yield page
    assert watch.troubles() == []


@pytest.fixture
def office(database: str, tmp_path: Path, tabs: Tabs) -> Iterator[Office]:
    with dashboard(database, tmp_path / "home", PALIAD="true") as served, tab_of(served, tabs) as page:
        yield Office(page, served.url, database)


def shown(section: Locator) -> dict[str, str]:
    """The figures by their names."""
    texts = section.locator(".tile").evaluate_all(
        "tiles => tiles.map((each) => [each.querySelector('dt').textContent, each.querySelector('.big').textContent])"
    )
    return {name: value.replace("\u00a0", " ") for name, value in texts}


def test_the_section_counts_what_was_suggested_and_decided(office: Office) -> None:
    section = office.opened()
    expect(section).to_contain_text("None yet in this time. Ask for a deadline in a project")
    record, turn = Record(office.conninfo), uuid4()
    for minutes, approve in ((1, True), (30, False), (130, True), (200, True)):
        record.decide(record.suggest(turn, minutes), approve=approve)
    record.suggest()
    long_ago = record.suggest(minutes_ago=40 * 24 * 60)
    section = office.opened()
    assert shown(section)["Share approved"] == "–"
    expect(section).to_contain_text("too few to tell: 4 of 5 decided")
    record.decide(record.suggest(minutes_ago=300), approve=True, person=account_name())
    section = office.opened()
    counts = {"Made": "6", "Approved": "4", "Rejected": "1", "Pending": "1"}
    rest = {"Share approved": "80%", "Half decided within": "2 h 10 min"}
    assert shown(section) == counts | rest
    expect(section).to_contain_text("in 3 turns")
    expect(section).to_contain_text("An owner decided on 1 of them for others.")
    expect(section).to_contain_text("No criterion of whether a bigger build is worth it depends on these.")
    expect(office.page.locator(".gate .verdict")).to_contain_text("Too little data yet")
    expect(office.page.locator(".gate tbody tr")).to_have_count(6)
    record.decide(long_ago, approve=False)
    assert shown(office.opened("?span=30")) == counts | rest
    assert shown(office.opened("?span=90"))["Rejected"] == "2"
    assert shown(office.opened("?span=90"))["Share approved"] == "67%"


@pytest.mark.long
def test_a_filter_does_not_change_it_and_that_is_said(office: Office) -> None:
    office.opened()
    Record(office.conninfo).suggest()
    without = "Of the filter, only the time span applies here."
    expect(office.opened()).not_to_contain_text(without)
    section = office.opened("?session=letters&errors=1")
    expect(section).to_contain_text(without)
    assert shown(section)["Made"] == "1"
    assert shown(section)["Half decided within"] == "–"


def test_the_page_is_there_while_the_practices_tables_are_not(office: Office) -> None:
    office.opened()
    with psycopg.connect(office.conninfo) as connection:
        connection.execute("lock table paliad.approval_requests in access exclusive mode")
        expect(office.opened()).to_contain_text("The practice’s database cannot be read at the moment.")
        expect(office.page.locator(".gate tbody tr")).to_have_count(6)
    eventually(lambda: "None yet in this time." in office.opened().inner_text())


@pytest.mark.first(1)
@pytest.mark.parametrize("width", [1280, 390])
def test_it_fits_its_screen_in_both_languages_and_axe_finds_nothing(office: Office, width: int) -> None:
    office.page.set_viewport_size({"width": width, "height": 800})
    office.opened()
    record = Record(office.conninfo)
    for number in range(6):
        record.decide(record.suggest(minutes_ago=700 * number), approve=number > 1)
    for lang in ("en", "de"):
        office.page.goto(f"{office.url}/admin/paliadin?lang={lang}&session=main")
        assert office.page.evaluate(OVERFLOW) == []
        assert serious(office.page) == []


def test_without_a_practice_there_is_nothing_of_it(database: str, tmp_path: Path, tabs: Tabs) -> None:
    with dashboard(database, tmp_path / "home") as served, tab_of(served, tabs) as page:
        page.goto(f"{served.url}/admin/paliadin")
        expect(page.locator(".gate")).to_be_visible()
        expect(page.locator("#suggestions")).to_have_count(0)
