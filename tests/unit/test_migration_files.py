import hashlib

import pytest

from paliadin.base.errors import ConfigError
from paliadin.record.migration_files import parse, read

GOOD = b"-- a remark\n-- migrate:up\ncreate table a ();\n\n-- migrate:down\ndrop table a;\n"


def test_a_file_is_split_at_its_markers():
    migration = parse("0007_some_table.sql", GOOD)
    assert (migration.version, migration.name) == ("0007", "some_table")
    assert migration.up.strip() == "create table a ();"
    assert migration.down.strip() == "drop table a;"
    assert migration.checksum == hashlib.sha256(GOOD).hexdigest()


def test_the_down_section_may_be_missing():
    assert parse("0001_a.sql", b"-- migrate:up\nselect 1;").down == ""


def test_lines_may_end_as_on_windows():
    assert parse("0001_a.sql", GOOD.replace(b"\n", b"\r\n")).down.strip() == "drop table a;"


@pytest.mark.parametrize(
    "content",
    [
        b"create table a ();",
        b"-- migrate:down\ndrop table a;",
        b"-- migrate:down\n-- migrate:up\n",
        b"-- migrate:up\n-- migrate:up\n",
        b"-- migrate:up\n-- migrate:down\n-- migrate:down\n",
        b"-- migrate:up transaction:false\nselect 1;",
        b"select 1;\n-- migrate:up\nselect 2;",
        b"-- migrate:up\n\xff",
    ],
)
def test_a_malformed_file_is_refused_by_name(content: bytes):
    with pytest.raises(ConfigError, match=r"0001_a\.sql"):
        parse("0001_a.sql", content)


@pytest.mark.parametrize("file", ["a.sql", "1_a.sql", "0001.sql", "0001-a.sql", "0001_a.sql.sql", "00001_a.sql"])
def test_a_badly_named_file_is_refused(file: str):
    with pytest.raises(ConfigError, match="named like"):
        parse(file, GOOD)


def test_two_files_with_one_number_are_refused(tmp_path):
    (tmp_path / "0001_a.sql").write_bytes(GOOD)
    (tmp_path / "0001_b.sql").write_bytes(GOOD)
    with pytest.raises(ConfigError, match=r"0001_b\.sql has the same number as 0001_a\.sql"):
        read(tmp_path)


def test_paliadins_own_migrations_can_be_read_and_undone():
    migrations = read()
    assert list(migrations) == [f"{number:04}" for number in range(1, len(migrations) + 1)]
    assert all(migration.down.strip() for migration in migrations.values())
