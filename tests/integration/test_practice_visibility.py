"""Who sees what of a practice is decided by the database, whatever a query asks for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

import psycopg
import pytest
from psycopg import sql
from psycopg.conninfo import make_conninfo

from paliadin.base.errors import ConfigError
from paliadin.parts.practice import insertion, tables
from paliadin.record import migrate

TOOLS, ALL = "paliad_tools", "paliad_tools_all"  # the roles that the tools read as
APPROVALS = "paliad_approvals"  # the role that decides on suggestions
DECIDING = {"decide", "question_of"}  # the functions that it alone may call
PEOPLE = """
insert into paliad.users (id, name, role, active) values
    ('ann', 'Ann', 'member', true), ('ben', 'Ben', 'member', true), ('cleo', 'Cleo', 'member', true),
    ('dan', 'Dan', 'member', true), ('gone', 'Gone', 'member', false), ('boss', 'Boss', 'owner', true),
    ('former', 'Former', 'owner', false);
insert into paliad.partner_units (id, name) values ('unit', 'Unit'), ('other', 'Other');
insert into paliad.partner_unit_members values ('unit', 'cleo'), ('other', 'dan'), ('unit', 'gone');
"""
# c1 ─ m1 ─ p1, p2    c1 ─ m2 ─ p3    c2 ─ m3 ─ p4
PROJECTS = """
insert into paliad.projects (id, parent_id, kind, label) values
    ('c1', null, 'client', 'C1'), ('m1', 'c1', 'matter', 'M1'), ('m2', 'c1', 'matter', 'M2'),
    ('p1', 'm1', 'proceeding', 'P1'), ('p2', 'm1', 'proceeding', 'P2'), ('p3', 'm2', 'proceeding', 'P3'),
    ('c2', null, 'client', 'C2'), ('m3', 'c2', 'matter', 'M3'), ('p4', 'm3', 'proceeding', 'P4');
insert into paliad.project_members (project_id, user_id) values
    ('m1', 'ann'), ('p4', 'ben'), ('c1', 'gone'), ('c2', 'former'), ('p3', 'ann');
insert into paliad.project_units values ('m3', 'unit'), ('p1', 'unit');
"""
THINGS = """
insert into paliad.deadlines (id, project_id, title, due_date)
    select 'd-' || id, id, id, current_date from paliad.projects;
insert into paliad.appointments (id, project_id, title, starts_at, ends_at)
    select 'a-' || id, id, id, now(), now() from paliad.projects;
insert into paliad.notes (id, project_id, body) select 'n-' || id, id, id from paliad.projects;
insert into paliad.parties (id, project_id, name, role) select 'y-' || id, id, id, 'claimant' from paliad.projects;
insert into paliad.approval_requests (project_id, thing_kind, thing_id, requester_kind, requested_by)
    select id, 'note', 'n-' || id, 'person', 'ann' from paliad.projects;
insert into paliad.audit_trail (actor, actor_kind, action, project_id)
    select 'ann', 'person', 'made', id from paliad.projects;
insert into paliad.audit_trail (actor, actor_kind, action) values ('ann', 'person', 'of no project');
insert into paliad.project_members (project_id, user_id, role)
    select id, 'nobody-sees-this', 'member' from paliad.projects;
insert into paliad.project_units select id, 'other-unit' from paliad.projects;
"""
SEES = {
    "ann": {"m1", "p1", "p2", "p3"},  # a member of a matter, with what is below it, and of a proceeding
    "ben": {"p4"},  # a member of one proceeding, not of what is above it
    "cleo": {"m3", "p4", "p1"},  # by her unit
    "dan": set(),  # in a unit that is attached to nothing of theirs
    "gone": set(),  # not active any more, though a member
    "former": set(),
    "unheard-of": set(),
    "": set(),
    "boss": {"c1", "m1", "m2", "p1", "p2", "p3", "c2", "m3", "p4"},
}


@pytest.fixture
def practice(practice_database: str) -> str:
    """The conninfo of a practice with a row in each table for each project."""
    fill(practice_database)
    return practice_database


def fill(conninfo: str) -> None:
    tables.prepare(conninfo)
    with psycopg.connect(conninfo) as connection:
        connection.execute(PEOPLE)
        connection.execute("insert into paliad.users (id, name) values ('nobody-sees-this', 'X')")
        connection.execute("insert into paliad.partner_units (id, name) values ('other-unit', 'X')")
        connection.execute(PROJECTS)
        connection.execute(THINGS)


@contextmanager
def reading(conninfo: str, person: str | None, role: str = TOOLS) -> Iterator[psycopg.Connection[Any]]:
    """A transaction as the tools have it; `person` None: they have named nobody."""
    with psycopg.connect(conninfo) as connection:
        connection.execute(sql.SQL("set local role {}").format(sql.Identifier(role)))
        if person is not None:
            connection.execute("select set_config('paliad.person', %s, true)", (person,))
        yield connection
        connection.rollback()


def projects_in(connection: psycopg.Connection[Any], table: str) -> set[str]:
    column = sql.Identifier("id" if table == "projects" else "project_id")
    query = sql.SQL("select distinct {} from {}").format(column, sql.Identifier("paliad", table))
    return {row[0] for row in connection.execute(query)}


def tables_of_projects(conninfo: str) -> list[str]:
    """All tables with a project, as the catalogue knows them: a new one is among them without being listed here."""
    with psycopg.connect(conninfo) as connection:
        rows = connection.execute(
            "select distinct table_name from information_schema.columns"
            " where table_schema = 'paliad' and (column_name = 'project_id' or table_name = 'projects') order by 1"
        )
        return [row[0] for row in rows]


def unprotected(connection: psycopg.Connection[Any]) -> set[str]:
    """The tables with a project whose policies do not hold for everybody, their owner included."""
    rows = connection.execute(
        """
        with policies as (
            select polrelid, polcmd, polpermissive, polroles, array(select unnest(polroles)::regrole::text) as roles
            from pg_policy
            where polroles && array[0, 'paliad_tools'::regrole::oid, 'paliad_tools_all'::regrole::oid]
        )
        select relname from pg_class
        where relnamespace = 'paliad'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f')
            and (relname = 'projects' or exists (
                select from pg_attribute where attrelid = pg_class.oid and attname = 'project_id'))
            and not (relrowsecurity and relforcerowsecurity and coalesce((
                select bool_and(polcmd = 'r')  -- a restrictive one only takes away
                    and array_agg(roles[1] order by roles[1]) filter (where polpermissive)
                        = array['paliad_tools', 'paliad_tools_all']
                    and max(cardinality(roles)) = 1
                from policies where polrelid = pg_class.oid), false))
        """
    )
    return {row[0] for row in rows}


def test_each_table_with_a_project_has_policies_that_hold_for_its_owner_too(practice: str) -> None:
    assert len(tables_of_projects(practice)) >= 9
    with psycopg.connect(practice) as connection:
        assert unprotected(connection) == set()
        connection.execute("create table paliad.letters (project_id text)")
        connection.execute("create view paliad.plate as select project_id from paliad.deadlines")
        connection.execute("alter table paliad.notes no force row level security")
        connection.execute("drop policy visible on paliad.parties")
        connection.execute("create policy open on paliad.deadlines for select using (true)")
        connection.execute("create policy all_of_it on paliad.appointments for select to paliad_tools using (true)")
        found = {"letters", "plate", "notes", "parties", "deadlines", "appointments"}
        assert unprotected(connection) == found, "the test itself does not see what is missing"
        connection.rollback()


@pytest.mark.parametrize("role", [TOOLS, ALL])
def test_a_person_sees_their_projects_and_what_belongs_to_them(practice: str, role: str) -> None:
    """The role for owners shows a member nothing, and each person's own role nothing more than theirs."""
    for person, theirs in SEES.items():
        expected = theirs if role == TOOLS or person == "boss" else set()
        with reading(practice, person, role) as connection:
            for table in tables_of_projects(practice):
                extra = {None} if table == "audit_trail" and role == ALL and person == "boss" else set()
                assert projects_in(connection, table) == expected | extra, (person, table)


@pytest.mark.parametrize("role", [TOOLS, ALL])
def test_without_a_person_there_is_nothing(practice: str, role: str) -> None:
    with reading(practice, None, role) as connection:
        for table in tables_of_projects(practice):
            assert projects_in(connection, table) == set(), table


def test_the_person_ends_with_the_transaction(practice: str) -> None:
    with psycopg.connect(practice, autocommit=True) as connection:
        with connection.transaction():
            connection.execute("select set_config('paliad.person', 'ann', true)")
        with connection.transaction():
            connection.execute("set local role paliad_tools")
            assert projects_in(connection, "projects") == set()


def test_what_changes_is_seen_at_once(practice: str) -> None:
    with psycopg.connect(practice) as connection:
        connection.execute("update paliad.users set active = false where id = 'ben'")
        connection.execute("delete from paliad.project_units where unit_id = 'unit' and project_id = 'm3'")
        connection.execute("update paliad.projects set parent_id = 'm1' where id = 'p3'")
        connection.execute("delete from paliad.project_members where project_id = 'p3'")
    for person, expected in {"ben": set(), "cleo": {"p1"}, "ann": {"m1", "p1", "p2", "p3"}}.items():
        with reading(practice, person) as connection:
            assert projects_in(connection, "projects") == expected


@pytest.mark.parametrize("role", [TOOLS, ALL])
def test_the_roles_of_the_tools_own_nothing_and_may_only_read(practice: str, role: str) -> None:
    with psycopg.connect(practice) as connection:
        [flags] = connection.execute(
            "select rolsuper, rolbypassrls, rolcreaterole, rolcreatedb, rolcanlogin, rolreplication from pg_roles"
            " where rolname = %s",
            (role,),
        ).fetchall()
        assert flags == (False,) * 6
        count = connection.execute(
            """
            select (select count(*) from pg_auth_members where member = %(role)s::regrole)
                + (select count(*) from pg_shdepend
                    where refobjid = %(role)s::regrole and refclassid = 'pg_authid'::regclass and deptype = 'o')
            """,
            {"role": role},
        ).fetchone()
        assert count == (0,), "it owns something, or may become another role"
        writable = connection.execute(
            """
            select relname, right_ from pg_class,
                unnest(array['insert', 'update', 'delete', 'truncate', 'references', 'trigger']) as right_
            where relnamespace in ('paliad'::regnamespace, 'paliadin'::regnamespace, 'public'::regnamespace)
                and relkind in ('r', 'v', 'p') and has_table_privilege(%s, pg_class.oid, right_)
            """,
            (role,),
        ).fetchall()
        assert writable == []
        schemas = connection.execute(
            "select nspname from pg_namespace where has_schema_privilege(%(role)s, oid, 'create')"
            " or (nspname = 'paliadin' and has_schema_privilege(%(role)s, oid, 'usage'))",
            {"role": role},
        ).fetchall()
        assert schemas == []


ATTEMPTS = {
    "insert into paliad.notes (id, project_id, body) values ('x', 'p1', 'x')": "permission denied",
    "update paliad.deadlines set status = 'done'": "permission denied",
    "delete from paliad.projects": "permission denied",
    "truncate paliad.notes": "permission denied",
    "update paliad.users set role = 'owner' where id = 'ann'": "permission denied",
    "alter table paliad.notes disable row level security": "must be owner",
    "create policy mine on paliad.notes using (true)": "must be owner",
    "drop policy visible on paliad.notes": "must be owner",
    "create table paliad.mine (id text)": "permission denied",
    "create table public.mine (id text)": "permission denied",
    "create or replace function paliad.person() returns text language sql as $$ select 'boss' $$": "permission denied",
    "select * from paliadin.turns": "permission denied",
    "copy paliad.notes to program 'true'": "permission denied",
    "select pg_read_file('/etc/hostname')": "permission denied",
    "select nextval(pg_get_serial_sequence('paliad.audit_trail', 'id'))": "permission denied",
}


@pytest.mark.parametrize("role", [TOOLS, ALL])
def test_nothing_else_works_for_them(practice: str, role: str) -> None:
    for attempt, refusal in ATTEMPTS.items():
        with reading(practice, "ann", role) as connection, pytest.raises(psycopg.Error) as refused:
            connection.execute(attempt.encode())
        assert refusal in str(refused.value), attempt


@pytest.mark.parametrize("role", [TOOLS, ALL])
def test_the_policies_cannot_be_switched_off(practice: str, role: str) -> None:
    with reading(practice, "ann", role) as connection:
        connection.execute("set local row_security = off")
        with pytest.raises(psycopg.errors.InsufficientPrivilege, match="row-level security"):
            connection.execute("select * from paliad.projects")


def test_functions_with_their_owners_rights_look_nothing_up_elsewhere(practice: str) -> None:
    """A table of the same name elsewhere must not be taken for the practice's, and nobody else may call them."""
    with psycopg.connect(practice) as connection:
        functions = connection.execute(
            """
            select proname, prosecdef, proconfig, has_function_privilege('paliad_tools', oid, 'execute'),
                has_function_privilege('paliad_approvals', oid, 'execute'),
                exists (select from aclexplode(proacl) where grantee = 0), proacl is null
            from pg_proc where pronamespace = 'paliad'::regnamespace
            """
        ).fetchall()
    assert {name for name, *_ in functions} >= {"person", "is_owner", "visible_projects", "may_approve"}
    for name, _, settings, tools_may, approvals_may, public_may, is_default in functions:
        assert settings == ["search_path=pg_catalog, pg_temp"], name  # of types, an empty one finds pg_temp's first
        assert tools_may == (name not in DECIDING), name
        assert approvals_may == (name in DECIDING), name
        assert not public_may, name
        assert not is_default, name  # by default everybody may


CALLS = {
    TOOLS: (
        "date",
        """select * from paliad.suggest('deadline', 'p1',
        '{"title": "T", "due_date": "2031-05-16"}', gen_random_uuid(), 'digest', 10, 50)""",
    ),
    APPROVALS: ("text", "select * from paliad.decide((select wanted from pg_temp.request), true, '')"),
}
"""What a role may call → the name of a type that the function uses."""


@pytest.mark.parametrize("role", CALLS)
def test_a_temporary_type_of_the_same_name_is_not_taken_for_the_real_one(practice: str, role: str) -> None:
    """Its check would run with the rights of the tables' owner."""
    name, call = CALLS[role]
    with psycopg.connect(practice) as connection:
        connection.execute(
            "create temporary table request as select id as wanted from paliad.approval_requests order by id limit 1"
        )
        connection.execute("grant select on pg_temp.request to public")
        connection.execute("select set_config('paliad.person', 'boss', true)")
        connection.execute(sql.SQL("set local role {}").format(sql.Identifier(role)))
        attack = """create function pg_temp.check_it(x pg_catalog.{0}) returns boolean language sql
                as 'select set_config(''test.ran_as'', current_user::text, true) is not null';
            create domain pg_temp.{0} as pg_catalog.{0} check (pg_temp.check_it(value))"""
        connection.execute(sql.SQL(attack).format(sql.Identifier(name)))
        assert len(connection.execute(call.encode()).fetchall()) == 1
        [(ran_as,)] = connection.execute("select current_setting('test.ran_as', true)").fetchall()
        assert not ran_as


def test_reference_data_is_for_everybody(practice: str) -> None:
    with reading(practice, None) as connection:
        for table in ("courts", "glossary", "deadline_rules"):
            query = sql.SQL("select count(*) from {}").format(sql.Identifier("paliad", table))
            [(count,)] = connection.execute(query).fetchall()
            assert count > 50


MAKE_ROLE = "do $$ begin create role {role} nologin noinherit; exception when duplicate_object then null; end $$"


@pytest.fixture
def plain(empty_database: str) -> Iterator[str]:
    """The conninfo of a database whose owner is no superuser and may make no roles."""
    with psycopg.connect(empty_database, autocommit=True) as connection:
        for role in ("plain", TOOLS, ALL, APPROVALS):
            connection.execute(sql.SQL(MAKE_ROLE).format(role=sql.Identifier(role)))
        connection.execute("revoke paliad_tools, paliad_tools_all, paliad_approvals from plain")
        name = sql.Identifier(str(connection.info.dbname))
        connection.execute(sql.SQL("alter database {} owner to plain").format(name))
        yield make_conninfo(empty_database, options="-c role=plain")
        connection.execute(sql.SQL("alter database {} owner to current_user").format(name))


def test_a_database_of_ones_own_needs_no_superuser(plain: str, empty_database: str) -> None:
    """An administrator has made the roles, and granted them; the policies bind the tables' owner, too."""
    migrate.up(plain)
    missing = "paliad_tools, paliad_tools_all, paliad_approvals"
    for role in (TOOLS, ALL, APPROVALS):
        with pytest.raises(
            ConfigError, match=f"an administrator has to make the roles {missing} and grant them to plain"
        ):
            fill(plain)
        with psycopg.connect(empty_database) as connection:
            connection.execute(sql.SQL("grant {} to plain").format(sql.Identifier(role)))
        missing = missing.removeprefix(f"{role}, ")
    fill(plain)
    for person, expected in SEES.items():
        with reading(plain, person) as connection:
            assert projects_in(connection, "projects") == expected
    with psycopg.connect(plain) as connection:
        [(owner,)] = connection.execute("select tableowner from pg_tables where tablename = 'projects'").fetchall()
        assert owner == "plain"
        assert len(projects_in(connection, "deadlines")) == 9
    with tables.connected(plain) as connection:
        connection.execute("delete from paliad.approval_requests")
        connection.execute("delete from paliad.projects where parent_id is not null and kind = 'proceeding'")
        connection.execute("delete from paliad.projects where kind = 'matter'")
        connection.execute("delete from paliad.projects")
        insertion.seed(connection, datetime.now(UTC).date())
        [(seeded,)] = connection.execute("select count(*) from paliad.deadlines").fetchall()
        assert seeded == 400


def test_a_role_that_may_see_everything_is_refused(plain: str, empty_database: str) -> None:
    with psycopg.connect(empty_database, autocommit=True) as connection:
        connection.execute("alter role paliad_tools bypassrls")
        try:
            with pytest.raises(ConfigError, match="the role paliad_tools may see all that there is"):
                tables.prepare(empty_database)
        finally:
            connection.execute("alter role paliad_tools nobypassrls")
