"""How long the dashboard's queries take together: `python -m tests.bench.figures HOME [--span DAYS]`.

HOME was filled by tests.tools.seed_history. Median of 20, warm, while turns go on being written.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import os
import statistics
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from paliadin.postgres.embedded import EmbeddedPostgres
from paliadin.record import migrate
from paliadin.record.row import TurnRow
from paliadin.record.store import Store
from paliadin.reports.criteria import load_monitor_settings
from paliadin.reports.days import local_day
from paliadin.reports.figures import SQL, compute_figures
from paliadin.reports.filters import Filter
from paliadin.turnlog.ids import new_turn_id, started_at

ZONE = ZoneInfo("Europe/Berlin")
REPEATS, WARM_UP = 20, 3
PAUSE = 0.05  # seconds between turns that are written meanwhile


@dataclass
class Written:
    """Turns that are written while the figures are read."""

    store: Store
    times: list[float] = field(default_factory=list)
    turn_ids: list[str] = field(default_factory=list)

    async def go_on(self) -> None:
        for number in itertools.count():
            turn_id = new_turn_id()
            begun = TurnRow(
                turn_id, "bench", "ada", "desk", "page", started_at(turn_id), f"What is due on day {number}?"
            )
            ended = replace(begun, finished_at=datetime.now(UTC), duration_ms=5, response="nothing " * 100)
            self.turn_ids.append(turn_id)
            began = time.perf_counter()
            await self.store.insert(begun)
            await self.store.finish(ended)
            self.times.append(time.perf_counter() - began)
            await asyncio.sleep(PAUSE)


class Timed:
    """A snapshot that keeps how long each query took."""

    def __init__(self, snapshot: Any, times: dict[str, list[float]]) -> None:
        self._snapshot, self._times = snapshot, times

    async def rows(self, sql: str, values: dict[str, object]) -> Any:
        name = max(
            (name for name, text in SQL.items() if sql.startswith(text.split("{")[0])),
            key=lambda name: len(SQL[name].split("{")[0]),
        )
        with clock(self._times.setdefault(name, [])):
            return await self._snapshot.rows(sql, values)


@contextmanager
def clock(times: list[float]) -> Iterator[None]:
    began = time.perf_counter()
    yield
    times.append(time.perf_counter() - began)


async def measure(home: Path, query: dict[str, str]) -> None:
    store, today = Store(), local_day(datetime.now(UTC), ZONE)
    async with EmbeddedPostgres(home).running() as conninfo, store.connected(conninfo):
        migrate.up(conninfo)
        written = Written(store)
        writing = asyncio.create_task(written.go_on())
        each: dict[str, list[float]] = {}
        whole: list[float] = []
        for number in range(WARM_UP + REPEATS):
            if number == WARM_UP:
                each.clear(), whole.clear()
            async with store.snapshot() as snapshot:
                with clock(whole):
                    await compute_figures(
                        Timed(snapshot, each), Filter.parse(query, today), load_monitor_settings(None), ZONE, today
                    )  # type: ignore[arg-type]
        writing.cancel()
        report(query, whole, each, written.times)
        await store.delete(written.turn_ids)


def report(query: dict[str, str], whole: list[float], each: dict[str, list[float]], writes: list[float]) -> None:
    parts = ", ".join(f"{name} {1000 * statistics.median(times):.1f}" for name, times in each.items())
    load = ", ".join(f"{number:.1f}" for number in os.getloadavg())
    print(f"{query}: {1000 * statistics.median(whole):.0f} ms ({parts})")  # noqa: T201  # its report
    print(f"  load {load} (1, 5 and 15 minutes) on {os.cpu_count()} cores")  # noqa: T201
    print(f"  meanwhile {len(writes)} turns were written, {1000 * statistics.median(writes):.1f} ms each")  # noqa: T201


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("home", type=Path)
    parser.add_argument("--span", action="append")
    parser.add_argument("--words", default="", help="search for these words as well")
    options = parser.parse_args()
    for span in options.span or ["7", "30", "90"]:
        asyncio.run(measure(options.home.resolve(), {"span": span, "q": options.words}))


if __name__ == "__main__":
    main()
