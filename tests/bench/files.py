"""What the picker of files costs with 50,000 of them: a search, in milliseconds, beside the plainest scan of the paths.

`make bench-files`. The paths are those of a made-up large repository; half of the searches are typed letter by letter,
as a person does, the others begin anew.
"""

from __future__ import annotations

import asyncio
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from paliadin.files.git_files import not_ignored
from paliadin.files.listing import list_files
from paliadin.files.matching import FileIndex
from paliadin.files.working_folder import WorkingFolder

FILES = 50_000
SHOWN = 50  # options: what the page asks for
WORDS = (
    *("user", "view", "list", "table", "chart", "index", "main", "data", "report", "invoice", "client", "order"),
    *("ship", "port", "crew", "route", "note", "plan"),
)
FOLDERS = 3_000
ENDINGS = (".py", ".js", ".ts", ".md", ".css", ".test.js", ".json", ".csv")
TYPED = ("invoice", "test.js", "readme", "shipplan", "src/user", "usrvw", "crm", "xq")


def make_files(folder: Path) -> None:
    """Write 50,000 files, of which git ignores a fifth."""
    drawn = random.Random(1)  # noqa: S311  # a tree that is the same in each run
    subprocess.run(["git", "init", "-q", str(folder)], check=True)
    (folder / ".gitignore").write_text("generated/\n")
    folders = [
        "/".join(("generated" if number % 5 == 0 else "src", *drawn.choices(WORDS, k=drawn.randint(1, 5))))
        for number in range(FOLDERS)
    ]
    made: set[str] = set()
    while len(made) < FILES:
        name = f"{drawn.choice(WORDS)}_{drawn.randint(0, 9999)}{drawn.choice(ENDINGS)}"
        made.add(f"{drawn.choice(folders)}/{name}")
    for name in made:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).touch()


def queries() -> Iterator[str]:
    for word in TYPED:
        yield from (word[: length + 1] for length in range(len(word)))
    yield from (word for word in TYPED for _ in range(3))


def measure(search: Callable[[str], object]) -> list[float]:
    """Return what each search took, in ms, in order of size."""
    taken = []
    for query in queries():
        begun = time.perf_counter()
        search(query)
        taken.append((time.perf_counter() - begun) * 1000)
    return sorted(taken)


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        make_files(folder)
        begun = time.perf_counter()
        tracked = asyncio.run(not_ignored(folder))
        entries = list_files(WorkingFolder(folder, ()), tracked)
        index = FileIndex(entries)
        listed = time.perf_counter() - begun
    paths = [entry.path.lower() for entry in entries]
    plain = measure(lambda query: [path for path in paths if query in path][:SHOWN])
    sys.stdout.write(f"{len(paths)} files and folders, listed once in {listed:.2f} s; {len(plain)} searches, in ms\n\n")
    sys.stdout.write(f"{'':24}{'median':>8}{'95 %':>8}{'slowest':>9}{'× plain':>9}\n")
    for label, taken in (("plain scan", plain), ("the picker's search", measure(lambda q: index.search(q, SHOWN)))):
        median, most = taken[len(taken) // 2], taken[int(len(taken) * 0.95)]
        ratio = median / plain[len(plain) // 2]
        sys.stdout.write(f"{label:24}{median:8.1f}{most:8.1f}{taken[-1]:9.1f}{ratio:9.1f}\n")


if __name__ == "__main__":
    main()
