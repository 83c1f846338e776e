"""`paliadin remote add|list|test|remove`"""

from __future__ import annotations

import asyncio
import re
import shlex
import socket
import subprocess
from pathlib import Path
from typing import Any

import click

from paliadin import __version__, errors
from paliadin.cli.output import print_parts
from paliadin.config import Settings, ensure_home, load_settings
from paliadin.machine import Part, failed, fine, warning
from paliadin.remote import NAME, Remote, load_remotes, remove_remote, save_remote
from paliadin.remote.connection import OPTIONS, Connection
from paliadin.remote.errand import ask, connected

TEST = "This is a test of the connection: answer with one short sentence, and use no tool."
USABLE = frozenset({"ready", "busy", "permission", "question", "starting", "dead"})
NOT_REACHED = re.compile(r"resolve hostname|timed out|Connection refused|No route to host|Network is unreachable")
# An older line of the same key goes: sshd takes the first. In one line and one word, whatever shell the login has.
INSTALL = "exec sh -c '{}'".format(
    "umask 077 && mkdir -p ~/.ssh && cd ~/.ssh && touch authorized_keys && IFS= read -r line || exit 1; "
    'case $line in *" ssh-ed25519 "?*) ;; *) exit 1 ;; esac; '
    "key=${line#* ssh-ed25519 }; key=${key%% *}; "
    'grep -vF "$key" authorized_keys > authorized_keys.new || [ $? -eq 1 ] || exit 1; '
    'printf "%s\\n" "$line" >> authorized_keys.new && '
    "cat authorized_keys.new > authorized_keys && rm authorized_keys.new"
)


@click.group()
def remote() -> None:
    """Other machines whose Claude Code is asked from here, over SSH (docs/remote.md)."""


@remote.command()
@click.argument("name")
@click.argument("destination", metavar="USER@HOST")
@click.option("--session", "sessions", multiple=True, metavar="NAME", help="A session there; main when none is named.")
@click.option("--option", "options", multiple=True, metavar="KEY=VALUE", help="An option of ssh, such as Port=2222.")
@click.option("--shim", default="paliadin-shim", show_default=True, help="The whole path of paliadin-shim there.")
@click.option("--login", default="", metavar="USER@HOST", help="Where you log in yourself, if not USER@HOST.")
@click.option("--install", is_flag=True, help="Put the key's line there, over the login that you have already.")
@click.option("--try", "question", is_flag=True, help="Ask Claude there a short question, as a test.")
def add(
    name: str,
    destination: str,
    *,
    sessions: tuple[str, ...],
    options: tuple[str, ...],
    shim: str,
    login: str,
    install: bool,
    question: bool,
) -> None:
    """Make a key for USER@HOST that can do nothing but ask Claude there, and check each step.

    \b
    paliadin remote add office me@office.example --install
    paliadin ask --session main@office "What is in this folder?"
    """
    settings = load_settings()
    ensure_home(settings)
    given = tuple(part for option in options for part in ("-o", option))
    known_as = re.sub(r"[^A-Za-z0-9_-]", "-", socket.gethostname())[:32] or "paliadin"
    key = str(_key_path(settings, name))
    found = Remote(name, destination, sessions or ("main",), given, key, login, shim, known_as)
    _make_key(found)
    line = _line(found)
    if install:
        _install(found, line)
    parts = asyncio.run(_examine(found))
    if question and all(part["ok"] for part in parts):
        parts.append(asyncio.run(_try_turn(found)))
    save_remote(settings.home, found)  # not before: a daemon that runs would make its own line, and end ours
    print_parts(parts)
    if not parts[0]["ok"] and NOT_REACHED.search(parts[0]["message"]):
        click.echo(f"\nssh does not reach {destination} at all: mend that first, then run this again.")
    elif not parts[0]["ok"] and not install:
        click.echo(
            f"\nAppend this line to ~/.ssh/authorized_keys of {destination}, or add it with --install:\n\n{line}"
        )
    click.echo(f"\nA daemon that runs knows {name} within a second.", err=True)
    click.get_current_context().exit(0 if all(part["ok"] for part in parts) else 1)


@remote.command("list")
def list_() -> None:
    """The hosts that are known here."""
    remotes = load_remotes(load_settings().home)
    for found in remotes.values():
        told = [found.name, found.destination, ", ".join(f"{item}@{found.name}" for item in found.sessions)]
        click.echo("  ".join([*told, shlex.join(found.options), found.program]).rstrip())
    if not remotes:
        click.echo("There is no other host yet: paliadin remote add NAME USER@HOST", err=True)


@remote.command()
@click.argument("name")
def test(name: str) -> None:
    """Connect to a host and say what is in the way. A daemon that is connected to it comes back by itself."""
    remotes = load_remotes(load_settings().home)
    if name not in remotes:
        raise errors.NotFound(f"there is no host named {name}", code="unknown_host", hint="See `paliadin remote list`.")
    parts = asyncio.run(_examine(remotes[name]))
    print_parts(parts)
    click.get_current_context().exit(0 if all(part["ok"] for part in parts) else 1)


@remote.command()
@click.argument("name")
def remove(name: str) -> None:
    """Forget a host and delete its key; its line in authorized_keys there is yours to remove."""
    settings = load_settings()
    remove_remote(settings.home, name)
    for path in (_key_path(settings, name), _key_path(settings, name).with_suffix(".pub")):
        path.unlink(missing_ok=True)
    click.echo(f"{name} is forgotten; remove the line of its key from ~/.ssh/authorized_keys there.")


async def _examine(found: Remote) -> list[Part]:
    """The connection, the version and each session; the first that fails explains the rest."""
    try:
        async with connected(found) as connection:
            return await _parts(found, connection)
    except errors.RelayUnreachable as error:
        return [failed("connection", error)]


async def _try_turn(found: Remote) -> Part:
    session = found.sessions[0]
    try:
        answer = await ask(found, session, TEST)
    except errors.PaliadinError as error:
        return failed("test turn", error)
    return fine("test turn", f"{session}@{found.name} answers: {answer[:60]}")


async def _parts(found: Remote, connection: Connection) -> list[Part]:
    hello = connection.hello
    parts = [fine("connection", f"{found.destination} answers as {hello.get('host')}"), _version(hello)]
    if "check" in hello.get("verbs", ()):
        told = await connection.request("check")
        parts += [_part(part, str(part.get("name"))) for part in told["parts"]]
    for session in found.sessions:
        try:
            told = await connection.request("state", session_id=session)
        except errors.PaliadinError as error:
            parts.append(failed(f"{session}@{found.name}", error))
        else:
            ready = {"ok": str(told.get("state")) in USABLE}
            parts.append(_part({**told, **ready}, f"{session}@{found.name}"))
    return parts


def _part(told: Any, name: str) -> Part:
    """As the far end tells it."""
    said = {key: str(told.get(key) or "") for key in ("state", "message", "hint")}
    return {"name": name, "ok": told.get("ok") is True, **said}


def _version(hello: Any) -> Part:
    there = str(hello.get("version"))
    if there != __version__:
        return warning("version", f"Paliadin {there} there, {__version__} here", "Install the same version on both.")
    return fine("version", f"Paliadin {there} on both sides")


def _key_path(settings: Settings, name: str) -> Path:
    if not NAME.fullmatch(name):
        raise errors.ConfigError(f"{name!r} is no name for a host: use up to 32 letters, digits, - and _")
    return settings.home / "keys" / name


def _make_key(found: Remote) -> None:
    """The key for this host alone; made when there is none."""
    path = Path(found.key)
    if not path.is_file():
        path.parent.mkdir(mode=0o700, exist_ok=True)
        command = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", f"paliadin {found.name}", "-f", str(path)]
        try:
            subprocess.run(command, check=True, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        except FileNotFoundError as error:
            raise errors.MissingDependency("ssh is not installed", hint="Install the OpenSSH client.") from error
        except subprocess.CalledProcessError as error:
            raise errors.ConfigError(f"no key could be made: {error.stderr.strip()}") from error


def _line(found: Remote) -> str:
    key = Path(found.key).with_suffix(".pub").read_text("ascii").strip()
    return f'command="{found.program} --name {found.known_as} --sessions {",".join(found.sessions)}",restrict {key}'


def _install(found: Remote, line: str) -> None:
    """Over the owner's own login: the line goes in on standard input, nothing of it on a command line."""
    options = [part for option in OPTIONS if not option.startswith(("BatchMode", "Control")) for part in ("-o", option)]
    login = found.login or found.destination
    command = ["ssh", *found.options, *options, "-T", "--", login, INSTALL]
    result = subprocess.run(command, input=line + "\n", text=True, check=False)
    if result.returncode:
        raise errors.RelayUnreachable(
            f"the line could not be put on {found.destination}",
            hint=f"You need a login there, and a known host key: try `{shlex.join(['ssh', *found.options, login])}`.",
        )
