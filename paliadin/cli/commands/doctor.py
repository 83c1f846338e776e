"""`paliadin doctor`"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import click

from paliadin import machine
from paliadin.cli import checks
from paliadin.cli.output import print_parts
from paliadin.cli.text import json_line
from paliadin.config import Settings
from paliadin.errors import PaliadinError
from paliadin.machine import Part
from paliadin.running import find_daemon

CHECKS: Mapping[str, Callable[[Settings], Part]] = {
    "configuration": machine.configuration,
    "claude": machine.claude,
    "storage": machine.storage,
    "token": checks.token,
    "database": checks.database,
    "daemon": checks.daemon,
}


@click.command()
@click.option("--json", "as_json", is_flag=True, help='One JSON object: {"ok", "parts": […]}, as of `health`.')
@click.pass_context
def doctor(ctx: click.Context, as_json: bool) -> None:
    """Check this machine, and say what to mend. Works without a daemon and changes nothing.

    Exit code: 1 when something is missing that Paliadin cannot do without, else 0.
    """
    parts = examine()
    ok = all(part["ok"] for part in parts)
    if as_json:
        click.echo(json_line({"ok": ok, "parts": parts}))
    else:
        print_parts(parts)
    ctx.exit(0 if ok else 1)


def examine() -> list[Part]:
    """Every part of this machine; those that depend on the settings only where these can be read."""
    parts = [machine.python(), machine.tmux(), machine.plugin()]
    try:
        settings = find_daemon()
    except PaliadinError as error:
        return [*parts, machine.failed("configuration", error)]
    return parts + [machine.tried(name, check, settings) for name, check in CHECKS.items()]
