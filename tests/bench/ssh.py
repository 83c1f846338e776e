"""`make cuts`: what a host behind ssh adds, on loopback: the same questions here and there, in turns, in one run."""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import threading
import time
from pathlib import Path

from rich.console import Console
from rich.table import Table

from paliadin.base.settings import ensure_home
from paliadin.demo.scripted_api import ScriptedApi
from paliadin.postgres.cluster import remove_database
from paliadin.relays.ssh.hosts import save_remote
from tests.bench.__main__ import paliadin_turn, script
from tests.worlds.far import Far
from tests.worlds.world import World, binaries, eventually

ROUNDS = 40
HERE, THERE = "main", "main@far"
ASKED, DELIVERED, MIRRORED = "question → API request", "API chunk → client", "log there → log here"


def main() -> None:
    api, claude = ScriptedApi(script), binaries()["sdk"]
    figures: dict[str, dict[str, list[float]]] = {ASKED: {}, DELIVERED: {}, MIRRORED: {}}
    with api.running() as url, tempfile.TemporaryDirectory() as folder:
        far = Far(Path(folder) / "far", claude, url)
        near = World(Path(folder) / "near", claude, api, url)
        try:
            far.start()
            ensure_home(near.settings)
            save_remote(near.settings.home, far.remote())
            near.start()
            eventually(lambda: all(item["ok"] for item in near.get("sessions")["sessions"]), 60, "both are up")
            for number in range(ROUNDS + 1):
                for session in (HERE, THERE):
                    time.sleep(1)  # the other one's Claude still tidies up
                    with _Logs(far.shim_home / "turns", near.settings.response_dir) as logs:
                        seen = paliadin_turn(near, f"turn{number}.{session}", session)
                    if number:  # the first of each warms up
                        sent = {line: at for at, event in api.sent for line in seen.lines if line.encode() in event}
                        _add(figures, ASKED, session, [api.requests[-1][0] - seen.began])
                        _add(figures, DELIVERED, session, [at - sent[line] for line, at in seen.lines.items()])
                        _add(figures, MIRRORED, session, logs.delays() if session == THERE else [])
                    api.sent.clear()
        finally:
            near.close()
            remove_database(near.settings.home)
            far.close()
    _print(figures)


class _Logs:
    """Looks at the sizes of the newest log there and its mirror here, twice a millisecond."""

    def __init__(self, there: Path, here: Path) -> None:
        self._roots, self._over = (there, here), threading.Event()
        self._known = {path for root in self._roots for path in root.glob("*/*")}
        self._grown: tuple[list[tuple[int, float]], list[tuple[int, float]]] = ([], [])

    def __enter__(self) -> _Logs:
        self._thread = threading.Thread(target=self._look)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def _look(self) -> None:
        logs: list[Path | None] = [None, None]
        while not self._over.wait(0.0005 if all(logs) else 0.02):
            for side, root in enumerate(self._roots):
                if logs[side] is None:
                    logs[side] = next(
                        (path / "events.jsonl" for path in root.glob("*/*") if path not in self._known), None
                    )
                log = logs[side]
                size = log.stat().st_size if log and log.exists() else 0
                if size and (not self._grown[side] or size > self._grown[side][-1][0]):
                    self._grown[side].append((size, time.monotonic()))

    def delays(self) -> list[float]:
        """For each size that the log there had, how many seconds later its mirror here had it."""
        there, here = self._grown
        return [next(at for size, at in here if size >= wanted) - since for wanted, since in there[3:-3]]


def _add(figures: dict[str, dict[str, list[float]]], what: str, session: str, seconds: list[float]) -> None:
    figures[what].setdefault(session, []).extend(1000 * value for value in seconds)


def _print(figures: dict[str, dict[str, list[float]]]) -> None:
    load = ", ".join(f"{value:.1f}" for value in os.getloadavg())
    table = Table(title=f"milliseconds; load {load} (1, 5 and 15 minutes) on {os.cpu_count()} cores")
    for column in ("what", "", "n", "median", "p90", "more than here", "ratio"):
        table.add_column(column, justify="left" if column in ("what", "") else "right")
    for what, samples in figures.items():
        base = statistics.median(samples[HERE]) if samples[HERE] else 0.0
        for session, values in samples.items():
            if values:
                middle, p90 = statistics.median(values), statistics.quantiles(values, n=10)[-1]
                more = (f"{middle - base:.1f}", f"{middle / base:.2f}") if base else ("", "")
                table.add_row(what, session, str(len(values)), f"{middle:.1f}", f"{p90:.1f}", *more)
    Console(width=110, file=sys.stdout).print(table)


if __name__ == "__main__":
    main()
