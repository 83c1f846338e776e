"""The command `paliadin up`."""

from __future__ import annotations

import webbrowser
from pathlib import Path

import click

from paliadin import daemon
from paliadin.base.settings import load_settings
from paliadin.cli.console import announce


@click.command()
@click.option(
    "--host", metavar="ADDRESS", help="The loopback address to listen on. Default: PALIADIN_HOST, or 127.0.0.1."
)
@click.option(
    "--port", type=click.IntRange(0, 65535), help="The port; 0 takes any free one. Default: PALIADIN_PORT, or 8724."
)
@click.option(
    "--workdir",
    type=click.Path(exists=True, file_okay=False, resolve_path=True, path_type=Path),
    help="The folder that Claude works in. Default: PALIADIN_WORKDIR, or the current folder.",
)
@click.option("--open", "open_page", is_flag=True, help="Open the page in the browser as well.")
def up(host: str | None, port: int | None, workdir: Path | None, open_page: bool) -> None:
    """Run Paliadin with your own Claude Code, until Ctrl-C.

    Prints the page's address. It holds a token that lets a browser in, so treat it like a password. (--open passes it
    to the browser on a command line, which other accounts of this machine can read.) Claude itself keeps running in
    tmux when the daemon ends, and the next start connects to it again.

    \b
    paliadin up
    paliadin up --workdir ~/projects/office --port 9000
    """
    settings = load_settings(options={"host": host, "port": port, "workdir": workdir})

    def ready(url: str) -> None:
        announce(url, headline="Paliadin is running.")
        if open_page:
            webbrowser.open(url)

    daemon.run(settings, announce=ready)
