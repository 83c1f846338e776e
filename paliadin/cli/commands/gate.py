"""The command `paliadin gate`."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from datetime import UTC, datetime

import click

from paliadin.base.running_daemon import load_daemon_settings
from paliadin.base.settings import Settings
from paliadin.base.terminal_text import json_line
from paliadin.cli.echo import echo
from paliadin.cli.recorded.database import open_store
from paliadin.reports import report
from paliadin.reports.criteria import load_monitor_settings
from paliadin.reports.days import local_day, owner_zone
from paliadin.reports.figures import compute_verdict
from paliadin.reports.verdict import GREEN, KILL, TOO_LITTLE, YELLOW, Verdict

EXIT_CODES: Mapping[str, int] = {GREEN: 0, YELLOW: 10, KILL: 20, TOO_LITTLE: 30}


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def gate(ctx: click.Context, as_json: bool) -> None:
    """Judge by the last four whole weeks whether the assistant is worth a bigger build.

    Exit code: 0 green, 10 yellow, 20 kill, 30 too little data; 1 error, 2 wrong usage or configuration.
    """
    verdict = asyncio.run(_judge(load_daemon_settings()))
    if as_json:
        echo(json_line(report.verdict_as_json(verdict)))
    else:
        for line in report.verdict_lines(verdict):
            echo(line)
    ctx.exit(EXIT_CODES[verdict.colour])


async def _judge(settings: Settings) -> Verdict:
    zone, monitor = owner_zone(settings.timezone), load_monitor_settings(settings.monitoring)
    async with open_store(settings) as store, store.snapshot() as snapshot:
        return await compute_verdict(snapshot, monitor, zone, local_day(datetime.now(UTC), zone))
