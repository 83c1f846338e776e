"""`paliadin report`"""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime, timedelta

import click

from paliadin.cli.database import opened
from paliadin.cli.text import clean, json_line
from paliadin.config import Settings
from paliadin.monitor.days import local_day, owner_zone
from paliadin.monitor.figures import Figures, figures
from paliadin.monitor.filters import Filter
from paliadin.monitor.report import as_json, as_markdown
from paliadin.monitor.settings import load
from paliadin.running import find_daemon


@click.command()
@click.option(
    "--days", type=click.IntRange(1, 366), default=7, show_default=True, help="So many days; today is the last."
)
@click.option("--format", "form", type=click.Choice(["markdown", "json"]), default="markdown", show_default=True)
def report(days: int, form: str) -> None:
    """What the last days were like, today included, beside as many days before; the dashboard counts the same.

    \b
    paliadin report > week.md
    paliadin report --format json | jq .now.turns
    """
    found = asyncio.run(_figures(find_daemon(), days))
    click.echo(json_line(as_json(found)) if form == "json" else clean(as_markdown(found)), nl=form == "json")


async def _figures(settings: Settings, days: int) -> Figures:
    zone, monitor = owner_zone(settings.timezone), load(settings.monitoring)
    today = local_day(datetime.now(UTC), zone)
    wanted = Filter(today - timedelta(days=days - 1), today, None)
    async with opened(settings) as store, store.reading() as reading:
        return await figures(reading, wanted, monitor, zone, today)
