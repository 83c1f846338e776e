"""The command `paliadin health`."""

from __future__ import annotations

import click

from paliadin.cli.client import DaemonClient, DaemonUnreachable, ask_daemon
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
        report = ask_daemon(DaemonClient.health)
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
