"""`paliadin demo`"""

from __future__ import annotations

from pathlib import Path

import click

import paliadin.demo
from paliadin.cli.output import announce


@click.command()
@click.option("--port", type=click.IntRange(0, 65535), help="0 takes any free one (PALIADIN_PORT, 8724).")
def demo(port: int | None) -> None:
    """Try Paliadin with no account and no network, until Ctrl-C.

    Everything is real (tmux, Claude Code, Postgres) but the model: a script on this machine answers in its place.
    Nothing of your own Claude Code is used or changed; the demo's state is removed when it ends. The second address is
    that of a small application (examples/host) that holds the drawer.

    \b
    paliadin demo
    """
    paliadin.demo.run(port, announce=_announce)


def _announce(url: str, example: str, home: Path) -> None:
    announce(url, words="The demo runs; its model is scripted.")
    click.echo(f"For the command line, in another terminal: export PALIADIN_HOME={home}", err=True)
    click.echo(f"The drawer, in a small application of its own: {example}", err=True)
