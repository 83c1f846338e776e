"""What Paliadin without any question costs, before some commits and now: `make bench-plain BEFORE=2e6ee12`.

The command line's start, the daemon's start until it serves, and its memory then; both trees take turns.
"""

from __future__ import annotations

import contextlib
import io
import os
import statistics
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from paliadin.demo.private_home import private_environment
from paliadin.postgres.cluster import remove_database
from tests.worlds.ports import own_port
from tests.worlds.processes import usage
from tests.worlds.world import ROOT, binaries, eventually

STARTS, HELPS = 8, 15
SETTLE = 5.0  # seconds after which the memory is looked at
NOWHERE = "http://127.0.0.1:9"  # no question is asked


@contextlib.contextmanager
def unpacked(commit: str) -> Iterator[Path]:
    """The package as it was, in a folder of its own; the working tree stays as it is."""
    packed = subprocess.run(["git", "archive", commit], cwd=ROOT, check=True, capture_output=True).stdout
    with tempfile.TemporaryDirectory(prefix="paliadin-bench-") as folder:
        with tarfile.open(fileobj=io.BytesIO(packed)) as archive:
            archive.extractall(folder, filter="data")
        yield Path(folder)


def time_of_help(tree: Path, _root: Path) -> dict[str, float]:
    began = time.perf_counter()
    subprocess.run([sys.executable, "-m", "paliadin", "--help"], cwd=tree, check=True, stdout=subprocess.DEVNULL)
    return {"paliadin --help, ms": (time.perf_counter() - began) * 1000}


@contextlib.contextmanager
def homes(names: Iterable[str]) -> Iterator[dict[str, Path]]:
    """A folder for each tree, in whose `home` it makes a database of its own: another one's has other migrations."""
    with tempfile.TemporaryDirectory(prefix="paliadin-bench-") as folder:
        roots = {name: Path(folder, str(number)) for number, name in enumerate(names)}
        for root in roots.values():
            (root / "work").mkdir(parents=True)
            (root / "home").mkdir(mode=0o700)
        yield roots
        for root in roots.values():
            remove_database(root / "home")


def start_daemon(tree: Path, root: Path) -> dict[str, float]:
    """Start `paliadin up` with the database of its last start; returns what it took, and its memory."""
    work, home = root / "work", root / "home"
    tmux = f"paliadin-bench-{os.getpid()}"
    values = {"HOME": home, "WORKDIR": work, "CLAUDE": binaries()["sdk"], "TMUX_SOCKET": tmux, "PORT": own_port()}
    settings = {f"PALIADIN_{name}": str(value) for name, value in values.items()}
    environment = private_environment(root / "claude", work, NOWHERE) | settings
    began = time.perf_counter()
    with subprocess.Popen(
        [sys.executable, "-m", "paliadin", "up"],
        cwd=tree,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        assert process.stdout is not None
        announced = process.stdout.readline()
        taken = (time.perf_counter() - began) * 1000
        assert announced, "the daemon did not start"
        time.sleep(SETTLE)
        memory = usage(process.pid)
        process.terminate()
    subprocess.run(["tmux", "-L", tmux, "kill-server"], check=False, capture_output=True)
    eventually(lambda: process.poll() is not None, 20)
    return {
        "the daemon's start, ms": taken,
        "the daemon, MB (RSS)": memory.resident,
        "of its own, MB": memory.memory,
    }


def main(commit: str) -> None:
    with unpacked(commit) as before, homes((commit, "now")) as roots:
        trees = {commit: before, "now": ROOT}
        samples: dict[str, dict[str, list[float]]] = {name: {} for name in trees}
        for measure, rounds in ((time_of_help, HELPS), (start_daemon, STARTS)):
            for number in range(rounds + 1):
                for name, tree in trees.items():
                    for what, value in measure(tree, roots[name]).items():
                        if number:  # the first one compiles and fills caches
                            samples[name].setdefault(what, []).append(value)
        tell("median (least, most)", *samples, "ratio")
        for what in samples["now"]:
            old, new = (statistics.median(samples[name][what]) for name in trees)
            tell(what, *(figures(samples[name][what]) for name in trees), f"{new / old:.2f}")
    load = ", ".join(f"{number:.1f}" for number in os.getloadavg())
    sys.stdout.write(f"load {load} (1, 5 and 15 minutes) on {os.cpu_count()} cores\n")


def figures(values: Sequence[float]) -> str:
    return f"{statistics.median(values):.0f} ({min(values):.0f}, {max(values):.0f})"


def tell(what: str, *columns: str) -> None:
    sys.stdout.write(f"{what:28}" + "".join(f"{column:>22}" for column in columns) + "\n")


if __name__ == "__main__":
    main(sys.argv[1])
