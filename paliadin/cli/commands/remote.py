"""The commands `paliadin remote add|list|test|remove`."""

from __future__ import annotations

import asyncio
import re
import shlex
import socket
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import click

from paliadin import __version__
from paliadin.base import errors
from paliadin.base.session_names import SessionName, make_host_name
from paliadin.base.settings import ensure_home, load_settings
from paliadin.cli.console import print_parts
from paliadin.cli.echo import echo
from paliadin.cli.remote_key import (
    authorized_keys_line,
    check_not_expired,
    install_line,
    key_path,
    limit_options,
    make_key,
)
from paliadin.relays.ssh.connection import Connection
from paliadin.relays.ssh.hosts import Remote, load_remotes, remove_remote, save_remote
from paliadin.relays.ssh.one_shot import ask, connected
from paliadin.relays.ssh.rights import ALL, describe_rights, parse_rights
from paliadin.relays.terminal.requirements import Part, failed, fine, warning

TEST = "This is a test of the connection: answer with one short sentence, and use no tool."
USABLE = frozenset({"ready", "busy", "permission", "question", "starting", "parked", "dead"})
NOT_REACHED = re.compile(r"resolve hostname|timed out|Connection refused|No route to host|Network is unreachable")


@click.group()
def remote() -> None:
    """Manage other machines whose Claude Code you ask from here, over SSH (docs/remote.md)."""


@remote.command()
@click.argument("name")
@click.argument("destination", metavar="USER@HOST")
@click.option(
    "--session",
    "sessions",
    multiple=True,
    metavar="NAME",
    help="A session there, which may be given several times. Default: main.",
)
@click.option("--option", "options", multiple=True, metavar="KEY=VALUE", help="An option for ssh, such as Port=2222.")
@click.option("--shim", default="paliadin-shim", show_default=True, help="The path of paliadin-shim there.")
@click.option("--login", default="", metavar="USER@HOST", help="Your own login there, if it is not USER@HOST.")
@limit_options
@click.option("--install", is_flag=True, help="Install the key there, over your own login.")
@click.option("--try", "question", is_flag=True, help="Ask Claude there a short question, as a test.")
def add(
    name: str,
    destination: str,
    *,
    sessions: tuple[str, ...],
    options: tuple[str, ...],
    shim: str,
    login: str,
    may: str | None,
    sources: tuple[str, ...] | None,
    expires: str | None,
    install: bool,
    question: bool,
) -> None:
    """Add a host, with a key that can do nothing but ask Claude there.

    The connection is checked step by step. For a host that is known already, --may, --from and --expires stay as they
    are unless they are given.

    \b
    paliadin remote add office me@office.example --install
    paliadin ask --conversation main@office "What is in this folder?"
    paliadin remote add office me@office.example --install --may ask --from 192.0.2.7 --expires 2027-06-30
    """
    settings = load_settings()
    ensure_home(settings)
    ssh_options = tuple(part for option in options for part in ("-o", option))
    known_as = make_host_name(socket.gethostname()) or "paliadin"
    key = str(key_path(settings, name))
    host = Remote(name, destination, sessions or ("main",), ssh_options, key, login, shim, known_as)
    host = _limited(host, load_remotes(settings.home).get(name, host), may, sources, expires)
    make_key(host)
    line = authorized_keys_line(host)
    if install:
        install_line(host, line)
    parts = asyncio.run(_examine(host))
    if question and all(part["ok"] for part in parts):
        parts.append(asyncio.run(_try_turn(host)))
    save_remote(settings.home, host)  # last: a running daemon connects at once, which would end our connection
    print_parts(parts)
    if not parts[0]["ok"]:
        _print_advice(host, parts[0], line, installed=install)
    echo(f"\nA running daemon connects to {name} within a second.", err=True)
    click.get_current_context().exit(0 if all(part["ok"] for part in parts) else 1)


def _limited(
    host: Remote, before: Remote, may: str | None, sources: tuple[str, ...] | None, expires: str | None
) -> Remote:
    """Return the host with these limits of its key; those that are None stay as they were `before`."""
    limited = replace(
        host,
        may=before.may if may is None else may,
        sources=before.sources if sources is None else sources,
        expires=before.expires if expires is None else expires,
    )
    check_not_expired(limited)
    return limited


def _print_advice(host: Remote, connection: Part, line: str, *, installed: bool) -> None:
    """Say what to do about a connection that failed."""
    if NOT_REACHED.search(connection["message"]):
        echo(f"\nssh cannot reach {host.destination}: fix that first, then run this command again.")
    elif not installed:
        echo(f"\nAppend this line to ~/.ssh/authorized_keys of {host.destination}, or add it with --install:\n\n{line}")


@remote.command("list")
def list_() -> None:
    """List the hosts with their sessions, ssh options and shim."""
    remotes = load_remotes(load_settings().home)
    for host in remotes.values():
        sessions = ", ".join(str(SessionName(session, host.name)) for session in host.sessions)
        columns = [host.name, host.destination, sessions, shlex.join(host.options), host.program]
        columns += [f"may {host.may}" if host.may else "", f"from {','.join(host.sources)}" if host.sources else ""]
        columns += [f"until {host.expires}" if host.expires else ""]
        echo("  ".join(columns).rstrip())
    if not remotes:
        echo("There is no host yet. Add one: paliadin remote add NAME USER@HOST", err=True)


@remote.command()
@click.argument("name")
def test(name: str) -> None:
    """Check the connection to a host step by step. A daemon that is connected to it reconnects by itself."""
    remotes = load_remotes(load_settings().home)
    if name not in remotes:
        raise errors.NotFound(f"there is no host named {name}", code="unknown_host", hint="See `paliadin remote list`.")
    parts = asyncio.run(_examine(remotes[name]))
    print_parts(parts)
    click.get_current_context().exit(0 if all(part["ok"] for part in parts) else 1)


@remote.command()
@click.argument("name")
def remove(name: str) -> None:
    """Forget a host and delete its key. The key's line in authorized_keys there remains for you to remove."""
    settings = load_settings()
    remove_remote(settings.home, name)
    for path in (key_path(settings, name), key_path(settings, name).with_suffix(".pub")):
        path.unlink(missing_ok=True)
    echo(f"{name} is forgotten; remove the line of its key from ~/.ssh/authorized_keys there.")


async def _examine(host: Remote) -> list[Part]:
    """Check the connection, the version and each session, in this order: the first failure explains the others."""
    try:
        async with connected(host) as connection:
            return await _parts(host, connection)
    except errors.RelayUnreachable as error:
        return [failed("connection", error)]


async def _try_turn(host: Remote) -> Part:
    """Ask Claude on the host a test question."""
    session = host.sessions[0]
    try:
        answer = await ask(host, session, TEST)
    except errors.PaliadinError as error:
        return failed("test turn", error)
    return fine("test turn", f"{SessionName(session, host.name)} answers: {answer[:60]}")


async def _parts(host: Remote, connection: Connection) -> list[Part]:
    hello = connection.hello
    parts = [fine("connection", f"connected to {host.destination}, whose name is {hello.get('host')}"), _version(hello)]
    parts.append(_rights(hello))
    if connection.knows("check"):
        parts += await _own_parts(connection)
    for session in host.sessions:
        try:
            state = await connection.request("state", session_id=session)
        except errors.PaliadinError as error:
            parts.append(failed(str(SessionName(session, host.name)), error))
        else:
            usable = {"ok": str(state.get("state")) in USABLE}
            parts.append(_part({**state, **usable}, str(SessionName(session, host.name))))
    return parts


async def _own_parts(connection: Connection) -> list[Part]:
    """Ask the host for the state of its own tmux, Claude Code and the like."""
    try:
        received = (await connection.request("check")).get("parts")
        if not isinstance(received, list) or not all(isinstance(part, Mapping) for part in received):
            message = "the host answered `check` with something else than its parts"
            raise errors.RelayError(message, hint="Install the same version on both.")
    except errors.PaliadinError as error:
        return [failed("check", error)]
    return [_part(part, str(part.get("name"))) for part in received]


def _part(received: Any, name: str) -> Part:
    """Convert a part of the host's report, whatever types its values have."""
    texts = {key: str(received.get(key) or "") for key in ("state", "message", "hint")}
    return {"name": name, "ok": received.get("ok") is True, **texts}


def _rights(hello: Any) -> Part:
    """Report the rights of the key there; a shim that does not name them lets it do everything."""
    try:
        rights = parse_rights(str(hello["may"])) if "may" in hello else ALL
    except ValueError:  # of another version of the shim
        return warning("key", f"it may {str(hello['may'])[:80]!r}", "Install the same version on both.")
    return fine("key", f"it may {describe_rights(rights)}")


def _version(hello: Any) -> Part:
    version = str(hello.get("version"))
    if version != __version__:
        return warning("version", f"Paliadin {version} there, {__version__} here", "Install the same version on both.")
    return fine("version", f"Paliadin {version} on both sides")
