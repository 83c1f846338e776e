"""The command `paliadin gate`."""

from __future__ import annotations

from collections.abc import Mapping

import click

from paliadin.base.running_daemon import load_daemon_settings
from paliadin.cli.echo import echo, echo_json
from paliadin.cli.record import today, with_snapshot
from paliadin.reports import report
from paliadin.reports.criteria import load_monitor_settings
from paliadin.reports.days import owner_zone
from paliadin.reports.figures import compute_verdict
from paliadin.reports.verdict import GREEN, KILL, TOO_LITTLE, YELLOW

EXIT_CODES: Mapping[str, int] = {GREEN: 0, YELLOW: 10, KILL: 20, TOO_LITTLE: 30}


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def gate(ctx: click.Context, as_json: bool) -> None:
    """Judge by the last four whole weeks whether the assistant is worth a bigger build.

    Exit code: 0 green, 10 yellow, 20 kill, 30 too little data; 1 error, 2 wrong usage or configuration.
    """
    settings = load_daemon_settings()
    zone, monitor, day = owner_zone(settings.timezone), load_monitor_settings(settings.monitoring), today(settings)
    verdict = with_snapshot(settings, lambda snapshot: compute_verdict(snapshot, monitor, zone, day))
    if as_json:
        echo_json(report.verdict_as_json(verdict))
    else:
        for line in report.verdict_lines(verdict):
            echo(line)
    ctx.exit(EXIT_CODES[verdict.colour])
