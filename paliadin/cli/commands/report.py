"""The command `paliadin report`."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

import click

from paliadin.base.running_daemon import load_daemon_settings
from paliadin.base.settings import Settings
from paliadin.base.terminal_text import json_line
from paliadin.cli.echo import echo
from paliadin.cli.recorded.database import open_store
from paliadin.reports.criteria import load_monitor_settings
from paliadin.reports.days import local_day, owner_zone
from paliadin.reports.figures import Figures, compute_figures
from paliadin.reports.filters import Filter
from paliadin.reports.report import as_json, as_markdown


@click.command()
@click.option(
    "--days", type=click.IntRange(1, 366), default=7, show_default=True, help="The number of days, today included."
)
@click.option("--format", "file_format", type=click.Choice(["markdown", "json"]), default="markdown", show_default=True)
def report(days: int, file_format: str) -> None:
    """Print the figures of the last days, compared with as many days before.

    They are the same as the dashboard's.

    \b
    paliadin report > week.md
    paliadin report --format json | jq .now.turns
    """
    result = asyncio.run(_figures(load_daemon_settings(), days))
    if file_format == "json":
        echo(json_line(as_json(result)))
    else:
        echo(as_markdown(result), nl=False)


async def _figures(settings: Settings, days: int) -> Figures:
    zone, monitor = owner_zone(settings.timezone), load_monitor_settings(settings.monitoring)
    today = local_day(datetime.now(UTC), zone)
    turn_filter = Filter(today - timedelta(days=days - 1), today, None)
    async with open_store(settings) as store, store.snapshot() as snapshot:
        return await compute_figures(snapshot, turn_filter, monitor, zone, today)
