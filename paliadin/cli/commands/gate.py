"""`paliadin gate`"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from datetime import UTC, datetime

import click

from paliadin.cli.database import opened
from paliadin.cli.text import clean, json_line
from paliadin.config import Settings
from paliadin.monitor import report
from paliadin.monitor.days import local_day, owner_zone
from paliadin.monitor.figures import verdict
from paliadin.monitor.gate import GREEN, KILL, TOO_LITTLE, YELLOW, Verdict
from paliadin.monitor.settings import load
from paliadin.running import find_daemon

EXIT_CODES: Mapping[str, int] = {GREEN: 0, YELLOW: 10, KILL: 20, TOO_LITTLE: 30}


@click.command()
@click.option("--json", "as_json", is_flag=True, help="One JSON object.")
@click.pass_context
def gate(ctx: click.Context, as_json: bool) -> None:
    """Does the assistant earn a bigger build? The verdict over the last four whole weeks.

    Exit code: 0 green, 10 yellow, 20 kill, 30 too little data; 1 and 2 as everywhere, when there is no verdict at all.
    """
    judged = asyncio.run(_judge(find_daemon()))
    if as_json:
        click.echo(json_line(report.verdict_as_json(judged)))
    else:
        for line in report.verdict_lines(judged):
            click.echo(clean(line))
    ctx.exit(EXIT_CODES[judged.colour])


async def _judge(settings: Settings) -> Verdict:
    zone, monitor = owner_zone(settings.timezone), load(settings.monitoring)
    async with opened(settings) as store, store.reading() as reading:
        return await verdict(reading, monitor, zone, local_day(datetime.now(UTC), zone))
