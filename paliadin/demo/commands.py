"""The command `paliadin demo`."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from shutil import which

import click

from paliadin.cli.console import announce
from paliadin.cli.echo import echo
from paliadin.demo.office import OWNER
from paliadin.demo.run import Addresses, run


@click.command()
@click.option(
    "--port", type=click.IntRange(0, 65535), help="The port; 0 takes any free one. Default: PALIADIN_PORT, or 8724."
)
def demo(port: int | None) -> None:
    """Try Paliadin without an account or a network, until Ctrl-C.

    Everything is real (tmux, Claude Code, Postgres) except for the model: a script on this machine answers in its
    place. Your own Claude Code is neither used nor changed, and the demo's state is removed when it ends. The practice
    that it asks about is made up; you see all of it, and one of its people sees less. The other addresses are that
    person's, and that of a small application (examples/host) with the drawer.

    \b
    paliadin demo
    """
    run(port, announce=_announce)


def _announce(addresses: Addresses) -> None:
    announce(addresses.page, headline="The demo is running with a scripted model.")
    echo(f"The same page as {addresses.member}, in another browser: {addresses.member_page}", err=True)
    echo(f"An example application with the drawer: {addresses.example}", err=True)
    echo(f"Whoever opens it is taken for whom they choose there: {OWNER.name}, {addresses.member} …", err=True)
    echo("To use the command line with it, type this in another terminal:", err=True)
    if which("paliadin") is None:
        echo(f"  export PATH={shlex.quote(str(Path(sys.executable).parent))}:$PATH", err=True)
    echo(f"  export PALIADIN_HOME={shlex.quote(str(addresses.home))}", err=True)
