"""Two years of believable turns in a database of their own: `python -m tests.tools.seed_history [--turns N] HOME`.

Look at them with `PALIADIN_HOME=HOME paliadin up`, then open /admin/paliadin.
"""

from __future__ import annotations

import argparse
import asyncio
import time
from datetime import UTC, datetime
from pathlib import Path

import psycopg

from paliadin.postgres.embedded import EmbeddedPostgres
from paliadin.record import migrate

SQL = Path(__file__).with_suffix(".sql").read_text("utf-8")


def seed(conninfo: str, turns: int, until: datetime) -> None:
    """Fill an empty, migrated database."""
    with psycopg.connect(conninfo) as connection:
        cursor = psycopg.ClientCursor(connection)  # several statements, each with its values
        [words] = connection.execute("select pg_get_indexdef('paliadin.turns_words'::regclass)").fetchone() or ("",)
        connection.execute("drop index paliadin.turns_words")  # built at once it takes a quarter of the time
        cursor.execute(SQL.encode(), {"turns": turns, "until": until})
        connection.execute(words.encode())
    with psycopg.connect(conninfo, autocommit=True) as connection:
        connection.execute("vacuum analyze")


async def fill(home: Path, turns: int) -> None:
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    async with EmbeddedPostgres(home).running() as conninfo:
        migrate.up(conninfo)
        await asyncio.to_thread(seed, conninfo, turns, datetime.now(UTC))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("home", type=Path)
    parser.add_argument("--turns", type=int, default=100_000)
    options = parser.parse_args()
    began = time.monotonic()
    asyncio.run(fill(options.home.resolve(), options.turns))
    print(f"{options.turns:,} turns in {options.home} ({time.monotonic() - began:.0f} s)")  # noqa: T201  # its report


if __name__ == "__main__":
    main()
