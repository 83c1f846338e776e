"""`paliadin attach`"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import NoReturn

import click

from paliadin.config import load_settings
from paliadin.errors import MissingDependency, NotFound, PaliadinError
from paliadin.relay.attach import open_terminal
from paliadin.remote import NAME, Remote, load_remotes
from paliadin.running import find_daemon


@click.command()
@click.argument("name", required=False, metavar="[SESSION]")
@click.option("--session", default="main", show_default=True, metavar="NAME", help="Whose terminal to open.")
@click.option("--read-only", is_flag=True, help="Look only: no key reaches Claude.")
@click.option("--shim", is_flag=True, help="The terminal of those who ask from another machine (docs/remote.md).")
def attach(name: str | None, session: str, read_only: bool, shim: bool) -> None:
    """Open the terminal in which Claude runs: the same conversation as on the page.

    This is where you log in (/login) and answer dialogs that the page cannot. Ctrl-B, then D, leaves it; Claude stays.
    A session on another machine, such as main@office, is opened with your own login there.
    """
    if not sys.stdin.isatty():
        raise click.UsageError("attach needs a terminal: its input is not one.")
    settings = find_daemon(_shim_home() if shim else None)
    local = settings.local_name(name or session)
    if local is None:
        session, _, host = (name or session).partition("@")
        _log_in(load_remotes(settings.home), session, host, read_only=read_only)
    open_terminal(settings, local, read_only=read_only)


def _log_in(remotes: dict[str, Remote], session: str, host: str, *, read_only: bool) -> NoReturn:
    """With the owner's own key: a terminal is more than the key of the daemon may have."""
    if host not in remotes:
        raise NotFound(f"there is no host named {host}", code="unknown_host", hint="See `paliadin remote list`.")
    if not NAME.fullmatch(session):
        raise NotFound("there is no session with this name", code="unknown_session", hint="See `paliadin remote list`.")
    found = remotes[host]
    there = [found.program, "--name", found.known_as, "--attach", session, *(["--read-only"] if read_only else [])]
    command = ["ssh", *found.options, "-t", "--", found.login or found.destination, " ".join(there)]
    try:
        os.execvp("ssh", command)  # noqa: S606
    except FileNotFoundError as error:
        raise MissingDependency("ssh is not installed", hint="Install the OpenSSH client.") from error


def _shim_home() -> Path:
    homes = sorted(path.parent for path in (load_settings().home / "shims").glob("*/shim.lock"))
    if len(homes) != 1:
        names = ", ".join(home.name for home in homes) or "nobody"
        raise PaliadinError(
            f"{names} asks from another machine", hint="Set PALIADIN_HOME to the folder of one of them."
        )
    return homes[0]
