"""`paliadin migrate up|down|status`"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

import click

from paliadin.cli.database import reachable
from paliadin.config import load_settings
from paliadin.store import migrate as migrations

T = TypeVar("T")


@click.group()
def migrate() -> None:
    """Bring the database's tables up to date, or back.

    Works on PALIADIN_DATABASE_URL, or on the embedded database; `paliadin up` brings either up to date by itself.
    """


@migrate.command()
def up() -> None:
    """Apply every migration that waits."""
    for file in _run(migrations.up) or ["nothing: it is up to date"]:
        click.echo(f"applied {file}")


@migrate.command()
@click.option("--steps", type=click.IntRange(min=1), default=1, show_default=True, help="How many to undo.")
@click.option("--yes", is_flag=True, help="Do not ask.")
def down(steps: int, yes: bool) -> None:
    """Undo the newest migrations, and lose what is in their tables.

    `paliadin turns export -o turns.jsonl` saves the rows first.
    """
    if not yes:
        click.confirm("Rows will be lost. Go on?", abort=True, err=True)
    for file in _run(lambda conninfo: migrations.down(conninfo, steps)) or ["nothing: none is applied"]:
        click.echo(f"undid {file}")


@migrate.command()
def status() -> None:
    """List the migrations, and when each was applied."""
    for item in _run(migrations.status):
        when = f"{item.applied_at:%Y-%m-%d %H:%M} UTC" if item.applied_at else "waits"
        click.echo(f"{item.version}  {when:<20}  {item.name}{'  (its file was changed since)' if item.changed else ''}")


def _run(work: Callable[[str], T]) -> T:
    async def run() -> T:
        async with reachable(load_settings(), make=True) as conninfo:
            return await asyncio.to_thread(work, conninfo)

    return asyncio.run(run())
