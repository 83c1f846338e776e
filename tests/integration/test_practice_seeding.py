"""The tables hold what was seeded and loaded, and keep what is the user's own."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import Any

import psycopg
import pytest

from paliadin.parts.practice import insertion, reference, tables
from paliadin.parts.practice.insertion import AlreadySeeded
from paliadin.parts.practice.seed import make_practice

TODAY = date(2026, 11, 26)
COUNTS = {
    "projects": 30,
    "deadlines": 400,
    "appointments": 60,
    "notes": 80,
    "partner_units": 3,
    "judgments": 24,
    "approval_requests": 8,
}
OWN = """
insert into paliad.users (id, name) values ('ann', 'Ann');
insert into paliad.deadlines (id, project_id, title, due_date)
    values ('own-1', 'demo-project-16', 'Mine', '2026-12-01');
insert into paliad.projects (id, parent_id, kind, label)
    values ('own-p', 'demo-project-8', 'proceeding', 'My proceeding');
insert into paliad.notes (id, project_id, body) values ('own-2', 'own-p', 'Mine, too');
insert into paliad.project_units values ('demo-project-30', 'demo-unit-1'), ('own-p', 'demo-unit-2')
    on conflict do nothing;
insert into paliad.audit_trail (actor, actor_kind, action, project_id, thing_kind, thing_id)
    values ('ann', 'person', 'deadline.done', 'demo-project-20', 'deadline', 'demo-deadline-1');
"""

Connection = psycopg.Connection[Any]


@pytest.fixture
def practice(practice_database: str) -> Iterator[Connection]:
    """A connection to the tables, with the reference data in them."""
    with tables.connected(practice_database) as connection:
        yield connection


def count(connection: Connection, table: str) -> int:
    [(number,)] = connection.execute(f"select count(*) from paliad.{table}".encode()).fetchall()  # noqa: S608
    return int(number)


def ids(connection: Connection, table: str) -> set[str]:
    return {row[0] for row in connection.execute(f"select id from paliad.{table}".encode())}  # noqa: S608


def counts(connection: Connection) -> dict[str, int]:
    return {table: count(connection, table) for table in COUNTS}


def everything(connection: Connection) -> dict[str, list[tuple[Any, ...]]]:
    """The rows of all tables, with the transaction that wrote each."""
    names = connection.execute("select tablename from pg_tables where schemaname = 'paliad' order by 1").fetchall()
    rows = {name: f"select xmin::text, t.* from paliad.{name} t order by t.*::text" for (name,) in names}  # noqa: S608
    return {name: connection.execute(query.encode()).fetchall() for name, query in rows.items()}


def test_what_was_made_up_is_in_the_tables(practice: Connection) -> None:
    held = insertion.seed(practice, TODAY)
    assert counts(practice) == COUNTS
    for rows in held.in_order():
        assert count(practice, rows[0].table) == len(rows)
    [(title, due)] = practice.execute(
        "select title, due_date from paliad.deadlines where id = 'demo-deadline-7'"
    ).fetchall()
    assert (title, due) == (held.deadlines[6].title, held.deadlines[6].due_date)
    waiting = practice.execute(
        "select count(*) from paliad.deadlines d join paliad.approval_requests r on r.id = d.pending_request_id"
        " where d.approval_status = 'pending' and r.status = 'pending' and r.thing_id = d.id"
    ).fetchall()
    assert waiting == [(3,)]


def test_the_made_up_judgments_can_be_searched_in_their_language(practice: Connection) -> None:
    insertion.seed(practice, TODAY)
    found = practice.execute(
        "select case_number from paliad.judgments where made_up and searched @@ websearch_to_tsquery('german', %s)",
        ("Zuwarten Dringlichkeit",),
    ).fetchall()
    assert ("DEMO UPC_CFI_101/2025",) in found
    assert count(practice, "judgments where court_id is null") == 0


def test_a_second_seed_is_refused_and_changes_nothing(practice: Connection) -> None:
    insertion.seed(practice, TODAY)
    before = everything(practice)
    with pytest.raises(AlreadySeeded, match="there are 30 projects already, 30 of them seeded") as refused:
        insertion.seed(practice, TODAY)
    assert "--again" in refused.value.hint
    with pytest.raises(AlreadySeeded):
        insertion.insert(practice, make_practice(TODAY, first=1000))
    assert everything(practice) == before


def test_nothing_is_made_up_beside_the_users_own_projects(practice: Connection) -> None:
    practice.execute("insert into paliad.projects (id, kind, label) values ('c1', 'client', 'A real one')")
    for again in (False, True):
        with pytest.raises(AlreadySeeded) as refused:
            insertion.seed(practice, TODAY, again=again)
        assert "PALIADIN_HOME" in refused.value.hint
    assert counts(practice) == dict.fromkeys(COUNTS, 0) | {"projects": 1}


def test_seeding_again_replaces_all_that_was_seeded(practice: Connection) -> None:
    insertion.seed(practice, TODAY)
    practice.execute("update paliad.deadlines set title = 'changed' where id = 'demo-deadline-1'")
    later = date(2026, 12, 31)
    insertion.seed(practice, later, again=True)
    assert counts(practice) == COUNTS
    assert count(practice, "deadlines where title = 'changed'") == 0
    [(last,)] = practice.execute("select max(due_date) from paliad.deadlines").fetchall()
    assert last > date(2027, 5, 30)
    insertion.seed(practice, TODAY, again=True)
    assert {"demo-project-1", "demo-deadline-400"} <= ids(practice, "projects") | ids(practice, "deadlines")


def test_seeding_again_deletes_nothing_of_the_users_own(practice: Connection) -> None:
    insertion.seed(practice, TODAY)
    practice.execute(OWN.encode())
    above = "select parent_id from paliad.projects where id = 'demo-project-16'"
    [(matter,)] = practice.execute(above).fetchall()
    insertion.seed(practice, TODAY, again=True)
    assert {"own-1"} <= ids(practice, "deadlines")
    assert {"own-2"} <= ids(practice, "notes")
    assert {"own-p", "demo-project-8", "demo-project-16", matter} <= ids(practice, "projects")
    assert "ann" in ids(practice, "users")
    assert count(practice, "deadlines where project_id = 'demo-project-16'") == 1  # what was seeded in it is gone
    assert "demo-unit-2" in ids(practice, "partner_units")  # it is attached to what is the user's
    assert count(practice, "audit_trail where actor = 'ann'") == 1
    assert count(practice, "projects where kind = 'proceeding'") == 15 + 2
    kept = ids(practice, "projects")
    insertion.seed(practice, TODAY, again=True)
    assert count(practice, "projects") == len(kept)
    practice.execute("delete from paliad.deadlines where id = 'own-1'")
    practice.execute("delete from paliad.projects where id = 'own-p'")
    insertion.seed(practice, TODAY, again=True)
    assert counts(practice) == COUNTS


def test_a_seed_that_fails_leaves_what_was_there(practice: Connection, monkeypatch: pytest.MonkeyPatch) -> None:
    insertion.seed(practice, TODAY)
    before = everything(practice)
    monkeypatch.setattr("paliadin.parts.practice.judgments.MADE_UP_FILE", Path("/nowhere/judgments.json"))
    with pytest.raises(FileNotFoundError):
        insertion.seed(practice, TODAY, again=True)
    assert everything(practice) == before


def test_a_person_who_is_known_stays_as_they_are(practice: Connection) -> None:
    practice.execute(
        "insert into paliad.users (id, name, role, active) values ('anna-lindner', 'A. L.', 'owner', false)"
    )
    insertion.seed(practice, TODAY)
    rows = practice.execute("select name, role, active from paliad.users where id = 'anna-lindner'").fetchall()
    assert rows == [("A. L.", "owner", False)]


def test_reference_data_is_loaded_once(practice: Connection) -> None:
    loaded = {table: reference.read(table) for table in reference.FILES}
    assert {table: count(practice, table) for table in loaded} == {table: len(rows) for table, rows in loaded.items()}
    before = everything(practice)
    assert reference.load(practice) == reference.Loaded()
    assert everything(practice) == before  # xmin: nothing was written


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A copy of the reference files, to be changed."""
    for file in reference.FILES.values():
        (tmp_path / file).write_bytes((reference.FOLDER / file).read_bytes())
    return tmp_path


def rewrite(folder: Path, file: str, entries: list[Mapping[str, Any]]) -> None:
    (folder / file).write_text(json.dumps(entries, ensure_ascii=False), "utf-8")


def test_only_what_has_changed_is_written(practice: Connection, folder: Path) -> None:
    courts = [dict(each) for each in reference.read("courts")]
    courts[3]["aliases"] = [*courts[3]["aliases"], "Another name"]
    rewrite(folder, "courts.json", [*courts, courts[0] | {"id": "new-court"}])
    before = everything(practice)
    assert reference.load(practice, folder) == reference.Loaded(written=2)
    after = everything(practice)
    assert len([row for row in after["courts"] if row not in before["courts"]]) == 2
    assert (after["glossary"], after["deadline_rules"]) == (before["glossary"], before["deadline_rules"])


def test_what_is_gone_is_removed_unless_something_refers_to_it(practice: Connection, folder: Path) -> None:
    rules = list(reference.read("deadline_rules"))
    practice.execute("insert into paliad.projects (id, kind, label) values ('c', 'client', 'C')")
    practice.execute(
        "insert into paliad.deadlines (id, project_id, title, due_date, rule_id)"
        " values ('d', 'c', 'D', '2026-12-01', %s)",
        (rules[0]["id"],),
    )
    rewrite(folder, "rules.json", rules[2:])
    assert reference.load(practice, folder) == reference.Loaded(0, (rules[1]["id"],), (rules[0]["id"],))
    assert ids(practice, "deadline_rules") == {rule["id"] for rule in rules} - {rules[1]["id"]}
    assert reference.load(practice, folder) == reference.Loaded()


def test_a_wrong_entry_leaves_all_three_tables_as_they_were(practice: Connection, folder: Path) -> None:
    courts, rules = (list(reference.read(table)) for table in ("courts", "deadline_rules"))
    rewrite(folder, "courts.json", courts[1:])
    rewrite(folder, "rules.json", [{**rules[0], "jurisdiction": "US"}, *rules[1:]])
    before = everything(practice)
    with pytest.raises(psycopg.errors.CheckViolation):
        reference.load(practice, folder)
    assert everything(practice) == before


def test_a_large_practice_can_be_inserted_and_removed(practice: Connection) -> None:
    large = make_practice(TODAY, projects=400, deadlines=4000, people=20)
    insertion.insert(practice, large)
    assert count(practice, "deadlines") == 4000
    insertion.remove(practice)
    assert counts(practice) == dict.fromkeys(COUNTS, 0)
