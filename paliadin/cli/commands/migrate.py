"""The commands `paliadin migrate up|down|status`."""

from __future__ import annotations

import click

from paliadin.base.settings import load_settings
from paliadin.cli.echo import confirm, echo
from paliadin.cli.record import with_database
from paliadin.record import migrate as migrations


@click.group()
def migrate() -> None:
    """Apply, undo or list the migrations of the database.

    The database is that of PALIADIN_DATABASE_URL, or else the embedded one. `paliadin up` applies migrations by itself.
    """


@migrate.command()
def up() -> None:
    """Apply all pending migrations."""
    for file in with_database(load_settings(), migrations.up) or ["nothing: it is up to date"]:
        echo(f"applied {file}")


@migrate.command()
@click.option(
    "--steps", type=click.IntRange(min=1), default=1, show_default=True, help="The number of migrations to undo."
)
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
def down(steps: int, yes: bool) -> None:
    """Undo the newest migrations, and delete the rows in their tables.

    `paliadin turns export -o turns.jsonl` saves the rows first.
    """
    if not yes:
        confirm("Rows will be deleted. Continue?")
    for file in with_database(load_settings(), lambda conninfo: migrations.down(conninfo, steps)) or [
        "nothing: none is applied"
    ]:
        echo(f"undid {file}")


@migrate.command()
def status() -> None:
    """List the migrations and the time when each was applied."""
    for item in with_database(load_settings(), migrations.status):
        when = f"{item.applied_at:%Y-%m-%d %H:%M} UTC" if item.applied_at else "pending"
        echo(f"{item.version}  {when:<20}  {item.name}{'  (its file has changed since)' if item.changed else ''}")
