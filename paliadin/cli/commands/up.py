"""The command `paliadin up`."""

from __future__ import annotations

import sys
import threading
from pathlib import Path

import click

from paliadin import daemon
from paliadin.base.errors import PaliadinError
from paliadin.base.settings import Settings, load_settings
from paliadin.base.settings_values import ROLES, TERMINAL, WORKER
from paliadin.cli.browser import NO_BROWSER, open_in_browser
from paliadin.cli.console import announce
from paliadin.cli.echo import echo
from paliadin.relays.terminal.claude import find_claude

STANDS_BY = "Another web process serves; this one passes on to it what comes, and takes over when it ends."
OPEN_FOR = 60.0  # seconds in which the browser can read the page that leads it to the address


@click.command()
@click.option(
    "--host", metavar="ADDRESS", help="The loopback address to listen on. Default: PALIADIN_HOST, or 127.0.0.1."
)
@click.option(
    "--port",
    metavar="PORT",
    help="The port; 0 takes any free one, none opens none. Default: PALIADIN_PORT, or 8724.",
)
@click.option("--socket", metavar="PATH", help="A Unix socket for a reverse proxy. Default: PALIADIN_SOCKET, or none.")
@click.option(
    "--workdir",
    type=click.Path(exists=True, file_okay=False, resolve_path=True, path_type=Path),
    help="The folder that Claude works in. Default: PALIADIN_WORKDIR, or the current folder.",
)
@click.option(
    "--sandbox/--no-sandbox",
    default=None,
    help="Run Claude's commands in its sandbox, or never. Default: if its folder holds Paliadin's own files.",
)
@click.option(
    "--live/--no-live",
    default=None,
    help="Show text as it is generated: Claude's requests then go through a process of Paliadin's (docs/live.md).",
)
@click.option(
    "--role",
    type=click.Choice(ROLES),
    help="For several processes on one database: serve the page (web), or only ask the Messages API (worker). "
    "Default: PALIADIN_ROLE, or both.",
)
@click.option("--open", "open_page", is_flag=True, help="Open the page in the browser as well.")
def up(open_page: bool, **named: object) -> None:
    """Run Paliadin with your own Claude Code, or over the Messages API (docs/messages.md), until Ctrl-C.

    Prints the page's address, which lets one browser in, once, within an hour; `paliadin open` makes another one.
    Claude itself keeps running in tmux when the daemon ends, and the next start connects to it again.

    \b
    paliadin up
    paliadin up --live
    paliadin up --workdir ~/projects/office --port 9000
    paliadin up --socket /srv/paliadin/socket --port none
    """
    settings = load_settings(options=named)
    if settings.role == WORKER:
        return daemon.run_worker(settings, ready=lambda: echo("The worker is running."))

    def ready(url: str) -> None:
        announce(url, headline="Paliadin is running.")
        if settings.relay == TERMINAL and not sys.stderr.isatty():  # the log says it to a terminal
            _say_if_claude_is_missing(settings)
        if open_page:
            if delete_file := open_in_browser(settings.home, url):
                threading.Timer(OPEN_FOR, delete_file).start()
            else:
                echo(NO_BROWSER, err=True)

    def stands_by() -> None:
        nonlocal open_page
        open_page = False  # nobody waits for it any more when this one takes over
        echo(STANDS_BY)

    return daemon.run(settings, announce=ready, stands_by=stands_by)


def _say_if_claude_is_missing(settings: Settings) -> None:
    try:
        find_claude(settings)
    except PaliadinError as error:
        echo(f"Claude cannot start: {error.message}\n  → {error.hint}", err=True)
