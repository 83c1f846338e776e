"""The queue's errors are Paliadin's: what waits for the database to come back has to know them."""

from __future__ import annotations

from pathlib import Path

import pytest

from paliadin.base.errors import StoreUnavailable
from paliadin.parts.messages.workers import jobs
from paliadin.record.driver import make_pool


async def test_a_database_that_is_away_is_told_as_such(tmp_path: Path) -> None:
    pool = make_pool(f"host={tmp_path} dbname=postgres", "turns", 1)
    await pool.open(wait=False)
    try:
        with pytest.raises(StoreUnavailable):
            await jobs.remove_stalled(pool)
    finally:
        await pool.close(timeout=1)


def test_the_schema_goes_along_with_the_options_of_a_dsn() -> None:
    dsn = jobs.for_queue("host=x options='-c statement_timeout=5s'")
    own = "-c statement_timeout=5s -c search_path=paliadin_jobs -c enable_seqscan=off -c jit=off"
    assert own in dsn.replace("\\", "")
