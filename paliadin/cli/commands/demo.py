"""The command `paliadin demo`."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from shutil import which

import click

from paliadin.cli.console import announce
from paliadin.demo.run import run


@click.command()
@click.option(
    "--port", type=click.IntRange(0, 65535), help="The port; 0 takes any free one. Default: PALIADIN_PORT, or 8724."
)
def demo(port: int | None) -> None:
    """Try Paliadin without an account or a network, until Ctrl-C.

    Everything is real (tmux, Claude Code, Postgres) except for the model: a script on this machine answers in its
    place. Your own Claude Code is neither used nor changed, and the demo's state is removed when it ends. The second
    address is that of a small application (examples/host) with the drawer.

    \b
    paliadin demo
    """
    run(port, announce=_announce)


def _announce(url: str, example: str, home: Path) -> None:
    announce(url, headline="The demo is running with a scripted model.")
    click.echo(f"An example application with the drawer: {example}", err=True)
    click.echo("It has no sign-in of its own: whoever opens it is taken for you.", err=True)
    click.echo("To use the command line with it, type this in another terminal:", err=True)
    if which("paliadin") is None:
        click.echo(f"  export PATH={shlex.quote(str(Path(sys.executable).parent))}:$PATH", err=True)
    click.echo(f"  export PALIADIN_HOME={shlex.quote(str(home))}", err=True)
