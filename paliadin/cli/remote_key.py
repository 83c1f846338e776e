"""The SSH key for one remote host: making it, its line in authorized_keys there, and installing that line."""

from __future__ import annotations

import contextlib
import os
import shlex
import subprocess
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any, TypeVar

import click

from paliadin.base import errors
from paliadin.base.files import check_private, make_private_folder, read_private
from paliadin.base.session_names import HOST_NAME
from paliadin.base.settings import Settings
from paliadin.cli.echo import clean_output
from paliadin.relays.ssh.hosts import Remote
from paliadin.relays.ssh.key_limits import check_expiry, check_sources, format_expiry
from paliadin.relays.ssh.rights import format_rights, parse_rights
from paliadin.relays.ssh.transport import OPTIONS

Command = TypeVar("Command", bound=Callable[..., Any])

# Replaces an older line of the same key, since sshd takes the first one. Quoted as one word for any login shell.
INSTALL = "exec sh -c '{}'".format(
    "umask 077 && mkdir -p ~/.ssh && cd ~/.ssh && touch authorized_keys && IFS= read -r line || exit 1; "
    'case $line in *" ssh-ed25519 "?*) ;; *) exit 1 ;; esac; '
    "key=${line#* ssh-ed25519 }; key=${key%% *}; "
    'grep -vF "$key" authorized_keys > authorized_keys.new || [ $? -eq 1 ] || exit 1; '
    'printf "%s\\n" "$line" >> authorized_keys.new && '
    "cat authorized_keys.new > authorized_keys && rm authorized_keys.new"
)


def limit_options(command: Command) -> Command:
    """Add the options `--may`, `--from` and `--expires`; each is None when it is not given."""
    may = click.option(
        "--may",
        callback=_checked(lambda text: format_rights(parse_rights(text))),
        metavar="RIGHTS",
        help="What the key may do: read; ask; or ask,allow, which also replies to permissions. Default: ask,allow.",
    )
    sources = click.option(
        "--from",
        "sources",
        callback=_checked(lambda text: () if text == "any" else check_sources(text.split(","))),
        metavar="ADDRESSES",
        help="Addresses or networks from which the key is valid, separated by commas. Default: any.",
    )
    expires = click.option(
        "--expires",
        callback=_checked(lambda text: "" if text == "never" else check_expiry(text, _today())),
        metavar="DATE",
        help="The day from which on the key is not valid any more, such as 2027-06-30. Default: never.",
    )
    return may(sources(expires(command)))


def _checked(check: Callable[[str], object]) -> Callable[[click.Context, click.Parameter, str | None], object]:
    def callback(_context: click.Context, _parameter: click.Parameter, text: str | None) -> object:
        try:
            return None if text is None else check(text)
        except ValueError as error:
            raise click.BadParameter(str(error)) from None

    return callback


def _today() -> date:
    return date.today()  # noqa: DTZ011  # the host's time zone is unknown


def check_not_expired(remote: Remote) -> None:
    """Raise ConfigError when the end of the key's validity, as it was set before, is not after today."""
    try:
        if remote.expires:
            check_expiry(remote.expires, _today())
    except ValueError as error:
        raise errors.ConfigError(
            f"the key for {remote.name} has expired: {error}", hint="Give another day with --expires, or `never`."
        ) from error


def key_path(settings: Settings, name: str) -> Path:
    """The path of the private key for the host `name`; raises ConfigError for an invalid name."""
    if not HOST_NAME.fullmatch(name):
        raise errors.ConfigError(f"{name!r} is not a valid name for a host: use 1 to 32 letters, digits, - and _")
    return settings.home / "keys" / name


def make_key(remote: Remote) -> None:
    """Make the key for this host alone, unless there is one already."""
    path = Path(remote.key)
    make_private_folder(path.parent)
    if path.is_file() or path.is_symlink():
        check_private(path)
    else:
        command = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", f"paliadin {remote.name}", "-f", str(path)]
        try:
            subprocess.run(command, check=True, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        except FileNotFoundError as error:
            raise errors.MissingDependency("ssh is not installed", hint="Install the OpenSSH client.") from error
        except subprocess.CalledProcessError as error:
            raise errors.ConfigError(f"ssh-keygen could not make a key: {error.stderr.strip()}") from error


def authorized_keys_line(remote: Remote) -> str:
    """Build the line that lets the key run paliadin-shim, and nothing else."""
    command = f"{remote.program} --name {remote.known_as} --sessions {','.join(remote.sessions)}"
    command += f" --may {remote.may}" if remote.may else ""
    options = [f'command="{command}"', "restrict"]
    options += [f'from="{",".join(check_sources(remote.sources))}"'] if remote.sources else []
    options += [f'expiry-time="{format_expiry(remote.expires)}"'] if remote.expires else []
    # ssh-keygen lets everybody read it.
    return f"{','.join(options)} {read_private(Path(remote.key).with_suffix('.pub'), tighten=True).strip()}"


def install_line(remote: Remote, line: str) -> None:
    """Install the line over the owner's own login; it is passed on standard input, not on a command line."""
    options = [part for option in OPTIONS if not option.startswith(("BatchMode", "Control")) for part in ("-o", option)]
    login = remote.login or remote.destination
    # Else a connection that stays open for others would hold what it prints open, too.
    command = ["ssh", *remote.options, *options, "-o", "ControlPersist=no", "-T", "--", login, INSTALL]
    if _run_shown(command, f"{line}\n".encode()):
        by_hand = shlex.join(["ssh", *remote.options, login])
        raise errors.RelayUnreachable(
            f"the key could not be installed on {remote.destination}",
            hint=f"This needs a login of yours there, and a known host key: try `{by_hand}`.",
        )


def _run_shown(command: list[str], line: bytes) -> int:
    """Run ssh with this line as its input, show on stderr what it and the host say, and return its exit code.

    ssh itself asks for a password at the terminal, not here.
    """
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
        assert process.stdin is not None  # noqa: S101  # both are pipes
        assert process.stdout is not None  # noqa: S101
        with contextlib.suppress(BrokenPipeError), process.stdin as pipe:
            pipe.write(line)
        with clean_output(err=True) as output:
            while piece := os.read(process.stdout.fileno(), 1 << 16):
                output.write(piece)
    return process.returncode
