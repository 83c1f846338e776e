"""Prints how many mutants of each module the tests killed, after `mutmut run`, and lists those that live."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path

from rich.console import Console
from rich.table import Table

GOAL = 0.9  # of all mutants, also of those that change nothing
KILLED = {"killed", "timeout", "segfault"}


def main() -> None:
    """Exit with status 1 when fewer mutants than GOAL were killed."""
    mutmut = [str(Path(sys.executable).with_name("mutmut")), "results", "--all", "true"]
    output = subprocess.run(mutmut, capture_output=True, text=True, check=True).stdout
    results = [tuple(line.strip().rsplit(": ", 1)) for line in output.splitlines() if ": " in line]
    if not results:
        sys.exit("mutmut made no mutants: run `make mutants`, which asks it for some first")
    by_module: dict[str, Counter[bool]] = defaultdict(Counter)
    alive = []
    for mutant, status in results:
        by_module[mutant.split(".x", 1)[0]][status in KILLED] += 1
        if status not in KILLED:
            alive.append(f"{mutant}: {status}")
    console, table = Console(), Table("module", "mutants", "killed", "alive", "%")
    for module, counts in sorted(by_module.items()):
        table.add_row(module, *_figures(counts))
    total = sum(by_module.values(), Counter[bool]())
    table.add_section()
    table.add_row("all", *_figures(total))
    console.print(*alive, sep="\n")
    console.print(table)
    console.print("See one of them with `.venv/bin/mutmut show NAME`.")
    sys.exit(total[True] < GOAL * total.total())


def _figures(counts: Counter[bool]) -> list[str]:
    return [str(figure) for figure in (counts.total(), counts[True], counts[False])] + [
        f"{100 * counts[True] / counts.total():.0f}"
    ]


if __name__ == "__main__":
    main()
