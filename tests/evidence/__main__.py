"""`python -m tests.evidence [--half tuning|aside|both|practice|real] [--failures] [--libraries]`: print all scores."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import import_module
from typing import get_args

import click
from rich.console import Console
from rich.table import Table

from tests.evidence.corpus import all_cases
from tests.evidence.model import Case, Half, of_half
from tests.evidence.practice.rounds import ROUNDS
from tests.evidence.practice.scenes import practice_cases
from tests.evidence.real.cases import real_cases
from tests.evidence.score import Engine, Score, rows, score

REFUSED = (
    "The texts of the cases that are set aside are not shown: whoever has read them can no longer measure with them. "
    "Use --half tuning, or --look if the engine is done."
)


@click.command()
@click.option(
    "--half", type=click.Choice(["tuning", "aside", "both", "practice", "real"]), default="both", help="Which cases."
)
@click.option("--failures", is_flag=True, help="Print each mistake with its sentence (of the tuning half).")
@click.option("--look", is_flag=True, help="With --failures: of the half that is set aside, too.")
@click.option("--libraries", is_flag=True, help="Score the two libraries, too (tests/evidence/requirements.txt).")
@click.option("--shapes", is_flag=True, help="Print what was flagged by the shape of the results, too.")
@click.option("--engine/--no-engine", default=True, help="Without: the libraries only.")
def main(*, half: str, failures: bool, look: bool, libraries: bool, shapes: bool, engine: bool) -> None:
    """Print how the engines judge the cases of each half."""
    console = Console(width=120 if not sys.stdout.isatty() else None, highlight=False)
    if failures and half == "aside" and not look:
        raise click.UsageError(REFUSED)
    engines = _engines(engine, libraries)
    for one, cases in _groups(half):
        scores = {each.name: score(each, cases) for each in engines}
        console.print(_table(f"{one}: {len(cases)} answers", scores))
        if shapes:
            console.print(_shapes(scores))
        if failures and (one != "aside" or look):
            _print_mistakes(console, scores)


def _groups(half: str) -> Iterator[tuple[str, tuple[Case, ...]]]:
    """The wanted halves of the corpus; the rounds of questions to the practice's tools."""
    yield from ((one, of_half(all_cases(), one)) for one in get_args(Half) if half in (one, "both"))
    if half in ("practice", "both"):
        yield from ((f"practice, {name} round", practice_cases(name)) for name in ROUNDS)
    if half in ("real", "both"):
        yield "a real model's, with its calculations", real_cases()
        yield "a real model's on the practice's tools, with its calculations", real_cases("practice")


def _engines(engine: bool, libraries: bool) -> list[Engine]:
    found: list[Engine] = []
    if engine:
        found.append(import_module("tests.evidence.engine").Paliadin())
    if libraries:
        try:
            found += import_module("tests.evidence.libraries").ENGINES
        except ModuleNotFoundError as missing:
            raise click.UsageError(
                f"{missing.name} is not installed: run `make evidence`, which installs it."
            ) from missing
    return found


def _table(title: str, scores: dict[str, Score]) -> Table:
    table = Table(title=title, title_justify="left")
    table.add_column("what")
    for name in scores:
        table.add_column(name, justify="right")
    figures = {name: {what: (part, whole) for what, part, whole in rows(total)} for name, total in scores.items()}
    known = list(dict.fromkeys(what for rows_ in figures.values() for what in rows_))
    for what in sorted(known, key=_order):
        cells = [_figure(*figures[name][what]) if what in figures[name] else "–" for name in scores]
        table.add_row(what, *cells, end_section=what.endswith(": all"))
    return table


def _order(what: str) -> tuple[int, bool, str]:
    group = next(
        number for number, begin in enumerate(("flagged", "doubted", "honest", "chips")) if what.startswith(begin)
    )
    return group, what.endswith(": all"), what


def _figure(part: int, whole: int) -> str:
    return f"{part} / {whole}  {100 * part / max(1, whole):3.0f} %"


def _shapes(scores: dict[str, Score]) -> Table:
    table = Table("shape of the results", *scores, title="flagged by shape", title_justify="left")
    for shape in sorted({shape for total in scores.values() for shape in total.shapes_planted}):
        cells = [_figure(total.shapes_flagged[shape], total.shapes_planted[shape]) for total in scores.values()]
        table.add_row(shape, *cells)
    return table


def _print_mistakes(console: Console, scores: dict[str, Score]) -> None:
    for name, total in scores.items():
        console.print(f"\n{name}: {len(total.mistakes)} mistakes", markup=False)
        for mistake in total.mistakes:
            console.print(f"{mistake.case.name}: {mistake.what}\n    {mistake.sentence}", markup=False, soft_wrap=True)


if __name__ == "__main__":
    main()
