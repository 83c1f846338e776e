"""The command `paliadin report`."""

from __future__ import annotations

from datetime import timedelta

import click

from paliadin.base.running_daemon import load_daemon_settings
from paliadin.cli.echo import echo, echo_json
from paliadin.cli.record import today, with_snapshot
from paliadin.reports.criteria import load_monitor_settings
from paliadin.reports.days import owner_zone
from paliadin.reports.figures import compute_figures
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
    settings = load_daemon_settings()
    zone, monitor, day = owner_zone(settings.timezone), load_monitor_settings(settings.monitoring), today(settings)
    turn_filter = Filter(day - timedelta(days=days - 1), day, None)
    result = with_snapshot(settings, lambda snapshot: compute_figures(snapshot, turn_filter, monitor, zone, day))
    if file_format == "json":
        echo_json(as_json(result))
    else:
        echo(as_markdown(result), nl=False)
