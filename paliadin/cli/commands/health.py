"""`paliadin health`"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import click

from paliadin.cli.client import Daemon, NoDaemon
from paliadin.cli.failure import Failure
from paliadin.cli.output import print_parts
from paliadin.cli.text import json_line
from paliadin.config import Settings
from paliadin.running import find_daemon

UNREACHABLE = 2  # exit code


@click.command()
@click.option("--json", "as_json", is_flag=True, help="One JSON object, as the daemon gives it.")
@click.pass_context
def health(ctx: click.Context, as_json: bool) -> None:
    """How the running daemon's parts are, and what to do about those that fail.

    Exit code: 0 all is well, 1 a part fails, 2 the daemon cannot be reached (`paliadin up` starts it).
    """
    try:
        body = asyncio.run(ask_health(find_daemon()))
    except NoDaemon as error:
        if as_json:
            part = {"name": "daemon", "ok": False, "state": "unreachable", "message": error.message, "hint": error.hint}
            click.echo(json_line({"ok": False, "parts": [part]}))
        raise Failure.of(error, UNREACHABLE) from error
    if as_json:
        click.echo(json_line(body))
    else:
        print_parts(body["parts"])
    ctx.exit(0 if body["ok"] else 1)


async def ask_health(settings: Settings) -> Mapping[str, Any]:
    """What `GET /api/paliadin/health` says; raises NoDaemon, PaliadinError."""
    async with Daemon(settings) as daemon:
        body = await daemon.get("health")
    if not isinstance(body.get("parts"), list):
        raise daemon.stranger()
    return body
