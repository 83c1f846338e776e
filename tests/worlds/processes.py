"""What a process costs, and whether it runs: from /proc, on Linux."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

from tests.worlds.world import World

TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Usage:
    """Of one process: seconds of CPU, and megabytes of memory that it alone uses."""

    cpu: float
    memory: float
    resident: float  # all of it (RSS), also what it shares
    proportional: float  # the same, with its part of what it shares (PSS)


def usage(pid: int) -> Usage:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    sizes = dict(line.split(":") for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()[1:])
    kilobytes = {name: int(size.split()[0]) for name, size in sizes.items()}
    memory = kilobytes["Private_Clean"] + kilobytes["Private_Dirty"], kilobytes["Rss"], kilobytes["Pss"]
    return Usage((int(fields[11]) + int(fields[12])) / TICKS, *(size / 1024 for size in memory))


def is_running(pid: int) -> bool:
    """False also for a zombie: tmux 3.3a forgets to clear some away."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def daemon_of(world: World) -> int:
    assert world.process is not None
    return world.process.pid


def postgres_of(world: World) -> list[int]:
    """The supervisor, the server and its children."""
    pids, parents = [], [daemon_of(world)]
    while parents:
        listed = subprocess.run(
            ["ps", "-o", "pid=", "--ppid", ",".join(map(str, parents))], capture_output=True, text=True, check=False
        )
        parents = [int(pid) for pid in listed.stdout.split()]
        pids += parents
    return [pid for pid in pids if b"postgres" in Path(f"/proc/{pid}/cmdline").read_bytes()]
