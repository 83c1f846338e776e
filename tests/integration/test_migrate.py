from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
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
