"""The command `paliadin doctor`."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import click

from paliadin.base.errors import PaliadinError
from paliadin.base.running_daemon import load_daemon_settings
from paliadin.base.settings import Settings
from paliadin.cli import doctor_checks
from paliadin.cli.console import print_parts
from paliadin.cli.echo import echo_json
from paliadin.cli.weak_points import check_weak_points
from paliadin.relays.terminal import requirements
from paliadin.relays.terminal.requirements import Part

CHECKS: Mapping[str, Callable[[Settings], Part]] = {
    "configuration": requirements.check_configuration,
    "claude": requirements.check_claude,
    "storage": requirements.check_storage,
    "hooks": requirements.check_hooks,
    "access": doctor_checks.check_access,
    "database": doctor_checks.check_database,
    "daemon": doctor_checks.check_daemon,
}

CLAUDES_OWN = frozenset({"claude", "tmux"})
"""The checks of what only a Claude Code needs: with PALIADIN_RELAY=messages they may fail, and are left out then."""


@click.command()
@click.option("--json", "as_json", is_flag=True, help='Print one JSON object: {"ok", "parts": […]}, as `health` does.')
@click.pass_context
def doctor(ctx: click.Context, as_json: bool) -> None:
    """Check this machine, and say how to fix what is wrong or weak. Needs no daemon, and changes nothing.

    Exit code: 1 if something is missing that Paliadin needs, else 0, also with warnings of what is weak.
    """
    parts = examine()
    ok = all(part["ok"] for part in parts)
    if as_json:
        echo_json({"ok": ok, "parts": parts})
    else:
        print_parts(parts)
    ctx.exit(0 if ok else 1)


def examine() -> list[Part]:
    """Check every part of this machine; those that depend on the settings only if the settings are valid."""
    parts = [requirements.check_python(), requirements.check_tmux(), requirements.check_plugin()]
    try:
        settings = load_daemon_settings()
    except PaliadinError as error:
        return [*parts, requirements.failed("configuration", error)]
    parts += [requirements.run_check(name, check, settings) for name, check in CHECKS.items()]
    needless = CLAUDES_OWN if settings.relay == "messages" else frozenset()
    return [part for part in parts if part["ok"] or part["name"] not in needless] + check_weak_points(settings)
