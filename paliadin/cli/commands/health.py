"""The command `paliadin health`."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import click

from paliadin.base.running_daemon import load_daemon_settings
from paliadin.base.settings import Settings
from paliadin.cli.client import DaemonClient, DaemonUnreachable
from paliadin.cli.console import print_parts
from paliadin.cli.echo import echo_json
from paliadin.cli.failure import Failure

UNREACHABLE = 2  # exit code


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print the daemon's report as one JSON object.")
@click.pass_context
def health(ctx: click.Context, as_json: bool) -> None:
    """Show the state of each part of the running daemon, and what to do about those that fail.

    Exit code: 0 all parts work, 1 a part fails, 2 the daemon cannot be reached (`paliadin up` starts it).
    """
    try:
        report = asyncio.run(ask_health(load_daemon_settings()))
    except DaemonUnreachable as error:
        if as_json:
            part = {"name": "daemon", "ok": False, "state": "unreachable", "message": error.message, "hint": error.hint}
            echo_json({"ok": False, "parts": [part]})
        raise Failure.of(error, UNREACHABLE) from error
    if as_json:
        echo_json(report)
    else:
        print_parts(report["parts"])
    ctx.exit(0 if report["ok"] else 1)


async def ask_health(settings: Settings) -> Mapping[str, Any]:
    """Request the health report (docs/http.md); raises DaemonUnreachable, PaliadinError."""
    async with DaemonClient(settings) as daemon:
        report = await daemon.send("GET", "health")
    if not isinstance(report.get("parts"), list):
        raise daemon.not_paliadin()
    return report
