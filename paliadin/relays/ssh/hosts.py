"""The list of remote hosts, $PALIADIN_HOME/remotes.json; `paliadin remote` edits it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from paliadin.base.errors import ConfigError, NotFound
from paliadin.base.files import read_private, write_json
from paliadin.base.session_names import HOST_NAME
from paliadin.relays.ssh.key_limits import check_sources, format_expiry
from paliadin.relays.ssh.rights import parse_rights

_HINT = "Run `paliadin remote add` with another value, or correct remotes.json."


@dataclass(frozen=True, slots=True)
class Remote:
    """A host with a Claude; raises ConfigError for values that ssh or a remote shell could misread.

    `destination` is ssh's argument, such as me@office.example; `options` precede it on the command line.
    `key` is the path of the private key that may run paliadin-shim only. `login` is where the owner logs in with their
    own key, to open the terminal; empty means `destination`. `program` is the path of paliadin-shim on the host.

    The key's line in authorized_keys there has `known_as` as its --name and `may` as its --may, is valid from the
    addresses `sources`, and until `expires`; empty values are not in the line.
    """

    name: str
    destination: str
    sessions: tuple[str, ...] = ("main",)
    options: tuple[str, ...] = ()
    key: str = ""
    login: str = ""
    program: str = "paliadin-shim"
    known_as: str = ""
    may: str = ""
    sources: tuple[str, ...] = ()
    expires: str = ""

    def __post_init__(self) -> None:
        if not HOST_NAME.fullmatch(self.name):
            raise ConfigError(
                f"{self.name!r} is not a host name for Paliadin: use up to 32 letters, digits, - and _", hint=_HINT
            )
        # ssh takes an argument that begins with "-" for an option, and an option can name a program to run.
        for destination in (self.destination, self.login or self.destination):
            if not re.fullmatch(r"[A-Za-z0-9_.][A-Za-z0-9_.:@%\[\]-]*", destination):
                raise ConfigError(f"{destination!r} is not a destination for ssh, such as you@host.example", hint=_HINT)
        # `attach` passes it through a shell on the host.
        if not re.fullmatch(r"[A-Za-z0-9_./~+-]+", self.program):
            raise ConfigError(f"{self.program!r} is not a path of a program: use no spaces and no quotes", hint=_HINT)
        if self.known_as and not HOST_NAME.fullmatch(self.known_as):
            raise ConfigError(
                f"{self.known_as!r} is not a name for a key: use up to 32 letters, digits, - and _", hint=_HINT
            )
        if not self.sessions or not all(HOST_NAME.fullmatch(session) for session in self.sessions):
            raise ConfigError("name at least one session, with up to 32 letters, digits, - and _", hint=_HINT)
        self._check_limits()

    def _check_limits(self) -> None:
        """Check the values that become part of a line of authorized_keys."""
        try:
            if self.may:
                parse_rights(self.may)
            check_sources(self.sources)
            if self.expires:
                format_expiry(self.expires)
        except ValueError as error:
            raise ConfigError(f"the limits of the key for {self.name} are not valid: {error}", hint=_HINT) from error


def load_remotes(home: Path) -> dict[str, Remote]:
    """Read $PALIADIN_HOME/remotes.json; returns name → host.

    Raises ConfigError when the file is damaged, or others can change it: its options can name a program to run.
    """
    path = home / "remotes.json"
    try:
        entries = json.loads(read_private(path, tighten=True))
        remotes = [_parse_remote(name, entry) for name, entry in entries.items()]
    except FileNotFoundError:
        return {}
    except (ValueError, AttributeError, TypeError, KeyError) as error:
        raise ConfigError(
            f"{path} is damaged: {error}", hint="Mend it, or delete it and add the hosts again."
        ) from error
    return {remote.name: remote for remote in remotes}


def remotes_file_version(home: Path) -> object:
    """Return a value that changes whenever the list of hosts is written; None while there is no list."""
    try:
        status = (home / "remotes.json").stat()
    except FileNotFoundError:
        return None
    return status.st_mtime_ns, status.st_ino, status.st_size


def save_remote(home: Path, remote: Remote) -> None:
    """Add the host to the list, or replace the one of its name; raises ConfigError when the list is damaged."""
    _write(home, load_remotes(home) | {remote.name: remote})


def remove_remote(home: Path, name: str) -> None:
    """Take the host off the list; raises NotFound when it is not on it."""
    remotes = load_remotes(home)
    if name not in remotes:
        raise NotFound(f"there is no host named {name}", code="unknown_host", hint="See `paliadin remote list`.")
    del remotes[name]
    _write(home, remotes)


def _parse_remote(name: str, entry: Mapping[str, object]) -> Remote:
    sessions, options, sources = entry.get("sessions", ["main"]), entry.get("options", []), entry.get("sources", [])
    if not isinstance(sessions, list) or not isinstance(options, list) or not isinstance(sources, list):
        raise TypeError("sessions, options and sources must be lists")
    return Remote(
        name,
        str(entry["destination"]),
        tuple(map(str, sessions)),
        tuple(map(str, options)),
        key=str(entry.get("key", "")),
        login=str(entry.get("login", "")),
        program=str(entry.get("program", "paliadin-shim")),
        known_as=str(entry.get("known_as", "")),
        may=str(entry.get("may", "")),
        sources=tuple(map(str, sources)),
        expires=str(entry.get("expires", "")),
    )


def _write(home: Path, remotes: Mapping[str, Remote]) -> None:
    entries = {
        name: {key: value for key, value in asdict(remote).items() if key != "name"} for name, remote in remotes.items()
    }
    write_json(home / "remotes.json", entries)
