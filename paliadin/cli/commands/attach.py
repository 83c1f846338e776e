"""The command `paliadin attach`."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import NoReturn

import click

from paliadin.base.errors import MissingDependency, NotFound, PaliadinError
from paliadin.base.running_daemon import load_daemon_settings
from paliadin.base.session_names import HOST_NAME, SessionName
from paliadin.base.settings import Settings, load_settings
from paliadin.cli.client import DaemonUnreachable, ask_daemon
from paliadin.cli.conversations import MAIN, find_id
from paliadin.relays.ssh.hosts import Remote, load_remotes
from paliadin.relays.terminal.attach import open_terminal


@click.command()
@click.argument("name", required=False, metavar="[CONVERSATION]")
@click.option(
    "--conversation",
    "--session",
    default=MAIN,
    show_default=True,
    metavar="ID",
    help="The conversation to open, or the beginning of its id.",
)
@click.option("--read-only", is_flag=True, help="Watch only; keys do not reach Claude.")
@click.option("--shim", is_flag=True, help="Open the Claude that another machine asks over SSH (docs/remote.md).")
def attach(name: str | None, conversation: str, read_only: bool, shim: bool) -> None:
    """Open the terminal in which Claude runs: the same conversation as on the page.

    Log in here (/login), and reply to dialogs that the page does not show. Ctrl-B, then D, leaves the terminal; Claude
    keeps running. A conversation on another machine, such as main@office, is opened over SSH with your own login there.
    """
    if not sys.stdin.isatty():
        raise click.UsageError("attach needs a terminal, and its standard input is not one.")
    settings = load_daemon_settings(_shim_home() if shim else None)
    wanted = name or conversation
    session = wanted if shim else _find_id(settings, wanted)
    local = settings.names.short(session)
    if local is None:
        remote = SessionName.parse(session)
        _attach_over_ssh(load_remotes(settings.home), remote.session, remote.place or "", read_only=read_only)
    open_terminal(settings, local, read_only=read_only)


def _find_id(settings: Settings, text: str) -> str:
    """Return the id of the conversation that the text names.

    Without a daemon, and for a session of another machine that is not asked from here, it is the text as it is.
    """
    try:
        return ask_daemon(lambda daemon: find_id(daemon, text), settings)
    except DaemonUnreachable:
        return text
    except NotFound:
        if settings.names.short(text) is None:
            return text
        raise


def _attach_over_ssh(remotes: dict[str, Remote], session: str, host: str, *, read_only: bool) -> NoReturn:
    """Replace this process with ssh, using the owner's own login: the daemon's key may not open a terminal."""
    if host not in remotes:
        raise NotFound(f"there is no host named {host}", code="unknown_host", hint="See `paliadin remote list`.")
    if not HOST_NAME.fullmatch(session):
        raise NotFound(
            f"{session!r} is not a valid session name",
            code="unknown_session",
            hint="Use up to 32 letters, digits, - and _; `paliadin remote list` shows each host's sessions.",
        )
    remote = remotes[host]
    shim = [remote.program, "--name", remote.known_as, "--attach", session, *(["--read-only"] if read_only else [])]
    command = ["ssh", *remote.options, "-t", "--", remote.login or remote.destination, " ".join(shim)]
    try:
        os.execvp("ssh", command)  # noqa: S606
    except FileNotFoundError as error:
        raise MissingDependency("ssh is not installed", hint="Install the OpenSSH client.") from error


def _shim_home() -> Path:
    """Return the state folder of the one machine that asks here over SSH; raises PaliadinError unless there is one."""
    homes = sorted(path.parent for path in (load_settings().home / "shims").glob("*/shim.lock"))
    if len(homes) != 1:
        if not homes:
            raise PaliadinError("no other machine has asked here over SSH yet", hint="See docs/remote.md.")
        raise PaliadinError(
            f"several machines ask here over SSH: {', '.join(home.name for home in homes)}",
            hint=f"Set PALIADIN_HOME to the folder of one of them in {homes[0].parent}, and leave out --shim.",
        )
    return homes[0]
