"""Suggestions and decisions in the database: only the right person's yes makes real what was suggested."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import uuid4

import psycopg
import psycopg.sql
import pytest

from paliadin.base.errors import NotFound, StoreUnavailable
from paliadin.parts.practice import tables
from paliadin.parts.practice.approvals import AlreadyDecided, Decision, NotYours, ThingGone
from paliadin.parts.practice.practice import Practice
from paliadin.parts.practice.tools.model import ToolError
from paliadin.parts.practice.tools.suggestions import MOST_IN_TURN, MOST_PENDING
from paliadin.parts.practice.transactions import User
from paliadin.record import migrate

TODAY = datetime.now(UTC).date()
TURN = "019a2b3c-4d5e-4f60-8123-456789abcdef"  # nobody's
DUE = str(TODAY + timedelta(days=100))
YES, NO = Decision(approve=True), Decision(approve=False, reason="Not on a Sunday")
# ann leads c1 with p1 in it, ben is in p1, cleo sees neither and leads c2; boss and chief are owners.
USERS = [
    *(User(name, name.title(), "", "en", "member") for name in ("ann", "ben", "cleo")),
    *(User(name, name.title(), "", "en", "owner") for name in ("boss", "chief")),
]
PROJECTS = """
insert into paliad.projects (id, parent_id, kind, label) values
    ('c1', null, 'client', 'C1'), ('p1', 'c1', 'matter', 'P1'), ('c2', null, 'client', 'C2');
insert into paliad.project_members (project_id, user_id, role) values
    ('c1', 'ann', 'lead'), ('p1', 'ben', 'member'), ('c2', 'cleo', 'lead');
"""


@dataclass
class Office:
    """A practice in a database, and its people."""

    practice: Practice
    conninfo: str
    people: list[User]

    async def suggest(self, person: str, turn: str | None = None, **given: Any) -> dict[str, Any]:
        """Suggest a deadline, unless `tool` is another one; the result."""
        tool = given.pop("tool", "suggest_deadline")
        arguments = {"project_id": "p1", "title": "Reply", "due_date": DUE} | given
        arguments = {name: value for name, value in arguments.items() if value is not None}
        result: dict[str, Any] = json.loads(await self.practice.call(person, tool, arguments, turn or str(uuid4())))
        return result

    async def pending(self, person: str = "ben", **given: Any) -> str:
        """Suggest a deadline; the suggestion's id."""
        return str((await self.suggest(person, **given))["suggestion"]["id"])

    def rows(self, query: str, *values: object) -> list[tuple[Any, ...]]:
        """What a query of the tables' owner returns."""
        with psycopg.connect(self.conninfo) as connection:
            cursor = connection.execute(query.encode(), values)
            return cursor.fetchall() if cursor.description else []

    def held(self) -> dict[str, int]:
        """How many rows there are of what a suggestion makes."""
        tables = ("approval_requests", "deadlines", "appointments", "notes", "audit_trail")
        return {each: self.rows(f"select count(*) from paliad.{each}")[0][0] for each in tables}  # noqa: S608


@asynccontextmanager
async def opened(conninfo: str, timezone: str | None = "UTC", **settings: Any) -> AsyncIterator[Office]:
    """The practice in this database, which has nobody's rows yet."""
    people = list(USERS)
    practice = Practice(lambda: people, timezone, **settings)
    async with practice.connected(conninfo):
        await practice.call("ann", "whats_on_my_plate", {})  # by then the practice knows the people
        office = Office(practice, conninfo, people)
        office.rows(PROJECTS)
        yield office


@pytest.fixture
async def office(practice_database: str) -> AsyncIterator[Office]:
    async with opened(practice_database) as office:
        yield office


async def test_a_suggestion_is_pending_with_its_request_and_names_the_turn(office: Office) -> None:
    turn = str(uuid4())
    result = await office.suggest("ben", turn, title="  Statement\n of   defence ")
    [row] = result["rows"]
    assert (row["title"], row["due_date"], row["approval_status"]) == ("Statement of defence", DUE, "pending")
    assert "stands in no calendar yet" in result["more"]
    [request] = office.rows(
        "select thing_kind, thing_id, requester_kind, requested_by, agent_turn_id::text, status"
        " from paliad.approval_requests"
    )
    assert request == ("deadline", row["id"], "agent", "ben", turn, "pending")
    [deadline] = office.rows("select approval_status, responsible, created_by from paliad.deadlines")
    assert deadline == ("pending", "ben", "ben")
    [line] = office.rows("select actor, actor_kind, action, details ->> 'turn' from paliad.audit_trail")
    assert line == ("ben", "agent", "approval.requested", turn)


async def test_all_three_kinds_are_suggested_and_approved(office: Office) -> None:
    day = TODAY + timedelta(days=7)
    told = await office.suggest("ben", tool="suggest_note", title=None, due_date=None, text="Line 1\n\n<b>Line 2</b>")
    met = await office.suggest(
        "ben", tool="suggest_appointment", due_date=None, starts_at=f"{day}T09:30", place="Room 1"
    )
    assert met["rows"][0]["ends_at"] == f"{day}T10:30+00:00"
    due = await office.suggest("ben", rule_id="upc-statement-of-defence")
    for each in (told, met, due):
        await office.practice.decide("ben", each["suggestion"]["id"], YES)
    assert office.rows("select body, approval_status from paliad.notes") == [("Line 1\n\n<b>Line 2</b>", "approved")]
    assert office.rows("select place, approval_status from paliad.appointments") == [("Room 1", "approved")]
    assert office.rows("select rule_id, approval_status, pending_request_id from paliad.deadlines") == [
        ("upc-statement-of-defence", "approved", None)
    ]
    [project] = json.loads(await office.practice.call("ann", "get_project_detail", {"project_id": "p1"}))["rows"][-1:]
    assert project["text"] == "Line 1\n\n<b>Line 2</b>"


async def test_an_appointment_is_at_the_hour_that_was_meant_in_summer_and_in_winter(
    practice_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a setting the place is the machine's, whose offset is another one in half a year."""
    monkeypatch.setenv("TZ", "Europe/Berlin")
    async with opened(practice_database, timezone=None) as office:
        year = TODAY.year + 1
        for day in (f"{year}-01-15", f"{year}-07-15"):
            made = await office.suggest("ben", tool="suggest_appointment", due_date=None, starts_at=f"{day}T09:30")
            assert made["rows"][0]["starts_at"].startswith(f"{day}T09:30")
            [shown] = await office.practice.suggestions("ben", turn_of(office))
            assert shown["starts_at"].startswith(f"{day}T09:30")
        local = "select (starts_at at time zone 'Europe/Berlin')::text from paliad.appointments order by starts_at"
        assert office.rows(local) == [(f"{year}-01-15 09:30:00",), (f"{year}-07-15 09:30:00",)]


async def test_the_same_call_twice_in_a_turn_makes_one(office: Office) -> None:
    turn = str(uuid4())
    results = await asyncio.gather(*(office.suggest("ben", turn) for _ in range(6)))
    assert len({each["suggestion"]["id"] for each in results}) == 1
    assert sum("was suggested in this turn before" in each["more"] for each in results) == 5
    assert office.held()["deadlines"] == 1
    other = await office.suggest("ben", turn, title="Something else")
    later = await office.suggest("ben")
    assert len({results[0]["suggestion"]["id"], other["suggestion"]["id"], later["suggestion"]["id"]}) == 3
    await office.practice.decide("ben", results[0]["suggestion"]["id"], NO)
    again = await office.suggest("ben", turn)
    assert "It was rejected." in again["more"]
    assert again["rows"][0]["approval_status"] == "rejected"


WRONG: dict[str, tuple[dict[str, Any], str]] = {
    "turn": ({"turn_id": str(uuid4())}, "there is no argument 'turn_id'"),
    "agent_turn_id": ({"agent_turn_id": str(uuid4())}, "there is no argument 'agent_turn_id'"),
    "person": ({"requested_by": "ann"}, "there is no argument 'requested_by'"),
    "status": ({"approval_status": "approved"}, "there is no argument 'approval_status'"),
    "past": ({"due_date": str(TODAY - timedelta(days=1))}, "in the past"),
    "far": ({"due_date": str(TODAY.replace(year=TODAY.year + 60, day=1))}, "50 years"),
    "no day": ({"due_date": "2027-02-30"}, "must be a date"),
    "control": ({"title": "a\x07b"}, "control characters"),
    "bidi": ({"title": "pay \u202e001 to"}, "control characters"),
    "empty": ({"title": " \n "}, "must not be empty"),
    "long": ({"title": "x" * 201}, "200 characters"),
    "rule": ({"rule_id": "none"}, "there is no such rule"),
    "unseen": ({"project_id": "c2"}, "there is no project 'c2'"),
    "unknown": ({"project_id": "c9"}, "there is no project 'c9'"),
    "above": ({"project_id": "c1"}, "there is no project 'c1'"),
    "upside down": (
        {"tool": "suggest_appointment", "due_date": None, "starts_at": f"{DUE}T10:00", "ends_at": f"{DUE}T09:00"},
        "ends_at must be after",
    ),
    "no time": ({"tool": "suggest_appointment", "due_date": None, "starts_at": DUE}, "must be a time such as"),
    "beyond": (
        {"tool": "suggest_appointment", "due_date": None, "starts_at": "9999-12-31T23:59:59-12:00"},
        "beyond the calendar",
    ),
    "long note": ({"tool": "suggest_note", "title": None, "due_date": None, "text": "x" * 4001}, "4000 characters"),
    "tall note": ({"tool": "suggest_note", "title": None, "due_date": None, "text": "x\n" * 61}, "at most 60 lines"),
}


async def test_a_wrong_suggestion_makes_nothing(office: Office) -> None:
    before = office.held()
    for case, (arguments, words) in WRONG.items():
        with pytest.raises(ToolError) as refused:
            await office.suggest("ben", **arguments)
        assert words in str(refused.value), case
        assert office.held() == before, case


async def test_without_a_turn_nothing_is_suggested(office: Office) -> None:
    arguments = {"project_id": "p1", "title": "Reply", "due_date": DUE}
    with pytest.raises(ToolError, match="no question of the reader's led to this call"):
        await office.practice.call("ben", "suggest_deadline", arguments)
    assert office.held()["approval_requests"] == 0


async def test_a_loop_of_suggestions_ends_with_plain_words(office: Office) -> None:
    async def attempt(turn: str, number: int) -> str:
        try:
            return str((await office.suggest("ben", turn, title=f"Reply {number}"))["suggestion"]["state"])
        except ToolError as error:
            return error.message

    turn = str(uuid4())
    told = await asyncio.gather(*(attempt(turn, number) for number in range(40)))
    full = f"this turn has made {MOST_IN_TURN} suggestions, and no turn may make more"
    assert sorted(told) == sorted(["pending"] * MOST_IN_TURN + [full] * 30)
    told = [await attempt(str(uuid4()), number) for number in range(MOST_PENDING)]
    full = f"{MOST_PENDING} suggestions of the reader's wait for a decision, and no more may"
    assert told == ["pending"] * (MOST_PENDING - MOST_IN_TURN) + [full] * MOST_IN_TURN
    assert office.held()["deadlines"] == MOST_PENDING
    assert (await office.suggest("ann"))["suggestion"]["state"] == "pending"  # nobody else is concerned


MAY = [  # who decides on what was suggested for ben in p1, and as what
    ("ben", "peer"),  # it is his own
    ("ann", "peer"),  # she leads what is above it
    ("boss", "admin_override"),
    ("cleo", NotFound),
    ("nobody", NotFound),
]


@pytest.mark.parametrize("decision", [YES, NO], ids=["approve", "reject"])
@pytest.mark.parametrize(("person", "expected"), MAY, ids=[person for person, _ in MAY])
async def test_who_may_decide(office: Office, person: str, expected: Any, decision: Decision) -> None:
    suggestion = await office.pending()
    if isinstance(expected, type):
        with pytest.raises(expected, match="there is no such suggestion"):
            await office.practice.decide(person, suggestion, decision)
        assert office.rows("select approval_status from paliad.deadlines") == [("pending",)]
        return
    made = await office.practice.decide(person, suggestion, decision)
    state = "approved" if decision.approve else "rejected"
    assert (made["state"], made["decided_as"], made["decided_by"]["id"]) == (state, expected, person)
    assert made.get("reason", "") == decision.reason
    assert (made["may_approve"], made["may_reject"]) == (False, False)
    assert office.rows("select approval_status from paliad.deadlines") == [(state,)]
    line = office.rows("select actor, actor_kind, action, details ->> 'as', details ->> 'note' from paliad.audit_trail")
    assert line[-1] == (person, "person", f"approval.{state}", expected, decision.reason or None)


async def test_a_colleague_who_only_sees_the_project_neither_decides_nor_reads_it(office: Office) -> None:
    suggestion = await office.pending("ann")
    for decision in (YES, NO):
        with pytest.raises(NotFound):
            await office.practice.decide("ben", suggestion, decision)
    with pytest.raises(NotFound):
        await office.practice.suggestions("ben", turn_of(office))
    [seen] = await office.practice.suggestions("ann", turn_of(office))
    assert (seen["may_approve"], seen["may_reject"]) == (True, True)


def turn_of(office: Office) -> str:
    """The turn of the last suggestion."""
    return str(office.rows("select agent_turn_id from paliad.approval_requests order by requested_at desc")[0][0])


async def test_with_a_second_pair_of_eyes_nobody_approves_their_own(practice_database: str) -> None:
    async with opened(practice_database, second_pair=True) as office:
        practice = office.practice
        for person in ("ann", "boss"):
            with pytest.raises(NotYours):
                await practice.decide(person, await office.pending(person), YES)
        [theirs] = json.loads(await practice.call("ann", "list_my_pending_approvals", {}))["rows"]
        assert theirs["requested_by"] == "Boss"
        withdrawn = await practice.decide("ann", await office.pending("ann", title="Mine"), NO)
        assert withdrawn["decided_as"] == "peer"
        assert (await practice.decide("chief", await office.pending("boss", title="B"), YES))["state"] == "approved"
    for setting, expected in ((None, True), (False, False), (None, False)):
        async with Practice(lambda: USERS, "UTC", second_pair=setting).connected(practice_database):
            assert office.rows("select second_pair from paliad.settings") == [(expected,)]


async def test_nobody_approves_what_they_asked_for_as_a_person(office: Office) -> None:
    [(request,)] = office.rows(
        "insert into paliad.approval_requests (project_id, thing_kind, thing_id, requester_kind, requested_by)"
        " values ('p1', 'note', 'n', 'person', 'ann') returning id::text"
    )
    for person in ("ann", "boss"):  # what a person asks for is decided on in the application
        with pytest.raises(NotFound):
            await office.practice.decide(person, request, YES)
    decided = "select outcome from paliad.decide(%s, true, '')"
    with psycopg.connect(office.conninfo) as connection:
        connection.execute(
            "select set_config('paliad.person', 'ann', true), set_config('role', 'paliad_approvals', true)"
        )
        assert connection.execute(decided, (request,)).fetchall() == [("not_yours",)]


@pytest.mark.parametrize("isolation", ["read committed", "serializable"])
async def test_of_two_at_the_same_moment_one_decides_and_the_other_is_told(
    practice_database: str, isolation: str
) -> None:
    """Whatever transactions are by default in the database, which is the owner's own."""
    with psycopg.connect(practice_database) as connection:
        options = (psycopg.sql.Identifier(connection.info.dbname), psycopg.sql.Literal(isolation))
        query = psycopg.sql.SQL("alter database {} set default_transaction_isolation to {}").format(*options)
        connection.execute(query)
    async with opened(practice_database) as office:
        for round_ in range(5):
            suggestion = await office.pending(title=f"Reply {round_}")
            both = (office.practice.decide("ann", suggestion, YES), office.practice.decide("boss", suggestion, NO))
            outcomes = await asyncio.gather(*both, return_exceptions=True)
            [won] = [each for each in outcomes if isinstance(each, dict)]
            [lost] = [each for each in outcomes if isinstance(each, AlreadyDecided)]
            assert lost.message == f"{won['decided_by']['name']} has {won['state']} it already"
            lines = office.rows("select count(*) from paliad.audit_trail where details ->> 'request' = %s", suggestion)
            assert lines == [(2,)]  # that it was asked for, and one decision


async def test_a_decision_that_was_made_is_never_told_as_failed(office: Office) -> None:
    """Who decides loses the project in the same moment: reading it again would find nothing."""
    suggestion = await office.pending("ann")
    office.rows("""create function lose() returns trigger language plpgsql as $$
        begin delete from paliad.project_members; return null; end $$;
        create trigger lose after update on paliad.approval_requests execute function lose()""")
    decided = await office.practice.decide("ann", suggestion, YES)
    assert (decided["state"], decided["decided_by"]["id"]) == ("approved", "ann")
    with pytest.raises(NotFound):
        await office.practice.suggestions("ann", decided["turn_id"])


async def test_a_replayed_decision_changes_nothing(office: Office) -> None:
    suggestion = await office.pending()
    await office.practice.decide("ben", suggestion, NO)
    before = (office.held(), office.rows("select status, decided_by, decided_at from paliad.approval_requests"))
    for person in ("ben", "ann", "boss"):
        with pytest.raises(AlreadyDecided, match="Ben has rejected it already"):
            await office.practice.decide(person, suggestion, YES)
    after = (office.held(), office.rows("select status, decided_by, decided_at from paliad.approval_requests"))
    assert after == before


async def test_an_id_of_nothing_is_that_of_nothing(office: Office) -> None:
    ids = ["", "x", "../..", TURN, "' or true --", "0" * 36, "a\x00" * 18]
    for person, suggestion in itertools.product(("ben", "boss"), ids):
        with pytest.raises(NotFound, match="there is no such suggestion"):
            await office.practice.decide(person, suggestion, YES)
        with pytest.raises(NotFound, match="there is no such suggestion"):
            await office.practice.suggestions(person, suggestion)


async def test_a_project_that_was_lost_meanwhile_takes_its_suggestions_along(office: Office) -> None:
    suggestion = await office.pending()
    office.rows("delete from paliad.project_members where user_id = 'ben'")
    with pytest.raises(NotFound):
        await office.practice.decide("ben", suggestion, YES)
    with pytest.raises(NotFound):
        await office.practice.suggestions("ben", turn_of(office))
    with pytest.raises(ToolError, match="there is no project 'p1'"):
        await office.suggest("ben", turn_of(office))  # also what was suggested before
    assert office.rows("select approval_status from paliad.deadlines") == [("pending",)]


async def test_who_was_removed_decides_nothing(office: Office) -> None:
    suggestion = await office.pending()
    office.people[:] = [each for each in office.people if each.id != "ben"]
    with pytest.raises(NotFound):
        await office.practice.decide("ben", suggestion, YES)
    office.people[:] = [replace_role(each) for each in office.people]
    with pytest.raises(NotFound):
        await office.practice.decide("boss", suggestion, YES)  # no owner any more, and in no project


def replace_role(user: User) -> User:
    return user._replace(role="member")


async def test_what_was_deleted_meanwhile_can_only_be_rejected(office: Office) -> None:
    suggestion = await office.pending()
    office.rows("delete from paliad.deadlines")
    with pytest.raises(ThingGone):
        await office.practice.decide("ben", suggestion, YES)
    assert (await office.practice.decide("ben", suggestion, NO))["state"] == "rejected"


async def test_what_was_rejected_is_in_no_list_and_no_count(office: Office) -> None:
    await office.practice.decide("ben", await office.pending(), NO)
    assert json.loads(await office.practice.call("ben", "search_my_deadlines", {"status": "any"}))["rows"] == []
    assert (await office.practice.project_counts("ben", "p1"))["open_deadlines"] == 0
    plate = json.loads(await office.practice.call("ben", "whats_on_my_plate", {}))
    assert sum(plate["open_deadlines"].values()) == 0
    assert [row["actor"] for row in plate["rows"] if row["action"] == "approval.requested"] == ["ben [agent: Paliadin]"]


async def test_a_second_one_with_the_same_title_and_day_is_told(office: Office) -> None:
    await office.practice.decide("ben", await office.pending(), YES)
    await office.pending(title="REPLY")
    [shown] = await office.practice.suggestions("ben", turn_of(office))
    assert shown["same"] == 1


@pytest.mark.parametrize("work", ["suggest", "decide"])
async def test_a_connection_that_dies_in_the_middle_leaves_all_or_nothing(office: Office, work: str) -> None:
    """Both write their line of the audit trail last; a lock there holds them, and the server ends their connection."""
    suggestion = await office.pending()
    before = (office.held(), office.rows("select status from paliad.approval_requests"))
    with psycopg.connect(office.conninfo) as lock:
        lock.execute("lock table paliad.audit_trail in exclusive mode")
        decide = work == "decide"
        task = asyncio.create_task(
            office.practice.decide("ben", suggestion, YES) if decide else office.suggest("ben", title="Lost")
        )
        for _ in range(100):
            await asyncio.sleep(0.01)
            [(ended,)] = office.rows(
                "select count(pg_terminate_backend(pid)) from pg_stat_activity"
                " where datname = current_database() and wait_event_type = 'Lock'"
            )
            if ended:
                break
        with pytest.raises(StoreUnavailable):
            await task
        assert ended == 1
        lock.rollback()
    assert (office.held(), office.rows("select status from paliad.approval_requests")) == before
    await asyncio.sleep(0.6)  # nobody asks the database again before
    if decide:
        assert (await office.practice.decide("ben", suggestion, YES))["state"] == "approved"
    else:
        assert (await office.suggest("ben", title="Lost"))["suggestion"]["state"] == "pending"


async def test_the_tools_roles_can_neither_decide_nor_write(office: Office) -> None:
    suggestion = await office.pending()
    statements = (
        f"select paliad.decide('{suggestion}', true, '')",
        f"select paliad.question_of('{suggestion}')",
        "update paliad.approval_requests set status = 'approved'",
        "update paliad.deadlines set approval_status = 'approved'",
        "insert into paliad.notes (id, project_id, body) values ('x', 'p1', 'x')",
        "update paliad.settings set second_pair = false",
    )
    for role in ("paliad_tools", "paliad_tools_all"):
        for statement in statements:
            with psycopg.connect(office.conninfo) as connection:
                connection.execute("select set_config('paliad.person', 'boss', true)")
                connection.execute(f"set local role {role}".encode())
                with pytest.raises(psycopg.errors.InsufficientPrivilege):
                    connection.execute(statement.encode())
    with psycopg.connect(office.conninfo) as connection:
        connection.execute("set local role paliad_approvals")
        for statement in (*statements[2:], "select * from paliad.deadlines"):
            with pytest.raises(psycopg.errors.InsufficientPrivilege), connection.transaction():
                connection.execute(statement.encode())


QUESTION_OF = "select paliad.question_of(%s)"


ODD = {
    "kind": ("'task', 'p1', '{}', gen_random_uuid(), 'x', 10, 50"),
    "no turn": ("'note', 'p1', '{\"body\": \"x\"}', null, 'x', 10, 50"),
    "no limit": ("'note', 'p1', '{\"body\": \"x\"}', gen_random_uuid(), 'x', null, null"),
    "array": ("'note', 'p1', '[]', gen_random_uuid(), 'x', 10, 50"),
    "nested": ("'deadline', 'p1', '{\"title\": [1], \"due_date\": \"2027-05-16\"}', gen_random_uuid(), 'x', 10, 50"),
    "infinite": ("'deadline', 'p1', '{\"title\": \"x\", \"due_date\": \"infinity\"}', gen_random_uuid(), 'x', 10, 50"),
    "long": ("'note', 'p1', jsonb_build_object('body', repeat('x', 30000)), gen_random_uuid(), 'x', 10, 50"),
}


async def test_the_function_itself_refuses_odd_values(office: Office) -> None:
    """As a program that uses the tools' role could call it."""
    for case, values in ODD.items():
        with psycopg.connect(office.conninfo) as connection:
            connection.execute("select set_config('paliad.person', 'ben', true)")
            connection.execute("set local role paliad_tools")
            with pytest.raises(psycopg.errors.InvalidParameterValue):
                connection.execute(f"select * from paliad.suggest({values})".encode())  # noqa: S608  # all ours
        assert office.held()["approval_requests"] == 0, case


async def test_what_was_moved_to_another_project_is_not_approved_from_there(office: Office) -> None:
    suggestion = await office.pending()
    office.rows("update paliad.deadlines set project_id = 'c2'")
    with pytest.raises(ThingGone):
        await office.practice.decide("ben", suggestion, YES)


async def test_what_waits_in_a_project_that_was_lost_counts_for_no_limit(office: Office) -> None:
    office.rows("insert into paliad.project_members values ('c2', 'ben', 'member')")
    for number in range(MOST_PENDING):
        await office.suggest("ben", project_id="c2", title=f"Reply {number}")
    with pytest.raises(ToolError, match="no more may"):
        await office.suggest("ben")
    office.rows("delete from paliad.project_members where project_id = 'c2' and user_id = 'ben'")
    assert (await office.suggest("ben"))["suggestion"]["state"] == "pending"


async def test_the_text_of_a_pending_note_is_in_no_trail(office: Office) -> None:
    await office.suggest("ben", tool="suggest_note", title=None, due_date=None, text="Privileged")
    assert "Privileged" not in str(office.rows("select details::text from paliad.audit_trail"))


async def test_a_note_that_is_not_approved_is_read_by_who_asked_and_who_decides(office: Office) -> None:
    """Whatever a query asks for: a colleague in the project finds no such row before it is approved."""

    def readers(thing: str) -> set[str]:
        found = set()
        for person in ("ann", "ben", "dan", "cleo"):
            with psycopg.connect(office.conninfo) as connection:
                connection.execute("select set_config('paliad.person', %s, true)", (person,))
                connection.execute("set local role paliad_tools")
                if connection.execute("select from paliad.notes where id = %s", (thing,)).fetchall():
                    found.add(person)
        return found

    office.people.append(User("dan", "Dan", "", "en", "member"))
    await office.practice.follow_people()
    office.rows("insert into paliad.project_members (project_id, user_id, role) values ('p1', 'dan', 'member')")
    for decision, afterwards in ((YES, {"ann", "ben", "dan"}), (NO, {"ann", "ben"})):
        words = f"Not for all {decision.approve}"
        made = await office.suggest("ben", tool="suggest_note", title=None, due_date=None, text=words)
        [(thing,)] = office.rows("select id from paliad.notes where body = %s", words)
        assert readers(thing) == {"ann", "ben"}
        await office.practice.decide("ann", made["suggestion"]["id"], decision)
        assert readers(thing) == afterwards


async def test_the_question_is_for_who_asked_it_and_for_who_decides(office: Office) -> None:
    turn = str(uuid4())
    suggestion = await office.pending("ben", turn=turn)
    office.rows(
        "insert into paliadin.turns (turn_id, session_id, person, host, origin, started_at, user_message)"
        " values (%s, 's', 'ben', 'h', 'page', now(), 'Enter a deadline, please')",
        turn,
    )

    def read_by(person: str) -> str | None:
        with psycopg.connect(office.conninfo) as connection:
            connection.execute("select set_config('paliad.person', %s, true)", (person,))
            connection.execute("set local role paliad_approvals")
            [(question,)] = connection.execute(QUESTION_OF, (suggestion,)).fetchall()
            return question

    office.rows("insert into paliad.project_members values ('p1', 'cleo', 'member')")
    expected = dict.fromkeys(("ann", "ben", "boss"), "Enter a deadline, please") | {"cleo": None, "nobody": None}
    assert {person: read_by(person) for person in expected} == expected
    office.rows("delete from paliadin.turns")
    assert {person: read_by(person) for person in expected} == dict.fromkeys(expected)
    assert (await office.practice.suggestions("ben", turn))[0]["state"] == "pending"  # it outlives its turn


async def test_the_figures_are_those_of_the_rows(office: Office) -> None:
    for number, decision in enumerate((YES, YES, NO, None)):
        suggestion = await office.pending(title=f"Reply {number}")
        if decision:
            await office.practice.decide("boss" if number else "ben", suggestion, decision)
    office.rows(
        "update paliad.approval_requests set requested_at = decided_at - interval '2 hours' where status <> 'pending'"
    )
    now = datetime.now(UTC)
    found = await office.practice.suggestion_figures("boss", now - timedelta(days=1), now + timedelta(minutes=1))
    counts = {name: found[name] for name in ("made", "approved", "rejected", "pending", "turns", "overridden")}
    assert counts == {"made": 4, "approved": 2, "rejected": 1, "pending": 1, "turns": 4, "overridden": 2}
    assert found["median_seconds"] == pytest.approx(7200)
    none = await office.practice.suggestion_figures("boss", now + timedelta(days=1), now + timedelta(days=2))
    assert (none["made"], none["median_seconds"]) == (0, None)


async def test_a_practice_of_the_earlier_version_is_brought_up(empty_database: str) -> None:
    """What was decided before there were reasons of a right has been decided by a colleague."""
    migrate.up(empty_database)
    folder = tables.migrations()
    migrate.up(empty_database, folder, schema=tables.SCHEMA)
    migrate.down(empty_database, 2, folder, schema=tables.SCHEMA)  # to before suggestions
    with psycopg.connect(empty_database) as connection:
        connection.execute(
            "insert into paliad.users (id, name) values ('ann', 'Ann');"
            "insert into paliad.projects (id, kind, label) values ('c1', 'client', 'C1');"
            "insert into paliad.approval_requests"
            " (project_id, thing_kind, thing_id, requester_kind, requested_by, status, decided_by, decided_at)"
            " values ('c1', 'note', 'n', 'person', 'ann', 'approved', 'ann', now())"
        )
    tables.prepare(empty_database)
    with psycopg.connect(empty_database) as connection:
        decided = connection.execute("select status, decided_as from paliad.approval_requests").fetchall()
    assert decided == [("approved", "peer")]
