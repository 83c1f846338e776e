"""`paliadin up`"""

from __future__ import annotations

import webbrowser
from pathlib import Path

import click

from paliadin import daemon
from paliadin.cli.output import announce
from paliadin.config import load_settings


@click.command()
@click.option("--host", metavar="ADDRESS", help="Where to listen: loopback only (PALIADIN_HOST, 127.0.0.1).")
@click.option("--port", type=click.IntRange(0, 65535), help="0 takes any free one (PALIADIN_PORT, 8724).")
@click.option(
    "--workdir",
    type=click.Path(exists=True, file_okay=False, resolve_path=True, path_type=Path),
    help="The folder that Claude works in; else the one you are in (PALIADIN_WORKDIR).",
)
@click.option("--open", "open_page", is_flag=True, help="Open the page in the browser, too.")
def up(host: str | None, port: int | None, workdir: Path | None, open_page: bool) -> None:
    """Run Paliadin with your own Claude Code, until Ctrl-C.

    Prints the address to open; it holds a token that lets a browser in, so treat it like a password. (--open hands it
    to the browser on a command line, which other accounts of this machine can read.) Claude itself stays alive in tmux
    when the daemon ends, and is found again at the next start.

    \b
    paliadin up
    paliadin up --workdir ~/projects/office --port 9000
    """
    given = {"host": host, "port": port, "workdir": workdir}
    settings = load_settings(options=given)

    def ready(url: str) -> None:
        announce(url, words="Paliadin runs.")
        if open_page:
            webbrowser.open(url)

    daemon.run(settings, announce=ready)
