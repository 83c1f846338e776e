"""The made-up practice: believable on any day, the same each time, and as large as one likes."""

from __future__ import annotations

import random
import re
from collections import Counter, defaultdict
from datetime import UTC, date, datetime, timedelta

import pytest

from paliadin.parts.practice import reference
from paliadin.parts.practice.made_up.days import at, due_days, is_epo_closed, is_working_day
from paliadin.parts.practice.made_up.words import MARK, WORDS
from paliadin.parts.practice.rows import Deadline, Practice, Project
from paliadin.parts.practice.seed import make_practice

TODAYS = [
    date(2026, 11, 26),  # a Thursday
    date(2026, 11, 29),  # a Sunday
    date(2026, 11, 28),  # a Saturday
    date(2026, 11, 30),  # a Monday
    date(2028, 2, 29),
    date(2026, 12, 31),
    date(2027, 1, 1),
    date(2027, 3, 28),  # Easter Sunday, and clocks change
    date(2026, 12, 25),
]
COURTS = {court["id"]: court for court in reference.read("courts")}
RULES = {rule["id"] for rule in reference.read("deadline_rules")}
DAY = timedelta(days=1)
FILE_NUMBERS = {
    "upc": r"UPC_(CFI|CoA)_\d+/20\d\d",
    "epo-munich": r"\d{8}\.\d",
    "epo-the-hague": r"\d{8}\.\d",
    "epo-boards": r"T \d{4}/\d\d-3\.[2-5]\.\d\d",
    "bpatg": r"[1-8] Ni \d+/\d\d \(EP\)",
    "bgh": r"X ZR \d+/\d\d",
    "lg-duesseldorf": r"4[abc] O \d+/\d\d",
    "lg": r"\d+ O \d+/\d\d",
    "olg-duesseldorf": r"I-(2|15) U \d+/\d\d",
    "olg": r"\d+ U \d+/\d\d",
}
HEARS = {
    "upc_infringement": {"upc_local", "upc_regional"},
    "upc_revocation": {"upc_central"},
    "upc_appeal": {"upc_appeal"},
    "epo_opposition": {"epo"},
    "epo_appeal": {"epo"},
    "nullity": {"bpatg"},
    "nullity_appeal": {"bgh"},
    "lg_infringement": {"lg"},
    "olg_appeal": {"olg"},
}


@pytest.fixture(scope="module")
def made() -> dict[date, Practice]:
    return {today: make_practice(today) for today in TODAYS}


@pytest.fixture(params=TODAYS, ids=str)
def today(request: pytest.FixtureRequest) -> date:
    day = request.param
    assert isinstance(day, date)
    return day


def open_before(practice: Practice, today: date) -> list[Deadline]:
    return [each for each in practice.deadlines if each.status == "open" and each.due_date < today]


def visible(practice: Practice, person: str) -> set[str]:
    """What this person sees, worked out from the rows, as the database does."""
    units = {each.unit_id for each in practice.unit_members if each.user_id == person}
    seen = {each.project_id for each in practice.members if each.user_id == person}
    seen |= {each.project_id for each in practice.project_units if each.unit_id in units}
    while below := {each.id for each in practice.projects if each.parent_id in seen} - seen:
        seen |= below
    return seen


def test_it_has_the_numbers_that_were_asked_for(made: dict[date, Practice], today: date) -> None:
    practice = made[today]
    assert (len(practice.people), len(practice.units)) == (6, 3)
    assert Counter(each.kind for each in practice.projects) == {"client": 6, "matter": 9, "proceeding": 15}
    assert (len(practice.deadlines), len(practice.appointments), len(practice.notes)) == (400, 60, 80)
    waiting = Counter(each.thing_kind for each in practice.approvals if each.status == "pending")
    assert waiting == {"deadline": 3, "appointment": 1, "note": 1}
    assert len({each.unit_id for each in practice.project_units}) >= 2
    assert {each.role for each in practice.members} == {"lead", "member", "assistant"}
    assert all(practice.in_order())
    parties = Counter(each.project_id for each in practice.parties)
    assert set(parties.values()) <= {2, 3, 4}
    assert len(parties) == 15


def test_deadlines_lie_around_today_on_working_days(made: dict[date, Practice], today: date) -> None:
    practice = made[today]
    days = [each.due_date for each in practice.deadlines]
    assert all(map(is_working_day, days))
    assert today - 90 * DAY <= min(days) <= today - 70 * DAY
    assert today + 150 * DAY <= max(days) <= today + 180 * DAY
    assert days.count(today) == (3 if is_working_day(today) else 0)
    monday = today - today.weekday() * DAY
    assert sum(monday <= day <= monday + 6 * DAY for day in days) == 10


def test_nearly_all_that_was_due_is_done_and_six_are_overdue(made: dict[date, Practice], today: date) -> None:
    practice = made[today]
    overdue = open_before(practice, today)
    assert len(overdue) == 6
    assert all(each.due_date >= today - 30 * DAY for each in overdue)
    past = Counter(each.status for each in practice.deadlines if each.due_date < today)
    assert past["done"] > 0.85 * sum(past.values())
    assert all(each.status == "open" for each in practice.deadlines if each.due_date == today and each.rule_id)
    for each in practice.deadlines:
        assert (each.status == "done") == (each.done_at is not None)
        assert each.created_at < at(today, 0)
        if each.done_at:
            assert each.created_at < each.done_at < at(today, 0), each.id


def test_no_deadline_of_the_law_was_missed(made: dict[date, Practice], today: date) -> None:
    assert [each.title for each in open_before(made[today], today) if each.rule_id] == []


def test_nothing_of_the_epos_is_due_while_that_is_closed(made: dict[date, Practice], today: date) -> None:
    at_epo = {each.id for each in made[today].projects if (each.court_id or "").startswith("epo-")}
    assert at_epo
    assert not [each for each in made[today].deadlines if each.project_id in at_epo and is_epo_closed(each.due_date)]


def test_what_it_refers_to_is_there(made: dict[date, Practice], today: date) -> None:
    practice = made[today]
    people, projects = {each.id for each in practice.people}, {each.id for each in practice.projects}
    for rows in practice.in_order():
        for row in rows:
            assert getattr(row, "project_id", None) in {None, *projects}
            assert getattr(row, "court_id", None) in {None, *COURTS}
            assert getattr(row, "rule_id", None) in {None, *RULES}
            for name in ("responsible", "created_by", "author", "user_id", "requested_by", "decided_by", "actor"):
                assert getattr(row, name, None) in {None, *people}
    ids = [row.id for rows in practice.in_order() for row in rows if hasattr(row, "id")]
    assert len(set(map(str, ids))) == len(ids)
    assert all(str(id_).startswith(MARK) for id_ in set(ids) - people - {each.id for each in practice.approvals})


def test_whoever_is_responsible_or_asks_sees_the_project(made: dict[date, Practice], today: date) -> None:
    practice = made[today]
    seen = {person.id: visible(practice, person.id) for person in practice.people}
    for each in practice.deadlines:
        assert each.project_id in seen[str(each.responsible)], each.id
    for request in practice.approvals:
        assert request.project_id in seen[request.requested_by]
        assert request.decided_by != request.requested_by
    for note in practice.notes:
        assert note.project_id in seen[str(note.author)]


@pytest.mark.parametrize("seed", range(1, 9))
def test_everybody_sees_something_and_nobody_sees_all(seed: int) -> None:
    practice = make_practice(date(2026, 11, 26), seed=seed)
    assert {each.role for each in practice.people} == {"member"}
    for person in practice.people:
        assert 0 < len(visible(practice, person.id)) < len(practice.projects)
    seen = {frozenset(visible(practice, person.id)) for person in practice.people}
    assert len(seen) == len(practice.people)
    assert set().union(*seen) == {each.id for each in practice.projects}


def test_a_proceeding_is_at_a_court_that_hears_it_under_a_number_in_its_form() -> None:
    practice = make_practice(date(2026, 11, 26), projects=600, deadlines=800)
    numbers = [each.reference for each in practice.projects if each.kind == "proceeding"]
    assert len(set(numbers)) == len(numbers) == 300
    for each in practice.projects:
        if each.kind == "proceeding":
            form = next(form for start, form in FILE_NUMBERS.items() if str(each.court_id).startswith(start))
            assert re.fullmatch(form, each.reference), each
        elif each.kind == "matter":
            assert re.fullmatch(r"EP 3 \d{3} \d{3} B1", each.reference)
    assert len({each.court_id for each in practice.projects}) > 15


def test_every_kind_of_proceeding_knows_courts_and_rules_that_exist() -> None:
    for kind in WORDS["proceedings"]:
        assert {COURTS[court]["kind"] for court in kind["courts"]} == HEARS[kind["kind"]]
        if "by_field" in kind:
            assert set(kind["by_field"]) == set(WORDS["technologies"])
            assert set(kind["by_field"].values()) == set(range(len(kind["courts"])))
        for side in ("attacker", "defender"):
            jurisdiction = kind["courts"][0].partition("-")[0]
            for stage in kind["stages"][side]:
                assert stage["de"]
                assert stage["en"]
                if rule := stage.get("rule"):
                    assert rule in RULES
                    assert rule.startswith(jurisdiction if jurisdiction in ("upc", "epo") else "de-")


def test_the_owner_of_the_patent_is_not_the_one_who_attacks_it() -> None:
    practice = make_practice(date(2026, 11, 26), projects=600, deadlines=800)
    clients = {each.id: each for each in practice.projects if each.kind == "client"}
    matters = {each.id: clients[str(each.parent_id)] for each in practice.projects if each.kind == "matter"}
    attacks = {"Einsprechende", "Nichtigkeitsklägerin", "opponent"}
    asserts = {"Klägerin"}
    roles: dict[str, set[str]] = defaultdict(set)
    client_of = {each.id: matters[str(each.parent_id)].label for each in practice.projects if each.kind == "proceeding"}
    matter_of = {each.id: str(each.parent_id) for each in practice.projects if each.kind == "proceeding"}
    for party in practice.parties:
        if party.name == client_of[party.project_id]:
            roles[matter_of[party.project_id]].add(party.role)
    assert sum(bool(each & attacks) for each in roles.values()) > 10
    assert not [each for each in roles.values() if each & attacks and each & asserts]


def test_titles_are_in_the_language_of_who_leads() -> None:
    practice = make_practice(date(2026, 11, 26))
    language = {person.id: person.language for person in practice.people}
    words = {each: {*WORDS["matters"][each], *WORDS["clients"][each]} for each in ("de", "en")}
    by_id = {each.id: each for each in practice.projects}
    seen = Counter[str]()
    for each in practice.deadlines:
        lead = language[str(each.created_by)]
        if by_id[each.project_id].kind != "proceeding":
            title = re.sub(r" \((Runde|round) \d+\)$", "", each.title)
            assert title in words[lead]
            seen[lead] += 1
    assert min(seen["de"], seen["en"]) > 10


def test_hearings_are_in_the_city_of_the_court_in_working_hours() -> None:
    practice = make_practice(date(2026, 11, 26))
    by_id: dict[str, Project] = {each.id: each for each in practice.projects}
    hearings = [each for each in practice.appointments if each.court_id]
    assert len(hearings) >= 10
    for each in hearings:
        assert each.place == COURTS[str(each.court_id)]["city"]
        assert each.court_id == by_id[each.project_id].court_id
    for each in practice.appointments:
        assert is_working_day(each.starts_at.date())
        assert 7 <= each.starts_at.hour <= 16
        assert timedelta(hours=1) <= each.ends_at - each.starts_at <= timedelta(hours=7)


def test_the_audit_trail_tells_what_changed_in_the_last_two_weeks() -> None:
    today = date(2026, 11, 26)
    practice = make_practice(today)
    assert [each.at for each in practice.audit] == sorted(each.at for each in practice.audit)
    done = {each.id for each in practice.deadlines if each.done_at and each.done_at.date() >= today - 14 * DAY}
    assert {each.thing_id for each in practice.audit if each.action == "deadline.done"} == done
    asked = {each.thing_id for each in practice.approvals}
    assert {each.thing_id for each in practice.audit if each.action == "approval.requested"} == asked


def test_the_same_day_and_numbers_give_the_same_practice() -> None:
    today = date(2026, 11, 26)
    assert make_practice(today) == make_practice(today)
    assert make_practice(today) != make_practice(today, seed=2)
    assert make_practice(today).projects[0].id == "demo-project-1"
    assert make_practice(today, first=31).projects[0].id == "demo-project-31"


def test_it_can_be_large_and_small() -> None:
    large = make_practice(date(2026, 11, 26), projects=1000, deadlines=20_000, people=50)
    assert (len(large.projects), len(large.deadlines), len({each.id for each in large.people})) == (1000, 20_000, 50)
    assert all(re.fullmatch("[a-z][a-z0-9-]{0,31}", each.id) for each in large.people)
    assert len(open_before(large, date(2026, 11, 26))) == 300
    small = make_practice(date(2026, 11, 26), projects=3, deadlines=5, people=1)
    assert (len(small.projects), len(small.deadlines), small.approvals) == (3, 5, [])
    for wrong in ({"projects": 2}, {"people": 0}):
        with pytest.raises(ValueError, match="at least"):
            make_practice(date(2026, 11, 26), **wrong)


def test_holidays_move_with_easter() -> None:
    off = [
        "2026-04-03",
        "2026-04-06",
        "2026-05-14",
        "2026-05-25",
        "2027-03-26",
        "2027-10-03",
        "2028-04-17",
        "2026-12-25",
    ]
    assert not any(is_working_day(date.fromisoformat(day)) for day in off)
    assert all(is_working_day(date.fromisoformat(day)) for day in ("2026-04-02", "2026-04-07", "2026-12-31"))


def test_clocks_go_by_summer_time_between_the_last_sundays_of_march_and_october() -> None:
    assert at(date(2026, 3, 28), 9) == datetime(2026, 3, 28, 8, tzinfo=UTC)
    assert at(date(2026, 3, 29), 9) == datetime(2026, 3, 29, 7, tzinfo=UTC)
    assert at(date(2026, 10, 24), 9) == datetime(2026, 10, 24, 7, tzinfo=UTC)
    assert at(date(2026, 10, 25), 9) == datetime(2026, 10, 25, 8, tzinfo=UTC)


def test_days_are_given_for_every_day_of_four_years() -> None:
    chance = random.Random(1)  # noqa: S311  # no secret
    for number in range(4 * 366):
        today = date(2025, 1, 1) + number * DAY
        days = due_days(chance, today, 80)
        assert len(days) == 80
        assert all(map(is_working_day, days)), today
