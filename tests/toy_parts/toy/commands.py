from __future__ import annotations

import click


@click.command()
def toy() -> None:
    """Play."""
    click.echo("played")
